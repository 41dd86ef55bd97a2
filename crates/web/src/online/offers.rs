//! Offers that all sides must accept, and claims against a player who is away.

use std::time::Duration;

use locale::Language;
use protocol::{Claim, Command};
use rules::Seat;
use session::{OfferKind, Reply, Standing, words};
use ui::prelude::*;

use super::table::OnlineTable;
use crate::app::settings;
use crate::match_view::MatchView;
use crate::views::{list, live, press, say, showing, word_tool};
use art::Icon;

/// A button that proposes something, and withdraws the proposal.
pub fn offer_tool(table: OnlineTable, sign: Icon, word: fn(Language) -> &'static str, kind: OfferKind) -> AnyView {
    let does = match kind {
        OfferKind::Draw => "draw",
        OfferKind::Takeback => "takeback",
        OfferKind::Rematch => "rematch",
    };
    let has_moves = move || kind != OfferKind::Takeback || table.match_view.get().is_some_and(has_moves);
    word_tool(sign, word, does, has_moves, move || table.command(|session| Some(session.offer_or_withdraw(kind))))
}

fn has_moves(match_view: MatchView) -> bool {
    match_view.with(|view| view.history.moves(view.history.len()) > 0)
}

/// The proposal on the table, with answers for a player who has not given one.
#[component]
pub fn Offers(
    /// The table.
    table: OnlineTable,
    /// The match.
    match_view: MatchView,
) -> impl IntoView {
    let settings = settings();
    let offer = move || match_view.with(|view| view.offer);
    let stands = move |wanted: fn(Standing) -> bool| offer().is_some_and(|offer| wanted(offer.standing));
    let mine = move || stands(|standing| standing == Standing::Agreed);
    let asked = move || stands(|standing| matches!(standing, Standing::Asked(_)));
    let sentence =
        move || offer().map(|offer| words::offer(settings.lang(), &offer, &match_view.names(settings.lang())));
    let answer = move |reply: Reply| table.command(|session| session.reply(reply));
    view! {
        {showing(move || offer().is_some(), move || view! {
            <div class="question offer" role="alertdialog" aria-label=say(Language::online_proposal)>
                <p>{live(sentence)}</p>
                {showing(asked, move || view! {
                    <button type="button" class="button main" data-do="agree" on:click=press(move || answer(Reply::Accept))>{say(Language::action_accept)}</button>
                    <button type="button" class="button" data-do="decline" on:click=press(move || answer(Reply::Decline))>{say(Language::action_decline)}</button>
                })}
                {showing(mine, move || view! {
                    <button type="button" class="button" on:click=press(move || answer(Reply::Decline))>{say(Language::online_withdraw)}</button>
                })}
            </div>
        })}
        <p class="quiet declined" role="status">{live(move || match_view.with(|view| view.declined).then(|| settings.lang().online_declined()))}</p>
    }
}

/// Who is away, and what can be done about it.
#[component]
pub fn Absent(
    /// The table.
    table: OnlineTable,
    /// The match.
    match_view: MatchView,
) -> impl IntoView {
    let now = RwSignal::new(());
    let ticking = set_interval_with_handle(move || now.set(()), Duration::from_secs(1)).ok();
    on_cleanup(move || {
        if let Some(ticking) = ticking {
            ticking.clear();
        }
    });
    let gone = Memo::new(move |_| {
        now.track();
        let (playing, you) = (match_view.game(|game| game.ending().is_none()), table.seat());
        let seats = match_view.game(|game| game.position().seats());
        // Where a turn has days a player need not be present.
        let missed = playing && table.known(|it| it.presence.claim_after).is_some();
        Seat::all(seats).filter(|&seat| missed && Some(seat) != you && table.away(seat) > 0).collect::<Vec<Seat>>()
    });
    let row = move |seat: Seat| view! { <AbsentSeat table match_view seat now /> };
    view! { <div class="absent">{list(move || gone.get().into_iter().map(row))}</div> }
}

#[component]
fn AbsentSeat(table: OnlineTable, match_view: MatchView, seat: Seat, now: RwSignal<()>) -> impl IntoView {
    let settings = settings();
    let name = move |seat: Seat| match_view.names(settings.lang()).seat(seat).to_owned();
    let away = move || {
        now.track();
        table.away(seat)
    };
    let may =
        move || table.seat().is_some() && table.known(|it| it.presence.claim_after).is_some_and(|after| away() > after);
    let claims = move || table.known(|it| it.claims.clone());
    let claimed = move |claim: Claim| table.seat().is_some_and(|own| claims().contains(&(own, seat, claim)));
    let votes = move || {
        let all = claims().into_iter().filter(|(_, gone, _)| *gone == seat);
        let said = all.map(|(by, _, what)| match what {
            Claim::Win => settings.lang().online_claimed_win(name(by)),
            Claim::Draw => settings.lang().online_claimed_draw(name(by)),
        });
        said.collect::<Vec<_>>().join(" ")
    };
    let button = move |claim: Claim, label: fn(Language) -> &'static str| {
        view! {
            <button type="button" class="button" disabled=live(move || claimed(claim))
                on:click=press(move || table.ask(Command::Claim { seat, claim }))>{say(label)}</button>
        }
    };
    view! {
        <p class="quiet">{live(move || settings.lang().online_away(name(seat), u64::from(away())))}</p>
        <p class="quiet">{live(votes)}</p>
        {showing(may, move || view! {
            <p class="choices">{button(Claim::Win, Language::online_claim_win)}{button(Claim::Draw, Language::online_claim_draw)}</p>
        })}
    }
}
