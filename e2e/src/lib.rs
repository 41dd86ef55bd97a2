//! A browser, a server, and hands that play: what the end-to-end tests are written with.
//!
//! A test never guesses what is on the board: it reads the match that the app keeps in the browser's storage, asks the
//! rules what may be done, and touches the elements that the scene names.

mod browser;
mod hands;
mod house;
mod page;
mod party;

pub use browser::visit;
pub use hands::{Policy, plan};
pub use house::{Cable, House};
pub use page::{Page, Served};
pub use party::{Party, gather};

/// What can go wrong on the way.
pub type Problem = Box<dyn std::error::Error + Send + Sync>;
