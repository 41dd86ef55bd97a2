use scene::{Highlight, Scene};

use crate::defs::defs_for;
use crate::drawing;
use crate::layout::{CELL, Layout, Turned};
use rules::Square;

/// The board of a scene without pieces, to lie under the squares of a page that contains [`defs`](crate::defs).
pub fn board(scene: &Scene, layout: &Layout) -> String {
    frame(layout, r#"class="surface" aria-hidden="true" focusable="false""#, &ground(scene, layout))
}

/// The outlines of captures, to lie over the squares of a page.
pub fn captures(highlights: &[Highlight], layout: &Layout) -> String {
    let outlines: String = highlights.iter().filter_map(|highlight| capture(highlight, layout)).collect();
    frame(layout, r#"class="captures" aria-hidden="true" focusable="false""#, &outlines)
}

/// A scene to look at, for a page that contains [`defs`](crate::defs): board, pieces and what the scene marks.
///
/// A screen reader reads `title`.
pub fn picture(scene: &Scene, title: &str) -> String {
    let layout = Layout::new(scene, Turned::Upright);
    frame(&layout, r#"class="scene" role="img""#, &format!("{}{}", named(title), whole(scene, &layout)))
}

/// A scene as a file of its own, with all that it needs: for previews, documents and notebooks.
///
/// A screen reader reads `title`.
pub fn scene_svg(scene: &Scene, title: &str) -> String {
    let layout = Layout::new(scene, Turned::Upright);
    let shapes = whole(scene, &layout);
    let (defs, title) = (defs_for(&shapes), named(title));
    frame(&layout, r#"xmlns="http://www.w3.org/2000/svg" role="img""#, &format!("{title}{defs}{shapes}"))
}

fn frame(layout: &Layout, attributes: &str, content: &str) -> String {
    format!(r#"<svg {attributes} viewBox="0 0 {} {}">{content}</svg>"#, layout.width(), layout.height())
}

pub(crate) fn named(title: &str) -> String {
    let title = title.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!("<title>{title}</title>")
}

pub(crate) fn whole(scene: &Scene, layout: &Layout) -> String {
    let marks: String = scene.highlights.iter().map(|highlight| mark(highlight, layout)).collect();
    let outlines: String = scene.highlights.iter().filter_map(|highlight| capture(highlight, layout)).collect();
    // From the far row to the near one, so that a tall piece stands before those behind it.
    let pieces: String = layout.squares().filter_map(|square| standing(scene, layout, square)).collect();
    format!("{}{marks}{pieces}{outlines}", ground(scene, layout))
}

fn ground(scene: &Scene, layout: &Layout) -> String {
    let art = layout.art();
    let squares = scene.board.cells.iter().filter_map(|cell| {
        let (x, y) = layout.corner_of(cell.square);
        Some((art.square)(cell.ground)?.inside(x, y, CELL, CELL))
    });
    format!("{}{}", (art.surface)(layout), squares.collect::<String>())
}

fn standing(scene: &Scene, layout: &Layout, square: Square) -> Option<String> {
    let drawing = drawing(scene.board.cell(square)?.piece?)?;
    let ((x, y), inset) = (layout.corner_of(square), layout.inset());
    let (width, height) = (CELL - 2 * inset.side, CELL - inset.top - inset.bottom);
    Some(drawing.inside(x + inset.side, y + inset.top, width, height))
}

/// Rings around the squares of a row and of the last action.
fn mark(highlight: &Highlight, layout: &Layout) -> String {
    let (squares, colour, width) = match highlight {
        Highlight::Last(squares) => (squares, "#b07c1e", 5),
        Highlight::Row { squares, .. } => (squares, "#ffcf6b", 10),
        Highlight::Capture { .. } => return String::new(),
    };
    let corner = layout.art().cell_corner;
    let ring = |square: &Square| {
        let (x, y) = layout.corner_of(*square);
        format!(
            r#"<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" rx="{corner}" fill="none" stroke="{colour}" stroke-width="{width}"/>"#
        )
    };
    squares.iter().map(ring).collect()
}

/// The whole square around a captured stone.
fn capture(highlight: &Highlight, layout: &Layout) -> Option<String> {
    let Highlight::Capture { corners, centre } = highlight else { return None };
    let middle = |square: Square| {
        let (x, y) = layout.corner_of(square);
        (x + CELL / 2, y + CELL / 2)
    };
    let points = whole_square(middle(*corners.first()?), middle(*centre)).map(|(x, y)| format!("{x} {y}")).join(" L");
    Some(format!(
        r##"<path d="M{points} Z" fill="#e0a93a" fill-opacity=".16" stroke="#8a5605" stroke-width="14" stroke-linejoin="round"/><path d="M{points} Z" fill="none" stroke="#f3c65a" stroke-width="7" stroke-linejoin="round"/>"##
    ))
}

/// All four corners of a square around a stone. At the edge some are off the board: then the board cuts the figure off,
/// and it still shows what is surrounded.
fn whole_square(corner: (i32, i32), centre: (i32, i32)) -> [(i32, i32); 4] {
    let (x, y) = (corner.0 - centre.0, corner.1 - centre.1);
    [(x, y), (-y, x), (-x, -y), (y, -x)].map(|(x, y)| (centre.0 + x, centre.1 + y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_at_the_edge_is_outlined_as_a_whole_square() {
        // A stone on the left edge, caught from two cells on its right.
        assert_eq!(whole_square((1, 2), (0, 3)), [(1, 2), (1, 4), (-1, 4), (-1, 2)]);
    }

    #[test]
    fn a_title_is_text() {
        assert_eq!(named("<b> & co"), "<title>&lt;b&gt; &amp; co</title>");
    }
}
