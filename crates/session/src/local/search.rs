//! What bots and advice need to be searched for.

use std::time::Duration;

use game::{AnyPosition, Player};
use rules::Seat;
use search::{Level, Value};

use super::{Board, Effect, LocalSession};
use crate::{Hint, Pending};

/// Something to search for in the position as it is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// Handed back with the answer; an answer to an older question is not used.
    pub number: u64,
    /// What the answer is for.
    pub purpose: Purpose,
    /// How strong the search plays; `None` for as strong as it can.
    pub level: Option<Level>,
    /// How long it may take.
    pub time: Duration,
    /// Decides between equal actions.
    pub seed: u64,
}

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// A bot's action.
    Move,
    /// Advice.
    Hint,
    /// What bots think of a draw.
    DrawOffer,
}

/// What a search came to.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchAnswer {
    /// An action, and what the seat to act can expect.
    Found {
        /// The action.
        action: String,
        /// The expectation.
        value: Value,
    },
    /// It found no action.
    Nothing,
}

/// The question that is open, and an answer to it that came too soon to be played.
#[derive(Clone, Debug, Default)]
pub(super) struct Searches {
    asked: Option<Question>,
    asked_at: Duration,
    early: Option<SearchAnswer>,
    count: u64,
}

/// How long is searched before advice is given.
const ADVICE: Duration = Duration::from_millis(800);
/// How long is searched before an offer is answered.
const OFFER: Duration = Duration::from_millis(600);
/// How long a bot searches that is told to hurry.
const HURRY: Duration = Duration::from_millis(60);
/// A bot uses at most this share of its remaining time for one action.
const SHARE: u32 = 12;

impl Searches {
    pub(super) fn pending(&self, to_act: Option<Seat>) -> Option<Pending> {
        Some(match self.asked?.purpose {
            Purpose::Move => Pending::Move(to_act?),
            Purpose::Hint => Pending::Hint,
            Purpose::DrawOffer => Pending::Answer,
        })
    }

    pub(super) fn early_answer_due(&self, pace: Duration) -> Option<Duration> {
        self.early.as_ref().map(|_| self.asked_at + pace)
    }
}

impl LocalSession {
    /// The positions that a search needs, the present one last.
    pub fn positions(&self) -> Vec<Box<dyn AnyPosition>> {
        self.history.recalled(&self.game)
    }

    /// Asks for advice; `false` if no person is to act.
    pub fn ask_hint(&mut self, now: Duration) -> bool {
        let asks = self.person_to_act().is_some();
        if asks {
            self.ask(Purpose::Hint, None, ADVICE, now);
        }
        asks
    }

    /// Takes in what a search found. Whether anything changed.
    pub fn answer(&mut self, number: u64, answer: SearchAnswer, now: Duration) -> bool {
        let Some(question) = self.searches.asked.filter(|asked| asked.number == number) else { return false };
        match (question.purpose, answer) {
            (Purpose::Move, answer) if now < self.searches.asked_at + self.pace.bot => {
                self.searches.early = Some(answer);
                return false;
            }
            (Purpose::Move, answer) => self.play_answer(answer, now),
            (Purpose::Hint, SearchAnswer::Found { action, value }) => {
                self.searches.asked = None;
                self.hint = Some(Hint { action, value });
            }
            (Purpose::Hint, SearchAnswer::Nothing) => self.searches.asked = None,
            (Purpose::DrawOffer, answer) => {
                self.searches.asked = None;
                let value = if let SearchAnswer::Found { value, .. } = answer { value } else { Value::Draw };
                self.bots_answer_draw(value, now);
            }
        }
        true
    }

    /// The search could not be done at all: it is not waited for any more.
    pub fn search_failed(&mut self, number: u64) {
        if self.searches.asked.is_some_and(|asked| asked.number == number) {
            self.searches.asked = None;
        }
    }

    /// Cuts the search for a bot's action short.
    pub fn hurry(&mut self, now: Duration) {
        if self.searches.early.is_some() {
            self.searches.asked_at = Duration::ZERO;
            self.play_early_answer(now);
        } else if let Some(Question { purpose: Purpose::Move, level, .. }) = self.searches.asked {
            self.ask(Purpose::Move, level, HURRY, now);
        }
    }

    pub(super) fn play_early_answer(&mut self, now: Duration) -> bool {
        if self.searches.early_answer_due(self.pace.bot).is_none_or(|due| now < due) {
            return false;
        }
        let early = self.searches.early.take();
        if let Some(answer) = early {
            self.play_answer(answer, now);
        }
        true
    }

    fn play_answer(&mut self, answer: SearchAnswer, now: Duration) {
        self.searches.asked = None;
        // A bot that finds nothing, or something illegal, must not stop the game: any legal action goes on.
        let found = matches!(answer, SearchAnswer::Found { action, .. } if self.game.play(&action, now).is_ok());
        if !found && let Some(action) = self.game.legal().first() {
            // Refused only if the bot's time is up, and then it is out.
            let _ = self.game.play(action, now);
        }
        self.changed(now);
    }

    /// Asks for a search if a bot is to act.
    pub(super) fn ask_bot(&mut self, now: Duration) {
        let Some(seat) = self.game.to_act().filter(|_| self.board == Board::Play) else { return };
        let sitter = self.game.settings().sitters.get(seat.index());
        let Some(Player::Bot(level)) = sitter.map(game::Sitter::player) else { return };
        let longest = (self.pace.search)(level);
        let time = self.game.clock().left(seat, now).map_or(longest, |left| longest.min(left / SHARE));
        self.ask(Purpose::Move, Some(level), time, now);
    }

    pub(super) fn ask_about_draw(&mut self, now: Duration) {
        self.ask(Purpose::DrawOffer, None, OFFER, now);
    }

    fn ask(&mut self, purpose: Purpose, level: Option<Level>, time: Duration, now: Duration) {
        self.stop_search();
        let searches = &mut self.searches;
        searches.count += 1;
        searches.asked_at = now;
        let seed = self.seed ^ (self.game.log().len() as u64) << 20;
        let question = Question { number: searches.count, purpose, level, time, seed };
        searches.asked = Some(question);
        self.effects.push(Effect::Search(question));
    }

    pub(super) fn stop_search(&mut self) {
        self.searches.early = None;
        if self.searches.asked.take().is_some() {
            // A search that was not started yet need not be.
            self.effects.retain(|effect| !matches!(effect, Effect::Search(_)));
            self.effects.push(Effect::StopSearch);
        }
    }
}
