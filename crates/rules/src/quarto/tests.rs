//! One test per statement of the rules of Quarto, named by its number.

use super::*;
use crate::{IllegalAction, Symmetric};

const EMPTY: &str = "..../..../..../.... - 1 -";

fn options(text: &str) -> QuartoOptions {
    text.parse().unwrap()
}

fn game(chosen: &str, text: &str) -> Quarto {
    let position = Quarto::parse(&options(chosen), text).unwrap();
    assert_eq!(position.to_string(), text, "position text must round-trip");
    position
}

fn after(chosen: &str, text: &str, actions: &str) -> Quarto {
    let mut position = game(chosen, text);
    for action in actions.split_whitespace() {
        position.play(action.parse().unwrap()).unwrap();
        let again = Quarto::parse(&options(chosen), &position.to_string());
        assert_eq!(again.as_ref(), Ok(&position), "{position}");
    }
    position
}

fn refused(position: Quarto, action: &str) -> Reason {
    let mut changed = position;
    let IllegalAction { reason, .. } = changed.play(action.parse().unwrap()).unwrap_err();
    assert_eq!(changed, position, "a refused action must change nothing");
    reason
}

fn legal(position: &Quarto) -> String {
    let mut actions = ActionList::new();
    position.actions(&mut actions);
    actions.iter().map(Action::to_string).collect::<Vec<_>>().join(" ")
}

fn won_by(seat: Seat) -> Turn {
    Turn::Over(Outcome::Win(Side::from_index(seat.index())))
}

/// Rows of a position as texts such as `a1 b1 c1 d1: colour`.
fn rows(found: impl Iterator<Item = Row>) -> Vec<String> {
    found.map(|row| format!("{}: {}", row.squares.map(|square| square.to_string()).join(" "), row.attributes)).collect()
}

#[test]
fn qa1_has_16_squares_and_16_different_pieces() {
    let start = Quarto::start(&options(""));
    assert_eq!(start.to_string(), EMPTY);
    assert_eq!(start.stock().iter().collect::<Vec<_>>(), Piece::all().collect::<Vec<_>>());
    let placing = after("", EMPTY, "0");
    assert_eq!(legal(&placing), "a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 d3 a4 b4 c4 d4");
    for off in ["e1", "a5", "z99"] {
        assert_eq!(refused(placing, off), Reason::OffBoard);
    }
}

#[test]
fn qa2_a_piece_is_a_hex_digit_with_a_bit_for_each_attribute() {
    let pieces: String = Piece::all().map(|piece| piece.to_string()).collect();
    assert_eq!(pieces, "0123456789abcdef");
    let has = |digit: &str| {
        let piece: Piece = digit.parse().unwrap();
        [piece.is_dark(), piece.is_tall(), piece.is_square(), piece.is_hollow()]
    };
    assert_eq!(has("8"), [true, false, false, false]);
    assert_eq!(has("4"), [false, true, false, false]);
    assert_eq!(has("2"), [false, false, true, false]);
    assert_eq!(has("1"), [false, false, false, true]);
    for bad in ["", "g", "F", "10", "-", " 1", "я"] {
        assert!(bad.parse::<Piece>().is_err(), "{bad:?}");
    }
}

#[test]
fn qa3_seat_1_gives_seat_2_places_and_gives_and_so_on() {
    let start = Quarto::start(&options(""));
    assert_eq!(legal(&start), "0 1 2 3 4 5 6 7 8 9 a b c d e f");
    assert_eq!(refused(start, "b2"), Reason::GiveFirst);
    let given = after("", EMPTY, "7");
    assert_eq!(given.to_string(), "..../..../..../.... 7 2 -");
    assert_eq!(refused(given, "3"), Reason::PlaceFirst);
    let placed = after("", EMPTY, "7 b2");
    assert_eq!(placed.to_string(), "..../..../.7../.... - 2 b2");
    assert_eq!(legal(&placed), "0 1 2 3 4 5 6 8 9 a b c d e f");
    assert_eq!(refused(placed, "7"), Reason::PieceUsed);
    let answered = after("", EMPTY, "7 b2 8");
    assert_eq!(answered.to_string(), "..../..../.7../.... 8 1 b2");
    assert_eq!(refused(answered, "b2"), Reason::SquareTaken);
    assert_eq!(refused(answered, "8"), Reason::PlaceFirst);
    assert_eq!(after("", EMPTY, "7 b2 8 a1").to_string(), "..../..../.7../8... - 1 a1");
}

