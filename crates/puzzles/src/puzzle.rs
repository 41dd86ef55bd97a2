use std::fmt;

use game::{AnyPosition, BadGame, Game, Refused};
use rules::{BadPosition, GameId, Outcome, Seat, Turn, excerpt, split};
use search::{Mistake, Value};

use crate::sorting::sorted_by;
use crate::{NoSuchTheme, Theme, Worth};

/// A position, what is asked, and the solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The game and its options.
    pub game: Game,
    /// What the solver has to find.
    pub theme: Theme,
    /// The length of the win, or of the longest refutation of a wrong move; with captures, the actions of the solution.
    pub plies: u32,
    /// How hard it is, on the scale of solvers' ratings; `None` if that has not been measured.
    pub rating: Option<u16>,
    /// The position's text; the seat to act is the solver's.
    pub start: String,
    /// The solution, ply by ply.
    pub steps: Vec<Step>,
}

/// One ply of a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The seat that acts.
    pub seat: Seat,
    /// The action of the solution.
    pub played: String,
    /// Every legal action in alphabetical order, with what it is worth to the seat that acts.
    pub values: Vec<(String, Worth)>,
}

/// Why a line is no puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadPuzzle {
    /// Not of the form `game theme plies rating | position | steps`; the rating may be missing.
    Malformed,
    /// No such game.
    Game(BadGame),
    /// No such theme.
    Theme(NoSuchTheme),
    /// The text is no position of the game, or the game is over in it.
    Position(BadPosition),
    /// A ply that does not fit the position before it.
    Ply {
        /// Counted from 1.
        ply: usize,
        /// What is wrong with it.
        problem: BadPly,
    },
}

/// Why a ply does not fit the position before it. It becomes a text only for those who read it: the browser app skips what
/// is damaged, and does without the sentences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadPly {
    /// No seat is to act.
    GameOver,
    /// Not of the form `action:values`.
    Unreadable(String),
    /// A value that is none.
    NoNumber,
    /// Not as many values as legal actions.
    OtherCount {
        /// How many values there are.
        values: usize,
        /// How many actions are legal.
        legal: usize,
    },
    /// An action that is not legal.
    NotLegal(String),
    /// Its values contradict those of the ply before.
    DoesNotFollow,
    /// The solution plays what is not the best.
    NotBest(String),
    /// An action that its value says ends the game, or does not.
    EndsOtherwise(String),
    /// More than one result is right.
    SeveralResults,
    /// Every action is right.
    AllRight,
    /// The rules refuse the action.
    Refused(Refused),
}

impl Puzzle {
    /// Reads a line of a set and checks everything that the rules can check.
    ///
    /// That the values are right is for [`crate::check`] and [`crate::prove`].
    pub fn read(line: &str) -> Result<Puzzle, BadPuzzle> {
        let [head, start, steps] = split(line, " | ")[..] else { return Err(BadPuzzle::Malformed) };
        let (game, theme, plies, rating) = match head.split(' ').collect::<Vec<_>>()[..] {
            [game, theme, plies] => (game, theme, plies, None),
            [game, theme, plies, rating] => (game, theme, plies, Some(rating)),
            _ => return Err(BadPuzzle::Malformed),
        };
        let game: Game = game.parse().map_err(BadPuzzle::Game)?;
        let theme: Theme = theme.parse().map_err(BadPuzzle::Theme)?;
        let plies = plies.parse().map_err(|_| BadPuzzle::Malformed)?;
        let rating = rating.map(str::parse).transpose().map_err(|_| BadPuzzle::Malformed)?;
        let position = game.parse_position(start).map_err(BadPuzzle::Position)?;
        let mut puzzle = Puzzle { game, theme, plies, rating, start: start.to_owned(), steps: Vec::new() };
        puzzle.read_steps(position, steps)?;
        Ok(puzzle)
    }

    /// The actions that are right at a ply of the solution: all that reach what the theme asks for.
    pub fn right_actions(&self, ply: usize) -> Vec<&str> {
        self.steps.get(ply).map(|step| step.right(self.theme)).unwrap_or_default()
    }

    /// How many turns the solver takes in the solution.
    pub fn turns(&self) -> u32 {
        let solver = self.solver();
        let runs = self.steps.chunk_by(|one, next| one.seat == next.seat);
        runs.filter(|run| run[0].seat == solver).count() as u32
    }

