//! `fourfold solve`: the value of a whole game, proved.

mod opening;
mod quixo;

use std::error::Error;
use std::io::{IsTerminal, Write};
use std::time::Instant;

use clap::Args;
use game::{Game, GameId};
use locale::Language;
use rules::quarto::QuartoOptions;
use search::bots::quarto;
use search::{Limits, Value};
use serde_json::json;

use crate::json::value as value_json;
use crate::value::WrongUse;

/// Arguments of `fourfold solve`.
#[derive(Debug, Args)]
pub struct SolveArguments {
    /// The game: `quixo`, or Quarto with any options such as `quarto` or `quarto(attributes=colour,squares=yes)`.
    #[arg(value_name = "GAME")]
    game: Game,
    /// Megabytes for the table; a smaller one is slower, never wrong.
    #[arg(long, default_value_t = 512, value_name = "MB", value_parser = crate::value::megabytes)]
    hash: u32,
    /// Print the result as one JSON object.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    quixo: quixo::QuixoArguments,
}

/// Solves the game and prints its value, with what it took.
pub fn run(arguments: &SolveArguments, language: Language) -> Result<(), Box<dyn Error>> {
    if arguments.game.to_string() == "quixo" {
        return quixo::run(&arguments.quixo, arguments.json, language);
    }
    if arguments.game.id() != GameId::Quarto {
        return Err(WrongUse(language.solve_only(&arguments.game)).into());
    }
    let text = arguments.game.to_string();
    let options = text.split_once('(').map_or("", |(_, options)| options.trim_end_matches(')'));
    let options: QuartoOptions = options.parse()?;
    let began = Instant::now();
    let limits = Limits::unlimited().with_memory((arguments.hash as usize) << 20);
    let mut shown = began;
    let solution = quarto::solve(&options, &limits, &mut |done, nodes| {
        if shown.elapsed().as_millis() > 200 {
            shown = Instant::now();
            progress(done, nodes, began, language);
        }
    })?;
    if std::io::stderr().is_terminal() {
        eprintln!();
    }
    let seconds = began.elapsed().as_secs_f64();
    if arguments.json {
        let (value, nodes, bytes) = (value_json(solution.value), solution.nodes, solution.table_bytes);
        let told = json!({ "game": text, "value": value, "nodes": nodes, "seconds": seconds, "table_bytes": bytes });
        return Ok(writeln!(std::io::stdout(), "{told}")?);
    }
    let value = match solution.value {
        Value::Draw => language.solve_draw(text),
        Value::Win(Some(actions)) => language.solve_won(text, actions),
        Value::Loss(Some(actions)) => language.solve_lost(text, actions),
        Value::Win(None) | Value::Loss(None) | Value::Estimate(_) => language.solve_open(text),
    };
    let effort = language.solve_effort(
        solution.nodes,
        format!("{seconds:.1}"),
        format!("{:.1}", solution.nodes as f64 / seconds / 1e6),
        solution.table_bytes >> 20,
        arguments.hash,
    );
    writeln!(std::io::stdout(), "{value}\n{effort}")?;
    Ok(())
}

fn progress(done: f64, nodes: u64, began: Instant, language: Language) {
    let mut out = std::io::stderr();
    if out.is_terminal() {
        let bar = "█".repeat((done * 30.0) as usize);
        let seconds = began.elapsed().as_secs();
        let told = language.solve_progress(format!("{:.0}", 100.0 * done), nodes / 1_000_000, seconds);
        let _ = write!(out, "\r{bar:░<30} {told}   ");
    }
}
