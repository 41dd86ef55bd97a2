//! What to draw and what may be touched, as plain data.
//!
//! A client never asks which game it shows. It draws a [`Scene`], lets its user touch [`Spot`]s, and hands the
//! touches to [`narrow`] (or to a [`Picker`], which also handles taking back and starting anew) until an action is
//! complete. What happened comes as a [`Happening`]: a [`Message`] to say, [`Motion`]s to animate and [`Highlight`]s
//! to leave behind. There is no text in any language here; `locale` turns messages into sentences.
//!
//! # Putting a game on stage
//!
//! One file per game implements [`Staged`] for its position; `quixo.rs` is the worked example.
//!
//! 1. `scene`: fill a [`Scene`] from a view. Start from [`Scene::new`], which takes the board with its [`BoardStyle`] and
//!    the status, and add what the game has: the seats' pieces, a [`Tray`] for a stock, `held` for a piece in hand, [`Hand`]s, [`Counter`]s, [`Button`]s.
//!    Buttons that make sense in the position are listed whether legal or not; what is legal is the business of
//!    `narrow`. A standing row that decided the game is a [`Highlight::Row`]; rows that wait to be called are not
//!    shown, for finding them is the game.
//! 2. `touches`: the spots a user touches to spell an action, in the order of the hand's movement: card then square,
//!    stone then destination. Among the legal actions of a position no list may equal another or begin another.
//!    Chance is not touched: its actions have no touches.
//! 3. `prompt`: what to do next when some spots are touched already.
//! 4. `meant`: which action an impossible touch was probably meant to be, so that the rules can say why not.
//! 5. `notation`: how a move list shows an action, where its text alone does not serve: a piece to draw, a card to name.
//! 6. `setup_piece`: what a piece looks like while a board is being set up.
//! 7. `happening`: what to say, move and mark when an action is played, told so that the viewer learns nothing hidden.
//!
//! ```
//! use rules::{Position, Viewer, quixo::Quixo};
//! use scene::{Picker, Staged, Touched, choices};
//!
//! let game = Quixo::start(&Default::default());
//! let scene = Quixo::scene(&game.view(Viewer::Spectator), Viewer::Spectator);
//! assert_eq!((scene.board.columns, scene.board.rows), (5, 5));
//!
//! let choices = choices(&game);
//! let mut picker = Picker::new();
//! assert_eq!(picker.touch(&choices, "a3".parse()?), Touched::Further);
//! assert_eq!(picker.touch(&choices, "e3".parse()?), Touched::Complete("a3e3".parse()?));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod four;
mod happening;
mod message;
mod narrow;
mod notation;
mod piece;
mod quarto;
mod quixo;
mod seating;
mod sequence;
mod spot;
mod stage;
mod staged;

pub use happening::{Happening, Motion, Place};
pub use message::{DrawReason, Message, PhraseArgument, Victory};
pub use narrow::{Choice, Narrowed, Picker, Touched, narrow};
pub use notation::MovePart;
pub use piece::{Attribute, Card, Dot, Edge, Figure, Mark, NoSuchCard, Piece, Quality, Token};
pub use seating::Seating;
pub use spot::{Button, NoSuchSpot, Spot};
pub use stage::{
    Board, BoardStyle, CardState, Cell, Counter, CounterKind, Face, Facing, Ground, Hand, HandCard, Highlight,
    RowMeaning, Scene, Tray, TrayPlace,
};
pub use staged::{Staged, choices};
