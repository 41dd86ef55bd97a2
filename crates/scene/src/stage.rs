use rules::{GameId, Phrase, Seat, Side, Square};

use crate::{Button, Card, Message, Piece, Quality, Spot};

/// Everything there is to see in a position, for one viewer.
///
/// The parts a game does not have are empty; a client draws what is there and asks nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// What kind of board to draw.
    pub style: BoardStyle,
    /// The board with what stands on it.
    pub board: Board,
    /// Pieces that lie beside the board and can be taken from there, each in its own place.
    pub stock: Option<Tray>,
    /// A piece that was given to a seat and waits to be placed. A client may let it be dragged to a square, which
    /// then counts as touching that square.
    pub held: Option<(Seat, Piece)>,
    /// The piece each seat plays with, in turn order; empty in a game whose pieces belong to no seat.
    pub seat_pieces: Vec<Piece>,
    /// The hands of cards, one per seat in turn order.
    pub hands: Vec<Hand>,
    /// Numbers worth showing, in the order in which they matter.
    pub counters: Vec<Counter>,
    /// The buttons that make sense now, legal or not.
    pub buttons: Vec<Button>,
    /// What the position itself asks to be marked; what the last action left is in its happening.
    pub highlights: Vec<Highlight>,
    /// Who is to do what, or how the game ended.
    pub status: Message,
}

impl Scene {
    /// A scene with nothing but a board and a status.
    pub fn new(style: BoardStyle, board: Board, status: Message) -> Scene {
        Scene {
            style,
            board,
            stock: None,
            held: None,
            seat_pieces: Vec::new(),
            hands: Vec::new(),
            counters: Vec::new(),
            buttons: Vec::new(),
            highlights: Vec::new(),
            status,
        }
    }

    /// The piece a seat plays with, if it has one of its own.
    pub fn seat_piece(&self, seat: Seat) -> Option<Piece> {
        self.seat_pieces.get(seat.index()).copied()
    }

    /// The pieces to choose from: those that belong beside the board if there is a stock, otherwise those on it.
    pub fn pieces(&self) -> Vec<Piece> {
        match &self.stock {
            Some(tray) => tray.places.iter().map(|place| place.piece).collect(),
            None => self.board.cells.iter().filter_map(|cell| cell.piece).collect(),
        }
    }

    /// Every spot of the scene, in reading order: board from the top left, stock, cards that lie open, buttons.
    ///
    /// A keyboard walks along this list.
    pub fn spots(&self) -> Vec<Spot> {
        let squares = self.board.ranks_from_top().flatten().filter(|cell| cell.ground != Ground::Gap);
        let board = squares.map(|cell| Spot::Square(cell.square));
        let stock = self.stock.iter().flat_map(|tray| tray.places.iter().map(|place| place.spot));
        let cards = self.hands.iter().flat_map(|hand| &hand.cards).filter_map(HandCard::spot);
        let buttons = self.buttons.iter().copied().map(Spot::Button);
        let mut spots = Vec::new();
        for spot in board.chain(stock).chain(cards).chain(buttons) {
            if !spots.contains(&spot) {
                spots.push(spot);
            }
        }
        spots
    }
}

/// What kind of board to draw. It says how a board looks, not which game is played on it: several games may share one.
///
/// A client matches it without a catch-all arm, so that a new style does not compile until every client draws it.
///
/// ```
/// use rules::{Position, Viewer, quixo::Quixo};
/// use scene::{BoardStyle, Staged};
///
/// let game = Quixo::start(&Default::default());
/// let scene = Quixo::scene(&game.view(Viewer::Spectator), Viewer::Spectator);
/// assert_eq!(scene.style, BoardStyle::Tray);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoardStyle {
    /// A wooden board with round wells, one piece in each.
    Wells,
    /// A tray that pieces fill without a gap.
    Tray,
    /// A plain board divided by thin lines; pieces stand inside the cells.
    Grid,
    /// Printed picture tiles, with pieces laid on them.
    Pictures,
    /// A board that only this game has, drawn by its own art.
    OfGame(GameId),
}

