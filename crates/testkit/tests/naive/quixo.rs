use std::collections::BTreeMap;

use super::{Naive, name, square};

#[derive(Clone)]
pub(crate) struct Quixo {
    /// Letters by row from the bottom, then column.
    cells: Vec<Vec<char>>,
    seat: usize,
    passes: usize,
    players: usize,
    over: bool,
}

const LETTERS: [char; 4] = ['x', 'o', 'X', 'O'];

impl Quixo {
    fn has_line(&self, letter: char) -> bool {
        let is = |row: usize, column: usize| self.cells[row][column].eq_ignore_ascii_case(&letter);
        (0..5).any(|i| (0..5).all(|j| is(i, j)) || (0..5).all(|j| is(j, i)))
            || (0..5).all(|i| is(i, i))
            || (0..5).all(|i| is(i, 4 - i))
    }

    fn pushes(&self) -> Vec<String> {
        let mut pushes = Vec::new();
        for row in 0..5 {
            for column in 0..5 {
                let border = row % 4 == 0 || column % 4 == 0;
                let letter = self.cells[row][column];
                // QX2, QX6: a blank, or what shows the own letter, case and all.
                if !border || (letter != '.' && letter != LETTERS[self.seat]) {
                    continue;
                }
                for (to_row, to_column) in [(row, 0), (row, 4), (0, column), (4, column)] {
                    if (to_row, to_column) == (row, column) {
                        continue;
                    }
                    let push = name(column as i32, row as i32) + &name(to_column as i32, to_row as i32);
                    match self.players {
                        2 => pushes.push(push),
                        _ => pushes.extend([self.seat % 2 + 1, self.seat % 2 + 3].map(|dot| format!("{push}:{dot}"))),
                    }
                }
            }
        }
        pushes
    }
}

impl Naive for Quixo {
    fn read(options: &BTreeMap<String, String>, text: &str) -> Quixo {
        let fields: Vec<&str> = text.split(' ').collect();
        let cells = fields[0].split('/').rev().map(|rank| rank.chars().collect()).collect();
        let players = options.get("players").map_or(2, |players| players.parse().unwrap());
        let passes = fields.get(2).map_or(0, |passes| passes.parse().unwrap());
        let mut quixo = Quixo { cells, seat: fields[1].parse::<usize>().unwrap() - 1, passes, players, over: false };
        quixo.over = quixo.has_line('x') || quixo.has_line('o') || passes == 4;
        quixo
    }

    fn legal(&self) -> Vec<String> {
        if self.over {
            return Vec::new();
        }
        let pushes = self.pushes();
        if pushes.is_empty() { vec!["pass".to_owned()] } else { pushes }
    }

    fn play(&mut self, action: &str) {
        let mover = self.seat;
        self.seat = (self.seat + 1) % self.players;
        if action == "pass" {
            self.passes += 1;
            self.over = self.passes == 4;
            return;
        }
        self.passes = 0;
        let (push, dot) = action.split_once(':').unwrap_or((action, ""));
        let letter = dot.parse::<usize>().map_or(LETTERS[mover], |dot| LETTERS[dot - 1]);
        let ((from_column, from_row), (to_column, to_row)) = (square(&push[..2]), square(&push[2..]));
        // The line is a list: take one out, put it back at an end.
        let line: Vec<(usize, usize)> = if from_row == to_row {
            (0..5).map(|column| (from_row as usize, column)).collect()
        } else {
            (0..5).map(|row| (row, from_column as usize)).collect()
        };
        let along = |column: i32, row: i32| if from_row == to_row { column as usize } else { row as usize };
        let mut cubes: Vec<char> = line.iter().map(|&(row, column)| self.cells[row][column]).collect();
        cubes.remove(along(from_column, from_row));
        cubes.insert(along(to_column, to_row), letter);
        line.iter().zip(cubes).for_each(|(&(row, column), cube)| self.cells[row][column] = cube);
        self.over = self.has_line('x') || self.has_line('o');
    }
}
