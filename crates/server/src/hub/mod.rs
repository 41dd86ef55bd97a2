//! The tables of this process and what surrounds them: finds tables, carries out requests, sends clients what happens, and
//! keeps in step with the other nodes.
//!
//! Each field of [`Hub`] owns one thing and is found in the file of its name.

mod alarms;
mod analysis;
mod bans;
mod blocks;
mod bot_pool;
mod bots_alone;
mod challenges;
mod chat_limit;
mod cluster;
mod connections;
mod create;
mod execute;
mod expiry;
mod fair_play;
mod forget;
mod heartbeat;
mod live;
mod load;
mod lobby;
mod open_table;
mod openings;
mod operator;
mod outlet;
mod presence;
mod ratings;
mod registry;
mod shared_clock;
#[cfg(test)]
mod tests;
mod watch;
mod write_monitor;

use std::sync::{Arc, Weak};
use std::time::Duration;

use crate::bus::Bus;
use crate::config::Config;
use crate::runtime::{self, Instant};
use crate::secret;
use crate::store::{PlayingRow, Store, StoreError};
use crate::tables::{Access, Refusal, TableSpec};
pub(crate) use bans::BanTarget;
pub(crate) use connections::{ConnectionGuard, Credential};
#[cfg(test)]
use execute::Done;
pub(crate) use heartbeat::Role;
pub(crate) use live::LiveGame;
pub(crate) use lobby::Via;
use open_table::OpenTable;
pub(crate) use openings::OpeningCount;
pub(crate) use outlet::{Inlet, Out, Outlet, text};
pub(crate) use watch::Watch;

/// Everything a node keeps in memory.
pub(crate) struct Hub {
    pub(crate) store: Store,
    pub(crate) config: Config,
    pub(crate) bus: Bus,
    began: Instant,
    heartbeat: heartbeat::Heartbeat,
    tables: registry::Registry,
    bots: Arc<bot_pool::BotPool>,
    lobby: lobby::Lobby,
    connections: connections::Connections,
    analyses: analysis::Analyses,
    openings: openings::Openings,
    bans: bans::Bans,
    /// Held while ratings are read and written.
    ratings: tokio::sync::Mutex<()>,
    /// The key that names of tables are derived with where the same request must lead to the same table.
    table_key: String,
}

/// So many of the waiting tables are looked at when a server starts.
const MOST_WAITING: i64 = 500;
/// After a start, how long it takes from one game without a clock to the next until it is looked whether a bot is to move.
const BOTS_WAIT: Duration = Duration::from_millis(20);
/// How often tables are counted and idle ones closed.
const HOUSEKEEPING: Duration = Duration::from_secs(2);
/// How often waiting correspondence tables are looked for, in case the node that listed them is gone.
const LIST: Duration = Duration::from_secs(60);
/// How often what has expired is deleted.
const EXPIRE: Duration = Duration::from_secs(600);
/// How often the credentials of open connections are checked, alone and among nodes.
const RECHECK: (Duration, Duration) = (Duration::from_secs(60), Duration::from_secs(5));

impl Hub {
    /// Starts a node on a store, alone or with other nodes.
    pub(crate) async fn begin(store: Store, bus: Bus, config: Config) -> Result<Arc<Hub>, StoreError> {
        Hub::begin_as(Role::Node, store, bus, config).await
    }

    /// The same for a process of any kind.
    pub(crate) async fn begin_as(role: Role, store: Store, bus: Bus, config: Config) -> Result<Arc<Hub>, StoreError> {
        let playing = if bus.is_shared() { Vec::new() } else { store.playing().await? };
        let heartbeat = heartbeat::Heartbeat::begin(&store, &config, role).await?;
        let threads = if role == Role::Worker { config.worker_threads() } else { config.node_threads() };
        let table_key = store.setting("table_key", secret::token).await?;
        let hub = Arc::new(Hub {
            began: Instant::now(),
            heartbeat,
            tables: registry::Registry::default(),
            bots: Arc::new(bot_pool::BotPool::new(threads)),
            lobby: lobby::Lobby::default(),
            connections: connections::Connections::new(config.most_connections, config.connections_per_address),
            analyses: analysis::Analyses::default(),
            openings: openings::Openings::default(),
            bans: bans::Bans::default(),
            ratings: tokio::sync::Mutex::default(),
            table_key,
            store,
            config,
            bus,
        });
        let mut bots = Duration::ZERO;
        for row in playing {
            let wait = match row.due_at {
                // Opening the table shows the exact time.
                Some(due) => Duration::from_millis((due - hub.heartbeat.wall()).max(0).unsigned_abs()),
                // A bot may be to move. Games that were left in the middle gather over the years, so they are not all
                // opened at once; where a client comes, the table is opened anyway.
                None if may_have_bots(&row) => {
                    bots += BOTS_WAIT;
                    bots
                }
                None => continue,
            };
            hub.tables.alarms.set(&row.id, Some(hub.now() + wait));
        }
        hub.store.fill_lookalikes().await?;
        hub.read_bans().await?;
        hub.bots.start(&hub);
        hub.list_correspondence_tables().await?;
        hub.start_tasks();
        Ok(hub)
    }

