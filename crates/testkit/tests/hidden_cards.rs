//! Sequence: nothing leaks, and a guess is a position that could be. What is hidden is worked out here from the
//! position text and the rules alone, so that a leak in the game's own views cannot hide itself.

use rules::sequence::Sequence;
use rules::{HiddenInformation, Position, Seat, Turn, Viewer};
use search::Random;
use testkit::{Walks, conform_hidden, conform_hidden_scenes, every_option, random_game};

/// The animals of Sequence (SQ1), written out so that no test asks the rules what they should be.
const ANIMALS: [&str; 19] = [
    "bear",
    "camel",
    "cat",
    "cow",
    "crocodile",
    "dog",
    "elephant",
    "fox",
    "frog",
    "giraffe",
    "gorilla",
    "hippo",
    "kangaroo",
    "lion",
    "owl",
    "penguin",
    "tiger",
    "turtle",
    "whale",
];

/// SQ1: 19 animals twice, two Unicorns, two Dragons.
fn deck() -> Vec<String> {
    let cards = ANIMALS.into_iter().chain(["unicorn", "dragon"]);
    cards.flat_map(|card| [card.to_owned(), card.to_owned()]).collect()
}

/// The cards of one field of the position text, one list per seat.
fn piles(field: &str) -> Vec<Vec<String>> {
    let pile = |text: &str| if text == "-" { Vec::new() } else { text.split('+').map(str::to_owned).collect() };
    field.split('|').map(pile).collect()
}

fn fields(position: &Sequence) -> Vec<String> {
    position.to_string().split(' ').map(str::to_owned).collect()
}

/// What is left of the deck without these cards; panics if one of them was there too often.
fn rest_of_deck<'a>(out: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut rest = deck();
    for card in out {
        let place = rest.iter().position(|other| other == card).unwrap_or_else(|| panic!("one {card} too many"));
        rest.swap_remove(place);
    }
    rest
}

/// Deals anew, out of all that `viewer` does not see, the hands that `viewer` does not see.
fn disguise(position: &Sequence, viewer: Viewer, random: &mut Random) -> Option<Sequence> {
    if matches!(position.turn(), Turn::Over(_)) {
        return None;
    }
    let mut fields = fields(position);
    let (mut hands, discards) = (piles(&fields[2]), piles(&fields[3]));
    let own = match viewer {
        Viewer::Seat(seat) => Some(seat.index()),
        Viewer::Spectator => None,
    };
    let seen = discards.iter().flatten().chain(own.into_iter().flat_map(|seat| &hands[seat]));
    let mut unseen = rest_of_deck(seen);
    for (_, hand) in hands.iter_mut().enumerate().filter(|(seat, _)| Some(*seat) != own) {
        for card in hand.iter_mut() {
            *card = unseen.swap_remove(random.below(unseen.len() as u32) as usize);
        }
        hand.sort();
    }
    let text = |hand: &Vec<String>| if hand.is_empty() { "-".to_owned() } else { hand.join("+") };
    fields[2] = hands.iter().map(text).collect::<Vec<_>>().join("|");
    // Cards that could have been played contradict a pass, so not every deal is possible then.
    Sequence::parse(&position.options(), &fields.join(" ")).ok()
}

#[test]
fn sequence_leaks_nothing_and_guesses_honestly() {
    for options in every_option() {
        let walks = Walks { seed: 2, games: 10, actions: 300 };
        conform_hidden::<Sequence>(&options, disguise, walks).unwrap_or_else(|broken| panic!("{broken}"));
        conform_hidden_scenes::<Sequence>(&options, disguise, walks).unwrap_or_else(|broken| panic!("{broken}"));
    }
}

#[test]
fn guesses_conserve_the_42_cards() {
    let mut random = Random::new(4);
    for options in every_option::<<Sequence as Position>::Options>() {
        for game in 0..20 {
            let (_, position) = random_game::<Sequence>(&options, game, 20 + 10 * game as u32);
            for seat in Seat::all(position.seats()) {
                let guess = Sequence::guess(&position.view(Viewer::Seat(seat)), &mut |n| random.below(n));
                let (real, guessed) = (fields(&position), fields(&guess));
                let sizes = |field: &str| piles(field).iter().map(Vec::len).collect::<Vec<_>>();
                assert_eq!(sizes(&real[2]), sizes(&guessed[2]), "every hand keeps its size");
                assert_eq!(piles(&real[2])[seat.index()], piles(&guessed[2])[seat.index()], "the own hand is known");
                assert_eq!(real[3], guessed[3], "discards lie open");
                rest_of_deck(piles(&guessed[2]).iter().chain(&piles(&guessed[3])).flatten());
            }
        }
    }
}

/// Every card that may be in the other's hand turns up there as often as the count of unseen cards says.
#[test]
fn guesses_are_fair() {
    const GUESSES: u32 = 20_000;
    let (_, position) = random_game::<Sequence>(&Default::default(), 3, 16);
    let view = position.view(Viewer::Seat(Seat::ONE));
    let fields = fields(&position);
    let (hands, discards) = (piles(&fields[2]), piles(&fields[3]));
    let unseen = rest_of_deck(hands[0].iter().chain(discards.iter().flatten()));
    let held = hands[1].len() as f64;
    let mut random = Random::new(9);
    let mut counts = std::collections::HashMap::<String, u32>::new();
    for _ in 0..GUESSES {
        let guess = Sequence::guess(&view, &mut |n| random.below(n));
        for card in piles(guess.to_string().split(' ').nth(2).unwrap()).swap_remove(1) {
            *counts.entry(card).or_default() += 1;
        }
    }
    for card in deck().iter().step_by(2) {
        let copies = unseen.iter().filter(|other| *other == card).count() as f64;
        let expected = f64::from(GUESSES) * held * copies / unseen.len() as f64;
        let found = f64::from(counts.get(card).copied().unwrap_or(0));
        assert!((found - expected).abs() <= 5.0 * expected.sqrt(), "{card}: {found} instead of about {expected}");
    }
}
