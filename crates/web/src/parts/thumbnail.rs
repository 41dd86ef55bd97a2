//! A small board to look at.

use leptos::prelude::*;

/// A small picture of a scene, wherever one stands for a game: on the first page, in lists, beside what is set up.
#[component]
pub fn Thumbnail(
    /// The markup that [`art::picture`] gives.
    #[prop(into)]
    picture: Signal<String>,
) -> impl IntoView {
    view! { <div class="thumbnail" inner_html=picture></div> }
}
