//! Quarto by arrays and lists of squares, solved to the end.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::{Checked, Fault, Line, cell, name, require};

/// A win at once; each ply takes one away, so that sooner wins and later losses are better.
const WIN: i32 = 1000;

const EMPTY: u8 = 16;

#[derive(Clone, Copy, PartialEq)]
enum Call {
    Auto,
    Lapse,
    Open,
}

struct Rules {
    lines: Vec<[usize; 4]>,
    attributes: u8,
    call: Call,
    known: HashMap<u128, i32>,
}

#[derive(Clone, Copy)]
struct Board {
    cells: [u8; 16],
    hand: u8,
    last: Option<usize>,
    seat: u8,
}

pub(super) fn check(line: &Line<'_>) -> Result<Checked, Fault> {
    let mut rules = Rules::new(line);
    let mut board = Board::read(line)?;
    let form = rules.form(&board);
    let mut compared = 0;
    for (index, step) in line.steps.iter().enumerate() {
        let found = rules.values(&board);
        rules.check_theme(line, index, &board, &found)?;
        let numbers: Vec<(String, i32)> = found.iter().map(|(action, score)| (action.clone(), plies(*score))).collect();
        let best = found.iter().map(|(_, score)| *score).max().unwrap_or(0);
        let played = found.iter().find(|(action, _)| action == step.played);
        require(played.is_some_and(|(_, score)| *score == best), "the played action is not the best")?;
        compared += numbers.len();
        step.compare(numbers)?;
        if let Some(next) = rules.play(&board, step.played)? {
            board = next;
        } else {
            require(index + 1 == line.steps.len(), "the solution goes on after the end")?;
        }
    }
    Ok(Checked { form, values: compared })
}

impl Board {
    fn read(line: &Line<'_>) -> Result<Board, Fault> {
        let mut cells = [EMPTY; 16];
        for (rank, text) in line.field(0)?.split('/').enumerate() {
            for (column, letter) in text.chars().enumerate() {
                let cell = cells.get_mut((3 - rank.min(3)) * 4 + column.min(3));
                if let (Some(cell), Some(piece)) = (cell, letter.to_digit(16)) {
                    *cell = piece as u8;
                }
            }
        }
        let hand = u8::from_str_radix(line.field(1)?, 16).unwrap_or(EMPTY);
        let seat = line.field(2)?.parse().map_err(|_| Fault("no seat".to_owned()))?;
        let last = match line.field(3)? {
            "-" => None,
            square => cell(square).ok().map(|(column, row)| (4 * row + column) as usize),
        };
        Ok(Board { cells, hand, last, seat })
    }

    fn free(&self) -> impl Iterator<Item = usize> + '_ {
        (0..16).filter(|&square| self.cells[square] == EMPTY)
    }

    fn stock(&self) -> impl Iterator<Item = u8> + '_ {
        (0..16).filter(|piece| !self.cells.contains(piece) && self.hand != *piece)
    }

    fn key(&self) -> u128 {
        let cells = self.cells.iter().fold(0u128, |key, &cell| key << 5 | u128::from(cell));
        let last = self.last.map_or(16, |square| square as u128);
        ((cells << 5 | u128::from(self.hand)) << 5 | last) << 2 | u128::from(self.seat)
    }
}

impl Rules {
    fn new(line: &Line<'_>) -> Rules {
        let mut lines: Vec<[usize; 4]> = Vec::new();
        for n in 0..4 {
            lines.push([4 * n, 4 * n + 1, 4 * n + 2, 4 * n + 3]);
            lines.push([n, n + 4, n + 8, n + 12]);
        }
        lines.push([0, 5, 10, 15]);
        lines.push([3, 6, 9, 12]);
        if line.options.get("squares") == Some(&"yes") {
            for corner in (0..12).filter(|corner| corner % 4 < 3) {
                lines.push([corner, corner + 1, corner + 4, corner + 5]);
            }
        }
        let word = |word: &str| match word {
            "colour" => 8,
            "height" => 4,
            "shape" => 2,
            _ => 1,
        };
        let attributes = line.options.get("attributes").map_or(15, |words| words.split('+').map(word).sum());
        let call = match line.options.get("call") {
            Some(&"lapse") => Call::Lapse,
            Some(&"open") => Call::Open,
            _ => Call::Auto,
        };
        Rules { lines, attributes, call, known: HashMap::new() }
    }

