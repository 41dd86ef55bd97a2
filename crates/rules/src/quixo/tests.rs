//! One test per statement of the rules of Quixo, named by its number.

use super::*;
use crate::{IllegalAction, Symmetric};

const TWO: QuixoOptions = QuixoOptions { players: Players::Two };
const FOUR: QuixoOptions = QuixoOptions { players: Players::Four };

fn game(options: QuixoOptions, text: &str) -> Quixo {
    let position = Quixo::parse(&options, text).unwrap();
    assert_eq!(position.to_string(), text, "position text must round-trip");
    position
}

fn after(options: QuixoOptions, text: &str, actions: &str) -> Quixo {
    let mut position = game(options, text);
    for action in actions.split_whitespace() {
        position.play(action.parse().unwrap()).unwrap();
    }
    position
}

fn refused(position: Quixo, action: &str) -> Reason {
    let mut changed = position;
    let IllegalAction { reason, .. } = changed.play(action.parse().unwrap()).unwrap_err();
    assert_eq!(changed, position, "a refused action must change nothing");
    reason
}

fn legal(position: &Quixo) -> Vec<String> {
    let mut actions = ActionList::new();
    position.actions(&mut actions);
    actions.iter().map(Action::to_string).collect()
}

#[test]
fn qx1_starts_blank_and_x_begins() {
    let start = Quixo::start(&TWO);
    assert_eq!(start.to_string(), "...../...../...../...../..... 1");
    assert_eq!(start.turn(), Turn::Seat(Seat::ONE));
    assert_eq!(after(TWO, &start.to_string(), "a1e1 a2e2").to_string(), "...../...../...../....o/....x 1");
}

#[test]
fn qx1_the_cubes_of_a_side_are_bits_of_rows_from_the_bottom() {
    let position = game(FOUR, "....O/...../..x../...../X...o 1 0");
    assert_eq!(position.marks(Side::ONE), 1 | 1 << 12, "a1 and c3, whichever of the side they point to");
    assert_eq!(position.marks(Side::TWO), 1 << 4 | 1 << 24, "e1 and e5");
}

#[test]
fn qx2_takes_blank_or_own_from_the_border_only() {
    let position = game(TWO, "...../...../..x../...../o...x 1");
    assert_eq!(refused(position, "c3e3"), Reason::NotOnBorder);
    assert_eq!(refused(position, "a1e1"), Reason::OpponentsCube);
    assert_eq!(after(TWO, &position.to_string(), "e1a1").to_string(), "...../...../..x../...../xo... 2");
}

#[test]
fn qx2_pushes_the_line_towards_the_gap() {
    assert_eq!(after(TWO, "...../...../xoxo./...../..... 1", "a3e3").to_string(), "...../...../oxo.x/...../..... 2");
    assert_eq!(after(TWO, "...../...../xox../...../..... 1", "e3a3").to_string(), "...../...../xxox./...../..... 2");
    assert_eq!(after(TWO, "x..../o..../x..../o..../..... 1", "a1a5").to_string(), "x..../x..../o..../x..../o.... 2");
    assert_eq!(after(TWO, "..x../..o../.o.../..o../..... 1", "c5c1").to_string(), "..o../...../.oo../...../..x.. 2");
    // From the middle of a side the push moves only the cubes between the gap and the entry.
    assert_eq!(after(TWO, "oxoxo/...../...../...../..... 1", "b5e5").to_string(), "ooxox/...../...../...../..... 2");
    assert_eq!(after(TWO, "oxoxo/...../...../...../..... 1", "b5a5").to_string(), "xooxo/...../...../...../..... 2");
}

#[test]
fn qx2_never_goes_back_where_it_was_taken() {
    let start = Quixo::start(&TWO);
    assert_eq!(refused(start, "a3a3"), Reason::WrongEntry);
    assert_eq!(refused(start, "a3c3"), Reason::WrongEntry);
    assert_eq!(refused(start, "a3b5"), Reason::WrongEntry);
    for outside in ["a6a1", "f3a3", "a3f3", "a3a6"] {
        assert_eq!(refused(start, outside), Reason::OffBoard);
    }
}

