//! Many games stepped at once: what `fourfold.VectorEnv` rests on.

mod arrays;
mod crew;
mod shard;
mod spread;

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arrays::{Array, check_apart};
use crew::Crew;
use game::Listed;
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use shard::{AnyShard, Autoreset, Chance, Form, Illegal, Opponents, Rows, Settings, Shard};

use crate::encoding::{Encoded, Layout};
use crate::erased::{Asked, without_numbers};
use crate::errors::{IllegalAction, bad_value};
use crate::game::GameOrText;
use crate::position::Position;

/// The caller's arrays that every step fills.
struct Arrays {
    observations: Array<u8>,
    masks: Array<u8>,
    rewards: Array<f32>,
    terminations: Array<u8>,
    truncations: Array<u8>,
    seats: Array<u8>,
}

impl Arrays {
    fn new(given: &Bound<'_, PyDict>, count: usize, settings: &Settings) -> PyResult<Arrays> {
        let named = |name: &'static str| {
            given.get_item(name)?.ok_or_else(|| PyTypeError::new_err(format!("the array {name} is missing")))
        };
        let arrays = Arrays {
            observations: Array::writable(
                &named("observations")?,
                "observations",
                &[count, settings.observation_bytes()],
            )?,
            masks: Array::writable(&named("action_masks")?, "action_masks", &[count, settings.mask_bytes()])?,
            rewards: Array::writable(&named("rewards")?, "rewards", &[count, settings.seats])?,
            terminations: Array::writable(&named("terminations")?, "terminations", &[count])?,
            truncations: Array::writable(&named("truncations")?, "truncations", &[count])?,
            seats: Array::writable(&named("seats")?, "seats", &[count])?,
        };
        check_apart(&arrays.spans())?;
        Ok(arrays)
    }

    fn spans(&self) -> Vec<(Range<usize>, &'static str)> {
        vec![
            self.observations.span(),
            self.masks.span(),
            self.rewards.span(),
            self.terminations.span(),
            self.truncations.span(),
            self.seats.span(),
        ]
    }

    /// The rows of some environments.
    ///
    /// # Safety
    /// As for [`Array::rows`]; the arrays lie apart since they were made.
    #[allow(unsafe_code)] // See `arrays`.
    unsafe fn rows(&self, range: &Range<usize>) -> Rows<'_> {
        unsafe {
            Rows {
                observations: self.observations.rows(range.clone()),
                masks: self.masks.rows(range.clone()),
                rewards: self.rewards.rows(range.clone()),
                terminations: self.terminations.rows(range.clone()),
                truncations: self.truncations.rows(range.clone()),
                seats: self.seats.rows(range.clone()),
            }
        }
    }
}

/// Some environments and which they are. Alone in its cache lines, because threads lock parts side by side.
#[repr(align(128))]
struct Part {
    range: Range<usize>,
    shard: Mutex<Box<dyn AnyShard>>,
}

/// What an environment needs while it is open.
struct Open {
    parts: Arc<[Part]>,
    /// None until the caller has made them in the right shapes.
    arrays: Option<Arc<Arrays>>,
    /// The threads beside the caller's own.
    crew: Crew,
}

/// The engine of `fourfold.VectorEnv`: it checks what it is given and writes into the caller's arrays.
#[pyclass(module = "fourfold")]
pub(crate) struct VectorCore {
    settings: Settings,
    count: usize,
    open: Option<Open>,
}

impl<P: Encoded + Listed> Asked<'_, P> {
    fn shard(&self, settings: &Settings, count: usize) -> Option<Box<dyn AnyShard>> {
        Some(Box::new(Shard::<P>::new(self.0.clone(), settings.clone(), count)))
    }
}

#[allow(dead_code, reason = "needed as soon as a game has no numbers")]
trait NotNumbered {
    fn shard(&self, _settings: &Settings, _count: usize) -> Option<Box<dyn AnyShard>> {
        None
    }
}

impl<P> NotNumbered for Asked<'_, P> {}

macro_rules! shards {
    ($($name:ident in $module:ident;)*) => {
        fn shard(start: &dyn game::AnyPosition, settings: &Settings, count: usize) -> PyResult<Box<dyn AnyShard>> {
            $(
                if let Some(start) = start.as_any().downcast_ref::<rules::$module::$name>()
                    && let Some(shard) = Asked(start).shard(settings, count)
                {
                    return Ok(shard);
                }
            )*
            Err(without_numbers(start.game().id()))
        }
    };
}

rules::games!(shards);

/// What a word stands for, or a `ValueError` that lists the words.
fn word<T: Copy>(name: &str, given: &str, words: &[(&str, T)]) -> PyResult<T> {
    let found = words.iter().find(|(word, _)| *word == given).map(|(_, meaning)| *meaning);
    found.ok_or_else(|| {
        let possible: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        bad_value(format_args!("{name} cannot be {given:?}: possible are {}", possible.join(", ")))
    })
}