#[test]
fn qa3_actions_have_one_text_each() {
    for text in ["0", "a", "f", "a1", "d4", "!", "pass"] {
        assert_eq!(text.parse::<Action>().unwrap().to_string(), text);
    }
    for bad in ["", "g", "A", "a0", "A1", "7 ", "!!", "Pass", "give 7", "a1b2"] {
        assert!(bad.parse::<Action>().is_err(), "{bad:?}");
    }
}

/// Three pieces that are light, one of them tall, round and solid each in turn: with 7 only the colour is common.
const ALIKE: [&str; 3] = ["1", "2", "4"];

/// A board that carries pieces on the first squares named, with the last of them placed last.
fn board(squares: [&str; 3], pieces: [&str; 3], hand: &str) -> String {
    let mut cells = ['.'; 16];
    for (square, piece) in squares.iter().zip(pieces) {
        let square: Square = square.parse().unwrap();
        cells[square.index(SIZE)] = piece.chars().next().unwrap();
    }
    let rank = |row: usize| cells[4 * row..4 * row + 4].iter().collect::<String>();
    format!("{}/{}/{}/{} {hand} 1 {}", rank(3), rank(2), rank(1), rank(0), squares[2])
}

const LINES: [&str; 10] = [
    "a1 b1 c1 d1",
    "a2 b2 c2 d2",
    "a3 b3 c3 d3",
    "a4 b4 c4 d4",
    "a1 a2 a3 a4",
    "b1 b2 b3 b4",
    "c1 c2 c3 c4",
    "d1 d2 d3 d4",
    "a1 b2 c3 d4",
    "d1 c2 b3 a4",
];

const BLOCKS: [&str; 9] = [
    "a1 b1 a2 b2",
    "b1 c1 b2 c2",
    "c1 d1 c2 d2",
    "a2 b2 a3 b3",
    "b2 c2 b3 c3",
    "c2 d2 c3 d3",
    "a3 b3 a4 b4",
    "b3 c3 b4 c4",
    "c3 d3 c4 d4",
];

#[test]
fn qa4_ten_lines_make_rows_whichever_square_comes_last() {
    for chosen in ["", "squares=yes"] {
        for line in LINES {
            let squares: Vec<&str> = line.split(' ').collect();
            for last in 0..4 {
                let mut order = squares.clone();
                order.swap(last, 3);
                let text = board([order[0], order[1], order[2]], ALIKE, "7");
                let won = after(chosen, &text, order[3]);
                assert_eq!(won.turn(), won_by(Seat::ONE), "{line}");
                assert_eq!(rows(won.winning()), [format!("{line}: colour")]);
                let text = board([order[0], order[1], order[2]], ALIKE, "f");
                assert_eq!(after(chosen, &text, order[3]).turn(), Turn::Seat(Seat::ONE), "nothing in common: {line}");
            }
        }
    }
}

#[test]
fn qa4_blocks_make_rows_only_with_squares_yes() {
    for block in BLOCKS {
        let squares: Vec<&str> = block.split(' ').collect();
        for last in 0..4 {
            let mut order = squares.clone();
            order.swap(last, 3);
            let text = board([order[0], order[1], order[2]], ALIKE, "7");
            assert_eq!(after("", &text, order[3]).turn(), Turn::Seat(Seat::ONE), "{block}");
            let won = after("squares=yes", &text, order[3]);
            assert_eq!(won.turn(), won_by(Seat::ONE), "{block}");
            assert_eq!(rows(won.rows()), [format!("{block}: colour")]);
        }
    }
}

#[test]
fn qa4_short_diagonals_and_other_fours_make_no_row() {
    for line in ["a2 b3 c4 d4", "a1 b2 c3 c4", "d1 a2 b2 c2", "a1 c1 a3 c3", "a1 d1 a4 d4"] {
        let order: Vec<&str> = line.split(' ').collect();
        let text = board([order[0], order[1], order[2]], ALIKE, "0");
        assert_eq!(after("squares=yes", &text, order[3]).turn(), Turn::Seat(Seat::ONE), "{line}");
    }
}

