//! Position texts that are refused, and random games that hold every reachable position to the rules.

use super::tests::{game, options};
use super::*;
use crate::Symmetric;

fn refused(choice: &str, text: &str) -> String {
    Four::parse(&options(choice), text).unwrap_err().to_string()
}

fn bad(text: &str) -> String {
    refused("size=9", text)
}

#[test]
fn unreadable_boards_are_refused() {
    assert!(bad("").contains("fields"));
    assert!(bad("9/9/9/9/9/9/9/9/9 1 opening 0,0 30,30 0 0 -").contains("fields"));
    assert!(bad("9/9/9/9/9/9/9/9/9  1 opening 0,0 30,30 0 0 - -").contains("fields"));
    let start = |board: &str| bad(&format!("{board} 1 opening 0,0 30,30 0 0 - -"));
    assert!(start("9/9/9/9/9/9/9/9").contains("9 ranks"));
    assert!(start("9/9/9/9/9/9/9/9/8").contains("rank 1 must be 9 cells wide"));
    assert!(start("10/9/9/9/9/9/9/9/9").contains("rank 9 must be 9 cells wide"));
    assert!(start("45/9/9/9/9/9/9/9/9").contains("9 cells wide"), "a run of digits is one number");
    assert!(start("99999999999999999999/9/9/9/9/9/9/9/9").contains("9 cells wide"));
    assert!(start("xxxxxxxxxx/9/9/9/9/9/9/9/9").contains("9 cells wide"));
    assert!(start("9/9/9/9/9//9/9/9").contains("9 cells wide"));
    assert!(start("09/9/9/9/9/9/9/9/9").contains("x, o, 1…9"));
    assert!(start("9/9/9/9/9/9/9/9/8.").contains("x, o, 1…9"));
    assert!(start("9/9/9/9/9/9/9/9/8я").contains("x, o, 1…9"));
}

#[test]
fn unreadable_fields_are_refused() {
    let board = "9/9/9/9/9/9/9/9/9";
    let with = |rest: &str| bad(&format!("{board} {rest}"));
    assert!(with("3 opening 0,0 30,30 0 0 - -").contains("seat to act: possible is 1, 2"));
    assert!(with("1 Opening 0,0 30,30 0 0 - -").contains("opening"));
    assert!(with("1 04 0,0 30,30 0 0 - -").contains("0…255"));
    assert!(with("1 opening 0 30,30 0 0 - -").contains("0…255,0…255"));
    assert!(with("1 opening 0,+0 30,30 0 0 - -").contains("0…255"));
    assert!(with("1 opening 0,0,0 30,30 0 0 - -").contains("0…255"));
    assert!(with("1 opening 0,0 30,300 0 0 - -").contains("0…255"));
    assert!(with("1 opening 0,0 30,30 x 0 - -").contains("0…255"));
    assert!(with("1 opening 0,0 30,30 0 0 hit -").contains("moved, -"));
    assert!(with("1 opening 0,0 30,30 0 0 - moved").contains("hit, -"));
}

#[test]
fn stones_come_from_the_reserve_and_go_by_capture_only() {
    // FO2, FO9
    assert!(bad("9/9/9/9/9/9/9/9/x8 2 opening 0,0 30,30 0 0 - -").contains("began with 30 stones"));
    assert!(bad("9/9/9/9/9/9/9/9/x8 2 opening 0,1 29,30 0 0 - -").contains("began with 30 stones"));
    assert!(bad("9/9/9/9/9/9/9/9/9 1 opening 0,0 255,255 0 0 - -").contains("began with 30 stones"));
    let crowd = "ooooooooo/o8/9/9/9/9/xxx6/xxxxxxxxx/xxxxxxxxx 1 4 0,0 9,20 0 0 - -";
    assert!(bad(crowd).contains("more than 20"), "FO6");
}

