//! Position texts, action texts, guesses and symmetries of Sequence.

use super::tests::{Dice, EMPTY_BOARD, after, every_option, game, options, random_game};
use super::*;
use crate::{Field, HiddenInformation, Setup, Symmetric};

#[test]
fn every_position_of_random_games_round_trips() {
    for options in every_option() {
        for seed in 0..40 {
            random_game(&options, seed, |position| {
                let text = position.to_string();
                assert_eq!(Sequence::parse(&options, &text).as_ref(), Ok(position), "{text}");
            });
        }
    }
}

#[test]
fn a_layout_in_the_making_has_a_text() {
    let start = Sequence::start(&options("board=shuffled"));
    let two = after(start, "tile:cat tile:dog");
    let blank = "*+.+.+.+.+.+*/.+.+.+.+.+.+./.+.+.+.+.+.+./.+.+.+.+.+.+./.+.+.+.+.+.+.";
    assert_eq!(two.to_string(), format!("{EMPTY_BOARD} -1 -|- -|- 0 0 {blank}/*+cat+dog+.+.+.+*"));
    assert_eq!(game("board=shuffled", &two.to_string()), two);
}

#[test]
fn action_texts_round_trip_and_others_are_unreadable() {
    for text in ["tile:cat", "draw:unicorn", "cat@a2", "unicorn@d3", "dragon@d3", "swap:cat", "pass"] {
        assert_eq!(text.parse::<Action>().unwrap().to_string(), text);
    }
    for bad in
        ["", "cat", "cat@", "@a2", "cat@a2@a3", "Cat@a2", "swap:", "swap:cats", "draw:?", "play:cat", "pass ", "cat@a0"]
    {
        assert!(bad.parse::<Action>().is_err(), "{bad:?}");
    }
}

