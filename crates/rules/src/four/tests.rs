//! One test or more per statement of the rules of Four, named by its number.

use super::*;
use crate::{IllegalAction, Symmetric};

pub(super) fn options(text: &str) -> FourOptions {
    text.parse().unwrap()
}

pub(super) fn game(text: &str) -> Four {
    game_with("size=9", text)
}

pub(super) fn game_with(choice: &str, text: &str) -> Four {
    let position = Four::parse(&options(choice), text).unwrap();
    assert_eq!(position.to_string(), text, "position text must round-trip");
    position
}

/// A position on 9×9 without captures so far; the counts need not fit a real game, so boards can be small.
fn set_up(board: &str, seat: u8, phase: Phase) -> Four {
    let options = options("size=9");
    let stones = text::parse_board(9, board).unwrap();
    let on_board = stones.counts();
    let reserves = on_board.map(|count| options.reserve() - count);
    Four { stones, on_board, reserves, seat: Seat::from_index(usize::from(seat) - 1), phase, ..Four::start(&options) }
}

fn opening(board: &str, seat: u8) -> Four {
    set_up(board, seat, Phase::Opening)
}

fn main_turn(board: &str, seat: u8) -> Four {
    set_up(board, seat, Phase::Main { movements: 4 })
}

fn after(mut position: Four, actions: &str) -> Four {
    for action in actions.split_whitespace() {
        position.play(action.parse().unwrap()).unwrap();
    }
    position
}

fn refused(position: Four, action: &str) -> Reason {
    let mut changed = position;
    let IllegalAction { reason, .. } = changed.play(action.parse().unwrap()).unwrap_err();
    assert_eq!(changed, position, "a refused action must change nothing");
    reason
}

fn legal(position: &Four) -> Vec<String> {
    let mut actions = ActionList::new();
    position.actions(&mut actions);
    actions.iter().map(Action::to_string).collect()
}

/// Where the stones stood that an action captured.
fn captured(position: Four, action: &str) -> Vec<String> {
    let mover = position.seat;
    let next = after(position, action);
    let mut gone: Vec<String> = Vec::new();
    position.stones.of(mover.next(2).index()).each(position.size(), |square| {
        gone.extend(next.stone(square).is_none().then(|| square.to_string()));
    });
    assert_eq!(usize::from(next.points(mover) - position.points(mover)), gone.len(), "a point for each");
    let mut centres: Vec<String> =
        position.captures_by(action.parse().unwrap()).iter().map(|figure| figure.centre().to_string()).collect();
    centres.sort();
    let mut sorted = gone.clone();
    sorted.sort();
    assert_eq!(centres, sorted, "captures_by must foretell what play does");
    gone
}

/// Ten x that close three squares at once by e9-e5, and ten o.
const THREE_AT_ONCE: &str = "4x4/9/9/3x1x3/2xo1ox2/3xox3/4x4/9/oooooooxx";

#[test]
fn fo11_seat_2_begins_with_points_that_are_no_captures() {
    let start = Four::start(&options("size=9,lead=3"));
    assert_eq!(start.to_string(), "9/9/9/9/9/9/9/9/9 1 opening 0,3 30,30 0 0 - -");
    assert_eq!((start.points(Seat::TWO), start.captures(Seat::TWO)), (3, 0));
    let taken = after(start, "a9 d5 b9 f5 e5 e4 c9 e6");
    assert_eq!((taken.points(Seat::TWO), taken.captures(Seat::TWO)), (4, 1));
    assert_eq!(game_with("size=9,lead=3", &taken.to_string()), taken);
    let below = Four::parse(&options("size=9,lead=3"), "9/9/9/9/9/9/9/9/9 1 opening 0,2 30,30 0 0 - -");
    assert_eq!(below, Err(BadPosition::PointsBelowLead { lead: 3 }));
    // The head start counts when points are compared at the end (FO10).
    let quiet = "xxxxxxxxx/x8/9/9/9/9/9/8o/ooooooooo 2 4 0,3 20,20 60 0 - -";
    assert_eq!(game_with("size=9,lead=3", quiet).turn(), Turn::Over(Outcome::Win(Side::TWO)));
}

/// Twenty placements that capture nothing; seat 1 is to begin the main game.
const OPENING: &str = "a1 a9 b1 b9 c1 c9 d1 d9 e1 e9 f1 f9 g1 g9 h1 h9 i1 i9 a2 i8";

