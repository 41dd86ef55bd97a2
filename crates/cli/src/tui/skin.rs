//! What each piece looks like in a terminal: shapes first, colour as a bonus.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use locale::Language;
use rules::{Seat, Side};
use scene::{Attribute, Cell, Figure, Ground, Mark, Piece, Quality};

use super::palette::{Palette, Tint};
use super::text::{centre, fit, put};

/// How everything looks and in which language it speaks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    /// The colours.
    pub(crate) palette: Palette,
    /// The language.
    pub(crate) language: Language,
}

impl Look {
    /// The plain style of a square of this ground.
    pub(crate) fn ground(self, ground: Ground) -> Style {
        match ground {
            Ground::Well => self.palette.on(Tint::Maple, Tint::Walnut),
            Ground::Slot => self.palette.on(Tint::Burnt, Tint::Cube),
            Ground::Cell => self.palette.on(Tint::Black, Tint::Honey),
            Ground::Picture(_) | Ground::Corner | Ground::Unlaid => self.palette.on(Tint::Ink, Tint::Paper),
        }
    }

    /// The lines between squares of this ground.
    pub(crate) fn lines(self, ground: Ground) -> Style {
        match ground {
            Ground::Well => self.palette.on(Tint::Groove, Tint::Walnut),
            Ground::Slot => self.palette.on(Tint::Groove, Tint::Cube),
            Ground::Cell => self.palette.on(Tint::Burnt, Tint::Honey),
            Ground::Picture(_) | Ground::Corner | Ground::Unlaid => self.palette.on(Tint::FadedInk, Tint::Paper),
        }
    }

    /// Draws what a square shows into its inside; `style` is the square's ground, which a mark may have changed.
    pub(crate) fn cell(self, buffer: &mut Buffer, area: Rect, cell: &Cell, style: Style) {
        match (cell.ground, cell.piece) {
            (Ground::Picture(card), piece) => {
                let name = locale::card(self.language, card);
                let plain = style.bg == self.ground(cell.ground).bg;
                let faded = piece.is_some() && plain && self.palette.has_colours();
                let style = if faded { style.patch(self.palette.text(Tint::FadedInk)) } else { style };
                let top = Rect { height: area.height.div_ceil(2), ..area };
                centre(buffer, top, &fit(name, area.width), style);
                if let Some(Piece::Chip(seat)) = piece {
                    self.chip(buffer, Rect { y: area.bottom() - 1, height: 1, ..area }, seat);
                }
            }
            (Ground::Corner, _) => centre(buffer, area, "●■▲★", style),
            (Ground::Unlaid, _) => centre(buffer, area, "?", style),
            (_, Some(piece)) => self.piece(buffer, area, piece, style),
            (Ground::Cell, None) => centre(buffer, area, "·", style.patch(self.lines(Ground::Cell))),
            (_, None) => {}
        }
    }

    /// Draws a piece in the middle of an area.
    pub(crate) fn piece(self, buffer: &mut Buffer, area: Rect, piece: Piece, style: Style) {
        match piece {
            Piece::Figure(figure) => self.figure(buffer, area, figure, style),
            Piece::Cube(None) | Piece::Card(None) => {}
            Piece::Cube(Some(mark)) => self.mark(buffer, area, mark, style),
            Piece::Chip(seat) => self.chip(buffer, area, seat),
            Piece::Stone(_) => {
                centre(buffer, area, self.sign(piece), style.patch(self.stone(piece)).add_modifier(Modifier::BOLD));
            }
            Piece::Card(Some(card)) => centre(buffer, area, &fit(locale::card(self.language, card), area.width), style),
        }
    }

    /// The colour of a stone.
    pub(crate) fn stone(self, piece: Piece) -> Style {
        self.palette.text(if piece == Piece::Stone(Seat::ONE) { Tint::Black } else { Tint::White })
    }

