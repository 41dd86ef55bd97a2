//! Copies of the whole store, made while a server runs, and put back while none does.

use std::path::Path;

use sqlx::Connection as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};

use super::data_file::{DataFile, beside, create_private, sync_folder};
use super::{Place, STEPS, StoreError};

fn problem(text: impl Into<String>) -> StoreError {
    StoreError::Database(text.into())
}

fn file(place: &Place) -> Result<&Path, StoreError> {
    match place {
        Place::File(path) => Ok(path),
        Place::Postgres(_) => Err(problem("PostgreSQL has its own tools for this: pg_dump and pg_restore")),
    }
}

/// Copies everything into a new file, also while a server is writing.
pub async fn back_up(place: &Place, to: &Path) -> Result<(), StoreError> {
    let from = file(place)?;
    if to.exists() {
        return Err(problem(format!("{} exists already; choose another name", to.display())));
    }
    if !from.exists() {
        return Err(problem(format!("there is no database at {}", from.display())));
    }
    // SQLite copies into an empty file as into none, and this one can only be read by its owner.
    create_private(to).map_err(|error| problem(format!("{}: {error}", to.display())))?;
    let made = copy(from, to).await;
    if made.is_err() {
        // What is left of it must not pass for a copy.
        let _ = std::fs::remove_file(to);
    }
    made
}

/// Copies what a database and its journal hold into an empty file.
async fn copy(from: &Path, to: &Path) -> Result<(), StoreError> {
    let mut connection = SqliteConnection::connect_with(&SqliteConnectOptions::new().filename(from)).await?;
    sqlx::query("VACUUM INTO $1").bind(to.display().to_string()).execute(&mut connection).await?;
    connection.close().await?;
    check(to).await?;
    let durable = std::fs::File::open(to).and_then(|copy| copy.sync_all()).and_then(|()| sync_folder(to));
    durable.map_err(|error| problem(format!("{}: {error}", to.display())))
}

/// Puts a copy in the place of a database that no server uses. The old one is kept beside it. At every moment there is one
/// of the two under the name.
pub async fn restore(from: &Path, place: &Place) -> Result<u64, StoreError> {
    let to = file(place)?;
    let tables = check(from).await?;
    let failed = |error: std::io::Error| problem(format!("cannot put it at {}: {error}", to.display()));
    if let Some(folder) = to.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let lock = DataFile::lock(to)?;
    let new = beside(to, ".new");
    let _ = std::fs::remove_file(&new);
    create_private(&new).map_err(failed)?;
    if beside(from, "-wal").exists() {
        // It is no copy by `backup` but a server's file, and what was written last is in its journal.
        copy(from, &new).await?;
    } else {
        let mut copy = std::fs::OpenOptions::new().write(true).open(&new).map_err(failed)?;
        std::io::copy(&mut std::fs::File::open(from).map_err(failed)?, &mut copy).map_err(failed)?;
        copy.sync_all().map_err(failed)?;
    }
    fold_journal(to).await;
    for ending in ["-wal", "-shm"] {
        // A journal that cannot be folded into the old file must not be played into the new one.
        if beside(to, ending).exists() {
            std::fs::rename(beside(to, ending), beside(to, &format!(".old{ending}"))).map_err(failed)?;
        }
    }
    if to.exists() {
        let old = beside(to, ".old");
        let _ = std::fs::remove_file(&old);
        // A second name, so that the first is never without a file; some file systems have none.
        std::fs::hard_link(to, &old).or_else(|_| std::fs::rename(to, &old)).map_err(failed)?;
    }
    std::fs::rename(&new, to).and_then(|()| sync_folder(to)).map_err(failed)?;
    lock.unlock();
    Ok(tables)
}

/// Lets SQLite write what its journal holds into a database, if there is one that it can read.
async fn fold_journal(path: &Path) {
    if !beside(path, "-wal").exists() {
        return;
    }
    // A database that cannot be opened any more is what a copy is for.
    if let Ok(mut connection) = SqliteConnection::connect_with(&SqliteConnectOptions::new().filename(path)).await {
        let _ = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(&mut connection).await;
        let _ = connection.close().await;
    }
}

/// Whether a file is whole and ours; how many tables are in it.
async fn check(path: &Path) -> Result<u64, StoreError> {
    let unusable = |what: &str| problem(format!("{} is no whole copy: {what}", path.display()));
    let options = SqliteConnectOptions::new().filename(path).read_only(true);
    let mut connection =
        SqliteConnection::connect_with(&options).await.map_err(|error| unusable(&error.to_string()))?;
    let verdict: Result<String, _> = sqlx::query_scalar("PRAGMA integrity_check").fetch_one(&mut connection).await;
    let verdict = verdict.map_err(|error| unusable(&error.to_string()))?;
    if verdict != "ok" {
        return Err(unusable(&verdict));
    }
    let schema = "SELECT max(version) FROM _sqlx_migrations";
    let schema: Result<Option<i64>, _> = sqlx::query_scalar(schema).fetch_one(&mut connection).await;
    match schema.map_err(|_| unusable("it is no database of this program"))? {
        Some(found) if found > STEPS.len() as i64 => {
            return Err(StoreError::Newer { found, known: STEPS.len() as i64 });
        }
        Some(_) => {}
        None => return Err(unusable("it is empty")),
    }
    let tables: Result<i64, _> = sqlx::query_scalar("SELECT count(*) FROM tables").fetch_one(&mut connection).await;
    Ok(tables.map_err(|error| unusable(&error.to_string()))?.unsigned_abs())
}
