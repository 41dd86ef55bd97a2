//! What the stored logs and the clients' notes must have in common. Nothing here uses the server's code.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;
use server::simulation::StoredLog;

use crate::log_check;
use crate::wanted;
use crate::witness::{Acknowledged, Expected, Notes};

/// How much more than the truth a player may be charged for each fault that falls into a turn: heartbeats are written
/// every two seconds, and a process counts as frozen after three.
const TOLERANCE: Duration = Duration::from_millis(5_500);
/// The same without any fault: messages between nodes take a moment.
const JITTER: Duration = Duration::from_millis(300);
/// The same if a node may know the turn only from the database, which does not say how long it took to write an entry: the
/// longest way of a write there.
const LONGEST_WRITE: Duration = Duration::from_millis(2_500);

/// How much longer a turn may last while the database is slow: a node that has begun meanwhile knows the time less well.
const SLOW_JITTER: Duration = Duration::from_millis(800);
/// After so long every node that has the table open knows when the last turn began, as it was told.
const TOLD: Duration = Duration::from_secs(8);

/// An event that is durable for so long has reached every client that is connected.
const LATE: Duration = Duration::from_secs(6);
/// How long after a fault nodes may still be busy with it.
const RECOVERY: Duration = Duration::from_secs(15);

/// When simulated time begins, in milliseconds since 1970.
pub(crate) const BEGINNING: u64 = 1_800_000_000_000;

/// Every promise that is broken.
pub(crate) fn problems(notes: &Notes, logs: &[StoredLog]) -> Vec<String> {
    let parsed: BTreeMap<&str, Log> = logs.iter().map(|log| (log.table.as_str(), Log::read(log))).collect();
    let mut problems = Vec::new();
    let watched: Watched =
        notes.acknowledged.iter().map(|given| ((&*given.person, &*given.id), given.watching_since)).collect();
    for log in parsed.values() {
        log.check_times(notes, &mut problems);
        log.check_attended_times(notes, &watched, &mut problems);
        log_check::problems(log, &mut problems);
    }
    wanted::check(notes, &parsed, &mut problems);
    for late in &notes.late {
        let (_, faults) = overlap(&notes.standstills, late.decided.saturating_sub(RECOVERY), late.now);
        let write = parsed.get(late.table.as_str()).and_then(|log| log.lines.get(late.seq as usize - 1));
        if faults == 0 && write.is_some_and(|line| late.now.saturating_sub(line.durable_at) > LATE) {
            let after = late.now.saturating_sub(late.decided);
            problems.push(format!("event {} of {} reached {} after {after:?}", late.seq, late.table, late.name));
        }
    }
    check_acknowledged(&notes.acknowledged, &parsed, &mut problems);
    for (table, events) in &notes.events {
        let log = parsed.get(table.as_str());
        for (seq, seen) in events {
            let Some((log, line)) = log.and_then(|log| Some((log, log.lines.get(*seq as usize - 1)?))) else {
                problems.push(format!("event {seq} of {table} was sent and is not in the log"));
                continue;
            };
            check_event(table, *seq, line, seen, &mut problems);
            if log.is_private_at(*seq) && seen.iter().any(|(viewer, _)| *viewer == 0) {
                problems.push(format!("event {seq} of {table}, which is private, was sent to a spectator"));
            }
        }
    }
    check_chat(notes, &parsed, &mut problems);
    problems
}

/// What friends said is not for those who come when their game is over; until then, it is for all who watch. Those who came
/// before may be sent it later still.
fn check_chat(notes: &Notes, logs: &BTreeMap<&str, Log>, problems: &mut Vec<String>) {
    let among_friends = |table: &str, at| logs.get(table).is_some_and(|log| log.is_among_friends_at(at));
    for (table, seq, at) in &notes.withheld {
        if !among_friends(table, *at) {
            problems.push(format!("event {seq} of {table}, which is still open to all, was withheld from a spectator"));
        }
    }
    for ((table, seq), asked) in &notes.overheard {
        if among_friends(table, *asked) {
            problems.push(format!(
                "event {seq} of {table} was said among friends, and a spectator who came later was sent it"
            ));
        }
    }
}

/// For each acknowledged request, by its sender and id: [`Acknowledged::watching_since`].
type Watched<'a> = BTreeMap<(&'a str, &'a str), Option<Duration>>;

pub(crate) struct Log<'a> {
    pub(crate) table: &'a str,
    clock: String,
    pub(crate) spec: Value,
    pub(crate) maker: &'a str,
    pub(crate) lines: Vec<Line>,
    /// How many lines there were when the game began, with that one.
    began: Option<usize>,
}

