//! Who solved a day's puzzle fastest, and the best storms.

use locale::Language;
use protocol::Json;
use puzzles::Day;
use session::puzzle_words;
use ui::prelude::*;

use super::keeper::{Keeper, sign_in};
use crate::online::http;
use crate::route::Route;
use crate::views::{list, say, showing, spawn};

/// Rows that are shown; one's own is shown wherever it stands.
const MOST: usize = 10;

/// A row of the list.
#[derive(Clone, PartialEq)]
struct Row {
    place: usize,
    id: String,
    name: String,
    score: u64,
}

/// The list of a day's puzzle, or of storms; not there without a server.
#[component]
pub fn Leaders(keeper: Keeper, game: game::GameId, day: Option<Day>) -> impl IntoView {
    let rows = RwSignal::new(None::<Vec<Row>>);
    let me = Memo::new(move |_| keeper.known.with(|known| known.as_ref().map(|known| known.id.clone())));
    Effect::new(move || {
        keeper.taken.track();
        if me.get().is_none() {
            return;
        }
        let path = match day {
            Some(day) => format!("api/puzzles/leaders?game={game}&day={day}"),
            None => format!("api/puzzles/storms?game={game}"),
        };
        spawn(async move {
            if let Ok(answer) = http::get(&path).await {
                // The page may have been left meanwhile.
                let _ = rows.try_set(Some(answer.list().iter().enumerate().map(read).collect()));
            }
        });
    });
    let (title, none): (super::Text, super::Text) = match day {
        Some(_) => (Language::puzzle_leaders_day, Language::puzzle_leaders_none_day),
        None => (Language::puzzle_leaders_storm, Language::puzzle_leaders_none_storm),
    };
    let row = move |Row { place, id, name, score }: Row| {
        let own = me.get_untracked().as_deref() == Some(id.as_str());
        let score = if day.is_some() { puzzle_words::minutes(score * 1000) } else { score.to_string() };
        view! {
            <li class=if own { "own" } else { "" } value=place.to_string()><a href=Route::Person(id).link()>{name}</a>
                {own.then(|| view! { <i>{say(Language::puzzle_leaders_you)}</i> })}<b>{score}</b></li>
        }
    };
    let shown = move || {
        let me = me.get();
        let is_shown = move |row: &Row| row.place <= MOST || me.as_deref() == Some(row.id.as_str());
        rows.get().unwrap_or_default().into_iter().filter(is_shown).map(row).collect::<Vec<_>>()
    };
    let is_empty = move || rows.with(|rows| rows.as_ref().is_some_and(Vec::is_empty));
    view! {
        {showing(move || rows.with(Option::is_some), move || view! {
            <section class="leaders" data-part="leaders">
                <h2>{say(title)}</h2>
                {showing(is_empty, move || view! { <p>{say(none)}</p> })}
                <ol>{list(shown)}</ol>
                {sign_in(keeper)}
            </section>
        })}
    }
}

fn read((index, it): (usize, &Json)) -> Row {
    Row { place: index + 1, id: it.text_of("id"), name: it.text_of("name"), score: it.number_of("score") }
}
