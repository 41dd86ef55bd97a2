//! Exercises from the solved game, by grade. There are thousands, so they are fetched on demand.

use game::GameId;
use locale::Language;
use rules::Goal;
use search::solved::{self, Aim, Exercise};
use ui::prelude::*;

use super::lessons::Progress;
use super::practice::{Practice, Task};
use crate::app::settings;
use crate::browser;
use crate::settings::{keep, kept};
use crate::views::{live, press, say, showing, spawn};

/// The file of the exercises, as the bundler calls it.
fn file() -> String {
    format!("texts/{}-exercises.txt", solved::GAME)
}

/// Whether there are exercises from a solved game.
pub fn has_exercises(game: GameId) -> bool {
    game == solved::GAME
}

/// An exercise that is kept for as long as the page is open.
#[derive(Clone, Copy, PartialEq)]
struct Shown {
    position: &'static str,
    aim: Aim,
    plies: u32,
    keeping: &'static str,
    line: &'static str,
    /// Its place among those of its grade, from 0, and how many there are.
    place: usize,
    count: usize,
}

/// Which exercise of a grade comes next, for the next visit.
fn name(grade: usize) -> String {
    format!("graded.{}.{grade}", solved::GAME)
}

/// The exercise in a place of its grade, counted around.
fn exercise(text: &'static str, grade: usize, place: usize) -> Option<Shown> {
    let of_grade = || text.lines().filter_map(Exercise::parse).filter(|exercise| exercise.grade() == grade);
    let count = of_grade().count();
    let place = place.checked_rem(count)?;
    let Exercise { position, aim, plies, keeping, line } = of_grade().nth(place)?;
    // Tasks live as long as the page; an exercise is some forty bytes.
    Some(Shown { position: position.leak(), aim, plies, keeping, line, place, count })
}

/// The grades, and once one is chosen a board, an answer and the whole solution.
#[component]
pub fn Graded() -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let text = RwSignal::new(None::<&'static str>);
    let failed = RwSignal::new(false);
    let grade = RwSignal::new(0_usize);
    let shown = RwSignal::new(None::<Shown>);
    let begin = move |place: usize| {
        if let Some(found) = text.get_untracked().and_then(|text| exercise(text, grade.get_untracked(), place)) {
            keep(&name(grade.get_untracked()), &found.place.to_string());
            shown.set(Some(found));
        }
    };
    let choose = move |number: usize| {
        grade.set(number);
        let place = kept(&name(number)).and_then(|place| place.parse().ok()).unwrap_or(0);
        spawn(async move {
            if text.get_untracked().is_none() {
                let fetched = browser::fetch_file(&file()).await.ok().and_then(|text| text.as_string());
                failed.set(fetched.is_none());
                text.set(fetched.map(|text| &*text.leak()));
            }
            begin(place);
        });
    };
    let button = move |number: usize| {
        view! {
            <li><button type="button" class="button number" aria-label=live(move || lang().exercise_grade(number).to_string())
                aria-current=live(move || (grade.get() == number).then_some("step")) on:click=press(move || choose(number))>
                {number}
            </button></li>
        }
    };
    view! {
        <section class="exercises graded" id="graded">
            <div class="words">
                <h2>{say(Language::exercise_graded)}</h2>
                <p class="quiet">{say(Language::exercise_graded_about)}</p>
                <ol class="numbers">{(1..=Exercise::GRADES).map(button).collect_view()}</ol>
                {showing(move || failed.get(), move || view! { <p role="alert">{say(Language::exercise_not_fetched)}</p> })}
            </div>
            {move || shown.get().map(|exercise| view! { <OneOf exercise next=Callback::new(move |()| begin(exercise.place + 1)) /> })}
        </section>
    }
}

/// One exercise: what to reach, the board, and what came of it.
#[component]
fn OneOf(exercise: Shown, next: Callback<()>) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let round = RwSignal::new(0);
    let progress = RwSignal::new(Progress::Open);
    let refuted = RwSignal::new(None::<String>);
    let answered = RwSignal::new(false);
    let Shown { position, keeping, .. } = exercise;
    let task = Signal::derive(move || Task { game: solved::GAME.to_string(), position, goal: Goal::Answer(keeping) });
    let again = move |shows: bool| {
        answered.set(shows);
        round.update(|round| *round += 1);
    };
    let asked = move || match exercise.aim {
        Aim::Win => lang().exercise_to_win(exercise.plies.into()),
        Aim::Draw => lang().exercise_to_draw().to_owned(),
    };
    let verdict = move || match progress.get() {
        Progress::Open if answered.get() => Some(lang().exercise_answer(keeping)),
        Progress::Open => None,
        Progress::Done => Some(lang().exercise_right().to_owned()),
        Progress::Missed => Some(match refuted.get() {
            Some(action) => lang().exercise_refuted(action),
            None => lang().exercise_wrong().to_owned(),
        }),
    };
    let solved = move || progress.get() == Progress::Done || answered.get();
    let line = move || (solved() && !exercise.line.is_empty()).then(|| lang().exercise_line(exercise.line));
    view! {
        <Practice id="graded-board".to_owned() task round progress refuted=Some(refuted) />
        <div class="outcome">
            <h3>{live(move || lang().exercise_of(exercise.place + 1, exercise.count))}</h3>
            <p class="task">{live(asked)}</p>
            <p class="verdict" role="status" class:done=live(move || progress.get() == Progress::Done)>{verdict}</p>
            <p class="quiet">{line}</p>
            <div class="choices">
                <button type="button" class="button" on:click=press(move || again(false))>{say(Language::learn_again)}</button>
                {showing(move || !solved(), move || view! {
                    <button type="button" class="button" on:click=press(move || again(true))>{say(Language::exercise_show)}</button>
                })}
                <button type="button" class="button" class:main=live(solved) on:click=press(move || next.run(()))>{say(Language::exercise_next)}</button>
            </div>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_grade_goes_around() {
        let text = include_str!("../../../../tablebase/data/quixo-exercises.txt");
        for grade in 1..=Exercise::GRADES {
            let first = exercise(text, grade, 0).unwrap();
            let again = exercise(text, grade, first.count).unwrap();
            assert_eq!((again.position, again.place), (first.position, 0));
        }
        assert!(exercise(text, 99, 0).is_none());
    }
}
