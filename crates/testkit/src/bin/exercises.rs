//! Finds the exercises of the browser app anew and writes them: `exercises [seed]`.

use std::path::Path;
use std::process::ExitCode;

use testkit::exercises::generate;

const FILE: &str = "../web/data/exercises.txt";

fn main() -> ExitCode {
    let seed = std::env::args().nth(1).and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let lines: String = generate(seed).iter().map(|exercise| format!("{exercise}\n")).collect();
    match std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE), lines) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
