//! `--tablebase DIR`: the tables of a folder as knowledge for the bots of this program.

use std::path::Path;
use std::sync::{Arc, Once};

use locale::Language;
use search::solved::Tables;
use search::{Knowledge, Value};
use tablebase::{BadFile, Size, Tablebase};

use crate::tablebase_command::file_in_words;

/// Receives the one message that a table turned out to be damaged.
pub type Report = Box<dyn Fn(String) + Send + Sync>;

/// Tables on disk as bots see them.
struct OnDisk {
    tables: Tablebase,
    language: Language,
    reported: Once,
    report: Report,
}

/// The knowledge in a folder; none without a folder.
///
/// A folder that is missing, empty or holds something foreign is refused in a sentence. Damage further inside is found
/// when it is read: `report` is called once, and the bots search instead.
pub fn open(folder: Option<&Path>, language: Language, report: Report) -> Result<Knowledge, String> {
    let Some(folder) = folder else { return Ok(Knowledge::default()) };
    let opened = || -> Result<Tablebase, BadFile> {
        let tables = Tablebase::open(folder, Size::Five)?;
        tables.check()?;
        // Making the board takes a while, and the first lookup should not wait for it.
        tables.board();
        Ok(tables)
    };
    let tables = opened().map_err(|bad| file_in_words(&bad, language))?;
    Ok(Knowledge { solved: Some(Arc::new(OnDisk { tables, language, reported: Once::new(), report })) })
}

/// Reports damage on standard error when it is found.
pub fn to_stderr() -> Report {
    Box::new(|damage| eprintln!("fourfold: {damage}"))
}

impl Tables for OnDisk {
    fn look_up(&self, own: u32, other: u32) -> Option<Value> {
        self.tables.value(own, other).unwrap_or_else(|bad| {
            self.reported.call_once(|| (self.report)(file_in_words(&bad, self.language)));
            None
        })
    }
}
