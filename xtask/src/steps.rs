//! The commands, and the steps of `cargo xtask test`.

use std::fs;
use std::process::Command;
use std::time::Instant;

use crate::ahead::Ahead;
use crate::beside::Beside;
use crate::compiled::Compiled;
use crate::e2e::{self, Tested};
use crate::setup::{self, Tool, in_ci};
use crate::shell::{TaskError, cargo, nightly_cargo, output, root, run as execute, run_beside};
use crate::{arrows, deny, dist, no_games, server, tidy, web, wheel};

/// What `cargo xtask test --quick` tests: the crates under all programs, whose tests take seconds.
const QUICK: [&str; 7] = ["rules", "scene", "art", "game", "locale", "protocol", "session"];

/// Whether data files are compared or written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tables {
    Check,
    Write,
}

pub(crate) enum Done {
    Passed,
    Skipped(String),
}

struct Step {
    name: &'static str,
    about: &'static str,
    work: fn() -> Result<Done, TaskError>,
}

/// The step that begins when these before it are done, and goes on beside those between. Not beside the browsers, which keep
/// all cores busy by themselves.
const WAITING: &str = "server";
const ALONE_UNTIL: &str = "e2e";

const STEPS: [Step; 17] = [
    Step {
        name: "setup",
        about: "the pinned toolchain with rustfmt, clippy and WebAssembly",
        work: || passed(setup::toolchain()),
    },
    Step {
        name: "format",
        about: "rustfmt has nothing to change",
        work: || passed(execute(cargo().args(["fmt", "--all", "--check"]))),
    },
    Step {
        name: "tidy",
        about: "no file names a path of one machine, no link of a document leads nowhere; long files are pointed out",
        work: || passed(tidy::check()),
    },
    Step {
        name: "arrows",
        about: "no crate sees what ARCHITECTURE.md says it never sees",
        work: || passed(arrows::check()),
    },
    Step { name: "no-games", about: "clients and the server name no game", work: || passed(no_games::check()) },
    Step { name: "clippy", about: "no warning in any target", work: clippy },
    // Before all that embeds the app: otherwise it would be compiled twice.
    Step {
        name: "web",
        about: "the browser app builds, twice to the same bytes, and no first visit loads too much",
        work: || passed(web::test()),
    },
    Step { name: "test", about: "unit, integration, property and documentation tests", work: tests },
    Step { name: "e2e", about: "whole games in a real browser, offline, by keyboard, for everyone", work: browser },
    Step {
        name: "package",
        about: "archive and package come out the same twice; the program starts, serves and stays small",
        work: || passed(dist::test()),
    },
    Step { name: "python", about: "the wheel builds, installs and passes its tests, with checked types", work: python },
    Step {
        name: "docs",
        about: "the documentation builds without a warning, and the site without a dead link",
        work: docs,
    },
    Step {
        name: "deny",
        about: "licences, bans and sources of dependencies; none is compiled twice for the sake of tests",
        work: || passed(deny::check()),
    },
    Step {
        name: "perft",
        about: "the perft tables, to full depth in release",
        work: || passed(tables("perft", Tables::Check)),
    },
    Step { name: "solved", about: "Quixo on the board of four and a part of that of five, solved again", work: solved },
    Step { name: "bench", about: "the bench signature is the recorded one", work: || passed(bench(Tables::Check)) },
    // Last, because it is under way beside those above.
    Step {
        name: "server",
        about: "kills under load, the tests on PostgreSQL, the API against its description",
        work: serving,
    },
];

/// `cargo xtask run`: serves the browser app unless another command is given.
pub(crate) fn run(arguments: &[&str]) -> Result<(), TaskError> {
    let arguments = if arguments.is_empty() { &["serve"] } else { arguments };
    setup::toolchain()?;
    if !arguments.contains(&"serve") {
        // What thinks should think fast, and needs no app.
        return execute(cargo().args(["run", "--quiet", "--release", "--package", "fourfold", "--"]).args(arguments));
    }
    // A server at home has little to do. The program that the tests use is compiled in a third of the time.
    let program = web::build_with_program("fourfold")?;
    execute(Command::new(program).args(arguments))
}

