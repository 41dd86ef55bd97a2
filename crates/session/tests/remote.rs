//! A server's table as one client sees it, from messages alone.

#![allow(clippy::unwrap_used)] // the allowance for tests does not reach helper functions

use std::time::Duration;

use game::{Match, MatchSettings};
use protocol::{
    Access, ChatLine, Clocks, Command, EndCause, Event, GameResult, Occupant, Offer, Person, PersonKind, Phrase,
    Presence, SeatInfo, ServerMessage, TableInfo, TableState,
};
use rules::{Seat, Viewer};
use session::{
    FirstPlayer, FollowError, OfferKind, Pending, Premove, Prompt, Received, RematchPolicy, RemoteSession, Reply,
    Standing, Subject, UndoPolicy,
};

const NOW: Duration = Duration::ZERO;

struct Table {
    session: RemoteSession,
    seq: u32,
}

fn person(name: &str) -> Occupant {
    Occupant::Person(Person { id: name.to_lowercase(), name: name.to_owned(), kind: PersonKind::Guest })
}

fn info(game: &str) -> TableInfo {
    TableInfo {
        id: "t".into(),
        game: game.into(),
        clock: "none".into(),
        access: Access::Link,
        rated: false,
        confer: false,
        first: None,
        drawn: false,
        signs: None,
        maker: "olena".into(),
        state: TableState::Waiting,
        seats: vec![SeatInfo::default(); 2],
        you: None,
        seq: 0,
    }
}

/// Olena on seat 1 and Taras on seat 2, as `me` sees it.
fn table(game: &str, me: &str) -> Table {
    seated(info(game), me)
}

fn seated(info: TableInfo, me: &str) -> Table {
    let mut table = Table { session: RemoteSession::new(info, me).unwrap(), seq: 0 };
    table.receive(Event::Sat { seat: Seat::ONE, occupant: person("Olena"), rating: None });
    table.receive(Event::Sat { seat: Seat::TWO, occupant: person("Taras"), rating: None });
    assert!(table.session.view().is_none(), "before the game there is no board");
    table.receive(Event::Began);
    table
}

impl Table {
    fn receive(&mut self, event: Event) -> Received {
        self.seq += 1;
        self.session.receive(&ServerMessage::Event { seq: self.seq, at: 0, event }, NOW).unwrap()
    }

    fn did(&mut self, entry: &str) -> Received {
        self.receive(Event::Entry { entry: entry.to_owned(), spent: None })
    }
}

#[test]
fn the_prompt_speaks_to_the_reader() {
    let mut mine = table("quixo", "olena");
    let view = mine.session.view().unwrap();
    assert_eq!((view.viewer, view.reader), (Viewer::Seat(Seat::ONE), Some(Seat::ONE)));
    assert!(matches!(view.prompt(&[]), Prompt::Act { by: Subject::Reader, .. }));
    mine.did("a3e3");
    assert!(matches!(mine.session.view().unwrap().prompt(&[]), Prompt::Wait { by: Subject::Opponent(Seat::TWO), .. }));
    let watched = table("quixo", "spectator");
    let view = watched.session.view().unwrap();
    assert!(matches!(view.prompt(&[]), Prompt::Wait { by: Subject::Seat(Seat::ONE), .. }));
    assert_eq!((view.undo, view.may_act()), (UndoPolicy::Nothing, false));
}

#[test]
fn nothing_can_be_chosen_while_an_action_is_on_its_way() {
    let mut table = table("quixo", "olena");
    assert_eq!(table.session.act("a3e3"), Command::Act { action: "a3e3".into(), at: 0 });
    assert_eq!(table.session.view().unwrap().pending, Some(Pending::Sent));
    assert!(table.session.view().unwrap().choices().is_empty());
    table.receive(Event::Said { seat: None, name: "Guest".into(), line: ChatLine::Phrase { phrase: Phrase::Hello } });
    assert_eq!(table.session.view().unwrap().pending, Some(Pending::Sent), "words do not bring it there");
    table.session.action_refused();
    assert!(table.session.view().unwrap().may_act());
    table.session.act("a3e3");
    assert_eq!(table.did("a3e3"), Received::Update);
    assert_eq!(table.session.view().unwrap().pending, None);
    assert_eq!(table.session.view().unwrap().moves_from(0).count(), 1);
}

