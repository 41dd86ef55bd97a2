//! The statements that hold for every game (G1–G3), on random games of all four.

use rules::four::Four;
use rules::quarto::Quarto;
use rules::quixo::Quixo;
use rules::sequence::Sequence;
use rules::{ActionList, Position, Seat, Side, Turn};

/// Plays random games and shows every position with its actions.
fn walk<P: Position>(options: &str, look: impl Fn(&P, &[P::Action])) {
    let options = options.parse().expect("options of the game");
    let mut state = 7u64;
    for _ in 0..5 {
        let (mut position, mut actions) = (P::start(&options), ActionList::new());
        for _ in 0..400 {
            position.actions(&mut actions);
            look(&position, &actions);
            if actions.is_empty() {
                break;
            }
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            position.play_unchecked(actions[(state >> 33) as usize % actions.len()]);
        }
    }
}

fn each_action_has_one_text<P: Position>(position: &P, actions: &[P::Action]) {
    let mut texts: Vec<String> = actions.iter().map(ToString::to_string).collect();
    for (text, &action) in texts.iter().zip(actions) {
        assert_eq!(text.parse::<P::Action>().ok(), Some(action), "{text}");
    }
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), actions.len(), "two actions share a text in {position}");
}

fn only_an_ended_game_has_no_action<P: Position>(position: &P, actions: &[P::Action]) {
    assert_eq!(actions.is_empty(), matches!(position.turn(), Turn::Over(_)), "{position}");
    // In Quarto one may pass over a row on the full board (QA10); elsewhere a pass is forced.
    let passes = actions.iter().any(|action| action.to_string() == "pass");
    assert!(!passes || P::ID == Quarto::ID || actions.len() == 1, "a pass beside other actions in {position}");
}

#[test]
fn g1_seats_are_numbered_from_one_in_turn_order_and_sides_win_together() {
    assert_eq!(Seat::all(4).map(|seat| seat.number()).collect::<Vec<_>>(), [1, 2, 3, 4]);
    let teams = Quixo::start(&"players=4".parse().expect("an option"));
    let sides: Vec<Side> = Seat::all(4).map(|seat| teams.side(seat)).collect();
    assert_eq!(sides, [Side::ONE, Side::TWO, Side::ONE, Side::TWO]);
    let alone = Sequence::start(&"players=4".parse().expect("an option"));
    let sides: Vec<usize> = Seat::all(4).map(|seat| alone.side(seat).index()).collect();
    assert_eq!(sides, [0, 1, 2, 3]);
}

#[test]
fn g2_each_action_has_one_text() {
    walk::<Quarto>("call=open", each_action_has_one_text);
    walk::<Quixo>("players=4", each_action_has_one_text);
    walk::<Sequence>("players=3,board=shuffled", each_action_has_one_text);
    walk::<Four>("size=9", each_action_has_one_text);
}

#[test]
fn g3_a_game_that_is_not_over_has_an_action_and_a_forced_pass_is_one() {
    walk::<Quarto>("call=lapse", only_an_ended_game_has_no_action);
    walk::<Quixo>("players=4", only_an_ended_game_has_no_action);
    walk::<Sequence>("players=4", only_an_ended_game_has_no_action);
    walk::<Four>("size=9", only_an_ended_game_has_no_action);
}
