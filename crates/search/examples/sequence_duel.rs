//! Two players of Sequence on the same deals with their seats exchanged.
//!
//! `cargo run --release -p search --example sequence_duel -- <options> <a> <b> <deals>`, where a player is `random`,
//! `greedy`, `level:N`, `best:Nms` or `best:N` (nodes), for example:
//! `sequence_duel players=3 best:20ms greedy 200`. Each deal is played once for every seat of `a`; `b` has the others.
//!
//! Two players cheat, to show how much there is to be won at all: `seer` sees all hands and the order of the stock, `hands:N`
//! sees all hands and imagines N orders of the stock. Both play every action on to the end of the game with greedy
//! players in all seats, and `seer` tries all its own actions in its next turn too.

use std::cmp::Ordering;
use std::process::exit;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rules::sequence::{Action, Sequence, SequenceOptions, SequenceView};
use rules::{ActionList, Outcome, Position, Seat, Turn, Viewer};
use search::bots::sequence::{Deal, SequenceBot, greedy};
use search::{Bot, Level, Limits, Random, Situation};

#[derive(Clone, Copy)]
enum Player {
    Random,
    Greedy,
    Bot { level: Level, time: Option<Duration>, nodes: Option<u64> },
    Seer,
    Hands { orders: u32 },
}

fn player(text: &str) -> Option<Player> {
    let best = |time, nodes| Player::Bot { level: Level::HIGHEST, time, nodes };
    Some(match text.split_once(':') {
        None if text == "random" => Player::Random,
        None if text == "greedy" => Player::Greedy,
        None if text == "seer" => Player::Seer,
        Some(("hands", orders)) => Player::Hands { orders: orders.parse().ok()? },
        Some(("level", number)) => {
            Player::Bot { level: number.parse().ok()?, time: Some(Duration::from_millis(300)), nodes: None }
        }
        Some(("best", budget)) => match budget.strip_suffix("ms") {
            Some(millis) => best(Some(Duration::from_millis(millis.parse().ok()?)), None),
            None => best(None, Some(budget.parse().ok()?)),
        },
        _ => return None,
    })
}

struct Table {
    begin: Instant,
    random: Random,
    actions: ActionList<Action>,
}

impl Table {
    fn choose(
        &mut self,
        player: Player,
        (position, deal): (&Sequence, &Deal),
        view: &SequenceView,
        earlier: &[SequenceView],
    ) -> Action {
        match player {
            Player::Seer => best_by(position, view, |next| foreseen(next, deal.clone(), view.seat(), 1)),
            Player::Hands { orders } => {
                let deals: Vec<Deal> = (0..orders).map(|_| Deal::new(self.random.next_u64())).collect();
                let promise = |next: &Sequence, deal: &Deal| foreseen(next, deal.clone(), view.seat(), 0);
                best_by(position, view, |next| deals.iter().map(|deal| promise(next, deal)).sum())
            }
            Player::Random => {
                view.own_actions(&mut self.actions);
                self.actions[self.random.below(self.actions.len() as u32) as usize]
            }
            Player::Greedy => greedy(view),
            Player::Bot { level, time, nodes } => {
                let begin = self.begin;
                let now = move || begin.elapsed();
                let limits = Limits {
                    now: &now,
                    deadline: time.map(|time| now() + time),
                    nodes,
                    seed: self.random.next_u64(),
                    ..Limits::unlimited()
                };
                SequenceBot.choose(&Situation { view, earlier }, level, &limits).action
            }
        }
    }

    /// One game; the score of `seat`.
    fn play(&mut self, options: &SequenceOptions, number: u64, seat: Seat, a: Player, b: Player) -> f64 {
        let (mut position, mut deal) = (Sequence::start(options), Deal::new(number));
        let mut earlier: [Vec<SequenceView>; 4] = Default::default();
        loop {
            let action = match position.turn() {
                Turn::Over(Outcome::Win(side)) => return f64::from(u8::from(side == position.side(seat))),
                Turn::Over(Outcome::Draw) => return 1.0 / f64::from(position.seats()),
                Turn::Chance => deal.next(&position),
                Turn::Seat(mover) => {
                    let view = position.view(Viewer::Seat(mover));
                    let player = if mover == seat { a } else { b };
                    let action = self.choose(player, (&position, &deal), &view, &earlier[mover.index()]);
                    for seat in Seat::all(position.seats()) {
                        earlier[seat.index()].push(position.view(Viewer::Seat(seat)));
                    }
                    action
                }
            };
            position.play_unchecked(action);
        }
    }
}