#[test]
fn offers_are_answered_withdrawn_and_declined() {
    let mut table = table("quixo", "olena");
    table.did("a3e3");
    assert_eq!(table.session.offer_or_withdraw(OfferKind::Draw), Command::Propose { offer: Offer::Draw });
    table.receive(Event::Proposed { offer: Offer::Draw, seat: Seat::ONE });
    assert_eq!(table.session.view().unwrap().offer.unwrap().standing, Standing::Agreed);
    assert_eq!(table.session.offer_or_withdraw(OfferKind::Draw), Command::Decline { offer: Offer::Draw });
    table.receive(Event::Declined { offer: Offer::Draw, seat: Seat::TWO });
    assert!(table.session.view().unwrap().declined);
    let line = ChatLine::Phrase { phrase: Phrase::Hello };
    table.receive(Event::Said { seat: Some(Seat::TWO), name: "Taras".into(), line });
    assert!(table.session.view().unwrap().declined, "words do not make up for it");
    table.receive(Event::Proposed { offer: Offer::Takeback, seat: Seat::TWO });
    assert_eq!(table.session.view().unwrap().offer.unwrap().standing, Standing::Asked(Seat::ONE));
    assert!(!table.session.view().unwrap().declined);
    assert_eq!(table.session.reply(Reply::Accept), Some(Command::Agree { offer: Offer::Takeback }));
    table.receive(Event::TookBack { to: 0 });
    assert_eq!((table.session.view().unwrap().offer, table.session.reply(Reply::Accept)), (None, None));
    assert_eq!(table.session.view().unwrap().history.len(), 0);
}

#[test]
fn clocks_and_absence_go_on_between_reports() {
    let mut table = table("quixo", "olena");
    let view_left = |table: &Table, now| table.session.view().unwrap().clocks.left(Seat::ONE, now);
    assert_eq!(view_left(&table, NOW), None);
    table
        .session
        .receive(&ServerMessage::Clocks(Clocks { left: vec![60_000, 50_000], running: Some(Seat::ONE) }), NOW)
        .unwrap();
    let presence = Presence { away: vec![None, Some(3)], watching: 1, claim_after: Some(30) };
    table.session.receive(&ServerMessage::Presence(presence), NOW).unwrap();
    let later = Duration::from_secs(4);
    assert_eq!(view_left(&table, later), Some(Duration::from_secs(56)));
    assert_eq!(table.session.view().unwrap().clocks.left(Seat::TWO, later), Some(Duration::from_secs(50)));
    assert_eq!(table.session.away(Seat::TWO, later), Duration::from_secs(7));
    assert_eq!(table.session.away(Seat::ONE, later), Duration::ZERO);
}

#[test]
fn after_the_game_a_rematch_is_offered_and_then_waits() {
    let mut table = table("quixo", "olena");
    assert_eq!(table.session.view().unwrap().rematch, RematchPolicy::Unavailable);
    table.did("resign:2");
    table.receive(Event::Ended { result: GameResult::FirstWins, cause: EndCause::Resignation, log: Vec::new() });
    assert_eq!(table.session.view().unwrap().rematch, RematchPolicy::Offer);
    table.receive(Event::Rematch { table: "next".into() });
    assert_eq!(table.session.view().unwrap().rematch, RematchPolicy::Table("next"));
}

