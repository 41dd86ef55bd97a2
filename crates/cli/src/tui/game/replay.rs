//! Looking back: through the moves of a match, and at what an analysis found in them.

use std::time::{Duration, Instant};

use locale::line;
use search::Review;
use session::words;

use super::GameScreen;
use crate::play::Reviewer;
use crate::tui::keys::{Direction, Key};
use crate::tui::picture::Notice;

/// Which moment is shown.
#[derive(Default)]
pub(super) struct Replay {
    /// How long the log was at the moment that is shown; `None` for the present.
    at: Option<usize>,
    /// When the last step was taken, while the game plays itself.
    playing: Option<Instant>,
    reviewer: Option<Reviewer>,
    review: Option<Review<String>>,
}

/// How long each moment is shown while the game plays itself.
const PACE: Duration = Duration::from_millis(1200);

impl Replay {
    /// Whether a moment of the past is shown.
    pub(super) fn is_looking_back(&self) -> bool {
        self.at.is_some()
    }
}

impl GameScreen {
    /// How long the log was at the moment that is shown.
    pub(super) fn shown_length(&self) -> usize {
        let length = self.session.game().log().len();
        self.replay.at.map_or(length, |at| at.min(length))
    }

    /// Lets a finished match play itself, and takes in what an analysis has found; `true` if something is to be shown.
    pub(super) fn poll_replay(&mut self) -> bool {
        let mut changed = false;
        if self.replay.playing.is_some_and(|since| since.elapsed() >= PACE) {
            self.replay.playing = Some(Instant::now());
            self.step(1);
            changed = true;
        }
        if let Some(reviewer) = &self.replay.reviewer {
            changed |= reviewer.has_changed();
            if let Some(review) = reviewer.result() {
                self.replay.review = Some(review);
                self.replay.reviewer = None;
                changed = true;
            }
        }
        changed
    }

    /// Reacts to the keys that look back; `false` if this is none of them.
    pub(super) fn key_replay(&mut self, key: Key) -> bool {
        let over = self.session.game().ending().is_some();
        let idle = self.typed.is_empty();
        match key {
            Key::PageUp => self.step(-1),
            Key::PageDown => self.step(1),
            Key::Move(Direction::Left) if over && idle => self.step(-1),
            Key::Move(Direction::Right) if over && idle => self.step(1),
            Key::Home if idle => self.show_moment(0),
            Key::End if idle => self.show_moment(usize::MAX),
            Key::Type(' ') if over && idle => self.play_by_itself(),
            Key::Analyse if over => self.analyse(),
            _ => return false,
        }
        true
    }

    /// Back to the present; `false` if that is shown already.
    pub(super) fn leave_replay(&mut self) -> bool {
        self.replay.playing = None;
        self.replay.at.take().is_some()
    }

    /// Values every action of a finished match, in the background.
    pub(crate) fn analyse(&mut self) {
        if self.replay.review.is_none() && self.replay.reviewer.is_none() && self.session.game().ending().is_some() {
            self.replay.reviewer = Some(Reviewer::start(self.session.game()));
        }
    }

    fn play_by_itself(&mut self) {
        self.replay.playing = match self.replay.playing {
            Some(_) => None,
            None => {
                // From the end it begins anew.
                if self.replay.at.is_none() {
                    self.show_moment(0);
                }
                Some(Instant::now())
            }
        };
    }

    /// To the next or the previous action of a seat; what chance does in between is passed over.
    fn step(&mut self, by: isize) {
        let view = self.session.view();
        let end = view.game.log().len();
        let here = self.shown_length();
        let is_stop =
            |length: &usize| *length == 0 || *length == end || view.history.actor(view.game, length - 1).is_some();
        let next = match by {
            1.. => (here + 1..=end).find(is_stop),
            _ => (0..here).rev().find(is_stop),
        };
        self.show_moment(next.unwrap_or(here));
    }

    fn show_moment(&mut self, length: usize) {
        let end = self.session.game().log().len();
        self.picker.clear();
        self.notice = Notice::None;
        self.replay.at = (length < end).then_some(length);
        if self.replay.at.is_none() {
            self.replay.playing = None;
        }
    }

    /// What to say about the moment that is shown; nothing at present, unless it was analysed.
    pub(super) fn moment_told(&self) -> Option<String> {
        let language = self.look.language;
        let view = self.session.view();
        let at = self.shown_length();
        if let (Some(reviewer), true) = (&self.replay.reviewer, self.replay.at.is_none()) {
            let (done, all) = reviewer.progress();
            return Some(language.analysing(done, all));
        }
        if self.replay.at.is_none() {
            let review = self.replay.review.as_ref()?;
            return Some(match review.key_moment() {
                Some(found) => {
                    let number = view.history.moves(found.step.entry) + 1;
                    let count = review.mistakes().count() as u64;
                    format!("{} {}", language.mistakes_found(count), language.mistake_turning_point(number))
                }
                None => language.mistakes_none().to_owned(),
            });
        }
        Some(language.moment_of(view.history.moves(at), view.history.moves(view.game.log().len())))
    }

    /// What the analysis says about the action before the moment that is shown.
    pub(super) fn judged(&self) -> Notice {
        let language = self.look.language;
        let at = self.shown_length();
        let judgements = self.replay.review.iter().flat_map(|review| review.judgements());
        let Some(found) = judgements.into_iter().find(|judgement| judgement.step.entry + 1 == at) else {
            return Notice::None;
        };
        let worth = format!("{}: {}", found.step.action, words::value(language, found.played));
        match found.mistake {
            None => Notice::Aside(worth),
            Some(mistake) => {
                let (what, best) =
                    (words::mistake(language, mistake), language.line_best(line(language, &found.better)));
                Notice::Refusal(format!("{worth} {} ({what}). {best}", mistake.mark()))
            }
        }
    }
}
