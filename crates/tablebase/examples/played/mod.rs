//! Positions of games with exact values, which both programs that ask a graphics card write down.

use std::collections::HashSet;
use std::error::Error;
use std::fmt::Write;

use search::Value;
use tablebase::{Geometry, Gpu};

/// Plies of a game at most.
pub(crate) const MOST_PLIES: u32 = 60;

/// A position of a game: the cubes, the ply, and the kind of game, of eight.
#[derive(Clone, Copy)]
pub(crate) struct Played {
    pub(crate) own: u32,
    pub(crate) other: u32,
    pub(crate) ply: usize,
    pub(crate) kind: usize,
}

/// A position with its value and what each push leads to, for the side that moves.
pub(crate) struct Studied {
    pub(crate) played: Played,
    pub(crate) value: Value,
    pub(crate) moves: Vec<(usize, Value)>,
}

/// The positions of games as the card plays them.
pub(crate) fn positions(geometry: &Geometry, games: &[u8]) -> Vec<Played> {
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

/// Every legal push and the position after it.
pub(crate) fn after_each(geometry: &Geometry, own: u32, other: u32) -> Vec<(usize, (u32, u32))> {
    geometry.legal(other).map(|push| (push, geometry.after(own, other, push))).collect()
}

/// Positions that stand alone up to symmetry, with the value of every move.
pub(crate) fn study(geometry: &Geometry, gpu: &Gpu<'_>, positions: &[Played]) -> Result<Vec<Studied>, Box<dyn Error>> {
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
pub(crate) fn points(value: Value) -> u8 {
    match value {
        Value::Win(_) => 2,
        Value::Draw | Value::Estimate(_) => 1,
        Value::Loss(_) => 0,
    }
}

/// Lines as `search::bots::quixo::oracle` reads them, where some move is a mistake: so many for each kind of game.
pub(crate) fn labelled(geometry: &Geometry, studied: &[Studied], each: usize) -> String {
    let mut text = String::new();
    let mut left = [each; 8];
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
