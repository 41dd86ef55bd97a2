//! The board of any game, drawn from a scene: buttons in a grid, with pictures on them.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use locale::{Language, Names};
use rules::Square;
use scene::{BoardStyle, Cell, Highlight, Scene, Spot};
use wasm_bindgen::JsCast;

use crate::art;
use crate::lean::{live, press};

/// What a board shows besides its pieces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// What may be touched next.
    pub next: Vec<Spot>,
    /// What is touched already.
    pub touched: Vec<Spot>,
    /// What is advised to touch.
    pub advised: Vec<Spot>,
    /// Rows, captures and the last action.
    pub highlights: Vec<Highlight>,
    /// What spots are worth, for analysis.
    pub values: Vec<SpotValue>,
}

/// What may come of touching a spot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpotValue {
    /// The spot.
    pub spot: Spot,
    /// A class of the style sheet such as `win`.
    pub class: &'static str,
    /// A short text.
    pub text: String,
}

impl Marks {
    /// What a spot is worth, if that is known.
    pub fn value(&self, spot: Spot) -> Option<&SpotValue> {
        self.values.iter().find(|value| value.spot == spot)
    }
}

/// How a board is turned towards its viewer, in quarter turns clockwise.
pub type Turned = u8;

/// A board that can be touched.
#[component]
pub fn BoardView(
    /// What to draw.
    scene: Signal<Scene>,
    /// What to mark.
    marks: Signal<Marks>,
    /// Quarter turns clockwise.
    #[prop(optional, into)]
    turned: Signal<Turned>,
    /// Whether letters and numbers stand at the edge.
    #[prop(optional, into)]
    coordinates: Signal<bool>,
    /// The language of the names.
    language: Signal<Language>,
    /// What the seats are called.
    names: Signal<Names>,
    /// Called with what was touched.
    on_touch: Callback<Spot>,
) -> impl IntoView {
    let shape = Memo::new(move |_| scene.with(|scene| shape(scene, turned.get())));
    let focus = RwSignal::new(Square::new(0, 0));
    let cells = move || {
        let (columns, rows, _) = shape.get();
        ranks(columns, rows, turned.get())
            .into_iter()
            .map(|rank| {
                let cells = rank
                    .into_iter()
                    .map(|square| {
                        view! { <CellView square scene marks language names focus turned on_touch coordinates /> }
                    })
                    .collect_view();
                view! { <div role="row">{cells}</div> }
            })
            .collect_view()
    };
    let style = move || {
        let (columns, rows, _) = shape.get();
        format!("--columns:{columns};--rows:{rows}")
    };
    let figures = move || marks.with(|marks| scene.with(|scene| figures(scene, marks, turned.get())));
    view! {
        <div class=live(move || format!("board {}", shape.get().2)) role="grid" style=style
            aria-label=live(move || language.get().web_board())>
            {cells}
            <svg class="figures" viewBox=move || { let (c, r, _) = shape.get(); format!("0 0 {c} {r}") }
                preserveAspectRatio="none" aria-hidden="true" inner_html=figures></svg>
        </div>
    }
}

/// Columns and rows as they are shown, and the class of the style.
fn shape(Scene { style, board, .. }: &Scene, turned: Turned) -> (u8, u8, &'static str) {
    let ground = match style {
        BoardStyle::Wells => "well",
        BoardStyle::Tray => "slot",
        BoardStyle::Grid => "plain-cell",
        BoardStyle::Pictures => "picture",
    };
    if turned.is_multiple_of(2) { (board.columns, board.rows, ground) } else { (board.rows, board.columns, ground) }
}

/// The squares in the order in which they are shown, from the top left.
fn ranks(columns: u8, rows: u8, turned: Turned) -> Vec<Vec<Square>> {
    (0..rows).map(|y| (0..columns).map(|x| square_at(x, y, columns, rows, turned)).collect()).collect()
}

/// The square shown at column `x` from the left and row `y` from the top.
fn square_at(x: u8, y: u8, columns: u8, rows: u8, turned: Turned) -> Square {
    match turned % 4 {
        0 => Square::new(x, rows - 1 - y),
        1 => Square::new(y, x),
        2 => Square::new(columns - 1 - x, y),
        _ => Square::new(rows - 1 - y, columns - 1 - x),
    }
}

/// Where a square is shown: column from the left, row from the top, in the turned board of `columns`×`rows`.
fn shown_at(square: Square, columns: u8, rows: u8, turned: Turned) -> (u8, u8) {
    let Square { column, row } = square;
    match turned % 4 {
        0 => (column, rows - 1 - row),
        1 => (row, column),
        2 => (columns - 1 - column, row),
        _ => (columns - 1 - row, rows - 1 - column),
    }
}

