//! Solving on an NVIDIA graphics card. The driver and the compiler for its programs are looked for when the program
//! runs; nothing of them is needed to build it.

// Launching a kernel cannot be checked by the compiler: what it is given must fit what it expects. All launches are in
// this file; the gain is two orders of magnitude (docs/solved-quixo.md).
#![allow(unsafe_code)]

mod study;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

use cudarc::driver::{
    CudaContext, CudaModule, CudaSlice, CudaStream, DevicePtr, DeviceRepr, DriverError, LaunchConfig, PushKernelArg,
};
use cudarc::nvrtc::{CompileError, CompileOptions, compile_ptx_with_opts};

use crate::class::{MOST_PLIES, Mover, Pair, Table};
use crate::cpu::Depths;
use crate::geometry::Geometry;
use crate::row::Board;
use crate::solve::{Engine, SolveError};
use crate::statistics::Counts;

const LANES: &str = include_str!("lanes.cu");
const VALUES: &str = include_str!("values.cu");
const DEPTHS: &str = include_str!("depths.cu");
const GAMES: &str = include_str!("games.cu");
const THREADS: u32 = 256;
/// Blocks for work that is not cut into rows.
const BLOCKS: u32 = 132 * 16;

/// The arguments of a kernel, field by field as in `lanes.cu`.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Job {
    mover: u32,
    words: u32,
    states: u32,
    segments: u32,
    next_words: u32,
    pass: u32,
    news: u32,
    rows: u32,
    keys: u64,
    sets: u64,
    places: u64,
    ranks: u64,
    orbits: u64,
    table: u64,
    safe: u64,
    changed: u64,
    next_table: u64,
    next_safe: u64,
    next_changed: u64,
    found: u64,
    latest: u64,
    depths: u64,
    next_depths: u64,
    pending: u64,
    done: u64,
    fresh: u64,
    hits: u64,
    marks: u64,
    hit_rows: u64,
    next_done: u64,
    next_hits: u64,
    next_marks: u64,
    next_hit_rows: u64,
}

// Plain numbers in the order the kernels read them.
unsafe impl DeviceRepr for Job {}

/// A table in the card's memory.
pub(crate) struct CardTable {
    words: CudaSlice<u64>,
    depths: Option<CudaSlice<u8>>,
}

/// What is known of a table while its values are being found.
struct Work {
    words: CudaSlice<u64>,
    safe: CudaSlice<u32>,
    changed: CudaSlice<u32>,
}

/// What is known of a table while its depths are being found.
struct DepthWork {
    depths: CudaSlice<u8>,
    pending: CudaSlice<u32>,
    /// Done, fresh, hits and marks, a word for each 32 positions.
    marks: [CudaSlice<u32>; 4],
    /// For each row, the last pass that decided something in it, and the last that brought news to it.
    rows: [CudaSlice<u32>; 2],
}

/// A graphics card with a board's tables.
pub struct Gpu<'a> {
    board: &'a Board,
    depths: Depths,
    keep: Keep,
    pub(crate) stream: Arc<CudaStream>,
    modules: HashMap<Aim, Arc<CudaModule>>,
    places: CudaSlice<u32>,
    keys: Vec<CudaSlice<u32>>,
    orbits: Vec<CudaSlice<u8>>,
    ranks: Vec<CudaSlice<u32>>,
    flags: CudaSlice<u32>,
    solved: HashMap<(Pair, Mover), CardTable>,
}

/// Which tables stay in the card's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Those that are needed to go on.
    Needed,
    /// All, to be asked later.
    All,
}

impl From<DriverError> for SolveError {
    fn from(error: DriverError) -> SolveError {
        SolveError::Card(error.to_string())
    }
}

