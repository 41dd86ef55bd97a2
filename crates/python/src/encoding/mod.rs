//! Actions and observations as numbers (docs/python.md): fixed, and versioned for each game.
//!
//! A new numbering gets a new [`Encoded::VERSION`]: what was trained on the old one must not be fed the new.

mod four;
mod quarto;
mod quixo;
mod sequence;

use rules::{ActionList, Position, Seat};
use search::{Random, weighted};

use crate::bits;

/// A part of an observation.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) shape: Vec<usize>,
}

impl Field {
    fn new(name: &'static str, shape: &[usize]) -> Field {
        Field { name, shape: shape.to_vec() }
    }

    fn len(&self) -> usize {
        self.shape.iter().product()
    }
}

/// How a game with its options is numbered.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) version: u32,
    /// Actions of seats come first.
    pub(crate) actions: usize,
    /// Chance's come after them.
    pub(crate) chance_actions: usize,
    /// Fields of 0 and 1, each with a bit for every entry.
    planes: Vec<Field>,
    /// Fields of whole numbers up to 255, which come after them.
    numbers: Vec<Field>,
    pub(crate) bits: usize,
    pub(crate) scalars: usize,
}

impl Layout {
    fn new(version: u32, [actions, chance_actions]: [usize; 2], planes: Vec<Field>, numbers: Vec<Field>) -> Layout {
        let bits = planes.iter().map(Field::len).sum();
        let scalars = numbers.iter().map(Field::len).sum();
        Layout { version, actions, chance_actions, planes, numbers, bits, scalars }
    }

    /// The layout of any game, or `ValueError` if it has no numbers.
    pub(crate) fn of(game: &game::Game) -> pyo3::PyResult<Layout> {
        Ok(crate::erased::numbered(&*game.start())?.layout())
    }

    /// Every field with where it begins in an observation of bytes.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (&Field, usize)> {
        let mut first = 0;
        self.planes.iter().chain(&self.numbers).map(move |field| {
            let begins = first;
            first += field.len();
            (field, begins)
        })
    }

    /// The actions of seats and of chance.
    pub(crate) fn all_actions(&self) -> usize {
        self.actions + self.chance_actions
    }

    /// Words of a mask.
    pub(crate) fn mask_words(&self) -> usize {
        bits::words(self.all_actions())
    }

    /// Words of an observation's planes.
    pub(crate) fn plane_words(&self) -> usize {
        bits::words(self.bits)
    }
}

/// A game whose actions and observations have numbers. A game of the list need not be one: Python then plays it by texts.
pub(crate) trait Encoded: Position {
    /// The version of the numbering.
    const VERSION: u32;

    /// How this game with these options is numbered.
    fn layout(&self) -> Layout;

    /// Makes a set of the numbers of the legal actions, whatever was in it before.
    fn legal(&self, mask: &mut [u64]);

    /// The action of a number in this position, legal or not.
    fn decode(&self, number: usize) -> Option<Self::Action>;

    /// The number of a legal action; `None` for one that cannot be legal here.
    fn encode(&self, action: Self::Action) -> Option<usize>;

    /// An action of chance by its odds; chance must be to act.
    fn draw(&self, random: &mut Random) -> Self::Action {
        let mut actions = ActionList::new();
        self.actions(&mut actions);
        weighted(self, random, &actions)
    }

    /// Writes what `seat` may know, seen from that seat: planes as a set, then numbers.
    fn observe(&self, seat: Seat, planes: &mut [u64], numbers: &mut [u8]);
}
