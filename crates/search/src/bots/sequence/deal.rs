use rules::sequence::{Action, Card, Sequence};
use rules::{Outcome, Position, Turn};

use crate::Random;

/// Chance decided beforehand: the same number gives the same cards in the same order, whatever is played.
///
/// Luck weighs heavily in Sequence, so players are compared on the same deals with their seats exchanged.
///
/// ```
/// use rules::{Position, Turn, sequence::Sequence};
/// use search::bots::sequence::Deal;
///
/// let dealt = |number| {
///     let (mut game, mut deal) = (Sequence::start(&Default::default()), Deal::new(number));
///     while game.turn() == Turn::Chance {
///         game.play(deal.next(&game)).unwrap();
///     }
///     game
/// };
/// assert_eq!(dealt(7), dealt(7));
/// assert_ne!(dealt(7), dealt(8));
/// ```
#[derive(Clone, Debug)]
pub struct Deal {
    random: Random,
    pile: [Card; 42],
    size: u8,
}

impl Deal {
    /// The deal with this number.
    pub fn new(number: u64) -> Deal {
        Deal { random: Random::new(number), pile: [Card::Bear; 42], size: 0 }
    }

    /// What chance does now.
    ///
    /// One deal serves one game from its beginning, or from wherever it was first asked.
    #[inline]
    pub fn next(&mut self, position: &Sequence) -> Action {
        if position.drawer().is_none() {
            return self.tile(position);
        }
        if self.size == 0 {
            self.shuffle(position);
        }
        self.size -= 1;
        Action::Draw(self.pile[usize::from(self.size)])
    }

    /// Puts the draw pile of a position in a random order.
    fn shuffle(&mut self, position: &Sequence) {
        self.size = 0;
        for card in Card::ALL {
            for _ in 0..position.stock(card) {
                let at = self.random.below(u32::from(self.size) + 1) as usize;
                self.pile[usize::from(self.size)] = self.pile[at];
                self.pile[at] = card;
                self.size += 1;
            }
        }
    }

    fn tile(&mut self, position: &Sequence) -> Action {
        let laid = Card::animals().filter(|&card| position.is_legal(Action::Tile(card)));
        let legal: Vec<Card> = laid.collect();
        Action::Tile(legal[self.random.below(legal.len() as u32) as usize])
    }
}

/// What each seat gets from a finished game: a win is 1, a draw is shared by all.
pub(super) fn score(position: &Sequence) -> [f32; 4] {
    let mut scores = [1.0 / f32::from(position.seats()); 4];
    if let Turn::Over(Outcome::Win(side)) = position.turn() {
        scores = [0.0; 4];
        scores[side.index()] = 1.0;
    }
    scores
}
