//! The browser app: two WebAssembly modules and their files, small enough for a phone.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::setup;
use crate::shell::{Failure, cargo, output, root, run as execute};

/// The most a first visit may load, in bytes over the wire.
const MOST_FIRST_LOAD: u64 = 300_000;

/// What a browser asks for until somebody plays, besides the modules' small helpers. The engine is
/// fetched when it is first asked, and all the rest once the page stands, for use without a network.
const FIRST_LOAD: [&str; 10] = [
    "index.html",
    "style.css",
    "board.css",
    "layout.css",
    "boot.js",
    "fourfold-app.js",
    "fourfold-app_bg.wasm",
    "manifest.webmanifest",
    "icons/fourfold.svg",
    "sw.js",
];

/// Of these a visitor needs one; the heaviest counts.
const ONE_OF: [&str; 3] = ["texts/uk.txt", "texts/ru.txt", "texts/en.txt"];

/// The profile in Cargo.toml.
const PROFILE: &str = "web";

/// The modules with what they change in the profile: the page has to be small, the engine has to be fast.
///
/// Settings rather than two profiles, because then all the crates that they share are built once.
const MODULES: [(&str, &[&str]); 2] = [
    ("fourfold-app", &[]),
    ("fourfold-engine", &["profile.web.package.rules.opt-level=3", "profile.web.package.search.opt-level=3"]),
];

/// `cargo xtask web`: builds the app and fails if a first visit would load too much.
pub(crate) fn check() -> Result<(), Failure> {
    build()?;
    weigh(&bundle_folder())
}

/// Where the server looks for the app when it is compiled.
fn bundle_folder() -> PathBuf {
    root().join("target/web-bundle")
}

/// Builds the app.
pub(crate) fn build() -> Result<(), Failure> {
    setup::toolchain()?;
    let modules = MODULES.iter().map(|(name, settings)| compile(name, settings)).collect::<Result<Vec<_>, _>>()?;
    execute(cargo().args(["build", "--quiet", "--package", "bundle"]))?;
    let bundler = target_folder()?.join("debug").join(format!("bundle{}", std::env::consts::EXE_SUFFIX));
    let (statics, bundle) = (root().join("crates/web/static"), bundle_folder());
    let mut inputs = modules.clone();
    inputs.push(bundler.clone());
    inputs.push(statics.clone());
    if is_newer(&bundle.join("sw.js.br"), &inputs) {
        println!("   the bundle is up to date");
    } else {
        let mut command = std::process::Command::new(bundler);
        execute(command.arg(statics).arg(&bundle).args(modules))?;
    }
    Ok(())
}

fn compile(name: &str, settings: &[&str]) -> Result<PathBuf, Failure> {
    let mut command = cargo();
    command.args(["build", "--quiet", "--package", "web", "--bin", name, "--profile", PROFILE]);
    settings.iter().for_each(|setting| {
        command.args(["--config", setting]);
    });
    execute(command.args(["--target", setup::WASM]))?;
    Ok(target_folder()?.join(setup::WASM).join(PROFILE).join(format!("{name}.wasm")))
}

/// Where cargo puts what it builds, wherever the environment or its configuration says.
fn target_folder() -> Result<PathBuf, Failure> {
    let about = output(cargo().args(["metadata", "--format-version", "1", "--no-deps", "--offline"]))?;
    let found = about.split_once("\"target_directory\":\"").and_then(|(_, rest)| rest.split_once('"'));
    let (folder, _) = found.ok_or_else(|| Failure::new("cargo metadata names no target directory"))?;
    Ok(PathBuf::from(folder.replace("\\\\", "\\")))
}

fn is_newer(made: &Path, inputs: &[PathBuf]) -> bool {
    let Some(made) = changed(made) else { return false };
    inputs.iter().all(|input| changed(input).is_some_and(|changed| changed < made))
}

/// When a file, or anything in a folder, last changed.
fn changed(path: &Path) -> Option<SystemTime> {
    let own = fs::metadata(path).and_then(|about| about.modified()).ok()?;
    let Ok(entries) = fs::read_dir(path) else { return Some(own) };
    entries.flatten().filter_map(|entry| changed(&entry.path())).chain([own]).max()
}

/// Adds up the first load and fails if it is too much.
fn weigh(bundle: &Path) -> Result<(), Failure> {
    let (mut total, mut heaviest) = (0, 0);
    let mut files = Vec::new();
    packed_files(bundle, &mut files);
    for (name, size) in files.iter().map(|(path, size)| (path.strip_prefix(bundle).unwrap_or(path), size)) {
        let name = name.with_extension("").to_string_lossy().replace('\\', "/");
        let when = if ONE_OF.contains(&name.as_str()) {
            heaviest = heaviest.max(*size);
            "one of these"
        } else if FIRST_LOAD.contains(&name.as_str()) || name.starts_with("snippets/") {
            total += size;
            "first load"
        } else {
            "later"
        };
        println!("   {:7.1} kB  {when:12} {name}", *size as f64 / 1000.0);
    }
    total += heaviest;
    let shown = format!("the first load is {:.1} kB with brotli", total as f64 / 1000.0);
    println!("   {shown}");
    if files.is_empty() {
        return Err(Failure::new("the bundle is empty"));
    }
    if total > MOST_FIRST_LOAD {
        return Err(Failure::new(format!("{shown}, and may be {} kB", MOST_FIRST_LOAD / 1000)));
    }
    Ok(())
}

fn packed_files(folder: &Path, files: &mut Vec<(PathBuf, u64)>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            packed_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "br") {
            files.push((path, entry.metadata().map_or(0, |about| about.len())));
        }
    }
    files.sort();
}
