//! Positions and views of them.

use game::AnyPosition;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rules::{Outcome, Seat, Turn, Viewer};

use crate::drawing;
use crate::erased::{numbered, turnable};
use crate::errors::{IllegalAction, bad_value, refused};
use crate::game::{Game, GameOrText};

/// A position of a game. It never changes: `play` gives the next one, so keeping this one is undoing.
///
/// >>> import fourfold
/// >>> start = fourfold.Game("quixo").start()
/// >>> after = start.play("a3e3")
/// >>> str(after)
/// '...../...../....x/...../..... 2'
/// >>> after.seat, start.seat
/// (2, 1)
#[pyclass(frozen, module = "fourfold")]
pub(crate) struct Position(pub(crate) Box<dyn AnyPosition>);

/// The seat with a number as people count, from 1.
pub(crate) fn seat_of(number: usize, seats: u8) -> PyResult<Seat> {
    if (1..=usize::from(seats)).contains(&number) {
        return Ok(Seat::from_index(number - 1));
    }
    Err(bad_value(format_args!("there is no seat {number}: possible are 1 to {seats}")))
}

/// What each seat gets: 1 for a win, −1 for a loss, 0 for a draw.
pub(crate) fn returns(position: &dyn AnyPosition, outcome: Outcome) -> Vec<f32> {
    let share = |seat: Seat| match outcome {
        Outcome::Win(side) if position.side(seat) == side => 1.0,
        Outcome::Win(_) => -1.0,
        Outcome::Draw => 0.0,
    };
    Seat::all(position.seats()).map(share).collect()
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (game, text=None))]
    fn new(game: GameOrText, text: Option<&str>) -> PyResult<Position> {
        let game = game.game()?;
        match text {
            None => Ok(Position(game.start())),
            Some(text) => game.parse_position(text).map(Position).map_err(bad_value),
        }
    }

    /// The game and its options.
    #[getter]
    fn game(&self) -> Game {
        Game(self.0.game())
    }

    /// The position text, with full knowledge.
    #[getter]
    fn text(&self) -> String {
        self.0.to_string()
    }

    /// The seat to act, counted from 1; `None` while chance is to act and when the game is over.
    #[getter]
    fn seat(&self) -> Option<u8> {
        match self.0.turn() {
            Turn::Seat(seat) => Some(seat.number()),
            Turn::Chance | Turn::Over(_) => None,
        }
    }

    /// Whether a card is to be drawn or a tile to be laid.
    #[getter]
    fn is_chance(&self) -> bool {
        self.0.turn() == Turn::Chance
    }

    /// Whether the game has ended.
    #[getter]
    fn is_over(&self) -> bool {
        matches!(self.0.turn(), Turn::Over(_))
    }

    /// What each seat got: 1 for a win, -1 for a loss, 0 for a draw; `None` while the game goes on.
    #[getter]
    fn result(&self) -> Option<Vec<f32>> {
        match self.0.turn() {
            Turn::Over(outcome) => Some(returns(&*self.0, outcome)),
            Turn::Seat(_) | Turn::Chance => None,
        }
    }

    /// Every legal action; empty only when the game is over.
    fn legal(&self) -> Vec<String> {
        self.0.legal()
    }

    /// The actions of chance with their probabilities; empty unless chance is to act.
    fn chances(&self) -> Vec<(String, f64)> {
        let chances = self.0.chances();
        let total: u32 = chances.iter().map(|(_, weight)| weight).sum();
        chances.into_iter().map(|(action, weight)| (action, f64::from(weight) / f64::from(total))).collect()
    }

    /// The position after one action or several; `IllegalAction` if the rules do not allow one of them.
    #[pyo3(signature = (*actions))]
    fn play(&self, actions: Vec<String>) -> PyResult<Position> {
        let mut next = self.0.clone();
        for action in actions {
            next.play(&action).map_err(|why| refused(&why))?;
        }
        Ok(Position(next))
    }

    /// What a seat may know, or a spectator without one.
    #[pyo3(signature = (seat=None))]
    fn view(&self, seat: Option<usize>) -> PyResult<View> {
        let viewer = match seat {
            None => Viewer::Spectator,
            Some(number) => Viewer::Seat(seat_of(number, self.0.seats())?),
        };
        Ok(View { position: self.0.clone(), viewer })
    }

    /// How many symmetries this position has; number 0 changes nothing.
    #[getter]
    fn symmetries(&self) -> usize {
        turnable(&*self.0).map_or(1, |position| position.symmetries())
    }

    /// The position under a symmetry.
    fn transform(&self, symmetry: usize) -> PyResult<Position> {
        self.check_symmetry(symmetry)?;
        Ok(Position(turnable(&*self.0).map_or_else(|| self.0.clone(), |position| position.transform(symmetry))))
    }

    /// What a legal action of this position becomes under a symmetry.
    fn transform_action(&self, symmetry: usize, action: &str) -> PyResult<String> {
        self.check_symmetry(symmetry)?;
        match turnable(&*self.0) {
            Some(position) => position.transform_action(symmetry, action).map_err(|why| refused(&why)),
            None => self.0.clone().play(action).map(|_| action.to_owned()).map_err(|why| refused(&why)),
        }
    }

    /// The number of an action in this position.
    fn encode(&self, action: &str) -> PyResult<usize> {
        let number = numbered(&*self.0)?.encode(action).map_err(|why| refused(&why))?;
        number.ok_or_else(|| IllegalAction::new_err(format!("{action} has no number here, for it cannot be legal")))
    }

    /// The action with a number in this position, legal or not.
    fn decode(&self, number: usize) -> PyResult<String> {
        let position = numbered(&*self.0)?;
        let most = position.layout().all_actions();
        if number >= most {
            return Err(PyIndexError::new_err(format!("there is no action {number}: possible are 0 to {}", most - 1)));
        }
        position.decode(number).ok_or_else(|| bad_value(format_args!("action {number} means nothing here")))
    }

    /// A byte for each action of seats and chance: 1 if it is legal.
    fn _mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &numbered(&*self.0)?.mask()))
    }

    /// What a seat knows, as bytes.
    fn _observation<'py>(&self, py: Python<'py>, seat: usize) -> PyResult<Bound<'py, PyBytes>> {
        let seat = seat_of(seat, self.0.seats())?;
        Ok(PyBytes::new(py, &numbered(&*self.0)?.observe(seat)))
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        let turn = self.0.turn();
        let board = drawing::board(&self.0.scene(Viewer::Spectator));
        format!("{} ({})\n{}\n{board}", self.0.game(), drawing::turn(turn), self.0)
    }

    /// The board as the app draws it.
    fn _repr_svg_(&self) -> String {
        svg(&*self.0, Viewer::Spectator)
    }

    /// A legal action as a seat may see it before it is played: `draw:?` for another seat's card.
    fn seen_action(&self, action: &str, seat: usize) -> PyResult<String> {
        let viewer = Viewer::Seat(seat_of(seat, self.0.seats())?);
        self.0.seen_action(action, viewer).map_err(|why| refused(&why))
    }

    /// A position never changes, so that it is its own copy.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Position>().is_ok_and(|other| self.key() == other.get().key())
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.key().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String, String))> {
        Ok((slf.get_type().into_any().unbind(), slf.get().key()))
    }
}

