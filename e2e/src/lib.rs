//! Browsers, a server and a policy that plays: what the end-to-end tests are written with.
//!
//! A test never guesses what is on the board: it reads the match that the app keeps in the browser's storage, asks the
//! rules what may be done, and touches the elements that the scene names.
//!
//! Visits take turns in browsers that are kept, each in a private window of its own. What concerns more than the one page goes
//! through [`Page`], which knows whose window it is: permissions ([`Page::allow`]) and a second window
//! ([`Page::another_window`]). What is measured is measured after [`Page::is_drawn`], and a field is written with
//! [`Page::write`]: a condition that holds says nothing of the rest of the page.

mod browser;
mod browsers;
mod page;
mod policy;
mod private_window;
mod test_server;

pub use browser::{visit, visit_firefox};
pub use browsers::{Browsers, with_browsers};
pub use page::{Page, Served};
pub use policy::{Policy, plan};
pub use test_server::{Proxy, TestServer};

/// Any error of a step.
pub type Problem = Box<dyn std::error::Error + Send + Sync>;