#[test]
fn impossible_openings_are_refused() {
    // FO5
    assert!(bad("9/9/9/9/9/9/9/9/9 2 opening 0,0 30,30 0 0 - -").contains("cannot be to act"));
    assert!(bad("9/9/9/9/9/9/9/9/x8 1 opening 0,0 29,30 0 0 - -").contains("cannot be to act"));
    assert!(bad("9/9/9/9/9/9/9/9/o8 1 opening 0,0 30,29 0 0 - -").contains("cannot be to act"));
    assert!(bad("9/9/9/9/9/9/9/9/xxx6 2 opening 0,0 27,30 0 0 - -").contains("cannot be to act"));
    assert!(bad("9/9/9/9/9/9/9/9/9 1 opening 0,0 30,30 1 0 - -").contains("no quiet turns"));
    assert!(bad("9/9/9/9/9/9/9/9/9 1 opening 0,0 30,30 0 1 - -").contains("no quiet turns"));
    assert!(bad("9/9/9/9/9/9/9/9/9 1 opening 0,0 30,30 0 0 moved -").contains("no quiet turns"));
    assert!(bad("9/9/9/9/9/9/9/9/9 1 opening 0,0 30,30 0 0 - hit").contains("no quiet turns"));
    assert!(bad("ooooooooo/o8/9/9/9/9/9/x8/xxxxxxxxx 1 opening 0,0 20,20 0 0 - -").contains("skipped"));
    assert!(bad("ooooooooo/o8/9/9/9/9/9/xx7/xxxxxxxxx 2 opening 0,0 19,20 0 0 - -").contains("more than 10"));
    assert!(bad("o8/9/9/9/9/9/9/9/9 1 opening 0,1 29,29 0 0 - -").contains("more than one stone"));
}

const TEN_EACH: &str = "ooooooooo/o8/9/9/9/9/9/x8/xxxxxxxxx";

#[test]
fn impossible_turns_of_the_main_game_are_refused() {
    let with = |rest: &str| bad(&format!("{TEN_EACH} {rest}"));
    game(&format!("{TEN_EACH} 1 4 0,0 20,20 0 0 - -"));
    assert!(bad("9/9/9/9/9/9/9/9/9 1 4 0,0 30,30 0 0 - -").contains("both seats have placed 10"), "FO5");
    assert!(with("1 3 0,0 20,20 0 0 - -").contains("has 4 movements left"), "FO8");
    assert!(with("1 5 0,0 20,20 0 0 - -").contains("has 4 movements left"), "FO8");
    assert!(with("1 4 0,0 20,20 0 0 - hit").contains("without a movement"), "FO8");
    assert!(with("1 0 0,0 20,20 0 0 moved -").contains("over when no movement is left"), "FO8");
    assert!(with("1 4 0,0 20,20 0 0 moved -").contains("more movements left"), "FO8");
    assert!(with("1 3 0,0 20,20 0 0 moved hit").contains("no points"), "FO8");
    assert!(with("1 5 1,0 20,19 0 0 moved hit").contains("more movements left"), "FO8");
    game(&format!("{TEN_EACH} 1 4 1,0 20,19 0 0 moved hit"));
    game(&format!("{TEN_EACH} 1 1 0,0 20,20 0 0 moved -"));
    let nine = "ooooooooo/o8/9/9/9/9/9/9/xxxxxxxxx";
    assert!(bad(&format!("{nine} 1 3 0,0 21,20 0 0 moved -")).contains("placed 10"));
    assert!(bad(&format!("{nine} 1 3 0,1 20,20 0 0 moved -")).contains("could not move"), "FO6");
}