#[test]
fn impossible_position_texts_are_refused_with_a_reason() {
    let bad = |options: &str, text: &str| match Sequence::parse(&super::tests::options(options), text) {
        Ok(_) => panic!("{text} was accepted"),
        Err(error) => error.to_string(),
    };
    let cases = [
        ("", "fields"),
        ("BOARD 1 bear+cat+dog|cow+fox+owl -|- 0", "fields"),
        ("BOARD 1 bear+cat+dog|cow+fox+owl -|- 0 0 x", "fields"),
        ("*.....*/......./......./......./*.....* 1 bear+cat+dog|cow+fox+owl -|- 0 0", "6 ranks of 7"),
        ("*.....*/......./......./....../......./*.....* 1 bear+cat+dog|cow+fox+owl -|- 0 0", "6 ranks of 7"),
        ("1.....*/......./......./......./......./*.....* 1 bear+cat+dog|cow+fox+owl -|- 0 0", "corner a6"),
        ("*.....*/..*..../......./......./......./*.....* 1 bear+cat+dog|cow+fox+owl -|- 0 0", "., 1…2, *"),
        ("*.....*/..3..../......./......./......./*.....* 1 bear+cat+dog|cow+fox+owl -|- 0 0", "1…2"),
        ("BOARD 3 bear+cat+dog|cow+fox+owl -|- 0 0", "1…2"),
        ("BOARD --1 bear+cat+dog|cow+fox+owl -|- 0 0", "1…2"),
        ("BOARD 1 bear+cat+dog -|- 0 0", "for 2 seats"),
        ("BOARD 1 bear+cat+dog|cow+fox+owl - 0 0", "for 2 seats"),
        ("BOARD 1 bear+cat+rat|cow+fox+owl -|- 0 0", "no card \"rat\""),
        ("BOARD 1 cat+bear+dog|cow+fox+owl -|- 0 0", "alphabetical"),
        ("BOARD 1 bear+cat+cow+dog+fox|cow+fox+owl -|- 0 0", "at most 3"),
        ("BOARD 1 bear+cat|cow+fox+owl -|- 0 0", "cannot have 2 cards"),
        ("BOARD 1 bear+cat+cat|cat+fox+owl -|- 0 0", "only two cards cat"),
        ("BOARD 1 bear+cat+dog|cow+fox+owl -|- 5 0", "passes in a row: possible is 0…4"),
        ("BOARD 1 bear+cat+dog|cow+fox+owl -|- 00 0", "passes in a row"),
        ("BOARD 1 bear+cat+dog|cow+fox+owl -|- 0 4", "swaps in this turn: possible is 0…3"),
        ("BOARD 1 bear+cat+dog|cow+fox+owl -|- 1 0", "cannot have passed"),
        ("BOARD 2 bear+cat+dog|cow+fox+owl -|- 0 0", "turn"),
        ("BOARD -1 bear+cat+dog|cow+fox+owl -|- 0 0", "every hand is full"),
        ("BOARD -1 bear+cat|cow+fox+owl -|- 0 0", "in turn order"),
        ("BOARD -2 bear|- -|- 0 0", "seat 1 begins"),
        ("BOARD -1 bear|- -|- 1 0", "seat 1 begins"),
        ("BOARD -1 bear|- -|- 0 1", "seat 1 begins"),
        ("BOARD 1 bear|- -|- 0 0", "cannot have 1 cards"),
        ("BOARD 1 bear+cat+dog|cow+fox+owl -|- 0 1", "too few for the chips on the board and the swaps"),
        ("BOARD 1 bear+cat+dog|cow+fox+owl lion|tiger 0 0", "more discards"),
        ("*.....*/......./......2/......./1....../*.....* 1 bear+cow+dog|cow+fox+owl cat|- 0 0", "explain"),
        ("*.....*/......./......2/......./1....../*.....* 2 bear+cow+dog|cow+fox+owl cat|cat 0 0", "turn"),
        ("*.....*/......./......./......./1....../*.....* -1 bear+cow|cow+fox+owl cat|- 0 0", "after a swap only"),
        ("*.....*/......./......./......./1....../*.....* -2 bear+cow|cow+fox+owl cat|- 1 0", "no pass"),
        ("*.....*/......./......./......./1....../*.....* -1 bear+cow+dog|cow+fox cat|- 0 0", "must have discarded"),
        ("*.....*/......./......./......./1....../*.....* 2 bear+cow+dog|cow+fox+owl cat|fox 0 1", "not dead"),
        (
            "*.....*/......./......2/......2/1.....2/*111..* 2 bear+owl|bear+dog+owl cat+fox+giraffe+cow|cat+tiger+crocodile 0 0",
            "cannot both",
        ),
        (
            "*.....*/......./......2/......./1.....2/*111..* 1 bear+owl|bear+dog+owl cat+fox+giraffe+cow|cat+tiger+crocodile 0 0",
            "next seat's",
        ),
        (
            "*.....*/......./......2/......./1.....2/*111..* -2 bear+owl|bear+dog+owl cat+fox+giraffe+cow|cat+tiger+crocodile 0 0",
            "game is over",
        ),
        (
            "*.....*/......./......2/......./1.....2/*111..* 2 bear+owl+whale|bear+dog+owl cat+fox+giraffe+cow|cat+tiger+crocodile 0 0",
            "must have 2",
        ),
        (
            "*.....*/......./......2/......./1.....2/*111..* 2 bear+owl|bear+dog+owl fox+giraffe+cow+cat|cat+tiger+crocodile 0 0",
            "cannot have completed",
        ),
        // SQ10: with another card on top nothing else is said before.
        ("WON 2 bear+owl|bear+dog+owl fox+giraffe+cow+cat|cat+tiger+crocodile 1 0", "when the game is over"),
        ("WON 2 bear+owl|bear+dog+owl fox+giraffe+cow+cat|cat+tiger+crocodile 0 1", "when the game is over"),
        ("CAT -2 bear+cow|cow+fox+owl cat|- 0 1", "no pass and no swap counts"),
        ("CAT 2 bear+cow+dog|cow+fox+owl fox|- 0 0", "seat 1 has chips on the board that its discards do not explain"),
        ("CATS 2 bear+bear+dog|cow+crocodile+dog cat+fox|cat 0 2", "cannot have swapped more cards than it discarded"),
        ("CATS 1 bear+bear+dog|cow+crocodile+owl cat+fox|cat+lion+tiger+hippo 0 0", "more discards"),
        ("*11111*/1111111/1111111/1111...2222222/......./*.....* 1 bear+cat+dog|cow+fox+owl -|- 0 0", "6 ranks of 7"),
        ("*11111*/1111111/1111111/1111..2/......./*.....* 1 bear+cat+dog|cow+fox+owl -|- 0 0", "more than 21"),
    ];
    for (text, part) in cases {
        let text = text
            .replace("BOARD", EMPTY_BOARD)
            .replace("WON", "*.....*/......./......2/......./1.....2/*111..*")
            .replace("CATS", "*.....*/......./......2/......./1....../*1....*")
            .replace("CAT ", "*.....*/......./......./......./1....../*.....* ");
        let error = bad("", &text);
        assert!(error.contains(part), "{text}: expected {part:?} in {error:?}");
    }
    // G7: seat 2 may be away, but without a swap no turn can have been passed (SQ12).
    let away = "*.....*/......./......./......./1....../*.....* 3 bear+cow+dog|cow+fox+owl|frog+lion+tiger cat|-|- 1 0";
    assert!(bad("players=3", away).contains("do not fit the turn"));
    game("players=3", &away.replace(" 1 0", " 0 0"));
}

