//! The keeper of the tables: finds them, asks them, keeps what comes of it, and tells those who watch.

mod analyse;
mod bots;
mod cluster;
mod life;
mod lobby;
mod make;
mod rate;
mod slot;
#[cfg(test)]
mod tests;
mod timer;
mod watch;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use protocol::{Code, Do, Event, Person, Sitting, Wish};
use tokio::sync::watch as latest;

use crate::bus::{Bus, News, Word};
use crate::config::Config;
use crate::secret;
use crate::store::{Append, Store, StoreError};
use crate::tables::{Line, Moment, Refusal, Stage, Table};
use slot::Inner;
pub(crate) use slot::{Out, Outlet, Slot, text};
pub(crate) use watch::{Connected, Watch};

/// The keeper of the tables.
pub(crate) struct Hub {
    pub(crate) store: Store,
    pub(crate) config: Config,
    pub(crate) bus: Bus,
    life: life::Life,
    began: Instant,
    slots: Mutex<HashMap<String, Arc<Slot>>>,
    timer: timer::Timer,
    bots: bots::Pool,
    lobby: lobby::Lobby,
    rating: tokio::sync::Mutex<()>,
    /// Games that wait to be analysed in this process, and whose turn it is.
    analysing: Mutex<Vec<String>>,
    one_analysis: tokio::sync::Mutex<()>,
    connections: AtomicUsize,
    numbers: AtomicU64,
    draining: AtomicBool,
    stopping: latest::Sender<bool>,
}

/// What an ask came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Done {
    pub(crate) seq: u32,
}

/// How often a lost race for the end of a log is run again.
const RACES: u32 = 10;
/// A table that nobody watches and nothing happens at is put away after this.
const IDLE: Duration = Duration::from_secs(180);
/// So many of the tables that wait for somebody are looked at when a server starts.
const MOST_WAITING: i64 = 500;
/// How often the tables are counted and idle ones put away.
const HOUSEKEEPING: Duration = Duration::from_secs(2);
/// How often correspondence tables that wait are looked for, in case the node that listed them is gone.
const LIST: Duration = Duration::from_secs(60);

impl Hub {
    /// Begins to keep the tables of a store, alone or with other nodes.
    pub(crate) async fn begin(store: Store, bus: Bus, config: Config) -> Result<Arc<Hub>, StoreError> {
        let playing = if bus.is_shared() { Vec::new() } else { store.playing().await? };
        let life = life::Life::begin(&store).await?;
        let bots = bots::Pool::new(config.bot_threads);
        let hub = Arc::new(Hub {
            store,
            config,
            bus,
            life,
            began: Instant::now(),
            slots: Mutex::default(),
            timer: timer::Timer::default(),
            bots,
            lobby: lobby::Lobby::default(),
            rating: tokio::sync::Mutex::default(),
            analysing: Mutex::default(),
            one_analysis: tokio::sync::Mutex::default(),
            connections: AtomicUsize::new(0),
            numbers: AtomicU64::new(1),
            draining: AtomicBool::new(false),
            stopping: latest::Sender::new(false),
        });
        for (id, due_at) in playing {
            // Without a clock a bot may still be to move; a look at the table tells. The true time is found there too.
            let wait = due_at.map_or(0, |due| (due - wall()).max(0)).unsigned_abs();
            hub.timer.set(&id, Some(hub.now() + Duration::from_millis(wait)));
        }
        hub.bots.start(&hub);
        hub.list_slow_tables().await?;
        tokio::spawn(timer::run(Arc::downgrade(&hub)));
        tokio::spawn(life::keep(Arc::downgrade(&hub)));
        tokio::spawn(housekeeping(Arc::downgrade(&hub)));
        if let Some(ears) = hub.bus.news() {
            tokio::spawn(cluster::listen_to_news(Arc::downgrade(&hub), ears));
            tokio::spawn(cluster::tend(Arc::downgrade(&hub)));
        }
        if let Some(work) = hub.bus.work() {
            tokio::spawn(analyse::take_jobs(Arc::downgrade(&hub), work.clone()));
        }
        Ok(hub)
    }

