//! What to do and what happened, in words.

use locale::{Language, Names};
use session::words;
use ui::prelude::*;

use crate::app::settings;
use crate::match_view::MatchView;
use crate::move_text;
use crate::views::{live, press, say, showing, tool};
use art::Icon;

/// What to do, what happened, and what there is to tell.
#[component]
pub fn Status(
    /// The match.
    match_view: MatchView,
    /// What everybody is called.
    names: Memo<Names>,
    /// Further texts, such as that a bot is thinking.
    beside: AnyView,
) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let said = move || match match_view.move_shown() {
        Some(number) => lang().web_move_shown(number),
        None => names.with(|names| words::prompt(lang(), &match_view.prompt(), names)),
    };
    // Who resigned or ran out of time is told with the result.
    let happened = move || {
        let told = match_view.told()?;
        let told = names.with(|names| words::told(lang(), &told, names));
        (!said().starts_with(&told)).then_some(told)
    };
    let over = move || match_view.game(|game| game.ending().is_some());
    let noted = move || {
        let premove = || {
            let action = match_view.premove()?;
            let action = match_view.game(|game| move_text::action(lang(), &game.settings().game, &action));
            Some(lang().online_premove(action))
        };
        match_view.notice.get().or_else(premove)
    };
    let is_advice = live(move || match_view.premove().is_some() || match_view.with(|view| view.hint.is_some()));
    view! {
        <div class="status" class:over=over>
            // A screen reader says first what happened, then what to do; the page shows them the other way round.
            <p class="quiet" aria-live="polite">{happened}</p>
            <p class="say" role="status" aria-live="polite">{said}</p>
            {showing(move || match_view.pending.get().is_some(), move || view! {
                <button type="button" class="button main confirm" data-do="confirm" on:click=press(move || match_view.confirm())>{say(Language::web_confirm)}</button>
            })}
            {showing(move || match_view.pending.get().is_none() && !match_view.touched().is_empty(), move || tool(Icon::Close, Language::web_take_back_choice, move || match_view.back()))}
            {beside}
            <p class="notice" class:advice=is_advice role="status">{live(noted)}</p>
        </div>
    }
}
