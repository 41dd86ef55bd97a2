//! Draws the counts of a solved board: how many positions are won and lost in how many plies, and how the values change
//! with the number of cubes.
//!
//! ```sh
//! cargo run -p tablebase --example plot_quixo -- docs/data/quixo-counts.csv docs/pictures
//! ```

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 60.0;
const BOTTOM: f64 = 40.0;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, counts, folder] = &arguments[..] else { return Err("give the counts and a folder".into()) };
    let (mut by_plies, mut by_cubes) = (BTreeMap::new(), BTreeMap::new());
    for line in std::fs::read_to_string(counts)?.lines().skip(1) {
        let fields: Vec<Option<u64>> = line.split(',').map(|field| field.parse().ok()).collect();
        match fields[..] {
            [Some(own), Some(other), Some(won), Some(lost), Some(drawn), ..] => {
                let sum: &mut [u64; 3] = by_cubes.entry(own + other).or_default();
                *sum = [sum[0] + won, sum[1] + lost, sum[2] + drawn];
            }
            [_, _, None, None, None, Some(plies), Some(won), Some(lost)] => {
                let sum: &mut [u64; 2] = by_plies.entry(plies).or_default();
                *sum = [sum[0] + won, sum[1] + lost];
            }
            _ => return Err(format!("a line that is no count: {line}").into()),
        }
    }
    std::fs::write(Path::new(folder).join("quixo-plies.svg"), plies_plot(&by_plies))?;
    std::fs::write(Path::new(folder).join("quixo-cubes.svg"), cubes_plot(&by_cubes))?;
    for (cubes, [won, lost, drawn]) in &by_cubes {
        println!("| {cubes} | {won} | {lost} | {drawn} |");
    }
    Ok(())
}

fn frame(title: &str, inside: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\"><rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fbf6ec\"/>\
         <text x=\"{LEFT}\" y=\"20\" font-size=\"14\">{title}</text>{inside}</svg>\n"
    )
}

/// Won and lost positions by plies, on a logarithmic scale.
fn plies_plot(counts: &BTreeMap<u64, [u64; 2]>) -> String {
    let longest = counts.keys().max().copied().unwrap_or(1) as f64;
    let x = |plies: u64| LEFT + (WIDTH - LEFT - 20.0) * plies as f64 / longest;
    let y = |count: u64| HEIGHT - BOTTOM - (HEIGHT - BOTTOM - 40.0) * (count.max(1) as f64).log10() / 12.0;
    let mut inside = String::new();
    for power in [0, 3, 6, 9, 12] {
        let height = y(10u64.pow(power));
        let _ = write!(
            inside,
            "<path d=\"M{LEFT} {height:.1}H{}\" stroke=\"#d8cbb4\"/><text x=\"8\" y=\"{:.1}\">10^{power}</text>",
            WIDTH - 20.0,
            height + 4.0
        );
    }
    for plies in (0..=longest as u64).step_by(20) {
        let _ = write!(inside, "<text x=\"{:.1}\" y=\"{}\">{plies}</text>", x(plies), HEIGHT - 20.0);
    }
    for (side, colour) in [(0, "#b4552d"), (1, "#2f5d73")] {
        for (&plies, counts) in counts.iter().filter(|(_, counts)| counts[side] > 0) {
            let _ = write!(
                inside,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"2\" fill=\"{colour}\"/>",
                x(plies),
                y(counts[side])
            );
        }
    }
    frame("Positions won (red) and lost (blue) for the side to move, by plies to the end", &inside)
}

/// The share of won, lost and drawn positions by cubes on the board.
fn cubes_plot(counts: &BTreeMap<u64, [u64; 3]>) -> String {
    let wide = (WIDTH - LEFT - 20.0) / counts.len().max(1) as f64;
    let mut inside = String::new();
    for (place, (cubes, counts)) in counts.iter().enumerate() {
        let all: u64 = counts.iter().sum();
        let (left, mut top) = (LEFT + wide * place as f64, 40.0);
        for (count, colour) in [(counts[0], "#b4552d"), (counts[2], "#e0c98f"), (counts[1], "#2f5d73")] {
            let high = (HEIGHT - BOTTOM - 40.0) * count as f64 / all as f64;
            let _ = write!(
                inside,
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{high:.1}\" fill=\"{colour}\"/>",
                wide - 2.0
            );
            top += high;
        }
        let _ = write!(inside, "<text x=\"{:.1}\" y=\"{}\">{cubes}</text>", left + 4.0, HEIGHT - 20.0);
    }
    frame("Won (red), drawn (sand) and lost (blue) for the side to move, by cubes on the board", &inside)
}
