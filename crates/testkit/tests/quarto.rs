//! The conformance suite on Quarto, every option.

use rules::quarto::{Quarto, QuartoOptions};
use testkit::{Report, Walks, conform, conform_perfect, conform_symmetric, every_option, vocabulary};

#[test]
fn conforms() {
    let words = vocabulary::quarto();
    let mut report = Report::default();
    for options in every_option::<QuartoOptions>() {
        let walks = Walks { seed: 1, games: 12, actions: 400 };
        report += conform::<Quarto>(&options, &words, walks).unwrap_or_else(|violation| panic!("{violation}"));
        conform_perfect::<Quarto>(&options, walks).unwrap_or_else(|violation| panic!("{violation}"));
    }
    println!("{report:?}");
    assert!(report.finished > 20 && report.positions > 2_000 && report.refused > 10_000, "{report:?}");
}

#[test]
fn is_symmetric() {
    for options in every_option::<QuartoOptions>() {
        let walks = Walks { seed: 2, games: 1, actions: 200 };
        conform_symmetric::<Quarto>(&options, walks).unwrap_or_else(|violation| panic!("{violation}"));
    }
}
