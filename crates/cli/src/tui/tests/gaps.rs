//! A board need not be a full rectangle.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use rules::{Seat, Square};
use scene::{Board, BoardStyle, Ground, Message, Scene, Spot};

use super::LOOKS;
use crate::tui::board::Plan;
use crate::tui::marks::Marks;

#[test]
fn a_gap_is_neither_drawn_nor_touched() {
    let gap = Square::new(1, 1);
    let board = Board::new(3, 3, |square| (if square == gap { Ground::Gap } else { Ground::Cell }, None));
    let scene = Scene::new(BoardStyle::Grid, board, Message::MustPass { seat: Seat::ONE });
    for plan in Plan::all(&scene) {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 40, 20));
        let places = plan.draw(&mut buffer, Position::new(0, 0), &scene.board, &Marks::default(), LOOKS[0]);
        assert_eq!(places.len(), 8);
        assert!(places.iter().all(|(_, spot)| *spot != Spot::Square(gap)));
        let points = buffer.content().iter().filter(|cell| cell.symbol() == "·").count();
        assert_eq!(points, 8, "a point for every square");
    }
}
