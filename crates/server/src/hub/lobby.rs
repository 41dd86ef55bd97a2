use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use protocol::{LobbyTable, Person, ServerMessage};
use tokio::sync::watch;

use super::Hub;
use super::create::AskedFor;
use super::open_table::TableState;
use super::outlet::text;
use crate::runtime::Instant;
use crate::secret;
use crate::tables::{Access, Refusal, Sitting, Stage, TableSpec};

/// The open tables that wait for players.
#[derive(Default)]
pub(super) struct Lobby {
    tables: Mutex<BTreeMap<String, Listed>>,
    /// What other nodes list, and when each last announced it.
    elsewhere: Mutex<BTreeMap<String, (Instant, Vec<LobbyTable>)>>,
    /// Grows when what this node lists changes.
    own_changes: watch::Sender<u64>,
    changes: watch::Sender<u64>,
    /// What clients are sent, and the version of [`Lobby::changes`] that it is of: hundreds of clients are sent the same.
    written: Mutex<Option<(u64, Utf8Bytes)>>,
    pairing: tokio::sync::Mutex<()>,
}

/// A table of this node.
#[derive(Clone, Debug, PartialEq)]
struct Listed {
    row: LobbyTable,
    /// Whether a player is connected. Otherwise it is a game by post, and may be one of thousands that a stranger has left.
    is_attended: bool,
    /// Which change listed it.
    since: u64,
}

/// The most tables that clients and other nodes are sent: no player reads more.
const MOST_TOLD: usize = 500;
/// How many of a person's latest tables are searched for the answer to a repeated request.
const LATEST: i64 = 3;
/// A table made on another node within this time, in milliseconds, may not be listed here yet.
const UNHEARD: i64 = 3_000;

/// How a client asks for an opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Via {
    /// Over a connection, which watches the table next and makes the person present as long as it is open.
    Connection,
    /// By a single request, which makes the person present for a while.
    Http,
}

impl Lobby {
    /// Lists a table, or not any more.
    pub(super) fn note(&self, state: &TableState) {
        let table = &state.table;
        let has_room = table.seats().iter().any(Option::is_none);
        let waits = table.stage() == Stage::Waiting && table.spec.access == Access::Open && has_room;
        let by_post = table.is_by_post() && table.people().next().is_some();
        let is_attended = state.is_attended();
        let listed = waits && (is_attended || by_post);
        let mut tables = self.tables();
        let changed = if listed {
            let name = |who: &Option<Sitting>| match who {
                Some(Sitting::Person(person)) => Some(person.name.clone()),
                Some(Sitting::Bot(level)) => Some(format!("bot:{level}")),
                None => None,
            };
            let row = LobbyTable {
                id: table.id.clone(),
                game: table.spec.game.to_string(),
                clock: table.spec.clock.to_string(),
                rated: table.spec.rated,
                seats: table.seats().iter().map(name).collect(),
            };
            let since = tables.get(&table.id).map_or(*self.own_changes.borrow(), |listed| listed.since);
            let before = tables.insert(table.id.clone(), Listed { row: row.clone(), is_attended, since });
            drop_oldest(&mut tables);
            // The rows of a long list that are left out depend on who is connected.
            let reorders = |before: &Listed| before.is_attended != is_attended && self.is_long(&tables);
            before.is_none_or(|before| before.row != row || reorders(&before))
        } else {
            tables.remove(&table.id).is_some()
        };
        drop(tables);
        if changed {
            self.own_changes.send_modify(|version| *version += 1);
            self.changes.send_modify(|version| *version += 1);
        }
    }

    /// Whether there are more tables than clients are sent.
    fn is_long(&self, own: &BTreeMap<String, Listed>) -> bool {
        own.len() + self.elsewhere().values().map(|(_, tables)| tables.len()).sum::<usize>() > MOST_TOLD
    }

    /// Lists a table no more.
    pub(super) fn remove(&self, id: &str) {
        if self.tables().remove(id).is_some() {
            self.own_changes.send_modify(|version| *version += 1);
            self.changes.send_modify(|version| *version += 1);
        }
    }