/// `cargo xtask test`: goes through every chosen step, whatever fails on the way, and sums up.
pub(crate) fn test(arguments: &[&str]) -> Result<(), TaskError> {
    if arguments == ["--list"] {
        STEPS.iter().for_each(|step| println!("{:8} {}", step.name, step.about));
        return Ok(());
    }
    if arguments == ["--quick"] {
        return quick();
    }
    let chosen = chosen(arguments)?;
    let began = Instant::now();
    let (mut failed, mut skipped) = (Vec::new(), Vec::new());
    let names: Vec<&str> = chosen.iter().map(|step| step.name).collect();
    let mut ahead = Ahead::default();
    let mut beside = None;
    for (index, step) in chosen.iter().enumerate() {
        if beside.is_none() && is_beside(step) && names.contains(&WAITING) {
            ahead.wait_for(WAITING)?;
            beside = Some(Beside::start(WAITING));
        }
        println!("\n── {}/{} {}: {}", index + 1, chosen.len(), step.name, step.about);
        let began = Instant::now();
        let done = match beside.take_if(|_| step.name == WAITING) {
            Some(waiting) => waiting.end(),
            None => ahead.wait_for(step.name).and_then(|()| (step.work)()),
        };
        let end = match done {
            Ok(Done::Passed) => "passed".to_owned(),
            Ok(Done::Skipped(why)) if in_ci() => {
                failed.push(step.name);
                format!("FAILED, because CI may not skip: {why}")
            }
            Ok(Done::Skipped(why)) => {
                skipped.push(step.name);
                format!("SKIPPED: {why}")
            }
            Err(failure) => {
                failed.push(step.name);
                format!("FAILED: {failure}")
            }
        };
        println!("   {} {end} ({:.1} s)", step.name, began.elapsed().as_secs_f64());
        // Everything builds on the toolchain.
        if step.name == STEPS[0].name {
            ahead = Ahead::start(&names);
        }
    }
    let left_out = if skipped.is_empty() { String::new() } else { format!(", SKIPPED: {}", skipped.join(", ")) };
    let passed = chosen.len() - failed.len() - skipped.len();
    let seconds = began.elapsed().as_secs();
    println!("\n{passed} of {} steps passed in {seconds} s{left_out}", chosen.len());
    if failed.is_empty() { Ok(()) } else { Err(TaskError::new(format!("FAILED: {}", failed.join(", ")))) }
}

/// Whether the step that waits goes on beside this one.
fn is_beside(step: &Step) -> bool {
    STEPS.iter().skip_while(|other| other.name != ALONE_UNTIL).skip(1).any(|other| other.name == step.name)
        && step.name != WAITING
}

/// The inner loop: what takes seconds, and breaks most often.
fn quick() -> Result<(), TaskError> {
    let began = Instant::now();
    test(&["--only", "format", "--only", "tidy", "--only", "no-games"])?;
    let mut command = cargo();
    command.args(["test", "--quiet"]);
    QUICK.iter().for_each(|name| {
        command.args(["--package", name]);
    });
    execute(&mut command)?;
    println!("quick checks passed in {} s; `cargo xtask test` runs all", began.elapsed().as_secs());
    Ok(())
}

fn chosen(arguments: &[&str]) -> Result<Vec<&'static Step>, TaskError> {
    let (mut only, mut skip) = (Vec::new(), Vec::new());
    for pair in arguments.chunks(2) {
        match pair {
            ["--only", name] if known(name) => only.push(*name),
            ["--skip", name] if known(name) => skip.push(*name),
            _ => {
                let names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
                let given = pair.join(" ");
                return Err(TaskError::usage(format!(
                    "cannot use {given:?}: expected --list, --quick, --only STEP or --skip STEP with a step out of {}",
                    names.join(", ")
                )));
            }
        }
    }
    // Every step builds on the first, so choosing one of them chooses that too.
    let chosen = |step: &Step| only.is_empty() || only.contains(&step.name) || step.name == STEPS[0].name;
    let wanted = |step: &&Step| chosen(step) && !skip.contains(&step.name);
    Ok(STEPS.iter().filter(wanted).collect())
}

fn known(name: &str) -> bool {
    STEPS.iter().any(|step| step.name == name)
}

fn passed(result: Result<(), TaskError>) -> Result<Done, TaskError> {
    result.map(|()| Done::Passed)
}

fn clippy() -> Result<Done, TaskError> {
    passed(execute(cargo().args(["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"])))
}

fn tests() -> Result<Done, TaskError> {
    let compiled = Compiled::workspace()?;
    // Beside one another: some programs wait for clocks and sockets, and documents are compiled one after the other.
    let (tested, documented) = std::thread::scope(|scope| {
        let documented =
            scope.spawn(|| run_beside(cargo().args(["test", "--quiet", "--no-fail-fast", "--workspace", "--doc"])));
        (compiled.test_all(), documented.join())
    });
    let documented = documented.unwrap_or_else(|_| Err(TaskError::new("running the documents' tests panicked")));
    passed(tested.and(documented))
}

fn browser() -> Result<Done, TaskError> {
    Ok(match e2e::test()? {
        Tested::All => Done::Passed,
        Tested::Without(why) => Done::Skipped(why),
    })
}

fn serving() -> Result<Done, TaskError> {
    Ok(match server::test()? {
        server::Checked::All => Done::Passed,
        server::Checked::Without(why) => Done::Skipped(why),
    })
}

fn python() -> Result<Done, TaskError> {
    Ok(match wheel::test()? {
        Tool::Ready => Done::Passed,
        Tool::Missing(why) => Done::Skipped(why),
    })
}

