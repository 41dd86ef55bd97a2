//! `fourfold analyse`: what every action is worth, and where a game was lost.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use clap::Args;
use rules::Turn;
use search::{Limits, Scored, Thought, Value};
use table::{AnyBrain, AnyPosition, Event, Game, Match, Record};

/// Arguments of `fourfold analyse`.
#[derive(Debug, Args)]
pub struct AnalyseArguments {
    /// A record file, or a position text of the game named by --game.
    #[arg(value_name = "FILE|POSITION")]
    what: String,
    /// The game, if a position is given; without it Quarto.
    #[arg(long, value_name = "GAME", default_value = "quarto")]
    game: Game,
    /// Milliseconds for each position.
    #[arg(long, default_value_t = 1000, value_name = "MS")]
    time: u64,
    /// Megabytes for tables.
    #[arg(long, default_value_t = 256, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
}

/// Analyses a position, or every game of a file.
pub fn run(arguments: &AnalyseArguments) -> Result<(), Box<dyn Error>> {
    if Path::new(&arguments.what).exists() {
        let text = fs::read_to_string(&arguments.what).map_err(|problem| format!("{}: {problem}", arguments.what))?;
        let records = Record::read_all(&text).map_err(|problem| format!("{}: {problem}", arguments.what))?;
        for record in &records {
            let game = record.replay().map_err(|problem| format!("{}: {problem}", arguments.what))?;
            whole_game(arguments, &game);
        }
        return Ok(());
    }
    let position = arguments.game.parse_position(&arguments.what).map_err(|bad| {
        format!("there is no file {:?}, and it is no position of {}: {bad}", arguments.what, arguments.game)
    })?;
    match position.turn() {
        Turn::Over(_) => return Err("the game is over in this position: there is nothing to choose".into()),
        Turn::Chance => return Err("chance is to act in this position: play its action first".into()),
        Turn::Seat(seat) => println!("{}, seat {seat} to act", arguments.game),
    }
    let mut brain = arguments.game.brain();
    match think(brain.as_mut(), &[position], arguments) {
        Some(thought) => print_actions(&thought),
        None => return Err("no seat is to act".into()),
    }
    Ok(())
}

fn print_actions(thought: &Thought<String>) {
    for Scored { action, value } in &thought.scored {
        println!("{action:<12} {}", words(*value));
    }
    println!("best: {} ({} nodes)", thought.line.join(" "), thought.nodes);
}

fn think(
    brain: &mut dyn AnyBrain,
    positions: &[Box<dyn AnyPosition>],
    arguments: &AnalyseArguments,
) -> Option<Thought<String>> {
    let began = Instant::now();
    let now = || began.elapsed();
    let limits = Limits {
        now: &now,
        deadline: Some(Duration::from_millis(arguments.time)),
        nodes: None,
        depth: None,
        stop: &AtomicBool::new(false),
        seed: 1,
        memory: (arguments.hash as usize) << 20,
    };
    brain.analyse(positions, &limits)
}

/// Goes through a game and names the actions that lost something.
fn whole_game(arguments: &AnalyseArguments, game: &Match) {
    println!("{}, {} actions", game.setup().game, game.log().len());
    let positions = game.positions();
    let mut brain = game.setup().game.brain();
    let actions = game.log().iter().filter_map(|entry| match &entry.event {
        Event::Action(action) => Some(action),
        _ => None,
    });
    let mut mistakes = 0;
    for (number, action) in actions.enumerate() {
        let Some(Turn::Seat(seat)) = positions.get(number).map(|position| position.turn()) else { continue };
        let Some(thought) = think(brain.as_mut(), &positions[..=number], arguments) else { continue };
        let Some(played) = thought.scored.iter().find(|scored| *scored.action == **action) else { continue };
        if let Some(loss) = mistake(thought.value, played.value) {
            mistakes += 1;
            println!("action {}, seat {seat}: {action} {loss}; better: {}", number + 1, thought.line.join(" "));
        }
    }
    if mistakes == 0 {
        println!("no mistakes found");
    }
}

/// What an action gave away, if it did: exact values are compared exactly, estimates only when they differ much.
fn mistake(best: Value, played: Value) -> Option<&'static str> {
    match (best, played) {
        (Value::Win(_), Value::Draw) => Some("gave away a win for a draw"),
        (Value::Win(_), Value::Loss(_)) => Some("turned a win into a loss"),
        (Value::Draw, Value::Loss(_)) => Some("gave away a draw"),
        (best, played) if best.is_exact() && played.is_exact() => None,
        (Value::Win(_), played) if played.score() < 0.6 => Some("missed a win"),
        (best, Value::Loss(_)) if best.score() > 0.4 => Some("loses by force"),
        (best, played) if best.score() - played.score() > 0.25 => Some("looks like a mistake"),
        _ => None,
    }
}

fn words(value: Value) -> String {
    match value {
        Value::Win(1) => "wins at once".to_owned(),
        Value::Win(actions) => format!("wins in {actions} actions"),
        Value::Draw => "draw".to_owned(),
        Value::Loss(actions) => format!("loses in {actions} actions"),
        Value::Estimate(score) => format!("about {:.0} % (estimate)", 100.0 * score),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_loses_value_is_a_mistake() {
        assert_eq!(mistake(Value::Draw, Value::Draw), None);
        assert_eq!(mistake(Value::Win(3), Value::Win(9)), None);
        assert_eq!(mistake(Value::Draw, Value::Loss(4)), Some("gave away a draw"));
        assert_eq!(mistake(Value::Estimate(0.6), Value::Estimate(0.5)), None);
        assert!(mistake(Value::Estimate(0.8), Value::Estimate(0.4)).is_some());
    }
}
