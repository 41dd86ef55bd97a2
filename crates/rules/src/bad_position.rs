use std::fmt;

use crate::quarto::Piece;
use crate::sequence::Card;
use crate::{Phrase, Seat, Square};

/// A field of a position text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // each is named after what stands there
pub enum Field {
    Board,
    Hand,
    Seat,
    LastSquare,
    Passes,
    Hands,
    Discards,
    Swaps,
    Layout,
    Movements,
    Points,
    Reserves,
    QuietTurns,
    Moved,
    Hit,
    /// What only one game writes: the text `field_…` of its message file.
    OfGame(Phrase),
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Field::OfGame(phrase) => return phrase.fmt(f),
            Field::Board => "board",
            Field::Hand => "hand",
            Field::Seat => "seat to act",
            Field::LastSquare => "square placed last",
            Field::Passes => "passes in a row",
            Field::Hands => "hands",
            Field::Discards => "discards",
            Field::Swaps => "swaps in this turn",
            Field::Layout => "layout",
            Field::Movements => "movements left",
            Field::Points => "points",
            Field::Reserves => "reserves",
            Field::QuietTurns => "quiet turns",
            Field::Moved => "moved",
            Field::Hit => "hit",
        })
    }
}

/// A position text that cannot be read, or that cannot arise under the rules, and why.
///
/// One vocabulary for all games, like [`crate::Reason`], so that it can be translated. Its own text is one sentence in
/// lower case that says what is wrong and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadPosition {
    /// The text has another number of fields.
    Fields {
        /// What should be there.
        expected: &'static [Field],
        /// How many fields there are.
        found: usize,
    },
    /// A field has a value it cannot have.
    Value {
        /// The field.
        field: Field,
        /// What could stand there, in the notation of the text itself: `1, 2`.
        possible: String,
    },
    /// Not so many ranks of so many cells.
    Ranks {
        /// The board, or the layout.
        field: Field,
        /// How many ranks, joined by `/`.
        ranks: u8,
        /// How many cells each.
        cells: u8,
    },
    /// A seat is said to have passed that could have acted.
    CouldAct(Seat),
    /// Passes or swaps after the end of the game.
    AfterTheEnd,

    /// Quarto: the piece is there more than once.
    PieceTwice(Piece),
    /// Quarto: pieces are on the board, but not which was placed last.
    LastSquareMissing,
    /// Quarto: the square placed last is empty.
    LastSquareEmpty(Square),
    /// Quarto: with `call=auto` there are no calls and no passes.
    NobodyCalls,
    /// Quarto: both have passed, but the board is not full.
    PassedTooSoon,
    /// Quarto: the pieces placed and in hand say that it is this seat's turn.
    TurnOf(Seat),
    /// Quarto: a row without the last square would have ended the game before.
    OlderRow,
    /// Quarto: a piece was given after a row had won.
    GivenAfterRow,
    /// Quarto: there is no row that could have been called.
    NoRowCalled,

    /// Quixo: so many marks cannot stand when this seat is to act.
    Marks {
        /// Cubes with x.
        x: u32,
        /// Cubes with o.
        o: u32,
        /// Who is to act.
        seat: Seat,
    },

    /// Sequence: two seats have four in a line.
    TwoWinners(Seat, Seat),
    /// Sequence: chance does not act when the game is over.
    ChanceAfterTheEnd,
    /// Sequence: a seat acted before the deal was complete, or another seat than the first begins.
    ActedBeforeDeal,
    /// Sequence: while the layout is not complete chance is to act.
    LayoutIncomplete,
    /// Sequence: cards are dealt before the layout is complete.
    DealtBeforeLayout,
    /// Sequence: chance is to act, but every hand is full.
    HandsFull,
    /// Sequence: the deal goes one card to each seat in turn order.
    DealOrder,
    /// Sequence: a hand of the wrong size.
    HandSize {
        /// Whose.
        seat: Seat,
        /// How many cards it has.
        found: usize,
        /// How many it must have.
        expected: usize,
    },
    /// Sequence: a hand with more cards than a hand can have.
    HandTooLarge {
        /// The most there can be.
        most: usize,
    },
    /// Sequence: the cards of a hand must be in alphabetical order.
    HandOrder,
    /// Sequence: the winner must have acted last.
    WinnerNotLast(Seat),
    /// Sequence: a seat that has won or is to draw discarded nothing.
    NothingDiscarded(Seat),
    /// Sequence: the winner's last card cannot have completed its line.
    LineNotCompleted {
        /// The winner.
        seat: Seat,
        /// Its last card.
        card: Card,
    },
    /// Sequence: the pile cannot be empty while a card is to be drawn.
    EmptyPile,
    /// Sequence: a seat draws in its own turn after a swap only.
    DrawWithoutSwap(Seat),
    /// Sequence: this seat cannot be to draw before the other's turn.
    WrongDrawer {
        /// Who is to draw.
        drawer: Seat,
        /// Whose turn comes then.
        turn: Seat,
    },
    /// Sequence: after a played card no pass and no swap counts.
    CountAfterCard,
    /// Sequence: more swaps than discards.
    MoreSwapsThanDiscards(Seat),
    /// Sequence: the card cannot have been swapped.
    SwappedAlive(Card),
    /// Sequence: chips that the seat's discards do not explain.
    UnexplainedChips(Seat),
    /// Sequence: the discards are too few for the chips, those removed, and the swaps.
    TooFewDiscards,
    /// Sequence: the discards are more than the chips allow.
    TooManyDiscards,
    /// Sequence: the discards do not fit the turn.
    DiscardsAndTurn(Seat),
    /// Sequence: a corner must be `*`.
    Corner(Square),
    /// Sequence: a seat has more chips than there are.
    TooManyChips {
        /// Whose.
        seat: Seat,
        /// How many there are.
        most: u8,
    },
    /// Sequence: hands or discards for another number of seats.
    Piles {
        /// Hands or discards.
        field: Field,
        /// How many seats there are.
        seats: u8,
        /// For how many there are cards.
        found: usize,
    },
    /// Sequence: there is no such card.
    NoSuchCard(String),
    /// Sequence: the deck has only two of each card.
    ThirdCard(Card),
    /// Sequence: a picture was laid before those that come first.
    LaidTooSoon(Square),
    /// Sequence: this picture is no animal, or stands twice in its half.
    LaidTwice(Square),

    /// Four: reserve, board and captured stones do not make up what the seat began with.
    StonesLost {
        /// Whose stones.
        seat: Seat,
        /// With how many it began.
        start: u8,
        /// How many there are now.
        found: u16,
    },
    /// Four: seat 2 has fewer points than it began with.
    PointsBelowLead {
        /// With how many it began.
        lead: u8,
    },
    /// Four: more stones on the board than there may be.
    TooManyStones {
        /// Whose stones.
        seat: Seat,
        /// How many there may be.
        most: u8,
    },
    /// Four: a rank of another width.
    RankWidth {
        /// The rank.
        rank: u8,
        /// How many cells it must have.
        cells: u8,
    },
    /// Four: the opening has no quiet turns, passes, movements or captures to go on from.
    OpeningIsPlain,
    /// Four: a seat with its stones on the board is skipped in the opening.
    SkippedInOpening(Seat),
    /// Four: a placement of the opening captures one stone at most.
    OpeningCaptures(Seat),
    /// Four: the seat cannot be to act after so many placements of each.
    OpeningTurn {
        /// Who is said to be to act.
        seat: Seat,
        /// How many stones each seat has placed.
        placed: [u8; 2],
    },
    /// Four: the main game begins when both have placed their first stones.
    MainTooSoon {
        /// How many.
        stones: u8,
    },
    /// Four: the game would have ended after so many quiet turns.
    TooQuiet {
        /// How many.
        most: u8,
    },
    /// Four: a seat with few stones had to place, so its turn was not quiet.
    HadToPlace {
        /// Fewer than so many.
        stones: u8,
    },
    /// Four: a seat that has just had a turn has no stone on the board.
    NoStoneLeft(Seat),
    /// Four: a turn without a movement yet has all its movements left.
    TurnNotBegun {
        /// How many.
        movements: u8,
    },
    /// Four: a capture without a movement.
    HitWithoutMovement,
    /// Four: a seat moved that had to place.
    CouldNotMove {
        /// Who.
        seat: Seat,
        /// It had fewer stones than this.
        stones: u8,
    },
    /// Four: a turn is over when no movement is left.
    NoMovementLeft,
    /// Four: more movements left than there can be.
    TooManyMovements,
    /// Four: the turn had a capture, but the seat has no points.
    HitWithoutPoints,
    /// Four: the game would have ended after so many passes in a row.
    TooManyPasses {
        /// How many.
        most: u8,
    },
    /// Four: a pass is a quiet turn, and a movement ends the row of passes.
    PassesAndQuiet,
    /// Four: the game ended when the seat reached the target.
    TargetReached {
        /// Who.
        seat: Seat,
        /// The target.
        target: u8,
    },
    /// What only one game refuses: the text `bad_…` of its message file.
    OfGame(Phrase),
}

