//! Perft tables and golden playthroughs: data files that one command writes and tests compare.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use game::{AnyPosition, Game};
use rules::{GameId, Seat, Turn, Viewer};
use search::Random;

use crate::every_option_text;

/// The games of a data file: every variant the game describes.
pub fn variants(id: GameId) -> Vec<String> {
    id.variants().iter().map(|options| id.text(options)).collect()
}

/// The folder of this crate, where the data files are.
pub fn folder(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(kind)
}

/// Reads the game of a data file.
///
/// # Panics
/// If the text names no game.
pub fn game(text: &str) -> Game {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// One of the legal actions: evenly for a seat, by weight for chance; `None` when the game is over.
fn pick(position: &dyn AnyPosition, random: &mut Random) -> Option<String> {
    if position.turn() != Turn::Chance {
        let mut legal = position.legal();
        let index = random.below(legal.len() as u32) as usize;
        return (index < legal.len()).then(|| legal.swap_remove(index));
    }
    let chances = position.chances();
    let mut ticket = random.below(chances.iter().map(|(_, weight)| weight).sum());
    for (action, weight) in chances {
        if ticket < weight {
            return Some(action);
        }
        ticket -= weight;
    }
    None
}

/// Every position of a seeded random game with the action that follows, cut after `limit` actions.
///
/// # Panics
/// If a legal action is refused.
pub fn seeded_game(game: &Game, seed: u64, limit: usize) -> Vec<(Box<dyn AnyPosition>, Option<String>)> {
    let mut random = Random::new(seed);
    let mut position = game.start();
    let mut steps = Vec::new();
    loop {
        let action = pick(&*position, &mut random).filter(|_| steps.len() < limit);
        steps.push((position.clone(), action.clone()));
        let Some(action) = action else { return steps };
        position.play(&action).unwrap_or_else(|error| panic!("{game}: {error}"));
    }
}

/// Perft tables: a line for each position with the counts at each depth.
pub mod perft {
    use super::*;

    /// A position with its counts, one for each depth from 1.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Entry {
        /// The game with its options.
        pub game: String,
        /// The position text.
        pub position: String,
        /// The counts at depth 1, 2, …
        pub counts: Vec<u64>,
    }

    /// No count goes beyond this, so that all tables together take seconds.
    const LARGEST: u64 = 40_000_000;
    /// No position is counted deeper.
    const DEEPEST: usize = 8;

    /// Counts the table of a game anew.
    pub fn table(games: &[String]) -> Vec<Entry> {
        games
            .iter()
            .flat_map(|text| positions(&game(text)).into_iter().map(|position| entry(text, &*position)))
            .collect()
    }

    /// The start and some positions from the beginning, the middle and near the end of seeded games.
    fn positions(game: &Game) -> Vec<Box<dyn AnyPosition>> {
        let mut positions = vec![game.start()];
        for (seed, percent) in [(1, 25), (2, 50), (3, 70), (4, 90)] {
            let mut steps = seeded_game(game, seed, 600);
            positions.push(steps.swap_remove(steps.len() * percent / 100).0);
        }
        positions
    }

    fn entry(game: &str, position: &dyn AnyPosition) -> Entry {
        let mut counts: Vec<u64> = Vec::new();
        while counts.len() < DEEPEST {
            // The widest step so far tells whether one more would be too wide, without counting it.
            let before = counts.iter().rev().nth(1).copied().unwrap_or(1);
            let guess = counts.last().map_or(1, |&last| last.saturating_mul((last / before.max(1)).max(1)));
            if guess > LARGEST {
                break;
            }
            let count = position.perft(counts.len() as u32 + 1);
            if count > LARGEST || count == 0 {
                break;
            }
            counts.push(count);
        }
        Entry { game: game.to_owned(), position: position.to_string(), counts }
    }

    /// The file of a table.
    pub fn write(entries: &[Entry]) -> String {
        let mut text = "# perft (G6): game ; position ; the counts at depth 1, 2, …\n# `cargo xtask perft` writes this file anew.\n".to_owned();
        for entry in entries {
            let counts: Vec<String> = entry.counts.iter().map(u64::to_string).collect();
            let _ = writeln!(text, "{} ; {} ; {}", entry.game, entry.position, counts.join(" "));
        }
        text
    }

    /// Reads a table.
    ///
    /// # Panics
    /// If a line is not of the form `game ; position ; counts`.
    pub fn read(text: &str) -> Vec<Entry> {
        let entry = |line: &str| {
            let [game, position, counts] = line.split(" ; ").collect::<Vec<_>>()[..] else {
                panic!("bad line {line:?}")
            };
            let number = |word: &str| word.parse().unwrap_or_else(|_| panic!("bad count in {line:?}"));
            let counts = counts.split_whitespace().map(number).collect();
            Entry { game: game.to_owned(), position: position.to_owned(), counts }
        };
        text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(entry).collect()
    }

    /// Counts again whatever is not larger than `largest`; what does not agree, in words.
    pub fn differences(entries: &[Entry], largest: u64) -> Vec<String> {
        let mut differences = Vec::new();
        for entry in entries {
            let position = match game(&entry.game).parse_position(&entry.position) {
                Ok(position) => position,
                Err(error) => {
                    differences.push(format!("{} cannot be read as {}: {error}", entry.position, entry.game));
                    continue;
                }
            };
            for (index, &expected) in entry.counts.iter().enumerate().filter(|(_, count)| **count <= largest) {
                let found = position.perft(index as u32 + 1);
                if found != expected {
                    let Entry { game, position, .. } = entry;
                    differences.push(format!("{game} ; {position}: depth {} gives {found}, not {expected}", index + 1));
                }
            }
        }
        differences
    }
}

