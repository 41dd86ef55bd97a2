use sqlx::query_as;

use super::row::row;
use super::{Store, StoreError, Write, on};

row! {
    /// A person's rating after a game.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) struct RatingPoint {
        pub(crate) game: String,
        pub(crate) rating: f64,
        pub(crate) at: i64,
    }
}

row! {
    /// A rating after so many games.
    #[derive(Clone, Debug, PartialEq)]
    struct CountedRating {
        games: i64,
        rating: f64,
    }
}

row! {
    /// How often a person has finished games of a kind with a result, by the number of the person's side.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) struct ResultCount {
        pub(crate) game: String,
        pub(crate) seat: i64,
        pub(crate) result: String,
        pub(crate) count: i64,
    }
}

row! {
    /// Who has a seat at a table, a bot of the server left out.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) struct SeatRow {
        pub(crate) table_id: String,
        pub(crate) seat: i64,
        pub(crate) person: String,
        pub(crate) name: String,
    }
}

row! {
    /// A line of a leaderboard.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) struct LeaderRow {
        pub(crate) person: String,
        pub(crate) name: String,
        pub(crate) rating: f64,
        pub(crate) deviation: f64,
        pub(crate) games: i64,
    }
}

impl Store {
    /// How a person's ratings changed, oldest first; the latest `most` points.
    pub(crate) async fn rating_history(&self, person: &str, most: i64) -> Result<Vec<RatingPoint>, StoreError> {
        on!(self, pool => {
            let sql = "SELECT game, rating, at FROM (SELECT game, rating, at, games FROM rating_history WHERE person = $1 \
                       ORDER BY at DESC, games DESC LIMIT $2) AS latest ORDER BY at, games";
            Ok(query_as(sql).bind(person).bind(most).fetch_all(pool).await?)
        })
    }

    /// A person's rating before and after the rated game that ended at a time; none if it is not in the history. Before a first
    /// game there is none.
    pub(crate) async fn rating_change(
        &self,
        person: &str,
        game: &str,
        ended_at: i64,
    ) -> Result<Option<(Option<f64>, f64)>, StoreError> {
        let rows: Vec<CountedRating> = on!(self, pool => {
            let sql = "SELECT games, rating FROM rating_history WHERE person = $1 AND game = $2 AND games <= \
                       (SELECT min(games) FROM rating_history WHERE person = $1 AND game = $2 AND at = $3) \
                       ORDER BY games DESC LIMIT 2";
            query_as(sql).bind(person).bind(game).bind(ended_at).fetch_all(pool).await?
        });
        let before =
            |after: &CountedRating| rows.get(1).filter(|row| row.games == after.games - 1).map(|row| row.rating);
        Ok(rows.first().filter(|row| row.games == 1 || rows.len() == 2).map(|row| (before(row), row.rating)))
    }

    /// The results of a person's finished games that others may know of.
    pub(crate) async fn result_counts(&self, person: &str) -> Result<Vec<ResultCount>, StoreError> {
        on!(self, pool => {
            let sql = "SELECT tables.spec AS game, seats.seat, tables.result, count(*) AS count FROM seats \
                       JOIN tables ON tables.id = seats.table_id WHERE seats.person = $1 AND tables.state = 'over' \
                       AND tables.result IS NOT NULL AND tables.result <> 'none' \
                       GROUP BY tables.spec, seats.seat, tables.result";
            Ok(query_as(sql).bind(person).fetch_all(pool).await?)
        })
    }

    /// Who sits at the latest `most` tables of a person.
    pub(crate) async fn seats_beside(&self, person: &str, most: i64) -> Result<Vec<SeatRow>, StoreError> {
        on!(self, pool => {
            let sql = "SELECT seats.table_id, seats.seat, seats.person, COALESCE(people.name, '') AS name FROM seats \
                       LEFT JOIN people ON people.id = seats.person WHERE seats.table_id IN (SELECT id FROM tables \
                       WHERE id IN (SELECT table_id FROM seats WHERE person = $1) ORDER BY changed_at DESC LIMIT $2)";
            Ok(query_as(sql).bind(person).bind(most).fetch_all(pool).await?)
        })
    }

    /// The strongest accounts of a game whose rating is certain enough.
    pub(crate) async fn leaders(&self, game: &str, deviation: f64, most: i64) -> Result<Vec<LeaderRow>, StoreError> {
        on!(self, pool => {
            let sql = "SELECT ratings.person, people.name, ratings.rating, ratings.deviation, ratings.games FROM ratings \
                       JOIN people ON people.id = ratings.person WHERE ratings.game = $1 AND ratings.deviation <= $2 \
                       AND people.kind = 'account' ORDER BY ratings.rating DESC LIMIT $3";
            Ok(query_as(sql).bind(game).bind(deviation).bind(most).fetch_all(pool).await?)
        })
    }

    /// Follows a person; a conflict if the list has `most` already.
    pub(crate) async fn follow(&self, person: &str, followed: &str, at: i64, most: i64) -> Result<(), StoreError> {
        // The parameters are cast because PostgreSQL does not know their types in a SELECT.
        let sql = "INSERT INTO follows (person, followed, at) \
                   SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS BIGINT) \
                   WHERE (SELECT count(*) FROM follows WHERE person = $1) < $4 \
                   ON CONFLICT (person, followed) DO UPDATE SET at = excluded.at";
        self.write(Write::only_if(sql, [person.into(), followed.into(), at.into(), most.into()])).await
    }

    /// Follows a person no more.
    pub(crate) async fn unfollow(&self, person: &str, followed: &str) -> Result<(), StoreError> {
        let sql = "DELETE FROM follows WHERE person = $1 AND followed = $2";
        self.write(Write::default().also(sql, [person.into(), followed.into()])).await
    }

    /// The people whom a person follows, by name: id and name of each.
    pub(crate) async fn followed_by(&self, person: &str) -> Result<Vec<(String, String)>, StoreError> {
        on!(self, pool => {
            let sql = "SELECT people.id, people.name FROM follows JOIN people ON people.id = follows.followed \
                       WHERE follows.person = $1 ORDER BY people.name";
            Ok(query_as(sql).bind(person).fetch_all(pool).await?)
        })
    }
}
