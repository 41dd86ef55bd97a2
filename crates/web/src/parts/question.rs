//! What a person is asked before something that cannot be undone.

use locale::Language;
use ui::prelude::*;

use crate::views::{press, say};

/// A question before what cannot be undone.
pub fn yes_or_no(question: fn(Language) -> &'static str, yes: impl Fn() + 'static, no: impl Fn() + 'static) -> AnyView {
    view! {
        <div class="question" role="alertdialog" aria-label=say(question)>
            <p>{say(question)}</p>
            <button type="button" class="button main" on:click=press(yes)>{say(Language::action_yes)}</button>
            <button type="button" class="button" on:click=press(no)>{say(Language::action_no)}</button>
        </div>
    }
    .into_any()
}
