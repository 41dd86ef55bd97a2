//! No values for positions of one's own rated games that are still being played.

use game::{Match, Record};
use ui::prelude::*;

use crate::browser;
use crate::online::http;
use crate::views::spawn;

/// A position with its game, as texts.
type Known = (String, String);

/// The positions of the reader's running rated games, as far as the server has told them.
#[derive(Clone, Copy)]
pub(super) struct RunningGames(RwSignal<Vec<Known>>);

impl RunningGames {
    /// Asks the server, if there is one.
    pub(super) fn ask() -> RunningGames {
        let running = RunningGames(RwSignal::new(Vec::new()));
        spawn(async move {
            if !browser::has_server().await.is_truthy() {
                return;
            }
            let Ok(games) = http::get("api/me/games").await else { return };
            let is_running = |game: &&protocol::Json| game.holds("rated") && game.text_of("state") == "playing";
            for game in games.list().iter().filter(is_running) {
                let path = format!("api/tables/{}/record", game.text_of("table"));
                let Ok(record) = http::text("GET", &path, None).await else { continue };
                let _ = running.0.try_update(|known| known.extend(positions(&record)));
            }
        });
        running
    }

    /// Whether the position of a match stands in one of them.
    pub(super) fn has(self, game: &Match) -> bool {
        self.0.with(|known| {
            let name = game.settings().game.to_string();
            !known.is_empty() && known.contains(&(name, game.position().to_string()))
        })
    }
}

/// Every position of a record but its start, which belongs to everyone.
fn positions(record: &str) -> Vec<Known> {
    let replay = Record::read_all(record).ok().and_then(|mut records| records.pop()?.replay_known().ok());
    let Some(replay) = replay else { return Vec::new() };
    let name = replay.game.settings().game.to_string();
    replay.game.history().iter().skip(1).map(|position| (name.clone(), position.to_string())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_after_the_start_counts() {
        let known = positions("[Game \"quixo\"]\n\n1. a3e3 2. a2e2\n");
        assert_eq!(known.len(), 2);
        assert_eq!(known[0], ("quixo".to_owned(), "...../...../....x/...../..... 2".to_owned()));
        assert!(positions("nonsense").is_empty());
    }
}
