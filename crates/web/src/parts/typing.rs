//! Actions by keyboard.

use locale::Language;
use ui::ev::SubmitEvent;
use ui::prelude::*;

use crate::match_view::MatchView;
use crate::views::{live, say};

/// A line to type actions in.
#[component]
pub fn Typing(
    /// The match.
    match_view: MatchView,
) -> impl IntoView {
    let typed = NodeRef::<web_sys::HtmlInputElement>::new();
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        if let Some(input) = typed.get_untracked()
            && match_view.type_action(input.value().trim())
        {
            input.set_value("");
        }
    };
    let example = move || match_view.game(|game| game.legal().first().cloned().unwrap_or_default());
    view! {
        <form class="typing" on:submit=submit>
            <input type="text" node_ref=typed autocomplete="off" autocapitalize="off" spellcheck="false" aria-label=say(Language::web_type_label) placeholder=live(example) />
            <button type="submit" class="button">{say(Language::menu_play)}</button>
        </form>
    }
}
