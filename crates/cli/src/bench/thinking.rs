//! `fourfold bench search`: how fast the players think, and a signature that changes when they do.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use game::{AnyPosition, Game, GameId, Match, MatchSettings};
use locale::Language;
use search::{Level, Limits, Random};
use serde_json::json;

use crate::opening::quiet_action;

/// Games, and after how many random actions their players are asked.
fn questions() -> impl Iterator<Item = (Game, u32)> {
    let all = GameId::ALL.into_iter().flat_map(|id| id.bench_search().iter().map(move |question| (id, question)));
    all.filter_map(|(id, &(options, after))| Some((Game::with_options(id, options).ok()?, after)))
}

/// Nodes each question may take: enough for every player to get into its stride.
const NODES: u64 = 20_000;
const SEED: u64 = 11;

/// Asks every question once and prints a table, then the signature.
pub(super) fn run(l: Language, as_json: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let (thinks, after, nodes) = (l.bench_thinks(), l.bench_after(), l.bench_nodes());
    let (pace, depth, action) = (l.bench_pace(), l.bench_depth(), l.bench_action());
    if !as_json {
        writeln!(out, "{thinks:<24}{after:>8}{nodes:>10}{pace:>12}{depth:>8}  {action}")?;
    }
    let mut found = Vec::new();
    for (game, after) in questions() {
        let Some(positions) = played(&game, after, SEED) else { continue };
        let name = game.to_string();
        let (Some(last), began) = (positions.last(), Instant::now()) else { continue };
        let limits = Limits::nodes(NODES).with_seed(SEED).with_memory(64 << 20);
        let result = last.game().bot().choose(&positions, Level::HIGHEST, &limits);
        let seconds = began.elapsed().as_secs_f64();
        let Some(result) = result else { continue };
        let pace = result.nodes as f64 / seconds;
        let (nodes, depth, action) = (result.nodes, result.depth, &result.action);
        if as_json {
            let line = json!({ "game": name, "after": after, "nodes": nodes, "nodes_per_second": pace.round(),
                "depth": depth, "action": action });
            writeln!(out, "{line}")?;
        } else {
            writeln!(out, "{name:<24}{after:>8}{nodes:>10}{pace:>12.0}{depth:>8}  {action}")?;
        }
        found.extend(result.action.bytes().chain(result.nodes.to_le_bytes()));
    }
    let signature = format!("{:016x}", search::checksum(&found));
    if as_json {
        return writeln!(out, "{}", json!({ "signature": signature }));
    }
    writeln!(out, "Bench search: {signature}")
}

/// The positions of a game after so many random actions of seats, none of which ends it.
pub(super) fn played(game: &Game, after: u32, seed: u64) -> Option<Vec<Box<dyn AnyPosition>>> {
    let mut random = Random::new(seed);
    let mut game = Match::new(MatchSettings::new(game.clone())).ok()?;
    let mut left = after;
    loop {
        game.draw(&mut |n| random.below(n), Duration::ZERO).ok()?;
        if left == 0 {
            return Some(game.positions());
        }
        let action = quiet_action(&game, &mut random)?;
        game.play(&action, Duration::ZERO).ok()?;
        left -= 1;
    }
}
