//! Puzzles: solved with the mouse and with the keyboard, without a network, and what is damaged is never shown.

use std::time::{SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::routing::get;
use e2e::{Page, Problem, visit};
use puzzles::{Day, Puzzle, daily::month_file};
use rules::GameId;
use thirtyfour::prelude::*;

fn today() -> Day {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock after 1970");
    Day::at(since.as_millis() as u64)
}

/// The solver's touches, action by action.
fn touches(puzzle: &Puzzle) -> Vec<Vec<scene::Spot>> {
    let mut position = puzzle.game.parse_position(&puzzle.start).expect("a position");
    let mut touches = Vec::new();
    for step in &puzzle.steps {
        if step.seat == puzzle.solver() {
            let choice = position.choices().into_iter().find(|choice| choice.action == step.played);
            touches.push(choice.expect("a legal action").touches);
        }
        position.play(&step.played).expect("a legal action");
    }
    touches
}

async fn solve(page: &Page, game: GameId) -> Result<(), Problem> {
    let puzzle = puzzle_sets::daily(today(), game).expect("a puzzle of the day");
    page.shows("main.puzzles [role=grid]").await?;
    for (number, action) in touches(&puzzle).into_iter().enumerate() {
        if number > 0 {
            page.holds("document.querySelectorAll('main .board .next').length > 0").await?;
        }
        for spot in action {
            page.touch(spot).await?;
        }
    }
    page.shows(".verdict.done").await
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn the_puzzles_of_the_day_are_solved_and_noted() {
    visit("daily", async |page: &mut Page| {
        for game in GameId::ALL {
            page.go(&format!("/puzzles?mode=daily&game={game}")).await?;
            solve(page, game).await.map_err(|problem| format!("{game}: {problem}"))?;
            page.shows(".calendar .day.clean[aria-current]").await?;
        }
        page.holds("/1 /.test(document.querySelector('.row-of-days').textContent)").await?;
        page.shows("[data-do=share]").await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_wrong_move_is_taken_back_and_hints_lead_on() {
    visit("help", async |page: &mut Page| {
        page.go("/puzzles?mode=rated&game=quixo").await?;
        page.shows("main.puzzles [role=grid]").await?;
        for _ in 0..3 {
            page.click("[data-do=hint]").await?;
            page.holds("document.querySelector('.verdict').textContent.trim().length > 5").await?;
        }
        page.holds("document.querySelector('.rating').textContent.includes('→')").await?;
        page.click("[data-do=show]").await?;
        page.shows(".verdict.done").await?;
        page.click("[data-do=why]").await?;
        page.shows(".why li b").await?;
        let before = page.text(".verdict").await?;
        page.click("[data-do=next]").await?;
        page.holds(&format!("document.querySelector('.verdict').textContent !== {before:?}")).await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_streak_begins_by_keyboard() {
    visit("streak", async |page: &mut Page| {
        page.go("/puzzles?mode=streak&game=quixo").await?;
        page.tab_to("[data-do=start]").await?;
        page.press(Key::Enter).await?;
        page.shows("main.puzzles [role=grid]").await?;
        page.go("/puzzles?mode=storm&game=sequence").await?;
        page.click("[data-do=start]").await?;
        page.holds("/[0-3]:[0-5][0-9]/.test(document.querySelector('.left').textContent)").await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn after_one_visit_the_next_month_is_there_without_a_network() {
    visit("offline puzzles", async |page: &mut Page| {
        page.go("/puzzles").await?;
        page.shows("main.puzzles [role=grid]").await?;
        page.holds_later("navigator.serviceWorker.ready.then(() => true)").await?;
        page.cut_the_network();
        for game in GameId::ALL {
            page.follow(&format!("/puzzles?mode=daily&game={game}")).await?;
            page.shows("main.puzzles [role=grid]").await?;
        }
        for days in [15, 30] {
            let file = month_file(puzzles::daily::month(today().plus(days)));
            let name = file.rsplit('/').next().expect("a name").to_owned();
            let kept = "caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((it) => it.keys()))))";
            page.holds_later(&format!("{kept}.then((all) => all.flat().some((it) => it.url.endsWith({name:?})))")).await?;
        }
        Ok(())
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_damaged_month_is_not_shown() {
    visit("damaged puzzles", async |page: &mut Page| {
        let file = page.build_file(&month_file(puzzles::daily::month(today())))?;
        let damaged = || async { "fourfold-puzzles 99\nnonsense\n" };
        page.replace_server(Router::new().route(&file, get(damaged))).await?;
        page.go("/puzzles").await?;
        page.shows("main.puzzles .notice[role=alert]").await?;
        page.holds("!document.querySelector('main.puzzles [role=grid]')").await
    })
    .await;
}
