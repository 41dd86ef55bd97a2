//! The cursor and the mouse.

use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use scene::Spot;

use super::{GameScreen, Over};
use crate::tui::keys::{Direction, neighbour};
use crate::tui::picture::Notice;

impl GameScreen {
    pub(super) fn mouse(&mut self, mouse: &MouseEvent) {
        if let Some(over) = &mut self.over {
            match (over, mouse.kind) {
                (Over::Sheet(sheet), MouseEventKind::ScrollUp) => sheet.scroll(-3),
                (Over::Sheet(sheet), MouseEventKind::ScrollDown) => sheet.scroll(3),
                (Over::Sheet(_), MouseEventKind::Down(_)) => self.over = None,
                _ => {}
            }
            return;
        }
        let is_press = matches!(mouse.kind, MouseEventKind::Down(_));
        if (is_press && self.end_lot()) || self.session.view().curtain.is_some() {
            return;
        }
        let here = Position::new(mouse.column, mouse.row);
        let spot = self.places.iter().find(|(area, _)| area.contains(here)).map(|(_, spot)| *spot);
        match (mouse.kind, spot) {
            (MouseEventKind::Down(MouseButton::Left), Some(spot)) => {
                self.cursor = None;
                self.touch(spot);
            }
            // Dragging from one spot to the next touches both.
            (MouseEventKind::Up(MouseButton::Left), Some(spot))
                if self.picker.touched().last().is_some_and(|last| *last != spot) =>
            {
                self.touch(spot);
            }
            (MouseEventKind::Down(MouseButton::Right), _) => {
                self.picker.back();
            }
            _ => {}
        }
    }

    /// What may be touched next, in reading order.
    pub(super) fn offered(&self) -> Vec<Spot> {
        let next = self.picker.next(&self.choices());
        self.places.iter().map(|(_, spot)| *spot).filter(|spot| next.contains(spot) && !spot.is_quiet()).collect()
    }

    pub(super) fn walk(&mut self, direction: Direction) {
        self.notice = Notice::None;
        let moved = self.cursor.and_then(|from| neighbour(&self.places, from, direction));
        let first = || self.offered().first().copied().or_else(|| self.places.first().map(|(_, spot)| *spot));
        self.cursor = moved.or(self.cursor).or_else(first);
    }

    pub(super) fn walk_offered(&mut self, step: isize) {
        self.notice = Notice::None;
        let offered = self.offered();
        if offered.is_empty() {
            return;
        }
        let here = self.cursor.and_then(|cursor| offered.iter().position(|spot| *spot == cursor));
        let next = match here {
            Some(here) => (here as isize + step).rem_euclid(offered.len() as isize) as usize,
            None => 0,
        };
        self.cursor = Some(offered[next]);
    }

    /// Takes the keyboard along to where something is to be done now: from the board to the stock and back.
    pub(super) fn follow(&mut self) {
        let Some(cursor) = self.cursor else { return };
        let kind = |spot: &Spot| std::mem::discriminant(spot);
        self.visited.retain(|spot| kind(spot) != kind(&cursor));
        self.visited.push(cursor);
        let offered = self.offered();
        if offered.is_empty() || offered.iter().any(|spot| kind(spot) == kind(&cursor)) {
            return;
        }
        let known = self.visited.iter().find(|spot| kind(spot) == kind(&offered[0]));
        self.cursor =
            known.copied().filter(|spot| self.places.iter().any(|(_, other)| other == spot)).or(Some(offered[0]));
    }

    pub(super) fn touch_cursor(&mut self) {
        match self.cursor {
            Some(spot) => self.touch(spot),
            None => self.walk_offered(1),
        }
    }
}
