//! What a run found: as sentences, as a cross-table, as JSON, as a plot.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

use locale::Language;
use serde_json::{Value, json};

use super::contest::Results;
use super::contestant::Contestant;
use super::statistics::{elo_of, ratings, score_of};
use super::{ArenaArguments, CLEAR};

/// All pairings of a run that were played.
pub(super) struct Run<'a> {
    pub(super) arguments: &'a ArenaArguments,
    pub(super) contestants: &'a [Contestant],
    /// The numbers of the two contestants and what they did.
    pub(super) pairings: Vec<((usize, usize), Results)>,
    pub(super) took: Duration,
    pub(super) interrupted: bool,
}

impl Run<'_> {
    /// The result for people.
    pub(super) fn print(&self, l: Language) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if let ([_, _], [(_, results)]) = (self.contestants, &self.pairings[..]) {
            self.print_pairing(&mut out, results, l)?;
        } else {
            writeln!(out, "{}", self.cross_table(l))?;
        }
        for (_, results) in &self.pairings {
            for ((who, fault), count) in &results.faults {
                writeln!(out, "{}", l.arena_fault(fault.told(who, l), count))?;
            }
        }
        if self.interrupted {
            writeln!(out, "{}", l.arena_interrupted())?;
        }
        Ok(())
    }

    fn print_pairing(&self, out: &mut dyn Write, results: &Results, l: Language) -> io::Result<()> {
        let (a, b) = (&self.contestants[0], &self.contestants[1]);
        let scores = &results.scores;
        let (low, high) = scores.interval();
        let percent = |share: f64| format!("{:.1}", 100.0 * share);
        // Adding zero turns a negative zero into a plain one.
        let elo = |share: f64| format!("{:+.0}", elo_of(share, scores.sides) + 0.0);
        writeln!(out, "{}", l.arena_head(&self.arguments.game, a, b, scores.games(), self.took.as_secs()))?;
        writeln!(out, "{}", l.arena_counts(scores.wins, scores.draws, scores.losses))?;
        writeln!(out, "{}", l.arena_score(percent(scores.mean()), percent(low), percent(high)))?;
        if scores.sides > 2 {
            writeln!(out, "{}", l.arena_even(percent(1.0 / scores.sides as f64)))?;
        }
        writeln!(out, "{}", l.arena_elo(elo(scores.mean()), elo(low), elo(high)))?;
        for who in self.contestants {
            if let Some(time) = who.processor_time() {
                let milliseconds = format!("{:.1}", 1e3 * time.as_secs_f64());
                writeln!(out, "{}", l.arena_processor_time(who, milliseconds))?;
            }
        }
        if let Some((elo0, elo1)) = self.arguments.sprt {
            let likelihood = scores.likelihood(elo0, elo1);
            let verdict = match likelihood {
                it if it >= CLEAR => l.arena_stronger(),
                it if it <= -CLEAR => l.arena_not_stronger(),
                _ => l.arena_not_clear(),
            };
            writeln!(out, "SPRT {elo0:+}, {elo1:+}: {likelihood:.2} / ±{CLEAR} ({verdict})")?;
        }
        Ok(())
    }

    /// Points and games of each contestant against each other, as they would be between two sides.
    fn results(&self) -> Vec<Vec<(f64, f64)>> {
        let count = self.contestants.len();
        let mut results = vec![vec![(0.0, 0.0); count]; count];
        for ((a, b), played) in &self.pairings {
            let games = f64::from(played.scores.games());
            let score = score_of(elo_of(played.scores.mean(), played.scores.sides), 2);
            results[*a][*b] = (score * games, games);
            results[*b][*a] = ((1.0 - score) * games, games);
        }
        results
    }

    /// Scores of the row against the column in per cent, as Markdown, with ratings.
    fn cross_table(&self, l: Language) -> String {
        let results = self.results();
        let elo = ratings(&results);
        let head = l.arena_per_pairing(&self.arguments.game, self.arguments.games);
        let mut text = format!("{head}\n\n| {} | {} |", self.heading(l), l.arena_elo_title());
        for column in self.labels() {
            let _ = write!(text, " {column} |");
        }
        let _ = write!(text, "\n|---|---|{}", "---|".repeat(self.contestants.len()));
        for (i, row) in self.labels().iter().enumerate() {
            let _ = write!(text, "\n| {row} | {:.0} |", elo[i]);
            for (j, (points, games)) in results[i].iter().enumerate() {
                match (i == j, *games > 0.0) {
                    (true, _) => text.push_str(" · |"),
                    (_, false) => text.push_str("  |"),
                    _ => drop(write!(text, " {:.0} |", 100.0 * points / games)),
                }
            }
        }
        text
    }

    fn heading(&self, l: Language) -> &'static str {
        if self.arguments.levels.is_some() { l.arena_level() } else { l.arena_contestant() }
    }

    /// Levels are called by their number alone.
    fn labels(&self) -> Vec<String> {
        let whole = self.contestants.iter().map(ToString::to_string);
        if self.arguments.levels.is_none() {
            return whole.collect();
        }
        whole.map(|name| name.trim_start_matches("bot:").to_owned()).collect()
    }

    /// The result for programs, as one object.
    pub(super) fn json(&self) -> Value {
        let elo = ratings(&self.results());
        let pairing = |((a, b), results): &((usize, usize), Results)| {
            let scores = &results.scores;
            let (low, high) = scores.interval();
            let share = |it: f64| (it * 1e4).round() / 1e4;
            let rating = |it: f64| (elo_of(it, scores.sides) * 10.0).round() / 10.0;
            let sprt = self.arguments.sprt.map(|(elo0, elo1)| {
                let likelihood = scores.likelihood(elo0, elo1);
                let accepted = [(likelihood >= CLEAR, "elo1"), (likelihood <= -CLEAR, "elo0")];
                let accepted = accepted.into_iter().find(|(is_so, _)| *is_so).map(|(_, name)| name);
                json!({ "elo0": elo0, "elo1": elo1, "llr": likelihood, "bound": CLEAR, "accepted": accepted })
            });
            let faults = results
                .faults
                .iter()
                .map(|((who, fault), count)| json!({ "contestant": who, "fault": fault.to_string(), "count": count }));
            json!({
                "a": self.contestants[*a].to_string(),
                "b": self.contestants[*b].to_string(),
                "games": scores.games(),
                "wins": scores.wins,
                "draws": scores.draws,
                "losses": scores.losses,
                "score": share(scores.mean()),
                "low": share(low),
                "high": share(high),
                "elo": rating(scores.mean()),
                "elo_low": rating(low),
                "elo_high": rating(high),
                "sprt": sprt,
                "faults": faults.collect::<Vec<_>>(),
            })
        };
        let rated = self.contestants.iter().zip(&elo);
        let tenths = |it: f64| (it * 10.0).round() / 10.0;
        let rated = rated.map(|(who, elo)| {
            let processor = who.processor_time().map(|time| tenths(1e3 * time.as_secs_f64()));
            json!({ "contestant": who.to_string(), "elo": tenths(*elo), "processor_ms": processor })
        });
        json!({
            "game": self.arguments.game.to_string(),
            "seed": self.arguments.seed,
            "seconds": (self.took.as_secs_f64() * 1e3).round() / 1e3,
            "interrupted": self.interrupted,
            "pairings": self.pairings.iter().map(pairing).collect::<Vec<_>>(),
            "ratings": rated.collect::<Vec<_>>(),
        })
    }

    /// The ratings as a line, a step for each contestant.
    pub(super) fn plot(&self, language: Language) -> String {
        let elo = ratings(&self.results());
        let labels = self.labels();
        let title = language.arena_plot_title(&self.arguments.game);
        let (width, height, margin) = (480.0, 300.0, 48.0);
        let low = elo.iter().copied().fold(0.0, f64::min);
        let span = (elo.iter().copied().fold(1.0, f64::max) - low).max(1.0);
        let x = |n: usize| margin + (width - 2.0 * margin) * n as f64 / (labels.len() - 1).max(1) as f64;
        let y = |value: f64| height - margin - (height - 2.0 * margin) * (value - low) / span;
        let mut svg = format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#f6f1e7"/><text x="{margin}" y="28" font-size="15" fill="#2b2118">{title}</text>"##
        );
        let points: Vec<String> =
            elo.iter().enumerate().map(|(n, &value)| format!("{:.1},{:.1}", x(n), y(value))).collect();
        let _ =
            write!(svg, r##"<polyline points="{}" fill="none" stroke="#b07c1e" stroke-width="2"/>"##, points.join(" "));
        for (n, &value) in elo.iter().enumerate() {
            let (x, y) = (x(n), y(value));
            let _ = write!(
                svg,
                r##"<circle cx="{x:.1}" cy="{y:.1}" r="4" fill="#2e6b57"/><text x="{x:.1}" y="{:.1}" text-anchor="middle" fill="#2b2118">{value:.0}</text><text x="{x:.1}" y="{:.1}" text-anchor="middle" fill="#6e6154">{}</text>"##,
                y - 10.0,
                height - 20.0,
                labels[n]
            );
        }
        svg.push_str("</svg>\n");
        svg
    }
}
