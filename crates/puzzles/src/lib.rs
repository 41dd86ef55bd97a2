//! Puzzles: positions in which one result alone is right, with the value of every move along the solution.
//!
//! [`Set::read`] reads a set and leaves out what is damaged, with a note; [`make()`] finds puzzles; [`check`] and [`prove`]
//! prove them again by code that shares nothing with the program that made them. The form of a set is described in
//! docs/puzzles.md.
//!
//! ```
//! use puzzles::{Set, Theme};
//!
//! let set = Set::read(concat!(
//!     "fourfold-puzzles 2\n",
//!     "quixo win 1 | xxxx./...../...../...../ooo.. 1 | e5a5:-2,1\n",
//! ));
//! assert!(set.puzzles.is_empty());
//! assert!(set.notes[0].to_string().starts_with("line 2: ply 1: 2 values for "));
//! assert_eq!("hold".parse(), Ok(Theme::Hold));
//! ```

pub mod check;
mod make;
mod proof;
mod puzzle;
mod set;
mod theme;
mod worth;

pub use make::make;
pub use proof::{Disproved, prove};
pub use puzzle::{BadPuzzle, Puzzle, Step};
pub use set::{HEADER, Note, Set};
pub use theme::{Measure, NoSuchTheme, Theme};
pub use worth::Worth;