#[test]
fn fo11_the_first_main_turn_has_its_own_number_of_movements() {
    for first in 1..=4u8 {
        let choice = if first == 4 { "size=9".to_owned() } else { format!("size=9,first={first}") };
        let begun = after(Four::start(&options(&choice)), OPENING);
        assert_eq!(begun.movements_left(), first);
        assert_eq!(game_with(&choice, &begun.to_string()), begun);
        // The turns after it have four again.
        let ended = if first == 1 { after(begun, "a2-a3") } else { after(begun, "a2-a3 end") };
        assert_eq!((ended.seat, ended.movements_left()), (Seat::TWO, 4));
        assert_eq!(game_with(&choice, &ended.to_string()), ended);
    }
    let begun = after(Four::start(&options("size=9,first=2")), OPENING);
    assert_eq!((begun.allowance(), after(begun, "a2-a3").allowance()), (2, 2), "in the middle of it as well");
    assert_eq!([after(begun, "a2-a3 end"), after(begun, "a2-a3 end a9-a8")].map(|later| later.allowance()), [4, 4]);
    // A later turn that has as many stones on the board.
    let later = game_with("size=9,first=2", "ooooooooo/8o/9/9/9/9/9/x8/xxxxxxxxx 1 4 1,1 19,19 0 0 - -");
    assert_eq!(later.allowance(), 4);
    let text = after(Four::start(&options("size=9,first=2")), OPENING).to_string();
    let parse = |text: &str| Four::parse(&options("size=9,first=2"), text);
    assert_eq!(parse(&text.replace(" 1 2 ", " 1 4 ")), Err(BadPosition::TurnNotBegun { movements: 2 }));
    assert_eq!(parse(&text.replace(" 1 2 ", " 1 3 ")), Err(BadPosition::TurnNotBegun { movements: 2 }));
    let later = "xxxxxxxxx/x8/9/9/9/9/9/8o/ooooooooo 2 2 0,0 20,20 1 0 - -";
    assert_eq!(parse(later), Err(BadPosition::TurnNotBegun { movements: 4 }));
}

#[test]
fn fo12_only_the_first_three_movements_earn_more() {
    let board = THREE_AT_ONCE;
    for (choice, left_after_capture) in [("size=9", 6), ("size=9,bonus=three", 6)] {
        let mut position = main_turn(board, 1);
        position.options = options(choice);
        let next = after(position, "e9-e5");
        assert_eq!((next.points(Seat::ONE), next.movements_left()), (3, left_after_capture), "{choice}");
        assert_eq!(next.moved(), 1);
    }
    // The same capture as the fourth movement, with movements left from an earlier bonus.
    let fourth = |choice: &str| {
        let mut position = main_turn(board, 1);
        (position.options, position.moved, position.hit) = (options(choice), 0, true);
        position.phase = Phase::Main { movements: 6 };
        position.points[0] = 2;
        after(position, "h1-h2 h2-h1 i1-i2 e9-e5")
    };
    assert_eq!((fourth("size=9").movements_left(), fourth("size=9").points(Seat::ONE)), (5, 5));
    let three = fourth("size=9,bonus=three");
    assert_eq!((three.movements_left(), three.points(Seat::ONE), three.moved()), (2, 5, 3));
    assert!(three.to_string().ends_with(" 3 hit"), "{three}");
}

#[test]
fn fo12_the_position_text_counts_movements() {
    let choice = "size=9,bonus=three";
    let mut position = after(Four::start(&options(choice)), OPENING);
    for (action, field) in
        [("a2-a3", " 3 0,0 20,20 0 0 1 -"), ("a3-a4", " 2 0,0 20,20 0 0 2 -"), ("a4-a5", " 1 0,0 20,20 0 0 3 -")]
    {
        position = after(position, action);
        assert!(position.to_string().ends_with(field), "{position}");
        assert_eq!(game_with(choice, &position.to_string()), position);
    }
    for bad in [" 3 0,0 20,20 0 0 2 -", " 3 0,0 20,20 0 0 moved -", " 4 0,0 20,20 0 0 1 -", " 2 0,0 20,20 0 0 3 -"] {
        let text = position.to_string().replace(" 1 0,0 20,20 0 0 3 -", bad);
        assert!(Four::parse(&options(choice), &text).is_err(), "{text}");
    }
}

