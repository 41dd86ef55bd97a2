//! What was played in a position, and how that ended: counted from the finished games at open tables.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use game::{Event, Match};
use rules::{Outcome, Turn};

use super::Hub;
use crate::runtime;
use crate::tables::{Access, TableSpec};

/// So many of the latest games are counted.
const GAMES: i64 = 2_000;
/// So many actions of each.
const ACTIONS: usize = 16;
/// Games are counted anew after this, when asked for.
const STALE: Duration = Duration::from_secs(600);

/// How often an action was played in a position, and how that ended for its player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OpeningCount {
    pub(crate) won: u32,
    pub(crate) drawn: u32,
    pub(crate) lost: u32,
}

impl OpeningCount {
    /// How often it was played.
    pub(crate) fn games(self) -> u32 {
        self.won + self.drawn + self.lost
    }
}

/// The actions of each position, by the texts of game and position.
type Index = HashMap<(String, String), BTreeMap<String, OpeningCount>>;

/// The counts, and when they were last made.
#[derive(Default)]
pub(super) struct Openings(Mutex<(Arc<Index>, Option<Duration>)>);

impl Hub {
    /// What was played in a position, the most frequent first. Counting takes a while, so an answer may be of some minutes
    /// ago; the very first one waits.
    pub(crate) async fn openings(self: &Arc<Self>, game: &str, position: &str) -> Vec<(String, OpeningCount)> {
        let now = self.now();
        let (is_first, is_stale) = {
            let mut kept = self.openings.0.lock().unwrap_or_else(PoisonError::into_inner);
            let is_first = kept.1.is_none();
            let is_stale = kept.1.is_none_or(|at| now.saturating_sub(at) > STALE);
            if is_stale {
                kept.1 = Some(now);
            }
            (is_first, is_stale)
        };
        if is_stale {
            let hub = self.clone();
            let counting = runtime::spawn(async move { hub.count_openings().await });
            if is_first {
                // A task that was ended leaves the counts empty.
                let _ = counting.await;
            }
        }
        let index = self.openings.0.lock().unwrap_or_else(PoisonError::into_inner).0.clone();
        let found = index.get(&(game.to_owned(), position.to_owned()));
        let mut found: Vec<_> = found.into_iter().flatten().map(|(action, count)| (action.clone(), *count)).collect();
        found.sort_by(|a, b| b.1.games().cmp(&a.1.games()).then_with(|| a.0.cmp(&b.0)));
        found
    }

    async fn count_openings(self: Arc<Self>) {
        let Ok(rows) = self.store.finished(GAMES).await else { return };
        let mut index = Index::new();
        for row in rows {
            if TableSpec::read(&row.spec).is_ok_and(|spec| spec.access == Access::Open)
                && let Ok(table) = self.load(&row.id).await
                && let Some(play) = table.play()
            {
                count(play, &mut index);
            }
        }
        self.openings.0.lock().unwrap_or_else(PoisonError::into_inner).0 = Arc::new(index);
    }
}

/// Counts the first actions of a game. Positions with hidden hands tell nothing to others.
fn count(play: &Match, index: &mut Index) {
    let Some(outcome) = play.ending().and_then(|ending| ending.outcome) else { return };
    if play.position().hides() {
        return;
    }
    let game = play.settings().game.to_string();
    for (position, entry) in play.history().iter().zip(play.log()).take(ACTIONS) {
        let (Turn::Seat(seat), Event::Action(action)) = (position.turn(), &entry.event) else { continue };
        let counts = index.entry((game.clone(), position.to_string())).or_default();
        let count = counts.entry(action.to_string()).or_default();
        match outcome {
            Outcome::Draw => count.drawn += 1,
            Outcome::Win(side) if side == position.side(seat) => count.won += 1,
            Outcome::Win(_) => count.lost += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_action_counts_for_the_player_who_made_it() {
        let game: game::Game = game::GameId::ALL[1].name().parse().unwrap();
        let mut play = Match::new(game::MatchSettings::new(game)).unwrap();
        let start = play.position().to_string();
        let first = play.legal().remove(0);
        play.play(&first, Duration::ZERO).unwrap();
        let second = play.position().to_string();
        let reply = play.legal().remove(0);
        play.play(&reply, Duration::ZERO).unwrap();
        play.resign(rules::Seat::TWO, Duration::ZERO).unwrap();
        let mut index = Index::new();
        count(&play, &mut index);
        count(&play, &mut index);
        let of =
            |position: &String, action: &String| index[&(play.settings().game.to_string(), position.clone())][action];
        assert_eq!(of(&start, &first), OpeningCount { won: 2, ..OpeningCount::default() });
        assert_eq!(of(&second, &reply), OpeningCount { lost: 2, ..OpeningCount::default() });
    }
}