/// The text before the kernels: what depends on the board.
fn header(geometry: &Geometry, segment: u32) -> String {
    let cells = geometry.cells as usize;
    let list = |numbers: &[u8]| numbers.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
    let rows = |rows: &mut dyn Iterator<Item = &[u8; 25]>| {
        rows.map(|row| format!("{{{}}}", list(&row[..cells]))).collect::<Vec<_>>().join(",")
    };
    let mut text = String::new();
    let gaps: Vec<u8> = geometry.pushes.iter().map(|push| push.gap).collect();
    let entries: Vec<u8> = geometry.pushes.iter().map(|push| push.moved[usize::from(push.gap)]).collect();
    let unmoved: Vec<[u8; 25]> = geometry.pushes.iter().map(|push| inverse(&push.moved)).collect();
    let lines: Vec<String> = geometry.lines.iter().map(u32::to_string).collect();
    let parts = [
        format!("#define CELLS {cells}"),
        format!("#define PUSHES {}", gaps.len()),
        format!("#define LINES {}", lines.len()),
        format!("#define SEGMENT {segment}"),
        format!("__constant__ unsigned char GAP[PUSHES] = {{{}}};", list(&gaps)),
        format!("__constant__ unsigned char ENTRY[PUSHES] = {{{}}};", list(&entries)),
        format!("__constant__ unsigned char UNMOVED[PUSHES][CELLS] = {{{}}};", rows(&mut unmoved.iter())),
        format!(
            "__constant__ unsigned char MOVED[PUSHES][CELLS] = {{{}}};",
            rows(&mut geometry.pushes.iter().map(|push| &push.moved))
        ),
        format!("__constant__ unsigned char TURN[8][CELLS] = {{{}}};", rows(&mut geometry.turns.iter())),
        format!("__constant__ unsigned int LINE[LINES] = {{{}}};", lines.join(",")),
    ];
    for part in parts {
        let _ = writeln!(text, "{part}");
    }
    text
}

fn inverse(moved: &[u8; 25]) -> [u8; 25] {
    let mut inverse = [0; 25];
    for (from, &to) in moved.iter().enumerate() {
        inverse[usize::from(to)] = from as u8;
    }
    inverse
}

/// What a module finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Aim {
    Values,
    Depths,
    Games,
}

impl Aim {
    /// The words of a row that a block works on: as many as fit the memory its threads share.
    fn segment(self) -> u32 {
        match self {
            Aim::Values | Aim::Games => 1024,
            Aim::Depths => 320,
        }
    }
}

/// How a kernel's work is cut into blocks.
#[derive(Clone, Copy)]
enum Grid {
    /// A block for each segment of each row.
    Segments,
    /// A fixed number of blocks that go over the whole table together.
    Whole,
}

/// A kernel that takes a job.
#[derive(Clone, Copy)]
struct Kernel {
    aim: Aim,
    name: &'static str,
    grid: Grid,
}

impl Kernel {
    const LOOK_ABOVE: Kernel = Kernel::of(Aim::Values, "look_above", Grid::Segments);
    const TURN_AROUND: Kernel = Kernel::of(Aim::Values, "turn_around", Grid::Whole);
    const DECIDE: Kernel = Kernel::of(Aim::Values, "decide", Grid::Segments);
    const COUNT: Kernel = Kernel::of(Aim::Values, "count", Grid::Segments);
    const NOTE_BLANKS: Kernel = Kernel::of(Aim::Depths, "note_blanks", Grid::Segments);
    const TURN_NOTES: Kernel = Kernel::of(Aim::Depths, "turn_notes", Grid::Whole);
    const TELL: Kernel = Kernel::of(Aim::Depths, "tell", Grid::Segments);
    const RESOLVE: Kernel = Kernel::of(Aim::Depths, "resolve", Grid::Segments);
    const COUNT_DEPTHS: Kernel = Kernel::of(Aim::Depths, "count_depths", Grid::Segments);

    const fn of(aim: Aim, name: &'static str, grid: Grid) -> Kernel {
        Kernel { aim, name, grid }
    }
}

/// The kernels for a board, compiled for a kind of card such as `compute_90`.
pub(crate) fn compile(geometry: &Geometry, aim: Aim, arch: &str) -> Result<cudarc::nvrtc::Ptx, SolveError> {
    let kernels = match aim {
        Aim::Values => VALUES,
        Aim::Depths => DEPTHS,
        Aim::Games => GAMES,
    };
    let text = header(geometry, aim.segment()) + LANES + kernels;
    let options = CompileOptions { options: vec![format!("--gpu-architecture={arch}")], ..Default::default() };
    compile_ptx_with_opts(text, options).map_err(|error| match error {
        CompileError::CompileError { log, .. } => SolveError::Card(log.to_string_lossy().into_owned()),
        other => SolveError::Card(format!("{other:?}")),
    })
}

