use sqlx::query_as;

use super::row::row;
use super::{Store, StoreError, Value, Write, on};
use crate::names::lookalike;

row! {
    /// A person.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) struct PersonRow {
        pub(crate) id: String,
        pub(crate) name: String,
        /// `guest`, `account`, `bot`, or `gone`.
        pub(crate) kind: String,
        pub(crate) login: Option<String>,
        pub(crate) password: Option<String>,
        pub(crate) created_at: i64,
    }
}

row! {
    /// A session: a browser that is logged in, or a bot's token. Only the hash of the token is stored.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) struct SessionRow {
        pub(crate) token_hash: String,
        pub(crate) person: String,
        /// `browser` or `bot`.
        pub(crate) kind: String,
        pub(crate) label: String,
        pub(crate) created_at: i64,
        pub(crate) expires_at: i64,
        /// When it was last used, which is noted for bots.
        pub(crate) used_at: Option<i64>,
    }
}

impl SessionRow {
    pub(super) fn write(self) -> Write {
        let sql = "INSERT INTO sessions (token_hash, person, kind, label, created_at, expires_at) \
                   VALUES ($1, $2, $3, $4, $5, $6)";
        let values = [
            self.token_hash.into(),
            self.person.into(),
            self.kind.into(),
            self.label.into(),
            self.created_at.into(),
            self.expires_at.into(),
        ];
        Write::default().also(sql, values)
    }
}

row! {
    /// A person's rating in a game (Glicko-2).
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) struct RatingRow {
        pub(crate) person: String,
        pub(crate) game: String,
        pub(crate) rating: f64,
        pub(crate) deviation: f64,
        pub(crate) volatility: f64,
        pub(crate) games: i64,
    }
}

impl RatingRow {
    /// Changes the rating, and adds it to the person's history.
    pub(super) fn write(self, at: i64) -> Write {
        let history = "INSERT INTO rating_history (person, game, games, rating, at) VALUES ($1, $2, $3, $4, $5) \
                       ON CONFLICT DO NOTHING";
        let point: [Value; 5] =
            [self.person.as_str().into(), self.game.as_str().into(), self.games.into(), self.rating.into(), at.into()];
        let sql = "INSERT INTO ratings (person, game, rating, deviation, volatility, games) \
                   VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (person, game) DO UPDATE SET \
                   rating = excluded.rating, deviation = excluded.deviation, \
                   volatility = excluded.volatility, games = excluded.games \
                   WHERE ratings.games = excluded.games - 1";
        let values: [Value; 6] = [
            self.person.into(),
            self.game.into(),
            self.rating.into(),
            self.deviation.into(),
            self.volatility.into(),
            self.games.into(),
        ];
        // Two games of one person that end at once, on two nodes, must not both begin from the same rating.
        Write::only_if(sql, values).also(history, point)
    }
}

const RATING: &str = "SELECT person, game, rating, deviation, volatility, games FROM ratings";

const PERSON: &str = "SELECT id, name, kind, login, password, created_at FROM people";

pub(super) fn end_sessions(person: &str) -> Write {
    let own = Write::default().also("DELETE FROM sessions WHERE person = $1", [person.into()]);
    let bots = "DELETE FROM sessions WHERE person IN (SELECT id FROM people WHERE owner = $1)";
    own.also(bots, [person.into()])
}

impl Store {
    /// Stores a guest; a known person stays as they are.
    pub(crate) async fn keep_guest(&self, id: &str, name: &str, now: i64) -> Result<(), StoreError> {
        let sql = "INSERT INTO people (id, name, kind, created_at) VALUES ($1, $2, 'guest', $3) ON CONFLICT DO NOTHING";
        self.write(Write::default().also(sql, [id.into(), name.into(), now.into()])).await
    }

    /// Keeps a guest under a name; a conflict if they are no guest any more.
    pub(crate) async fn name_guest(&self, id: &str, name: &str, now: i64) -> Result<(), StoreError> {
        let sql = "INSERT INTO people (id, name, kind, created_at) VALUES ($1, $2, 'guest', $3) \
                   ON CONFLICT (id) DO UPDATE SET name = excluded.name WHERE people.kind = 'guest'";
        self.write(Write::only_if(sql, [id.into(), name.into(), now.into()])).await
    }