    fn is_row(&self, board: &Board, line: &[usize; 4]) -> bool {
        let pieces = line.map(|square| board.cells[square]);
        if pieces.contains(&EMPTY) {
            return false;
        }
        let ones = pieces.iter().fold(15, |all, piece| all & piece);
        let zeros = pieces.iter().fold(15, |all, piece| all & !piece);
        (ones | zeros) & self.attributes != 0
    }

    /// Whether the seat to act may call a row (QA7, QA8).
    fn callable(&self, board: &Board) -> bool {
        let counts = |line: &&[usize; 4]| match self.call {
            Call::Auto => false,
            Call::Lapse => board.last.is_some_and(|last| line.contains(&last)),
            Call::Open => true,
        };
        self.lines.iter().filter(counts).any(|line| self.is_row(board, line))
    }

    /// The board after a placement, and whether the placement wins by itself (QA6).
    fn placed(&self, board: &Board, square: usize) -> (Board, bool) {
        let mut next = *board;
        next.cells[square] = board.hand;
        (next.hand, next.last) = (EMPTY, Some(square));
        let made = || self.lines.iter().any(|line| line.contains(&square) && self.is_row(&next, line));
        (next, self.call == Call::Auto && made())
    }

    /// Every action with its score for the seat to act.
    fn values(&mut self, board: &Board) -> Vec<(String, i32)> {
        let mut values = Vec::new();
        if self.callable(board) {
            values.push(("!".to_owned(), WIN - 1));
        }
        if board.hand != EMPTY {
            for square in board.free() {
                let (next, won) = self.placed(board, square);
                let score = if won { WIN - 1 } else { earlier(self.score(&next)) };
                values.push((name(square as i32 % 4, square as i32 / 4), score));
            }
        } else if board.free().next().is_none() {
            values.push(("pass".to_owned(), self.after_pass(board)));
        } else {
            for piece in board.stock() {
                let next = Board { hand: piece, seat: 3 - board.seat, ..*board };
                values.push((format!("{piece:x}"), earlier(-self.score(&next))));
            }
        }
        values
    }

    /// Seat 1 places the last piece, so the second pass is seat 2's and ends the game (QA10).
    fn after_pass(&mut self, board: &Board) -> i32 {
        if board.seat == 2 { 0 } else { earlier(-self.score(&Board { seat: 2, ..*board })) }
    }

    fn score(&mut self, board: &Board) -> i32 {
        let full = board.free().next().is_none() && board.hand == EMPTY;
        if full && self.call == Call::Auto {
            return 0;
        }
        let key = board.key();
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let score = if self.callable(board) { WIN - 1 } else { self.best(board) };
        self.known.insert(key, score);
        score
    }

    /// The best score where no row can be called.
    fn best(&mut self, board: &Board) -> i32 {
        let mut best = -WIN;
        if board.hand != EMPTY {
            let mut later = Vec::with_capacity(16);
            for square in board.free() {
                match self.placed(board, square) {
                    (_, true) => return WIN - 1,
                    (next, false) => later.push(next),
                }
            }
            for next in later {
                best = best.max(earlier(self.score(&next)));
            }
        } else if board.free().next().is_none() {
            best = self.after_pass(board);
        } else {
            for piece in board.stock() {
                best = best.max(earlier(-self.score(&Board { hand: piece, seat: 3 - board.seat, ..*board })));
            }
        }
        best
    }

    /// The board after an action; `None` when the game is over.
    fn play(&self, board: &Board, action: &str) -> Result<Option<Board>, Fault> {
        if action == "!" {
            return Ok(None);
        }
        if board.hand == EMPTY {
            let piece = u8::from_str_radix(action, 16).map_err(|_| Fault(format!("{action} is no piece")))?;
            return Ok(Some(Board { hand: piece, seat: 3 - board.seat, ..*board }));
        }
        let (column, row) = cell(action)?;
        let (next, won) = self.placed(board, (4 * row + column) as usize);
        Ok((!won).then_some(next))
    }

