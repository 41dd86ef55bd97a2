use sqlx::query_as;

use super::row::row;
use super::{RatingRow, Store, StoreError, Value, Write, on};
use crate::runtime::Instant;

row! {
    /// What is known of a table without its log.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) struct TableRow {
        pub(crate) id: String,
        pub(crate) spec: String,
        pub(crate) maker: String,
        pub(crate) state: String,
        pub(crate) seq: i64,
        pub(crate) created_at: i64,
        pub(crate) changed_at: i64,
        /// When the next flag falls.
        pub(crate) due_at: Option<i64>,
        pub(crate) result: Option<String>,
        pub(crate) cause: Option<String>,
    }
}

row! {
    /// A game that is being played.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) struct PlayingRow {
        pub(crate) id: String,
        /// When the next flag falls.
        pub(crate) due_at: Option<i64>,
        pub(crate) spec: String,
        /// How many seats people have.
        pub(crate) people: i64,
    }
}

/// A table with its log.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StoredTable {
    pub(crate) row: TableRow,
    pub(crate) lines: Vec<String>,
}

/// A table to be made.
#[derive(Clone, Debug)]
pub(crate) struct NewTable {
    pub(crate) spec: String,
    pub(crate) game: String,
    pub(crate) maker: String,
}

/// Lines to be added to a table's log, if it still ends where it is thought to end.
#[derive(Clone, Debug)]
pub(crate) struct Append {
    pub(crate) table: String,
    /// Makes the table too.
    pub(crate) new: Option<NewTable>,
    /// How many lines the log has.
    pub(crate) after: u32,
    pub(crate) lines: Vec<String>,
    pub(crate) state: &'static str,
    pub(crate) at: i64,
    /// When the next flag falls.
    pub(crate) due_at: Option<i64>,
    /// Who sits where, if that changes.
    pub(crate) seats: Option<Vec<(u32, String)>>,
    /// A person who wrote to the chat without having a seat.
    pub(crate) speaker: Option<String>,
    /// How it ended, if it does.
    pub(crate) ending: Option<(String, String)>,
    /// Ratings that change with it.
    pub(crate) ratings: Vec<RatingRow>,
}

/// A lock among processes; it is released when it is dropped.
#[expect(dead_code, reason = "held, not read")]
pub(crate) enum AdvisoryLock {
    /// Where only one process uses the database.
    None,
    Postgres(sqlx::Transaction<'static, sqlx::Postgres>),
    Memory(tokio::sync::OwnedMutexGuard<()>),
}

const MAKE: &str = "INSERT INTO tables (id, spec, game, maker, state, seq, created_at, changed_at, due_at) \
                    VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8) ON CONFLICT DO NOTHING";
const MOVE_ON: &str = "UPDATE tables SET state = $1, seq = $2, changed_at = $3, due_at = $4 WHERE id = $5 AND seq = $6";
const ADD: &str = "INSERT INTO events (table_id, seq, line) VALUES ($1, $2, $3)";
const COLUMNS: &str = "SELECT id, spec, maker, state, seq, created_at, changed_at, due_at, result, cause FROM tables";

impl Append {
    fn write(self) -> Write {
        let seq = self.after + self.lines.len() as u32;
        let mut write = match self.new {
            Some(new) => Write::only_if(
                MAKE,
                [
                    self.table.as_str().into(),
                    new.spec.into(),
                    new.game.into(),
                    new.maker.into(),
                    self.state.into(),
                    seq.into(),
                    self.at.into(),
                    self.due_at.into(),
                ],
            ),
            None => Write::only_if(
                MOVE_ON,
                [
                    self.state.into(),
                    seq.into(),
                    self.at.into(),
                    self.due_at.into(),
                    self.table.as_str().into(),
                    self.after.into(),
                ],
            ),
        };
        for (seq, line) in (self.after + 1..).zip(self.lines) {
            write = write.also(ADD, [self.table.as_str().into(), seq.into(), line.into()]);
        }
        if let Some(seats) = self.seats {
            write = write.also("DELETE FROM seats WHERE table_id = $1", [self.table.as_str().into()]);
            for (seat, person) in seats {
                let values: [Value; 3] = [self.table.as_str().into(), seat.into(), person.into()];
                write = write.also("INSERT INTO seats (table_id, seat, person) VALUES ($1, $2, $3)", values);
            }
        }
        if let Some(person) = self.speaker {
            let values: [Value; 2] = [person.into(), self.table.as_str().into()];
            let sql = "INSERT INTO spoke (person, table_id) VALUES ($1, $2) ON CONFLICT DO NOTHING";
            write = write.also(sql, values);
        }
        if let Some((result, cause)) = self.ending {
            let values: [Value; 3] = [result.into(), cause.into(), self.table.as_str().into()];
            write = write.also("UPDATE tables SET result = $1, cause = $2 WHERE id = $3", values);
        }
        self.ratings.into_iter().fold(write, |write, rating| write.and(rating.write(self.at)))
    }
}

impl Store {
    /// Adds to a table's log; the answer comes when it is durable.
    pub(crate) async fn append(&self, append: Append) -> Result<(), StoreError> {
        if let Store::Memory(memory) = self {
            return memory.append(append).await;
        }
        self.write(append.write()).await
    }

