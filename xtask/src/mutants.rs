//! `cargo xtask mutants`: small bugs, one at a time, and whether the tests notice. The work is done by the program `mutants`,
//! which needs a parser; cargo-mutants says which bugs there are.

use crate::setup;
use crate::shell::{TaskError, cargo, run};

/// Mutates the named parts or files, or all parts.
pub(crate) fn mutants(words: &[&str]) -> Result<(), TaskError> {
    setup::cargo_mutants()?;
    run(cargo().args(["run", "--quiet", "--package", "mutants", "--"]).args(words))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::shell::root;

    #[test]
    fn every_reason_is_about_a_file_that_is_there() {
        let reasons = fs::read_to_string(root().join("xtask/mutants.txt")).unwrap();
        let mutants = reasons.lines().filter(|line| line.starts_with("crates/"));
        for file in mutants.filter_map(|line| line.split(':').next()) {
            assert!(root().join(file).is_file(), "{file}");
        }
    }
}
