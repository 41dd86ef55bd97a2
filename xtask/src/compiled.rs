//! What `cargo test --workspace` compiled, to be run again in other ways.
//!
//! A cargo command for one package compiles its dependencies with other features, and so nearly everything once more,
//! which takes minutes. These programs are run as they are.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::shell::{TaskError, cargo, output, root};

/// All tests but those in documents, and no examples, which clippy looks at.
const TESTS: [&str; 2] = ["--workspace", "--tests"];

/// How many test programs run at a time.
const AT_ONCE: usize = 2;

/// How many tests of a program run at a time, as an environment variable for it. The slow ones wait for clocks and sockets
/// most of their time.
pub(crate) const FOUR_THREADS: (&str, &str) = ("RUST_TEST_THREADS", "4");

/// A program with the manifest of the package it belongs to.
struct Program {
    manifest: PathBuf,
    path: PathBuf,
    is_test: bool,
}

impl Program {
    /// Runs a test program; gives what it says, and why it failed.
    fn run(&self) -> (String, Option<String>) {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let folder = self.manifest.parent().unwrap_or(&self.manifest);
        let began = Instant::now();
        let mut command = Command::new(&self.path);
        command.arg("--quiet").env(FOUR_THREADS.0, FOUR_THREADS.1).current_dir(folder);
        let (said, failure) = match command.output() {
            Ok(output) => {
                let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
                (said.concat(), (!output.status.success()).then(|| format!("{name} failed ({})", output.status)))
            }
            Err(error) => (String::new(), Some(format!("cannot run {name}: {error}"))),
        };
        let seconds = began.elapsed().as_secs_f64();
        let end = if failure.is_some() { "FAILED" } else { "passed" };
        // What passed is summed up in a line; its own output helps with failures.
        let said = if failure.is_some() { said } else { String::new() };
        (format!("{said}   {name} {end} ({seconds:.1} s)\n"), failure)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The programs of the whole workspace.
pub(crate) struct Compiled(Vec<Program>);

impl Compiled {
    /// Compiles what is not yet.
    pub(crate) fn workspace() -> Result<Compiled, TaskError> {
        println!("   $ cargo test --no-run {}", TESTS.join(" "));
        let said = output(cargo().args(["test", "--quiet", "--no-run", "--message-format", "json"]).args(TESTS))?;
        Ok(Compiled(said.lines().filter_map(program).collect()))
    }

    /// A program by its name, as the tests use it.
    pub(crate) fn program(&self, name: &str) -> Result<&PathBuf, TaskError> {
        let named = |program: &&Program| !program.is_test && program.path.file_stem().is_some_and(|n| n == name);
        let found = self.0.iter().find(named).map(|program| &program.path);
        found.ok_or_else(|| TaskError::new(format!("cargo compiled no program called {name}")))
    }

    /// Runs every test program once, some at a time, and prints what each says when it has ended.
    pub(crate) fn test_all(&self) -> Result<(), TaskError> {
        let waiting = Mutex::new(self.0.iter().filter(|program| program.is_test).collect::<Vec<_>>());
        let failures = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..AT_ONCE {
                scope.spawn(|| {
                    loop {
                        let Some(test) = lock(&waiting).pop() else { break };
                        let (said, failure) = test.run();
                        // One lock for both keeps the lines of two programs apart.
                        let mut failures = lock(&failures);
                        print!("{said}");
                        failures.extend(failure);
                    }
                });
            }
        });
        let failures = failures.into_inner().unwrap_or_else(PoisonError::into_inner);
        if failures.is_empty() { Ok(()) } else { Err(TaskError::new(failures.join("; "))) }
    }

    /// Runs the test programs in a member's folder, one after the other whatever fails, each as `prepare` leaves it and up
    /// to `tries` times.
    pub(crate) fn test(&self, member: &str, tries: u32, prepare: impl Fn(&mut Command)) -> Result<(), TaskError> {
        let manifest = root().join(member).join("Cargo.toml");
        let tests: Vec<&Program> = self.0.iter().filter(|test| test.is_test && test.manifest == manifest).collect();
        if tests.is_empty() {
            return Err(TaskError::new(format!("cargo compiled no test in {member}")));
        }
        run_each(&tests, tries, prepare)
    }

    /// Runs one test program of a member, as `prepare` leaves it.
    pub(crate) fn test_file(&self, member: &str, name: &str, prepare: impl Fn(&mut Command)) -> Result<(), TaskError> {
        let manifest = root().join(member).join("Cargo.toml");
        let named = |test: &Program| {
            test.path
                .file_stem()
                .is_some_and(|stem| stem.to_string_lossy().rsplit_once('-').is_some_and(|(stem, _)| stem == name))
        };
        let tests: Vec<&Program> =
            self.0.iter().filter(|test| test.is_test && test.manifest == manifest && named(test)).collect();
        if tests.is_empty() {
            return Err(TaskError::new(format!("cargo compiled no test called {name} in {member}")));
        }
        run_each(&tests, 1, prepare)
    }
}

/// Runs test programs one after the other, whatever fails; failed tests alone are tried again.
fn run_each(tests: &[&Program], tries: u32, prepare: impl Fn(&mut Command)) -> Result<(), TaskError> {
    let mut failures = Vec::new();
    for test in tests {
        let command = || {
            let mut command = Command::new(&test.path);
            command.arg("--quiet").current_dir(test.manifest.parent().unwrap_or(&test.manifest));
            prepare(&mut command);
            command
        };
        let mut failed = run_tests(&mut command())?;
        for number in 2..=tries {
            match &failed {
                Some(names) if !names.is_empty() => {
                    println!("   FAILED, try {number} of {tries}: {}", names.join(", "));
                    failed = run_tests(command().arg("--exact").args(names))?;
                }
                _ => break,
            }
        }
        let name = test.path.file_name().unwrap_or_default().to_string_lossy();
        failures.extend(failed.map(|names| format!("{name} failed: {}", names.join(", "))));
    }
    if failures.is_empty() { Ok(()) } else { Err(TaskError::new(failures.join("; "))) }
}

/// Runs a test program and shows what it says; gives the names of the tests that failed, if it did.
fn run_tests(command: &mut Command) -> Result<Option<Vec<String>>, TaskError> {
    let broken = |error: std::io::Error| TaskError::new(format!("cannot run a test program: {error}"));
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(broken)?;
    let mut said = Vec::new();
    for line in BufReader::new(child.stdout.take().expect("it is piped")).lines() {
        let line = line.map_err(broken)?;
        println!("{line}");
        said.push(line);
    }
    let status = child.wait().map_err(broken)?;
    Ok((!status.success()).then(|| failed_tests(&said)))
}

/// The names in the list at the end of a test program's output.
fn failed_tests(said: &[String]) -> Vec<String> {
    let begin = said.iter().rposition(|line| line == "failures:").map_or(said.len(), |line| line + 1);
    let names = said[begin..].iter().map_while(|line| line.strip_prefix("    "));
    names.map(str::to_owned).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_tests_are_read_from_the_last_list() {
        let said =
            "\nfailures:\n\n---- a::b stdout ----\n    no name\n\nfailures:\n    a::b\n    c\n\ntest result: FAILED";
        let lines: Vec<String> = said.lines().map(str::to_owned).collect();
        assert_eq!(failed_tests(&lines), ["a::b", "c"]);
        assert!(failed_tests(&["test result: ok".to_owned()]).is_empty());
    }
}
