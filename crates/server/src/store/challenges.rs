use sqlx::query_as;

use super::row::row;
use super::{Store, StoreError, Write, on};

row! {
    /// A waiting table that one person has offered to another.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) struct ChallengeRow {
        pub(crate) table_id: String,
        pub(crate) spec: String,
        /// The other person: who challenged, or who was challenged.
        pub(crate) person: String,
        pub(crate) name: String,
        pub(crate) at: i64,
        pub(crate) declined: i64,
    }
}

/// How many open challenges there may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MostChallenges {
    /// To one person, from each kind of challenger: people whom that person follows, others with an account, and guests and bots.
    /// None takes the room of another.
    pub(crate) from_followed: i64,
    pub(crate) from_accounts: i64,
    pub(crate) from_guests: i64,
    /// To one person, from the same person.
    pub(crate) from_one: i64,
    /// By one person, to everyone.
    pub(crate) by_one: i64,
}

/// A challenge counts while its table waits.
const OPEN: &str = "JOIN tables ON tables.id = challenges.table_id AND tables.state = 'waiting'";

impl Store {
    /// Offers a table to a person; a conflict if they have as many offers as they may.
    pub(crate) async fn challenge(
        &self,
        table: &str,
        (challenger, challenged): (&str, &str),
        at: i64,
        most: MostChallenges,
    ) -> Result<(), StoreError> {
        let kind = self.kind_of_challenger(challenger, challenged).await?;
        let received = match kind.as_str() {
            "followed" => most.from_followed,
            "account" => most.from_accounts,
            _ => most.from_guests,
        };
        // The parameters are cast because PostgreSQL does not know their types in a SELECT.
        let sql = "INSERT INTO challenges (table_id, challenged, challenger, at, declined) \
                   SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS TEXT), CAST($4 AS BIGINT), 0 \
                   WHERE (SELECT count(*) FROM challenges \
                       JOIN tables ON tables.id = challenges.table_id AND tables.state = 'waiting' \
                       JOIN people ON people.id = challenges.challenger \
                       WHERE challenged = $2 AND declined = 0 AND CASE \
                           WHEN EXISTS (SELECT 1 FROM follows WHERE follows.person = $2 AND follows.followed = people.id) \
                           THEN 'followed' WHEN people.kind = 'account' THEN 'account' ELSE 'guest' END = $5) < $6 \
                   AND (SELECT count(*) FROM challenges \
                       JOIN tables ON tables.id = challenges.table_id AND tables.state = 'waiting' \
                       WHERE challenged = $2 AND challenger = $3) < $7 \
                   AND (SELECT count(*) FROM challenges \
                       JOIN tables ON tables.id = challenges.table_id AND tables.state = 'waiting' \
                       WHERE challenger = $3) < $8 \
                   ON CONFLICT (table_id, challenged) DO UPDATE SET at = excluded.at";
        let values = [
            table.into(),
            challenged.into(),
            challenger.into(),
            at.into(),
            kind.into(),
            received.into(),
            most.from_one.into(),
            most.by_one.into(),
        ];
        self.write(Write::only_if(sql, values)).await
    }

    /// What a challenger is to a person: `followed`, `account` or `guest`.
    async fn kind_of_challenger(&self, challenger: &str, challenged: &str) -> Result<String, StoreError> {
        on!(self, pool => {
            let sql = "SELECT CASE WHEN EXISTS (SELECT 1 FROM follows WHERE follows.person = $2 AND follows.followed = people.id) \
                       THEN 'followed' WHEN people.kind = 'account' THEN 'account' ELSE 'guest' END \
                       FROM people WHERE people.id = $1";
            let kind: Option<String> = sqlx::query_scalar(sql).bind(challenger).bind(challenged).fetch_optional(pool).await?;
            Ok(kind.unwrap_or_else(|| "guest".to_owned()))
        })
    }

    /// The tables that a person is offered and has not declined, the latest first.
    pub(crate) async fn challenges_to(&self, person: &str) -> Result<Vec<ChallengeRow>, StoreError> {
        on!(self, pool => {
            let sql = sqlx::AssertSqlSafe(format!(
                "SELECT challenges.table_id, tables.spec, people.id AS person, people.name, challenges.at, \
                 challenges.declined FROM challenges {OPEN} JOIN people ON people.id = challenges.challenger \
                 WHERE challenged = $1 AND declined = 0 AND NOT EXISTS (SELECT 1 FROM seats \
                     WHERE seats.table_id = challenges.table_id AND seats.person = $1) ORDER BY challenges.at DESC"
            ));
            Ok(query_as(sql).bind(person).fetch_all(pool).await?)
        })
    }

    /// The tables that a person has offered, with what became of it, the latest first.
    pub(crate) async fn challenges_by(&self, person: &str) -> Result<Vec<ChallengeRow>, StoreError> {
        on!(self, pool => {
            let sql = sqlx::AssertSqlSafe(format!(
                "SELECT challenges.table_id, tables.spec, people.id AS person, people.name, challenges.at, \
                 challenges.declined FROM challenges {OPEN} JOIN people ON people.id = challenges.challenged \
                 WHERE challenger = $1 ORDER BY challenges.at DESC"
            ));
            Ok(query_as(sql).bind(person).fetch_all(pool).await?)
        })
    }

    /// Declines an offer; a conflict if there is none.
    pub(crate) async fn decline_challenge(&self, table: &str, person: &str) -> Result<(), StoreError> {
        let sql = "UPDATE challenges SET declined = 1 WHERE table_id = $1 AND challenged = $2";
        self.write(Write::only_if(sql, [table.into(), person.into()])).await
    }

    /// Forgets offers of tables that wait no more.
    pub(crate) async fn remove_old_challenges(&self) -> Result<(), StoreError> {
        let sql = "DELETE FROM challenges WHERE NOT EXISTS (SELECT 1 FROM tables \
                   WHERE tables.id = challenges.table_id AND tables.state = 'waiting')";
        match self {
            Store::Memory(_) => Ok(()),
            _ => self.write(Write::default().also(sql, [])).await,
        }
    }
}