    /// Whether values say only what is certain whatever the others hold, so that 0 need not be a draw and a loss need not
    /// happen.
    pub fn tells_only_what_is_certain(&self) -> bool {
        self.game.id() == GameId::Sequence
    }

    /// The seat that solves.
    pub fn solver(&self) -> Seat {
        self.steps.first().map_or(Seat::ONE, |step| step.seat)
    }

    fn read_steps(&mut self, mut position: Box<dyn AnyPosition>, text: &str) -> Result<(), BadPuzzle> {
        for (index, word) in text.split(' ').enumerate() {
            let wrong = |problem: BadPly| BadPuzzle::Ply { ply: index + 1, problem };
            let step = self.read_step(&*position, word).map_err(wrong)?;
            self.check_step(&step, &*position).map_err(wrong)?;
            position.play(&step.played).map_err(|refused| wrong(BadPly::Refused(refused)))?;
            self.steps.push(step);
        }
        Ok(())
    }

    fn read_step(&self, position: &dyn AnyPosition, word: &str) -> Result<Step, BadPly> {
        let Turn::Seat(seat) = position.turn() else { return Err(BadPly::GameOver) };
        // An action may hold a colon, as `swap:cat` does; values hold none.
        let (played, numbers) = word.rsplit_once(':').ok_or_else(|| BadPly::Unreadable(excerpt(word)))?;
        let values = read_values(self.theme, numbers).ok_or(BadPly::NoNumber)?;
        let legal = sorted_by(position.legal(), String::cmp);
        if legal.len() != values.len() {
            return Err(BadPly::OtherCount { values: values.len(), legal: legal.len() });
        }
        if !legal.iter().any(|action| action == played) {
            return Err(BadPly::NotLegal(excerpt(played)));
        }
        Ok(Step { seat, played: played.to_owned(), values: legal.into_iter().zip(values).collect() })
    }

    /// That values follow from one ply to the next, that the best action is played, and that one result alone is right.
    fn check_step(&self, step: &Step, position: &dyn AnyPosition) -> Result<(), BadPly> {
        let best = step.best();
        let expected = match self.steps.last() {
            Some(before) => before.value_of(&before.played).and_then(|worth| follows(worth, before.seat == step.seat)),
            None => match best {
                Worth::Result(Value::Win(_)) => Some(Worth::Result(Value::win_in(self.plies))),
                _ => None,
            },
        };
        if expected.is_some_and(|expected| expected != best) {
            return Err(BadPly::DoesNotFollow);
        }
        if step.value_of(&step.played) != Some(best) {
            return Err(BadPly::NotBest(step.played.clone()));
        }
        if let Some((action, _)) = step.values.iter().find(|(action, worth)| !ends_as_told(position, action, *worth)) {
            return Err(BadPly::EndsOtherwise(action.clone()));
        }
        let asked = self.steps.is_empty() && matches!(best, Worth::Result(_));
        if asked && best != Worth::Result(Value::win_in(1)) && results(self.theme, step, position).len() != 1 {
            return Err(BadPly::SeveralResults);
        }
        if self.steps.is_empty() && step.right(self.theme).len() == step.values.len() {
            return Err(BadPly::AllRight);
        }
        Ok(())
    }
}

impl Step {
    /// What the best action is worth.
    pub fn best(&self) -> Worth {
        self.values.iter().map(|(_, worth)| *worth).max().unwrap_or(Worth::Captures(0))
    }

    /// What an action is worth, if it is legal.
    pub fn value_of(&self, action: &str) -> Option<Worth> {
        self.values.iter().find(|(name, _)| name == action).map(|(_, worth)| *worth)
    }

    /// The actions that reach what the theme asks for.
    pub fn right(&self, theme: Theme) -> Vec<&str> {
        let best = self.best();
        let fits = |worth: Worth| match (theme, worth, best) {
            (Theme::Win | Theme::Row, ..) => worth == best,
            (Theme::Own, Worth::Result(value), Worth::Result(best)) => Mistake::between(best, value).is_none(),
            _ => worth.is_like(best),
        };
        self.values.iter().filter(|(_, worth)| fits(*worth)).map(|(action, _)| action.as_str()).collect()
    }
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.game, self.theme, self.plies)?;
        if let Some(rating) = self.rating {
            write!(f, " {rating}")?;
        }
        write!(f, " | {} |", self.start)?;
        for step in &self.steps {
            write!(f, " {}:", step.played)?;
            let mut comma = "";
            for run in step.values.chunk_by(|(_, one), (_, other)| one == other) {
                write!(f, "{comma}{}", run[0].1)?;
                if run.len() > 1 {
                    write!(f, "*{}", run.len())?;
                }
                comma = ",";
            }
        }
        Ok(())
    }
}

