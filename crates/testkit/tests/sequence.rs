//! The conformance suite on Sequence, under every combination of options.

use rules::sequence::{Card, Sequence};
use rules::{Position, Seat, Turn, Viewer};
use search::Random;
use testkit::{
    Walks, conform, conform_hidden, conform_hidden_scenes, conform_staged, conform_symmetric, every_option, vocabulary,
};

/// Exchanges a card that `viewer` cannot see with one of the pile, through the position text.
fn disguise(position: &Sequence, viewer: Viewer, random: &mut Random) -> Option<Sequence> {
    if matches!(position.turn(), Turn::Over(_)) {
        return None;
    }
    let hidden: Vec<Seat> = Seat::all(position.seats())
        .filter(|&seat| viewer != Viewer::Seat(seat) && !position.hand(seat).is_empty())
        .collect();
    let pile: Vec<Card> = Card::ALL.into_iter().filter(|&card| position.stock(card) > 0).collect();
    if hidden.is_empty() || pile.is_empty() {
        return None;
    }
    let mut pick = |n: usize| random.below(n as u32) as usize;
    let seat = hidden[pick(hidden.len())];
    let mut hand = position.hand(seat).to_vec();
    let given_up = pick(hand.len());
    hand[given_up] = pile[pick(pile.len())];
    hand.sort_unstable();
    let text = position.to_string();
    let mut fields: Vec<&str> = text.split(' ').collect();
    let mut hands: Vec<String> = fields[2].split('|').map(str::to_owned).collect();
    hands[seat.index()] = hand.iter().map(|card| card.name()).collect::<Vec<_>>().join("+");
    let hands = hands.join("|");
    fields[2] = &hands;
    // A seat that passed cannot hold what it could have played; then this is no disguise.
    Sequence::parse(&position.options(), &fields.join(" ")).ok()
}

#[test]
fn sequence_keeps_every_promise() {
    for options in every_option() {
        let walks = Walks { seed: 1, games: 10, actions: 400 };
        conform::<Sequence>(&options, &vocabulary::sequence(), walks).unwrap_or_else(|violation| panic!("{violation}"));
    }
}

#[test]
fn sequence_hides_what_it_must() {
    for options in every_option() {
        let walks = Walks { seed: 2, games: 6, actions: 400 };
        conform_hidden::<Sequence>(&options, disguise, walks).unwrap_or_else(|violation| panic!("{violation}"));
        conform_hidden_scenes::<Sequence>(&options, disguise, walks).unwrap_or_else(|violation| panic!("{violation}"));
    }
}

#[test]
fn sequence_is_symmetric_and_can_be_shown() {
    for options in every_option() {
        let walks = Walks { seed: 3, games: 10, actions: 400 };
        conform_symmetric::<Sequence>(&options, walks).unwrap_or_else(|violation| panic!("{violation}"));
        conform_staged::<Sequence>(&options, walks).unwrap_or_else(|violation| panic!("{violation}"));
    }
}
