//! A round robin between levels: a table, ratings, and a plot.

use std::error::Error;
use std::fmt::Write as _;
use std::io::{self, Write as _};

use locale::Language;
use search::Level;

use super::contestant::Contestant;
use super::statistics::ratings;
use super::{ArenaArguments, end_progress, progress, write_file};

/// Plays every level against every other and prints the table.
pub(super) fn run(
    arguments: &ArenaArguments,
    from: Level,
    to: Level,
    language: Language,
) -> Result<(), Box<dyn Error>> {
    let levels: Vec<Level> = Level::all().filter(|level| (from..=to).contains(level)).collect();
    let count = levels.len();
    let mut results = vec![vec![(0.0, 0.0); count]; count];
    let mut records = Vec::new();
    for i in 0..count {
        for j in 0..i {
            let (a, b) = (Contestant::Bot(levels[i]), Contestant::Bot(levels[j]));
            let played = arguments.contest(&a, &b, arguments.games, |scores| {
                progress(scores, arguments.games);
                false
            });
            end_progress();
            let games = f64::from(played.scores.games());
            results[i][j] = (played.scores.mean() * games, games);
            results[j][i] = ((1.0 - played.scores.mean()) * games, games);
            eprintln!("{}", language.arena_against(a, b, format!("{:.1}", 100.0 * played.scores.mean())));
            records.extend(played.records);
        }
    }
    let elo = ratings(&results);
    writeln!(io::stdout(), "{}", table(arguments, &levels, &results, &elo, language))?;
    if let Some(file) = &arguments.records {
        write_file(file, &records.join("\n"), language)?;
    }
    if let Some(file) = &arguments.plot {
        write_file(file, &plot(&arguments.game.to_string(), &levels, &elo, language), language)?;
    }
    Ok(())
}

/// Scores of the row against the column in per cent, as Markdown.
fn table(
    arguments: &ArenaArguments,
    levels: &[Level],
    results: &[Vec<(f64, f64)>],
    elo: &[f64],
    language: Language,
) -> String {
    let head = language.arena_per_pairing(&arguments.game, arguments.games);
    let mut text = format!("{head}\n\n| {} | {} |", language.arena_level(), language.arena_elo_title());
    for level in levels {
        let _ = write!(text, " {level} |");
    }
    let _ = write!(text, "\n|---|---|{}", "---|".repeat(levels.len()));
    for (i, level) in levels.iter().enumerate() {
        let _ = write!(text, "\n| {level} | {:.0} |", elo[i]);
        for (j, (points, games)) in results[i].iter().enumerate() {
            match i == j {
                true => text.push_str(" · |"),
                false => drop(write!(text, " {:.0} |", 100.0 * points / games.max(1.0))),
            }
        }
    }
    text
}

/// The ratings as a line, a step for each level.
fn plot(game: &str, levels: &[Level], elo: &[f64], language: Language) -> String {
    let title = language.arena_plot_title(game);
    let (width, height, margin) = (480.0, 300.0, 48.0);
    let low = elo.iter().copied().fold(0.0, f64::min);
    let span = (elo.iter().copied().fold(1.0, f64::max) - low).max(1.0);
    let x = |n: usize| margin + (width - 2.0 * margin) * n as f64 / (levels.len() - 1).max(1) as f64;
    let y = |value: f64| height - margin - (height - 2.0 * margin) * (value - low) / span;
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#f6f1e7"/><text x="{margin}" y="28" font-size="15" fill="#2b2118">{title}</text>"##
    );
    let points: Vec<String> =
        elo.iter().enumerate().map(|(n, &value)| format!("{:.1},{:.1}", x(n), y(value))).collect();
    let _ = write!(svg, r##"<polyline points="{}" fill="none" stroke="#b07c1e" stroke-width="2"/>"##, points.join(" "));
    for (n, &value) in elo.iter().enumerate() {
        let (x, y) = (x(n), y(value));
        let _ = write!(
            svg,
            r##"<circle cx="{x:.1}" cy="{y:.1}" r="4" fill="#2e6b57"/><text x="{x:.1}" y="{:.1}" text-anchor="middle" fill="#2b2118">{value:.0}</text><text x="{x:.1}" y="{:.1}" text-anchor="middle" fill="#6e6154">{}</text>"##,
            y - 10.0,
            height - 20.0,
            levels[n]
        );
    }
    svg.push_str("</svg>\n");
    svg
}
