//! Judging actions by imagined games.
//!
//! Each round imagines one deal of what is hidden, the same for all actions, and plays it to the end after each of
//! them, every seat by its own knowledge. Actions that fall behind clearly are given up, so that most of the time goes
//! to those between which it is close.

use rules::sequence::{Action, Sequence, SequenceView};
use rules::{HiddenInformation, Position, Turn};

use super::belief::Belief;
use super::board::Pictures;
use super::deal::{Deal, score};
use super::sight::Sight;
use super::weights::Weights;
use crate::{Meter, Random};

/// An action and how its imagined games went.
#[derive(Clone, Copy, Debug)]
pub(super) struct Runner {
    pub(super) action: Action,
    /// What the greedy player thinks of it.
    pub(super) prior: f32,
    pub(super) points: f32,
    pub(super) games: u32,
    running: bool,
}

impl Runner {
    pub(super) fn new(action: Action, prior: f32) -> Runner {
        Runner { action, prior, points: 0.0, games: 0, running: true }
    }

    /// The share of points; an action without games has none.
    pub(super) fn mean(&self) -> f32 {
        if self.games == 0 { 0.0 } else { self.points / self.games as f32 }
    }
}

/// How a race is run.
pub(super) struct Track<'a> {
    pub(super) view: &'a SequenceView,
    pub(super) belief: &'a Belief,
    pub(super) pictures: &'a Pictures,
    pub(super) seed: u64,
    /// The most rounds.
    pub(super) rounds: u32,
    /// How uneven the imagined players are.
    pub(super) shake: f32,
    /// How far behind, in units of the error, an action is given up; infinite to keep all.
    pub(super) patience: f32,
}

impl Track<'_> {
    /// Runs until the limits or the rounds are used up, or one action is left.
    pub(super) fn run(&self, runners: &mut [Runner], meter: &mut Meter<'_>) {
        let me = self.view.seat();
        let mut random = Random::new(self.seed);
        for round in 1..=self.rounds {
            if runners.iter().filter(|runner| runner.running).count() < 2 && self.patience.is_finite() {
                return;
            }
            let position = self.imagine(&mut random);
            let deal = Deal::new(random.next_u64());
            let shaking = random.next_u64();
            for runner in runners.iter_mut().filter(|runner| runner.running) {
                let mut end = position;
                end.play_unchecked(runner.action);
                if self.finish(&mut end, deal.clone(), Random::new(shaking), meter) {
                    return;
                }
                runner.points += score(&end, me);
                runner.games += 1;
            }
            if round.is_multiple_of(8) {
                self.give_up(runners);
            }
        }
    }

    /// A full position that agrees with the view and with what the others' play gave away.
    fn imagine(&self, random: &mut Random) -> Sequence {
        let mut guess = Sequence::guess(self.view, &mut |n| random.below(n));
        for _ in 0..20 {
            if self.belief.accepts(&guess, random) {
                break;
            }
            guess = Sequence::guess(self.view, &mut |n| random.below(n));
        }
        guess
    }

    /// Plays to the end; `true` if the limits were used up first.
    fn finish(&self, position: &mut Sequence, mut deal: Deal, mut random: Random, meter: &mut Meter<'_>) -> bool {
        loop {
            match position.turn() {
                Turn::Over(_) => return false,
                Turn::Chance => position.play_unchecked(deal.next(position)),
                Turn::Seat(_) => {
                    if meter.tick() {
                        return true;
                    }
                    let sight = Sight::of_position(position, self.pictures, &Weights::BEST);
                    let action = sight.best(|| self.shake * random.unit() as f32);
                    position.play_unchecked(action);
                }
            }
        }
    }

    fn give_up(&self, runners: &mut [Runner]) {
        let best = runners.iter().filter(|runner| runner.running).map(Runner::mean).fold(0.0, f32::max);
        for runner in runners.iter_mut().filter(|runner| runner.running) {
            if best - runner.mean() > self.patience / (runner.games as f32).sqrt() {
                runner.running = false;
            }
        }
    }
}

/// The runner to follow: of those with the most games, the one with the most points; before any game, the first.
pub(super) fn winner(runners: &[Runner]) -> &Runner {
    let most = runners.iter().map(|runner| runner.games).max().unwrap_or(0);
    // A round may have been cut off; runners that missed it are still in.
    let in_front = runners.iter().filter(|runner| runner.games + 1 >= most);
    in_front
        .reduce(|best, runner| {
            let better = runner.mean().total_cmp(&best.mean()).then(runner.prior.total_cmp(&best.prior));
            if better.is_gt() { runner } else { best }
        })
        .unwrap_or(&runners[0])
}
