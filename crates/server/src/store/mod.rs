//! What is kept: tables with their logs, people, sessions.
//!
//! Every change is a [`Write`], a few statements that happen together or not at all. SQLite gathers the writes that
//! are waiting into one transaction; PostgreSQL does the like by itself. A write is answered only when it is durable.

mod backup;
mod bots;
mod challenges;
mod data_file;
mod memory;
mod moderation;
mod people;
mod player_pages;
mod postgres;
mod preferences;
mod puzzles;
mod recovery_codes;
mod row;
mod sqlite;
mod tables;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use sqlx::migrate::{Migration, MigrationType, Migrator};

use crate::config::without_password;

pub use backup::{back_up, restore};
pub(crate) use bots::BotRow;
pub(crate) use challenges::{ChallengeRow, MostChallenges};
pub(crate) use memory::Memory;
pub use memory::{StoreFaults, StoredLog};
pub(crate) use moderation::BanRow;
pub(crate) use people::{PersonRow, RatingRow, SessionRow};
pub(crate) use player_pages::{LeaderRow, RatingPoint, ResultCount, SeatRow};
pub(crate) use preferences::PreferenceRow;
pub(crate) use puzzles::{AttemptRow, PuzzleRatingRow, SolverRow};
pub(crate) use tables::{Append, NewTable, PlayingRow, TableRow};

/// Where everything is kept: a file of SQLite, or a PostgreSQL server.
#[derive(Clone)]
pub enum Store {
    /// One file, one process.
    Sqlite(sqlite::Sqlite),
    /// A database that several processes may share.
    Postgres(postgres::Postgres),
    /// Nothing survives: for simulations.
    Memory(memory::Memory),
}

/// The same reading statements on either database: the texts are the same, the types are not. The last part is for a store
/// in memory; without it, that store refuses.
macro_rules! on {
    ($store:expr, $pool:ident => $body:expr) => {
        $crate::store::on!($store, $pool => $body, _memory => return Err($crate::store::memory::unsupported()))
    };
    ($store:expr, $pool:ident => $body:expr, $memory:ident => $other:expr) => {
        match $store {
            $crate::store::Store::Memory($memory) => {
                $memory.pass().await?;
                $other
            }
            $crate::store::Store::Sqlite(database) => {
                let $pool = database.pool();
                $body
            }
            $crate::store::Store::Postgres(database) => {
                let $pool = database.pool();
                $body
            }
        }
    };
}
pub(crate) use on;

/// Statements that happen together or not at all.
#[derive(Clone, Debug, Default)]
pub(crate) struct Write(Vec<Statement>);

#[derive(Clone, Debug)]
struct Statement {
    sql: &'static str,
    values: Vec<Value>,
    needed: Needed,
}

/// Whether a statement has to change exactly one row; if it does not, nothing of the write happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needed {
    OneRow,
    Any,
}

/// A value in a statement.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Text(String),
    Int(i64),
    Real(f64),
    NoText,
    NoInt,
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Text(text)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Int(number)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Value {
        Value::Int(number.into())
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Value {
        Value::Real(number)
    }
}

impl From<Option<i64>> for Value {
    fn from(number: Option<i64>) -> Value {
        number.map_or(Value::NoInt, Value::Int)
    }
}

impl From<Option<String>> for Value {
    fn from(text: Option<String>) -> Value {
        text.map_or(Value::NoText, Value::Text)
    }
}

impl Write {
    /// Adds a statement.
    pub(crate) fn also<const N: usize>(mut self, sql: &'static str, values: [Value; N]) -> Write {
        self.0.push(Statement { sql, values: values.into(), needed: Needed::Any });
        self
    }

    /// A write that begins with a statement which must change exactly one row; otherwise it is a [`StoreError::Conflict`].
    pub(crate) fn only_if<const N: usize>(sql: &'static str, values: [Value; N]) -> Write {
        Write(vec![Statement { sql, values: values.into(), needed: Needed::OneRow }])
    }

    /// Adds a statement that must change exactly one row; if it does not, nothing of the write happens.
    fn also_one<const N: usize>(mut self, sql: &'static str, values: [Value; N]) -> Write {
        self.0.push(Statement { sql, values: values.into(), needed: Needed::OneRow });
        self
    }

    fn and(mut self, other: Write) -> Write {
        self.0.extend(other.0);
        self
    }
}

/// Binds values to a query of either database.
macro_rules! bound {
    ($statement:expr) => {{
        let mut query = sqlx::query($statement.sql);
        for value in &$statement.values {
            query = match value {
                $crate::store::Value::Text(text) => query.bind(text.clone()),
                $crate::store::Value::Int(number) => query.bind(*number),
                $crate::store::Value::Real(number) => query.bind(*number),
                $crate::store::Value::NoText => query.bind(None::<String>),
                $crate::store::Value::NoInt => query.bind(None::<i64>),
            };
        }
        query
    }};
}
use bound;

/// Why something could not be kept or found.
#[derive(Clone, Debug)]
pub enum StoreError {
    /// Another process was first: the row is not as it was expected to be.
    Conflict,
    /// Nothing answers where the database should be.
    Unreachable(String),
    /// The database cannot be reached any more, is locked, full, or broken.
    Database(String),
    /// The database does not let us in, or there is none of that name.
    Refused(String),
    /// Another process has the file.
    Locked,
    /// The file was deleted or replaced while it was in use.
    Replaced,
    /// The database was made by a newer version of this program.
    Newer {
        /// The version of its schema.
        found: i64,
        /// The newest that this program knows.
        known: i64,
    },
    /// The database was made by something else, or left half done.
    Schema(String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Conflict => f.write_str("another process was first"),
            StoreError::Unreachable(problem) => write!(f, "no database answers: {problem}"),
            StoreError::Database(problem) => write!(f, "the database does not do what it should: {problem}"),
            StoreError::Refused(problem) => write!(f, "the database does not let us in: {problem}"),
            StoreError::Locked => f.write_str("another server or command uses the database"),
            StoreError::Replaced => f.write_str("the database's file was deleted or replaced"),
            StoreError::Newer { found, known } => {
                write!(f, "the database has schema {found}, but this program knows only {known}")
            }
            StoreError::Schema(problem) => write!(f, "the database is of another version: {problem}"),
        }
    }
}

