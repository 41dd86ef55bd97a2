//! Drafts: what happens in them is what would happen in the match.

use rules::{Outcome, Seat};

use super::tests::{NOW, ROUND, events, play, secs, sit, with_clock};
use super::*;
use crate::Cause;

/// A draft goes exactly as the match would, whatever happens in it, and the match stays as it is.
#[test]
fn a_draft_leads_where_the_match_leads() {
    type Happening = (&'static str, fn(&mut Match), fn(&mut Draft));
    let happenings: [Happening; 5] = [
        (
            "act",
            |game| game.act(Seat::TWO, "a5e5", secs(9)).unwrap(),
            |draft| {
                draft.act(Seat::TWO, "a5e5", secs(9)).unwrap();
            },
        ),
        ("resign", |game| game.resign(Seat::ONE, secs(9)).unwrap(), |draft| draft.resign(Seat::ONE, secs(9)).unwrap()),
        ("leave", |game| game.leave(Seat::TWO, secs(9)).unwrap(), |draft| draft.leave(Seat::TWO, secs(9)).unwrap()),
        ("abandon", |game| game.abandon(secs(9)).unwrap(), |draft| draft.abandon().unwrap()),
        (
            "time",
            |game| assert!(game.tick(secs(99)).is_some()),
            |draft| assert_eq!(draft.tick(secs(99)), Some(Seat::TWO)),
        ),
    ];
    for (name, in_match, in_draft) in happenings {
        let mut game = with_clock("quixo", "turn=60");
        game.play("a1e1", secs(5)).unwrap();
        let mut draft = game.draft();
        in_draft(&mut draft);
        assert_eq!(events(&game), "a1e1", "{name}");
        in_match(&mut game);
        let drafted: Vec<_> = draft.entries().iter().map(|entry| entry.event.clone()).collect();
        assert_eq!(drafted, [game.log()[1].event.clone()], "{name}");
        assert_eq!(draft.ending(), game.ending(), "{name}");
        assert_eq!(draft.position().to_string(), game.position().to_string(), "{name}");
        assert_eq!(draft.clock().left(Seat::ONE, secs(99)), game.clock().left(Seat::ONE, secs(99)), "{name}");
    }
}

#[test]
fn a_draft_may_end_by_agreement_once() {
    let mut draft = sit("quixo").draft();
    draft.agree().unwrap();
    assert_eq!(draft.ending(), Some(Ending { outcome: Some(Outcome::Draw), cause: Cause::Agreement }));
    assert!(draft.abandon().is_err(), "nothing comes after the end");
    assert_eq!(draft.entries().len(), 1);
}

#[test]
fn a_draft_draws_what_is_due_and_gives_time_back() {
    let mut draft = sit("sequence").draft();
    let mut random = search::Random::new(1);
    draft.draw(&mut |n| random.below(n), NOW).unwrap();
    assert!(!draft.entries().is_empty() && draft.position().turn() != rules::Turn::Chance);
    let mut draft = with_clock("quixo", "turn=60").draft();
    assert_eq!(draft.tick(secs(10)), None);
    assert_eq!(draft.forgive(secs(3), secs(10)), secs(3));
    assert_eq!(draft.clock().left(Seat::ONE, secs(10)), Some(secs(53)));
}

/// The positions of the match count in a draft, those of the draft among themselves.
#[test]
fn g7_a_draft_counts_repetitions_as_the_match_does() {
    let mut game = sit("quixo");
    play(&mut game, ROUND);
    let mut draft = game.draft();
    let actions: Vec<&str> = ROUND.split_whitespace().chain(["a1e1", "a5e5"]).collect();
    for (number, action) in actions.iter().enumerate() {
        assert_eq!(draft.ending(), None, "before action {number}");
        let Some(seat) = [Seat::ONE, Seat::TWO].get(number % 2).copied() else { continue };
        draft.act(seat, action, NOW).unwrap();
    }
    assert_eq!(draft.ending(), Some(Ending { outcome: Some(Outcome::Draw), cause: Cause::Repetition }));
    assert_eq!(game.ending(), None);
}
