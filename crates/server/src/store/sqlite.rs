use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection as _, SqliteConnection};
use tokio::sync::{Notify, mpsc, oneshot};

use super::data_file::{DataFile, create_private};
use super::{Needed, StoreError, Write, bound, migrator, schema_error};
use crate::runtime;

/// A file of SQLite: many readers, and one writer that commits what is waiting in one go.
#[derive(Clone)]
pub struct Sqlite {
    pool: SqlitePool,
    jobs: mpsc::Sender<Job>,
    /// The file, for a store that may write.
    file: Option<Arc<DataFile>>,
    /// Notified when the file was deleted or replaced.
    replaced: Arc<Notify>,
}

enum Job {
    Write {
        write: Write,
        done: oneshot::Sender<Result<(), StoreError>>,
    },
    /// The last job.
    Close {
        done: oneshot::Sender<()>,
    },
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
        include_str!("../../migrations/sqlite/0005_recovery_codes.sql"),
        include_str!("../../migrations/sqlite/0006_moderation.sql"),
        include_str!("../../migrations/sqlite/0007_lookalikes.sql"),
        include_str!("../../migrations/sqlite/0008_player_pages.sql"),
        include_str!("../../migrations/sqlite/0009_puzzles.sql"),
        include_str!("../../migrations/sqlite/0010_preferences_and_challenges.sql"),
        include_str!("../../migrations/sqlite/0011_spec.sql"),
    ]
}

impl Sqlite {
    /// Opens a file for this process alone; it is made if it is missing.
    pub(super) async fn open(path: &Path) -> Result<Sqlite, StoreError> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            let problem = |error| StoreError::Database(format!("cannot make the folder {}: {error}", folder.display()));
            std::fs::create_dir_all(folder).map_err(problem)?;
        }
        let mut file = DataFile::lock(path)?;
        create_private(path).map_err(|error| StoreError::Database(format!("{}: {error}", path.display())))?;
        file.identify();
        Sqlite::connect(path, Some(file)).await
    }

    /// Opens a file that another process may be writing to, to read it.
    pub(super) async fn open_shared(path: &Path) -> Result<Sqlite, StoreError> {
        let problem = |what: &str| Err(StoreError::Database(format!("{}: {what}", path.display())));
        match std::fs::metadata(path) {
            Ok(found) if found.is_dir() => problem("it is a folder, not a database"),
            Ok(_) => Sqlite::connect(path, None).await,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => problem("there is no such file"),
            Err(error) => problem(&error.to_string()),
        }
    }

    async fn connect(path: &Path, file: Option<DataFile>) -> Result<Sqlite, StoreError> {
        let options = SqliteConnectOptions::new()
            .filename(path)
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
        let (file, replaced) = (file.map(Arc::new), Arc::new(Notify::new()));
        runtime::spawn(write_what_waits(writer, waiting, file.clone(), replaced.clone()));
        runtime::spawn(tidy(pool.clone()));
        Ok(Sqlite { pool, jobs, file, replaced })
    }

    pub(super) fn pool(&self) -> &SqlitePool {
        &self.pool
    }

    pub(super) async fn write(&self, write: Write) -> Result<(), StoreError> {
        let gone = || StoreError::Database("the writer has stopped".to_owned());
        let (done, answer) = oneshot::channel();
        self.jobs.send(Job::Write { write, done }).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }

    /// Completes when the file was deleted or replaced.
    pub(super) async fn replaced(&self) {
        self.replaced.notified().await;
    }

    /// Writes what is waiting, folds the journal into the file, and lets other processes have it.
    pub(super) async fn close(&self) {
        self.pool.close().await;
        let (done, closed) = oneshot::channel();
        if self.jobs.send(Job::Close { done }).await.is_ok() {
            let _ = closed.await;
        }
        if let Some(file) = &self.file {
            file.unlock();
        }
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

async fn write_what_waits(
    mut connection: SqliteConnection,
    mut waiting: mpsc::Receiver<Job>,
    file: Option<Arc<DataFile>>,
    replaced: Arc<Notify>,
) {
    let mut jobs = Vec::new();
    while waiting.recv_many(&mut jobs, BATCH).await > 0 {
        let (mut writes, mut answers, mut close) = (Vec::new(), Vec::new(), None);
        for job in jobs.drain(..) {
            match job {
                Job::Write { write, done } => {
                    writes.push(write);
                    answers.push(done);
                }
                Job::Close { done } => close = Some(done),
            }
        }
        metrics::histogram!("fourfold_write_batch").record(writes.len() as f64);
        let results = if file.as_ref().is_some_and(|file| file.is_replaced()) {
            // What is written to a file without a name is lost at the next start, so it must not be acknowledged.
            replaced.notify_one();
            writes.iter().map(|_| Err(StoreError::Replaced)).collect()
        } else {
            commit_batch(&mut connection, &writes).await
        };
        for (done, result) in answers.into_iter().zip(results) {
            // The client may have gone; what is written is written.
            let _ = done.send(result);
        }
        if let Some(done) = close {
            // The last connection of a file folds the journal into it.
            let _ = connection.close().await;
            let _ = done.send(());
            return;
        }
    }
}

/// Writes all in one transaction, or each alone if one of them cannot be written.
async fn commit_batch(connection: &mut SqliteConnection, writes: &[Write]) -> Vec<Result<(), StoreError>> {
    let writes: Vec<&Write> = writes.iter().collect();
    match commit(connection, &writes).await {
        Ok(answers) => answers,
        Err(_) if writes.len() > 1 => one_by_one(connection, &writes).await,
        Err(problem) => vec![Err(problem)],
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
/// BEGIN, COMMIT and ROLLBACK are sent by hand: a full disk makes SQLite end the transaction itself, and sqlx, which counts them, would
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