/// More environments or threads than this are a slip of the pen.
const MOST_ENVIRONMENTS: usize = 1 << 24;
const MOST_THREADS: usize = 1 << 10;

/// Which environments belong to which part: one for each thread. With smaller parts a thread that is done sooner would take
/// some of another's, whose cache lines then move to and fro, which costs more than it gains.
fn parts(environments: usize, threads: usize) -> impl Iterator<Item = Range<usize>> {
    let first = move |thread: usize| environments * thread / threads;
    (0..threads).map(move |thread| first(thread)..first(thread + 1))
}

#[pymethods]
impl VectorCore {
    #[new]
    #[pyo3(signature = (game, num_envs, threads, *, packed, chance, autoreset, opponents, illegal, max_steps))]
    #[allow(clippy::too_many_arguments)] // Python names them all.
    fn new(
        game: GameOrText,
        num_envs: usize,
        threads: usize,
        packed: bool,
        chance: &str,
        autoreset: &str,
        opponents: &str,
        illegal: &str,
        max_steps: u32,
    ) -> PyResult<VectorCore> {
        let game = game.game()?;
        if !(1..=MOST_ENVIRONMENTS).contains(&num_envs) {
            return Err(bad_value(format_args!("num_envs must be from 1 to {MOST_ENVIRONMENTS}")));
        }
        if !(1..=MOST_THREADS).contains(&threads) {
            return Err(bad_value(format_args!("threads must be from 1 to {MOST_THREADS}")));
        }
        let settings = Settings {
            layout: Layout::of(&game)?,
            seats: game.seats().into(),
            form: if packed { Form::Packed } else { Form::Bytes },
            chance: word("chance", chance, &[("inside", Chance::Inside), ("exposed", Chance::Exposed)])?,
            autoreset: word(
                "autoreset",
                autoreset,
                &[("same_step", Autoreset::SameStep), ("next_step", Autoreset::NextStep)],
            )?,
            opponents: word("opponents", opponents, &[("none", Opponents::None), ("random", Opponents::Random)])?,
            illegal: word("illegal", illegal, &[("raise", Illegal::Raise), ("lose", Illegal::Lose)])?,
            max_steps,
        };
        let threads = threads.min(num_envs);
        let start = game.start();
        let parts = parts(num_envs, threads)
            .map(|range| {
                let shard = Mutex::new(shard(&*start, &settings, range.len())?);
                Ok(Part { range, shard })
            })
            .collect::<PyResult<_>>()?;
        let crew = Crew::new(threads - 1)?;
        Ok(VectorCore { settings, count: num_envs, open: Some(Open { parts, arrays: None, crew }) })
    }

    /// The shapes of the arrays: observations, masks, rewards.
    #[getter]
    fn shapes(&self) -> [(usize, usize); 3] {
        let Settings { seats, .. } = self.settings;
        [self.settings.observation_bytes(), self.settings.mask_bytes(), seats].map(|width| (self.count, width))
    }

    /// Actions that have a place in the masks.
    #[getter]
    fn num_actions(&self) -> usize {
        self.settings.actions()
    }

    /// Takes the arrays that every step fills.
    fn bind(&mut self, arrays: &Bound<'_, PyDict>) -> PyResult<()> {
        let arrays = Arrays::new(arrays, self.count, &self.settings)?;
        self.open()?.arrays = Some(Arc::new(arrays));
        Ok(())
    }

    /// Begins new games in all environments; with seeds, one for each, the random numbers begin anew too.
    #[pyo3(signature = (seeds=None))]
    fn reset(&mut self, py: Python<'_>, seeds: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let count = self.count;
        let seeds = seeds.map(|seeds| Array::<u64>::readable(seeds, "seeds", &[count])).transpose()?;
        let seeds: Option<Arc<Vec<u64>>> = seeds.map(|seeds| Arc::new(seeds.copied()));
        self.open()?.all(py, move |shard, range, rows| {
            shard.reset(seeds.as_ref().map(|seeds| &seeds[range]), rows);
        })
    }

