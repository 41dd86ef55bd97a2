//! The way of a command: decided on what is known, made durable, then applied and published.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::MutexGuard;

use super::open_table::{OpenTable, TableState, Tail};
use super::{Hub, Role, ratings};
use crate::bus::TableMessage;
use crate::runtime::{self, Instant};
use crate::store::{Append, StoreError};
use crate::tables::{
    Command, Decision, Event, LogEntry, Person, Refusal, Request, Right, Sitting, Stage, Table, read_entry, write_entry,
};

/// What a request came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Done {
    pub(crate) seq: u32,
}

/// Which node has added to a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Author {
    /// What follows from it is for this node to do.
    ThisNode,
    /// That node does what follows, unless it dies.
    OtherNode,
}

/// Where a command comes from.
#[derive(Clone, Debug, Default)]
pub(super) struct Origin<'a> {
    by: Option<&'a str>,
    request: Option<&'a str>,
    lag: Duration,
    /// The ratings of the person, at a rated table.
    ratings: Vec<(String, u32)>,
}

/// A write that takes longer moves the flag of the next turn.
const SLOW: Duration = Duration::from_millis(100);
/// How often a lost race for the end of a log is run again.
const RACES: u32 = 10;

/// Why nothing came of a command.
pub(super) enum Failed {
    Refused(Refusal),
    /// What it stands on has changed: another process has written to the same log, or the database was lost and is back.
    Race,
    /// The database did not take the entries, or whether it did is not known.
    Storage,
}

impl From<Failed> for Refusal {
    fn from(failed: Failed) -> Refusal {
        match failed {
            Failed::Refused(refusal) => refusal,
            Failed::Race | Failed::Storage => Refusal::Storage,
        }
    }
}

impl Hub {
    /// Carries out a client's request at a table; the answer comes when what happened is durable.
    pub(crate) async fn ask(
        self: &Arc<Self>,
        open: &Arc<OpenTable>,
        who: &protocol::Person,
        id: &str,
        command: &protocol::Command,
        lag: Duration,
    ) -> Result<Done, Refusal> {
        let began = Instant::now();
        if self.heartbeat.is_lost() {
            return Err(Refusal::Storage);
        }
        let (who, request) = (Person::from(who), Request::from_wire(command));
        let mut state = open.state.lock().await;
        for race in 0..RACES {
            self.sync(open, &mut state).await?;
            let Some(request) = &request else { return Ok(Done { seq: state.table.seq() }) };
            state.table.check(&who.id, Right::of(request))?;
            if let Some(seq) = state.table.answered(&who.id, id) {
                if state.table.contradicts(&who.id, id, request) {
                    return Err(Refusal::Stale);
                }
                return Ok(Done { seq });
            }
            let TableState { table, chat, .. } = &mut *state;
            if race == 0 && !chat.allows(table, &who.id, request) {
                return Err(Refusal::TooFast);
            }
            match self.execute(open, &mut state, Command::Tick, Origin::default()).await {
                Err(Failed::Race) => continue,
                ticked => ticked?,
            }
            let sits = matches!(request, Request::Sit(_)).then_some(&who);
            if sits.is_some() && self.is_blocked_at(&state.table, &who.id).await? {
                return Err(Refusal::Forbidden);
            }
            if request.is_about_rematch() && self.is_block_between(&state.table, &who.id).await? {
                return Err(Refusal::Forbidden);
            }
            let ratings = ratings::known(&self.store, &state.table, sits).await;
            let origin = Origin { by: Some(&who.id), request: Some(id), lag, ratings };
            match self.execute(open, &mut state, Command::Request(&who, request), origin).await {
                Ok(()) => {}
                Err(Failed::Race) => continue,
                // The client may know more than this node: from another node that served it a moment ago.
                Err(Failed::Refused(_)) if self.bus.is_shared() && self.read_tail(open, &mut state).await? => continue,
                Err(failed) => return Err(failed.into()),
            }
            self.make_rematch(open, &mut state).await;
            metrics::histogram!("fourfold_action_seconds").record(began.elapsed());
            return Ok(Done { seq: state.table.seq() });
        }
        Err(Refusal::Storage)
    }

