//! The rules of a game, to read and to try.

pub mod exercises;
pub mod graded;
pub mod lessons;
pub mod practice;

use game::GameId;
use leptos::prelude::*;
use locale::Language;
use rules::Lesson;

use crate::app::{TopBar, settings};
use crate::art::{Icon, icon};
use crate::erased_views::{live, press, say, showing};
use crate::route::Route;
use exercises::{Exercises, has_exercises};
use graded::Graded;
use lessons::Progress;
use practice::{Practice, Task};

/// The page of one game.
#[component]
pub fn Learn(
    /// Which game.
    game: GameId,
) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let page = Memo::new(move |_| locale::rules_page(lang(), game));
    let ids: Vec<&'static str> = page.with_untracked(|page| page.iter().map(|section| section.id).collect());
    let section = move |(number, id): (usize, &'static str)| {
        let here: Vec<Lesson> = game.lessons().iter().filter(|lesson| lesson.section == id).copied().collect();
        let title = live(move || page.with(|page| page[number].title));
        let paragraphs =
            move || page.with(|page| page[number].text.split('\n').map(|text| view! { <p>{text}</p> }).collect_view());
        let try_it = (!here.is_empty()).then(|| view! { <TryIt id=format!("try-{id}") game lessons=here /> });
        view! {
            <section class="rule" id=format!("rule-{id}")>
                <div class="words"><h2>{title}</h2>{paragraphs}</div>
                {try_it}
            </section>
        }
    };
    let sections = ids.iter().copied().enumerate().map(section).collect_view();
    let link = move |(number, id): (usize, &'static str)| {
        view! { <li><JumpTo id=format!("rule-{id}")>{live(move || page.with(|page| page[number].title))}</JumpTo></li> }
    };
    view! {
        <TopBar title=Signal::derive(move || locale::game_name(lang(), game).to_owned()) />
        <main class="learn">
            <p class="lead">{live(move || locale::game_about(lang(), game))}</p>
            <p><a class="button main large" href=Route::Start(game, String::new()).link()><span inner_html=icon(Icon::Play)></span>{say(Language::web_play_now)}</a></p>
            <nav class="contents" aria-label=say(Language::learn_contents)><ul>
                {ids.into_iter().enumerate().map(link).collect_view()}
                <li><JumpTo id="exercises".to_owned()><b>{say(Language::exercises_title)}</b></JumpTo></li>
            </ul></nav>
            {sections}
            {has_exercises(game).then(|| view! { <Exercises game /> })}
            {graded::has_exercises(game).then(|| view! { <Graded /> })}
        </main>
    }
}

/// A way down the page. The address names the page itself, so this is no link.
#[component]
fn JumpTo(id: String, children: Children) -> impl IntoView {
    let jump = move |_| crate::browser::show_element(&id);
    view! { <button type="button" class="jump" on:click=jump>{children()}</button> }
}

/// Something to do beside a part of the rules: one task after another on one board.
#[component]
fn TryIt(id: String, game: GameId, lessons: Vec<Lesson>) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let total = lessons.len();
    let lessons = StoredValue::new(lessons);
    let shown = RwSignal::new(0_usize);
    let round = RwSignal::new(0);
    let progress = RwSignal::new(Progress::Open);
    let lesson = Memo::new(move |_| shown.get());
    let task = Signal::derive(move || {
        let lesson = lessons.with_value(|lessons| lessons[lesson.get()]);
        Task { game: game.text(lesson.options), position: lesson.position, goal: lesson.goal }
    });
    let words = move || lessons.with_value(|lessons| locale::lesson_task(lang(), game, lessons[shown.get()].task));
    let number = move || match total {
        1 => lang().learn_try().to_owned(),
        _ => lang().learn_task(shown.get() + 1, total).to_string(),
    };
    let verdict = move || match progress.get() {
        Progress::Open => None,
        Progress::Done => Some(lang().learn_done()),
        Progress::Missed => Some(lang().learn_missed()),
    };
    let begin = move |number: usize| {
        shown.set(number);
        round.update(|round| *round += 1);
    };
    view! {
        <div class="try">
            <p class="task"><b>{number}</b> {words}</p>
            <Practice id task round progress />
            <p class="verdict" role="status" class:done=live(move || progress.get() == Progress::Done)>{verdict}</p>
            <div class="choices">
                <button type="button" class="button" on:click=press(move || begin(shown.get_untracked()))>{say(Language::learn_again)}</button>
                {showing(move || total != 1, move || view! {
                    <button type="button" class="button" class:main=live(move || progress.get() == Progress::Done) on:click=press(move || begin((shown.get_untracked() + 1) % total))>{say(Language::learn_next)}</button>
                })}
            </div>
        </div>
    }
}
