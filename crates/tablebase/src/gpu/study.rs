//! Asking the tables in a card's memory, and having games played by them.

use cudarc::driver::{CudaSlice, LaunchConfig, PushKernelArg};
use search::Value;

use super::{Aim, BLOCKS, Gpu, Job, THREADS};
use crate::class::{Mover, Pair};
use crate::row::Free;
use crate::solve::SolveError;

/// Squares and one: the numbers of cubes a side may have.
const SIDES: usize = 26;

impl Gpu<'_> {
    /// The addresses of all tables, as `games.cu` reads them; they must all be kept.
    fn directory(&self) -> Result<CudaSlice<u64>, SolveError> {
        let mut words = vec![0u64; SIDES * SIDES * 2];
        let mut depths = words.clone();
        let mut row_words = vec![0u32; SIDES * SIDES];
        for (&(pair, mover), table) in &self.solved {
            let place = pair.few as usize * SIDES + pair.many as usize;
            words[place * 2 + mover as usize] = self.address(&table.words);
            depths[place * 2 + mover as usize] = table.depths.as_ref().map_or(0, |depths| self.address(depths));
            row_words[place] = pair.row_words(self.board.cells()) as u32;
        }
        let padded = |slices: &[u64]| (0..SIDES).map(|n| slices.get(n).copied().unwrap_or(0)).collect::<Vec<_>>();
        let keys: Vec<u64> = self.keys.iter().map(|keys| self.address(keys)).collect();
        let ranks: Vec<u64> = self.ranks.iter().map(|ranks| self.address(ranks)).collect();
        let row_words = row_words.chunks(2).map(|pair| u64::from(pair[0]) | u64::from(pair[1]) << 32);
        let mut all = words;
        all.extend(depths);
        all.extend(row_words);
        all.extend(padded(&keys));
        all.extend(padded(&ranks));
        all.push(self.address(&self.places));
        Ok(self.stream.clone_htod(&all)?)
    }

    /// The values of positions, each the own cubes and the other side's.
    pub fn ask(&self, positions: &[(u32, u32)]) -> Result<Vec<Value>, SolveError> {
        if positions.is_empty() {
            return Ok(Vec::new());
        }
        let packed: Vec<u64> = positions.iter().map(|&(own, other)| u64::from(own) | u64::from(other) << 32).collect();
        let (tables, asked) = (self.directory()?, self.stream.clone_htod(&packed)?);
        let answers: CudaSlice<u32> = self.stream.alloc_zeros(positions.len())?;
        let function = self.modules[&Aim::Games].load_function("ask")?;
        let (tables, asked, place) = (self.address(&tables), self.address(&asked), self.address(&answers));
        let count = positions.len() as u32;
        let config = LaunchConfig { grid_dim: (BLOCKS, 1, 1), block_dim: (THREADS, 1, 1), shared_mem_bytes: 0 };
        let mut launch = self.stream.launch_builder(&function);
        launch.arg(&tables).arg(&asked).arg(&count).arg(&place);
        // The kernel reads `count` positions and writes as many answers.
        unsafe { launch.launch(config) }?;
        let value = |answer: u32| match answer & 3 {
            2 => Value::win_in(answer >> 8 & 255),
            1 => Value::Draw,
            _ => Value::loss_in(answer >> 8 & 255),
        };
        Ok(self.stream.clone_dtoh(&answers)?.into_iter().map(value).collect())
    }

    /// Games played by the tables from the empty board, some with many mistakes and some with none: for each position
    /// the push times four plus the value, then 255.
    pub fn play(&self, games: u32, most_plies: u32, seed: u64) -> Result<Vec<u8>, SolveError> {
        let tables = self.directory()?;
        let room = games as usize * (most_plies as usize + 1);
        let lines: CudaSlice<u8> = self.stream.alloc_zeros(room)?;
        let function = self.modules[&Aim::Games].load_function("play")?;
        let (tables, place) = (self.address(&tables), self.address(&lines));
        let config = LaunchConfig { grid_dim: (games.div_ceil(64), 1, 1), block_dim: (64, 1, 1), shared_mem_bytes: 0 };
        let mut launch = self.stream.launch_builder(&function);
        launch.arg(&tables).arg(&games).arg(&most_plies).arg(&seed).arg(&place);
        // The kernel writes a line of at most `most_plies` bytes and one more for each game.
        unsafe { launch.launch(config) }?;
        let padded = self.stream.clone_dtoh(&lines)?;
        let ended = |line: &[u8]| line.iter().position(|&byte| byte == 255).map_or(line.len(), |end| end + 1);
        Ok(padded.chunks(most_plies as usize + 1).flat_map(|line| &line[..ended(line)]).copied().collect())
    }

    /// Up to `each` successors of every position, chosen at random among those that have no line and in which the side to
    /// move cannot win at once, each with its value. A position is the own cubes, the other side's from bit 25, and the
    /// value (2 won, 1 drawn, 0 lost) from bit 50, which is not looked at in what is asked.
    pub fn successors(&self, positions: &[u64], each: u32, seed: u64) -> Result<Vec<u64>, SolveError> {
        if positions.is_empty() {
            return Ok(Vec::new());
        }
        let (tables, asked) = (self.directory()?, self.stream.clone_htod(positions)?);
        let found: CudaSlice<u64> = self.stream.alloc_zeros(positions.len() * each as usize)?;
        let function = self.modules[&Aim::Games].load_function("successors")?;
        let (tables, asked, place) = (self.address(&tables), self.address(&asked), self.address(&found));
        let count = positions.len() as u32;
        let config = LaunchConfig { grid_dim: (BLOCKS, 1, 1), block_dim: (THREADS, 1, 1), shared_mem_bytes: 0 };
        let mut launch = self.stream.launch_builder(&function);
        launch.arg(&tables).arg(&asked).arg(&count).arg(&each).arg(&seed).arg(&place);
        // The kernel reads `count` positions and writes `each` numbers for every one.
        unsafe { launch.launch(config) }?;
        let mut found = self.stream.clone_dtoh(&found)?;
        found.retain(|&position| position != u64::MAX);
        Ok(found)
    }

    /// A position of a class won in just so many plies: the own cubes and the other side's.
    pub fn find_won(&self, pair: Pair, mover: Mover, plies: u32) -> Result<Option<(u32, u32)>, SolveError> {
        let Some(table) = self.solved.get(&(pair, mover)) else { return Ok(None) };
        let Some(depths) = &table.depths else { return Ok(None) };
        let words = pair.row_words(self.board.cells());
        let job = Job {
            words: words as u32,
            rows: self.board.rows(pair) as u32,
            table: self.address(&table.words),
            depths: self.address(depths),
            ..Job::default()
        };
        let found = self.stream.clone_htod(&[u64::MAX])?;
        let place = self.address(&found);
        let function = self.modules[&Aim::Games].load_function("find_won")?;
        let config = LaunchConfig { grid_dim: (BLOCKS, 1, 1), block_dim: (THREADS, 1, 1), shared_mem_bytes: 0 };
        let mut launch = self.stream.launch_builder(&function);
        launch.arg(&job).arg(&plies).arg(&place);
        // The kernel reads the job's table and writes one number.
        unsafe { launch.launch(config) }?;
        let found = self.stream.clone_dtoh(&found)?[0];
        if found == u64::MAX {
            return Ok(None);
        }
        let (row, rank) = (found as usize / (words * 32), found as usize % (words * 32));
        let key = self.board.keys.list(pair.few)[row];
        let rest = Free::new(&self.board.geometry, key).expanded(self.board.row_sets(pair)[rank]);
        Ok(Some(if mover == Mover::Few { (key, rest) } else { (rest, key) }))
    }
}
