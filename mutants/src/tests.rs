//! The tests that have to notice: which there are, how long they take, and which mutants they reach.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::compile::Program;
use crate::{Failure, Part};

/// A test, as measured without a mutant.
pub(crate) struct Test {
    /// The place of its program in the list of them.
    pub(crate) program: usize,
    pub(crate) name: String,
    pub(crate) takes: Duration,
    /// The first mutants of the places that it reaches.
    pub(crate) reaches: BTreeSet<u32>,
}

/// Runs each test by itself.
pub(crate) fn measure(programs: &[Program], part: &Part, folder: &Path, jobs: usize) -> Result<Vec<Test>, Failure> {
    // What an older run has left.
    for entry in fs::read_dir(folder)?.flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "reached") {
            fs::remove_file(entry.path())?;
        }
    }
    let mut names = Vec::new();
    for (program, it) in programs.iter().enumerate() {
        let output = Command::new(&it.path).args(["--list", "--format", "terse"]).current_dir(&it.folder).output()?;
        let listed = String::from_utf8_lossy(&output.stdout).into_owned();
        let tests = listed.lines().filter_map(|line| line.strip_suffix(": test"));
        let wanted = tests.filter(|name| part.only.is_empty() || part.only.iter().any(|only| name.starts_with(only)));
        names.extend(wanted.map(|name| (program, name.to_owned())));
    }
    let measured = crate::in_parallel(&names, jobs, |(program, name)| {
        let reached = folder.join(format!("{program}-{}.reached", name.replace("::", ".")));
        let began = Instant::now();
        let mut command = command(&programs[*program], &[name], Duration::from_secs(600));
        let passed = command.env("FOURFOLD_REACHED", &reached).status().is_ok_and(|status| status.success());
        let takes = began.elapsed();
        let text = fs::read_to_string(&reached).unwrap_or_default();
        let reaches = text.lines().filter_map(|line| line.parse().ok()).collect();
        (passed, Test { program: *program, name: name.clone(), takes, reaches })
    });
    for (_, test) in measured.iter().filter(|(passed, _)| !passed) {
        println!("   not used, because it fails without a mutant: {}", test.name);
    }
    let mut tests: Vec<Test> = measured.into_iter().filter(|(passed, _)| *passed).map(|(_, test)| test).collect();
    tests.sort_by_key(|test| test.takes);
    Ok(tests)
}

/// A program with some tests, under limits of memory and of the processor's time.
fn command(program: &Program, tests: &[&str], processor: Duration) -> Command {
    let mut command = Command::new("sh");
    let limits = format!("ulimit -c 0; ulimit -d 3000000; ulimit -t {}; exec \"$@\"", processor.as_secs() + 1);
    command.args(["-c", &limits, "sh"]).arg(&program.path).args(["--exact", "--test-threads=1"]).args(tests);
    command.current_dir(&program.folder).env("CARGO_MANIFEST_DIR", &program.folder);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// What some tests of one program say of a mutant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    Passed,
    Failed,
    TimedOut,
}

/// Runs some tests of one program with a mutant.
pub(crate) fn ask(program: &Program, tests: &[&Test], mutant: u32) -> Answer {
    let names: Vec<&str> = tests.iter().map(|test| test.name.as_str()).collect();
    let takes: Duration = tests.iter().map(|test| test.takes).sum();
    // Of its own time; the clock on the wall also counts what the machine does for others, so it gets far more.
    let mut command = command(program, &names, takes * 3 + Duration::from_secs(2));
    let Ok(mut child) = command.env("FOURFOLD_MUTANT", mutant.to_string()).spawn() else { return Answer::Failed };
    wait(&mut child, takes * 20 + Duration::from_secs(20))
}

fn wait(child: &mut Child, limit: Duration) -> Answer {
    let began = Instant::now();
    let mut pause = Duration::from_micros(200);
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Answer::Passed,
            // Killed by the limit of its time.
            Ok(Some(status)) if std::os::unix::process::ExitStatusExt::signal(&status).is_some_and(is_limit) => {
                return Answer::TimedOut;
            }
            Ok(Some(_)) | Err(_) => return Answer::Failed,
            Ok(None) if began.elapsed() > limit => {
                let _ = child.kill();
                let _ = child.wait();
                return Answer::TimedOut;
            }
            Ok(None) => std::thread::sleep(pause),
        }
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// SIGXCPU, or the SIGKILL that follows it.
fn is_limit(signal: i32) -> bool {
    matches!(signal, 24 | 9)
}