impl<'a> Gpu<'a> {
    /// Looks for a card and brings what all pairs need into its memory.
    pub fn new(board: &'a Board, depths: Depths, keep: Keep) -> Result<Gpu<'a>, SolveError> {
        // Without this the library would panic where there is no driver.
        if !unsafe { cudarc::driver::sys::is_culib_present() } {
            return Err(SolveError::NoCard);
        }
        let context = CudaContext::new(0).map_err(|_| SolveError::NoCard)?;
        if !unsafe { cudarc::nvrtc::sys::is_culib_present() } {
            return Err(SolveError::Card(
                "NVRTC, the CUDA library that compiles for the card, is not installed".into(),
            ));
        }
        let needed = memory_needed(board, depths, keep);
        let (free, _) = context.mem_get_info()?;
        if (free as u64) < needed {
            return Err(SolveError::CardMemory { needed, free: free as u64 });
        }
        let (major, minor) = context.compute_capability()?;
        let arch = format!("compute_{major}{minor}");
        let aims = [Aim::Values, Aim::Depths, Aim::Games].into_iter();
        let modules = aims
            .filter(|&aim| match aim {
                Aim::Values => true,
                Aim::Depths => depths == Depths::Yes,
                Aim::Games => keep == Keep::All,
            })
            .map(|aim| Ok((aim, context.load_module(compile(&board.geometry, aim, &arch)?)?)))
            .collect::<Result<_, SolveError>>()?;
        let stream = context.default_stream();
        let counts = 0..=board.cells() / 2;
        Ok(Gpu {
            depths,
            keep,
            modules,
            places: stream.clone_htod(board.keys.places())?,
            keys: counts.clone().map(|count| stream.clone_htod(board.keys.list(count))).collect::<Result<_, _>>()?,
            orbits: counts.map(|count| stream.clone_htod(board.keys.orbits(count))).collect::<Result<_, _>>()?,
            ranks: board.ranks.iter().map(|ranks| stream.clone_htod(ranks.table())).collect::<Result<_, _>>()?,
            flags: stream.alloc_zeros(2)?,
            solved: HashMap::new(),
            board,
            stream,
        })
    }

    pub(crate) fn address<T>(&self, slice: &CudaSlice<T>) -> u64 {
        slice.device_ptr(&self.stream).0
    }

    /// Runs a kernel on a table.
    fn launch(&self, kernel: Kernel, job: &Job, sums: Option<&CudaSlice<u64>>) -> Result<(), SolveError> {
        let Kernel { aim, name, grid } = kernel;
        let function = self.modules[&aim].load_function(name)?;
        let job = Job { segments: job.words.div_ceil(aim.segment()), ..*job };
        let blocks = match grid {
            Grid::Segments => job.rows * job.segments,
            Grid::Whole => BLOCKS,
        };
        let config = LaunchConfig { grid_dim: (blocks, 1, 1), block_dim: (THREADS, 1, 1), shared_mem_bytes: 0 };
        let sums = sums.map(|sums| self.address(sums));
        let mut launch = self.stream.launch_builder(&function);
        launch.arg(&job);
        if let Some(sums) = &sums {
            launch.arg(sums);
        }
        // The kernels take a job, those that count also room for their sums; the addresses are those of slices that
        // live until the stream has been waited for.
        unsafe { launch.launch(config) }?;
        Ok(())
    }

    /// The arguments of every kernel for a table of a pair.
    fn job(&self, pair: Pair, mover: Mover, work: &Work, sets: &CudaSlice<u32>) -> Job {
        let flags = self.address(&self.flags);
        Job {
            mover: mover as u32,
            words: pair.row_words(self.board.cells()) as u32,
            states: pair.row_states(self.board.cells()) as u32,
            rows: self.board.rows(pair) as u32,
            keys: self.address(&self.keys[pair.few as usize]),
            orbits: self.address(&self.orbits[pair.few as usize]),
            sets: self.address(sets),
            places: self.address(&self.places),
            ranks: self.address(&self.ranks[pair.many as usize]),
            table: self.address(&work.words),
            safe: self.address(&work.safe),
            changed: self.address(&work.changed),
            found: flags,
            latest: flags + 4,
            ..Job::default()
        }
    }

    /// The same job with the table that taking a blank leads to.
    fn above(&self, pair: Pair, mover: Mover, job: &Job) -> Option<Job> {
        let mut job = *job;
        let (next, then) = pair.after_blank(mover)?;
        if let Some(table) = self.solved.get(&(next, then)) {
            job.next_words = next.row_words(self.board.cells()) as u32;
            job.ranks = self.address(&self.ranks[next.many as usize]);
            job.next_table = self.address(&table.words);
            job.next_depths = table.depths.as_ref().map_or(0, |depths| self.address(depths));
        }
        Some(job)
    }

    /// Who wins, in both tables of a pair.
    fn find_values(&mut self, pair: Pair, jobs: &[Job; 2]) -> Result<(), SolveError> {
        let [few, many] = *jobs;
        for mover in [Mover::Many, Mover::Few] {
            let job = &jobs[mover as usize];
            match self.above(pair, mover, job) {
                Some(job) => self.launch(Kernel::LOOK_ABOVE, &job, None)?,
                None => {
                    let job = Job { next_table: many.table, next_safe: many.safe, ..*job };
                    self.launch(Kernel::TURN_AROUND, &job, None)?;
                }
            }
        }
        for pass in 1.. {
            self.stream.memset_zeros(&mut self.flags)?;
            let first = Job { pass, news: pass - 1, next_table: many.table, next_changed: many.changed, ..few };
            let second = Job { pass, news: pass, next_table: few.table, next_changed: few.changed, ..many };
            self.launch(Kernel::DECIDE, &first, None)?;
            self.launch(Kernel::DECIDE, &second, None)?;
            if self.stream.clone_dtoh(&self.flags)?[0] == 0 {
                break;
            }
        }
        Ok(())
    }

    fn depth_work(&self, pair: Pair) -> Result<DepthWork, SolveError> {
        let rows = self.board.rows(pair);
        let words = rows * pair.row_words(self.board.cells());
        let marks = || self.stream.alloc_zeros::<u32>(words);
        let by_row = || self.stream.alloc_zeros::<u32>(rows);
        Ok(DepthWork {
            depths: self.stream.alloc_zeros(words * 32)?,
            pending: self.stream.alloc_zeros(rows * 8)?,
            marks: [marks()?, marks()?, marks()?, marks()?],
            rows: [by_row()?, by_row()?],
        })
    }

    /// In how many plies, in both tables of a pair whose values are known.
    fn find_depths(&mut self, pair: Pair, jobs: &[Job; 2]) -> Result<[CudaSlice<u8>; 2], SolveError> {
        self.stream.memset_zeros(&mut self.flags)?;
        let work = [self.depth_work(pair)?, self.depth_work(pair)?];
        let job = |mover: Mover| {
            let (own, other) = (&work[mover as usize], &work[mover.next() as usize]);
            let [done, fresh, hits, marks] = [0, 1, 2, 3].map(|place| self.address(&own.marks[place]));
            let [next_done, _, next_hits, next_marks] = [0, 1, 2, 3].map(|place| self.address(&other.marks[place]));
            Job {
                depths: self.address(&own.depths),
                pending: self.address(&own.pending),
                changed: self.address(&own.rows[0]),
                hit_rows: self.address(&own.rows[1]),
                next_hit_rows: self.address(&other.rows[1]),
                next_table: jobs[mover.next() as usize].table,
                done,
                fresh,
                hits,
                marks,
                next_done,
                next_hits,
                next_marks,
                ..jobs[mover as usize]
            }
        };
        let [mut few, mut many] = Mover::BOTH.map(job);
        for (mover, job) in [(Mover::Many, &many), (Mover::Few, &few)] {
            let blank = Job { next_table: 0, ..*job };
            match self.above(pair, mover, &blank) {
                Some(job) => self.launch(Kernel::NOTE_BLANKS, &job, None)?,
                None => self.launch(Kernel::TURN_NOTES, &Job { next_depths: many.depths, ..*job }, None)?,
            }
        }
        let latest = self.stream.clone_dtoh(&self.flags)?[1];
        for pass in 1.. {
            if latest > MOST_PLIES || pass > MOST_PLIES {
                return Err(SolveError::TooDeep);
            }
            (few.pass, many.pass) = (pass, pass);
            self.stream.memset_zeros(&mut self.flags)?;
            for kernel in [Kernel::TELL, Kernel::RESOLVE] {
                self.launch(kernel, &few, None)?;
                self.launch(kernel, &many, None)?;
            }
            if self.stream.clone_dtoh(&self.flags)?[0] == 0 && pass >= latest {
                break;
            }
        }
        Ok(work.map(|work| work.depths))
    }

    fn count(&self, pair: Pair, mover: Mover, job: &Job, depths: Option<&CudaSlice<u8>>) -> Result<Counts, SolveError> {
        let values: CudaSlice<u64> = self.stream.alloc_zeros(2)?;
        self.launch(Kernel::COUNT, job, Some(&values))?;
        let sums = self.stream.clone_dtoh(&values)?;
        let mut result = Counts::new(pair, mover);
        (result.won, result.lost) = (sums[0], sums[1]);
        result.drawn = pair.positions(self.board.cells()) - sums[0] - sums[1];
        if let Some(depths) = depths {
            let by_plies: CudaSlice<u64> = self.stream.alloc_zeros(512)?;
            let job = Job { depths: self.address(depths), ..*job };
            self.launch(Kernel::COUNT_DEPTHS, &job, Some(&by_plies))?;
            let sums = self.stream.clone_dtoh(&by_plies)?;
            (result.won_in, result.lost_in) = (sums[..256].to_vec(), sums[256..].to_vec());
        }
        Ok(result)
    }
}

impl Engine for Gpu<'_> {
    fn solve_pair(&mut self, pair: Pair) -> Result<Vec<Counts>, SolveError> {
        let sets = self.stream.clone_htod(&self.board.row_sets(pair))?;
        let rows = self.board.rows(pair);
        let words = rows * pair.row_words(self.board.cells());
        let empty = || -> Result<Work, DriverError> {
            Ok(Work {
                words: self.stream.alloc_zeros(words)?,
                safe: self.stream.alloc_zeros(words)?,
                changed: self.stream.alloc_zeros(rows)?,
            })
        };
        let work = [empty()?, empty()?];
        let jobs = Mover::BOTH.map(|mover| self.job(pair, mover, &work[mover as usize], &sets));
        self.find_values(pair, &jobs)?;
        let depths = match self.depths {
            Depths::No => [None, None],
            Depths::Yes => self.find_depths(pair, &jobs)?.map(Some),
        };
        let mut counts = Vec::new();
        for (mover, (work, depths)) in Mover::BOTH.into_iter().zip(work.into_iter().zip(depths)) {
            if pair.movers().contains(&mover) {
                counts.push(self.count(pair, mover, &jobs[mover as usize], depths.as_ref())?);
                self.solved.insert((pair, mover), CardTable { words: work.words, depths });
            }
        }
        self.stream.synchronize()?;
        Ok(counts)
    }

