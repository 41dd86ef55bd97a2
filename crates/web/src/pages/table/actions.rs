//! Undo, hint, resign and what else a table on this device offers.

use game::Consent;
use leptos::prelude::*;
use locale::Language;
use session::{Reply, UndoPolicy, words};

use crate::app::settings;
use crate::art::Icon;
use crate::board::Turned;
use crate::erased_views::{live, press, say, showing, spawn, tool, tool_when};
use crate::local_table::{LocalTable, Rewind};
use crate::pages::analyse::whole_game_link;
use crate::pages::new_game::start_game;
use crate::parts::{Typing, ViewTools};
use crate::route::{self, Route};

/// The row of tools, the questions before what cannot be undone, and what comes after the game.
#[component]
pub(super) fn Actions(play: LocalTable, turned: RwSignal<Turned>) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let over = move || play.match_view.game(|game| game.ending().is_some());
    let (asking, set_asking) = signal(false);
    let typing = RwSignal::new(false);
    let consent = move || {
        if let Some(way) = play.consent.get_untracked() {
            play.rewind(way, Consent::All);
        }
    };
    let again = move |_| spawn(start_game(play.match_view.game_untracked(|game| game.settings().rematch())));
    let id = play.match_view.game_untracked(|game| game.settings().game.id());
    view! {
        <nav class="actions">
            <div class="toolbox">
            {tool_when(Icon::Undo, Language::action_undo, move || play.match_view.with(|view| view.undo == UndoPolicy::AtOnce), move || play.rewind(Rewind::Undo, Consent::NotAsked))}
            {tool_when(Icon::Redo, Language::action_redo, move || play.match_view.game(|game| game.can_redo()), move || play.rewind(Rewind::Redo, Consent::NotAsked))}
            {showing(move || !over(), move || view! {
                {tool(Icon::Hint, Language::action_hint, move || play.ask_hint())}
                {tool(Icon::Hands, Language::action_offer_draw, move || play.offer_draw())}
                {tool(Icon::Flag, Language::action_resign, move || set_asking.set(true))}
            })}
            {showing(move || !over(), move || tool(Icon::New, Language::web_new_game, move || route::go(&Route::New(id, String::new()))))}
            <ViewTools match_view=play.match_view turned typing />
            </div>
            {showing(over, move || view! { <div class="after">
                <button type="button" class="button main" on:click=again>{say(Language::action_rematch)}</button>
                <a class="button" href=live(move || Route::Analyse(play.match_view.game(whole_game_link)).link())>{say(Language::web_analyse)}</a>
                <a class="button" href=Route::New(id, String::new()).link()>{say(Language::web_new_game)}</a>
            </div> })}
            {showing(move || typing.get(), move || view! { <Typing match_view=play.match_view /> })}
            {showing(move || play.asked().is_some(), move || view! {
                <div class="question" role="alertdialog" aria-label=say(Language::action_offer_draw)>
                    <p>{live(move || play.asked().map(|offer| words::offer(lang(), &offer, &play.match_view.names(lang()))))}</p>
                    <button type="button" class="button main" on:click=press(move || play.answer_draw(Reply::Accept))>{say(Language::action_accept)}</button>
                    <button type="button" class="button" on:click=press(move || play.answer_draw(Reply::Decline))>{say(Language::action_decline)}</button>
                </div>
            })}
            {showing(move || play.consent.get().is_some(), move || view! {
                <div class="question" role="alertdialog" aria-label=say(Language::consent_question)>
                    <p>{say(Language::consent_question)}</p>
                    <button type="button" class="button main" on:click=press(consent)>{say(Language::action_yes)}</button>
                    <button type="button" class="button" on:click=press(move || play.consent.set(None))>{say(Language::action_no)}</button>
                </div>
            })}
            {showing(move || asking.get(), move || view! {
                <div class="question" role="alertdialog" aria-label=say(Language::resign_question)>
                    <p>{say(Language::resign_question)}</p>
                    <button type="button" class="button main" on:click=press(move || { set_asking.set(false); play.resign(); })>{say(Language::action_yes)}</button>
                    <button type="button" class="button" on:click=press(move || set_asking.set(false))>{say(Language::action_no)}</button>
                </div>
            })}
        </nav>
    }
}
