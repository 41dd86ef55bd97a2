//! The conformance suite on Quixo, every option.

use rules::quixo::{Quixo, QuixoOptions};
use testkit::{Report, Walks, conform, conform_perfect, conform_staged, conform_symmetric, every_option, vocabulary};

#[test]
fn conforms() {
    let words = vocabulary::quixo();
    let mut report = Report::default();
    for options in every_option::<QuixoOptions>() {
        let walks = Walks { seed: 1, games: 60, actions: 400 };
        report += conform::<Quixo>(&options, &words, walks).unwrap_or_else(|violation| panic!("{violation}"));
        conform_perfect::<Quixo>(&options, walks).unwrap_or_else(|violation| panic!("{violation}"));
    }
    println!("{report:?}");
    assert!(report.finished > 20 && report.positions > 2_000 && report.refused > 10_000, "{report:?}");
}

#[test]
fn is_symmetric() {
    for options in every_option::<QuixoOptions>() {
        let walks = Walks { seed: 2, games: 20, actions: 200 };
        conform_symmetric::<Quixo>(&options, walks).unwrap_or_else(|violation| panic!("{violation}"));
    }
}

#[test]
fn can_be_shown_and_touched() {
    for options in every_option::<QuixoOptions>() {
        let walks = Walks { seed: 3, games: 20, actions: 200 };
        conform_staged::<Quixo>(&options, walks).unwrap_or_else(|violation| panic!("{violation}"));
    }
}
