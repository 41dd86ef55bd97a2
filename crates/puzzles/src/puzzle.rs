use std::collections::HashSet;
use std::fmt;

use game::{AnyPosition, BadGame, Game};
use rules::{Turn, excerpt};
use search::Value;

use crate::{NoSuchTheme, Theme};

/// A position, what is asked, and the solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The game and its options.
    pub game: Game,
    /// What the solver has to find.
    pub theme: Theme,
    /// The length of the win, or of the longest refutation of a wrong move.
    pub plies: u32,
    /// The position's text; the seat to act is the solver's.
    pub start: String,
    /// The solution, ply by ply; the solver's are the first, third, fifth…
    pub steps: Vec<Step>,
}

/// One ply of a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The action of the solution.
    pub played: String,
    /// Every legal action in alphabetical order, with its value for the seat that acts.
    pub values: Vec<(String, Value)>,
}

/// Why a line is no puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadPuzzle {
    /// Not of the form `game theme plies | position | steps`.
    Malformed,
    /// No such game.
    Game(BadGame),
    /// No such theme.
    Theme(NoSuchTheme),
    /// The text is no position of the game, or the game is over in it.
    Position(String),
    /// A ply that does not fit the position before it.
    Ply {
        /// Counted from 1.
        ply: usize,
        /// What is wrong with it.
        problem: String,
    },
}

impl Puzzle {
    /// Reads a line of a set and checks everything that the rules can check.
    ///
    /// That the values are right is for [`crate::prove`] and for the checker of the tables.
    pub fn read(line: &str) -> Result<Puzzle, BadPuzzle> {
        let [head, start, steps] = line.split(" | ").collect::<Vec<_>>()[..] else { return Err(BadPuzzle::Malformed) };
        let [game, theme, plies] = head.split(' ').collect::<Vec<_>>()[..] else { return Err(BadPuzzle::Malformed) };
        let game: Game = game.parse().map_err(BadPuzzle::Game)?;
        let theme: Theme = theme.parse().map_err(BadPuzzle::Theme)?;
        let plies = plies.parse().map_err(|_| BadPuzzle::Malformed)?;
        let position = game.parse_position(start).map_err(|bad| BadPuzzle::Position(bad.to_string()))?;
        let steps = read_steps(theme, plies, position, steps)?;
        Ok(Puzzle { game, theme, plies, start: start.to_owned(), steps })
    }

    /// The actions that are right at a ply of the solution: all that reach what the theme asks for.
    pub fn right_actions(&self, ply: usize) -> Vec<&str> {
        self.steps.get(ply).map(|step| right(self.theme, step)).unwrap_or_default()
    }
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {} | {} |", self.game, self.theme, self.plies, self.start)?;
        for step in &self.steps {
            write!(f, " {}:", step.played)?;
            for (index, (_, value)) in step.values.iter().enumerate() {
                let comma = if index == 0 { "" } else { "," };
                write!(f, "{comma}{}", number(*value))?;
            }
        }
        Ok(())
    }
}

fn read_steps(
    theme: Theme,
    plies: u32,
    mut position: Box<dyn AnyPosition>,
    text: &str,
) -> Result<Vec<Step>, BadPuzzle> {
    let mut steps: Vec<Step> = Vec::new();
    for (index, word) in text.split(' ').enumerate() {
        let wrong = |problem: String| BadPuzzle::Ply { ply: index + 1, problem };
        let step = read_step(&*position, word).map_err(wrong)?;
        let best = step.values.iter().map(|(_, value)| *value).max().unwrap_or(Value::Draw);
        let expected = match steps.last() {
            Some(before) => value_of(before, &before.played).map(earlier),
            None if best > Value::Draw => Some(Value::win_in(plies)),
            None => None,
        };
        if expected.is_some_and(|expected| expected != best) {
            return Err(wrong("its values do not follow from the ply before".to_owned()));
        }
        if value_of(&step, &step.played) != Some(best) {
            return Err(wrong(format!("{} is not the best action", step.played)));
        }
        if index % 2 == 0 && best != Value::win_in(1) && results(theme, &step, &*position).len() != 1 {
            return Err(wrong("more than one result is right".to_owned()));
        }
        position.play(&step.played).map_err(|refused| wrong(refused.to_string()))?;
        steps.push(step);
    }
    Ok(steps)
}

fn read_step(position: &dyn AnyPosition, word: &str) -> Result<Step, String> {
    if !matches!(position.turn(), Turn::Seat(_)) {
        return Err("the game is over before it".to_owned());
    }
    let (played, numbers) = word.split_once(':').ok_or_else(|| format!("cannot read {:?}", excerpt(word)))?;
    let values: Option<Vec<Value>> = numbers.split(',').map(value).collect();
    let values = values.ok_or_else(|| "a value is no number".to_owned())?;
    let mut legal = position.legal();
    legal.sort_unstable();
    if legal.len() != values.len() {
        return Err(format!("{} values for {} legal actions", values.len(), legal.len()));
    }
    if !legal.iter().any(|action| action == played) {
        return Err(format!("{:?} is not legal", excerpt(played)));
    }
    Ok(Step { played: played.to_owned(), values: legal.into_iter().zip(values).collect() })
}

fn right(theme: Theme, step: &Step) -> Vec<&str> {
    let Some(best) = step.values.iter().map(|(_, value)| *value).max() else { return Vec::new() };
    let fits = |value: Value| match theme {
        Theme::Win => value == best,
        Theme::Only | Theme::Hold | Theme::Trap | Theme::Avoid => {
            std::mem::discriminant(&value) == std::mem::discriminant(&best)
        }
    };
    step.values.iter().filter(|(_, value)| fits(*value)).map(|(action, _)| action.as_str()).collect()
}

/// The different positions that right actions lead to.
fn results(theme: Theme, step: &Step, position: &dyn AnyPosition) -> HashSet<String> {
    let after = |action: &str| {
        let mut next = position.boxed();
        next.play(action).ok().map(|()| next.to_string())
    };
    right(theme, step).into_iter().filter_map(after).collect()
}

fn value_of(step: &Step, action: &str) -> Option<Value> {
    step.values.iter().find(|(name, _)| name == action).map(|(_, value)| *value)
}

/// The value of the next ply, for the other seat, once an action of this value has been played.
fn earlier(value: Value) -> Value {
    match value {
        Value::Win(plies) => Value::Loss(plies.map(|plies| plies.saturating_sub(1))),
        Value::Loss(plies) => Value::Win(plies.map(|plies| plies.saturating_sub(1))),
        other => other,
    }
}

/// Plies to a win, 0 for a draw, minus the plies to a loss.
fn value(number: &str) -> Option<Value> {
    let number: i32 = number.parse().ok()?;
    Some(match number {
        0 => Value::Draw,
        1.. => Value::win_in(number.unsigned_abs()),
        _ => Value::loss_in(number.unsigned_abs()),
    })
}

fn number(value: Value) -> i64 {
    match value {
        Value::Win(plies) => i64::from(plies.unwrap_or(0)),
        Value::Loss(plies) => -i64::from(plies.unwrap_or(0)),
        Value::Draw | Value::Estimate(_) => 0,
    }
}

impl fmt::Display for BadPuzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadPuzzle::Malformed => f.write_str("expected `game theme plies | position | steps`"),
            BadPuzzle::Game(bad) => bad.fmt(f),
            BadPuzzle::Theme(bad) => bad.fmt(f),
            BadPuzzle::Position(problem) => f.write_str(problem),
            BadPuzzle::Ply { ply, problem } => write!(f, "ply {ply}: {problem}"),
        }
    }
}

impl std::error::Error for BadPuzzle {}
