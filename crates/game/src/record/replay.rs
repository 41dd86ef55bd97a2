use std::fmt;

use rules::Viewer;

use super::{Record, is_hidden};
use crate::{BadSettings, Departure, Event, Match, MatchError, MatchSettings};

/// A match as far as a record tells it.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The match up to what is hidden, or all of it.
    pub game: Match,
    /// How many entries were replayed; fewer than the record has if something is hidden.
    pub entries: usize,
}

/// Why a record does not replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// The match cannot begin like this.
    Settings(BadSettings),
    /// An entry cannot happen.
    Entry {
        /// Its place in the record, from 0.
        index: usize,
        /// Why not.
        problem: MatchError,
    },
    /// The rest was hidden from those the record was written for.
    Hidden {
        /// The viewer it was written for.
        viewer: Viewer,
        /// The number of the first hidden action, from 1; 0 for the start position.
        action: usize,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Settings(problem) => fmt::Display::fmt(problem, f),
            ReplayError::Entry { problem, .. } => fmt::Display::fmt(problem, f),
            ReplayError::Hidden { viewer, action } => {
                match viewer {
                    Viewer::Seat(seat) => write!(f, "the record is written for seat {seat}: ")?,
                    Viewer::Spectator => f.write_str("the record is written for a spectator: ")?,
                }
                match action {
                    0 => f.write_str("the start position is hidden, so it cannot be replayed"),
                    _ => write!(f, "action {action} is hidden, so it cannot be replayed from there on"),
                }
            }
        }
    }
}

impl std::error::Error for ReplayError {}

impl Record {
    /// The match the record tells of; an error if something in it is hidden.
    pub fn replay(&self) -> Result<Match, ReplayError> {
        let replay = self.replay_known()?;
        if replay.entries == self.entries.len() {
            return Ok(replay.game);
        }
        let viewer = self.viewer.unwrap_or(Viewer::Spectator);
        Err(ReplayError::Hidden { viewer, action: self.actions_before(replay.entries) + 1 })
    }

    /// The match up to the first thing the record does not tell.
    pub fn replay_known(&self) -> Result<Replay, ReplayError> {
        let mut game = match (Match::new(self.settings.clone()), self.viewer) {
            (Ok(game), _) => game,
            (Err(BadSettings::Start(_)), Some(viewer)) => return Err(ReplayError::Hidden { viewer, action: 0 }),
            (Err(problem), _) => return Err(ReplayError::Settings(problem)),
        };
        game.set_preface(self.preface.clone());
        let known = self.entries.iter().position(|entry| is_hidden(&entry.event)).unwrap_or(self.entries.len());
        for (index, entry) in self.entries[..known].iter().enumerate() {
            let happens = check_time_up(&game, &entry.event).and_then(|()| game.replay(entry.clone()));
            happens.map_err(|problem| ReplayError::Entry { index, problem })?;
        }
        self.check_unknown(&game, known)?;
        Ok(Replay { game, entries: known })
    }

    /// Behind what is hidden only the form of the actions can be checked.
    fn check_unknown(&self, game: &Match, known: usize) -> Result<(), ReplayError> {
        for (index, entry) in self.entries.iter().enumerate().skip(known) {
            let problem = |problem| Err(ReplayError::Entry { index, problem });
            match &entry.event {
                Event::Action(text) if !is_hidden(&entry.event) => {
                    if let Err(unreadable) = game.position().read(text) {
                        return problem(MatchError::Refused(crate::Refused::Unreadable(unreadable)));
                    }
                }
                Event::Out(seat, _) if seat.number() > game.position().seats() => {
                    return problem(MatchError::NoSuchSeat(*seat));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// What could be played in the place of an entry; nothing if something before it is hidden.
    pub(super) fn legal_before(&self, index: usize) -> Vec<String> {
        let before = Record { entries: self.entries[..index].to_vec(), ..self.clone() };
        before.replay().map(|game| game.legal()).unwrap_or_default()
    }

    /// Settings with a start position that is only a view of one are checked without it.
    pub(super) fn setup_without_start(&self) -> MatchSettings {
        MatchSettings { start: None, ..self.settings.clone() }
    }
}

/// Time runs only for the seat to act, so no other can run out of it.
fn check_time_up(game: &Match, event: &Event) -> Result<(), MatchError> {
    match *event {
        Event::Out(seat, Departure::TimeUp) if game.ending().is_none() && game.to_act() != Some(seat) => {
            Err(MatchError::NotYourTurn { seat, to_act: game.to_act() })
        }
        _ => Ok(()),
    }
}
