//! Games between two contestants, several at a time, refereed by the rules alone.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use game::{AnyPosition, Match, MatchSettings, Sitter};
use rules::{Outcome, Seat, Side};
use search::Random;

use super::contestant::{Allowance, Contestant, Player};
use super::deal::Deal;
use super::external::Fault;
use super::statistics::Scores;
use crate::opening::quiet_action;

/// The settings of a contest.
pub(super) struct Contest<'a> {
    pub(super) game: game::Game,
    pub(super) a: &'a Contestant,
    pub(super) b: &'a Contestant,
    pub(super) groups: u32,
    pub(super) allowance: Allowance,
    pub(super) seed: u64,
    /// Random actions before the contestants take over, the same for every seating of a group.
    pub(super) opening: u32,
    pub(super) jobs: usize,
}

/// The result of a contest.
#[derive(Default)]
pub(super) struct Results {
    pub(super) scores: Scores,
    pub(super) records: Vec<String>,
    /// What contestants did wrong, each kind once with how often.
    pub(super) faults: Vec<((String, Fault), u32)>,
}

/// A game that takes longer than this is a draw.
const LONGEST: usize = 20_000;

impl Contest<'_> {
    /// Plays all groups; `watch` is called after each and may end the contest.
    pub(super) fn run(&self, watch: impl Fn(&Scores) -> bool + Sync) -> Results {
        let (next, over) = (AtomicU32::new(0), AtomicBool::new(false));
        let results = Mutex::new(Results::default());
        std::thread::scope(|scope| {
            for _ in 0..self.jobs {
                scope.spawn(|| {
                    while !over.load(Ordering::Relaxed) {
                        let group = next.fetch_add(1, Ordering::Relaxed);
                        if group >= self.groups {
                            return;
                        }
                        let played = self.group(u64::from(group));
                        let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                        results.add(played);
                        if watch(&results.scores) {
                            over.store(true, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        results.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// One deal or opening, with the first contestant on every side in turn.
    fn group(&self, group: u64) -> Vec<Played> {
        let start = self.game.start();
        (0..sides(start.as_ref())).map(|side| self.play(group, Side::from_index(side))).collect()
    }

    fn play(&self, group: u64, a_side: Side) -> Played {
        let seed = self.seed.wrapping_mul(0x9e37_79b9).wrapping_add(group);
        let start = self.game.start();
        let who = |seat: Seat| if start.side(seat) == a_side { self.a } else { self.b };
        let mut setup = MatchSettings::new(self.game.clone());
        for (sitter, seat) in setup.sitters.iter_mut().zip(Seat::all(start.seats())) {
            *sitter = Sitter::new(game::Player::default(), &who(seat).to_string());
        }
        let Ok(mut game) = Match::new(setup) else { return Played::nothing(a_side) };
        let fault = self.referee(&mut game, seed, who);
        if let Some((seat, fault)) = &fault {
            game.comment(&format!("seat {seat} {fault}"));
            let _ = game.resign(*seat, Duration::ZERO);
        }
        let outcome = game.ending().and_then(|ending| ending.outcome);
        let sides = sides(start.as_ref());
        let fault = fault.map(|(seat, fault)| (who(seat).to_string(), fault));
        Played { outcome, a_side, sides, record: game.record().to_string(), fault }
    }

    /// Plays until the end, or until a contestant commits a fault.
    fn referee<'a>(&self, game: &mut Match, seed: u64, who: impl Fn(Seat) -> &'a Contestant) -> Option<(Seat, Fault)> {
        let mut deal = Deal::new(seed);
        let mut random = Random::new(seed ^ 0x5eed);
        let mut players: Vec<Option<Player>> = (0..game.position().seats()).map(|_| None).collect();
        let (mut positions, mut actions, mut opening) = (vec![game.position().boxed()], Vec::new(), self.opening);
        while game.ending().is_none() && actions.len() < LONGEST {
            let action = if game.chance_is_due() {
                deal.draw(game.position().chances())?
            } else {
                let seat = game.to_act()?;
                if opening > 0 {
                    opening -= 1;
                    quiet_action(game, &mut random)?
                } else {
                    let player = &mut players[seat.index()];
                    let sat = match player {
                        Some(player) => Ok(player),
                        None => Player::new(who(seat), &self.game).map(|new| player.insert(new)),
                    };
                    let seed = random.next_u64();
                    match sat.and_then(|player| player.choose(&positions, &actions, self.allowance, seed)) {
                        Ok(action) => action,
                        Err(fault) => return Some((seat, fault)),
                    }
                }
            };
            let seat = game.to_act();
            if let Err(refused) = game.play(&action, Duration::ZERO) {
                return Some((seat?, Fault::Illegal(refused.to_string())));
            }
            actions.push(action);
            positions.push(game.position().boxed());
        }
        None
    }
}

/// How many sides meet at a table: seats, or teams.
pub(super) fn sides(start: &dyn AnyPosition) -> usize {
    Seat::all(start.seats()).map(|seat| start.side(seat).index() + 1).max().unwrap_or(1)
}

struct Played {
    outcome: Option<Outcome>,
    a_side: Side,
    sides: usize,
    record: String,
    fault: Option<(String, Fault)>,
}

impl Played {
    fn nothing(a_side: Side) -> Played {
        Played { outcome: None, a_side, sides: 2, record: String::new(), fault: None }
    }

    /// A draw is shared by all sides.
    fn score(&self) -> f64 {
        match self.outcome {
            Some(Outcome::Win(side)) => f64::from(u8::from(side == self.a_side)),
            _ => 1.0 / self.sides as f64,
        }
    }
}

impl Results {
    fn add(&mut self, group: Vec<Played>) {
        let mean = group.iter().map(Played::score).sum::<f64>() / group.len().max(1) as f64;
        self.scores.groups.push(mean);
        for played in group {
            match played.outcome {
                Some(Outcome::Win(side)) if side == played.a_side => self.scores.wins += 1,
                Some(Outcome::Win(_)) => self.scores.losses += 1,
                _ => self.scores.draws += 1,
            }
            if let Some(fault) = played.fault {
                match self.faults.iter_mut().find(|(known, _)| *known == fault) {
                    Some((_, count)) => *count += 1,
                    None => self.faults.push((fault, 1)),
                }
            }
            self.records.push(played.record);
        }
    }
}
