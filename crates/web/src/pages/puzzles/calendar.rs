//! The last month of puzzles of the day, and how many days in a row had one solved.

use locale::Language;
use puzzles::{Day, Diary, Finish};
use session::puzzle_words;
use ui::prelude::*;

use super::{Asked, data};
use crate::app::settings;
use crate::views::{list, live, say};

/// Days that are shown, up to today.
const DAYS: i32 = 30;

/// The calendar of a game.
#[component]
pub fn Calendar(asked: Asked, diary: RwSignal<Diary>) -> impl IntoView {
    let settings = settings();
    let today = data::today();
    let days = live(move || settings.lang().puzzle_days(diary.with(|diary| diary.days_in_a_row(today)).into()));
    // The first row begins with a Monday.
    let first = today.plus(1 - DAYS);
    let first = first.plus(-(first.weekday() as i32));
    let dates = move || (0..=today.number() - first.number()).map(move |days| first.plus(days));
    let day_link = move |day: Day| {
        let result = Signal::derive(move || diary.with(|diary| diary.day(day, asked.game).map(|entry| entry.result)));
        let others = Signal::derive(move || {
            puzzles::GAMES.iter().filter(|game| diary.with(|diary| diary.is_solved(day, **game))).count()
        });
        let class = live(move || match (result.get(), others.get()) {
            (Some(Finish::Clean), _) => "day clean",
            (Some(Finish::Helped), _) => "day helped",
            (Some(Finish::Failed), _) => "day failed",
            (None, 1..) => "day other",
            (None, _) => "day",
        });
        let number = day.date().2;
        // The name begins with what is seen: that is what a person says who speaks to the browser.
        let name =
            live(move || format!("{number} ({day}): {}", puzzle_words::day_result(settings.lang(), result.get())));
        view! {
            <li><a class=class href=Asked { day, ..asked }.link() aria-label=name
                aria-current=(day == asked.day).then_some("date")>{number}</a></li>
        }
    };
    view! {
        <section class="calendar">
            <h2>{say(Language::puzzle_calendar)}</h2>
            <p class="row-of-days">{days}</p>
            <ol>{list(move || dates().map(day_link))}</ol>
        </section>
    }
}
