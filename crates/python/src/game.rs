//! A game with its options.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use rules::{GameId, OptionValues};

use crate::encoding::Layout;
use crate::erased::is_numbered;
use crate::errors::bad_value;
use crate::position::Position;

/// A game with its options, by its text: `Game("quixo(players=4)")`.
///
/// Options left out are at their default, and equal games have equal texts.
///
/// >>> import fourfold
/// >>> fourfold.Game("quixo(players=2)")
/// Game("quixo")
/// >>> fourfold.Game("quixo").start().legal()[:3]
/// ['a1e1', 'a1a5', 'b1e1']
#[pyclass(frozen, eq, hash, module = "fourfold", from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Game(pub(crate) game::Game);

/// A game or its text, as functions take it.
#[derive(FromPyObject)]
pub(crate) enum GameOrText {
    Game(Game),
    Text(String),
}

impl GameOrText {
    pub(crate) fn game(self) -> PyResult<game::Game> {
        match self {
            GameOrText::Game(game) => Ok(game.0),
            GameOrText::Text(text) => text.parse().map_err(bad_value),
        }
    }
}

#[pymethods]
impl Game {
    #[new]
    fn new(text: &str) -> PyResult<Game> {
        text.parse().map(Game).map_err(bad_value)
    }

    /// Every game by its name.
    #[staticmethod]
    fn names() -> Vec<&'static str> {
        GameId::ALL.map(GameId::name).to_vec()
    }

    /// Every game whose actions and observations have numbers: those that can be environments.
    #[staticmethod]
    fn encoded_names() -> Vec<&'static str> {
        GameId::ALL.into_iter().filter(|game| is_numbered(*game)).map(GameId::name).collect()
    }

    /// The name without options.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.id().name()
    }

    /// How many seats play.
    #[getter]
    fn seats(&self) -> u8 {
        self.0.seats()
    }

    /// Every option with its value, whether default or not.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let options = PyDict::new(py);
        for spec in self.0.id().options() {
            options.set_item(spec.name, self.0.option(spec.name))?;
        }
        Ok(options)
    }

    /// Every option with what it can be: the possible words, or the lowest and the highest number.
    #[getter]
    fn possible_options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let options = PyDict::new(py);
        for spec in self.0.id().options() {
            match &spec.values {
                OptionValues::OneOf(words) | OptionValues::Subset(words) => {
                    options.set_item(spec.name, words.to_vec())?
                }
                OptionValues::Number { min, max } => options.set_item(spec.name, (*min, *max))?,
            }
        }
        Ok(options)
    }

    /// Option texts that go through everything the rules of this game can be: for tests.
    #[getter]
    fn variants(&self) -> Vec<String> {
        self.0.id().variants().iter().map(|options| self.0.id().text(options)).collect()
    }

    /// The position the game begins with.
    fn start(&self) -> Position {
        Position(self.0.start())
    }

    /// The position of a text, or `ValueError` if it cannot arise under the rules.
    fn position(&self, text: &str) -> PyResult<Position> {
        self.0.parse_position(text).map(Position).map_err(bad_value)
    }

    /// How actions and observations are numbered: version, action counts, and fields as `(name, shape, first)`.
    fn _layout<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let layout = Layout::of(&self.0)?;
        let told = PyDict::new(py);
        told.set_item("version", layout.version)?;
        told.set_item("actions", layout.actions)?;
        told.set_item("chance_actions", layout.chance_actions)?;
        told.set_item("bits", layout.bits)?;
        told.set_item("scalars", layout.scalars)?;
        let fields: Vec<(&str, Vec<usize>, usize)> =
            layout.fields().map(|(field, first)| (field.name, field.shape.clone(), first)).collect();
        told.set_item("fields", fields)?;
        Ok(told)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Game(\"{}\")", self.0)
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String,))> {
        Ok((slf.get_type().into_any().unbind(), (slf.get().0.to_string(),)))
    }
}