    fn tables(&self) -> MutexGuard<'_, BTreeMap<String, Listed>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn elsewhere(&self) -> MutexGuard<'_, BTreeMap<String, (Instant, Vec<LobbyTable>)>> {
        self.elsewhere.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether any node lists a table.
    pub(super) fn has(&self, id: &str) -> bool {
        self.tables().contains_key(id)
            || self.elsewhere().values().any(|(_, tables)| tables.iter().any(|table| table.id == id))
    }

    /// What this node lists.
    pub(super) fn own(&self) -> Vec<LobbyTable> {
        told(self.tables().values(), &[])
    }

    /// Changes when what this node lists does.
    pub(super) fn own_changes(&self) -> watch::Receiver<u64> {
        self.own_changes.subscribe()
    }

    /// Notes what another node lists.
    pub(super) fn note_node(&self, node: String, tables: Vec<LobbyTable>) {
        let before = self.elsewhere().insert(node, (Instant::now(), tables.clone()));
        if before.is_none_or(|(_, before)| before != tables) {
            self.changes.send_modify(|version| *version += 1);
        }
    }

    /// Drops the lists of nodes that have announced nothing for long.
    pub(super) fn forget_nodes(&self, after: Duration) {
        let mut elsewhere = self.elsewhere();
        let before = elsewhere.len();
        elsewhere.retain(|_, (received, _)| received.elapsed() < after);
        if elsewhere.len() != before {
            drop(elsewhere);
            self.changes.send_modify(|version| *version += 1);
        }
    }

    /// What all nodes list.
    fn all(&self) -> Vec<LobbyTable> {
        let elsewhere: Vec<LobbyTable> =
            self.elsewhere().values().flat_map(|(_, tables)| tables.iter().cloned()).collect();
        told(self.tables().values(), &elsewhere)
    }
}

/// What is told of the tables of this node and of others, in the order of their names. If there are too many, those where a player
/// waits come first, and the latest of the others.
fn told<'a>(own: impl Iterator<Item = &'a Listed>, elsewhere: &[LobbyTable]) -> Vec<LobbyTable> {
    let mut own: Vec<&Listed> = own.collect();
    own.sort_by_key(|listed| (std::cmp::Reverse(listed.is_attended), std::cmp::Reverse(listed.since)));
    let attended = own.iter().take_while(|listed| listed.is_attended).count();
    let (attended, others) = own.split_at(attended);
    let rows =
        attended.iter().map(|listed| &listed.row).chain(elsewhere).chain(others.iter().map(|listed| &listed.row));
    let mut told = BTreeMap::new();
    for row in rows {
        if told.len() >= MOST_TOLD {
            break;
        }
        told.entry(&row.id).or_insert(row);
    }
    told.into_values().cloned().collect()
}

/// Drops the oldest of the games by post whose players are not here, if there are too many of them.
fn drop_oldest(tables: &mut BTreeMap<String, Listed>) {
    let absent = || tables.iter().filter(|(_, listed)| !listed.is_attended);
    if tables.len() > MOST_TOLD && absent().count() > MOST_TOLD {
        let oldest = absent().min_by_key(|(_, listed)| listed.since).map(|(id, _)| id.clone());
        oldest.map(|id| tables.remove(&id));
    }
}

impl Hub {
    /// The open tables.
    pub(crate) fn lobby(&self) -> Vec<LobbyTable> {
        self.lobby.all()
    }

    /// The message that lists the open tables.
    pub(crate) fn lobby_message(&self) -> Utf8Bytes {
        // Read first: what is listed meanwhile is a change to come.
        let version = *self.lobby.changes.borrow();
        let mut written = self.lobby.written.lock().unwrap_or_else(PoisonError::into_inner);
        match &*written {
            Some((of, message)) if *of == version => message.clone(),
            _ => written.insert((version, text(&ServerMessage::Lobby { tables: self.lobby() }))).1.clone(),
        }
    }

