use rules::{Outcome, Seat, Side};

use crate::declare::{tagged, words};
use crate::words::{optional_seat, seat};
use crate::{ChatLine, Claim, Occupant, Offer};

tagged! {
    /// What happened at a table.
    pub enum Event by "type" {
        /// A seat was taken.
        Sat {
            /// The seat.
            #[serde(with = "seat")]
            seat: Seat,
            /// Who sits there now.
            occupant: Occupant,
            /// At a rated table, the person's rating in this game when they sat down.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            rating: Option<u32>,
        } = "sat",
        /// A seat became free.
        Stood {
            /// The seat.
            #[serde(with = "seat")]
            seat: Seat,
        } = "stood",
        /// The game began.
        Began = "began",
        /// An entry of the match's log, as a record writes it and as this client may know it.
        Entry {
            /// An action, or a word of the table such as `resign:2`.
            entry: String,
            /// How long the seat to act took, in milliseconds, if a clock ran.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            spent: Option<u32>,
        } = "entry",
        /// The log was cut back.
        TookBack {
            /// How many entries are left.
            to: u32,
        } = "took_back",
        /// An offer was made or agreed to.
        Proposed {
            /// What is offered.
            offer: Offer,
            /// The seat that offers or agrees.
            #[serde(with = "seat")]
            seat: Seat,
        } = "proposed",
        /// An offer was declined or withdrawn.
        Declined {
            /// What was offered.
            offer: Offer,
            /// The seat that declined or withdrew it.
            #[serde(with = "seat")]
            seat: Seat,
        } = "declined",
        /// A seat claims that another is away; the other sides are asked too.
        Claimed {
            /// The seat that claims.
            #[serde(with = "seat")]
            seat: Seat,
            /// The seat that is away.
            #[serde(with = "seat")]
            away: Seat,
            /// What is claimed.
            claim: Claim,
        } = "claimed",
        /// A line of chat.
        Said {
            /// The speaker's seat; a spectator has none.
            #[serde(default, with = "optional_seat", skip_serializing_if = "Option::is_none")]
            seat: Option<Seat>,
            /// The speaker's name.
            name: String,
            /// What was said.
            line: ChatLine,
        } = "said",
        /// The match is over.
        Ended {
            /// Who won.
            result: GameResult,
            /// What ended it.
            cause: EndCause,
            /// In a game with hidden hands, every entry of the log as it truly was.
            #[serde(default, skip_serializing_if = "Vec::is_empty")]
            log: Vec<String>,
        } = "ended",
        /// The next game is at another table; every player has a seat there.
        Rematch {
            /// The id of the new table.
            table: String,
        } = "rematch",
        /// An event that is not for this client, such as another team's talk.
        Redacted = "redacted",
    }
    else
    /// An event of a kind that this program does not know: the server is newer. Never sent.
    Unknown
}

words! {
    /// Who won, in the word of a record; the number is the side.
    pub enum GameResult {
        /// The match was broken off.
        NoResult = "none",
        /// No side won.
        Draw = "draw",
        /// Side 1 won.
        FirstWins = "p1win",
        /// Side 2 won.
        SecondWins = "p2win",
        /// Side 3 won.
        ThirdWins = "p3win",
        /// Side 4 won.
        FourthWins = "p4win",
    }
    else
    /// A result that this program does not know. Never sent.
    Unknown
}

impl From<Option<Outcome>> for GameResult {
    fn from(outcome: Option<Outcome>) -> GameResult {
        const WINS: [GameResult; 4] =
            [GameResult::FirstWins, GameResult::SecondWins, GameResult::ThirdWins, GameResult::FourthWins];
        match outcome {
            None => GameResult::NoResult,
            Some(Outcome::Draw) => GameResult::Draw,
            Some(Outcome::Win(side)) => WINS[side.index()],
        }
    }
}

impl GameResult {
    /// The outcome; `None` where the match has no result.
    pub fn outcome(self) -> Option<Outcome> {
        let win = |index| Some(Outcome::Win(Side::from_index(index)));
        match self {
            GameResult::NoResult | GameResult::Unknown => None,
            GameResult::Draw => Some(Outcome::Draw),
            GameResult::FirstWins => win(0),
            GameResult::SecondWins => win(1),
            GameResult::ThirdWins => win(2),
            GameResult::FourthWins => win(3),
        }
    }
}

words! {
    /// What ended a match, in the word of a record.
    pub enum EndCause {
        /// The rules of the game.
        Rules = "rules",
        /// The last opponent resigned.
        Resignation = "resignation",
        /// The last opponent's time was up.
        Time = "time",
        /// The last opponent left the table.
        Departure = "departure",
        /// All sides agreed to a draw.
        Agreement = "agreement",
        /// The same position stood for the third time.
        Repetition = "repetition",
        /// The match was broken off.
        Abandonment = "abandonment",
    }
    else
    /// A cause that this program does not know. Never sent.
    Unknown
}
