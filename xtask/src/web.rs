//! The browser app: its WebAssembly modules and their files, small enough for a phone.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::setup;
use crate::shell::{Failure, cargo, output, root, run as execute};

/// The most a first visit may load, in bytes over the wire.
const MOST_FIRST_LOAD: u64 = 300_000;

/// What a browser asks for on every first visit, besides the programs' small helpers. The engine is
/// fetched when it is first asked, and all the rest once the page stands, for use without a network.
const EVERY_VISIT: [&str; 8] = [
    "index.html",
    "style.css",
    "board.css",
    "layout.css",
    "boot.js",
    "manifest.webmanifest",
    "icons/fourfold.svg",
    "sw.js",
];

/// Where a first visit can begin.
struct FirstVisit {
    name: &'static str,
    /// What is fetched besides.
    files: &'static [&'static str],
    /// Files with texts, of which a visitor needs those of one language; the heaviest counts.
    texts: &'static [&'static str],
}

const FIRST_VISITS: [FirstVisit; 5] = [
    FirstVisit { name: "to play", files: &["fourfold-app.js", "fourfold-app_bg.wasm"], texts: &["texts/{}.txt"] },
    FirstVisit {
        name: "to learn",
        files: &["fourfold-learn.js", "fourfold-learn_bg.wasm", "learn.css"],
        texts: &["texts/{}.txt", "texts/{}-study.txt"],
    },
    FirstVisit {
        name: "to analyse",
        files: &["fourfold-study.js", "fourfold-study_bg.wasm", "analyse.css"],
        texts: &["texts/{}.txt", "texts/{}-study.txt"],
    },
    FirstVisit {
        name: "by a friend's link",
        files: &["fourfold-online.js", "fourfold-online_bg.wasm", "online.css"],
        texts: &["texts/{}.txt", "texts/{}-online.txt"],
    },
    FirstVisit {
        name: "to the lobby",
        files: &["fourfold-lobby.js", "fourfold-lobby_bg.wasm", "online.css"],
        texts: &["texts/{}.txt", "texts/{}-online.txt"],
    },
];

const LANGUAGES: [&str; 3] = ["uk", "ru", "en"];

/// The profile in Cargo.toml.
const PROFILE: &str = "web";

/// The programs of the pages, which have to be small. They are built by one call, so that cargo links them side by side.
const PAGES: [&str; 5] = ["fourfold-app", "fourfold-learn", "fourfold-study", "fourfold-online", "fourfold-lobby"];

/// The engine has to be fast. Settings rather than a profile of its own, because so all other crates are built once.
const ENGINE: &str = "fourfold-engine";
const FAST: [&str; 2] = ["profile.web.package.rules.opt-level=3", "profile.web.package.search.opt-level=3"];

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
    let mut modules = compile(&PAGES, &[])?;
    modules.extend(compile(&[ENGINE], &FAST)?);
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

fn compile(programs: &[&str], settings: &[&str]) -> Result<Vec<PathBuf>, Failure> {
    let mut command = cargo();
    command.args(["build", "--quiet", "--package", "web", "--profile", PROFILE, "--target", setup::WASM]);
    programs.iter().for_each(|program| {
        command.args(["--bin", program]);
    });
    settings.iter().for_each(|setting| {
        command.args(["--config", setting]);
    });
    execute(&mut command)?;
    let folder = target_folder()?.join(setup::WASM).join(PROFILE);
    Ok(programs.iter().map(|program| folder.join(format!("{program}.wasm"))).collect())
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

/// Adds up each first load and fails if one is too much.
fn weigh(bundle: &Path) -> Result<(), Failure> {
    let mut packed = Vec::new();
    packed_files(bundle, &mut packed);
    if packed.is_empty() {
        return Err(Failure::new("the bundle is empty"));
    }
    let named = |(path, size): (PathBuf, u64)| {
        let name = path.strip_prefix(bundle).unwrap_or(&path).with_extension("");
        (name.to_string_lossy().replace('\\', "/"), size)
    };
    let files: Vec<(String, u64)> = packed.into_iter().map(named).collect();
    for (name, size) in &files {
        println!("   {:7.1} kB  {name}", *size as f64 / 1000.0);
    }
    for visit in &FIRST_VISITS {
        let size = visit.weight(&files)?;
        let shown = format!("a first visit {} loads {:.1} kB with brotli", visit.name, size as f64 / 1000.0);
        println!("   {shown}");
        if size > MOST_FIRST_LOAD {
            return Err(Failure::new(format!("{shown}, and may load {} kB", MOST_FIRST_LOAD / 1000)));
        }
    }
    Ok(())
}

impl FirstVisit {
    /// What it loads in the heaviest language.
    fn weight(&self, files: &[(String, u64)]) -> Result<u64, Failure> {
        let size = |name: &str| {
            let found = files.iter().find(|(other, _)| other == name);
            found.map(|(_, size)| *size).ok_or_else(|| Failure::new(format!("the bundle has no {name}")))
        };
        let mut total: u64 = files.iter().filter(|(name, _)| name.starts_with("snippets/")).map(|(_, size)| size).sum();
        for name in EVERY_VISIT.iter().chain(self.files) {
            total += size(name)?;
        }
        let mut heaviest = 0;
        for language in LANGUAGES {
            let mut texts = 0;
            for name in self.texts {
                texts += size(&name.replace("{}", language))?;
            }
            heaviest = heaviest.max(texts);
        }
        Ok(total + heaviest)
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