    fn check_theme(&self, line: &Line<'_>, ply: usize, board: &Board, found: &[(String, i32)]) -> Result<(), Fault> {
        let best = found.iter().map(|(_, score)| *score).max().unwrap_or(0);
        let equal = found.iter().filter(|(_, score)| *score == best).count();
        let alike = found.iter().filter(|(_, score)| score.signum() == best.signum()).count();
        let at_once = if self.call == Call::Auto { 1 } else { 2 };
        let placing = board.hand != EMPTY;
        let others_lose = || {
            let others = found.iter().filter(|(_, score)| score.signum() != best.signum());
            others.into_iter().all(|(_, score)| *score == -WIN + at_once + 1)
        };
        let holds = match (line.theme, ply) {
            ("win", 0) => placing && equal == 1 && plies(best) == line.plies && line.plies > at_once,
            ("win", _) => plies(best).abs() == line.plies - ply as i32,
            ("row", _) => placing && equal == 1 && plies(best) == 1,
            ("place", _) => placing && alike == 1 && best >= 0,
            ("both", 0) => placing && alike == 1 && best >= 0,
            ("both", _) => !placing && alike == 1 && best >= 0,
            ("give", _) => !placing && alike == 1 && best >= 0 && !others_lose(),
            ("safe", _) => !placing && alike == 1 && best >= 0 && others_lose(),
            ("call", 0) => alike == 1 && best > 0 && plies(best) <= 2,
            ("call", _) => plies(best) == 1,
            _ => false,
        };
        require(holds, &format!("ply {} is not what {} says", ply + 1, line.theme))
    }

    /// The least form of a board under all renamings of squares and pieces that keep the rows.
    fn form(&self, board: &Board) -> String {
        // Finding them takes a tenth of a second, and they depend on the lines alone.
        static SQUARES: [OnceLock<Vec<Vec<usize>>>; 2] = [const { OnceLock::new() }; 2];
        let squares = SQUARES[usize::from(self.lines.len() > 10)].get_or_init(|| {
            let mut squares = Vec::new();
            self.line_maps(&mut Vec::new(), &mut squares);
            squares
        });
        let pieces = self.piece_maps();
        let mut least: Option<[u8; 18]> = None;
        for square_map in squares {
            for piece_map in &pieces {
                let mut form = [EMPTY; 18];
                for (from, &to) in square_map.iter().enumerate() {
                    form[to] = piece_map[usize::from(board.cells[from])];
                }
                form[16] = piece_map[usize::from(board.hand)];
                if let (Some(last), Call::Lapse) = (board.last, self.call) {
                    form[17] = square_map[last] as u8;
                }
                if least.is_none_or(|least| form < least) {
                    least = Some(form);
                }
            }
        }
        let call = match self.call {
            Call::Auto => 'a',
            Call::Lapse => 'l',
            Call::Open => 'o',
        };
        format!("quarto {} {} {call} {:?}", self.attributes, self.lines.len(), least)
    }

    /// All ways to rename squares that map every line to a line.
    fn line_maps(&self, begun: &mut Vec<usize>, maps: &mut Vec<Vec<usize>>) {
        if begun.len() == 16 {
            return maps.push(begun.clone());
        }
        for square in (0..16).filter(|square| !begun.contains(square)).collect::<Vec<_>>() {
            begun.push(square);
            let complete = self.lines.iter().filter(|line| line.iter().max() == Some(&(begun.len() - 1)));
            let kept = complete.into_iter().all(|line| {
                let mut image = line.map(|from| begun[from]);
                image.sort_unstable();
                self.lines.iter().any(|other| {
                    let mut other = *other;
                    other.sort_unstable();
                    other == image
                })
            });
            if kept {
                self.line_maps(begun, maps);
            }
            begun.pop();
        }
    }

    /// All ways to rename pieces: attributes change places, counting ones among themselves, and swap their two values.
    fn piece_maps(&self) -> Vec<[u8; 17]> {
        let mut maps = Vec::new();
        for code in 0..256usize {
            let order = [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6];
            let counts = |bit: usize| self.attributes >> bit & 1;
            let is_order = (0..4).all(|bit| order.contains(&bit) && counts(bit) == counts(order[bit]));
            for flip in (0..16).filter(|_| is_order) {
                let mut map = [EMPTY; 17];
                for (piece, image) in map.iter_mut().take(16).enumerate() {
                    let moved = (0..4).fold(0, |moved, bit| moved | (piece >> bit & 1) << order[bit]);
                    *image = (moved ^ flip) as u8;
                }
                maps.push(map);
            }
        }
        maps
    }
}

/// The score of an action that leads to a position of this score.
fn earlier(score: i32) -> i32 {
    score - score.signum()
}

/// Plies to a win, 0 for a draw, minus the plies to a loss.
fn plies(score: i32) -> i32 {
    match score {
        0 => 0,
        1.. => WIN - score,
        _ => -WIN - score,
    }
}
