//! The file a match is saved in, from its first action on.

mod folder;
#[cfg(test)]
mod tests;

use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{env, fs};

use game::{Game, GrowingRecord, Match, Record};
use locale::Language;
use session::History;

use crate::error::CliError;
use crate::error_text;
use folder::moment;
pub(crate) use folder::{games_folder, kept_games, newest_unfinished, today};

/// The file of a match. Every action is appended to it; it is written anew when a match begins, is taken back or ends.
#[derive(Clone, Debug)]
pub(crate) struct SaveFile {
    path: PathBuf,
    name: Name,
    /// The matches that stand before this one in the same file.
    before: Vec<Record>,
    /// This match as it stands in the file.
    own: Option<GrowingRecord>,
    /// What this program last read or wrote; other contents were written by another program.
    seen: Option<String>,
    /// How the file was left; `None` if this program has not written it.
    left: Option<Stamp>,
    /// Whether the match comes from this file and stands there as it was.
    loaded: bool,
    language: Language,
}

/// Where the file's name comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    /// Generated: if it is taken when the file is first written, another one is generated.
    Wished,
    /// Chosen by the user, or a generated one that is now in use.
    Settled,
}

/// What to do with a match in which no seat has acted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unplayed {
    /// It leaves no file.
    Skip,
    /// It is saved like any other, because the user asked for it.
    Keep,
}

impl SaveFile {
    /// A new file of its own in the folder of the user's games.
    pub(crate) fn automatic(game: &Game, language: Language) -> SaveFile {
        let (date, time) = moment();
        let name = format!("{date}_{}_{}.fourfold", time.replace(':', "-"), game.id());
        SaveFile { name: Name::Wished, ..SaveFile::new(games_folder().join(name), language) }
    }

    /// A file of the user's choice; if it holds matches already, this one comes after them.
    pub(crate) fn at(path: &Path, language: Language) -> Result<SaveFile, CliError> {
        let mut file = SaveFile::new(path.to_owned(), language);
        if path.exists() {
            let text = read_text(path, language)?;
            if !text.trim().is_empty() {
                file.before = parse_records(&text, path, language)?;
            }
            file.seen = Some(text);
        }
        Ok(file)
    }

    /// The last match of a file, and the file to go on keeping it in.
    pub(crate) fn load(path: &Path, language: Language) -> Result<(Match, SaveFile), CliError> {
        let mut file = SaveFile::new(path.to_owned(), language);
        let text = read_text(path, language)?;
        file.before = parse_records(&text, path, language)?;
        file.seen = Some(text);
        let last = file.before.pop().ok_or_else(|| CliError::new(language.error_file_empty(path.display())))?;
        let replayed =
            last.replay().map_err(|error| unreadable(language, path, error_text::replay(language, &error)))?;
        file.own = Some(GrowingRecord::new(last));
        file.loaded = true;
        Ok((replayed, file))
    }

    /// Every match of a file, the last first. To go on with an earlier one makes a file of its own.
    pub(crate) fn load_each(path: &Path, language: Language) -> Result<Vec<(Match, SaveFile)>, CliError> {
        let last = SaveFile::load(path, language)?;
        let mut all = Vec::new();
        for record in last.1.before.iter().rev() {
            let refused = |error| unreadable(language, path, error_text::replay(language, &error));
            let game = record.replay().map_err(refused)?;
            let own = SaveFile {
                own: Some(GrowingRecord::new(record.clone())),
                loaded: true,
                ..SaveFile::automatic(&game.settings().game, language)
            };
            all.push((game, own));
        }
        all.insert(0, last);
        Ok(all)
    }

    fn new(path: PathBuf, language: Language) -> SaveFile {
        let (before, own, seen, left) = (Vec::new(), None, None, None);
        SaveFile { path, name: Name::Settled, before, own, seen, left, loaded: false, language }
    }

    /// The file for the next match: a new one, or the user's own with the last match in it.
    pub(crate) fn next_game(&self, last: &Match) -> SaveFile {
        if self.path.starts_with(games_folder()) {
            return SaveFile::automatic(&last.settings().game, self.language);
        }
        let mut next = self.clone();
        if !last.log().is_empty() {
            next.before.push(last.record());
            next.own = None;
            next.left = None;
            next.loaded = false;
        }
        next
    }

