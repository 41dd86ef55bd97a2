//! Addresses: every page has its own, with and without a network; old ones still lead there, and others say so.

use axum::Router;
use e2e::{Page, Policy, Problem, visit};
use rules::GameId;
use serde_json::{Value, json};

type Done = Result<(), Problem>;

const KEPT: &str = "const done = arguments[0]; navigator.serviceWorker.ready.then(() => done(true));";

/// A page at each depth, and what shows that it is there.
const PAGES: [(&str, &str); 6] = [
    ("quarto", "main.setup.quarto"),
    ("analyse#game=quixo", "main.study [role=grid]"),
    ("learn/four", "main.learn [role=grid]"),
    ("t/nowhere", "main.online [data-line=broken]"),
    ("online/new/sequence", "main.online"),
    ("mine", "main.online"),
];

/// The status with which the page was delivered.
async fn status(page: &Page) -> Result<Value, Problem> {
    page.script("return performance.getEntriesByType('navigation')[0].responseStatus;").await
}

/// Notes when something can be touched for the first time.
const WATCH_FIRST_TOUCH: &str = "new MutationObserver(() => {
  if (!window.touchable && document.querySelector('main .next, main.home .games a')) window.touchable = performance.now();
}).observe(document, { childList: true, subtree: true, attributes: true });";

/// The parts of the app that were asked for until then.
const FETCHED: &str = "return performance.getEntriesByType('resource')
  .filter((it) => it.startTime < window.touchable)
  .map((it) => it.name.split('/').slice(4).join('/')).filter((it) => /chunk$|wasm$|^texts/.test(it)).sort();";

/// `cargo xtask test --only web` weighs first visits by the bundler's list of what each page loads.
#[tokio::test]
#[ignore = "needs a browser"]
async fn before_the_first_touch_exactly_what_the_bundler_lists_is_fetched() {
    let start = "quixo/start?game=quixo&seats=person%2Cperson&clock=none";
    for (address, pattern) in [("", "/"), (start, "/{game}/start?{settings}")] {
        visit("first-touch", async |page: &mut Page| {
            page.before_all(WATCH_FIRST_TOUCH).await?;
            page.open(address).await?;
            page.holds("window.touchable").await?;
            let lists = std::fs::read_to_string(page.bundle().with_added_extension("loads"))?;
            let list = lists.lines().find_map(|line| line.strip_prefix(pattern)?.strip_prefix(' '));
            let listed = list.ok_or("the page is not listed")?.replace("{language}", "en");
            // Of all games it fetches the one that is played.
            let games = format!("{{{}}}", GameId::ALL.map(GameId::name).join("|"));
            let listed = listed.replace(&games, GameId::Quixo.name());
            let is_part = |file: &&str| file.ends_with("chunk") || file.ends_with("wasm") || file.starts_with("texts");
            let mut listed: Vec<&str> = listed.split(' ').filter(is_part).collect();
            listed.sort_unstable();
            assert_eq!(page.script(FETCHED).await?, json!(listed), "/{address}");
            Ok(())
        })
        .await;
    }
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn every_page_opens_from_cold_by_its_address_and_again_after_a_reload() {
    for (address, shown) in PAGES {
        visit("addresses-cold", async |page: &mut Page| {
            page.open(address).await?;
            page.shows(shown).await.map_err(|problem| format!("{address}: {problem}"))?;
            assert_eq!(status(page).await?, json!(200), "{address}");
            page.driver().refresh().await?;
            page.shows(shown).await.map_err(|problem| format!("{address}, reloaded: {problem}").into())
        })
        .await;
    }
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_start_address_leads_to_a_game_and_a_reload_stays_there() {
    visit("addresses-start", async |page: &mut Page| {
        page.open("quixo/start?game=quixo&seats=person,person&clock=none").await?;
        page.shows("main.table [role=grid]").await?;
        page.holds("location.pathname.startsWith('/play/')").await?;
        page.play(Policy::random(2), 2).await?;
        page.driver().refresh().await?;
        page.holds("document.querySelectorAll('.move').length === 2").await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn without_a_network_every_address_still_opens() {
    visit("addresses-offline", async |page: &mut Page| {
        page.open("").await?;
        page.script_later(KEPT).await?;
        page.cut_the_network();
        for (address, shown) in PAGES {
            page.open(address).await?;
            page.shows(shown).await.map_err(|problem| format!("{address}: {problem}"))?;
        }
        page.open("nowhere").await?;
        page.says("main .notice", "no page").await?;
        assert_eq!(status(page).await?, json!(404));
        Ok(())
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn addresses_of_earlier_versions_lead_to_the_same_pages() {
    visit("addresses-old", async |page: &mut Page| {
        let old = [
            ("#/learn/quixo", "/learn/quixo"),
            ("#/new/quarto?game=quarto&seats=person,person", "/quarto?game=quarto&seats=person,person"),
            ("#/analyse?game=four", "/analyse#game=four"),
            ("#/online", "/online"),
            ("#/", "/"),
        ];
        for (from, to) in old {
            page.open("manifest.webmanifest").await?;
            page.open(from).await?;
            page.shows("main:not(.waiting)").await?;
            let here = format!("location.pathname + location.search + location.hash === {to:?}");
            page.holds(&here).await.map_err(|problem| format!("{from}: {problem}"))?;
        }
        // Also where the app is open already, and the browser sees only the part after # change.
        page.script("window.same = true; location.hash = '#/learn/four';").await?;
        page.shows("main.learn").await?;
        page.holds("window.same && location.pathname === '/learn/four' && !location.hash").await?;
        page.open("#/start/quixo?game=quixo&seats=person,person").await?;
        page.shows("main.table [role=grid]").await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn an_unknown_address_is_not_found_and_shows_the_games() {
    visit("addresses-unknown", async |page: &mut Page| {
        page.speak("en").await?;
        for address in ["nowhere", "learn/chess", "quarto/nowhere/at/all", "t"] {
            page.open(address).await?;
            page.says("main .notice", "no page at this address").await?;
            assert_eq!(status(page).await?, json!(404), "{address}");
            page.shows_all_games().await?;
        }
        page.click("article.game.quixo .button.main").await?;
        page.shows("main.table [role=grid]").await
    })
    .await;
}

/// A link inside the app does not load it anew; the browser's buttons lead back and forth.
#[tokio::test]
#[ignore = "needs a browser"]
async fn links_and_the_back_button_stay_in_the_app() -> Done {
    visit("addresses-back", async |page: &mut Page| {
        page.replace_server(Router::new()).await?;
        page.open("").await?;
        page.click("article.game.four a[href='/learn/four']").await?;
        page.shows("main.learn").await?;
        page.script("window.same = true;").await?;
        page.click("header.bar a").await?;
        page.shows("main.home").await?;
        page.script("history.back();").await?;
        page.shows("main.learn").await?;
        page.script("history.back();").await?;
        page.shows("main.home").await?;
        page.holds("window.same && location.pathname === '/'").await
    })
    .await;
    Ok(())
}
