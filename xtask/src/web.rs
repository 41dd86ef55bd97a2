//! The browser app: its WebAssembly modules and their files, small enough for a phone.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::no_games;
use crate::setup;
use crate::shell::{TaskError, cargo, output, root, run as execute};

/// What a browser asks for on every first visit. The engine is fetched when it
/// is first asked, and all the rest once the page stands, for use without a network.
const EVERY_VISIT: [&str; 9] = [
    "index.html",
    "manifest.webmanifest",
    "sw.js",
    "icons/fourfold.svg",
    "BUILD/boot.js",
    "BUILD/fourfold-app.js",
    "BUILD/chunks.js",
    "BUILD/scripts.js",
    "BUILD/app.css",
];

/// The most that a visit may load, in bytes over the wire: so much whatever the games, and so much for each game of the list,
/// whose name, picture, texts or code it loads, so that a new game has its own share and takes no other's.
struct Bar {
    base: u64,
    each_game: u64,
}

impl Bar {
    const fn new(base: u64, each_game: u64) -> Bar {
        Bar { base, each_game }
    }

    fn most(&self, games: usize) -> u64 {
        self.base + self.each_game * games as u64
    }
}

/// Where a first visit can begin: a pattern of the table of routes, and the most it may load.
const FIRST_VISITS: [(&str, &str, Bar); 7] = [
    ("the home page", "/", Bar::new(76_000, 2_000)),
    ("a game that begins at once", "/{game}/start?{settings}", Bar::new(170_000, 1_000)),
    ("a friend's table", "/t/{id}", Bar::new(183_000, 1_000)),
    ("the rules of a game", "/learn/{game}", Bar::new(213_000, 1_000)),
    ("the analysis board", "/analyse#{details}", Bar::new(278_000, 10_000)),
    ("the lobby", "/online", Bar::new(160_000, 1_000)),
    ("the puzzles of the day", "/puzzles?{details}", Bar::new(178_000, 1_000)),
];

/// The most that all pages and all later chunks may load together in one language, without the engine, the graded exercises
/// and the puzzles.
const MOST_TOGETHER: Bar = Bar::new(480_000, 10_000);

const LANGUAGES: [&str; 3] = ["uk", "ru", "en"];

/// How the app is compiled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// As small as it gets.
    Ship,
    /// In the shortest time, to look at a change.
    Quick,
}

/// One of the two modules.
struct Module {
    package: &'static str,
    program: &'static str,
    /// The profiles in Cargo.toml, as small as it gets and in the shortest time. Each package has its own, so that both are
    /// compiled at the same time.
    profiles: [&'static str; 2],
    flags: &'static [&'static str],
}

impl Module {
    fn profile(&self, effort: Effort) -> &'static str {
        self.profiles[effort as usize]
    }
}

/// The program of the pages, which has to be small. The splitter needs to know where its addresses are.
const APP: Module = Module {
    package: "web",
    program: "fourfold-app",
    profiles: ["web", "web-quick"],
    flags: &["-Clink-arg=--emit-relocs"],
};

/// The engine has to be fast.
const ENGINE: Module =
    Module { package: "engine", program: "fourfold-engine", profiles: ["engine", "engine-quick"], flags: &[] };

/// `cargo xtask web`: builds the app and fails if a first visit would load too much.
pub(crate) fn check() -> Result<(), TaskError> {
    build()?;
    weigh(&bundle_folder())
}

/// `cargo xtask web --quick`: builds the app to look at it, several times as large as the one for visitors.
pub(crate) fn quick() -> Result<(), TaskError> {
    build_with(Effort::Quick).map(drop)
}

/// The step `web`: also proves that the same input gives the same files, without which a build's name would mean nothing.
pub(crate) fn test() -> Result<(), TaskError> {
    let modules = build()?;
    let again = bundle_folder().with_extension("again");
    bundle(&modules, &again, &["--plain"])?;
    let different = different_files(&again, &bundle_folder());
    fs::remove_dir_all(&again).map_err(|error| TaskError::new(error.to_string()))?;
    if !different.is_empty() {
        return Err(TaskError::new(format!("two runs of the bundler differ in {}", different.join(", "))));
    }
    weigh(&bundle_folder())
}

/// The longest part of the step `web`, to be done beside other work.
pub(crate) fn compile_ahead() -> Result<(), TaskError> {
    compile_all(Effort::Ship, &[]).map(drop)
}

/// Where the server looks for the app when it is compiled.
fn bundle_folder() -> PathBuf {
    root().join("target/web-bundle")
}

