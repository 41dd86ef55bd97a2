use std::time::Duration;

use sqlx::postgres::{PgPool, PgPoolOptions};

use super::{Needed, StoreError, Write, bound, migrator, schema_error};

/// A PostgreSQL database.
#[derive(Clone)]
pub struct Postgres {
    pool: PgPool,
}

/// More commits at once than this gain nothing: the database gathers them as it is.
const CONNECTIONS: u32 = 24;
/// How long to wait for a connection before the database counts as lost.
const PATIENCE: Duration = Duration::from_secs(5);

impl Postgres {
    pub(super) async fn open(address: &str) -> Result<Postgres, StoreError> {
        let options = PgPoolOptions::new().max_connections(CONNECTIONS).acquire_timeout(PATIENCE);
        let pool = options.connect(address).await.map_err(at_start)?;
        let steps = [
            include_str!("../../migrations/postgres/0001_tables.sql"),
            include_str!("../../migrations/postgres/0002_ratings_and_reports.sql"),
            include_str!("../../migrations/postgres/0003_many_nodes.sql"),
        ];
        migrator(steps).run(&pool).await.map_err(schema_error)?;
        Ok(Postgres { pool })
    }

    pub(super) fn pool(&self) -> &PgPool {
        &self.pool
    }

    pub(super) async fn write(&self, write: Write) -> Result<(), StoreError> {
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

/// Wrong names and passwords are told apart from a database that is not there.
fn at_start(error: sqlx::Error) -> StoreError {
    // 28…: who are you; 3D000: no database of that name; 42501: not yours.
    let refused = |code: &str| code.starts_with("28") || code == "3D000" || code == "42501";
    match &error {
        sqlx::Error::Database(problem) if problem.code().is_some_and(|code| refused(&code)) => {
            StoreError::Refused(problem.to_string())
        }
        sqlx::Error::Configuration(problem) => StoreError::Refused(problem.to_string()),
        _ => error.into(),
    }
}
