//! `cargo xtask simulate`: a cluster on simulated time, and bugs that it has to find.

use std::fs;
use std::process::Command;

use crate::shell::{TaskError, cargo, root, run as execute};

/// Runs the simulator in release mode.
pub(crate) fn run(arguments: &[&str]) -> Result<(), TaskError> {
    execute(cargo().args(["run", "--quiet", "--release", "--package", "simulator", "--"]).args(arguments))
}

/// A bug to be planted: what stands in a file of the server, and what takes its place.
struct Bug<'a> {
    name: &'a str,
    file: &'a str,
    right: &'a str,
    wrong: &'a str,
}

/// The most seeds in which a bug must be found.
const MOST_SEEDS: &str = "1000";

/// Plants each bug in a copy of the repository, and lets the simulator look for it.
pub(crate) fn planted(names: &[&str]) -> Result<(), TaskError> {
    let list = fs::read_to_string(root().join("crates/simulator/bugs.txt")).map_err(failed)?;
    let copy = root().join("target/planted");
    let mut missed = Vec::new();
    for bug in bugs(&list).filter(|bug| names.is_empty() || names.contains(&bug.name)) {
        if copy.exists() {
            fs::remove_dir_all(&copy).map_err(failed)?;
        }
        execute(Command::new("git").args(["clone", "--quiet", "--shared"]).arg(root()).arg(&copy))?;
        let file = copy.join(bug.file);
        let text = fs::read_to_string(&file).map_err(failed)?;
        if text.matches(bug.right).count() != 1 {
            return Err(TaskError::new(format!("{}: {:?} is not once in {}", bug.name, bug.right, bug.file)));
        }
        fs::write(&file, text.replace(bug.right, bug.wrong)).map_err(failed)?;
        println!("── {}", bug.name);
        let simulate =
            ["run", "--quiet", "--release", "--package", "simulator", "--", "--seed", "1", "--seeds", MOST_SEEDS];
        let target = root().join("target/planted-build");
        let mut command = cargo();
        command.current_dir(&copy).env("CARGO_TARGET_DIR", target).args(simulate).arg("--first");
        if execute(&mut command).is_ok() {
            missed.push(bug.name);
        }
    }
    if missed.is_empty() { Ok(()) } else { Err(TaskError::new(format!("not found: {}", missed.join(", ")))) }
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
        assert!(bugs(&list).count() >= 20);
        for bug in bugs(&list) {
            let text = fs::read_to_string(root().join(bug.file)).unwrap();
            assert_eq!(text.matches(bug.right).count(), 1, "{}: {:?} in {}", bug.name, bug.right, bug.file);
        }
    }
}