#[test]
fn no_more_cards_lie_open_than_there_are() {
    let all: Vec<&str> = Card::ALL.iter().flat_map(|card| [card.name(); 2]).collect();
    let read = |hands: &str, discards: &[&str]| {
        let text = format!("{EMPTY_BOARD} 1 {hands} {}|- 0 0", discards.join("+"));
        Sequence::parse_view(&options(""), &text).unwrap_err()
    };
    assert!(matches!(read("-|-", &all), BadPosition::HandSize { .. }), "42 are all there are");
    assert_eq!(read("-|-", &[&all[..], &["cat"]].concat()), BadPosition::TooManyDiscards);
    // Five cards are left for two hidden hands of three.
    assert_eq!(read("?+?+?|?+?+?", &all[..37]), BadPosition::TooManyDiscards);
}

#[test]
fn sq12_the_row_of_passes_goes_back_from_the_seat_to_act() {
    let passed = |passes: u8, swaps: u8| {
        let start = Sequence::start(&options("players=3"));
        let position = Sequence { due: Due::Nothing, seat: Seat::TWO, passes, swaps, ..start };
        Seat::all(3).filter(|&seat| position.has_passed(seat)).map(Seat::number).collect::<Vec<u8>>()
    };
    assert_eq!([passed(0, 0), passed(1, 0), passed(2, 0)], [vec![], vec![1], vec![1, 3]]);
    assert_eq!(passed(3, 0), [1, 2, 3]);
    assert_eq!(passed(3, 1), [1, 3], "a card that was swapped since was not in the hand that passed");
}

#[test]
fn what_a_seat_sees_stays_however_the_rest_is_dealt() {
    let position = game("", &format!("{EMPTY_BOARD} 1 cat+cow+crocodile|dog+fox+frog -|- 0 0"));
    let own = Viewer::Seat(Seat::ONE);
    for action in ["owl@e3", "swap:owl", "pass"] {
        let next = position.redetermined(Some(action.parse().unwrap()), own);
        assert_eq!(next.view(own), position.view(own), "{action}");
    }
    // A card that is in the pile is drawn from there, and no hand has to give one up.
    let drawing = after(position, "cat@a2");
    let guessed = drawing.redetermined(None, own);
    let held = guessed.hand(Seat::TWO).iter().copied().find(|&card| guessed.stock(card) > 0).unwrap();
    assert_eq!(drawing.redetermined(Some(Action::Draw(held)), own), guessed);
}

#[test]
fn sq12_a_hand_that_passed_stays_unplayable_whatever_is_drawn() {
    // Cat, tiger, turtle, crocodile and bear are dead. Seat 2 swapped three cards and passed, seat 1 has swapped one.
    let board = "*.....*/1..1..2/2.....1/1.....2/2..2..1/*.....*";
    let position = game("", &format!("{board} -1 bear+owl|cat+crocodile+turtle bear|tiger+turtle+tiger 1 1"));
    for drawn in ["crocodile", "fox"] {
        let next = position.redetermined(Some(Action::Draw(drawn.parse().unwrap())), Viewer::Seat(Seat::ONE));
        assert!(next.stock(drawn.parse().unwrap()) > 0);
        let playable = |card: &&Card| next.targets(Seat::TWO, **card) != 0;
        assert_eq!(next.hand(Seat::TWO).iter().find(playable), None, "{next}");
    }
}

