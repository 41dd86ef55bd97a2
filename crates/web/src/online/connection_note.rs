//! The state of the connection, in words.

use ui::prelude::*;

use super::connection::ConnectionState;
use super::table::OnlineTable;
use crate::app::settings;
use crate::views::live;

/// Says when the connection is broken and being opened again.
#[component]
pub fn ConnectionNote(
    /// The table.
    table: OnlineTable,
) -> impl IntoView {
    let settings = settings();
    let said = move || match table.connection_state.get() {
        ConnectionState::Broken => Some(settings.lang().online_broken()),
        ConnectionState::Stopping => Some(settings.lang().online_stopping()),
        ConnectionState::Opening | ConnectionState::Open | ConnectionState::Refused(_) => None,
    };
    let word = move || match table.connection_state.get() {
        ConnectionState::Opening => "opening",
        ConnectionState::Open => "open",
        ConnectionState::Broken => "broken",
        ConnectionState::Stopping => "stopping",
        ConnectionState::Refused(_) => "refused",
    };
    view! { <p class="line-state" role="status" data-line=live(word)>{live(said)}</p> }
}