#[test]
fn qx3_has_44_pushes_two_from_corners_three_elsewhere() {
    let pushes = legal(&Quixo::start(&TWO));
    assert_eq!(pushes.len(), 44);
    for (from, count) in [("a1", 2), ("e1", 2), ("a5", 2), ("e5", 2), ("a3", 3), ("c1", 3), ("e4", 3), ("d5", 3)] {
        assert_eq!(pushes.iter().filter(|push| push.starts_with(from)).count(), count, "{from}");
    }
    assert!("a3e3:1".parse::<Action>().is_ok());
    for bad in ["", "a3", "a3e", "a3e3:", "a3e3:5", "a3e3e3", "A3E3", "a3-e3", "Pass"] {
        assert!(bad.parse::<Action>().is_err(), "{bad:?}");
    }
}

#[test]
fn qx4_two_players_never_pass() {
    assert_eq!(refused(Quixo::start(&TWO), "pass"), Reason::NoPassNow);
    assert_eq!(refused(Quixo::start(&TWO), "a3e3:1"), Reason::DotNotUsed);
}

#[test]
fn qx5_five_in_row_column_or_diagonal_win() {
    let won = |text: &str, action| after(TWO, text, action).turn();
    let first = Turn::Over(Outcome::Win(Side::ONE));
    assert_eq!(won("xxxx./...../...../...../o.... 1", "e5a5"), first);
    assert_eq!(won("..x../..x../..x../..x../o.... 1", "c1c5"), first);
    assert_eq!(won("....x/...x./..x../.x.../o.... 2", "b1a1"), Turn::Seat(Seat::ONE));
    assert_eq!(won("....x/...x./..x../.x.../..o.. 1", "a1a5"), Turn::Seat(Seat::TWO));
    assert_eq!(won("....x/...x./..x../.x.../.xo.. 1", "b1a1"), first);
    assert_eq!(won("x..../.x.../..x../...x./.o.x. 1", "d1e1"), first);
    let lines: Vec<_> = after(TWO, "xxxx./...../...../...../o.... 1", "e5a5").lines().collect();
    assert_eq!(lines, [(Side::ONE, ["a5", "b5", "c5", "d5", "e5"].map(|square| square.parse().unwrap()))]);
    assert!(bits::has_line(0b00001_00001_00001_00001_11111), "rank 1 and file a at once");
    assert_eq!(won("x...x/x..x./x.x../xx.../.ooo. 1", "e1a1"), first, "file a and a diagonal at once");
}

#[test]
fn qx5_making_the_opponents_line_loses_even_with_an_own_one() {
    // Pushing down column e moves the o of e5 to the end of rank 4.
    let given = after(TWO, "....o/oooo./...../...../x...x 1", "e1e5");
    assert_eq!(given.turn(), Turn::Over(Outcome::Win(Side::TWO)));
    // Both lines at once: x completes rank 5, and rank 4 becomes five o.
    let both = after(TWO, "xxxxo/oooo./...../...../....x 1", "e1e5");
    assert_eq!(both.lines().count(), 2);
    assert_eq!(both.turn(), Turn::Over(Outcome::Win(Side::TWO)));
    assert_eq!(refused(both, "a1e1"), Reason::GameOver);
    assert!(legal(&both).is_empty());
}

#[test]
fn qx6_four_players_choose_the_dot_and_take_what_points_to_them() {
    assert_eq!(Quixo::start(&FOUR).to_string(), "...../...../...../...../..... 1 0");
    let position = after(FOUR, "...../...../...../...../..... 1 0", "a3e3:3 a2e2:2 e3a3:1 a1e1:4");
    assert_eq!(position.to_string(), "...../...../x..../....o/....O 1 0");
    assert_eq!(refused(position, "a1e1"), Reason::DotMissing);
    assert_eq!(refused(position, "a1e1:2"), Reason::DotOnOpponent);
    let third = game(FOUR, "...../...../x.X../....o/....O 3 0");
    assert_eq!(refused(third, "a3e3:1"), Reason::PartnersCube);
    assert_eq!(refused(third, "e1a1:1"), Reason::OpponentsCube);
    assert_eq!(position.side(Seat::ONE), position.side(Seat::THREE));
    assert_eq!(position.side(Seat::TWO), position.side(Seat::FOUR));
    assert_eq!(legal(&Quixo::start(&FOUR)).len(), 88);
}

