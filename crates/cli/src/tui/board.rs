//! Draws a board: with lines between the squares where there is room, as a field of points where there is not.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};

use rules::Square;
use scene::{Board, Cell, Ground, Scene, Spot};

use super::art::{BoardArt, Lines, Look, Marking};
use super::marks::{Frame, Marks};
use super::palette::Tint;
use super::text::put;

/// How a board is drawn: the inside of its squares, and whether lines run between them.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    width: u16,
    height: u16,
    lines: Lines,
    columns: u16,
    /// How many ranks are shown, and the lowest of them: all, or as many as a low window has room for.
    rows: u16,
    lowest: u16,
    /// Columns to the left for the numbers of ranks.
    margin: u16,
    art: &'static BoardArt,
}

impl Plan {
    /// Every way to draw a board in a window of the usual size, the roomiest first.
    pub(crate) fn all(scene: &Scene) -> Vec<Plan> {
        Plan::of(scene, BoardArt::of(scene.style).sizes)
    }

    /// Ways to draw a board in a smaller window.
    pub(crate) fn compact(scene: &Scene) -> Vec<Plan> {
        Plan::of(scene, BoardArt::of(scene.style).compact)
    }

    fn of(scene: &Scene, sizes: &[(u16, u16, Lines)]) -> Vec<Plan> {
        let (board, art) = (&scene.board, BoardArt::of(scene.style));
        let (columns, rows) = (u16::from(board.columns), u16::from(board.rows));
        sizes
            .iter()
            .map(|&(width, height, lines)| {
                let margin = if lines == Lines::Drawn && rows < 10 { 0 } else { 3 };
                Plan { width, height, lines, columns, rows, lowest: 0, margin, art }
            })
            .collect()
    }

    /// The same board with no more ranks than there is room for, those around `focus`; `None` if it cannot be cut.
    pub(crate) fn cut_to(&self, most: u16, focus: Option<Square>) -> Option<Plan> {
        const FEWEST: u16 = 7;
        let shown = most.saturating_sub(1);
        if self.lines == Lines::Drawn || shown < FEWEST || shown >= self.rows {
            return None;
        }
        let middle = focus.map_or(self.rows / 2, |square| u16::from(square.row));
        let lowest = middle.saturating_sub(shown / 2).min(self.rows - shown);
        Some(Plan { rows: shown, lowest, ..*self })
    }

    fn shows(&self, square: Square) -> bool {
        (self.lowest..self.lowest + self.rows).contains(&u16::from(square.row))
    }

    /// The room it takes.
    pub(crate) fn size(&self) -> (u16, u16) {
        match self.lines {
            Lines::Drawn => {
                let letters = u16::from(self.margin > 0);
                let width = self.margin + self.columns * (self.width + 1) + 1;
                (width, self.rows * (self.height + 1) + 1 + letters)
            }
            Lines::Left => (self.margin + self.columns * self.width + 1, self.rows + 1),
        }
    }

    /// The inside of a square when the board's upper left corner is here.
    pub(crate) fn inside(&self, corner: Position, square: Square) -> Rect {
        let column = u16::from(square.column);
        let row = self.lowest + self.rows - 1 - u16::from(square.row);
        match self.lines {
            Lines::Drawn => Rect {
                x: corner.x + self.margin + column * (self.width + 1) + 1,
                y: corner.y + row * (self.height + 1) + 1,
                width: self.width,
                height: self.height,
            },
            Lines::Left => Rect {
                x: corner.x + self.margin + column * self.width + self.width / 2,
                y: corner.y + row,
                width: 1,
                height: 1,
            },
        }
    }

