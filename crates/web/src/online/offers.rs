//! What all must agree to, and what the others do about somebody who is away.

use std::time::Duration;

use leptos::prelude::*;
use locale::Language;
use protocol::{Claim, Command, Offer};
use rules::Seat;

use super::room::Room;
use crate::app::settings;
use crate::art::Icon;
use crate::lean::{list, live, press, say, showing, tool};
use crate::sight::Sight;

/// A button that proposes something, and takes a proposal back.
pub fn offer_tool(room: Room, sign: Icon, name: fn(Language) -> &'static str, what: Offer) -> AnyView {
    tool(sign, name, move || {
        let open = room.follower.with_untracked(|it| it.as_ref().and_then(|it| it.offer.clone()));
        let mine = open.is_some_and(|(offer, agreed)| offer == what && includes(&agreed, untrack(|| room.seat())));
        room.ask(if mine { Command::Decline { offer: what } } else { Command::Propose { offer: what } });
    })
}

/// The proposal on the table, with answers for who has not given one.
#[component]
pub fn Offers(
    /// The table.
    room: Room,
    /// The match.
    sight: Sight,
) -> impl IntoView {
    let settings = settings();
    let offer = Memo::new(move |_| room.known(|it| it.offer.clone()));
    let what = move || offer.get().map(|(what, _)| what);
    let mine = move || offer.with(|offer| offer.as_ref().is_some_and(|(_, agreed)| includes(agreed, room.seat())));
    let asked = move || room.seat().is_some() && what().is_some() && !mine();
    let sentence = move || {
        let (what, agreed) = offer.get()?;
        let language = settings.lang();
        if includes(&agreed, room.seat()) {
            let own = match what {
                Offer::Draw => language.online_own_draw(),
                Offer::Takeback => language.online_own_takeback(),
                Offer::Rematch => language.online_own_rematch(),
            };
            return Some(own.to_owned());
        }
        let seat = *agreed.first()?;
        let names = sight.names(language);
        let name = names.seat(seat);
        Some(match what {
            Offer::Draw => language.draw_offered(name),
            Offer::Takeback => language.online_takeback_offered(name),
            Offer::Rematch => language.online_rematch_offered(name),
        })
    };
    let answer = move |yes: bool| {
        if let Some(what) = untrack(what) {
            room.ask(if yes { Command::Agree { offer: what } } else { Command::Decline { offer: what } });
        }
    };
    view! {
        {showing(move || what().is_some(), move || view! {
            <div class="question offer" role="alertdialog" aria-label=say(Language::online_proposal)>
                <p>{live(sentence)}</p>
                {showing(asked, move || view! {
                    <button type="button" class="button main" data-do="agree" on:click=press(move || answer(true))>{say(Language::action_accept)}</button>
                    <button type="button" class="button" data-do="decline" on:click=press(move || answer(false))>{say(Language::action_decline)}</button>
                })}
                {showing(mine, move || view! {
                    <button type="button" class="button" on:click=press(move || answer(false))>{say(Language::online_withdraw)}</button>
                })}
            </div>
        })}
        <p class="quiet declined" role="status">{live(move || room.declined.get().then(|| settings.lang().online_declined()))}</p>
    }
}

fn includes(seats: &[Seat], own: Option<Seat>) -> bool {
    own.is_some_and(|own| seats.contains(&own))
}

/// Who is away, and what can be done about it.
#[component]
pub fn Absent(
    /// The table.
    room: Room,
    /// The match.
    sight: Sight,
) -> impl IntoView {
    let now = RwSignal::new(js_sys::Date::now());
    let ticking = set_interval_with_handle(move || now.set(js_sys::Date::now()), Duration::from_secs(1)).ok();
    on_cleanup(move || {
        if let Some(ticking) = ticking {
            ticking.clear();
        }
    });
    let gone = Memo::new(move |_| {
        let (playing, own) = (sight.game.with(|game| game.ending().is_none()), room.seat());
        let seats = sight.game.with(|game| game.position().seats());
        // Where a turn has days a player need not be present.
        let missed = playing && room.known(|it| it.presence.claim_after).is_some();
        let away = |seat: &Seat| missed && Some(*seat) != own && room.away(*seat, now.get()) > 0;
        Seat::all(seats).filter(away).collect::<Vec<Seat>>()
    });
    let row = move |seat: Seat| view! { <AbsentSeat room sight seat now /> };
    view! { <div class="absent">{list(move || gone.get().into_iter().map(row))}</div> }
}

#[component]
fn AbsentSeat(room: Room, sight: Sight, seat: Seat, now: RwSignal<f64>) -> impl IntoView {
    let settings = settings();
    let name = move |seat: Seat| sight.names(settings.lang()).seat(seat).to_owned();
    let away = Memo::new(move |_| room.away(seat, now.get()));
    // The first second away is told before it has passed.
    let may = move || {
        room.seat().is_some() && room.known(|it| it.presence.claim_after).is_some_and(|after| away.get() > after)
    };
    let claims = Memo::new(move |_| room.known(|it| it.claims.clone()));
    let claimed =
        move |claim: Claim| room.seat().is_some_and(|own| claims.with(|all| all.contains(&(own, seat, claim))));
    let votes = move || {
        let all = claims.get().into_iter().filter(|(_, gone, _)| *gone == seat);
        let said = all.map(|(by, _, what)| match what {
            Claim::Win => settings.lang().online_claimed_win(name(by)),
            Claim::Draw => settings.lang().online_claimed_draw(name(by)),
        });
        said.collect::<Vec<_>>().join(" ")
    };
    let button = move |claim: Claim, label: fn(Language) -> &'static str| {
        view! {
            <button type="button" class="button" disabled=live(move || claimed(claim))
                on:click=press(move || room.ask(Command::Claim { seat, claim }))>{say(label)}</button>
        }
    };
    view! {
        <p class="quiet">{live(move || settings.lang().online_away(name(seat), u64::from(away.get())))}</p>
        <p class="quiet">{live(votes)}</p>
        {showing(may, move || view! {
            <p class="choices">{button(Claim::Win, Language::online_claim_win)}{button(Claim::Draw, Language::online_claim_draw)}</p>
        })}
    }
}
