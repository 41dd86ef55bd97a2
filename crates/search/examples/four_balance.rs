//! How fair Four is: level 8 against itself, and what seat 1 scores under each of the given options, draws as half.
//!
//! `cargo run --release -p search --example four_balance -- --games 200 --nodes 4000 --jobs 2 size=9 size=9,lead=1`
//!
//! Every game begins with two stones placed at random, as in `fourfold arena`, and the players' random choices come from
//! the game's number, so the same arguments print the same table on every machine. `--race` gives up options whose score
//! is clearly not within 3 % of a half, after every 40 games; `--seconds` starts no game after so long.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rules::four::{Four, FourOptions};
use rules::{ActionList, Outcome, Position, Side, Turn};
use search::bots::four::FourBot;
use search::{Bot, Level, Limits, Random, Situation};

/// Games of each candidate between two looks at who is out of the race.
const ROUND: u64 = 40;
/// How far from a half the score may be.
const FAIR: f64 = 0.03;

struct Arguments {
    games: u64,
    nodes: u64,
    jobs: usize,
    seed: u64,
    opening: u32,
    level: Level,
    race: bool,
    time: Duration,
    candidates: Vec<FourOptions>,
}

impl Arguments {
    fn read() -> Arguments {
        let mut read = Arguments {
            games: 200,
            nodes: 4000,
            jobs: std::thread::available_parallelism().map_or(1, usize::from),
            seed: 1,
            opening: 2,
            level: Level::HIGHEST,
            race: false,
            time: Duration::MAX,
            candidates: Vec::new(),
        };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut number = || words.next().and_then(|word| word.parse().ok()).expect("a number after the option");
            match word.as_str() {
                "--games" => read.games = number(),
                "--nodes" => read.nodes = number(),
                "--jobs" => read.jobs = number() as usize,
                "--seed" => read.seed = number(),
                "--opening" => read.opening = number() as u32,
                "--level" => read.level = number().to_string().parse().expect("a level from 1 to 8"),
                "--seconds" => read.time = Duration::from_secs(number()),
                "--race" => read.race = true,
                options => read.candidates.push(options.parse().expect("options such as size=9,lead=1")),
            }
        }
        read
    }
}

/// The results of seat 1 under some options.
#[derive(Clone, Default)]
struct Score {
    wins: u32,
    draws: u32,
    losses: u32,
    turns: u64,
    time: Duration,
}

impl Score {
    fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    fn mean(&self) -> f64 {
        (f64::from(self.wins) + 0.5 * f64::from(self.draws)) / f64::from(self.games().max(1))
    }

    /// Half of the 95 % interval.
    fn reach(&self) -> f64 {
        let (games, mean) = (f64::from(self.games().max(1)), self.mean());
        let squares = f64::from(self.wins) + 0.25 * f64::from(self.draws);
        1.96 * ((squares / games - mean * mean).max(0.0) / games).sqrt()
    }

    fn may_be_fair(&self) -> bool {
        (self.mean() - 0.5).abs() <= FAIR + self.reach()
    }
}

fn main() {
    let arguments = Arguments::read();
    let began = Instant::now();
    let mut scores = vec![Score::default(); arguments.candidates.len()];
    let mut played = 0;
    while played < arguments.games && began.elapsed() < arguments.time {
        let until = if arguments.race { (played + ROUND).min(arguments.games) } else { arguments.games };
        let racing: Vec<usize> =
            (0..scores.len()).filter(|&index| !arguments.race || played == 0 || scores[index].may_be_fair()).collect();
        if racing.is_empty() {
            break;
        }
        play_round(&arguments, &racing, played..until, began, &mut scores);
        played = until;
        eprintln!("{} s: {} candidates have had {played} games", began.elapsed().as_secs(), racing.len());
    }
    println!("| options | games | won, drawn, lost | seat 1, % | 95 % interval | turns | ms a game |");
    println!("|---|---|---|---|---|---|---|");
    for (options, score) in arguments.candidates.iter().zip(&scores) {
        let games = score.games().max(1);
        println!(
            "| `{}` | {} | {}, {}, {} | {:.1} | {:.1} to {:.1} | {:.0} | {} |",
            rules::game_text::<Four>(options),
            score.games(),
            score.wins,
            score.draws,
            score.losses,
            100.0 * score.mean(),
            100.0 * (score.mean() - score.reach()),
            100.0 * (score.mean() + score.reach()),
            score.turns as f64 / f64::from(games),
            score.time.as_millis() / u128::from(games),
        );
    }
    let Arguments { nodes, seed, opening, .. } = arguments;
    println!("\n{nodes} nodes a turn, seed {seed}, {opening} random stones, {} s", began.elapsed().as_secs());
}

/// Plays the games of these numbers for every candidate in the race, as many at a time as there are jobs.
fn play_round(
    arguments: &Arguments,
    racing: &[usize],
    games: std::ops::Range<u64>,
    began: Instant,
    scores: &mut [Score],
) {
    let mut tasks: Vec<(usize, u64)> =
        racing.iter().flat_map(|&index| games.clone().map(move |n| (index, n))).collect();
    // Large boards take longest; what is short fills the gaps at the end. All candidates get on at the same pace, in case
    // time runs out.
    tasks.sort_by_key(|&(index, game)| (game / ROUND, std::cmp::Reverse(arguments.candidates[index].size()), game));
    let (next, shared) = (AtomicUsize::new(0), Mutex::new(scores));
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs {
            scope.spawn(|| {
                while let Some(&(index, game)) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if began.elapsed() >= arguments.time {
                        return;
                    }
                    let start = Instant::now();
                    let (outcome, turns) = play(arguments, &arguments.candidates[index], game);
                    let mut scores = shared.lock().expect("no other thread has failed");
                    let score = &mut scores[index];
                    match outcome {
                        Outcome::Win(Side::ONE) => score.wins += 1,
                        Outcome::Win(_) => score.losses += 1,
                        Outcome::Draw => score.draws += 1,
                    }
                    score.turns += turns;
                    score.time += start.elapsed();
                }
            });
        }
    });
}

/// Plays one game; says how it ended and how many turns it took.
fn play(arguments: &Arguments, options: &FourOptions, game: u64) -> (Outcome, u64) {
    let mut random = Random::new(arguments.seed.wrapping_mul(0x9e37_79b9).wrapping_add(game));
    let mut position = Four::start(options);
    let mut list = ActionList::new();
    for _ in 0..arguments.opening {
        position.actions(&mut list);
        position.play_unchecked(list[random.below(list.len() as u32) as usize]);
    }
    let seeds = [random.next_u64(), random.next_u64()];
    let mut bots = [FourBot::default(), FourBot::default()];
    let (mut seen, mut turns) = (vec![position], 0);
    loop {
        let mut position = seen[seen.len() - 1];
        let seat = match position.turn() {
            Turn::Seat(seat) => seat,
            Turn::Over(outcome) => return (outcome, turns),
            Turn::Chance => unreachable!("Four has no chance"),
        };
        turns += u64::from(!position.has_moved());
        let limits = Limits::nodes(arguments.nodes).with_seed(seeds[seat.index()]);
        let situation = Situation { view: &position, earlier: &seen[..seen.len() - 1] };
        let action = bots[seat.index()].choose(&situation, arguments.level, &limits).action;
        position.play(action).expect("players play by the rules");
        seen.push(position);
    }
}
