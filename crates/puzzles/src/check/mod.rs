//! A second opinion: rules and searches that share nothing with the generator of a game's puzzles. For those made by way of
//! the crate `rules` that means another move generator too.
//!
//! ```
//! use puzzles::check::check;
//!
//! let line = "quarto row 1 | ..../..../..../123. 5 1 c1 | d1:";
//! assert!(check(line).is_err(), "no values");
//! ```

mod four;
mod four_turn;
mod quarto;
mod quixo;
mod sequence;

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use crate::{HEADER, Note, Puzzle};

/// What the checker found wrong with a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(String);

/// A puzzle that the checker has proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Equal for puzzles that differ by a symmetry of the game alone.
    pub form: String,
    /// How many values were compared.
    pub values: usize,
}

/// What came of checking a set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// How many puzzles were checked.
    pub puzzles: usize,
    /// How many values were compared.
    pub values: usize,
    /// Lines, counted from 1, with what is wrong with them.
    pub faults: Vec<(usize, String)>,
}

/// Checks every `nth` puzzle of a set: that it reads, that all its values are right, and that no two are alike.
pub fn check_set(text: &str, nth: usize) -> Report {
    Report::of(lines_to_check(text, nth).map(|lines| lines.into_iter().map(Numbered::check).collect()))
}

/// Every `nth` line of a set; `Err` if the text is no set of this version.
pub fn lines_to_check(text: &str, nth: usize) -> Result<Vec<Numbered<'_>>, Fault> {
    require(text.lines().next() == Some(HEADER), &format!("expected {HEADER:?}"))?;
    let numbered = text.lines().enumerate().skip(1).step_by(nth.max(1));
    Ok(numbered.map(|(index, line)| Numbered { number: index + 1, line }).collect())
}

/// A line of a set with its number, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbered<'a> {
    number: usize,
    line: &'a str,
}

/// The number of a line, and what came of it.
pub type CheckedLine = (usize, Result<Checked, String>);

impl Numbered<'_> {
    /// Reads the line as a set does.
    pub fn read(self) -> Result<Puzzle, Note> {
        Puzzle::read(self.line).map_err(|problem| Note::Line { line: self.number, problem })
    }

    /// Proves the line; lines can be checked in any order and on any number of threads.
    pub fn check(self) -> CheckedLine {
        let read = Puzzle::read(self.line).map_err(|bad| bad.to_string());
        (self.number, read.and_then(|_| check(self.line).map_err(|fault| fault.to_string())))
    }
}

impl Report {
    /// What came of the lines of a set, in the order of the set.
    pub fn of(checked: Result<Vec<CheckedLine>, Fault>) -> Report {
        let mut report = Report::default();
        let checked = checked.unwrap_or_else(|fault| {
            report.faults.push((1, fault.to_string()));
            Vec::new()
        });
        let mut forms: HashMap<String, usize> = HashMap::new();
        for (line, checked) in checked {
            report.puzzles += 1;
            match checked {
                Ok(checked) => {
                    report.values += checked.values;
                    if let Some(other) = forms.insert(checked.form, line) {
                        report.faults.push((line, format!("alike up to symmetry: line {other}")));
                    }
                }
                Err(fault) => report.faults.push((line, fault)),
            }
        }
        report
    }
}

/// Proves every value of a puzzle's line again, and that it is what its theme says.
pub fn check(text: &str) -> Result<Checked, Fault> {
    let line = Line::read(text)?;
    match line.game {
        "quarto" => quarto::check(&line),
        "quixo" => quixo::check(&line, text),
        "four" => four::check(&line),
        "sequence" => sequence::check(&line),
        other => Err(Fault(format!("no checker for {other}"))),
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Fault {}

/// A line of a set, cut up but not understood.
struct Line<'a> {
    game: &'a str,
    options: BTreeMap<&'a str, &'a str>,
    theme: &'a str,
    plies: i32,
    position: Vec<&'a str>,
    steps: Vec<Step<'a>>,
}

struct Step<'a> {
    played: &'a str,
    values: Vec<i32>,
}

impl<'a> Line<'a> {
    fn read(line: &'a str) -> Result<Line<'a>, Fault> {
        let bad = || Fault("cannot read the line".to_owned());
        let mut parts = line.split(" | ");
        let (head, position, steps) =
            (parts.next().ok_or_else(bad)?, parts.next().ok_or_else(bad)?, parts.next().ok_or_else(bad)?);
        let mut head = head.split(' ');
        let (game, theme, plies) =
            (head.next().ok_or_else(bad)?, head.next().ok_or_else(bad)?, head.next().ok_or_else(bad)?);
        let (game, options) = game.split_once('(').unwrap_or((game, ""));
        let options = options.trim_end_matches(')').split(',').filter_map(|option| option.split_once('=')).collect();
        let steps: Option<Vec<Step<'a>>> = steps.split(' ').map(Step::read).collect();
        Ok(Line {
            game,
            options,
            theme,
            plies: plies.parse().map_err(|_| bad())?,
            position: position.split(' ').collect(),
            steps: steps.ok_or_else(bad)?,
        })
    }

    fn field(&self, index: usize) -> Result<&'a str, Fault> {
        self.position.get(index).copied().ok_or_else(|| Fault("a field of the position is missing".to_owned()))
    }
}

impl<'a> Step<'a> {
    fn read(word: &'a str) -> Option<Step<'a>> {
        let (played, numbers) = word.rsplit_once(':')?;
        let mut values = Vec::new();
        for run in numbers.split(',') {
            let (value, count) = run.split_once('*').unwrap_or((run, "1"));
            let (value, count): (i32, usize) = (value.parse().ok()?, count.parse().ok()?);
            if count > 1000 {
                return None;
            }
            values.resize(values.len() + count, value);
        }
        Some(Step { played, values })
    }

    /// Compares the stored values with those found, by the order of the actions' texts.
    fn compare(&self, mut found: Vec<(String, i32)>) -> Result<(), Fault> {
        found.sort();
        if found.len() != self.values.len() {
            return Err(Fault(format!("{} values for {} actions", self.values.len(), found.len())));
        }
        match found.iter().zip(&self.values).find(|((_, value), stored)| value != *stored) {
            Some(((action, value), stored)) => Err(Fault(format!("{action} is worth {value}, not {stored}"))),
            None if found.iter().any(|(action, _)| action == self.played) => Ok(()),
            None => Err(Fault(format!("{} is not legal", self.played))),
        }
    }
}

fn require(holds: bool, claim: &str) -> Result<(), Fault> {
    if holds { Ok(()) } else { Err(Fault(claim.to_owned())) }
}

/// `b3` as column and row from 0.
fn cell(text: &str) -> Result<(i32, i32), Fault> {
    let bad = || Fault(format!("{text} is no square"));
    let letter = text.bytes().next().ok_or_else(bad)?;
    let row: i32 = text[1..].parse().map_err(|_| bad())?;
    Ok((i32::from(letter) - i32::from(b'a'), row - 1))
}

fn name(column: i32, row: i32) -> String {
    format!("{}{}", (b'a' + column as u8) as char, row + 1)
}
