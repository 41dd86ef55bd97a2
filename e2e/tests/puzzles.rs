//! Puzzles: solved with the mouse and with the keyboard, without a network, and what is damaged is never shown.

use std::time::{SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::routing::get;
use e2e::{Browsers, Page, Problem, visit, with_browsers};
use puzzles::daily::month_file;
use puzzles::parts::{INDEX_FILE, cut};
use puzzles::{Answer, Attempt, Day, HEADER, Puzzle, Refutation};
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
            page.holds("document.querySelectorAll('main.puzzles .next').length > 0").await?;
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
        for game in puzzles::GAMES {
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

/// A day of the last months whose puzzle has a wrong answer that is refuted like this, with the touches of that answer.
fn day_with(game: GameId, wanted: impl Fn(&Refutation) -> bool) -> (Day, Puzzle, Vec<scene::Spot>) {
    let found = (1..400).find_map(|days| {
        let day = today().plus(-days);
        let puzzle = puzzle_sets::daily(day, game)?;
        let attempt = Attempt::new(puzzle.clone())?;
        let wrong = |(action, worth): &(&str, puzzles::Worth)| {
            matches!(attempt.clone().answer(action), Answer::Wrong { .. })
                && wanted(&attempt.refutation(action, *worth))
        };
        let action = attempt.values().into_iter().find(wrong)?.0.to_owned();
        let touches = attempt.position().choices().into_iter().find(|choice| choice.action == action)?.touches;
        Some((day, puzzle, touches))
    });
    found.expect("a puzzle with such an answer")
}

/// The squares with what stands on them, as a reader of screens hears them.
const BOARD: &str = "[...document.querySelectorAll('main .board [role=gridcell]')].map((it) => it.getAttribute('aria-label') ?? it.textContent).join()";

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_wrong_move_is_played_out_and_taken_back_by_itself() {
    // In each game, and where no short line shows it the engine answers.
    let short = |refutation: &Refutation| !refutation.line.is_empty();
    let long = |refutation: &Refutation| refutation.ask_engine;
    let mut cases: Vec<_> = puzzles::GAMES.into_iter().map(|game| (game, day_with(game, short), "nswer")).collect();
    cases.push((GameId::Quixo, day_with(GameId::Quixo, long), "The computer would answer"));
    cases[puzzles::GAMES.iter().position(|game| *game == GameId::Four).expect("Four")].2 = "Not this one";
    visit("refuted", async |page: &mut Page| {
        for (game, (day, _, touches), told) in cases {
            page.go(&format!("/puzzles?mode=daily&game={game}&day={day}")).await?;
            page.shows("main.puzzles [role=grid]").await?;
            let before = page.script(&format!("return {BOARD}")).await?;
            for spot in touches {
                page.touch(spot).await?;
            }
            let failed = |problem: Problem| format!("{game} {day}: {problem}");
            page.says(".verdict", told).await.map_err(failed)?;
            page.holds(&format!("{BOARD} !== {before}")).await.map_err(failed)?;
            page.holds(&format!("{BOARD} === {before}")).await.map_err(failed)?;
        }
        Ok(())
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn after_the_end_any_move_can_be_tried() {
    let (day, puzzle, touches) = day_with(GameId::Quixo, |_| true);
    visit("tried", async |page: &mut Page| {
        page.go(&format!("/puzzles?mode=daily&game=quixo&day={day}")).await?;
        page.shows("main.puzzles [role=grid]").await?;
        page.click("[data-do=show]").await?;
        page.shows(".verdict.done").await?;
        page.holds("document.querySelectorAll('main.puzzles .next').length > 0").await?;
        for spot in touches {
            page.touch(spot).await?;
        }
        // A stored value first; beside the solution nothing is proved without a server.
        page.holds("/: (loses in|draw|wins in)/.test(document.querySelector('.verdict').textContent)").await?;
        let start = puzzle.game.parse_position(&puzzle.start).expect("a position");
        let reply = start.choices().into_iter().next().map(|choice| choice.touches.len()).unwrap_or_default();
        assert_eq!(reply, 2, "a cube, then its place");
        for _ in 0..2 {
            page.click("main .board .next").await?;
        }
        page.says(".verdict", "not proved").await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn an_account_has_its_rating_and_its_place_on_the_server_also_after_a_break() {
    with_browsers("puzzle-account", 1, async |browsers: &mut Browsers| {
        let page = &browsers.pages[0];
        page.go("/puzzles?mode=daily&game=quixo").await?;
        page.says(".leaders", "Be the first").await?;
        page.register("Olena", "long enough").await?;
        page.go("/puzzles?mode=daily&game=quixo").await?;
        solve(page, GameId::Quixo).await?;
        page.says(".leaders li.own", "Olena").await?;
        page.says(".keeper", "kept by the server").await?;
        page.holds("document.querySelector('.rating').textContent.includes('1000 →')").await?;
        // The player's page tells it too.
        page.click(".leaders li.own a").await?;
        page.says("[data-part=puzzles] .puzzle-days", "1 day in a row").await?;
        page.says("[data-part=puzzles] li", "after 1 puzzle").await?;
        // Without a network the result waits, and the page goes on.
        page.follow("/puzzles?mode=daily&game=four").await?;
        page.shows("main.puzzles [role=grid]").await?;
        browsers.proxies[0].cut();
        page.click("[data-do=show]").await?;
        page.says(".keeper", "1 result waits").await?;
        browsers.proxies[0].restore();
        page.holds("!document.querySelector('.keeper').textContent.includes('waits')").await?;
        page.says(".rating", "1000 →").await?;
        page.holds("localStorage.getItem('fourfold.puzzle-outbox') === ''").await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_streak_and_a_storm_begin_by_keyboard_and_keep_the_board_while_the_clock_goes_on() {
    visit("streak", async |page: &mut Page| {
        page.go("/puzzles?mode=streak&game=quixo").await?;
        page.tab_to("[data-do=start]").await?;
        page.press(Key::Enter).await?;
        page.holds("document.activeElement.matches('main.puzzles [role=grid] .cell')").await?;
        page.go("/puzzles?mode=storm&game=quixo").await?;
        page.tab_to("[data-do=start]").await?;
        page.press(Key::Enter).await?;
        page.holds("/[0-3]:[0-5][0-9]/.test(document.querySelector('.left').textContent)").await?;
        page.click("main.puzzles .cell.next").await?;
        let choice = "document.activeElement.matches('main.puzzles .cell.touched')";
        page.holds(choice).await?;
        // The clock goes on, and the board stays as it is.
        let before = page.text(".left").await?;
        page.holds(&format!("document.querySelector('.left').textContent !== {before:?}")).await?;
        page.holds(choice).await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn after_one_visit_all_modes_and_the_next_month_are_there_without_a_network() {
    visit("offline puzzles", async |page: &mut Page| {
        page.go("/puzzles").await?;
        page.shows("main.puzzles [role=grid]").await?;
        page.holds_later("navigator.serviceWorker.ready.then(() => true)").await?;
        let kept = "caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((it) => it.keys()))))";
        let is_kept = |pattern: &str| format!("{kept}.then((all) => all.flat().some((it) => /{pattern}/.test(it.url)))");
        for game in puzzles::GAMES {
            page.holds_later(&is_kept(&format!("{game}-[0-9]+.txt$"))).await?;
        }
        page.cut_the_network();
        for game in puzzles::GAMES {
            for mode in ["daily", "rated", "theme"] {
                page.follow(&format!("/puzzles?mode={mode}&game={game}")).await?;
                page.shows("main.puzzles [role=grid]").await.map_err(|problem| format!("{game} {mode}: {problem}"))?;
            }
            for mode in ["streak", "storm"] {
                page.follow(&format!("/puzzles?mode={mode}&game={game}")).await?;
                page.click("[data-do=start]").await?;
                page.shows("main.puzzles [role=grid]").await.map_err(|problem| format!("{game} {mode}: {problem}"))?;
            }
        }
        for days in [15, 30] {
            for game in puzzles::GAMES {
                let file = month_file(puzzles::daily::month(today().plus(days)), game);
                let name = file.rsplit('/').next().expect("a name").to_owned();
                page.holds_later(&is_kept(&format!("{name}$"))).await?;
            }
        }
        Ok(())
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_damaged_set_is_not_shown_and_the_page_says_so() {
    visit("damaged puzzles", async |page: &mut Page| {
        // It would keep what it fetched first.
        page.before_all("Object.defineProperty(navigator, 'serviceWorker', { value: undefined });").await?;
        let game = puzzles::GAMES[0];
        let puzzle = puzzle_sets::daily(today(), game).ok_or("no puzzle of the day")?;
        // Nothing but the day's own line is read, so it stands in for every day.
        let month = |line: &str| format!("{HEADER}\n{}", format!("{line}\n").repeat(31));
        let (played, other) = (&puzzle.steps[0].played, &puzzle.steps[0].values);
        let wrong = other.iter().find(|(action, _)| action != played).ok_or("one action alone")?;
        let line = puzzle.to_string();
        let [head, start, steps] = line.split(" | ").collect::<Vec<_>>()[..] else { return Err("no puzzle".into()) };
        let damaged = [
            ("another version", format!("fourfold-puzzles 99\n{line}\n")),
            ("no set", "<!doctype html>".to_owned()),
            ("cut off", format!("{HEADER}\n{}", &line[..line.len() / 2])),
            ("a wrong solution", month(&line.replacen(&format!("| {played}:"), &format!("| {}:", wrong.0), 1))),
            ("values that contradict each other", month(&format!("{head} | {start} | {}", steps.replace(':', ":99,")))),
        ];
        for (what, text) in damaged {
            let file = page.build_file(&month_file(puzzles::daily::month(today()), game))?;
            page.replace_server(Router::new().route(&file, get(move || async move { text }))).await?;
            page.go("/puzzles").await?;
            let failed = |problem: Problem| format!("{what}: {problem}");
            page.says("main.puzzles .notice[role=alert]", "damaged").await.map_err(failed)?;
            page.holds("!document.querySelector('main.puzzles [role=grid]')").await.map_err(failed)?;
        }
        Ok(())
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_damaged_puzzle_of_a_part_is_passed_over_with_a_note() {
    visit("a damaged puzzle", async |page: &mut Page| {
        page.before_all("Object.defineProperty(navigator, 'serviceWorker', { value: undefined });").await?;
        let [damaged, whole, ..] = puzzles::GAMES;
        let parts = |game| cut(game, puzzle_sets::shelf(game)).into_iter().find(|(part, _)| part.usual);
        let (part, text) = parts(damaged).ok_or("no part")?;
        let (other, _) = parts(whole).ok_or("no part")?;
        let index = format!("{part}\n{other}\n");
        // The first puzzle is cut off in its position.
        let mut lines: Vec<&str> = text.lines().collect();
        lines[1] = lines[1].split_at(lines[1].find(" | ").ok_or("no puzzle")? + 4).0;
        let text = lines.join("\n") + "\n";
        let served = Router::new()
            .route(&page.build_file(INDEX_FILE)?, get(move || async move { index }))
            .route(&page.build_file(&part.file())?, get(move || async move { text }));
        page.replace_server(served).await?;
        for (language, told) in [("en", "damaged"), ("uk", "пошкоджено"), ("ru", "повреждены")] {
            page.speak(language).await?;
            for mode in ["rated", "theme", "streak", "storm"] {
                for (game, is_told) in [(damaged, true), (whole, false)] {
                    page.go(&format!("/puzzles?mode={mode}&game={game}")).await?;
                    if ["streak", "storm"].contains(&mode) {
                        page.click("[data-do=start]").await?;
                    }
                    page.shows("main.puzzles [role=grid]").await?;
                    let note =
                        page.script("return document.querySelector('.left-out[role=status]').textContent;").await?;
                    let note = note.as_str().unwrap_or_default();
                    assert_eq!(note.contains(told), is_told, "{language} {mode} {game}: {note:?}");
                    assert_eq!(note.is_empty(), !is_told, "{language} {mode} {game}: {note:?}");
                }
            }
        }
        Ok(())
    })
    .await;
}

/// Whether the link of the present mode is seen in its row.
const MODE_IN_SIGHT: &str = "(([it]) => it.left >= 0 && it.right <= innerWidth)(\
document.querySelector('.modes [aria-current]').getClientRects())";

/// What is too wide, outside the window or too small for a finger, each in a few words.
const FAULTS: &str = r#"
const box = (it) => it.getBoundingClientRect(), faults = [];
const name = (it) => `${it.className} ${it.textContent.trim().slice(0, 16)}`;
if (document.documentElement.scrollWidth > innerWidth) faults.push('the page is too wide');
// The label of a box that is ticked can be touched as well.
for (const it of document.querySelectorAll('main button:not(.cell), main a, main label')) {
  const { width, height } = box(it);
  if (it.checkVisibility() && width > 0 && (width < 43.5 || height < 43.5)) faults.push(`small: ${name(it)} ${width.toFixed()}×${height.toFixed()}`);
}
const low = [...document.querySelectorAll('nav')].find((it) => getComputedStyle(it).position === 'fixed' && it.checkVisibility());
const bottom = low ? box(low).top : innerHeight;
const board = document.querySelector('main .board');
if (board && innerHeight > 700 && box(board).bottom > bottom) faults.push(`the board ends ${(box(board).bottom - bottom).toFixed()} below the window`);
const here = document.querySelector('.modes [aria-current]');
if (box(here).left < 0 || box(here).right > innerWidth) faults.push('the mode is out of sight');
return faults;"#;

#[tokio::test]
#[ignore = "needs a browser"]
async fn every_mode_fits_on_every_screen() {
    visit("puzzle layout", async |page: &mut Page| {
        // The longest words are Russian.
        page.speak("ru").await?;
        let mut faults = Vec::new();
        for (width, height) in [(320, 568), (390, 844), (768, 1024), (1280, 800)] {
            page.resize(width, height, width < 1000).await?;
            for game in puzzles::GAMES {
                for mode in ["daily", "rated", "theme", "streak", "storm", "own"] {
                    page.go(&format!("/puzzles?mode={mode}&game={game}")).await?;
                    match mode {
                        "streak" | "storm" => page.click("[data-do=start]").await?,
                        _ => {}
                    }
                    page.shows(if mode == "own" { "[data-do=start]" } else { "main.puzzles [role=grid]" }).await?;
                    // The row of modes is scrolled to the present one after the first frame.
                    page.holds(MODE_IN_SIGHT).await?;
                    page.is_drawn().await?;
                    let found = page.script(FAULTS).await?;
                    let found = found.as_array().ok_or("no list")?.iter().filter_map(|fault| fault.as_str());
                    faults.extend(found.map(|fault| format!("{width}×{height} {mode} {game}: {fault}")));
                }
            }
        }
        assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
        Ok(())
    })
    .await;
}
