use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use rules::{Outcome, Seat, Side, excerpt};

/// One thing that happened at the table: an action of the game, or what only the table knows (G7).
///
/// Its text is what a record holds. The table's own events are `resign:2`, `time:2`, `left:2`, `agreed`
/// and `abandoned`; no game uses them.
///
/// ```
/// use rules::Seat;
/// use game::{Departure, Event};
///
/// assert_eq!(Event::from("resign:2"), Event::Out(Seat::TWO, Departure::Resigned));
/// assert_eq!(Event::from("a3e3"), Event::Action("a3e3".into()));
/// assert_eq!(Event::Agreed.to_string(), "agreed");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// A seat or chance acted.
    Action(Box<str>),
    /// A seat, and with it its side, is out of the game.
    Out(Seat, Departure),
    /// All sides agreed to a draw.
    Agreed,
    /// The match was broken off without a result.
    Abandoned,
}

/// Why a seat is out of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Departure {
    /// It gave up: `resign:2`.
    Resigned,
    /// Its time was up: `time:2`.
    TimeUp,
    /// It went away and did not come back: `left:2`.
    Left,
}

impl Departure {
    const ALL: [Departure; 3] = [Departure::Resigned, Departure::TimeUp, Departure::Left];

    fn word(self) -> &'static str {
        match self {
            Departure::Resigned => "resign",
            Departure::TimeUp => "time",
            Departure::Left => "left",
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Action(text) => f.write_str(text),
            Event::Out(seat, departure) => write!(f, "{}:{seat}", departure.word()),
            Event::Agreed => f.write_str("agreed"),
            Event::Abandoned => f.write_str("abandoned"),
        }
    }
}

impl From<&str> for Event {
    /// Every text is an event; whether it is an action of the game shows when it is played.
    fn from(text: &str) -> Event {
        match text {
            "agreed" => return Event::Agreed,
            "abandoned" => return Event::Abandoned,
            _ => {}
        }
        let out = text.split_once(':').and_then(|(word, seat)| {
            let departure = Departure::ALL.into_iter().find(|departure| departure.word() == word)?;
            Some(Event::Out(seat.parse().ok()?, departure))
        });
        out.unwrap_or_else(|| Event::Action(text.into()))
    }
}

/// An event with what is written next to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What happened.
    pub event: Event,
    /// How long the seat to act took since the last event, in whole milliseconds, if that was measured.
    ///
    /// If another seat resigns meanwhile, the time up to then stands with the resignation, and still counts for the
    /// seat that was to act.
    pub spent: Option<Duration>,
    /// An annotator's marks, as PGN numbers them: 1 for `!`, 2 for `?` and so on.
    pub marks: Vec<u8>,
    /// Comments on it.
    pub comments: Vec<Comment>,
    /// What could have happened instead.
    pub variations: Vec<Variation>,
}

impl Entry {
    /// An event without anything next to it.
    pub fn new(event: Event) -> Entry {
        Entry { event, spent: None, marks: Vec::new(), comments: Vec::new(), variations: Vec::new() }
    }

    /// Removes what annotators have added.
    pub(crate) fn strip(&mut self) {
        self.marks.clear();
        self.comments.clear();
        self.variations.clear();
    }
}

/// Another way to go on from the position before an event: what annotators write in parentheses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variation {
    /// Comments before its first event.
    pub preface: Vec<Comment>,
    /// Its events, in order.
    pub entries: Vec<Entry>,
}

/// A remark in a record: one paragraph with single spaces, without control characters and closing braces.
///
/// ```
/// use game::Comment;
///
/// assert_eq!(Comment::new("a  fine\nmove}").as_str(), "a fine move)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Comment(String);

impl Comment {
    /// The longest comment, in characters.
    pub const LONGEST: usize = 10_000;

