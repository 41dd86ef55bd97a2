//! The position text of Four.

use std::fmt;
use std::str::FromStr;

use super::board::Board;
use super::{BONUS_MOVEMENTS, Bonus, FEWEST_STONES, Four, FourOptions, MOST_STONES, MOVEMENTS, Phase, QUIET_TURNS};
use crate::{BadPosition, Field, Seat, Square};

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
        match (self.moved, self.options.bonus()) {
            (0, _) => f.write_str(" -")?,
            (_, Bonus::Chain) => f.write_str(" moved")?,
            (made, Bonus::Three) => write!(f, " {made}")?,
        }
        f.write_str(if self.hit { " hit" } else { " -" })
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

const FIELDS: &[Field] = &[
    Field::Board,
    Field::Seat,
    Field::Movements,
    Field::Points,
    Field::Reserves,
    Field::QuietTurns,
    Field::Passes,
    Field::Moved,
    Field::Hit,
];

/// Two numbers joined by a comma.
const PAIR: &str = "0…255,0…255";

pub(super) fn parse(options: &FourOptions, text: &str) -> Result<Four, BadPosition> {
    let fields: Vec<&str> = text.split(' ').collect();
    let [board, seat, phase, points, reserves, quiet, passes, moved, hit] = fields.as_slice() else {
        return Err(BadPosition::Fields { expected: FIELDS, found: fields.len() });
    };
    let stones = parse_board(options.size().width(), board)?;
    let seat = match *seat {
        "1" => Seat::ONE,
        "2" => Seat::TWO,
        _ => return Err(BadPosition::value(Field::Seat, "1, 2")),
    };
    let phase = match *phase {
        "opening" => Phase::Opening,
        movements => Phase::Main { movements: number(movements, Field::Movements, "opening, 0…255")? },
    };
    checked(Four {
        stones,
        on_board: stones.counts(),
        points: pair(points, Field::Points)?,
        reserves: pair(reserves, Field::Reserves)?,
        seat,
        phase,
        quiet: number(quiet, Field::QuietTurns, "0…255")?,
        passes: number(passes, Field::Passes, "0…255")?,
        moved: movements_made(options.bonus(), moved)?,
        hit: flag(hit, "hit", Field::Hit)?,
        options: *options,
        outcome: None,
    })
}

/// Finds how the game ended, and refuses what cannot arise under the rules.
pub(super) fn checked(mut position: Four) -> Result<Four, BadPosition> {
    check(&position)?;
    position.outcome = position.judge();
    Ok(position)
}

pub(super) fn parse_board(size: u8, text: &str) -> Result<Board, BadPosition> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != size as usize {
        return Err(BadPosition::Ranks { field: Field::Board, ranks: size, cells: size });
    }
    let mut stones = Board::default();
    for (row, rank) in (0..size).zip(ranks.iter().rev()) {
        parse_rank(size, row, rank, &mut stones)?;
    }
    Ok(stones)
}