#[test]
fn a_setup_keeps_the_hands_that_were_chosen_and_the_board_its_size() {
    let position = game("", &format!("{EMPTY_BOARD} 1 cat+dog+owl|lion+tiger+whale -|- 0 0"));
    let mut setup = SequenceSetup::of(&position);
    assert!(setup.fields().iter().all(|field| field.field == Field::Hands));
    let seats: Vec<u8> = setup.fields().iter().filter_map(|field| field.seat).map(Seat::number).collect();
    assert_eq!(seats, [1, 1, 1, 2, 2, 2]);
    let chip = |seat| Some(SetupPiece::Chip(seat));
    let before = setup.clone();
    for beyond in [Square::new(9, 0), Square::new(7, 1), Square::new(1, 6)] {
        setup.put(beyond, chip(Seat::ONE));
        assert_eq!(setup, before, "{beyond}");
    }
    setup.put("d2".parse().unwrap(), chip(Seat::ONE));
    let edited = setup.position().unwrap();
    assert_eq!(edited.hand(Seat::ONE), position.hand(Seat::ONE));
    assert_eq!(edited.hand(Seat::TWO), position.hand(Seat::TWO));
    // SQ10: of three seats, too, the one before the seat to act has won.
    let mut setup = SequenceSetup::of(&Sequence::start(&options("players=3")));
    for (seat, squares) in [(Seat::ONE, "b1 c1 d1"), (Seat::TWO, "c4 f5"), (Seat::THREE, "e3 g2")] {
        squares.split(' ').for_each(|square| setup.put(square.parse().unwrap(), chip(seat)));
    }
    assert_eq!(setup.position().unwrap().turn(), Turn::Over(Outcome::Win(Side::ONE)));
}

#[test]
fn a_full_board_leaves_four_cards_for_the_hands() {
    let mut setup = SequenceSetup::of(&Sequence::start(&options("")));
    for (row, rank) in "*12121*/1212121/2121212/2121212/1212121/*12121*".split('/').rev().enumerate() {
        for (column, cell) in rank.bytes().enumerate().filter(|(_, cell)| cell.is_ascii_digit()) {
            let seat = Seat::from_index(usize::from(cell - b'1'));
            setup.put(Square::new(column as u8, row as u8), Some(SetupPiece::Chip(seat)));
        }
    }
    // Both Dragons and a Unicorn for seat 1.
    assert_eq!(setup.readings()[0], Err(BadPosition::HandSize { seat: Seat::TWO, found: 1, expected: 3 }));
}

#[test]
fn two_players_can_be_asked_for_after_the_board() {
    assert_eq!(options("board=shuffled,players=2"), options("board=shuffled"));
}

#[test]
fn impossible_layouts_are_refused_with_a_reason() {
    let start = Sequence::start(&options("board=shuffled")).to_string();
    let bad = |from: &str, to: &str| {
        let text = start.replacen(from, to, 1);
        assert_ne!(text, start);
        Sequence::parse(&options("board=shuffled"), &text).unwrap_err().to_string()
    };
    assert!(bad("*+.+.+.+.+.+*/.", "*+.+.+.+.+.+./.").contains("corner g6"));
    assert!(bad("/*+.+.", "/*+.+cat").contains("come first"));
    assert!(bad("/*+.+.", "/*+cat+cat").contains("does not hold yet"));
    assert!(bad("/*+.+.", "/*+unicorn+cat").contains("does not hold yet"));
    assert!(bad("/*+.+.", "/*+.").contains("6 ranks of 7"));
    assert!(bad(" -1 ", " 1 ").contains("chance is to act"));
    assert!(bad(" -|- -|-", " cat|- -|-").contains("no card is dealt"));
}