impl BoardStyle {
    /// A stable name for style sheets.
    pub const fn name(self) -> &'static str {
        match self {
            BoardStyle::Wells => "wells",
            BoardStyle::Tray => "tray",
            BoardStyle::Grid => "grid",
            BoardStyle::Pictures => "pictures",
            BoardStyle::OfGame(game) => game.name(),
        }
    }
}

/// A board of squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// How many squares wide.
    pub columns: u8,
    /// How many squares high.
    pub rows: u8,
    /// The squares from `a1` to the right, rank by rank upwards.
    pub cells: Vec<Cell>,
    /// How it may be turned.
    pub facing: Facing,
}

/// How a board may be turned towards its viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Facing {
    /// As the viewer likes.
    Any,
    /// Not at all, for up and down matter: pieces fall, or a piece means something else upside down.
    Upright,
}

impl Board {
    /// A board whose squares are told one by one; it may be turned.
    ///
    /// ```
    /// use scene::{Board, Ground};
    ///
    /// let board = Board::new(3, 2, |_| (Ground::Cell, None));
    /// assert_eq!(board.cells.len(), 6);
    /// ```
    pub fn new(columns: u8, rows: u8, look: impl Fn(Square) -> (Ground, Option<Piece>)) -> Board {
        let cells = (0..usize::from(columns) * usize::from(rows))
            .map(|index| {
                let square = Square::from_index(index, columns);
                let (ground, piece) = look(square);
                Cell { square, ground, piece }
            })
            .collect();
        Board { columns, rows, cells, facing: Facing::Any }
    }

    /// The same board, which may not be turned.
    #[must_use]
    pub fn upright(self) -> Board {
        Board { facing: Facing::Upright, ..self }
    }

    /// The cell of a square; `None` if it is not on the board.
    pub fn cell(&self, square: Square) -> Option<&Cell> {
        let on_board = square.column < self.columns && square.row < self.rows;
        if on_board { self.cells.get(square.index(self.columns)) } else { None }
    }

    /// The ranks as they are drawn, the highest first.
    pub fn ranks_from_top(&self) -> impl Iterator<Item = &[Cell]> {
        self.cells.chunks(usize::from(self.columns)).rev()
    }
}

/// One square of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Where it is; `Spot::Square` of it is what is touched.
    pub square: Square,
    /// What is printed on it or cut into it.
    pub ground: Ground,
    /// What stands on it.
    pub piece: Option<Piece>,
}

impl Cell {
    /// What a screen reader says about it.
    pub fn description(&self) -> Message {
        Message::Cell { square: self.square, ground: self.ground, piece: self.piece }
    }
}

/// What a square is without a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ground {
    /// A round well.
    Well,
    /// A place of a tray, always filled.
    Slot,
    /// A plain cell.
    Cell,
    /// Sequence: an animal's picture.
    Picture(Card),
    /// Sequence: a free corner, everyone's chip.
    Corner,
    /// Sequence with a shuffled board: a picture that has not been laid yet.
    Unlaid,
    /// No square at all, on a board that is no full rectangle: no piece stands here, and players cannot touch it.
    Gap,
    /// A square that only one game has: the text `ground_…` of its message file, drawn by its own art.
    OfGame(Phrase),
}

/// Pieces beside the board, each with a place of its own that stays empty once it is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tray {
    /// How many places wide.
    pub columns: u8,
    /// The places row by row from the top left.
    pub places: Vec<TrayPlace>,
}

/// One place of a tray.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrayPlace {
    /// What is touched to take the piece.
    pub spot: Spot,
    /// The piece that belongs here, whether it still lies here or not.
    pub piece: Piece,
    /// Whether it still lies here.
    pub present: bool,
}

/// The cards of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hand {
    /// Whose cards.
    pub seat: Seat,
    /// The cards in the order to show them.
    pub cards: Vec<HandCard>,
    /// How many cards a whole hand has: there is a place for each.
    pub size: usize,
    /// The discards, the last on top; they lie open.
    pub discards: Vec<Piece>,
}