#[test]
fn fo1_starts_empty_and_seat_1_begins() {
    for (choice, rank, reserve) in [("size=9", "9", 30), ("size=13", "13", 40), ("", "19", 100)] {
        let start = Four::start(&options(choice));
        let board = vec![rank; rank.parse().unwrap()].join("/");
        assert_eq!(start.to_string(), format!("{board} 1 opening 0,0 {reserve},{reserve} 0 0 - -"));
        assert_eq!(Four::parse(&options(choice), &start.to_string()), Ok(start));
        assert_eq!(start.turn(), Turn::Seat(Seat::ONE));
        assert_eq!(legal(&start).len(), usize::from(start.size()).pow(2));
    }
    let played = after(Four::start(&options("size=9")), "a1 i9");
    assert_eq!(played.to_string(), "8o/9/9/9/9/9/9/9/x8 1 opening 0,0 29,29 0 0 - -");
    assert_eq!(played.stone("a1".parse().unwrap()), Some(Seat::ONE));
    let three = after(played, "b1");
    let set = |pairs: &[(usize, u32)]| {
        let mut words = [0; MAX_SIZE as usize];
        pairs.iter().for_each(|&(place, word)| words[place] = word);
        words
    };
    assert_eq!((*three.rows(Seat::ONE), *three.rows(Seat::TWO)), (set(&[(0, 0b11)]), set(&[(8, 1 << 8)])));
    assert_eq!(*three.columns(), set(&[(0, 1), (1, 1), (8, 1 << 8)]), "of both seats");
    assert_eq!(
        [Seat::ONE, Seat::TWO].map(|seat| (three.reserve(seat), three.stones_on_board(seat))),
        [(28, 2), (29, 1)]
    );
}

#[test]
fn fo2_captures_in_the_middle_of_orthogonal_and_diagonal_squares_of_any_size() {
    assert_eq!(captured(opening("9/9/9/9/3xox3/4x4/9/9/oo7", 1), "e6"), ["e5"]);
    assert_eq!(captured(opening("9/4x4/9/9/1x2o2x1/9/9/9/oo7", 1), "e2"), ["e5"]);
    assert_eq!(captured(opening("9/9/9/3x1x3/4o4/3x5/9/9/oo7", 1), "f4"), ["e5"]);
    assert_eq!(captured(opening("x7x/9/9/9/4o4/9/9/9/x1oo5", 1), "i1"), ["e5"]);
    // Stones between, of either seat, do not matter.
    assert_eq!(captured(opening("9/4x4/4o4/9/1x1oox1x1/9/9/9/1oo6", 1), "e2"), ["e5"]);
    let closed = after(opening("9/9/9/9/3xox3/4x4/9/9/oo7", 1), "e6");
    assert_eq!((closed.points, closed.reserves), ([1, 0], [26, 27]));
    assert_eq!(closed.stone("e5".parse().unwrap()), None, "the captured stone leaves the board");
    // Seat 2 captures in the same way.
    assert_eq!(captured(opening("9/9/9/9/3oxo3/4o4/9/9/xxx6", 2), "e6"), ["e5"]);
}

#[test]
fn fo2_needs_all_corners_at_the_same_distance_and_an_enemy_in_the_middle() {
    let nothing: [&str; 0] = [];
    assert_eq!(captured(opening("9/9/9/9/3xo4/4x4/9/9/o8", 1), "e6"), nothing, "three corners are not enough");
    assert_eq!(captured(opening("9/9/9/9/2x1ox3/4x4/9/9/oo7", 1), "e6"), nothing, "c5 is further away");
    assert_eq!(captured(opening("9/9/9/9/3x1x3/4x4/9/9/ooo6", 1), "e6"), nothing, "no stone in the middle");
    assert_eq!(captured(opening("9/9/9/9/3xxx3/4x4/9/9/oooo5", 1), "e6"), nothing, "an own stone in the middle");
    assert_eq!(captured(opening("9/9/9/9/3xox3/4o4/9/9/9", 1), "e6"), nothing, "an enemy on a corner");
}

#[test]
fn fo3_a_corner_is_captured_by_the_two_stones_on_its_sides() {
    let nothing: [&str; 0] = [];
    for turned in 0..8 {
        let turn = |position: Four, action: &str| {
            let action = position.transform_action(turned, action.parse().unwrap());
            captured(position.transform(turned), &action.to_string()).len()
        };
        assert_eq!(turn(opening("9/9/9/9/9/x8/9/9/o8", 1), "d1"), 1);
        assert_eq!(turn(opening("x8/9/9/9/9/9/9/9/o8", 1), "i1"), 1, "from the far corners");
        assert_eq!(turn(opening("9/9/9/9/9/x8/9/9/o8", 1), "e1"), 0, "not at different distances");
        assert_eq!(turn(opening("9/9/9/9/9/9/9/9/o8", 2), "a5"), 0);
    }
    assert_eq!(captured(opening("9/9/9/9/9/9/9/9/o8", 1), "b2"), nothing, "not diagonally");
}

