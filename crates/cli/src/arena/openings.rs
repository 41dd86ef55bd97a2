//! Openings from a file: positions, lists of actions, or the beginnings of recorded games.

use std::fs;
use std::path::Path;

use game::{Event, Game, Record};
use locale::Language;
use rules::Turn;

use crate::value::WrongUse;

/// Where a game begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Opening {
    /// The position text, if not the usual start.
    pub(super) start: Option<String>,
    pub(super) actions: Vec<String>,
}

/// Reads a file of openings; of recorded games the first `plies` actions are taken, or all.
pub(super) fn read(path: &Path, game: &Game, plies: Option<u32>, l: Language) -> Result<Vec<Opening>, WrongUse> {
    let unreadable = |problem: String| WrongUse(l.error_file_unreadable(path.display(), problem));
    let text = fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
    let openings = if text.trim_start().starts_with('[') {
        of_records(&text, game, plies).map_err(unreadable)?
    } else {
        let lines = (1..).zip(text.lines().map(str::trim));
        let wanted = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let read = wanted.map(|(number, line)| of_line(line, game).map_err(|bad| format!("{number}: {bad}")));
        read.collect::<Result<Vec<Opening>, String>>().map_err(unreadable)?
    };
    match openings.is_empty() {
        true => Err(WrongUse(l.error_file_empty(path.display()))),
        false => Ok(openings),
    }
}

fn of_records(text: &str, game: &Game, plies: Option<u32>) -> Result<Vec<Opening>, String> {
    let records = Record::read_all(text).map_err(|error| error.to_string())?;
    let mut openings = Vec::new();
    for record in records {
        if record.settings().game != *game {
            return Err(format!("{} is not {game}", record.settings().game));
        }
        let actions = record.entries().iter().filter_map(|entry| match &entry.event {
            Event::Action(action) => Some(action.to_string()),
            _ => None,
        });
        let actions = actions.take(plies.map_or(usize::MAX, |plies| plies as usize)).collect();
        openings.push(checked(Opening { start: record.settings().start.clone(), actions }, game)?);
    }
    Ok(openings)
}

/// A position text, or actions from the usual start.
fn of_line(line: &str, game: &Game) -> Result<Opening, String> {
    let position = game.parse_position(line);
    let actions: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let readable = |action: &String| game.start().read(action).is_ok();
    match position {
        Ok(_) => checked(Opening { start: Some(line.to_owned()), actions: Vec::new() }, game),
        Err(_) if actions.iter().all(readable) => checked(Opening { start: None, actions }, game),
        Err(bad) => Err(bad.to_string()),
    }
}

/// An opening whose actions are legal and which leaves something to play.
fn checked(opening: Opening, game: &Game) -> Result<Opening, String> {
    let mut position = match &opening.start {
        Some(text) => game.parse_position(text).map_err(|bad| bad.to_string())?,
        None => game.start(),
    };
    for action in &opening.actions {
        position.play(action).map_err(|refused| refused.to_string())?;
    }
    match position.turn() {
        Turn::Over(_) => Err("the game is over after it".to_owned()),
        _ => Ok(opening),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_actions_positions_or_records() {
        let game: Game = "quixo".parse().unwrap();
        let moves = of_line("a3e3 a2e2", &game).unwrap();
        assert_eq!((moves.start, moves.actions.len()), (None, 2));
        let text = "...../...../....x/...../..... 2";
        assert_eq!(of_line(text, &game).unwrap().start.as_deref(), Some(text));
        assert!(of_line("a3e3 a3a3", &game).unwrap_err().starts_with("a3a3 is not allowed"));
        assert!(of_line("xxxxx/ooo../...../...../..... 2", &game).unwrap_err().contains("over"));
        assert!(of_line("nonsense", &game).is_err());
        let record = "[Game \"quixo\"]\n\n1. a3e3 2. a2e2 3. a1e1\n";
        assert_eq!(of_records(record, &game, Some(2)).unwrap()[0].actions, ["a3e3", "a2e2"]);
        assert!(of_records("[Game \"quarto\"]\n\n7\n", &game, None).is_err());
    }
}
