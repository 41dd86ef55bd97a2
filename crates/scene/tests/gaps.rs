//! A board need not be a full rectangle: what is no square is not touched.

use rules::{Seat, Square};
use scene::{Board, BoardStyle, Ground, Message, Scene, Spot};

#[test]
fn a_gap_is_no_spot() {
    let gap = Square::new(1, 0);
    let board = Board::new(3, 2, |square| (if square == gap { Ground::Gap } else { Ground::Cell }, None));
    let scene = Scene::new(BoardStyle::Grid, board, Message::MustPass { seat: Seat::ONE });
    let spots: Vec<String> = scene.spots().iter().map(Spot::to_string).collect();
    assert_eq!(spots.join(" "), "a2 b2 c2 a1 c1");
}
