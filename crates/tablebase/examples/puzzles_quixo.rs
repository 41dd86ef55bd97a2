//! Solves Quixo with depths on a graphics card and writes puzzles: positions in which one result alone is right, with
//! the line of best play and the value of every move at each of its plies.
//!
//! ```sh
//! cargo run --release -p tablebase --example puzzles_quixo -- FILE 8 1 TABLES
//! ```
//!
//! The numbers are how many thousand puzzles a theme may have at most, and the seed. If a folder is named, the tables of
//! values are written there too (27 GB), for a checker that shares no code with this program. It needs a card with 140 GB
//! and takes some minutes. The form of the file is described in docs/puzzles.md.

use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use search::Value;
use tablebase::{Board, Depths, Folder, Geometry, Gpu, Keep, Size, solve};

/// Games from which positions are taken, and how long each may be.
const GAMES: u32 = 1 << 17;
const MOST_PLIES: u32 = 60;
/// Positions examined at once, so that the questions fit into the card's memory beside the tables.
const BATCH: usize = 200_000;
/// A line that leads to no win ends after so many plies.
const MOST_DRAWN_PLIES: usize = 5;
/// A line of only moves ends here at the latest.
const MOST_ONLY_PLIES: usize = 9;

/// What the solver has to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Theme {
    /// The fastest win.
    Win,
    /// The only winning move, when the win is long.
    Only,
    /// The only move that holds the draw.
    Hold,
    /// The only right move, where every move that makes four in a line is wrong.
    Trap,
    /// The only right move, where many moves complete the opponent's row.
    Avoid,
}

impl Theme {
    fn name(self) -> &'static str {
        match self {
            Theme::Win => "win",
            Theme::Only => "only",
            Theme::Hold => "hold",
            Theme::Trap => "trap",
            Theme::Avoid => "avoid",
        }
    }
}

/// The moves of a position with their values for the side that moves.
type ValuedMoves = Vec<(usize, Value)>;

struct Step {
    values: Vec<(usize, Value)>,
    played: usize,
}

struct Puzzle {
    theme: Theme,
    plies: u32,
    start: (u32, u32),
    now: (u32, u32),
    steps: Vec<Step>,
}

enum Line {
    Continues,
    Complete,
    Rejected,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("missing argument: the file to write")?;
    let thousands: usize = arguments.next().ok_or("missing argument: thousands of puzzles")?.parse()?;
    let seed: u64 = arguments.next().ok_or("missing argument: the seed")?.parse()?;
    let began = Instant::now();
    let board = Board::new(Size::Five);
    if let Some(folder) = arguments.next() {
        let folder = Folder::open(Path::new(&folder), Size::Five, Depths::No)?;
        let mut gpu = Gpu::new(&board, Depths::No, Keep::Needed)?;
        solve(&board, &mut gpu, 0, Some(&folder), &mut |_, _| Ok(()))?;
        eprintln!("tables written, {:.1} s", began.elapsed().as_secs_f64());
    }
    let mut gpu = Gpu::new(&board, Depths::Yes, Keep::All)?;
    solve(&board, &mut gpu, 0, None, &mut |_, _| Ok(()))?;
    eprintln!("solved in {:.1} s", began.elapsed().as_secs_f64());
    let geometry = &board.geometry;
    let positions = distinct_positions(geometry, &gpu.play(GAMES, MOST_PLIES, seed)?);
    eprintln!("{} positions, {:.1} s", positions.len(), began.elapsed().as_secs_f64());
    let mut quotas = Quotas { most: thousands * 1000, taken: HashMap::new() };
    let mut text = String::from("fourfold-puzzles 2\n");
    let mut count = 0;
    for batch in positions.chunks(BATCH) {
        let puzzles = candidates(geometry, &gpu, batch)?;
        for puzzle in completed(geometry, &gpu, puzzles)? {
            if quotas.take(&puzzle) {
                write_puzzle(&mut text, geometry, &puzzle)?;
                count += 1;
            }
        }
    }
    std::fs::write(&file, text)?;
    for (bucket, taken) in &quotas.taken {
        eprintln!("{bucket:?}: {taken}");
    }
    eprintln!("{count} puzzles written, {:.1} s", began.elapsed().as_secs_f64());
    Ok(())
}

/// Spreads puzzles over themes and lengths.
struct Quotas {
    most: usize,
    taken: HashMap<(Theme, u32), usize>,
}

impl Quotas {
    fn take(&mut self, puzzle: &Puzzle) -> bool {
        let lengths = match puzzle.theme {
            Theme::Win => 7,
            Theme::Only => 30,
            Theme::Hold | Theme::Trap | Theme::Avoid => 20,
        };
        let taken = self.taken.entry((puzzle.theme, puzzle.plies)).or_default();
        *taken += 1;
        *taken <= self.most / lengths
    }
}