#[test]
fn fo12_what_the_first_movements_captured_is_still_there() {
    let nine = "ooooooooo/9/9/9/9/9/9/x8/xxxxxxxxx";
    let refuses = |choice: &str, text: &str| refused(choice, text).contains("more movements left");
    let hit = |left: u8| format!("{nine} 1 {left} 1,0 20,20 0 0 1 hit");
    super::tests::game_with("size=9,bonus=three", &hit(4));
    assert!(refuses("size=9,bonus=three", &hit(3)), "the movement that captured added one");
    assert!(refuses("size=9,bonus=three", &hit(5)), "one stone adds one");
    // FO11: the first turn of the main game may have fewer, and begins with ten stones each.
    let first = super::tests::game_with("size=9,first=2,bonus=three", &hit(2));
    assert_eq!(first.allowance(), 2);
    assert!(refuses("size=9,first=2,bonus=three", &format!("{TEN_EACH} 1 2 1,0 20,19 0 0 1 hit")));
    assert!(refuses("size=9,first=1,bonus=three", &hit(1)), "the last movement adds none, and ends the turn");
}

#[test]
fn impossible_quiet_turns_and_passes_are_refused() {
    // FO10
    let with = |rest: &str| bad(&format!("{TEN_EACH} {rest}"));
    assert!(with("1 4 0,0 20,20 61 0 - -").contains("after 60 quiet turns"));
    assert!(with("1 3 0,0 20,20 60 0 moved -").contains("after 60 quiet turns"));
    assert!(with("1 4 0,0 20,20 3 3 - -").contains("after 2 passes"));
    assert!(with("1 4 0,0 20,20 1 1 - -").contains("cannot have passed"));
    assert!(with("1 4 0,0 20,20 0 1 - -").contains("quiet turn"));
    let twenty = "ooooooooo/o8/9/9/9/9/xx7/xxxxxxxxx/xxxxxxxxx 2 4 0,0 10,20 1 1 - -";
    assert!(bad(twenty).contains("seat 1 cannot have passed"), "it could move, though not place");
    assert!(with("1 3 0,0 20,20 1 1 moved -").contains("ends the row of passes"));
    let nine = "ooooooooo/o8/9/9/9/9/9/9/xxxxxxxxx";
    assert!(bad(&format!("{nine} 1 4 0,1 20,20 2 0 - -")).contains("had to place"), "seat 1 placed in its last turn");
    game(&format!("{nine} 1 4 0,1 20,20 0 0 - -"));
    assert!(bad(&format!("{nine} 2 4 0,1 20,20 1 0 - -")).contains("had to place"));
    assert!(bad(&format!("{nine} 2 3 0,1 20,20 1 0 moved -")).contains("had to place"));
    game(&format!("{nine} 2 4 0,1 20,20 1 0 moved hit"));
    let none = "ooooooooo/o8/9/9/9/9/9/9/9";
    assert!(refused("size=9,target=0", &format!("{none} 2 4 0,10 20,20 0 0 - -")).contains("must have a stone"));
    // Both shut in at once would be needed for two passes, and that cannot be.
    let shut_in = "9/9/9/8o/ooooo4/xxxxxo3/xxxxxo3/xxxxxo3/xxxxxo3";
    assert!(bad(&format!("{shut_in} 1 4 0,0 10,20 2 2 - -")).contains("seat 2 cannot have passed"));
}

#[test]
fn a_game_that_would_have_ended_before_is_refused() {
    // FO10
    let target = |rest: &str| refused("size=9,target=3", &format!("{TEN_EACH} {rest}"));
    assert!(target("1 4 3,0 20,17 0 0 - -").contains("ended when seat 1"), "seat 2 cannot have acted since");
    assert!(target("2 4 3,0 20,17 1 0 - -").contains("ended when seat 1"), "the capture was not quiet");
    assert!(target("2 3 3,0 20,17 0 0 moved -").contains("ended when seat 1"));
    assert!(target("1 3 3,0 20,17 0 0 moved -").contains("ended when seat 1"), "no movement of this turn captured");
    assert!(target("2 4 3,3 17,17 0 0 - -").contains("ended when seat 2"));
    let over = Four::parse(&options("size=9,target=3"), &format!("{TEN_EACH} 2 4 3,0 20,17 0 0 - -")).unwrap();
    assert_eq!(over.turn(), Turn::Over(Outcome::Win(Side::ONE)));
    assert_eq!(over.refusal(Action::End), Reason::GameOver);
}

