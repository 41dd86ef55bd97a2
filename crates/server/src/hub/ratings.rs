//! Ratings by Glicko-2, for people with accounts.

use std::sync::Arc;

use rules::{Outcome, Seat, Side};
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};

use super::Hub;
use crate::store::{RatingRow, Store, StoreError};
use crate::tables::{Person, PersonKind, Refusal, Right, Table};

/// How the ratings of two people change by a result.
pub(super) async fn after(store: &Store, table: &Table, result: Option<Outcome>) -> Result<Vec<RatingRow>, StoreError> {
    let outcome = match result {
        Some(Outcome::Win(Side::ONE)) => Outcomes::WIN,
        Some(Outcome::Win(_)) => Outcomes::LOSS,
        Some(Outcome::Draw) => Outcomes::DRAW,
        None => return Ok(Vec::new()),
    };
    let people: Vec<&Person> = table.people().map(|(_, person)| person).collect();
    let [one, two] = people[..] else { return Ok(Vec::new()) };
    if one.kind != PersonKind::Account || two.kind != PersonKind::Account {
        return Ok(Vec::new());
    }
    let mut known = ratings(store, table, vec![one.id.clone(), two.id.clone()]).await?;
    let (Some(two), Some(one)) = (known.pop(), known.pop()) else { return Ok(Vec::new()) };
    let (new_one, new_two) = glicko2(&number(&one), &number(&two), &outcome, &Glicko2Config::new());
    Ok(vec![changed(one, &new_one), changed(two, &new_two)])
}

/// What rating people have in the game of a rated table, as it is shown; nothing at other tables.
///
/// A rating that cannot be read does not keep a player from sitting down: it is only shown.
pub(super) async fn known(
    store: &Store,
    table: &Table,
    people: impl IntoIterator<Item = &Person>,
) -> Vec<(String, u32)> {
    if !table.spec.rated {
        return Vec::new();
    }
    let accounts = people.into_iter().filter(|person| person.kind == PersonKind::Account);
    let people: Vec<String> = accounts.map(|person| person.id.clone()).collect();
    if people.is_empty() {
        return Vec::new();
    }
    let rows = ratings(store, table, people).await.unwrap_or_default();
    rows.into_iter().map(|row| (row.person, shown(row.rating))).collect()
}

impl Hub {
    /// How a finished rated game changed the rating of each player, as it is shown: the seat, before and after.
    pub(crate) async fn rating_changes(
        self: &Arc<Self>,
        id: &str,
        asker: &str,
    ) -> Result<Vec<(Seat, u32, u32)>, Refusal> {
        let open = self.open_table(id).await?;
        let (ended_at, game, players): (i64, String, Vec<(Seat, String)>) = {
            let state = self.current(&open).await?;
            state.table.check(asker, Right::See)?;
            let Some(ended_at) = state.table.ended_at().filter(|_| state.table.spec.rated) else {
                return Ok(Vec::new());
            };
            let players = state.table.people().map(|(seat, person)| (seat, person.id.clone())).collect();
            (ended_at, state.table.spec.game_name(), players)
        };
        let mut changes = Vec::new();
        for (seat, person) in players {
            let change = self.store.rating_change(&person, &game, ended_at).await.map_err(super::storage)?;
            if let Some((before, after)) = change {
                let before = before.unwrap_or_else(|| Glicko2Rating::new().rating);
                changes.push((seat, shown(before), shown(after)));
            }
        }
        Ok(changes)
    }
}

/// A rating as a whole number.
fn shown(rating: f64) -> u32 {
    rating.round().clamp(0.0, f64::from(u32::MAX)) as u32
}

/// The ratings of people in a table's game, in their order; a fresh one for who has none yet.
async fn ratings(store: &Store, table: &Table, people: Vec<String>) -> Result<Vec<RatingRow>, StoreError> {
    let game = table.spec.game_name();
    let rows = store.ratings_in(&game, &people).await?;
    let fresh = Glicko2Rating::new();
    let row = |person: String| {
        let known = rows.iter().find(|row| row.person == person).cloned();
        known.unwrap_or_else(|| RatingRow {
            person,
            game: game.clone(),
            rating: fresh.rating,
            deviation: fresh.deviation,
            volatility: fresh.volatility,
            games: 0,
        })
    };
    Ok(people.into_iter().map(row).collect())
}

fn number(row: &RatingRow) -> Glicko2Rating {
    Glicko2Rating { rating: row.rating, deviation: row.deviation, volatility: row.volatility }
}

fn changed(row: RatingRow, new: &Glicko2Rating) -> RatingRow {
    RatingRow { rating: new.rating, deviation: new.deviation, volatility: new.volatility, games: row.games + 1, ..row }
}