#[test]
fn events_before_the_join_are_history_and_later_ones_updates() {
    let mut info = table("quixo", "olena").session.follower().table.clone();
    (info.state, info.seq) = (TableState::Playing, 3);
    let mut session = RemoteSession::new(info, "olena").unwrap();
    let event = |seq, event| ServerMessage::Event { seq, at: 0, event };
    let did = |entry: &str| Event::Entry { entry: entry.into(), spent: None };
    assert_eq!(session.receive(&event(1, Event::Began), NOW), Ok(Received::History));
    assert_eq!(session.receive(&event(2, did("a3e3")), NOW), Ok(Received::History));
    assert_eq!(session.receive(&event(3, did("a1e1")), NOW), Ok(Received::Update), "the last of it is shown");
    assert_eq!(session.receive(&event(3, did("a1e1")), NOW), Ok(Received::Unchanged), "a repetition is skipped");
    assert!(session.receive(&event(5, did("a5e5")), NOW).is_err(), "a gap cannot be followed");
}

#[test]
fn an_event_of_a_newer_server_is_counted_and_the_table_goes_on() {
    let mut table = table("quixo", "olena");
    let newer = r#"{"type":"event","seq":4,"at":0,"event":{"type":"applauded","seat":2}}"#;
    table.session.receive(&protocol::read(newer).unwrap(), NOW).unwrap();
    table.seq += 1;
    assert_eq!(table.did("a3e3"), Received::Update);
    assert_eq!(table.session.follower().game.as_ref().unwrap().log().len(), 1);
}

/// The story that a player of a hidden game reads says what that player may know, before and after the end.
#[test]
fn hidden_cards_are_told_as_this_player_may_know_them() {
    let mut truth = Match::new(MatchSettings::new("sequence".parse().unwrap())).unwrap();
    truth.draw(&mut |n| n / 2, NOW).unwrap();
    for _ in 0..4 {
        let action = truth.legal()[0].clone();
        truth.play(&action, NOW).unwrap();
        truth.draw(&mut |n| n / 3, NOW).unwrap();
    }
    let mut table = table("sequence", "olena");
    for event in truth.seen_events(Viewer::Seat(Seat::ONE)) {
        table.did(&event.to_string());
    }
    let view = table.session.view().unwrap();
    let told = (0..truth.log().len()).filter(|&entry| view.told(entry).is_some()).count();
    assert_eq!(told, truth.log().len(), "every entry has a message, hidden or not");
    let hidden = view.game.log().iter().filter(|entry| entry.event.to_string().ends_with('?')).count();
    assert!(hidden > 0 && view.story().count() == truth.log().len() - hidden);
    let log: Vec<String> = truth.log().iter().map(|entry| entry.event.to_string()).collect();
    table.did("resign:2");
    let log = log.into_iter().chain(["resign:2".to_owned()]).collect();
    table.receive(Event::Ended { result: GameResult::FirstWins, cause: EndCause::Resignation, log });
    let view = table.session.view().unwrap();
    assert_eq!(view.game.viewer(), None, "in the end everything is known");
    for (length, position) in truth.history().iter().enumerate() {
        assert_eq!(view.history.position(length).unwrap().to_string(), position.to_string());
    }
}

#[test]
fn a_premove_is_played_when_the_turn_comes() {
    let mut table = table("quixo", "olena");
    table.did("a3e3");
    let view = table.session.view().unwrap();
    assert_eq!(view.premove, Premove::Open);
    let premoves = view.premoves();
    // The end of the own turn is known, what the opponent will do is not.
    assert!(view.choices().is_empty() && premoves.iter().any(|choice| choice.action == "e3a3"));
    assert!(view.preview("e3a3").is_some(), "what it would do is shown before the turn");
    table.session.set_premove(Some("a1a5".into()));
    assert_eq!(table.session.view().unwrap().premove, Premove::Chosen("a1a5"));
    assert_eq!(table.session.take_premove(), None, "it is not the turn yet");
    table.receive(Event::Said { seat: None, name: "Guest".into(), line: ChatLine::Phrase { phrase: Phrase::Hello } });
    table.did("b1b5");
    assert_eq!(table.session.take_premove().as_deref(), Some("a1a5"));
    assert_eq!(table.session.take_premove(), None, "once");
    assert!(table.session.view().unwrap().premoves().is_empty(), "in one's turn one plays");
}