#[test]
fn qa4_each_attribute_makes_a_row_in_both_its_values() {
    let rows_of = |pieces: [&str; 3], fourth| {
        let won = after("", &board(["a1", "b1", "c1"], pieces, fourth), "d1");
        rows(won.rows())
    };
    assert_eq!(rows_of(["e", "d", "b"], "8"), ["a1 b1 c1 d1: colour"]);
    assert_eq!(rows_of(["1", "2", "4"], "7"), ["a1 b1 c1 d1: colour"]);
    assert_eq!(rows_of(["e", "d", "7"], "4"), ["a1 b1 c1 d1: height"]);
    assert_eq!(rows_of(["1", "2", "8"], "b"), ["a1 b1 c1 d1: height"]);
    assert_eq!(rows_of(["e", "b", "7"], "2"), ["a1 b1 c1 d1: shape"]);
    assert_eq!(rows_of(["1", "4", "8"], "d"), ["a1 b1 c1 d1: shape"]);
    assert_eq!(rows_of(["d", "b", "7"], "1"), ["a1 b1 c1 d1: top"]);
    assert_eq!(rows_of(["2", "4", "8"], "e"), ["a1 b1 c1 d1: top"]);
    assert_eq!(rows_of(["0", "1", "2"], "3"), ["a1 b1 c1 d1: colour+height"]);
}

#[test]
fn qa5_only_the_chosen_attributes_make_rows_and_all_pieces_are_used() {
    let light = board(["a1", "b1", "c1"], ALIKE, "7");
    assert_eq!(after("attributes=colour", &light, "d1").turn(), won_by(Seat::ONE));
    assert_eq!(after("attributes=height+shape+top", &light, "d1").turn(), Turn::Seat(Seat::ONE));
    let both = board(["a1", "b1", "c1"], ["0", "1", "2"], "3");
    assert_eq!(rows(after("attributes=height+top", &both, "d1").rows()), ["a1 b1 c1 d1: height"]);
    for chosen in ["attributes=colour", "attributes=shape+top", "attributes=colour+height+shape"] {
        assert_eq!(Quarto::start(&options(chosen)).stock().len(), 16);
    }
}

#[test]
fn qa6_auto_the_placement_wins_at_once() {
    let won = after("", "..../..../..../124. 7 1 c1", "d1");
    assert_eq!(won.to_string(), "..../..../..../1247 - 1 d1");
    assert_eq!(won.turn(), won_by(Seat::ONE));
    assert_eq!(legal(&won), "");
    assert_eq!(refused(won, "0"), Reason::GameOver);
    assert_eq!(refused(won, "!"), Reason::GameOver);
    let second = after("", "f.../..../..../124. 7 2 a4", "d1");
    assert_eq!(second.turn(), won_by(Seat::TWO));
}

#[test]
fn qa7_lapse_the_maker_may_call_before_giving() {
    let made = after("call=lapse", "..../..../..../124. 7 1 c1", "d1");
    assert_eq!(made.turn(), Turn::Seat(Seat::ONE));
    assert!(legal(&made).starts_with("! 0 3"));
    assert_eq!(rows(made.callable()), ["a1 b1 c1 d1: colour"]);
    assert_eq!(rows(made.winning()), [""; 0]);
    let called = after("call=lapse", "..../..../..../124. 7 1 c1", "d1 !");
    assert_eq!(called.to_string(), "..../..../..../1247 - 1! d1");
    assert_eq!(called.turn(), won_by(Seat::ONE));
    assert_eq!(rows(called.winning()), ["a1 b1 c1 d1: colour"]);
    assert_eq!(rows(called.callable()), [""; 0]);
    assert_eq!(legal(&called), "");
    assert_eq!(refused(called, "!"), Reason::GameOver);
}