    /// Makes an account, or a guest into one; a conflict if the login is taken.
    pub(crate) async fn keep_account(&self, person: PersonRow) -> Result<(), StoreError> {
        if self.account_like(&person.name, &person.id).await? {
            return Err(StoreError::Conflict);
        }
        let sql = "INSERT INTO people (id, name, kind, login, password, created_at, lookalike) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7) \
                   ON CONFLICT (id) DO UPDATE SET name = excluded.name, kind = excluded.kind, login = excluded.login, \
                   password = excluded.password, lookalike = excluded.lookalike WHERE people.kind = 'guest'";
        let lookalike = lookalike(&person.name);
        let values = [
            person.id.into(),
            person.name.into(),
            person.kind.into(),
            person.login.into(),
            person.password.into(),
            person.created_at.into(),
            lookalike.into(),
        ];
        // Two who want the same login at the same moment: the unique key lets one of them have it.
        self.write(Write::only_if(sql, values)).await
    }

    /// Whether an account of another person has this name, or one that looks like it.
    pub(crate) async fn account_like(&self, name: &str, person: &str) -> Result<bool, StoreError> {
        on!(self, pool => {
            let sql = "SELECT 1 FROM people WHERE (login = $1 OR lookalike = $2) AND id <> $3 LIMIT 1";
            let query = sqlx::query(sql).bind(name.to_lowercase()).bind(lookalike(name)).bind(person);
            Ok(query.fetch_optional(pool).await?.is_some())
        })
    }

    /// Notes what the names of accounts from before schema 7 look like.
    pub(crate) async fn fill_lookalikes(&self) -> Result<(), StoreError> {
        let accounts: Vec<(String, String)> = on!(self, pool => {
            let sql = "SELECT id, name FROM people WHERE kind = 'account' AND lookalike IS NULL";
            query_as(sql).fetch_all(pool).await?
        }, _memory => Vec::new());
        for (id, name) in accounts {
            let sql = "UPDATE people SET lookalike = $1 WHERE id = $2";
            self.write(Write::default().also(sql, [lookalike(&name).into(), id.into()])).await?;
        }
        Ok(())
    }

    /// A person by id.
    pub(crate) async fn person(&self, id: &str) -> Result<Option<PersonRow>, StoreError> {
        on!(self, pool => {
            let sql = sqlx::AssertSqlSafe(format!("{PERSON} WHERE id = $1"));
            Ok(query_as(sql).bind(id).fetch_optional(pool).await?)
        })
    }

    /// A person by login.
    pub(crate) async fn person_by_login(&self, login: &str) -> Result<Option<PersonRow>, StoreError> {
        on!(self, pool => {
            let sql = sqlx::AssertSqlSafe(format!("{PERSON} WHERE login = $1"));
            Ok(query_as(sql).bind(login).fetch_optional(pool).await?)
        })
    }

    /// Changes a person's name.
    pub(crate) async fn rename(&self, id: &str, name: &str) -> Result<(), StoreError> {
        let sql = "UPDATE people SET name = $1 WHERE id = $2";
        self.write(Write::default().also(sql, [name.into(), id.into()])).await
    }

    /// Changes a password and ends all sessions.
    pub(crate) async fn change_password(&self, id: &str, hash: &str) -> Result<(), StoreError> {
        let write = Write::only_if("UPDATE people SET password = $1 WHERE id = $2", [hash.into(), id.into()]);
        self.write(write.and(end_sessions(id))).await
    }

    /// Forgets who a person was. The games stay, for they are the others' too, without the name: `lines` are those that
    /// had it, each with its table and number.
    pub(crate) async fn forget(&self, id: &str, lines: Vec<(String, i64, String)>) -> Result<(), StoreError> {
        let sql = "UPDATE people SET name = '', kind = 'gone', login = NULL, password = NULL, owner = NULL, \
             lookalike = NULL WHERE id = $1";
        let mut write = Write::default().also(sql, [id.into()]);
        for (table, seq, line) in lines {
            let sql = "UPDATE events SET line = $1 WHERE table_id = $2 AND seq = $3";
            write = write.also(sql, [line.into(), table.into(), seq.into()]);
        }
        for sql in [
            "DELETE FROM sessions WHERE person = $1",
            "DELETE FROM ratings WHERE person = $1",
            "DELETE FROM reports WHERE person = $1",
            "DELETE FROM spoke WHERE person = $1",
            "DELETE FROM recovery_codes WHERE person = $1",
            "DELETE FROM rating_history WHERE person = $1",
            "DELETE FROM follows WHERE person = $1",
            "DELETE FROM follows WHERE followed = $1",
            "DELETE FROM blocks WHERE person = $1",
            "DELETE FROM blocks WHERE blocked = $1",
            "DELETE FROM puzzle_attempts WHERE person = $1",
            "DELETE FROM puzzle_solvers WHERE person = $1",
            "DELETE FROM puzzle_storms WHERE person = $1",
            "DELETE FROM preferences WHERE person = $1",
            "DELETE FROM challenges WHERE challenger = $1",
            "DELETE FROM challenges WHERE challenged = $1",
        ] {
            write = write.also(sql, [id.into()]);
        }
        self.write(write).await
    }

