//! Quarto: figures in wells.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use scene::{Attribute, Figure, Quality};

use super::{BoardArt, GameArt, Lines, Look, Marking, picture, piece_alone};
use crate::tui::palette::Tint;

pub(super) const ART: GameArt = GameArt { board: &WELLS, pieces: &[] };

/// A board of dark wood with a well for each figure.
pub(super) const WELLS: BoardArt = BoardArt {
    sizes: &[(11, 5, Lines::Drawn), (9, 4, Lines::Drawn), (9, 3, Lines::Drawn), (7, 3, Lines::Drawn)],
    compact: &[(5, 3, Lines::Drawn)],
    ground: (Tint::Maple, Tint::Walnut),
    lines: (Tint::Groove, Tint::Walnut),
    marking: Marking::Dot,
    square: piece_alone,
};

/// Tall figures use the full height and short ones leave the top free; corners tell round from square, a notch in
/// the top hollow from solid, a filled body dark from light. The digit is the figure's name in typed actions.
pub(super) fn draw(look: Look, buffer: &mut Buffer, area: Rect, figure: Figure, style: Style) {
    let tint = if figure.quality(Attribute::Colour) == Quality::Dark { Tint::Chestnut } else { Tint::Maple };
    let art = figure_art(figure, area.width, area.height);
    let lines: Vec<&str> = art.iter().map(String::as_str).collect();
    picture(buffer, area, &lines, style.patch(look.palette.text(tint)));
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
