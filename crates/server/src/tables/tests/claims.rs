//! Who may claim a game because another player is away, and when.

use std::time::Duration;

use rules::{Outcome, Seat};

use super::{Command, DecisionContext, NAMES, apply_all, attempt, person, spec_of, table_of};
use crate::tables::event::Claim;
use crate::tables::{Event, Refusal, Request, Table};

const GRACE: Duration = Duration::from_secs(10);

fn begun(game: &str) -> Table {
    let mut table = table_of(spec_of(game));
    for name in &NAMES[..table.seats().len()] {
        attempt(&mut table, name, &Request::Sit(None)).unwrap();
    }
    table
}

/// A player claims against a seat while some people are away for so many seconds.
fn claim(table: &mut Table, who: &str, away: Seat, what: Claim, gone: &[(&str, u64)]) -> Result<Vec<Event>, Refusal> {
    let mut below = |_| 0;
    let absence =
        |id: &str| Duration::from_secs(gone.iter().find(|(name, _)| *name == id).map_or(0, |(_, seconds)| *seconds));
    let context = DecisionContext::new(Duration::ZERO, 7, &mut below, &absence);
    let mut context = DecisionContext { grace: GRACE, ..context };
    let who = person(who);
    let events = table.decide(Command::Request(&who, &Request::Claim { away, what }), &mut context)?.events;
    apply_all(table, &who, events.clone());
    Ok(events)
}

#[test]
fn a_claim_waits_until_the_other_has_been_away_for_long_enough() {
    let mut table = begun("quixo");
    let mut after = |seconds| claim(&mut table, "ann", Seat::TWO, Claim::Win, &[("bob", seconds)]);
    assert_eq!(after(0), Err(Refusal::NotAway { wait: Some(10) }));
    assert_eq!(after(4), Err(Refusal::NotAway { wait: Some(6) }));
    assert!(after(10).is_ok());
    assert!(matches!(table.ending().unwrap().0, Some(Outcome::Win(_))));
}

#[test]
fn a_draw_may_be_claimed_instead() {
    let mut table = begun("quixo");
    claim(&mut table, "ann", Seat::TWO, Claim::Draw, &[("bob", 20)]).unwrap();
    assert_eq!(table.ending().unwrap().0, Some(Outcome::Draw));
}

#[test]
fn nobody_claims_against_oneself_or_an_empty_place() {
    let mut table = begun("quixo");
    for seat in [Seat::ONE, Seat::THREE] {
        assert_eq!(claim(&mut table, "ann", seat, Claim::Win, &[("ann", 20)]), Err(Refusal::NoSeat));
    }
    assert_eq!(claim(&mut table, "eve", Seat::ONE, Claim::Win, &[("ann", 20)]), Err(Refusal::NotSeated));
}

#[test]
fn who_is_out_neither_claims_nor_is_claimed_against() {
    let mut table = begun("sequence(players=3)");
    attempt(&mut table, "bob", &Request::Resign).unwrap();
    assert_eq!(claim(&mut table, "ann", Seat::TWO, Claim::Win, &[("bob", 20)]), Err(Refusal::SeatIsOut));
    assert_eq!(claim(&mut table, "bob", Seat::THREE, Claim::Win, &[("cat", 20)]), Err(Refusal::SeatIsOut));
}

/// With more than two sides all who are present have to claim the same; those who are away too are not waited for.
#[test]
fn all_who_are_present_claim_together() {
    let mut table = begun("sequence(players=3)");
    let away = [("cat", 20)];
    let alone = claim(&mut table, "ann", Seat::THREE, Claim::Win, &away).unwrap();
    assert_eq!(alone.len(), 1, "bob is asked");
    assert_eq!(claim(&mut table, "ann", Seat::THREE, Claim::Win, &away), Err(Refusal::AnotherProposal));
    assert_eq!(claim(&mut table, "bob", Seat::THREE, Claim::Draw, &away).unwrap().len(), 1, "that is another claim");
    let both = claim(&mut table, "bob", Seat::THREE, Claim::Win, &away).unwrap();
    assert!(both.iter().any(|event| matches!(event, Event::Played { .. })), "cat is out: {both:?}");

    let mut table = begun("sequence(players=3)");
    let gone = claim(&mut table, "ann", Seat::THREE, Claim::Win, &[("cat", 20), ("bob", 10)]).unwrap();
    assert!(gone.len() > 1, "nobody else is present: {gone:?}");
}

/// A bot never claims, so a game with one could not be claimed if it were asked.
#[test]
fn a_bot_is_not_asked_about_a_claim() {
    let mut table = table_of(spec_of("sequence(players=3)"));
    attempt(&mut table, "ann", &Request::Sit(None)).unwrap();
    attempt(&mut table, "ann", &Request::SeatBot { seat: Seat::TWO, level: Some(1) }).unwrap();
    attempt(&mut table, "cat", &Request::Sit(None)).unwrap();
    let gone = claim(&mut table, "ann", Seat::THREE, Claim::Win, &[("cat", 20)]).unwrap();
    assert!(gone.iter().any(|event| matches!(event, Event::Played { .. })), "cat is out: {gone:?}");
}

/// Of a team it is the other side that claims, and a partner is not asked.
#[test]
fn the_partner_of_who_is_away_is_not_asked() {
    let mut table = begun("quixo(players=4)");
    let away = [("bob", 20)];
    assert_eq!(claim(&mut table, "ann", Seat::TWO, Claim::Win, &away).unwrap().len(), 1, "cat is asked");
    claim(&mut table, "cat", Seat::TWO, Claim::Win, &away).unwrap();
    assert!(table.ending().is_some(), "dan is not");
}
