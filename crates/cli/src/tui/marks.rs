use std::collections::BTreeSet;

use rules::Square;
use scene::{Highlight, Spot};

/// What is marked on the picture, whatever the game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks {
    /// What may be touched next.
    offered: BTreeSet<Spot>,
    /// What is touched already.
    picked: Vec<Spot>,
    /// Where the keyboard is.
    cursor: Option<Spot>,
    last: Vec<Square>,
    row: Vec<Square>,
}

/// How a marked spot is framed; the later outweigh the earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Frame {
    /// Part of the last action.
    Last,
    /// Part of the row that decided the game.
    Row,
    /// Touched already.
    Picked,
    /// Where the keyboard is.
    Cursor,
}

impl Frame {
    /// All frames, the lightest first.
    pub(crate) const ALL: [Frame; 4] = [Frame::Last, Frame::Row, Frame::Picked, Frame::Cursor];

    /// The lines of a box: horizontal, vertical, then corners clockwise from the upper left.
    pub(crate) fn lines(self) -> [&'static str; 6] {
        match self {
            Frame::Last => ["╌", "╎", "┌", "┐", "┘", "└"],
            Frame::Row => ["═", "║", "╔", "╗", "╝", "╚"],
            Frame::Picked => ["┅", "┇", "┏", "┓", "┛", "┗"],
            Frame::Cursor => ["━", "┃", "┏", "┓", "┛", "┗"],
        }
    }

    /// The same for points without lines.
    pub(crate) fn brackets(self) -> (&'static str, &'static str) {
        match self {
            Frame::Last => ("(", ")"),
            Frame::Row => ("*", "*"),
            Frame::Picked => ("<", ">"),
            Frame::Cursor => ("[", "]"),
        }
    }
}

impl Marks {
    /// Marks what may be touched; what a client keeps to itself is left out.
    pub(crate) fn offer(&mut self, spots: impl IntoIterator<Item = Spot>) {
        self.offered.extend(spots.into_iter().filter(|spot| !spot.is_quiet()));
    }

    /// Marks what is touched already.
    pub(crate) fn pick(&mut self, spots: &[Spot]) {
        self.picked = spots.to_vec();
    }

    /// Marks where the keyboard is.
    pub(crate) fn point(&mut self, spot: Option<Spot>) {
        self.cursor = spot;
    }

    /// Marks what the scene or the last happening asks for.
    pub(crate) fn highlight(&mut self, highlight: &Highlight) {
        match highlight {
            Highlight::Last(squares) => self.last.extend(squares),
            Highlight::Row { squares, .. } => self.row.extend(squares),
            Highlight::Capture { .. } => self.last.extend(highlight.squares()),
        }
    }

    /// Whether a spot may be touched next.
    pub(crate) fn offers(&self, spot: Spot) -> bool {
        self.offered.contains(&spot)
    }

    /// Whether a square belongs to the row that decided the game.
    pub(crate) fn is_row(&self, square: Square) -> bool {
        self.row.contains(&square)
    }

    /// The weightiest frame of a spot.
    pub(crate) fn frame(&self, spot: Spot) -> Option<Frame> {
        let has = |squares: &[Square]| spot.square().is_some_and(|square| squares.contains(&square));
        if self.cursor == Some(spot) {
            Some(Frame::Cursor)
        } else if self.picked.contains(&spot) {
            Some(Frame::Picked)
        } else if has(&self.row) {
            Some(Frame::Row)
        } else if has(&self.last) {
            Some(Frame::Last)
        } else {
            None
        }
    }
}
