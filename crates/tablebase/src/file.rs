//! Tables as files: one for the values of a pair, one for its depths. The form is described in docs/tablebase.md.
//!
//! A file is written under another name and renamed when it is whole, so one that is there is finished. Every chunk has
//! a checksum, which is compared when the chunk is first read.

use std::borrow::Borrow;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::{fmt, mem};

use crate::class::{Mover, Pair, Table};
use crate::cpu::Depths;
use crate::geometry::Size;
use crate::row::Board;

/// Bytes of a chunk.
pub(crate) const CHUNK: usize = 1 << 16;
/// Bytes before the first chunk.
pub(crate) const HEADER: usize = 64;
const MAGIC: &[u8; 8] = b"4FOLDQX1";

/// What a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Two bits for each position.
    Values,
    /// A byte for each position.
    Depths,
}

impl Kind {
    fn extension(self) -> &'static str {
        match self {
            Kind::Values => "values",
            Kind::Depths => "depths",
        }
    }
}

/// Why a file cannot be used.
#[derive(Debug)]
pub struct BadFile {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub flaw: Flaw,
}

/// What is wrong with a file.
#[derive(Debug)]
pub enum Flaw {
    /// It cannot be read or written.
    Unreadable(io::Error),
    /// It is not a table, or one of another version.
    Foreign,
    /// It is a table of another board or class.
    Misplaced,
    /// Its length or a checksum is wrong.
    Damaged,
    /// It is a folder without a table of the board.
    Empty,
}

impl fmt::Display for BadFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.flaw {
            Flaw::Unreadable(error) => write!(f, "{path}: {error}"),
            Flaw::Foreign => write!(f, "{path} is not a table of this version"),
            Flaw::Misplaced => write!(f, "{path} holds a table of another board or class"),
            Flaw::Damaged => write!(f, "{path} is damaged: remove it and solve that class again"),
            Flaw::Empty => write!(f, "{path} holds no table of this board"),
        }
    }
}

impl std::error::Error for BadFile {}

/// A folder of tables for one size of board.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
    size: Size,
    depths: Depths,
}

impl Folder {
    /// Opens a folder, making it if need be. With depths a pair counts as solved only if its depths are there.
    pub fn open(path: &Path, size: Size, depths: Depths) -> Result<Folder, BadFile> {
        let folder = Folder { path: path.to_owned(), size, depths };
        fs::create_dir_all(path).map_err(|error| bad(path, Flaw::Unreadable(error)))?;
        Ok(folder)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The file of a pair.
    pub(crate) fn file(&self, pair: Pair, kind: Kind) -> PathBuf {
        self.path.join(format!("quixo{}-{:02}-{:02}.{}", self.size.side(), pair.few, pair.many, kind.extension()))
    }

    /// The tables of a pair in the order of [`Pair::movers`], if they are there.
    pub(crate) fn read_pair(&self, board: &Board, pair: Pair) -> Result<Option<Vec<Table>>, BadFile> {
        let Some(values) = self.read(pair, Kind::Values)? else { return Ok(None) };
        let words = board.rows(pair) * pair.row_words(board.cells());
        let mut tables: Vec<Table> = values
            .chunks_exact(words * 8)
            .map(|bytes| {
                let word = |bytes: &[u8]| bytes.try_into().map_or(0, u64::from_le_bytes);
                Table { words: bytes.chunks_exact(8).map(word).collect(), depths: Vec::new() }
            })
            .collect();
        if tables.len() != pair.movers().len() {
            return Err(bad(&self.file(pair, Kind::Values), Flaw::Damaged));
        }
        if self.depths == Depths::Yes {
            let Some(bytes) = self.read(pair, Kind::Depths)? else { return Ok(None) };
            if bytes.len() != words * 32 * tables.len() {
                return Err(bad(&self.file(pair, Kind::Depths), Flaw::Damaged));
            }
            for (table, bytes) in tables.iter_mut().zip(bytes.chunks_exact(words * 32)) {
                table.depths = bytes.to_vec();
            }
        }
        Ok(Some(tables))
    }

    fn read(&self, pair: Pair, kind: Kind) -> Result<Option<Vec<u8>>, BadFile> {
        let path = self.file(pair, kind);
        let mut bytes = Vec::new();
        match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(bad(&path, Flaw::Unreadable(error))),
            Ok(mut file) => file.read_to_end(&mut bytes).map_err(|error| bad(&path, Flaw::Unreadable(error)))?,
        };
        let layout = Layout::of(&bytes, self.size, pair, kind).map_err(|flaw| bad(&path, flaw))?;
        for chunk in 0..layout.chunks() {
            if !layout.is_whole(&bytes, chunk) {
                return Err(bad(&path, Flaw::Damaged));
            }
        }
        bytes.truncate(HEADER + layout.body);
        bytes.drain(..HEADER);
        Ok(Some(bytes))
    }