#[test]
fn qa7_lapse_then_the_other_may_call_before_placing() {
    let given = after("call=lapse", "..../..../..../124. 7 1 c1", "d1 f");
    assert_eq!(given.turn(), Turn::Seat(Seat::TWO));
    assert!(legal(&given).starts_with("! a2"));
    let called = after("call=lapse", "..../..../..../124. 7 1 c1", "d1 f !");
    assert_eq!(called.to_string(), "..../..../..../1247 f 2! d1");
    assert_eq!(called.turn(), won_by(Seat::TWO));
}

#[test]
fn qa7_lapse_a_row_nobody_called_counts_no_more() {
    let lapsed = after("call=lapse", "..../..../..../124. 7 1 c1", "d1 f a4");
    assert_eq!(rows(lapsed.rows()), ["a1 b1 c1 d1: colour"]);
    assert_eq!(rows(lapsed.callable()), [""; 0]);
    assert_eq!(refused(lapsed, "!"), Reason::NoRowToCall);
    assert_eq!(refused(after("call=lapse", &lapsed.to_string(), "8"), "!"), Reason::NoRowToCall);
    // A new row may be called as if the old one had never been; the old one does not win with it.
    let fresh = after("call=lapse", &lapsed.to_string(), "8 b4 9 c4 a d4");
    assert_eq!(rows(fresh.callable()), ["a4 b4 c4 d4: colour"]);
    assert_eq!(rows(after("call=lapse", &fresh.to_string(), "!").winning()), ["a4 b4 c4 d4: colour"]);
}

#[test]
fn qa8_open_any_row_may_be_called_whenever_it_was_made() {
    let row = "..../..../..../124. 7 1 c1";
    for (actions, caller) in [("d1 !", 1), ("d1 f !", 2), ("d1 f a4 !", 2), ("d1 f a4 8 !", 1), ("d1 f a4 8 b3 !", 1)] {
        let called = after("call=open", row, actions);
        assert_eq!(called.turn(), won_by(Seat::from_index(caller - 1)), "{actions}");
        assert_eq!(rows(called.winning()), ["a1 b1 c1 d1: colour"]);
    }
    assert_eq!(refused(game("call=open", row), "!"), Reason::NoRowToCall);
}

#[test]
fn qa9_a_call_is_legal_exactly_when_there_is_a_row_to_call() {
    for chosen in ["", "call=lapse", "call=open"] {
        let start = Quarto::start(&options(chosen));
        assert_eq!(refused(start, "!"), Reason::NoRowToCall);
        assert_eq!(refused(after(chosen, EMPTY, "0 a1"), "!"), Reason::NoRowToCall);
        assert_eq!(refused(after(chosen, EMPTY, "0 a1"), "pass"), Reason::NoPassNow);
    }
    // A block is no row without squares=yes, and a row of the wrong attribute is none.
    assert_eq!(refused(game("call=open", "..../..../12../47.. - 1 b2"), "!"), Reason::NoRowToCall);
    let block = game("call=open,squares=yes", "..../..../12../47.. - 1 b2");
    assert_eq!(rows(block.callable()), ["a1 b1 a2 b2: colour"]);
    let top = game("call=open,attributes=top", "..../..../..../1247 - 1 d1");
    assert_eq!(refused(top, "!"), Reason::NoRowToCall);
}

/// Sixteen pieces without a row, but for the one still in hand.
const NEARLY_FULL: &str = "1e46/f5c0/a2bd/793. 8 1 c1";

#[test]
fn qa10_auto_a_full_board_without_a_row_is_a_draw() {
    let drawn = after("", NEARLY_FULL, "d1");
    assert_eq!(rows(drawn.rows()), [""; 0], "the fixture must carry no row");
    assert_eq!(drawn.to_string(), "1e46/f5c0/a2bd/7938 - - d1");
    assert_eq!(Quarto::parse(&drawn.options(), &drawn.to_string()), Ok(drawn));
    assert_eq!(drawn.turn(), Turn::Over(Outcome::Draw));
    assert_eq!(refused(drawn, "pass"), Reason::GameOver);
}

