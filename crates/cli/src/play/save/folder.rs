//! The folder of the user's games.

use std::path::PathBuf;
use std::{env, fs};

use game::{Date, Match};
use jiff::Timestamp;
use locale::Language;

use super::SaveFile;

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
pub(super) fn moment() -> (String, String) {
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
}