    fn table(&self, pair: Pair, mover: Mover) -> Result<Cow<'_, Table>, SolveError> {
        let Some(table) = self.solved.get(&(pair, mover)) else { return Ok(Cow::default()) };
        let mut copy = Table { words: self.stream.clone_dtoh(&table.words)?, depths: Vec::new() };
        if let Some(depths) = &table.depths {
            copy.depths = self.stream.clone_dtoh(depths)?;
        }
        Ok(Cow::Owned(copy))
    }

    fn load(&mut self, pair: Pair, mover: Mover, table: Table) -> Result<(), SolveError> {
        let words = self.stream.clone_htod(&table.words)?;
        let depths = (!table.depths.is_empty()).then(|| self.stream.clone_htod(&table.depths)).transpose()?;
        self.solved.insert((pair, mover), CardTable { words, depths });
        Ok(())
    }

    fn forget(&mut self, pair: Pair) {
        if self.keep == Keep::Needed {
            self.solved.retain(|&(other, _), _| other != pair);
        }
    }
}

/// The card's memory that solving takes at most.
fn memory_needed(board: &Board, depths: Depths, keep: Keep) -> u64 {
    let words = |pair: Pair| (board.rows(pair) * pair.row_words(board.cells())) as u64;
    let layer =
        |total: u32| -> u64 { Pair::of_layer(total).map(|pair| pair.movers().len() as u64 * words(pair)).sum() };
    // For each word of 32 positions: what is kept, and what is needed besides while its pair is being solved.
    let (kept, besides) = if depths == Depths::Yes { (8 + 32, 4 + 16) } else { (8, 4) };
    let tables: u64 = match keep {
        Keep::All => (0..=board.cells()).map(layer).sum(),
        Keep::Needed => (0..board.cells()).map(|total| layer(total) + layer(total + 1)).max().unwrap_or(0),
    };
    let besides = (0..=board.cells()).flat_map(Pair::of_layer).map(|pair| {
        let extra = if pair.is_even() { kept } else { 0 };
        words(pair) * (2 * besides + extra)
    });
    // The places of all sets, and what the driver and short lists take.
    tables * kept + besides.max().unwrap_or(0) + (4 << board.cells()) + (1 << 29)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_depths_fit_the_memory_of_a_large_card() {
        let board = Board::new(crate::geometry::Size::Five);
        let needed = memory_needed(&board, Depths::Yes, Keep::All);
        assert!((130e9..148e9).contains(&(needed as f64)), "{needed}");
    }
}
