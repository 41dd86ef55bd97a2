use std::collections::BTreeMap;

use super::{Naive, name, square};

#[derive(Clone)]
pub(crate) struct Quarto {
    /// Pieces by column and row.
    pieces: BTreeMap<(i32, i32), u32>,
    hand: Option<u32>,
    last: Option<(i32, i32)>,
    seat: u32,
    over: bool,
    /// Bits of the attributes that make rows.
    counting: Vec<u32>,
    squares: bool,
    call: String,
    /// Squares of the row or rows that may be called.
    callable: bool,
}

impl Quarto {
    fn lines(&self) -> Vec<Vec<(i32, i32)>> {
        let mut lines: Vec<Vec<(i32, i32)>> = Vec::new();
        for i in 0..4 {
            lines.push((0..4).map(|j| (i, j)).collect());
            lines.push((0..4).map(|j| (j, i)).collect());
        }
        lines.push((0..4).map(|i| (i, i)).collect());
        lines.push((0..4).map(|i| (i, 3 - i)).collect());
        if self.squares {
            for column in 0..3 {
                lines.extend(
                    (0..3).map(|row| vec![(column, row), (column + 1, row), (column, row + 1), (column + 1, row + 1)]),
                );
            }
        }
        lines
    }

    /// Whether a row stands, among all lines or those through a square.
    fn has_row(&self, through: Option<(i32, i32)>) -> bool {
        self.lines().iter().filter(|line| through.is_none_or(|square| line.contains(&square))).any(|line| {
            let pieces: Vec<u32> = line.iter().filter_map(|square| self.pieces.get(square).copied()).collect();
            let alike = |bit: &u32| pieces.iter().all(|piece| piece & bit == pieces[0] & bit);
            pieces.len() == 4 && self.counting.iter().any(alike)
        })
    }

    fn judge(&mut self) {
        match self.call.as_str() {
            "lapse" => self.callable = self.last.is_some() && self.has_row(self.last),
            "open" => self.callable = self.has_row(None),
            _ => self.over = self.has_row(None) || self.pieces.len() == 16,
        }
    }
}

impl Naive for Quarto {
    fn read(options: &BTreeMap<String, String>, text: &str) -> Quarto {
        let option = |name: &str, default: &str| options.get(name).map_or(default, String::as_str).to_owned();
        let fields: Vec<&str> = text.split(' ').collect();
        let mut pieces = BTreeMap::new();
        for (row, rank) in fields[0].split('/').rev().enumerate() {
            for (column, cell) in rank.chars().enumerate().filter(|(_, cell)| *cell != '.') {
                pieces.insert((column as i32, row as i32), cell.to_digit(16).unwrap());
            }
        }
        let attributes = option("attributes", "colour+height+shape+top");
        let bit = |name: &str| match name {
            "colour" => 8,
            "height" => 4,
            "shape" => 2,
            _ => 1,
        };
        let mut quarto = Quarto {
            pieces,
            hand: u32::from_str_radix(fields[1], 16).ok(),
            last: (fields[3] != "-").then(|| square(fields[3])),
            seat: fields[2].trim_end_matches('!').parse().unwrap_or(1),
            over: false,
            counting: attributes.split('+').map(bit).collect(),
            squares: option("squares", "no") == "yes",
            call: option("call", "auto"),
            callable: false,
        };
        quarto.judge();
        quarto.over |= fields[2].ends_with('!') || fields[2] == "-";
        quarto
    }

    fn legal(&self) -> Vec<String> {
        if self.over {
            return Vec::new();
        }
        let mut legal = Vec::new();
        if self.callable {
            legal.push("!".to_owned());
        }
        if self.hand.is_some() {
            let all = (0..4).flat_map(|row| (0..4).map(move |column| (column, row)));
            let empty = all.filter(|square| !self.pieces.contains_key(square));
            legal.extend(empty.map(|(column, row)| name(column, row)));
        } else if self.pieces.len() == 16 {
            legal.push("pass".to_owned());
        } else {
            let free = (0..16).filter(|piece| !self.pieces.values().any(|used| used == piece));
            legal.extend(free.map(|piece| format!("{piece:x}")));
        }
        legal
    }

    fn play(&mut self, action: &str) {
        match action {
            "!" => self.over = true,
            // QA10: the placer of the last piece is seat 1, for seat 2 placed the first.
            "pass" if self.seat == 1 => self.seat = 2,
            "pass" => self.over = true,
            _ if action.len() == 1 => {
                self.hand = u32::from_str_radix(action, 16).ok();
                self.seat = 3 - self.seat;
            }
            _ => {
                let piece = self.hand.take().unwrap();
                self.pieces.insert(square(action), piece);
                self.last = Some(square(action));
                self.judge();
            }
        }
    }
}
