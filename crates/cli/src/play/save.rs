//! Where a match is kept, from its first action on.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, fs};

use locale::Language;
use table::{Date, Game, Match, Record};

use crate::failure::Failure;
use crate::trouble;

/// The file that keeps a match. It is written after every action, so there is nothing to lose.
#[derive(Clone, Debug)]
pub(crate) struct SaveFile {
    path: PathBuf,
    /// The matches that stand before this one in the same file.
    before: Vec<Record>,
    language: Language,
}

impl SaveFile {
    /// A new file of its own in the folder of the user's games.
    pub(crate) fn automatic(game: &Game, language: Language) -> SaveFile {
        let folder = games_folder();
        let (date, time) = moment();
        let stem = format!("{date}_{}_{}", time.replace(':', "-"), game.id());
        let free = |number: u32| {
            let name = if number == 1 { format!("{stem}.fourfold") } else { format!("{stem}-{number}.fourfold") };
            Some(folder.join(name)).filter(|path| !path.exists())
        };
        let path = (1..1000).find_map(free).unwrap_or_else(|| folder.join(format!("{stem}-more.fourfold")));
        SaveFile { path, before: Vec::new(), language }
    }

    /// A file of the user's choice; if it holds matches already, this one comes after them.
    pub(crate) fn at(path: &Path, language: Language) -> Result<SaveFile, Failure> {
        let before = if path.exists() { read_records(path, language)? } else { Vec::new() };
        Ok(SaveFile { path: path.to_owned(), before, language })
    }

    /// The last match of a file, and the file to go on keeping it in.
    pub(crate) fn load(path: &Path, language: Language) -> Result<(Match, SaveFile), Failure> {
        let mut before = read_records(path, language)?;
        let last = before.pop().ok_or_else(|| Failure::new(language.error_file_empty(path.display())))?;
        let replayed = last.replay().map_err(|error| unreadable(language, path, trouble::replay(language, &error)))?;
        Ok((replayed, SaveFile { path: path.to_owned(), before, language }))
    }

    /// The file for the next match: a new one, or the user's own with the last match in it.
    pub(crate) fn next_game(&self, last: &Match) -> SaveFile {
        if self.path.starts_with(games_folder()) {
            return SaveFile::automatic(&last.setup().game, self.language);
        }
        let mut next = self.clone();
        if !last.log().is_empty() {
            next.before.push(last.record());
        }
        next
    }

    /// The path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The path to tell the user, if there is a file.
    pub(crate) fn shown(&self) -> Option<String> {
        self.path.exists().then(|| self.path.display().to_string())
    }

    /// Keeps the match, if need be in another place: better there than nowhere.
    pub(crate) fn write(&mut self, game: &Match) {
        let temporary = env::temp_dir();
        if self.write_or(game).is_err() && self.path.parent() != Some(temporary.as_path()) {
            let name = self.path.file_name().map_or_else(|| "game.fourfold".into(), ToOwned::to_owned);
            let elsewhere = SaveFile { path: temporary.join(name), ..self.clone() };
            if elsewhere.write_or(game).is_ok() {
                *self = elsewhere;
            }
        }
    }

    /// Keeps the match. A match in which nothing has happened leaves no file.
    pub(crate) fn write_or(&self, game: &Match) -> io::Result<()> {
        if game.log().is_empty() && !self.path.exists() {
            return Ok(());
        }
        let mut records = self.before.clone();
        records.push(game.record());
        if let Some(folder) = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder)?;
        }
        // Written beside and then renamed: a crash in between leaves the old file whole.
        let beside = self.path.with_extension("fourfold~");
        fs::write(&beside, Record::write_all(&records))?;
        fs::rename(&beside, &self.path)
    }
}

/// The matches of a file.
pub(crate) fn read_records(path: &Path, language: Language) -> Result<Vec<Record>, Failure> {
    let refused = |error: io::Error| unreadable(language, path, trouble::file(language, &error));
    let size = fs::metadata(path).map_err(refused)?.len();
    if size > Record::LONGEST_TEXT as u64 {
        return Err(refused(io::ErrorKind::FileTooLarge.into()));
    }
    let bytes = fs::read(path).map_err(refused)?;
    let text = String::from_utf8(bytes).map_err(|_| refused(io::ErrorKind::InvalidData.into()))?;
    Record::read_all(&text).map_err(|error| {
        let problem = trouble::record(language, &error);
        Failure::new(language.error_file_bad_record(path.display(), error.line, error.column, problem))
    })
}

/// The sentence for a file that cannot be used.
pub(crate) fn unreadable(language: Language, path: &Path, problem: String) -> Failure {
    Failure::new(language.error_file_unreadable(path.display(), problem.trim_end_matches('.')))
}

/// The newest match that was kept automatically and is not over.
pub(crate) fn newest_unfinished(language: Language) -> Option<(Match, SaveFile)> {
    let mut files: Vec<PathBuf> = fs::read_dir(games_folder())
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "fourfold"))
        .collect();
    // The names begin with the date and time.
    files.sort();
    let newest = files.iter().rev().take(20);
    newest.filter_map(|path| SaveFile::load(path, language).ok()).find(|(game, _)| game.ending().is_none())
}

/// The folder of the user's games.
fn games_folder() -> PathBuf {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = set("XDG_DATA_HOME")
        .or_else(|| set("APPDATA"))
        .or_else(|| set("HOME").map(|home| home.join(".local").join("share")));
    data.unwrap_or_else(env::temp_dir).join("fourfold")
}

/// Today, in universal time.
pub(crate) fn today() -> Option<Date> {
    moment().0.parse().ok()
}

/// The day and the time of day, in universal time.
fn moment() -> (String, String) {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let (year, month, day) = civil(seconds / 86_400);
    let time = seconds % 86_400;
    (format!("{year:04}-{month:02}-{day:02}"), format!("{:02}:{:02}:{:02}", time / 3600, time / 60 % 60, time % 60))
}

/// The date of a day counted from 1970-01-01.
fn civil(days: u64) -> (u64, u64, u64) {
    // Years begin in March here, so that the leap day comes last; 400 years are one round of 146,097 days.
    let shifted = days + 719_468;
    let (round, day_of_round) = (shifted / 146_097, shifted % 146_097);
    let year = (day_of_round - day_of_round / 1460 + day_of_round / 36_524 - day_of_round / 146_096) / 365;
    let day_of_year = day_of_round - (365 * year + year / 4 - year / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (round * 400 + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(11_016), (2000, 2, 29));
        assert_eq!(civil(20_522), (2026, 3, 10));
        assert!(today().is_some());
    }
}