    /// Makes a comment of any text; what a record cannot hold is changed to what it can.
    pub fn new(text: &str) -> Comment {
        Comment(crate::sitter::one_line(text, Comment::LONGEST).replace('}', ")"))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ending {
    /// The winner, or a draw; `None` where the match has no result.
    pub outcome: Option<Outcome>,
    /// What ended it.
    pub cause: Cause,
}

/// What ended a match.
///
/// ```
/// use game::Cause;
///
/// assert_eq!(Cause::Resignation.to_string(), "resignation");
/// assert_eq!("time".parse(), Ok(Cause::Time));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The rules of the game.
    Rules,
    /// The last opponent resigned.
    Resignation,
    /// The last opponent's time was up.
    Time,
    /// The last opponent left the table.
    Departure,
    /// All agreed to a draw.
    Agreement,
    /// The same position stood for the third time.
    Repetition,
    /// The match was broken off.
    Abandonment,
}

impl Cause {
    const ALL: [Cause; 7] = [
        Cause::Rules,
        Cause::Resignation,
        Cause::Time,
        Cause::Departure,
        Cause::Agreement,
        Cause::Repetition,
        Cause::Abandonment,
    ];

    fn word(self) -> &'static str {
        match self {
            Cause::Rules => "rules",
            Cause::Resignation => "resignation",
            Cause::Time => "time",
            Cause::Departure => "departure",
            Cause::Agreement => "agreement",
            Cause::Repetition => "repetition",
            Cause::Abandonment => "abandonment",
        }
    }
}

impl From<Departure> for Cause {
    fn from(departure: Departure) -> Cause {
        match departure {
            Departure::Resigned => Cause::Resignation,
            Departure::TimeUp => Cause::Time,
            Departure::Left => Cause::Departure,
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Cause {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Cause, UnknownWord> {
        let known = || UnknownWord::new(text, &Cause::ALL.map(Cause::word).join(", "));
        Cause::ALL.into_iter().find(|cause| cause.word() == text).ok_or_else(known)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.outcome {
            Some(Outcome::Win(side)) => write!(f, "side {side} wins by {}", self.cause),
            Some(Outcome::Draw) => write!(f, "draw by {}", self.cause),
            None => write!(f, "no result by {}", self.cause),
        }
    }
}

/// The result in one word, as engines and records write it: `none`, `draw`, `p1win`; the number is the side.
///
/// ```
/// use rules::{Outcome, Side};
///
/// assert_eq!(game::result_word(Some(Outcome::Win(Side::TWO))), "p2win");
/// assert_eq!(game::result_from_word("draw"), Ok(Some(Outcome::Draw)));
/// assert!(game::result_from_word("1-0").is_err());
/// ```
pub fn result_word(outcome: Option<Outcome>) -> String {
    match outcome {
        None => "none".to_owned(),
        Some(Outcome::Draw) => "draw".to_owned(),
        Some(Outcome::Win(side)) => format!("p{side}win"),
    }
}

/// Reads what [`result_word`] writes.
pub fn result_from_word(word: &str) -> Result<Option<Outcome>, UnknownWord> {
    let side = |index| Ok(Some(Outcome::Win(Side::from_index(index))));
    match word {
        "none" => Ok(None),
        "draw" => Ok(Some(Outcome::Draw)),
        "p1win" => side(0),
        "p2win" => side(1),
        "p3win" => side(2),
        "p4win" => side(3),
        _ => Err(UnknownWord::new(word, "none, draw, p1win, p2win, p3win, p4win")),
    }
}

/// A word where only certain words are possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownWord {
    word: String,
    possible: String,
}

impl UnknownWord {
    pub(crate) fn new(word: &str, possible: &str) -> UnknownWord {
        UnknownWord { word: excerpt(word), possible: possible.to_owned() }
    }

    /// What was written, cut to a sensible length.
    pub fn word(&self) -> &str {
        &self.word
    }

    /// The words that are possible, joined by commas.
    pub fn possible(&self) -> &str {
        &self.possible
    }
}

impl fmt::Display for UnknownWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot be {:?}: possible are {}", self.word, self.possible)
    }
}

impl std::error::Error for UnknownWord {}
