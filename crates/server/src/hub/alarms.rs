use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError, Weak};
use std::time::Duration;

use tokio::sync::Notify;

use super::Hub;
use crate::runtime;

/// When to look at which table.
#[derive(Default)]
pub(super) struct Alarms {
    set: Mutex<AlarmSet>,
    sooner: Notify,
}

#[derive(Default)]
struct AlarmSet {
    order: BTreeSet<(Duration, String)>,
    at: HashMap<String, Duration>,
}

impl Alarms {
    /// Sets a table's alarm, or removes it.
    pub(super) fn set(&self, id: &str, due: Option<Duration>) {
        let mut set = self.set.lock().unwrap_or_else(PoisonError::into_inner);
        let AlarmSet { order, at } = &mut *set;
        if let Some(old) = at.remove(id) {
            order.remove(&(old, id.to_owned()));
        }
        if let Some(due) = due {
            let first = order.first().is_none_or(|(first, _)| due < *first);
            order.insert((due, id.to_owned()));
            at.insert(id.to_owned(), due);
            if first {
                self.sooner.notify_one();
            }
        }
    }

    /// Takes out what is due, and says when the next is.
    fn due(&self, now: Duration) -> (Vec<String>, Option<Duration>) {
        let mut set = self.set.lock().unwrap_or_else(PoisonError::into_inner);
        let AlarmSet { order, at } = &mut *set;
        let mut due = Vec::new();
        while let Some((when, _)) = order.first() {
            if *when > now {
                return (due, Some(*when));
            }
            if let Some((_, id)) = order.pop_first() {
                at.remove(&id);
                due.push(id);
            }
        }
        (due, None)
    }
}

/// Looks at each table when its time has come.
pub(super) async fn run(hub: Weak<Hub>) {
    loop {
        let Some(strong) = hub.upgrade() else { return };
        let (due, next) = strong.tables.alarms.due(strong.now());
        for id in due {
            let hub = strong.clone();
            runtime::spawn(async move { hub.look(&id).await });
        }
        // Never longer than this, so that the task ends with the hub.
        let wait = next.map_or(Duration::from_secs(5), |next| next.saturating_sub(strong.now()));
        let wait = wait.clamp(Duration::from_millis(1), Duration::from_secs(5));
        tokio::select! {
            // In a fixed order, so that a simulation can be repeated.
            biased;
            () = strong.tables.alarms.sooner.notified() => {}
            () = runtime::sleep(wait) => {}
        }
    }
}
