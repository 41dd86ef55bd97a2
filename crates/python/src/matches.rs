//! Matches and their records.

use std::time::Duration;

use game::{Consent, Event, MatchSettings};
use pyo3::prelude::*;
use rules::Viewer;

use crate::errors::{bad_value, match_error};
use crate::game::{Game, GameOrText};
use crate::position::{Position, seat_of};

/// A match in progress: a game with its players, its list of actions, undo and resignation.
///
/// >>> import fourfold
/// >>> match = fourfold.Match("quixo", players=["person Olena", "bot:3"])
/// >>> match.play("a3e3")
/// >>> match.resign(2)
/// >>> match.ending
/// 'side 1 wins by resignation'
#[pyclass(module = "fourfold")]
pub(crate) struct Match(game::Match);

/// Matches in Python keep no clock.
const NOW: Duration = Duration::ZERO;

#[pymethods]
impl Match {
    #[new]
    #[pyo3(signature = (game, *, players=None, start=None))]
    fn new(game: GameOrText, players: Option<Vec<String>>, start: Option<String>) -> PyResult<Match> {
        let mut settings = MatchSettings::new(game.game()?);
        settings.start = start;
        if let Some(players) = players {
            settings.sitters =
                players.iter().map(|player| player.parse().map_err(bad_value)).collect::<PyResult<_>>()?;
        }
        game::Match::new(settings).map(Match).map_err(bad_value)
    }

    /// The game and its options.
    #[getter]
    fn game(&self) -> Game {
        Game(self.0.settings().game.clone())
    }

    /// Who plays: `person` or `bot:LEVEL`, then a name if there is one.
    #[getter]
    fn players(&self) -> Vec<String> {
        self.0.settings().sitters.iter().map(ToString::to_string).collect()
    }

    /// The position now.
    #[getter]
    fn position(&self) -> Position {
        Position(self.0.position().boxed())
    }

    /// Every position from the start to now.
    fn positions(&self) -> Vec<Position> {
        self.0.positions().into_iter().map(Position).collect()
    }

    /// What happened, in order, as a record writes it.
    #[getter]
    fn log(&self) -> Vec<String> {
        self.0.log().iter().map(|entry| entry.event.to_string()).collect()
    }

    /// The actions among what happened.
    #[getter]
    fn actions(&self) -> Vec<String> {
        self.0.log().iter().filter_map(|entry| action(&entry.event)).collect()
    }

    /// How the match ended, in words; `None` while it goes on.
    #[getter]
    fn ending(&self) -> Option<String> {
        self.0.ending().map(|ending| ending.to_string())
    }

    /// What may be played now; empty when the match is over.
    fn legal(&self) -> Vec<String> {
        self.0.legal()
    }

    /// Plays an action for the seat to act, or for chance.
    fn play(&mut self, action: &str) -> PyResult<()> {
        self.0.play(action, NOW).map_err(|error| match_error(&error))
    }

    /// Draws for chance until a seat is to act; what was drawn.
    fn draw(&mut self, seed: u64) -> PyResult<Vec<String>> {
        let mut random = search::Random::new(seed);
        self.0.draw(&mut |n| random.below(n), NOW).map_err(|error| match_error(&error))
    }

    /// Takes back the last action of a seat, with the cards drawn since.
    fn undo(&mut self) -> PyResult<()> {
        self.0.undo(Consent::All, NOW).map_err(|error| match_error(&error))
    }

    /// Plays the last action that was taken back again, with the same cards drawn after it.
    fn redo(&mut self) -> PyResult<()> {
        self.0.redo(Consent::All, NOW).map_err(|error| match_error(&error))
    }

    /// A seat, counted from 1, resigns.
    fn resign(&mut self, seat: usize) -> PyResult<()> {
        let seat = seat_of(seat, self.0.position().seats())?;
        self.0.resign(seat, NOW).map_err(|error| match_error(&error))
    }

    /// Says something about what happened last.
    fn comment(&mut self, text: &str) {
        self.0.comment(text);
    }

    /// The match as text; for a seat with only what that seat may know.
    #[pyo3(signature = (seat=None))]
    fn record(&self, seat: Option<usize>) -> PyResult<Record> {
        Ok(Record(match seat {
            None => self.0.record(),
            Some(number) => self.0.record_for(Viewer::Seat(seat_of(number, self.0.position().seats())?)),
        }))
    }

    fn __repr__(&self) -> String {
        let state = self.0.ending().map_or_else(|| "in progress".to_owned(), |ending| ending.to_string());
        format!("Match({}, {} actions, {state})", self.0.settings().game, self.actions().len())
    }
}

fn action(event: &Event) -> Option<String> {
    match event {
        Event::Action(action) => Some(action.to_string()),
        Event::Out(..) | Event::Agreed | Event::Abandoned => None,
    }
}

/// A match as it is written down; `str` is the text of a `.fourfold` file.
///
/// >>> import fourfold
/// >>> record, = fourfold.Record.read('[Game "quixo"]\n\n1. a3e3 2. a2e2 resign:1')
/// >>> record.actions, record.ending
/// (['a3e3', 'a2e2'], 'side 2 wins by resignation')
#[pyclass(frozen, eq, module = "fourfold", from_py_object)]
#[derive(Clone, PartialEq)]
pub(crate) struct Record(game::Record);

#[pymethods]
impl Record {
    /// Reads a text with any number of records, and checks that the rules allow what they say.
    #[staticmethod]
    fn read(text: &str) -> PyResult<Vec<Record>> {
        Ok(game::Record::read_all(text).map_err(bad_value)?.into_iter().map(Record).collect())
    }

    /// Several records as one text.
    #[staticmethod]
    fn write(records: Vec<Record>) -> String {
        let records: Vec<game::Record> = records.into_iter().map(|record| record.0).collect();
        game::Record::write_all(&records)
    }

    /// The game and its options.
    #[getter]
    fn game(&self) -> Game {
        Game(self.0.settings().game.clone())
    }

    /// Who played.
    #[getter]
    fn players(&self) -> Vec<String> {
        self.0.settings().sitters.iter().map(ToString::to_string).collect()
    }

    /// The actions, in order; `?` stands for what the viewer may not know.
    #[getter]
    fn actions(&self) -> Vec<String> {
        self.0.entries().iter().filter_map(|entry| action(&entry.event)).collect()
    }

    /// How the match ended, in words; `None` if it goes on.
    #[getter]
    fn ending(&self) -> Option<String> {
        self.0.ending().map(|ending| ending.to_string())
    }

    /// The match it tells of; `ValueError` if something in it is hidden.
    fn replay(&self) -> PyResult<Match> {
        self.0.replay().map(Match).map_err(bad_value)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Record({}, {} actions)", self.0.settings().game, self.actions().len())
    }

    #[staticmethod]
    fn _one(text: &str) -> PyResult<Record> {
        let mut records = Record::read(text)?;
        records.pop().filter(|_| records.is_empty()).ok_or_else(|| bad_value("expected one record"))
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String,))> {
        Ok((slf.get_type().getattr("_one")?.unbind(), (slf.get().0.to_string(),)))
    }
}
