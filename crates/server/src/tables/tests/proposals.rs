//! Draws, takebacks and rematches by agreement, and who sits where in the next game.

use std::time::Duration;

use rules::{Outcome, Seat, Side, Signs};

use super::{NAMES, apply_all, attempt, person, spec_of, table_of, try_request};
use crate::tables::event::ProposalKind::{self, Draw, Rematch, Takeback};
use crate::tables::{Event, LogEntry, Refusal, Request, Speech, Table};

fn begun(spec: protocol::TableSpec, bots: &[usize]) -> Table {
    let mut table = table_of(spec);
    for (index, name) in NAMES.iter().enumerate().take(table.seats().len()) {
        let seat = Seat::from_index(index);
        if bots.contains(&index) {
            attempt(&mut table, "ann", &Request::SeatBot { seat, level: Some(1) }).unwrap();
        } else {
            attempt(&mut table, name, &Request::Sit(Some(seat))).unwrap();
        }
    }
    table
}

fn table(game: &str) -> Table {
    begun(spec_of(game), &[])
}

/// Whoever is to act plays the first legal action.
fn act(table: &mut Table) {
    let play = table.play().unwrap();
    let (who, at) = (NAMES[play.to_act().unwrap().index()], play.log().len() as u32);
    let action = play.legal().remove(0);
    attempt(table, who, &Request::Act { action, at }).unwrap();
}

fn propose(table: &mut Table, who: &str, what: ProposalKind) -> Result<(), Refusal> {
    attempt(table, who, &Request::Propose(what))
}

fn ids(seats: &[Option<crate::tables::Sitting>]) -> Vec<&str> {
    seats.iter().map(|who| who.as_ref().and_then(|who| who.person()).map_or("bot", |who| who.id.as_str())).collect()
}

#[test]
fn to_propose_a_draw_that_is_offered_is_to_agree() {
    let mut table = table("quixo");
    propose(&mut table, "ann", Draw).unwrap();
    assert_eq!(propose(&mut table, "ann", Draw), Err(Refusal::AnotherProposal), "nobody agrees with oneself");
    assert_eq!(propose(&mut table, "bob", Rematch), Err(Refusal::NotBegun));
    assert_eq!(attempt(&mut table, "bob", &Request::Agree(Takeback)), Err(Refusal::NothingProposed));
    propose(&mut table, "bob", Draw).unwrap();
    assert_eq!(table.ending().unwrap().0, Some(Outcome::Draw));
    assert_eq!(propose(&mut table, "ann", Draw), Err(Refusal::Over));
}

#[test]
fn a_takeback_is_agreed_to_and_not_met_by_another() {
    let mut table = table("quixo");
    act(&mut table);
    act(&mut table);
    propose(&mut table, "ann", Takeback).unwrap();
    assert_eq!(propose(&mut table, "bob", Takeback), Err(Refusal::AnotherProposal));
    assert_eq!(propose(&mut table, "bob", Draw), Err(Refusal::AnotherProposal));
    attempt(&mut table, "bob", &Request::Agree(Takeback)).unwrap();
    assert!(table.play().unwrap().log().is_empty());
}

#[test]
fn what_was_declined_is_not_proposed_again_in_the_same_position() {
    let mut table = table("quixo");
    assert_eq!(attempt(&mut table, "bob", &Request::Decline(Draw)), Err(Refusal::NothingProposed));
    propose(&mut table, "ann", Draw).unwrap();
    assert_eq!(attempt(&mut table, "bob", &Request::Decline(Takeback)), Err(Refusal::NothingProposed));
    attempt(&mut table, "bob", &Request::Decline(Draw)).unwrap();
    assert_eq!(attempt(&mut table, "bob", &Request::Agree(Draw)), Err(Refusal::NothingProposed));
    assert_eq!(propose(&mut table, "ann", Draw), Err(Refusal::AnotherProposal));
    assert_eq!(propose(&mut table, "bob", Draw), Ok(()), "the other may");
    attempt(&mut table, "ann", &Request::Decline(Draw)).unwrap();
    act(&mut table);
    assert_eq!(propose(&mut table, "ann", Draw), Ok(()), "and so may both after an action");
}

