//! The moves played.

use leptos::ev::MouseEvent;
use leptos::html::Ol;
use leptos::prelude::*;
use locale::Language;
use session::Move;
use wasm_bindgen::JsCast;
use web_sys::Element;

use crate::app::settings;
use crate::browser;
use crate::erased_views::{press, say, showing};
use crate::match_view::MatchView;
use crate::move_text;

/// The moves played; one click looks back.
#[component]
pub fn Moves(
    /// The match.
    match_view: MatchView,
) -> impl IntoView {
    let settings = settings();
    let list = NodeRef::<Ol>::new();
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
    let none_yet = move || match_view.with(|view| view.history.moves(view.history.len()) == 0);
    view! {
        <section class="moves">
            <h2>{say(Language::moves_title)}</h2>
            {showing(none_yet, move || view! {<p class="quiet">{say(Language::no_moves_yet)}</p>})}
            <ol node_ref=list on:click=look_back></ol>
            {showing(move || match_view.looking.get().is_some(), move || view! {
                <button type="button" class="button" on:click=press(move || match_view.looking.set(None))>{say(Language::web_back_to_now)}</button>
            })}
        </section>
    }
}

/// The rows on the page. They are no views of their own: only what is new is written, so that an action late in a game
/// costs no more than an early one.
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
                if let Some(row) = list.last_element_child() {
                    row.remove();
                }
            }
            let length = self.moves.last().map_or(0, |last| last.length);
            for played in view.moves_from(length) {
                let written = move_text::action(self.language, &view.game.settings().game, &played.text);
                let row = format!(
                    r#"<li><button type="button" class="move" data-length="{}"><small>{}</small><span>{}</span></button></li>"#,
                    played.length,
                    played.number,
                    move_text::drawn(self.language, &written)
                );
                let _ = list.insert_adjacent_html("beforeend", &row);
                self.moves.push(played);
            }
        });
        if known != self.moves.len() {
            // Where the list has a frame of its own, the last move is in sight.
            browser::scroll_to_end(".moves");
        }
    }

    /// Marks the move that one looks back to.
    fn mark(&self, looking: Option<usize>, list: &Element) {
        if let Ok(Some(marked)) = list.query_selector("[aria-current]") {
            let _ = marked.remove_attribute("aria-current");
        }
        let at = looking.and_then(|length| self.moves.iter().rposition(|played| played.length == length));
        let row = at.and_then(|at| list.children().item(at as u32)).and_then(|row| row.first_element_child());
        if let Some(row) = row {
            let _ = row.set_attribute("aria-current", "step");
        }
    }
}
