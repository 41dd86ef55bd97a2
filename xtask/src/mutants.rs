//! `cargo xtask mutants`: small bugs, one at a time, and whether the tests notice (cargo-mutants).

use std::fs;
use std::path::Path;
use std::time::Instant;

use crate::setup;
use crate::shell::{TaskError, cargo, root, run};

/// A part of the tree that is mutated, and the tests that have to notice.
struct Part {
    name: &'static str,
    files: &'static str,
    /// The packages whose tests are run.
    tested_by: &'static [&'static str],
    /// What `cargo test` is told besides.
    targets: &'static [&'static str],
}

/// Not the examples of the documentation: each is compiled by itself, for every mutant.
const NO_EXAMPLES: &[&str] = &["--lib", "--tests"];

const PARTS: [Part; 4] = [
    Part { name: "rules", files: "crates/rules/src/**/*.rs", tested_by: &["rules", "testkit"], targets: NO_EXAMPLES },
    Part { name: "game", files: "crates/game/src/**/*.rs", tested_by: &["game"], targets: NO_EXAMPLES },
    Part { name: "session", files: "crates/session/src/**/*.rs", tested_by: &["session"], targets: NO_EXAMPLES },
    Part {
        name: "tables",
        files: "crates/server/src/tables/**/*.rs",
        tested_by: &["server"],
        // Most of these tests wait.
        targets: &["--lib", "--", "--test-threads=16"],
    },
];

/// Mutants that the tests miss for a reason: two lines each, divided by empty ones.
const REASONS: &str = "xtask/mutants.txt";
/// So many of a hundred mutants that compile must be caught.
const LEAST: usize = 95;

/// Mutates the named parts, or all; with files only those. What begins with `--` is for cargo-mutants: `--shard=1/10`.
pub(crate) fn mutants(words: &[&str]) -> Result<(), TaskError> {
    setup::cargo_mutants()?;
    let (options, words): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| word.starts_with("--"));
    let (files, names): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| word.contains('/'));
    if let Some(unknown) = names.iter().find(|name| !PARTS.iter().any(|part| part.name == **name)) {
        return Err(TaskError::usage(format!("{unknown:?} is none of rules, game, session, tables and no file")));
    }
    let began = Instant::now();
    let mut found = Found::default();
    for part in PARTS.iter().filter(|part| part.is_chosen(&names, &files)) {
        let own: Vec<&str> = files.iter().filter(|file| part.holds(file)).copied().collect();
        found.add(&mutate(part, &own, &options)?)?;
    }
    found.report(began.elapsed().as_secs())
}

impl Part {
    fn holds(&self, file: &str) -> bool {
        file.starts_with(self.files.trim_end_matches("**/*.rs"))
    }

    fn is_chosen(&self, names: &[&str], files: &[&str]) -> bool {
        (names.is_empty() && files.is_empty())
            || names.contains(&self.name)
            || files.iter().any(|file| self.holds(file))
    }
}

/// Runs cargo-mutants; the folder of its results.
fn mutate(part: &Part, files: &[&str], options: &[&str]) -> Result<std::path::PathBuf, TaskError> {
    let folder = root().join("target/mutants").join(part.name);
    fs::create_dir_all(&folder).map_err(failed)?;
    let mut command = cargo();
    command.args(["mutants", "--no-shuffle", "--colors", "never", "--output"]).arg(&folder).args(options);
    let all = [part.files];
    for file in if files.is_empty() { &all } else { files } {
        command.args(["--file", file]);
    }
    for package in part.tested_by {
        command.args(["--test-package", package]);
    }
    // What is only shown to builders is not worth a test.
    command.args(["--exclude-re", "impl (std::)?(fmt::)?Debug"]).arg("--").args(part.targets);
    // It fails when mutants are missed; the results say which.
    let ended = run(&mut command);
    let results = folder.join("mutants.out");
    if results.join("caught.txt").exists() { Ok(results) } else { ended.map(|()| results) }
}

/// What became of the mutants.
#[derive(Default)]
struct Found {
    caught: usize,
    missed: Vec<String>,
}

impl Found {
    fn add(&mut self, results: &Path) -> Result<(), TaskError> {
        let lines = |name: &str| -> Result<Vec<String>, TaskError> {
            let text = fs::read_to_string(results.join(name)).map_err(failed)?;
            Ok(text.lines().map(str::to_owned).collect())
        };
        // A mutant that runs for ever is noticed too.
        self.caught += lines("caught.txt")?.len() + lines("timeout.txt")?.len();
        self.missed.extend(lines("missed.txt")?);
        Ok(())
    }

    fn report(self, seconds: u64) -> Result<(), TaskError> {
        let reasons = fs::read_to_string(root().join(REASONS)).map_err(failed)?;
        let (known, new): (Vec<&String>, Vec<&String>) =
            self.missed.iter().partition(|mutant| has_reason(&reasons, mutant));
        let viable = self.caught + self.missed.len();
        let percent = (self.caught * 100).checked_div(viable).unwrap_or(100);
        println!(
            "{viable} mutants that compile: {} caught ({percent} %), {} missed with a reason, {} without; {seconds} s",
            self.caught,
            known.len(),
            new.len()
        );
        new.iter().for_each(|mutant| println!("   missed: {mutant}"));
        if percent < LEAST || !new.is_empty() {
            return Err(TaskError::new(format!("below {LEAST} %, or missed without a reason in {REASONS}")));
        }
        Ok(())
    }
}

/// Whether a list of reasons names a mutant. The place in the file does not count: it changes too often.
fn has_reason(reasons: &str, mutant: &str) -> bool {
    let mut parts = mutant.splitn(4, ':');
    let (Some(file), _, _, Some(what)) = (parts.next(), parts.next(), parts.next(), parts.next()) else { return false };
    let name = format!("{file}:{what}");
    reasons.lines().any(|line| line == name)
}

fn failed(error: std::io::Error) -> TaskError {
    TaskError::new(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_holds_wherever_the_mutant_is_in_its_file() {
        let reasons = "# why\n\ncrates/a/src/b.rs: replace f -> u8 with 0\nit is only shown\n";
        assert!(has_reason(reasons, "crates/a/src/b.rs:12:5: replace f -> u8 with 0"));
        assert!(!has_reason(reasons, "crates/a/src/b.rs:12:5: replace f -> u8 with 1"));
        assert!(!has_reason(reasons, "nonsense"));
    }

    #[test]
    fn every_reason_is_about_a_file_that_is_there() {
        let reasons = fs::read_to_string(root().join(REASONS)).unwrap();
        let mutants = reasons.lines().filter(|line| line.starts_with("crates/"));
        for file in mutants.filter_map(|line| line.split(':').next()) {
            assert!(root().join(file).is_file(), "{file}");
        }
    }
}