#[test]
fn an_offer_is_declined_by_playing_on() {
    let mut table = table("quixo");
    propose(&mut table, "ann", Draw).unwrap();
    act(&mut table);
    let declined = |table: &Table| table.entries().any(|entry| matches!(entry.event, Event::Declined { .. }));
    assert!(!declined(&table), "one's own action declines nothing");
    act(&mut table);
    assert!(declined(&table));
    let last = table.entries().last().unwrap();
    assert_eq!(last.event, Event::Declined { what: Draw, seat: Seat::TWO });
}

#[test]
fn one_of_each_side_agrees_to_a_draw() {
    let mut team = table("quixo(players=4)");
    propose(&mut team, "ann", Draw).unwrap();
    attempt(&mut team, "cat", &Request::Agree(Draw)).unwrap();
    assert_eq!(team.ending(), None, "both are of one side");
    attempt(&mut team, "bob", &Request::Agree(Draw)).unwrap();
    assert_eq!(team.ending().unwrap().0, Some(Outcome::Draw));

    let mut three = table("sequence(players=3)");
    propose(&mut three, "ann", Draw).unwrap();
    attempt(&mut three, "cat", &Request::Agree(Draw)).unwrap();
    assert_eq!(three.ending(), None);
    attempt(&mut three, "bob", &Request::Agree(Draw)).unwrap();
    assert_eq!(three.ending().unwrap().0, Some(Outcome::Draw));
}

/// A bot does not judge a draw, but it does not stand between people who agree on one.
#[test]
fn a_bot_declines_a_draw_only_where_it_alone_is_the_other_side() {
    let declines = |game: &str, bots: &[usize], by: &str| {
        let table = begun(spec_of(game), bots);
        let events = try_request(&table, by, &Request::Propose(Draw), Duration::ZERO, Duration::ZERO).unwrap();
        events.iter().find_map(|event| if let Event::Declined { seat, .. } = event { Some(*seat) } else { None })
    };
    assert_eq!(declines("quixo", &[1], "ann"), Some(Seat::TWO));
    assert_eq!(declines("quixo(players=4)", &[1, 3], "ann"), Some(Seat::TWO));
    assert_eq!(declines("quixo(players=4)", &[3], "ann"), None, "its partner is a person");
    assert_eq!(declines("quixo(players=4)", &[2], "ann"), None, "it is of the same side");
}

#[test]
fn a_bot_agrees_to_a_takeback() {
    let mut table = begun(spec_of("quixo"), &[1]);
    act(&mut table);
    propose(&mut table, "ann", Takeback).unwrap();
    assert!(table.play().unwrap().log().is_empty());
}

#[test]
fn a_rematch_is_wanted_once_all_people_agree_after_the_end() {
    let mut table = table("quixo");
    assert_eq!(propose(&mut table, "ann", Rematch), Err(Refusal::NotBegun));
    attempt(&mut table, "ann", &Request::Resign).unwrap();
    propose(&mut table, "ann", Rematch).unwrap();
    assert!(!table.wants_rematch());
    propose(&mut table, "bob", Rematch).unwrap();
    assert!(table.wants_rematch());
    let event = Event::RematchMade { table: "next".to_owned() };
    table.apply(LogEntry { at: 7, by: None, request: None, event }, Duration::ZERO).unwrap();
    assert!(!table.wants_rematch());
    assert_eq!(propose(&mut table, "ann", Rematch), Err(Refusal::Over));
}

#[test]
fn with_a_bot_one_person_decides_on_a_rematch() {
    let mut table = begun(spec_of("quixo"), &[1]);
    attempt(&mut table, "ann", &Request::Resign).unwrap();
    propose(&mut table, "ann", Rematch).unwrap();
    assert!(table.wants_rematch());
}

/// What a game changed in the ratings is found by the moment of its end, whatever is said afterwards.
#[test]
fn a_game_ended_when_its_end_was_entered() {
    let mut table = table("quixo");
    assert_eq!(table.ended_at(), None);
    let ended = Event::Ended { result: Some(Outcome::Draw), cause: game::Cause::Agreement };
    let said = Event::Said { seat: None, name: "Eve".to_owned(), what: Speech::Phrase("hello".to_owned()) };
    for (at, event) in [(900, ended), (1_000, said)] {
        table.apply(LogEntry { at, by: None, request: None, event }, Duration::ZERO).unwrap();
    }
    assert_eq!(table.ended_at(), Some(900));
}