    /// The path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the file holds this match as one that is over: taking back would change what is finished.
    pub(crate) fn holds_finished(&self) -> bool {
        self.loaded && self.own.as_ref().is_some_and(|own| own.record().ending().is_some())
    }

    /// The path to tell the user, if there is a file.
    pub(crate) fn shown(&self) -> Option<String> {
        (self.name == Name::Settled && self.path.exists()).then(|| self.path.display().to_string())
    }

    /// Saves a match with its positions, in another place if this file cannot be written. So many of the first entries of its
    /// log have not changed since the last time.
    pub(crate) fn write(&mut self, game: &Match, history: &History, unchanged: usize) {
        // What cannot be appended to may still be replaced.
        if self.append(game, history, unchanged).unwrap_or(false) {
            return;
        }
        self.left = None;
        let temporary = env::temp_dir();
        if self.write_or(game, Unplayed::Skip).is_err() && self.path.parent() != Some(temporary.as_path()) {
            let name = self.path.file_name().map_or_else(|| "game.fourfold".into(), ToOwned::to_owned);
            let fresh = SaveFile::new(temporary.join(name), self.language);
            let mut elsewhere = SaveFile { name: Name::Wished, before: self.before.clone(), ..fresh };
            if elsewhere.write_or(game, Unplayed::Skip).is_ok() {
                *self = elsewhere;
            }
        }
    }

    /// Appends what has happened since the file was written, if that is all that is to be done; whether it is done.
    ///
    /// Not more is looked at or written than is new, however long the match is.
    fn append(&mut self, game: &Match, history: &History, unchanged: usize) -> io::Result<bool> {
        let (Some(own), Some(seen), Some(left)) = (&mut self.own, &mut self.seen, self.left) else { return Ok(false) };
        let kept = own.record().entries().len();
        if unchanged < kept || Stamp::of(fs::metadata(&self.path)?) != Some(left) {
            return Ok(false);
        }
        if game.log().len() == kept {
            return Ok(true);
        }
        let Some(growth) = own.growth(game, |length| history.position(length)) else { return Ok(false) };
        let mut file = fs::OpenOptions::new().write(true).open(&self.path)?;
        // Another program that appends at the same time has the lock, and this one then writes the file anew.
        file.try_lock()?;
        if Stamp::of(file.metadata()?) != Some(left) {
            return Ok(false);
        }
        // A line that begins with % is not read: a crash at any time leaves a record, with the line or without it.
        let hidden = format!("%{}", &growth.line()[1..]);
        file.seek(SeekFrom::Start(left.length))?;
        file.write_all(hidden.as_bytes())?;
        file.seek(SeekFrom::Start(left.length))?;
        file.write_all(&growth.line().as_bytes()[..1])?;
        // Only now is the time of the write final on every system.
        drop(file);
        let stamp = fs::metadata(&self.path).ok().and_then(Stamp::of);
        self.left = stamp.filter(|stamp| stamp.has_grown(left, growth.line().len()));
        seen.push_str(growth.line());
        own.take_in(growth);
        self.loaded = false;
        Ok(true)
    }

