//! What Python asks of a position of whichever game, beyond [`game::AnyPosition`].

use game::{AnyPosition, Listed, Refused};
use pyo3::{PyErr, PyResult};
use rules::{GameId, Seat, Symmetric};

use crate::bits;
use crate::encoding::{Encoded, Layout};
use crate::errors::bad_value;

/// The symmetries of a position, with actions as their texts.
pub(crate) trait Turnable {
    fn symmetries(&self) -> usize;
    fn transform(&self, symmetry: usize) -> Box<dyn AnyPosition>;
    fn transform_action(&self, symmetry: usize, action: &str) -> Result<String, Refused>;
}

/// The numbers of a position, with actions as their texts.
pub(crate) trait Numbered {
    fn layout(&self) -> Layout;
    /// A byte for every action of seats and chance: 1 if it is legal.
    fn mask(&self) -> Vec<u8>;
    fn encode(&self, action: &str) -> Result<Option<usize>, Refused>;
    fn decode(&self, number: usize) -> Option<String>;
    /// An observation of bytes.
    fn observe(&self, seat: Seat) -> Vec<u8>;
}

impl<P: Listed + Symmetric> Turnable for P {
    fn symmetries(&self) -> usize {
        Symmetric::symmetries(self)
    }

    fn transform(&self, symmetry: usize) -> Box<dyn AnyPosition> {
        Box::new(Symmetric::transform(self, symmetry))
    }

    fn transform_action(&self, symmetry: usize, action: &str) -> Result<String, Refused> {
        // The symmetry of an action that is off the board has no meaning.
        let action = legal(self, action)?;
        Ok(Symmetric::transform_action(self, symmetry, action).to_string())
    }
}

impl<P: Listed + Encoded> Numbered for P {
    fn layout(&self) -> Layout {
        Encoded::layout(self)
    }

    fn mask(&self) -> Vec<u8> {
        let layout = Encoded::layout(self);
        let mut set = vec![0; layout.mask_words()];
        Encoded::legal(self, &mut set);
        let mut mask = vec![0; layout.all_actions()];
        bits::spread(&set, &mut mask);
        mask
    }

    fn encode(&self, action: &str) -> Result<Option<usize>, Refused> {
        Ok(Encoded::encode(self, action.parse().map_err(Refused::Unreadable)?))
    }

    fn decode(&self, number: usize) -> Option<String> {
        if number >= Encoded::layout(self).all_actions() {
            return None;
        }
        Encoded::decode(self, number).map(|action| action.to_string())
    }

    fn observe(&self, seat: Seat) -> Vec<u8> {
        let layout = Encoded::layout(self);
        let mut planes = vec![0; layout.plane_words()];
        let mut observation = vec![0; layout.bits + layout.scalars];
        let (bytes, numbers) = observation.split_at_mut(layout.bits);
        Encoded::observe(self, seat, &mut planes, numbers);
        bits::spread(&planes, bytes);
        observation
    }
}

fn legal<P: Listed>(position: &P, action: &str) -> Result<P::Action, Refused> {
    let action: P::Action = action.parse().map_err(Refused::Unreadable)?;
    if position.is_legal(action) {
        return Ok(action);
    }
    let reason = position.refusal(action);
    Err(Refused::Illegal { action: action.to_string(), reason, legal: AnyPosition::legal(position) })
}

/// A position whose game may have symmetries or numbers. The methods of the type win where they exist, so that a game
/// needs neither: without them the methods of the traits say that there are none.
pub(crate) struct Asked<'a, P>(pub(crate) &'a P);

impl<'a, P: Listed + Symmetric> Asked<'a, P> {
    pub(crate) fn turnable(&self) -> Option<&'a dyn Turnable> {
        Some(self.0)
    }
}

impl<'a, P: Listed + Encoded> Asked<'a, P> {
    pub(crate) fn numbered(&self) -> Option<&'a dyn Numbered> {
        Some(self.0)
    }
}

#[allow(dead_code, reason = "needed as soon as a game has no symmetries or no numbers")]
trait Neither<'a> {
    fn turnable(&self) -> Option<&'a dyn Turnable> {
        None
    }

    fn numbered(&self) -> Option<&'a dyn Numbered> {
        None
    }
}

impl<'a, P> Neither<'a> for Asked<'a, P> {}

macro_rules! erase {
    ($($name:ident in $module:ident;)*) => {
        /// The symmetries of a position, if its game has any.
        pub(crate) fn turnable(position: &dyn AnyPosition) -> Option<&dyn Turnable> {
            $(
                if let Some(position) = position.as_any().downcast_ref::<rules::$module::$name>() {
                    return Asked(position).turnable();
                }
            )*
            None
        }

        fn find_numbers(position: &dyn AnyPosition) -> Option<&dyn Numbered> {
            $(
                if let Some(position) = position.as_any().downcast_ref::<rules::$module::$name>() {
                    return Asked(position).numbered();
                }
            )*
            None
        }
    };
}

rules::games!(erase);

/// The numbers of a position, or `ValueError` if its game has none.
pub(crate) fn numbered(position: &dyn AnyPosition) -> PyResult<&dyn Numbered> {
    find_numbers(position).ok_or_else(|| without_numbers(position.game().id()))
}

/// Whether the actions and observations of a game have numbers.
pub(crate) fn is_numbered(game: GameId) -> bool {
    find_numbers(&*game::Game::by_default(game).start()).is_some()
}

pub(crate) fn without_numbers(game: GameId) -> PyErr {
    let possible: Vec<&str> = GameId::ALL.into_iter().filter(|game| is_numbered(*game)).map(GameId::name).collect();
    let possible = possible.join(", ");
    bad_value(format_args!("the actions and observations of {game} have no numbers: possible are {possible}"))
}
