//! The position text of Four.

use std::fmt;
use std::str::FromStr;

use super::cells::Cells;
use super::{FEWEST_STONES, Four, FourOptions, MOST_STONES, MOVEMENTS, Phase, QUIET_TURNS};
use crate::{BadPosition, Seat, Square};

impl fmt::Display for Four {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..self.size()).rev() {
            self.write_rank(f, row)?;
            f.write_str(if row > 0 { "/" } else { " " })?;
        }
        write!(f, "{} ", self.seat)?;
        match self.phase {
            Phase::Opening => f.write_str("opening")?,
            Phase::Main { movements } => write!(f, "{movements}")?,
        }
        let ([points1, points2], [reserve1, reserve2]) = (self.points, self.reserves);
        write!(f, " {points1},{points2} {reserve1},{reserve2} {} {}", self.quiet, self.passes)?;
        write!(f, " {} {}", if self.moved { "moved" } else { "-" }, if self.hit { "hit" } else { "-" })
    }
}

impl Four {
    fn write_rank(&self, f: &mut fmt::Formatter<'_>, row: u8) -> fmt::Result {
        let mut empty = 0;
        for column in 0..self.size() {
            let Some(seat) = self.stone(Square::new(column, row)) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            empty = 0;
            f.write_str(if seat == Seat::ONE { "x" } else { "o" })?;
        }
        if empty > 0 { write!(f, "{empty}") } else { Ok(()) }
    }
}

pub(super) fn parse(options: &FourOptions, text: &str) -> Result<Four, BadPosition> {
    let fields: Vec<&str> = text.split(' ').collect();
    let [board, seat, phase, points, reserves, quiet, passes, moved, hit] = fields.as_slice() else {
        let expected = "board, seat, opening or movements, points, reserves, quiet turns, passes, moved and hit";
        return Err(BadPosition::fields(expected, fields.len()));
    };
    let stones = parse_board(options.size().width(), board)?;
    let seat = match *seat {
        "1" => Seat::ONE,
        "2" => Seat::TWO,
        _ => return Err(BadPosition::new("the seat to act must be 1 or 2")),
    };
    let phase = match *phase {
        "opening" => Phase::Opening,
        movements => Phase::Main { movements: number(movements, "the movements left, or opening,")? },
    };
    let mut position = Four {
        stones,
        on_board: stones.map(|cells| cells.count()),
        points: pair(points, "points")?,
        reserves: pair(reserves, "reserves")?,
        seat,
        phase,
        quiet: number(quiet, "the quiet turns")?,
        passes: number(passes, "the passes in a row")?,
        moved: flag(moved, "moved")?,
        hit: flag(hit, "hit")?,
        options: *options,
        outcome: None,
    };
    check(&position)?;
    position.outcome = position.judge();
    Ok(position)
}

pub(super) fn parse_board(size: u8, text: &str) -> Result<[Cells; 2], BadPosition> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != size as usize {
        return bad(format!("the board must be {size} ranks joined by /, found {}", ranks.len()));
    }
    let mut stones = [Cells::default(); 2];
    for (row, rank) in (0..size).zip(ranks.iter().rev()) {
        parse_rank(size, row, rank, &mut stones)?;
    }
    Ok(stones)
}

fn parse_rank(size: u8, row: u8, rank: &str, stones: &mut [Cells; 2]) -> Result<(), BadPosition> {
    let wrong_width = || BadPosition::new(format!("rank {} must be {size} cells wide", row + 1));
    let mut column = 0u8;
    let mut letters = rank.chars().peekable();
    while let Some(letter) = letters.next() {
        let width = match letter {
            'x' | 'o' => {
                let seat = usize::from(letter == 'o');
                if column < size {
                    stones[seat].insert(Square::new(column, row));
                }
                1
            }
            '1'..='9' => {
                // A run of digits is one count, so there is only one way to write a rank.
                let mut count = letter as u32 - '0' as u32;
                while let Some(digit) = letters.peek().and_then(|next| next.to_digit(10)) {
                    count = (10 * count + digit).min(100);
                    letters.next();
                }
                count as u8
            }
            _ => return bad("a rank must be made of x, o and counts of empty cells that do not begin with 0"),
        };
        column += width;
        if column > size {
            return Err(wrong_width());
        }
    }
    if column == size { Ok(()) } else { Err(wrong_width()) }
}