impl std::error::Error for StoreError {}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        StoreError::Database(error.to_string())
    }
}

/// Where a store is: `postgres://…`, or a file for SQLite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A file of SQLite; it is made if it is missing.
    File(PathBuf),
    /// The address of a PostgreSQL database.
    Postgres(String),
}

impl FromStr for Place {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Place, Self::Err> {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Ok(Place::Postgres(text.to_owned()));
        }
        let file = text.strip_prefix("sqlite://").or_else(|| text.strip_prefix("sqlite:")).unwrap_or(text);
        // Each connection of SQLite would have a memory of its own.
        if file == ":memory:" {
            return Err("expected a file such as fourfold.db, or postgres://…; a database in memory is not possible");
        }
        Ok(Place::File(file.into()))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File(path) => write!(f, "{}", path.display()),
            Place::Postgres(address) => f.write_str(&without_password(address)),
        }
    }
}

impl Default for Place {
    fn default() -> Place {
        Place::File(data_folder().join("fourfold.db"))
    }
}

/// Where a user's programs keep data on this system.
fn data_folder() -> PathBuf {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || {
        folder("HOME").map(|home| {
            home.join(if cfg!(target_os = "macos") { "Library/Application Support" } else { ".local/share" })
        })
    };
    let base = folder("XDG_DATA_HOME").or_else(|| if cfg!(windows) { folder("LOCALAPPDATA") } else { home() });
    base.unwrap_or_default().join("fourfold")
}

impl Store {
    /// Opens a store, makes it if it is missing, and brings it up to the present version.
    pub async fn open(place: &Place) -> Result<Store, StoreError> {
        match place {
            Place::File(path) => Ok(Store::Sqlite(sqlite::Sqlite::open(path).await?)),
            Place::Postgres(address) => Ok(Store::Postgres(postgres::Postgres::open(address).await?)),
        }
    }

    /// Opens a store to read it, also while a server writes to it.
    pub async fn open_shared(place: &Place) -> Result<Store, StoreError> {
        match place {
            Place::File(path) => Ok(Store::Sqlite(sqlite::Sqlite::open_shared(path).await?)),
            Place::Postgres(_) => Store::open(place).await,
        }
    }

    /// Completes when the database's file was deleted or replaced.
    pub(crate) async fn replaced(&self) {
        match self {
            Store::Sqlite(sqlite) => sqlite.replaced().await,
            Store::Postgres(_) | Store::Memory(_) => std::future::pending().await,
        }
    }

    /// A store in memory, which ends with the process.
    #[cfg(test)]
    pub(crate) fn in_memory() -> Store {
        Store::Memory(memory::Memory::default())
    }

    /// Lets statements happen, and answers when they are durable.
    pub(crate) async fn write(&self, write: Write) -> Result<(), StoreError> {
        let written = match self {
            Store::Sqlite(sqlite) => sqlite.write(write).await,
            Store::Postgres(postgres) => postgres.write(write).await,
            Store::Memory(_) => Err(memory::unsupported()),
        };
        if let Err(StoreError::Database(problem)) = &written {
            metrics::counter!("fourfold_storage_errors_total").increment(1);
            tracing::error!(problem, "a write failed");
        }
        written
    }

    /// Whether the database answers.
    pub(crate) async fn answers(&self) -> bool {
        let answer = async || -> Result<(), StoreError> {
            on!(self, pool => sqlx::query("SELECT 1").execute(pool).await.map(drop).map_err(StoreError::from), _memory => Ok(()))
        };
        answer().await.is_ok()
    }

    /// Writes what is waiting and lets go of the database.
    pub(crate) async fn close(&self) {
        match self {
            Store::Sqlite(sqlite) => sqlite.close().await,
            Store::Postgres(postgres) => postgres.pool().close().await,
            Store::Memory(_) => {}
        }
    }
}

/// What each step to the present schema brought.
const STEPS: [&str; 11] = [
    "tables",
    "ratings and reports",
    "many nodes",
    "bots",
    "recovery codes",
    "moderation",
    "lookalikes",
    "player pages",
    "puzzles",
    "preferences and challenges",
    "spec",
];

/// The steps from an empty database to the present one, embedded in the program.
fn migrator(steps: [&'static str; STEPS.len()]) -> Migrator {
    let migrations = steps.into_iter().zip(STEPS).enumerate().map(|(index, (sql, name))| {
        let version = index as i64 + 1;
        Migration::new(version, name.into(), MigrationType::Simple, sqlx::SqlStr::from_static(sql), false)
    });
    let mut migrator = Migrator::DEFAULT;
    migrator.migrations = Cow::Owned(migrations.collect());
    migrator
}

fn schema_error(error: sqlx::migrate::MigrateError) -> StoreError {
    match error {
        sqlx::migrate::MigrateError::Execute(error) => error.into(),
        sqlx::migrate::MigrateError::VersionMissing(found) if found > STEPS.len() as i64 => {
            StoreError::Newer { found, known: STEPS.len() as i64 }
        }
        other => StoreError::Schema(other.to_string()),
    }
}