#[test]
fn fo3_on_a_side_two_diagonal_or_three_orthogonal_stones_capture() {
    for turned in 0..8 {
        let turn = |board: &str, action: &str| {
            let position = opening(board, 1);
            let action = position.transform_action(turned, action.parse().unwrap());
            captured(position.transform(turned), &action.to_string()).len()
        };
        assert_eq!(turn("9/9/9/9/9/9/9/2x6/3o5", "e2"), 1);
        assert_eq!(turn("9/9/9/9/9/x8/9/9/3o5", "g4"), 1);
        assert_eq!(turn("9/9/9/9/9/x8/9/9/3o5", "f3"), 0, "at different distances");
        assert_eq!(turn("8o/9/9/9/9/9/9/9/2xo5", "e1"), 0, "two of the three are not enough");
        assert_eq!(turn("8o/9/9/9/9/9/9/9/2xox4", "d2"), 1);
        assert_eq!(turn("8o/9/9/9/9/3x5/9/9/x2o5", "g1"), 1);
        // b1 has room for distance 1 only: further corners would lie beyond the other side.
        assert_eq!(turn("9/9/9/9/9/9/9/9/1o7", "d3"), 0);
        assert_eq!(turn("9/9/9/9/9/9/1x7/9/1o6o", "d1"), 0);
        assert_eq!(turn("9/9/9/9/9/9/9/x8/1o7", "c2"), 1);
    }
}

#[test]
fn fo3_everywhere_else_all_four_corners_must_be_on_the_board() {
    for turned in 0..8 {
        let turn = |board: &str, action: &str| {
            let position = opening(board, 1);
            let action = position.transform_action(turned, action.parse().unwrap());
            captured(position.transform(turned), &action.to_string()).len()
        };
        assert_eq!(turn("9/9/9/9/9/3x5/1o7/9/1x6o", "b5"), 0, "the left corner is off the board");
        assert_eq!(turn("9/9/9/9/3x5/9/1o7/9/9", "d1"), 0);
        assert_eq!(turn("9/9/9/9/9/1x7/xo7/1x7/7oo", "c3"), 1);
    }
}

#[test]
fn fo2_fo3_a_corner_is_on_the_board_and_as_far_along_as_up() {
    let with_corner = |centre: &str, column, row| {
        let figure = Figure::with_corner(centre.parse().unwrap(), Square::new(column, row), 9)?;
        Some((figure.shape(), figure.distance()))
    };
    assert_eq!(with_corner("i5", 8, 6), Some((Shape::Orthogonal, 2)));
    assert_eq!((with_corner("i5", 10, 4), with_corner("e9", 4, 10)), (None, None), "beyond the side");
    assert_eq!(with_corner("e5", 6, 6), Some((Shape::Diagonal, 2)));
    assert_eq!((with_corner("e5", 6, 5), with_corner("e5", 5, 6)), (None, None), "neither straight nor diagonal");
}

#[test]
fn fo3_counts_of_figures() {
    for (size, interior) in [(9, 168), (13, 572), (19, 1938)] {
        let on_edge = |square: Square| {
            usize::from([0, size - 1].contains(&square.column)) + usize::from([0, size - 1].contains(&square.row))
        };
        let mut counts = [0; 3];
        for index in 0..usize::from(size).pow(2) {
            let square = Square::from_index(index, size);
            counts[on_edge(square)] += Figure::around(square, size).count();
            for figure in Figure::around(square, size) {
                let corners: Vec<Square> = figure.corners().collect();
                let expected = match (on_edge(square), figure.shape()) {
                    (0, _) => 4,
                    (1, Shape::Orthogonal) => 3,
                    _ => 2,
                };
                assert_eq!(corners.len(), expected);
                assert!(corners.iter().all(|&corner| Figure::with_corner(square, corner, size) == Some(figure)));
            }
        }
        assert_eq!(counts[0], interior);
        assert_eq!(counts[2], 4 * usize::from(size - 1), "a corner has a figure for each distance");
        let half = usize::from(size / 2);
        assert_eq!(
            counts[1],
            4 * 2 * (half * (half - 1) + half),
            "a side stone has two for each distance it has room for"
        );
    }
}

#[test]
fn fo4_who_enters_the_middle_of_a_standing_square_is_safe() {
    let outside = main_turn("4o4/oooo4o/4x4/9/2x3x2/9/4x4/7x1/ooooxxxxx", 2);
    let inside = after(after(outside, "e9-f9 f9-f5 f5-e5 end"), "i1-i2");
    assert_eq!(inside.stone("e5".parse().unwrap()), Some(Seat::TWO));
    assert_eq!(inside.points, [0, 0], "neither entering nor a stone elsewhere captures");
    let left = after(inside, "g5-h5");
    assert_eq!(captured(left, "h5-g5"), ["e5"], "built anew it captures");
}

#[test]
fn fo4_a_stone_in_several_squares_counts_once() {
    // A standing diagonal square around e5, and the orthogonal one is completed.
    let twice = opening("9/9/9/3xxx3/3xo4/3xxx3/9/9/9", 1);
    assert_eq!(captured(twice, "f5"), ["e5"]);
}

