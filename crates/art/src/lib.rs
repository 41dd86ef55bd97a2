//! The drawings of Fourfold: a [`Scene`](scene::Scene) becomes SVG text.
//!
//! There is no framework, no input and no language here: labels are handed in. Three kinds of callers use it:
//!
//! - A page with a board to play on takes the parts and puts its own buttons between them: [`board`] is what lies
//!   under the buttons, [`piece`] what stands on one, [`captures`] what is drawn over them, and [`Layout`] says where
//!   each square is. The page contains [`defs`] once, the gradients that all parts refer to.
//! - A list of games takes a [`picture`], a whole scene to look at, in such a page.
//! - Everything else (a preview sent by a server, a figure in a document, a notebook) takes [`scene_svg`], a file that
//!   needs nothing around it.
//!
//! ```
//! use rules::{Position, Viewer, quixo::Quixo};
//! use scene::Staged;
//!
//! let game = Quixo::start(&Default::default());
//! let scene = Quixo::scene(&game.view(Viewer::Spectator), Viewer::Spectator);
//! let svg = art::scene_svg(&scene, "Quixo, before the first move");
//! assert!(svg.starts_with("<svg xmlns=") && svg.contains("<title>Quixo, before the first move</title>"));
//! ```
//!
//! # Adding a game
//!
//! A module per game holds its `GameArt`: the board, the pieces that only this game has, and the gradients of both. A
//! game whose board and pieces look like those of another names theirs, with the gradients. The list of games asks for every module, so a game
//! that is not drawn does not compile.

mod defs;
mod drawing;
mod face;
mod figure;
mod four;
mod icon;
mod layout;
mod lettering;
mod option;
mod picture;
mod quarto;
mod quixo;
mod sequence;

pub use defs::defs;
pub use face::face;
pub use figure::{figure_svg, position_svg};
pub use icon::{Icon, icon};
pub use layout::{Inset, Layout, Turned};
pub use lettering::can_write;
pub use option::option;
pub use picture::{Caption, arrow, board, captures, picture, preview_svg, rows, scene_svg};

use defs::Gradient;
use drawing::Drawing;
use layout::StyleArt;
use scene::Piece;

/// What a game brings to its drawings; each game's module has one, called `ART`.
struct GameArt {
    /// How its board looks.
    board: &'static StyleArt,
    /// The drawing of a piece that this game has; none of others, and none of a card that lies face down, whose back
    /// belongs to the page.
    piece: fn(Piece) -> Option<Drawing>,
    /// The gradients that its drawings refer to: its own, and those of another game whose board or pieces it has.
    gradients: &'static [&'static [Gradient]],
}

macro_rules! arts {
    ($($name:ident in $module:ident;)*) => {
        impl GameArt {
            /// The art of all games; in a browser, of those that have been fetched.
            #[cfg(not(target_family = "wasm"))]
            fn all() -> impl Iterator<Item = &'static GameArt> {
                [$(&$module::ART),*].into_iter()
            }
        }

        /// Hands over the art of each game, for programs that load games one by one; elsewhere it is there from the start.
        pub mod install {
            $(
                #[doc = concat!("Hands over the art of ", stringify!($name), ".")]
                pub fn $module() {
                    #[cfg(target_family = "wasm")]
                    super::installed::put(rules::GameId::$name, &super::$module::ART);
                }
            )*
        }
    };
}

/// The art of the games that have been fetched.
#[cfg(target_family = "wasm")]
mod installed {
    use std::cell::Cell;

    use rules::GameId;

    use crate::GameArt;

    thread_local! {
        static ARTS: Cell<[Option<&'static GameArt>; GameId::ALL.len()]> = const { Cell::new([None; GameId::ALL.len()]) };
    }

    pub(crate) fn put(id: GameId, art: &'static GameArt) {
        let mut arts = ARTS.get();
        arts[id as usize] = Some(art);
        ARTS.set(arts);
    }

    impl GameArt {
        pub(crate) fn all() -> impl Iterator<Item = &'static GameArt> {
            ARTS.get().into_iter().flatten()
        }
    }
}

rules::games!(arts);

/// The markup of a piece, for a page that contains [`defs`].
///
/// It has no name for screen readers: what it stands on says what it is.
///
/// ```
/// use rules::Seat;
/// use scene::{Piece, Token};
///
/// assert!(art::piece(Piece::Stone(Token::of(Seat::ONE))).starts_with("<svg viewBox="));
/// ```
pub fn piece(piece: Piece) -> String {
    drawing(piece).map(|drawing| drawing.svg()).unwrap_or_default()
}

/// The drawing of a piece; none of a card that lies face down, whose back belongs to the page.
fn drawing(piece: Piece) -> Option<Drawing> {
    GameArt::all().find_map(|art| (art.piece)(piece))
}

#[cfg(test)]
mod tests {
    use rules::{ActionList, Turn, Viewer};
    use scene::Staged;

    use super::*;

    /// A browser may have this game alone.
    fn draws_itself<P: Staged>(art: &GameArt) {
        let mut position = P::start(&P::Options::default());
        for _ in 0..40 {
            let seat = match position.turn() {
                Turn::Seat(seat) => Viewer::Seat(seat),
                Turn::Chance => Viewer::Spectator,
                Turn::Over(_) => return,
            };
            let scene = P::scene(&position.view(seat), seat);
            assert_eq!(art.board.style, scene.style, "{}", P::ID);
            let pieces =
                scene.board.cells.iter().filter_map(|cell| cell.piece).chain(scene.held.map(|(_, piece)| piece));
            for piece in pieces.filter(|piece| *piece != Piece::Card(None)) {
                let drawn = (art.piece)(piece).map(|drawing| drawing.svg());
                let drawn = drawn.unwrap_or_else(|| panic!("{} does not draw {piece:?}", P::ID));
                assert!(defs::are_all_known(art, &drawn), "{} lacks gradients of {piece:?}", P::ID);
            }
            let board = board(&scene, &Layout::new(&scene, Turned::Upright));
            assert!(defs::are_all_known(art, &board), "{} lacks gradients of its board", P::ID);
            let mut actions = ActionList::new();
            position.actions(&mut actions);
            position.play_unchecked(*actions.iter().last().expect("a game that is not over has an action"));
        }
    }

    macro_rules! each_draws_itself {
        ($($name:ident in $module:ident;)*) => { $(draws_itself::<rules::$module::$name>(&$module::ART);)* };
    }

    #[test]
    fn every_game_draws_its_board_and_pieces_without_another() {
        rules::games!(each_draws_itself);
    }
}
