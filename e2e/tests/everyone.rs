//! Accessibility (checked by axe-core), small screens, large letters, and a page that stays responsive.

use e2e::{Browsers, Page, Policy, Problem, visit, with_browsers};
use rules::GameId;
use serde_json::json;

/// Every kind of page, shown one after the other; `look` is called on each with its name.
async fn every_page(page: &Page, mut look: impl AsyncFnMut(&Page, &str) -> Result<(), Problem>) -> Result<(), Problem> {
    for place in ["/", "/nowhere", "/play/none", "/learn", "/puzzles", "/puzzles?mode=storm&game=four", "/settings"] {
        page.go(place).await?;
        look(page, place).await?;
    }
    for game in GameId::ALL.map(GameId::name) {
        for place in [format!("/{game}"), format!("/learn/{game}"), format!("/analyse#game={game}")] {
            page.go(&place).await?;
            page.scroll_through().await?;
            look(page, &place).await?;
        }
        page.begin(game, "person,person").await?;
        page.play(Policy::random(1), 1).await?;
        look(page, &format!("the table of {game}")).await?;
    }
    page.click("[data-do=resign]").await?;
    page.click(".question .button.main").await?;
    page.shows(".end-card").await?;
    look(page, "the end of a game").await?;
    page.click(".end-card a[href^='/analyse']").await?;
    page.shows("main.study .move").await?;
    look(page, "a game on the analysis board").await
}

/// Every kind of page for playing with others, as the first of two people sees it.
async fn every_page_with_others(
    browsers: &Browsers,
    mut look: impl AsyncFnMut(&Page, &str) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let page = &browsers.pages[0];
    for place in [
        "/online",
        "/online/new/quixo?game=quixo%28players%3D4%29",
        "/mine",
        "/friends",
        "/leaders/quixo",
        "/account",
        "/privacy",
        "/t/nowhere",
    ] {
        page.go(place).await?;
        page.holds("!document.querySelector('p.waiting')").await?;
        look(page, place).await?;
    }
    let table = browsers.make("sequence").await?;
    look(page, "the room before a game").await?;
    browsers.join(&browsers.pages[1], &table, 2).await?;
    page.shows("main.table").await?;
    browsers.play(&table, &[0, 1], &mut Policy::random(1), 2).await?;
    // On a small screen the chat lies in a sheet.
    page.script("document.querySelector('.panel-tool').click(); document.querySelector('[data-tab=chat]').click();")
        .await?;
    page.click("[data-phrase=hello]").await?;
    page.shows(".talk .lines li").await?;
    look(page, "a table with others").await?;
    page.go("/mine").await?;
    page.shows(".rows li").await?;
    look(page, "one's games").await?;
    page.register("Olena", "long enough").await?;
    look(page, "an account").await?;
    page.click("a[href^='/person/']").await?;
    page.shows(".person .board-tiles li").await?;
    look(page, "a player's page").await?;
    // Pages that are no part of the app.
    for place in ["rules/ru/sequence.html", "embed/puzzle/quarto"] {
        page.open(place).await?;
        look(page, place).await?;
    }
    Ok(())
}

#[tokio::test]
#[ignore = "needs a browser and axe-core"]
async fn axe_finds_nothing_in_the_light() {
    axe_finds_nothing("light", 1).await;
}

#[tokio::test]
#[ignore = "needs a browser and axe-core"]
async fn axe_finds_nothing_in_the_dark() {
    axe_finds_nothing("dark", 1).await;
}

#[tokio::test]
#[ignore = "needs two browsers and axe-core"]
async fn axe_finds_nothing_with_others_in_the_light() {
    axe_finds_nothing("light", 2).await;
}

#[tokio::test]
#[ignore = "needs two browsers and axe-core"]
async fn axe_finds_nothing_with_others_in_the_dark() {
    axe_finds_nothing("dark", 2).await;
}

