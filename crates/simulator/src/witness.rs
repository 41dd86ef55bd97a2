use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use protocol::Event;
use serde_json::Value;

use crate::plan::{Fault, FaultKind};
use crate::wanted::Repeated;

/// What clients and the world have seen, for the checks afterwards.
#[derive(Clone, Default)]
pub struct Witness(Arc<Mutex<Notes>>);

/// See [`Witness`].
#[derive(Default)]
pub(crate) struct Notes {
    pub(crate) commands: u64,
    pub(crate) acknowledged: Vec<Acknowledged>,
    /// What each kind of viewer was sent first as an event of a table: the seat's number, 0 for spectators.
    pub(crate) events: BTreeMap<String, BTreeMap<u32, Vec<(u8, String)>>>,
    /// Chat that was withheld from a spectator: the table, the event, and when.
    pub(crate) withheld: Vec<(String, u32, Duration)>,
    /// Chat that a spectator was sent, by table and event: when the one who came last asked for the table.
    pub(crate) overheard: BTreeMap<(String, u32), Duration>,
    /// Faults after which a node may know a turn only from the database: when each began and ended.
    pub(crate) losses: Vec<(Duration, Duration)>,
    /// Events that came late to a client.
    pub(crate) late: Vec<Late>,
    /// Faults other than a slow database after which a node that has the table open may not know when a turn truly began.
    pub(crate) disturbances: Vec<(Duration, Duration)>,
    /// Faults of the database and of whole nodes, while which events may be late: when each began and ended.
    pub(crate) standstills: Vec<(Duration, Duration)>,
    /// How many tables each person has asked for.
    pub(crate) wanted: BTreeMap<String, usize>,
    /// Requests for tables that were sent again soon.
    pub(crate) repeated: Vec<Repeated>,
    /// When no node could serve.
    pub(crate) outages: Vec<(Duration, Duration)>,
    pub(crate) problems: Vec<String>,
    pub(crate) story: Option<Vec<String>>,
}

/// An event that came late to a client.
#[derive(Clone, Debug)]
pub(crate) struct Late {
    pub(crate) table: String,
    pub(crate) seq: u32,
    /// The client.
    pub(crate) name: String,
    /// When the event was decided, and when it came.
    pub(crate) decided: Duration,
    pub(crate) now: Duration,
}

/// A request that a node has acknowledged.
#[derive(Clone, Debug)]
pub(crate) struct Acknowledged {
    pub(crate) table: String,
    pub(crate) person: String,
    pub(crate) id: String,
    pub(crate) seq: u32,
    /// Whether the client sent it as a spectator.
    pub(crate) as_spectator: bool,
    /// Since when the client watched the table through the node that took the request, if it was sent once.
    pub(crate) watching_since: Option<Duration>,
    /// The entry that an action must have led to, or the kind of event.
    pub(crate) expected: Expected,
}

/// What must be in the log once a request is acknowledged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// An entry of the match with this text, at this place in its log, played by a seat that was to act or not.
    Entry {
        /// Its text.
        action: String,
        /// How many entries the log had, as the client knew it.
        at: u32,
        /// Whether the client was to act.
        in_turn: bool,
    },
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

    pub(crate) fn narrate(&self, now: Duration, sentence: impl FnOnce() -> String) {
        if let Some(story) = &mut self.notes().story {
            story.push(format!("{} {}", clock(now), sentence()));
        }
    }

    pub(crate) fn note_problem(&self, now: Duration, problem: String) {
        self.narrate(now, || format!("PROBLEM: {problem}"));
        self.notes().problems.push(format!("{} {problem}", clock(now)));
    }

    /// Notes a fault after which a node may not know when a turn truly began, or in which events may be late.
    pub(crate) fn note_fault(&self, now: Duration, fault: &Fault) {
        use FaultKind::{BusOut, ClockJump, Cut, SlowStore, UnrulyBus, VersionSkew, WorkerCrash};
        // Nodes make up for what the broker does, and go by the time of the database.
        if !matches!(fault.kind, Cut | WorkerCrash | UnrulyBus | BusOut | VersionSkew | ClockJump(..)) {
            self.notes().standstills.push((now, now + fault.length));
        }
        if !matches!(fault.kind, Cut | WorkerCrash) {
            self.notes().losses.push((now, now + fault.length));
        }
        if !matches!(fault.kind, Cut | WorkerCrash | SlowStore(_) | ClockJump(..)) {
            self.notes().disturbances.push((now, now + fault.length));
        }
    }

    pub(crate) fn note_outage(&self, from: Duration, to: Duration) {
        self.notes().outages.push((from, to));
    }

    /// Notes an event as a viewer was sent it. The same viewer must always be sent the same; chat may also be withheld from
    /// a spectator, see [`Witness::note_chat`].
    pub(crate) fn note_event(&self, now: Duration, table: &str, viewer: u8, seq: u32, event: &str) {
        let mut notes = self.notes();
        if !notes.events.contains_key(table) {
            notes.events.insert(table.to_owned(), BTreeMap::new());
        }
        let Some(events) = notes.events.get_mut(table) else { return };
        let seen = events.entry(seq).or_default();
        let Some((_, before)) = seen.iter_mut().find(|(other, _)| *other == viewer) else {
            seen.push((viewer, event.to_owned()));
            return;
        };
        if before == event {
            return;
        }
        match (viewer, &*kind(before), &*kind(event)) {
            (0, "said", "redacted") => return,
            // Two spectators, of whom the one who was sent less was sent it faster.
            (0, "redacted", "said") => return event.clone_into(before),
            _ => {}
        }
        let before = before.clone();
        drop(notes);
        let problem = format!("event {seq} of {table} was {before} for viewer {viewer} and is {event} now");
        self.note_problem(now, problem);
    }

    /// Notes a line of chat that a spectator was sent, or that was withheld from one, who asked for the table at `asked`.
    /// What friends said is not for those who come when their game is over.
    pub(crate) fn note_chat(&self, now: Duration, asked: Duration, table: &str, seq: u32, event: &Event) {
        let mut notes = self.notes();
        match event {
            Event::Said { .. } => {
                let last = notes.overheard.entry((table.to_owned(), seq)).or_default();
                *last = asked.max(*last);
            }
            Event::Redacted => notes.withheld.push((table.to_owned(), seq, now)),
            _ => {}
        }
    }
}

/// The kind of an event as a client was sent it.
fn kind(event: &str) -> String {
    let event: Value = serde_json::from_str(event).unwrap_or_default();
    event["event"]["type"].as_str().unwrap_or_default().to_owned()
}

/// A moment as a clock shows it.
pub(crate) fn clock(now: Duration) -> String {
    let (seconds, millis) = (now.as_secs(), now.subsec_millis());
    format!("{}:{:02}:{:02}.{millis:03}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