    /// Saves the match in this file, or returns why it cannot.
    pub(crate) fn write_or(&mut self, game: &Match, unplayed: Unplayed) -> io::Result<()> {
        // Cards that were dealt are nothing to go on with.
        let nobody_has_acted = || game.ending().is_none() && game.review_steps().is_empty();
        if unplayed == Unplayed::Skip && self.shown().is_none() && nobody_has_acted() {
            return Ok(());
        }
        let record = game.record();
        // A match that was only looked at leaves its file as it is, whatever program has written it.
        let unchanged = |own: &GrowingRecord| match unplayed {
            Unplayed::Skip => own.record().entries() == record.entries(),
            Unplayed::Keep => *own.record() == record,
        };
        if self.own.as_ref().is_some_and(unchanged) && (self.name == Name::Wished || self.path.exists()) {
            return Ok(());
        }
        if let Some(folder) = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder)?;
        }
        if self.name == Name::Wished {
            self.claim()?;
        }
        self.make_room_for_others()?;
        let mut records = self.before.clone();
        records.push(record.clone());
        // While hands are hidden, a look into the file shows the only player's own, or none.
        let text = Record::write_all_sealed(&records);
        if fs::metadata(&self.path).is_ok_and(|it| !it.is_file()) {
            // A device such as /dev/null must not be replaced by a file.
            fs::write(&self.path, &text)?;
        } else {
            // Written beside and then renamed: a crash in between leaves the old file whole.
            let beside = self.path.with_extension(format!("fourfold~{}", std::process::id()));
            fs::write(&beside, &text)?;
            let stamp = Stamp::of(fs::metadata(&beside)?);
            fs::rename(&beside, &self.path)?;
            self.left = stamp;
        }
        self.own = Some(GrowingRecord::new(record));
        self.seen = Some(text);
        self.loaded = false;
        Ok(())
    }

    /// Takes the first free name, in a way that no two programs can take the same.
    fn claim(&mut self) -> io::Result<()> {
        let stem = self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for number in 1..10_000 {
            let name = if number == 1 { format!("{stem}.fourfold") } else { format!("{stem}-{number}.fourfold") };
            let path = self.path.with_file_name(name);
            match fs::OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(_) => {
                    self.path = path;
                    self.name = Name::Settled;
                    self.seen = Some(String::new());
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// If another program has written to the file since, its matches stay in it.
    fn make_room_for_others(&mut self) -> io::Result<()> {
        let bytes = match fs::read(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        if self.seen.as_ref().is_some_and(|seen| seen.as_bytes() == bytes) {
            return Ok(());
        }
        let invalid = || io::Error::from(io::ErrorKind::InvalidData);
        let text = String::from_utf8(bytes).map_err(|_| invalid())?;
        let mut records =
            if text.trim().is_empty() { Vec::new() } else { Record::read_all(&text).map_err(|_| invalid())? };
        let is_own = |record: &Record| self.own.as_ref().is_some_and(|own| own.record() == record);
        if let Some(own) = records.iter().rposition(is_own) {
            records.remove(own);
        }
        self.before = records;
        Ok(())
    }
}

/// What tells a file from one that was written since, without a look at its contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: SystemTime,
    /// The device and the number of the file on it; a file that took its place has another number.
    #[cfg(unix)]
    identity: (u64, u64),
}

impl Stamp {
    /// `None` for what is no file of its own, such as a device.
    fn of(file: fs::Metadata) -> Option<Stamp> {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt;
        let modified = file.modified().ok().filter(|_| file.is_file())?;
        Some(Stamp {
            length: file.len(),
            modified,
            #[cfg(unix)]
            identity: (file.dev(), file.ino()),
        })
    }

    /// Whether this is the same file, longer by so many bytes.
    fn has_grown(self, before: Stamp, by: usize) -> bool {
        let same = Stamp { length: before.length + by as u64, modified: self.modified, ..before };
        self == same
    }
}

/// The matches of a file.
pub(crate) fn read_records(path: &Path, language: Language) -> Result<Vec<Record>, CliError> {
    parse_records(&read_text(path, language)?, path, language)
}

fn read_text(path: &Path, language: Language) -> Result<String, CliError> {
    let refused = |error: io::Error| unreadable(language, path, error_text::file(language, &error));
    let size = fs::metadata(path).map_err(refused)?.len();
    if size > Record::LONGEST_TEXT as u64 {
        return Err(refused(io::ErrorKind::FileTooLarge.into()));
    }
    let bytes = fs::read(path).map_err(refused)?;
    String::from_utf8(bytes).map_err(|_| refused(io::ErrorKind::InvalidData.into()))
}

fn parse_records(text: &str, path: &Path, language: Language) -> Result<Vec<Record>, CliError> {
    Record::read_all(text).map_err(|error| {
        let problem = error_text::record(language, &error);
        CliError::new(language.error_file_bad_record(path.display(), error.line, error.column, problem))
    })
}

/// The sentence for a file that cannot be used.
pub(crate) fn unreadable(language: Language, path: &Path, problem: String) -> CliError {
    CliError::new(language.error_file_unreadable(path.display(), problem.trim_end_matches('.')))
}