/// One person sees the pages for playing here, two those for playing with others.
async fn axe_finds_nothing(theme: &str, people: usize) {
    let axe = std::env::var_os("FOURFOLD_AXE").expect("FOURFOLD_AXE names axe.min.js; cargo xtask test sets it");
    let axe = std::fs::read_to_string(axe).expect("axe-core can be read");
    with_browsers(&format!("axe-{theme}-{people}"), people, async |browsers: &mut Browsers| {
        browsers.pages[0].keep("theme", theme).await?;
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] });
        browsers.pages[0].devtools("Emulation.setEmulatedMedia", media).await?;
        let mut found = Vec::new();
        let look = async |page: &Page, place: &str| {
            found.extend(violations(page, &axe, place).await?);
            Ok(())
        };
        if people == 1 {
            every_page(&browsers.pages[0], look).await?;
        } else {
            every_page_with_others(browsers, look).await?;
        }
        assert!(found.is_empty(), "{} violations in the {theme} theme:\n{}", found.len(), found.join("\n"));
        Ok(())
    })
    .await;
}

async fn violations(page: &Page, axe: &str, place: &str) -> Result<Vec<String>, Problem> {
    // Colours are checked as they are after fading in; a browser without a screen may take its time for that.
    page.script("for (const it of document.getAnimations()) if (it.effect.getTiming().iterations === 1) it.finish();")
        .await?;
    // Navigation inside the app keeps the script that is already loaded.
    page.script(&format!("if (!window.axe) {{ {axe} }}")).await?;
    let run = "const done = arguments[0]; axe.run(document, { resultTypes: ['violations'] }).then((result) => done(
        result.violations.map((it) => `${it.id}: ${it.nodes.length} × ${it.nodes[0].html.slice(0, 160)} – ${it.nodes[0].failureSummary.replace(/\\s+/g, ' ').slice(0, 300)}`)));";
    let found = page.script_later(run).await?;
    let found = found.as_array().ok_or_else(|| format!("axe says {found}"))?;
    Ok(found.iter().map(|it| format!("{place}: {}", it.as_str().unwrap_or_default())).collect())
}

/// 320 is the narrowest phone, and a page of 640 at twice the size; the longest words are Russian.
#[tokio::test]
#[ignore = "needs a browser"]
async fn nothing_scrolls_sideways_and_everything_can_be_touched() {
    visit("small", async |page: &mut Page| {
        page.speak("ru").await?;
        let mut found = Vec::new();
        for (width, height, touch) in [(320, 640, true), (360, 740, true), (640, 450, false)] {
            page.resize(width, height, touch).await?;
            every_page(page, async |page: &Page, place: &str| {
                found.extend(too_wide_or_small(page, width, touch, place).await?);
                Ok(())
            })
            .await?;
        }
        assert!(found.is_empty(), "{}", found.join("\n"));
        Ok(())
    })
    .await;
}

#[tokio::test]
#[ignore = "needs two browsers"]
async fn with_others_nothing_scrolls_sideways_and_everything_can_be_touched() {
    for (width, height) in [(320, 640), (360, 740)] {
        with_browsers("small-with-others", 2, async |browsers: &mut Browsers| {
            browsers.pages[0].speak("ru").await?;
            browsers.pages[0].resize(width, height, true).await?;
            let mut found = Vec::new();
            every_page_with_others(browsers, async |page: &Page, place: &str| {
                found.extend(too_wide_or_small(page, width, true, place).await?);
                Ok(())
            })
            .await?;
            assert!(found.is_empty(), "{}", found.join("\n"));
            Ok(())
        })
        .await;
    }
}

async fn too_wide_or_small(page: &Page, width: u32, touch: bool, place: &str) -> Result<Vec<String>, Problem> {
    let mut found = Vec::new();
    page.is_drawn().await?;
    // Not `innerWidth`: a phone makes the window as wide as what is in it.
    let wide = page.script(&format!("return document.documentElement.scrollWidth - {width};")).await?;
    if wide.as_f64().is_none_or(|wide| wide > 0.0) {
        found.push(format!("{width}: {place} is {wide} too wide"));
    }
    if touch {
        let small = page.script(SMALL_TARGETS).await?;
        found.extend(small.as_array().into_iter().flatten().map(|it| format!("{width}: {place}: {it}")));
    }
    Ok(found)
}

