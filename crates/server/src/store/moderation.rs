//! What keeps a server liveable: bans, block lists, reports, and what expires.

use sqlx::query_as;

use super::row::row;
use super::{Store, StoreError, Write, on};

row! {
    /// A ban, as it is stored.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) struct BanRow {
        /// `network` or `person`.
        pub(crate) kind: String,
        /// The network's first address, or the person's id.
        pub(crate) subject: String,
        pub(crate) reason: String,
        pub(crate) at: i64,
    }
}

row! {
    /// A complaint about a line of chat.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) struct ReportRow {
        pub(crate) table_id: String,
        pub(crate) seq: i64,
        /// Who complains.
        pub(crate) person: String,
        pub(crate) words: String,
        pub(crate) at: i64,
        /// The log entry of the line; none if the table is gone.
        pub(crate) line: Option<String>,
    }
}

row! {
    /// A person who is blocked.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub(crate) struct BlockedRow {
        pub(crate) id: String,
        pub(crate) name: String,
    }
}

impl Store {
    /// Bans something; a second ban replaces the reason of the first.
    pub(crate) async fn ban(&self, ban: BanRow) -> Result<(), StoreError> {
        let sql = "INSERT INTO bans (kind, subject, reason, at) VALUES ($1, $2, $3, $4) \
                   ON CONFLICT (kind, subject) DO UPDATE SET reason = excluded.reason, at = excluded.at";
        let values = [ban.kind.into(), ban.subject.into(), ban.reason.into(), ban.at.into()];
        self.write(Write::default().also(sql, values)).await
    }

    /// Lifts a ban; a conflict if there is none.
    pub(crate) async fn unban(&self, kind: &str, subject: &str) -> Result<(), StoreError> {
        let sql = "DELETE FROM bans WHERE kind = $1 AND subject = $2";
        self.write(Write::only_if(sql, [kind.into(), subject.into()])).await
    }

    /// Every ban, the latest first.
    pub(crate) async fn bans(&self) -> Result<Vec<BanRow>, StoreError> {
        on!(self, pool => {
            Ok(query_as("SELECT kind, subject, reason, at FROM bans ORDER BY at DESC").fetch_all(pool).await?)
        }, _memory => Ok(Vec::new()))
    }

    /// Complaints, the latest first.
    pub(crate) async fn reports(&self, most: i64) -> Result<Vec<ReportRow>, StoreError> {
        on!(self, pool => {
            let sql = "SELECT reports.table_id, reports.seq, reports.person, reports.words, reports.at, events.line \
                       FROM reports LEFT JOIN events ON events.table_id = reports.table_id AND events.seq = reports.seq \
                       ORDER BY reports.at DESC LIMIT $1";
            Ok(query_as(sql).bind(most).fetch_all(pool).await?)
        })
    }

    /// Adds to a person's block list; a conflict if it has `most` already.
    pub(crate) async fn block(&self, person: &str, blocked: &str, at: i64, most: i64) -> Result<(), StoreError> {
        // The parameters are cast because PostgreSQL does not know their types in a SELECT.
        let sql = "INSERT INTO blocks (person, blocked, at) \
                   SELECT CAST($1 AS TEXT), CAST($2 AS TEXT), CAST($3 AS BIGINT) \
                   WHERE (SELECT count(*) FROM blocks WHERE person = $1) < $4 \
                   ON CONFLICT (person, blocked) DO UPDATE SET at = excluded.at";
        self.write(Write::only_if(sql, [person.into(), blocked.into(), at.into(), most.into()])).await
    }

    /// Takes a person from a block list.
    pub(crate) async fn unblock(&self, person: &str, blocked: &str) -> Result<(), StoreError> {
        let sql = "DELETE FROM blocks WHERE person = $1 AND blocked = $2";
        self.write(Write::default().also(sql, [person.into(), blocked.into()])).await
    }

    /// A person's block list, the latest first.
    pub(crate) async fn blocked_by(&self, person: &str) -> Result<Vec<BlockedRow>, StoreError> {
        on!(self, pool => {
            let sql = "SELECT people.id, people.name FROM blocks JOIN people ON people.id = blocks.blocked \
                       WHERE blocks.person = $1 ORDER BY blocks.at DESC";
            Ok(query_as(sql).bind(person).fetch_all(pool).await?)
        }, _memory => Ok(Vec::new()))
    }

