//! The tests in a real browser, with Debian's chromium and its driver.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::compiled::Compiled;
use crate::setup::{self, Tool};
use crate::shell::{TaskError, cargo, output, root, run as execute, works};
use crate::web;

/// The checker for accessibility, from npm; used by tests only and never shipped.
const AXE: &str = "axe-core@4.10.3";

/// Judges speed, accessibility and more, from npm; a command of its own, because its numbers depend on the machine.
const LIGHTHOUSE: &str = "lighthouse@12.8.2";

/// The driver of Firefox, from crates.io; used by tests only and never shipped.
const GECKODRIVER: &str = "geckodriver@0.36.0";

/// Whether all could be tested.
pub(crate) enum Tested {
    All,
    Without(String),
}

/// Builds the app, then plays it.
pub(crate) fn test() -> Result<Tested, TaskError> {
    if let Tool::Missing(why) = browser() {
        return Ok(Tested::Without(why));
    }
    web::build()?;
    let (axe, firefox) = (axe(), firefox());
    // A browser on a busy machine may stop for seconds; a fault of ours is there the second time too.
    Compiled::workspace()?.test("e2e", 2, |command| {
        // Three browsers at a time keep two cores busy; more only wait for each other. Frames are measured alone.
        command.args(["--ignored", "--test-threads", "3", "--skip", "frames"]);
        match &axe {
            Ok(file) => command.env("FOURFOLD_AXE", file),
            Err(_) => command.args(["--skip", "axe"]),
        };
        if firefox.is_err() {
            command.args(["--skip", "firefox"]);
        }
    })?;
    let missing = [
        axe.err().map(|why| format!("accessibility was not checked: {why}")),
        firefox.err().map(|why| format!("Firefox was not tried: {why}")),
    ];
    let missing: Vec<String> = missing.into_iter().flatten().collect();
    Ok(if missing.is_empty() { Tested::All } else { Tested::Without(missing.join("; ")) })
}

/// Fetches what the browser tests need.
pub(crate) fn fetch() {
    if let Tool::Ready = browser() {
        let _ = axe();
    }
}

/// `cargo xtask frames`: frames and answers to presses while the strongest level thinks, and how long a first move takes.
pub(crate) fn frames() -> Result<(), TaskError> {
    ready()?;
    // One after the other: side by side they would measure each other.
    let test = ["--test", "browser", "--", "--ignored", "--nocapture", "--test-threads", "1", "frames"];
    execute(cargo().args(["test", "--quiet", "--package", "e2e"]).args(test))
}

/// `cargo xtask icons`: the PNG icons of the installed app.
pub(crate) fn icons() -> Result<(), TaskError> {
    ready()?;
    let folder = root().join("crates/web/static/icons");
    execute(cargo().args(["run", "--quiet", "--package", "e2e", "--bin", "icons", "--"]).arg(folder))
}

/// `cargo xtask pictures`: the README's pictures and those for who installs the app, taken in a browser.
pub(crate) fn pictures() -> Result<(), TaskError> {
    ready()?;
    let folder = root().join("docs/pictures");
    let screenshots = root().join("crates/web/static/screenshots");
    execute(
        cargo().args(["run", "--quiet", "--package", "e2e", "--bin", "pictures", "--"]).arg(folder).arg(screenshots),
    )
}

/// `cargo xtask look`: every page at three widths, in both themes and three languages, to look through.
pub(crate) fn look(arguments: &[&str]) -> Result<(), TaskError> {
    browser_is_here()?;
    web::quick()?;
    execute(Command::new(web::program("look")?).arg(root().join("target/look")).args(arguments))
}

/// `cargo xtask lighthouse`: what Lighthouse says of every page, or of those named; 98 is expected for performance, else 100.
pub(crate) fn lighthouse(words: &[&str]) -> Result<(), TaskError> {
    ready()?;
    let folder = root().join("target/lighthouse");
    let failed = |error| TaskError::new(format!("cannot keep {LIGHTHOUSE}: {error}"));
    fs::create_dir_all(&folder).map_err(failed)?;
    if !folder.join("node_modules/lighthouse").is_dir() {
        println!("fetching {LIGHTHOUSE} into target/lighthouse");
        let install = ["install", "--silent", "--no-audit", "--no-fund", "--prefix", ".", LIGHTHOUSE];
        execute(Command::new("npm").current_dir(&folder).args(install))?;
    }
    execute(cargo().args(["run", "--quiet", "--package", "e2e", "--bin", "lighthouse", "--"]).arg(folder).args(words))
}

/// The browser is here and the app is built.
fn ready() -> Result<(), TaskError> {
    browser_is_here()?;
    web::build().map(drop)
}

fn browser_is_here() -> Result<(), TaskError> {
    match browser() {
        Tool::Missing(why) => Err(TaskError::new(why)),
        Tool::Ready => Ok(()),
    }
}

/// Chromium and chromedriver; installed from Debian where that is allowed.
fn browser() -> Tool {
    let there =
        || works(Command::new("chromium").arg("--version")) && works(Command::new("chromedriver").arg("--version"));
    if there() {
        return Tool::Ready;
    }
    if let Err(failure) = setup::packages(&["chromium", "chromium-driver"], "which the end-to-end tests drive") {
        return Tool::Missing(failure.to_string());
    }
    if there() {
        Tool::Ready
    } else {
        Tool::Missing("no chromium with chromedriver: apt-get install chromium chromium-driver".to_owned())
    }
}

/// Firefox and its driver: Debian's browser, and the driver that Mozilla publishes as a crate.
fn firefox() -> Result<(), TaskError> {
    let has_browser = || works(Command::new("firefox-esr").arg("--version"));
    if !has_browser() {
        setup::packages(&["firefox-esr"], "in which the end-to-end tests play too")?;
    }
    let has_driver = || works(Command::new("geckodriver").arg("--version"));
    if !has_driver() {
        println!("installing geckodriver, which drives Firefox");
        execute(cargo().args(["install", "--quiet", "--locked", GECKODRIVER]))?;
    }
    if has_browser() && has_driver() {
        Ok(())
    } else {
        Err(TaskError::new("no firefox-esr with geckodriver".to_owned()))
    }
}

/// The checker's one file, fetched where it is missing.
fn axe() -> Result<PathBuf, TaskError> {
    let folder = root().join("target/e2e");
    let file = folder.join("package/axe.min.js");
    if file.is_file() {
        return Ok(file);
    }
    let failed = |error| TaskError::new(format!("cannot keep {AXE}: {error}"));
    fs::create_dir_all(&folder).map_err(failed)?;
    println!("fetching {AXE}, which checks accessibility");
    let packed = output(Command::new("npm").current_dir(&folder).args(["pack", "--silent", AXE]))?;
    let packed = packed.lines().last().unwrap_or_default().trim();
    execute(Command::new("tar").current_dir(&folder).args(["-xzf", packed, "package/axe.min.js"]))?;
    Ok(file)
}
