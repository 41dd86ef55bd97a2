//! The `fourfold` program.

fn main() {}
