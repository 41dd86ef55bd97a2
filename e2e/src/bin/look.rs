//! `look FOLDER [WORD…]`: pictures of every page at three widths, in both themes and three languages, for people to
//! look through. With words, only of pages whose name contains one of them.
//!
//! Each page gets a sheet, `NAME.html`, with all its pictures side by side.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base64::Engine as _;
use e2e::{Page, Policy, Problem, visit};
use game::{Game, Match, MatchSettings, Player, Sitter};
use serde_json::json;

const WIDTHS: [(u32, u32); 3] = [(390, 844), (768, 1024), (1280, 800)];
const THEMES: [&str; 2] = ["light", "dark"];
const LANGUAGES: [&str; 3] = ["en", "uk", "ru"];

/// Matches that are put on the device: key, game, seats, seed, and how many actions of seats are played.
const MATCHES: [(&str, &str, &str, u64, usize); 13] = [
    ("quarto", "quarto", "person,bot:3", 3, 11),
    ("quixo", "quixo", "person,bot:3", 4, 14),
    ("sequence", "sequence", "person,bot:3", 1, 16),
    ("four", "four(size=13)", "person,bot:3", 2, 60),
    ("quarto-end", "quarto(call=open)", "person,bot:3", 2, 400),
    ("quixo-end", "quixo", "person,person", 5, 400),
    ("sequence-end", "sequence(players=4)", "person,bot:2,bot:3,bot:4", 6, 400),
    ("four-end", "four(size=9,target=3)", "person,bot:3", 7, 900),
    ("quixo-team", "quixo(players=4)", "person,bot:3,bot:4,bot:5", 8, 24),
    ("four-moving", "four(size=9,reserve=20)", "person,bot:3", 3, 40),
    ("sequence-curtain", "sequence", "person,person", 1, 6),
    ("quarto-two", "quarto", "person,person", 3, 11),
    ("sequence-four", "sequence(players=4)", "person,bot:2,bot:3,bot:4", 6, 30),
];

#[tokio::main]
async fn main() -> Result<(), Problem> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().map(PathBuf::from).ok_or("usage: look FOLDER [WORD…]")?;
    let words: Vec<String> = arguments.collect();
    std::fs::create_dir_all(&folder)?;
    visit("look", async |page: &mut Page| {
        page.go("/").await?;
        let plain = [
            ("home", "/"),
            ("learn", "/learn"),
            ("puzzles", "/puzzles"),
            ("settings", "/settings"),
            ("lost", "/nowhere"),
            ("no-such-game", "/play/none"),
            ("analyse-nothing", "/analyse"),
            ("analyse-broken-link", "/analyse#record=nonsense"),
            ("new-broken-link", "/four?game=four(size=77)"),
        ];
        let mut places: Vec<Place> = plain.into_iter().map(|(name, address)| Place::new(name, address)).collect();
        for (key, game, seats, seed, actions) in MATCHES {
            let record = played(game, seats, seed, actions)?;
            page.script_later(&KEEP.replace("KEY", key).replace("RECORD", &serde_json::to_string(&record)?)).await?;
            places.push(Place::new(&format!("table-{key}"), &format!("/play/{key}")));
        }
        for game in rules::GameId::ALL.map(rules::GameId::name) {
            places.push(Place::new(&format!("new-{game}"), &format!("/{game}")));
            places.push(Place::new(&format!("learn-{game}"), &format!("/learn/{game}")));
            let record = played(game, "person,person", 4, 12)?;
            let address = format!("/analyse#record={}", percent(&record));
            places.push(Place::new(&format!("analyse-{game}"), &address));
            places.push(Place { press: Some(".tools > .button"), ..Place::new(&format!("edit-{game}"), &address) });
        }
        places.retain(|place| words.is_empty() || words.iter().any(|word| place.name.contains(word)));
        for place in places {
            let name = &place.name;
            look(page, &folder, &place).await.map_err(|problem| format!("{name}: {problem}"))?;
            println!("   {}", folder.join(format!("{name}.html")).display());
        }
        Ok(())
    })
    .await;
    Ok(())
}

/// A page to look at.
struct Place {
    name: String,
    /// Where it is.
    address: String,
    /// The element that is clicked there first.
    press: Option<&'static str>,
}

