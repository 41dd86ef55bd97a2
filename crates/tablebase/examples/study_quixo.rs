//! Solves Quixo with depths on a graphics card, keeps all tables there, and writes down what they teach: the longest
//! win, positions in which one move alone keeps the value, positions with the value of every move, and games to learn
//! from.
//!
//! ```sh
//! cargo run --release -p tablebase --example study_quixo -- DIR 1
//! ```
//!
//! The number is the seed. It needs a card with 140 GB and takes some minutes. The files are described in
//! docs/solved-quixo.md.

use std::collections::HashSet;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use search::Value;
use tablebase::{Board, Counts, Depths, Geometry, Gpu, Keep, Mover, Pair, Size, solve};

/// Games in a file of games, and how many files.
const GAMES: u32 = 1 << 20;
const FILES: u64 = 12;
const MOST_PLIES: u32 = 60;
/// Exercises of a kind and a number of plies.
const EACH: usize = 150;
/// Positions with the value of every move, for each kind of game.
const LABELLED: usize = 4000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("the folder to write to is missing")?;
    let seed: u64 = arguments.next().ok_or("the seed is missing")?.parse()?;
    let folder = Path::new(&folder);
    let began = Instant::now();
    let board = Board::new(Size::Five);
    let mut gpu = Gpu::new(&board, Depths::Yes, Keep::All)?;
    let counts = solve(&board, &mut gpu, 0, None, &mut |_, _| Ok(()))?;
    println!("solved in {:.1} s", began.elapsed().as_secs_f64());
    std::fs::write(folder.join("longest.txt"), longest_win(&board, &gpu, &counts)?)?;
    println!("longest win written, {:.1} s", began.elapsed().as_secs_f64());
    for file in 0..FILES {
        let games = gpu.play(GAMES, MOST_PLIES, seed.wrapping_add(file * 1_000_003))?;
        std::fs::write(folder.join(format!("games-{file}.bin")), &games)?;
    }
    println!("games written, {:.1} s", began.elapsed().as_secs_f64());
    let positions = positions(&board.geometry, &gpu.play(1 << 16, MOST_PLIES, seed ^ 0x5eed)?);
    let studied = study(&board.geometry, &gpu, &positions)?;
    std::fs::write(folder.join("exercises.txt"), exercises(&board.geometry, &gpu, &studied)?)?;
    std::fs::write(folder.join("labelled.txt"), labelled(&board.geometry, &studied))?;
    println!("{} positions studied, {:.1} s", studied.len(), began.elapsed().as_secs_f64());
    Ok(())
}

/// A position of a game: the cubes, the ply, and the kind of game, of eight.
#[derive(Clone, Copy)]
struct Played {
    own: u32,
    other: u32,
    ply: usize,
    kind: usize,
}

/// A position with its value and what each push leads to, for the side that moves.
struct Studied {
    played: Played,
    value: Value,
    moves: Vec<(usize, Value)>,
}

fn positions(geometry: &Geometry, games: &[u8]) -> Vec<Played> {
    let mut all = Vec::new();
    for (game, line) in games.split(|&byte| byte == 255).enumerate() {
        let (mut own, mut other) = (0, 0);
        for (ply, byte) in line.iter().enumerate() {
            all.push(Played { own, other, ply, kind: game % 8 });
            (own, other) = geometry.after(own, other, usize::from(byte >> 2));
        }
    }
    all
}

fn after_each(geometry: &Geometry, own: u32, other: u32) -> Vec<(usize, (u32, u32))> {
    geometry.legal(other).map(|push| (push, geometry.after(own, other, push))).collect()
}

/// Positions that stand alone up to symmetry, with the value of every move.
fn study(geometry: &Geometry, gpu: &Gpu<'_>, positions: &[Played]) -> Result<Vec<Studied>, Box<dyn Error>> {
    let mut seen = HashSet::new();
    let fresh: Vec<Played> = positions
        .iter()
        .filter(|played| {
            let forms = (0..8).map(|turn| (geometry.turned(played.own, turn), geometry.turned(played.other, turn)));
            seen.insert(forms.min())
        })
        .copied()
        .collect();
    let moves: Vec<Vec<_>> = fresh.iter().map(|played| after_each(geometry, played.own, played.other)).collect();
    let asked: Vec<(u32, u32)> = moves.iter().flatten().map(|&(_, next)| next).collect();
    let mut answers = gpu.ask(&asked)?.into_iter();
    let mut studied = Vec::new();
    for (played, moves) in fresh.into_iter().zip(moves) {
        let moves: Vec<(usize, Value)> =
            moves.into_iter().zip(&mut answers).map(|((push, _), value)| (push, -value.add_plies(1))).collect();
        let value = moves.iter().map(|&(_, value)| value).max().unwrap_or(Value::Draw);
        studied.push(Studied { played, value, moves });
    }
    Ok(studied)
}

