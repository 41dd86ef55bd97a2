//! Four by a plain array of cells; `four_turn` looks through the movements of a turn.

use super::four_turn::{Earning, Stones, Turns};
use super::{Checked, Fault, Line, cell, name, require};

type Cell = (i32, i32);

#[derive(Clone)]
struct Board {
    size: i32,
    /// 0 empty, 1 the solver's stone, 2 the opponent's.
    cells: Vec<u8>,
    left: i32,
    /// Whether the turn has had a movement.
    moved: bool,
    reserve: [i32; 2],
    /// Captures up to which the game goes on.
    room: i32,
}

pub(super) fn check(line: &Line<'_>) -> Result<Checked, Fault> {
    let board = Board::read(line)?;
    // 128 bits for 9 × 9 cells, twice as many for 13 × 13, three times as many for 19 × 19.
    match board.size {
        9 => check_board::<1>(line, board),
        13 => check_board::<2>(line, board),
        _ => check_board::<3>(line, board),
    }
}

fn check_board<const N: usize>(line: &Line<'_>, mut board: Board) -> Result<Checked, Fault> {
    let form = board.form();
    let mut turns = Turns::<N>::new(board.size, Earning::Movements);
    let mut compared = 0;
    let first = board.left;
    for (index, step) in line.steps.iter().enumerate() {
        let found = match line.theme {
            "escape" => board.threats(),
            _ => board.values(&mut turns),
        };
        let best = found.iter().map(|(_, value)| *value).max().unwrap_or(0);
        let right: Vec<&str> =
            found.iter().filter(|(_, value)| *value == best).map(|(action, _)| action.as_str()).collect();
        require(right.contains(&step.played), "the played action is not the best")?;
        if index == 0 {
            require(line.theme == "escape" || best < board.room, "the game might end within the turn")?;
            board.check_theme::<N>(line, first, best, &right, &found)?;
        }
        compared += found.len();
        step.compare(found.clone())?;
        if step.played.contains('-') {
            board = board.moved(cell_pair(step.played)?).0;
        }
        require(board.left > 0 || index + 1 == line.steps.len(), "the solution goes on after the turn")?;
    }
    require(line.plies == line.steps.len() as i32, "the number of plies is wrong")?;
    Ok(Checked { form, values: compared })
}

impl Board {
    fn read(line: &Line<'_>) -> Result<Board, Fault> {
        let bad = |what: &str| Fault(format!("cannot read the {what}"));
        let size: i32 = line.options.get("size").map_or(Ok(19), |size| size.parse()).map_err(|_| bad("size"))?;
        require([9, 13, 19].contains(&size), "the board has another size")?;
        require(line.options.keys().all(|option| *option == "size"), "an option that the checker does not know")?;
        let solver = line.field(1)?;
        let mut cells = Vec::new();
        for rank in line.field(0)?.split('/').rev() {
            let mut run = 0;
            for letter in rank.chars().chain(['$']) {
                if let Some(digit) = letter.to_digit(10) {
                    run = run * 10 + digit;
                    continue;
                }
                cells.extend(std::iter::repeat_n(0, run as usize));
                run = 0;
                match letter {
                    'x' => cells.push(if solver == "1" { 1 } else { 2 }),
                    'o' => cells.push(if solver == "2" { 1 } else { 2 }),
                    _ => {}
                }
            }
        }
        require(cells.len() as i32 == size * size, "the board has another size")?;
        let pair = |field: &str| -> Result<[i32; 2], Fault> {
            let (one, two) = field.split_once(',').ok_or_else(|| bad("numbers"))?;
            let pair = [one.parse().map_err(|_| bad("numbers"))?, two.parse().map_err(|_| bad("numbers"))?];
            Ok(if solver == "1" { pair } else { [pair[1], pair[0]] })
        };
        let target = match size {
            9 => 10,
            13 => 15,
            _ => 30,
        };
        Ok(Board {
            size,
            cells,
            left: line.field(2)?.parse().map_err(|_| bad("movements left"))?,
            moved: line.field(7)? != "-",
            reserve: pair(line.field(4)?)?,
            room: target - pair(line.field(3)?)?[0],
        })
    }

