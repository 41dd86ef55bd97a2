//! The board of any game: what `art` draws, with a button on every square.
//!
//! A board may have hundreds of squares, so they are no views of their own: one effect compares what each square shows
//! with what it showed before, and writes to the page only where that differs. Listeners are on the board itself.

use art::Layout;
pub use art::Turned;
use locale::{Language, Names};
use rules::Square;
use scene::{Cell, Ground, Highlight, Piece, Scene, Spot};
use ui::ev::{FocusEvent, KeyboardEvent, MouseEvent};
use ui::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::Element;
use web_sys::HtmlElement;

use crate::views::live;

/// What a board shows besides its pieces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// What may be touched next.
    pub next: Vec<Spot>,
    /// What is touched already.
    pub touched: Vec<Spot>,
    /// What is advised to touch.
    pub advised: Vec<Spot>,
    /// The advised action as it would look on the board.
    pub ghost: Option<Ghost>,
    /// Rows, captures and the last action.
    pub highlights: Vec<Highlight>,
    /// What spots are worth, for analysis.
    pub values: Vec<SpotValue>,
}

/// What an advised action would do on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ghost {
    /// A piece would come to a square.
    Piece(Square, Piece),
    /// A piece would go from one square to another.
    Arrow(Square, Square),
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

/// A board that can be touched.
#[component]
pub fn BoardView(
    /// What to draw.
    scene: Signal<Scene>,
    /// What to mark.
    marks: Signal<Marks>,
    /// How the board is turned.
    turned: Signal<Turned>,
    /// Whether letters and numbers stand at the edge.
    coordinates: Signal<bool>,
    /// The language of the names.
    language: Signal<Language>,
    /// What the seats are called.
    names: Signal<Names>,
    /// Called with what was touched.
    on_touch: Callback<Spot>,
) -> impl IntoView {
    let layout = Memo::new(move |_| scene.with(|scene| Layout::new(scene, turned.get())));
    let surface = Memo::new(move |_| scene.with(|scene| art::board(scene, &layout.get())));
    let bands = Memo::new(move |_| marks.with(|marks| art::rows(&marks.highlights, &layout.get())));
    let captures = Memo::new(move |_| marks.with(|marks| art::captures(&marks.highlights, &layout.get())));
    let arrow = Memo::new(move |_| match marks.with(|marks| marks.ghost) {
        Some(Ghost::Arrow(from, to)) => art::arrow(from, to, &layout.get()),
        _ => String::new(),
    });
    // A choice that is half made asks for its next squares; a row that decided the game asks for all eyes.
    let state = move || {
        marks.with(|marks| {
            let is_row = |highlight: &Highlight| matches!(highlight, Highlight::Row { .. });
            let asked = if marks.touched.is_empty() { "" } else { " asked" };
            let decided = if marks.highlights.iter().any(is_row) { " decided" } else { "" };
            format!("board {}{asked}{decided}", layout.get().style.name())
        })
    };
    let squares = NodeRef::<HtmlElement>::new();
    Effect::new(move |before: Option<Option<Shown>>| {
        let squares = squares.get()?;
        let shared = Shared {
            layout: layout.get(),
            language: language.get(),
            names: names.get(),
            coordinates: coordinates.get(),
        };
        let looks = marks.with(|marks| scene.with(|scene| looks(scene, marks, &shared.layout)));
        let shown = Shown { shared, looks };
        shown.write(before.flatten(), &squares);
        Some(shown)
    });
    let click = move |event: MouseEvent| {
        if let Some(spot) = event.target().and_then(|target| touched(&target)).and_then(|(_, spot)| spot.parse().ok()) {
            on_touch.run(spot);
        }
    };
    view! {
        <div class=live(state) role="grid"
            style=live(move || geometry(&layout.get())) aria-label=live(move || language.get().web_board())
            on:click=click on:focusin=keep_tab_stop on:keydown=move |event| walk(&event, &layout.get_untracked())>
            <div class="under" inner_html=surface></div>
            <div class="under" inner_html=bands></div>
            <div class="squares" role="rowgroup" node_ref=squares></div>
            <div class="over" inner_html=captures></div>
            <div class="over" inner_html=arrow></div>
        </div>
    }
}

