use rules::Square;
use scene::{BoardStyle, Facing, Ground, Scene};

use crate::GameArt;
use crate::drawing::Drawing;

/// The side of a square; all other lengths of a board are told in the same unit.
pub(crate) const CELL: i32 = 100;

/// How one style of board looks. Each game that brings a style has one as a constant.
pub(crate) struct StyleArt {
    /// The style.
    pub(crate) style: BoardStyle,
    /// The room between two squares.
    pub(crate) gap: u16,
    /// The margin left, right and below; it may depend on how many columns there are.
    pub(crate) margin: fn(u8) -> u16,
    /// The margin above, where it differs: tall pieces of the far row need room.
    pub(crate) top: Option<u16>,
    /// The radius of the board's corners.
    pub(crate) corner: u16,
    /// The radius of a square's corners.
    pub(crate) cell_corner: u16,
    /// Where on its square a piece stands.
    pub(crate) inset: Inset,
    /// The board without its squares; a board of `width`×`height` is filled to its edges.
    pub(crate) surface: fn(&Layout) -> String,
    /// What a square looks like without a piece, in a frame of 100×100.
    pub(crate) square: fn(Ground) -> Option<Drawing>,
}

impl StyleArt {
    pub(crate) fn of(style: BoardStyle) -> &'static StyleArt {
        let mut boards = GameArt::all().map(|art| art.board);
        boards.find(|board| board.style == style).expect("the game whose board is drawn is loaded")
    }
}

/// How far a piece stays from the edges of its square, in hundredths of the square; less than nothing stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Inset {
    pub top: i32,
    pub side: i32,
    pub bottom: i32,
}

impl Inset {
    pub(crate) const fn even(inset: i32) -> Inset {
        Inset { top: inset, side: inset, bottom: inset }
    }
}

/// How a board is turned towards its viewer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Turned {
    #[default]
    Upright,
    QuarterClockwise,
    Half,
    QuarterAnticlockwise,
}

impl Turned {
    /// Turned by another quarter, clockwise.
    #[must_use]
    pub const fn further(self) -> Turned {
        match self {
            Turned::Upright => Turned::QuarterClockwise,
            Turned::QuarterClockwise => Turned::Half,
            Turned::Half => Turned::QuarterAnticlockwise,
            Turned::QuarterAnticlockwise => Turned::Upright,
        }
    }

    /// Whether files run from left to right, or back.
    pub const fn keeps_files(self) -> bool {
        matches!(self, Turned::Upright | Turned::Half)
    }
}

/// Where the squares of a board are, as it is shown: a square's side is 100 long.
///
/// ```
/// use art::{Layout, Turned};
/// use rules::{Position, Square, Viewer, quixo::Quixo};
/// use scene::Staged;
///
/// let game = Quixo::start(&Default::default());
/// let layout = Layout::new(&Quixo::scene(&game, Viewer::Spectator), Turned::Upright);
/// assert_eq!(layout.shown_at(Square::new(0, 0)), (0, 4));
/// assert_eq!(layout.square_at(0, 4), Square::new(0, 0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The style of the board.
    pub style: BoardStyle,
    /// How many squares wide it is shown.
    pub columns: u8,
    /// How many squares high it is shown.
    pub rows: u8,
    /// How it is turned.
    pub turned: Turned,
}

impl Layout {
    /// The layout of a scene's board; one that may not be turned stays upright.
    pub const fn new(scene: &Scene, turned: Turned) -> Layout {
        let turned = match scene.board.facing {
            Facing::Any => turned,
            Facing::Upright => Turned::Upright,
        };
        let (columns, rows) = (scene.board.columns, scene.board.rows);
        let (columns, rows) = if turned.keeps_files() { (columns, rows) } else { (rows, columns) };
        Layout { style: scene.style, columns, rows, turned }
    }

    /// The width of the whole board.
    pub fn width(&self) -> i32 {
        span(self.columns, self.gap()) + 2 * self.margin()
    }

