//! Small bugs, one at a time, and whether the tests notice.
//!
//! cargo-mutants says which bugs; it would compile and link every one of some 5,000 by itself. Here all bugs of a part are
//! planted in one copy of the workspace, which is compiled once, and an environment variable chooses one. Only the tests that
//! reach a bug are asked about it, the quickest first, until one fails.

mod compile;
mod copy;
mod mutant;
mod plant;
mod report;
mod tests;
mod trial;

use std::fmt;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// A part of the tree that is mutated, and the tests that have to notice.
pub(crate) struct Part {
    pub(crate) name: &'static str,
    files: &'static str,
    /// The packages whose tests are run.
    pub(crate) packages: &'static [&'static str],
    /// Which of their programs.
    pub(crate) targets: &'static [&'static str],
    /// How the names of the tests begin; none stands for all.
    pub(crate) only: &'static [&'static str],
}

/// Not the examples of the documentation: each is a program of its own.
const ALL_TESTS: &[&str] = &["--lib", "--tests"];

const PARTS: [Part; 4] = [
    Part {
        name: "rules",
        files: "crates/rules/src/**/*.rs",
        packages: &["rules", "testkit"],
        targets: ALL_TESTS,
        only: &[],
    },
    Part {
        name: "game",
        files: "crates/game/src/**/*.rs",
        packages: &["game", "testkit"],
        targets: ALL_TESTS,
        only: &[],
    },
    Part {
        name: "session",
        files: "crates/session/src/**/*.rs",
        packages: &["session"],
        targets: ALL_TESTS,
        only: &[],
    },
    Part {
        name: "tables",
        files: "crates/server/src/tables/**/*.rs",
        packages: &["server"],
        targets: &["--lib"],
        only: &["tables::", "hub::"],
    },
];

const USAGE: &str = "expected parts (rules, game, session, tables), files, --jobs=N, --every=N, --missed, --together";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            eprintln!("mutants: {failure}");
            ExitCode::from(2)
        }
    }
}

/// What the command line says.
pub(crate) struct Wishes<'a> {
    pub(crate) files: Vec<&'a str>,
    pub(crate) jobs: usize,
    /// Only what was missed last time.
    pub(crate) missed: bool,
    /// Every so many-th alone, for a first look.
    pub(crate) every: u32,
    /// Not those that need a compilation of their own.
    pub(crate) together: bool,
}

fn run(words: &[String]) -> Result<bool, Failure> {
    let number =
        |option: &str| words.iter().find_map(|word| word.strip_prefix(option)).map(str::parse::<u32>).transpose();
    let (jobs, every) = (number("--jobs=")?, number("--every=")?);
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let files = words.iter().filter(|word| word.contains('/')).map(String::as_str).collect();
    let wishes = Wishes {
        files,
        jobs: jobs.map_or(cores, |jobs| jobs as usize).max(1),
        every: every.unwrap_or(1).max(1),
        missed: words.iter().any(|word| word == "--missed"),
        together: words.iter().any(|word| word == "--together"),
    };
    let is_option = |word: &&String| {
        word.starts_with("--jobs=")
            || word.starts_with("--every=")
            || matches!(word.as_str(), "--missed" | "--together")
    };
    let names: Vec<&String> = words.iter().filter(|word| !is_option(word) && !word.contains('/')).collect();
    if names.iter().any(|name| !PARTS.iter().any(|part| part.name == **name)) {
        return Err(Failure::new(USAGE));
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    let mut well = true;
    for part in &PARTS {
        let head = part.files.trim_end_matches("**/*.rs");
        let own = wishes.files.iter().any(|file| file.starts_with(head));
        if names.is_empty() && wishes.files.is_empty() || names.iter().any(|name| *name == part.name) || own {
            let began = Instant::now();
            let results = trial::try_part(root, part, &wishes)?;
            well &= report::report(root, part, &results, began.elapsed())?;
        }
    }
    Ok(well)
}

/// Works on a list with several threads; the results in its order.
pub(crate) fn in_parallel<T: Sync, R: Send>(list: &[T], jobs: usize, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(list.len()));
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(it) = list.get(at) else { return };
                    let result = work(it);
                    done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((at, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Why nothing could be found out.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Failure {
        Failure(message.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure(error.to_string())
    }
}
