//! Boards that are edited by hand; the conformance suite checks what holds for every game.

use rules::four::{Four, FourSetup};
use rules::quarto::{Quarto, QuartoSetup};
use rules::quixo::{Quixo, QuixoSetup};
use rules::sequence::{Sequence, SequenceSetup, SetupPiece};
use rules::{Editable, Field, Seat, Setup, SetupEntry, SetupField, SetupValue, Side};

fn start<P: Editable>(options: &str) -> P::Setup {
    P::Setup::of(&P::start(&options.parse().unwrap_or_else(|_| panic!("options {options}"))))
}

/// Puts pieces on squares: `1b1` is piece number 1 of the setup on b1.
fn put<S: Setup>(setup: &mut S, stones: &str) {
    for stone in stones.split(' ') {
        let (number, square) = stone.split_at(1);
        let piece = setup.pieces()[usize::from_str_radix(number, 16).expect("a hex digit")];
        setup.put(square.parse().expect("a square"), Some(piece));
    }
}

fn text<S: Setup>(setup: &S) -> String {
    setup.position().map_or_else(|problem| format!("refused: {problem}"), |position| position.to_string())
}

#[test]
fn quarto_knows_whose_turn_it_is() {
    let mut setup: QuartoSetup = start::<Quarto>("");
    put(&mut setup, "0a1 1b2");
    assert_eq!(text(&setup), "..../..../.1../0... - 1 b2");
    setup.set(0, SetupValue::Piece(Some("7".parse().unwrap())));
    assert_eq!(text(&setup), "..../..../.1../0... 7 2 b2");
    // The piece in hand is put on the board, and is in hand no more.
    put(&mut setup, "7c3");
    assert_eq!(text(&setup), "..../..7./.1../0... - 2 c3");
    // A row counts as completed by one of its pieces, whichever was put down last.
    put(&mut setup, "1b1 2c1 3d1 8d4");
    assert_eq!(text(&setup), "...8/..7./..../0123 - 1 a1");
    // Beside the board nothing stands, and only the piece in hand is set.
    put(&mut setup, "5e1 5a5 5e5");
    assert_eq!(text(&setup), "...8/..7./..../0123 - 1 a1");
    assert_eq!(setup.piece("e1".parse().expect("a square")), None);
    assert_eq!(setup.piece("a5".parse().expect("a square")), None);
    let [SetupField { field: Field::Hand, seat: None, entry: SetupEntry::Piece { value: None, choices } }] =
        &setup.fields()[..]
    else {
        panic!("{:?}", setup.fields())
    };
    assert_eq!(*choices, setup.pieces());
}

#[test]
fn a_setup_of_quixo_says_who_cannot_be_to_act() {
    let mut setup: QuixoSetup = start::<Quixo>("");
    put(&mut setup, "1e5");
    assert_eq!(text(&setup), "refused: 0 x and 1 o cannot stand when seat 1 is to act");
    put(&mut setup, "0a1");
    assert_eq!(text(&setup), "....o/...../...../...../x.... 1");
    setup.set(0, SetupValue::Seat(Seat::TWO));
    assert_eq!(text(&setup), "....o/...../...../...../x.... 2");
    setup.set(0, SetupValue::Seat(Seat::THREE));
    assert_eq!(text(&setup), "....o/...../...../...../x.... 2", "there is no third seat");
    let teams: QuixoSetup = start::<Quixo>("players=4");
    let owner = |piece| match piece {
        rules::quixo::Cube::Marked { side, owner } => (side, owner),
        rules::quixo::Cube::Blank => panic!("a blank is no piece to put"),
    };
    assert_eq!(owner(teams.pieces()[1]), (Side::ONE, Seat::THREE));
    // Beside the board nothing stands, and only the turn is set.
    put(&mut setup, "0f1 0a6 0f6");
    assert_eq!(text(&setup), "....o/...../...../...../x.... 2");
    assert_eq!(setup.piece("f1".parse().expect("a square")), None);
    assert_eq!(setup.piece("a6".parse().expect("a square")), None);
    let [SetupField { field: Field::Seat, seat: None, entry: SetupEntry::Seat { value: Seat::TWO, seats: 2 } }] =
        setup.fields()[..]
    else {
        panic!("{:?}", setup.fields())
    };
}

#[test]
fn chips_of_sequence_bring_their_cards_and_hands_make_room() {
    let mut setup: SequenceSetup = start::<Sequence>("");
    put(&mut setup, "0b1 1c1 0d1");
    assert!(text(&setup).starts_with("*.....*/......./......./......./......./*121..* 2 "), "{}", text(&setup));
    setup.set(0, SetupValue::Piece(Some(SetupPiece::Card("fox".parse().unwrap()))));
    let (hand, position) = (Seat::ONE, setup.position().unwrap());
    assert!(position.hand(hand).iter().any(|card| card.name() == "fox"), "{position}");
    put(&mut setup, "1e1 0b2 1c2");
    assert!(setup.position().is_ok(), "{}", text(&setup));
    // Four in a line with the corner: the winner acted last and has two cards.
    setup.put("c1".parse().unwrap(), None);
    put(&mut setup, "0c1 1e3");
    assert!(setup.position().is_ok(), "{}", text(&setup));
    put(&mut setup, "0a1");
    assert_eq!(setup.piece("a1".parse().unwrap()), None, "nothing can be put on a corner");
}

#[test]
fn four_keeps_its_stones() {
    let mut setup: FourSetup = start::<Four>("size=9");
    put(&mut setup, "0a1 1b2");
    assert_eq!(text(&setup), "9/9/9/9/9/9/9/1o7/x8 1 opening 0,0 29,29 0 0 - -");
    setup.set(0, SetupValue::Seat(Seat::TWO));
    assert!(text(&setup).contains(" 1 opening"), "black is to act after two stones: {}", text(&setup));
    setup.clear();
    assert_eq!(text(&setup), "9/9/9/9/9/9/9/9/9 1 opening 0,0 30,30 0 0 - -");
    for column in "abcdefghi".chars() {
        put(&mut setup, &format!("0{column}1 1{column}3"));
    }
    put(&mut setup, "0a5 1b5");
    setup.set(2, SetupValue::Number(1));
    assert_eq!(text(&setup), "9/9/9/9/xo7/9/ooooooooo/9/xxxxxxxxx 1 4 0,1 19,20 0 0 - -");
}
