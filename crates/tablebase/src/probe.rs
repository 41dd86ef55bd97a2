//! Asking tables on disk: files are opened when they are first needed, and mapped into memory.

// A file that is mapped must not be changed by others; tables are written once and renamed into place. Reading 26 GB
// before the first answer would be no alternative.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use memmap2::Mmap;
use search::Value;

use crate::class::{Mover, Pair};
use crate::cpu::Depths;
use crate::file::{BadFile, CHUNK, Flaw, Folder, HEADER, Kind, Layout, table_start};
use crate::geometry::{MOST_CELLS, Size};
use crate::row::Board;

/// A folder of tables that can be asked about any position it holds.
pub struct Tablebase {
    /// Made when it is first needed: a folder that cannot be used is refused at once.
    board: OnceLock<Board>,
    folder: Folder,
    size: Size,
    /// By the pair's cubes and the kind; `None` for a file that is not there. Many threads may ask at once, and none
    /// waits for another.
    opened: Vec<OnceLock<Option<Opened>>>,
}

/// Numbers of cubes a side may have.
const COUNTS: usize = MOST_CELLS + 1;

struct Opened {
    bytes: Mmap,
    layout: Layout,
    /// For each chunk, whether its checksum was compared.
    checked: Vec<AtomicBool>,
}

impl Tablebase {
    /// Opens a folder for a size of board.
    pub fn open(path: &Path, size: Size) -> Result<Tablebase, BadFile> {
        if !path.is_dir() {
            let error = io::Error::new(io::ErrorKind::NotFound, "there is no such folder");
            return Err(BadFile { path: path.to_owned(), flaw: Flaw::Unreadable(error) });
        }
        let folder = Folder::open(path, size, Depths::No)?;
        let opened = (0..COUNTS * COUNTS * 2).map(|_| OnceLock::new()).collect();
        Ok(Tablebase { board: OnceLock::new(), folder, size, opened })
    }

    /// The board the tables are for. The first time takes a good part of a second.
    pub fn board(&self) -> &Board {
        self.board.get_or_init(|| Board::new(self.size))
    }

    /// The value of a position for the side to move, with the plies to the end if depths are there; `None` if the
    /// folder does not hold it.
    pub fn value(&self, own: u32, other: u32) -> Result<Option<Value>, BadFile> {
        let (pair, mover, first, rank) = self.board().place(own, other);
        let place = table_start(self.board(), pair, mover) + first;
        let Some(values) = self.file(pair, Kind::Values)? else { return Ok(None) };
        let word =
            values.read::<8>((place + rank as usize / 32) * 8).map_err(|flaw| self.bad(pair, Kind::Values, flaw))?;
        let bits = u64::from_le_bytes(word) >> (rank % 32);
        let plies = match self.file(pair, Kind::Depths)? {
            Some(depths) if bits & (1 << 32 | 1) != 0 => {
                let byte = depths.read::<1>(place * 32 + rank as usize);
                Some(u32::from(byte.map_err(|flaw| self.bad(pair, Kind::Depths, flaw))?[0]))
            }
            _ => None,
        };
        Ok(Some(match (bits & 1, bits >> 32 & 1) {
            (1, _) => Value::Win(plies),
            (_, 1) => Value::Loss(plies),
            _ => Value::Draw,
        }))
    }

    /// The pairs whose values are in the folder.
    pub(crate) fn pairs(&self) -> Vec<Pair> {
        let all = (0..=u32::from(self.size.side()).pow(2)).flat_map(Pair::of_layer);
        all.filter(|&pair| self.folder.file(pair, Kind::Values).is_file()).collect()
    }

    /// A position of a pair, by numbers that may be any.
    pub(crate) fn pick(&self, pair: Pair, mover: Mover, row: u64, rank: u64) -> (u32, u32) {
        let keys = self.board().keys.list(pair.few);
        let key = keys[(row % keys.len() as u64) as usize];
        let free = self.board().cells() - pair.few;
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
        let rest = crate::row::Free::new(&self.board().geometry, key).expanded(set);
        if mover == Mover::Few { (key, rest) } else { (rest, key) }
    }

    /// Opens every file that is there, so that a foreign or cut one is named before it is needed; `Flaw::Empty` if
    /// there is none. What a file holds is compared with its checksums only when it is read.
    pub fn check(&self) -> Result<(), BadFile> {
        let pairs = self.pairs();
        for &pair in &pairs {
            self.file(pair, Kind::Values)?;
            self.file(pair, Kind::Depths)?;
        }
        let empty = || BadFile { path: self.folder.path().to_owned(), flaw: Flaw::Empty };
        if pairs.is_empty() { Err(empty()) } else { Ok(()) }
    }

    fn file(&self, pair: Pair, kind: Kind) -> Result<Option<&Opened>, BadFile> {
        let place = &self.opened[(pair.few as usize * COUNTS + pair.many as usize) * 2 + kind as usize];
        if let Some(file) = place.get() {
            return Ok(file.as_ref());
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
                Some(Opened { bytes, layout, checked })
            }
        };
        Ok(place.get_or_init(|| file).as_ref())
    }

    fn bad(&self, pair: Pair, kind: Kind, flaw: Flaw) -> BadFile {
        BadFile { path: self.folder.file(pair, kind), flaw }
    }
}

impl Opened {
    /// Reads from the tables, after comparing the chunk's checksum if that was not done before. Nothing read here crosses a
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
