//! The app outside its own pages: installed, with files and texts from other apps, and as boards on other people's pages.

use std::time::Duration;

use axum::Router;
use axum::response::Html;
use axum::routing::get;
use e2e::{Browsers, Page, Policy, Problem, Served, visit, with_browsers};
use game::{Match, MatchSettings};

/// The record of a game after some actions.
fn record(game: &str, actions: usize) -> Result<String, Problem> {
    let mut play = Match::new(MatchSettings::new(game.parse()?))?;
    let mut policy = Policy::calm(5);
    for _ in 0..actions {
        let choice = policy.choose(&play).ok_or("nothing can be done")?;
        play.play(&choice.action, Duration::ZERO)?;
    }
    Ok(play.record().to_string())
}

/// A text as it stands in an address.
fn percent(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// Hands the app a consumer of files that the test can call.
const FILES: &str = "Object.defineProperty(globalThis, 'launchQueue', { configurable: true, value: {
    setConsumer(consume) { globalThis.openFile = (text) => consume({ files: [{ getFile: async () => new File([text], 'a.fourfold') }] }); } } });";

#[tokio::test]
#[ignore = "needs a browser"]
async fn it_can_be_installed_and_opens_what_other_apps_give_it() {
    visit("elsewhere", async |page: &mut Page| {
        page.before_all(FILES).await?;
        page.go("/settings").await?;
        page.holds_later("navigator.serviceWorker.ready").await?;
        let manifest = page.driver().cdp().send_raw("Page.getAppManifest", serde_json::json!({})).await?;
        assert_eq!(manifest["errors"], serde_json::json!([]), "{manifest}");
        let faults = page.driver().cdp().send_raw("Page.getInstallabilityErrors", serde_json::json!({})).await?;
        // A window of a test has no profile of its own.
        let faults = faults["installabilityErrors"].as_array().cloned().unwrap_or_default();
        let faults: Vec<_> = faults.iter().filter(|fault| fault["errorId"] != "in-incognito").collect();
        assert!(faults.is_empty(), "{faults:?}");
        // The browser's offer waits on the page for settings until it is taken.
        let offer = "const offer = new Event('beforeinstallprompt', { cancelable: true }); offer.prompt = () => { globalThis.prompted = true; }; \
                     dispatchEvent(offer); return offer.defaultPrevented;";
        assert_eq!(page.script(offer).await?, true, "no bar of the browser's own");
        page.click("[data-do=install]").await?;
        page.holds("globalThis.prompted && !document.querySelector('[data-do=install]')").await?;

        // A file that the installed app is to open.
        let quixo = record("quixo", 4)?;
        page.script(&format!("openFile({quixo:?});")).await?;
        page.shows("main.study .board").await?;
        page.holds("document.querySelectorAll('main.study .moves .move').length === 4").await?;
        // A text that another app shares, as the browser writes a form.
        let shared = percent(&record("quarto", 5)?).replace("%20", "+");
        page.open(&format!("analyse?title=A+game&text={shared}&url=")).await?;
        page.shows("main.study .board").await?;
        page.holds("document.querySelectorAll('main.study .moves .move').length === 5").await?;
        // What is no game is refused with a sentence.
        page.open("analyse?title=&text=Good+morning&url=").await?;
        page.says("main.study .notice", "This link cannot be read").await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_board_on_another_page_steps_through_a_game_and_asks_a_puzzle() {
    with_browsers("embed", 1, async |browsers: &mut Browsers| {
        let page = &browsers.pages[0];
        page.go("/").await?;
        // No other page of the app may stand in a frame.
        for (path, allowed) in [("/", false), ("/analyse", false), ("/embed/puzzle/quixo", true)] {
            let fields = format!("fetch('{path}').then((it) => it.headers.get('x-frame-options') === null)");
            let framed = page.script_later(&format!("const done = arguments[0]; {fields}.then(done);")).await?;
            assert_eq!(framed, allowed, "{path}");
        }
        let Some(origin) = page.script("return location.origin;").await?.as_str().map(str::to_owned) else {
            return Err("no origin".into());
        };
        // Another site: a server of its own, without the rules that the app's pages have for frames, under another name, so
        // that the frame finds nothing of what the app has stored for itself.
        let site = Served::start(Router::new().route("/", get(|| async { Html("<title>Elsewhere</title>") })))?;
        let address = site.address().replace("127.0.0.1", "localhost");
        let frame = async |path: &str| {
            page.driver().enter_default_frame().await?;
            page.driver().goto(&address).await?;
            let frame = format!("<iframe src=\"{origin}{path}\" width=390 height=500></iframe>");
            page.script(&format!("document.body.innerHTML = {frame:?};")).await?;
            page.driver().enter_frame(0).await?;
            Ok::<(), Problem>(())
        };

        frame(&format!("/embed/record?text={}", percent(&record("quixo", 4)?))).await?;
        page.shows("main .board svg").await?;
        page.says("[role=status]", "4/4").await?;
        // By the mouse and by keys, without loading the page anew.
        page.script("window.same = true;").await?;
        page.click("[data-step=first]").await?;
        page.says("[role=status]", "0/4").await?;
        page.press(thirtyfour::Key::Right).await?;
        page.says("[role=status]", "1/4").await?;
        page.holds("window.same && document.cookie === '' && localStorage.length === 0").await?;

        for game in puzzles::GAMES.map(rules::GameId::name) {
            frame(&format!("/embed/puzzle/{game}")).await?;
            page.says("[role=status]", "Your turn").await?;
            let asked = page.text("[role=status]").await?;
            assert!(asked.contains("best move"), "{asked}");
            // What is asked for can be seen: the cards to choose from.
            if asked.contains("card") {
                page.shows("main .board svg > g[transform] svg").await?;
            }
            page.holds("document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight + 1").await?;
            page.click("[data-step=forward]").await?;
            page.says("[role=status]", "1/").await?;
        }
        Ok(())
    })
    .await;
}