pub(crate) struct Line {
    durable_at: Duration,
    pub(crate) json: Value,
}

impl Line {
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.json.get(key)?.as_str()
    }

    pub(crate) fn kind(&self) -> &str {
        match &self.json["what"] {
            Value::String(kind) => kind,
            Value::Object(what) => what.keys().next().map_or("", String::as_str),
            _ => "",
        }
    }

    /// Whether a turn, or the next action of one, begins with it.
    fn sets_turn(&self) -> bool {
        matches!(self.kind(), "began" | "did" | "took_back")
    }

    pub(crate) fn entry(&self) -> Option<&str> {
        self.json["what"]["did"]["entry"].as_str()
    }

    fn decided_at(&self) -> Duration {
        Duration::from_millis(self.json["at"].as_u64().unwrap_or(0).saturating_sub(BEGINNING))
    }

    /// How long it took from the decision until it was durable.
    fn write_time(&self) -> Duration {
        self.durable_at.saturating_sub(self.decided_at())
    }

    fn spent(&self) -> Option<Duration> {
        self.json["what"]["did"]["spent"].as_u64().map(Duration::from_millis)
    }
}

impl Log<'_> {
    pub(crate) fn read(log: &StoredLog) -> Log<'_> {
        let spec: Value = serde_json::from_str(&log.spec).unwrap_or_default();
        let line = |(durable_at, text): &(Duration, String)| Line {
            durable_at: *durable_at,
            json: serde_json::from_str(text).unwrap_or_default(),
        };
        let lines: Vec<Line> = log.lines.iter().map(line).collect();
        Log {
            table: &log.table,
            clock: spec["clock"].as_str().unwrap_or("none").to_owned(),
            spec,
            maker: &log.maker,
            began: lines.iter().position(|line| line.kind() == "began").map(|at| at + 1),
            lines,
        }
    }

    /// When the table was made.
    pub(crate) fn made_at(&self) -> Duration {
        self.lines.first().map_or(Duration::MAX, |line| line.durable_at)
    }

    /// When the game was over.
    pub(crate) fn ended_at(&self) -> Option<Duration> {
        self.lines.iter().find(|line| line.kind() == "ended").map(|line| line.durable_at)
    }

    /// Whether the game was over at a moment, and never open to strangers.
    fn is_among_friends_at(&self, at: Duration) -> bool {
        self.ended_at().is_some_and(|over| over <= at) && self.spec["access"] != "open"
    }

    /// Whether an event is for the players alone.
    fn is_private_at(&self, seq: u32) -> bool {
        self.spec["access"] == "private" && self.began.is_some_and(|began| began <= seq as usize)
    }

    /// When the turn began in which a person's flag fell, if line `index` says that one fell. A turn may have several
    /// actions.
    fn turn_of_fallen(&self, index: usize) -> Option<&Line> {
        let seat: u64 = self.lines[index].entry()?.strip_prefix("time:")?.parse().ok()?;
        let before = &self.lines[..index];
        let sat = before.iter().rev().map(|line| &line.json["what"]["sat"]).find(|sat| sat["seat"] == seat)?;
        let person = sat["who"]["person"]["id"].as_str()?;
        let mut earlier = before.iter().rev().filter(|line| line.sets_turn());
        // A player who resigns, or is claimed to be away, out of turn does not end a turn of others; the log does not say
        // whose turn it was.
        let is_exit = |entry: &str| entry.starts_with("resign:") || entry.starts_with("left:");
        let exits = |line: &Line| line.entry().is_some_and(is_exit);
        let is_before = |line: &&Line| line.kind() != "did" || line.text("by") != Some(person) && !exits(line);
        let last = earlier.find(is_before)?;
        (last.kind() != "took_back").then_some(last)
    }

    /// A slow database is charged to nobody where the node that takes an action has had the table open since before the turn
    /// began, and no other fault disturbs it.
    fn check_attended_times(&self, notes: &Notes, watched: &Watched, problems: &mut Vec<String>) {
        for (number, (before, line)) in (2..).zip(self.lines.iter().zip(&self.lines[1..])) {
            let asked = line.text("by").zip(line.text("ask"));
            let since = asked.and_then(|asked| watched.get(&asked).copied().flatten());
            let (Some(since), Some(spent), true) = (since, line.spent(), before.sets_turn()) else { continue };
            let told = before.durable_at + TOLD <= line.decided_at();
            let from = before.decided_at().saturating_sub(RECOVERY);
            let (_, disturbances) = overlap(&notes.disturbances, from, line.durable_at);
            let elapsed = line.durable_at.saturating_sub(before.durable_at);
            if told && since < before.decided_at() && disturbances == 0 && spent > elapsed + SLOW_JITTER {
                problems.push(format!(
                    "entry {number} of {} charges {spent:?} for a turn of {elapsed:?}, though only the database was slow",
                    self.table
                ));
            }
        }
    }

    /// No player is charged for more time than there was, nor for time in which no node could serve.
    fn check_times(&self, notes: &Notes, problems: &mut Vec<String>) {
        let outages = &notes.outages;
        // With a fault, another node may not know when the entry before the turn became durable, and charge for its write.
        let jitter = |before: &Line, to: Duration| {
            let write = before.write_time().max(LONGEST_WRITE);
            let (_, losses) = overlap(&notes.losses, before.durable_at.saturating_sub(write), to + LONGEST_WRITE);
            if losses == 0 { JITTER } else { JITTER + write }
        };
        let budget = self.clock.strip_prefix("turn=").and_then(|text| text.parse().ok()).map(Duration::from_secs);
        let mut turn_began: Option<&Line> = None;
        for (number, line) in (1..).zip(&self.lines) {
            if let (Some(before), Some(spent)) = (turn_began, line.spent()) {
                let elapsed = line.durable_at.saturating_sub(before.durable_at);
                let (out, count) = overlap(outages, before.durable_at, line.durable_at);
                let most = elapsed.saturating_sub(out) + jitter(before, line.durable_at) + TOLERANCE * count;
                if spent > most {
                    problems.push(format!(
                        "entry {number} of {} charges {spent:?} for a turn of {elapsed:?}, of which {out:?} no node served",
                        self.table
                    ));
                }
            }
            let whole = budget.and_then(|budget| Some((budget, self.turn_of_fallen(number - 1)?)));
            if let Some((budget, before)) = whole {
                let elapsed = line.durable_at.saturating_sub(before.durable_at);
                let (out, count) = overlap(outages, before.durable_at, line.durable_at);
                if budget > elapsed.saturating_sub(out) + jitter(before, line.durable_at) + TOLERANCE * count {
                    problems.push(format!(
                        "entry {number} of {}: the flag fell after {elapsed:?} ({out:?} of it without service) of {}",
                        self.table, self.clock
                    ));
                }
            }
            if line.sets_turn() {
                turn_began = Some(line);
            }
        }
    }
}