    fn start_tasks(self: &Arc<Self>) {
        let weak = || Arc::downgrade(self);
        runtime::spawn(alarms::run(weak()));
        runtime::spawn(heartbeat::tick(weak()));
        runtime::spawn(heartbeat::beat(weak()));
        runtime::spawn(housekeeping(weak()));
        if let Some(subscription) = self.bus.subscribe_to_cluster() {
            runtime::spawn(cluster::receive(weak(), subscription));
            let own = self.bus.subscribe_to_self();
            own.map(|own| runtime::spawn(cluster::receive_own(weak(), own)));
            runtime::spawn(cluster::tend(weak()));
        }
        if let Some(work) = self.bus.work() {
            runtime::spawn(analysis::take_jobs(weak(), work.clone()));
        }
    }

    /// Correspondence tables are listed in the lobby also while no player is connected.
    async fn list_correspondence_tables(self: &Arc<Self>) -> Result<(), StoreError> {
        // The latest last, as if they were listed one after another.
        for row in self.store.tables_in("waiting", MOST_WAITING).await?.into_iter().rev() {
            let listed =
                TableSpec::read(&row.spec).is_ok_and(|spec| spec.access == Access::Open && spec.clock.is_by_post());
            if listed
                && !self.lobby.has(&row.id)
                && let Ok(open) = self.open_table(&row.id).await
            {
                self.lobby.note(&*open.state.lock().await);
            }
        }
        Ok(())
    }

    /// Time since the process began, which no change of the system's clock disturbs.
    pub(crate) fn now(&self) -> Duration {
        self.began.elapsed()
    }

    /// Whether a table is open here; any other has to be read from the database.
    pub(crate) fn is_open(&self, id: &str) -> bool {
        self.tables.get(id).is_some()
    }

    /// Finds a table, and opens it here if it is not open yet.
    pub(crate) async fn open_table(self: &Arc<Self>, id: &str) -> Result<Arc<OpenTable>, Refusal> {
        if let Some(open) = self.tables.get(id) {
            return Ok(open);
        }
        if !secret::is_name(id) {
            return Err(Refusal::NoTable);
        }
        // Read first: a loss after it is noticed when the table is used.
        let losses = self.heartbeat.losses();
        let table = self.load(id).await?;
        Ok(self.open(OpenTable::read(table, losses, self.now())))
    }

    /// Whether the database takes writes.
    pub(crate) fn is_writing(&self) -> bool {
        self.heartbeat.is_writing()
    }

    /// Writes until when this server was alive, so that clocks are charged for no more.
    pub(crate) async fn last_beat(&self) {
        if let Err(problem) = self.heartbeat.last_beat(&self.store).await {
            tracing::warn!(%problem, "the last heartbeat was not written");
        }
    }
}

/// Whether a seat of a game may be a bot's.
fn may_have_bots(row: &PlayingRow) -> bool {
    TableSpec::read(&row.spec).map_or(true, |spec| i64::from(spec.game.seats()) > row.people)
}

fn storage(_: StoreError) -> Refusal {
    Refusal::Storage
}

async fn housekeeping(hub: Weak<Hub>) {
    let (mut listed, mut checked, mut expired) = (Instant::now(), Instant::now(), Instant::now());
    loop {
        {
            let Some(hub) = hub.upgrade() else { return };
            hub.forget_requests();
            hub.tables.close_idle(hub.now());
            metrics::gauge!("fourfold_tables").set(hub.tables.len() as f64);
            metrics::gauge!("fourfold_client_queue").set(hub.tables.unsent() as f64);
            metrics::gauge!("fourfold_connections").set(hub.connections.count() as f64);
            let pause = if hub.bus.is_shared() { RECHECK.1 } else { RECHECK.0 };
            if checked.elapsed() > pause && !hub.heartbeat.is_lost() {
                checked = Instant::now();
                hub.close_expired_connections().await;
                let _ = hub.read_bans().await;
            }
            if expired.elapsed() > EXPIRE && hub.heartbeat.role == Role::Node {
                expired = Instant::now();
                // What fails now is tried again the next time.
                let _ = hub.expire().await;
            }
            if hub.bus.is_shared() && listed.elapsed() > LIST {
                listed = Instant::now();
                let _ = hub.list_correspondence_tables().await;
            }
        }
        runtime::sleep(HOUSEKEEPING).await;
    }
}
