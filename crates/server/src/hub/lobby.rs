use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use protocol::{Code, Do, LobbyTable, Person, Sitting, Wish};
use tokio::sync::watch;

use super::{Hub, Inner};
use crate::secret;
use crate::tables::{Refusal, Stage};

/// The tables where somebody waits for somebody.
#[derive(Default)]
pub(super) struct Lobby {
    tables: Mutex<BTreeMap<String, LobbyTable>>,
    changes: watch::Sender<u64>,
    pairing: tokio::sync::Mutex<()>,
}

/// A clock with at least this many seconds for a turn needs nobody to be there.
const DAY: u64 = 86_400;

impl Lobby {
    /// Lists a table, or not any more.
    pub(super) fn note(&self, inner: &Inner) {
        let table = &inner.table;
        let free = table.seats().iter().filter(|who| who.is_none()).count() as u8;
        let waits = table.stage() == Stage::Waiting && table.wish.access == "open" && free > 0;
        let listed = waits && (inner.is_attended() || is_slow(&table.wish.clock));
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = if listed {
            let name = |who: &Option<Sitting>| match who {
                Some(Sitting::Person(person)) => person.name.clone(),
                Some(Sitting::Bot(level)) => format!("bot:{level}"),
                None => String::new(),
            };
            let row = LobbyTable {
                id: table.id.clone(),
                game: table.wish.game.clone(),
                clock: table.wish.clock.clone(),
                rated: table.wish.rated,
                seats: table.seats().iter().map(name).collect(),
                free,
            };
            tables.insert(table.id.clone(), row.clone()) != Some(row)
        } else {
            tables.remove(&table.id).is_some()
        };
        if changed {
            self.changes.send_modify(|version| *version += 1);
        }
    }
}

/// Days per turn: correspondence.
pub(crate) fn is_slow(clock: &str) -> bool {
    clock.strip_prefix("turn=").and_then(|seconds| seconds.parse::<f64>().ok()).is_some_and(|s| s >= DAY as f64)
}

impl Hub {
    /// The open tables.
    pub(crate) fn lobby(&self) -> Vec<LobbyTable> {
        self.lobby.tables.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// Changes when the lobby does.
    pub(crate) fn lobby_changes(&self) -> watch::Receiver<u64> {
        self.lobby.changes.subscribe()
    }

    /// Sits down at an open table of this kind, or makes one; its name.
    pub(crate) async fn pair(self: &Arc<Self>, who: &Person, ask: &str, wish: Wish) -> Result<String, Refusal> {
        // One after another, or two who look at the same moment would both wait.
        let _turn = self.lobby.pairing.lock().await;
        let wanted = crate::tables::Table::new(secret::name(), wish, who.id.clone())?.wish;
        let fits = |table: &LobbyTable| {
            (&table.game, &table.clock, table.rated) == (&wanted.game, &wanted.clock, wanted.rated)
        };
        for table in self.lobby().into_iter().filter(fits) {
            let slot = self.slot(&table.id).await?;
            if slot.inner.lock().await.table.seat_of(&who.id).is_some() {
                return Ok(table.id);
            }
            match self.ask(&slot, who, ask, &Do::Sit { seat: 0 }, std::time::Duration::ZERO).await {
                Ok(_) => return Ok(table.id),
                Err(refusal) if refusal.code == Code::NotRated => return Err(refusal),
                Err(_) => {}
            }
        }
        let seats = wanted.game.parse::<table::Game>().map_or(2, |game| game.seats());
        let seat = 1 + secret::below(seats.into()) as u8;
        self.create(who, Wish { seat, access: "open".to_owned(), bots: Vec::new(), ..wanted }).await
    }
}
