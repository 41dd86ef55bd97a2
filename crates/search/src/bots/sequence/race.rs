//! Judging actions by imagined games.
//!
//! Each round imagines one deal of what is hidden, the same for all actions, and plays it on after each of them, every
//! seat by its own knowledge. Actions that fall behind clearly are given up, so that most of the time goes to those
//! between which it is close.

use rules::sequence::{Action, Sequence, SequenceView};
use rules::{Position, Turn};

use super::belief::Belief;
use super::board::Pictures;
use super::deal::{Deal, score};
use super::knowledge::Knowledge;
use super::value::chances;
use super::weights::Weights;
use crate::{Meter, Random};

/// An action and how its imagined games went.
#[derive(Clone, Debug)]
pub(super) struct Runner {
    pub(super) action: Action,
    /// What the greedy player thinks of it.
    pub(super) prior: f32,
    /// What each game promised, in the order of the rounds.
    points: Vec<f32>,
    total: f64,
    running: bool,
}

impl Runner {
    pub(super) fn new(action: Action, prior: f32) -> Runner {
        Runner { action, prior, points: Vec::new(), total: 0.0, running: true }
    }

    /// The mean promise of its games; `None` before the first.
    pub(super) fn mean(&self) -> Option<f32> {
        let games = self.points.len();
        (games > 0).then(|| (self.total / games as f64) as f32)
    }

    fn note(&mut self, points: f32) {
        self.points.push(points);
        self.total += f64::from(points);
    }

    /// The mean, with the greedy player's judgement counted as some games more.
    fn merit(&self, first: &Runner) -> f32 {
        let even = first.mean().unwrap_or(0.5);
        let (games, mean) = (self.points.len() as f32, self.mean().unwrap_or(even));
        // Only the difference to the greedy choice counts, and a hopeless action is no worse than a bad one.
        let expected = even + PRIOR_WORTH * (self.prior - first.prior).max(-1.0);
        (games * mean + PRIOR_GAMES * expected) / (games + PRIOR_GAMES)
    }

    /// The mean lead over another runner in their common rounds, and its standard error.
    fn lead_over(&self, other: &Runner) -> (f32, f32) {
        let (mut sum, mut squares, mut games) = (0.0, 0.0, 0.0);
        for (mine, theirs) in self.points.iter().zip(&other.points) {
            let lead = f64::from(mine - theirs);
            sum += lead;
            squares += lead * lead;
            games += 1.0;
        }
        let mean = sum / games;
        (mean as f32, ((squares / games - mean * mean + UNSEEN_VARIANCE) / games).sqrt() as f32)
    }
}

/// The greedy player's judgement counts as so many games.
const PRIOR_GAMES: f32 = 20.0;

/// A point of its score is worth so much of a win.
const PRIOR_WORTH: f32 = 0.3;

/// Rounds before an action may be given up.
const FIRST_LOOK: usize = 24;

/// Added to the variance of leads: few games may show none of the rare turns that decide.
const UNSEEN_VARIANCE: f64 = 0.002;

/// How a race is run.
pub(super) struct Track<'a> {
    pub(super) view: &'a SequenceView,
    pub(super) belief: &'a Belief<'a>,
    pub(super) pictures: &'a Pictures,
    pub(super) seed: u64,
    /// The most rounds.
    pub(super) rounds: u32,
    /// After how many actions of seats a game is judged instead of played on.
    pub(super) horizon: u32,
    /// How far behind, in standard errors, an action is given up; infinite to keep all.
    pub(super) patience: f32,
}

impl Track<'_> {
    /// Runs until the limits or the rounds are used up, or one action is left.
    pub(super) fn run(&self, runners: &mut [Runner], meter: &mut Meter<'_>) {
        let me = self.view.seat();
        let mut random = Random::new(self.seed);
        let mut next_look = FIRST_LOOK;
        for round in 1..=self.rounds as usize {
            let position = self.belief.draw(&mut random);
            let deal = Deal::new(random.next_u64());
            for runner in runners.iter_mut().filter(|runner| runner.running) {
                if meter.tick() {
                    return;
                }
                let mut end = position;
                end.play_unchecked(runner.action);
                let Some(promise) = self.finish(&mut end, deal.clone(), meter) else { return };
                runner.note(promise[me.index()]);
            }
            if round == next_look && self.patience.is_finite() {
                next_look += next_look / 2;
                give_up(runners, self.patience);
                if runners.iter().filter(|runner| runner.running).count() < 2 {
                    return;
                }
            }
        }
    }

    /// Plays on as far as the horizon, and says what each seat can expect there; `None` if the limits are used up before.
    fn finish(&self, position: &mut Sequence, mut deal: Deal, meter: &mut Meter<'_>) -> Option<[f32; 4]> {
        let mut left = self.horizon;
        loop {
            match position.turn() {
                Turn::Over(_) => return Some(score(position)),
                Turn::Chance => position.play_unchecked(deal.next(position)),
                Turn::Seat(_) if left == 0 => return Some(chances(position, self.pictures)),
                Turn::Seat(_) => {
                    left -= 1;
                    if meter.tick() {
                        return None;
                    }
                    let knowledge = Knowledge::of_position(position, self.pictures, &Weights::BEST);
                    position.play_unchecked(knowledge.best());
                }
            }
        }
    }
}

fn give_up(runners: &mut [Runner], patience: f32) {
    let Some(best) = leader(runners).cloned() else { return };
    for runner in runners.iter_mut().filter(|runner| runner.running && runner.action != best.action) {
        let (lead, error) = best.lead_over(runner);
        runner.running = lead <= patience * error;
    }
}

/// The runner to follow: of those not given up, the one with the most merit, if it leads the greedy choice by more than
/// `caution` standard errors; otherwise the greedy choice.
pub(super) fn winner(runners: &[Runner], caution: f32) -> &Runner {
    let first = &runners[0];
    let Some(best) = leader(runners).filter(|best| best.action != first.action && !best.points.is_empty()) else {
        return first;
    };
    let (lead, error) = best.lead_over(first);
    if lead > caution * error { best } else { first }
}

/// The running runner with the most merit.
fn leader(runners: &[Runner]) -> Option<&Runner> {
    let first = runners.first()?;
    let running = runners.iter().filter(|runner| runner.running);
    running.reduce(|best, runner| if runner.merit(first) > best.merit(first) { runner } else { best })
}