#[test]
fn fo5_the_seats_alternate_until_both_have_ten() {
    let start = Four::start(&options("size=9"));
    let nine = after(start, "a1 a9 b1 b9 c1 c9 d1 d9 e1 e9 f1 f9 g1 g9 h1 h9 i2 i8");
    assert_eq!(nine.phase(), Phase::Opening);
    assert_eq!(refused(nine, "a1-a2"), Reason::NoMovementInOpening);
    assert_eq!(refused(nine, "end"), Reason::NothingToEnd);
    assert_eq!(refused(nine, "pass"), Reason::NoPassNow);
    assert_eq!(refused(nine, "a1"), Reason::SquareTaken);
    assert_eq!(refused(nine, "j1"), Reason::OffBoard);
    let ten = after(nine, "a3");
    assert_eq!((ten.phase(), ten.turn()), (Phase::Opening, Turn::Seat(Seat::TWO)));
    let both = after(ten, "a7");
    assert_eq!(both.to_string(), "oooooooo1/8o/o8/9/9/9/x8/8x/xxxxxxxx1 1 4 0,0 20,20 0 0 - -");
}

#[test]
fn fo5_a_seat_with_ten_is_skipped_and_the_next_in_turn_begins_the_main_game() {
    let start = Four::start(&options("size=9"));
    // Seat 1 captures e5, so seat 2 has one more stone to place.
    let ahead = after(start, "d5 e5 f5 a1 e4 b1 e6 c1 a9 d1 b9 e1 c9 f1 d9 g1 e9 h1 f9 i1");
    assert_eq!((ahead.points, ahead.on_board), ([1, 0], [10, 9]));
    assert_eq!((ahead.phase(), ahead.turn()), (Phase::Opening, Turn::Seat(Seat::TWO)), "seat 1 is skipped");
    let over = after(ahead, "i2");
    assert_eq!((over.phase(), over.turn()), (Phase::Main { movements: 4 }, Turn::Seat(Seat::ONE)));
    // The other way round: seat 1 lost a stone, places its tenth last, and seat 2 begins.
    let behind = game("ooooooooo/o8/9/9/9/9/9/9/xxxxxxxx1 1 opening 0,2 20,20 0 0 - -");
    let still = after(behind, "i2");
    assert_eq!((still.phase(), still.turn()), (Phase::Opening, Turn::Seat(Seat::ONE)), "seat 2 is skipped");
    let over = after(still, "i3");
    assert_eq!((over.phase(), over.turn()), (Phase::Main { movements: 4 }, Turn::Seat(Seat::TWO)));
}

#[test]
fn fo5_the_opening_goes_on_when_both_lose_stones() {
    // Seat 1 places its tenth and captures: now seat 2 is to place, though it had its ten.
    let both = game("oooooooo1/9/9/9/3xox3/4x4/9/9/xxxxxx2o 1 opening 0,2 19,20 0 0 - -");
    let taken = after(both, "e6");
    assert_eq!((taken.on_board, taken.phase(), taken.turn()), ([10, 9], Phase::Opening, Turn::Seat(Seat::TWO)));
}

/// e5 would complete the squares around d5 and f5.
const CHOICE: &str = "9/9/9/3x1x3/2xo1ox2/3x1x3/9/9/oooo5";

#[test]
fn fo5_names_the_capture_exactly_where_there_is_a_choice() {
    let choice = game(&format!("{CHOICE} 1 opening 0,0 24,24 0 0 - -"));
    assert_eq!(refused(choice, "e5"), Reason::CaptureChoiceMissing);
    assert!(choice.has_choice_of_capture() && !Four::start(&options("size=9")).has_choice_of_capture());
    assert!(!main_turn(CHOICE, 1).has_choice_of_capture(), "in the main game both are captured");
    let (all, mut list) = (legal(&choice), ActionList::new());
    for (n, action) in all.iter().enumerate() {
        let picked = choice.pick(&mut list, |count| if count == all.len() { n } else { usize::MAX });
        assert_eq!(picked.map(|action| action.to_string()).as_ref(), Some(action), "one at random names it as well");
    }
    assert_eq!(refused(choice, "e5xd4"), Reason::WrongCapture);
    assert_eq!(refused(choice, "e5xz9"), Reason::OffBoard);
    let named: Vec<String> = legal(&choice).into_iter().filter(|action| action.starts_with("e5")).collect();
    assert_eq!(named, ["e5xd5", "e5xf5"]);
    assert_eq!(captured(choice, "e5xd5"), ["d5"], "one stone at most");
    assert_eq!(captured(choice, "e5xf5"), ["f5"]);
    assert_eq!(choice.captures_by("e5".parse().unwrap()).len(), 2, "both are shown before the choice is made");
    // With one stone to take there is no choice, and none may be named.
    let single = opening("9/9/9/9/3xox3/4x4/9/9/oo7", 1);
    assert_eq!(refused(single, "e6xe5"), Reason::WrongCapture);
    assert_eq!(captured(single, "e6"), ["e5"]);
    assert_eq!(refused(single, "a9xe5"), Reason::WrongCapture);
}

