//! Games between two contestants, several at a time, refereed by the rules alone.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use game::{AnyPosition, ClockRule, Entry, Event, Match, MatchSettings};
use rules::{Outcome, Seat, Side};
use search::Random;

use super::adjudicate::{Adjudication, Umpire};
use super::contestant::{Allowance, Contestant, Player};
use super::deal::Deal;
use super::external::Fault;
use super::ledger::{Ledger, Round};
use super::openings::Opening;
use super::statistics::Scores;
use super::turn::Turn;
use crate::opening::quiet_action;

/// The settings of a contest.
pub(super) struct Contest<'a> {
    pub(super) game: game::Game,
    pub(super) a: &'a Contestant,
    pub(super) b: &'a Contestant,
    /// Which pairing of the run it is.
    pub(super) pairing: usize,
    pub(super) groups: u32,
    pub(super) allowance: Allowance,
    pub(super) clock: ClockRule,
    pub(super) seed: u64,
    /// Random actions before the contestants take over, the same for every seating of a group.
    pub(super) random_plies: u32,
    /// Used one after another, before the random actions; empty for the usual start.
    pub(super) openings: &'a [Opening],
    pub(super) adjudication: Option<Adjudication>,
    /// A game of more actions is a draw.
    pub(super) longest: usize,
    pub(super) jobs: usize,
    /// Set when the user wants to end: the games under way are given up.
    pub(super) stop: &'a AtomicBool,
    pub(super) ledger: &'a Ledger,
}

/// The result of a contest.
pub(super) struct Results {
    pub(super) scores: Scores,
    /// What contestants did wrong, each kind once with how often.
    pub(super) faults: Vec<((String, Fault), u32)>,
    /// Why a game could not be written down.
    pub(super) unwritten: Option<std::io::Error>,
}

/// Why a game has no result.
enum Interruption {
    /// A contestant did something wrong and loses.
    Fault(Seat, Fault),
    /// The user wants to end.
    Stopped,
}