    fn at(&self, (column, row): Cell) -> Option<u8> {
        let on = (0..self.size).contains(&column) && (0..self.size).contains(&row);
        on.then(|| self.cells[(row * self.size + column) as usize])
    }

    fn set(&mut self, (column, row): Cell, stone: u8) {
        self.cells[(row * self.size + column) as usize] = stone;
    }

    fn all(&self) -> impl Iterator<Item = Cell> + use<> {
        let size = self.size;
        (0..size * size).map(move |index| (index % size, index / size))
    }

    fn of(&self, stone: u8) -> Vec<Cell> {
        self.all().filter(|at| self.at(*at) == Some(stone)).collect()
    }

    /// Whether stones of `seat` stand on every corner of the square around `centre` that has `corner` as one (FO2, FO3).
    fn closed(&self, seat: u8, centre: Cell, corner: Cell) -> bool {
        let (dx, dy) = (corner.0 - centre.0, corner.1 - centre.1);
        let orthogonal = dx == 0 || dy == 0;
        if !orthogonal && dx.abs() != dy.abs() {
            return false;
        }
        let end = self.size - 1;
        let sides = i32::from(centre.0 == 0 || centre.0 == end) + i32::from(centre.1 == 0 || centre.1 == end);
        let needed = match (sides, orthogonal) {
            (0, _) => 4,
            (1, true) => 3,
            (1, false) | (2, true) => 2,
            _ => return false,
        };
        // A quarter turn takes each corner to the next.
        let corners = [(dx, dy), (-dy, dx), (-dx, -dy), (dy, -dx)].map(|(x, y)| (centre.0 + x, centre.1 + y));
        let mut standing = 0;
        for at in corners {
            match self.at(at) {
                Some(stone) if stone == seat => standing += 1,
                Some(_) => return false,
                None => {}
            }
        }
        standing == needed
    }

    /// The board after a stone of the solver has come to `to`, and what it captured.
    fn arrived(&self, from: Option<Cell>, to: Cell) -> (Board, i32) {
        let mut next = self.clone();
        if let Some(from) = from {
            next.set(from, 0);
        }
        next.set(to, 1);
        let captured: Vec<Cell> = next.of(2).into_iter().filter(|centre| next.closed(1, *centre, to)).collect();
        captured.iter().for_each(|centre| next.set(*centre, 0));
        (next, captured.len() as i32)
    }

    fn moved(&self, (from, to): (Cell, Cell)) -> (Board, i32) {
        let (mut next, captured) = self.arrived(Some(from), to);
        next.moved = true;
        next.left -= 1;
        if next.left > 0 {
            next.left += captured;
        }
        (next, captured)
    }

