//! What `cargo test --workspace` compiled, to be run again in other ways.
//!
//! A cargo command for one package compiles its dependencies with other features, and so nearly everything once more,
//! which takes minutes. These programs are run as they are.

use std::path::PathBuf;
use std::process::Command;

use crate::shell::{TaskError, cargo, output, root, run};

/// A program with the manifest of the package it belongs to.
struct Program {
    manifest: PathBuf,
    path: PathBuf,
    is_test: bool,
}

/// The programs of the whole workspace.
pub(crate) struct Compiled(Vec<Program>);

impl Compiled {
    /// Compiles what is not yet.
    pub(crate) fn workspace() -> Result<Compiled, TaskError> {
        println!("   $ cargo test --workspace --no-run");
        let said = output(cargo().args(["test", "--quiet", "--workspace", "--no-run", "--message-format", "json"]))?;
        Ok(Compiled(said.lines().filter_map(program).collect()))
    }

    /// A program by its name, as the tests use it.
    pub(crate) fn program(&self, name: &str) -> Result<&PathBuf, TaskError> {
        let named = |program: &&Program| !program.is_test && program.path.file_stem().is_some_and(|n| n == name);
        let found = self.0.iter().find(named).map(|program| &program.path);
        found.ok_or_else(|| TaskError::new(format!("cargo compiled no program called {name}")))
    }

    /// Runs the test programs in a member's folder, one after the other whatever fails, each as `prepare` leaves it and up
    /// to `tries` times.
    pub(crate) fn test(&self, member: &str, tries: u32, prepare: impl Fn(&mut Command)) -> Result<(), TaskError> {
        let folder = root().join(member);
        let manifest = folder.join("Cargo.toml");
        let mut tests = self.0.iter().filter(|program| program.is_test && program.manifest == manifest).peekable();
        if tests.peek().is_none() {
            return Err(TaskError::new(format!("cargo compiled no test in {member}")));
        }
        let mut failures = Vec::new();
        for test in tests {
            let mut command = Command::new(&test.path);
            command.arg("--quiet").current_dir(&folder);
            prepare(&mut command);
            let mut result = run(&mut command);
            for number in 2..=tries {
                if result.is_ok() {
                    break;
                }
                println!("   FAILED, try {number} of {tries}");
                result = run(&mut command);
            }
            failures.extend(result.err().map(|failure| failure.to_string()));
        }
        if failures.is_empty() { Ok(()) } else { Err(TaskError::new(failures.join("; "))) }
    }
}

/// A line of cargo's messages, if it names a program.
fn program(line: &str) -> Option<Program> {
    let text = |name: &str| {
        let (_, rest) = line.split_once(&format!("\"{name}\":\""))?;
        Some(PathBuf::from(rest.split_once('"')?.0.replace("\\\\", "\\")))
    };
    // The profile comes after the target, which says only whether it could be tested.
    let is_test = line.split_once("\"profile\":")?.1.contains("\"test\":true");
    Some(Program { manifest: text("manifest_path")?, path: text("executable")?, is_test })
}
