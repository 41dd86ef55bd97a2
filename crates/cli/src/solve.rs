//! `fourfold solve`: the value of a whole game, proved.

use std::error::Error;
use std::io::{IsTerminal, Write};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use clap::Args;
use rules::quarto::QuartoOptions;
use search::bots::quarto;
use search::{Limits, Value};
use table::{Game, GameId};

/// Arguments of `fourfold solve`.
#[derive(Debug, Args)]
pub struct SolveArguments {
    /// The game, such as `quarto` or `quarto(attributes=colour,squares=yes)`.
    #[arg(value_name = "GAME")]
    game: Game,
    /// Megabytes for the table; a smaller one is slower, never wrong.
    #[arg(long, default_value_t = 512, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
}

/// Solves the game and prints its value, with what it took.
pub fn run(arguments: &SolveArguments) -> Result<(), Box<dyn Error>> {
    if arguments.game.id() != GameId::Quarto {
        return Err(format!("{} cannot be solved here: possible is quarto with any options", arguments.game).into());
    }
    let text = arguments.game.to_string();
    let options = text.split_once('(').map_or("", |(_, options)| options.trim_end_matches(')'));
    let options: QuartoOptions = options.parse()?;
    let began = Instant::now();
    let now = || began.elapsed();
    let stop = AtomicBool::new(false);
    let limits = Limits {
        now: &now,
        deadline: None,
        nodes: None,
        depth: None,
        stop: &stop,
        seed: 0,
        memory: (arguments.hash as usize) << 20,
    };
    let mut shown = began;
    let solution = quarto::solve(&options, &limits, &mut |done, nodes| {
        if shown.elapsed().as_millis() > 200 {
            shown = Instant::now();
            progress(done, nodes, began);
        }
    })?;
    if std::io::stderr().is_terminal() {
        eprintln!();
    }
    let seconds = began.elapsed().as_secs_f64();
    let value = match solution.value {
        Value::Draw => "a draw".to_owned(),
        Value::Win(actions) => format!("won for the seat that begins, in {actions} actions at most"),
        Value::Loss(actions) => format!("lost for the seat that begins, in {actions} actions at most"),
        Value::Estimate(_) => "not proved".to_owned(),
    };
    println!("{text}: {value}");
    println!(
        "{} nodes in {seconds:.1} s ({:.1} million a second), table {} MB of {} allowed",
        solution.nodes,
        solution.nodes as f64 / seconds / 1e6,
        solution.table_bytes >> 20,
        arguments.hash,
    );
    Ok(())
}

fn progress(done: f64, nodes: u64, began: Instant) {
    let mut out = std::io::stderr();
    if out.is_terminal() {
        let bar = "█".repeat((done * 30.0) as usize);
        let seconds = began.elapsed().as_secs();
        let _ = write!(out, "\r{bar:░<30} {:.0} %  {} million nodes  {seconds} s   ", 100.0 * done, nodes / 1_000_000);
    }
}