/// The measures of a board for the style sheet, in hundredths of a square.
fn geometry(layout: &Layout) -> String {
    let inset = layout.inset();
    format!(
        "--columns:{};--width:{};--height:{};--gap:{};--margin:{};--top:{};--corner:{};--piece:{}% {}% {}%",
        layout.columns,
        layout.width(),
        layout.height(),
        layout.gap(),
        layout.margin(),
        layout.top(),
        layout.corner(),
        inset.top,
        inset.side,
        inset.bottom
    )
}

/// What kinds of things a scene has, as classes for the style sheet.
pub fn kinds(scene: &Scene) -> String {
    let stocked = if scene.stock.is_some() { " stocked" } else { "" };
    let carded = if scene.hands.is_empty() { "" } else { " carded" };
    format!("{}{stocked}{carded}", scene.style.name())
}

/// How much higher than wide a board is, for the style sheet.
pub fn proportion(scene: &Scene) -> String {
    let layout = Layout::new(scene, Turned::Upright);
    format!("--tall:calc({} / {})", layout.height(), layout.width())
}

/// What is shown on all squares.
struct Shown {
    shared: Shared,
    looks: Vec<Look>,
}

/// What every square depends on.
#[derive(PartialEq)]
struct Shared {
    layout: Layout,
    language: Language,
    names: Names,
    coordinates: bool,
}

/// What one square shows.
#[derive(PartialEq)]
struct Look {
    cell: Cell,
    ghost: Option<Piece>,
    may_touch: bool,
    class: String,
    value: Option<SpotValue>,
}

/// The squares in reading order.
fn looks(scene: &Scene, marks: &Marks, layout: &Layout) -> Vec<Look> {
    let look = |square| {
        let cell = *scene.board.cell(square)?;
        let ghost = match marks.ghost {
            Some(Ghost::Piece(at, piece)) if at == square => Some(piece),
            _ => None,
        };
        let may_touch = marks.next.contains(&Spot::Square(square));
        Some(Look {
            cell,
            ghost,
            may_touch,
            class: class(&cell, marks),
            value: marks.value(Spot::Square(square)).cloned(),
        })
    };
    layout.squares().filter_map(look).collect()
}

impl Shown {
    /// Writes to the page what differs from what was shown before.
    fn write(&self, before: Option<Shown>, squares: &Element) {
        let before = before.filter(|before| before.shared.layout == self.shared.layout);
        if before.is_none() {
            squares.set_inner_html(&buttons(&self.shared.layout, entry(&self.looks)));
        }
        let before =
            before.filter(|before| before.shared == self.shared).map(|before| before.looks).unwrap_or_default();
        let buttons = squares.get_elements_by_tag_name("button");
        for (number, look) in self.looks.iter().enumerate() {
            let before = before.get(number);
            if before != Some(look)
                && let Some(button) = buttons.item(number as u32)
            {
                let _ = button.set_attribute("class", &look.class);
                let _ = button.set_attribute("aria-label", &self.label(look));
                // Whatever is animated on the square goes on while only its marks change.
                let content = |look: &Look| (look.cell, look.ghost, look.value.clone());
                if before.is_none_or(|before| content(before) != content(look)) {
                    self.write_content(look, &button);
                }
            }
        }
    }

    /// What a screen reader says of a square: what is there, and whether it may be touched now.
    fn label(&self, look: &Look) -> String {
        let Shared { language, names, .. } = &self.shared;
        let label = locale::message(*language, &look.cell.description(), names);
        if look.may_touch { format!("{label}, {}", language.web_may_touch()) } else { label }
    }

