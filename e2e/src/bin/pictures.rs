//! `pictures FOLDER`: the README's pictures, of the home page and of all four games.

use std::path::{Path, PathBuf};

use e2e::{Page, Policy, Problem, visit};

/// Games with their seats, how many actions are played, and the seed that makes them look like a game.
const GAMES: [(&str, &str, usize, u64); 4] = [
    ("quarto", "person,person", 13, 3),
    ("quixo", "person,person", 15, 4),
    ("sequence", "person,bot:1", 6, 1),
    ("four", "person,person", 34, 2),
];

#[tokio::main]
async fn main() -> Result<(), Problem> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).ok_or("usage: pictures FOLDER")?;
    visit("pictures", async |page: &mut Page| {
        page.keep("theme", "light").await?;
        page.speak("en").await?;
        page.resize(1440, 740, false).await?;
        page.go("/").await?;
        take(page, &folder.join("home.png")).await?;
        page.resize(1200, 800, false).await?;
        for (game, seats, actions, seed) in GAMES {
            page.begin(if game == "four" { "four(size=13)" } else { game }, seats).await?;
            page.play(Policy::calm(seed), actions).await?;
            take(page, &folder.join(format!("{game}.png"))).await?;
        }
        Ok(())
    })
    .await;
    Ok(())
}

async fn take(page: &Page, file: &Path) -> Result<(), Problem> {
    // Endless animations, such as that of a finished row, are not waited for.
    page.holds(
        "document.getAnimations().every((it) => it.playState !== 'running' || it.effect.getTiming().iterations > 1)",
    )
    .await?;
    page.driver().screenshot(file).await?;
    println!("   {}", file.display());
    Ok(())
}