#[test]
fn fo6_with_fewer_than_ten_a_stone_must_be_placed() {
    let nine = main_turn("xxxxxxxxx/9/9/9/9/9/9/9/ooooooooo", 1);
    assert_eq!(refused(nine, "a9-a8"), Reason::MustPlace);
    assert_eq!(legal(&nine).len(), 81 - 18);
    let ten = after(nine, "e5");
    assert_eq!((ten.turn(), ten.movements_left(), ten.reserves), (Turn::Seat(Seat::TWO), 4, [20, 21]));
}

#[test]
fn fo6_from_ten_to_nineteen_the_seat_is_free_to_choose() {
    let ten = ("ooooooooo/o8/9/9/9/9/9/x8/xxxxxxxxx", "a2-a5");
    let nineteen = ("ooooooooo/o8/9/9/9/9/x8/xxxxxxxxx/xxxxxxxxx", "a3-a5");
    for (board, movement) in [ten, nineteen] {
        let actions = legal(&main_turn(board, 1));
        assert!(actions.contains(&"e5".to_owned()), "placing is allowed");
        assert!(actions.contains(&movement.to_owned()), "so is moving");
        assert!(!actions.iter().any(|action| action == "end" || action == "pass"));
    }
}

#[test]
fn fo6_with_twenty_or_an_empty_reserve_none_may_be_placed() {
    let twenty = main_turn("ooooooooo/o8/9/9/9/9/xx7/xxxxxxxxx/xxxxxxxxx", 1);
    assert_eq!(refused(twenty, "e5"), Reason::TooManyStones);
    assert!(legal(&twenty).iter().all(|action| action.contains('-')));
    let spent = game_with("size=9,target=0", "ooooooooo/o8/9/9/9/9/9/x8/xxxxxxxxx 1 4 0,20 0,20 0 0 - -");
    assert_eq!(refused(spent, "e5"), Reason::ReserveEmpty);
    assert!(legal(&spent).contains(&"a2-a7".to_owned()));
}

#[test]
fn fo6_a_placement_captures_all_it_surrounds_and_ends_the_turn() {
    let position = main_turn(CHOICE, 1);
    assert_eq!(captured(position, "e5"), ["d5", "f5"]);
    assert_eq!(refused(position, "e5xd5"), Reason::WrongCapture);
    let placed = after(position, "e5");
    assert_eq!((placed.turn(), placed.movements_left(), placed.has_captured()), (Turn::Seat(Seat::TWO), 4, false));
}

#[test]
fn fo7_stones_slide_over_empty_cells_along_rows_and_columns() {
    let position = main_turn("ooo1ooooo/o8/3o5/9/3x1x3/9/9/9/xxxxxxxx1", 1);
    let from_d5: Vec<String> = legal(&position).into_iter().filter(|action| action.starts_with("d5-")).collect();
    assert_eq!(from_d5, ["d5-a5", "d5-b5", "d5-c5", "d5-e5", "d5-d2", "d5-d3", "d5-d4", "d5-d6"]);
    assert_eq!(refused(position, "d5-e6"), Reason::NotStraight);
    assert_eq!(refused(position, "d5-d5"), Reason::NotStraight);
    assert_eq!(refused(position, "d5-f5"), Reason::SquareTaken);
    assert_eq!(refused(position, "d5-g5"), Reason::PathBlocked);
    assert_eq!(refused(position, "d5-d8"), Reason::PathBlocked);
    assert_eq!(refused(position, "d7-d8"), Reason::OpponentsStone);
    assert_eq!(refused(position, "e5-e6"), Reason::SquareEmpty);
    assert_eq!(refused(position, "d5-d10"), Reason::OffBoard);
    assert_eq!(after(position, "d5-d2").stone("d2".parse().unwrap()), Some(Seat::ONE));
}

#[test]
fn fo7_a_stone_may_move_again_and_the_turn_may_be_ended_after_a_movement() {
    let position = main_turn(THREE_AT_ONCE, 1);
    assert_eq!(refused(position, "end"), Reason::NothingToEnd);
    let moved = after(position, "i1-i2 i2-h2");
    assert_eq!((moved.turn(), moved.movements_left(), moved.has_moved()), (Turn::Seat(Seat::ONE), 2, true));
    assert_eq!(refused(moved, "a5"), Reason::PlacementAfterMovement);
    assert_eq!(refused(moved, "pass"), Reason::NoPassNow);
    assert_eq!(after(moved, "end").turn(), Turn::Seat(Seat::TWO));
    let four = after(moved, "h2-i2 i2-i1");
    assert_eq!((four.turn(), four.movements_left(), four.has_moved()), (Turn::Seat(Seat::TWO), 4, false));
}

