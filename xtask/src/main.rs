//! Build and test tasks: `cargo xtask run`, `cargo xtask test`.

fn main() {}
