//! What all must agree to, and what the others do about somebody who is away.

use std::time::Duration;

use leptos::prelude::*;
use locale::Language;
use protocol::{Claimed, Do, Offer};
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
        let mine = open.is_some_and(|(offer, agreed)| offer == what && agreed.contains(&untrack(|| room.you())));
        room.ask(if mine { Do::Decline(what) } else { Do::Propose(what) });
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
    let mine = move || offer.with(|offer| offer.as_ref().is_some_and(|(_, agreed)| agreed.contains(&room.you())));
    let asked = move || room.you() > 0 && what().is_some() && !mine();
    let sentence = move || {
        let (what, agreed) = offer.get()?;
        let language = settings.lang();
        if agreed.contains(&room.you()) {
            let own = match what {
                Offer::Draw => language.online_own_draw(),
                Offer::Takeback => language.online_own_takeback(),
                Offer::Rematch => language.online_own_rematch(),
            };
            return Some(own.to_owned());
        }
        let seat = agreed.first()?.to_string().parse::<Seat>().ok()?;
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
            room.ask(if yes { Do::Agree(what) } else { Do::Decline(what) });
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
        let (playing, you) = (sight.game.with(|game| game.ending().is_none()), room.you());
        let seats = sight.game.with(|game| game.position().seats());
        // Where a turn has days nobody is missed.
        let missed = playing && room.known(|it| it.around.grace) > 0;
        let away = |seat: &u8| missed && *seat != you && room.away(*seat, now.get()) > 0;
        (1..=seats).filter(away).collect::<Vec<u8>>()
    });
    let row = move |seat: u8| view! { <AbsentSeat room sight seat now /> };
    view! { <div class="absent">{list(move || gone.get().into_iter().map(row))}</div> }
}

#[component]
fn AbsentSeat(room: Room, sight: Sight, seat: u8, now: RwSignal<f64>) -> impl IntoView {
    let settings = settings();
    let name = move |number: u8| {
        let seat = number.to_string().parse::<Seat>().ok();
        seat.map(|seat| sight.names(settings.lang()).seat(seat).to_owned()).unwrap_or_default()
    };
    let away = Memo::new(move |_| room.away(seat, now.get()));
    // The first second away is told before it has passed.
    let may = move || room.you() > 0 && away.get() > room.known(|it| it.around.grace);
    let claims = Memo::new(move |_| room.known(|it| it.claims.clone()));
    let claimed = move |what: Claimed| claims.with(|all| all.contains(&(room.you(), seat, what)));
    let votes = move || {
        let all = claims.get().into_iter().filter(|(_, gone, _)| *gone == seat);
        let said = all.map(|(by, _, what)| match what {
            Claimed::Win => settings.lang().online_claimed_win(name(by)),
            Claimed::Draw => settings.lang().online_claimed_draw(name(by)),
        });
        said.collect::<Vec<_>>().join(" ")
    };
    let button = move |what: Claimed, label: fn(Language) -> &'static str| {
        view! {
            <button type="button" class="button" disabled=live(move || claimed(what))
                on:click=press(move || room.ask(Do::Claim { seat, what }))>{say(label)}</button>
        }
    };
    view! {
        <p class="quiet">{live(move || settings.lang().online_away(name(seat), u64::from(away.get())))}</p>
        <p class="quiet">{live(votes)}</p>
        {showing(may, move || view! {
            <p class="choices">{button(Claimed::Win, Language::online_claim_win)}{button(Claimed::Draw, Language::online_claim_draw)}</p>
        })}
    }
}
