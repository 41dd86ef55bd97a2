//! How the game went: what the first side could expect before each move.

use game::Match;
use locale::{Language, Names};
use rules::{Seat, Side};
use search::Judgement;
use ui::ev::MouseEvent;
use ui::prelude::*;
use wasm_bindgen::JsCast;

use super::study::Study;
use crate::app::settings;
use crate::views::{say, showing, tenths};

/// The size of the graph in its own units.
const WIDTH: u32 = 300;
const HEIGHT: u32 = 80;

/// A judged move on the graph.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Point {
    /// How many events of the log stand before the move.
    entry: usize,
    /// What the first side could expect after it, from 0 to 1.
    share: f64,
    is_mistake: bool,
}

fn point(game: &Match, judgement: &Judgement<String>) -> Point {
    let share = f64::from(judgement.played.score());
    let first = game.position().side(judgement.step.seat) == Side::ONE;
    Point {
        entry: judgement.step.entry,
        share: if first { share } else { 1.0 - share },
        is_mistake: judgement.mistake.is_some(),
    }
}

/// Whether two sides play: with more there is no one line between them.
fn has_two_sides(game: &Match) -> bool {
    let position = game.position();
    Seat::all(position.seats()).all(|seat| position.side(seat).index() < 2)
}

/// The graph, as soon as a review has judged some moves. A click shows the position there; the list of moves does the
/// same for those who do not point.
#[component]
pub(super) fn Graph(study: Study, names: Memo<Names>) -> impl IntoView {
    let settings = settings();
    let points = Memo::new(move |_| {
        let judged = |line: &Match| study.judged.with(|it| it.judgements().iter().map(|it| point(line, it)).collect());
        study.line.with(|line| if has_two_sides(line) { judged(line) } else { Vec::new() })
    });
    let events = move || study.line.with(|line| line.log().len());
    let markup = Signal::derive(move || points.with(|points| drawn(points, events(), study.at.get())));
    let show = move |event: MouseEvent| {
        let Some(area) = event.current_target().and_then(|it| it.dyn_into::<web_sys::Element>().ok()) else { return };
        let share = f64::from(event.offset_x()) / f64::from(area.client_width().max(1));
        study.go((share.clamp(0.0, 1.0) * untrack(events) as f64).round() as usize);
    };
    let upper = Signal::derive(move || names.with(|names| settings.lang().study_graph_better(names.side(Side::ONE))));
    let lower = Signal::derive(move || names.with(|names| settings.lang().study_graph_better(names.side(Side::TWO))));
    view! {
        {showing(move || points.with(|points| points.len() > 1), move || view! {
            <figure class="graph">
                <figcaption class="hidden">{say(Language::study_graph)}</figcaption>
                <small>{upper}</small>
                <div class="graph-area" on:click=show inner_html=markup></div>
                <small>{lower}</small>
            </figure>
        })}
    }
}

fn drawn(points: &[Point], events: usize, at: usize) -> String {
    let x = |entry: usize| tenths(entry as f64 / events.max(1) as f64 * f64::from(WIDTH));
    let y = |share: f64| tenths((1.0 - share) * f64::from(HEIGHT - 8) + 4.0);
    let place = |it: &Point| format!("{} {}", x(it.entry + 1), y(it.share));
    let line: Vec<String> = points.iter().map(place).collect();
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return String::new() };
    // A line without length has a round end, however much the drawing is stretched.
    let dot = |it: &Point| format!(r#"<path class="mistake" d="M{}h0"/>"#, place(it));
    let dots: String = points.iter().filter(|it| it.is_mistake).map(dot).collect();
    let (middle, line) = (HEIGHT / 2, line.join("L"));
    format!(
        r#"<svg viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none" aria-hidden="true" focusable="false"><path class="area" d="M{} {middle}L{line}L{} {middle}Z"/><path class="even" d="M0 {middle}H{WIDTH}"/><path class="course" d="M{line}"/>{dots}<path class="here" d="M{} 0V{HEIGHT}"/></svg>"#,
        x(first.entry + 1),
        x(last.entry + 1),
        x(at)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_course_stays_inside_and_mistakes_are_dots() {
        let points = [(0, 0.5, false), (1, 1.0, true), (2, 0.0, false)];
        let points = points.map(|(entry, share, is_mistake)| Point { entry, share, is_mistake });
        let markup = drawn(&points, 3, 1);
        assert_eq!(markup.matches("mistake").count(), 1);
        assert!(markup.contains("M100.0 40.0L200.0 4.0L300.0 76.0"), "{markup}");
        assert_eq!(drawn(&[], 3, 0), "");
    }
}
