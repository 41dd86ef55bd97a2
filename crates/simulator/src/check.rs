//! What the stored logs and the clients' notes must have in common. Nothing here uses the server's code.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;
use server::simulation::StoredLog;

use crate::witness::{Acknowledged, Expected, Notes};

/// How much more than the truth a player may be charged for each fault that falls into a turn: heartbeats are written
/// every two seconds, and a process counts as frozen after three.
const TOLERANCE: Duration = Duration::from_millis(5_500);
/// The same without any fault: a turn begins when the entry before it is decided, and a slow database may take more than
/// four seconds to make it durable.
const JITTER: Duration = Duration::from_millis(6_000);

/// Every promise that is broken.
pub(crate) fn problems(notes: &Notes, logs: &[StoredLog]) -> Vec<String> {
    let parsed: BTreeMap<&str, Log> = logs.iter().map(|log| (log.table.as_str(), Log::read(log))).collect();
    let mut problems = Vec::new();
    for log in parsed.values() {
        log.check_times(&notes.outages, &mut problems);
    }
    check_acknowledged(&notes.acknowledged, &parsed, &mut problems);
    for ((table, seq), seen) in &notes.events {
        match parsed.get(table.as_str()).and_then(|log| log.lines.get(*seq as usize - 1)) {
            None => problems.push(format!("event {seq} of {table} was sent and is not in the log")),
            Some(line) => check_event(table, *seq, line, seen, &mut problems),
        }
    }
    problems
}

struct Log<'a> {
    table: &'a str,
    clock: String,
    lines: Vec<Line>,
}

struct Line {
    durable_at: Duration,
    json: Value,
}

impl Line {
    fn text(&self, key: &str) -> Option<&str> {
        self.json.get(key)?.as_str()
    }

    fn kind(&self) -> &str {
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

    fn entry(&self) -> Option<&str> {
        self.json["what"]["did"]["entry"].as_str()
    }

    fn spent(&self) -> Option<Duration> {
        self.json["what"]["did"]["spent"].as_u64().map(Duration::from_millis)
    }
}

impl Log<'_> {
    fn read(log: &StoredLog) -> Log<'_> {
        let wish: Value = serde_json::from_str(&log.wish).unwrap_or_default();
        let line = |(durable_at, text): &(Duration, String)| Line {
            durable_at: *durable_at,
            json: serde_json::from_str(text).unwrap_or_default(),
        };
        Log {
            table: &log.table,
            clock: wish["clock"].as_str().unwrap_or("none").to_owned(),
            lines: log.lines.iter().map(line).collect(),
        }
    }

    /// When the turn began in which a person's flag fell, if line `index` says that one fell. A turn may have several
    /// actions.
    fn turn_of_fallen(&self, index: usize) -> Option<Duration> {
        let seat: u64 = self.lines[index].entry()?.strip_prefix("time:")?.parse().ok()?;
        let before = &self.lines[..index];
        let sat = before.iter().rev().map(|line| &line.json["what"]["sat"]).find(|sat| sat["seat"] == seat)?;
        let person = sat["who"]["person"]["id"].as_str()?;
        let mut earlier = before.iter().rev().filter(|line| line.sets_turn());
        let last = earlier.find(|line| line.kind() != "did" || line.text("by") != Some(person))?;
        (last.kind() != "took_back").then_some(last.durable_at)
    }

    /// No player is charged for more time than there was, nor for time in which no node could serve.
    fn check_times(&self, outages: &[(Duration, Duration)], problems: &mut Vec<String>) {
        let budget = self.clock.strip_prefix("turn=").and_then(|text| text.parse().ok()).map(Duration::from_secs);
        let mut turn_began: Option<Duration> = None;
        for (number, line) in (1..).zip(&self.lines) {
            if let (Some(began), Some(spent)) = (turn_began, line.spent()) {
                let elapsed = line.durable_at.saturating_sub(began);
                let (out, count) = overlap(outages, began, line.durable_at);
                let most = elapsed.saturating_sub(out) + JITTER + TOLERANCE * count;
                if spent > most {
                    problems.push(format!(
                        "entry {number} of {} charges {spent:?} for a turn of {elapsed:?}, of which {out:?} no node served",
                        self.table
                    ));
                }
            }
            let whole = budget.and_then(|budget| Some((budget, self.turn_of_fallen(number - 1)?)));
            if let Some((budget, began)) = whole {
                let elapsed = line.durable_at.saturating_sub(began);
                let (out, count) = overlap(outages, began, line.durable_at);
                if budget > elapsed.saturating_sub(out) + JITTER + TOLERANCE * count {
                    problems.push(format!(
                        "entry {number} of {}: the flag fell after {elapsed:?} ({out:?} of it without service) of {}",
                        self.table, self.clock
                    ));
                }
            }
            if line.sets_turn() {
                turn_began = Some(line.durable_at);
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
        let Acknowledged { table, person, id, seq, expected } = given;
        let Some(log) = logs.get(table.as_str()) else {
            problems.push(format!("{id} of {person} was acknowledged at {table}, which is not stored"));
            continue;
        };
        let is_it = |line: &Line| match expected {
            Expected::Entry(action) => line.entry() == Some(action),
            Expected::Kind(kind) => line.kind() == *kind,
        };
        let own = |line: &Line| line.text("by") == Some(person) && line.text("ask") == Some(id) && is_it(line);
        let found: Vec<usize> = (0..log.lines.len()).filter(|&index| own(&log.lines[index])).collect();
        let [index] = found[..] else {
            problems.push(format!("{id} of {person} ({expected:?}) is {} times in the log of {table}", found.len()));
            continue;
        };
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
fn check_event(table: &str, seq: u32, line: &Line, seen: &BTreeMap<u8, Value>, problems: &mut Vec<String>) {
    let stored = line.entry();
    let mut knew = Vec::new();
    for (viewer, event) in seen {
        let event = &event["event"];
        let sent = event["entry"].as_str();
        let hidden = stored.is_some_and(|stored| stored.starts_with("draw:")) && sent == Some("draw:?");
        if stored.is_some() && sent != stored && !hidden {
            problems.push(format!("event {seq} of {table} is {stored:?}, and viewer {viewer} was sent {event}"));
        }
        if stored.is_some_and(|stored| stored.starts_with("draw:")) && !hidden {
            knew.push(*viewer);
        }
    }
    if knew.len() > 1 || knew.contains(&0) {
        problems.push(format!("event {seq} of {table} is a hidden card that viewers {knew:?} were sent"));
    }
}