/// Reads `1,-2*3`: a value, and how often it is repeated.
fn read_values(theme: Theme, text: &str) -> Option<Vec<Worth>> {
    // More than the actions of any position, so that a damaged count cannot fill the memory.
    const MOST: usize = 2000;
    let mut values = Vec::new();
    for run in text.split(',') {
        let (number, count) = match run.split_once('*') {
            Some((number, count)) => (number, count.parse().ok()?),
            None => (run, 1),
        };
        let worth = Worth::read(theme.measure(), number)?;
        if values.len() + count > MOST {
            return None;
        }
        values.extend(std::iter::repeat_n(worth, count));
    }
    Some(values)
}

/// Whether an action ends the game as its value says: what a file claims to win at once must do so.
fn ends_as_told(position: &dyn AnyPosition, action: &str, worth: Worth) -> bool {
    let (Worth::Result(value), Turn::Seat(seat)) = (worth, position.turn()) else { return true };
    let mut next = position.boxed();
    if next.play(action).is_err() {
        return false;
    }
    match next.turn() {
        Turn::Over(Outcome::Win(side)) if side == position.side(seat) => value == Value::win_in(1),
        Turn::Over(Outcome::Win(_)) => value == Value::loss_in(1),
        Turn::Over(_) => value == Value::Draw,
        _ => value != Value::win_in(1) && value != Value::loss_in(1),
    }
}

/// The different positions that right actions lead to.
pub(crate) fn results(theme: Theme, step: &Step, position: &dyn AnyPosition) -> Vec<String> {
    let mut results = Vec::new();
    for action in step.right(theme) {
        let mut next = position.boxed();
        if next.play(action).is_ok() && !results.contains(&next.to_string()) {
            results.push(next.to_string());
        }
    }
    results
}

/// What the next ply's best action must be worth once an action of this worth has been played; captures are left to the
/// checker, which knows what the action captured.
fn follows(worth: Worth, same_seat: bool) -> Option<Worth> {
    let Worth::Result(value) = worth else { return None };
    let sooner = |plies: Option<u32>| plies.map(|plies| plies.saturating_sub(1));
    let next = match value {
        Value::Win(plies) => Value::Win(sooner(plies)),
        Value::Loss(plies) => Value::Loss(sooner(plies)),
        other => other,
    };
    Some(Worth::Result(if same_seat { next } else { -next }))
}

impl fmt::Display for BadPuzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadPuzzle::Malformed => f.write_str("expected `game theme plies rating | position | steps`"),
            BadPuzzle::Game(bad) => bad.fmt(f),
            BadPuzzle::Theme(bad) => bad.fmt(f),
            BadPuzzle::Position(bad) => bad.fmt(f),
            BadPuzzle::Ply { ply, problem } => write!(f, "ply {ply}: {problem}"),
        }
    }
}

impl std::error::Error for BadPuzzle {}

impl fmt::Display for BadPly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadPly::GameOver => f.write_str("the game is over before it"),
            BadPly::Unreadable(word) => write!(f, "cannot read {word:?}"),
            BadPly::NoNumber => f.write_str("a value is no number"),
            BadPly::OtherCount { values, legal } => write!(f, "{values} values for {legal} legal actions"),
            BadPly::NotLegal(action) => write!(f, "{action:?} is not legal"),
            BadPly::DoesNotFollow => f.write_str("its values do not follow from the ply before"),
            BadPly::NotBest(action) => write!(f, "{action} is not the best action"),
            BadPly::EndsOtherwise(action) => write!(f, "{action} ends the game otherwise"),
            BadPly::SeveralResults => f.write_str("more than one result is right"),
            BadPly::AllRight => f.write_str("every action is right"),
            BadPly::Refused(refused) => refused.fmt(f),
        }
    }
}