    /// Lets the flag of a table fall later, unless its log has grown since.
    pub(crate) async fn delay_flag(&self, id: &str, seq: u32, due_at: i64) -> Result<(), StoreError> {
        if let Store::Memory(memory) = self {
            memory.pass().await?;
            memory.data().delay_flag(id, seq, due_at);
            return Ok(());
        }
        let sql = "UPDATE tables SET due_at = $1 WHERE id = $2 AND seq = $3";
        self.write(Write::default().also(sql, [due_at.into(), id.into(), seq.into()])).await
    }

    /// When the next flag of a table falls, if its log has so many entries.
    pub(crate) async fn due_at(&self, id: &str, seq: u32) -> Result<Option<i64>, StoreError> {
        on!(self, pool => {
            let sql = "SELECT due_at FROM tables WHERE id = $1 AND seq = $2";
            let row: Option<Option<i64>> =
                sqlx::query_scalar(sql).bind(id).bind(i64::from(seq)).fetch_optional(pool).await?;
            Ok(row.flatten())
        }, memory => Ok(memory.data().due_at(id, seq)))
    }

    /// A table with its log.
    pub(crate) async fn table(&self, id: &str) -> Result<Option<StoredTable>, StoreError> {
        on!(self, pool => {
            let sql = sqlx::AssertSqlSafe(format!("{COLUMNS} WHERE id = $1"));
            let Some(row) = query_as::<_, TableRow>(sql).bind(id).fetch_optional(pool).await? else { return Ok(None) };
            // The row is read first, so the log may be longer by now; what the row knows of counts.
            let sql = "SELECT line FROM events WHERE table_id = $1 AND seq <= $2 ORDER BY seq";
            let lines = sqlx::query_scalar(sql).bind(id).bind(row.seq).fetch_all(pool).await?;
            Ok(Some(StoredTable { row, lines }))
        }, memory => Ok(memory.data().table(id)))
    }

    /// The lines of a log after the first `seen`.
    pub(crate) async fn lines_after(&self, id: &str, seen: u32) -> Result<Vec<String>, StoreError> {
        on!(self, pool => {
            let sql = "SELECT line FROM events WHERE table_id = $1 AND seq > $2 ORDER BY seq";
            Ok(sqlx::query_scalar(sql).bind(id).bind(i64::from(seen)).fetch_all(pool).await?)
        }, memory => Ok(memory.data().lines_after(id, seen)))
    }

    /// How long the logs of some tables are.
    pub(crate) async fn lengths(&self, ids: &[String]) -> Result<Vec<(String, i64)>, StoreError> {
        match self {
            Store::Postgres(database) => {
                let rows = query_as("SELECT id, seq FROM tables WHERE id = ANY($1)").bind(ids);
                Ok(rows.fetch_all(database.pool()).await?)
            }
            Store::Memory(memory) => {
                memory.pass().await?;
                Ok(memory.data().lengths(ids))
            }
            // One process knows them all; only tests let two hubs share a file.
            Store::Sqlite(database) => {
                let mut found = Vec::new();
                for id in ids {
                    let row = query_as("SELECT id, seq FROM tables WHERE id = $1").bind(id);
                    found.extend(row.fetch_optional(database.pool()).await?);
                }
                Ok(found)
            }
        }
    }

    /// Games whose flag fell before a moment, the longest ago first.
    pub(crate) async fn due(&self, before: i64, most: i64) -> Result<Vec<String>, StoreError> {
        on!(self, pool => {
            let sql = "SELECT id FROM tables WHERE state = 'playing' AND due_at < $1 ORDER BY due_at LIMIT $2";
            Ok(sqlx::query_scalar(sql).bind(before).bind(most).fetch_all(pool).await?)
        }, memory => Ok(memory.data().due(before, most)))
    }