fn bad<T>(reason: impl Into<String>) -> Result<T, BadPosition> {
    Err(BadPosition::new(reason))
}

/// Reads a whole number written in the one usual way: no sign, no leading zero.
fn number(text: &str, what: &str) -> Result<u8, BadPosition> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !(text.len() > 1 && text.starts_with('0'));
    match u8::from_str(text) {
        Ok(number) if plain => Ok(number),
        _ => bad(format!("{what} must be a number from 0 to 255")),
    }
}

fn pair(text: &str, what: &str) -> Result<[u8; 2], BadPosition> {
    match text.split_once(',') {
        Some((first, second)) => Ok([number(first, what)?, number(second, what)?]),
        None => bad(format!("the {what} must be two numbers joined by a comma")),
    }
}

fn flag(text: &str, word: &str) -> Result<bool, BadPosition> {
    match text {
        "-" => Ok(false),
        _ if text == word => Ok(true),
        _ => bad(format!("the last two fields must be moved or -, and hit or -; {word} or - is missing")),
    }
}

/// Refuses what cannot arise under the rules.
fn check(position: &Four) -> Result<(), BadPosition> {
    check_stones(position)?;
    match position.phase {
        Phase::Opening => check_opening(position)?,
        Phase::Main { movements } => check_main(position, movements)?,
    }
    check_target(position)
}

/// How many stones each seat has placed so far, in whatever part of the game.
fn placed(position: &Four) -> [u8; 2] {
    position.reserves.map(|reserve| position.options.reserve() - reserve)
}

/// No stone comes or goes but from the reserve and by capture (FO2, FO9).
fn check_stones(position: &Four) -> Result<(), BadPosition> {
    let start = position.options.reserve();
    for (seat, other) in [(0, 1), (1, 0)] {
        let (reserve, captured) = (position.reserves[seat], position.points[other]);
        let there_are = u16::from(reserve) + u16::from(position.on_board[seat]) + u16::from(captured);
        if there_are != u16::from(start) {
            return bad(format!(
                "seat {} began with {start} stones, but reserve {reserve}, board {} and captured {captured} make {there_are}",
                seat + 1,
                position.on_board[seat],
            ));
        }
        if position.on_board[seat] > MOST_STONES {
            return bad(format!("seat {} has more than {MOST_STONES} stones on the board", seat + 1));
        }
    }
    Ok(())
}

fn check_opening(position: &Four) -> Result<(), BadPosition> {
    if position.quiet != 0 || position.passes != 0 || position.moved || position.hit {
        return bad("in the opening there are no quiet turns, passes, movements or captures to go on from");
    }
    if position.on_board.iter().any(|&stones| stones > FEWEST_STONES) {
        return bad(format!("in the opening no seat has more than {FEWEST_STONES} stones on the board"));
    }
    if position.on_board[position.seat.index()] == FEWEST_STONES {
        return bad(format!("seat {} has its {FEWEST_STONES} stones and is skipped in the opening", position.seat));
    }
    let placed = placed(position);
    for mover in [0, 1] {
        // A placement captures one stone at most, and a seat's first closes nothing.
        if position.points[mover] > placed[mover].saturating_sub(1) {
            return bad(format!("seat {} captured more than one stone with a placement of the opening", mover + 1));
        }
    }
    // Nobody has been skipped before both seats have placed their ten, so until then they alternate.
    let in_turn = placed[0] == placed[1] + u8::from(position.seat == Seat::TWO);
    let nobody_skipped = placed.iter().any(|&stones| stones < FEWEST_STONES);
    if nobody_skipped && !in_turn {
        return bad(format!(
            "seat {} cannot be to act after {} and {} placements of the opening",
            position.seat, placed[0], placed[1]
        ));
    }
    Ok(())
}

