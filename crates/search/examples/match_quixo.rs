//! Lets two levels of the Quixo player play each other and prints the score with its Elo difference.
//!
//! ```sh
//! cargo run --release -p search --example match_quixo -- --a 5 --b 4 --games 200 --nodes 20000
//! ```
//!
//! `--a` and `--b` are levels from 1 to 8, `greedy` or `random`; `--players 4` plays in teams; `--time MS` limits time
//! instead of nodes. Games come in pairs from the same random opening of `--opening` plies with seats swapped.
//! `--ladder` plays every level against the one below. Draws by repetition are counted, with the plies they took.

use std::error::Error;
use std::time::{Duration, Instant};

use rules::quixo::{Action, Quixo, QuixoOptions};
use rules::{ActionList, Outcome, Position, Side, Turn};
use search::bots::quixo::{QuixoBot, greedy};
use search::{Bot, Level, Limits, Random, Situation};

#[derive(Clone, Copy)]
enum Player {
    Bot(Level),
    Greedy,
    Random,
}

struct Table {
    options: QuixoOptions,
    games: u32,
    opening: u32,
    nodes: Option<u64>,
    time: Option<Duration>,
    seed: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let given =
        |name: &str| arguments.iter().position(|argument| argument == name).and_then(|place| arguments.get(place + 1));
    let number = |name: &str| given(name).map(|text| text.parse::<u64>()).transpose();
    let time = number("--time")?.map(Duration::from_millis);
    let table = Table {
        options: given("--players").map_or(Ok(QuixoOptions::default()), |count| format!("players={count}").parse())?,
        games: number("--games")?.unwrap_or(100) as u32,
        opening: number("--opening")?.unwrap_or(4) as u32,
        nodes: if time.is_some() { None } else { number("--nodes")?.or(Some(10_000)) },
        time,
        seed: number("--seed")?.unwrap_or(1),
    };
    if arguments.iter().any(|argument| argument == "--ladder") {
        for upper in Level::all().skip(1) {
            let lower = Level::new(upper.number() - 1).unwrap_or(Level::LOWEST);
            println!("{upper} against {lower}: {}", table.play(Player::Bot(upper), Player::Bot(lower)));
        }
        return Ok(());
    }
    let player = |name: &str| -> Result<Player, Box<dyn Error>> {
        Ok(match given(name).map_or("8", String::as_str) {
            "greedy" => Player::Greedy,
            "random" => Player::Random,
            level => Player::Bot(level.parse()?),
        })
    };
    println!("{}", table.play(player("--a")?, player("--b")?));
    Ok(())
}

/// How a game ended.
enum End {
    Won(Side),
    /// Drawn by repetition after so many plies.
    Repeated(usize),
    Drawn,
}

impl Table {
    fn play(&self, a: Player, b: Player) -> String {
        let mut random = Random::new(self.seed);
        let (mut wins, mut draws, mut losses) = (0, 0, 0);
        let mut repetitions = Vec::new();
        for _ in 0..self.games.div_ceil(2) {
            let opening = self.opening(&mut random);
            for side in [Side::ONE, Side::TWO] {
                let players = if side == Side::ONE { [a, b] } else { [b, a] };
                match self.game(opening, players, random.next_u64()) {
                    End::Won(winner) if winner == side => wins += 1,
                    End::Won(_) => losses += 1,
                    End::Repeated(plies) => {
                        draws += 1;
                        repetitions.push(plies);
                    }
                    End::Drawn => draws += 1,
                }
            }
        }
        repetitions.sort_unstable();
        let middle = repetitions.get(repetitions.len() / 2).zip(repetitions.first());
        let plies = middle.map(|(middle, first)| format!(", the first after {first} plies, half after {middle}"));
        let repeated = format!("{} by repetition{}", repetitions.len(), plies.unwrap_or_default());
        format!("{}; {repeated}", summary(wins, draws, losses))
    }

    /// A few random plies.
    fn opening(&self, random: &mut Random) -> Quixo {
        let mut game = Quixo::start(&self.options);
        let mut actions = ActionList::new();
        for _ in 0..self.opening {
            game.actions(&mut actions);
            game.play_unchecked(actions[random.below(actions.len() as u32) as usize]);
        }
        game
    }

    /// Plays a game; the third occurrence of a position (G7) and 300 plies are draws.
    fn game(&self, opening: Quixo, players: [Player; 2], seed: u64) -> End {
        let mut game = opening;
        let mut earlier: Vec<Quixo> = Vec::new();
        let mut random = Random::new(seed);
        let mut bots = [QuixoBot::default(), QuixoBot::default()];
        while earlier.len() < 300 {
            let seat = match game.turn() {
                Turn::Seat(seat) => seat,
                Turn::Over(Outcome::Win(side)) => return End::Won(side),
                _ => return End::Drawn,
            };
            if earlier.iter().filter(|past| **past == game).count() >= 2 {
                return End::Repeated(earlier.len());
            }
            let side = game.side(seat).index();
            let seed = random.next_u64();
            let action = match players[side] {
                Player::Bot(level) => self.choose(&mut bots[side], &game, &earlier, level, seed),
                Player::Greedy => greedy(&game, seed),
                Player::Random => any(&game, seed),
            };
            earlier.push(game);
            game.play_unchecked(action);
        }
        End::Drawn
    }

    fn choose(&self, bot: &mut QuixoBot, view: &Quixo, earlier: &[Quixo], level: Level, seed: u64) -> Action {
        let begun = Instant::now();
        let limits =
            Limits { now: &|| begun.elapsed(), deadline: self.time, nodes: self.nodes, seed, ..Limits::unlimited() };
        bot.choose(&Situation { view, earlier }, level, &limits).action
    }
}

fn any(game: &Quixo, seed: u64) -> Action {
    let mut actions = ActionList::new();
    game.actions(&mut actions);
    actions[Random::new(seed).below(actions.len() as u32) as usize]
}

/// The score and the Elo difference it stands for, with the bounds of its 95 % interval.
fn summary(wins: u32, draws: u32, losses: u32) -> String {
    let games = f64::from(wins + draws + losses).max(1.0);
    let score = (f64::from(wins) + f64::from(draws) / 2.0) / games;
    let spread = |result: f64, count: u32| f64::from(count) * (result - score).powi(2);
    let variance = (spread(1.0, wins) + spread(0.5, draws) + spread(0.0, losses)) / games;
    let error = 1.96 * (variance / games).sqrt();
    let elo = |score: f64| {
        let score = score.clamp(0.5 / games, 1.0 - 0.5 / games);
        400.0 * (score / (1.0 - score)).log10()
    };
    format!(
        "+{wins} ={draws} -{losses}, score {:.1} %, Elo {:+.0} [{:+.0}, {:+.0}]",
        100.0 * score,
        elo(score),
        elo(score - error),
        elo(score + error)
    )
}