/// How much of a time was within outages, and how many of them.
fn overlap(outages: &[(Duration, Duration)], from: Duration, to: Duration) -> (Duration, u32) {
    let (mut out, mut count) = (Duration::ZERO, 0);
    for &(began, ended) in outages {
        let shared = ended.min(to).saturating_sub(began.max(from));
        if !shared.is_zero() {
            out += shared;
            count += 1;
        }
    }
    (out, count)
}

/// Each acknowledged request is in the log once, before the number that was acknowledged, and in the order of a person's
/// acknowledgements.
fn check_acknowledged(acknowledged: &[Acknowledged], logs: &BTreeMap<&str, Log>, problems: &mut Vec<String>) {
    let mut last: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
    for given in acknowledged {
        let Acknowledged { table, person, id, seq, as_spectator, expected, .. } = given;
        let Some(log) = logs.get(table.as_str()) else {
            problems.push(format!("{id} of {person} was acknowledged at {table}, which is not stored"));
            continue;
        };
        let is_it = |line: &Line| match expected {
            Expected::Entry { action, .. } => line.entry() == Some(action),
            Expected::Kind(kind) => line.kind() == *kind,
        };
        let own = |line: &Line| line.text("by") == Some(person) && line.text("ask") == Some(id) && is_it(line);
        let found: Vec<usize> = (0..log.lines.len()).filter(|&index| own(&log.lines[index])).collect();
        let [index] = found[..] else {
            problems.push(format!("{id} of {person} ({expected:?}) is {} times in the log of {table}", found.len()));
            continue;
        };
        if *as_spectator && log.is_private_at(index as u32 + 1) && *expected == Expected::Kind("said") {
            problems.push(format!("{id} of {person} was said at {table}, which is private"));
        }
        if let Expected::Entry { at, in_turn, .. } = expected {
            let length = log_check::length_before(log, index);
            if length != *at as usize {
                problems
                    .push(format!("{id} of {person} was meant for {at} entries at {table}, and there were {length}"));
            }
            // After a takeback the same length may be another position.
            if !in_turn && log.lines[..=index].iter().all(|line| line.kind() != "took_back") {
                problems.push(format!("{id} of {person} was not in turn at {table}, and was acknowledged"));
            }
        }
        if index >= *seq as usize {
            problems.push(format!("{id} of {person} is entry {} of {table}, acknowledged as {seq}", index + 1));
        }
        // Twins share a name and not a device; the ids tell the devices apart.
        let device = &id[..id.len().saturating_sub(6)];
        if let Some(before) = last.insert((table, person, device), index).filter(|before| *before > index) {
            problems.push(format!("{id} of {person} is entry {} of {table}, after {}", index + 1, before + 1));
        }
    }
}

