//! Undo, hint, resign and what else a table on this device offers.

use game::Consent;
use locale::Language;
use search::Random;
use session::{FirstPlayer, Reply, UndoPolicy, words};
use ui::prelude::*;

use crate::app::settings;
use crate::board::Turned;
use crate::local_table::{LocalTable, Rewind, seed};
use crate::match_view::MatchView;
use crate::pages::analyse::whole_game_link;
use crate::pages::new_game::start_game;
use crate::parts::menu::{item, item_when};
use crate::parts::{EndCard, Menu, PanelState, PanelTool, Typing, ViewTools, end_card, yes_or_no};
use crate::route::{self, Route};
use crate::views::{live, press, say, showing, spawn, word_tool};
use art::Icon;

/// The main tools, the menu with the others, and the questions before what cannot be undone.
#[component]
pub(super) fn Actions(play: LocalTable, turned: RwSignal<Turned>, panel: PanelState) -> impl IntoView {
    let (asking, typing) = (RwSignal::new(false), RwSignal::new(false));
    let over = move || play.match_view.game(|game| game.ending().is_some());
    let can_undo = move || play.match_view.with(|view| view.undo == UndoPolicy::AtOnce);
    let nothing_to_redo = move || play.match_view.game(|game| !game.can_redo());
    let redo = move || play.rewind(Rewind::Redo, Consent::NotAsked);
    let id = play.match_view.game_untracked(|game| game.settings().game.id());
    view! {
        <nav class="actions">
            {showing(move || !over(), move || view! {
                {word_tool(Icon::Undo, Language::tool_undo, "undo", can_undo, move || play.rewind(Rewind::Undo, Consent::NotAsked))}
                {word_tool(Icon::Hint, Language::action_hint, "hint", || true, move || play.ask_hint())}
                {word_tool(Icon::Flag, Language::action_resign, "resign", || true, move || asking.set(true))}
            })}
            {showing(over, move || view! {
                {word_tool(Icon::Again, Language::tool_rematch, "rematch", || true, move || rematch(play.match_view))}
                <a class="tool" href=live(move || Route::Analyse(play.match_view.game(whole_game_link)).link())>
                    <span inner_html=art::icon(Icon::Lens)></span><span>{say(Language::web_analyse)}</span></a>
                {word_tool(Icon::Undo, Language::tool_undo, "undo", can_undo, move || play.rewind(Rewind::Undo, Consent::NotAsked))}
            })}
            <PanelTool state=panel />
            <Menu>
                {item_when(Icon::Redo, say(Language::action_redo), live(nothing_to_redo), press(redo))}
                {showing(move || !over(), move || item(Icon::Hands, Language::action_offer_draw, move || play.offer_draw()))}
                {item(Icon::New, Language::web_new_game, move || route::go(&Route::New(id, String::new())))}
                <ViewTools match_view=play.match_view turned typing />
            </Menu>
        </nav>
        {end_card(EndCard { match_view: play.match_view, rating: None, link: game_link(play.match_view), after: Callback::new(move |()| after(play.match_view)) })}
        <div class="floating">
            {showing(move || typing.get(), move || view! { <Typing match_view=play.match_view /> })}
            <Questions play asking />
        </div>
    }
}

/// Begins the next match.
fn rematch(match_view: MatchView) {
    let next = match_view.game_untracked(|game| FirstPlayer::next_match(game, &mut Random::new(seed())));
    spawn(start_game(next));
}

/// The address that shows the game on another device: all of it stands in the address.
fn game_link(match_view: MatchView) -> Signal<String> {
    Signal::derive(move || route::full_address(&Route::Analyse(match_view.game(whole_game_link))))
}

/// What comes after the game.
fn after(match_view: MatchView) -> AnyView {
    let analyse = live(move || Route::Analyse(match_view.game(whole_game_link)).link());
    view! {
        <button type="button" class="button main" data-do="rematch" on:click=press(move || rematch(match_view))>{say(Language::action_rematch)}</button>
        <a class="button" href=analyse>{say(Language::web_analyse)}</a>
    }
    .into_any()
}

/// What people at this device are asked: whether to agree to a draw, to take back seen cards, to resign.
#[component]
fn Questions(play: LocalTable, asking: RwSignal<bool>) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let consent = move || {
        if let Some(way) = play.consent.get_untracked() {
            play.rewind(way, Consent::All);
        }
    };
    view! {
        {showing(move || play.asked().is_some(), move || view! {
            <div class="question" role="alertdialog" aria-label=say(Language::action_offer_draw)>
                <p>{live(move || play.asked().map(|offer| words::offer(lang(), &offer, &play.match_view.names(lang()))))}</p>
                <button type="button" class="button main" on:click=press(move || play.answer_draw(Reply::Accept))>{say(Language::action_accept)}</button>
                <button type="button" class="button" on:click=press(move || play.answer_draw(Reply::Decline))>{say(Language::action_decline)}</button>
            </div>
        })}
        {showing(move || play.consent.get().is_some(), move || yes_or_no(Language::consent_question, consent, move || play.consent.set(None)))}
        {showing(move || asking.get(), move || yes_or_no(Language::resign_question, move || { asking.set(false); play.resign(); }, move || asking.set(false)))}
    }
}