#[test]
fn fo8_a_capture_adds_movements_while_some_are_left() {
    // The source's example: after two movements three stones are captured, 2 + 3 = 5 are left.
    let position = main_turn(THREE_AT_ONCE, 1);
    assert_eq!(captured(after(position, "i1-i2"), "e9-e5"), ["e4", "d5", "f5"]);
    let bonus = after(position, "i1-i2 e9-e5");
    assert_eq!((bonus.movements_left(), bonus.has_captured()), (5, true));
    assert_eq!(after(position, "e9-e5").movements_left(), 6);
    assert_eq!(after(position, "i1-i2 i2-i1 e9-e5").movements_left(), 4);
    assert_eq!(after(bonus, "i2-i1 i1-i2 i2-i1 i1-i2").movements_left(), 1);
    assert_eq!(after(bonus, "i2-i1 i1-i2 i2-i1 i1-i2 i2-i1").turn(), Turn::Seat(Seat::TWO));
}

#[test]
fn fo8_a_capture_by_the_last_movement_adds_none() {
    let position = main_turn(THREE_AT_ONCE, 1);
    let last = after(position, "i1-i2 i2-i1 i1-i2 e9-e5");
    assert_eq!(last.to_string(), "9/9/9/3x1x3/2x1x1x2/3x1x3/4x4/8x/ooooooox1 2 4 3,0 20,20 0 0 - -");
}

#[test]
fn fo9_captured_stones_do_not_return() {
    let position = main_turn(THREE_AT_ONCE, 1);
    let taken = after(position, "e9-e5");
    assert_eq!((taken.reserves, taken.on_board, taken.points), ([20, 20], [10, 7], [3, 0]));
}

#[test]
fn fo10_the_target_ends_the_game_at_once() {
    let text = format!("{THREE_AT_ONCE} 1 4 0,0 20,20 0 0 - -");
    let won = after(game_with("size=9,target=3", &text), "e9-e5");
    assert_eq!(won.turn(), Turn::Over(Outcome::Win(Side::ONE)), "in the middle of the turn");
    assert_eq!((won.seat, won.movements_left()), (Seat::ONE, 6));
    assert_eq!(refused(won, "end"), Reason::GameOver);
    assert!(legal(&won).is_empty());
    assert_eq!(Four::parse(&won.options(), &won.to_string()), Ok(won));
    let short = after(game_with("size=9,target=4", &text), "e9-e5");
    assert_eq!(short.turn(), Turn::Seat(Seat::ONE));
    let none = after(game_with("size=9,target=0", &text), "e9-e5");
    assert_eq!(none.turn(), Turn::Seat(Seat::ONE), "0 is no target");
}

#[test]
fn fo10_who_must_place_with_an_empty_reserve_ends_the_game() {
    let choice = "size=9,target=0";
    let before = game_with(choice, "ooooooooo/o8/9/9/9/9/9/9/xxxxxxxxx 1 4 5,20 1,15 0 0 - -");
    let over = after(before, "a2");
    assert_eq!(over.turn(), Turn::Seat(Seat::TWO), "seat 1 has ten and plays on");
    let lost = game_with(choice, "ooooooooo/o8/9/9/9/9/9/9/xxxxxxxxx 1 4 5,21 0,15 0 0 - -");
    assert_eq!(lost.turn(), Turn::Over(Outcome::Win(Side::TWO)), "more points win");
    // In the opening as well, when the captured stones have eaten up a small reserve.
    let opening =
        game_with("size=9,reserve=20,target=0", "ooooooooo/o8/9/9/9/9/9/9/xxxxxxxx1 1 opening 2,11 1,8 0 0 - -");
    assert_eq!(after(opening, "a2").turn(), Turn::Over(Outcome::Win(Side::TWO)));
}

#[test]
fn fo10_sixty_quiet_turns_end_the_game() {
    let quiet = |turns, actions: &str| after(game(&format!("{THREE_AT_ONCE} 1 4 0,0 20,20 {turns} 0 - -")), actions);
    assert_eq!(quiet(58, "i1-i2 end").turn(), Turn::Seat(Seat::TWO));
    assert_eq!(quiet(59, "i1-i2").turn(), Turn::Seat(Seat::ONE), "the turn is not over yet");
    assert_eq!(quiet(59, "i1-i2 end").turn(), Turn::Over(Outcome::Draw), "equal points are a draw");
    assert_eq!(quiet(59, "i1-i2 i2-i1 i1-i2 i2-i1").quiet_turns(), 60, "four movements end it too");
    assert_eq!(quiet(59, "i2").quiet_turns(), 0, "a placement is not quiet");
    assert_eq!(quiet(59, "e9-e5").quiet_turns(), 59, "a turn is counted when it is over");
    assert_eq!(quiet(59, "e9-e5 end").quiet_turns(), 0, "a capture is not quiet");
}

