//! The conformance suite on every game of the list, under every combination of options.
//!
//! What a game promises beyond the rules, by the traits it implements, is checked where it promises it. A game with hidden
//! hands has a file of its own, because it needs a `disguise` that knows by itself what is hidden.

use std::marker::PhantomData;

use rules::{GameId, PerfectInformation, Position, Symmetric};
use scene::Staged;
use testkit::tables::{game, seeded_game, variants};
use testkit::{
    Report, Violation, Walks, conform, conform_perfect, conform_setup, conform_staged, conform_symmetric, every_option,
};

/// About so many positions are walked for each game, however many combinations of options it has.
const POSITIONS: u32 = 32_000;
/// At most about so many combinations of options are walked.
const COMBINATIONS: usize = 100;
/// A game is left unfinished after so many actions.
const ACTIONS: u32 = 200;

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
    let games = (POSITIONS / share / ACTIONS / all.len() as u32).max(1);
    let mut report = Report::default();
    for options in all {
        let walks = Walks { seed, games, actions: ACTIONS };
        report += part(&options, walks).unwrap_or_else(|violation| panic!("{violation}"));
    }
    println!("{}: {report:?}", P::ID);
    report
}

/// Action texts that are legal somewhere under some option, and their neighbours off the board.
fn vocabulary(id: GameId) -> Vec<String> {
    let mut texts = std::collections::BTreeSet::new();
    for variant in variants(id) {
        for (position, _) in seeded_game(&game(&variant), 1, 60) {
            texts.extend(position.legal());
        }
    }
    let further = |text: &String| text.replace('d', "t").replace('4', "14");
    let odd: Vec<String> = texts.iter().map(further).collect();
    texts.into_iter().chain(odd).collect()
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
    assert!(report.positions > 3_000 && report.refused > 10_000, "{report:?}");
}

fn check_scenes<P: Staged>() {
    under_every_option::<P>(4, 8, |options, walks| conform_staged::<P>(options, walks));
}

macro_rules! suite {
    ($($name:ident = $position:ty;)*) => {
        $(
            #[allow(non_snake_case, reason = "a module is called as its game in the list")]
            mod $name {
                use super::*;

                #[test]
                fn keeps_the_promises_of_every_game() {
                    check_rules::<$position>();
                }

                #[test]
                fn hides_nothing_unless_it_has_hidden_hands() {
                    Promises::<$position>(PhantomData).check_nothing_hidden();
                }

                #[test]
                fn is_symmetric_if_it_says_so() {
                    Promises::<$position>(PhantomData).check_symmetry();
                }

                #[test]
                fn can_be_shown_and_touched() {
                    check_scenes::<$position>();
                }

                #[test]
                fn can_be_set_up_freely() {
                    under_every_option::<$position>(5, 16, |options, walks| conform_setup::<$position>(options, walks));
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