fn parse_rank(size: u8, row: u8, rank: &str, stones: &mut Board) -> Result<(), BadPosition> {
    let wrong_width = || BadPosition::RankWidth { rank: row + 1, cells: size };
    let mut column = 0u8;
    let mut letters = rank.chars().peekable();
    while let Some(letter) = letters.next() {
        let width = match letter {
            'x' | 'o' => {
                let seat = usize::from(letter == 'o');
                if column < size {
                    stones.insert(seat, Square::new(column, row));
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
            _ => return Err(BadPosition::value(Field::Board, format!("x, o, 1…{size}"))),
        };
        column += width;
        if column > size {
            return Err(wrong_width());
        }
    }
    if column == size { Ok(()) } else { Err(wrong_width()) }
}

/// Reads a whole number written in the one usual way: no sign, no leading zero.
fn number(text: &str, field: Field, possible: &str) -> Result<u8, BadPosition> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !(text.len() > 1 && text.starts_with('0'));
    match u8::from_str(text) {
        Ok(number) if plain => Ok(number),
        _ => Err(BadPosition::value(field, possible)),
    }
}

fn pair(text: &str, field: Field) -> Result<[u8; 2], BadPosition> {
    match text.split_once(',') {
        Some((first, second)) => Ok([number(first, field, PAIR)?, number(second, field, PAIR)?]),
        None => Err(BadPosition::value(field, PAIR)),
    }
}

fn flag(text: &str, word: &str, field: Field) -> Result<bool, BadPosition> {
    match text {
        "-" => Ok(false),
        _ if text == word => Ok(true),
        _ => Err(BadPosition::value(field, format!("{word}, -"))),
    }
}

fn movements_made(bonus: Bonus, text: &str) -> Result<u8, BadPosition> {
    match (bonus, text) {
        (Bonus::Chain, _) => flag(text, "moved", Field::Moved).map(u8::from),
        (Bonus::Three, "-") => Ok(0),
        (Bonus::Three, "1" | "2" | "3") => Ok(text.as_bytes()[0] - b'0'),
        (Bonus::Three, _) => Err(BadPosition::value(Field::Moved, "1, 2, 3, -")),
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
    let (start, lead) = (position.options.reserve(), position.options.lead());
    if position.points(Seat::TWO) < lead {
        return Err(BadPosition::PointsBelowLead { lead });
    }
    for (seat, other) in [(0, 1), (1, 0)] {
        let (reserve, captured) = (position.reserves[seat], position.captures(Seat::from_index(other)));
        let there_are = u16::from(reserve) + u16::from(position.on_board[seat]) + u16::from(captured);
        if there_are != u16::from(start) {
            return Err(BadPosition::StonesLost { seat: Seat::from_index(seat), start, found: there_are });
        }
        if position.on_board[seat] > MOST_STONES {
            return Err(BadPosition::TooManyStones { seat: Seat::from_index(seat), most: MOST_STONES });
        }
    }
    Ok(())
}

fn check_opening(position: &Four) -> Result<(), BadPosition> {
    if position.quiet != 0 || position.passes != 0 || position.has_moved() || position.hit {
        return Err(BadPosition::OpeningIsPlain);
    }
    if let Some(seat) = position.on_board.iter().position(|&stones| stones > FEWEST_STONES) {
        return Err(BadPosition::TooManyStones { seat: Seat::from_index(seat), most: FEWEST_STONES });
    }
    if position.on_board[position.seat.index()] == FEWEST_STONES {
        return Err(BadPosition::SkippedInOpening(position.seat));
    }
    let placed = placed(position);
    for mover in [Seat::ONE, Seat::TWO] {
        // A placement captures one stone at most, and a seat's first closes nothing.
        if position.captures(mover) > placed[mover.index()].saturating_sub(1) {
            return Err(BadPosition::OpeningCaptures(mover));
        }
    }
    // No seat has been skipped before both seats have placed their ten, so until then they alternate.
    let in_turn = placed[0] == placed[1] + u8::from(position.seat == Seat::TWO);
    let nobody_skipped = placed.iter().any(|&stones| stones < FEWEST_STONES);
    if nobody_skipped && !in_turn {
        return Err(BadPosition::OpeningTurn { seat: position.seat, placed });
    }
    Ok(())
}

fn check_main(position: &Four, movements: u8) -> Result<(), BadPosition> {
    let (seat, other) = (position.seat.index(), position.seat.next(2).index());
    if placed(position).iter().any(|&stones| stones < FEWEST_STONES) {
        return Err(BadPosition::MainTooSoon { stones: FEWEST_STONES });
    }
    check_movements(position, movements)?;
    if position.quiet > QUIET_TURNS || position.quiet == QUIET_TURNS && position.has_moved() {
        return Err(BadPosition::TooQuiet { most: QUIET_TURNS });
    }
    // A seat with fewer than ten stones places, and a placement is not quiet; a capture may have come since.
    let few = |seat: usize| position.on_board[seat] < FEWEST_STONES;
    let moved = position.has_moved();
    if !(moved && position.hit) && few(other) && position.quiet >= 1 || !moved && few(seat) && position.quiet >= 2 {
        return Err(BadPosition::HadToPlace { stones: FEWEST_STONES });
    }
    if !moved && position.on_board[other] == 0 {
        return Err(BadPosition::NoStoneLeft(Seat::from_index(other)));
    }
    check_passes(position)
}

/// The movements left, those made and the capture tell the same story of the turn (FO8, FO11, FO12).
fn check_movements(position: &Four, movements: u8) -> Result<(), BadPosition> {
    if !position.has_moved() {
        return check_turn_not_begun(position, movements);
    }
    let (seat, captures) = (position.seat, position.captures(position.seat));
    if position.on_board[seat.index()] < FEWEST_STONES {
        return Err(BadPosition::CouldNotMove { seat, stones: FEWEST_STONES });
    }
    if movements == 0 {
        return Err(BadPosition::NoMovementLeft);
    }
    if position.hit && captures == 0 {
        return Err(BadPosition::HitWithoutPoints);
    }
    let first = position.options.first();
    let possible = |start: u8| movements_possible(position, start, movements.into());
    if possible(MOVEMENTS) || may_be_first_turn(position) && possible(first) {
        return Ok(());
    }
    Err(BadPosition::TooManyMovements)
}

/// Whether so many movements can be left of a turn that started with `start`.
fn movements_possible(position: &Four, start: u8, left: u16) -> bool {
    let (start, made) = (u16::from(start), u16::from(position.moved));
    // At best the first movement captured everything the seat has captured.
    let most = (start + u16::from(position.captures(position.seat))).saturating_sub(made);
    match (position.options.bonus(), position.hit) {
        (Bonus::Chain, false) => left < start,
        (Bonus::Three, false) => left + made == start,
        // What is captured by the first two movements has been added; later ones may have been used since.
        (Bonus::Three, true) if made < u16::from(BONUS_MOVEMENTS) => start > 1 && left + made > start && left <= most,
        (_, true) => start > 1 && left <= most,
    }
}

/// A turn that has not begun has all its movements, four or those of the first main turn (FO11).
fn check_turn_not_begun(position: &Four, movements: u8) -> Result<(), BadPosition> {
    if position.hit {
        return Err(BadPosition::HitWithoutMovement);
    }
    let first = position.options.first();
    // Without a placement or capture since, no later turn can look like the first.
    let must_be_first = may_be_first_turn(position) && placed(position) == [FEWEST_STONES; 2];
    match movements {
        _ if movements == first && may_be_first_turn(position) => Ok(()),
        MOVEMENTS if !must_be_first => Ok(()),
        _ => Err(BadPosition::TurnNotBegun { movements: if must_be_first { first } else { MOVEMENTS } }),
    }
}

/// Whether this can be the first turn of the main game, which begins with ten stones each (FO5).
pub(super) fn may_be_first_turn(position: &Four) -> bool {
    let (own, other) = (position.on_board[position.seat.index()], position.on_board[position.seat.next(2).index()]);
    let all_there = if position.hit { other < FEWEST_STONES } else { other == FEWEST_STONES };
    position.quiet == 0 && position.passes == 0 && own == FEWEST_STONES && all_there
}

/// A seat passes only when nothing else is legal (FO10).
fn check_passes(position: &Four) -> Result<(), BadPosition> {
    if position.passes > 2 {
        return Err(BadPosition::TooManyPasses { most: 2 });
    }
    if position.passes > position.quiet || position.passes > 0 && position.has_moved() {
        return Err(BadPosition::PassesAndQuiet);
    }
    let mut seat = position.seat;
    for _ in 0..position.passes {
        seat = seat.next(2);
        if !position.could_only_pass(seat) {
            return Err(BadPosition::CouldAct(seat));
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
        let moved = position.has_moved();
        let acted_last = if moved { position.hit && seat == position.seat } else { seat != position.seat };
        if !acted_last || !moved && position.quiet > 0 {
            return Err(BadPosition::TargetReached { seat, target });
        }
    }
    Ok(())
}