    /// Draws the board and says where each square can be touched.
    pub(crate) fn draw(
        &self,
        buffer: &mut Buffer,
        corner: Position,
        board: &Board,
        marks: &Marks,
        look: Look,
    ) -> Vec<(Rect, Spot)> {
        match self.lines {
            Lines::Drawn => self.draw_lines(buffer, corner, look.lines(self.art)),
            Lines::Left => self.draw_field(buffer, corner, look),
        }
        let open = board.cells.iter().filter(|cell| cell.piece.is_none() && cell.ground != Ground::Gap);
        let offered = open.clone().filter(|cell| marks.offers(Spot::Square(cell.square))).count();
        // Where nearly every empty point may be touched, marking them all would say nothing.
        let sparing = self.art.marking == Marking::Point && offered * 2 > open.count();
        let shown = || board.cells.iter().filter(|cell| self.shows(cell.square));
        for cell in shown() {
            let offered = marks.offers(Spot::Square(cell.square)) && !(sparing && cell.piece.is_none());
            self.draw_cell(buffer, corner, cell, marks, offered, look);
        }
        // Frames lie over each other's edges, so the weightier are drawn later.
        for frame in Frame::ALL {
            for cell in shown() {
                if marks.frame(Spot::Square(cell.square)) == Some(frame) {
                    self.draw_frame(buffer, self.inside(corner, cell.square), frame, look);
                }
            }
        }
        self.draw_names(buffer, corner, look);
        let squares = shown().filter(|cell| cell.ground != Ground::Gap);
        squares.map(|cell| (self.touch_area(corner, cell.square), Spot::Square(cell.square))).collect()
    }

    fn touch_area(&self, corner: Position, square: Square) -> Rect {
        let inside = self.inside(corner, square);
        match self.lines {
            Lines::Drawn => inside,
            Lines::Left => Rect { x: inside.x - self.width / 2, width: self.width, ..inside },
        }
    }

    fn draw_lines(&self, buffer: &mut Buffer, corner: Position, style: Style) {
        let (left, top) = (corner.x + self.margin, corner.y);
        let (step_x, step_y) = (self.width + 1, self.height + 1);
        let (right, bottom) = (self.columns * step_x, self.rows * step_y);
        for y in 0..=bottom {
            for x in 0..=right {
                let on_row = y % step_y == 0;
                let on_column = x % step_x == 0;
                let symbol = match (on_row, on_column) {
                    (true, true) => joint(x == 0, x == right, y == 0, y == bottom),
                    (true, false) => "─",
                    (false, true) => "│",
                    (false, false) => " ",
                };
                put(buffer, left + x, top + y, symbol, style);
            }
        }
    }

    fn draw_field(&self, buffer: &mut Buffer, corner: Position, look: Look) {
        let field =
            Rect { x: corner.x + self.margin, y: corner.y, width: self.columns * self.width + 1, height: self.rows };
        buffer.set_style(field, look.ground(self.art));
    }

    fn draw_cell(&self, buffer: &mut Buffer, corner: Position, cell: &Cell, marks: &Marks, offered: bool, look: Look) {
        let inside = self.inside(corner, cell.square);
        let mut style = look.ground(self.art);
        let marking = self.art.marking;
        if offered && self.lines == Lines::Drawn && marking == Marking::Ground {
            style = style.patch(look.palette.ground(Tint::Offer));
        }
        // Where the ground may not change, the frame is enough.
        if marks.is_row(cell.square) && marking != Marking::Dot {
            style = style.patch(look.palette.on(Tint::Burnt, Tint::Gleam));
        }
        buffer.set_style(inside, style);
        (self.art.square)(look, buffer, inside, cell, style);
        if offered {
            self.draw_offer(buffer, inside, cell, style, look);
        }
    }

    /// A small sign that a square may be touched, so that colour is not needed to see it.
    fn draw_offer(&self, buffer: &mut Buffer, inside: Rect, cell: &Cell, style: Style, look: Look) {
        let bright = style.patch(look.palette.text(Tint::Offer)).add_modifier(Modifier::BOLD);
        match (self.lines, self.art.marking, cell.piece) {
            (Lines::Left, _, None) => put(buffer, inside.x, inside.y, "+", bright),
            (Lines::Left, _, Some(_)) => {
                if let Some(under) = buffer.cell_mut(Position::new(inside.x, inside.y)) {
                    under.modifier.insert(Modifier::UNDERLINED);
                }
            }
            (Lines::Drawn, Marking::Dot, _) => {
                let middle = (inside.x + inside.width / 2, inside.y + inside.height / 2);
                put(buffer, middle.0, middle.1, "•", bright);
            }
            (Lines::Drawn, Marking::Point, None) => {
                put(buffer, inside.x + inside.width / 2, inside.y + (inside.height - 1) / 2, "+", bright);
            }
            (Lines::Drawn, Marking::Point, Some(_)) => {
                buffer.set_style(inside, Style::new().add_modifier(Modifier::UNDERLINED));
            }
            (Lines::Drawn, Marking::Ground, _) => put(buffer, inside.right() - 1, inside.y, "•", style),
        }
    }

