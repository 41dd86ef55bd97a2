//! The app in a real browser. Run with `cargo xtask test --only web --only e2e`.

mod accessible;
mod firefox;
mod zoom;

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use e2e::{Page, Policy, Problem, plan, visit};
use rules::Square;
use scene::Spot;
use serde_json::Value;
use thirtyfour::prelude::*;

type Done = Result<(), Problem>;

/// A whole match between people at one device, by mouse.
async fn whole_match(page: &Page, game: &str, seats: &str, policy: Policy) -> Done {
    page.begin(game, seats).await?;
    let actions = page.play(policy, 400).await?;
    assert!(actions > 3, "{game} ended after {actions} actions");
    assert!(page.game().await?.ending().is_some(), "{game} is not over");
    page.says_the_end().await
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn home_shows_every_game_and_play_is_one_click_away() {
    visit("home", async |page: &mut Page| {
        page.go("/").await?;
        page.shows_all_games().await?;
        page.holds("!document.getElementById('note')").await?;
        page.click("article.game.quixo .button.main").await?;
        page.shows("main.table [role=grid]").await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn quarto_by_mouse_in_ukrainian() {
    visit("quarto", async |page: &mut Page| {
        page.speak("uk").await?;
        whole_match(page, "quarto", "person,person", plan("quarto")?).await?;
        page.holds("document.documentElement.lang === 'uk'").await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn quarto_with_calls_by_mouse() {
    visit("quarto-call", async |page: &mut Page| {
        whole_match(page, "quarto(call=open)", "person,person", plan("quarto(call=open)")?).await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn quarto_with_squares_by_mouse() {
    visit("quarto-squares", async |page: &mut Page| {
        whole_match(page, "quarto(squares=yes)", "person,person", plan("quarto(squares=yes)")?).await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn quixo_by_mouse_in_russian() {
    visit("quixo", async |page: &mut Page| {
        page.speak("ru").await?;
        whole_match(page, "quixo", "person,person", plan("quixo")?).await?;
        page.holds("document.documentElement.lang === 'ru'").await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn quixo_with_four_and_dots_by_mouse() {
    visit("quixo-four", async |page: &mut Page| {
        whole_match(page, "quixo(players=4)", "person,person,person,person", plan("quixo(players=4)")?).await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn four_by_mouse() {
    let game = "four(size=9,target=3)";
    visit("four", async |page: &mut Page| whole_match(page, game, "person,person", plan(game)?).await).await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn sequence_by_mouse_with_a_curtain_between() {
    visit("sequence", async |page: &mut Page| {
        page.speak("en").await?;
        whole_match(page, "sequence", "person,person", Policy::random(5)).await
    })
    .await;
}

/// The text under the board, and how many squares are marked as the last action's.
async fn told(page: &Page) -> Result<(String, u64), Problem> {
    let marked = page.script("return document.querySelectorAll('.cell.last').length;").await?;
    Ok((page.text(".status .quiet").await?, marked.as_u64().unwrap_or_default()))
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_drawn_card_stays_a_secret_and_the_last_action_stays_marked() {
    visit("secret", async |page: &mut Page| {
        page.speak("en").await?;
        page.begin("sequence", "person,person").await?;
        page.click(".curtain .button").await?;
        page.click(".hand .card.next").await?;
        page.click(".cell.next").await?;
        // While the curtain is down, nothing that only one player may know is on the page.
        page.shows(".curtain").await?;
        page.holds("!document.querySelector('.status .quiet').textContent.includes('new card')").await?;
        page.click(".curtain .button").await?;
        page.holds("!document.querySelector('.curtain')").await?;
        let (said, marked) = told(page).await?;
        assert!(!said.contains("new card") && marked == 1, "{said}: {marked} squares");
        // Both are still there after a reload.
        page.driver().refresh().await?;
        page.click(".curtain .button").await?;
        page.holds("document.querySelectorAll('.cell.last').length === 1").await?;
        assert_eq!(told(page).await?, (said, marked));
        Ok(())
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_hint_marks_what_to_touch() {
    visit("hint", async |page: &mut Page| {
        page.speak("en").await?;
        page.begin("quarto", "person,bot:1").await?;
        page.click("[data-do=hint]").await?;
        page.shows(".stock .place.advised").await?;
        let said = page.text(".notice.advice").await?;
        assert!(said.contains("piece"), "a piece has a name, not a digit: {said}");
        // A button cancels a choice that is half made.
        page.begin("quixo", "person,person").await?;
        page.click("[data-spot=a3]").await?;
        page.shows(".cell.touched").await?;
        page.click(".status > .button").await?;
        page.holds("!document.querySelector('.cell.touched')").await?;
        // At an earlier position the page shows the move that was played there.
        page.click("[data-spot=a3]").await?;
        page.click("[data-spot=e3]").await?;
        page.click("[data-spot=a2]").await?;
        page.click("[data-spot=e2]").await?;
        page.click(".move").await?;
        page.holds("document.querySelector('.status .say').textContent === 'After move 1'").await?;
        page.holds("document.querySelector('.cell.last[data-spot=e3]')").await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn sequence_with_four_hands_by_mouse() {
    visit("sequence-four", async |page: &mut Page| {
        page.begin("sequence(players=4)", "person,person,person,person").await?;
        page.game().await?;
        page.shows(".curtain").await?;
        page.holds("!document.querySelector('main .hand')").await?;
        page.play(Policy::greedy(6), 400).await?;
        page.says_the_end().await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn quixo_by_keyboard_alone() {
    visit("keyboard", async |page: &mut Page| {
        let mut policy = plan("quixo")?;
        page.set_up("quixo", "person,person").await?;
        page.tab_to("main.setup .button.main").await?;
        page.press(Key::Enter).await?;
        page.shows("main.table").await?;
        let mut game = page.game().await?;
        while game.ending().is_none() {
            let choice = policy.choose(&game).ok_or("nothing can be done")?;
            page.tab_to("[role=grid] [data-spot]").await?;
            for spot in &choice.touches {
                walk_to(page, *spot).await?;
                page.press(Key::Enter).await?;
            }
            game = page.game_with(game.log().len() + 1).await?;
        }
        page.says_the_end().await
    })
    .await;
}

/// Walks over the board with the arrow keys.
async fn walk_to(page: &Page, spot: Spot) -> Done {
    let goal = spot.square().ok_or("only squares can be walked to")?;
    for _ in 0..50 {
        let Value::String(here) = page.script("return document.activeElement.dataset.spot;").await? else {
            return Err("the focus left the board".into());
        };
        let here: Square = here.parse()?;
        let key = match (here.column.cmp(&goal.column), here.row.cmp(&goal.row)) {
            (std::cmp::Ordering::Less, _) => Key::Right,
            (std::cmp::Ordering::Greater, _) => Key::Left,
            (_, std::cmp::Ordering::Less) => Key::Up,
            (_, std::cmp::Ordering::Greater) => Key::Down,
            _ => return Ok(()),
        };
        page.press(key).await?;
    }
    Err(format!("the arrow keys never lead to {goal}").into())
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn the_computer_answers() {
    visit("bot", async |page: &mut Page| {
        for (game, seats) in [("quixo", "person,bot:2"), ("quarto", "bot:4,person"), ("sequence", "person,bot:3")] {
            page.begin(game, seats).await?;
            let done = page.play(Policy::random(1), 4).await?;
            let bots = page.game().await?.log().len() - done;
            assert!(bots >= done.min(3), "{game}: {bots} actions of the computer");
        }
        Ok(())
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn languages_switch_without_reload() {
    visit("languages", async |page: &mut Page| {
        page.speak("en").await?;
        page.go("/").await?;
        page.script("window.same = true;").await?;
        let mut leads = vec![page.text("main .lead").await?];
        for language in ["uk", "ru", "en"] {
            page.click(&format!("select.language option[value={language}]")).await?;
            page.holds(&format!("document.documentElement.lang === '{language}' && window.same")).await?;
            leads.push(page.text("main .lead").await?);
        }
        assert_eq!(leads[0], leads[3], "English again");
        leads.sort();
        leads.dedup();
        assert_eq!(leads.len(), 3, "every language has its own text: {leads:?}");
        Ok(())
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_reload_resumes_the_match() {
    visit("reload", async |page: &mut Page| {
        page.begin("quixo", "person,person").await?;
        page.play(Policy::random(3), 3).await?;
        let before = page.game().await?.position().to_string();
        // Also without a reload: the home page leads back to the same place.
        page.go("/").await?;
        page.click(".unfinished a").await?;
        page.holds("document.querySelectorAll('.move').length === 3").await?;
        page.driver().refresh().await?;
        page.shows("main.table").await?;
        assert_eq!(page.game().await?.position().to_string(), before);
        page.holds("document.querySelectorAll('.move').length === 3").await?;
        page.play(Policy::random(4), 1).await?;
        page.go("/").await?;
        page.click(".unfinished a").await?;
        page.holds("document.querySelectorAll('.move').length === 4").await
    })
    .await;
}

const KEPT: &str = "const done = arguments[0]; navigator.serviceWorker.ready.then(() => done(true));";

#[tokio::test]
#[ignore = "needs a browser"]
async fn after_one_visit_it_plays_without_a_network() {
    visit("offline", async |page: &mut Page| {
        page.go("/").await?;
        page.script_later(KEPT).await?;
        page.cut_the_network();
        page.driver().refresh().await?;
        page.shows_all_games().await?;
        page.begin("quixo", "person,bot:3").await?;
        page.play(Policy::random(2), 3).await?;
        let events = page.game().await?.log().len();
        assert!(events >= 6, "the computer plays offline too: {events} events");
        // Pages that were never opened before work offline too.
        page.go("/learn/four").await?;
        page.shows("main.learn [role=grid]").await?;
        page.go("/analyse#game=quixo").await?;
        page.shows("main.study [role=grid]").await?;
        // So do the exercises, which are fetched on demand while there is a network.
        page.go("/learn/quixo").await?;
        page.click(".contents li:last-child button").await?;
        page.click_until("#graded .number", "document.querySelector('#graded .number[aria-current]')").await?;
        page.shows("#graded-board [role=grid]").await?;
        page.script("history.go(-3);").await?;
        page.holds("document.querySelectorAll('.move').length >= 6").await?;
        page.driver().refresh().await?;
        page.holds("document.querySelectorAll('.move').length >= 6").await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_new_version_is_announced_and_comes_with_the_next_start() {
    visit("update", async |page: &mut Page| {
        page.go("/").await?;
        page.script_later(KEPT).await?;
        page.holds("navigator.serviceWorker.controller").await?;
        let next = page.bundled("sw.js")?.replace("CACHE = \"fourfold-", "CACHE = \"fourfold-next-");
        page.begin("quixo", "person,person").await?;
        page.script("window.same = true;").await?;
        let script = move || async move { ([(CONTENT_TYPE, "text/javascript")], next.clone()) };
        page.replace_server(Router::new().route("/sw.js", get(script))).await?;
        page.script("navigator.serviceWorker.getRegistration().then((it) => it.update());").await?;
        page.holds("document.querySelector('.notice.update').textContent.length > 5").await?;
        page.play(Policy::random(2), 2).await?;
        page.holds("window.same").await?;
        page.click(".notice.update [data-do=reload]").await?;
        page.holds("!window.same").await?;
        page.holds("document.querySelectorAll('.move').length === 2").await?;
        // The old version's files are deleted while the new version runs.
        page.holds_later("caches.keys().then((it) => it.length === 1 && it[0].startsWith('fourfold-next-'))").await
    })
    .await;
}

/// Touches that set a position up: brushes by their number, squares by their name; and what the text of it begins with.
const SET_UP: [(&str, &str, &str); 4] = [
    ("quarto", "2 a1 3 b2 9 hand", "..../..../.2../1... 8 2 b2"),
    ("quixo", "1 a1 2 e5 1 c1 0 c1", "....o/...../...../...../x.... 1"),
    ("sequence", "1 b1 2 c1", "*.....*/......./......./......./......./*12...* 1 "),
    ("four(size=9)", "1 a1 2 b2", "9/9/9/9/9/9/9/1o7/x8 1 opening 0,0 29,29"),
];

#[tokio::test]
#[ignore = "needs a browser"]
async fn positions_are_set_up_by_touch() {
    visit("set-up", async |page: &mut Page| {
        for (game, touches, expected) in SET_UP {
            let options = game.replace('=', "%3D").replace('(', "%28").replace(')', "%29");
            page.go("/").await?;
            page.go(&format!("/analyse#game={options}")).await?;
            page.click(".tools > .button").await?;
            page.click(".brush").await?;
            for touch in touches.split(' ') {
                match touch.parse::<usize>() {
                    Ok(brush) => page.click(&format!(".brush:nth-child({})", brush + 1)).await?,
                    Err(_) if touch == "hand" => page.click(".in-hand").await?,
                    Err(_) => page.touch(touch.parse::<Spot>()?).await?,
                }
            }
            page.click(".verdict.done + .choices .button.main").await?;
            page.shows(".share input").await?;
            let text = page.script("return document.querySelector('.share input').value;").await?;
            let text = text.as_str().unwrap_or_default();
            assert!(text.starts_with(expected), "{game}: {text}");
            page.holds("document.querySelectorAll('.worth').length > 0").await?;
        }
        Ok(())
    })
    .await;
}