    /// Writes the tables of a pair, in the order of [`Pair::movers`].
    pub fn write_pair(&self, pair: Pair, tables: &[impl Borrow<Table>]) -> Result<(), BadFile> {
        let tables: Vec<&Table> = tables.iter().map(Borrow::borrow).collect();
        if self.depths == Depths::Yes {
            self.write(pair, Kind::Depths, tables.iter().map(|table| table.depths.len()).sum(), &mut |sink| {
                tables.iter().try_for_each(|table| sink.put(&table.depths))
            })?;
        }
        self.write(pair, Kind::Values, tables.iter().map(|table| table.words.len() * 8).sum(), &mut |sink| {
            for table in &tables {
                for words in table.words.chunks(CHUNK / 8) {
                    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                    sink.put(&bytes)?;
                }
            }
            Ok(())
        })
    }

    fn write(
        &self,
        pair: Pair,
        kind: Kind,
        body: usize,
        fill: &mut dyn FnMut(&mut Sink<'_>) -> io::Result<()>,
    ) -> Result<(), BadFile> {
        let path = self.file(pair, kind);
        let unfinished = path.with_extension(format!("{}.unfinished", kind.extension()));
        let mut write = || -> io::Result<()> {
            let mut file = io::BufWriter::with_capacity(1 << 20, File::create(&unfinished)?);
            file.write_all(&header(self.size, pair, kind, body))?;
            let mut sink = Sink { file: &mut file, chunk: Vec::with_capacity(CHUNK), sums: Vec::new() };
            fill(&mut sink)?;
            let sums = sink.finish()?;
            file.write_all(&sums)?;
            file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
            fs::rename(&unfinished, &path)
        };
        write().map_err(|error| {
            let _ = fs::remove_file(&unfinished);
            bad(&path, Flaw::Unreadable(error))
        })
    }
}

/// Cuts what is written into chunks.
struct Sink<'a> {
    file: &'a mut dyn Write,
    chunk: Vec<u8>,
    sums: Vec<u8>,
}

impl Sink<'_> {
    fn put(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(CHUNK - self.chunk.len()));
            self.chunk.extend(now);
            bytes = later;
            if self.chunk.len() == CHUNK {
                self.flush()?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        let chunk = mem::take(&mut self.chunk);
        self.sums.extend(checksum(&chunk).to_le_bytes());
        self.file.write_all(&chunk)
    }

    fn finish(mut self) -> io::Result<Vec<u8>> {
        if !self.chunk.is_empty() {
            self.flush()?;
        }
        Ok(self.sums)
    }
}

/// The parts of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// Bytes of the tables.
    pub(crate) body: usize,
}

impl Layout {
    /// Reads the header and checks that it fits what is expected and the file's length.
    pub(crate) fn of(bytes: &[u8], size: Size, pair: Pair, kind: Kind) -> Result<Layout, Flaw> {
        let head = bytes.get(..HEADER).ok_or(Flaw::Foreign)?;
        if !head.starts_with(MAGIC) {
            return Err(Flaw::Foreign);
        }
        let body = head[16..24].try_into().map_or(0, u64::from_le_bytes) as usize;
        if head != header(size, pair, kind, body) {
            // Some header, but not the one that belongs here.
            let whole = head[56..] == checksum(&head[..56]).to_le_bytes();
            return Err(if whole { Flaw::Misplaced } else { Flaw::Damaged });
        }
        let layout = Layout { body };
        if bytes.len() != HEADER + body + 8 * layout.chunks() { Err(Flaw::Damaged) } else { Ok(layout) }
    }

    /// How many chunks there are.
    pub(crate) fn chunks(self) -> usize {
        self.body.div_ceil(CHUNK)
    }

    /// Whether a chunk has its checksum.
    pub(crate) fn is_whole(self, bytes: &[u8], chunk: usize) -> bool {
        let from = HEADER + chunk * CHUNK;
        let to = (from + CHUNK).min(HEADER + self.body);
        let sum = HEADER + self.body + 8 * chunk;
        bytes[sum..sum + 8] == checksum(&bytes[from..to]).to_le_bytes()
    }
}

fn header(size: Size, pair: Pair, kind: Kind, body: usize) -> [u8; HEADER] {
    let mut head = [0; HEADER];
    head[..8].copy_from_slice(MAGIC);
    head[8] = size.side();
    head[9] = pair.few as u8;
    head[10] = pair.many as u8;
    head[11] = u8::from(kind == Kind::Depths);
    head[16..24].copy_from_slice(&(body as u64).to_le_bytes());
    let sum = checksum(&head[..56]);
    head[56..].copy_from_slice(&sum.to_le_bytes());
    head
}

/// A sum that changes with any bit: words are mixed in one after another.
fn checksum(bytes: &[u8]) -> u64 {
    let mix = |sum: u64, word: u64| (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    let words = bytes.chunks_exact(8);
    let rest = words.remainder().iter().fold(bytes.len() as u64, |rest, &byte| rest << 8 | u64::from(byte));
    mix(words.fold(0x2545_f491_4f6c_dd1d, |sum, word| mix(sum, word.try_into().map_or(0, u64::from_le_bytes))), rest)
}

fn bad(path: &Path, flaw: Flaw) -> BadFile {
    BadFile { path: path.to_owned(), flaw }
}

/// Where a table begins within a file's body, counted in its rows' words.
pub(crate) fn table_start(board: &Board, pair: Pair, mover: Mover) -> usize {
    let place = pair.movers().iter().position(|&other| other == mover).unwrap_or(0);
    place * board.rows(pair) * pair.row_words(board.cells())
}
