//! `icons FOLDER`: the icons of the installed app as PNG, drawn by a browser from `icons/fourfold.svg`.

use std::path::PathBuf;

use base64::Engine as _;
use e2e::{Page, Problem, visit};
use serde_json::json;

/// Files with their size, and what is changed in the drawing: a system cuts its own shape out of a maskable icon.
const ICONS: [(&str, u32, &str); 3] = [
    ("fourfold-256.png", 256, ""),
    ("fourfold-512.png", 512, ""),
    (
        "maskable-512.png",
        512,
        "document.getElementById('ground').setAttribute('rx', 0);
         document.getElementById('pieces').setAttribute('transform', 'translate(16 16) scale(.667)');",
    ),
];

#[tokio::main]
async fn main() -> Result<(), Problem> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).ok_or("usage: icons FOLDER")?;
    visit("icons", async |page: &mut Page| {
        for (file, size, change) in ICONS {
            page.resize(size, size, false).await?;
            page.open("icons/fourfold.svg").await?;
            let nothing = json!({ "color": { "r": 0, "g": 0, "b": 0, "a": 0 } });
            page.devtools("Emulation.setDefaultBackgroundColorOverride", nothing).await?;
            page.script(change).await?;
            let taken = page.driver().cdp().send_raw("Page.captureScreenshot", json!({ "format": "png" })).await?;
            let picture =
                base64::engine::general_purpose::STANDARD.decode(taken["data"].as_str().ok_or("no picture")?)?;
            std::fs::write(folder.join(file), picture)?;
            println!("   {}", folder.join(file).display());
        }
        Ok(())
    })
    .await;
    Ok(())
}