#[test]
fn a_guess_agrees_with_its_view_and_conserves_the_cards() {
    let mut dice = Dice(9);
    for options in every_option() {
        for seed in 0..12 {
            random_game(&options, seed, |position| {
                let viewers = Seat::all(position.seats()).map(Viewer::Seat).chain([Viewer::Spectator]);
                for viewer in viewers {
                    let view = position.view(viewer);
                    let guess = Sequence::guess(&view, &mut |n| dice.below(n));
                    assert_eq!(guess.view(viewer), view);
                    let text = guess.to_string();
                    assert_eq!(Sequence::parse(&options, &text), Ok(guess), "{text}");
                }
            });
        }
    }
}

#[test]
fn guesses_are_uniform_over_the_consistent_deals() {
    // Seat 2 holds three of 39 unseen cards: each copy is there with a chance of 3 in 39.
    let position = game("", &format!("{EMPTY_BOARD} 1 bear+cat+cat|dog+dragon+fox -|- 0 0"));
    let view = position.view(Viewer::Seat(Seat::ONE));
    let (mut dice, mut dealt, rounds) = (Dice(4), [0u32; Card::COUNT], 39_000);
    for _ in 0..rounds {
        let guess = Sequence::guess(&view, &mut |n| dice.below(n));
        guess.hand(Seat::TWO).iter().for_each(|card| dealt[card.index()] += 1);
    }
    for card in Card::ALL {
        let expected = f64::from(rounds) * 3.0 / 39.0 * f64::from(view.unseen(card));
        let found = f64::from(dealt[card.index()]);
        assert!((found - expected).abs() <= 6.0 * expected.sqrt(), "{card}: {found}, expected {expected}");
    }
}

#[test]
fn a_guess_gives_a_seat_that_passed_nothing_it_could_have_played() {
    let full = "*12121*/1212121/2121212/2121212/1212121/*12121*";
    let position = game("", &format!("{full} 2 bear+cat+unicorn|cat+dog+dragon cow+cow|- 1 0"));
    let (mut dice, view) = (Dice(2), position.view(Viewer::Seat(Seat::TWO)));
    for _ in 0..300 {
        let guess = Sequence::guess(&view, &mut |n| dice.below(n));
        assert!(!guess.hand(Seat::ONE).contains(&Card::Dragon));
        assert_eq!(guess.view(Viewer::Seat(Seat::TWO)), view);
    }
}

/// A guess deals to the hand first that may hold the fewest cards: the other could take what it needs.
#[test]
fn of_two_seats_that_passed_the_more_bound_one_is_dealt_first() {
    // Only a2, a cat, is open. Seat 2 has no chip left, and seat 3 could play a cat or a unicorn.
    let board = "*22322*/3232323/2323232/2121212/.212121/*12122*";
    let hands = "bear+bear+camel|cat+cat+unicorn|cow+dog+fox";
    let dealt: Vec<Card> = hands.split(['+', '|']).map(|name| name.parse().unwrap()).chain([Card::Unicorn]).collect();
    let copies = |card: &Card| 2 - dealt.iter().filter(|other| *other == card).count();
    let open: Vec<&str> = Card::ALL.iter().flat_map(|card| vec![card.name(); copies(card)]).collect();
    let position = game("players=3", &format!("{board} 1 {hands} {}|-|- 2 0", open.join("+")));
    let guess = Sequence::guess(&position.view(Viewer::Seat(Seat::ONE)), &mut |_| 0);
    assert_eq!(guess.hand(Seat::THREE), [Card::Cow, Card::Dog, Card::Fox], "what it cannot play (SQ12)");
    assert_eq!(guess.hand(Seat::TWO), [Card::Cat, Card::Cat, Card::Unicorn]);
}