    /// The log lines of all tables where a person sat or spoke, each with its table and number.
    pub(crate) async fn lines_around(&self, person: &str) -> Result<Vec<(String, i64, String)>, StoreError> {
        on!(self, pool => {
            let sql = "SELECT table_id, seq, line FROM events WHERE table_id IN (SELECT table_id FROM seats \
                       WHERE person = $1 UNION SELECT table_id FROM spoke WHERE person = $1) AND line LIKE $2";
            Ok(query_as(sql).bind(person).bind(format!("%\"{person}\"%")).fetch_all(pool).await?)
        })
    }

    /// Stores a browser's session, and ends the person's oldest beyond so many.
    pub(crate) async fn keep_session(&self, session: SessionRow, most: i64) -> Result<(), StoreError> {
        let oldest = "DELETE FROM sessions WHERE person = $1 AND kind = 'browser' AND token_hash NOT IN (SELECT token_hash \
                      FROM sessions WHERE person = $1 AND kind = 'browser' ORDER BY created_at DESC, expires_at DESC LIMIT $2)";
        let values = [session.person.as_str().into(), most.into()];
        self.write(session.write().also(oldest, values)).await
    }

    /// Deletes the sessions and tokens that ended by themselves before a moment.
    pub(crate) async fn remove_expired_sessions(&self, before: i64) -> Result<(), StoreError> {
        match self {
            Store::Memory(_) => Ok(()),
            _ => {
                let sql = "DELETE FROM sessions WHERE expires_at <= $1";
                self.write(Write::default().also(sql, [before.into()])).await
            }
        }
    }

    /// The session of a token, if it has not expired.
    pub(crate) async fn session(&self, token_hash: &str, now: i64) -> Result<Option<SessionRow>, StoreError> {
        on!(self, pool => {
            let sql = "SELECT token_hash, person, kind, label, created_at, expires_at, used_at FROM sessions \
                       WHERE token_hash = $1 AND expires_at > $2";
            Ok(query_as(sql).bind(token_hash).bind(now).fetch_optional(pool).await?)
        })
    }

    /// Ends one session.
    pub(crate) async fn end_session(&self, token_hash: &str) -> Result<(), StoreError> {
        self.write(Write::default().also("DELETE FROM sessions WHERE token_hash = $1", [token_hash.into()])).await
    }

    /// Ends all sessions of a person, and the tokens of their bots.
    pub(crate) async fn end_sessions(&self, person: &str) -> Result<(), StoreError> {
        self.write(end_sessions(person)).await
    }

    /// A person's ratings, by game.
    pub(crate) async fn ratings(&self, person: &str) -> Result<Vec<RatingRow>, StoreError> {
        on!(self, pool => {
            let sql = sqlx::AssertSqlSafe(format!("{RATING} WHERE person = $1 ORDER BY game"));
            Ok(query_as(sql).bind(person).fetch_all(pool).await?)
        })
    }

    /// How strong those at a table are at its game, as far as they have a rating: four people at most.
    pub(crate) async fn ratings_in(&self, game: &str, people: &[String]) -> Result<Vec<RatingRow>, StoreError> {
        on!(self, pool => {
            let sql = sqlx::AssertSqlSafe(format!("{RATING} WHERE game = $1 AND person IN ($2, $3, $4, $5)"));
            let mut query = query_as(sql).bind(game);
            for seat in 0..4 {
                query = query.bind(people.get(seat).map_or("", String::as_str));
            }
            Ok(query.fetch_all(pool).await?)
        }, memory => Ok(memory.data().ratings_in(game, people)))
    }
}
