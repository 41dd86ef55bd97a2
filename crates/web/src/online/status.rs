//! How the line to the server is, for people.

use leptos::prelude::*;

use super::link::Line;
use super::room::Room;
use crate::app::settings;
use crate::lean::live;

/// Says when the line is broken, and that it is being mended.
#[component]
pub fn LineState(
    /// The table.
    room: Room,
) -> impl IntoView {
    let settings = settings();
    let said = move || match room.line.get() {
        Line::Broken => Some(settings.lang().online_broken()),
        Line::Stopping => Some(settings.lang().online_stopping()),
        Line::Opening | Line::Open | Line::Refused(_) => None,
    };
    let word = move || match room.line.get() {
        Line::Opening => "opening",
        Line::Open => "open",
        Line::Broken => "broken",
        Line::Stopping => "stopping",
        Line::Refused(_) => "refused",
    };
    view! { <p class="line-state" role="status" data-line=live(word)>{live(said)}</p> }
}
