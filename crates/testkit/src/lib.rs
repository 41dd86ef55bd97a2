//! One conformance suite for every game; a dev-dependency only.
//!
//! A game that implements the traits of `rules` gets its tests for nothing: the suite walks random games under every
//! option and checks what must hold whatever the rules say. It returns the first [`Violation`] with the actions that
//! lead to it, so a failure can be replayed by hand.
//!
//! ```
//! use rules::quixo::Quixo;
//! use testkit::{Walks, conform};
//!
//! let report = conform::<Quixo>(&Default::default(), &[], Walks { seed: 1, games: 2, actions: 100 })?;
//! assert!(report.positions > 2);
//! # Ok::<(), testkit::Violation>(())
//! ```

mod allocations;
mod conformance;
pub mod exercises;
mod hidden;
mod option_space;
mod setup;
mod staged;
mod symmetry;
pub mod tables;
mod violation;
mod walk;

pub use allocations::{Allocations, Counting};
pub use conformance::{conform, conform_perfect};
pub use hidden::conform_hidden;
pub use option_space::{every_option, every_option_text};
pub use setup::conform_setup;
pub use staged::{conform_hidden_scenes, conform_staged};
pub use symmetry::conform_symmetric;
pub use violation::{Property, Violation};
pub use walk::{Report, Walks, random_action, random_game, viewers};
