use std::collections::BTreeMap;

use super::{Naive, name, square};

type Cell = (i32, i32);

#[derive(Clone)]
pub(crate) struct Four {
    size: i32,
    target: i32,
    stones: BTreeMap<Cell, usize>,
    seat: usize,
    opening: bool,
    left: i32,
    points: [i32; 2],
    reserves: [i32; 2],
    quiet: i32,
    passes: i32,
    /// Movements made in this turn, as far as the position text tells.
    made: i32,
    hit: bool,
    /// Movements of the first main turn (FO11).
    first: i32,
    /// Whether only the first three movements of a turn earn more (FO12).
    three: bool,
}

impl Four {
    fn count(&self, seat: usize) -> usize {
        self.stones.values().filter(|owner| **owner == seat).count()
    }

    fn on_board(&self, (column, row): Cell) -> bool {
        (0..self.size).contains(&column) && (0..self.size).contains(&row)
    }

    /// The enemy stones surrounded anew by the stone that has just come to `at` (FO2–FO4).
    fn captured(&self, at: Cell) -> Vec<Cell> {
        let enemies = self.stones.iter().filter(|(_, owner)| **owner != self.seat).map(|(cell, _)| *cell);
        enemies
            .filter(|&centre| (1..self.size).any(|d| self.figures(centre, d).iter().any(|f| self.closes(f, at))))
            .collect()
    }

    fn closes(&self, corners: &[Cell], at: Cell) -> bool {
        corners.contains(&at) && corners.iter().all(|corner| self.stones.get(corner) == Some(&self.seat))
    }

    /// The corners needed around a centre at distance d: one list per kind of square that is possible there.
    fn figures(&self, (x, y): Cell, d: i32) -> Vec<Vec<Cell>> {
        let end = self.size - 1;
        let sides = usize::from(x == 0) + usize::from(x == end) + usize::from(y == 0) + usize::from(y == end);
        let on = |cells: [Cell; 4]| cells.into_iter().filter(|cell| self.on_board(*cell)).collect::<Vec<_>>();
        let orthogonal = on([(x - d, y), (x + d, y), (x, y - d), (x, y + d)]);
        let diagonal = on([(x - d, y - d), (x - d, y + d), (x + d, y - d), (x + d, y + d)]);
        let (need_orthogonal, need_diagonal) = match sides {
            0 => (4, 4),
            1 => (3, 2),
            _ => (2, 9),
        };
        let mut figures = Vec::new();
        if orthogonal.len() == need_orthogonal {
            figures.push(orthogonal);
        }
        if diagonal.len() == need_diagonal {
            figures.push(diagonal);
        }
        figures
    }

    fn over(&self) -> bool {
        let must_place = self.opening || self.count(self.seat) < 10;
        (self.target > 0 && self.points.iter().any(|points| *points >= self.target))
            || (must_place && self.reserves[self.seat] == 0)
            || self.quiet >= 60
            || self.passes >= 2
    }

    fn placements(&self) -> Vec<String> {
        let mut placements = Vec::new();
        let cells = (0..self.size).flat_map(|row| (0..self.size).map(move |column| (column, row)));
        for (column, row) in cells.filter(|cell| !self.stones.contains_key(cell)) {
            let mut after = self.clone();
            after.stones.insert((column, row), self.seat);
            let captured = after.captured((column, row));
            if self.opening && captured.len() > 1 {
                placements.extend(captured.iter().map(|&(x, y)| format!("{}x{}", name(column, row), name(x, y))));
            } else {
                placements.push(name(column, row));
            }
        }
        placements
    }

