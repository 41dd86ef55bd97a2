//! The analysis board: lines that leave the game, and what others played.

use std::time::Duration;

use e2e::{Browsers, Page, Policy, Problem, visit, with_browsers};
use game::{Match, MatchSettings};
use rules::Seat;
use scene::Spot;
use thirtyfour::Key;

const MOVES: &str = "document.querySelectorAll('main.study .moves .move:not(.variations .move)').length";
const LINES: &str = "document.querySelectorAll('.variations li').length";

/// A game after so many actions.
fn played(actions: usize) -> Result<Match, Problem> {
    let mut policy = Policy::calm(5);
    let mut play = Match::new(MatchSettings::new("quixo".parse()?))?;
    for _ in 0..actions {
        let choice = policy.choose(&play).ok_or("nothing can be done")?;
        play.play(&choice.action, Duration::ZERO)?;
    }
    Ok(play)
}

/// The touches of an action that is not the next one of the record.
fn leaving(earlier: &Match, record: &str) -> Result<Vec<Spot>, Problem> {
    let choices = (0..50).filter_map(|seed| Policy::random(seed).choose(earlier));
    let other = choices.into_iter().find(|choice| !record.contains(&choice.action));
    Ok(other.ok_or("there is no other action")?.touches)
}

/// Notes at every frame where the moves begin, which lie below the values.
const WATCH_PLACES: &str = "
window.places = new Set();
const look = () => { places.add(document.querySelector('main.study > .moves').offsetTop); requestAnimationFrame(look); };
look();";

#[tokio::test]
#[ignore = "needs a browser"]
async fn values_that_come_move_nothing_on_a_phone() {
    visit("study-still", async |page: &mut Page| {
        page.resize(390, 844, true).await?;
        page.go("/").await?;
        page.go(&format!("/analyse#record={}", percent(&played(6)?.record().to_string()))).await?;
        page.holds(&format!("{MOVES} === 6")).await?;
        for at in [5, 4] {
            page.press(Key::Left).await?;
            page.holds(&format!("location.hash.endsWith('at={at}')")).await?;
            page.is_drawn().await?;
            page.script(WATCH_PLACES).await?;
            page.shows(".values .best:not(:empty)").await?;
            // A better answer may follow, unless all is proved.
            tokio::time::sleep(Duration::from_millis(1500)).await;
            let places = page.script("return [...window.places];").await?;
            assert_eq!(places.as_array().map(Vec::len), Some(1), "the moves begin at {places}");
        }
        Ok(())
    })
    .await;
}

/// The longest names of cards in the three languages.
const LONGEST_NAMES: [&str; 6] = ["crocodile", "elephant", "крокодил", "черепаха", "бегемот", "Единорог"];