    fn draw_frame(&self, buffer: &mut Buffer, inside: Rect, frame: Frame, look: Look) {
        let ground = look.lines(self.art);
        let tint = match frame {
            Frame::Last | Frame::Row => Tint::Gleam,
            Frame::Picked => Tint::Offer,
            Frame::Cursor => Tint::White,
        };
        // Brass and green are too pale on light grounds; there the weight of the line speaks alone.
        let tint = if self.art.marking == Marking::Ground { Tint::Burnt } else { tint };
        let style = ground.patch(look.palette.text(tint)).add_modifier(Modifier::BOLD);
        if self.lines == Lines::Left {
            let (left, right) = frame.brackets();
            put(buffer, inside.x - 1, inside.y, left, style);
            put(buffer, inside.x + 1, inside.y, right, style);
            return;
        }
        let outside = Rect { x: inside.x - 1, y: inside.y - 1, width: inside.width + 2, height: inside.height + 2 };
        draw_box(buffer, outside, frame.lines(), style);
    }

    fn draw_names(&self, buffer: &mut Buffer, corner: Position, look: Look) {
        let (_, height) = self.size();
        for column in 0..self.columns {
            let square = Square::new(column as u8, self.lowest as u8);
            let inside = self.inside(corner, square);
            let letter = ((b'a' + column as u8) as char).to_string();
            let (y, style) =
                if self.margin > 0 { (corner.y + height - 1, look.palette.quiet()) } else { (corner.y, Style::new()) };
            put(buffer, inside.x + inside.width / 2, y, letter, style);
        }
        for row in self.lowest..self.lowest + self.rows {
            let inside = self.inside(corner, Square::new(0, row as u8));
            let y = inside.y + (inside.height - 1) / 2;
            if self.margin > 0 {
                put(buffer, corner.x, y, format!("{:>2}", row + 1), look.palette.quiet());
            } else {
                put(buffer, corner.x, y, (row + 1).to_string(), Style::new());
            }
        }
    }
}

fn joint(first_x: bool, last_x: bool, first_y: bool, last_y: bool) -> &'static str {
    match (first_x, last_x, first_y, last_y) {
        (true, _, true, _) => "┌",
        (_, true, true, _) => "┐",
        (true, _, _, true) => "└",
        (_, true, _, true) => "┘",
        (_, _, true, _) => "┬",
        (_, _, _, true) => "┴",
        (true, _, _, _) => "├",
        (_, true, _, _) => "┤",
        _ => "┼",
    }
}

/// Draws a box of the six characters: horizontal, vertical, then the corners from the upper left clockwise.
pub(crate) fn draw_box(buffer: &mut Buffer, outside: Rect, lines: [&str; 6], style: Style) {
    if outside.width < 2 || outside.height < 2 {
        return;
    }
    let [horizontal, vertical, upper_left, upper_right, lower_right, lower_left] = lines;
    let (right, bottom) = (outside.right() - 1, outside.bottom() - 1);
    for x in outside.x + 1..right {
        put(buffer, x, outside.y, horizontal, style);
        put(buffer, x, bottom, horizontal, style);
    }
    for y in outside.y + 1..bottom {
        put(buffer, outside.x, y, vertical, style);
        put(buffer, right, y, vertical, style);
    }
    for (x, y, corner) in [
        (outside.x, outside.y, upper_left),
        (right, outside.y, upper_right),
        (right, bottom, lower_right),
        (outside.x, bottom, lower_left),
    ] {
        let there = buffer.cell(Position::new(x, y)).map_or(" ", |cell| cell.symbol());
        let joined = joined(there, corner);
        put(buffer, x, y, joined, style);
    }
}

/// The joints of double lines, each at the sum of its arms: 1 up, 2 right, 4 down, 8 left.
const DOUBLE: [&str; 16] = ["", "", "", "╚", "", "║", "╔", "╠", "", "╝", "═", "╩", "╗", "╣", "╦", "╬"];

/// Two boxes of double lines that touch share a joint; of all others the later one wins.
fn joined<'a>(there: &str, corner: &'a str) -> &'a str {
    let arms = |symbol: &str| DOUBLE.iter().position(|joint| !symbol.is_empty() && *joint == symbol);
    match (arms(there), arms(corner)) {
        (Some(old), Some(new)) => DOUBLE[old | new],
        _ => corner,
    }
}