    /// Correspondence tables wait in the lobby also while nobody is there.
    async fn list_slow_tables(self: &Arc<Self>) -> Result<(), StoreError> {
        for row in self.store.tables_in("waiting", MOST_WAITING).await? {
            let slow = protocol::read::<Wish>(&row.wish)
                .is_ok_and(|wish| wish.access == "open" && lobby::is_slow(&wish.clock));
            if slow
                && !self.lobby.has(&row.id)
                && let Ok(slot) = self.slot(&row.id).await
            {
                self.lobby.note(&*slot.inner.lock().await);
            }
        }
        Ok(())
    }

    /// Time since the process began, which no change of the system's clock disturbs.
    pub(crate) fn now(&self) -> Duration {
        self.began.elapsed()
    }

    /// A number that no other has.
    pub(crate) fn number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    /// Finds a table, wherever it is.
    pub(crate) async fn slot(self: &Arc<Self>, id: &str) -> Result<Arc<Slot>, Refusal> {
        if let Some(slot) = self.slots().get(id) {
            return Ok(slot.clone());
        }
        if !secret::is_name(id) {
            return Err(Code::NoTable.into());
        }
        let losses = self.life.losses.load(Ordering::Relaxed);
        let table = self.load(id).await?;
        let slot = self.open(Slot::new(id.to_owned(), table, self.now()));
        slot.inner.lock().await.losses = losses;
        Ok(slot)
    }

    /// Reads a table out of its log, with the clock as if the server had never stopped, and as if it had not run.
    pub(crate) async fn load(&self, id: &str) -> Result<Table, Refusal> {
        let stored = self.store.table(id).await.map_err(storage)?.ok_or(Code::NoTable)?;
        let broken = |problem: String| {
            tracing::error!(table = id, problem, "a log cannot be replayed");
            metrics::counter!("fourfold_broken_logs_total").increment(1);
            Refusal::from(Code::Storage)
        };
        let wish = protocol::read(&stored.row.wish).map_err(|problem| broken(problem.to_string()))?;
        let mut lines = Vec::with_capacity(stored.lines.len());
        for line in &stored.lines {
            lines.push(protocol::read::<Line>(line).map_err(|problem| broken(problem.to_string()))?);
        }
        let table = Table::new(id.to_owned(), wish, stored.row.maker).map_err(|_| broken("bad wish".to_owned()))?;
        let mut table = table.replay(lines).map_err(broken)?;
        if table.stage() == Stage::Playing {
            let passed = self.passed_since(table.last_at()).await.map_err(storage)?;
            table.resume(passed, self.now());
        }
        Ok(table)
    }

    /// How much of the time since a moment some server ran.
    async fn passed_since(&self, moment: i64) -> Result<Duration, StoreError> {
        let (began_at, now) = (self.life.started_at(), self.life.wall());
        let mut runs = if moment >= began_at { Vec::new() } else { self.store.runs_since(moment).await? };
        runs.retain(|&(started, _)| started != began_at);
        runs.push((began_at, now));
        runs.sort_unstable();
        let (mut passed, mut covered) = (0, moment);
        for (from, to) in runs {
            let from = from.max(covered);
            passed += (to - from).max(0);
            covered = covered.max(to);
        }
        Ok(Duration::from_millis(passed.unsigned_abs()))
    }

