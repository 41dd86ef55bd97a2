//! What a server stores about people, and for how long.

use locale::Language;
use ui::prelude::*;

use crate::app::{TopBar, settings};
use crate::views::say;

/// A text in the reader's language.
type Text = fn(Language) -> &'static str;

/// The page: a heading and a paragraph for each part.
#[component]
pub fn Privacy() -> impl IntoView {
    const PARTS: [(Text, Text); 5] = [
        (Language::privacy_device_title, Language::privacy_device),
        (Language::privacy_server_title, Language::privacy_server),
        (Language::privacy_time_title, Language::privacy_time),
        (Language::privacy_others_title, Language::privacy_others),
        (Language::privacy_rights_title, Language::privacy_rights),
    ];
    let settings = settings();
    let part =
        |(title, text): (Text, Text)| view! { <section><h2>{say(title)}</h2><p>{say(text)}</p></section> }.into_any();
    let parts: Vec<AnyView> = PARTS.into_iter().map(part).collect();
    view! {
        <TopBar title=Signal::derive(move || settings.lang().privacy_title().to_owned()) />
        <main class="online privacy">{parts}</main>
    }
}
