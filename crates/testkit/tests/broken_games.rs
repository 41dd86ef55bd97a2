//! The suite itself is tested: a sound toy passes, and each broken promise is caught under its own name.

mod toy;

use rules::Viewer;
use search::Random;
use testkit::{
    Property, Report, Violation, Walks, conform, conform_hidden, conform_hidden_scenes, conform_perfect, conform_setup,
    conform_staged, conform_symmetric, every_option,
};
use toy::{CARDS, Flaw, Toy, ToyOptions, plant};

const WALKS: Walks = Walks { seed: 5, games: 40, actions: 50 };

/// The whole suite on one toy, or the first promise it breaks.
fn suite(flaw: Flaw) -> Result<Report, Violation> {
    plant(flaw);
    let words = ["l1", "l2", "r1", "r2", "deal:a", "deal:b", "deal:c"].map(str::to_owned);
    let mut report = Report::default();
    for options in every_option::<ToyOptions>() {
        report += conform::<Toy>(&options, &words, WALKS)?;
        report += conform_hidden::<Toy>(&options, disguise, WALKS)?;
        report += conform_symmetric::<Toy>(&options, WALKS)?;
        report += conform_staged::<Toy>(&options, WALKS)?;
        report += conform_setup::<Toy>(&options, WALKS)?;
        report += conform_hidden_scenes::<Toy>(&options, disguise, WALKS)?;
    }
    Ok(report)
}

/// Deals anew what the viewer does not see.
fn disguise(toy: &Toy, viewer: Viewer, random: &mut Random) -> Option<Toy> {
    let hidden: Vec<usize> = (0..2)
        .filter(|&seat| toy.cards[seat].is_some() && viewer != Viewer::Seat(rules::Seat::from_index(seat)))
        .collect();
    if hidden.is_empty() || toy.heaps == [0, 0] {
        return None;
    }
    let mut other = toy.clone();
    hidden.iter().for_each(|&seat| other.cards[seat] = None);
    for seat in hidden {
        let open: Vec<_> = CARDS.into_iter().filter(|card| !other.cards.contains(&Some(*card))).collect();
        other.cards[seat] = Some(open[random.below(open.len() as u32) as usize]);
    }
    Some(other)
}

#[test]
fn a_sound_toy_passes() {
    let report = suite(Flaw::None).unwrap_or_else(|violation| panic!("{violation}"));
    assert!(report.finished > 100 && report.refused > 1_000, "{report:?}");
}

macro_rules! caught {
    ($($test:ident: $flaw:ident => $property:ident;)*) => {$(
        #[test]
        fn $test() {
            let violation = suite(Flaw::$flaw).expect_err("the flaw must be found");
            assert_eq!(violation.property, Property::$property, "{violation}");
            assert!(!violation.detail.is_empty());
        }
    )*};
}

caught! {
    forgotten_options_are_caught: OptionsForgotten => OptionsText;
    a_live_position_without_actions_is_caught: NoAction => LiveHasActions;
    an_action_after_the_end_is_caught: ActionWhenOver => LiveHasActions;
    a_winner_who_does_not_play_is_caught: SeatThree => SeatsExist;
    picking_another_action_is_caught: PicksAnother => PicksWhatIsListed;
    an_action_listed_twice_is_caught: Twice => NoDuplicates;
    an_ambiguous_action_text_is_caught: ActionText => ActionText;
    an_action_text_of_two_words_is_caught: TwoWords => ActionText;
    a_forgetful_position_text_is_caught: PositionText => PositionText;
    a_hash_that_differs_for_equals_is_caught: Hash => PositionText;
    an_action_of_chance_that_denies_it_is_caught: ChanceUnknown => ChanceActions;
    an_impossible_chance_action_is_caught: NoWeight => ChanceWeight;
    playing_what_is_not_listed_is_caught: PlayTakesMore => PlayTakesWhatIsListed;
    refusing_what_is_listed_is_caught: PlayTakesLess => PlayTakesWhatIsListed;
    a_refusal_that_changes_the_position_is_caught: RefusalPlays => RefusalChangesNothing;
    a_refusal_that_forgets_the_end_is_caught: WrongReason => RefusalIsTrue;
    a_skipped_seat_that_stays_is_caught: SkipStays => SkippedTurn;
    a_game_of_two_that_goes_on_without_one_is_caught: SkipOfTwo => SkippedTurn;
    checked_play_that_differs_is_caught: UncheckedDiffers => Replay;
    an_actor_who_cannot_see_the_own_action_is_caught: OwnActionHidden => OwnActionSeen;
    a_leaking_view_is_caught: ViewLeaks => ViewLeaks;
    a_leak_that_equality_overlooks_is_caught: ViewDebugLeaks => ViewLeaks;
    a_leaking_draw_is_caught: DrawLeaks => SeenActionLeaks;
    actions_that_depend_on_hidden_cards_are_caught: ActionsLeak => ActionsLeak;
    a_guess_without_chance_is_caught: GuessIsFixed => GuessVaries;
    a_guess_that_looks_different_is_caught: GuessDisagrees => GuessAgrees;
    a_guess_with_a_card_twice_is_caught: GuessUnlawful => GuessIsLawful;
    a_redetermined_position_that_leaks_is_caught: RedeterminedLeaks => Redetermined;
    a_symmetry_zero_that_moves_is_caught: NotIdentity => SymmetryIsAGroup;
    a_symmetry_that_cannot_be_undone_is_caught: NotUndone => SymmetryIsAGroup;
    a_symmetry_that_changes_the_turn_is_caught: TurnsWrong => SymmetryCommutes;
    a_symmetry_of_the_board_alone_is_caught: TurnsActionsWrong => SymmetryCommutes;
    actions_touched_alike_are_caught: SameTouches => TouchesDistinct;
    an_action_that_begins_another_is_caught: PrefixTouches => TouchesPrefixFree;
    a_touch_that_is_not_shown_is_caught: HiddenButton => TouchesAreShown;
    a_motion_of_what_is_not_there_is_caught: GhostMotion => MotionsLeadOn;
    a_setup_that_forgets_is_caught: SetupForgets => SetupRoundTrip;
    a_setup_that_shows_something_else_is_caught: SetupShowsNothing => SetupShowsPosition;
    a_setup_that_ignores_a_field_is_caught: SetupIgnores => SetupKeepsEdits;
    a_setup_that_becomes_no_position_is_caught: SetupUnlawful => SetupRefusal;
    a_cleared_board_that_is_no_position_is_caught: SetupNeverClear => SetupClears;
    a_scene_that_shows_too_much_is_caught: SceneLeaks => SceneLeaks;
    a_happening_that_tells_too_much_is_caught: HappeningLeaks => SceneLeaks;
}

