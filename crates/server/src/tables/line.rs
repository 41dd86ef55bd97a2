use protocol::{Event, Sitting};
use serde::{Deserialize, Serialize};

/// A line of a table's log, with full knowledge: what is kept and what everything follows from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Line {
    /// When, in milliseconds since 1970.
    pub(crate) at: i64,
    /// The person who asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) by: Option<String>,
    /// Under which id it was asked for, so that it is not done twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ask: Option<String>,
    /// What of the time until an action was given back for a slow network, in milliseconds. It stands in the log, so that
    /// whoever goes from node to node, or makes one read a table again, has no more than one bank.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub(crate) forgiven: u32,
    /// What happened.
    pub(crate) what: Event,
}

fn is_nothing(time: &u32) -> bool {
    *time == 0
}

impl Line {
    /// Takes out what somebody is called, whatever that was at the time; whether it stood there.
    pub(crate) fn forget(&mut self, person: &str) -> bool {
        match &mut self.what {
            Event::Sat { who: Sitting::Person(sitting), rating, .. } if sitting.id == person => {
                sitting.name.clear();
                *rating = None;
            }
            Event::Said { name, .. } if self.by.as_deref() == Some(person) => name.clear(),
            _ => return false,
        }
        true
    }
}

/// A line, and its action as each viewer may know it, spectators last; without the latter everybody may know it.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) line: Line,
    pub(super) seen: Option<Box<[Box<str>]>>,
}
