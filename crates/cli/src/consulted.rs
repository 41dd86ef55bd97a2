//! `--tablebase DIR`: lets all players of this program ask the tables of a folder.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use locale::Language;
use search::bots::quixo::{Known, Tables, consult};
use tablebase::class::Value;
use tablebase::file::BadFile;
use tablebase::geometry::Size;
use tablebase::probe::Tablebase;

use crate::tables::file_in_words;

/// When people are told that a table turned out to be damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tell {
    /// When it is found.
    AtOnce,
    /// By [`trouble`], since the screen belongs to a game meanwhile.
    Later,
}

/// Tables on disk as players see them.
struct OnDisk {
    tables: Tablebase,
    language: Language,
    tell: Tell,
}

static TROUBLE: OnceLock<String> = OnceLock::new();

/// Opens the tables of a folder for all players made from now on; without a folder nothing happens.
///
/// A folder that is missing, empty or holds something foreign is refused in a sentence. What is damaged further inside is
/// found when it is read: then the players think for themselves.
pub fn open(folder: Option<&Path>, language: Language, tell: Tell) -> Result<(), String> {
    if let Some(folder) = folder {
        consult(tables(folder, language, tell)?);
    }
    Ok(())
}

/// The tables of a folder for one player.
pub fn tables(folder: &Path, language: Language, tell: Tell) -> Result<Arc<dyn Tables>, String> {
    let opened = || -> Result<Tablebase, BadFile> {
        let tables = Tablebase::open(folder, Size::Five)?;
        tables.check()?;
        // Not when somebody waits for the first answer.
        tables.board();
        Ok(tables)
    };
    let tables = opened().map_err(|bad| file_in_words(&bad, language))?;
    Ok(Arc::new(OnDisk { tables, language, tell }))
}

/// What was found to be wrong with the tables meanwhile.
pub fn trouble() -> Option<&'static str> {
    TROUBLE.get().map(String::as_str)
}

impl Tables for OnDisk {
    fn look_up(&self, own: u32, other: u32) -> Option<Known> {
        match self.tables.value(own, other) {
            Ok(value) => value.map(known),
            Err(bad) => {
                let said = file_in_words(&bad, self.language);
                if TROUBLE.set(said.clone()).is_ok() && self.tell == Tell::AtOnce {
                    eprintln!("fourfold: {said}");
                }
                None
            }
        }
    }
}

/// A value of the tables as players understand it.
pub fn known(value: Value) -> Known {
    match value {
        Value::Won(plies) => Known::Won(plies.map(u32::from)),
        Value::Drawn => Known::Drawn,
        Value::Lost(plies) => Known::Lost(plies.map(u32::from)),
    }
}