fn check_main(position: &Four, movements: u8) -> Result<(), BadPosition> {
    let (seat, other) = (position.seat.index(), position.seat.next(2).index());
    if placed(position).iter().any(|&stones| stones < FEWEST_STONES) {
        return bad(format!("the main game begins when both seats have placed {FEWEST_STONES} stones"));
    }
    check_movements(position, movements)?;
    if position.quiet > QUIET_TURNS || position.quiet == QUIET_TURNS && position.moved {
        return bad(format!("the game ends after {QUIET_TURNS} quiet turns"));
    }
    // A seat with fewer than ten stones places, and a placement is not quiet; a capture may have come since.
    let few = |seat: usize| position.on_board[seat] < FEWEST_STONES;
    if !position.moved && few(other) && position.quiet >= 1
        || position.moved && !position.hit && few(other) && position.quiet >= 1
        || !position.moved && few(seat) && position.quiet >= 2
    {
        return bad(format!("a seat with fewer than {FEWEST_STONES} stones had to place, so the turn was not quiet"));
    }
    if !position.moved && position.on_board[other] == 0 {
        return bad(format!("seat {} has just had a turn and must have a stone on the board", other + 1));
    }
    check_passes(position)
}

/// The movements left and the two flags tell the same story of the turn (FO8).
fn check_movements(position: &Four, movements: u8) -> Result<(), BadPosition> {
    let seat = position.seat.index();
    match (position.moved, position.hit) {
        (false, false) if movements != MOVEMENTS => {
            bad(format!("a turn without a movement yet has {MOVEMENTS} movements left"))
        }
        (false, true) => bad("a turn cannot have had a capture without a movement"),
        (false, false) => Ok(()),
        (true, _) if position.on_board[seat] < FEWEST_STONES => {
            bad(format!("seat {} had fewer than {FEWEST_STONES} stones and could not move", position.seat))
        }
        (true, _) if movements == 0 => bad("a turn is over when no movement is left"),
        (true, false) if movements >= MOVEMENTS => {
            bad(format!("after a movement without a capture fewer than {MOVEMENTS} are left"))
        }
        (true, true) if position.points[seat] == 0 => bad("the turn had a capture, but the seat has no points"),
        // At best the first movement captured everything the seat has points for.
        (true, true) if u16::from(movements) > u16::from(MOVEMENTS - 1) + u16::from(position.points[seat]) => {
            bad("there are more movements left than all captures together could have added")
        }
        (true, _) => Ok(()),
    }
}

/// A seat passes only when nothing else is legal (FO10).
fn check_passes(position: &Four) -> Result<(), BadPosition> {
    if position.passes > 2 {
        return bad("the game ends after 2 passes in a row");
    }
    if position.passes > position.quiet || position.passes > 0 && position.moved {
        return bad("a pass is a quiet turn, and a movement ends the row of passes");
    }
    let mut seat = position.seat;
    for _ in 0..position.passes {
        seat = seat.next(2);
        if !position.could_only_pass(seat) {
            return bad(format!("seat {seat} cannot have passed: it could place or move"));
        }
    }
    Ok(())
}

/// Reaching the target ends the game at once, so only the seat that acted last can have reached it (FO10).
fn check_target(position: &Four) -> Result<(), BadPosition> {
    let target = position.options.target();
    for seat in [Seat::ONE, Seat::TWO] {
        if target == 0 || position.points(seat) < target {
            continue;
        }
        let acted_last = if position.moved { position.hit && seat == position.seat } else { seat != position.seat };
        if !acted_last || !position.moved && position.quiet > 0 {
            return bad(format!("the game ended when seat {seat} reached {target} points"));
        }
    }
    Ok(())
}
