//! Who sits down, by what right people are at a table, and what a table can be made for.

use std::time::Duration;

use protocol::{Event as Told, ServerMessage};
use rules::{Seat, Viewer};
use search::Random;

use super::{Command, DecisionContext, apply_all, attempt, person, sent, spec_of, table_of};
use crate::tables::rights::Right;
use crate::tables::{Event, Person, PersonKind, Refusal, Request, Speech, Table, TableSpec};

/// A person sits down with a rating, and chance draws from a seed.
fn sit(table: &mut Table, who: &Person, rating: u32, seed: u64) -> Result<Vec<Event>, Refusal> {
    let mut random = Random::new(seed);
    let mut below = |bound| random.below(bound);
    let absence = |_: &str| Duration::ZERO;
    let context = DecisionContext::new(Duration::ZERO, 7, &mut below, &absence);
    let ratings = vec![("nobody".to_owned(), 1), (who.id.clone(), rating)];
    let mut context = DecisionContext { ratings, ..context };
    let events = table.decide(Command::Request(who, &Request::Sit(None)), &mut context)?.events;
    apply_all(table, who, events.clone());
    Ok(events)
}

fn account(id: &str) -> Person {
    Person { kind: PersonKind::Account, ..person(id) }
}

#[test]
fn at_a_rated_table_only_accounts_sit_with_their_ratings() {
    let mut table = table_of(protocol::TableSpec { rated: true, ..spec_of("quixo") });
    assert_eq!(sit(&mut table, &person("ann"), 1500, 1), Err(Refusal::NotRated));
    let events = sit(&mut table, &account("ann"), 1500, 1).unwrap();
    assert!(matches!(events[..], [Event::Sat { rating: Some(1500), .. }]), "{events:?}");
    assert_eq!(
        attempt(&mut table, "ann", &Request::SeatBot { seat: Seat::TWO, level: Some(1) }),
        Err(Refusal::NotRated)
    );
    assert_eq!(table.info(Viewer::Spectator).seats[0].rating, Some(1500));
    let mut casual = table_of(spec_of("quixo"));
    assert!(sit(&mut casual, &person("ann"), 1500, 1).is_ok());
}

#[test]
fn a_seat_is_left_and_a_bot_removed_only_before_the_game() {
    let mut table = table_of(spec_of("quixo"));
    assert_eq!(attempt(&mut table, "ann", &Request::Stand), Err(Refusal::NotSeated));
    attempt(&mut table, "ann", &Request::Sit(None)).unwrap();
    assert_eq!(attempt(&mut table, "ann", &Request::Sit(None)), Err(Refusal::SeatTaken));
    attempt(&mut table, "ann", &Request::Stand).unwrap();
    assert_eq!(table.seats()[0], None);
    let bot = |level| Request::SeatBot { seat: Seat::TWO, level };
    assert_eq!(attempt(&mut table, "bob", &bot(Some(1))), Err(Refusal::NotMaker));
    attempt(&mut table, "ann", &bot(Some(1))).unwrap();
    assert_eq!(attempt(&mut table, "ann", &bot(Some(2))), Err(Refusal::SeatTaken));
    attempt(&mut table, "ann", &bot(None)).unwrap();
    assert_eq!(table.seats()[1], None);
    assert_eq!(attempt(&mut table, "ann", &bot(None)), Err(Refusal::SeatTaken), "there is none to remove");
    attempt(&mut table, "ann", &Request::Sit(None)).unwrap();
    attempt(&mut table, "bob", &Request::Sit(None)).unwrap();
    assert_eq!(attempt(&mut table, "ann", &Request::Stand), Err(Refusal::Begun));
}

#[test]
fn a_bot_sits_on_a_seat_of_the_table() {
    let mut table = table_of(spec_of("quixo"));
    for level in [Some(1), None, Some(9)] {
        assert_eq!(attempt(&mut table, "ann", &Request::SeatBot { seat: Seat::THREE, level }), Err(Refusal::NoSeat));
    }
}

