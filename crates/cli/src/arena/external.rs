//! Another program that speaks UGI. It may hang, flood or cheat: every answer is bounded and checked by the rules.

use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use game::Game;
use locale::Language;
use rules::Seat;

use super::contestant::{Allowance, Choice};
use super::turn::Turn;

/// How long a program may take to introduce itself.
const PATIENCE: Duration = Duration::from_secs(10);
/// How far it may exceed its time for an action before it counts as hung.
const GRACE: Duration = Duration::from_secs(2);
/// How often a wait looks whether it is still wanted.
const LOOK: Duration = Duration::from_millis(100);
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
    /// What it calls itself.
    pub(crate) name: Option<String>,
    /// The names of its options, as it writes them.
    options: Vec<String>,
}

/// What a seat has seen of a game.
pub(crate) struct Seen<'a> {
    pub(crate) seat: Seat,
    /// The position text that the game began with, if not the usual start.
    pub(crate) start: Option<&'a str>,
    /// Every action as the seat saw it, `draw:?` for another's card; `None` where actions alone do not lead to the position.
    pub(crate) actions: Option<Vec<String>>,
    /// Whether the game hides anything from anybody.
    pub(crate) hides: bool,
    /// What the seat may know of the position now, as text.
    pub(crate) view: String,
}

static GO_ON: AtomicBool = AtomicBool::new(false);

impl External {
    /// Starts a program and tells it the game.
    pub(crate) fn start(command: &str, game: &Game) -> Result<External, Fault> {
        let problem = |error: std::io::Error| Fault::NotStarted(error.to_string());
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("exec {command}")]);
        // Ctrl-C is for the arena, which ends its engines itself.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
        let mut child =
            shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().map_err(problem)?;
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
        let mut engine = External { child, input, lines, name: None, options: Vec::new() };
        engine.introduce(game)?;
        Ok(engine)
    }

    fn introduce(&mut self, game: &Game) -> Result<(), Fault> {
        let mut games = None;
        let mut said = Vec::new();
        // A program that is not there may be gone before or after it is spoken to.
        let greeted = self.say("ugi");
        let answered =
            greeted.and_then(|()| self.wait_for("ugiok", PATIENCE, &GO_ON, |line| said.push(line.to_owned())));
        answered.map_err(|fault| match fault {
            Fault::Ended => Fault::NotStarted(self.why_it_ended().to_owned()),
            other => other,
        })?;
        for line in &said {
            match line.split_whitespace().collect::<Vec<_>>()[..] {
                ["id", "name", ..] => self.name = line.split_once("name ").map(|(_, name)| name.trim().to_owned()),
                ["option", "name", name, ref rest @ ..] => {
                    self.options.push(name.to_owned());
                    if name.eq_ignore_ascii_case("game") && rest.contains(&"var") {
                        let known = rest.windows(2).filter(|pair| pair[0] == "var").map(|pair| pair[1].to_owned());
                        games = Some(known.collect::<Vec<_>>());
                    }
                }
                _ => {}
            }
        }
        if let Some(games) = games.filter(|games| !games.iter().any(|name| name == game.id().name())) {
            let known = games.join(", ");
            return Err(Fault::NotStarted(format!("it does not play {}, only {known}", game.id())));
        }
        // A program for one game has no such option.
        self.set("Game", &game.to_string())?;
        self.say("isready")?;
        self.wait_for("readyok", PATIENCE, &GO_ON, |_| {}).map(drop)
    }

    /// Why a program is gone before it said anything; the shell's exit code tells it.
    fn why_it_ended(&mut self) -> &'static str {
        match self.exit_code() {
            Some(127) => "there is no such program",
            Some(126) => "it is no program that can be run",
            _ => "it ended before it said ugiok",
        }
    }

    /// The exit code of a program that has ended, or does in a moment.
    fn exit_code(&mut self) -> Option<i32> {
        for _ in 0..20 {
            match self.child.try_wait() {
                Ok(Some(status)) => return status.code(),
                Ok(None) => std::thread::sleep(Duration::from_millis(5)),
                Err(_) => return None,
            }
        }
        None
    }

    fn knows(&self, option: &str) -> bool {
        self.options.iter().any(|name| name.eq_ignore_ascii_case(option))
    }

    /// Sets an option if the program has it, under the name it gives it.
    fn set(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        match self.options.iter().find(|option| option.eq_ignore_ascii_case(name)).cloned() {
            Some(name) => self.say(&format!("setoption name {name} value {value}")),
            None => Ok(()),
        }
    }

    /// The number of its process.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Begins a game.
    pub(super) fn begin(&mut self, memory: usize) -> Result<(), Fault> {
        self.set("Hash", &(memory >> 20).max(1).to_string())?;
        self.say("uginewgame")?;
        self.say("isready")?;
        self.wait_for("readyok", PATIENCE, &GO_ON, |_| {}).map(drop)
    }

    /// Asks for an action.
    pub(super) fn choose(&mut self, turn: &Turn<'_>, stop: &AtomicBool) -> Result<Choice, Fault> {
        let viewer = rules::Viewer::Seat(turn.seat);
        let played = turn.positions.iter().zip(turn.actions);
        let seen = played.map(|(position, action)| position.seen_action(action, viewer)).collect::<Result<Vec<_>, _>>();
        let position = turn.positions.last();
        self.set_up_for(&Seen {
            seat: turn.seat,
            start: turn.start,
            actions: Some(seen.map_err(|refused| Fault::Illegal(refused.to_string()))?),
            hides: position.is_some_and(|position| position.hides()),
            view: position.map(|position| position.view_text(viewer)).unwrap_or_default(),
        })?;
        let time = turn.left().or(turn.time());
        self.go(&turn.go(), time, stop)
    }

    /// Asks for an action after what a seat has seen.
    pub(crate) fn choose_after(&mut self, seen: &Seen<'_>, allowance: Allowance) -> Result<String, Fault> {
        self.set_up_for(seen)?;
        let words = allowance.time.map_or("go".to_owned(), |time| format!("go movetime {}", time.as_millis()));
        self.go(&words, allowance.time, &GO_ON).map(|choice| choice.action)
    }

    /// Tells the program what its seat may know, and nothing else: all that happened, if it can be told that.
    fn set_up_for(&mut self, seen: &Seen<'_>) -> Result<(), Fault> {
        match &seen.actions {
            Some(actions) if !seen.hides => {
                let from = seen.start.map_or("startpos".to_owned(), |text| format!("{} {text}", self.text_word()));
                self.set_up(&from, actions)
            }
            Some(actions) if seen.start.is_none() && self.knows("Viewer") => {
                self.set("Viewer", &seen.seat.to_string())?;
                self.set_up("startpos", actions)
            }
            _ => self.say(&format!("position {} {}", self.text_word(), seen.view)),
        }
    }

    fn set_up(&mut self, from: &str, actions: &[String]) -> Result<(), Fault> {
        let moves = if actions.is_empty() { String::new() } else { format!(" moves {}", actions.join(" ")) };
        self.say(&format!("position {from}{moves}"))
    }

    /// UGI calls a position text `fen`, whatever the game; only this program also says `text`.
    fn text_word(&self) -> &'static str {
        if self.name.as_deref().is_some_and(|name| name.starts_with("Fourfold ")) { "text" } else { "fen" }
    }

    fn go(&mut self, words: &str, time: Option<Duration>, stop: &AtomicBool) -> Result<Choice, Fault> {
        self.say(words)?;
        // With a node limit alone the time another engine needs is unknown.
        let patience = time.unwrap_or(Duration::from_secs(60)) + GRACE;
        let (mut expected, mut nodes) = (None, None);
        let line = self.wait_for("bestmove", patience, stop, |line| {
            expected = expected_score(line).or(expected);
            nodes = searched_nodes(line).or(nodes);
        })?;
        Ok(Choice { action: line.split_whitespace().nth(1).unwrap_or_default().to_owned(), expected, nodes })
    }

    fn say(&mut self, line: &str) -> Result<(), Fault> {
        writeln!(self.input, "{line}").and_then(|()| self.input.flush()).map_err(|_| Fault::Ended)
    }

    fn wait_for(
        &mut self,
        word: &str,
        patience: Duration,
        stop: &AtomicBool,
        mut on_line: impl FnMut(&str),
    ) -> Result<String, Fault> {
        let deadline = Instant::now() + patience;
        let mut lines = 0;
        while lines < MOST_LINES {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(LOOK)) {
                Ok(line) if line.split_whitespace().next() == Some(word) => return Ok(line),
                Ok(line) if line.starts_with("error") => return Err(Fault::Refused(line.chars().take(200).collect())),
                Ok(line) => {
                    lines += 1;
                    on_line(&line);
                }
                Err(RecvTimeoutError::Timeout) if stop.load(Ordering::Relaxed) => return Err(Fault::Ended),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Fault::Hung),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Ended),
            }
        }
        Err(Fault::Flooded)
    }
}

