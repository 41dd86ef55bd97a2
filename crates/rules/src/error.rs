use std::fmt;

use crate::Phrase;

/// The beginning of a text from outside, fit to be repeated in a message.
///
/// Input may be huge or hostile: no more of it is repeated than helps, and nothing that would steer the terminal or turn
/// the direction of what is written after it.
///
/// ```
/// assert_eq!(rules::excerpt("b2"), "b2");
/// assert_eq!(rules::excerpt("\u{1b}[2Jb2"), "\u{fffd}[2Jb2");
/// assert_eq!(rules::excerpt(&"x".repeat(1000)).len(), 40);
/// ```
pub fn excerpt(text: &str) -> String {
    text.chars().take(40).map(|letter| if steers(letter) { char::REPLACEMENT_CHARACTER } else { letter }).collect()
}

/// Whether a character is written to be obeyed, not to be read.
pub fn steers(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A text that is no action of the game at all, whatever the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableAction {
    text: String,
    expected: &'static str,
}

impl UnreadableAction {
    /// Notes what was read and what kind of text would have been readable.
    pub fn new(text: &str, expected: &'static str) -> Self {
        Self { text: excerpt(text), expected }
    }

    /// The text that could not be read, cut to a sensible length.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What would have been readable.
    pub fn expected(&self) -> &'static str {
        self.expected
    }
}

impl fmt::Display for UnreadableAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read {:?} as an action: expected {}", self.text, self.expected)
    }
}

impl std::error::Error for UnreadableAction {}

/// A readable action that the rules do not allow now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IllegalAction {
    /// The action's text.
    pub action: String,
    /// The rule that stands against it.
    pub reason: Reason,
}

impl fmt::Display for IllegalAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not allowed: {}", self.action, self.reason)
    }
}

impl std::error::Error for IllegalAction {}

/// Why an action is not allowed; one vocabulary for all games, so that it can be translated once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The game is over.
    GameOver,
    /// A card or tile must be drawn before anybody acts.
    ChanceFirst,
    /// Only chance draws cards and lays tiles, and none is due.
    NoChanceNow,
    /// The square is not on the board.
    OffBoard,
    /// The square is occupied.
    SquareTaken,
    /// There is nothing on the square.
    SquareEmpty,
    /// Quarto: a piece must be given now, not placed.
    GiveFirst,
    /// Quarto: the piece in hand must be placed now.
    PlaceFirst,
    /// Quarto: the piece is already on the board or in hand.
    PieceUsed,
    /// Quarto: no row can be called.
    NoRowToCall,
    /// A pass is allowed only when nothing else is.
    NoPassNow,
    /// Quixo: only cubes on the border may be taken.
    NotOnBorder,
    /// Quixo: the cube shows the opponent's symbol.
    OpponentsCube,
    /// Quixo for four: the dot points to the partner.
    PartnersCube,
    /// Quixo: the cube must enter at another end of its row or column.
    WrongEntry,
    /// Quixo for four: the action must say to whom the dot points.
    DotMissing,
    /// Quixo for two has no dots.
    DotNotUsed,
    /// Quixo for four: the dot must point to a member of the own side.
    DotOnOpponent,
    /// Sequence: the card is not in the hand.
    NotInHand,
    /// Sequence: the square shows another animal.
    WrongPicture,
    /// Sequence: corners are everyone's and stay free of chips.
    CornerSquare,
    /// Sequence: the Dragon removes chips of opponents only.
    NotOpponentsChip,
    /// Sequence: the card still has an open square.
    CardNotDead,
    /// Sequence: three cards were exchanged in this turn already.
    NoSwapLeft,
    /// Sequence: no chip is left in stock.
    NoChipLeft,
    /// Sequence: the card is not in the draw pile, or the tile is already laid in this half.
    NotInStock,
    /// Four: the stone belongs to the opponent.
    OpponentsStone,
    /// Four: stones slide along rows and columns only.
    NotStraight,
    /// Four: another stone stands in the way.
    PathBlocked,
    /// Four: stones do not move in the opening.
    NoMovementInOpening,
    /// Four: with fewer than ten stones on the board a stone must be placed.
    MustPlace,
    /// Four: with twenty stones on the board none may be placed.
    TooManyStones,
    /// Four: no stone is left in the reserve.
    ReserveEmpty,
    /// Four: after a movement in this turn no stone may be placed.
    PlacementAfterMovement,
    /// Four: a turn ends by choice only after a movement.
    NothingToEnd,
    /// Four: the placement captures and there is a choice, so the action must name the stone.
    CaptureChoiceMissing,
    /// Four: the named stone is not captured by this placement, or there is no choice to name.
    WrongCapture,
    /// It is not possible in this position.
    NotPossibleNow,
    /// What only one game forbids: the text `reason_…` of its message file.
    OfGame(&'static Phrase),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::OfGame(phrase) => return phrase.fmt(f),
            Reason::GameOver => "the game is over",
            Reason::ChanceFirst => "a draw by chance comes first",
            Reason::NoChanceNow => "nothing is to be drawn now",
            Reason::OffBoard => "the square is not on the board",
            Reason::SquareTaken => "the square is taken",
            Reason::SquareEmpty => "the square is empty",
            Reason::GiveFirst => "a piece is to be given, not placed",
            Reason::PlaceFirst => "the piece in hand is to be placed first",
            Reason::PieceUsed => "the piece is no longer in the stock",
            Reason::NoRowToCall => "there is no row to call",
            Reason::NoPassNow => "a pass is allowed only when nothing else is",
            Reason::NotOnBorder => "only a cube on the border may be taken",
            Reason::OpponentsCube => "the cube shows the opponent's symbol",
            Reason::PartnersCube => "the dot points to the partner",
            Reason::WrongEntry => "the cube must enter at another end of its row or column",
            Reason::DotMissing => "the action must name the seat the dot points to",
            Reason::DotNotUsed => "the two-player game has no dots",
            Reason::DotOnOpponent => "the dot must point to a member of the own side",
            Reason::NotInHand => "the card is not in the hand",
            Reason::WrongPicture => "the square shows another animal",
            Reason::CornerSquare => "corners are free for everyone and take no chip",
            Reason::NotOpponentsChip => "the dragon removes a chip of an opponent",
            Reason::CardNotDead => "the card still has an open square",
            Reason::NoSwapLeft => "three cards were exchanged in this turn already",
            Reason::NoChipLeft => "no chip is left in stock",
            Reason::NotInStock => "the card is not in the stock",
            Reason::OpponentsStone => "the stone belongs to the opponent",
            Reason::NotStraight => "a stone slides along its row or column",
            Reason::PathBlocked => "another stone stands in the way",
            Reason::NoMovementInOpening => "stones do not move in the opening",
            Reason::MustPlace => "with fewer than ten stones on the board one must be placed",
            Reason::TooManyStones => "with twenty stones on the board none may be placed",
            Reason::ReserveEmpty => "the reserve is empty",
            Reason::PlacementAfterMovement => "after a movement no stone may be placed in this turn",
            Reason::NothingToEnd => "a turn ends by choice only after a movement",
            Reason::CaptureChoiceMissing => "the action must name which stone is captured",
            Reason::WrongCapture => "that stone cannot be chosen for capture",
            Reason::NotPossibleNow => "it is not possible in this position",
        })
    }
}
