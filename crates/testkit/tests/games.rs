//! The conformance suite on every game of the list, under every combination of options.
//!
//! What a game promises beyond the rules, by the traits it implements, is checked where it promises it. A game with hidden
//! hands has a file of its own, because it needs a `disguise` that knows by itself what is hidden.

mod vocabulary;

use std::marker::PhantomData;

use rules::{GameId, HiddenInformation, PerfectInformation, Position, Symmetric};
use scene::Staged;
use testkit::tables::{game, seeded_game, variants};
use testkit::{
    Report, Violation, Walks, conform, conform_perfect, conform_setup, conform_staged, conform_symmetric, every_option,
    random_game,
};
use vocabulary::vocabulary;

/// About so many positions are walked for each game, however many combinations of options it has.
const POSITIONS: u32 = 40_000;
/// At most about so many combinations of options are walked.
const COMBINATIONS: usize = 100;
/// No game is followed further.
const LONGEST: u32 = 1_500;

/// Runs one part of the suite under every option; `share` of the positions is enough for it.
fn under_every_option<P: Position>(
    seed: u64,
    share: u32,
    part: impl Fn(&P::Options, Walks) -> Result<Report, Violation>,
) -> Report {
    let all = every_option::<P::Options>();
    // Hundreds of combinations are sampled; an odd step meets the values of every option.
    let step = all.len().div_ceil(COMBINATIONS) | 1;
    let all: Vec<P::Options> = all.into_iter().step_by(step).collect();
    let positions = POSITIONS / share / all.len() as u32;
    let mut report = Report::default();
    for options in all {
        report +=
            part(&options, walks::<P>(&options, seed, positions)).unwrap_or_else(|violation| panic!("{violation}"));
    }
    println!("{}: {report:?}", P::ID);
    report
}

/// Games of one combination of options with about so many positions: many where games are short, at least two halves of
/// one where they are long.
fn walks<P: Position>(options: &P::Options, seed: u64, positions: u32) -> Walks {
    let actions = (positions / 2).clamp(30, LONGEST);
    let lengths: usize = (0..4).map(|seed| random_game::<P>(options, seed, actions).0.len() + 1).sum();
    Walks { seed, games: (4 * positions / lengths as u32).max(1), actions }
}

/// Chooses the checks of traits that a game may or may not implement; the method of the reference wins where it exists.
struct Promises<P>(PhantomData<P>);

trait MayHide {
    fn check_nothing_hidden(&self) {}
}

impl<P> MayHide for Promises<P> {}

impl<P: PerfectInformation> Promises<P> {
    fn check_nothing_hidden(&self) {
        under_every_option::<P>(2, 8, |options, walks| conform_perfect::<P>(options, walks));
    }
}

trait MayBeOpen {
    fn check_hidden_hands_are_tested(&self) {}
}

impl<P> MayBeOpen for Promises<P> {}

impl<P: HiddenInformation> Promises<P> {
    /// Only a test of the game's own knows by itself what is hidden.
    fn check_hidden_hands_are_tested(&self) {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
        let used = format!("use rules::{}::", P::ID);
        let tests = std::fs::read_dir(&folder).expect("the folder of this test").flatten();
        let hidden = tests.filter(|file| file.file_name().to_string_lossy().starts_with("hidden_"));
        let tested = hidden.flat_map(|file| std::fs::read_to_string(file.path())).any(|text| text.contains(&used));
        assert!(
            tested,
            "{} has hidden hands: write {}/hidden_{}.rs as hidden_cards.rs is written",
            P::ID,
            folder.display(),
            P::ID
        );
    }
}

#[allow(dead_code, reason = "needed as soon as a game is not symmetric")]
trait MayBeLopsided {
    fn check_symmetry(&self) {}
}

impl<P> MayBeLopsided for Promises<P> {}

impl<P: Symmetric> Promises<P> {
    fn check_symmetry(&self) {
        under_every_option::<P>(3, 8, |options, walks| conform_symmetric::<P>(options, walks));
    }
}

fn check_rules<P: Position>() {
    let id: GameId = P::ID.parse().expect("a game of the catalogue");
    let words = vocabulary(id);
    let report = under_every_option::<P>(1, 1, |options, walks| conform::<P>(options, &words, walks));
    let enough = report.positions > u64::from(POSITIONS) / 2 && report.refused > 10_000 && report.finished > 0;
    assert!(enough, "{report:?}");
}

fn check_scenes<P: Staged>() {
    under_every_option::<P>(4, 8, |options, walks| conform_staged::<P>(options, walks));
}

macro_rules! suite {
    ($($name:ident in $module:ident;)*) => {
        $(
            mod $module {
                use super::*;

                #[test]
                fn keeps_the_promises_of_every_game() {
                    check_rules::<rules::$module::$name>();
                }

                #[test]
                fn hides_nothing_unless_it_has_hidden_hands() {
                    Promises::<rules::$module::$name>(PhantomData).check_nothing_hidden();
                    Promises::<rules::$module::$name>(PhantomData).check_hidden_hands_are_tested();
                }

                #[test]
                fn is_symmetric_if_it_says_so() {
                    Promises::<rules::$module::$name>(PhantomData).check_symmetry();
                }

                #[test]
                fn can_be_shown_and_touched() {
                    check_scenes::<rules::$module::$name>();
                }

                #[test]
                fn can_be_set_up_freely() {
                    under_every_option::<rules::$module::$name>(5, 16, |options, walks| conform_setup::<rules::$module::$name>(options, walks));
                }
            }
        )*
    };
}

rules::games!(suite);

/// A random game of any kind comes to its end within the actions that other tests count on.
#[test]
fn games_end() {
    for id in GameId::ALL {
        let ended = variants(id).iter().any(|variant| {
            let steps = seeded_game(&game(variant), 5, 5_000);
            steps.last().is_some_and(|(position, _)| matches!(position.turn(), rules::Turn::Over(_)))
        });
        assert!(ended, "no random game of {id} ended");
    }
}
