use std::fmt;

use crate::{GameId, Side, excerpt};

/// A symbol or colour that pieces of a side have on the screen (G9), by its place in [`GameId::signs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sign(u8);

impl Sign {
    /// The sign at a zero-based index.
    ///
    /// # Panics
    /// If `index` is 4 or more.
    pub const fn from_index(index: usize) -> Sign {
        assert!(index < 4, "there are four signs at most");
        Sign(index as u8)
    }

    /// The sign that a side has unless the players choose otherwise.
    pub const fn usual(side: Side) -> Sign {
        Sign(side.index() as u8)
    }

    /// The zero-based index of this sign.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Sign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

/// Which sign each side has on the screen. No two sides have the same.
///
/// The rules do not know it, and no text of a game, an action or a position shows it.
///
/// ```
/// use rules::{GameId, Side, Signs};
///
/// let mut signs = Signs::default();
/// signs.choose(Side::ONE, GameId::Quixo.sign("nought").unwrap());
/// assert_eq!(signs.text(GameId::Quixo, 2), "nought cross");
/// assert_eq!(Signs::read(GameId::Quixo, 2, "nought cross"), Ok(signs));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Signs([Sign; 4]);

impl Default for Signs {
    fn default() -> Signs {
        Signs([Sign(0), Sign(1), Sign(2), Sign(3)])
    }
}

impl Signs {
    /// The sign of a side.
    pub const fn of(self, side: Side) -> Sign {
        self.0[side.index()]
    }

    /// Gives a side a sign; the side that had it takes the other one in exchange.
    pub fn choose(&mut self, side: Side, sign: Sign) {
        if let Some(other) = self.0.iter().position(|it| *it == sign) {
            self.0.swap(side.index(), other);
        }
    }

    /// The signs of the sides that play, in words: `nought cross`.
    pub fn text(self, game: GameId, sides: usize) -> String {
        let words = self.0.iter().take(sides).filter_map(|sign| game.signs().get(sign.index()).copied());
        words.collect::<Vec<_>>().join(" ")
    }

    /// Reads the signs of so many sides.
    pub fn read(game: GameId, sides: usize, text: &str) -> Result<Signs, BadSigns> {
        let bad = || BadSigns { text: excerpt(text), game, sides };
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.len() != sides || game.signs().is_empty() {
            return Err(bad());
        }
        let mut signs = Signs::default();
        for (index, word) in words.iter().enumerate() {
            if words[..index].contains(word) {
                return Err(bad());
            }
            signs.choose(Side::from_index(index), game.sign(word).ok_or_else(bad)?);
        }
        Ok(signs)
    }
}

/// A text that does not give every side a sign of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadSigns {
    text: String,
    game: GameId,
    sides: usize,
}

impl BadSigns {
    /// What was written, cut to a sensible length.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for BadSigns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (game, signs) = (self.game, self.game.signs());
        if signs.is_empty() {
            return write!(f, "cannot use the signs {:?}: in {game} the pieces belong to no side", self.text);
        }
        let (text, sides) = (&self.text, self.sides);
        write!(f, "cannot use the signs {text:?}: {game} expects {sides} different ones of {}", signs.join(", "))
    }
}

impl std::error::Error for BadSigns {}

#[cfg(test)]
mod tests {
    use super::*;

    /// G9: each side has a sign of its own, chosen before the game.
    #[test]
    fn g9_every_side_has_a_sign_of_its_own() {
        let mut signs = Signs::default();
        let red = GameId::Sequence.sign("red").unwrap();
        signs.choose(Side::ONE, red);
        assert_eq!(signs.text(GameId::Sequence, 4), "red blue green yellow");
        signs.choose(Side::TWO, red);
        assert_eq!(signs.text(GameId::Sequence, 2), "blue red");
        for game in GameId::ALL.into_iter().filter(|game| !game.signs().is_empty()) {
            let usual = Signs::default().text(game, game.sides());
            assert_eq!(Signs::read(game, game.sides(), &usual), Ok(Signs::default()), "{game}");
        }
    }

    #[test]
    fn signs_that_cannot_be_given_are_refused_with_what_is_possible() {
        for text in ["", "cross", "cross cross", "cross green", "cross nought cross"] {
            let message = Signs::read(GameId::Quixo, 2, text).unwrap_err().to_string();
            assert!(message.contains("2 different ones of cross, nought"), "{message}");
        }
        let message = Signs::read(GameId::Quarto, 2, "dark light").unwrap_err().to_string();
        assert!(message.contains("belong to no side"), "{message}");
    }
}
