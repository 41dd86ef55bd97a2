//! `look FOLDER [--width N] [--theme NAME] [--language CODE] [WORD…]`: pictures of every page at three widths, in both
//! themes and three languages, for people to look through. With options only those pictures, with words only of pages
//! whose name contains one of them.
//!
//! Each page gets a sheet, `NAME.html`, with all its pictures side by side; `index.html` lists the sheets.

mod others;
mod places;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base64::Engine as _;
use e2e::{Browsers, Page, Problem, with_browsers};
use places::Place;
use serde_json::json;

const WIDTHS: [(u32, u32); 3] = [(390, 844), (768, 1024), (1280, 800)];
const THEMES: [&str; 2] = ["light", "dark"];
const LANGUAGES: [&str; 3] = ["en", "uk", "ru"];

#[tokio::main]
async fn main() -> Result<(), Problem> {
    let wanted = Wanted::read(std::env::args().skip(1))?;
    std::fs::create_dir_all(&wanted.folder)?;
    with_browsers("look", 2, async |browsers: &mut Browsers| {
        let tables = others::meet(browsers).await?;
        browsers.pages[0].go("/").await?;
        browsers.pages[0].devtools("Network.enable", json!({})).await?;
        let mut places = places::all(&browsers.pages[0], &tables).await?;
        places.retain(|place| wanted.words.is_empty() || wanted.words.iter().any(|word| place.name.contains(word)));
        for place in &places {
            let name = &place.name;
            look(browsers, &wanted, place).await.map_err(|problem| format!("{name}: {problem}"))?;
            println!("   {}", wanted.folder.join(format!("{name}.html")).display());
        }
        list_sheets(&wanted.folder)
    })
    .await;
    Ok(())
}

/// Which pictures are taken, and where they go.
#[derive(Default)]
struct Wanted {
    folder: PathBuf,
    width: Option<u32>,
    theme: Option<String>,
    language: Option<String>,
    words: Vec<String>,
}

impl Wanted {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Wanted, Problem> {
        const USAGE: &str = "usage: look FOLDER [--width N] [--theme NAME] [--language CODE] [WORD…]";
        let folder = arguments.next().map(PathBuf::from).ok_or(USAGE)?;
        let mut wanted = Wanted { folder, ..Wanted::default() };
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--width" => wanted.width = Some(arguments.next().ok_or(USAGE)?.parse()?),
                "--theme" => wanted.theme = Some(arguments.next().ok_or(USAGE)?),
                "--language" => wanted.language = Some(arguments.next().ok_or(USAGE)?),
                option if option.starts_with("--") => return Err(USAGE.into()),
                _ => wanted.words.push(argument),
            }
        }
        Ok(wanted)
    }
}

/// All pictures of one page, and their sheet.
async fn look(browsers: &Browsers, wanted: &Wanted, place: &Place) -> Result<(), Problem> {
    let (page, name) = (&browsers.pages[0], &place.name);
    let mut rows = WIDTHS.map(|_| String::new());
    for theme in THEMES.into_iter().filter(|it| wanted.theme.as_deref().is_none_or(|theme| theme == *it)) {
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": theme }] });
        page.devtools("Emulation.setEmulatedMedia", media).await?;
        for language in LANGUAGES.into_iter().filter(|it| wanted.language.as_deref().is_none_or(|code| code == *it)) {
            page.keep("theme", theme).await?;
            page.script(&format!("localStorage.setItem('fourfold.language', '{language}');")).await?;
            // Pages that the server draws follow the browser's language.
            page.devtools("Network.setExtraHTTPHeaders", json!({ "headers": { "accept-language": language } })).await?;
            for (row, (width, height)) in rows.iter_mut().zip(WIDTHS) {
                if wanted.width.is_some_and(|wanted| wanted != width) {
                    continue;
                }
                page.driver().goto("about:blank").await?;
                page.resize(width, height, width < 1000).await?;
                browsers.proxies[0].restore();
                place.open(page, &browsers.proxies[0], language).await?;
                settle(page).await?;
                let file = format!("{name}-{width}-{theme}-{language}.png");
                whole_page(page, &wanted.folder.join(&file), width, height).await?;
                write!(row, "<a href='{file}'><img src='{file}' width={}></a>", if width < 1000 { 360 } else { 480 })?;
            }
            browsers.proxies[0].restore();
        }
    }
    let rows: String = rows.iter().map(|row| format!("<div>{row}</div>")).collect();
    let style = "body{margin:8px;background:#888}div{display:flex;gap:8px;align-items:start;margin-bottom:8px}";
    let sheet = format!("<!doctype html><meta charset=utf-8><title>{name}</title><style>{style}</style>{rows}");
    Ok(std::fs::write(wanted.folder.join(format!("{name}.html")), sheet)?)
}

/// A page with a link to every sheet of the folder, also to those of earlier runs.
fn list_sheets(folder: &Path) -> Result<(), Problem> {
    let files = std::fs::read_dir(folder)?.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = files.filter_map(|file| Some(file.strip_suffix(".html")?.to_owned())).collect();
    names.retain(|name| name != "index");
    names.sort();
    let links: String = names.iter().map(|name| format!("<li><a href='{name}.html'>{name}</a>")).collect();
    let index = format!("<!doctype html><meta charset=utf-8><title>Fourfold, every page</title><ul>{links}</ul>");
    Ok(std::fs::write(folder.join("index.html"), index)?)
}

/// Waits until answers of the server are shown, animations have ended and boards further down are drawn.
async fn settle(page: &Page) -> Result<(), Problem> {
    page.holds("!document.querySelector('p.waiting')").await?;
    page.scroll_through().await?;
    page.holds(
        "document.getAnimations().every((it) => it.playState !== 'running' || it.effect.getTiming().iterations > 1)",
    )
    .await?;
    tokio::time::sleep(Duration::from_millis(250)).await;
    Ok(())
}

async fn whole_page(page: &Page, file: &Path, width: u32, height: u32) -> Result<(), Problem> {
    // What is fixed to the lower edge of the screen would lie in the middle of the picture.
    page.script(
        "document.querySelectorAll('.start, .actions').forEach((it) => { it.style.position = 'static'; }); \
         document.querySelectorAll('body, .ways-bar').forEach((it) => { \
         if (getComputedStyle(it).position === 'fixed') it.style.position = 'absolute'; \
         else if (it === document.body) it.style.position = 'relative'; });",
    )
    .await?;
    let whole = page.script("return document.documentElement.scrollHeight;").await?.as_f64().unwrap_or_default();
    let clip = json!({ "x": 0, "y": 0, "width": width, "height": whole.clamp(f64::from(height), 6000.0), "scale": 1 });
    let wish = json!({ "format": "png", "captureBeyondViewport": true, "clip": clip });
    let taken = page.driver().cdp().send_raw("Page.captureScreenshot", wish).await?;
    let bytes = base64::engine::general_purpose::STANDARD.decode(taken["data"].as_str().ok_or("no picture")?)?;
    Ok(std::fs::write(file, bytes)?)
}
