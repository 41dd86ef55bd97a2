//! Solving a pair of classes on the processor.
//!
//! Lines first: a line of the side to move wins, else a line of the other loses. Then the moves that take a blank, which
//! lead to pairs that are solved. Then pass after pass over what is open, through the moves that take an own cube, until
//! nothing changes; what is left is drawn. With depths, pass n finds just what is decided in n plies.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::class::{MOST_PLIES, Mover, Pair, Table};
use crate::row::{Board, Free, Lane};

/// The tables of a pair, by who is to move: [`Mover::Few`] first.
pub(crate) type Tables = [Table; 2];

/// Whether the plies to the end are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depths {
    /// Only who wins.
    No,
    /// In how many plies as well.
    Yes,
}

/// Some game takes more than [`MOST_PLIES`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct TooDeep;

/// What is known of a table while its pair is being solved.
struct Work {
    table: Table,
    /// A bit for each position that cannot be lost: some blank leads to one that is not won for the other side.
    safe: Vec<u32>,
    /// What the present pass has decided.
    fresh: Vec<u64>,
    /// For each row, the last pass that decided something in it.
    changed: Vec<AtomicU32>,
}

/// Solves a pair. `above` gives the table that taking a blank leads to.
///
/// `None` when `stop` was set meanwhile.
pub(crate) fn solve_pair<'a>(
    board: &Board,
    pair: Pair,
    depths: Depths,
    above: &dyn Fn(Pair, Mover) -> Option<&'a Table>,
    threads: usize,
    stop: &AtomicBool,
) -> Option<Result<Tables, TooDeep>> {
    let sets = board.row_sets(pair);
    let mut solver = PairSolver { board, pair, sets: &sets, depths, threads, stop, targets: Vec::new() };
    if sets.len() == 1 {
        solver.targets = solver.find_targets();
    }
    let latest = AtomicU32::new(0);
    let mut work = Mover::BOTH.map(|_| solver.empty());
    for mover in Mover::BOTH.into_iter().rev() {
        let index = mover as usize;
        match pair.after_blank(mover) {
            Some((next, then)) => solver.look_above(mover, &mut work[index], above(next, then), &latest),
            None => solver.turn_around(&mut work),
        }
    }
    let last = solver.finish(&mut work, latest.into_inner())?;
    if depths == Depths::Yes && last > MOST_PLIES { Some(Err(TooDeep)) } else { Some(Ok(work.map(|work| work.table))) }
}

struct PairSolver<'a> {
    board: &'a Board,
    pair: Pair,
    sets: &'a [u32],
    depths: Depths,
    threads: usize,
    stop: &'a AtomicBool,
    /// On full boards, where a row is one position and finding its way takes longer than the way: for each row and push
    /// the row it leads to. Otherwise empty.
    targets: Vec<u32>,
}

/// A row's part of a table in the making.
struct Row<'a> {
    number: usize,
    words: &'a mut [u64],
    safe: &'a mut [u32],
    fresh: &'a mut [u64],
    depths: &'a mut [u8],
}