    /// Looks at a table by itself: a flag may have fallen, or a bot may be to move.
    pub(super) async fn look(self: &Arc<Self>, id: &str) {
        if self.heartbeat.role == Role::Worker {
            return;
        }
        let later = || self.tables.alarms.set(id, Some(self.now() + Duration::from_secs(1)));
        if self.heartbeat.is_lost() {
            return later();
        }
        let open = match self.open_table(id).await {
            Ok(open) => open,
            Err(Refusal::Storage) => return later(),
            Err(_) => return,
        };
        let mut state = open.state.lock().await;
        if self.sync(&open, &mut state).await.is_err() {
            return later();
        }
        if self.execute(&open, &mut state, Command::Tick, Origin::default()).await.is_err() {
            return later();
        }
        self.after_change(&open, &mut state, Author::ThisNode);
    }

    /// Makes the next table once all players want one.
    async fn make_rematch(self: &Arc<Self>, open: &Arc<OpenTable>, state: &mut TableState) {
        if !state.table.wants_rematch() {
            return;
        }
        match self.create_rematch(&state.table).await {
            Ok(table) => {
                let events = vec![Event::RematchMade { table }];
                let decision = Decision { events, flag_falls_at: None };
                let _ = self.commit(open, state, decision, self.now(), &Origin::default()).await;
            }
            Err(refusal) => tracing::warn!(table = open.id, ?refusal, "no rematch"),
        }
    }

    /// Decides a command, and commits what it leads to; not while the database is lost, nor after this process was frozen
    /// until that has been noticed, nor with a clock that was set before: the time would be charged to the seat to act.
    pub(super) async fn execute(
        self: &Arc<Self>,
        open: &Arc<OpenTable>,
        state: &mut TableState,
        command: Command<'_>,
        mut origin: Origin<'_>,
    ) -> Result<(), Failed> {
        if self.heartbeat.role == Role::Worker {
            // Its own clock runs on while no node serves.
            let passed = self.heartbeat.passed_since(&self.store, state.table.clock_set_at()).await;
            state.table.set_clock(passed.map_err(|_| Failed::Storage)?, self.now());
        }
        if self.heartbeat.is_lost() {
            return Err(Failed::Storage);
        }
        if state.losses != self.heartbeat.losses() {
            return Err(Failed::Race);
        }
        // Nothing is awaited between this and the decision.
        let now = self.now();
        let ratings = std::mem::take(&mut origin.ratings);
        let decision = state.decide(self, command, origin.lag, ratings, now).map_err(Failed::Refused)?;
        self.commit(open, state, decision, now, &origin).await
    }

    /// Appends events to the log, and when they are durable applies and publishes them.
    async fn commit(
        self: &Arc<Self>,
        open: &Arc<OpenTable>,
        state: &mut TableState,
        decision: Decision,
        now: Duration,
        origin: &Origin<'_>,
    ) -> Result<(), Failed> {
        if decision.events.is_empty() {
            return Ok(());
        }
        let at = self.heartbeat.wall().max(state.table.last_at());
        let own = |text: Option<&str>| text.map(str::to_owned);
        let entry = |event| LogEntry { at, by: own(origin.by), request: own(origin.request), event };
        let entries: Vec<LogEntry> = decision.events.into_iter().map(entry).collect();
        let flag_falls_in = decision.flag_falls_at.map(|due| due.saturating_sub(now));
        let mut append = append(&state.table, state.table.seq(), &entries, at, flag_falls_in);
        let ended = ending(&entries).filter(|_| state.table.spec.rated);
        // Two games of one person that end at once must not both begin from the same rating.
        let _guard = if ended.is_some() { Some(self.ratings.lock().await) } else { None };
        if let Some((result, _)) = ended {
            append.ratings = ratings::after(&self.store, &state.table, result).await.unwrap_or_default();
        }
        // Until the database answers, or if it never does, the end of the log is not known.
        state.tail = Tail::Unknown;
        match self.heartbeat.append(&self.store, append).await {
            Ok(()) => state.tail = Tail::Known,
            Err(StoreError::Conflict) => return Err(Failed::Race),
            Err(_) => return Err(Failed::Storage),
        }
        // The next turn begins when the last one is durable: a slow database is not charged to the player to act.
        let (seen, durable, durable_at) = (state.table.seq(), self.now(), self.heartbeat.wall().max(at));
        if self.bus.is_shared() {
            self.bus.publish(&open.id, TableMessage::Appended { after: seen, entries: entries.clone(), durable_at });
        }
        let sets_clock = entries.iter().any(|entry| entry.event.sets_clock());
        for entry in entries {
            if let Err(problem) = state.table.apply(entry, durable) {
                // What was decided can be applied; should it not be, the log is what counts.
                tracing::error!(table = open.id, problem, "a durable entry does not fit; the log is read again");
                return self.reload(open, state).await.map_err(Failed::Refused);
            }
        }
        if sets_clock {
            state.table.set_clock_later(durable_at);
            self.store_delay(state, durable.saturating_sub(now), (durable, durable_at));
        }
        state.changed = self.now();
        state.publish(seen, self);
        self.after_change(open, state, Author::ThisNode);
        Ok(())
    }