    fn slides(&self) -> Vec<(Cell, Cell)> {
        let mut slides = Vec::new();
        for from in self.of(1) {
            for (dx, dy) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
                let mut to = (from.0 + dx, from.1 + dy);
                while self.at(to) == Some(0) {
                    slides.push((from, to));
                    to = (to.0 + dx, to.1 + dy);
                }
            }
        }
        slides
    }

    /// The most that a single stone of the solver captures by moving or by being placed.
    fn one_stone(&self, moving: bool, placing: bool) -> i32 {
        let enemies = self.of(2);
        let count = |board: &Board, to: Cell| enemies.iter().filter(|centre| board.closed(1, **centre, to)).count();
        let mut most = 0;
        let mut board = self.clone();
        for (from, to) in if moving { self.slides() } else { Vec::new() } {
            board.set(from, 0);
            board.set(to, 1);
            most = most.max(count(&board, to));
            board.set(to, 0);
            board.set(from, 1);
        }
        for to in if placing { self.of(0) } else { Vec::new() } {
            board.set(to, 1);
            most = most.max(count(&board, to));
            board.set(to, 0);
        }
        most as i32
    }

    /// Every action with the captures of the rest of the turn.
    fn values<const N: usize>(&self, turns: &mut Turns<N>) -> Vec<(String, i32)> {
        let mut values = Vec::new();
        for slide in self.slides() {
            let (next, captured) = self.moved(slide);
            let ((column, row), (to_column, to_row)) = slide;
            let text = format!("{}-{}", name(column, row), name(to_column, to_row));
            values.push((text, captured + turns.most(&Stones::read(&next.cells), next.left)));
        }
        if self.moved {
            values.push(("end".to_owned(), 0));
        } else if self.of(1).len() < 20 && self.reserve[0] > 0 {
            let placements = self.of(0).into_iter().map(|to| (name(to.0, to.1), self.arrived(None, to).1));
            values.extend(placements);
        }
        values
    }

    /// Every action of the last movement with minus what the opponent's next stone captures at most.
    fn threats(&self) -> Vec<(String, i32)> {
        let threat = |board: &Board| {
            let mut turned = board.clone();
            turned.cells.iter_mut().for_each(|stone| *stone = [0, 2, 1][usize::from(*stone)]);
            let stones = turned.of(1).len();
            -turned.one_stone(stones >= 10, stones < 20 && board.reserve[1] > 0)
        };
        let mut threats = vec![("end".to_owned(), threat(self))];
        for (from, to) in self.slides() {
            threats.push((format!("{}-{}", name(from.0, from.1), name(to.0, to.1)), threat(&self.moved((from, to)).0)));
        }
        threats
    }

    fn check_theme<const N: usize>(
        &self,
        line: &Line<'_>,
        left: i32,
        best: i32,
        right: &[&str],
        found: &[(String, i32)],
    ) -> Result<(), Fault> {
        let end = self.size - 1;
        let on_edge = |(column, row): Cell| column == 0 || row == 0 || column == end || row == end;
        let edge_capture = |action: &str| {
            let Ok((from, to)) = cell_pair(action) else { return false };
            let next = self.moved((from, to)).0;
            self.of(2).into_iter().any(|at| on_edge(at) && next.at(at) == Some(0))
        };
        let without_bonus = || Turns::<N>::new(self.size, Earning::Nothing).most(&Stones::read(&self.cells), self.left);
        let holds = match line.theme {
            "last" => left == 1 && best > 0 && right.len() == 1,
            "edge" => left <= 2 && best > 0 && right.len() <= 3 && right.iter().all(|action| edge_capture(action)),
            "escape" => left == 1 && best == 0 && right.len() == 1 && found.iter().any(|(_, value)| *value < 0),
            "most" => left > 1 && best > 1 && right.len() * 8 <= found.len() && without_bonus() == best,
            "chain" => left > 1 && right.len() * 8 <= found.len() && without_bonus() < best,
            _ => false,
        };
        require(holds, &format!("the position is not what {} says", line.theme))
    }

    /// The least of the eight forms of the board.
    fn form(&self) -> String {
        let end = self.size - 1;
        let turned = |symmetry: i32| {
            let place = |(x, y): Cell| {
                let (x, y) = if symmetry & 1 == 0 { (x, y) } else { (y, x) };
                (if symmetry & 2 == 0 { x } else { end - x }, if symmetry & 4 == 0 { y } else { end - y })
            };
            self.all().map(|at| self.at(place(at)).unwrap_or(0)).collect::<Vec<u8>>()
        };
        let least = (0..8).map(turned).min().unwrap_or_default();
        let cells: String = least.iter().map(|stone| (b'0' + stone) as char).collect();
        format!("four {} {cells}", self.left)
    }
}

fn cell_pair(action: &str) -> Result<(Cell, Cell), Fault> {
    let (from, to) = action.split_once('-').ok_or_else(|| Fault(format!("{action} is no movement")))?;
    Ok((cell(from)?, cell(to)?))
}