#[test]
fn a_premove_goes_with_the_position_it_was_meant_for() {
    let mut table = table("four(size=9)", "olena");
    table.did("d4");
    table.session.set_premove(Some("e5".into()));
    table.receive(Event::TookBack { to: 0 });
    assert_eq!(table.session.view().unwrap().premove, Premove::Open);
    table.did("d4");
    table.session.set_premove(Some("e5".into()));
    table.session.set_premove(None);
    table.did("e5");
    assert_eq!(table.session.take_premove(), None, "it was cancelled");
}

#[test]
fn where_the_opponent_decides_what_can_be_done_nothing_is_chosen_early() {
    for (game, first) in [("quarto", "0"), ("sequence", "draw:?")] {
        let mut table = table(game, "taras");
        if game == "quarto" {
            assert!(table.session.view().unwrap().premoves().is_empty(), "{game}");
            table.did(first);
        }
        assert!(table.session.view().unwrap().premoves().is_empty(), "{game}");
    }
    let watched = table("quixo", "spectator");
    let view = watched.session.view().unwrap();
    assert_eq!((view.premove, view.premoves().len()), (Premove::Unavailable, 0));
}

#[test]
fn where_the_loser_begins_the_first_match_shows_the_draw_of_lots() {
    let shows_lot = |drawn: bool| {
        let mut info = info("quixo");
        (info.first, info.drawn) = (Some(protocol::FirstPlayer::Loser), drawn);
        let mut table = seated(info, "olena");
        let shown = table.session.view().unwrap().shows_lot();
        table.did("a3e3");
        assert!(!table.session.view().unwrap().shows_lot(), "somebody has moved");
        shown
    };
    assert!(shows_lot(true));
    assert!(!shows_lot(false), "there was a match before");
}

#[test]
fn what_is_missing_or_impossible_is_said() {
    let mut table = table("quixo", "olena");
    let event = |seq, event| ServerMessage::Event { seq, at: 0, event };
    let gap = table.session.receive(&event(5, Event::Began), NOW).unwrap_err();
    assert_eq!(gap, FollowError::Gap { expected: 4, got: 5 });
    assert_eq!(gap.to_string(), "event 4 should have come, but 5 did");
    let nowhere = Event::Sat { seat: Seat::THREE, occupant: person("Ivan"), rating: None };
    let impossible = table.session.receive(&event(4, nowhere), NOW).unwrap_err();
    assert!(impossible.to_string().contains("there is no seat 3"), "{impossible}");
}

#[test]
fn who_sits_and_who_stands_is_followed() {
    let mut table = Table { session: RemoteSession::new(info("quixo"), "olena").unwrap(), seq: 0 };
    assert!(table.session.is_waiting() && table.session.game().is_none());
    assert_eq!(table.session.free_seats(), 2);
    table.receive(Event::Sat { seat: Seat::ONE, occupant: person("Olena"), rating: None });
    table.receive(Event::Sat { seat: Seat::TWO, occupant: person("Taras"), rating: None });
    assert_eq!(table.session.free_seats(), 0);
    table.receive(Event::Stood { seat: Seat::TWO });
    assert_eq!((table.session.free_seats(), table.session.follower().seat()), (1, Some(Seat::ONE)));
    table.receive(Event::Stood { seat: Seat::ONE });
    assert_eq!((table.session.free_seats(), table.session.follower().seat()), (2, None));
    table.receive(Event::Sat { seat: Seat::ONE, occupant: person("Olena"), rating: None });
    table.receive(Event::Sat { seat: Seat::TWO, occupant: person("Taras"), rating: None });
    table.receive(Event::Began);
    assert!(!table.session.is_waiting() && table.session.game().is_some());
}