#[test]
fn a_view_shows_all_of_a_position_but_hidden_hands() {
    for options in every_option() {
        random_game(&options, 3, |position| {
            let view = position.view(Viewer::Seat(Seat::ONE));
            assert_eq!((view.options(), view.turn()), (options, position.turn()));
            assert_eq!((view.seat(), view.drawer()), (position.seat(), position.drawer()));
            assert_eq!((view.passes(), view.swaps()), (position.passes(), position.swaps()));
            assert_eq!(view.open_squares(), position.open_squares());
            for seat in Seat::all(position.seats()) {
                let chips = (position.chips(seat), position.chips_left(seat));
                assert_eq!((view.chips(seat), view.chips_left(seat)), chips);
                assert_eq!(view.discards(seat), position.discards(seat));
            }
            for card in Card::ALL {
                let about = (position.homes(card), position.is_dead(card), position.targets(Seat::TWO, card));
                assert_eq!((view.homes(card), view.is_dead(card), view.targets(Seat::TWO, card)), about);
            }
            for square in board::squares(board::PICTURES) {
                assert_eq!(
                    (view.picture(square), view.chip(square)),
                    (position.picture(square), position.chip(square))
                );
            }
            // With the hidden hands as they are, the view is the position.
            let hands: Vec<&[Card]> = Seat::all(position.seats()).map(|seat| position.hand(seat)).collect();
            assert_eq!(view.supposing(&hands), Some(*position));
        });
    }
    assert!("rat".parse::<Card>().unwrap_err().to_string().contains("a card is an animal such as cat"));
    let view = game("", &format!("{EMPTY_BOARD} 1 cat+cat+dog|cow+fox+owl -|- 0 0")).view(Viewer::Seat(Seat::ONE));
    assert_eq!(view.supposing(&[&[], &[Card::Cow, Card::Fox]]), None, "seat 2 has three cards");
    assert_eq!(view.supposing(&[&[], &[Card::Cat, Card::Cow, Card::Fox]]), None, "both cats are seat 1's");
}

#[test]
fn symmetry_commutes_with_play() {
    for options in every_option() {
        let mut actions = ActionList::new();
        random_game(&options, 11, |position| {
            let complete = position.due != Due::Tile;
            let expected = if options.board == Board::Shuffled && complete { 4 } else { 1 };
            assert_eq!(position.symmetries(), expected);
            position.actions(&mut actions);
            for symmetry in 0..expected {
                let turned = position.transform(symmetry);
                assert_eq!(turned.transform(symmetry), *position);
                assert_eq!(Sequence::parse(&options, &turned.to_string()), Ok(turned));
                for &action in actions.iter() {
                    let (mut one, mut other) = (*position, turned);
                    one.play_unchecked(action);
                    other.play(position.transform_action(symmetry, action)).unwrap();
                    // The last tile makes the layout complete, and only then can it be turned.
                    if complete {
                        assert_eq!(one.transform(symmetry), other);
                    }
                }
            }
        });
    }
}

#[test]
fn the_text_of_a_view_reads_as_a_position_with_that_view() {
    for options in every_option() {
        random_game(&options, 5, |position| {
            for viewer in Seat::all(position.seats()).map(Viewer::Seat).chain([Viewer::Spectator]) {
                let text = position.view(viewer).to_string();
                let (read, found) = Sequence::parse_view(&options, &text).unwrap_or_else(|bad| panic!("{text}: {bad}"));
                assert_eq!(read.view(viewer).to_string(), text);
                assert_eq!(found, text.contains('?').then_some(found.unwrap_or(viewer)), "{text}");
            }
        });
    }
}

#[test]
fn a_view_that_cannot_arise_is_refused() {
    let board = "*.....*/......./......./......./......./*.....*";
    let read = |rest: &str| Sequence::parse_view(&SequenceOptions::default(), &format!("{board} {rest}"));
    let (position, viewer) = read("1 cat+dog+unicorn|?+?+? -|- 0 0").unwrap();
    assert_eq!((viewer, position.hand(Seat::TWO).len()), (Some(Viewer::Seat(Seat::ONE)), 3));
    assert_eq!(read("1 cat+dog+unicorn|?+?+?+? -|- 0 0"), Err(BadPosition::HandTooLarge { most: 3 }));
    assert_eq!(read("1 cat+?+?|?+?+? -|- 0 0"), Err(BadPosition::NoSuchCard("?".into())));
    assert_eq!(read("1 cat+cat+cat|?+?+? -|- 0 0"), Err(BadPosition::ThirdCard(Card::Cat)));
    assert!(Sequence::parse(&SequenceOptions::default(), &format!("{board} 1 cat+dog+unicorn|?+?+? -|- 0 0")).is_err());
}