/// The nodes that an `info` line tells.
fn searched_nodes(line: &str) -> Option<u64> {
    let mut words = line.split_whitespace().skip_while(|word| *word != "nodes");
    words.nth(1).filter(|_| line.starts_with("info ")).and_then(|nodes| nodes.parse().ok())
}

/// The expected score that an `info` line of the best action tells, from 0 to 1.
fn expected_score(line: &str) -> Option<f32> {
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.first() != Some(&"info") {
        return None;
    }
    let number = |after: &str, place: usize| {
        let at = words.iter().position(|word| *word == after)?;
        words.get(at + place)?.parse::<f32>().ok()
    };
    if number("multipv", 1).is_some_and(|line| line > 1.0) {
        return None;
    }
    if let (Some(win), Some(draw), Some(loss)) = (number("wdl", 1), number("wdl", 2), number("wdl", 3)) {
        return Some((win + draw / 2.0) / (win + draw + loss).max(1.0));
    }
    if let Some(mate) = number("mate", 1) {
        return Some(if mate > 0.0 { 1.0 } else { 0.0 });
    }
    number("cp", 1).map(|pawns| 1.0 / (1.0 + 10f32.powf(-pawns / 400.0)))
}

impl Drop for External {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit");
        // The program gets a moment to quit by itself, then it is killed.
        if self.exit_code().is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_as_engines_write_them() {
        assert_eq!(expected_score("info depth 3 score cp 0 wdl 612 0 388 pv a"), Some(0.612));
        assert_eq!(expected_score("info depth 3 multipv 2 score cp 100 pv a"), None);
        assert_eq!(expected_score("info score mate -4"), Some(0.0));
        assert_eq!(expected_score("info score cp 0"), Some(0.5));
        assert_eq!(expected_score("bestmove cp 5"), None);
        assert_eq!(searched_nodes("info depth 3 nodes 120 pv a"), Some(120));
        assert_eq!(searched_nodes("info string nodes"), None);
    }
}