/// FO2 and FO3 straight from their words, without any of the machinery of the game.
fn captured_by_definition(own: &dyn Fn(i8, i8) -> bool, at: (i8, i8), enemy: (i8, i8), size: i8) -> bool {
    let on_board = |(x, y): (i8, i8)| (0..size).contains(&x) && (0..size).contains(&y);
    let (x, y) = enemy;
    let on_side = |v: i8| v == 0 || v == size - 1;
    let in_corner = on_side(x) && on_side(y);
    (1..size).any(|d| {
        let orthogonal = [(x + d, y), (x - d, y), (x, y + d), (x, y - d)];
        let diagonal = [(x + d, y + d), (x - d, y + d), (x + d, y - d), (x - d, y - d)];
        [(orthogonal, true), (diagonal, false)].into_iter().any(|(corners, is_orthogonal)| {
            let there: Vec<_> = corners.into_iter().filter(|&corner| on_board(corner)).collect();
            let needed = match (in_corner, on_side(x) || on_side(y), is_orthogonal) {
                (true, _, true) => 2,
                (true, _, false) => return false,
                (false, true, true) => 3,
                (false, true, false) => 2,
                (false, false, _) => 4,
            };
            there.len() == needed && there.contains(&at) && there.iter().all(|&(x, y)| own(x, y))
        })
    })
}

fn check_capture(before: &Four, action: Action, after: &Four) {
    let Some(to) = action.destination() else { return };
    let Turn::Seat(mover) = before.turn() else { return };
    let own = |x: i8, y: i8| {
        let square = Square::new(x as u8, y as u8);
        square == to
            || before.stone(square) == Some(mover) && !matches!(action, Action::Move { from, .. } if from == square)
    };
    let cell = |square: Square| (square.column as i8, square.row as i8);
    let size = before.size();
    for index in 0..usize::from(size).pow(2) {
        let square = Square::from_index(index, size);
        if before.stone(square) != Some(mover.next(2)) {
            continue;
        }
        let mut expected = captured_by_definition(&own, cell(to), cell(square), size as i8);
        if let Action::Place { capture: Some(named), .. } = action {
            assert!(expected || named != square);
            expected = named == square;
        }
        assert_eq!(after.stone(square).is_none(), expected, "{before} {action} {square}");
    }
}

/// Every position of random games reads back, has actions until it is over, turns with the board, and captures by the letter.
#[test]
fn random_games_hold() {
    let mut state = 7u64;
    let mut random = |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % n
    };
    for choice in ["size=9", "size=9,reserve=20,target=0", "size=13", "size=9,reserve=150,target=100", "target=3"] {
        for _ in 0..4 {
            let mut position = Four::start(&options(choice));
            let mut actions = ActionList::new();
            for _ in 0..600 {
                assert_eq!(Four::parse(&position.options(), &position.to_string()).as_ref(), Ok(&position));
                position.actions(&mut actions);
                assert_eq!(actions.is_empty(), matches!(position.turn(), Turn::Over(_)), "G3");
                if actions.is_empty() {
                    break;
                }
                // Captures are rare in random play, so they are preferred wherever there are some.
                let mut action = actions[random(actions.len())];
                if let Some(&taking) = actions.iter().find(|&&action| !position.captures_by(action).is_empty())
                    && random(4) > 0
                {
                    action = taking;
                }
                let symmetry = random(8);
                let mut turned = position.transform(symmetry);
                turned.play(position.transform_action(symmetry, action)).unwrap();
                let before = position;
                position.play(action).unwrap();
                assert_eq!(turned, position.transform(symmetry));
                check_capture(&before, action, &position);
            }
        }
    }
}
