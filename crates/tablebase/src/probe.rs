//! Asking tables on disk: files are opened when they are first needed, and mapped into memory.

// A file that is mapped must not be changed by others; tables are written once and renamed into place. Reading 26 GB
// before the first answer would be no alternative.
#![allow(unsafe_code)]

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use memmap2::Mmap;

use crate::class::{Mover, Pair, Value};
use crate::file::{BadFile, CHUNK, Flaw, Folder, HEADER, Kind, Layout, table_start};
use crate::row::Board;

/// A folder of tables that can be asked about any position it holds.
pub struct Tablebase {
    board: Board,
    folder: Folder,
    size: u8,
    opened: Mutex<OpenedFiles>,
}

/// By pair and kind; `None` for a file that is not there.
type OpenedFiles = HashMap<(Pair, u8), Option<Arc<Opened>>>;

struct Opened {
    bytes: Mmap,
    layout: Layout,
    /// For each chunk, whether its checksum was compared.
    checked: Vec<AtomicBool>,
}

impl Tablebase {
    /// Opens a folder for a size of board; `None` if such a board is not known.
    pub fn open(path: &Path, size: u8) -> Result<Option<Tablebase>, BadFile> {
        let Some(board) = Board::new(size) else { return Ok(None) };
        if !path.is_dir() {
            let error = io::Error::new(io::ErrorKind::NotFound, "there is no such folder");
            return Err(BadFile { path: path.to_owned(), flaw: Flaw::Unreadable(error) });
        }
        let folder = Folder::open(path, size, false)?;
        Ok(Some(Tablebase { board, folder, size, opened: Mutex::default() }))
    }

    /// The board the tables are for.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The value of a position for the side to move, with the plies to the end if depths are there; `None` if the
    /// folder does not hold it.
    pub fn value(&self, own: u32, other: u32) -> Result<Option<Value>, BadFile> {
        let (pair, mover, first, rank) = self.board.place(own, other);
        let place = table_start(&self.board, pair, mover) + first;
        let Some(values) = self.file(pair, Kind::Values)? else { return Ok(None) };
        let word =
            values.read::<8>((place + rank as usize / 32) * 8).map_err(|flaw| self.bad(pair, Kind::Values, flaw))?;
        let bits = u64::from_le_bytes(word) >> (rank % 32);
        let plies = match self.file(pair, Kind::Depths)? {
            Some(depths) if bits & (1 << 32 | 1) != 0 => {
                let byte = depths.read::<1>(place * 32 + rank as usize);
                Some(byte.map_err(|flaw| self.bad(pair, Kind::Depths, flaw))?[0])
            }
            _ => None,
        };
        Ok(Some(match (bits & 1, bits >> 32 & 1) {
            (1, _) => Value::Won(plies),
            (_, 1) => Value::Lost(plies),
            _ => Value::Drawn,
        }))
    }

    /// The pairs whose values are in the folder.
    pub fn pairs(&self) -> Vec<Pair> {
        let all = (0..=self.board.cells()).flat_map(Pair::of_layer);
        all.filter(|&pair| self.folder.file(pair, Kind::Values).is_file()).collect()
    }

    /// A position of a pair, by numbers that may be any.
    pub fn pick(&self, pair: Pair, mover: Mover, row: u64, rank: u64) -> (u32, u32) {
        let keys = self.board.keys.list(pair.few);
        let key = keys[(row % keys.len() as u64) as usize];
        let free = self.board.cells() - pair.few;
        let mut rank = rank % crate::ranks::binomial(free, pair.many);
        // The set with this rank, from its highest square down.
        let (mut set, mut count) = (0, pair.many);
        for square in (0..free).rev() {
            let below = crate::ranks::binomial(square, count);
            if count > 0 && rank >= below {
                rank -= below;
                set |= 1 << square;
                count -= 1;
            }
        }
        let rest = crate::row::Free::new(&self.board.geometry, key).expanded(set);
        if mover == Mover::Few { (key, rest) } else { (rest, key) }
    }

    fn file(&self, pair: Pair, kind: Kind) -> Result<Option<Arc<Opened>>, BadFile> {
        let mut opened = self.opened.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(file) = opened.get(&(pair, kind as u8)) {
            return Ok(file.clone());
        }
        let path = self.folder.file(pair, kind);
        let file = match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(self.bad(pair, kind, Flaw::Unreadable(error))),
            Ok(file) => {
                // See the top of this file for why this is sound enough.
                let bytes =
                    unsafe { Mmap::map(&file) }.map_err(|error| self.bad(pair, kind, Flaw::Unreadable(error)))?;
                let layout = Layout::of(&bytes, self.size, pair, kind).map_err(|flaw| self.bad(pair, kind, flaw))?;
                let checked = (0..layout.chunks()).map(|_| AtomicBool::new(false)).collect();
                Some(Arc::new(Opened { bytes, layout, checked }))
            }
        };
        opened.insert((pair, kind as u8), file.clone());
        Ok(file)
    }

    fn bad(&self, pair: Pair, kind: Kind, flaw: Flaw) -> BadFile {
        BadFile { path: self.folder.file(pair, kind), flaw }
    }
}

impl Opened {
    /// Reads from the tables, after comparing the chunk's checksum if nobody did before. Nothing read here crosses a
    /// chunk's end.
    fn read<const COUNT: usize>(&self, at: usize) -> Result<[u8; COUNT], Flaw> {
        let chunk = at / CHUNK;
        let checked = self.checked.get(chunk).ok_or(Flaw::Damaged)?;
        if !checked.load(Ordering::Relaxed) {
            if !self.layout.is_whole(&self.bytes, chunk) {
                return Err(Flaw::Damaged);
            }
            checked.store(true, Ordering::Relaxed);
        }
        self.bytes.get(HEADER + at..).and_then(|rest| rest.first_chunk()).copied().ok_or(Flaw::Damaged)
    }
}
