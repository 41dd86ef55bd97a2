//! A small board to look at.

use game::GameId;
use ui::prelude::*;

use crate::pages::home::{drawn_picture, load_pictures};
use crate::views::spawn;

/// A small picture of a scene, wherever one stands for a game: on the first page, in lists, beside what is set up.
#[component]
pub fn Thumbnail(
    /// The markup that [`art::picture`] gives.
    picture: Signal<String>,
) -> impl IntoView {
    view! { <div class="thumbnail" inner_html=picture></div> }
}

/// The picture of a game in play, which the bundler has drawn.
#[component]
pub fn GamePicture(
    /// Which game.
    game: GameId,
) -> impl IntoView {
    let picture = RwSignal::new(drawn_picture(game));
    spawn(async move {
        load_pictures().await;
        let _ = picture.try_set(drawn_picture(game));
    });
    view! { <Thumbnail picture=picture.into() /> }
}