    /// The ids of the people on a person's block list and of their bots.
    pub(crate) async fn blocked_ids(&self, person: &str) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT blocked FROM blocks WHERE person = $1 \
                   UNION SELECT people.id FROM blocks JOIN people ON people.owner = blocks.blocked \
                   WHERE blocks.person = $1";
        self.ids(sql, person).await
    }

    /// The people who have blocked a person, or the owner of a bot.
    pub(crate) async fn blockers_of(&self, person: &str) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT person FROM blocks WHERE blocked = $1 \
                   UNION SELECT blocks.person FROM people JOIN blocks ON blocks.blocked = people.owner \
                   WHERE people.id = $1";
        self.ids(sql, person).await
    }

    /// The ids that a statement about one person finds.
    async fn ids(&self, sql: &'static str, person: &str) -> Result<Vec<String>, StoreError> {
        on!(self, pool => {
            Ok(sqlx::query_scalar(sql).bind(person).fetch_all(pool).await?)
        }, _memory => Ok(Vec::new()))
    }

    /// Guests, and bots without a token, who came before a moment and have played nothing since, nor have a bot with a token or a game
    /// whose clock still runs. One without a clock that was left in the middle never ends, and does not keep its players.
    pub(crate) async fn quiet_guests(&self, before: i64, most: i64) -> Result<Vec<String>, StoreError> {
        on!(self, pool => {
            let sql = "SELECT id FROM people WHERE created_at < $1 AND (kind = 'guest' OR (kind = 'bot' \
                           AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.person = people.id))) \
                       AND NOT EXISTS (SELECT 1 FROM seats JOIN tables ON tables.id = seats.table_id \
                           WHERE seats.person = people.id AND (tables.changed_at >= $1 \
                               OR (tables.state = 'playing' AND tables.due_at IS NOT NULL))) \
                       AND NOT EXISTS (SELECT 1 FROM people AS bots JOIN sessions ON sessions.person = bots.id \
                           WHERE bots.owner = people.id) LIMIT $2";
            Ok(sqlx::query_scalar(sql).bind(before).bind(most).fetch_all(pool).await?)
        }, _memory => Ok(Vec::new()))
    }

    /// Games that ended before a moment and whose chat has not been removed.
    pub(crate) async fn tables_with_old_chat(&self, before: i64, most: i64) -> Result<Vec<String>, StoreError> {
        on!(self, pool => {
            let sql = "SELECT id FROM tables WHERE state = 'over' AND changed_at < $1 AND chat_removed = 0 LIMIT $2";
            Ok(sqlx::query_scalar(sql).bind(before).bind(most).fetch_all(pool).await?)
        }, _memory => Ok(Vec::new()))
    }

    /// Replaces log entries of a game by others without their chat lines.
    pub(crate) async fn remove_chat(&self, table: &str, lines: Vec<(i64, String)>) -> Result<(), StoreError> {
        let mut write = Write::default().also("UPDATE tables SET chat_removed = 1 WHERE id = $1", [table.into()]);
        for (seq, line) in lines {
            let sql = "UPDATE events SET line = $1 WHERE table_id = $2 AND seq = $3";
            write = write.also(sql, [line.into(), table.into(), seq.into()]);
        }
        let write = write.also("DELETE FROM spoke WHERE table_id = $1", [table.into()]);
        self.write(write.also("DELETE FROM reports WHERE table_id = $1", [table.into()])).await
    }

    /// Deletes a table that has not begun.
    pub(crate) async fn delete_waiting(&self, table: &str) -> Result<(), StoreError> {
        let sql = "DELETE FROM tables WHERE id = $1 AND state = 'waiting'";
        let write = Write::only_if(sql, [table.into()]);
        let write = write.also("DELETE FROM events WHERE table_id = $1", [table.into()]);
        let write = write.also("DELETE FROM challenges WHERE table_id = $1", [table.into()]);
        self.write(write.also("DELETE FROM seats WHERE table_id = $1", [table.into()])).await
    }

    /// A setting that a server has made, if one has run on this database.
    pub(crate) async fn known_setting(&self, name: &str) -> Result<Option<String>, StoreError> {
        on!(self, pool => {
            Ok(sqlx::query_scalar("SELECT value FROM settings WHERE name = $1").bind(name).fetch_optional(pool).await?)
        })
    }
}
