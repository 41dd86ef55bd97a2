//! Several nodes, a database, a broker and dozens of clients in one thread on simulated time, with faults: every random
//! choice and every interleaving follows from one seed, so a failure can be repeated and made smaller.
//!
//! The server's tables, its cluster and its clocks run unchanged ([`server::simulation`]). What is promised is checked by
//! code that shares nothing with them: it reads the stored lines and the clients' messages as JSON ([`Witness`]).

mod check;
mod client;
mod cluster;
mod log_check;
mod plan;
mod run;
mod shrink;
mod wanted;
mod witness;

pub use plan::{Fault, FaultKind, Plan};
pub use run::{Outcome, run};
pub use shrink::shrink;
pub use witness::Witness;
