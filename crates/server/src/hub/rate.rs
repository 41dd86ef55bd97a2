//! Ratings by Glicko-2, for people with accounts.

use protocol::Person;
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};

use crate::store::{RatingRow, Store, StoreError};
use crate::tables::Table;

/// How the ratings of two people change by a result.
pub(super) async fn after(store: &Store, table: &Table, result: &str) -> Result<Vec<RatingRow>, StoreError> {
    let outcome = match result {
        "p1win" => Outcomes::WIN,
        "p2win" => Outcomes::LOSS,
        "draw" => Outcomes::DRAW,
        _ => return Ok(Vec::new()),
    };
    let people: Vec<&Person> = table.people().map(|(_, person)| person).collect();
    let [one, two] = people[..] else { return Ok(Vec::new()) };
    if one.kind != "account" || two.kind != "account" {
        return Ok(Vec::new());
    }
    let game = table.wish.game.split('(').next().unwrap_or_default();
    let (one, two) = (rating(store, &one.id, game).await?, rating(store, &two.id, game).await?);
    let (new_one, new_two) = glicko2(&number(&one), &number(&two), &outcome, &Glicko2Config::new());
    Ok(vec![changed(one, &new_one), changed(two, &new_two)])
}

async fn rating(store: &Store, person: &str, game: &str) -> Result<RatingRow, StoreError> {
    let known = store.ratings(person).await?.into_iter().find(|rating| rating.game == game);
    let fresh = Glicko2Rating::new();
    Ok(known.unwrap_or_else(|| RatingRow {
        person: person.to_owned(),
        game: game.to_owned(),
        rating: fresh.rating,
        deviation: fresh.deviation,
        volatility: fresh.volatility,
        games: 0,
    }))
}

fn number(row: &RatingRow) -> Glicko2Rating {
    Glicko2Rating { rating: row.rating, deviation: row.deviation, volatility: row.volatility }
}

fn changed(row: RatingRow, new: &Glicko2Rating) -> RatingRow {
    RatingRow { rating: new.rating, deviation: new.deviation, volatility: new.volatility, games: row.games + 1, ..row }
}