    /// A piece as one character, for lists and small boards.
    pub(crate) fn sign(self, piece: Piece) -> &'static str {
        match piece {
            Piece::Cube(Some(Mark { side: Side::ONE, .. })) => "×",
            Piece::Cube(Some(_)) => "○",
            Piece::Chip(seat) => chip_sign(seat),
            Piece::Stone(Seat::ONE) => "●",
            Piece::Stone(_) => "○",
            Piece::Figure(_) | Piece::Cube(None) | Piece::Card(_) => "□",
        }
    }

    fn chip(self, buffer: &mut Buffer, area: Rect, seat: Seat) {
        let style = self.palette.chip(seat);
        if self.palette.has_colours() {
            buffer.set_style(area, style);
        }
        centre(buffer, area, &format!("{} {seat}", chip_sign(seat)), style);
    }

    fn mark(self, buffer: &mut Buffer, area: Rect, mark: Mark, style: Style) {
        let art: &[&str] = match (mark.side, area.height) {
            (_, 0) => &[],
            (Side::ONE, 1) => &["×"],
            (_, 1) => &["○"],
            (Side::ONE, 2) => &["╲╱", "╱╲"],
            (_, 2) => &["╭╮", "╰╯"],
            (Side::ONE, 3 | 4) => &["╲ ╱", " ╳ ", "╱ ╲"],
            (_, 3 | 4) => &["╭─╮", "│ │", "╰─╯"],
            (Side::ONE, _) => &["╲   ╱", " ╲ ╱ ", "  ╳  ", " ╱ ╲ ", "╱   ╲"],
            _ => &["╭───╮", "│   │", "│   │", "│   │", "╰───╯"],
        };
        let style = style.add_modifier(Modifier::BOLD);
        picture(buffer, area, art, style);
        if let Some(seat) = mark.dot {
            // The stud sits on the edge that faces its seat: 1 below, 2 left, 3 above, 4 right.
            let (x, y) = match seat.index() {
                0 => (area.x + area.width / 2, area.bottom() - 1),
                1 => (area.x, area.y + area.height / 2),
                2 => (area.x + area.width / 2, area.y),
                _ => (area.right() - 1, area.y + area.height / 2),
            };
            let x = if seat.index() % 2 == 0 { x + 2 } else { x };
            put(buffer, x.min(area.right() - 1), y, seat.to_string(), style.add_modifier(Modifier::UNDERLINED));
        }
    }

    /// Tall figures use the full height and short ones leave the top free; corners tell round from square, a notch in
    /// the top hollow from solid, a filled body dark from light. The digit is the figure's name in typed actions.
    fn figure(self, buffer: &mut Buffer, area: Rect, figure: Figure, style: Style) {
        let tint = if figure.quality(Attribute::Colour) == Quality::Dark { Tint::Chestnut } else { Tint::Maple };
        let art = figure_art(figure, area.width, area.height);
        let lines: Vec<&str> = art.iter().map(String::as_str).collect();
        picture(buffer, area, &lines, style.patch(self.palette.text(tint)));
    }
}

/// A seat's chip as one character.
pub(crate) const fn chip_sign(seat: Seat) -> &'static str {
    ["●", "■", "▲", "★"][seat.index()]
}

fn picture(buffer: &mut Buffer, area: Rect, lines: &[&str], style: Style) {
    let height = lines.len() as u16;
    let top = area.y + area.height.saturating_sub(height) / 2;
    for (line, y) in lines.iter().zip(top..area.bottom()) {
        centre(buffer, Rect { y, height: 1, ..area }, line, style);
    }
}

fn figure_art(figure: Figure, width: u16, height: u16) -> Vec<String> {
    let is = |attribute: Attribute, quality: Quality| figure.quality(attribute) == quality;
    let round = is(Attribute::Shape, Quality::Round);
    let [top_left, top_right, bottom_left, bottom_right] =
        if round { ['╭', '╮', '╰', '╯'] } else { ['┌', '┐', '└', '┘'] };
    let hollow = is(Attribute::Top, Quality::Hollow);
    let dark = is(Attribute::Colour, Quality::Dark);
    let (fill, base) = if dark { ('▓', '▓') } else { (' ', '─') };
    let large = width >= 7 && height >= 4;
    let inside = if large { 5 } else { 3 };
    let repeat = |character: char, times: usize| character.to_string().repeat(times);

    let side = (inside - 3) / 2;
    let lip =
        if hollow { format!("{}┐ ┌{}", repeat('─', side), repeat('─', side)) } else { repeat('─', inside) };
    let body = format!("│{}│", repeat(fill, inside));
    let notch =
        if hollow { format!("│{}└─┘{}│", repeat(fill, side), repeat(fill, side)) } else { body.clone() };
    let foot = repeat(base, (inside - 1) / 2);

    let mut art = vec![format!("{top_left}{lip}{top_right}")];
    if large {
        art.push(notch);
    }
    if is(Attribute::Height, Quality::Tall) {
        art.push(body);
    } else {
        art.insert(0, String::new());
    }
    art.push(format!("{bottom_left}{foot}{figure}{foot}{bottom_right}"));
    art
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sixteen_figures_look_different_without_colour() {
        for (width, height) in [(5, 3), (7, 3), (9, 4)] {
            let arts: Vec<String> = Figure::all()
                .map(|figure| figure_art(figure, width, height).join("\n").replace(&figure.to_string(), "#"))
                .collect();
            for (index, art) in arts.iter().enumerate() {
                assert!(!arts[index + 1..].contains(art), "{art}");
                assert!(art.lines().count() <= usize::from(height));
            }
        }
    }

    #[test]
    fn a_figure_shows_its_attributes_by_shape() {
        let art = |digit: u8| figure_art(Figure::new(digit).unwrap(), 7, 3);
        assert_eq!(art(0xf), ["┌┐ ┌┐", "│▓▓▓│", "└▓f▓┘"]);
        assert_eq!(art(0x0), ["", "╭───╮", "╰─0─╯"]);
        assert_eq!(art(0x5), ["╭┐ ┌╮", "│   │", "╰─5─╯"]);
    }
}