/// A table whose game was resigned by a player.
fn resigned(spec: protocol::TableSpec, who: &str) -> Table {
    let mut table = begun(spec, &[]);
    attempt(&mut table, who, &Request::Resign).unwrap();
    table
}

fn loser_begins(game: &str) -> protocol::TableSpec {
    protocol::TableSpec { first: Some(protocol::FirstPlayer::Loser), ..spec_of(game) }
}

/// The players of a table in the order of its seats, which were drawn where the loser begins.
fn order(table: &Table) -> Vec<&str> {
    ids(table.seats())
}

#[test]
fn in_the_next_game_each_player_sits_one_seat_further() {
    assert_eq!(ids(&resigned(spec_of("quixo"), "ann").rotated()), ["bob", "ann"]);
    assert_eq!(ids(&resigned(spec_of("quixo(players=4)"), "ann").rotated()), ["dan", "ann", "bob", "cat"]);
}

#[test]
fn the_loser_begins_the_next_game_where_that_was_agreed() {
    for loser in ["ann", "bob"] {
        let table = resigned(loser_begins("quixo"), loser);
        assert_eq!(ids(&table.rotated())[0], loser);
    }
    for loser in NAMES {
        let table = resigned(loser_begins("quixo(players=4)"), loser);
        let (before, next) = (order(&table), table.rotated());
        let first = before.iter().position(|who| *who == ids(&next)[0]).unwrap();
        let lost = before.iter().position(|who| *who == loser).unwrap();
        assert_eq!(first % 2, lost % 2, "one of the side that lost");
        let neighbours =
            |who: &[&str]| -> Vec<String> { (0..4).map(|n| format!("{}{}", who[n], who[(n + 1) % 4])).collect() };
        let (mut around, mut later) = (neighbours(&before), neighbours(&ids(&next)));
        around.sort();
        later.sort();
        assert_eq!(around, later, "the order around the table stays");
    }
    let mut drawn = begun(loser_begins("quixo"), &[]);
    propose(&mut drawn, "ann", Draw).unwrap();
    propose(&mut drawn, "bob", Draw).unwrap();
    let mut expected = order(&drawn);
    expected.rotate_right(1);
    assert_eq!(ids(&drawn.rotated()), expected, "nobody lost a draw");
}

#[test]
fn with_three_sides_nobody_is_the_loser() {
    let mut table = begun(loser_begins("sequence(players=3)"), &[]);
    let play_out = ["ann", "bob"];
    play_out.iter().for_each(|who| attempt(&mut table, who, &Request::Resign).unwrap());
    assert!(matches!(table.ending().unwrap().0, Some(Outcome::Win(_))));
    let mut expected = order(&table);
    expected.rotate_right(1);
    assert_eq!(ids(&table.rotated()), expected);
}

/// G9: signs that were chosen stay with their players.
#[test]
fn g9_signs_move_on_with_the_players_unless_seats_are_drawn() {
    let game = rules::GameId::Quixo;
    let mut crossed = Signs::default();
    crossed.choose(Side::ONE, game.sign("nought").unwrap());
    let signs = Some(crossed.text(game, 2));
    let with = |first| resigned(protocol::TableSpec { signs: signs.clone(), first, ..spec_of("quixo") }, "ann");
    assert_eq!(with(None).rotated_signs(), Some(Signs::default()), "the players change seats, and the signs with them");
    assert_eq!(with(Some(protocol::FirstPlayer::Lot)).rotated_signs(), Some(crossed));
    assert_eq!(resigned(spec_of("quixo"), "ann").rotated_signs(), None);
}

#[test]
fn an_operator_ends_a_game_without_a_result() {
    let mut table = table("quixo");
    let mut below = |_| 0;
    let absence = |_: &str| Duration::ZERO;
    let mut context = super::DecisionContext::new(Duration::ZERO, 7, &mut below, &absence);
    let events = table.decide(super::Command::Abandon, &mut context).unwrap().events;
    apply_all(&mut table, &person("ann"), events);
    assert_eq!(table.ending(), Some(&(None, game::Cause::Abandonment)));
}
