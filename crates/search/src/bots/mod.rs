//! What only one game's bot knows, one file or folder per game; `playouts` plays any game that has none of its own.

pub mod playouts;

pub mod four;
pub mod quarto;
pub mod quixo;
pub mod sequence;