    /// Open tables of a game that were made after a moment and still wait.
    pub(crate) async fn just_made(&self, game: &str, after: i64) -> Result<Vec<TableRow>, StoreError> {
        on!(self, pool => {
            let sql = sqlx::AssertSqlSafe(format!(
                "{COLUMNS} WHERE state = 'waiting' AND changed_at >= $1 AND game = $2 ORDER BY created_at LIMIT 50"
            ));
            Ok(query_as(sql).bind(after).bind(game).fetch_all(pool).await?)
        }, memory => Ok(memory.data().just_made(game, after)))
    }

    /// Every table with its log, each line with its number.
    pub(crate) async fn everything(&self) -> Result<Vec<(TableRow, Vec<(i64, String)>)>, StoreError> {
        on!(self, pool => {
            let rows: Vec<TableRow> = query_as(COLUMNS).fetch_all(pool).await?;
            let mut all = Vec::with_capacity(rows.len());
            for row in rows {
                let sql = "SELECT seq, line FROM events WHERE table_id = $1 ORDER BY seq";
                let lines = query_as(sql).bind(&row.id).fetch_all(pool).await?;
                all.push((row, lines));
            }
            Ok(all)
        }, memory => Ok(memory.data().everything()))
    }

    /// Tables in a state, the latest first.
    pub(crate) async fn tables_in(&self, state: &str, most: i64) -> Result<Vec<TableRow>, StoreError> {
        on!(self, pool => {
            let sql = sqlx::AssertSqlSafe(format!("{COLUMNS} WHERE state = $1 ORDER BY changed_at DESC LIMIT $2"));
            Ok(query_as(sql).bind(state).bind(most).fetch_all(pool).await?)
        }, memory => Ok(memory.data().tables_in(state, most)))
    }

    /// The tables where a person has or had a seat, the latest first.
    pub(crate) async fn tables_of(&self, person: &str, most: i64) -> Result<Vec<TableRow>, StoreError> {
        on!(self, pool => {
            let sql = sqlx::AssertSqlSafe(format!(
                "{COLUMNS} WHERE id IN (SELECT table_id FROM seats WHERE person = $1) ORDER BY changed_at DESC LIMIT $2"
            ));
            Ok(query_as(sql).bind(person).bind(most).fetch_all(pool).await?)
        }, memory => Ok(memory.data().tables_of(person, most)))
    }

    /// The tables whose games ended last with a result.
    pub(crate) async fn finished(&self, most: i64) -> Result<Vec<TableRow>, StoreError> {
        on!(self, pool => {
            let sql = sqlx::AssertSqlSafe(format!(
                "{COLUMNS} WHERE state = 'over' AND result IS NOT NULL AND result <> 'none' ORDER BY changed_at DESC LIMIT $1"
            ));
            Ok(query_as(sql).bind(most).fetch_all(pool).await?)
        })
    }

    /// Deletes some of the tables that have waited since before a moment and whose seats are empty or belong to people who are
    /// forgotten; their ids.
    pub(crate) async fn expire_empty(&self, before: i64) -> Result<Vec<String>, StoreError> {
        let ids: Vec<String> = on!(self, pool => {
            let sql = "SELECT id FROM tables WHERE state = 'waiting' AND changed_at < $1 AND NOT EXISTS (SELECT 1 FROM seats \
                       LEFT JOIN people ON people.id = seats.person WHERE seats.table_id = tables.id \
                       AND COALESCE(people.kind, '') <> 'gone') LIMIT 500";
            sqlx::query_scalar(sql).bind(before).fetch_all(pool).await?
        }, _memory => Vec::new());
        let mut write = Write::default();
        for id in &ids {
            // Unless a person has sat down meanwhile.
            let table = "DELETE FROM tables WHERE id = $1 AND state = 'waiting' AND changed_at < $2";
            write = write.also(table, [id.as_str().into(), before.into()]);
            for sql in [
                "DELETE FROM events WHERE table_id = $1 AND NOT EXISTS (SELECT 1 FROM tables WHERE id = $1)",
                "DELETE FROM seats WHERE table_id = $1 AND NOT EXISTS (SELECT 1 FROM tables WHERE id = $1)",
            ] {
                write = write.also(sql, [id.as_str().into()]);
            }
        }
        if !ids.is_empty() {
            self.write(write).await?;
        }
        Ok(ids)
    }

    /// The time of a database that several processes share, in milliseconds since 1970, and how long it took to ask.
    pub(crate) async fn clock(&self) -> Result<Option<(i64, std::time::Duration)>, StoreError> {
        if let Store::Memory(memory) = self {
            return memory.clock().await.map(Some);
        }
        let Store::Postgres(database) = self else { return Ok(None) };
        let mut connection = database.pool().acquire().await?;
        let began = Instant::now();
        let sql = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";
        let at: i64 = sqlx::query_scalar(sql).fetch_one(&mut *connection).await?;
        Ok(Some((at, began.elapsed())))
    }