/// The outlines of captures, drawn over the stones.
fn figures(scene: &Scene, marks: &Marks, turned: Turned) -> String {
    let (columns, rows, _) = shape(scene, turned);
    let at = |square: Square| {
        let (x, y) = shown_at(square, columns, rows, turned);
        (i32::from(x), i32::from(y))
    };
    let outline = |highlight: &Highlight| match highlight {
        Highlight::Capture { corners, centre } => {
            let points =
                whole_square(at(*corners.first()?), at(*centre)).map(|(x, y)| format!("{} {}", half(x), half(y)));
            let points = points.join(" L");
            Some(format!(r#"<path d="M{points} Z"/><path class="glint" d="M{points} Z"/>"#))
        }
        _ => None,
    };
    marks.highlights.iter().filter_map(outline).collect()
}

/// All four corners of a square around a stone. At the edge some are off the board: then the board cuts the figure off,
/// and it still shows what is surrounded.
fn whole_square(corner: (i32, i32), centre: (i32, i32)) -> [(i32, i32); 4] {
    let (x, y) = (corner.0 - centre.0, corner.1 - centre.1);
    [(x, y), (-y, x), (-x, -y), (y, -x)].map(|(x, y)| (centre.0 + x, centre.1 + y))
}

/// The middle of a cell, written without a float, whose formatting is heavier than all of this file.
fn half(cell: i32) -> String {
    if cell < 0 { format!("-{}.5", -cell - 1) } else { format!("{cell}.5") }
}

#[component]
fn CellView(
    square: Square,
    scene: Signal<Scene>,
    marks: Signal<Marks>,
    language: Signal<Language>,
    names: Signal<Names>,
    focus: RwSignal<Square>,
    turned: Signal<Turned>,
    coordinates: Signal<bool>,
    on_touch: Callback<Spot>,
) -> impl IntoView {
    let cell = Memo::new(move |_| scene.with(|scene| scene.board.cell(square).copied()));
    let class = Memo::new(move |_| marks.with(|marks| class(square, cell.get(), marks)));
    let value = Memo::new(move |_| marks.with(|marks| value_mark(square, marks)));
    let label = live(move || {
        cell.get().map(|cell| names.with(|names| locale::message(language.get(), &cell.description(), names)))
    });
    // One text for all that lies on a square: a board of nineteen by nineteen has no time for more.
    let content = live(move || {
        let name =
            if coordinates.get() { scene.with(|scene| coordinate(square, scene, turned.get())) } else { String::new() };
        format!("{}{}{name}", on_it(cell.get()), value.get())
    });
    view! {
        <button type="button" role="gridcell" class=class data-spot=square.to_string() data-drag=square.to_string()
            aria-label=label
            tabindex=live(move || if focus.get() == square { "0" } else { "-1" })
            on:focus=move |_| focus.set(square)
            on:keydown=move |event| walk(&event, square, scene, turned.get_untracked())
            on:click=press(move || on_touch.run(Spot::Square(square))) inner_html=content></button>
    }
}

/// From this many squares on only those at two edges carry a letter or a number, as on a printed board.
const MANY_SQUARES: usize = 80;

/// What stands on a square as its name, if anything.
fn coordinate(square: Square, scene: &Scene, turned: Turned) -> String {
    let (columns, rows, _) = shape(scene, turned);
    let (x, y) = shown_at(square, columns, rows, turned);
    let name = square.to_string();
    let (letter, number) = name.split_at(1);
    let (across, up) = if turned.is_multiple_of(2) { (letter, number) } else { (number, letter) };
    let shown = match (x == 0, y + 1 == rows) {
        _ if scene.board.cells.len() < MANY_SQUARES => &name,
        (true, true) => &name,
        (true, false) => up,
        (false, true) => across,
        (false, false) => return String::new(),
    };
    format!(r#"<span class="coordinate">{shown}</span>"#)
}

/// The picture of a square and of what stands on it.
fn on_it(cell: Option<Cell>) -> String {
    let ground = cell.map(|cell| art::ground(cell.ground)).unwrap_or_default();
    let piece = cell.and_then(|cell| cell.piece).map(art::piece).unwrap_or_default();
    format!(r#"<span class="ground">{ground}</span><span class="piece">{piece}</span>"#)
}

fn value_mark(square: Square, marks: &Marks) -> String {
    // A square's name does not say it; the list of values beside the board does.
    let mark =
        |value: &SpotValue| format!(r#"<span class="value {}" aria-hidden="true">{}</span>"#, value.class, value.text);
    marks.value(Spot::Square(square)).map(mark).unwrap_or_default()
}

/// A board to look at only, as markup: no square of it can be touched or named.
pub fn picture(scene: &Scene, marks: &Marks) -> String {
    let (columns, rows, ground) = shape(scene, 0);
    let cells = ranks(columns, rows, 0).into_iter().flatten().map(|square| {
        let cell = scene.board.cell(square).copied();
        format!(r#"<span class="{}">{}</span>"#, class(square, cell, marks), on_it(cell))
    });
    format!(
        r#"<div class="board {ground}" style="--columns:{columns};--rows:{rows}">{}<svg class="figures" viewBox="0 0 {columns} {rows}" preserveAspectRatio="none">{}</svg></div>"#,
        cells.collect::<String>(),
        figures(scene, marks, 0)
    )
}

fn class(square: Square, cell: Option<Cell>, marks: &Marks) -> String {
    let spot = Spot::Square(square);
    let row = marks
        .highlights
        .iter()
        .filter(|highlight| matches!(highlight, Highlight::Row { .. }))
        .any(|highlight| highlight.squares().contains(&square));
    let last = marks
        .highlights
        .iter()
        .any(|highlight| matches!(highlight, Highlight::Last(squares) if squares.contains(&square)));
    let mut class = String::from("cell");
    let taken = cell.is_some_and(|cell| cell.piece.is_some());
    for (name, holds) in [
        ("taken", taken),
        ("next", marks.next.contains(&spot)),
        ("touched", marks.touched.contains(&spot)),
        ("advised", marks.advised.contains(&spot)),
        ("last", last),
        ("row", row),
    ] {
        if holds {
            class.push(' ');
            class.push_str(name);
        }
    }
    class
}

/// Arrow keys walk over the board as it is shown; Home and End go to the ends of the rank.
fn walk(event: &KeyboardEvent, square: Square, scene: Signal<Scene>, turned: Turned) {
    let (columns, rows, _) = scene.with_untracked(|scene| shape(scene, turned));
    let (x, y) = shown_at(square, columns, rows, turned);
    let (x, y) = match event.key().as_str() {
        "ArrowLeft" => (x.saturating_sub(1), y),
        "ArrowRight" => ((x + 1).min(columns - 1), y),
        "ArrowUp" => (x, y.saturating_sub(1)),
        "ArrowDown" => (x, (y + 1).min(rows - 1)),
        "Home" => (0, y),
        "End" => (columns - 1, y),
        _ => return,
    };
    event.prevent_default();
    focus_beside(event, Spot::Square(square_at(x, y, columns, rows, turned)));
}

/// Puts the keyboard's focus on a spot of the board on which a key was pressed; a page may have several.
fn focus_beside(event: &KeyboardEvent, spot: Spot) {
    let pressed = event.current_target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    let board = pressed.and_then(|pressed| pressed.closest("[role='grid']").ok().flatten());
    let found = board.and_then(|board| board.query_selector(&format!("[data-spot='{spot}']")).ok().flatten());
    if let Some(element) = found.and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = element.focus();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn turning_shows_every_square_once_and_back() {
        for (columns, rows) in [(5, 5), (7, 6)] {
            for turned in 0..4 {
                let (shown_columns, shown_rows) = if turned % 2 == 0 { (columns, rows) } else { (rows, columns) };
                let mut seen = HashSet::new();
                for y in 0..shown_rows {
                    for x in 0..shown_columns {
                        let square = square_at(x, y, shown_columns, shown_rows, turned);
                        assert!(square.column < columns && square.row < rows, "{square} turned {turned}");
                        assert_eq!(shown_at(square, shown_columns, shown_rows, turned), (x, y));
                        seen.insert(square);
                    }
                }
                assert_eq!(seen.len(), usize::from(columns) * usize::from(rows));
            }
        }
    }

    #[test]
    fn a_square_at_the_edge_is_whole() {
        // A stone on the left edge, caught from two cells on its right.
        assert_eq!(whole_square((1, 2), (0, 3)), [(1, 2), (1, 4), (-1, 4), (-1, 2)]);
        // In the corner two stones are enough.
        assert_eq!(whole_square((0, 5), (0, 8)), [(0, 5), (3, 8), (0, 11), (-3, 8)]);
        assert_eq!([-2, -1, 0, 3].map(half), ["-1.5", "-0.5", "0.5", "3.5"]);
    }

    #[test]
    fn unturned_has_a1_at_the_bottom_left() {
        assert_eq!(square_at(0, 3, 4, 4, 0), Square::new(0, 0));
        assert_eq!(square_at(0, 0, 4, 4, 2), Square::new(3, 0));
    }
}