/// What was sent is what is stored, and a card that was drawn is known to one seat at most.
fn check_event(table: &str, seq: u32, line: &Line, seen: &[(u8, String)], problems: &mut Vec<String>) {
    let Some(stored) = line.entry() else { return };
    let is_draw = stored.starts_with("draw:");
    let mut knew = Vec::new();
    for (viewer, event) in seen {
        let event: Value = serde_json::from_str(event).unwrap_or_default();
        let event = &event["event"];
        let sent = event["entry"].as_str();
        let hidden = is_draw && sent == Some("draw:?");
        if sent != Some(stored) && !hidden {
            problems.push(format!("event {seq} of {table} is {stored:?}, and viewer {viewer} was sent {event}"));
        }
        if is_draw && !hidden {
            knew.push(*viewer);
        }
    }
    if knew.len() > 1 || knew.contains(&0) {
        problems.push(format!("event {seq} of {table} is a hidden card that viewers {knew:?} were sent"));
    }
}

#[cfg(test)]
mod tests {
    use protocol::Event;

    use super::*;
    use crate::witness::Witness;

    /// A game among friends that is over after ten seconds, and what is wrong with the chat of it.
    fn problems_of_chat(note: impl Fn(&Witness, &str, &Event)) -> Vec<String> {
        let line = |seconds, what: &str| {
            (Duration::from_secs(seconds), format!(r#"{{"at":{BEGINNING},"what":{{"{what}":{{}}}}}}"#))
        };
        let log = StoredLog {
            table: "friends".to_owned(),
            spec: r#"{"access":"link","clock":"none"}"#.to_owned(),
            maker: "ann".to_owned(),
            lines: vec![line(5, "said"), line(10, "ended")],
        };
        let said: Event =
            serde_json::from_str(r#"{"type":"said","seat":1,"name":"Ann","line":{"type":"text","text":"hello"}}"#)
                .unwrap();
        let witness = Witness::default();
        note(&witness, "friends", &said);
        let logs = [Log::read(&log)];
        let mut problems = Vec::new();
        check_chat(&witness.notes(), &logs.into_iter().map(|log| ("friends", log)).collect(), &mut problems);
        problems
    }

    #[test]
    fn who_came_before_the_end_may_be_sent_chat_after_others_were_not() {
        let problems = problems_of_chat(|witness, table, said| {
            let seconds = Duration::from_secs;
            witness.note_chat(seconds(12), seconds(11), table, 1, &Event::Redacted);
            witness.note_chat(seconds(13), seconds(9), table, 1, said);
            let texts = [r#"{"event":{"type":"redacted"}}"#, r#"{"event":{"type":"said"}}"#];
            for text in [texts[0], texts[1], texts[0]] {
                witness.note_event(seconds(13), table, 0, 1, text);
            }
            assert_eq!(witness.notes().problems, [""; 0]);
            witness.note_event(seconds(14), table, 0, 1, r#"{"event":{"type":"said","name":"Bob"}}"#);
            assert_eq!(witness.notes().problems.len(), 1, "not the same line");
        });
        assert_eq!(problems, [""; 0]);
    }

    #[test]
    fn chat_for_who_comes_later_and_chat_that_is_withheld_before_the_end_are_noticed() {
        let seconds = Duration::from_secs;
        let later =
            problems_of_chat(|witness, table, said| witness.note_chat(seconds(12), seconds(11), table, 1, said));
        assert_eq!(later.len(), 1, "{later:?}");
        let early = problems_of_chat(|witness, table, _| {
            witness.note_chat(seconds(9), seconds(8), table, 1, &Event::Redacted);
        });
        assert_eq!(early.len(), 1, "{early:?}");
    }
}
