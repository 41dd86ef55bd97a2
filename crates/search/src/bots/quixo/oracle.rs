//! Positions of two players with the exact value of every move, and how often a player errs on them.
//!
//! One line for each position: own cubes and the other side's as hexadecimal sets (bit 5·row + column, `a1` is bit 0),
//! the ply, the value for the side to act (2 won, 1 drawn, 0 lost), then `move=value` for every legal move.

use std::fmt;

use rules::quixo::{Action, Quixo};
use rules::{ActionList, Position, Side};

use super::board::turned;
use super::exercise::{Aim, Exercise};

/// A position with the exact value of every legal move.
#[derive(Clone, Debug)]
pub struct Exact {
    /// The cubes of the side to act, bit 5·row + column.
    pub own: u32,
    /// The cubes of the other side.
    pub other: u32,
    /// Actions played before it.
    pub ply: u32,
    /// 2 won, 1 drawn, 0 lost for the side to act.
    pub value: u8,
    /// The legal actions and their values for the side to act.
    pub moves: Vec<(Action, u8)>,
}

/// Why a line says nothing about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine(&'static str);

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for BadLine {}

impl Exact {
    /// Reads a line, and checks that it names every legal move and that the value is the best move's.
    ///
    /// ```
    /// use search::bots::quixo::oracle::Exact;
    ///
    /// assert!(Exact::parse("1 2 4 1 b1e1=1").is_err());
    /// ```
    pub fn parse(line: &str) -> Result<Exact, BadLine> {
        let mut fields = line.split_whitespace();
        let mut next = || fields.next().ok_or(BadLine("a field is missing"));
        let marks = |text: &str| u32::from_str_radix(text, 16).map_err(|_| BadLine("a set of cubes is hexadecimal"));
        let own = marks(next()?)?;
        let other = marks(next()?)?;
        let ply = next()?.parse().map_err(|_| BadLine("the ply is a number"))?;
        let value = read_value(next()?)?;
        let moves = fields.map(read_move).collect::<Result<Vec<_>, _>>()?;
        let exact = Exact { own, other, ply, value, moves };
        let mut actions = ActionList::new();
        exact.position()?.actions(&mut actions);
        if actions.len() != exact.moves.len() || !actions.iter().all(|action| exact.value_of(*action).is_some()) {
            return Err(BadLine("the moves are not the legal ones"));
        }
        if exact.moves.iter().map(|&(_, value)| value).max() != Some(value) {
            return Err(BadLine("the value is not that of the best move"));
        }
        Ok(exact)
    }

    /// Reads an exercise (`exercise.rs`), which says which moves keep the value; the others are given the value below it.
    ///
    /// ```
    /// use search::bots::quixo::oracle::Exact;
    ///
    /// let exact = Exact::of_exercise("48411d 1b00602 win 9 | a2e2 | a2e2 a4e4 a4e4 a4e4 a4e4 a2e2 a2e2 e5e1 d1e1")?;
    /// let winning = exact.moves.iter().filter(|&&(_, value)| value == 2);
    /// assert_eq!((exact.value, winning.count(), exact.can_err()), (2, 1, true));
    /// # Ok::<(), search::bots::quixo::oracle::BadLine>(())
    /// ```
    pub fn of_exercise(line: &str) -> Result<Exact, BadLine> {
        let exercise = Exercise::parse(line).ok_or(BadLine("the line is no exercise"))?;
        let position = Quixo::parse(&Default::default(), &exercise.position);
        let position = position.map_err(|_| BadLine("the position cannot arise"))?;
        let value = if exercise.aim == Aim::Win { 2 } else { 1 };
        let mut actions = ActionList::new();
        position.actions(&mut actions);
        let kept = |action: &Action| exercise.keeps(&action.to_string());
        let moves = actions.iter().map(|&action| (action, if kept(&action) { value } else { value - 1 })).collect();
        let [own, other] = [Side::ONE, Side::TWO].map(|side| position.marks(side));
        Ok(Exact { own, other, ply: 0, value, moves })
    }

    /// The position with the side to act as seat 1.
    pub fn position(&self) -> Result<Quixo, BadLine> {
        if self.own & self.other != 0 || (self.own | self.other) >> 25 != 0 {
            return Err(BadLine("the cubes do not fit on the board"));
        }
        let text = super::exercise::position(self.own, self.other);
        Quixo::parse(&Default::default(), &text).map_err(|_| BadLine("the position cannot arise"))
    }