/// Controls smaller than a finger, except squares of a board.
const SMALL_TARGETS: &str = "
return [...document.querySelectorAll('button:not(.cell), a, select, summary, input:not([type=file])')]
  .filter((it) => it.checkVisibility() && !it.closest('[inert], p, .file'))
  .map((it) => [it, it.getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && (box.width < 43.5 || box.height < 43.5))
  .map(([it, box]) => `${it.className} ${it.textContent.trim().slice(0, 20)} ${box.width.toFixed()}×${box.height.toFixed()}`);";

/// Measures the gaps between frames while a bot searches.
const WATCH_FRAMES: &str = "
window.longest = null;
let last = null, longest = 0;
const look = (now) => {
  const thinking = document.querySelector('.thinking');
  if (thinking && last !== null) longest = Math.max(longest, now - last);
  if (!thinking && last !== null && longest > 0) { window.longest = longest; return; }
  last = thinking ? now : null;
  requestAnimationFrame(look);
};
requestAnimationFrame(look);";

/// Run alone by `cargo xtask frames`, because other tests keep the machine busy.
#[tokio::test]
#[ignore = "a measurement: cargo xtask frames"]
async fn frames_while_level_8_thinks() {
    visit("frames", async |page: &mut Page| {
        let mut worst = 0.0_f64;
        for game in GameId::ALL.map(GameId::name) {
            page.begin(game, "person,bot:8").await?;
            page.script(WATCH_FRAMES).await?;
            page.play(Policy::random(1), 1).await?;
            page.holds("window.longest").await?;
            let longest = page.script("return window.longest;").await?.as_f64().ok_or("no frames were seen")?;
            println!("   {game}: the longest gap between frames is {longest:.0} ms");
            worst = worst.max(longest);
        }
        assert!(worst < 50.0, "a gap of {worst:.0} ms; it may be 50");
        Ok(())
    })
    .await;
}

/// Keeps every layout shift, also those that a touch of a moment before explains: whether it was a moment depends on how
/// busy the machine is.
const WATCH_SHIFTS: &str = "
window.shifts = [];
window.watch?.disconnect();
window.watch = new PerformanceObserver((list) => {
  for (const it of list.getEntries()) {
    const told = ({ node, previousRect: a, currentRect: b }) =>
      `${node?.parentElement?.className} > ${node?.nodeName}: ${a.x},${a.y} ${a.width}×${a.height} → ${b.x},${b.y} ${b.width}×${b.height}`;
    window.shifts.push([it.value, ...it.sources.map(told)]);
  }
});
window.watch.observe({ type: 'layout-shift' });";

#[tokio::test]
#[ignore = "needs a browser"]
async fn nothing_shifts_during_a_whole_game() {
    visit("shifts", async |page: &mut Page| {
        for (width, height) in [(390, 844), (1280, 800)] {
            page.resize(width, height, width < 800).await?;
            for game in ["quarto", "quixo", "sequence", "four(size=9,target=3)"] {
                page.begin(game, "person,bot:4").await?;
                page.script(WATCH_SHIFTS).await?;
                page.play(Policy::random(2), 400).await?;
                page.says_the_end().await?;
                tokio::time::sleep(std::time::Duration::from_millis(700)).await;
                let shifts = page.script("return window.shifts;").await?;
                assert_eq!(shifts.as_array().map(Vec::len), Some(0), "{game} at {width}×{height}: {shifts}");
            }
        }
        Ok(())
    })
    .await;
}

/// Keeps every layout shift since the page began to load, with what moved.
const WATCH_SHIFTS_FROM_THE_START: &str = "
window.shifted = [];
new PerformanceObserver((list) => {
  for (const it of list.getEntries()) {
    const told = ({ node, previousRect: a, currentRect: b }) =>
      `${node?.parentElement?.className} > ${node?.nodeName}.${node?.className}: ${a.x},${a.y} ${a.width}×${a.height} → ${b.x},${b.y} ${b.width}×${b.height}`;
    window.shifted.push([it.value, ...it.sources.map(told)]);
  }
}).observe({ type: 'layout-shift', buffered: true });
addEventListener('load', () => setTimeout(() => {
  const offer = new Event('beforeinstallprompt', { cancelable: true });
  dispatchEvent(offer);
}, 700));";

/// Pages that are opened by their address, without anything of an earlier visit, on a slow line; the offer to install the
/// app comes late, as browsers make it.
#[tokio::test]
#[ignore = "needs a browser"]
async fn nothing_shifts_while_a_page_loads() {
    with_browsers("loading", 1, async |browsers: &mut Browsers| {
        let page = &browsers.pages[0];
        page.open("").await?;
        page.before_all(WATCH_SHIFTS_FROM_THE_START).await?;
        page.devtools("Network.enable", json!({})).await?;
        page.devtools("Network.setCacheDisabled", json!({ "cacheDisabled": true })).await?;
        page.devtools("Network.setBypassServiceWorker", json!({ "bypass": true })).await?;
        let line =
            json!({ "offline": false, "latency": 60, "downloadThroughput": 500_000, "uploadThroughput": 200_000 });
        page.devtools("Network.emulateNetworkConditions", line).await?;
        let alone = ["", "nowhere", "learn", "puzzles", "analyse", "settings"];
        let others = ["online", "mine", "friends", "leaders/quixo", "account", "privacy", "t/nowhere"];
        let mut places: Vec<String> = alone.into_iter().chain(others).map(str::to_owned).collect();
        for game in GameId::ALL.map(GameId::name) {
            places.extend([
                game.to_owned(),
                format!("learn/{game}"),
                format!("{game}/start"),
                format!("analyse#game={game}"),
            ]);
        }
        let mut found = Vec::new();
        for (width, height) in [(390, 844), (1280, 800)] {
            page.resize(width, height, width < 800).await?;
            for place in &places {
                page.driver().goto("about:blank").await?;
                page.open(place).await?;
                page.shows("main:not(.waiting)").await?;
                page.holds("!document.querySelector('p.waiting')").await?;
                tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
                let shifts = page.script("return window.shifted;").await?;
                let shifts = shifts.as_array().ok_or("no shifts were kept")?;
                if !shifts.is_empty() {
                    found.push(format!("/{place} at {width}×{height}: {shifts:?}"));
                }
            }
        }
        assert!(found.is_empty(), "{} pages shift while they load:\n{}", found.len(), found.join("\n"));
        Ok(())
    })
    .await;
}

/// Keeps the longest time from a press to the frame that answers it, as browsers count it.
const WATCH_PRESSES: &str = "
window.slowest = [0];
new PerformanceObserver((list) => {
  for (const it of list.getEntries()) if (it.interactionId && it.duration > window.slowest[0])
    window.slowest = [it.duration, it.processingStart - it.startTime, it.processingEnd - it.processingStart];
}).observe({ type: 'event', durationThreshold: 16 });";

/// Run alone by `cargo xtask frames`.
#[tokio::test]
#[ignore = "a measurement: cargo xtask frames"]
async fn frames_answer_presses_while_level_8_thinks() {
    visit("frames-presses", async |page: &mut Page| {
        page.resize(1280, 800, false).await?;
        let mut worst = 0.0_f64;
        for game in GameId::ALL.map(GameId::name) {
            page.begin(game, "person,bot:8").await?;
            page.devtools("Emulation.setCPUThrottlingRate", json!({ "rate": 4 })).await?;
            page.script(WATCH_PRESSES).await?;
            page.play(Policy::random(1), 2).await?;
            // While the computer thinks again, something else is pressed.
            for _ in 0..3 {
                page.click(".tool.more").await?;
            }
            page.devtools("Emulation.setCPUThrottlingRate", json!({ "rate": 1 })).await?;
            tokio::time::sleep(std::time::Duration::from_millis(500)).await;
            let slowest = page.script("return window.slowest;").await?;
            let part = |number: usize| slowest[number].as_f64();
            let (Some(whole), Some(wait), Some(work)) = (part(0), part(1), part(2)) else {
                return Err("nothing was pressed".into());
            };
            let frame = whole - wait - work;
            println!(
                "   {game}: the slowest answer to a press takes {whole:.0} ms: {wait:.0} until it is handled, {work:.0} to \
                 handle it, {frame:.0} until the frame is shown"
            );
            worst = worst.max(whole);
        }
        assert!(worst < 100.0, "an answer took {worst:.0} ms; it may be 100");
        Ok(())
    })
    .await;
}

/// Notes when something of a table or of a puzzle can first be touched.
const WATCH_FIRST_MOVE: &str = "
const look = () => {
  if (document.querySelector('main:is(.table, .puzzles) :is(.cell, .place, .card).next')) window.firstMove = performance.now();
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);";

/// How long a first visit to an address takes until a first move, on a line of 1.6 Mbit/s with a processor four times slower.
async fn until_a_first_move(place: &str) -> f64 {
    let mut first = f64::INFINITY;
    visit("frames-first-move", async |page: &mut Page| {
        page.resize(390, 844, true).await?;
        page.before_all(WATCH_FIRST_MOVE).await?;
        let line =
            json!({ "offline": false, "latency": 0, "downloadThroughput": 200_000, "uploadThroughput": 100_000 });
        page.devtools("Network.enable", json!({})).await?;
        page.devtools("Network.emulateNetworkConditions", line).await?;
        page.devtools("Emulation.setCPUThrottlingRate", json!({ "rate": 4 })).await?;
        page.open(place).await?;
        page.holds("window.firstMove").await?;
        first = page.script("return window.firstMove;").await?.as_f64().ok_or("nothing can be touched")?;
        Ok(())
    })
    .await;
    first
}

/// So often each address is visited; the visit in the middle counts.
const VISITS: usize = 3;

/// How much longer than the slowest game a puzzle may take: as long as a game, but for what differs from run to run.
const MARGIN: f64 = 1.1;

/// A first visit to each game and to each puzzle of the day. Run alone by `cargo xtask frames`.
#[tokio::test]
#[ignore = "a measurement: cargo xtask frames"]
async fn frames_until_a_first_move_on_a_slow_line() {
    let most = 1500.0;
    let games = GameId::ALL.map(|game| format!("{game}/start"));
    let puzzles = puzzles::GAMES.map(|game| format!("puzzles?game={game}"));
    let places: Vec<&String> = games.iter().chain(&puzzles).collect();
    let mut times = vec![Vec::new(); places.len()];
    // In turns, so that what slows the machine down for a while slows down all of them.
    for _ in 0..VISITS {
        for (place, times) in places.iter().zip(&mut times) {
            times.push(until_a_first_move(place).await);
        }
    }
    let mut middle = Vec::new();
    for (place, mut times) in places.into_iter().zip(times) {
        times.sort_by(f64::total_cmp);
        println!("   {place}: {:.0} ms of {most} until a first move ({times:.0?})", times[VISITS / 2]);
        middle.push((times[VISITS / 2], place));
    }
    let slowest = |of: &[(f64, &String)]| of.iter().map(|(time, _)| *time).fold(0.0, f64::max);
    let (of_games, of_puzzles) = (slowest(&middle[..games.len()]), slowest(&middle[games.len()..]));
    println!("   the slowest puzzle of the day takes {:.2} of the slowest game", of_puzzles / of_games);
    let too_slow: Vec<_> = middle.iter().filter(|(time, _)| *time >= most).collect();
    assert!(too_slow.is_empty(), "until a first move, of {most} ms: {too_slow:.0?}");
    assert!(of_puzzles <= MARGIN * of_games, "a puzzle of the day takes {of_puzzles:.0} ms, a game {of_games:.0}");
}