#[test]
fn qa10_with_calls_both_may_call_or_pass_on_a_full_board() {
    for chosen in ["call=lapse", "call=open"] {
        let full = after(chosen, NEARLY_FULL, "d1");
        assert_eq!((full.turn(), legal(&full).as_str()), (Turn::Seat(Seat::ONE), "pass"));
        assert_eq!(refused(full, "d1"), Reason::SquareTaken);
        assert_eq!(refused(full, "e"), Reason::PieceUsed);
        let passed = after(chosen, NEARLY_FULL, "d1 pass");
        assert_eq!(passed.to_string(), "1e46/f5c0/a2bd/7938 - 2 d1");
        assert_eq!((passed.turn(), legal(&passed).as_str()), (Turn::Seat(Seat::TWO), "pass"));
        let drawn = after(chosen, NEARLY_FULL, "d1 pass pass");
        assert_eq!(drawn.to_string(), "1e46/f5c0/a2bd/7938 - - d1");
        assert_eq!(drawn.turn(), Turn::Over(Outcome::Draw));
        // The last piece makes a row of tall ones: each seat may call it, or let it be.
        let row = "0e1c/932f/a68b/54d. 7 1 c1";
        assert_eq!(legal(&after(chosen, row, "d1")), "! pass");
        assert_eq!(after(chosen, row, "d1 !").turn(), won_by(Seat::ONE));
        assert_eq!(after(chosen, row, "d1 pass !").turn(), won_by(Seat::TWO));
        assert_eq!(after(chosen, row, "d1 pass pass").turn(), Turn::Over(Outcome::Draw));
    }
}

fn bad(chosen: &str, text: &str) -> String {
    Quarto::parse(&options(chosen), text).unwrap_err().to_string()
}

#[test]
fn unreadable_position_texts_are_refused_with_a_reason() {
    assert!(bad("", "").contains("fields"));
    assert!(bad("", "..../..../..../.... - 1").contains("fields"));
    assert!(bad("", "..../..../..../.... - 1 - -").contains("fields"));
    assert!(bad("", "..../..../.... - 1 -").contains("4 ranks of 4"));
    assert!(bad("", "..../..../..../..... - 1 -").contains("4 ranks of 4"));
    assert!(bad("", "..../..../..../g... - 2 a1").contains("0…f, ."));
    assert!(bad("", "..../..../..../я... - 2 a1").contains("0…f, ."));
    assert!(bad("", "..../..../..../.... g 2 -").contains("hand: possible is 0…f, -"));
    assert!(bad("", "..../..../..../.... - 3 -").contains("1, 2, 1!, 2!, -"));
    assert!(bad("", "..../..../..../1... - 2 e1").contains("a1…d4, -"));
    assert!(bad("", "..../..../..../1... - 2 a5").contains("a1…d4, -"));
    assert!(bad("", "..../..../..../1... - 2 xx").contains("a1…d4, -"));
}

#[test]
fn position_texts_that_cannot_arise_are_refused_with_a_reason() {
    // QA1: one piece of each kind.
    assert!(bad("", "..../..../..../11.. - 1 b1").contains("twice"));
    assert!(bad("", "..../..../..../1... 1 1 a1").contains("twice"));
    // QA3: the number of pieces and the hand tell whose turn it is.
    assert!(bad("", "..../..../..../.... - 2 -").contains("seat 1's turn"));
    assert!(bad("", "..../..../..../.... 1 1 -").contains("seat 2's turn"));
    assert!(bad("", "..../..../..../1... - 1 a1").contains("seat 2's turn"));
    assert!(bad("", "..../..../..../1... 2 2 a1").contains("seat 1's turn"));
    assert!(bad("call=lapse", "..../..../..../1247 - 2! a1").contains("seat 1's turn"));
    // The last square.
    assert!(bad("", "..../..../..../1... - 2 -").contains("must be named"));
    assert!(bad("", "..../..../..../1... - 2 b1").contains("b1, is empty"));
    assert!(bad("", "..../..../..../.... - 1 a1").contains("a1, is empty"));
    // QA6: a row ends the game at once.
    assert!(bad("", "8.../..../..../1247 - 2 a4").contains("ended the game before"));
    assert!(bad("", "..../..../..../1247 0 2 d1").contains("after a row has won"));
    assert!(bad("", "1e46/f5c0/a2bd/7938 - 2 d1").contains("seat 1's turn"));
    assert!(bad("", "1e46/f5c0/a2bd/7938 - 1 d1").contains("possible is -"));
    assert!(bad("", "..../..../..../1247 - - d1").contains("board is full"));
    assert!(bad("", "..../..../..../1247 - 1! d1").contains("call=auto"));
    // QA7, QA9, QA10: calls and passes.
    assert!(bad("call=lapse", "8.../..../..../1247 - 2! a4").contains("no row"));
    assert!(bad("call=open", "..../..../..../124. - 2! a1").contains("no row"));
    assert!(bad("call=open", "..../..../..../1247 - - d1").contains("both have passed"));
    for chosen in ["call=lapse", "call=open"] {
        game(chosen, "8.../..../..../1247 - 2 a4");
        game(chosen, "..../..../..../1247 0 2 d1");
    }
    game("call=open", "8.../..../..../1247 - 2! a4");
}

