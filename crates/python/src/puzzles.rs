//! The proved puzzles that come with the package.

use ::puzzles::Worth;
use pyo3::prelude::*;

use crate::errors::bad_value;
use crate::game::{Game, GameOrText};
use crate::position::Position;
use crate::value::Value;

/// A position with a task that has one solution, and the value of every action on the way.
#[pyclass(frozen, module = "fourfold")]
pub(crate) struct Puzzle(::puzzles::Puzzle);

/// What an action is worth.
#[derive(IntoPyObject)]
enum Counted {
    Value(Value),
    Captures(i32),
}

#[pymethods]
impl Puzzle {
    /// The game and its options.
    #[getter]
    fn game(&self) -> Game {
        Game(self.0.game.clone())
    }

    /// What is to be found, in one word: `win` in Quixo, `fork` in Sequence and so on (docs/puzzles.md).
    #[getter]
    fn theme(&self) -> &'static str {
        self.0.theme.name()
    }

    /// How hard it is, on the scale of solvers' ratings.
    #[getter]
    fn rating(&self) -> Option<u16> {
        self.0.rating
    }

    /// The length of the win, or of the longest refutation of a wrong action.
    #[getter]
    fn plies(&self) -> u32 {
        self.0.plies
    }

    /// The position; the seat to act is the solver's.
    #[getter]
    fn start(&self) -> PyResult<Position> {
        self.0.game.parse_position(&self.0.start).map(Position).map_err(bad_value)
    }

    /// The solution; the solver's actions are the first, third, fifth and so on.
    #[getter]
    fn solution(&self) -> Vec<String> {
        self.0.steps.iter().map(|step| step.played.clone()).collect()
    }

    /// The actions that are right at a ply of the solution.
    fn right_actions(&self, ply: usize) -> Vec<String> {
        self.0.right_actions(ply).into_iter().map(str::to_owned).collect()
    }

    /// Every legal action at a ply of the solution with its value, or with the captures it leads to where those count.
    fn values(&self, ply: usize) -> Vec<(String, Counted)> {
        let value = |(action, worth): &(String, Worth)| match worth {
            Worth::Result(value) => (action.clone(), Counted::Value(Value(*value))),
            Worth::Captures(captures) => (action.clone(), Counted::Captures(*captures)),
        };
        self.0.steps.get(ply).map(|step| step.values.iter().map(value).collect()).unwrap_or_default()
    }

    fn __repr__(&self) -> String {
        format!("Puzzle({}, {}, {} plies)", self.0.game, self.0.theme, self.0.plies)
    }
}

/// The puzzles of a game with just these options, all of them or those of a theme; a game without puzzles has none.
///
/// >>> import fourfold
/// >>> puzzle = fourfold.puzzles("quixo", theme="win")[0]
/// >>> puzzle.solution[0] in puzzle.start.legal()
/// True
#[pyfunction]
#[pyo3(signature = (game, theme=None))]
pub(crate) fn puzzles(py: Python<'_>, game: GameOrText, theme: Option<&str>) -> PyResult<Vec<Puzzle>> {
    let game = game.game()?;
    let theme: Option<::puzzles::Theme> = theme.map(str::parse).transpose().map_err(bad_value)?;
    let (shelf, text) = (puzzle_sets::shelf(game.id()), game.to_string());
    let wanted = |entry: &&::puzzles::Entry| {
        theme.is_none_or(|theme| entry.theme == theme) && shelf.line(entry).split(' ').next() == Some(&text)
    };
    // Reading thousands of puzzles takes a good second.
    Ok(py.detach(|| shelf.entries().iter().filter(wanted).filter_map(|entry| shelf.read(entry)).map(Puzzle).collect()))
}
