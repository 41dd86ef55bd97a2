//! What Python asks of a position of whichever game, beyond [`game::AnyPosition`].

use game::{AnyPosition, Listed, Refused};
use rules::{Seat, Symmetric};

use crate::bits;
use crate::encoding::{Encoded, Layout};

/// Symmetries and numbers of a position, with actions as their texts.
pub(crate) trait Erased {
    fn symmetries(&self) -> usize;
    fn transform(&self, symmetry: usize) -> Box<dyn AnyPosition>;
    fn transform_action(&self, symmetry: usize, action: &str) -> Result<String, Refused>;
    fn layout(&self) -> Layout;
    /// A byte for every action of seats and chance: 1 if it is legal.
    fn mask(&self) -> Vec<u8>;
    fn encode(&self, action: &str) -> Result<Option<usize>, Refused>;
    fn decode(&self, number: usize) -> Option<String>;
    /// An observation of bytes.
    fn observe(&self, seat: Seat) -> Vec<u8>;
}

impl<P: Listed + Symmetric + Encoded> Erased for P {
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

macro_rules! erase {
    ($($name:ident in $module:ident;)*) => {
        /// A position as [`Erased`]; every game of the list is.
        pub(crate) fn erased(position: &dyn AnyPosition) -> &dyn Erased {
            $(
                if let Some(position) = position.as_any().downcast_ref::<rules::$module::$name>() {
                    return position;
                }
            )*
            unreachable!("every position is of a game of the list")
        }
    };
}

rules::games!(erase);
