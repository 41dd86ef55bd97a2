//! `cargo xtask simulate`: a cluster on simulated time, and bugs that it has to find.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{TaskError, cargo, output, root, run as execute};

/// Runs the simulator, optimised.
pub(crate) fn run(arguments: &[&str]) -> Result<(), TaskError> {
    execute(cargo().args(["run", "--quiet", "--profile", PROFILE, "--package", "simulator", "--"]).args(arguments))
}

/// See Cargo.toml.
const PROFILE: &str = "simulate";

/// A bug to be planted: what stands in a file of the server, and what takes its place.
struct Bug<'a> {
    name: &'a str,
    file: &'a str,
    right: &'a str,
    wrong: &'a str,
}

/// The most seeds in which a bug must be found.
const MOST_SEEDS: u32 = 1000;

/// The environment variable that names the bug to be found.
const CHOSEN: &str = "FOURFOLD_PLANTED";

/// The module that a bug asks whether it is the one to be found.
const MODULE: &str = "
mod planted {
    pub(crate) fn is(name: &str) -> bool {
        static CHOSEN: std::sync::LazyLock<String> =
            std::sync::LazyLock::new(|| std::env::var(\"FOURFOLD_PLANTED\").unwrap_or_default());
        *CHOSEN == name
    }
}
";

/// Plants all bugs in a copy of the last commit, compiles it once, and lets the simulator look for each.
pub(crate) fn planted(names: &[&str]) -> Result<(), TaskError> {
    let list = fs::read_to_string(root().join("crates/simulator/bugs.txt")).map_err(failed)?;
    let program = compile_planted(&list)?;
    let mut missed = Vec::new();
    let mut found = Vec::new();
    for bug in bugs(&list).filter(|bug| names.is_empty() || names.contains(&bug.name)) {
        let simulate = |bug: &str, first: u32, seeds: u32| -> Result<String, TaskError> {
            let seeds = ["--seed".to_owned(), first.to_string(), "--seeds".to_owned(), seeds.to_string()];
            let said = Command::new(&program).env(CHOSEN, bug).args(seeds).arg("--first").output().map_err(failed)?;
            Ok(String::from_utf8_lossy(&said.stdout).into_owned())
        };
        let said = simulate(bug.name, 1, MOST_SEEDS)?;
        match noticed(&said) {
            Some((clean, problem)) => {
                let seed = clean + 1;
                println!("{}: seed {seed}: {problem}", bug.name);
                found.push(seed);
                // Otherwise it is not the planted bug that was found.
                if noticed(&simulate("", seed, 1)?).is_some() {
                    return Err(TaskError::new(format!("seed {seed} fails without any bug")));
                }
            }
            None => {
                println!("{}: NOT FOUND\n{said}", bug.name);
                missed.push(bug.name);
            }
        }
    }
    found.sort_unstable();
    let (middle, last) = (found.get(found.len() / 2).copied().unwrap_or(0), found.last().copied().unwrap_or(0));
    println!(
        "{} of {} found; after {middle} seeds half of them, after {last} the last",
        found.len(),
        found.len() + missed.len()
    );
    if missed.is_empty() { Ok(()) } else { Err(TaskError::new(format!("not found: {}", missed.join(", ")))) }
}

/// How many seeds were clean before one failed, and what was noticed, if one did.
fn noticed(said: &str) -> Option<(u32, &str)> {
    let (clean, problem) = said.lines().find_map(|line| line.split_once(" after ")?.1.split_once(" clean ones: "))?;
    Some((clean.parse().ok()?, problem))
}

/// The simulator with all bugs of a list, each of which an environment variable switches on; compiled once for each commit.
fn compile_planted(list: &str) -> Result<PathBuf, TaskError> {
    let commit = output(Command::new("git").current_dir(root()).args(["rev-parse", "HEAD"]))?;
    let program = root().join("target/planted-programs").join(commit.trim());
    if program.exists() {
        return Ok(program);
    }
    let copy = root().join("target/planted");
    if copy.exists() {
        fs::remove_dir_all(&copy).map_err(failed)?;
    }
    execute(Command::new("git").args(["clone", "--quiet", "--shared"]).arg(root()).arg(&copy))?;
    bugs(list).try_for_each(|bug| bug.plant(&copy))?;
    let library = copy.join("crates/server/src/lib.rs");
    let text = fs::read_to_string(&library).map_err(failed)?;
    fs::write(library, text + MODULE).map_err(failed)?;
    // In the same folder as everything else, which has the dependencies already.
    let target = root().join("target");
    let build = ["build", "--quiet", "--profile", PROFILE, "--package", "simulator"];
    execute(cargo().current_dir(&copy).env("CARGO_TARGET_DIR", &target).args(build))?;
    fs::create_dir_all(root().join("target/planted-programs")).map_err(failed)?;
    fs::copy(target.join(PROFILE).join("simulate"), &program).map_err(failed)?;
    Ok(program)
}

impl Bug<'_> {
    /// Changes the file in a copy of the repository.
    fn plant(&self, copy: &Path) -> Result<(), TaskError> {
        let file = copy.join(self.file);
        let text = fs::read_to_string(&file).map_err(failed)?;
        if text.matches(self.right).count() != 1 {
            return Err(TaskError::new(format!("{}: {:?} is not once in {}", self.name, self.right, self.file)));
        }
        let wrong = self.wrong.replace("$ON", &format!("crate::planted::is({:?})", self.name));
        fs::write(&file, text.replace(self.right, &wrong)).map_err(failed)
    }
}

/// The bugs of a list: four lines each, divided by empty ones.
fn bugs(list: &str) -> impl Iterator<Item = Bug<'_>> {
    let lines: Vec<&str> = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let bugs: Vec<[&str; 4]> = lines.chunks(4).filter_map(|lines| lines.try_into().ok()).collect();
    bugs.into_iter().map(|[name, file, right, wrong]| Bug { name, file, right: right.trim(), wrong: wrong.trim() })
}

fn failed(error: std::io::Error) -> TaskError {
    TaskError::new(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bug_can_be_planted_once() {
        let list = fs::read_to_string(root().join("crates/simulator/bugs.txt")).unwrap();
        assert!(bugs(&list).count() >= 40);
        for bug in bugs(&list) {
            assert!(bug.wrong.contains("$ON"), "{} would always be there", bug.name);
            let text = fs::read_to_string(root().join(bug.file)).unwrap();
            assert_eq!(text.matches(bug.right).count(), 1, "{}: {:?} in {}", bug.name, bug.right, bug.file);
        }
    }
}
