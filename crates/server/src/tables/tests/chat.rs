//! What may be said, and what is left of people who are forgotten.

use rules::{Seat, Side, Signs};

use super::{NAMES, attempt, spec_of, table_of};
use crate::tables::event::ProposalKind;
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
