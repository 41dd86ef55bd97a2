use std::fmt;

use crate::{BadPuzzle, Puzzle};

/// The first line of a set that this program reads.
pub const HEADER: &str = "fourfold-puzzles 2";

/// Puzzles as they were read, and what had to be left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Set {
    /// The puzzles that fit the rules.
    pub puzzles: Vec<Puzzle>,
    /// Why lines were left out.
    pub notes: Vec<Note>,
}

/// Why a line of a set was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// The set is of another version, or no set at all: nothing of it is read.
    Header,
    /// One puzzle is damaged.
    Line {
        /// Counted from 1.
        line: usize,
        /// What is wrong with it.
        problem: BadPuzzle,
    },
}

impl Set {
    /// Reads a set. A damaged puzzle is left out with a note; a set of another version is left out as a whole.
    pub fn read(text: &str) -> Set {
        let mut lines = text.lines().enumerate();
        if lines.next().map(|(_, line)| line) != Some(HEADER) {
            return Set { puzzles: Vec::new(), notes: vec![Note::Header] };
        }
        let mut set = Set::default();
        for (index, line) in lines.filter(|(_, line)| !line.is_empty()) {
            match Puzzle::read(line) {
                Ok(puzzle) => set.puzzles.push(puzzle),
                Err(problem) => set.notes.push(Note::Line { line: index + 1, problem }),
            }
        }
        set
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Header => write!(f, "not a set of puzzles of this version: expected {HEADER:?} in the first line"),
            Note::Line { line, problem } => write!(f, "line {line}: {problem}"),
        }
    }
}
