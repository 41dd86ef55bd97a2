//! What may be said, and what is left of people who are forgotten.

use std::time::Duration;

use rules::{Seat, Side, Signs};

use super::{NAMES, attempt, spec_of, table_of, try_request};
use crate::tables::event::{Claim, ProposalKind};
use crate::tables::{Event, LogEntry, Person, Refusal, Request, Sitting, Speech, Table};

fn begun(spec: protocol::TableSpec) -> Table {
    let mut table = table_of(spec);
    for name in &NAMES[..table.seats().len()] {
        attempt(&mut table, name, &Request::Sit(None)).unwrap();
    }
    table
}

/// A line as it stands in the log.
fn said(text: &str) -> Result<String, Refusal> {
    let mut table = begun(spec_of("quixo"));
    attempt(&mut table, "ann", &Request::Say(Speech::Text(text.to_owned())))?;
    match &table.entries().last().unwrap().event {
        Event::Said { what: Speech::Text(text), .. } => Ok(text.clone()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_line_is_one_line_that_can_be_seen() {
    assert_eq!(said("  good \t luck\r\nto\u{7}you "), Ok("good luck to you".to_owned()));
    assert_eq!(said("a\u{202e}b\u{200b}c\u{feff}d\u{e0001}e"), Ok("abcde".to_owned()));
    for nothing in ["", " \n", "\u{200b}\u{2060}"] {
        assert_eq!(said(nothing), Err(Refusal::BadText), "{nothing:?}");
    }
    let line = |length| "\u{444}".repeat(length);
    assert_eq!(said(&line(protocol::LONGEST_LINE)), Ok(line(protocol::LONGEST_LINE)));
    assert_eq!(said(&line(protocol::LONGEST_LINE + 1)), Err(Refusal::BadText));
}

#[test]
fn only_who_has_a_partner_talks_to_the_team() {
    let team = |game: &str, who: &str| {
        let speech = Request::Say(Speech::Team("push the top".to_owned()));
        attempt(&mut begun(spec_of(game)), who, &speech)
    };
    for name in NAMES {
        assert_eq!(team("quixo(players=4)", name), Ok(()));
    }
    for game in ["quixo", "sequence(players=3)"] {
        assert_eq!(team(game, "ann"), Err(Refusal::NoTeam), "{game}");
    }
    assert_eq!(team("quixo(players=4)", "eve"), Err(Refusal::NoTeam));
}

#[test]
fn a_wish_to_play_again_is_told_from_other_requests() {
    for what in [ProposalKind::Draw, ProposalKind::Takeback, ProposalKind::Rematch] {
        let is = what == ProposalKind::Rematch;
        assert_eq!(Request::Propose(what).is_about_rematch(), is);
        assert_eq!(Request::Agree(what).is_about_rematch(), is);
        assert!(!Request::Decline(what).is_about_rematch());
    }
    assert!(!Request::Resign.is_about_rematch());
}

#[test]
fn only_the_person_who_is_forgotten_loses_the_name() {
    let entry = |event, by: &str| LogEntry { at: 1, by: Some(by.to_owned()), request: None, event };
    let ann = Person { id: "ann".to_owned(), name: "Ann".to_owned(), ..Person::default() };
    let sat = Event::Sat { seat: Seat::ONE, who: Sitting::Person(ann), rating: Some(1500) };
    let said = Event::Said { seat: None, name: "Ann".to_owned(), what: Speech::Text("hello".to_owned()) };
    for event in [sat, said] {
        let mut kept = entry(event.clone(), "ann");
        assert!(!kept.forget("bob"));
        assert_eq!(kept.event, event);
        let mut forgotten = entry(event, "ann");
        assert!(forgotten.forget("ann"));
        match forgotten.event {
            Event::Sat { who: Sitting::Person(person), rating, .. } => {
                assert_eq!((person.name.as_str(), rating), ("", None))
            }
            Event::Said { name, .. } => assert_eq!(name, ""),
            other => panic!("{other:?}"),
        }
    }
}

/// G9: with three sides a sign moves on by one seat, not back by one.
#[test]
fn g9_with_three_sides_signs_follow_their_players() {
    let game = rules::GameId::Sequence;
    let mut signs = Signs::default();
    signs.choose(
        Side::ONE,
        game.signs().iter().find_map(|sign| game.sign(sign).filter(|sign| sign.index() == 2)).unwrap(),
    );
    let text = Some(signs.text(game, 3));
    let mut table = begun(protocol::TableSpec { signs: text, ..spec_of("sequence(players=3)") });
    for who in ["ann", "bob"] {
        attempt(&mut table, who, &Request::Resign).unwrap();
    }
    let next = table.rotated_signs().unwrap();
    for (index, who) in table.rotated().iter().enumerate() {
        let id = &who.as_ref().unwrap().person().unwrap().id;
        let before = NAMES.iter().position(|name| name == id).unwrap();
        assert_eq!(next.of(Side::from_index(index)), signs.of(Side::from_index(before)), "{id}");
    }
}

#[test]
fn the_chat_of_a_table_has_an_end() {
    let mut table = begun(spec_of("quixo"));
    let say = Request::Say(Speech::Phrase("hello".to_owned()));
    for _ in 0..crate::tables::decide::MOST_LINES {
        attempt(&mut table, "ann", &say).unwrap();
    }
    assert_eq!(attempt(&mut table, "ann", &say), Err(Refusal::Forbidden));
}

/// Spectators who wrote a thousand lines left none for the players.
#[test]
fn spectators_cannot_use_up_the_chat_of_the_players() {
    let mut table = begun(spec_of("quixo"));
    let say = Request::Say(Speech::Phrase("hello".to_owned()));
    let said = (0..crate::tables::decide::MOST_LINES).take_while(|_| attempt(&mut table, "eve", &say).is_ok()).count();
    assert_eq!(said as u32, crate::tables::decide::MOST_OF_SPECTATORS);
    assert_eq!(attempt(&mut table, "ann", &say), Ok(()));
}

#[test]
fn a_table_forgets_one_person_and_no_other() {
    let mut table = begun(spec_of("quixo"));
    table.forget("ann");
    let names: Vec<&str> = table.people().map(|(_, person)| person.name.as_str()).collect();
    assert_eq!(names, ["", "BOB"]);
}

/// The same id for another action, or another person's, is no repetition of a request.
#[test]
fn a_repeated_request_is_the_same_action_of_the_same_person() {
    let mut table = begun(spec_of("quixo"));
    let event = Event::Played { entry: "a3e3".into(), spent: None, forgiven: 0 };
    let entry = LogEntry { at: 7, by: Some("ann".to_owned()), request: Some("id".to_owned()), event };
    table.apply(entry, std::time::Duration::ZERO).unwrap();
    let act = |action: &str| Request::Act { action: action.to_owned(), at: 0 };
    assert!(!table.contradicts("ann", "id", &act("a3e3")));
    assert!(table.contradicts("ann", "id", &act("a2e2")));
    assert!(table.contradicts("ann", "id", &Request::Resign), "it would be acknowledged and not happen");
    assert!(table.contradicts("bob", "id", &act("a3e3")) && table.contradicts("ann", "other", &act("a3e3")));
    assert_eq!(table.answered("ann", "id"), Some(table.seq()));
    assert_eq!((table.answered("bob", "id"), table.answered("ann", "other")), (None, None));
}

/// A client that lost the answer sends its request again under the same id; another request under that id is refused.
#[test]
fn a_repeated_request_of_any_kind_is_told_from_another() {
    let own = |request: &Request, others: &[Request], table: &mut Table| {
        let events = try_request(table, "ann", request, Duration::ZERO, Duration::ZERO).unwrap();
        for event in events {
            let (by, id) = (Some("ann".to_owned()), Some(format!("{request:?}")));
            table.apply(LogEntry { at: 7, by, request: id, event }, Duration::ZERO).unwrap();
        }
        assert!(!table.contradicts("ann", &format!("{request:?}"), request), "{request:?}");
        for other in others {
            assert!(table.contradicts("ann", &format!("{request:?}"), other), "{request:?} and then {other:?}");
        }
    };
    let (sit, bot) = (Request::Sit, |level| Request::SeatBot { seat: Seat::TWO, level });
    let mut table = table_of(spec_of("quixo"));
    own(&sit(None), &[sit(Some(Seat::TWO)), Request::Stand], &mut table);
    own(&Request::Stand, &[sit(None), bot(None), Request::Start], &mut table);
    own(&sit(Some(Seat::ONE)), &[sit(Some(Seat::TWO)), bot(Some(3))], &mut table);
    let mut table = table_of(spec_of("quixo(players=4)"));
    own(&bot(Some(3)), &[bot(Some(4)), bot(None), sit(Some(Seat::TWO))], &mut table);
    own(&bot(None), &[bot(Some(3)), Request::SeatBot { seat: Seat::ONE, level: None }], &mut table);

    let (propose, agree) = (Request::Propose, Request::Agree);
    let mut table = begun(spec_of("sequence(players=3)"));
    own(&propose(ProposalKind::Draw), &[propose(ProposalKind::Takeback), Request::Resign], &mut table);
    attempt(&mut table, "bob", &Request::Decline(ProposalKind::Draw)).unwrap();
    attempt(&mut table, "bob", &propose(ProposalKind::Draw)).unwrap();
    own(&agree(ProposalKind::Draw), &[agree(ProposalKind::Rematch)], &mut table);
    let decline = Request::Decline;
    own(&decline(ProposalKind::Draw), &[decline(ProposalKind::Takeback), agree(ProposalKind::Draw)], &mut table);
    let claim = |away, what| Request::Claim { away, what };
    let others = [claim(Seat::THREE, Claim::Win), claim(Seat::TWO, Claim::Draw)];
    own(&claim(Seat::TWO, Claim::Win), &others, &mut table);

    let (text, phrase) = (|text: &str| Speech::Text(text.to_owned()), |key: &str| Speech::Phrase(key.to_owned()));
    let said = |speech: Speech, others: [Speech; 2], table: &mut Table| {
        own(&Request::Say(speech), &others.map(Request::Say), table);
    };
    said(text(" good \t luck"), [text("bad luck"), phrase("good luck")], &mut table);
    said(phrase("hello"), [phrase("thanks"), text("hello")], &mut table);
    own(&Request::Resign, &[propose(ProposalKind::Draw), Request::Start], &mut table);
    let mut table = begun(spec_of("quixo(players=4)"));
    let team = |text: &str| Speech::Team(text.to_owned());
    said(team("push  the top"), [team("push"), text("push")], &mut table);
    let expired = Event::Said { seat: None, name: String::new(), what: text("") };
    assert!(Request::Say(text("hello")).leads_to(&expired), "its words are no longer known");
    assert!(Request::Start.leads_to(&Event::Began) && !Request::Start.leads_to(&expired));
}

#[test]
fn a_spec_is_stored_and_told_as_it_was_made() {
    for access in [protocol::Access::Open, protocol::Access::Link, protocol::Access::Private] {
        let spec = protocol::TableSpec { access, signs: Some("nought cross".into()), ..spec_of("quixo") };
        let table = table_of(spec);
        let info = table.info(rules::Viewer::Spectator);
        assert_eq!((info.access, info.signs.as_deref()), (access, Some("nought cross")));
        assert_eq!(crate::tables::TableSpec::read(&table.spec.write()), Ok(table.spec.clone()));
        assert_eq!(table.spec.game_name(), "quixo");
    }
}

#[test]
fn a_line_that_has_expired_keeps_its_number_alone() {
    let mut table = table_of(spec_of("quixo"));
    let event = Event::Said { seat: None, name: "Eve".to_owned(), what: Speech::Text("hello".to_owned()) };
    let mut entry = LogEntry { at: 9, by: Some("eve".to_owned()), request: None, event };
    assert!(entry.remove_chat());
    table.apply(entry, std::time::Duration::ZERO).unwrap();
    assert_eq!(table.last_at(), 9);
    let events = table.events_since(0, rules::Viewer::Spectator, 9);
    let redacted = protocol::ServerMessage::Event { seq: 1, at: 9, event: protocol::Event::Redacted };
    assert_eq!(events, [redacted]);
}