/// The action after which the promise is highest; of equal ones the greedy choice, if it is among them.
fn best_by(position: &Sequence, view: &SequenceView, promise: impl Fn(&Sequence) -> f64) -> Action {
    let usual = greedy(view);
    let mut actions = ActionList::new();
    position.actions(&mut actions);
    let promises = actions.iter().map(|&action| {
        let mut next = *position;
        next.play_unchecked(action);
        (promise(&next), action == usual, action)
    });
    let best = promises.max_by(|a, b| (a.0, a.1).partial_cmp(&(b.0, b.1)).unwrap_or(Ordering::Equal));
    best.map_or(usual, |(.., action)| action)
}

/// How a game ends for a seat if all play greedily and chance is known, or if it chooses best in this many turns of its own
/// and plays greedily then. A win counts more, and a loss less, the sooner it comes.
fn foreseen(position: &Sequence, mut deal: Deal, seat: Seat, own_turns: u32) -> f64 {
    let mut game = *position;
    for late in 0.. {
        let haste = 0.2 / (1.0 + f64::from(late));
        match game.turn() {
            Turn::Over(Outcome::Win(side)) if side == game.side(seat) => return 1.0 + haste,
            Turn::Over(Outcome::Win(_)) => return -haste,
            Turn::Over(Outcome::Draw) => return 1.0 / f64::from(game.seats()),
            Turn::Chance => game.play_unchecked(deal.next(&game)),
            Turn::Seat(mover) if mover == seat && own_turns > 0 => {
                let mut actions = ActionList::new();
                game.actions(&mut actions);
                let promises = actions.iter().map(|&action| {
                    let mut next = game;
                    next.play_unchecked(action);
                    foreseen(&next, deal.clone(), seat, own_turns - 1)
                });
                return promises.fold(f64::NEG_INFINITY, f64::max);
            }
            Turn::Seat(mover) => game.play_unchecked(greedy(&game.view(Viewer::Seat(mover)))),
        }
    }
    0.0
}

/// The mean share of `a` over deals, and half of its 95 % interval.
fn mean(shares: &[f64]) -> (f64, f64) {
    let n = shares.len() as f64;
    let mean = shares.iter().sum::<f64>() / n;
    let variance = shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / n;
    (mean, 1.96 * (variance / n).sqrt())
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let parsed = match &arguments[..] {
        [options, a, b, deals, rest @ ..] => (|| {
            let first = rest.first().map_or(Some(1), |text| text.parse().ok())?;
            Some((options.parse::<SequenceOptions>().ok()?, player(a)?, player(b)?, deals.parse::<u64>().ok()?, first))
        })(),
        _ => None,
    };
    let Some((options, a, b, deals, first)) = parsed else {
        eprintln!("usage: sequence_duel <options> <a> <b> <deals> [first deal]");
        eprintln!("a player is random, greedy, level:N, best:Nms, best:N (nodes), seer or hands:N");
        exit(2)
    };
    let (begin, seats) = (Instant::now(), options.players.count());
    let (next, shares) = (AtomicU64::new(first), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    if number >= first + deals {
                        return;
                    }
                    // Every deal has its own random numbers, so that the order in which they are played does not matter.
                    let mut table = Table { begin, random: Random::new(number), actions: ActionList::new() };
                    let points: f64 = Seat::all(seats).map(|seat| table.play(&options, number, seat, a, b)).sum();
                    let mut shares = shares.lock().unwrap_or_else(PoisonError::into_inner);
                    shares.push(points / f64::from(seats));
                    if shares.len() % 100 == 0 {
                        let (mean, reach) = mean(&shares);
                        eprintln!("{} deals: {:.2} ± {:.2} %", shares.len(), 100.0 * mean, 100.0 * reach);
                    }
                }
            });
        }
    });
    let shares = shares.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (mean, reach) = mean(&shares);
    let [_, one, other, ..] = &arguments[..] else { return };
    println!(
        "{one} against {other}, {options:?}: {deals} deals x {seats} seats, {:.2} % (95 %: {:.2} to {:.2}), even is {:.2} %, {:.0} s",
        100.0 * mean,
        100.0 * (mean - reach),
        100.0 * (mean + reach),
        100.0 / f64::from(seats),
        begin.elapsed().as_secs_f64()
    );
}