/// Both orders come out of the lot, and everybody keeps the own rating.
#[test]
fn seats_are_drawn_by_lot_when_the_last_is_taken() {
    let mut firsts = Vec::new();
    for seed in 0..20 {
        let spec = protocol::TableSpec { first: Some(protocol::FirstPlayer::Lot), rated: true, ..spec_of("quixo") };
        let mut table = table_of(spec);
        sit(&mut table, &account("ann"), 1500, seed).unwrap();
        let events = sit(&mut table, &account("bob"), 1700, seed).unwrap();
        let moves = events.iter().filter(|event| matches!(event, Event::Stood { .. } | Event::Sat { .. })).count();
        let seats = table.info(Viewer::Spectator).seats;
        let ids: Vec<&str> = table.seats().iter().flatten().filter_map(|who| Some(who.person()?.id.as_str())).collect();
        assert_eq!(moves, if ids[0] == "ann" { 1 } else { 5 }, "only who changes seats stands up");
        for (id, seat) in ids.iter().zip(seats) {
            assert_eq!(seat.rating, Some(if *id == "ann" { 1500 } else { 1700 }));
        }
        assert_eq!(ids.len(), 2);
        firsts.push(ids[0].to_owned());
        let record = table.play().unwrap().record().to_string();
        assert!(record.contains("[First \"lot\"]"), "{record}");
    }
    let ann = firsts.iter().filter(|first| *first == "ann").count();
    assert!((4..=16).contains(&ann), "{ann} of 20");
}

#[test]
fn four_players_are_drawn_to_four_seats() {
    let names = ["ann", "bob", "cat", "dan"];
    let mut orders = std::collections::BTreeSet::new();
    for seed in 0..60 {
        let first = Some(protocol::FirstPlayer::Lot);
        let mut table = table_of(protocol::TableSpec { first, ..spec_of("quixo(players=4)") });
        for name in names {
            sit(&mut table, &person(name), 0, seed).unwrap();
        }
        let seats = table.seats().iter().flatten().filter_map(|who| Some(who.person()?.id.clone()));
        let order: Vec<String> = seats.collect();
        let mut sorted = order.clone();
        sorted.sort();
        assert_eq!(sorted, names);
        orders.insert(order);
    }
    assert!(orders.len() > 15, "{} of 24 orders", orders.len());
}

fn of_access(access: protocol::Access) -> Table {
    let mut table = table_of(protocol::TableSpec { access, ..spec_of("quixo") });
    attempt(&mut table, "ann", &Request::Sit(None)).unwrap();
    table
}

#[test]
fn a_private_table_is_for_its_players_once_it_has_begun() {
    let mut table = of_access(protocol::Access::Private);
    for right in [Right::See, Right::Speak, Right::Act] {
        assert_eq!(table.check("eve", right), Ok(()), "people may come and sit down");
    }
    attempt(&mut table, "bob", &Request::Sit(None)).unwrap();
    for _ in 0..2 {
        for right in [Right::See, Right::Speak, Right::Act] {
            assert_eq!(table.check("eve", right), Err(Refusal::Private));
            assert_eq!(table.check("ann", right), Ok(()));
        }
        let _ = attempt(&mut table, "ann", &Request::Resign);
    }
}

#[test]
fn only_players_speak_at_a_table_of_friends_after_the_game() {
    for (access, silent) in [(protocol::Access::Link, true), (protocol::Access::Open, false)] {
        let mut table = of_access(access);
        attempt(&mut table, "bob", &Request::Sit(None)).unwrap();
        assert_eq!(table.check("eve", Right::Speak), Ok(()));
        attempt(&mut table, "ann", &Request::Resign).unwrap();
        assert_eq!(table.check("eve", Right::Speak), if silent { Err(Refusal::NotSeated) } else { Ok(()) });
        assert_eq!(table.check("eve", Right::See), Ok(()));
        assert_eq!(table.check("bob", Right::Speak), Ok(()));
    }
}

#[test]
fn the_chat_of_friends_is_not_for_those_who_come_after_the_game() {
    for (access, shown) in [(protocol::Access::Link, false), (protocol::Access::Open, true)] {
        let mut table = of_access(access);
        attempt(&mut table, "bob", &Request::Sit(None)).unwrap();
        attempt(&mut table, "ann", &Request::Say(Speech::Text("good luck".to_owned()))).unwrap();
        let hears = |table: &Table, viewer| sent(table, viewer).contains("good luck");
        assert!(hears(&table, Viewer::Spectator));
        attempt(&mut table, "bob", &Request::Resign).unwrap();
        assert_eq!(hears(&table, Viewer::Spectator), shown);
        assert!(hears(&table, Viewer::Seat(Seat::TWO)));
    }
}

