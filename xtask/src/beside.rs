//! The step of `cargo xtask test` that runs beside others, because it waits for clocks, pauses and the disk most of its time.

use std::io;
use std::process::Output;
use std::thread::JoinHandle;

use crate::shell::{TaskError, cargo};
use crate::steps::Done;

/// A step under way in a process of its own, so that what it says does not get between what the others say.
pub(crate) struct Beside {
    name: &'static str,
    work: JoinHandle<io::Result<Output>>,
}

impl Beside {
    pub(crate) fn start(name: &'static str) -> Beside {
        println!("\n── {name} begins, and goes on beside the next steps");
        let mut command = cargo();
        command.args(["xtask", "test", "--only", name]);
        Beside { name, work: std::thread::spawn(move || command.output()) }
    }

    /// Waits for the end and shows what the step said.
    pub(crate) fn end(self) -> Result<Done, TaskError> {
        let name = self.name;
        let broken = |why: String| TaskError::new(format!("cannot run the step {name}: {why}"));
        let ended = self.work.join().map_err(|_| broken("its thread panicked".to_owned()))?;
        let output = ended.map_err(|error| broken(error.to_string()))?;
        let [said, errors] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        print!("{errors}{said}");
        match end_in(&said, name) {
            Some(End::Passed) if output.status.success() => Ok(Done::Passed),
            Some(End::Skipped(why)) if output.status.success() => Ok(Done::Skipped(why.to_owned())),
            Some(End::Failed(why)) => Err(TaskError::new(why)),
            _ => Err(broken(output.status.to_string())),
        }
    }
}

#[derive(Debug, PartialEq)]
enum End<'a> {
    Passed,
    Skipped(&'a str),
    Failed(&'a str),
}

/// How a step ended, from the line that `cargo xtask test` prints at its end, `   NAME END (SECONDS s)`.
fn end_in<'a>(said: &'a str, name: &str) -> Option<End<'a>> {
    said.lines().rev().find_map(|line| {
        let end = line.strip_prefix("   ")?.strip_prefix(name)?.strip_prefix(' ')?;
        let (end, _seconds) = end.rsplit_once(" (")?;
        match end.split_once(": ") {
            None if end == "passed" => Some(End::Passed),
            Some(("SKIPPED", why)) => Some(End::Skipped(why)),
            Some(("FAILED", why)) => Some(End::Failed(why)),
            // In CI a step that was left out has failed.
            _ => end.strip_prefix("FAILED, ").map(End::Failed),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_step_is_read_from_its_own_line() {
        let said =
            |end: &str| format!("── 2/2 server: kills\n   server is up\n   server {end} (9.1 s)\n\n2 of 2 steps\n");
        assert_eq!(end_in(&said("passed"), "server"), Some(End::Passed));
        assert_eq!(end_in(&said("SKIPPED: no nats: (apt)"), "server"), Some(End::Skipped("no nats: (apt)")));
        assert_eq!(end_in(&said("FAILED: `a (b)` failed"), "server"), Some(End::Failed("`a (b)` failed")));
        let left_out = said("FAILED, because CI may not skip: no nats");
        assert_eq!(end_in(&left_out, "server"), Some(End::Failed("because CI may not skip: no nats")));
        assert_eq!(end_in(&said("passed"), "package"), None);
    }
}