    /// Plays one action in each environment; an illegal one is refused before any is played.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let actions = Array::<i32>::readable(actions, "actions", &[self.count])?;
        // A copy, so that no other thread can change an action after it was found legal.
        let actions = Arc::new(actions.copied());
        let open = self.open()?;
        if let Some(index) = open.first_illegal(py, &actions)? {
            return Err(open.refusal(index, actions[index]));
        }
        open.all(py, move |shard, range, rows| shard.step(&actions[range], rows))
    }

    /// Chooses a legal action in each environment at random and writes it into the array.
    fn sample(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let actions = Arc::new(Array::<i32>::writable(actions, "actions", &[self.count])?);
        self.open()?.all(py, move |shard, range, _| {
            // Every shard has rows of its own.
            #[allow(unsafe_code)]
            shard.sample(unsafe { actions.rows(range) });
        })
    }

    /// Chooses like `sample`, and plays what it chose.
    fn step_random(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let actions = Arc::new(Array::<i32>::writable(actions, "actions", &[self.count])?);
        let open = self.open()?;
        check_apart(&[open.arrays()?.spans(), vec![actions.span()]].concat())?;
        open.all(py, move |shard, range, rows| {
            // Every shard has rows of its own, apart from its other arrays as was checked.
            #[allow(unsafe_code)]
            shard.step_random(unsafe { actions.rows(range) }, rows);
        })
    }

    /// The position of an environment.
    fn position(&mut self, index: usize) -> PyResult<Position> {
        self.open()?.one(index, |shard, index, _| Position(shard.position(index)))
    }

    /// Lets an environment go on from another position.
    fn set_position(&mut self, index: usize, position: &Position) -> PyResult<()> {
        let set = self.open()?.one(index, |shard, index, rows| shard.set_position(index, &*position.0, rows))?;
        if set { Ok(()) } else { Err(bad_value("the position is of another game")) }
    }

    /// Ends the threads and lets go of the arrays; nothing can be asked afterwards.
    fn close(&mut self, py: Python<'_>) {
        let open = self.open.take();
        py.detach(|| drop(open));
    }

    #[getter]
    fn closed(&self) -> bool {
        self.open.is_none()
    }
}

impl VectorCore {
    fn open(&mut self) -> PyResult<&mut Open> {
        self.open.as_mut().ok_or_else(|| PyRuntimeError::new_err("the environment is closed"))
    }
}

impl Open {
    fn arrays(&self) -> PyResult<&Arc<Arrays>> {
        self.arrays.as_ref().ok_or_else(|| PyRuntimeError::new_err("the environment has no arrays yet"))
    }

    /// Does the work for every part, with the interpreter released and the threads sharing it.
    fn all(
        &mut self,
        py: Python<'_>,
        work: impl Fn(&mut dyn AnyShard, Range<usize>, Rows<'_>) + Send + Sync + 'static,
    ) -> PyResult<()> {
        let (parts, arrays) = (Arc::clone(&self.parts), Arc::clone(self.arrays()?));
        self.each_part(py, move |index| {
            let part = &parts[index];
            // Parts have rows of their own, and each is done once.
            #[allow(unsafe_code)]
            let rows = unsafe { arrays.rows(&part.range) };
            let mut shard = part.shard.lock().unwrap_or_else(PoisonError::into_inner);
            work(&mut **shard, part.range.clone(), rows);
        })
    }

    fn each_part(&mut self, py: Python<'_>, work: impl Fn(usize) + Send + Sync + 'static) -> PyResult<()> {
        let crew = &mut self.crew;
        if py.detach(|| crew.run(work)) {
            return Ok(());
        }
        Err(PyRuntimeError::new_err("a step failed inside: please report this with the game and the actions"))
    }

    /// Asks the part that an environment belongs to.
    fn one<T>(&mut self, index: usize, work: impl FnOnce(&mut dyn AnyShard, usize, Rows<'_>) -> T) -> PyResult<T> {
        let most = self.parts.last().map_or(0, |part| part.range.end);
        let missing =
            || PyIndexError::new_err(format!("there is no environment {index}: possible are 0 to {}", most - 1));
        let part = self.parts.iter().find(|part| part.range.contains(&index)).ok_or_else(missing)?;
        // No other part is at work while this is asked.
        #[allow(unsafe_code)]
        let rows = unsafe { self.arrays()?.rows(&part.range) };
        let mut shard = part.shard.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(work(&mut **shard, index - part.range.start, rows))
    }

    /// The first environment whose action is not legal.
    fn first_illegal(&mut self, py: Python<'_>, actions: &Arc<Vec<i32>>) -> PyResult<Option<usize>> {
        let first = Arc::new(AtomicUsize::new(usize::MAX));
        let (parts, actions, found) = (Arc::clone(&self.parts), Arc::clone(actions), Arc::clone(&first));
        self.each_part(py, move |index| {
            let part = &parts[index];
            let shard = part.shard.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(illegal) = shard.first_illegal(&actions[part.range.clone()]) {
                found.fetch_min(part.range.start + illegal, Ordering::Relaxed);
            }
        })?;
        let first = first.load(Ordering::Relaxed);
        Ok((first != usize::MAX).then_some(first))
    }

    /// Why an action is not legal, with what would be.
    fn refusal(&mut self, index: usize, action: i32) -> PyErr {
        let text = self.one(index, |shard, index, _| {
            let position = shard.position(index);
            let number = usize::try_from(action).ok();
            let decoded = number.and_then(|number| crate::erased::numbered(&*position).ok()?.decode(number));
            match decoded {
                Some(text) => position.boxed().play(&text).err().map_or(text, |refused| refused.to_string()),
                None => "there is no such action".to_owned(),
            }
        });
        match text {
            Ok(text) => IllegalAction::new_err(format!("environment {index}, action {action}: {text}")),
            Err(error) => error,
        }
    }
}