mod coin {
    //! A game of perfect information in one throw, which shows the coin to everybody as it lies, or the other way up.

    use std::fmt;
    use std::str::FromStr;

    use rules::{
        ActionList, BadPosition, Outcome, PerfectInformation, Position, Reason, Seat, Side, Turn, UnreadableAction,
        Viewer,
    };

    use crate::toy::ToyOptions;

    /// With `tall=yes` spectators see the wrong side.
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    pub(crate) struct Coin {
        heads: bool,
        thrown: bool,
        options: ToyOptions,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub(crate) struct Throw;

    impl fmt::Display for Throw {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("throw")
        }
    }

    impl FromStr for Throw {
        type Err = UnreadableAction;

        fn from_str(text: &str) -> Result<Throw, UnreadableAction> {
            if text == "throw" { Ok(Throw) } else { Err(UnreadableAction::new(text, "throw")) }
        }
    }

    impl fmt::Display for Coin {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{} {}", self.heads, self.thrown)
        }
    }

    impl Position for Coin {
        const ID: &'static str = "coin";
        type Options = ToyOptions;
        type Action = Throw;
        type View = Coin;

        fn start(options: &ToyOptions) -> Coin {
            Coin { heads: false, thrown: false, options: *options }
        }

        fn parse(options: &ToyOptions, text: &str) -> Result<Coin, BadPosition> {
            let words =
                text.split_once(' ').and_then(|(heads, thrown)| Some((heads.parse().ok()?, thrown.parse().ok()?)));
            let (heads, thrown) = words.ok_or_else(|| BadPosition::NoSuchCard(text.to_owned()))?;
            Ok(Coin { heads, thrown, options: *options })
        }

        fn options(&self) -> ToyOptions {
            self.options
        }

        fn seats(&self) -> u8 {
            1
        }

        fn turn(&self) -> Turn {
            if self.thrown { Turn::Over(Outcome::Win(Side::ONE)) } else { Turn::Seat(Seat::ONE) }
        }

        fn actions(&self, into: &mut ActionList<Throw>) {
            into.clear();
            if !self.thrown {
                into.push(Throw);
            }
        }

        fn play_unchecked(&mut self, _: Throw) {
            (self.heads, self.thrown) = (true, true);
        }

        fn view(&self, viewer: Viewer) -> Coin {
            let wrong = self.options.tall && viewer == Viewer::Spectator && self.thrown;
            Coin { heads: self.heads != wrong, ..self.clone() }
        }

        fn refusal(&self, _: Throw) -> Reason {
            Reason::GameOver
        }
    }

    impl PerfectInformation for Coin {}
}

#[test]
fn a_spectator_who_sees_something_else_is_caught() {
    let suite = |options: ToyOptions| {
        conform::<coin::Coin>(&options, &[], WALKS)?;
        conform_perfect::<coin::Coin>(&options, WALKS)
    };
    assert!(suite(ToyOptions { tall: false }).is_ok());
    let violation = suite(ToyOptions { tall: true }).expect_err("the flaw must be found");
    assert_eq!(violation.property, Property::NothingHidden, "{violation}");
}