#[test]
fn a_table_says_how_its_first_player_is_found() {
    for (told, first) in [
        (None, FirstPlayer::AsSeated),
        (Some(protocol::FirstPlayer::Lot), FirstPlayer::Lot),
        (Some(protocol::FirstPlayer::Loser), FirstPlayer::Loser),
    ] {
        assert_eq!(FirstPlayer::of_table(&TableInfo { first: told, ..info("quixo") }), first);
        assert_eq!(first.to_wire(), told);
    }
}

#[test]
fn an_offer_collects_agreements_until_another_or_the_end_of_a_player_replaces_it() {
    let mut table = seated(TableInfo { seats: vec![SeatInfo::default(); 4], ..info("quixo(players=4)") }, "olena");
    let open = |table: &Table| table.session.follower().open_offer().map(|(kind, agreed)| (kind, agreed.to_vec()));
    table.receive(Event::Proposed { offer: Offer::Draw, seat: Seat::TWO });
    table.receive(Event::Proposed { offer: Offer::Draw, seat: Seat::THREE });
    assert_eq!(open(&table), Some((OfferKind::Draw, vec![Seat::TWO, Seat::THREE])));
    table.receive(Event::Proposed { offer: Offer::Takeback, seat: Seat::FOUR });
    assert_eq!(open(&table), Some((OfferKind::Takeback, vec![Seat::FOUR])));
    table.did("a3e3:1");
    assert!(open(&table).is_some(), "an action leaves it");
    table.did("resign:2");
    assert_eq!(open(&table), None);
}

#[test]
fn only_the_own_offer_is_withdrawn() {
    let mut table = table("quixo", "olena");
    table.did("a3e3");
    table.receive(Event::Proposed { offer: Offer::Draw, seat: Seat::TWO });
    assert_eq!(table.session.offer_or_withdraw(OfferKind::Draw), Command::Propose { offer: Offer::Draw }, "agrees");
    assert_eq!(table.session.reply(Reply::Decline), Some(Command::Decline { offer: Offer::Draw }));
    table.receive(Event::Declined { offer: Offer::Draw, seat: Seat::ONE });
    assert!(!table.session.view().unwrap().declined, "the own answer is known");
    table.receive(Event::Proposed { offer: Offer::Draw, seat: Seat::ONE });
    assert_eq!(table.session.offer_or_withdraw(OfferKind::Takeback), Command::Propose { offer: Offer::Takeback });
}

#[test]
fn takebacks_are_offered_by_players_while_the_game_goes_on() {
    let mut mine = table("quixo", "olena");
    mine.did("a3e3");
    assert_eq!(mine.session.view().unwrap().undo, UndoPolicy::Offer);
    mine.did("resign:2");
    assert_eq!(mine.session.view().unwrap().undo, UndoPolicy::Nothing);
    let mut watched = table("quixo", "spectator");
    watched.did("resign:2");
    assert_eq!(watched.session.view().unwrap().rematch, RematchPolicy::Unavailable);
}

#[test]
fn absence_is_counted_from_the_last_report() {
    let mut table = table("quixo", "olena");
    let presence = Presence { away: vec![None, Some(3)], watching: 1, claim_after: Some(30) };
    let reported = Duration::from_secs(10);
    table.session.receive(&ServerMessage::Presence(presence), reported).unwrap();
    assert_eq!(table.session.away(Seat::TWO, Duration::from_secs(12)), Duration::from_secs(5));
}

#[test]
fn what_others_decline_is_no_answer_to_a_spectator() {
    let mut table = table("quixo", "spectator");
    table.receive(Event::Proposed { offer: Offer::Draw, seat: Seat::TWO });
    table.receive(Event::Declined { offer: Offer::Draw, seat: Seat::ONE });
    assert!(!table.session.view().unwrap().declined);
}
