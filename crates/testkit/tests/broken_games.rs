//! The suite itself is tested: a sound toy passes, and each broken promise is caught under its own name.

mod toy;

use rules::Viewer;
use search::Random;
use testkit::{
    Property, Report, Violation, Walks, conform, conform_hidden, conform_hidden_scenes, conform_staged,
    conform_symmetric, every_option,
};
use toy::{CARDS, Toy, ToyOptions, flaw};

const WALKS: Walks = Walks { seed: 5, games: 40, actions: 50 };

/// The whole suite on one toy, or the first promise it breaks.
fn suite<const FLAW: u8>() -> Result<Report, Violation> {
    let words = ["l1", "l2", "r1", "r2", "deal:a", "deal:b", "deal:c"].map(str::to_owned);
    let mut report = Report::default();
    for options in every_option::<ToyOptions>() {
        report += conform::<Toy<FLAW>>(&options, &words, WALKS)?;
        report += conform_hidden::<Toy<FLAW>>(&options, disguise, WALKS)?;
        report += conform_symmetric::<Toy<FLAW>>(&options, WALKS)?;
        report += conform_staged::<Toy<FLAW>>(&options, WALKS)?;
        report += conform_hidden_scenes::<Toy<FLAW>>(&options, disguise, WALKS)?;
    }
    Ok(report)
}

/// Deals anew what the viewer does not see.
fn disguise<const FLAW: u8>(toy: &Toy<FLAW>, viewer: Viewer, random: &mut Random) -> Option<Toy<FLAW>> {
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
    let report = suite::<{ flaw::NONE }>().unwrap_or_else(|violation| panic!("{violation}"));
    assert!(report.finished > 100 && report.refused > 1_000, "{report:?}");
}

macro_rules! caught {
    ($($test:ident: $flaw:ident => $property:ident;)*) => {$(
        #[test]
        fn $test() {
            let violation = suite::<{ flaw::$flaw }>().expect_err("the flaw must be found");
            assert_eq!(violation.property, Property::$property, "{violation}");
            assert!(!violation.detail.is_empty());
        }
    )*};
}

caught! {
    forgotten_options_are_caught: OPTIONS_FORGOTTEN => OptionsText;
    a_live_position_without_actions_is_caught: NO_ACTION => LiveHasActions;
    an_action_after_the_end_is_caught: ACTION_WHEN_OVER => LiveHasActions;
    a_winner_who_does_not_play_is_caught: SEAT_THREE => SeatsExist;
    an_action_listed_twice_is_caught: TWICE => NoDuplicates;
    an_ambiguous_action_text_is_caught: ACTION_TEXT => ActionText;
    an_action_text_of_two_words_is_caught: TWO_WORDS => ActionText;
    a_forgetful_position_text_is_caught: POSITION_TEXT => PositionText;
    a_hash_that_differs_for_equals_is_caught: HASH => PositionText;
    an_impossible_chance_action_is_caught: NO_WEIGHT => ChanceWeight;
    playing_what_is_not_listed_is_caught: PLAY_TAKES_MORE => PlayTakesWhatIsListed;
    refusing_what_is_listed_is_caught: PLAY_TAKES_LESS => PlayTakesWhatIsListed;
    a_refusal_that_changes_the_position_is_caught: REFUSAL_PLAYS => RefusalChangesNothing;
    checked_play_that_differs_is_caught: UNCHECKED_DIFFERS => Replay;
    an_actor_who_cannot_see_the_own_action_is_caught: OWN_ACTION_HIDDEN => OwnActionSeen;
    a_leaking_view_is_caught: VIEW_LEAKS => ViewLeaks;
    a_leak_that_equality_overlooks_is_caught: VIEW_DEBUG_LEAKS => ViewLeaks;
    a_leaking_draw_is_caught: DRAW_LEAKS => SeenActionLeaks;
    actions_that_depend_on_hidden_cards_are_caught: ACTIONS_LEAK => ActionsLeak;
    a_guess_without_chance_is_caught: GUESS_IS_FIXED => GuessVaries;
    a_guess_that_looks_different_is_caught: GUESS_DISAGREES => GuessAgrees;
    a_guess_with_a_card_twice_is_caught: GUESS_UNLAWFUL => GuessIsLawful;
    a_symmetry_zero_that_moves_is_caught: NOT_IDENTITY => SymmetryIsAGroup;
    a_symmetry_that_cannot_be_undone_is_caught: NOT_UNDONE => SymmetryIsAGroup;
    a_symmetry_that_changes_the_turn_is_caught: TURNS_WRONG => SymmetryCommutes;
    a_symmetry_of_the_board_alone_is_caught: TURNS_ACTIONS_WRONG => SymmetryCommutes;
    actions_touched_alike_are_caught: SAME_TOUCHES => TouchesDistinct;
    an_action_that_begins_another_is_caught: PREFIX_TOUCHES => TouchesPrefixFree;
    a_touch_that_is_not_shown_is_caught: HIDDEN_BUTTON => TouchesAreShown;
    a_motion_of_what_is_not_there_is_caught: GHOST_MOTION => MotionsLeadOn;
    a_scene_that_shows_too_much_is_caught: SCENE_LEAKS => SceneLeaks;
    a_happening_that_tells_too_much_is_caught: HAPPENING_LEAKS => SceneLeaks;
}
