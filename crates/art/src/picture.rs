use scene::{Ground, Highlight, Scene};

use crate::defs::defs_for;
use crate::drawing;
use crate::layout::{CELL, Layout, Turned};
use crate::lettering::{Line, wrapped};
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

/// The words of a picture that stands for a link. What [`can_write`](crate::can_write) refuses is left out.
#[derive(Clone, Debug, Default)]
pub struct Caption {
    /// What it is about.
    pub title: String,
    /// Who takes part, a line each.
    pub names: Vec<String>,
    /// How it stands.
    pub note: String,
}

/// Scenes in a square beside some words: a wide picture that stands for a link, on the colour of the table.
pub fn preview_svg(scenes: &[Scene], caption: &Caption, width: u32, height: u32) -> String {
    let (wide, tall) = (f64::from(width), f64::from(height));
    // A twelfth of the height stays free on every side.
    let margin = tall / 12.0;
    let across = (1..).find(|across| across * across >= scenes.len()).unwrap_or(1);
    let (room, gap) = (tall - 2.0 * margin, margin / 2.0);
    let side = (room - gap * (across - 1) as f64) / across as f64;
    let free_rows = (across - scenes.len().div_ceil(across)) as f64;
    let top = margin + free_rows * (side + gap) / 2.0;
    let boards: String = scenes
        .iter()
        .enumerate()
        .map(|(index, scene)| {
            let row = index / across;
            let in_row = across.min(scenes.len() - row * across);
            // A row that is not full stands in the middle.
            let column = (index % across) as f64 + (across - in_row) as f64 / 2.0;
            on_table(scene, margin + column * (side + gap), top + row as f64 * (side + gap), side)
        })
        .collect();
    let defs = defs_for(&boards);
    let left = 2.0 * margin + room;
    let words = words(caption, left, margin, wide - margin - left, room);
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">{defs}<rect width="{width}" height="{height}" fill="#f6f1e7"/>{boards}{words}</svg>"##
    )
}

/// The words of a link's picture in a column, and the name of the product under it.
fn words(caption: &Caption, x: f64, top: f64, room: f64, tall: f64) -> String {
    const INK: &str = "#2b2118";
    const QUIET: &str = "#6e6154";
    const BRASS: &str = "#8a5d10";
    const TITLE: f64 = 58.0;
    const NOTE: f64 = 30.0;
    let title = wrapped(&caption.title, TITLE, room).into_iter().map(|line| (line, TITLE, 14, INK));
    let names = caption.names.iter().map(|name| (Line::new(name), 38.0, 12, INK));
    let note = wrapped(&caption.note, NOTE, room).into_iter().map(|line| (line, NOTE, 11, QUIET));
    let parts: [Vec<_>; 3] = [title.collect(), names.collect(), note.collect()];
    let needed: f64 = parts.iter().map(|part| 20.0 + part.iter().map(|line| 1.75 * line.1).sum::<f64>()).sum();
    // The name of the product stands below; what is too long is written smaller.
    let shrunk = ((tall - 80.0) / needed).min(1.0);
    let mut y = top + 24.0;
    let mut drawn = String::new();
    for part in parts {
        for (line, height, weight, colour) in part {
            let height = height * shrunk;
            drawn += &line.at(x, y, height * (room / line.width(height)).min(1.0), weight, colour);
            y += height * 1.75;
        }
        y += 20.0 * shrunk;
    }
    drawn + &Line::new("Fourfold").at(x, top + tall - 34.0, 30.0, 13, BRASS)
}