impl PairSolver<'_> {
    fn row_words(&self) -> usize {
        self.pair.row_words(self.board.cells())
    }

    fn empty(&self) -> Work {
        let rows = self.board.rows(self.pair);
        let words = rows * self.row_words();
        let bytes = if self.depths == Depths::Yes { words * 32 } else { 0 };
        Work {
            table: Table { words: vec![0; words], depths: vec![0; bytes] },
            safe: vec![0; words],
            fresh: vec![0; words],
            changed: (0..rows).map(|_| AtomicU32::new(0)).collect(),
        }
    }

    /// The row to which taking an own cube leads.
    fn target(&self, row: usize, key: u32, push: usize) -> usize {
        match self.targets.get(row * self.board.geometry.pushes.len() + push) {
            Some(&there) => there as usize,
            None => self.board.keys.find(self.board.geometry.pushed(key, push)).0 as usize,
        }
    }

    fn find_targets(&self) -> Vec<u32> {
        let keys = self.board.keys.list(self.pair.few);
        let pushes = self.board.geometry.pushes.len();
        let mut targets = vec![0; keys.len() * pushes];
        let share = keys.len().div_ceil(self.threads).max(1);
        std::thread::scope(|scope| {
            for (keys, targets) in keys.chunks(share).zip(targets.chunks_mut(share * pushes)) {
                scope.spawn(move || {
                    for (&key, targets) in keys.iter().zip(targets.chunks_mut(pushes)) {
                        for (push, target) in targets.iter_mut().enumerate() {
                            *target = self.board.keys.find(self.board.geometry.pushed(key, push)).0;
                        }
                    }
                });
            }
        });
        targets
    }

    /// Does something to every row, on all threads.
    fn each_row(&self, work: &mut Work, visit: impl Fn(Row<'_>) + Sync) {
        let words = self.row_words();
        let bytes = if self.depths == Depths::Yes { words * 32 } else { 0 };
        let mut depths: &mut [u8] = &mut work.table.depths;
        let rows =
            work.table.words.chunks_mut(words).zip(work.safe.chunks_mut(words)).zip(work.fresh.chunks_mut(words));
        let rows = rows.enumerate().map(|(number, ((words, safe), fresh))| {
            let (first, rest) = std::mem::take(&mut depths).split_at_mut(bytes);
            depths = rest;
            Row { number, words, safe, fresh, depths: first }
        });
        let rows = Mutex::new(rows);
        let work_through = || {
            while !self.stop.load(Ordering::Relaxed) {
                let next = rows.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).next();
                let Some(row) = next else { break };
                visit(row);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(work_through);
            }
            work_through();
        });
    }

    /// Lines, and the moves that take a blank.
    fn look_above(&self, mover: Mover, work: &mut Work, above: Option<&Table>, latest: &AtomicU32) {
        let next = self.pair.after_blank(mover).map(|(next, _)| next);
        self.each_row(work, |mut row| {
            let key = self.board.keys.list(self.pair.few)[row.number];
            self.mark_lines(mover, key, &mut row);
            let mut seen = vec![Seen::default(); if self.depths == Depths::Yes { self.sets.len() } else { 0 }];
            if let (Some(next), Some(above)) = (next, above) {
                for push in 0..self.board.geometry.pushes.len() {
                    if key >> self.board.geometry.pushes[push].gap & 1 == 0 {
                        let lane = Lane::new(self.board, key, push, mover, self.sets.len());
                        self.look_along(&lane, next, above, &mut row, &mut seen);
                    }
                }
            }
            self.keep_seen(&mut row, &seen, latest);
        });
    }

    fn mark_lines(&self, mover: Mover, key: u32, row: &mut Row<'_>) {
        let geometry = &self.board.geometry;
        let free = Free::new(geometry, key);
        let lines: Vec<u32> =
            geometry.lines.iter().filter(|&&line| line & key == 0).map(|&line| free.compressed(line)).collect();
        let key_has = geometry.has_line(key);
        for (place, &set) in self.sets.iter().enumerate() {
            let rest_has = lines.iter().any(|&line| line & !set == 0);
            let (own_has, other_has) = if mover == Mover::Few { (key_has, rest_has) } else { (rest_has, key_has) };
            if own_has || other_has {
                let half = if own_has { 0 } else { 32 };
                row.words[place / 32] |= 1 << (place % 32 + half);
            }
        }
    }

    /// What a blank's move says of every position of a row.
    fn look_along(&self, lane: &Lane, next: Pair, above: &Table, row: &mut Row<'_>, seen: &mut [Seen]) {
        let ranks = &self.board.ranks[next.many as usize];
        let first = lane.row * next.row_words(self.board.cells());
        for word in 0..row.words.len() {
            for (place, set) in self.open(row.words[word], word) {
                if set & lane.gap != 0 {
                    continue;
                }
                let rank = ranks.of(lane.image(set));
                let bits = above.words[first + rank as usize / 32] >> (rank % 32);
                if bits & 1 == 0 {
                    row.safe[word] |= 1 << (place % 32);
                }
                if self.depths == Depths::Yes {
                    seen[place].look(bits, above.depths[first * 32 + rank as usize]);
                } else {
                    row.words[word] |= (bits >> 32 & 1) << (place % 32);
                }
            }
        }
    }

    /// Notes in a row's bytes when the moves that take a blank decide: for a safe position when they win, 0 if they do
    /// not; for another the earliest ply at which it can be lost. Read again in the passes.
    fn keep_seen(&self, row: &mut Row<'_>, seen: &[Seen], latest: &AtomicU32) {
        for (place, seen) in seen.iter().enumerate() {
            let word = row.words[place / 32] >> (place % 32);
            if word & (1 << 32 | 1) != 0 {
                continue;
            }
            let safe = row.safe[place / 32] >> (place % 32) & 1 == 1;
            let plies = if safe { seen.win } else { seen.loss };
            row.depths[place] = plies.min(MOST_PLIES) as u8;
            latest.fetch_max(plies, Ordering::Relaxed);
        }
    }

    /// The open positions of a word, with their sets.
    fn open(&self, word: u64, number: usize) -> impl Iterator<Item = (usize, u32)> {
        let (from, to) = (number * 32, self.sets.len().min(number * 32 + 32));
        let mut left = !(word | word >> 32) as u32 & (u32::MAX >> (32 - (to - from)));
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some((from + bit, self.sets[from + bit]))
        })
    }

    /// Where both sides have as many cubes, the first look at one table gives that at the other.
    fn turn_around(&self, work: &mut [Work; 2]) {
        let [few, many] = work;
        let words = self.row_words();
        self.each_row(few, |row| {
            let key = self.board.keys.list(self.pair.few)[row.number];
            let free = Free::new(&self.board.geometry, key);
            for (place, &set) in self.sets.iter().enumerate() {
                // The key is the mover's own here; in the kept table the other side's is.
                let (there, turn) = self.board.keys.find(free.expanded(set));
                let after = Free::new(&self.board.geometry, self.board.keys.list(self.pair.few)[there as usize]);
                let rank = self.board.ranks[self.pair.many as usize]
                    .of(after.compressed(self.board.geometry.turned(key, turn))) as usize;
                let from = there as usize * words + rank / 32;
                let bits = many.table.words[from] >> (rank % 32) & (1 << 32 | 1);
                row.words[place / 32] |= bits << (place % 32);
                row.safe[place / 32] |= (many.safe[from] >> (rank % 32) & 1) << (place % 32);
                if self.depths == Depths::Yes {
                    row.depths[place] = many.table.depths[there as usize * words * 32 + rank];
                }
            }
        });
    }

    /// Pass after pass until nothing changes; the last pass that decided something.
    ///
    /// `latest` is the last ply at which a blank's move decides.
    fn finish(&self, work: &mut [Work; 2], latest: u32) -> Option<u32> {
        let mut last = latest;
        for pass in 1.. {
            let mut changed = false;
            let [few, many] = &mut *work;
            match self.depths {
                // What is found is used at once: fewer passes.
                Depths::No => {
                    changed |= self.pass(Mover::Few, few, many, pass, pass - 1) && self.settle(few);
                    changed |= self.pass(Mover::Many, many, few, pass, pass) && self.settle(many);
                }
                Depths::Yes => {
                    let found = [
                        self.pass(Mover::Few, few, many, pass, pass - 1),
                        self.pass(Mover::Many, many, few, pass, pass - 1),
                    ];
                    changed |= found[0] && self.settle(few);
                    changed |= found[1] && self.settle(many);
                }
            }
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            if changed {
                last = last.max(pass);
            } else if self.depths == Depths::No || pass > latest {
                break;
            }
        }
        if self.depths == Depths::Yes {
            for work in work {
                self.forget_open(work);
            }
        }
        Some(last)
    }

    /// One pass over the open positions of a table; whether it decided any.
    ///
    /// Only rows that lead to a row changed in pass `news` are looked at again.
    fn pass(&self, mover: Mover, work: &mut Work, partner: &Work, pass: u32, news: u32) -> bool {
        let changed = std::mem::take(&mut work.changed);
        let found = AtomicBool::new(false);
        self.each_row(work, |mut row| {
            if row.words.iter().enumerate().all(|(number, &word)| self.open(word, number).next().is_none()) {
                return;
            }
            let key = self.board.keys.list(self.pair.few)[row.number];
            let pushes: Vec<usize> = (0..self.board.geometry.pushes.len())
                .filter(|&push| {
                    let held = key >> self.board.geometry.pushes[push].gap & 1 == 1;
                    held == (mover == Mover::Few)
                })
                .collect();
            let has_news = |&push: &usize| {
                let there = self.target(row.number, key, push);
                partner.changed[there].load(Ordering::Relaxed) >= news
            };
            // With depths a blank's move may decide at any ply.
            let noted = || (0..row.words.len()).any(|word| self.is_due(&row, word, pass));
            if pass > 1 && !pushes.iter().any(has_news) && !noted() {
                return;
            }
            let lane = |&push: &usize| match self.targets.is_empty() {
                true => Lane::new(self.board, key, push, mover, self.sets.len()),
                false => Lane::full(self.target(row.number, key, push)),
            };
            let lanes: Vec<Lane> = pushes.iter().map(lane).collect();
            let mut any = false;
            for word in 0..row.words.len() {
                any |= self.decide(word, &lanes, partner, pass, &mut row);
            }
            if any {
                changed[row.number].store(pass, Ordering::Relaxed);
                found.store(true, Ordering::Relaxed);
            }
        });
        work.changed = changed;
        found.into_inner()
    }

    /// Whether an open position of a word was noted for this pass.
    fn is_due(&self, row: &Row<'_>, word: usize, pass: u32) -> bool {
        self.depths == Depths::Yes
            && self.open(row.words[word], word).any(|(place, _)| u32::from(row.depths[place]) == pass)
    }

    /// Decides what can be decided in a word; whether that was anything.
    fn decide(&self, number: usize, lanes: &[Lane], partner: &Work, pass: u32, row: &mut Row<'_>) -> bool {
        let ranks = &self.board.ranks[self.pair.many as usize];
        let words = self.row_words();
        let mut fresh = 0u64;
        for (place, set) in self.open(row.words[number], number) {
            let (mut wins, mut loses) = (false, row.safe[number] >> (place % 32) & 1 == 0);
            let noted = row.depths.get(place).copied();
            let safe = !loses;
            loses &= noted.is_none_or(|noted| u32::from(noted) <= pass);
            for lane in lanes {
                if lane.gap != 0 && set & lane.gap == 0 {
                    continue;
                }
                let rank = ranks.of(lane.image(set)) as usize;
                let bits = partner.table.words[lane.row * words + rank / 32] >> (rank % 32);
                wins |= bits >> 32 & 1 == 1;
                loses &= bits & 1 == 1;
                if wins {
                    break;
                }
            }
            wins |= safe && noted.is_some_and(|noted| u32::from(noted) == pass);
            if wins || loses {
                fresh |= 1 << (place % 32 + if wins { 0 } else { 32 });
                if noted.is_some() {
                    row.depths[place] = pass as u8;
                }
            }
        }
        row.fresh[number] = fresh;
        fresh != 0
    }

    /// Takes over what a pass has decided.
    fn settle(&self, work: &mut Work) -> bool {
        for (word, fresh) in work.table.words.iter_mut().zip(&mut work.fresh) {
            *word |= std::mem::take(fresh);
        }
        true
    }

    /// What is still open is drawn, whatever was noted.
    fn forget_open(&self, work: &mut Work) {
        self.each_row(work, |row| {
            for (number, &word) in row.words.iter().enumerate() {
                for (place, _) in self.open(word, number) {
                    row.depths[place] = 0;
                }
            }
        });
    }
}

/// What the moves that take a blank say of a position: the soonest win, 0 for none, and the latest loss.
#[derive(Clone, Copy, Default)]
struct Seen {
    win: u32,
    loss: u32,
}

impl Seen {
    fn look(&mut self, bits: u64, plies: u8) {
        let plies = u32::from(plies) + 1;
        if bits >> 32 & 1 == 1 {
            self.win = if self.win == 0 { plies } else { self.win.min(plies) };
        } else if bits & 1 == 1 {
            self.loss = self.loss.max(plies);
        }
    }
}
