//! The file of a database: one process writes to it at a time, only its owner can read it, and it stays the same file.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use super::StoreError;

/// A database's file, locked until this is dropped or [`DataFile::unlock`] is called.
///
/// The lock is a file of its own, as closing the database's file in any other place would release SQLite's locks on it.
pub(super) struct DataFile {
    path: PathBuf,
    lock: File,
    identity: Option<Identity>,
}

/// What tells a file from another that took its name.
type Identity = (u64, u64);

impl DataFile {
    /// Locks a database's file for this process; refused while another process has it.
    pub(super) fn lock(path: &Path) -> Result<DataFile, StoreError> {
        let lock_path = beside(path, ".lock");
        let problem = |error: &dyn std::fmt::Display| StoreError::Database(format!("{}: {error}", lock_path.display()));
        let lock = options().open(&lock_path).map_err(|error| problem(&error))?;
        match lock.try_lock() {
            Ok(()) => Ok(DataFile { path: path.to_owned(), lock, identity: None }),
            Err(TryLockError::WouldBlock) => Err(StoreError::Locked),
            Err(TryLockError::Error(error)) => Err(problem(&error)),
        }
    }

    /// Notes which file it is now, so that [`DataFile::is_replaced`] can tell.
    pub(super) fn identify(&mut self) {
        self.identity = identity(&self.path);
    }

    /// Whether the file was deleted, or another one has its name.
    pub(super) fn is_replaced(&self) -> bool {
        self.identity.is_some() && identity(&self.path) != self.identity
    }

    /// Lets other processes have the file.
    pub(super) fn unlock(&self) {
        // The lock ends with this process anyway.
        let _ = self.lock.unlock();
    }
}

/// Makes an empty file that only its owner can read, unless there is one.
pub(super) fn create_private(path: &Path) -> std::io::Result<()> {
    options().open(path).map(drop)
}

/// Makes the names of the files beside a file durable: a new or renamed file is only there after a power cut once its folder
/// is synced.
pub(super) fn sync_folder(path: &Path) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// A file beside another, with an ending after its whole name.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    path.with_file_name(format!("{name}{ending}"))
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata(path).ok().map(|file| (file.dev(), file.ino()))
}

/// Elsewhere a file that is open cannot be deleted or replaced.
#[cfg(not(unix))]
fn identity(_: &Path) -> Option<Identity> {
    None
}
