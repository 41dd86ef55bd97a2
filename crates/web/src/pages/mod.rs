//! The pages, one file each.

pub mod analyse;
pub mod home;
pub mod learn;
pub mod new_game;
pub mod table;

pub use analyse::Analyse;
pub use home::Home;
pub use learn::Learn;
pub use new_game::NewGame;
pub use table::Table;
