//! The keeper of the tables: finds them, asks them, keeps what comes of it, and tells those who watch.

mod analyse;
mod ask;
mod bots;
mod cluster;
mod doors;
mod forget;
mod leave;
mod life;
mod load;
mod lobby;
mod make;
mod rate;
mod slot;
mod talk;
#[cfg(test)]
mod tests;
mod timer;
mod watch;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use protocol::Code;
use tokio::sync::watch as latest;

use crate::bus::Bus;
use crate::config::Config;
use crate::secret;
use crate::store::{Store, StoreError};
use crate::tables::{Access, Refusal, TableSpec};
#[cfg(test)]
use ask::Done;
pub(crate) use ask::Whose;
pub(crate) use doors::{Connected, Pass};
pub(crate) use life::Role;
use slot::Inner;
pub(crate) use slot::{Out, Outlet, Slot, text};
pub(crate) use watch::Watch;

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
    doors: doors::Doors,
    /// What names of tables are made of where the same wish must come to the same table.
    names: String,
    numbers: AtomicU64,
    draining: AtomicBool,
    /// Over how long clients are handed over, once they are.
    stopping: latest::Sender<Option<Duration>>,
}

/// A table that nobody watches and nothing happens at is put away after this.
const IDLE: Duration = Duration::from_secs(180);
/// So many of the tables that wait for somebody are looked at when a server starts.
const MOST_WAITING: i64 = 500;
/// How often the tables are counted and idle ones put away.
const HOUSEKEEPING: Duration = Duration::from_secs(2);
/// How often correspondence tables that wait are looked for, in case the node that listed them is gone.
const LIST: Duration = Duration::from_secs(60);
/// How often it is looked whether connections came in by ways that are closed by now, alone and among nodes.
const DOORS: (Duration, Duration) = (Duration::from_secs(60), Duration::from_secs(5));

impl Hub {
    /// Begins to keep the tables of a store, alone or with other nodes.
    pub(crate) async fn begin(store: Store, bus: Bus, config: Config) -> Result<Arc<Hub>, StoreError> {
        Hub::begin_as(Role::Node, store, bus, config).await
    }

    /// The same for a process of any kind.
    pub(crate) async fn begin_as(role: Role, store: Store, bus: Bus, config: Config) -> Result<Arc<Hub>, StoreError> {
        let playing = if bus.is_shared() { Vec::new() } else { store.playing().await? };
        let life = life::Life::begin(&store, &config, role).await?;
        let bots = bots::Pool::new(config.bot_threads);
        let names = store.setting("table_key", secret::token).await?;
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
            doors: doors::Doors::default(),
            names,
            numbers: AtomicU64::new(1),
            draining: AtomicBool::new(false),
            stopping: latest::Sender::new(None),
        });
        for (id, due_at) in playing {
            // Without a clock a bot may still be to move; a look at the table tells. The true time is found there too.
            let wait = due_at.map_or(0, |due| (due - hub.life.wall()).max(0)).unsigned_abs();
            hub.timer.set(&id, Some(hub.now() + Duration::from_millis(wait)));
        }
        hub.bots.start(&hub);
        hub.list_slow_tables().await?;
        tokio::spawn(timer::run(Arc::downgrade(&hub)));
        tokio::spawn(life::tick(Arc::downgrade(&hub)));
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
            let slow =
                TableSpec::read(&row.wish).is_ok_and(|spec| spec.access == Access::Open && spec.clock.is_by_post());
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
        let slot = self.open(Slot::new(id.to_owned(), table, self.now(), self.config.grace));
        slot.inner.lock().await.losses = losses;
        Ok(slot)
    }

    fn slots(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Slot>>> {
        // A panic elsewhere leaves the map whole: every change of it is one call.
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn open_tables(&self) -> usize {
        self.slots().len()
    }

    /// Notes how long this server lived, so that clocks are charged for no more.
    pub(crate) async fn last_beat(&self) {
        if let Err(problem) = self.life.last_beat(&self.store).await {
            tracing::warn!(%problem, "the last heartbeat was not kept");
        }
    }
}

fn storage(_: StoreError) -> Refusal {
    Code::Storage.into()
}

/// Milliseconds since 1970.
pub(crate) fn wall() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

async fn housekeeping(hub: std::sync::Weak<Hub>) {
    let mut pause = tokio::time::interval(HOUSEKEEPING);
    let (mut listed, mut looked) = (Instant::now(), Instant::now());
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
        let (tables, unsent) = {
            let mut slots = hub.slots();
            slots.retain(|_, slot| !idle(slot));
            // Who is busy with a table counts the next time.
            let unsent = slots.values().filter_map(|slot| Some(slot.inner.try_lock().ok()?.unsent()));
            let unsent: Vec<usize> = unsent.collect();
            (slots.len(), unsent)
        };
        metrics::gauge!("fourfold_tables").set(tables as f64);
        metrics::gauge!("fourfold_client_queue").set(unsent.iter().copied().max().unwrap_or(0) as f64);
        metrics::gauge!("fourfold_connections").set(hub.connections.load(Ordering::Relaxed) as f64);
        let pause = if hub.bus.is_shared() { DOORS.1 } else { DOORS.0 };
        if looked.elapsed() > pause && !hub.life.is_lost() {
            looked = Instant::now();
            hub.let_out_expired().await;
        }
        if hub.bus.is_shared() && listed.elapsed() > LIST {
            listed = Instant::now();
            let _ = hub.list_slow_tables().await;
        }
    }
}