/// Twenty x that cannot move, ten o around them.
const SHUT_IN: &str = "9/9/9/8o/ooooo4/xxxxxo3/xxxxxo3/xxxxxo3/xxxxxo3";

#[test]
fn fo10_a_pass_is_legal_only_when_nothing_else_is() {
    let shut_in = main_turn(SHUT_IN, 1);
    assert_eq!(legal(&shut_in), ["pass"]);
    let passed = after(shut_in, "pass");
    assert_eq!(passed.to_string(), format!("{SHUT_IN} 2 4 0,0 10,20 1 1 - -"));
    assert_eq!(Four::parse(&passed.options(), &passed.to_string()), Ok(passed));
    assert_eq!(refused(passed, "pass"), Reason::NoPassNow);
    assert_eq!((passed.passes(), after(passed, "i6-i7").passes()), (1, 0));
    let freed = after(passed, "f1-g1 end");
    assert_eq!(legal(&freed), ["e1-f1"]);
    // One stone less and something can be placed.
    assert!(!legal(&main_turn(&SHUT_IN.replacen("xxxxxo3", "xxxxoo3", 1), 1)).contains(&"pass".to_owned()));
    // After a movement that leaves no other the turn is ended, not passed.
    let stuck = after(freed, "e1-f1");
    assert!(legal(&stuck).contains(&"end".to_owned()));
    assert_eq!(refused(stuck, "pass"), Reason::NoPassNow);
}

#[test]
fn fo10_two_passes_in_a_row_end_the_game() {
    // On a real board one of the seats can always move, so the second pass is forced upon the position here.
    let mut passed = after(main_turn(SHUT_IN, 1), "pass");
    passed.play_unchecked(Action::Pass);
    assert_eq!(passed.turn(), Turn::Over(Outcome::Draw));
}

#[test]
fn action_texts_read_and_print() {
    for text in ["d4", "s19", "d4xe5", "d4-d9", "end", "pass", "x4", "x4xx5"] {
        assert_eq!(text.parse::<Action>().unwrap().to_string(), text);
    }
    for bad in ["", "d", "d4x", "xd4", "d4xe5xf6", "d4-", "-d4", "d4-d5-d6", "d4 ", "D4", "End", "я1", "d4→d5"] {
        assert!(bad.parse::<Action>().is_err(), "{bad:?}");
    }
}

#[test]
fn the_turn_of_the_other_seat_has_its_own_movements() {
    let begun = after(Four::start(&"size=9".parse().unwrap()), "d4");
    let early = begun.as_turn_of(Seat::ONE).unwrap();
    assert_eq!((early.turn(), legal(&early).len()), (Turn::Seat(Seat::ONE), 80));
    assert_eq!(begun.as_turn_of(Seat::TWO), Some(begun));
    // In the middle of a turn of movements the other seat would have all of its own.
    let moved = after(main_turn(SHUT_IN, 2), "i6-i7");
    let early = moved.as_turn_of(Seat::ONE).unwrap();
    assert_eq!((early.turn(), early.movements_left(), early.has_moved()), (Turn::Seat(Seat::ONE), MOVEMENTS, false));
}

#[test]
fn the_turn_of_the_other_seat_begins_anew_and_is_one_that_can_be() {
    let passed = after(main_turn(SHUT_IN, 1), "pass");
    assert_eq!(passed.as_turn_of(Seat::ONE).unwrap().passes(), 0);
    let hit = after(main_turn(THREE_AT_ONCE, 1), "e9-e5");
    assert!(hit.has_captured() && !hit.as_turn_of(Seat::TWO).unwrap().has_captured());
    // With its ten stones a seat is skipped in the opening (FO5).
    let nearly = after(Four::start(&options("size=9")), "d5 e5 f5 a1 e4 b1 e6 c1 a9 d1 b9 e1 c9 f1 d9 g1 e9 h1 f9 i1");
    assert_eq!((nearly.turn(), nearly.as_turn_of(Seat::ONE)), (Turn::Seat(Seat::TWO), None));
    assert_eq!(hit.as_turn_of(Seat::from_index(2)), None, "there are two seats");
    // Seat 1 could place nothing, so the game would be over (FO10).
    let choice = "size=9,target=0";
    let spent = game_with(choice, "ooooooooo/o8/9/9/9/9/9/9/xxxxxxxxx 2 4 5,21 0,15 0 0 - -");
    assert_eq!((spent.turn(), spent.as_turn_of(Seat::ONE)), (Turn::Seat(Seat::TWO), None));
}
