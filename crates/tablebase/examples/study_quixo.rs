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

mod played;

use std::collections::HashSet;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use search::Value;
use tablebase::{Board, Counts, Depths, Geometry, Gpu, Keep, Mover, Pair, Size, solve};

use played::{MOST_PLIES, Played, Studied, after_each, labelled, points, positions, study};

/// Games in a file of games, and how many files.
const GAMES: u32 = 1 << 20;
const FILES: u64 = 12;
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
    std::fs::write(folder.join("labelled.txt"), labelled(&board.geometry, &studied, LABELLED))?;
    println!("{} positions studied, {:.1} s", studied.len(), began.elapsed().as_secs_f64());
    Ok(())
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
