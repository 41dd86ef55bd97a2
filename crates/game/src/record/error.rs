use std::fmt;

use crate::any_position::write_legal;
use crate::{BadClock, BadDate, BadGame, BadSettings, BadSitter, MatchError, UnknownWord};

/// What is wrong with a record, and where.
///
/// ```
/// use game::Record;
///
/// let error = Record::read_all("[Game \"quixo\"]\n\n1. a3e3 2. e3a3\n").unwrap_err();
/// assert_eq!((error.line, error.column, error.action), (3, 12, Some(2)));
/// assert!(error.to_string().starts_with("line 3, column 12, action 2: e3a3 is not allowed: the cube shows"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordError {
    /// The line of the text, from 1.
    pub line: usize,
    /// The column, in characters, from 1.
    pub column: usize,
    /// The number of the action in its game, from 1; `None` if the error is in the tags.
    pub action: Option<usize>,
    /// What is wrong there.
    pub problem: RecordProblem,
    /// What could have been played there, where something stands that is no action at all.
    pub legal: Box<[String]>,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)?;
        if let Some(action) = self.action {
            write!(f, ", action {action}")?;
        }
        write!(f, ": {}", self.problem)?;
        write_legal(f, &self.legal)
    }
}

impl std::error::Error for RecordError {}

/// What a record can have too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// The whole text, in bytes.
    Bytes,
    /// The tags of a game.
    Tags,
    /// The actions of a game.
    Actions,
    /// The characters of a comment.
    Comment,
    /// Variations inside each other.
    Depth,
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Excess::Bytes => "the text has too many bytes",
            Excess::Tags => "the game has too many tags",
            Excess::Actions => "the game has too many actions",
            Excess::Comment => "the comment has too many characters",
            Excess::Depth => "too many variations inside each other",
        })
    }
}

/// What can be wrong with a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordProblem {
    /// There is no record in the text.
    Empty,
    /// More than is ever read: of what, and how much there may be.
    TooMuch(Excess, usize),
    /// A `{` without its `}`.
    UnclosedComment,
    /// A `(` without its `)`.
    UnclosedVariation,
    /// Something follows the `*` that ends the play.
    AfterStar,
    /// A bracket without anything to close, or a variation of nothing.
    StrayBracket(char),
    /// Something in brackets that is not `[Name "value"]`.
    MalformedTag,
    /// The same tag twice in one game.
    TagTwice(String),
    /// The game does not say what it is.
    NoGameTag,
    /// The Game tag names none.
    Game(BadGame),
    /// A Seat tag says neither person nor bot.
    Sitter(BadSitter),
    /// A Seat tag for a seat the game does not have.
    ExtraSeat {
        /// The tag.
        tag: String,
        /// How many seats there are.
        seats: u8,
    },
    /// The Clock tag is no clock.
    Clock(BadClock),
    /// The Date tag is no date.
    Date(BadDate),
    /// The Result, Ending or Viewer tag has an unknown word.
    Word {
        /// The tag.
        tag: &'static str,
        /// What is possible.
        problem: UnknownWord,
    },
    /// The match cannot begin like this.
    Settings(BadSettings),
    /// A number that is not the number of the action after it.
    Number {
        /// What stands there.
        found: String,
        /// What should.
        expected: usize,
    },
    /// A number with no action after it.
    NumberOfNothing,
    /// A time that belongs to no action, or a second one.
    StrayTime,
    /// A hidden action where nothing is hidden: no Viewer tag, or a game without hidden hands.
    HiddenHere(String),
    /// Something happens that cannot.
    Play(MatchError),
    /// The sealed part is damaged, or belongs to another record.
    BrokenSeal,
    /// A tag says something else than the play.
    Contradiction {
        /// The tag.
        tag: &'static str,
        /// What it says.
        written: String,
        /// What it should say.
        played: String,
    },
}

impl fmt::Display for RecordProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use RecordProblem as P;
        match self {
            P::Empty => f.write_str("there is no game here: expected a tag such as [Game \"quixo\"]"),
            P::TooMuch(what, most) => write!(f, "{what}: at most {most} are read"),
            P::UnclosedComment => f.write_str("the comment is not closed: expected } before the end"),
            P::UnclosedVariation => f.write_str("the variation is not closed: expected ) before the end"),
            P::AfterStar => f.write_str("the play ended with *: only another game may follow"),
            P::StrayBracket('(') => f.write_str("a variation belongs after the action it replaces"),
            P::StrayBracket(bracket) => write!(f, "there is nothing to close with {bracket}"),
            P::MalformedTag => {
                f.write_str("cannot read the tag: expected [Name \"value\"] on one line, with \\\" and \\\\ inside")
            }
            P::TagTwice(name) => write!(f, "the tag {name} is given twice"),
            P::NoGameTag => f.write_str("the tag Game is missing: expected a tag such as [Game \"quixo\"]"),
            P::Game(problem) => fmt::Display::fmt(problem, f),
            P::Sitter(problem) => fmt::Display::fmt(problem, f),
            P::ExtraSeat { tag, seats } => write!(f, "there is no seat for the tag {tag}: the game has {seats} seats"),
            P::Clock(problem) => fmt::Display::fmt(problem, f),
            P::Date(problem) => fmt::Display::fmt(problem, f),
            P::Word { tag, problem } => write!(f, "the tag {tag} {problem}"),
            P::Settings(problem) => fmt::Display::fmt(problem, f),
            P::Number { found, expected } => write!(f, "the number {found} stands where {expected} should"),
            P::NumberOfNothing => f.write_str("after the number an action is expected"),
            P::StrayTime => f.write_str("a time belongs after an action, and only one"),
            P::HiddenHere(text) => {
                write!(f, "{text} is hidden, but only a record with the tag Viewer hides, in games with hidden hands")
            }
            P::Play(MatchError::Over(ending)) => write!(f, "the record goes on after the end: {ending}"),
            P::Play(problem) => fmt::Display::fmt(problem, f),
            P::BrokenSeal => f.write_str("the sealed part is damaged or belongs to another record"),
            P::Contradiction { tag, written, played } => {
                write!(f, "the tag {tag} says {written}, but the play says {played}")
            }
        }
    }
}