    /// Stores when the flag truly falls if a write took long, for nodes that read the table from the database.
    pub(super) fn store_delay(&self, state: &TableState, took: Duration, (now, at): (Duration, i64)) {
        let Some(due) = state.table.flag_falls_at(now).filter(|_| took > SLOW) else { return };
        let due_at = at.saturating_add(i64::try_from(due.saturating_sub(now).as_millis()).unwrap_or(i64::MAX / 2));
        let (store, id, seq) = (self.store.clone(), state.table.id.clone(), state.table.seq());
        runtime::spawn(async move {
            // Without it the turn only seems to have begun earlier, by the time of that write.
            let _ = store.delay_flag(&id, seq, due_at).await;
        });
    }

    /// Reads the tail of the log if it is not known, or if the database was lost since: before any decision or answer.
    pub(super) async fn sync(self: &Arc<Self>, open: &Arc<OpenTable>, state: &mut TableState) -> Result<(), Refusal> {
        if state.tail == Tail::Unknown || state.losses != self.heartbeat.losses() {
            self.read_tail(open, state).await?;
        }
        Ok(())
    }

    /// A table that is as its log says, for an answer about it.
    pub(crate) async fn current<'a>(
        self: &Arc<Self>,
        open: &'a Arc<OpenTable>,
    ) -> Result<MutexGuard<'a, TableState>, Refusal> {
        let mut state = open.state.lock().await;
        self.sync(open, &mut state).await?;
        Ok(state)
    }

    /// Takes in what the log has gained; whether it had.
    pub(super) async fn read_tail(
        self: &Arc<Self>,
        open: &Arc<OpenTable>,
        state: &mut TableState,
    ) -> Result<bool, Refusal> {
        let losses = self.heartbeat.losses();
        let known = state.table.seq();
        let lines = self.store.lines_after(&open.id, known).await.map_err(super::storage)?;
        let entries: Result<Vec<LogEntry>, String> = lines.iter().map(|line| read_entry(line)).collect();
        match entries {
            Ok(entries) => self.follow(open, state, entries, None).await?,
            Err(_) => self.reload(open, state).await?,
        }
        if state.losses != losses {
            // Time in which the database was away is not charged.
            let set_at = state.table.clock_set_at();
            let passed = self.heartbeat.passed_since(&self.store, set_at).await.map_err(super::storage)?;
            state.table.set_clock(passed, self.now());
        }
        state.tail = Tail::Known;
        state.losses = losses;
        Ok(state.table.seq() != known)
    }

    /// Applies entries that are durable and that this node has not decided. If it is not known when they became durable,
    /// the database is asked.
    pub(super) async fn follow(
        self: &Arc<Self>,
        open: &Arc<OpenTable>,
        state: &mut TableState,
        entries: Vec<LogEntry>,
        durable_at: Option<i64>,
    ) -> Result<(), Refusal> {
        if entries.is_empty() {
            return Ok(());
        }
        let (seen, now) = (state.table.seq(), self.now());
        let sets_clock = entries.iter().any(|entry| entry.event.sets_clock());
        for entry in entries {
            if let Err(problem) = state.table.apply(entry, now) {
                tracing::warn!(table = open.id, problem, "a log entry does not fit; the log is read again");
                return self.reload(open, state).await;
            }
        }
        if sets_clock {
            self.set_clock_from(open, state, durable_at, now).await;
        }
        state.changed = now;
        state.publish(seen, self);
        let author = if self.bus.is_shared() { Author::OtherNode } else { Author::ThisNode };
        self.after_change(open, state, author);
        Ok(())
    }

    /// Sets the clock after entries that were applied at `now` and became durable before; if that fails, it is to be set
    /// again before the next decision.
    pub(super) async fn set_clock_from(
        &self,
        open: &OpenTable,
        state: &mut TableState,
        durable_at: Option<i64>,
        now: Duration,
    ) {
        if self.catch_up_clock(open, state, durable_at, now).await.is_err() {
            state.losses = u64::MAX;
        }
    }

    async fn catch_up_clock(
        &self,
        open: &OpenTable,
        state: &mut TableState,
        durable_at: Option<i64>,
        now: Duration,
    ) -> Result<(), StoreError> {
        let began_at = match durable_at {
            Some(at) => Some(at),
            None => state.table.clock_began_at(self.store.due_at(&open.id, state.table.seq()).await?, now),
        };
        state.table.set_clock_later(began_at.unwrap_or(0));
        let passed = self.heartbeat.passed_since(&self.store, state.table.clock_set_at()).await?;
        state.table.set_clock(passed, self.now());
        Ok(())
    }

    /// Replaces a table by what its whole log says.
    async fn reload(self: &Arc<Self>, open: &Arc<OpenTable>, state: &mut TableState) -> Result<(), Refusal> {
        let seen = state.table.seq();
        state.table = self.load(&open.id).await?;
        state.publish(seen, self);
        Ok(())
    }

    /// Sets the alarm, wakes a bot and updates the lobby.
    pub(super) fn after_change(self: &Arc<Self>, open: &Arc<OpenTable>, state: &mut TableState, author: Author) {
        self.tables.alarms.set(&open.id, state.table.flag_falls_at(self.now()));
        self.lobby.note(state);
        self.bots.wake(self, open, state, author);
    }
}

