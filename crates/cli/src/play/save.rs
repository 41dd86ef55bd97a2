//! The file a match is saved in, from its first action on.

use std::io;
use std::path::{Path, PathBuf};
use std::{env, fs};

use game::{Date, Game, Match, Record};
use jiff::Timestamp;
use locale::Language;

use crate::error::CliError;
use crate::error_text;

/// The file of a match, written after every action.
#[derive(Clone, Debug)]
pub(crate) struct SaveFile {
    path: PathBuf,
    name: Name,
    /// The matches that stand before this one in the same file.
    before: Vec<Record>,
    /// This match as it stands in the file.
    own: Option<Record>,
    /// What this program last read or wrote; other contents were written by another program.
    seen: Option<String>,
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
        file.own = Some(last);
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
                own: Some(record.clone()),
                loaded: true,
                ..SaveFile::automatic(&game.settings().game, language)
            };
            all.push((game, own));
        }
        all.insert(0, last);
        Ok(all)
    }

    fn new(path: PathBuf, language: Language) -> SaveFile {
        SaveFile { path, name: Name::Settled, before: Vec::new(), own: None, seen: None, loaded: false, language }
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
        self.loaded && self.own.as_ref().is_some_and(|own| own.ending().is_some())
    }

    /// The path to tell the user, if there is a file.
    pub(crate) fn shown(&self) -> Option<String> {
        (self.name == Name::Settled && self.path.exists()).then(|| self.path.display().to_string())
    }

    /// Saves the match, in another place if this file cannot be written.
    pub(crate) fn write(&mut self, game: &Match) {
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

    /// Saves the match in this file, or returns why it cannot.
    pub(crate) fn write_or(&mut self, game: &Match, unplayed: Unplayed) -> io::Result<()> {
        // Cards that were dealt are nothing to go on with.
        let nobody_has_acted = || game.ending().is_none() && game.review_steps().is_empty();
        if unplayed == Unplayed::Skip && self.shown().is_none() && nobody_has_acted() {
            return Ok(());
        }
        let record = game.record();
        // A match that was only looked at leaves its file as it is, whatever program has written it.
        let unchanged = |own: &Record| match unplayed {
            Unplayed::Skip => own.entries() == record.entries(),
            Unplayed::Keep => *own == record,
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
            fs::rename(&beside, &self.path)?;
        }
        self.own = Some(record);
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
        if let Some(own) = self.own.as_ref().and_then(|own| records.iter().rposition(|record| record == own)) {
            records.remove(own);
        }
        self.before = records;
        Ok(())
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

/// The matches that were kept automatically, newest first; files that cannot be read are left out.
pub(crate) fn kept_games(language: Language, most: usize) -> Vec<(Match, SaveFile)> {
    newest_files().iter().take(most).filter_map(|path| SaveFile::load(path, language).ok()).collect()
}

/// The newest match that was kept automatically and is not over.
pub(crate) fn newest_unfinished(language: Language) -> Option<(Match, SaveFile)> {
    let files = newest_files();
    let newest = files.iter().take(20);
    newest.filter_map(|path| SaveFile::load(path, language).ok()).find(|(game, _)| game.ending().is_none())
}

fn newest_files() -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(games_folder()) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "fourfold"))
        .collect();
    // The names begin with the date and time.
    files.sort();
    files.reverse();
    files
}

/// The folder of the user's games, and of everything else that this program keeps.
pub(crate) fn games_folder() -> PathBuf {
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
    let now = Timestamp::now();
    (now.strftime("%F").to_string(), now.strftime("%T").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn now_is_a_day_and_a_time() {
        let (day, time) = moment();
        assert!(today().is_some() && day.len() == 10 && time.len() == 8, "{day} {time}");
    }

    fn folder(name: &str) -> PathBuf {
        let folder = env::temp_dir().join(format!("fourfold-save-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    fn played(actions: &[&str]) -> Match {
        let mut game = Match::new(game::MatchSettings::new("quixo".parse().unwrap())).unwrap();
        actions.iter().for_each(|action| game.play(action, std::time::Duration::ZERO).unwrap());
        game
    }

    fn actions_in(path: &Path) -> Vec<usize> {
        let records = Record::read_all(&fs::read_to_string(path).unwrap()).unwrap();
        records.iter().map(|record| record.entries().len()).collect()
    }

    #[test]
    fn two_programs_that_think_up_the_same_name_keep_both_matches() {
        let folder = folder("same-name");
        let wish = SaveFile {
            name: Name::Wished,
            ..SaveFile::new(folder.join("2026-03-09_18-30-00_quixo.fourfold"), Language::English)
        };
        let (mut first, mut second) = (wish.clone(), wish);
        assert_eq!(first.shown(), None);
        first.write(&played(&["a3e3"]));
        assert_eq!(second.shown(), None, "the file there is another's");
        second.write(&played(&["a3e3", "a2e2"]));
        first.write(&played(&["a3e3", "a4e4", "a1e1"]));
        assert_eq!((actions_in(first.path()), actions_in(second.path())), (vec![3], vec![2]));
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_not_replaced_by_a_file() {
        let mut file = SaveFile::at(Path::new("/dev/null"), Language::English).unwrap_or_else(|_| unreachable!());
        file.write_or(&played(&["a3e3"]), Unplayed::Skip).unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[test]
    fn two_programs_that_write_to_one_file_keep_both_matches() {
        let folder = folder("one-file");
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("club.fourfold");
        fs::write(&path, "[Game \"quarto\"]\n\n7\n").unwrap();
        let mut first = SaveFile::at(&path, Language::English).unwrap_or_else(|_| unreachable!());
        let mut second = first.clone();
        first.write(&played(&["a3e3", "a2e2", "a3e3"]));
        second.write(&played(&["a3e3", "a2e2"]));
        first.write(&played(&["a3e3", "a2e2", "a3e3", "a4e4"]));
        second.write(&played(&["a3e3", "a2e2", "e5e1", "a5e5", "a1e1"]));
        assert_eq!(actions_in(&path), [1, 4, 5]);
        // A file that cannot be read any more is left alone, and the match is saved elsewhere.
        fs::write(&path, "not a record").unwrap();
        first.write(&played(&["a3e3"]));
        assert_eq!(fs::read_to_string(&path).unwrap(), "not a record");
        assert_eq!(actions_in(first.path()), [1, 2, 1], "with all that this program has seen of the file");
        fs::remove_file(first.path()).unwrap();
        fs::remove_dir_all(folder).unwrap();
    }
}