    /// Waits for the lock of a name, which one task of one process has at a time.
    pub(crate) async fn lock(&self, name: &str) -> Result<AdvisoryLock, StoreError> {
        match self {
            Store::Sqlite(_) => Ok(AdvisoryLock::None),
            Store::Memory(memory) => {
                memory.pass().await?;
                Ok(AdvisoryLock::Memory(memory.lock(name).await))
            }
            Store::Postgres(database) => {
                let mut transaction = database.pool().begin().await?;
                let sql = "SELECT pg_advisory_xact_lock(hashtextextended($1, 4))";
                sqlx::query(sql).bind(name).execute(&mut *transaction).await?;
                Ok(AdvisoryLock::Postgres(transaction))
            }
        }
    }

    /// The games that are being played, those where something happened lately first.
    pub(crate) async fn playing(&self) -> Result<Vec<PlayingRow>, StoreError> {
        on!(self, pool => {
            let sql = "SELECT id, due_at, spec, (SELECT count(*) FROM seats WHERE seats.table_id = tables.id) AS people \
                       FROM tables WHERE state = 'playing' ORDER BY changed_at DESC";
            Ok(query_as(sql).fetch_all(pool).await?)
        }, memory => Ok(memory.data().playing()))
    }

    /// What was found out about a finished game.
    pub(crate) async fn analysis(&self, id: &str) -> Result<Option<String>, StoreError> {
        on!(self, pool => {
            let sql = "SELECT found FROM analyses WHERE table_id = $1";
            Ok(sqlx::query_scalar(sql).bind(id).fetch_optional(pool).await?)
        }, memory => Ok(memory.data().analysis(id)))
    }

    /// Stores the analysis of a finished game; the loser of a race finds the row that the winner inserted.
    pub(crate) async fn keep_analysis(&self, id: &str, found: &str, at: i64) -> Result<(), StoreError> {
        if let Store::Memory(memory) = self {
            memory.pass().await?;
            memory.data().keep_analysis(id, found);
            return Ok(());
        }
        let sql = "INSERT INTO analyses (table_id, found, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
        self.write(Write::default().also(sql, [id.into(), found.into(), at.into()])).await
    }

    /// Writes that this process was alive until now.
    pub(crate) async fn beat(&self, run: &str, started_at: i64, now: i64) -> Result<(), StoreError> {
        if let Store::Memory(memory) = self {
            return memory.beat(run, started_at, now).await;
        }
        let sql = "INSERT INTO runs (id, started_at, alive_at) VALUES ($1, $2, $3) \
                   ON CONFLICT (id) DO UPDATE SET alive_at = excluded.alive_at";
        self.write(Write::default().also(sql, [run.into(), started_at.into(), now.into()])).await
    }

    /// When servers ran, from the earliest that was alive after a moment.
    pub(crate) async fn runs_since(&self, moment: i64) -> Result<Vec<(i64, i64)>, StoreError> {
        on!(self, pool => {
            let sql = "SELECT started_at, alive_at FROM runs WHERE alive_at >= $1 ORDER BY started_at";
            Ok(query_as(sql).bind(moment).fetch_all(pool).await?)
        }, memory => Ok(memory.data().runs_since(moment)))
    }

    /// A setting, made by `make` if there is none yet.
    pub(crate) async fn setting(&self, name: &str, make: impl FnOnce() -> String) -> Result<String, StoreError> {
        if let Store::Memory(memory) = self {
            memory.pass().await?;
            return Ok(memory.data().setting(name, make));
        }
        let sql = "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING";
        self.write(Write::default().also(sql, [name.into(), make().into()])).await?;
        on!(self, pool => {
            Ok(sqlx::query_scalar("SELECT value FROM settings WHERE name = $1").bind(name).fetch_one(pool).await?)
        })
    }

    /// Stores a complaint about a chat line.
    pub(crate) async fn report(
        &self,
        id: &str,
        of: (&str, u32),
        by: &str,
        words: &str,
        at: i64,
    ) -> Result<(), StoreError> {
        let sql = "INSERT INTO reports (id, table_id, seq, person, words, at) VALUES ($1, $2, $3, $4, $5, $6) \
                   ON CONFLICT (id) DO UPDATE SET words = excluded.words, at = excluded.at";
        let values = [id.into(), of.0.into(), of.1.into(), by.into(), words.into(), at.into()];
        self.write(Write::default().also(sql, values)).await
    }
}