#[test]
fn the_chat_of_blocked_people_is_left_out_and_its_number_stays() {
    let mut table = of_access(protocol::Access::Open);
    attempt(&mut table, "bob", &Request::Sit(None)).unwrap();
    attempt(&mut table, "bob", &Request::Say(Speech::Text("boo".to_owned()))).unwrap();
    attempt(&mut table, "ann", &Request::Say(Speech::Text("hello".to_owned()))).unwrap();
    let shown = |blocked: &[String]| table.events_without(blocked, 0, Viewer::Seat(Seat::ONE), usize::MAX);
    let redacted = |events: &[ServerMessage]| {
        events.iter().filter(|event| matches!(event, ServerMessage::Event { event: Told::Redacted, .. })).count()
    };
    let (all, without) = (shown(&[]), shown(&["bob".to_owned()]));
    assert_eq!((all.len(), redacted(&all)), (without.len(), 0));
    assert_eq!(redacted(&without), 1, "bob's line alone; that bob sat down is no chat");
}

#[test]
fn a_table_is_rated_for_two_people_only() {
    let made = |spec: protocol::TableSpec| TableSpec::try_from(spec).map(drop);
    let rated = |game: &str, bots: Vec<Option<u8>>| protocol::TableSpec { rated: true, bots, ..spec_of(game) };
    assert_eq!(made(rated("quixo", vec![])), Ok(()));
    assert_eq!(made(rated("quixo", vec![None, Some(3)])), Err(Refusal::NotRated));
    assert_eq!(made(rated("quixo(players=4)", vec![])), Err(Refusal::NotRated));
    let bad = |spec| matches!(made(spec), Err(Refusal::BadTable { .. }));
    assert!(bad(protocol::TableSpec { seat: Some(Seat::THREE), ..spec_of("quixo") }));
    assert!(bad(protocol::TableSpec { bots: vec![None, None, Some(1)], ..spec_of("quixo") }));
    assert!(bad(protocol::TableSpec { bots: vec![Some(9)], ..spec_of("quixo") }));
    assert_eq!(made(protocol::TableSpec { bots: vec![Some(8), None], ..spec_of("quixo") }), Ok(()));
}

#[test]
fn what_a_table_is_and_who_sits_there_is_told() {
    let mut table = table_of(protocol::TableSpec { rated: true, ..spec_of("quixo") });
    let state = |table: &Table| table.info(Viewer::Spectator).state;
    assert_eq!(state(&table), protocol::TableState::Waiting);
    sit(&mut table, &account("ann"), 1500, 1).unwrap();
    let told = table.info(Viewer::Spectator).seats.remove(0).occupant.unwrap();
    let ann = protocol::Person { id: "ann".to_owned(), name: "ANN".to_owned(), kind: protocol::PersonKind::Account };
    assert_eq!(told, protocol::Occupant::Person(ann));
    sit(&mut table, &account("bob"), 1500, 1).unwrap();
    assert_eq!(state(&table), protocol::TableState::Playing);
    attempt(&mut table, "ann", &Request::Resign).unwrap();
    assert_eq!(state(&table), protocol::TableState::Over);
}

#[test]
fn a_phrase_is_told_as_one_and_one_that_is_no_longer_offered_as_its_key() {
    let mut table = of_access(protocol::Access::Open);
    for (key, told) in [
        (protocol::Phrase::Hello.word(), protocol::ChatLine::Phrase { phrase: protocol::Phrase::Hello }),
        ("ahoy", protocol::ChatLine::Text { text: "ahoy".to_owned() }),
    ] {
        attempt(&mut table, "ann", &Request::Say(Speech::Phrase(key.to_owned()))).unwrap();
        let last = table.events_since(table.seq() - 1, Viewer::Spectator, 1).remove(0);
        let ServerMessage::Event { event: Told::Said { line, .. }, .. } = last else { panic!("{last:?}") };
        assert_eq!(line, told);
    }
}

/// Where hands were hidden, the end shows every entry as it was; elsewhere all was seen.
#[test]
fn the_end_reveals_what_was_hidden() {
    for (game, hides) in [("sequence", true), ("quixo", false)] {
        let mut table = table_of(spec_of(game));
        for who in ["ann", "bob"] {
            attempt(&mut table, who, &Request::Sit(None)).unwrap();
        }
        attempt(&mut table, "ann", &Request::Resign).unwrap();
        let truth: Vec<String> = table.play().unwrap().log().iter().map(|entry| entry.event.to_string()).collect();
        let last = table.events_since(table.seq() - 1, Viewer::Spectator, 1).remove(0);
        let ServerMessage::Event { event: Told::Ended { log, .. }, .. } = last else { panic!("{last:?}") };
        assert_eq!(log, if hides { truth } else { Vec::new() }, "{game}");
    }
}
