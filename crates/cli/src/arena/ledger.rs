//! The file of all games: each is appended when it ends, so that a run that was broken off can be resumed.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use game::{Match, Record};
use locale::Language;
use rules::Outcome;

use crate::value::WrongUse;

/// Which game of a run it is: the pairing, the opening or deal, and the side of the first contestant; the text stands
/// in the tag `Round`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Round {
    pub(super) pairing: usize,
    pub(super) group: u64,
    pub(super) side: usize,
}

impl Round {
    fn text(self) -> String {
        format!("{}.{}.{}", self.pairing + 1, self.group + 1, self.side + 1)
    }

    fn read(text: &str) -> Option<Round> {
        let numbers: Vec<u64> = text.split('.').map(|number| number.parse().ok()).collect::<Option<_>>()?;
        let [pairing, group, side] = numbers[..] else { return None };
        let from_zero = |number: u64| usize::try_from(number.checked_sub(1)?).ok();
        Some(Round { pairing: from_zero(pairing)?, group: group.checked_sub(1)?, side: from_zero(side)? })
    }
}

/// The games of a run that have been played.
pub(super) struct Ledger {
    /// What the run plays, the same for all its games.
    event: String,
    played: HashMap<Round, Option<Outcome>>,
    file: Option<Mutex<File>>,
}

impl Ledger {
    /// A run that begins anew, or goes on with the games in its file.
    pub(super) fn open(event: String, path: Option<&Path>, resume: bool, l: Language) -> Result<Ledger, WrongUse> {
        let mut ledger = Ledger { event, played: HashMap::new(), file: None };
        let Some(path) = path else { return Ok(ledger) };
        let unwritable = |error: io::Error| WrongUse(l.error_file_unwritable(path.display(), error));
        // What is no file of its own, such as /dev/null, holds no games and must not be replaced.
        if fs::metadata(path).map_or(true, |it| it.is_file()) {
            let text = if path.exists() { fs::read_to_string(path).map_err(unwritable)? } else { String::new() };
            if !resume && !text.trim().is_empty() {
                return Err(WrongUse(l.arena_records_exist(path.display())));
            }
            let kept = ledger.read(&text, path, l)?;
            // Written anew: the last game may have been cut off in the middle of a line.
            let beside = path.with_extension("fourfold~");
            fs::write(&beside, &kept).and_then(|()| fs::rename(&beside, path)).map_err(unwritable)?;
        }
        let file = OpenOptions::new().append(true).open(path).map_err(unwritable)?;
        ledger.file = Some(Mutex::new(file));
        Ok(ledger)
    }

    /// Takes in the games of a file; the text of those that are whole. Only the last may be cut off: a file with anything
    /// else in it is another program's, and is left as it is.
    fn read(&mut self, text: &str, path: &Path, l: Language) -> Result<String, WrongUse> {
        let mut kept = Vec::new();
        let parts: Vec<&str> = text.split_inclusive("\n[Game ").collect();
        for (at, part) in parts.iter().enumerate() {
            let begin = if at == 0 { "" } else { "[Game " };
            let part = format!("{begin}{}", part.strip_suffix("[Game ").unwrap_or(part));
            let Some(record) = Record::read_all(&part).ok().and_then(|mut records| records.pop()) else {
                let is_cut_off = at + 1 == parts.len() && "[Game ".starts_with(part.get(..6).unwrap_or(&part));
                match is_cut_off {
                    true => continue,
                    false => return Err(WrongUse(l.arena_no_records(path.display()))),
                }
            };
            let note = |name: &str| record.settings().notes.iter().find(|(other, _)| other == name).map(|(_, it)| it);
            if note("Event") != Some(&self.event) {
                return Err(WrongUse(l.arena_other_run(path.display())));
            }
            let Some(round) = note("Round").and_then(|text| Round::read(text)) else { continue };
            self.played.insert(round, record.ending().and_then(|ending| ending.outcome));
            kept.push(record.to_string());
        }
        Ok(kept.into_iter().map(|record| record + "\n").collect())
    }

    /// The result of a game that was played before; the inner `None` is one without a winner.
    pub(super) fn outcome(&self, round: Round) -> Option<Option<Outcome>> {
        self.played.get(&round).copied()
    }

    /// The tags that a game of this run has.
    pub(super) fn notes(&self, round: Round) -> Vec<(String, String)> {
        vec![("Event".to_owned(), self.event.clone()), ("Round".to_owned(), round.text())]
    }

    /// Keeps a game.
    pub(super) fn keep(&self, game: &Match) -> io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(format!("{}\n", game.record()).as_bytes())?;
        file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_cut_off_is_resumed_where_it_ends() {
        let path = std::env::temp_dir().join(format!("fourfold-ledger-{}.fourfold", std::process::id()));
        let round = |group| Round { pairing: 0, group, side: 1 };
        let ledger = Ledger::open("run".to_owned(), Some(&path), false, Language::English).unwrap();
        for group in 0..2 {
            let mut settings = game::MatchSettings::new("quixo".parse().unwrap());
            settings.notes = ledger.notes(round(group));
            let mut game = Match::new(settings).unwrap();
            game.play("a3e3", std::time::Duration::ZERO).unwrap();
            game.resign(rules::Seat::TWO, std::time::Duration::ZERO).unwrap();
            ledger.keep(&game).unwrap();
        }
        drop(ledger);
        let whole = fs::read_to_string(&path).unwrap();
        fs::write(&path, &whole[..whole.len() - 10]).unwrap();
        let again = Ledger::open("run".to_owned(), Some(&path), true, Language::English).unwrap();
        assert_eq!(again.outcome(round(0)), Some(Some(Outcome::Win(rules::Side::ONE))));
        assert_eq!(again.outcome(round(1)), None);
        assert_eq!(Record::read_all(&fs::read_to_string(&path).unwrap()).unwrap().len(), 1);
        let other = Ledger::open("another".to_owned(), Some(&path), true, Language::English);
        assert!(other.is_err(), "the games of another run are not counted");
        assert!(Ledger::open("run".to_owned(), Some(&path), false, Language::English).is_err(), "nor overwritten");
        let kept = fs::read_to_string(&path).unwrap();
        for begin in ["", "[Game \"qui"] {
            fs::write(&path, format!("{kept}{begin}")).unwrap();
            let again = Ledger::open("run".to_owned(), Some(&path), true, Language::English).unwrap();
            assert_eq!(again.outcome(round(0)), Some(Some(Outcome::Win(rules::Side::ONE))), "{begin}");
        }
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_file_with_anything_else_in_it_is_left_as_it_is() {
        let path = std::env::temp_dir().join(format!("fourfold-ledger-other-{}.txt", std::process::id()));
        for text in ["root:x:0:0:root:/root:/bin/bash\n", "letter\n[Game \"quixo\"]\n", "[Game \"quixo\"]\n"] {
            fs::write(&path, text).unwrap();
            for resume in [false, true] {
                assert!(Ledger::open("run".to_owned(), Some(&path), resume, Language::English).is_err(), "{text}");
            }
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        fs::remove_file(path).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_to_and_not_replaced() {
        let ledger = Ledger::open("run".to_owned(), Some(Path::new("/dev/null")), true, Language::English).unwrap();
        let game = Match::new(game::MatchSettings::new("quixo".parse().unwrap())).unwrap();
        ledger.keep(&game).unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