fn docs() -> Result<Done, TaskError> {
    let mut command = cargo();
    command.args(["doc", "--quiet", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings");
    execute(&mut command)?;
    passed(site())
}

/// What is too slow without optimisation and too good a proof to leave out.
fn solved() -> Result<Done, TaskError> {
    passed(execute(cargo().args([
        "test",
        "--quiet",
        "--release",
        "--package",
        "tablebase",
        "--lib",
        "--",
        "--ignored",
    ])))
}

/// `cargo xtask golden` and `cargo xtask perft`.
pub(crate) fn tables(kind: &str, mode: Tables) -> Result<(), TaskError> {
    let mut command = cargo();
    command.args(["run", "--quiet", "--release", "--package", "testkit", "--bin", "tables", "--", kind]);
    if mode == Tables::Check {
        command.arg("--check");
    }
    execute(&mut command)
}

/// `cargo xtask bench`: the number of actions in fixed random games, which changes when the rules do. It does not depend
/// on how the program was compiled, so that the tests' own program serves.
pub(crate) fn bench(mode: Tables) -> Result<(), TaskError> {
    let file = root().join("crates/cli/bench.txt");
    let printed = output(Command::new(Compiled::workspace()?.program("fourfold")?).args(["bench", "--time", "0"]))?;
    let found = printed.lines().find(|line| line.starts_with("Bench: "));
    let found = found.ok_or_else(|| TaskError::new("`fourfold bench` prints no signature"))?;
    if mode == Tables::Write {
        println!("   {found}");
        return fs::write(file, format!("{found}\n")).map_err(|error| TaskError::new(format!("bench.txt: {error}")));
    }
    let recorded = fs::read_to_string(&file).map_err(|error| TaskError::new(format!("bench.txt: {error}")))?;
    if recorded.trim() == found {
        println!("   {found}");
        return Ok(());
    }
    let recorded = recorded.trim();
    Err(TaskError::new(format!("the signature is {found:?}, recorded is {recorded:?}; if meant: cargo xtask bench")))
}

/// `cargo xtask fuzz`.
pub(crate) fn fuzz_command(arguments: &[&str]) -> Result<(), TaskError> {
    let (mut seconds, mut target) = (60, None);
    for pair in arguments.chunks(2) {
        match pair {
            ["--seconds", number] => {
                seconds =
                    number.parse().map_err(|_| TaskError::usage(format!("{number:?} is no number of seconds")))?;
            }
            ["--target", name] => target = Some(*name),
            _ => return Err(TaskError::usage("expected --seconds N or --target NAME")),
        }
    }
    match setup::fuzzing() {
        Tool::Ready => fuzz(target, seconds),
        Tool::Missing(why) => Err(TaskError::new(why)),
    }
}

fn fuzz(only: Option<&str>, seconds: u32) -> Result<(), TaskError> {
    let list = output(nightly_cargo().args(["fuzz", "list"]))?;
    let targets: Vec<&str> = list.lines().map(str::trim).filter(|name| only.is_none_or(|only| only == *name)).collect();
    if targets.is_empty() {
        return Err(TaskError::usage(format!("no such fuzz target; there are: {}", list.trim().replace('\n', ", "))));
    }
    // Nothing that reads texts is unsafe, so that a sanitizer would only cost time. All at once, to use every core.
    execute(nightly_cargo().args(["fuzz", "build", "--sanitizer", "none"]).args(only))?;
    for target in targets {
        let mut command = nightly_cargo();
        command.args(["fuzz", "run", "--sanitizer", "none", target]);
        // Texts from golden games are the best beginning; what is found goes into the corpus, which git ignores.
        let corpus = root().join("fuzz").join("corpus").join(target);
        fs::create_dir_all(&corpus).map_err(|error| TaskError::new(format!("cannot make the corpus: {error}")))?;
        command.arg(format!("fuzz/corpus/{target}"));
        let seeds = format!("fuzz/seeds/{target}");
        if root().join(&seeds).is_dir() {
            command.arg(seeds);
        }
        command.args(["--", &format!("-max_total_time={seconds}"), "-max_len=4096", "-timeout=10", "-verbosity=0"]);
        execute(&mut command)?;
    }
    Ok(())
}

/// `cargo xtask site`: the documents as static pages.
pub(crate) fn site() -> Result<(), TaskError> {
    let program = web::program("site")?;
    execute(Command::new(program).arg(root()).arg(root().join("target/site")))
}

/// `cargo xtask fix`.
pub(crate) fn fix() -> Result<(), TaskError> {
    setup::toolchain()?;
    let arguments = ["clippy", "--fix", "--workspace", "--all-targets", "--allow-dirty", "--allow-staged"];
    execute(cargo().args(arguments))?;
    execute(cargo().args(["fmt", "--all"]))
}
