//! `lighthouse FOLDER`: serves the app and lets the Lighthouse in that folder judge its most visited pages.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use e2e::{Problem, Served};
use serde_json::Value;

/// The score every page must reach in every category.
const LEAST: f64 = 95.0;

const PAGES: [(&str, &str); 6] = [
    ("home", ""),
    ("table", "quarto/start?game=quarto&seats=person%2Cperson&clock=none"),
    ("learn-quarto", "learn/quarto"),
    ("learn-quixo", "learn/quixo"),
    ("learn-sequence", "learn/sequence"),
    ("learn-four", "learn/four"),
];

fn main() -> Result<ExitCode, Problem> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).ok_or("usage: lighthouse FOLDER")?;
    let served = Served::start(axum::Router::new())?;
    let mut enough = true;
    for (name, place) in PAGES {
        let report = judge(&folder, name, &format!("{}{place}", served.address()))?;
        let categories = report["categories"].as_object().ok_or("a report without categories")?;
        let scores = categories.iter().map(|(name, category)| {
            let score = category["score"].as_f64().unwrap_or_default() * 100.0;
            enough &= score >= LEAST;
            format!("{name} {score:.0}")
        });
        println!("   {name:14} {}", scores.collect::<Vec<_>>().join(", "));
        for audit in complaints(&report) {
            println!("      {audit}");
        }
    }
    println!("   every report is in {}", folder.display());
    Ok(if enough { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn judge(folder: &Path, name: &str, address: &str) -> Result<Value, Problem> {
    let out = folder.join(format!("{name}.json"));
    let mut command = Command::new(folder.join("node_modules/.bin/lighthouse"));
    command.arg(address).args(["--quiet", "--output=json", "--preset=desktop"]);
    command.arg(format!("--output-path={}", out.display()));
    command.arg("--chrome-flags=--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage");
    for chromium in ["/usr/bin/chromium", "/usr/bin/chromium-browser"] {
        if Path::new(chromium).exists() {
            command.env("CHROME_PATH", chromium);
            break;
        }
    }
    if !command.status()?.success() {
        return Err(format!("lighthouse could not judge {address}").into());
    }
    Ok(serde_json::from_str(&std::fs::read_to_string(out)?)?)
}

/// The audits that cost points, by name.
fn complaints(report: &Value) -> Vec<String> {
    let audits = report["audits"].as_object().into_iter().flatten();
    let bad = audits.filter(|(_, audit)| audit["score"].as_f64().is_some_and(|score| score < 0.9));
    let told = bad.map(|(name, audit)| {
        format!("{name}: {}", audit["displayValue"].as_str().or(audit["title"].as_str()).unwrap_or_default())
    });
    told.collect()
}