    /// The height of the whole board.
    pub fn height(&self) -> i32 {
        span(self.rows, self.gap()) + self.top() + self.margin()
    }

    /// The room between two squares.
    pub fn gap(&self) -> i32 {
        i32::from(self.art().gap)
    }

    /// The margin left, right and below.
    pub fn margin(&self) -> i32 {
        i32::from((self.art().margin)(self.columns))
    }

    /// The margin above.
    pub fn top(&self) -> i32 {
        self.art().top.map_or_else(|| self.margin(), i32::from)
    }

    /// The radius of the board's corners.
    pub fn corner(&self) -> i32 {
        i32::from(self.art().corner)
    }

    /// Where on its square a piece stands.
    pub fn inset(&self) -> Inset {
        self.art().inset
    }

    /// The square shown at a column from the left and a row from the top.
    pub const fn square_at(&self, x: u8, y: u8) -> Square {
        let Layout { columns, rows, .. } = *self;
        match self.turned {
            Turned::Upright => Square::new(x, rows - 1 - y),
            Turned::QuarterClockwise => Square::new(y, x),
            Turned::Half => Square::new(columns - 1 - x, y),
            Turned::QuarterAnticlockwise => Square::new(rows - 1 - y, columns - 1 - x),
        }
    }

    /// Where a square is shown: column from the left, row from the top.
    pub const fn shown_at(&self, square: Square) -> (u8, u8) {
        let Square { column, row } = square;
        let Layout { columns, rows, .. } = *self;
        match self.turned {
            Turned::Upright => (column, rows - 1 - row),
            Turned::QuarterClockwise => (row, column),
            Turned::Half => (columns - 1 - column, row),
            Turned::QuarterAnticlockwise => (columns - 1 - row, rows - 1 - column),
        }
    }

    /// The squares in reading order, from the top left.
    pub fn squares(self) -> impl Iterator<Item = Square> {
        (0..self.rows).flat_map(move |y| (0..self.columns).map(move |x| self.square_at(x, y)))
    }

    /// The upper left corner of a square.
    pub(crate) fn corner_of(&self, square: Square) -> (i32, i32) {
        let (x, y) = self.shown_at(square);
        let step = CELL + self.gap();
        (self.margin() + i32::from(x) * step, self.top() + i32::from(y) * step)
    }

    /// The edge of a board that stands off the table: lit above, shaded below.
    pub(crate) fn bevel(&self) -> String {
        let (width, height, corner) = (self.width() - 2, self.height() - 2, self.corner() - 1);
        format!(
            r##"<rect x="1" y="1" width="{width}" height="{height}" rx="{corner}" fill="none" stroke="url(#bevel)" stroke-width="2"/>"##
        )
    }

    pub(crate) fn art(&self) -> &'static StyleArt {
        StyleArt::of(self.style)
    }
}

fn span(squares: u8, gap: i32) -> i32 {
    i32::from(squares) * (CELL + gap) - gap
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn turning_shows_every_square_once_and_back() {
        for (columns, rows) in [(5, 5), (7, 6)] {
            let mut turned = Turned::Upright;
            for _ in 0..4 {
                let (shown_columns, shown_rows) = if turned.keeps_files() { (columns, rows) } else { (rows, columns) };
                let layout = Layout { style: BoardStyle::Grid, columns: shown_columns, rows: shown_rows, turned };
                let squares: Vec<Square> = layout.squares().collect();
                assert!(squares.iter().all(|square| square.column < columns && square.row < rows), "{turned:?}");
                assert_eq!(squares.iter().collect::<HashSet<_>>().len(), usize::from(columns * rows));
                for square in squares {
                    let (x, y) = layout.shown_at(square);
                    assert_eq!(layout.square_at(x, y), square);
                }
                turned = turned.further();
            }
            assert_eq!(turned, Turned::Upright);
        }
    }
}