/// A card in a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandCard {
    /// The card, or `None` if the viewer may not see it.
    pub card: Option<Piece>,
    /// Whether it can be used; only said of open cards.
    pub state: CardState,
}

impl HandCard {
    /// What is touched to use it; none if the viewer may not see it.
    pub fn spot(&self) -> Option<Spot> {
        self.card.and_then(Piece::spot)
    }

    /// Which side is up.
    pub const fn face(&self) -> Face {
        if self.card.is_some() { Face::Up } else { Face::Down }
    }
}

/// Which side of a card is up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Face {
    /// The picture.
    Up,
    /// The back.
    Down,
}

/// Whether a card can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CardState {
    /// Yes, or it is not known because the card lies face down.
    Usable,
    /// Both its squares are taken (SQ7): it may be exchanged.
    Dead,
    /// Not now, but perhaps later: a Dragon while no opponent has a chip on the board.
    Waiting,
}

/// A number worth showing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Counter {
    /// What is counted.
    pub kind: CounterKind,
    /// Whose number it is; `None` for the table's.
    pub seat: Option<Seat>,
    /// The number.
    pub value: u16,
    /// What it is compared with, where there is such a number: points that win, movements a turn starts with.
    pub of: Option<u16>,
}

/// What a counter counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CounterKind {
    /// Four: movements left in this turn, of the four it started with; more than four are bonus ones.
    Movements,
    /// Four: stones captured, of the points that win at once (none if there is no target).
    Points,
    /// Four: stones not yet placed.
    Reserve,
    /// Four: stones on the board.
    Stones,
    /// Four: turns in a row without placement or capture, of the 60 that end the game.
    QuietTurns,
    /// Sequence: cards in the draw pile.
    Pile,
    /// Sequence: chips left in stock.
    Chips,
    /// Sequence: dead cards that may still be exchanged in this turn.
    Swaps,
    /// Passes in a row, where they end the game.
    Passes,
    /// What only one game counts: the text `counter_…` of its message file.
    OfGame(Phrase),
}

/// Squares to mark, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Highlight {
    /// What the last action touched.
    Last(Vec<Square>),
    /// A row that decided the game.
    Row {
        /// Its squares in order.
        squares: Vec<Square>,
        /// What makes it a row.
        meaning: RowMeaning,
    },
    /// Four: a square of stones that captured what stood at its centre.
    Capture {
        /// Its corners in drawing order; two or three at the edge of the board.
        corners: Vec<Square>,
        /// Where the captured stone stood.
        centre: Square,
    },
}

impl Scene {
    /// In a figure of a piece that was touched: the squares where it may go, each with the one it leaves. Empty where they are
    /// too many to be named by letters.
    pub fn few_ways(&self) -> Vec<(Square, Square)> {
        const FEW: usize = 3;
        let squares = self.highlights.iter().find_map(|mark| match mark {
            Highlight::Last(squares) => Some(squares.as_slice()),
            _ => None,
        });
        match squares {
            Some([from, to @ ..]) if to.len() <= FEW => to.iter().map(|to| (*to, *from)).collect(),
            _ => Vec::new(),
        }
    }
}

impl Highlight {
    /// Whether it belongs into a picture of the position: the squares of the last action matter only while it is fresh.
    pub const fn is_lasting(&self) -> bool {
        !matches!(self, Highlight::Last(_))
    }

    /// Every square it marks.
    pub fn squares(&self) -> Vec<Square> {
        match self {
            Highlight::Last(squares) | Highlight::Row { squares, .. } => squares.clone(),
            Highlight::Capture { corners, centre } => corners.iter().chain([centre]).copied().collect(),
        }
    }
}

/// What makes a row a row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RowMeaning {
    /// What its figures have in common.
    Common(Vec<Quality>),
    /// It belongs to a side.
    Of(Side),
}
