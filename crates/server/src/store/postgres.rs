use std::time::Duration;

use sqlx::Connection as _;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};

use super::{Needed, StoreError, Write, bound, migrator, schema_error};
use crate::runtime::{self, Instant};

/// A PostgreSQL database.
#[derive(Clone)]
pub struct Postgres {
    pool: PgPool,
}

/// More commits at once than this gain nothing: the database gathers them as it is.
const CONNECTIONS: u32 = 24;
/// How long to wait for a connection before the database counts as lost.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often a database that does not answer at the start is tried again; both may have been started together.
const AGAIN: Duration = Duration::from_millis(200);
/// PostgreSQL gives up a statement that takes longer, and says so; a lock that is never let go must not hold up a table
/// for ever.
const LONGEST_STATEMENT: &str = "8s";
/// Nor must a network that swallows everything. Whether the write was done is then seen in the log.
const LONGEST_WRITE: Duration = Duration::from_secs(10);

/// The schema, step by step.
pub(super) fn steps() -> [&'static str; super::STEPS.len()] {
    [
        include_str!("../../migrations/postgres/0001_tables.sql"),
        include_str!("../../migrations/postgres/0002_ratings_and_reports.sql"),
        include_str!("../../migrations/postgres/0003_many_nodes.sql"),
        include_str!("../../migrations/postgres/0004_bots.sql"),
        include_str!("../../migrations/postgres/0005_recovery_codes.sql"),
        include_str!("../../migrations/postgres/0006_moderation.sql"),
        include_str!("../../migrations/postgres/0007_lookalikes.sql"),
        include_str!("../../migrations/postgres/0008_player_pages.sql"),
        include_str!("../../migrations/postgres/0009_puzzles.sql"),
        include_str!("../../migrations/postgres/0010_preferences_and_challenges.sql"),
        include_str!("../../migrations/postgres/0011_spec.sql"),
    ]
}

impl Postgres {
    pub(super) async fn open(address: &str) -> Result<Postgres, StoreError> {
        let options: PgConnectOptions = address.parse().map_err(at_start)?;
        let mut connection = reach(&options).await?;
        // Without a limit of time: a large database may take a while, and nodes that start at once wait for each other.
        migrator(steps()).run_direct(None, &mut connection, false).await.map_err(schema_error)?;
        let _ = connection.close().await;
        let limited = options.options([("statement_timeout", LONGEST_STATEMENT)]);
        let pool = PgPoolOptions::new().max_connections(CONNECTIONS).acquire_timeout(PATIENCE);
        let pool = pool.connect_with(limited).await.map_err(at_start)?;
        Ok(Postgres { pool })
    }

    pub(super) fn pool(&self) -> &PgPool {
        &self.pool
    }

    pub(super) async fn write(&self, write: Write) -> Result<(), StoreError> {
        let late = |_| StoreError::Database(format!("no answer in {} seconds", LONGEST_WRITE.as_secs()));
        runtime::timeout(LONGEST_WRITE, self.transact(write)).await.map_err(late)?
    }

    async fn transact(&self, write: Write) -> Result<(), StoreError> {
        let mut transaction = self.pool.begin().await?;
        for statement in &write.0 {
            let changed = bound!(statement).execute(&mut *transaction).await?.rows_affected();
            if statement.needed == Needed::OneRow && changed != 1 {
                return Err(StoreError::Conflict);
            }
        }
        Ok(transaction.commit().await?)
    }
}

/// Connects once, for a pool would not say why it cannot.
async fn reach(options: &PgConnectOptions) -> Result<PgConnection, StoreError> {
    let began = Instant::now();
    loop {
        let left = PATIENCE.saturating_sub(began.elapsed());
        let problem = match runtime::timeout(left, PgConnection::connect_with(options)).await {
            Ok(Ok(connection)) => return Ok(connection),
            Ok(Err(problem)) => at_start(problem),
            Err(_) => StoreError::Unreachable(format!("no answer in {} seconds", PATIENCE.as_secs())),
        };
        if !matches!(problem, StoreError::Unreachable(_)) || began.elapsed() + AGAIN >= PATIENCE {
            return Err(problem);
        }
        runtime::sleep(AGAIN).await;
    }
}

/// Wrong names and passwords are told apart from a database that is not there.
fn at_start(error: sqlx::Error) -> StoreError {
    // 28…: who are you; 3D000: no database of that name; 42501: not yours.
    let refused = |code: &str| code.starts_with("28") || code == "3D000" || code == "42501";
    match &error {
        sqlx::Error::Database(problem) if problem.code().is_some_and(|code| refused(&code)) => {
            // Where in its source PostgreSQL says so is of no use here.
            StoreError::Refused(problem.message().to_owned())
        }
        // It is about to begin, or to end.
        sqlx::Error::Database(problem) if problem.code().is_some_and(|code| code == "57P03") => {
            StoreError::Unreachable(problem.message().to_owned())
        }
        sqlx::Error::Io(problem) => StoreError::Unreachable(problem.to_string()),
        sqlx::Error::Configuration(problem) => StoreError::Refused(problem.to_string()),
        _ => error.into(),
    }
}
