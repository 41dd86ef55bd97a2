//! Puzzles: positions in which one result alone is right, with the value of every move along the solution.
//!
//! [`Set::read`] reads a set and leaves out what is damaged, with a note; [`jobs`] find puzzles; [`check`] and [`prove`]
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

mod attempt;
pub mod check;
pub mod daily;
mod day;
mod diary;
mod grade;
mod hash;
mod make;
mod outbox;
mod own;
pub mod parts;
mod proof;
mod puzzle;
mod rating;
mod refutation;
mod run;
mod set;
mod shelf;
mod sorting;
mod theme;
mod worth;

pub use attempt::{Answer, Attempt, Finish, Hint, State};
pub use day::{BadDay, Day};
pub use diary::{DayEntry, Diary, days_in_a_row, share_text};
pub use grade::{grade, level_rating};
pub use make::{Found, Job, assemble, jobs};
pub use outbox::{Outbox, Sending};
pub use proof::{Disproved, prove};
pub use puzzle::{BadPly, BadPuzzle, Puzzle, Step};
pub use rating::{BadRating, Rating};
pub use refutation::Refutation;
pub use run::{Run, RunKind, STORM};
pub use set::{HEADER, Note, Set};
pub use shelf::{BadPuzzleId, Entry, Picked, PuzzleId, PuzzleQuery, Shelf, has_other_rules};
pub use theme::{GAMES, Measure, NoSuchTheme, Theme};
pub use worth::Worth;
