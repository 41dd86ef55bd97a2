//! Holds the solver of Quarto against brute force: `cargo run --release -p search --example quarto_check -- [POSITIONS [EMPTY]]`.

use std::time::Instant;

use search::Limits;
use search::bots::quarto::cross_check;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let positions = arguments.next().map_or(100_000, |text| text.parse().expect("a number of positions"));
    let empty = arguments.next().map_or(5, |text| text.parse().expect("a number of empty squares"));
    let begun = Instant::now();
    let limits = Limits::unlimited().with_seed(1).with_memory(1 << 20);
    match cross_check(positions, empty, &limits) {
        Ok(report) => println!("agreed: {report:?} in {:.1?}", begun.elapsed()),
        Err(disagreement) => {
            println!("{disagreement:?}");
            std::process::exit(1);
        }
    }
}
