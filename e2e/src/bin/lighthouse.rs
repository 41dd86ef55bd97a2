//! `lighthouse FOLDER [--runs N] [PAGE…]`: serves the app with a server behind it and lets the Lighthouse in that folder
//! judge every page, or those that are named.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use e2e::{Problem, TestServer};
use serde_json::Value;

/// The score that the median of all runs must reach in performance; every other category must be perfect.
const LEAST_PERFORMANCE: f64 = 98.0;
/// How often each page is judged.
const RUNS: usize = 5;
/// A browser that reports no start of the navigation, or none at all, is asked again so often.
const TRIES: usize = 3;

const PAGES: [(&str, &str); 16] = [
    ("home", ""),
    ("set-up", "quixo"),
    ("table", "quarto/start?game=quarto&seats=person%2Cperson&clock=none"),
    ("learn", "learn"),
    ("learn-quarto", "learn/quarto"),
    ("learn-quixo", "learn/quixo"),
    ("learn-sequence", "learn/sequence"),
    ("learn-four", "learn/four"),
    ("puzzles", "puzzles"),
    ("analyse", "analyse"),
    ("analyse-game", "analyse#game=quixo"),
    ("lobby", "online"),
    ("leaders", "leaders/quixo"),
    ("account", "account"),
    ("privacy", "privacy"),
    ("settings", "settings"),
];

fn main() -> Result<ExitCode, Problem> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().map(PathBuf::from).ok_or("usage: lighthouse FOLDER [--runs N] [PAGE…]")?;
    let mut words: Vec<String> = arguments.collect();
    let runs = match words.iter().position(|word| word == "--runs") {
        Some(at) if at + 1 < words.len() => words.drain(at..at + 2).next_back().ok_or("no number")?.parse()?,
        _ => RUNS,
    };
    let server = TestServer::open(30)?;
    let mut enough = true;
    for (name, place) in PAGES {
        if !words.is_empty() && !words.iter().any(|word| word == name) {
            continue;
        }
        let address = format!("{}{place}", server.address());
        let reports = (0..runs).map(|_| judge(&folder, name, &address)).collect::<Result<Vec<_>, _>>()?;
        enough &= tell(name, &reports)?;
    }
    println!("   the last report of each page is in {}", folder.display());
    Ok(if enough { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints the median scores of a page and what cost points; whether they are high enough.
fn tell(name: &str, reports: &[Value]) -> Result<bool, Problem> {
    let last = reports.last().ok_or("no report")?;
    let categories = last["categories"].as_object().ok_or("a report without categories")?;
    let mut enough = true;
    let mut told = Vec::new();
    for category in categories.keys() {
        let mut scores: Vec<f64> = reports
            .iter()
            .map(|report| (report["categories"][category]["score"].as_f64().unwrap_or_default() * 100.0).round())
            .collect();
        scores.sort_by(f64::total_cmp);
        let median = scores.get(scores.len() / 2).copied().unwrap_or_default();
        enough &= median >= if category == "performance" { LEAST_PERFORMANCE } else { 100.0 };
        told.push(format!("{category} {median:.0}"));
    }
    println!("   {name:14} {}", told.join(", "));
    // A small one costs no points, but is seen.
    let shift = last["audits"]["cumulative-layout-shift"]["numericValue"].as_f64().unwrap_or_default();
    if shift > 0.001 {
        println!("      the layout shifts by {shift:.3}");
    }
    for audit in complaints(last) {
        println!("      {audit}");
    }
    Ok(enough)
}

fn judge(folder: &Path, name: &str, address: &str) -> Result<Value, Problem> {
    let mut problem = Problem::from("not tried");
    for _ in 0..TRIES {
        match judge_once(folder, name, address) {
            Ok(report) if report["runtimeError"].is_null() => return Ok(report),
            Ok(report) => problem = report["runtimeError"]["message"].to_string().into(),
            Err(other) => problem = other,
        }
    }
    Err(format!("lighthouse could not judge {address}: {problem}").into())
}

fn judge_once(folder: &Path, name: &str, address: &str) -> Result<Value, Problem> {
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
        return Err(format!("lighthouse ended with an error at {address}").into());
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