impl Position {
    /// Equal positions of equal games have equal texts.
    fn key(&self) -> (String, String) {
        (self.0.game().to_string(), self.0.to_string())
    }

    fn check_symmetry(&self, symmetry: usize) -> PyResult<()> {
        let most = self.symmetries();
        if symmetry < most {
            return Ok(());
        }
        Err(PyIndexError::new_err(format!("there is no symmetry {symmetry}: possible are 0 to {}", most - 1)))
    }
}

/// What one seat, or a spectator, may know of a position: hidden cards are `?`.
#[pyclass(frozen, module = "fourfold")]
pub(crate) struct View {
    position: Box<dyn AnyPosition>,
    viewer: Viewer,
}

#[pymethods]
impl View {
    /// The seat whose view it is; `None` for a spectator.
    #[getter]
    fn seat(&self) -> Option<u8> {
        match self.viewer {
            Viewer::Seat(seat) => Some(seat.number()),
            Viewer::Spectator => None,
        }
    }

    /// The position text as far as it is seen.
    #[getter]
    fn text(&self) -> String {
        self.position.view_text(self.viewer)
    }

    /// The legal actions if the viewer is the seat to act, else nothing.
    fn legal(&self) -> Vec<String> {
        match (self.position.turn(), self.viewer) {
            (Turn::Seat(seat), Viewer::Seat(own)) if seat == own => self.position.legal(),
            _ => Vec::new(),
        }
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("{}\n{}", self.text(), drawing::board(&self.position.scene(self.viewer)))
    }

    /// The board as the app draws it.
    fn _repr_svg_(&self) -> String {
        svg(&*self.position, self.viewer)
    }
}

fn svg(position: &dyn AnyPosition, viewer: Viewer) -> String {
    let title = format!("{}: {}", position.game(), drawing::turn(position.turn()));
    art::scene_svg(&position.scene(viewer), &title)
}
