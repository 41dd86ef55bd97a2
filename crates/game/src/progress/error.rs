use std::fmt;

use rules::{BadPosition, Seat};

use crate::{Ending, Refused};

/// Why a match did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MatchError {
    /// The match is over.
    Over(Ending),
    /// The rules of the game refuse the action.
    Refused(Refused),
    /// Another seat is to act, or chance is.
    NotYourTurn {
        /// The seat that tried to act.
        seat: Seat,
        /// The seat that is to act; `None` for chance.
        to_act: Option<Seat>,
    },
    /// The game has no such seat.
    NoSuchSeat(Seat),
    /// The seat, or its side, is out of the game.
    SeatIsOut(Seat),
    /// The seat's time ran out before it acted.
    TimeUp(Seat),
    /// Chance has nothing to draw now.
    NothingToDraw,
    /// There is nothing to take back.
    NothingToUndo,
    /// There is nothing to play again.
    NothingToRedo,
    /// A player has seen a card, or a seat has left: that is undone only if all agree.
    NeedsConsent,
    /// There is no proposal that this seat could answer.
    NothingProposed,
    /// Another proposal is not answered yet.
    AnotherProposal,
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchError::Over(ending) => write!(f, "the match is over: {ending}"),
            MatchError::Refused(refused) => fmt::Display::fmt(refused, f),
            MatchError::NotYourTurn { seat, to_act: Some(other) } => {
                write!(f, "seat {seat} cannot act: seat {other} is to act")
            }
            MatchError::NotYourTurn { seat, to_act: None } => {
                write!(f, "seat {seat} cannot act: a draw by chance comes first")
            }
            MatchError::NoSuchSeat(seat) => write!(f, "there is no seat {seat} in this game"),
            MatchError::SeatIsOut(seat) => write!(f, "seat {seat} is out of the game"),
            MatchError::TimeUp(seat) => write!(f, "the time of seat {seat} is up"),
            MatchError::NothingToDraw => f.write_str("nothing is to be drawn now"),
            MatchError::NothingToUndo => f.write_str("there is nothing to take back"),
            MatchError::NothingToRedo => f.write_str("there is nothing to play again"),
            MatchError::NeedsConsent => f.write_str("a card was revealed or a seat has left, so all must agree"),
            MatchError::NothingProposed => f.write_str("nothing is proposed that this seat could answer"),
            MatchError::AnotherProposal => f.write_str("another proposal is not answered yet"),
        }
    }
}

impl std::error::Error for MatchError {}

impl From<Refused> for MatchError {
    fn from(refused: Refused) -> MatchError {
        MatchError::Refused(refused)
    }
}

/// Settings with which no match can begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadSettings {
    /// The start position is not possible.
    Start(BadPosition),
    /// There are more or fewer players than seats.
    Sitters {
        /// How many seats the game has.
        seats: u8,
        /// How many players there are.
        sitters: usize,
    },
}

impl fmt::Display for BadSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadSettings::Start(problem) => write!(f, "bad start position: {problem}"),
            BadSettings::Sitters { seats, sitters } => {
                write!(f, "the game has {seats} seats, but {sitters} players")
            }
        }
    }
}

impl std::error::Error for BadSettings {}