/// Builds the app; gives its modules.
pub(crate) fn build() -> Result<[PathBuf; 2], TaskError> {
    build_with(Effort::Ship)
}

/// Builds the app and a program that embeds it, unoptimised as the tests have it; gives its path.
pub(crate) fn build_with_program(program: &str) -> Result<PathBuf, TaskError> {
    // First without the app: all that the program consists of is compiled beside the modules, and little is left to do.
    build_beside(Effort::Ship, &["--bin", program])?;
    self::program(program)
}

/// Builds a program of the workspace, unoptimised and with the same crates as the tests; gives its path.
pub(crate) fn program(name: &str) -> Result<PathBuf, TaskError> {
    execute(cargo().args(["build", "--quiet", "--workspace", "--bin", name]))?;
    Ok(target_folder()?.join("debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX)))
}

fn build_with(effort: Effort) -> Result<[PathBuf; 2], TaskError> {
    build_beside(effort, &[])
}

/// Builds the app, and beside it other programs of the workspace.
fn build_beside(effort: Effort, programs: &[&str]) -> Result<[PathBuf; 2], TaskError> {
    setup::toolchain()?;
    let modules = compile_all(effort, programs)?;
    let mut inputs = modules.to_vec();
    inputs.extend([bundler()?, statics()]);
    // A bundle of the other effort is not up to date, however new.
    let made_by = bundle_folder().with_added_extension("profile");
    let profile = APP.profile(effort);
    let is_same = fs::read_to_string(&made_by).is_ok_and(|made_by| made_by == profile);
    if is_same && is_newer(&bundle_folder().join("sw.js.br"), &inputs) {
        println!("   the bundle is up to date");
    } else {
        bundle(&modules, &bundle_folder(), if effort == Effort::Quick { &["--quick"] } else { &[] })?;
        fs::write(&made_by, profile).map_err(|error| TaskError::new(error.to_string()))?;
    }
    Ok(modules)
}

/// The two modules and the program that makes a bundle of them, all at the same time: the last step of each module is one
/// long task, beside which a second processor would have nothing to do.
fn compile_all(effort: Effort, programs: &[&str]) -> Result<[PathBuf; 2], TaskError> {
    std::thread::scope(|scope| {
        let modules = [APP, ENGINE].map(|module| scope.spawn(move || compile(&module, effort)));
        // With the features of the whole workspace, so that the tests find the same crates compiled.
        let bundler = execute(cargo().args(["build", "--quiet", "--workspace", "--bin", "bundle"]).args(programs));
        let [app, engine] =
            modules.map(|module| module.join().unwrap_or_else(|_| Err(TaskError::new("a build panicked"))));
        bundler?;
        Ok([app?, engine?])
    })
}

fn bundle(modules: &[PathBuf; 2], out: &Path, flags: &[&str]) -> Result<(), TaskError> {
    let mut command = std::process::Command::new(bundler()?);
    execute(command.arg(statics()).arg(out).args(modules).args(flags))
}

fn bundler() -> Result<PathBuf, TaskError> {
    Ok(target_folder()?.join("debug").join(format!("bundle{}", std::env::consts::EXE_SUFFIX)))
}

fn statics() -> PathBuf {
    root().join("crates/web/static")
}

fn compile(module: &Module, effort: Effort) -> Result<PathBuf, TaskError> {
    let profile = module.profile(effort);
    let mut command = cargo();
    command.args(["rustc", "--quiet", "--package", module.package, "--profile", profile]);
    command.args(["--target", setup::WASM, "--bin", module.program, "--"]);
    execute(command.args(module.flags))?;
    Ok(target_folder()?.join(setup::WASM).join(profile).join(format!("{}.wasm", module.program)))
}

/// Where cargo puts what it builds, wherever the environment or its configuration says.
fn target_folder() -> Result<PathBuf, TaskError> {
    let about = output(cargo().args(["metadata", "--format-version", "1", "--no-deps", "--offline"]))?;
    let found = about.split_once("\"target_directory\":\"").and_then(|(_, rest)| rest.split_once('"'));
    let (folder, _) = found.ok_or_else(|| TaskError::new("cargo metadata names no target directory"))?;
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

/// Files of one folder that another has not, or not with the same content.
fn different_files(folder: &Path, other: &Path) -> Vec<String> {
    let mut files = Vec::new();
    collect_files(folder, &mut files);
    let names = files.iter().filter_map(|file| file.strip_prefix(folder).ok());
    let differs = |name: &&Path| fs::read(folder.join(name)).ok() != fs::read(other.join(name)).ok();
    names.filter(differs).map(|name| name.display().to_string()).collect()
}

fn collect_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { collect_files(&path, files) } else { files.push(path) }
    }
    files.sort();
}

/// Adds up each first load and fails if one is too much.
fn weigh(bundle: &Path) -> Result<(), TaskError> {
    let weights = Weights::of(bundle)?;
    for (name, size) in &weights.packed {
        println!("   {:7.1} kB  {name}", *size as f64 / 1000.0);
    }
    let mut too_heavy = Vec::new();
    let games = no_games::games(&root())?.len();
    let mut judge = |what: &str, size: u64, bar: Bar| {
        let most = bar.most(games);
        let shown = format!("{what}: {:.1} kB with brotli of at most {}", size as f64 / 1000.0, most / 1000);
        println!("   {shown}");
        if size > most {
            too_heavy.push(shown);
        }
    };
    for (what, pattern, most) in FIRST_VISITS {
        judge(&format!("a first visit to {what}"), weights.first_visit(&[pattern])?, most);
    }
    let all: Vec<&str> = weights.loads.iter().map(|(pattern, _)| pattern.as_str()).collect();
    judge("all pages together", weights.first_visit(&all)?, MOST_TOGETHER);
    if too_heavy.is_empty() { Ok(()) } else { Err(TaskError::new(too_heavy.join("\n"))) }
}

/// What is in a bundle.
struct Weights {
    /// The size of every file with brotli, with `BUILD` for the folder of the build.
    packed: Vec<(String, u64)>,
    /// What each page loads, as the bundler lists it: the pattern of its address, and its files in that folder. After the
    /// pages come the chunks that are fetched later, by their names.
    loads: Vec<(String, Vec<String>)>,
}

impl Weights {
    fn of(bundle: &Path) -> Result<Weights, TaskError> {
        let mut files = Vec::new();
        collect_files(bundle, &mut files);
        let named = |file: &PathBuf| {
            let name = file.strip_prefix(bundle).ok()?.to_str()?.strip_suffix(".br")?.replace('\\', "/");
            let name = match name.split_once('/') {
                Some((folder, rest)) if folder.starts_with("build-") => format!("BUILD/{rest}"),
                _ => name,
            };
            Some((name, fs::metadata(file).ok()?.len()))
        };
        let list = fs::read_to_string(bundle.with_added_extension("loads"));
        let list = list.map_err(|error| TaskError::new(format!("nothing says what pages load: {error}")))?;
        let line = |line: &str| {
            let mut words = line.split(' ').map(str::to_owned);
            Some((words.next()?, words.map(|file| format!("BUILD/{file}")).collect()))
        };
        Ok(Weights { packed: files.iter().filter_map(named).collect(), loads: list.lines().filter_map(line).collect() })
    }

    /// What a first visit loads that comes by these pages, in the heaviest language.
    fn first_visit(&self, patterns: &[&str]) -> Result<u64, TaskError> {
        let mut files: Vec<&str> = EVERY_VISIT.to_vec();
        for pattern in patterns {
            let load = self.loads.iter().find(|(other, _)| other == pattern);
            let (_, load) = load.ok_or_else(|| TaskError::new(format!("there is no page {pattern}")))?;
            files.extend(load.iter().map(String::as_str));
        }
        files.sort_unstable();
        files.dedup();
        // A visitor of all pages has all games; of the puzzles, which are no code, a visitor fetches those of a day or many.
        if patterns.len() > 1 {
            files.retain(|file| !file.contains('|') && !file.contains("/puzzles/"));
        }
        let in_language = |language: &str| -> Result<u64, TaskError> {
            files.iter().map(|file| self.heaviest(&file.replace("{language}", language))).sum()
        };
        LANGUAGES.into_iter().map(in_language).try_fold(0, |most, size| Ok(u64::max(most, size?)))
    }

    /// The size of a file; where one of several is loaded, `{quarto|quixo}.chunk`, of the largest.
    fn heaviest(&self, name: &str) -> Result<u64, TaskError> {
        let Some((before, (choices, after))) =
            name.split_once('{').and_then(|(it, rest)| Some((it, rest.split_once('}')?)))
        else {
            return self.size(name);
        };
        let mut sizes = choices.split('|').map(|choice| self.size(&format!("{before}{choice}{after}")));
        sizes.try_fold(0, |most, size| Ok(u64::max(most, size?)))
    }

    fn size(&self, name: &str) -> Result<u64, TaskError> {
        let found = self.packed.iter().find(|(other, _)| other == name);
        found.map(|(_, size)| *size).ok_or_else(|| TaskError::new(format!("the bundle has no {name}")))
    }
}
