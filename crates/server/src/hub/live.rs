//! Games that anyone may watch now.

use std::time::Duration;

use super::Hub;
use super::open_table::TableState;
use crate::runtime;
use crate::tables::{Access, Sitting, Stage};

/// How long tables are waited for whose last action is just being written. What takes longer is listed the next time.
const BUSY: Duration = Duration::from_millis(500);

/// A game that is being played at an open table.
pub(crate) struct LiveGame {
    pub(crate) table: String,
    pub(crate) game: String,
    pub(crate) clock: String,
    pub(crate) rated: bool,
    pub(crate) players: Vec<Option<String>>,
    pub(crate) watching: u32,
    pub(crate) actions: usize,
    /// The sum of the players' ratings, by which the best game comes first.
    strength: u32,
}

impl Hub {
    /// Games of this node that anyone may watch, the strongest players first. A game without a player present is not one
    /// to watch.
    pub(crate) async fn live_games(&self, most: usize) -> Vec<LiveGame> {
        let (mut games, mut busy) = (Vec::new(), Vec::new());
        for table in self.tables.all() {
            match table.state.try_lock() {
                Ok(state) => games.extend(live_game(&state)),
                Err(_) => busy.push(table.clone()),
            }
        }
        let waiting = async {
            for table in &busy {
                games.extend(live_game(&*table.state.lock().await));
            }
        };
        let _ = runtime::timeout(BUSY, waiting).await;
        games.sort_by(|a, b| (b.strength, b.watching).cmp(&(a.strength, a.watching)).then(a.table.cmp(&b.table)));
        games.truncate(most);
        games
    }
}

fn live_game(state: &TableState) -> Option<LiveGame> {
    let table = &state.table;
    if table.stage() != Stage::Playing || table.spec.access != Access::Open {
        return None;
    }
    let is_player = |person: &str| table.seat_of(person).is_some();
    let (present, spectators) = state.presence.local(is_player);
    if present.is_empty() {
        return None;
    }
    let name = |who: &Option<Sitting>| match who {
        Some(Sitting::Person(person)) => Some(person.name.clone()),
        Some(Sitting::Bot(level)) => Some(format!("bot:{level}")),
        None => None,
    };
    let info = table.info(rules::Viewer::Spectator);
    Some(LiveGame {
        table: table.id.clone(),
        game: info.game,
        clock: info.clock,
        rated: info.rated,
        players: table.seats().iter().map(name).collect(),
        watching: spectators + state.presence.remote_spectators(),
        actions: table.play()?.log().len(),
        strength: info.seats.iter().filter_map(|seat| seat.rating).sum(),
    })
}
