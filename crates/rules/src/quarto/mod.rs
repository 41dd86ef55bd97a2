//! Quarto.