#[test]
fn qx6_the_team_wins_whichever_member_completes_the_line() {
    let won = after(FOUR, "xxXX./...../...../...../o.... 3 0", "e5a5:1");
    assert_eq!(won.turn(), Turn::Over(Outcome::Win(Side::ONE)));
}

#[test]
fn qx7_passes_exactly_when_no_cube_can_be_taken_and_four_are_a_draw() {
    // The border carries only cubes of seats 3 and 4, so seats 1 and 2 can take nothing.
    let blocked = "OXOXO/X...O/O...X/X...O/OXOXO 1 0";
    let position = game(FOUR, blocked);
    assert_eq!(legal(&position), ["pass"]);
    let third = after(FOUR, blocked, "pass pass");
    assert_eq!(third.to_string(), "OXOXO/X...O/O...X/X...O/OXOXO 3 2");
    assert_eq!(third.passes(), 2);
    assert_eq!(
        third.as_turn_of(Seat::ONE).map(|early| early.passes()),
        Some(0),
        "what comes before that turn is not known"
    );
    assert_eq!(refused(third, "pass"), Reason::NoPassNow);
    let moved = after(FOUR, &third.to_string(), "b5a5:1");
    assert_eq!(moved.passes(), 0, "a push ends the row of passes");
}

#[test]
fn impossible_position_texts_are_refused_with_a_reason() {
    let bad = |options, text| Quixo::parse(&options, text).unwrap_err().to_string();
    assert!(bad(TWO, "").contains("fields"));
    assert!(bad(TWO, "...../...../...../...../..... 1 0").contains("fields"));
    assert!(bad(FOUR, "...../...../...../...../..... 1").contains("fields"));
    assert!(bad(TWO, "...../...../...../..... 1").contains("5 ranks of 5"));
    assert!(bad(TWO, "....../...../...../...../..... 1").contains("5 ranks of 5"));
    assert!(bad(TWO, "X..../...../...../...../..... 1").contains(". x o"));
    assert!(bad(TWO, "...../...../...../...../..... 3").contains("1…2"));
    assert!(bad(TWO, "...../...../...../...../..... 2").contains("cannot stand"));
    assert!(bad(TWO, "o..../...../...../...../..... 1").contains("cannot stand"));
    assert!(bad(TWO, "xx.../...../...../...../..... 2").contains("cannot stand"));
    assert!(bad(FOUR, "x...o/...../...../...../..... 1 1").contains("cannot have passed"));
    assert!(bad(FOUR, "x...o/...../...../...../..... 1 5").contains("0…4"));
    let after_a_line = Quixo::parse(&FOUR, "xxXXx/oooo./...../...../..... 2 1");
    assert_eq!(after_a_line, Err(BadPosition::AfterTheEnd), "a line ends the game before any pass");
}

#[test]
fn the_board_has_eight_symmetries() {
    let position = game(TWO, "x.o../..x../...../o..../.x... 2");
    let images: std::collections::HashSet<Quixo> = (0..position.symmetries()).map(|n| position.transform(n)).collect();
    assert_eq!((images.len(), position.transform(0)), (8, position));
}

#[test]
fn the_turn_of_another_seat_offers_that_seats_cubes() {
    let position = after(QuixoOptions::default(), "...../...../...../...../..... 1", "a3e3");
    let early = position.as_turn_of(Seat::ONE).unwrap();
    assert_eq!(early.turn(), Turn::Seat(Seat::ONE));
    assert!(legal(&early).contains(&"e3a3".to_owned()) && !legal(&position).contains(&"e3a3".to_owned()));
    assert_eq!(position.as_turn_of(Seat::from_index(2)), None, "there is no third seat");
    let over = after(QuixoOptions::default(), "...../xxxx./...../oooo./..... 1", "e4a4");
    assert_eq!(over.as_turn_of(Seat::TWO), None);
}