/// The positions of the games, one of each symmetry class.
fn distinct_positions(geometry: &Geometry, games: &[u8]) -> Vec<(u32, u32)> {
    let mut seen = HashSet::new();
    let mut positions = Vec::new();
    for game in games.split(|&byte| byte == 255) {
        let (mut own, mut other) = (0, 0);
        for byte in game {
            let forms = (0..8).map(|turn| (geometry.turned(own, turn), geometry.turned(other, turn)));
            if seen.insert(forms.min()) {
                positions.push((own, other));
            }
            (own, other) = geometry.after(own, other, usize::from(byte >> 2));
        }
    }
    positions
}

/// Every move of each position with its value for the side that moves.
fn valued_moves(
    geometry: &Geometry,
    gpu: &Gpu<'_>,
    positions: &[(u32, u32)],
) -> Result<Vec<ValuedMoves>, Box<dyn Error>> {
    let moves: Vec<Vec<usize>> = positions.iter().map(|&(_, other)| geometry.legal(other).collect()).collect();
    let asked: Vec<(u32, u32)> = positions
        .iter()
        .zip(&moves)
        .flat_map(|(&(own, other), moves)| moves.iter().map(move |&push| geometry.after(own, other, push)))
        .collect();
    let mut answers = gpu.ask(&asked)?.into_iter();
    let valued = |moves: Vec<usize>| {
        moves.into_iter().zip(&mut answers).map(|(push, next)| (push, (-next).add_plies(1))).collect()
    };
    Ok(moves.into_iter().map(valued).collect())
}

fn candidates(geometry: &Geometry, gpu: &Gpu<'_>, positions: &[(u32, u32)]) -> Result<Vec<Puzzle>, Box<dyn Error>> {
    let live: Vec<(u32, u32)> = positions
        .iter()
        .copied()
        .filter(|&(own, other)| !geometry.has_line(own) && !geometry.has_line(other))
        .collect();
    let mut puzzles = Vec::new();
    for (&start, moves) in live.iter().zip(valued_moves(geometry, gpu, &live)?) {
        if let Some((theme, plies)) = theme_of(geometry, start, &moves) {
            puzzles.push(Puzzle { theme, plies, start, now: start, steps: Vec::new() });
        }
    }
    Ok(puzzles)
}

/// What a position asks for, and how long it takes: the plies of the win, or those in which the most stubborn wrong move
/// is refuted.
fn theme_of(geometry: &Geometry, (own, other): (u32, u32), moves: &[(usize, Value)]) -> Option<(Theme, u32)> {
    let best = moves.iter().map(|&(_, value)| value).max()?;
    if moves.len() < 8 || matches!(best, Value::Loss(_)) {
        return None;
    }
    let unique = |fits: &dyn Fn(Value) -> bool| distinct_results(geometry, (own, other), moves, fits) == 1;
    let keeps = |value: Value| same_result(value, best);
    if let Value::Win(Some(plies)) = best
        && plies <= 13
        && unique(&|value| value == best)
    {
        return Some((Theme::Win, plies));
    }
    if !unique(&keeps) {
        return None;
    }
    let refuted = moves.iter().filter_map(|&(_, value)| match value {
        Value::Loss(plies) => plies,
        _ => None,
    });
    let plies = match best {
        Value::Win(plies) => plies?,
        _ => refuted.max()?,
    };
    let own_goals = moves.iter().filter(|&&(push, _)| geometry.has_line(geometry.after(own, other, push).0)).count();
    let tempting: Vec<Value> =
        moves.iter().filter(|&&(push, _)| makes_four(geometry, (own, other), push)).map(|&(_, value)| value).collect();
    let theme = if own_goals >= 4 {
        Theme::Avoid
    } else if !tempting.is_empty() && !tempting.iter().any(|&value| keeps(value)) {
        Theme::Trap
    } else if matches!(best, Value::Win(_)) {
        Theme::Only
    } else {
        Theme::Hold
    };
    Some((theme, plies))
}

fn same_result(a: Value, b: Value) -> bool {
    std::mem::discriminant(&a) == std::mem::discriminant(&b)
}

fn distinct_results(
    geometry: &Geometry,
    (own, other): (u32, u32),
    moves: &[(usize, Value)],
    fits: &dyn Fn(Value) -> bool,
) -> usize {
    let fitting = moves.iter().filter(|&&(_, value)| fits(value));
    fitting.map(|&(push, _)| geometry.after(own, other, push)).collect::<HashSet<_>>().len()
}

