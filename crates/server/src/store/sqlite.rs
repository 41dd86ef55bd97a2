use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection as _, SqliteConnection};
use tokio::sync::{mpsc, oneshot};

use super::{Needed, StoreError, Write, bound, migrator, schema_error};
use crate::runtime;

/// A file of SQLite: many readers, and one writer that commits what is waiting in one go.
#[derive(Clone)]
pub struct Sqlite {
    pool: SqlitePool,
    jobs: mpsc::Sender<Job>,
}

struct Job {
    write: Write,
    done: oneshot::Sender<Result<(), StoreError>>,
}

/// How many writes may wait; who comes later waits to be let in.
const WAITING: usize = 4096;
/// How many writes go into one transaction at most, so that the first of them does not wait for ever.
const BATCH: usize = 512;
/// How long another program may keep the file locked.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often the journal is tidied. A page that changes often is copied once for all of that time, and the disk has the
/// rest of it for commits.
const TIDY: Duration = Duration::from_secs(30);
/// A server of one machine gains nothing from more.
const READERS: u32 = 4;

/// The schema, step by step.
pub(super) fn steps() -> [&'static str; super::STEPS.len()] {
    [
        include_str!("../../migrations/sqlite/0001_tables.sql"),
        include_str!("../../migrations/sqlite/0002_ratings_and_reports.sql"),
        include_str!("../../migrations/sqlite/0003_many_nodes.sql"),
        include_str!("../../migrations/sqlite/0004_bots.sql"),
    ]
}

impl Sqlite {
    pub(super) async fn open(path: &Path) -> Result<Sqlite, StoreError> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            let problem = |error| StoreError::Database(format!("cannot make the folder {}: {error}", folder.display()));
            std::fs::create_dir_all(folder).map_err(problem)?;
        }
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // Full: a commit that was answered is on the disk, whatever happens to the machine.
            .synchronous(SqliteSynchronous::Full)
            // The commit of the thousandth page would have to copy them all first; see `tidy`.
            .pragma("wal_autocheckpoint", "20000")
            .busy_timeout(PATIENCE);
        let named = |error: sqlx::Error| StoreError::Database(format!("{}: {error}", path.display()));
        let mut writer = SqliteConnection::connect_with(&options).await.map_err(named)?;
        migrator(steps()).run_direct(None, &mut writer, false).await.map_err(schema_error)?;
        let pool = SqlitePoolOptions::new().max_connections(READERS).connect_with(options).await.map_err(named)?;
        let (jobs, waiting) = mpsc::channel(WAITING);
        runtime::spawn(write_what_waits(writer, waiting));
        runtime::spawn(tidy(pool.clone()));
        Ok(Sqlite { pool, jobs })
    }

    pub(super) fn pool(&self) -> &SqlitePool {
        &self.pool
    }

    pub(super) async fn write(&self, write: Write) -> Result<(), StoreError> {
        let gone = || StoreError::Database("the writer has stopped".to_owned());
        let (done, answer) = oneshot::channel();
        self.jobs.send(Job { write, done }).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }
}

/// Moves what is committed from the journal into the file, beside the writer and not in its way.
async fn tidy(pool: SqlitePool) {
    loop {
        runtime::sleep(TIDY).await;
        if pool.is_closed() {
            return;
        }
        // If it does not work now it will later; nothing depends on it but the length of the journal.
        let _ = sqlx::query("PRAGMA wal_checkpoint(PASSIVE)").execute(&pool).await;
    }
}

async fn write_what_waits(mut connection: SqliteConnection, mut waiting: mpsc::Receiver<Job>) {
    let mut batch = Vec::new();
    while waiting.recv_many(&mut batch, BATCH).await > 0 {
        metrics::histogram!("fourfold_write_batch").record(batch.len() as f64);
        let writes: Vec<&Write> = batch.iter().map(|job| &job.write).collect();
        let answers = match commit(&mut connection, &writes).await {
            Ok(answers) => answers,
            // One that cannot be written must not take the others with it.
            Err(_) if writes.len() > 1 => one_by_one(&mut connection, &writes).await,
            Err(problem) => vec![Err(problem)],
        };
        for (job, answer) in batch.drain(..).zip(answers) {
            // Who asked may have gone; what is written is written.
            let _ = job.done.send(answer);
        }
    }
}

async fn one_by_one(connection: &mut SqliteConnection, writes: &[&Write]) -> Vec<Result<(), StoreError>> {
    let mut answers = Vec::new();
    for write in writes {
        let answer = commit(connection, &[write]).await;
        answers.push(answer.and_then(|mut answers| answers.pop().unwrap_or(Ok(()))));
    }
    answers
}

/// Writes all in one transaction; a conflict is an answer, anything else undoes everything.
///
/// The words are said by hand: a full disk makes SQLite end the transaction itself, and sqlx, which counts them, would
/// take the writer for busy ever after.
async fn commit(
    connection: &mut SqliteConnection,
    writes: &[&Write],
) -> Result<Vec<Result<(), StoreError>>, StoreError> {
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *connection).await?;
    let done = write_all(connection, writes).await;
    if done.is_err() {
        // If nothing is left to be undone, that is all right.
        let _ = sqlx::query("ROLLBACK").execute(&mut *connection).await;
    }
    done
}

async fn write_all(
    connection: &mut SqliteConnection,
    writes: &[&Write],
) -> Result<Vec<Result<(), StoreError>>, StoreError> {
    let mut answers = Vec::with_capacity(writes.len());
    for write in writes {
        answers.push(statements(connection, write).await?);
    }
    sqlx::query("COMMIT").execute(connection).await?;
    Ok(answers)
}

/// The outer error is of the database; the inner one says that the write was not to be.
async fn statements(connection: &mut SqliteConnection, write: &Write) -> Result<Result<(), StoreError>, StoreError> {
    for (index, statement) in write.0.iter().enumerate() {
        let changed = bound!(statement).execute(&mut *connection).await?.rows_affected();
        if statement.needed == Needed::OneRow && changed != 1 {
            // After the first statement something would be to be undone: then nothing of the batch happens, and each of
            // it is tried alone.
            return if index == 0 { Ok(Err(StoreError::Conflict)) } else { Err(StoreError::Conflict) };
        }
    }
    Ok(Ok(()))
}