    /// Changes when the lobby does.
    pub(crate) fn lobby_changes(&self) -> watch::Receiver<u64> {
        self.lobby.changes.subscribe()
    }

    /// Sits down at an open table of this kind, or makes one; its name.
    pub(crate) async fn pair(
        self: &Arc<Self>,
        who: &Person,
        ask: &str,
        spec: protocol::TableSpec,
        via: Via,
    ) -> Result<String, Refusal> {
        // One after another, or two who look at the same moment would both wait.
        let _pairing = self.lobby.pairing.lock().await;
        // Not what is asked at the table itself under the same id.
        let ask = &format!("pair {ask}");
        let wanted = TableSpec::try_from(spec.clone())?;
        let lock = self.store.lock(&format!("pair {} {}", wanted.game, wanted.clock)).await;
        let _lock = lock.map_err(super::storage)?;
        // Once no other node can be about to seat the same person for the same request.
        if let Some(id) = self.paired(who, ask).await? {
            return Ok(id);
        }
        // Also if its maker has stood up since: then this is a copy of the request that comes late.
        let name = match self.asked_for(who, ask, &spec).await? {
            AskedFor::Running(id) => return Ok(id),
            AskedFor::Unmade(name) => name,
        };
        for id in self.open_like(&wanted).await? {
            let open = self.open_table(&id).await?;
            {
                let state = open.state.lock().await;
                if state.table.seat_of(&who.id).is_some() {
                    return Ok(id);
                }
                if self.has_blocked_at(&state.table, &who.id).await? {
                    continue;
                }
            }
            match self.ask(&open, who, ask, &protocol::Command::Sit { seat: None }, Duration::ZERO).await {
                Ok(_) => {
                    if via == Via::Http {
                        self.note_request(&open, who).await;
                    }
                    return Ok(id);
                }
                Err(Refusal::NotRated) => return Err(Refusal::NotRated),
                Err(_) => {}
            }
        }
        let seat = secret::below(wanted.game.seats().into()) as usize;
        let seat = Some(rules::Seat::from_index(seat));
        let spec = TableSpec { seat, access: Access::Open, bots: Vec::new(), ..wanted };
        let id = self.create_unless_made(name, who, Some(ask), spec).await?;
        if via == Via::Http {
            // The table is listed before the next person looks, though its maker is not connected.
            self.note_request(&*self.open_table(&id).await?, who).await;
        }
        Ok(id)
    }

    /// The running table that the same request led to before: its answer may have got lost.
    async fn paired(self: &Arc<Self>, who: &Person, ask: &str) -> Result<Option<String>, Refusal> {
        for row in self.store.tables_of(&who.id, LATEST).await.map_err(super::storage)? {
            if row.state != "over"
                && self.open_table(&row.id).await?.state.lock().await.table.answered(&who.id, ask).is_some()
            {
                return Ok(Some(row.id));
            }
        }
        Ok(None)
    }

    /// Tables of a kind that wait for a player.
    async fn open_like(&self, wanted: &TableSpec) -> Result<Vec<String>, Refusal> {
        let (game, clock) = (wanted.game.to_string(), wanted.clock.to_string());
        let like = |table: &LobbyTable| table.game == game && table.clock == clock && table.rated == wanted.rated;
        let listed = self.lobby().into_iter().filter(like);
        let mut ids: Vec<String> = listed.map(|table| table.id).collect();
        if self.bus.is_shared() {
            let made = self
                .store
                .just_made(&wanted.game_name(), self.heartbeat.wall() - UNHEARD)
                .await
                .map_err(super::storage)?;
            for row in made {
                let same = |spec: TableSpec| {
                    let kind = (&spec.game, spec.clock, spec.rated);
                    spec.access == Access::Open && kind == (&wanted.game, wanted.clock, wanted.rated)
                };
                if TableSpec::read(&row.spec).is_ok_and(same) && !ids.contains(&row.id) {
                    ids.push(row.id);
                }
            }
        }
        Ok(ids)
    }
}