    fn write_content(&self, look: &Look, button: &Element) {
        let Shared { layout, coordinates, .. } = &self.shared;
        let name = if *coordinates { coordinate(look.cell.square, layout) } else { String::new() };
        let (piece, kind) = match (look.cell.piece, look.ghost) {
            (_, Some(ghost)) => (art::piece(ghost), "piece ghost"),
            (Some(piece), None) => (art::piece(piece), "piece"),
            (None, None) => (String::new(), "piece"),
        };
        // A square's name does not say what it is worth; the list of values beside the board does.
        let value = look.value.as_ref().map(|SpotValue { class, text, .. }| {
            format!(r#"<span class="value {class}" aria-hidden="true">{text}</span>"#)
        });
        let content = format!(r#"<span class="{kind}">{piece}</span>{}{name}"#, value.unwrap_or_default());
        button.set_inner_html(&content);
    }
}

/// Where the keyboard enters the board: `a1` unless that is a gap.
fn entry(looks: &[Look]) -> Option<Square> {
    let squares = looks.iter().map(|look| look.cell).filter(|cell| cell.ground != Ground::Gap);
    squares.map(|cell| cell.square).min_by_key(|square| (square.row, square.column))
}

/// A button for every square; the keyboard enters at one of them.
fn buttons(layout: &Layout, entry: Option<Square>) -> String {
    let button = |square: Square| {
        let stop = if Some(square) == entry { "0" } else { "-1" };
        format!(
            r#"<button type="button" role="gridcell" class="cell" data-spot="{square}" data-drag="{square}" tabindex="{stop}"></button>"#
        )
    };
    let row = |y| {
        format!(
            r#"<div role="row">{}</div>"#,
            (0..layout.columns).map(|x| button(layout.square_at(x, y))).collect::<String>()
        )
    };
    (0..layout.rows).map(row).collect()
}

/// From this many squares on only those at two edges carry a letter or a number, as on a printed board.
const MANY_SQUARES: u16 = 80;

/// The name of a square as it is printed on the board, if it is.
fn coordinate(square: Square, layout: &Layout) -> String {
    let (x, y) = layout.shown_at(square);
    let name = square.to_string();
    let (file, rank) = name.split_at_checked(1).unwrap_or((&name, ""));
    let (across, up) = if layout.turned.keeps_files() { (file, rank) } else { (rank, file) };
    let shown = match (x == 0, y + 1 == layout.rows) {
        _ if u16::from(layout.columns) * u16::from(layout.rows) < MANY_SQUARES => &name,
        (true, true) => &name,
        (true, false) => up,
        (false, true) => across,
        (false, false) => return String::new(),
    };
    format!(r#"<span class="coordinate">{shown}</span>"#)
}

fn class(cell: &Cell, marks: &Marks) -> String {
    let (square, spot) = (cell.square, Spot::Square(cell.square));
    let in_row =
        |highlight: &Highlight| matches!(highlight, Highlight::Row { squares, .. } if squares.contains(&square));
    let is_last = |highlight: &Highlight| matches!(highlight, Highlight::Last(squares) if squares.contains(&square));
    let mut class = String::from("cell");
    for (name, holds) in [
        (" gap", cell.ground == Ground::Gap),
        (" taken", cell.piece.is_some()),
        (" next", marks.next.contains(&spot)),
        (" touched", marks.touched.contains(&spot)),
        (" advised", marks.advised.contains(&spot)),
        (" last", marks.highlights.iter().any(is_last)),
        (" row", marks.highlights.iter().any(in_row)),
    ] {
        if holds {
            class.push_str(name);
        }
    }
    class
}

/// The button of the board in which something happened, and its spot.
fn touched(target: &web_sys::EventTarget) -> Option<(Element, String)> {
    let button = target.dyn_ref::<Element>()?.closest("[data-spot]").ok()??;
    let spot = button.get_attribute("data-spot")?;
    Some((button, spot))
}

/// The tabulator key comes back to the square that had the focus last.
fn keep_tab_stop(event: FocusEvent) {
    let Some((button, _)) = event.target().and_then(|target| touched(&target)) else { return };
    let board = button.closest("[role='grid']").ok().flatten();
    if let Some(stop) = board.and_then(|board| board.query_selector("[tabindex='0']").ok().flatten()) {
        let _ = stop.set_attribute("tabindex", "-1");
    }
    let _ = button.set_attribute("tabindex", "0");
}

/// Arrow keys walk over the board as it is shown, past its gaps; Home and End go to the ends of the rank.
fn walk(event: &KeyboardEvent, layout: &Layout) {
    let Some((button, spot)) = event.target().and_then(|target| touched(&target)) else { return };
    let Ok(square) = spot.parse() else { return };
    let Some(ahead) = ahead(&event.key(), layout.shown_at(square), layout) else { return };
    event.prevent_default();
    let Some(board) = button.closest("[role='grid']").ok().flatten() else { return };
    let is_square = |&(x, y): &(u8, u8)| {
        let spot = Spot::Square(layout.square_at(x, y));
        board.query_selector(&format!("[data-spot='{spot}']:not(.gap)")).ok().flatten()
    };
    if let Some(element) = ahead.iter().find_map(is_square).and_then(|it| it.dyn_into::<HtmlElement>().ok()) {
        let _ = element.focus();
    }
}

/// The places that a key leads to from one of them, the nearest first.
fn ahead(key: &str, (x, y): (u8, u8), layout: &Layout) -> Option<Vec<(u8, u8)>> {
    Some(match key {
        "ArrowLeft" => (0..x).rev().map(|x| (x, y)).collect(),
        "ArrowRight" => (x + 1..layout.columns).map(|x| (x, y)).collect(),
        "ArrowUp" => (0..y).rev().map(|y| (x, y)).collect(),
        "ArrowDown" => (y + 1..layout.rows).map(|y| (x, y)).collect(),
        "Home" => (0..x).map(|x| (x, y)).collect(),
        "End" => (x + 1..layout.columns).rev().map(|x| (x, y)).collect(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use rules::{Position, Viewer, four::Four, quixo::Quixo};
    use scene::Staged;

    use super::*;

    #[test]
    fn a_large_board_is_named_at_its_edges_as_it_is_turned() {
        let game = Four::start(&Default::default());
        let scene = Four::scene(&game.view(Viewer::Spectator), Viewer::Spectator);
        let named = |turned, x, y| {
            let layout = Layout::new(&scene, turned);
            coordinate(layout.square_at(x, y), &layout)
                .replace("</span>", "")
                .replace(r#"<span class="coordinate">"#, "")
        };
        let last = scene.board.columns - 1;
        assert_eq!(named(Turned::Upright, 0, last), "a1");
        assert_eq!([named(Turned::Upright, 3, last), named(Turned::Upright, 0, 0)], ["d", "19"]);
        assert_eq!(named(Turned::QuarterClockwise, 3, last), "4");
        assert_eq!(named(Turned::Upright, 3, 3), "");
    }

    #[test]
    fn one_square_is_where_the_keyboard_enters() {
        let game = Quixo::start(&Default::default());
        let scene = Quixo::scene(&game.view(Viewer::Spectator), Viewer::Spectator);
        for turned in [Turned::Upright, Turned::Half] {
            let markup = buttons(&Layout::new(&scene, turned), Some(Square::new(0, 0)));
            assert_eq!(markup.matches(r#"tabindex="0""#).count(), 1);
            assert_eq!(markup.matches(r#"role="gridcell""#).count(), 25);
        }
    }

    #[test]
    fn the_keyboard_enters_and_walks_past_gaps() {
        let game = Quixo::start(&Default::default());
        let mut scene = Quixo::scene(&game.view(Viewer::Spectator), Viewer::Spectator);
        scene.board.cells[0].ground = Ground::Gap;
        let layout = Layout::new(&scene, Turned::Upright);
        let looks = looks(&scene, &Marks::default(), &layout);
        assert_eq!(looks.iter().filter(|look| look.class.contains("gap")).count(), 1);
        assert_eq!(entry(&looks), Some(Square::new(1, 0)));
        assert_eq!(ahead("ArrowLeft", (2, 4), &layout), Some(vec![(1, 4), (0, 4)]));
        assert_eq!(ahead("ArrowDown", (2, 2), &layout), Some(vec![(2, 3), (2, 4)]));
        assert_eq!(ahead("Home", (2, 2), &layout).unwrap()[0], (0, 2));
        assert_eq!(ahead("End", (2, 2), &layout).unwrap()[0], (4, 2));
        assert_eq!(ahead("Enter", (2, 2), &layout), None);
    }

    #[test]
    fn a_touch_changes_the_look_of_the_squares_it_marks_only() {
        let game = Quixo::start(&Default::default());
        let scene = Quixo::scene(&game.view(Viewer::Spectator), Viewer::Spectator);
        let layout = Layout::new(&scene, Turned::Upright);
        let before = looks(&scene, &Marks::default(), &layout);
        let a1 = Spot::Square(Square::new(0, 0));
        let after = looks(&scene, &Marks { touched: vec![a1], ..Marks::default() }, &layout);
        let changed: Vec<usize> = (0..25).filter(|&number| before[number] != after[number]).collect();
        assert_eq!(changed, [20]);
        assert_eq!(after[20].class, "cell taken touched");
    }
}
