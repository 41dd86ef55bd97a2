//! The moves played.

use locale::Language;
use session::{Move, SessionView};
use ui::ev::{KeyboardEvent, MouseEvent};
use ui::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::Element;
use web_sys::HtmlElement;

use crate::app::settings;
use crate::browser;
use crate::match_view::{MatchView, Walk};
use crate::move_text;
use crate::views::{press, say, showing};

/// The moves played; a click or the arrow keys look back.
#[component]
pub fn Moves(
    /// The match.
    match_view: MatchView,
) -> impl IntoView {
    let settings = settings();
    let list = NodeRef::<HtmlElement>::new();
    Effect::new(move |before: Option<Option<Written>>| {
        let list = list.get()?;
        let language = settings.lang();
        let mut written = before.flatten().filter(|before| before.language == language).unwrap_or_else(|| {
            list.set_inner_html("");
            Written { language, moves: Vec::new() }
        });
        written.keep_up(match_view, &list);
        written.mark(match_view.looking.get(), &list);
        Some(written)
    });
    let look_back = move |event: MouseEvent| {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let row = target.and_then(|target| target.closest("[data-length]").ok().flatten());
        if let Some(length) = row.and_then(|row| row.get_attribute("data-length")?.parse().ok()) {
            match_view.looking.set(Some(length));
        }
    };
    let walk = move |event: KeyboardEvent| {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let has_own_arrows = |target: &Element| matches!(target.closest(OWN_ARROWS), Ok(Some(_)));
        if target.is_some_and(|target| has_own_arrows(&target)) || event.alt_key() || event.ctrl_key() {
            return;
        }
        match event.key().as_str() {
            "ArrowLeft" => match_view.look(Walk::Back),
            "ArrowRight" => match_view.look(Walk::Forward),
            _ => {}
        }
    };
    let walking = window_event_listener("keydown", walk);
    on_cleanup(move || walking.remove());
    let none_yet = move || match_view.with(|view| view.history.moves(view.history.len()) == 0);
    view! {
        <section class="moves">
            {showing(none_yet, move || view! {<p class="quiet">{say(Language::no_moves_yet)}</p>})}
            <ol node_ref=list on:click=look_back></ol>
            {showing(move || match_view.looking.get().is_some(), move || view! {
                <button type="button" class="button main" on:click=press(move || match_view.looking.set(None))>{say(Language::web_back_to_now)}</button>
            })}
        </section>
    }
}

/// Where arrow keys have another use.
const OWN_ARROWS: &str = "input, textarea, select, [role='grid'], [role='tablist']";

/// The turns on the page, each with its actions. They are no views of their own: only what is new is written, so that an
/// action late in a game costs no more than an early one.
struct Written {
    language: Language,
    moves: Vec<Move>,
}

impl Written {
    fn keep_up(&mut self, match_view: MatchView, list: &Element) {
        let known = self.moves.len();
        match_view.with(|view| {
            let is_played = |last: &Move| view.moves_from(last.length - 1).next().as_ref() == Some(last);
            while self.moves.last().is_some_and(|last| !is_played(last)) {
                self.moves.pop();
                remove_last(list);
            }
            let length = self.moves.last().map_or(0, |last| last.length);
            for played in view.moves_from(length) {
                self.write(&view, &played, list);
                self.moves.push(played);
            }
        });
        if known != self.moves.len() {
            browser::scroll_to_end("#panel-moves");
        }
    }

    /// Writes an action into the turn it belongs to. Sides that alternate have a column each.
    fn write(&self, view: &SessionView<'_>, played: &Move, list: &Element) {
        let written = move_text::action(self.language, &view.game.settings().game, &played.text);
        let action = format!(
            r#"<button type="button" class="move" data-length="{}">{}</button>"#,
            played.length,
            move_text::drawn(self.language, &written)
        );
        let same_turn = self.moves.last().is_some_and(|last| last.seat == played.seat);
        if let Some(turn) = list.last_element_child().filter(|_| same_turn) {
            let _ = turn.insert_adjacent_html("beforeend", &action);
            return;
        }
        let column = match (view.game.position().seats() % 2, played.seat.index() % 2) {
            (0, 0) => "left",
            (0, _) => "right",
            _ => "",
        };
        let sign = view.scene().seat_piece(played.seat).map(art::piece).unwrap_or_default();
        let turn = format!(
            r#"<li class="{column}"><small>{}</small><span class="sign">{sign}</span>{action}</li>"#,
            played.number
        );
        let _ = list.insert_adjacent_html("beforeend", &turn);
    }

    /// Marks the move that is looked back to.
    fn mark(&self, looking: Option<usize>, list: &Element) {
        if let Ok(Some(marked)) = list.query_selector("[aria-current]") {
            let _ = marked.remove_attribute("aria-current");
        }
        let shown = looking.and_then(|length| list.query_selector(&format!("[data-length='{length}']")).ok().flatten());
        if let Some(shown) = shown {
            let _ = shown.set_attribute("aria-current", "step");
        }
    }
}

/// Removes the last action, and its turn if it was the only one.
fn remove_last(list: &Element) {
    let Some(turn) = list.last_element_child() else { return };
    if let Some(action) = turn.last_element_child() {
        action.remove();
    }
    if matches!(turn.query_selector(".move"), Ok(None)) {
        turn.remove();
    }
}