fn makes_four(geometry: &Geometry, (own, other): (u32, u32), push: usize) -> bool {
    let (opponent, mine) = geometry.after(own, other, push);
    let four = |line: &u32| (line & mine).count_ones() == 4 && line & opponent == 0;
    !geometry.has_line(opponent) && geometry.lines.iter().any(four)
}

/// Plays all puzzles on at once, a ply at a time, until their lines end.
fn completed(geometry: &Geometry, gpu: &Gpu<'_>, mut open: Vec<Puzzle>) -> Result<Vec<Puzzle>, Box<dyn Error>> {
    let mut complete = Vec::new();
    while !open.is_empty() {
        let positions: Vec<(u32, u32)> = open.iter().map(|puzzle| puzzle.now).collect();
        let valued = valued_moves(geometry, gpu, &positions)?;
        let mut still_open = Vec::new();
        for (mut puzzle, moves) in open.into_iter().zip(valued) {
            match extend(geometry, &mut puzzle, moves) {
                Line::Continues => still_open.push(puzzle),
                Line::Complete => complete.push(puzzle),
                Line::Rejected => {}
            }
        }
        open = still_open;
    }
    Ok(complete)
}

fn extend(geometry: &Geometry, puzzle: &mut Puzzle, moves: Vec<(usize, Value)>) -> Line {
    let best = moves.iter().copied().max_by_key(|&(_, value)| value);
    let Some((mut played, value)) = best else { return Line::Rejected };
    let solver_moves = puzzle.steps.len().is_multiple_of(2);
    if solver_moves {
        let fits: &dyn Fn(Value) -> bool = match puzzle.theme {
            Theme::Win => &|other| other == value,
            _ => &|other| same_result(other, value),
        };
        let finishes = value == Value::Win(Some(1));
        if !finishes && distinct_results(geometry, puzzle.now, &moves, fits) != 1 {
            if puzzle.theme == Theme::Win || puzzle.steps.is_empty() {
                return Line::Rejected;
            }
            // The forced part is over: the reply that led here is no longer part of the puzzle.
            puzzle.steps.pop();
            return Line::Complete;
        }
    } else if let Value::Draw = value {
        // Any reply draws: the one that leaves the solver the most to choose from teaches least, so a fixed one of the
        // others is played.
        let drawn: Vec<usize> =
            moves.iter().filter(|&&(_, other)| other == Value::Draw).map(|&(push, _)| push).collect();
        played = drawn[(puzzle.start.0 as usize ^ puzzle.start.1 as usize) % drawn.len()];
    }
    let next = geometry.after(puzzle.now.0, puzzle.now.1, played);
    puzzle.steps.push(Step { values: moves, played });
    puzzle.now = next;
    let limit = match puzzle.theme {
        Theme::Win => usize::MAX,
        _ if matches!(value, Value::Draw) => MOST_DRAWN_PLIES,
        _ => MOST_ONLY_PLIES,
    };
    let over = geometry.has_line(next.0) || geometry.has_line(next.1);
    if over || (puzzle.steps.len() >= limit && solver_moves) { Line::Complete } else { Line::Continues }
}

/// A line of a set: docs/puzzles.md.
fn write_puzzle(text: &mut String, geometry: &Geometry, puzzle: &Puzzle) -> std::fmt::Result {
    write!(text, "quixo {} {} | {} |", puzzle.theme.name(), puzzle.plies, position_text(geometry, puzzle.start))?;
    for step in &puzzle.steps {
        write!(text, " {}:", geometry.action_text(step.played))?;
        let mut named: Vec<(String, Value)> =
            step.values.iter().map(|&(push, value)| (geometry.action_text(push), value)).collect();
        named.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        for (index, (_, value)) in named.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            match value {
                Value::Win(plies) => write!(text, "{comma}{}", plies.unwrap_or(0))?,
                Value::Draw | Value::Estimate(_) => write!(text, "{comma}0")?,
                Value::Loss(plies) => write!(text, "{comma}-{}", plies.unwrap_or(0))?,
            }
        }
    }
    text.push('\n');
    Ok(())
}

/// The solver plays x and is seat 1.
fn position_text(geometry: &Geometry, (own, other): (u32, u32)) -> String {
    let side = usize::from(geometry.size.side());
    let cell = |cell: usize| match (own >> cell & 1, other >> cell & 1) {
        (1, _) => 'x',
        (_, 1) => 'o',
        _ => '.',
    };
    let ranks: Vec<String> =
        (0..side).rev().map(|row| (0..side).map(|column| cell(row * side + column)).collect()).collect();
    format!("{} 1", ranks.join("/"))
}
