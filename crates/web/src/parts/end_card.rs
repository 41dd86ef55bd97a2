//! The end of a game: the place for its card, whose code is loaded when a game is over.

use ui::prelude::*;

use crate::chunks;
use crate::match_view::MatchView;
use crate::views::{Part, showing, spawn};
use routes::Chunk;

/// What a table puts on the card besides the result.
#[derive(Clone, Copy)]
pub struct EndCard {
    /// The match.
    pub match_view: MatchView,
    /// The own rating before and after, where ratings change.
    pub rating: Option<Signal<Option<String>>>,
    /// The address of the game, for other people.
    pub link: Signal<String>,
    /// What comes next, as buttons.
    pub after: Callback<(), AnyView>,
}

/// The card, while the game is over.
pub fn end_card(card: EndCard) -> Part {
    let is_over = Memo::new(move |_| card.match_view.game(|game| game.ending().is_some()));
    let is_loaded = RwSignal::new(false);
    Effect::new(move || {
        if is_over.get() {
            spawn(async move {
                if chunks::load(Chunk::Ending).await.is_ok() {
                    let _ = is_loaded.try_set(true);
                }
            });
        }
    });
    showing(move || is_over.get() && is_loaded.get(), move || chunks::end_card(card))
}
