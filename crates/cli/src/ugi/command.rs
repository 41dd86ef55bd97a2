//! The lines of the protocol as values.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use game::Game;
use rules::{Seat, Viewer};
use search::Level;

/// A line that could be read.
#[derive(Debug, PartialEq)]
pub(super) enum Command {
    Nothing,
    Ugi,
    IsReady,
    NewGame,
    SetOption(Setting),
    /// The position text, or none for the usual start, and the actions played since.
    Position {
        text: Option<String>,
        moves: Vec<String>,
    },
    Query(Query),
    Perft(u32),
    Go(Go),
    Stop,
    Quit,
}

#[derive(Debug, PartialEq)]
pub(super) enum Setting {
    Game(Game),
    Seed(u64),
    Level(Level),
    /// Megabytes for tables.
    Hash(usize),
    /// How many threads search and count.
    Threads(usize),
    /// Whose view `query` shows; `None` for full knowledge.
    Viewer(Option<Viewer>),
    /// Whether `go` values every legal action.
    Analyse(bool),
    /// How many of the best actions `go` shows.
    MultiPv(usize),
    /// A folder of tables; `None` for none.
    TablebasePath(Option<PathBuf>),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Query {
    GameOver,
    P1Turn,
    Turn,
    Result,
    Position,
    Legal,
}

/// What bounds a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Go {
    pub(super) movetime: Option<Duration>,
    pub(super) nodes: Option<u64>,
    pub(super) depth: Option<u32>,
    /// Time left and increment of each seat.
    pub(super) clocks: [(Option<Duration>, Duration); 4],
    /// How many turns are to be played in the time that is left.
    pub(super) moves_to_go: Option<u32>,
    pub(super) infinite: bool,
}

/// The most lines `MultiPV` may ask for; no position of these games has as many actions.
pub(super) const MOST_LINES: usize = 500;

/// The most threads that may search.
pub(super) const MOST_THREADS: usize = 256;

/// Deeper counts take longer than any caller waits.
const DEEPEST_PERFT: u32 = 64;

impl FromStr for Command {
    type Err = String;

    fn from_str(line: &str) -> Result<Command, String> {
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else { return Ok(Command::Nothing) };
        let rest: Vec<&str> = words.collect();
        match (first, rest.as_slice()) {
            ("ugi", []) => Ok(Command::Ugi),
            ("isready", []) => Ok(Command::IsReady),
            ("uginewgame", []) => Ok(Command::NewGame),
            ("setoption", rest) => setting(rest).map(Command::SetOption),
            ("position", rest) => position(rest),
            ("query", [what]) => query(what).map(Command::Query),
            ("query", _) => Err(format!("query takes one word: {QUERIES}")),
            ("perft", [depth]) => match depth.parse() {
                Ok(depth) if depth <= DEEPEST_PERFT => Ok(Command::Perft(depth)),
                _ => Err(format!("perft takes a depth from 0 to {DEEPEST_PERFT}")),
            },
            ("go", rest) => go(rest).map(Command::Go),
            ("stop", []) => Ok(Command::Stop),
            ("quit", []) => Ok(Command::Quit),
            ("ugi" | "isready" | "uginewgame" | "stop" | "quit", _) => Err(format!("{first} takes nothing after it")),
            ("perft", _) => Err("perft takes one number".to_owned()),
            _ => Err(format!("unknown command {:?}: possible are {COMMANDS}", short(first))),
        }
    }
}

const COMMANDS: &str = "ugi, isready, uginewgame, setoption, position, query, perft, go, stop, quit";
const OPTIONS: &str = "Game, Level, Seed, Hash, Threads, MultiPV, Analyse, Viewer, TablebasePath";
const QUERIES: &str = "gameover, p1turn, turn, result, position, legal";

fn query(what: &str) -> Result<Query, String> {
    Ok(match what {
        "gameover" => Query::GameOver,
        "p1turn" => Query::P1Turn,
        "turn" => Query::Turn,
        "result" => Query::Result,
        "position" => Query::Position,
        "legal" => Query::Legal,
        _ => return Err(format!("unknown query {:?}: possible are {QUERIES}", short(what))),
    })
}

fn position(words: &[&str]) -> Result<Command, String> {
    let at = words.iter().position(|word| *word == "moves");
    let (place, moves) = match at {
        Some(at) => (&words[..at], &words[at + 1..]),
        None => (words, &[][..]),
    };
    let text = match place {
        ["start" | "startpos"] => None,
        ["text" | "fen", fields @ ..] if !fields.is_empty() => Some(fields.join(" ")),
        _ => return Err("position takes startpos or text <position text>, then moves and actions".to_owned()),
    };
    Ok(Command::Position { text, moves: moves.iter().map(ToString::to_string).collect() })
}