    /// Asks something of a table; the answer comes when what happened is durable.
    pub(crate) async fn ask(
        self: &Arc<Self>,
        slot: &Arc<Slot>,
        who: &Person,
        id: &str,
        what: &Do,
        lag: Duration,
    ) -> Result<Done, Refusal> {
        let began = Instant::now();
        if self.life.is_lost() {
            return Err(Code::Storage.into());
        }
        let mut inner = slot.inner.lock().await;
        for _ in 0..RACES {
            self.refresh(slot, &mut inner).await?;
            if let Some(seq) = inner.table.answered(&who.id, id) {
                return Ok(Done { seq });
            }
            let flagged = inner.decide(self, lag, |table, moment| Ok(table.tick(moment)))?;
            match self.keep(slot, &mut inner, flagged, None, None).await {
                Err(Lost::Race) => continue,
                kept => kept?,
            }
            let before = inner.table.mark();
            let sits = matches!(what, Do::Sit { .. }).then_some(who);
            let ratings = rate::known(&self.store, &inner.table, sits).await;
            let decision = |table: &mut Table, moment: &mut Moment<'_>| {
                moment.ratings = ratings;
                table.decide(who, what, moment)
            };
            let events = match inner.decide(self, lag, decision) {
                Ok(events) => events,
                Err(refusal) => {
                    // What is refused has changed nothing; should it have, the table stays marked and is read again.
                    inner.dirty = inner.table.mark() != before;
                    // Who asks may know more than this node does: from the other that served them a moment ago.
                    if self.bus.is_shared() && self.catch_up(slot, &mut inner).await? {
                        continue;
                    }
                    return Err(refusal);
                }
            };
            match self.keep(slot, &mut inner, events, Some(&who.id), Some(id)).await {
                Err(Lost::Race) => continue,
                kept => kept?,
            }
            self.go_on(slot, &mut inner).await;
            metrics::histogram!("fourfold_action_seconds").record(began.elapsed());
            return Ok(Done { seq: inner.table.seq() });
        }
        Err(Code::Storage.into())
    }

    /// Somebody's time may be up, or a bot may be to move.
    async fn look(self: &Arc<Self>, id: &str) {
        let Ok(slot) = self.slot(id).await else { return };
        let mut inner = slot.inner.lock().await;
        if self.refresh(&slot, &mut inner).await.is_err() {
            self.timer.set(id, Some(self.now() + Duration::from_secs(5)));
            return;
        }
        let flagged = inner.decide(self, Duration::ZERO, |table, moment| Ok(table.tick(moment))).unwrap_or_default();
        if self.keep(&slot, &mut inner, flagged, None, None).await.is_err() {
            self.timer.set(id, Some(self.now() + Duration::from_secs(1)));
            return;
        }
        self.after_change(&slot, &mut inner, Whose::Ours);
    }

    /// What follows by itself: the next table when all want one.
    async fn go_on(self: &Arc<Self>, slot: &Arc<Slot>, inner: &mut Inner) {
        if !inner.table.wants_rematch() {
            return;
        }
        match self.create_rematch(&inner.table).await {
            Ok(table) => {
                let _ = self.keep(slot, inner, vec![Event::Again { table }], None, None).await;
            }
            Err(refusal) => tracing::warn!(table = slot.id, ?refusal, "no rematch"),
        }
    }

    /// Reads a table again if what is in memory may not be what is kept.
    async fn refresh(&self, slot: &Slot, inner: &mut Inner) -> Result<(), Refusal> {
        let losses = self.life.losses.load(Ordering::Relaxed);
        if inner.dirty || inner.losses != losses {
            let seen = inner.table.seq();
            inner.table = self.load(&slot.id).await?;
            inner.dirty = false;
            inner.losses = losses;
            // Somebody else may have written meanwhile; those who watch have not been told.
            inner.publish(seen, self.now());
        }
        Ok(())
    }

    /// Makes events durable, then known.
    async fn keep(
        self: &Arc<Self>,
        slot: &Arc<Slot>,
        inner: &mut Inner,
        events: Vec<Event>,
        by: Option<&str>,
        ask: Option<&str>,
    ) -> Result<(), Lost> {
        if events.is_empty() {
            inner.dirty = false;
            return Ok(());
        }
        let at = self.life.wall().max(inner.table.last_at());
        let own = |text: Option<&str>| text.map(str::to_owned);
        let lines: Vec<Line> = events.into_iter().map(|what| Line { at, by: own(by), ask: own(ask), what }).collect();
        let mut append = self.append(&inner.table, &lines, at);
        let over = append.ending.clone().filter(|_| inner.table.wish.rated);
        // Two games of one person that end at once must not both begin from the same rating.
        let _guard = if over.is_some() { Some(self.rating.lock().await) } else { None };
        if let Some((result, _)) = over {
            append.ratings = rate::after(&self.store, &inner.table, &result).await.unwrap_or_default();
        }
        match self.life.append(&self.store, append).await {
            Ok(()) => {}
            // The table stays marked, so it is read again before anything else happens at it.
            Err(StoreError::Conflict) => return Err(Lost::Race),
            Err(_) => return Err(Lost::Storage),
        }
        let seen = inner.table.seq();
        if self.bus.is_shared() {
            self.bus.tell(&slot.id, Word::Told { after: seen, lines: lines.clone() });
        }
        lines.into_iter().for_each(|line| inner.table.keep(line));
        inner.dirty = false;
        inner.changed = self.now();
        inner.publish(seen, self.now());
        self.after_change(slot, inner, Whose::Ours);
        Ok(())
    }

    fn append(&self, table: &Table, lines: &[Line], at: i64) -> Append {
        let ended = lines.iter().find_map(|line| match &line.what {
            Event::Ended { result, cause, .. } => Some((result.clone(), cause.clone())),
            _ => None,
        });
        let began = table.play().is_some();
        let state = if ended.is_some() || table.ending().is_some() {
            Stage::Over
        } else if began {
            Stage::Playing
        } else {
            Stage::Waiting
        };
        let moved = lines.iter().any(|line| matches!(line.what, Event::Sat { .. } | Event::Stood { .. }));
        let due = table.falls_at(self.now()).map(|due| due.saturating_sub(self.now()));
        Append {
            table: table.id.clone(),
            new: None,
            after: table.seq(),
            lines: lines.iter().map(protocol::write).collect(),
            state: state.word(),
            at,
            due_at: due.map(|due| at + i64::try_from(due.as_millis()).unwrap_or(i64::MAX / 2)),
            seats: moved.then(|| seated_after(table, lines)),
            speaker: lines.iter().find_map(|line| match &line.what {
                Event::Said { seat: 0, .. } => line.by.clone(),
                _ => None,
            }),
            ending: ended,
            ratings: Vec::new(),
        }
    }

    /// Sets the alarm, wakes a bot and tells the lobby.
    fn after_change(self: &Arc<Self>, slot: &Arc<Slot>, inner: &mut Inner, whose: Whose) {
        self.timer.set(&slot.id, inner.table.falls_at(self.now()));
        self.lobby.note(inner);
        self.bots.wake(self, slot, inner, whose);
    }

    /// Forgets a person: in the store, and in the logs of the tables where they sat or spoke.
    pub(crate) async fn forget(&self, person: &Person) -> Result<(), Refusal> {
        let around = self.store.lines_around(&person.id).await.map_err(storage)?;
        let without = |(table, seq, text): (String, i64, String)| {
            let mut line = protocol::read::<Line>(&text).ok()?;
            line.forget(&person.id).then(|| (table, seq, protocol::write(&line)))
        };
        let lines = around.into_iter().filter_map(without).collect();
        self.store.forget(&person.id, lines).await.map_err(storage)?;
        self.forget_in_memory(&person.id).await;
        self.bus.announce(News::Forgotten { person: person.id.clone() });
        Ok(())
    }

    /// What is in memory still knows the name: it is read again.
    async fn forget_in_memory(&self, person: &str) {
        let slots: Vec<Arc<Slot>> = self.slots().values().cloned().collect();
        for slot in slots {
            let mut inner = slot.inner.lock().await;
            let spoke = |line: &Line| line.by.as_deref() == Some(person);
            if inner.table.seat_of(person).is_some() || inner.table.lines().any(spoke) {
                inner.dirty = true;
            }
        }
    }

    fn slots(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Slot>>> {
        // A panic elsewhere leaves the map whole: every change of it is one call.
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn open_tables(&self) -> usize {
        self.slots().len()
    }

    /// Takes no new tables any more, and says so to a load balancer; running games go on.
    pub(crate) fn drain(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    /// Whether a load balancer had better send people elsewhere.
    pub(crate) fn is_leaving(&self) -> bool {
        self.draining.load(Ordering::Relaxed) || *self.stopping.borrow()
    }

    /// Says that the server is about to stop, to everybody who asks and to who listens.
    pub(crate) fn stop(&self) {
        self.stopping.send_replace(true);
    }

    /// Waits a while for everybody to have heard that the server stops.
    pub(crate) async fn emptied(&self, most: Duration) {
        let until = Instant::now() + most;
        while self.connections.load(Ordering::Relaxed) > 0 && Instant::now() < until {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Becomes true when the server is about to stop.
    pub(crate) fn stopping(&self) -> latest::Receiver<bool> {
        self.stopping.subscribe()
    }

    /// Notes how long this server lived, so that clocks are charged for no more.
    pub(crate) async fn last_beat(&self) {
        if let Err(problem) = self.life.beat(&self.store).await {
            tracing::warn!(%problem, "the last heartbeat was not kept");
        }
    }
}

/// Who sits where once some lines are kept.
fn seated_after(table: &Table, lines: &[Line]) -> Vec<(u32, String)> {
    let mut seats: Vec<Option<Sitting>> = table.seats().to_vec();
    for line in lines {
        match &line.what {
            Event::Sat { seat, who, .. } => seats[usize::from(*seat) - 1] = Some(who.clone()),
            Event::Stood { seat } => seats[usize::from(*seat) - 1] = None,
            _ => {}
        }
    }
    let person = |(number, who): (u32, Option<Sitting>)| match who {
        Some(Sitting::Person(person)) => Some((number, person.id)),
        _ => None,
    };
    (1..).zip(seats).filter_map(person).collect()
}

fn storage(_: StoreError) -> Refusal {
    Code::Storage.into()
}

/// Who has added to a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    /// This node: what follows from it is for this node to do.
    Ours,
    /// Another: it does what follows, unless it dies.
    Theirs,
}

/// Why events could not be kept.
enum Lost {
    /// Another process has written to the same log.
    Race,
    /// The database did not take them.
    Storage,
}

impl From<Lost> for Refusal {
    fn from(_: Lost) -> Refusal {
        Code::Storage.into()
    }
}

/// Milliseconds since 1970.
pub(crate) fn wall() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

async fn housekeeping(hub: std::sync::Weak<Hub>) {
    let mut pause = tokio::time::interval(HOUSEKEEPING);
    let mut listed = Instant::now();
    loop {
        pause.tick().await;
        let Some(hub) = hub.upgrade() else { return };
        let now = hub.now();
        // Nobody else has a hand on a slot whose only owner is the map.
        let idle = |slot: &Arc<Slot>| {
            Arc::strong_count(slot) == 1
                && slot.inner.try_lock().is_ok_and(|inner| {
                    inner.watchers.is_empty() && now.saturating_sub(inner.changed) > IDLE && inner.bot_asked.is_none()
                })
        };
        let tables = {
            let mut slots = hub.slots();
            slots.retain(|_, slot| !idle(slot));
            slots.len()
        };
        metrics::gauge!("fourfold_tables").set(tables as f64);
        metrics::gauge!("fourfold_connections").set(hub.connections.load(Ordering::Relaxed) as f64);
        if hub.bus.is_shared() && listed.elapsed() > LIST {
            listed = Instant::now();
            let _ = hub.list_slow_tables().await;
        }
    }
}
