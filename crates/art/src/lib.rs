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
//! game whose board and pieces look like those of another names theirs. The list of games asks for every module, so a game
//! that is not drawn does not compile.

mod defs;
mod drawing;
mod face;
mod figure;
mod four;
mod icon;
mod layout;
mod option;
mod picture;
mod quarto;
mod quixo;
mod sequence;

pub use defs::defs;
pub use face::face;
pub use figure::figure_svg;
pub use icon::{Icon, icon};
pub use layout::{Inset, Layout, Turned};
pub use option::option;
pub use picture::{arrow, board, captures, picture, preview_svg, rows, scene_svg};

use defs::Gradient;
use drawing::Drawing;
use layout::StyleArt;
use rules::{GameId, Phrase};
use scene::Piece;

/// What a game brings to its drawings; each game's module has one, called `ART`.
struct GameArt {
    /// How its own board looks ([`scene::BoardStyle::OfGame`]).
    board: &'static StyleArt,
    /// The drawing of a piece that only this game has ([`Piece::OfGame`]), by its key.
    piece: fn(&str) -> Option<Drawing>,
    /// The gradients that its drawings refer to.
    gradients: &'static [Gradient],
}

macro_rules! arts {
    ($($name:ident in $module:ident;)*) => {
        impl GameArt {
            const fn of(game: GameId) -> &'static GameArt {
                match game { $(GameId::$name => &$module::ART,)* }
            }
        }
    };
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
    match piece {
        Piece::Figure(figure) => Some(quarto::figure(figure)),
        Piece::Cube(mark) => Some(quixo::cube(mark)),
        Piece::Stone(stone) => Some(four::stone(stone.sign)),
        Piece::Chip(chip) => Some(sequence::chip(chip.sign)),
        Piece::Card(card) => card.map(sequence::card),
        Piece::OfGame(Phrase { game, key }) => (GameArt::of(game).piece)(key),
    }
}