impl BadPosition {
    /// A field whose value could be one of `possible`.
    pub(crate) fn value(field: Field, possible: impl Into<String>) -> Self {
        BadPosition::Value { field, possible: possible.into() }
    }
}

impl BadPosition {
    /// Whether the text does not even say which position is meant; otherwise it says one that cannot arise.
    ///
    /// ```
    /// use rules::{Position, quixo::Quixo};
    ///
    /// let problem = |text| Quixo::parse(&Default::default(), text).unwrap_err();
    /// assert!(problem("hello").is_unreadable());
    /// assert!(!problem("xxxxx/...../...../...../..... 1").is_unreadable());
    /// ```
    pub fn is_unreadable(&self) -> bool {
        use BadPosition as Bad;
        matches!(
            self,
            Bad::Fields { .. }
                | Bad::Value { .. }
                | Bad::Ranks { .. }
                | Bad::RankWidth { .. }
                | Bad::Piles { .. }
                | Bad::NoSuchCard(_)
                | Bad::Corner(_)
        )
    }
}

impl fmt::Display for BadPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use BadPosition as B;
        match self {
            B::OfGame(phrase) => phrase.fmt(f),
            B::Fields { expected, found } => {
                let names: Vec<String> = expected.iter().map(Field::to_string).collect();
                write!(f, "expected {} fields ({}), found {found}", names.len(), names.join(", "))
            }
            B::Value { field, possible } => write!(f, "{field}: possible is {possible}"),
            B::Ranks { field, ranks, cells } => {
                write!(f, "{field}: expected {ranks} ranks of {cells} cells, joined by /")
            }
            B::CouldAct(seat) => write!(f, "seat {seat} cannot have passed: it could act"),
            B::AfterTheEnd => f.write_str("no passes or swaps are counted when the game is over"),
            B::PieceTwice(piece) => write!(f, "the piece {piece} is there twice"),
            B::LastSquareMissing => f.write_str("the square placed last must be named"),
            B::LastSquareEmpty(square) => write!(f, "the square placed last, {square}, is empty"),
            B::NobodyCalls => f.write_str("with call=auto there are no calls and no passes: the seat must be 1 or 2"),
            B::PassedTooSoon => f.write_str("the seat can be - only when the board is full and both have passed"),
            B::TurnOf(seat) => write!(f, "by the pieces placed and in hand it is seat {seat}'s turn"),
            B::OlderRow => f.write_str("a row that does not contain the last square would have ended the game before"),
            B::GivenAfterRow => f.write_str("no piece is given after a row has won"),
            B::NoRowCalled => f.write_str("there is no row that could have been called"),
            B::Marks { x, o, seat } => write!(f, "{x} x and {o} o cannot stand when seat {seat} is to act"),
            B::TwoWinners(one, other) => write!(f, "seats {one} and {other} cannot both have four in a line"),
            B::ChanceAfterTheEnd => f.write_str("chance does not act when the game is over"),
            B::ActedBeforeDeal => f.write_str("no seat can have acted before the deal is complete, and seat 1 begins"),
            B::LayoutIncomplete => {
                f.write_str("while the layout is not complete chance is to act: the seat must be -1")
            }
            B::DealtBeforeLayout => f.write_str("no card is dealt before the layout is complete"),
            B::HandsFull => f.write_str("chance is to act, but every hand is full"),
            B::DealOrder => f.write_str("the deal goes one card to each seat in turn order"),
            B::HandSize { seat, found, expected } => {
                write!(f, "seat {seat} cannot have {found} cards in hand now: it must have {expected}")
            }
            B::HandTooLarge { most } => write!(f, "a hand has at most {most} cards"),
            B::HandOrder => f.write_str("the cards of a hand must be in alphabetical order"),
            B::WinnerNotLast(seat) => {
                write!(f, "seat {seat} has four in a line, so the turn must be the next seat's")
            }
            B::NothingDiscarded(seat) => write!(f, "seat {seat} must have discarded a card, but there is none"),
            B::LineNotCompleted { seat, card } => {
                write!(f, "the last card of seat {seat}, {card}, cannot have completed its line")
            }
            B::EmptyPile => {
                f.write_str("while a card is to be drawn the draw pile cannot be empty: the discards are the new pile")
            }
            B::DrawWithoutSwap(seat) => write!(f, "seat {seat} draws in its turn after a swap only"),
            B::WrongDrawer { drawer, turn } => {
                write!(f, "seat {drawer} cannot be to draw before the turn of seat {turn}")
            }
            B::CountAfterCard => f.write_str("after a played card no pass and no swap counts"),
            B::MoreSwapsThanDiscards(seat) => {
                write!(f, "seat {seat} cannot have swapped more cards than it discarded")
            }
            B::SwappedAlive(card) => write!(f, "{card} cannot have been swapped: it is not dead"),
            B::UnexplainedChips(seat) => {
                write!(f, "seat {seat} has chips on the board that its discards do not explain")
            }
            B::TooFewDiscards => f.write_str("the discards are too few for the chips on the board and the swaps"),
            B::TooManyDiscards => f.write_str("there are more discards than the chips on the board can explain"),
            B::DiscardsAndTurn(seat) => write!(f, "the discards do not fit the turn of seat {seat}"),
            B::Corner(square) => write!(f, "the corner {square} must be *"),
            B::TooManyChips { seat, most } => write!(f, "seat {seat} has more than {most} chips on the board"),
            B::Piles { field, seats, found } => {
                write!(f, "{field}: expected cards for {seats} seats joined by |, found {found}")
            }
            B::NoSuchCard(name) => write!(f, "there is no card {name:?}"),
            B::ThirdCard(card) => write!(f, "the deck has only two cards {card}"),
            B::LaidTooSoon(square) => write!(f, "{square} cannot be laid before the squares that come first"),
            B::LaidTwice(square) => {
                write!(f, "the layout must show at {square} an animal that its half does not hold yet")
            }
            B::StonesLost { seat, start, found } => {
                write!(f, "seat {seat} began with {start} stones, but reserve, board and captured make {found}")
            }
            B::PointsBelowLead { lead } => write!(f, "seat 2 began with {lead} points and cannot have fewer"),
            B::TooManyStones { seat, most } => write!(f, "seat {seat} has more than {most} stones on the board"),
            B::RankWidth { rank, cells } => write!(f, "rank {rank} must be {cells} cells wide"),
            B::OpeningIsPlain => {
                f.write_str("in the opening there are no quiet turns, passes, movements or captures to go on from")
            }
            B::SkippedInOpening(seat) => write!(f, "seat {seat} has its stones and is skipped in the opening"),
            B::OpeningCaptures(seat) => {
                write!(f, "seat {seat} captured more than one stone with a placement of the opening")
            }
            B::OpeningTurn { seat, placed: [one, two] } => {
                write!(f, "seat {seat} cannot be to act after {one} and {two} placements of the opening")
            }
            B::MainTooSoon { stones } => {
                write!(f, "the main game begins when both seats have placed {stones} stones")
            }
            B::TooQuiet { most } => write!(f, "the game ends after {most} quiet turns"),
            B::HadToPlace { stones } => {
                write!(f, "a seat with fewer than {stones} stones had to place, so the turn was not quiet")
            }
            B::NoStoneLeft(seat) => {
                write!(f, "seat {seat} has just had a turn and must have a stone on the board")
            }
            B::TurnNotBegun { movements } => {
                write!(f, "a turn without a movement yet has {movements} movements left")
            }
            B::HitWithoutMovement => f.write_str("a turn cannot have had a capture without a movement"),
            B::CouldNotMove { seat, stones } => {
                write!(f, "seat {seat} had fewer than {stones} stones and could not move")
            }
            B::NoMovementLeft => f.write_str("a turn is over when no movement is left"),
            B::TooManyMovements => f.write_str("there are more movements left than the turn can have"),
            B::HitWithoutPoints => f.write_str("the turn had a capture, but the seat has no points"),
            B::TooManyPasses { most } => write!(f, "the game ends after {most} passes in a row"),
            B::PassesAndQuiet => f.write_str("a pass is a quiet turn, and a movement ends the row of passes"),
            B::TargetReached { seat, target } => write!(f, "the game ended when seat {seat} reached {target} points"),
        }
    }
}

impl std::error::Error for BadPosition {}