#[test]
fn options_print_what_differs_and_refuse_what_is_not_there() {
    assert_eq!(QuartoOptions::all().count(), 90);
    for chosen in QuartoOptions::all() {
        assert_eq!(chosen.to_string().parse(), Ok(chosen));
    }
    let text = "attributes=height+shape,squares=yes,call=open";
    assert_eq!(options(text).to_string(), text);
    for wrong in ["attributes=", "attributes=size", "attributes=top+top", "squares=2", "call=never", "lines=yes"] {
        assert!(wrong.parse::<QuartoOptions>().is_err(), "{wrong}");
    }
    assert_eq!(QuartoOptions::new(Attributes::from_bits(0), Squares::No, Call::Auto), None);
    assert_eq!(Attributes::of(&[Attribute::Top, Attribute::Top]), Attributes::of(&[Attribute::Top]));
}

#[test]
fn qa10_a_full_board_with_a_row_is_no_draw() {
    let board = "54c1/7da8/2e69/f03b";
    assert_eq!(game("", &format!("{board} - 1 d4")).turn(), won_by(Seat::ONE));
    assert_eq!(Quarto::parse(&options(""), &format!("{board} - - d4")), Err(BadPosition::TurnOf(Seat::ONE)));
}

#[test]
fn symmetries_are_as_many_as_counted_all_different_and_commute_with_play() {
    let counts = [("", 32 * 16 * 24), ("squares=yes", 8 * 16 * 24), ("attributes=top", 32 * 16 * 6)];
    for (chosen, count) in counts {
        let mut position = after(chosen, EMPTY, "1 a1 2 b1 4 a2 8 d3 f c4 3 b3 5");
        assert_eq!(position.symmetries(), count);
        assert_eq!(position.transform(0), position);
        let images: std::collections::HashSet<Quarto> = (0..count).map(|n| position.transform(n)).collect();
        assert_eq!(images.len(), count);
        let mut actions = ActionList::new();
        while position.turn() != Turn::Over(Outcome::Draw) && position.winning().next().is_none() {
            position.actions(&mut actions);
            for symmetry in (0..count).step_by(101) {
                let action = actions[symmetry % actions.len()];
                let mut then = position;
                then.play(action).unwrap();
                let mut moved = position.transform(symmetry);
                moved.play(position.transform_action(symmetry, action)).unwrap();
                assert_eq!(moved, then.transform(symmetry));
            }
            position.play(actions[0]).unwrap();
        }
    }
}

#[test]
fn random_games_agree_with_the_slow_rule_and_their_texts() {
    let mut seed = 1u64;
    let mut random = |n: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n
    };
    for chosen in QuartoOptions::all() {
        for _ in 0..20 {
            let mut position = Quarto::start(&chosen);
            let mut actions = ActionList::new();
            while let Turn::Seat(seat) = position.turn() {
                position.actions(&mut actions);
                assert_eq!(actions.contains(&Action::Call), position.callable().next().is_some());
                // Calls are avoided so that games with lapsed and open rows go on to a full board.
                let action = actions[if actions.len() > 1 { 1 + random(actions.len() - 1) } else { 0 }];
                position.play(action).unwrap();
                let row = position.rows().next().is_some();
                if chosen.call == Call::Auto && matches!(action, Action::Place(_)) {
                    assert_eq!(row, position.turn() == won_by(seat));
                }
                assert_eq!(Quarto::parse(&chosen, &position.to_string()), Ok(position));
            }
        }
    }
}
