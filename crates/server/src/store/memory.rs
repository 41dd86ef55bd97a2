use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::tables::{PlayingRow, StoredTable};
use super::{Append, RatingRow, StoreError, TableRow};
use crate::runtime::{Instant, simulation};
use crate::{runtime, secret};

/// Tables, their logs and what nodes share, in memory: for simulations, where nothing may wait for a thread or a disk.
///
/// People and sessions are not part of it.
#[derive(Clone, Default)]
pub struct Memory {
    data: Arc<Mutex<Data>>,
}

#[derive(Default)]
pub(super) struct Data {
    tables: BTreeMap<String, Kept>,
    /// When flags fall, and the games.
    due: BTreeSet<(i64, String)>,
    /// When each run began, and when it was last alive.
    runs: BTreeMap<String, (i64, i64)>,
    settings: BTreeMap<String, String>,
    ratings: BTreeMap<(String, String), RatingRow>,
    analyses: BTreeMap<String, String>,
    locks: BTreeMap<String, Arc<tokio::sync::Mutex<()>>>,
    faults: StoreFaults,
    began: Option<Instant>,
}

/// A table as it is stored.
#[derive(Clone, Debug)]
pub struct StoredLog {
    /// The id of the table.
    pub table: String,
    /// What it was made with, as it is stored.
    pub spec: String,
    /// The id of the person who made it.
    pub maker: String,
    /// Each line, and when it became durable, since the simulation began.
    pub lines: Vec<(Duration, String)>,
}

/// What a simulated database does besides what it should.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoreFaults {
    /// Nothing is answered but an error.
    pub is_out: bool,
    /// The longest time on the way there, and on the way back, in milliseconds.
    pub slowest: u32,
    /// How many of a hundred answers to a write get lost, though it is durable.
    pub lost_answers: u32,
    /// Counts how often the database has crashed: what was not synced then is lost.
    pub crashes: u32,
}

struct Kept {
    row: TableRow,
    game: String,
    people: Vec<String>,
    lines: Vec<String>,
    /// When each line became durable, since the simulation began.
    durable_at: Vec<Duration>,
}

/// The longest time that a write takes to be synced, in milliseconds.
const SLOWEST_SYNC: u32 = 8;

/// What this store does not hold.
pub(super) fn unsupported() -> StoreError {
    StoreError::Database("a store in memory has no people".to_owned())
}

impl Memory {
    /// From now on this happens.
    pub(crate) fn set(&self, faults: StoreFaults) {
        self.data().faults = faults;
    }

    /// The way to the database.
    pub(super) async fn pass(&self) -> Result<(), StoreError> {
        let slowest = self.data().faults.slowest;
        if slowest > 0 {
            runtime::sleep(Duration::from_millis(secret::below(slowest).into())).await;
        }
        if self.data().faults.is_out {
            return Err(StoreError::Database("the simulated database is out".to_owned()));
        }
        Ok(())
    }

    /// The way back from a write, on which its answer may get lost.
    async fn answer(&self) -> Result<(), StoreError> {
        self.pass().await?;
        if secret::below(100) < self.data().faults.lost_answers {
            return Err(StoreError::Database("the answer of the simulated database got lost".to_owned()));
        }
        Ok(())
    }

    pub(super) async fn append(&self, append: Append) -> Result<(), StoreError> {
        self.pass().await?;
        let crashes = self.data().faults.crashes;
        runtime::sleep(Duration::from_millis(secret::below(SLOWEST_SYNC).into())).await;
        if self.data().faults.crashes != crashes {
            return Err(StoreError::Database("the simulated database crashed before it had synced".to_owned()));
        }
        self.data().append(append)?;
        self.answer().await
    }

    pub(super) async fn beat(&self, run: &str, started_at: i64, now: i64) -> Result<(), StoreError> {
        self.pass().await?;
        self.data().beat(run, started_at, now);
        self.answer().await
    }

    /// The time of this database, and how long it took to ask.
    pub(super) async fn clock(&self) -> Result<(i64, Duration), StoreError> {
        let asked = Instant::now();
        self.pass().await?;
        let at = simulation::BEGINNING + self.data().age().as_millis() as i64;
        self.pass().await?;
        Ok((at, asked.elapsed()))
    }

    pub(super) async fn lock(&self, name: &str) -> tokio::sync::OwnedMutexGuard<()> {
        let lock = self.data().locks.entry(name.to_owned()).or_default().clone();
        lock.lock_owned().await
    }

    /// Every table.
    pub(crate) fn logs(&self) -> Vec<StoredLog> {
        let log = |(id, kept): (&String, &Kept)| StoredLog {
            table: id.clone(),
            spec: kept.row.spec.clone(),
            maker: kept.row.maker.clone(),
            lines: kept.durable_at.iter().copied().zip(kept.lines.iter().cloned()).collect(),
        };
        self.data().tables.iter().map(log).collect()
    }