fn setting(words: &[&str]) -> Result<Setting, String> {
    let usage = "setoption takes name <name> value <value>";
    let ["name", name, "value", value @ ..] = words else { return Err(usage.to_owned()) };
    let value = value.join(" ");
    let name_in_lower_case = name.to_ascii_lowercase();
    if name_in_lower_case == "tablebasepath" {
        let path = (!value.is_empty() && value != "<empty>").then(|| PathBuf::from(value));
        return Ok(Setting::TablebasePath(path));
    }
    if value.is_empty() {
        return Err(usage.to_owned());
    }
    match name_in_lower_case.as_str() {
        "game" => value.parse().map(Setting::Game).map_err(|bad: game::BadGame| bad.to_string()),
        "seed" => value.parse().map(Setting::Seed).map_err(|_| "Seed is a whole number from 0".to_owned()),
        "level" => value.parse().map(Setting::Level).map_err(|bad: search::NoSuchLevel| bad.to_string()),
        "hash" => match value.parse() {
            Ok(megabytes @ 1..=65_536) => Ok(Setting::Hash(megabytes)),
            _ => Err("Hash is a number of megabytes from 1 to 65536".to_owned()),
        },
        "threads" => match value.parse() {
            Ok(count @ 1..=MOST_THREADS) => Ok(Setting::Threads(count)),
            _ => Err(format!("Threads is a number from 1 to {MOST_THREADS}")),
        },
        "viewer" => viewer(&value).map(Setting::Viewer),
        "multipv" => match value.parse() {
            Ok(count @ 1..=MOST_LINES) => Ok(Setting::MultiPv(count)),
            _ => Err(format!("MultiPV is a number from 1 to {MOST_LINES}")),
        },
        "analyse" => match value.as_str() {
            "true" => Ok(Setting::Analyse(true)),
            "false" => Ok(Setting::Analyse(false)),
            _ => Err("Analyse is true or false".to_owned()),
        },
        _ => Err(format!("unknown option {:?}: possible are {OPTIONS}", short(name))),
    }
}

fn viewer(value: &str) -> Result<Option<Viewer>, String> {
    match value {
        "all" => Ok(None),
        "spectator" => Ok(Some(Viewer::Spectator)),
        _ => match value.parse::<Seat>() {
            Ok(seat) => Ok(Some(Viewer::Seat(seat))),
            Err(_) => Err("Viewer is all, spectator or a seat number".to_owned()),
        },
    }
}

fn go(words: &[&str]) -> Result<Go, String> {
    let usage =
        "go takes movetime MS, nodes N, depth D, p1time MS … p4time MS, p1inc MS … p4inc MS, movestogo N, or infinite";
    let mut go = Go::default();
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        if word == "infinite" {
            go.infinite = true;
            continue;
        }
        let mut number = || -> Result<u64, String> {
            let value = words.next().ok_or_else(|| format!("{word} needs a number; {usage}"))?;
            // A clock may have run out while the command was on its way.
            let is_negative = word.ends_with("time") && value.parse::<i64>().is_ok_and(|number| number < 0);
            if is_negative {
                return Ok(0);
            }
            value.parse().map_err(|_| format!("{word} needs a whole number, not {:?}", short(value)))
        };
        match word {
            "movetime" => go.movetime = Some(Duration::from_millis(number()?)),
            "nodes" => go.nodes = Some(number()?),
            "movestogo" => {
                let turns = number()?;
                go.moves_to_go = Some(u32::try_from(turns.max(1)).map_err(|_| "movestogo is too large".to_owned())?);
            }
            "depth" => go.depth = Some(u32::try_from(number()?).map_err(|_| "depth is too large".to_owned())?),
            _ => {
                let (seat, what) = clock_word(word).ok_or_else(|| format!("cannot read {:?}: {usage}", short(word)))?;
                let time = Duration::from_millis(number()?);
                match what {
                    "time" => go.clocks[seat].0 = Some(time),
                    _ => go.clocks[seat].1 = time,
                }
            }
        }
    }
    Ok(go)
}

/// Splits `p2time` or `p2inc` into the seat's index and the name of the value.
fn clock_word(word: &str) -> Option<(usize, &str)> {
    let (seat, what) = word.strip_prefix('p')?.split_at_checked(1)?;
    let seat: Seat = seat.parse().ok()?;
    matches!(what, "time" | "inc").then_some((seat.index(), what))
}

fn short(text: &str) -> String {
    text.chars().take(40).collect()
}
