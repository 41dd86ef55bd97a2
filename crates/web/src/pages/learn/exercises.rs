//! Ten exercises for each game, found and checked by the engine.

use game::GameId;
use locale::Language;
use rules::{ExerciseKind, Goal};
use ui::prelude::*;

use super::lessons::Progress;
use super::practice::{Practice, Task};
use crate::app::settings;
use crate::route::Route;
use crate::settings::{keep, kept};
use crate::views::{live, press, say, showing};

/// Made by `cargo run --release -p testkit --bin exercises`: `kind | game | position | solutions`.
const EXERCISES: &str = include_str!("../../../data/exercises.txt");

/// A position with a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Exercise {
    kind: ExerciseKind,
    id: GameId,
    game: &'static str,
    position: &'static str,
    solutions: &'static str,
}

impl Exercise {
    fn goal(self) -> Goal {
        // The movements of a turn may come in another order or be others: what counts is the stone.
        if self.kind == ExerciseKind::Turn { Goal::Capture } else { Goal::Answer(self.solutions) }
    }

    /// The name of the exercise and what to do.
    fn words(self, language: Language) -> (&'static str, &'static str) {
        locale::exercise(language, self.id, self.kind)
    }
}

fn exercises(game: GameId) -> Vec<Exercise> {
    let read = move |line: &'static str| {
        let mut fields = rules::split(line, " | ").into_iter();
        let mut field = || fields.next();
        Some(Exercise {
            kind: field()?.parse().ok()?,
            id: game,
            game: field()?,
            position: field()?,
            solutions: field()?,
        })
    };
    let is_of_game = |exercise: &Exercise| exercise.game.split('(').next() == Some(game.name());
    EXERCISES.lines().filter_map(read).filter(is_of_game).collect()
}

/// Whether there are exercises for a game.
pub fn has_exercises(game: GameId) -> bool {
    !exercises(game).is_empty()
}

/// The exercises of a game: the list, one board, and what comes next.
#[component]
pub fn Exercises(
    /// Which game.
    game: GameId,
) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let all = StoredValue::new(exercises(game));
    let count = all.with_value(Vec::len);
    let name = format!("solved.{game}");
    let solved = RwSignal::new(read_solved(kept(&name).as_deref().unwrap_or_default()));
    let first = solved.with_untracked(|solved| (0..count).find(|n| !solved.contains(n)).unwrap_or(0));
    let shown = RwSignal::new(first);
    let round = RwSignal::new(0);
    let progress = RwSignal::new(Progress::Open);
    let refuted = RwSignal::new(None::<String>);
    let answer_shown = RwSignal::new(false);
    let exercise = Memo::new(move |_| all.with_value(|all| all[shown.get()]));
    Effect::new(move || {
        if progress.get() == Progress::Done && !answer_shown.get_untracked() {
            solved.update(|solved| {
                let now = shown.get_untracked();
                if !solved.contains(&now) {
                    solved.push(now);
                }
            });
            keep(&name, &solved.with_untracked(|solved| write_solved(solved)));
        }
    });
    let begin = move |number: usize| {
        answer_shown.set(false);
        shown.set(number);
        round.update(|round| *round += 1);
    };
    let number = move |n: usize| {
        let done = move || solved.with(|solved| solved.contains(&n));
        let label = move || {
            if done() { lang().exercise_solved(n + 1).to_string() } else { lang().exercise_number(n + 1).to_string() }
        };
        view! {
            <li><button type="button" class="button number" class:solved=done aria-label=label title=label
                aria-current=live(move || (shown.get() == n).then_some("step")) on:click=press(move || begin(n))>
                {n + 1}
            </button></li>
        }
    };
    let task = Signal::derive(move || {
        let exercise = exercise.get();
        Task { game: exercise.game.to_owned(), position: exercise.position, goal: exercise.goal() }
    });
    let verdict = move || match progress.get() {
        Progress::Open if answer_shown.get() => Some(lang().exercise_answer(exercise.get().solutions).to_string()),
        Progress::Open => None,
        Progress::Done if solved.read().len() == count => Some(lang().exercise_all_solved().to_owned()),
        Progress::Done => Some(lang().exercise_right().to_owned()),
        Progress::Missed => Some(match refuted.get() {
            Some(action) => lang().exercise_refuted(action).to_string(),
            None => lang().exercise_wrong().to_owned(),
        }),
    };
    view! {
        <section class="exercises" id="exercises">
            <div class="words">
                <h2>{say(Language::exercises_title)}</h2>
                <p class="quiet">{say(Language::exercises_about)}</p>
                <ol class="numbers">{(0..count).map(number).collect_view()}</ol>
                <h3>{live(move || exercise.get().words(lang()).0)}</h3>
                <p class="task">{live(move || exercise.get().words(lang()).1)}</p>
            </div>
            <Practice id="exercise".to_owned() task round progress refuted=Some(refuted) />
            <div class="outcome">
                <p class="verdict" role="status" class:done=live(move || progress.get() == Progress::Done)>{verdict}</p>
                <div class="choices">
                    <button type="button" class="button" on:click=press(move || begin(shown.get_untracked()))>{say(Language::learn_again)}</button>
                    {showing(move || progress.get() != Progress::Done, move || view! {
                        <button type="button" class="button" on:click=press(move || { begin(shown.get_untracked()); answer_shown.set(true); })>{say(Language::exercise_show)}</button>
                    })}
                    {showing(move || progress.get() == Progress::Done, move || view! {
                        <button type="button" class="button main" on:click=press(move || begin((shown.get_untracked() + 1) % count))>{say(Language::exercise_next)}</button>
                    })}
                    {showing(move || solved.read().len() == count, move || view! {
                        <a class="button main" href=Route::New(game, String::new()).link()>{say(Language::web_play_now)}</a>
                    })}
                </div>
            </div>
        </section>
    }
}

fn read_solved(text: &str) -> Vec<usize> {
    text.split(',').filter_map(|number| number.parse().ok()).collect()
}

fn write_solved(solved: &[usize]) -> String {
    solved.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_ten_exercises_or_none() {
        for id in GameId::ALL {
            let all = exercises(id);
            assert!(matches!(all.len(), 0 | 10), "{id}");
            assert!(all.iter().all(|exercise| !exercise.solutions.is_empty()), "{id}");
        }
    }

    #[test]
    fn what_is_solved_is_kept_as_numbers() {
        assert!(read_solved("").is_empty());
        assert_eq!(read_solved("0,3,x,9"), [0, 3, 9]);
        assert_eq!(write_solved(&[0, 3, 9]), "0,3,9");
    }
}
