//! Another program that speaks UGI. It may hang, flood or cheat: every answer is bounded and checked by the rules.

use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use game::Game;
use locale::Language;

use super::contestant::Allowance;

/// How long a program may take to introduce itself.
const PATIENCE: Duration = Duration::from_secs(10);
/// How far it may exceed its time for an action before it counts as hung.
const GRACE: Duration = Duration::from_secs(2);
/// More lines than this before an answer are a flood.
const MOST_LINES: usize = 100_000;
/// Longer lines are cut.
const LONGEST_LINE: u64 = 1 << 16;

/// What a contestant did wrong; it loses the game for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The program could not be started.
    NotStarted(String),
    /// It ended, or closed its output.
    Ended,
    /// It did not answer in time.
    Hung,
    /// It wrote without end.
    Flooded,
    /// Our own player found no action.
    NoAnswer,
    /// It played an illegal action.
    Illegal(String),
    /// It reported an error.
    Refused(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::NotStarted(problem) => write!(f, "could not be started: {problem}"),
            Fault::Ended => f.write_str("ended in the middle of a game"),
            Fault::Hung => f.write_str("did not answer in time"),
            Fault::Flooded => f.write_str("wrote without end"),
            Fault::NoAnswer => f.write_str("found no action"),
            Fault::Illegal(problem) => write!(f, "played illegally: {problem}"),
            Fault::Refused(line) => write!(f, "refused: {line}"),
        }
    }
}

impl Fault {
    /// What a contestant did wrong, for people.
    pub(super) fn told(&self, who: &str, language: Language) -> String {
        match self {
            Fault::NotStarted(problem) => language.fault_not_started(who, problem),
            Fault::Ended => language.fault_ended(who),
            Fault::Hung => language.fault_hung(who),
            Fault::Flooded => language.fault_flooded(who),
            Fault::NoAnswer => language.fault_no_answer(who),
            Fault::Illegal(problem) => language.fault_illegal(who, problem),
            Fault::Refused(line) => language.fault_refused(who, line),
        }
    }
}

/// A running program.
pub(crate) struct External {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl External {
    /// Starts a program and tells it the game.
    pub(crate) fn start(command: &str, game: &Game) -> Result<External, Fault> {
        let problem = |error: std::io::Error| Fault::NotStarted(error.to_string());
        let mut child = Command::new("sh")
            .args(["-c", &format!("exec {command}")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(problem)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Fault::NotStarted("its input and output are not there".to_owned()));
        };
        // A bounded channel: a program that floods its output blocks instead of filling our memory.
        let (sender, lines) = sync_channel(256);
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut line = Vec::new();
            while let Ok(1..) = output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
                if sender.send(String::from_utf8_lossy(&line).trim().to_owned()).is_err() {
                    return;
                }
                line.clear();
            }
        });
        let mut engine = External { child, input, lines };
        engine.say("ugi")?;
        engine.wait_for("ugiok", PATIENCE)?;
        engine.say(&format!("setoption name Game value {game}"))?;
        engine.say("isready")?;
        engine.wait_for("readyok", PATIENCE)?;
        Ok(engine)
    }

    /// Asks for an action after these.
    pub(super) fn choose(&mut self, actions: &[String], allowance: Allowance) -> Result<String, Fault> {
        let moves = if actions.is_empty() { String::new() } else { format!(" moves {}", actions.join(" ")) };
        self.say(&format!("position start{moves}"))?;
        self.go(allowance)
    }

    /// Asks for an action in a position given by its text.
    pub(crate) fn choose_at(&mut self, position: &str, allowance: Allowance) -> Result<String, Fault> {
        self.say(&format!("position text {position}"))?;
        self.go(allowance)
    }

    fn go(&mut self, allowance: Allowance) -> Result<String, Fault> {
        let mut go = String::from("go");
        if let Some(time) = allowance.time {
            go.push_str(&format!(" movetime {}", time.as_millis()));
        }
        if let Some(nodes) = allowance.nodes {
            go.push_str(&format!(" nodes {nodes}"));
        }
        self.say(&go)?;
        // With a node limit alone the time another engine needs is unknown.
        let patience = allowance.time.unwrap_or(Duration::from_secs(60)) + GRACE;
        let line = self.wait_for("bestmove", patience)?;
        Ok(line.split_whitespace().nth(1).unwrap_or_default().to_owned())
    }

    fn say(&mut self, line: &str) -> Result<(), Fault> {
        writeln!(self.input, "{line}").and_then(|()| self.input.flush()).map_err(|_| Fault::Ended)
    }

    fn wait_for(&mut self, word: &str, patience: Duration) -> Result<String, Fault> {
        let deadline = Instant::now() + patience;
        for _ in 0..MOST_LINES {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) if line.split_whitespace().next() == Some(word) => return Ok(line),
                Ok(line) if line.starts_with("error") => return Err(Fault::Refused(line.chars().take(200).collect())),
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => return Err(Fault::Hung),
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Ended),
            }
        }
        Err(Fault::Flooded)
    }
}

impl Drop for External {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit");
        // The program gets a moment to quit by itself, then it is killed.
        for _ in 0..20 {
            if matches!(self.child.try_wait(), Ok(Some(_)) | Err(_)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