impl Place {
    fn new(name: &str, address: &str) -> Place {
        Place { name: name.to_owned(), address: address.to_owned(), press: None }
    }
}

/// All pictures of one page, and their sheet.
async fn look(page: &Page, folder: &Path, place: &Place) -> Result<(), Problem> {
    let name = &place.name;
    let mut sheet = String::from(
        "<!doctype html><meta charset=utf-8><style>body{margin:8px;background:#888;font:14px sans-serif}div{display:flex;gap:8px;align-items:start;margin-bottom:8px}</style>",
    );
    for (width, height) in WIDTHS {
        let shown = [360, 360, 480][WIDTHS.iter().position(|it| it.0 == width).unwrap_or(0)];
        sheet.push_str("<div>");
        for theme in THEMES {
            for language in LANGUAGES {
                page.keep("theme", theme).await?;
                page.speak(language).await?;
                page.resize(width, height, width < 1000).await?;
                page.go(&place.address).await?;
                if let Some(selector) = place.press {
                    page.click(selector).await?;
                }
                settle(page).await?;
                let file = format!("{name}-{width}-{theme}-{language}.png");
                whole_page(page, &folder.join(&file), width, height).await?;
                write!(sheet, "<img src='{file}' width={shown}>")?;
            }
        }
        sheet.push_str("</div>");
    }
    Ok(std::fs::write(folder.join(format!("{name}.html")), sheet)?)
}

/// Waits until animations have ended and boards further down are drawn.
async fn settle(page: &Page) -> Result<(), Problem> {
    page.scroll_through().await?;
    page.holds(
        "document.getAnimations().every((it) => it.playState !== 'running' || it.effect.getTiming().iterations > 1)",
    )
    .await?;
    tokio::time::sleep(Duration::from_millis(120)).await;
    Ok(())
}

const KEEP: &str = r#"
const done = arguments[0], open = indexedDB.open("fourfold", 1);
open.onupgradeneeded = () => open.result.createObjectStore("games", { keyPath: "key" });
open.onsuccess = () => {
  const put = open.result.transaction("games", "readwrite");
  put.objectStore("games").put({ key: "KEY", record: RECORD, over: false, changed: Date.now() });
  put.oncomplete = () => { open.result.close(); done(true); };
};"#;

async fn whole_page(page: &Page, file: &Path, width: u32, height: u32) -> Result<(), Problem> {
    // A toolbar fixed to the lower edge of the screen would lie in the middle of the picture.
    page.script("document.querySelectorAll('.start, .actions').forEach((it) => { it.style.position = 'static'; });")
        .await?;
    let whole = page.script("return document.documentElement.scrollHeight;").await?.as_f64().unwrap_or_default();
    let clip = json!({ "x": 0, "y": 0, "width": width, "height": whole.clamp(f64::from(height), 6000.0), "scale": 1 });
    let wish = json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
    let taken = page.driver().cdp().send_raw("Page.captureScreenshot", wish).await?;
    let bytes = base64::engine::general_purpose::STANDARD.decode(taken["data"].as_str().ok_or("no picture")?)?;
    Ok(std::fs::write(file, bytes)?)
}

/// The record of a match after some random actions, with a person to act.
fn played(game: &str, seats: &str, seed: u64, actions: usize) -> Result<String, Problem> {
    let mut setup = MatchSettings::new(game.parse::<Game>()?);
    for (sitter, player) in setup.sitters.iter_mut().zip(seats.split(',')) {
        *sitter = Sitter::new(player.parse()?, "");
    }
    let mut game = Match::new(setup)?;
    let mut policy = if actions < 100 { Policy::calm(seed) } else { Policy::random(seed) };
    let mut chance = search::Random::new(seed);
    for done in 0.. {
        game.draw(&mut |below| chance.below(below), Duration::ZERO)?;
        let Some(seat) = game.to_act().filter(|_| game.ending().is_none()) else { break };
        if done >= actions && game.settings().sitters[seat.index()].player() == Player::Person {
            break;
        }
        let choice = policy.choose(&game).ok_or("nothing can be done")?;
        game.play(&choice.action, Duration::ZERO)?;
    }
    Ok(game.record().to_string())
}

/// A text as it stands in an address.
fn percent(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}
