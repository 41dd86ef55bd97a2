use sqlx::query_as;

use super::row::row;
use super::{SessionRow, Store, StoreError, Value, Write, on};

row! {
    /// A bot with the token that lets it in.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) struct BotRow {
        pub(crate) id: String,
        pub(crate) name: String,
        pub(crate) created_at: i64,
        /// When the token was last used, to the minute.
        pub(crate) used_at: Option<i64>,
        pub(crate) expires_at: i64,
    }
}

impl Store {
    /// Stores a person's bot with its token; a conflict if the owner has `most` already.
    pub(crate) async fn keep_bot(
        &self,
        name: &str,
        owner: &str,
        token: SessionRow,
        most: i64,
    ) -> Result<(), StoreError> {
        // The parameters are cast because PostgreSQL does not know their types in a SELECT.
        let sql = "INSERT INTO people (id, name, kind, created_at, owner) \
                   SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), 'bot', CAST($3 AS BIGINT), CAST($4 AS TEXT) \
                   WHERE (SELECT count(*) FROM people JOIN sessions ON person = id WHERE owner = $4) < $5";
        let values: [Value; 5] =
            [token.person.as_str().into(), name.into(), token.created_at.into(), owner.into(), most.into()];
        self.write(Write::only_if(sql, values).and(token.write())).await
    }

    /// A person's bots that have a token, the latest first.
    pub(crate) async fn bots_of(&self, owner: &str) -> Result<Vec<BotRow>, StoreError> {
        on!(self, pool => {
            let sql = "SELECT people.id, people.name, sessions.created_at, sessions.used_at, sessions.expires_at \
                       FROM people JOIN sessions ON sessions.person = people.id WHERE people.owner = $1 \
                       ORDER BY sessions.created_at DESC, people.id";
            Ok(query_as(sql).bind(owner).fetch_all(pool).await?)
        })
    }

    /// All bots a person has ever had.
    pub(crate) async fn made_by(&self, owner: &str) -> Result<Vec<String>, StoreError> {
        on!(self, pool => {
            Ok(sqlx::query_scalar("SELECT id FROM people WHERE owner = $1").bind(owner).fetch_all(pool).await?)
        })
    }

    /// Takes a bot's token away; a conflict if there is none, or it is another's.
    pub(crate) async fn withdraw(&self, owner: &str, bot: &str) -> Result<(), StoreError> {
        let sql = "DELETE FROM sessions WHERE person = $1 \
                   AND EXISTS (SELECT 1 FROM people WHERE id = $1 AND owner = $2)";
        self.write(Write::only_if(sql, [bot.into(), owner.into()])).await
    }

    /// Notes that a token was used.
    pub(crate) async fn note_use(&self, token_hash: &str, now: i64) -> Result<(), StoreError> {
        let sql = "UPDATE sessions SET used_at = $1 WHERE token_hash = $2";
        self.write(Write::default().also(sql, [now.into(), token_hash.into()])).await
    }

    /// Which of some tokens are still valid.
    pub(crate) async fn valid_of(&self, hashes: &[String], now: i64) -> Result<Vec<String>, StoreError> {
        match self {
            Store::Postgres(database) => {
                let sql = "SELECT token_hash FROM sessions WHERE token_hash = ANY($1) AND expires_at > $2";
                Ok(sqlx::query_scalar(sql).bind(hashes).bind(now).fetch_all(database.pool()).await?)
            }
            Store::Sqlite(_) | Store::Memory(_) => {
                let mut valid = Vec::new();
                for hash in hashes {
                    valid.extend(self.session(hash, now).await?.map(|session| session.token_hash));
                }
                Ok(valid)
            }
        }
    }
}
