use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;

/// What clients and the world have seen, for the checks afterwards.
#[derive(Clone, Default)]
pub struct Witness(Arc<Mutex<Notes>>);

/// See [`Witness`].
#[derive(Default)]
pub(crate) struct Notes {
    pub(crate) commands: u64,
    pub(crate) acknowledged: Vec<Acknowledged>,
    /// What each kind of viewer was sent as an event of a table: the seat's number, 0 for spectators.
    pub(crate) events: BTreeMap<(String, u32), BTreeMap<u8, Value>>,
    /// When no node could serve.
    pub(crate) outages: Vec<(Duration, Duration)>,
    pub(crate) problems: Vec<String>,
    story: Option<Vec<String>>,
}

/// A request that a node has acknowledged.
#[derive(Clone, Debug)]
pub(crate) struct Acknowledged {
    pub(crate) table: String,
    pub(crate) person: String,
    pub(crate) id: String,
    pub(crate) seq: u32,
    /// The entry that an action must have led to, or the kind of event.
    pub(crate) expected: Expected,
}

/// What must be in the log once a request is acknowledged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// An entry of the match with this text.
    Entry(String),
    /// An event of this kind.
    Kind(&'static str),
}

impl Witness {
    /// A witness that also writes down what happens, in sentences.
    pub fn with_story() -> Witness {
        let witness = Witness::default();
        witness.notes().story = Some(Vec::new());
        witness
    }

    /// What happened, if it was written down.
    pub fn story(&self) -> Vec<String> {
        self.notes().story.clone().unwrap_or_default()
    }

    pub(crate) fn notes(&self) -> MutexGuard<'_, Notes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn tell(&self, now: Duration, sentence: impl FnOnce() -> String) {
        if let Some(story) = &mut self.notes().story {
            story.push(format!("{} {}", clock(now), sentence()));
        }
    }

    pub(crate) fn note_problem(&self, now: Duration, problem: String) {
        self.tell(now, || format!("PROBLEM: {problem}"));
        self.notes().problems.push(format!("{} {problem}", clock(now)));
    }

    pub(crate) fn note_outage(&self, from: Duration, to: Duration) {
        self.notes().outages.push((from, to));
    }

    /// Notes an event as a viewer was sent it; the same viewer must always be sent the same.
    pub(crate) fn note_event(&self, now: Duration, table: &str, viewer: u8, seq: u32, event: Value) {
        let mut notes = self.notes();
        let seen = notes.events.entry((table.to_owned(), seq)).or_default();
        let before = seen.entry(viewer).or_insert_with(|| event.clone()).clone();
        drop(notes);
        if before != event {
            let problem = format!("event {seq} of {table} was {before} for viewer {viewer} and is {event} now");
            self.note_problem(now, problem);
        }
    }
}

/// A moment as a clock shows it.
pub(crate) fn clock(now: Duration) -> String {
    let (seconds, millis) = (now.as_secs(), now.subsec_millis());
    format!("{}:{:02}:{:02}.{millis:03}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