/// 2 won, 1 drawn, 0 lost.
fn points(value: Value) -> u8 {
    match value {
        Value::Win(_) => 2,
        Value::Draw | Value::Estimate(_) => 1,
        Value::Loss(_) => 0,
    }
}

/// Lines as `search::bots::quixo::oracle` reads them, where some move is a mistake.
fn labelled(geometry: &Geometry, studied: &[Studied]) -> String {
    let mut text = String::new();
    let mut left = [LABELLED; 8];
    for position in studied {
        let value = points(position.value);
        let left = &mut left[position.played.kind];
        if *left == 0 || position.moves.iter().all(|&(_, other)| points(other) == value) {
            continue;
        }
        *left -= 1;
        let Played { own, other, ply, .. } = position.played;
        let _ = write!(text, "{own:x} {other:x} {ply} {value}");
        for &(push, value) in &position.moves {
            let _ = write!(text, " {}={}", geometry.action_text(push), points(value));
        }
        text.push('\n');
    }
    text
}

/// Positions in which one result alone keeps the value: the cubes, what is to be reached and in how many plies, the
/// moves that reach it, and the best line.
fn exercises(geometry: &Geometry, gpu: &Gpu<'_>, studied: &[Studied]) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    let mut taken: std::collections::HashMap<(u8, u32), usize> = std::collections::HashMap::new();
    for position in studied {
        let value = points(position.value);
        let keeping: Vec<usize> =
            position.moves.iter().filter(|&&(_, other)| points(other) == value).map(|&(push, _)| push).collect();
        let Played { own, other, .. } = position.played;
        let results: HashSet<(u32, u32)> = keeping.iter().map(|&push| geometry.after(own, other, push)).collect();
        // For a draw, how soon the soonest of the other moves would be punished says how hard it is to see.
        let punished = position.moves.iter().filter_map(|&(_, value)| match value {
            Value::Loss(plies) => plies,
            _ => None,
        });
        let plies = match position.value {
            Value::Win(plies) => plies.unwrap_or(0),
            Value::Draw => punished.max().unwrap_or(0),
            Value::Loss(_) | Value::Estimate(_) => continue,
        };
        if results.len() != 1 || plies < 3 || position.moves.len() < 12 {
            continue;
        }
        let taken = taken.entry((value, plies)).or_default();
        if *taken == EACH {
            continue;
        }
        *taken += 1;
        let line = if value == 2 { best_line(geometry, gpu, own, other)? } else { Vec::new() };
        let names =
            |pushes: &[usize]| pushes.iter().map(|&push| geometry.action_text(push)).collect::<Vec<_>>().join(" ");
        let kind = if value == 2 { "win" } else { "draw" };
        let _ = writeln!(text, "{own:x} {other:x} {kind} {plies} | {} | {}", names(&keeping), names(&line));
    }
    Ok(text)
}

/// Best play to the end: the soonest win, the latest loss.
fn best_line(geometry: &Geometry, gpu: &Gpu<'_>, own: u32, other: u32) -> Result<Vec<usize>, Box<dyn Error>> {
    let (mut own, mut other) = (own, other);
    let mut line = Vec::new();
    while !geometry.has_line(own) && !geometry.has_line(other) && line.len() < 256 {
        let moves = after_each(geometry, own, other);
        let asked: Vec<(u32, u32)> = moves.iter().map(|&(_, next)| next).collect();
        let answers = gpu.ask(&asked)?;
        let best = moves.into_iter().zip(answers).max_by_key(|&(_, value)| -value.add_plies(1));
        let Some(((push, next), _)) = best else { break };
        line.push(push);
        (own, other) = next;
    }
    Ok(line)
}

/// A position of the longest win, with its line.
fn longest_win(board: &Board, gpu: &Gpu<'_>, counts: &[Counts]) -> Result<String, Box<dyn Error>> {
    let longest = (0..256).rev().find(|&plies| counts.iter().any(|class| class.won_in[plies] > 0)).unwrap_or(0);
    let mut text = String::new();
    for class in counts.iter().filter(|class| class.won_in[longest] > 0) {
        let pair = Pair { few: class.own.min(class.other), many: class.own.max(class.other) };
        let mover = if class.own < class.other { Mover::Few } else { Mover::Many };
        let _ =
            writeln!(text, "{} positions ({}, {}) are won in {longest}", class.won_in[longest], class.own, class.other);
        if let Some((own, other)) = gpu.find_won(pair, mover, longest as u32)? {
            let line = best_line(&board.geometry, gpu, own, other)?;
            let names: Vec<String> = line.iter().map(|&push| board.geometry.action_text(push)).collect();
            let _ = writeln!(text, "{own:x} {other:x}: {}", names.join(" "));
        }
    }
    Ok(text)
}
