//! Puzzles in a row: until the first mistake, or for three minutes.

use std::time::Duration;

use game::GameId;
use locale::Language;
use puzzles::{Diary, PuzzleId, PuzzleQuery, Run, RunKind, Sending};
use session::puzzle_words;
use ui::prelude::*;

use super::course::{Course, ModeCourse};
use super::desk::PuzzleDesk;
use super::keeper::Keeper;
use super::solving::{Help, Solving};
use super::{Fetched, data, left_out_note, not_here, take_in};
use crate::app::settings;
use crate::browser;
use crate::fitting_game::is_narrow;
use crate::parts::GamePicture;
use crate::views::{live, press, say, showing, spawn};

/// How long the answer to a puzzle is seen before the next one comes.
const PAUSE: Duration = Duration::from_millis(900);

/// How often the clock is looked at.
const TICK: Duration = Duration::from_millis(250);

/// A row of puzzles with its score and its clock.
#[component]
pub fn RunView(game: GameId, kind: RunKind, diary: RwSignal<Diary>, keeper: Keeper) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let run = RwSignal::new(None::<Run>);
    let clock = RwSignal::new(data::now());
    let fetched = RwSignal::new(Fetched::Waiting);
    let left_out = RwSignal::new(false);
    let best = RwSignal::new(false);
    let counted = StoredValue::new(Vec::<(PuzzleId, Vec<String>)>::new());
    let ended = Memo::new(move |_| run.get().is_some_and(|run| run.is_over(clock.get())));
    // Asked with every tick, and must not make the board anew: a choice and the focus would be lost.
    let idle = Memo::new(move |_| run.with(Option::is_none) || ended.get());
    let next = move || {
        let Some(target) = run.get_untracked().filter(|run| !run.is_over(data::now())).map(|run| run.target()) else {
            return;
        };
        spawn(async move {
            let known = diary.get_untracked();
            let query = PuzzleQuery { rating: target, theme: None, usual: true, small: is_narrow() };
            take_in(data::pick(game, query, &known).await, diary, fetched, left_out);
        });
    };
    let finish = move || {
        let Some(solved) = run.get_untracked().map(|run| run.solved()) else { return };
        if kind == RunKind::Storm && solved > 0 {
            keeper.hand_in(counted.with_value(|counted| Sending::storm(game, counted)));
        }
        let is_best = diary.try_update(|diary| diary.note_run(game, kind, solved)).unwrap_or_default();
        best.set(is_best);
    };
    let begin = move || {
        best.set(false);
        counted.set_value(Vec::new());
        clock.set(data::now());
        run.set(Some(Run::new(kind, data::now())));
        next();
    };
    let ticking = set_interval_with_handle(
        move || {
            let _ = clock.try_set(data::now());
        },
        TICK,
    );
    on_cleanup(move || {
        if let Ok(ticking) = ticking {
            ticking.clear();
        }
    });
    Effect::new(move |before: Option<bool>| {
        let now = ended.get();
        if now && before == Some(false) {
            untrack(finish);
        }
        now
    });
    let decided = Callback::new(move |solving: Solving| {
        let now = data::now();
        clock.set(now);
        solving.attempt.with_untracked(|attempt| {
            let clean = attempt.score() == Some(1.0);
            run.update(|run| {
                if let Some(run) = run.as_mut().filter(|run| !run.is_over(now)) {
                    run.result(clean, now);
                    if clean {
                        counted.update_value(|counted| counted.push((attempt.puzzle().id(), attempt.moves().to_vec())));
                    }
                }
            });
        });
        set_timeout(
            move || {
                // The page may have been left meanwhile.
                if run.try_get_untracked().is_some() {
                    next();
                }
            },
            PAUSE,
        );
    });
    let (over, beside) = (Callback::new(|_| {}), Callback::new(|()| AnyView::NOTHING));
    let course = Course::Mode(ModeCourse { decided, over, beside });
    let score = live(move || run.get().map(|run| lang().puzzle_run_score(run.solved())));
    let left = live(move || {
        let left = run.get()?.left(clock.get())?;
        Some(lang().puzzle_time_left(puzzle_words::minutes(left)))
    });
    let record = live(move || {
        Some(diary.with(|diary| diary.best(game, kind))).filter(|best| *best > 0).map(|best| lang().puzzle_best(best))
    });
    let told = live(move || {
        let run = run.get().filter(|_| ended.get())?;
        let best = best.get().then(|| lang().puzzle_new_best());
        Some(format!("{} {}", lang().puzzle_run_over(run.solved().into()), best.unwrap_or_default()))
    });
    let shown = move || {
        if idle.get() {
            return ().into_any();
        }
        match fetched.get() {
            Fetched::Here(puzzle) => {
                // The button to begin had the focus, or the board before, and both are gone.
                request_animation_frame(|| {
                    if document().active_element().is_none_or(|it| it.tag_name() == "BODY") {
                        browser::focus("main.puzzles [role=grid] [tabindex='0']");
                    }
                });
                view! { <PuzzleDesk puzzle=*puzzle help=Help::No course /> }.into_any()
            }
            other => not_here(&other),
        }
    };
    view! {
        <div class="run">
            {showing(move || idle.get(), move || view! { <span class="run-picture" aria-hidden="true"><GamePicture game /></span> })}
            <p class="score"><b>{score}</b></p>
            <p class="left" role="timer">{left}</p>
            <p class="quiet">{record}</p>
            <p class="lead" role="status">{told}</p>
            {showing(move || idle.get(), move || view! {
                <button type="button" class="button main large" data-do="start" on:click=press(begin)>{say(Language::puzzle_start)}</button>
            })}
        </div>
        {left_out_note(left_out)}
        {shown}
    }
}