/// Golden playthroughs: a seeded game, each step as each seat sees it.
pub mod golden {
    use super::*;

    const HEADER: &str = "\
# Seeded games, each step as each seat sees it; = is a field that is seen as it is.
# `cargo xtask golden` writes this file anew.
";

    /// More actions than this are written as their number and a checksum.
    const LISTED: usize = 24;

    /// A game that is over by then is short: it is played under every combination of options.
    const SHORT: usize = 35;
    /// Of a game that is not over by then, `BEGINNING` says enough.
    const LONG: usize = 250;
    const BEGINNING: usize = 80;
    const SEED: u64 = 7;

    /// The file of a game: a playthrough for each of its variants.
    pub fn playthroughs(id: GameId) -> String {
        let usual = seeded_game(&Game::by_default(id), SEED, LONG).len();
        let names = if usual < SHORT { every_variant(id) } else { variants(id) };
        let longest = if usual > LONG { BEGINNING } else { LONG };
        let mut text = HEADER.to_owned();
        for name in names {
            let _ = writeln!(text, "\ngame {name}");
            for (number, (position, action)) in seeded_game(&game(&name), SEED, longest).iter().enumerate() {
                step(&mut text, number, &**position, action.as_deref());
            }
        }
        text
    }

    fn every_variant(id: GameId) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for options in every_option_text(id.options()) {
            let name = game(&id.text(&options)).to_string();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    fn step(text: &mut String, number: usize, position: &dyn AnyPosition, action: Option<&str>) {
        let _ = writeln!(text, "{number} {position}");
        let turn = match position.turn() {
            Turn::Seat(seat) => format!("seat {seat}"),
            Turn::Chance => "chance".to_owned(),
            Turn::Over(outcome) => format!("over {outcome:?}"),
        };
        let legal = position.legal();
        let _ = writeln!(text, "  turn {turn}, {} legal: {}", legal.len(), listed(&legal));
        if position.hides() {
            for viewer in Seat::all(position.seats()).map(Viewer::Seat).chain([Viewer::Spectator]) {
                let _ = writeln!(text, "  {}", seen(position, viewer, action));
            }
        }
        if let Some(action) = action {
            let _ = writeln!(text, "  > {action}");
        }
    }

    /// What one viewer sees of a position and of the action that follows.
    fn seen(position: &dyn AnyPosition, viewer: Viewer, action: Option<&str>) -> String {
        let name = match viewer {
            Viewer::Seat(seat) => format!("seat {seat}"),
            Viewer::Spectator => "spectator".to_owned(),
        };
        let action = action.and_then(|action| position.seen_action(action, viewer).ok());
        let action = action.map(|action| format!(" > {action}")).unwrap_or_default();
        let (full, view) = (position.to_string(), position.view_text(viewer));
        // Most fields are open to all; only what differs from the full text is spelt out.
        let fields = view.split(' ').zip(full.split(' ')).map(|(seen, real)| if seen == real { "=" } else { seen });
        let fields: Vec<&str> = fields.collect();
        let same_length = full.split(' ').count() == view.split(' ').count();
        format!("{name} sees {}{action}", if same_length { fields.join(" ") } else { view.clone() })
    }

    fn listed(legal: &[String]) -> String {
        if legal.len() <= LISTED {
            return legal.join(" ");
        }
        let mut sorted: Vec<&str> = legal.iter().map(String::as_str).collect();
        sorted.sort_unstable();
        let checksum = search::checksum(sorted.join(" ").as_bytes());
        format!("{} … {} #{checksum:016x}", sorted[0], sorted[sorted.len() - 1])
    }
}
