use std::fmt;
use std::str::FromStr;

/// A card of the deck (SQ1): an animal, which the board shows twice, or one of the two that it does not show.
///
/// The order is alphabetical, which is the order of a hand in texts.
///
/// ```
/// use rules::sequence::Card;
///
/// assert_eq!(Card::Cat.name(), "cat");
/// assert_eq!("whale".parse(), Ok(Card::Whale));
/// assert!(Card::Bear < Card::Whale);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // the names say it all
pub enum Card {
    Bear,
    Camel,
    Cat,
    Cow,
    Crocodile,
    Dog,
    /// Removes a chip of an opponent (SQ6).
    Dragon,
    Elephant,
    Fox,
    Frog,
    Giraffe,
    Gorilla,
    Hippo,
    Kangaroo,
    Lion,
    Owl,
    Penguin,
    Tiger,
    Turtle,
    /// Puts a chip on any open square (SQ5).
    Unicorn,
    Whale,
}

use Card::{
    Bear, Camel, Cat, Cow, Crocodile, Dog, Dragon, Elephant, Fox, Frog, Giraffe, Gorilla, Hippo, Kangaroo, Lion, Owl,
    Penguin, Tiger, Turtle, Unicorn, Whale,
};

impl Card {
    /// How many different cards there are: 19 animals, the Unicorn and the Dragon.
    pub const COUNT: usize = 21;

    /// How often each card is in the deck.
    pub const COPIES: u8 = 2;

    /// Every card once, in alphabetical order.
    pub const ALL: [Card; Card::COUNT] = [
        Bear, Camel, Cat, Cow, Crocodile, Dog, Dragon, Elephant, Fox, Frog, Giraffe, Gorilla, Hippo, Kangaroo, Lion,
        Owl, Penguin, Tiger, Turtle, Unicorn, Whale,
    ];

    /// The place in [`Card::ALL`], for arrays with an entry per card.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Whether the board shows this card.
    #[inline]
    pub const fn is_animal(self) -> bool {
        !matches!(self, Dragon | Unicorn)
    }

    /// The 19 animals in alphabetical order.
    pub fn animals() -> impl Iterator<Item = Card> {
        Card::ALL.into_iter().filter(|card| card.is_animal())
    }

    /// The name in texts (SQ2).
    pub const fn name(self) -> &'static str {
        match self {
            Bear => "bear",
            Camel => "camel",
            Cat => "cat",
            Cow => "cow",
            Crocodile => "crocodile",
            Dog => "dog",
            Dragon => "dragon",
            Elephant => "elephant",
            Fox => "fox",
            Frog => "frog",
            Giraffe => "giraffe",
            Gorilla => "gorilla",
            Hippo => "hippo",
            Kangaroo => "kangaroo",
            Lion => "lion",
            Owl => "owl",
            Penguin => "penguin",
            Tiger => "tiger",
            Turtle => "turtle",
            Unicorn => "unicorn",
            Whale => "whale",
        }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Card {
    type Err = NoSuchCard;

    fn from_str(text: &str) -> Result<Card, NoSuchCard> {
        Card::ALL.into_iter().find(|card| card.name() == text).ok_or(NoSuchCard)
    }
}

/// A text that names no card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchCard;

impl fmt::Display for NoSuchCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a card is an animal such as cat, unicorn or dragon")
    }
}

impl std::error::Error for NoSuchCard {}
