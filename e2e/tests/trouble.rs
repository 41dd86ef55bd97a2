//! What goes wrong around the app: a sentence says what happened, nothing is lost, and no page stays blank.

use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::routing::{MethodRouter, get};
use e2e::{Page, Policy, Problem, visit};
use serde_json::json;
use thirtyfour::WindowHandle;

type Done = Result<(), Problem>;

fn missing() -> MethodRouter {
    get(|| async { StatusCode::NOT_FOUND })
}

/// The address of a file of the build.
fn build_file(page: &Page, name: &str) -> String {
    page.build_file(name).expect("the app is built")
}

/// Waits until a selector finds a sentence.
async fn says(page: &Page, selector: &str) -> Done {
    page.holds(&format!("document.querySelector({selector:?})?.textContent.trim().length > 10")).await
}

/// Waits until a selector finds a sentence in two windows; the second is the current one afterwards.
///
/// The driver holds back a service worker that starts until the window it belongs to is asked something, so both are
/// asked in turn.
async fn both_say(page: &Page, windows: [&WindowHandle; 2], selector: &str) -> Done {
    for _ in 0..400 {
        let mut saying = 0;
        for window in windows {
            page.driver().switch_to_window(window.clone()).await?;
            let said = format!("document.querySelector({selector:?})?.textContent.trim().length > 10");
            saying += usize::from(page.is(&said).await?);
        }
        if saying == windows.len() {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Err(format!("{selector} says nothing in one of two windows").into())
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn broken_links_say_so() {
    visit("broken", async |page: &mut Page| {
        for link in ["nowhere", "learn/chess", "play/none", "quixo/begin", "some/other/page", "%"] {
            page.open(link).await?;
            says(page, "main .notice").await.map_err(|_| link)?;
            page.holds("document.querySelector('main a[href=\"/\"], article.game')").await.map_err(|_| link)?;
        }
        // A link for settings that cannot be read falls back to the usual ones, and says so.
        for link in ["quixo?game=quixo(players=9)", "quixo?game=four", "quixo?%%%"] {
            page.open(link).await?;
            page.shows("main.setup .button.main").await.map_err(|_| link)?;
            says(page, "main.setup .notice[role=alert]").await.map_err(|_| link)?;
        }
        page.open("quixo/start?game=quixo&seats=nobody").await?;
        says(page, "main.setup .notice[role=alert]").await?;
        // A shared game that cannot be read leaves an empty board, and says so.
        for link in ["analyse#game=chess", "analyse#game=quixo&position=nonsense", "analyse?record=%5BGame"] {
            page.open("").await?;
            page.open(link).await?;
            says(page, "main.study .notice").await.map_err(|_| link)?;
            page.shows("main.study [role=grid]").await.map_err(|_| link)?;
        }
        Ok(())
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn an_app_that_cannot_load_says_so() {
    // A visit each: what one has fetched, the browser keeps for the next.
    for broken in ["no program", "no texts", "texts of another version"] {
        visit("unloadable", async |page: &mut Page| {
            let other = get(|| async { ([(CONTENT_TYPE, "text/plain")], "0000000000000000Table\u{1e}Quit\u{1e}") });
            let (files, answer) = match broken {
                "no program" => (vec!["fourfold-app_bg.wasm"], missing()),
                "no texts" => (vec!["texts/en.txt", "texts/uk.txt", "texts/ru.txt"], missing()),
                _ => (vec!["texts/en.txt", "texts/uk.txt", "texts/ru.txt"], other),
            };
            let instead = files.into_iter().map(|file| build_file(page, file));
            page.replace_server(instead.fold(Router::new(), |router, file| router.route(&file, answer.clone())))
                .await?;
            page.open("").await?;
            page.shows("#note.broken .failed").await.map_err(|problem| format!("{broken}: {problem}").into())
        })
        .await;
    }
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn pages_that_cannot_be_fetched_say_so() {
    visit("half", async |page: &mut Page| {
        let chunk = build_file(page, "learn.chunk");
        page.replace_server(Router::new().route(&chunk, missing())).await?;
        page.begin("quixo", "person,person").await?;
        page.play(Policy::random(2), 1).await?;
        page.follow("/learn/quixo").await?;
        says(page, "main .notice[role=alert]").await?;
        page.script("history.back();").await?;
        page.holds("document.querySelectorAll('.move').length === 1").await?;
        // A visitor who comes for that page alone is told too, and can try again.
        page.open("learn/quixo").await?;
        says(page, "main .notice[role=alert]").await?;
        page.script("window.same = true;").await?;
        page.replace_server(Router::new()).await?;
        page.click("[data-do=retry]").await?;
        page.shows("main.learn [role=grid]").await?;
        page.holds("window.same").await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_browser_without_webassembly_says_so() {
    visit("old", async |page: &mut Page| {
        page.before_all("delete globalThis.WebAssembly;").await?;
        page.open("").await?;
        page.shows("#note.broken .failed").await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn without_javascript_a_sentence_says_what_to_do() {
    visit("no-script", async |page: &mut Page| {
        page.devtools("Emulation.setScriptExecutionDisabled", json!({ "value": true })).await?;
        page.open("").await?;
        page.shows("noscript p").await?;
        let said = page.script("return document.querySelector('noscript').innerText;").await?.to_string();
        assert!(said.contains("JavaScript") && said.contains("дозвольте") && said.contains("разрешите"), "{said}");
        Ok(())
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_worker_that_cannot_start_says_so() {
    visit("no-engine", async |page: &mut Page| {
        page.replace_server(Router::new().route(&build_file(page, "engine.js"), missing())).await?;
        page.begin("quixo", "bot:3,person").await?;
        says(page, ".status .notice").await
    })
    .await;
}

/// Storage that is refused altogether, and storage that is full.
const NO_STORAGE: [&str; 2] = [
    "const no = () => { throw new DOMException('no', 'SecurityError'); };
     Object.defineProperty(window, 'localStorage', { get: no });
     IDBFactory.prototype.open = no;",
    "IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); };
     Storage.prototype.setItem = IDBObjectStore.prototype.put;",
];

#[tokio::test]
#[ignore = "needs a browser"]
async fn without_storage_one_plays_all_the_same() {
    for (number, script) in NO_STORAGE.into_iter().enumerate() {
        visit(&format!("no-storage-{number}"), async |page: &mut Page| {
            page.before_all(script).await?;
            page.begin("quixo", "person,person").await?;
            page.touch("a1".parse::<scene::Spot>()?).await?;
            page.touch("e1".parse::<scene::Spot>()?).await?;
            page.holds("document.querySelectorAll('.move').length === 1").await?;
            says(page, ".status .notice").await?;
            // As long as the page is open the game is not lost, wherever one goes.
            page.follow("/learn/quixo").await?;
            page.shows("main.learn").await?;
            page.script("history.back();").await?;
            page.holds("document.querySelectorAll('.move').length === 1").await?;
            page.script("history.back(); setTimeout(() => history.forward(), 300);").await?;
            page.holds("document.querySelector('main.setup')").await?;
            page.holds("document.querySelectorAll('.move').length === 1").await
        })
        .await;
    }
}

/// Puts a text where the app keeps games.
const KEEP_RECORD: &str = r#"
const done = arguments[0], open = indexedDB.open("fourfold", 1);
open.onsuccess = () => {
  const put = open.result.transaction("games", "readwrite");
  put.objectStore("games").put({ key: "strange", record: RECORD, over: false, changed: Date.now() });
  put.oncomplete = () => { open.result.close(); done(true); };
};"#;

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_record_of_another_version_is_named_and_kept() {
    visit("record", async |page: &mut Page| {
        page.begin("quixo", "person,person").await?;
        page.play(Policy::random(3), 2).await?;
        let records = ["", "no record at all", "[Game \"chess\"]\n\n1. e2e4", "[Game \"quixo\"]\n\n1. a1e1 2. z9z9"];
        for record in records {
            page.script_later(&KEEP_RECORD.replace("RECORD", &serde_json::to_string(record)?)).await?;
            page.go("/play/strange").await?;
            says(page, "main .notice").await.map_err(|_| record)?;
            page.holds("document.querySelector('main a[href=\"/\"]')").await?;
            // The page that lists games is not disturbed by it, and does not offer it.
            page.go("/").await?;
            page.holds("document.querySelectorAll('.unfinished li').length >= 1").await.map_err(|_| record)?;
        }
        Ok(())
    })
    .await;
}

const KEPT: &str = "const done = arguments[0]; navigator.serviceWorker.ready.then(() => done(true));";

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_new_version_waits_while_another_window_plays() {
    visit("two-windows", async |page: &mut Page| {
        page.go("/").await?;
        page.script_later(KEPT).await?;
        page.holds("navigator.serviceWorker.controller").await?;
        let first = page.driver().window().await?;
        let second = page.another_window().await?;
        page.driver().switch_to_window(second.clone()).await?;
        page.begin("quixo", "person,person").await?;
        page.play(Policy::random(2), 1).await?;
        page.script("window.same = true;").await?;
        let next = page.bundled("sw.js")?.replace("CACHE = \"fourfold-", "CACHE = \"fourfold-next-");
        let script = get(move || async move { ([(CONTENT_TYPE, "text/javascript")], next.clone()) });
        page.replace_server(Router::new().route("/sw.js", script)).await?;
        page.driver().switch_to_window(first.clone()).await?;
        page.script("navigator.serviceWorker.getRegistration().then((it) => it.update());").await?;
        both_say(page, [&first, &second], ".notice.update").await?;
        // A reload here must not take the ground from under the game over there.
        page.driver().switch_to_window(first.clone()).await?;
        page.driver().refresh().await?;
        page.shows_all_games().await?;
        both_say(page, [&first, &second], ".notice.update").await?;
        page.holds("window.same && document.querySelectorAll('.move').length === 1").await
    })
    .await;
}
