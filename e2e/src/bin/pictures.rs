//! `pictures FOLDER SCREENSHOTS`: the README's pictures, of the home page and of all games, and the screenshots that
//! browsers show to those who install the app.

use std::path::{Path, PathBuf};

use base64::Engine as _;
use e2e::{Page, Policy, Problem, visit};
use serde_json::json;

/// Games with their seats, how many actions are played, and the seed that makes them look like a game.
const GAMES: [(&str, &str, usize, u64); 4] = [
    ("quarto", "person,person", 13, 3),
    ("quixo", "person,person", 15, 4),
    ("sequence", "person,bot:1", 6, 1),
    ("four", "person,person", 34, 2),
];

/// Games whose tables are shown to those who install the app, with the file and its size.
const SCREENSHOTS: [(&str, &str, u32, u32); 2] =
    [("quarto", "wide.webp", 1280, 800), ("sequence", "narrow.webp", 390, 844)];

#[tokio::main]
async fn main() -> Result<(), Problem> {
    let mut folders = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(folder), Some(screenshots)) = (folders.next(), folders.next()) else {
        return Err("usage: pictures FOLDER SCREENSHOTS".into());
    };
    std::fs::create_dir_all(&screenshots)?;
    visit("pictures", async |page: &mut Page| {
        page.keep("theme", "light").await?;
        page.speak("en").await?;
        page.resize(1440, 740, false).await?;
        page.go("/").await?;
        take(page, &folder.join("home.png")).await?;
        for (game, seats, actions, seed) in GAMES {
            page.resize(1200, 800, false).await?;
            page.begin(if game == "four" { "four(size=13)" } else { game }, seats).await?;
            page.play(Policy::calm(seed), actions).await?;
            take(page, &folder.join(format!("{game}.png"))).await?;
            for (_, name, width, height) in SCREENSHOTS.into_iter().filter(|shown| shown.0 == game) {
                page.resize(width, height, width < 800).await?;
                take_small(page, &screenshots.join(name)).await?;
            }
        }
        Ok(())
    })
    .await;
    Ok(())
}

async fn take(page: &Page, file: &Path) -> Result<(), Problem> {
    settle(page).await?;
    page.driver().screenshot(file).await?;
    println!("   {}", file.display());
    Ok(())
}

/// A picture that weighs little.
async fn take_small(page: &Page, file: &Path) -> Result<(), Problem> {
    settle(page).await?;
    let wish = json!({ "format": "webp", "quality": 45 });
    let taken = page.driver().cdp().send_raw("Page.captureScreenshot", wish).await?;
    let bytes = base64::engine::general_purpose::STANDARD.decode(taken["data"].as_str().ok_or("no picture")?)?;
    std::fs::write(file, bytes)?;
    println!("   {}", file.display());
    Ok(())
}

/// Waits until animations have ended; endless ones, such as that of a finished row, are not waited for.
async fn settle(page: &Page) -> Result<(), Problem> {
    page.holds(
        "document.getAnimations().every((it) => it.playState !== 'running' || it.effect.getTiming().iterations > 1)",
    )
    .await
}
