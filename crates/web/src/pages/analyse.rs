//! A board to analyse on.

use leptos::prelude::*;

use crate::app::{TopBar, settings};

/// The analysis board.
#[component]
pub fn Analyse(
    /// What to analyse, from the address.
    query: String,
) -> impl IntoView {
    let settings = settings();
    let _ = query;
    view! { <TopBar title=Signal::derive(move || settings.lang().web_analyse().to_owned()) /> }
}