#[tokio::test]
#[ignore = "needs a browser"]
async fn names_of_cards_stay_whole_in_a_narrow_column() {
    visit("study-cards", async |page: &mut Page| {
        // Where the columns begin, and where most screens are.
        for width in [1088, 1280] {
            page.resize(width, 800, false).await?;
            page.go("/").await?;
            page.go("/analyse#game=sequence").await?;
            // The deal is chance's.
            while page.is("document.querySelector('.chance .button.main')").await? {
                let dealt = page.script(&format!("return {MOVES};")).await?;
                page.script("document.querySelector('.chance .button.main').click();").await?;
                page.holds(&format!("{MOVES} > {dealt}")).await?;
            }
            page.shows(".study .hand .card .name").await?;
            for name in LONGEST_NAMES {
                let lines = format!(
                    "const it = document.querySelector('.study .hand .card .name'); it.textContent = {name:?};
                     const range = document.createRange(); range.selectNodeContents(it);
                     return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size;"
                );
                assert_eq!(page.script(&lines).await?, 1, "{name} at {width}");
            }
        }
        Ok(())
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_line_that_leaves_the_game_is_kept_as_a_variation_and_written_into_the_record() {
    visit("study-lines", async |page: &mut Page| {
        let record = played(6)?.record().to_string();
        page.go("/").await?;
        page.go(&format!("/analyse#record={}", percent(&record))).await?;
        page.holds(&format!("{MOVES} === 6")).await?;
        // Two steps back, and another move on the board.
        for at in [5, 4] {
            page.press(Key::Left).await?;
            page.holds(&format!("location.hash.endsWith('at={at}')")).await?;
        }
        for spot in leaving(&played(4)?, &record)? {
            page.touch(spot).await?;
        }
        page.holds(&format!("{MOVES} === 5 && !document.querySelector('.variations li')")).await?;
        // Back to the game: the line is a variation beside it, from where it leaves it.
        page.click("main.study .moves .choices .button:first-child").await?;
        page.holds(&format!("{MOVES} === 6 && {LINES} === 1")).await?;
        page.says(".variations li", "5.").await?;
        page.holds("/\\(\\s5\\. /.test(document.querySelector('.share textarea').value)").await?;
        // It can be taken again, and another one from another place joins it.
        page.click(".variations li .move").await?;
        page.holds(&format!("{MOVES} === 5")).await?;
        page.click("main.study .moves .choices .button:first-child").await?;
        page.holds(&format!("{MOVES} === 6")).await?;
        page.press(Key::Home).await?;
        page.holds("location.hash.endsWith('at=0')").await?;
        for spot in leaving(&played(0)?, &record)? {
            page.touch(spot).await?;
        }
        page.holds(&format!("{MOVES} === 1")).await?;
        page.click("main.study .moves .choices .button:first-child").await?;
        page.holds(&format!("{MOVES} === 6 && {LINES} === 2")).await?;
        // The record with its lines opens again.
        let Some(whole) =
            page.script("return document.querySelector('.share textarea').value;").await?.as_str().map(str::to_owned)
        else {
            return Err("no record".into());
        };
        let words: Vec<&str> = whole.split_whitespace().collect();
        let begins = |number| words.windows(2).any(|pair| pair == ["(", number]);
        assert!(begins("5.") && begins("1."), "{whole}");
        page.go("/").await?;
        page.go(&format!("/analyse#record={}", percent(&whole))).await?;
        page.holds(&format!("{MOVES} === 6 && {LINES} === 2")).await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn the_explorer_lists_what_was_played_at_open_tables() {
    with_browsers("study-openings", 2, async |browsers: &mut Browsers| {
        let [ann, bob] = &browsers.pages[..] else { return Err("two pages".into()) };
        ann.go("/online/new/quixo").await?;
        ann.click("[data-choice=open]").await?;
        ann.click(".start .button.main").await?;
        ann.shows(".waiting-room").await?;
        let table = ann.script("return location.pathname.slice(3);").await?.as_str().unwrap_or_default().to_owned();
        browsers.join(bob, &table, 2).await?;
        ann.shows("main.table").await?;
        browsers.play(&table, &[0, 1], &mut Policy::calm(3), 2).await?;
        bob.click("[data-do=resign]").await?;
        bob.click(".question .button.main").await?;
        ann.says_the_end().await?;
        ann.go("/analyse#game=quixo").await?;
        ann.shows("main.study .board").await?;
        ann.click(".openings > summary").await?;
        ann.says(".openings li", "1").await?;
        ann.holds("document.querySelectorAll('.openings li').length === 1").await?;
        // The move is played on the board, and the reply is listed next.
        let known = browsers.game(ann, &table, Some(Seat::ONE)).await?;
        ann.click(".openings li button").await?;
        ann.holds(&format!("{MOVES} === 1 && document.querySelectorAll('.openings li').length === 1")).await?;
        ann.click(".openings li button").await?;
        ann.holds(&format!("{MOVES} === 2 && !document.querySelector('.openings li')")).await?;
        ann.shows(".openings p.quiet").await?;
        let text = ann.script("return document.querySelector('.share textarea').value;").await?;
        for entry in known.record().entries().iter().take(2) {
            let game::Event::Action(action) = &entry.event else { continue };
            assert!(text.as_str().is_some_and(|text| text.contains(&action.to_string())), "{text}");
        }
        Ok(())
    })
    .await;
}

/// A text as it stands in an address.
fn percent(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}
