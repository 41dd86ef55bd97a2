//! The conformance suite on every game, under every combination of options.

use rules::four::{Four, FourOptions};
use rules::quarto::Quarto;
use rules::quixo::Quixo;
use rules::sequence::Sequence;
use rules::{Options, PerfectInformation, Position, Symmetric};
use scene::Staged;
use testkit::{
    Report, Violation, Walks, conform, conform_perfect, conform_setup, conform_staged, conform_symmetric, every_option,
    vocabulary,
};

/// Runs one part of the suite under every option and says what was walked.
fn under_every_option<P: Position>(part: impl Fn(&P::Options) -> Result<Report, Violation>) -> Report {
    let mut report = Report::default();
    for options in every_option::<P::Options>() {
        report += part(&options).unwrap_or_else(|violation| panic!("{violation}"));
    }
    println!("{}: {report:?}", P::ID);
    report
}

fn rules<P: Position>(words: &[String], walks: Walks) -> Report {
    under_every_option::<P>(|options| conform::<P>(options, words, walks))
}

fn nothing_hidden<P: PerfectInformation>(walks: Walks) -> Report {
    under_every_option::<P>(|options| conform_perfect::<P>(options, walks))
}

fn symmetry<P: Symmetric>(walks: Walks) -> Report {
    under_every_option::<P>(|options| conform_symmetric::<P>(options, walks))
}

fn stage<P: Staged>(walks: Walks) -> Report {
    under_every_option::<P>(|options| conform_staged::<P>(options, walks))
}

fn set_up<P: Staged>(walks: Walks) {
    let report = under_every_option::<P>(|options| conform_setup::<P>(options, walks));
    assert!(report.refused > 0, "some boards are no positions: {report:?}");
}

#[test]
fn quixo_can_be_set_up() {
    set_up::<Quixo>(Walks { seed: 5, games: 20, actions: 200 });
}

#[test]
fn quarto_can_be_set_up() {
    set_up::<Quarto>(Walks { seed: 5, games: 4, actions: 60 });
}

#[test]
fn sequence_can_be_set_up() {
    set_up::<Sequence>(Walks { seed: 5, games: 4, actions: 200 });
}

#[test]
fn four_can_be_set_up() {
    let report = four(|options| conform_setup::<Four>(options, Walks { seed: 5, games: 1, actions: 120 }));
    assert!(report.refused > 0, "some boards are no positions: {report:?}");
}

#[test]
fn quixo_keeps_every_promise() {
    let report = rules::<Quixo>(&vocabulary::quixo(), Walks { seed: 1, games: 80, actions: 400 });
    assert!(report.finished > 100 && report.positions > 4_000 && report.refused > 50_000, "{report:?}");
    nothing_hidden::<Quixo>(Walks { seed: 2, games: 20, actions: 200 });
}

#[test]
fn quixo_is_symmetric() {
    symmetry::<Quixo>(Walks { seed: 3, games: 30, actions: 200 });
}

#[test]
fn quixo_can_be_shown_and_touched() {
    stage::<Quixo>(Walks { seed: 4, games: 30, actions: 200 });
}

#[test]
fn quarto_keeps_every_promise() {
    let report = rules::<Quarto>(&vocabulary::quarto(), Walks { seed: 1, games: 20, actions: 60 });
    assert!(report.finished == 90 * 20 && report.positions > 20_000, "{report:?}");
    nothing_hidden::<Quarto>(Walks { seed: 2, games: 3, actions: 60 });
}

#[test]
fn quarto_is_symmetric() {
    symmetry::<Quarto>(Walks { seed: 3, games: 6, actions: 60 });
}

#[test]
fn quarto_can_be_shown_and_touched() {
    stage::<Quarto>(Walks { seed: 4, games: 6, actions: 60 });
}

/// Six options have hundreds of combinations; every seventh meets each pair of values.
fn some_options_of_four() -> impl Iterator<Item = FourOptions> {
    every_option::<FourOptions>().into_iter().step_by(7)
}

/// Runs one part of the suite under some options of Four.
fn four(part: impl Fn(&FourOptions) -> Result<Report, Violation>) -> Report {
    let mut report = Report::default();
    for options in some_options_of_four() {
        report += part(&options).unwrap_or_else(|violation| panic!("{violation}"));
    }
    report
}

/// Random stones seldom meet, so many short games of few stones matter as much as long ones.
#[test]
fn four_keeps_every_promise() {
    let mut report = Report::default();
    for options in some_options_of_four() {
        let words = vocabulary::four(options.value("size").and_then(|size| size.parse().ok()).unwrap());
        let walks = Walks { seed: 1, games: 2, actions: 200 };
        report += conform::<Four>(&options, &words, walks).unwrap_or_else(|violation| panic!("{violation}"));
    }
    println!("four: {report:?}");
    assert!(report.finished > 0 && report.positions > 8_000, "{report:?}");
    four(|options| conform_perfect::<Four>(options, Walks { seed: 2, games: 1, actions: 100 }));
}

#[test]
fn four_is_symmetric() {
    four(|options| conform_symmetric::<Four>(options, Walks { seed: 3, games: 1, actions: 120 }));
}

#[test]
fn four_can_be_shown_and_touched() {
    four(|options| conform_staged::<Four>(options, Walks { seed: 4, games: 1, actions: 120 }));
}