/// A scene as large as a square has room for, with its shadow.
fn on_table(scene: &Scene, x: f64, y: f64, side: f64) -> String {
    let layout = Layout::new(scene, Turned::Upright);
    let (board_width, board_height) = (f64::from(layout.width()), f64::from(layout.height()));
    let scale = side / board_height.max(board_width);
    let (width, height) = (board_width * scale, board_height * scale);
    let (x, y) = (x + (side - width) / 2.0, y + (side - height) / 2.0);
    // Many rectangles that hardly show are a soft shadow, which needs no filter.
    let shadow: String = (1..=8)
        .map(|ring| {
            let grown = f64::from(ring) * 3.0;
            format!(
                r##"<rect x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" rx="{:.1}" fill="#1e1206" fill-opacity=".04"/>"##,
                x - grown,
                y - grown + 10.0,
                width + 2.0 * grown,
                height + 2.0 * grown,
                14.0 + grown
            )
        })
        .collect();
    let shapes = whole(scene, &layout);
    format!(r#"{shadow}<g transform="translate({x:.2} {y:.2}) scale({scale:.5})">{shapes}</g>"#)
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
    let squares = scene.board.cells.iter().filter(|cell| cell.ground != Ground::Gap).filter_map(|cell| {
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

/// The figure around a captured stone, through the stones that caught it.
fn capture(highlight: &Highlight, layout: &Layout) -> Option<String> {
    let Highlight::Capture { corners, centre } = highlight else { return None };
    let corners: Vec<(i32, i32)> = corners.iter().map(|square| middle(*square, layout)).collect();
    let points = caught_between(&corners, middle(*centre, layout));
    let points = points.iter().map(|(x, y)| format!("{x} {y}")).collect::<Vec<_>>().join(" L");
    Some(format!(
        r##"<path d="M{points} Z" fill="#e0a93a" fill-opacity=".16" stroke="#8a5605" stroke-width="14" stroke-linejoin="round"/><path d="M{points} Z" fill="none" stroke="#f3c65a" stroke-width="7" stroke-linejoin="round"/>"##
    ))
}

/// The corners of the figure: a square around the stone. At the edge of the board, where it lacks corners, two stones
/// and the captured one make a triangle that lies on the board.
fn caught_between(corners: &[(i32, i32)], centre: (i32, i32)) -> Vec<(i32, i32)> {
    match *corners {
        [first, _, _, _] => {
            let (x, y) = (first.0 - centre.0, first.1 - centre.1);
            [(x, y), (-y, x), (-x, -y), (y, -x)].map(|(x, y)| (centre.0 + x, centre.1 + y)).to_vec()
        }
        [first, second] => vec![first, second, centre],
        _ => corners.to_vec(),
    }
}

/// Bands under the rows that decided the game, to lie under the pieces of a page.
pub fn rows(highlights: &[Highlight], layout: &Layout) -> String {
    let band = |highlight: &Highlight| {
        let Highlight::Row { squares, .. } = highlight else { return None };
        let ((x1, y1), (x2, y2)) = (middle(*squares.first()?, layout), middle(*squares.last()?, layout));
        let line = format!(r#"x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke-linecap="round""#);
        Some(format!(
            r##"<line {line} stroke="#ffcf6b" stroke-opacity=".55" stroke-width="104"/><line {line} stroke="#fff3cf" stroke-opacity=".8" stroke-width="84"/>"##
        ))
    };
    let bands: String = highlights.iter().filter_map(band).collect();
    frame(layout, r#"class="bands" aria-hidden="true" focusable="false""#, &bands)
}

/// An arrow from one square to another, to lie over the squares of a page: a move that is advised.
pub fn arrow(from: Square, to: Square, layout: &Layout) -> String {
    frame(layout, r#"class="arrow" aria-hidden="true" focusable="false""#, &arrow_shape(from, to, layout))
}

/// The arrow alone.
pub(crate) fn arrow_shape(from: Square, to: Square, layout: &Layout) -> String {
    let ((x1, y1), (x2, y2)) = (middle(from, layout), middle(to, layout));
    let (along, across) = (f64::from(x2 - x1), f64::from(y2 - y1));
    let length = (along * along + across * across).sqrt().max(1.0);
    let (ux, uy) = (along / length, across / length);
    // The line ends where the head begins, so that the point lies in the middle of the square.
    let (neck_x, neck_y) = (f64::from(x2) - 40.0 * ux, f64::from(y2) - 40.0 * uy);
    // Whole numbers: what prints a fraction would be a tenth of the browser's program.
    let whole = |length: f64| length.round_ties_even() as i32;
    let line = format!("M{x1} {y1} L{} {}", whole(neck_x), whole(neck_y));
    let head = format!(
        "M{x2} {y2} L{} {} L{} {} Z",
        whole(neck_x - 30.0 * uy),
        whole(neck_y + 30.0 * ux),
        whole(neck_x + 30.0 * uy),
        whole(neck_y - 30.0 * ux)
    );
    format!(
        r##"<g stroke-linejoin="round" stroke-linecap="round"><path d="{line} {head}" fill="#4a2508" stroke="#4a2508" stroke-width="26"/><path d="{line}" stroke="#ffcf6b" stroke-width="14"/><path d="{head}" fill="#ffcf6b" stroke="#ffcf6b" stroke-width="6"/></g>"##
    )
}

/// The middle of a square.
pub(crate) fn middle(square: Square, layout: &Layout) -> (i32, i32) {
    let (x, y) = layout.corner_of(square);
    (x + CELL / 2, y + CELL / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_at_the_edge_lies_on_the_board() {
        // A stone on the left edge, caught by two stones to its right; then one in the open, caught by four.
        assert_eq!(caught_between(&[(1, 2), (1, 4)], (0, 3)), [(1, 2), (1, 4), (0, 3)]);
        let square = [(1, 0), (2, 1), (1, 2), (0, 1)];
        assert_eq!(caught_between(&square, (1, 1)), square);
        assert_eq!(caught_between(&square[..3], (1, 0)), square[..3]);
    }

    /// Where each board of a preview begins and how large its squares are, from what `on_table` writes.
    fn boards(preview: &str) -> Vec<[f64; 3]> {
        let number = |text: &str| text.parse::<f64>().unwrap();
        // The last ring of a board's shadow stands right before it.
        let begins = preview.split("fill-opacity=\".04\"/><g transform=\"translate(").skip(1);
        begins
            .map(|rest| {
                let (at, rest) = rest.split_once(") scale(").unwrap();
                let (x, y) = at.split_once(' ').unwrap();
                [number(x), number(y), number(rest.split_once(')').unwrap().0)]
            })
            .collect()
    }

    #[test]
    fn a_preview_holds_any_number_of_boards_in_the_middle_of_its_square() {
        let board = scene::Board::new(5, 5, |_| (scene::Ground::Cell, None));
        let scene = Scene::new(scene::BoardStyle::Grid, board, scene::Message::Dealing);
        let layout = Layout::new(&scene, Turned::Upright);
        for count in 1..=12 {
            let preview = preview_svg(&vec![scene.clone(); count], &Caption::default(), 1200, 630);
            let boards = boards(&preview);
            assert_eq!(boards.len(), count);
            let [margin, end] = [630.0 / 12.0, 630.0 * 11.0 / 12.0];
            let far = |[x, y, scale]: [f64; 3]| {
                (x + scale * f64::from(layout.width()), y + scale * f64::from(layout.height()))
            };
            for (index, &board) in boards.iter().enumerate() {
                let (right, bottom) = far(board);
                let inside =
                    board[0] > margin - 1.0 && board[1] > margin - 1.0 && right < end + 1.0 && bottom < end + 1.0;
                assert!(inside, "board {index} of {count} leaves the square");
                for other in &boards[..index] {
                    let (left, top) = far(*other);
                    assert!(left <= board[0] + 0.1 || top <= board[1] + 0.1, "boards of {count} lie over each other");
                }
            }
            let rows = |y: f64| boards.iter().filter(move |board| (board[1] - y).abs() < 1.0);
            for [_, y, _] in &boards {
                let left = rows(*y).map(|board| board[0]).fold(f64::MAX, f64::min);
                let right = rows(*y).map(|board| far(*board).0).fold(0.0, f64::max);
                assert!((left - margin - (end - right)).abs() < 1.0, "a row of {count} stands to one side");
            }
            let top = boards.iter().map(|board| board[1]).fold(f64::MAX, f64::min);
            let bottom = boards.iter().map(|board| far(*board).1).fold(0.0, f64::max);
            assert!((top - margin - (end - bottom)).abs() < 1.0, "{count} boards stand too high or too low");
        }
    }

    #[test]
    fn a_title_is_text() {
        assert_eq!(named("<b> & co"), "<title>&lt;b&gt; &amp; co</title>");
    }
}