    pub(super) fn data(&self) -> MutexGuard<'_, Data> {
        self.data.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Data {
    /// How long this store has been used.
    fn age(&mut self) -> Duration {
        self.began.get_or_insert_with(Instant::now).elapsed()
    }

    pub(super) fn append(&mut self, append: Append) -> Result<(), StoreError> {
        let known = self.tables.get(&append.table).map(|kept| kept.row.seq);
        if append.new.is_some() != known.is_none() || known.is_some_and(|seq| seq != i64::from(append.after)) {
            return Err(StoreError::Conflict);
        }
        for rating in append.ratings {
            self.ratings.insert((rating.person.clone(), rating.game.clone()), rating);
        }
        if let Some(new) = append.new {
            let row = TableRow {
                id: append.table.clone(),
                spec: new.spec,
                maker: new.maker,
                state: String::new(),
                seq: 0,
                created_at: append.at,
                changed_at: append.at,
                due_at: None,
                result: None,
                cause: None,
            };
            let kept = Kept { row, game: new.game, people: Vec::new(), lines: Vec::new(), durable_at: Vec::new() };
            self.tables.insert(append.table.clone(), kept);
        }
        let now = self.age();
        let Some(kept) = self.tables.get_mut(&append.table) else { return Err(StoreError::Conflict) };
        kept.lines.extend(append.lines);
        kept.durable_at.resize(kept.lines.len(), now);
        kept.row.seq = kept.lines.len() as i64;
        kept.row.state = append.state.to_owned();
        kept.row.changed_at = append.at;
        set_due(&mut self.due, kept, append.due_at);
        if let Some(seats) = append.seats {
            kept.people = seats.into_iter().map(|(_, person)| person).collect();
        }
        if let Some((result, cause)) = append.ending {
            (kept.row.result, kept.row.cause) = (Some(result), Some(cause));
        }
        Ok(())
    }

    pub(super) fn delay_flag(&mut self, id: &str, seq: u32, due_at: i64) {
        if let Some(kept) = self.tables.get_mut(id).filter(|kept| kept.row.seq == i64::from(seq)) {
            set_due(&mut self.due, kept, Some(due_at));
        }
    }

    pub(super) fn due_at(&self, id: &str, seq: u32) -> Option<i64> {
        self.tables.get(id).filter(|kept| kept.row.seq == i64::from(seq))?.row.due_at
    }

    pub(super) fn table(&self, id: &str) -> Option<StoredTable> {
        self.tables.get(id).map(|kept| StoredTable { row: kept.row.clone(), lines: kept.lines.clone() })
    }

    pub(super) fn lines_after(&self, id: &str, seen: u32) -> Vec<String> {
        self.tables.get(id).map(|kept| kept.lines.iter().skip(seen as usize).cloned().collect()).unwrap_or_default()
    }

    pub(super) fn lengths(&self, ids: &[String]) -> Vec<(String, i64)> {
        ids.iter().filter_map(|id| Some((id.clone(), self.tables.get(id)?.row.seq))).collect()
    }

    /// Everything, each line with its number.
    pub(super) fn everything(&self) -> Vec<(TableRow, Vec<(i64, String)>)> {
        let numbered = |kept: &Kept| (kept.row.clone(), (1..).zip(kept.lines.iter().cloned()).collect());
        self.tables.values().map(numbered).collect()
    }

    /// Games whose flag fell before a moment, the longest ago first.
    pub(super) fn due(&self, before: i64, most: i64) -> Vec<String> {
        let due = self.due.iter().take_while(|(at, _)| *at < before);
        due.take(usize::try_from(most).unwrap_or(0)).map(|(_, id)| id.clone()).collect()
    }

    pub(super) fn playing(&self) -> Vec<PlayingRow> {
        let playing = self.tables.values().filter(|kept| kept.row.state == "playing");
        let row = |kept: &Kept| PlayingRow {
            id: kept.row.id.clone(),
            due_at: kept.row.due_at,
            spec: kept.row.spec.clone(),
            people: kept.people.len() as i64,
        };
        playing.map(row).collect()
    }

    /// Tables for which something holds, the latest first.
    fn latest(&self, most: i64, holds: impl Fn(&Kept) -> bool) -> Vec<TableRow> {
        let mut rows: Vec<TableRow> =
            self.tables.values().filter(|kept| holds(kept)).map(|kept| kept.row.clone()).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.changed_at));
        rows.truncate(usize::try_from(most).unwrap_or(0));
        rows
    }

    pub(super) fn just_made(&self, game: &str, after: i64) -> Vec<TableRow> {
        self.latest(50, |kept| kept.row.state == "waiting" && kept.row.changed_at >= after && kept.game == game)
    }

    pub(super) fn tables_in(&self, state: &str, most: i64) -> Vec<TableRow> {
        self.latest(most, |kept| kept.row.state == state)
    }

    pub(super) fn tables_of(&self, person: &str, most: i64) -> Vec<TableRow> {
        self.latest(most, |kept| kept.people.iter().any(|other| other == person))
    }

    pub(super) fn beat(&mut self, run: &str, started_at: i64, now: i64) {
        self.runs.entry(run.to_owned()).or_insert((started_at, now)).1 = now;
    }

    pub(super) fn runs_since(&self, moment: i64) -> Vec<(i64, i64)> {
        let mut runs: Vec<(i64, i64)> = self.runs.values().filter(|(_, alive)| *alive >= moment).copied().collect();
        runs.sort_unstable();
        runs
    }

    pub(super) fn setting(&mut self, name: &str, make: impl FnOnce() -> String) -> String {
        self.settings.entry(name.to_owned()).or_insert_with(make).clone()
    }

    pub(super) fn ratings_in(&self, game: &str, people: &[String]) -> Vec<RatingRow> {
        let known = |person: &String| self.ratings.get(&(person.clone(), game.to_owned())).cloned();
        people.iter().filter_map(known).collect()
    }

    pub(super) fn analysis(&self, id: &str) -> Option<String> {
        self.analyses.get(id).cloned()
    }

    pub(super) fn keep_analysis(&mut self, id: &str, found: &str) {
        self.analyses.entry(id.to_owned()).or_insert_with(|| found.to_owned());
    }
}

/// Sets when the flag falls in a game, if it goes on.
fn set_due(due: &mut BTreeSet<(i64, String)>, kept: &mut Kept, at: Option<i64>) {
    if let Some(before) = kept.row.due_at {
        due.remove(&(before, kept.row.id.clone()));
    }
    if let Some(at) = at.filter(|_| kept.row.state == "playing") {
        due.insert((at, kept.row.id.clone()));
    }
    kept.row.due_at = at;
}