    /// The value of a legal move.
    pub fn value_of(&self, action: Action) -> Option<u8> {
        self.moves.iter().find(|(legal, _)| *legal == action).map(|&(_, value)| value)
    }

    /// Whether some legal move gives value away.
    pub fn can_err(&self) -> bool {
        self.moves.iter().any(|&(_, value)| value < self.value)
    }

    /// Whether the position is kept away from training, so that errors on it say something: one in ten, chosen by
    /// what stands on the board up to symmetry.
    pub fn is_held_out(&self) -> bool {
        let (own, other) = canonical(self.own, self.other);
        crate::Random::new(u64::from(own) << 32 | u64::from(other)).below(10) == 0
    }
}

fn read_value(text: &str) -> Result<u8, BadLine> {
    text.parse().ok().filter(|value| *value <= 2).ok_or(BadLine("a value is 0, 1 or 2"))
}

fn read_move(text: &str) -> Result<(Action, u8), BadLine> {
    let (action, value) = text.split_once('=').ok_or(BadLine("a move is written a3e3=1"))?;
    let action = action.parse().map_err(|_| BadLine("a move is written a3e3=1"))?;
    Ok((action, read_value(value)?))
}

/// How often a player gave value away.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BlunderRate {
    /// Positions played.
    pub positions: u32,
    /// Those in which some move is a mistake.
    pub with_mistakes: u32,
    /// Times the player made one.
    pub blunders: u32,
    /// Blunders that gave away a win (the others gave away a draw).
    pub wins_given: u32,
}

impl BlunderRate {
    /// Blunders per hundred positions.
    pub fn per_hundred(&self) -> f64 {
        100.0 * f64::from(self.blunders) / f64::from(self.positions.max(1))
    }

    /// Blunders per hundred positions in which some move is a mistake.
    pub fn per_hundred_with_mistakes(&self) -> f64 {
        100.0 * f64::from(self.blunders) / f64::from(self.with_mistakes.max(1))
    }

    /// Between which numbers of blunders per hundred such positions the truth lies, with odds of nineteen to one.
    ///
    /// Wilson's interval, which stays sensible where blunders are few.
    ///
    /// ```
    /// use search::bots::quixo::oracle::BlunderRate;
    ///
    /// let rate = BlunderRate { positions: 3000, with_mistakes: 3000, blunders: 4, wins_given: 1 };
    /// let (least, most) = rate.interval();
    /// assert!((0.04..0.06).contains(&least) && (0.33..0.36).contains(&most));
    /// ```
    pub fn interval(&self) -> (f64, f64) {
        const Z: f64 = 1.96;
        let count = f64::from(self.with_mistakes.max(1));
        let share = f64::from(self.blunders) / count;
        let middle = share + Z * Z / (2.0 * count);
        let half = Z * (share * (1.0 - share) / count + Z * Z / (4.0 * count * count)).sqrt();
        let per_hundred = |share: f64| 100.0 * share / (1.0 + Z * Z / count);
        (per_hundred(middle - half).max(0.0), per_hundred(middle + half))
    }
}

impl fmt::Display for BlunderRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BlunderRate { positions, with_mistakes, blunders, wins_given } = self;
        write!(
            f,
            "{blunders} blunders ({wins_given} wins given away) in {positions} positions: {:.2} %; \
             {:.3} % of the {with_mistakes} in which some move is a mistake (95 %: {:.3} to {:.3} %)",
            self.per_hundred(),
            self.per_hundred_with_mistakes(),
            self.interval().0,
            self.interval().1
        )
    }
}

/// Lets `choose` play each position once and counts how often it gives value away; `seen` is called with each blunder.
pub fn blunder_rate<'a>(
    positions: impl IntoIterator<Item = &'a Exact>,
    mut choose: impl FnMut(&Quixo) -> Action,
    mut seen: impl FnMut(&Exact, Action),
) -> BlunderRate {
    let mut rate = BlunderRate::default();
    for exact in positions {
        let Ok(position) = exact.position() else { continue };
        let action = choose(&position);
        rate.positions += 1;
        rate.with_mistakes += u32::from(exact.can_err());
        if exact.value_of(action).is_none_or(|value| value < exact.value) {
            rate.blunders += 1;
            rate.wins_given += u32::from(exact.value == 2);
            seen(exact, action);
        }
    }
    rate
}

/// The least of the eight symmetric forms of a position, to tell positions apart.
fn canonical(own: u32, other: u32) -> (u32, u32) {
    (0..8).map(|symmetry| (turned(own, symmetry), turned(other, symmetry))).min().unwrap_or((own, other))
}