impl Contest<'_> {
    /// Plays all groups; `watch` is called after each and may end the contest.
    pub(super) fn run(&self, watch: impl Fn(&Scores) -> bool + Sync) -> Results {
        let (next, over) = (AtomicU32::new(0), AtomicBool::new(false));
        let scores = Scores::of(sides(self.game.start().as_ref()));
        let results = Mutex::new(Results { scores, faults: Vec::new(), unwritten: None });
        std::thread::scope(|scope| {
            for _ in 0..self.jobs {
                scope.spawn(|| {
                    while !over.load(Ordering::Relaxed) {
                        let group = next.fetch_add(1, Ordering::Relaxed);
                        if group >= self.groups {
                            return;
                        }
                        let Some(played) = self.group(u64::from(group)) else { return };
                        let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                        results.add(played);
                        if watch(&results.scores) || results.unwritten.is_some() {
                            over.store(true, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        results.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// One deal or opening, with the first contestant on every side in turn; `None` if the user wants to end.
    fn group(&self, group: u64) -> Option<Vec<Played>> {
        let start = self.game.start();
        (0..sides(start.as_ref())).map(|side| self.play(group, Side::from_index(side))).collect()
    }

    fn play(&self, group: u64, a_side: Side) -> Option<Played> {
        let start = self.game.start();
        let sides = sides(start.as_ref());
        let round = Round { pairing: self.pairing, group, side: a_side.index() };
        if let Some(outcome) = self.ledger.outcome(round) {
            return Some(Played { outcome, a_side, sides, fault: None, unwritten: None });
        }
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let seed = self.seed.wrapping_mul(0x9e37_79b9).wrapping_add(group);
        let who = |seat: Seat| if start.side(seat) == a_side { self.a } else { self.b };
        let opening = self.opening(group);
        let mut setup = MatchSettings::new(self.game.clone());
        setup.clock = self.clock;
        setup.start = opening.and_then(|opening| opening.start.clone());
        setup.notes = self.ledger.notes(round);
        for (sitter, seat) in setup.sitters.iter_mut().zip(Seat::all(start.seats())) {
            *sitter = who(seat).sitter();
        }
        // Openings were read before, so every match can begin.
        let mut game = Match::new(setup).ok()?;
        let broken = self.referee(&mut game, seed, opening, who);
        let fault = match broken {
            Some(Interruption::Stopped) => return None,
            Some(Interruption::Fault(seat, fault)) => {
                game.comment(&format!("seat {seat} {fault}"));
                let _ = game.resign(seat, Duration::ZERO);
                Some((who(seat).to_string(), fault))
            }
            None => None,
        };
        let outcome = game.ending().and_then(|ending| ending.outcome);
        let unwritten = self.ledger.keep(&game).err();
        Some(Played { outcome, a_side, sides, fault, unwritten })
    }

    fn opening(&self, group: u64) -> Option<&Opening> {
        let count = self.openings.len().max(1) as u64;
        self.openings.get(usize::try_from(group % count).unwrap_or(0))
    }

    /// Plays until the end, or until a contestant commits a fault.
    fn referee<'a>(
        &self,
        game: &mut Match,
        seed: u64,
        opening: Option<&Opening>,
        who: impl Fn(Seat) -> &'a Contestant,
    ) -> Option<Interruption> {
        let mut deal = Deal::new(seed);
        let mut random = Random::new(seed ^ 0x5eed);
        let mut players = Vec::new();
        for seat in Seat::all(game.position().seats()) {
            match Player::new(who(seat), &self.game, self.allowance.memory) {
                Ok(player) => players.push(player),
                Err(fault) => return Some(Interruption::Fault(seat, fault)),
            }
        }
        let mut umpire = Umpire::new(self.adjudication);
        let mut prepared = opening.map(|opening| opening.actions.as_slice()).unwrap_or_default().iter();
        let (mut positions, mut actions, mut random_plies) =
            (vec![game.position().boxed()], Vec::new(), self.random_plies);
        let (mut now, mut former) = (Duration::ZERO, None);
        while game.ending().is_none() {
            if self.stop.load(Ordering::Relaxed) {
                return Some(Interruption::Stopped);
            }
            if actions.len() >= self.longest {
                game.comment("adjudicated: too long");
                let _ = game.replay(Entry::new(Event::Agreed));
                return None;
            }
            let seat = game.to_act();
            let action = if let Some(action) = prepared.next() {
                action.clone()
            } else if game.chance_is_due() {
                deal.draw(game.position().chances())?
            } else if random_plies > 0 {
                random_plies -= 1;
                quiet_action(game, &mut random)?
            } else {
                let seat = seat?;
                if self.clock != ClockRule::None && !game.clock().is_running() {
                    game.start_clock(now);
                }
                let begins = former.replace(seat) != Some(seat);
                let turn = Turn {
                    seat,
                    start: game.settings().start.as_deref(),
                    positions: &positions,
                    actions: &actions,
                    allowance: players[seat.index()].allowance(self.allowance, begins),
                    clocks: self.clocks(game, now),
                };
                let seed = random.next_u64();
                let began = Instant::now();
                let chosen = players[seat.index()].choose(&turn, seed, self.stop);
                if self.stop.load(Ordering::Relaxed) {
                    return Some(Interruption::Stopped);
                }
                if self.clock != ClockRule::None {
                    now += began.elapsed();
                    if game.tick(now).is_some() {
                        continue;
                    }
                }
                let chosen = match chosen {
                    Ok(chosen) => chosen,
                    Err(fault) => return Some(Interruption::Fault(seat, fault)),
                };
                let winner = umpire.judge(game.position().side(seat), chosen.expected);
                if let Some(winner) = winner {
                    let position = game.position();
                    let loser = Seat::all(position.seats()).find(|seat| position.side(*seat) != winner)?;
                    game.comment("adjudicated: both sides expect this result");
                    let _ = game.resign(loser, now);
                    return None;
                }
                chosen.action
            };
            if let Err(refused) = game.play(&action, now) {
                return Some(Interruption::Fault(seat?, Fault::Illegal(refused.to_string())));
            }
            actions.push(action);
            positions.push(game.position().boxed());
        }
        None
    }

    fn clocks(&self, game: &Match, now: Duration) -> Option<(ClockRule, super::contestant::Clocks)> {
        (self.clock != ClockRule::None).then(|| {
            let seats = Seat::all(game.position().seats());
            let left = seats.filter_map(|seat| Some((seat, game.clock().left(seat, now)?)));
            (self.clock, left.collect())
        })
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
    fault: Option<(String, Fault)>,
    unwritten: Option<std::io::Error>,
}

impl Played {
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
            self.unwritten = self.unwritten.take().or(played.unwritten);
            if let Some(fault) = played.fault {
                match self.faults.iter_mut().find(|(known, _)| *known == fault) {
                    Some((_, count)) => *count += 1,
                    None => self.faults.push((fault, 1)),
                }
            }
        }
    }
}