/// What is written to add entries to a log that has `after` of them.
pub(super) fn append(
    table: &Table,
    after: u32,
    entries: &[LogEntry],
    at: i64,
    flag_falls_in: Option<Duration>,
) -> Append {
    let ended = ending(entries);
    let began = table.play().is_some() || entries.iter().any(|entry| entry.event == Event::Began);
    let state = if ended.is_some() || table.ending().is_some() {
        Stage::Over
    } else if began {
        Stage::Playing
    } else {
        Stage::Waiting
    };
    let moved = entries.iter().any(|entry| matches!(entry.event, Event::Sat { .. } | Event::Stood { .. }));
    Append {
        table: table.id.clone(),
        new: None,
        after,
        lines: entries.iter().map(write_entry).collect(),
        state: state.word(),
        at,
        due_at: flag_falls_in.map(|due| at + i64::try_from(due.as_millis()).unwrap_or(i64::MAX / 2)),
        seats: moved.then(|| seated_after(table, entries)),
        speaker: entries.iter().find_map(|entry| match &entry.event {
            Event::Said { seat: None, .. } => entry.by.clone(),
            _ => None,
        }),
        ending: ended.map(|(result, cause)| (game::result_word(result), cause.to_string())),
        ratings: Vec::new(),
    }
}

fn ending(entries: &[LogEntry]) -> Option<(Option<rules::Outcome>, game::Cause)> {
    entries.iter().find_map(|entry| match entry.event {
        Event::Ended { result, cause } => Some((result, cause)),
        _ => None,
    })
}

/// The people on the seats once some entries are applied.
fn seated_after(table: &Table, entries: &[LogEntry]) -> Vec<(u32, String)> {
    let mut seats: Vec<Option<&Sitting>> = table.seats().iter().map(Option::as_ref).collect();
    for entry in entries {
        match &entry.event {
            Event::Sat { seat, who, .. } => seats[seat.index()] = Some(who),
            Event::Stood { seat } => seats[seat.index()] = None,
            _ => {}
        }
    }
    (1..).zip(seats).filter_map(|(number, who)| Some((number, who?.person()?.id.clone()))).collect()
}