    fn slides(&self) -> Vec<String> {
        let mut slides = Vec::new();
        for (&(column, row), _) in self.stones.iter().filter(|(_, owner)| **owner == self.seat) {
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                let mut to = (column + dx, row + dy);
                while self.on_board(to) && !self.stones.contains_key(&to) {
                    slides.push(format!("{}-{}", name(column, row), name(to.0, to.1)));
                    to = (to.0 + dx, to.1 + dy);
                }
            }
        }
        slides
    }

    fn take(&mut self, cells: &[Cell]) {
        for cell in cells {
            self.stones.remove(cell);
            self.points[self.seat] += 1;
        }
    }

    fn hand_over(&mut self) {
        self.seat = 1 - self.seat;
        (self.left, self.made, self.hit) = (4, 0, false);
    }

    fn end_turn(&mut self) {
        self.quiet = if self.hit { 0 } else { self.quiet + 1 };
        self.hand_over();
    }

    fn place(&mut self, action: &str) {
        let (at, named) = action.split_once('x').map_or((action, None), |(at, named)| (at, Some(square(named))));
        let at = square(at);
        self.stones.insert(at, self.seat);
        self.reserves[self.seat] -= 1;
        let captured = named.map_or_else(|| self.captured(at), |named| vec![named]);
        self.take(&captured);
        (self.quiet, self.passes) = (0, 0);
        if !self.opening {
            return self.hand_over();
        }
        let ten = |seat: usize| self.count(seat) >= 10;
        if ten(0) && ten(1) {
            self.opening = false;
            self.hand_over();
            self.left = self.first;
        } else if !ten(1 - self.seat) {
            self.seat = 1 - self.seat;
        }
    }
}

impl Naive for Four {
    fn read(options: &BTreeMap<String, String>, text: &str) -> Four {
        let fields: Vec<&str> = text.split(' ').collect();
        let size: i32 = options.get("size").map_or(19, |size| size.parse().unwrap());
        let usual = BTreeMap::from([(9, 10), (13, 15), (19, 30)])[&size];
        let mut stones = BTreeMap::new();
        for (row, rank) in fields[0].split('/').rev().enumerate() {
            let (mut column, mut run) = (0, 0);
            for letter in rank.chars() {
                if let Some(digit) = letter.to_digit(10) {
                    run = run * 10 + digit as i32;
                    continue;
                }
                column += run;
                run = 0;
                stones.insert((column, row as i32), usize::from(letter == 'o'));
                column += 1;
            }
        }
        let pair = |text: &str| {
            let (first, second) = text.split_once(',').unwrap();
            [first.parse().unwrap(), second.parse().unwrap()]
        };
        Four {
            size,
            target: options.get("target").map_or(usual, |target| target.parse().unwrap()),
            stones,
            seat: fields[1].parse::<usize>().unwrap() - 1,
            opening: fields[2] == "opening",
            left: fields[2].parse().unwrap_or(4),
            points: pair(fields[3]),
            reserves: pair(fields[4]),
            quiet: fields[5].parse().unwrap(),
            passes: fields[6].parse().unwrap(),
            made: if fields[7] == "moved" { 1 } else { fields[7].parse().unwrap_or(0) },
            hit: fields[8] == "hit",
            first: options.get("first").map_or(4, |first| first.parse().unwrap()),
            three: options.get("bonus").is_some_and(|bonus| bonus == "three"),
        }
    }

    fn legal(&self) -> Vec<String> {
        if self.over() {
            return Vec::new();
        }
        let own = self.count(self.seat);
        let mut legal = Vec::new();
        if self.opening || (self.made == 0 && own < 20 && self.reserves[self.seat] > 0) {
            legal.extend(self.placements());
        }
        if !self.opening && own >= 10 {
            legal.extend(self.slides());
        }
        if self.made > 0 {
            legal.push("end".to_owned());
        }
        if legal.is_empty() {
            legal.push("pass".to_owned());
        }
        legal
    }

    fn play(&mut self, action: &str) {
        if let Some((from, to)) = action.split_once('-') {
            self.stones.remove(&square(from));
            self.stones.insert(square(to), self.seat);
            let captured = self.captured(square(to));
            self.take(&captured);
            self.passes = 0;
            self.made += 1;
            self.hit |= !captured.is_empty();
            self.left -= 1;
            if self.left == 0 {
                self.end_turn();
            } else if !self.three || self.made <= 3 {
                self.left += captured.len() as i32;
            }
        } else if action == "end" {
            self.end_turn();
        } else if action == "pass" {
            self.passes += 1;
            self.end_turn();
        } else {
            self.place(action);
        }
    }
}
