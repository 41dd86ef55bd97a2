//! The browser app: two WebAssembly modules and their files, small enough for a phone.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::setup;
use crate::shell::{Failure, cargo, output, root, run as execute};

/// The most a first visit may load, in bytes over the wire.
const MOST_FIRST_LOAD: u64 = 300_000;

/// What a browser asks for before the first page stands, besides style sheets and the modules' small helpers.
const FIRST_LOAD: [&str; 6] =
    ["index.html", "boot.js", "fourfold-app.js", "fourfold-app_bg.wasm", "manifest.webmanifest", "icons/fourfold.svg"];

/// The profile in Cargo.toml.
const PROFILE: &str = "web";

/// The modules with what they change in the profile: the page has to be small, the engine has to be fast.
///
/// Settings rather than two profiles, because then all the crates that they share are built once.
const MODULES: [(&str, &[&str]); 2] = [
    ("fourfold-app", &[]),
    ("fourfold-engine", &["profile.web.package.rules.opt-level=3", "profile.web.package.search.opt-level=3"]),
];

/// What happens when the first load is too heavy.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TooHeavy {
    /// It is a failure: the bar is being checked.
    Fails,
    /// It is said, and the app is used all the same.
    Warns,
}

/// `cargo xtask web`: builds the app into `target/web-bundle`, where the server looks for it, and weighs it.
pub(crate) fn build(too_heavy: TooHeavy) -> Result<(), Failure> {
    setup::toolchain()?;
    let modules = MODULES.iter().map(|(name, settings)| compile(name, settings)).collect::<Result<Vec<_>, _>>()?;
    execute(cargo().args(["build", "--quiet", "--package", "bundle"]))?;
    let bundler = target_folder()?.join("debug").join(format!("bundle{}", std::env::consts::EXE_SUFFIX));
    let (statics, bundle) = (root().join("crates/web/static"), root().join("target/web-bundle"));
    let mut inputs = modules.clone();
    inputs.push(bundler.clone());
    inputs.push(statics.clone());
    if is_newer(&bundle.join("sw.js.br"), &inputs) {
        println!("   the bundle is up to date");
    } else {
        let mut command = std::process::Command::new(bundler);
        execute(command.arg(statics).arg(&bundle).args(modules))?;
    }
    weigh(&bundle, too_heavy)
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
fn weigh(bundle: &Path, too_heavy: TooHeavy) -> Result<(), Failure> {
    let mut total = 0;
    let mut files = Vec::new();
    packed_files(bundle, &mut files);
    for (name, size) in files.iter().map(|(path, size)| (path.strip_prefix(bundle).unwrap_or(path), size)) {
        let name = name.with_extension("").to_string_lossy().replace('\\', "/");
        let first = FIRST_LOAD.contains(&name.as_str()) || name.ends_with(".css") || name.starts_with("snippets/");
        if first {
            total += size;
        }
        println!("   {:7.1} kB  {} {name}", *size as f64 / 1000.0, if first { "first load" } else { "later     " });
    }
    let shown = format!("the first load is {:.1} kB with brotli", total as f64 / 1000.0);
    println!("   {shown}");
    if files.is_empty() {
        return Err(Failure::new("the bundle is empty"));
    }
    let complaint = format!("{shown}, and may be {} kB", MOST_FIRST_LOAD / 1000);
    match too_heavy {
        _ if total <= MOST_FIRST_LOAD => Ok(()),
        TooHeavy::Fails => Err(Failure::new(complaint)),
        TooHeavy::Warns => {
            println!("   warning: {complaint}");
            Ok(())
        }
    }
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
