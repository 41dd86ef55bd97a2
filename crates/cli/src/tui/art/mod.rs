//! What boards and pieces look like in a terminal: shapes first, colour as a bonus. Each game has a module.
//!
//! The list of games asks for every module, so a game that is not drawn does not compile. A game whose board and pieces
//! look like those of another names theirs.

mod four;
mod quarto;
mod quixo;
mod sequence;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use locale::Language;
use rules::{GameId, Phrase};
use scene::{BoardStyle, Cell, Piece};

use super::palette::{Palette, Tint};
use super::text::centre;

/// What a game brings to the terminal; each game's module has one, called `ART`.
pub(crate) struct GameArt {
    /// How its own board looks ([`BoardStyle::OfGame`]).
    board: &'static BoardArt,
    /// The pieces that only this game has ([`Piece::OfGame`]).
    pieces: &'static [OwnPiece],
}

/// A piece that only one game has.
pub(crate) struct OwnPiece {
    /// Its key.
    key: &'static str,
    /// The piece as one character.
    sign: &'static str,
    /// The same for a board of plain text, as in position texts.
    letter: &'static str,
    /// Its colour.
    tint: Tint,
}

/// How one style of board looks.
pub(crate) struct BoardArt {
    /// The inside of a square, width and height, and whether lines run between squares: the roomiest first.
    pub(crate) sizes: &'static [(u16, u16, Lines)],
    /// Smaller ones, for windows that have no room for any of these.
    pub(crate) compact: &'static [(u16, u16, Lines)],
    /// The colour of what stands on a square, and the square's own.
    pub(crate) ground: (Tint, Tint),
    /// The colour of the lines between squares, and of what is under them.
    pub(crate) lines: (Tint, Tint),
    /// How squares are marked.
    pub(crate) marking: Marking,
    /// Draws what a square shows into its inside; the style is the square's ground, which a mark may have changed.
    pub(crate) square: fn(Look, &mut Buffer, Rect, &Cell, Style),
}

/// Whether lines run between the squares of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lines {
    Drawn,
    Left,
}

/// How a board shows which squares may be touched and which decided the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marking {
    /// A dot in the middle of the square. The ground never changes, so that pieces can be told apart on it.
    Dot,
    /// A small cross on an empty square, a line under a piece; nothing where nearly every square would be marked.
    Point,
    /// Another ground, and a dot in the corner. The ground is light, so frames are dark.
    Ground,
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

impl BoardArt {
    /// The look of a style.
    pub(crate) const fn of(style: BoardStyle) -> &'static BoardArt {
        match style {
            BoardStyle::Wells => &quarto::WELLS,
            BoardStyle::Tray => &quixo::TRAY,
            BoardStyle::Grid => &four::GRID,
            BoardStyle::Pictures => &sequence::PICTURES,
            BoardStyle::OfGame(game) => GameArt::of(game).board,
        }
    }
}

impl OwnPiece {
    fn of(Phrase { game, key }: Phrase) -> Option<&'static OwnPiece> {
        GameArt::of(game).pieces.iter().find(|piece| piece.key == key)
    }
}

/// How everything looks and in which language it speaks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    /// The colours.
    pub(crate) palette: Palette,
    /// The language.
    pub(crate) language: Language,
}

impl Look {
    /// The plain style of a square.
    pub(crate) fn ground(self, board: &BoardArt) -> Style {
        self.palette.on(board.ground.0, board.ground.1)
    }

    /// The lines between squares.
    pub(crate) fn lines(self, board: &BoardArt) -> Style {
        self.palette.on(board.lines.0, board.lines.1)
    }

    /// Draws a piece in the middle of an area.
    pub(crate) fn piece(self, buffer: &mut Buffer, area: Rect, piece: Piece, style: Style) {
        match piece {
            Piece::Figure(figure) => quarto::draw(self, buffer, area, figure, style),
            Piece::Cube(mark) => mark.into_iter().for_each(|mark| quixo::draw(buffer, area, mark, style)),
            Piece::Chip(chip) => sequence::draw_chip(self, buffer, area, chip),
            Piece::Card(card) => card.into_iter().for_each(|card| sequence::draw_card(self, buffer, area, card, style)),
            Piece::Stone(stone) => self.coloured(buffer, area, four::sign(stone.sign), four::tint(stone.sign), style),
            Piece::OfGame(phrase) => {
                if let Some(piece) = OwnPiece::of(phrase) {
                    self.coloured(buffer, area, piece.sign, piece.tint, style);
                }
            }
        }
    }

    fn coloured(self, buffer: &mut Buffer, area: Rect, sign: &str, tint: Tint, style: Style) {
        centre(buffer, area, sign, style.patch(self.palette.text(tint)).add_modifier(Modifier::BOLD));
    }
}

/// Draws the piece of a square, and nothing on an empty one.
fn piece_alone(look: Look, buffer: &mut Buffer, area: Rect, cell: &Cell, style: Style) {
    if let Some(piece) = cell.piece {
        look.piece(buffer, area, piece, style);
    }
}

/// A piece as one character, for lists and small boards.
pub(crate) fn sign(piece: Piece) -> &'static str {
    match piece {
        Piece::Cube(Some(mark)) => quixo::sign(mark.sign),
        Piece::Chip(chip) => sequence::sign(chip.sign),
        Piece::Stone(stone) => four::sign(stone.sign),
        Piece::OfGame(phrase) => OwnPiece::of(phrase).map_or("□", |piece| piece.sign),
        Piece::Figure(_) | Piece::Cube(None) | Piece::Card(_) => "□",
    }
}

/// A piece on a board of plain text, as position texts write it while every side has its usual sign: the letter is the
/// symbol or colour that is shown, a chip's digit the seat whose it is.
pub(crate) fn letter(piece: Piece) -> String {
    match piece {
        Piece::Figure(figure) => figure.to_string(),
        Piece::Cube(None) | Piece::Card(_) => ".".to_owned(),
        Piece::Cube(Some(mark)) => quixo::letter(mark),
        Piece::Chip(chip) => chip.seat.to_string(),
        Piece::Stone(stone) => four::letter(stone.sign).to_owned(),
        Piece::OfGame(phrase) => OwnPiece::of(phrase).map_or("?", |piece| piece.letter).to_owned(),
    }
}

/// Lines of characters in the middle of an area.
fn picture(buffer: &mut Buffer, area: Rect, lines: &[&str], style: Style) {
    let height = lines.len() as u16;
    let top = area.y + area.height.saturating_sub(height) / 2;
    for (line, y) in lines.iter().zip(top..area.bottom()) {
        centre(buffer, Rect { y, height: 1, ..area }, line, style);
    }
}

#[cfg(test)]
mod tests {
    use rules::Viewer;

    use super::*;

    #[test]
    fn every_piece_of_a_showcase_has_a_sign_and_a_letter() {
        for game in GameId::ALL {
            let (position, _) = game::showcase(game).unwrap();
            for piece in position.scene(Viewer::Spectator).board.cells.iter().filter_map(|cell| cell.piece) {
                assert!(!sign(piece).is_empty() && letter(piece) != "?", "{game}: {}", piece.name());
            }
        }
    }
}
