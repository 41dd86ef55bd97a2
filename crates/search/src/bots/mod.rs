//! What only one game's bot knows, one file or folder per game.

pub mod quixo;

pub mod four;
pub mod quarto;
pub mod sequence;
