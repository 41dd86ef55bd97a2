//! A match on one device: what its view shows, and when something happens by itself.
#![allow(clippy::unwrap_used, reason = "a test may")]

use std::time::Duration;

use game::{Consent, Match, MatchSettings};
use rules::{GameId, Seat, Side, Signs};
use scene::Spot;
use search::{Random, Value};
use session::{Effect, FirstPlayer, LocalSession, Pace, Question, SearchAnswer, Subject, UndoPolicy};

const NOW: Duration = Duration::ZERO;

fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn settings(game: &str, players: &[&str]) -> MatchSettings {
    let mut settings = MatchSettings::new(game.parse().unwrap());
    for (sitter, player) in settings.sitters.iter_mut().zip(players) {
        *sitter = player.parse().unwrap();
    }
    settings
}

fn sit(game: &str, players: &[&str], seed: u64) -> LocalSession {
    LocalSession::new(Match::new(settings(game, players)).unwrap(), Pace::NONE, seed, NOW)
}

fn questions(session: &mut LocalSession) -> Vec<Question> {
    let asked = |effect| if let Effect::Search(question) = effect { Some(question) } else { None };
    session.take_effects().into_iter().filter_map(asked).collect()
}

fn found(action: &str) -> SearchAnswer {
    SearchAnswer::Found { action: action.to_owned(), value: Value::Draw }
}

#[test]
fn the_view_offers_actions_and_explains_refusals() {
    let mut session = sit("quixo", &["person", "bot:1"], 1);
    assert_eq!(session.people(), [Seat::ONE]);
    let view = session.view();
    assert_eq!(view.choices().len(), 44);
    let touched: [Spot; 2] = ["c3".parse().unwrap(), "e3".parse().unwrap()];
    assert!(view.explain(&touched).unwrap().to_string().contains("c3e3 is not allowed"));
    assert_eq!(view.explain(&[]), None);
    assert!(view.marks(0).is_empty());
    session.act("a3e3", NOW).unwrap();
    let view = session.view();
    assert!(view.choices().is_empty());
    assert_eq!(view.subject(Seat::TWO), Subject::Opponent(Seat::TWO));
    assert!(!view.marks(1).is_empty());
    assert!(view.marks(0).is_empty());
    assert!(view.premoves().is_empty(), "a bot on this device answers before anything could be chosen");
}

/// Only the last turn is marked, be it of several actions.
#[test]
fn the_marks_are_those_of_the_last_turn() {
    let mut session = sit("quarto", &["person", "person"], 1);
    for action in ["7", "b2", "3"] {
        session.act(action, NOW).unwrap();
    }
    let view = session.view();
    let after = |length| view.marks(length);
    assert_ne!(after(3), after(1));
    assert!(after(3).len() >= after(2).len(), "to place and to give is one turn");
    let alone = view.told(1).unwrap();
    let session::What::Action(placed) = alone.what else { panic!("an action") };
    assert!(placed.highlights.iter().all(|mark| after(3).contains(mark)));
    // Of a turn of several movements each is marked.
    let mut four = settings("four(size=9)", &["person", "person"]);
    four.start = Some("x7x/1o1o1o1o1/9/3x1x3/2xo1ox2/3x1x3/9/1o1o1o1o1/x7x 1 4 0,0 20,20 0 0 - -".to_owned());
    let mut session = LocalSession::new(Match::new(four).unwrap(), Pace::NONE, 1, NOW);
    for action in ["a1-b1", "i1-h1"] {
        session.act(action, NOW).unwrap();
    }
    let view = session.view();
    for entry in [0, 1] {
        let session::What::Action(moved) = view.told(entry).unwrap().what else { panic!("an action") };
        assert!(!moved.highlights.is_empty() && moved.highlights.iter().all(|mark| view.marks(2).contains(mark)));
    }
}

#[test]
fn among_four_no_seat_is_the_opponent() {
    let session = sit("quixo(players=4)", &["person", "bot:1", "bot:1", "bot:1"], 1);
    let view = session.view();
    assert_eq!(view.subject(Seat::TWO), Subject::Seat(Seat::TWO));
    assert_eq!(view.subject(Seat::ONE), Subject::Reader);
    let plates = view.plates(NOW);
    assert_eq!(plates.iter().map(|plate| plate.is_partner).collect::<Vec<_>>(), [false, false, true, false]);
    assert!(plates.iter().all(|plate| !plate.is_dealer));
}

#[test]
fn the_dealer_of_sequence_sits_last() {
    let session = sit("sequence(players=3)", &["person", "bot:1", "bot:1"], 1);
    let dealers: Vec<bool> = session.view().plates(NOW).iter().map(|plate| plate.is_dealer).collect();
    assert_eq!(dealers, [false, false, true]);
}

#[test]
fn what_ended_the_match_is_told_apart_from_what_went_before() {
    let mut session = sit("quixo", &["person", "person"], 1);
    session.act("a3e3", NOW).unwrap();
    let ended = |session: &LocalSession, entry| session.view().told(entry).unwrap().ended(session.game());
    assert!(!ended(&session, 0));
    assert!(!session.history().is_empty());
    session.resign(NOW).unwrap();
    assert!(!ended(&session, 0), "it did not end the match");
    assert!(ended(&session, 1));
}

#[test]
fn a_match_that_ends_on_the_board_is_not_ended_at_the_table() {
    let mut settings = settings("quixo", &["person", "person"]);
    settings.start = Some("...../xxxx./...../oooo./..... 1".into());
    let mut session = LocalSession::new(Match::new(settings).unwrap(), Pace::NONE, 1, NOW);
    assert!(session.history().is_empty());
    session.act("e4a4", NOW).unwrap();
    assert!(session.game().ending().is_some());
    assert!(!session.view().told(0).unwrap().ended(session.game()));
}

#[test]
fn only_what_a_person_here_has_done_is_taken_back() {
    let mut session = sit("quixo", &["bot:1", "person"], 1);
    assert_eq!(session.view().undo, UndoPolicy::Nothing);
    let question = questions(&mut session).pop().unwrap();
    assert!(session.answer(question.number, found("a3e3"), NOW));
    assert_eq!(session.view().undo, UndoPolicy::Nothing, "the bot's action is not the person's");
    session.act("a1e1", NOW).unwrap();
    assert_eq!(session.view().undo, UndoPolicy::AtOnce);
    let question = questions(&mut session).pop().unwrap();
    assert!(session.answer(question.number, found("b1b5"), NOW));
    session.undo(Consent::NotAsked, NOW).unwrap();
    assert_eq!(session.game().log().len(), 1);
    session.redo(Consent::NotAsked, NOW).unwrap();
    assert_eq!(session.game().log().len(), 3, "with the bot's answer");
    let bots = {
        let mut session = sit("quixo", &["bot:1", "bot:1"], 1);
        let question = questions(&mut session).pop().unwrap();
        assert!(session.answer(question.number, found("a3e3"), NOW));
        session.view().undo
    };
    assert_eq!(bots, UndoPolicy::AtOnce, "where only bots play, any action is");
}

#[test]
fn a_card_is_drawn_when_its_time_has_come() {
    let pace = Pace { draw: secs(2), ..Pace::NONE };
    let mut settings = settings("sequence", &["person", "person"]);
    settings.sitters[0] = "person".parse().unwrap();
    let mut session = LocalSession::new(Match::new(settings).unwrap(), pace, 1, secs(10));
    assert!(!session.game().chance_is_due(), "the first hands are dealt at once");
    let action = session.game().legal().remove(0);
    let seat = session.person_to_act().unwrap();
    session.open_curtain(secs(10));
    session.act(&action, secs(10)).unwrap();
    assert!(session.game().chance_is_due(), "{seat} draws");
    assert_eq!(session.wake_after(secs(11)), Some(secs(1)));
    assert!(!session.poll(secs(11)));
    assert!(session.poll(secs(12)));
    assert!(!session.game().chance_is_due());
}

#[test]
fn every_search_has_a_seed_of_its_own_that_follows_from_the_session() {
    for seed in [7, u64::MAX] {
        let mut session = sit("quixo", &["bot:1", "bot:1"], seed);
        let mut seeds = Vec::new();
        for action in ["a3e3", "a1e1", "a5e5"] {
            let question = questions(&mut session).pop().unwrap();
            seeds.push(question.seed);
            assert!(session.answer(question.number, found(action), NOW));
        }
        assert_eq!(seeds[0], seed);
        assert!(seeds[0] != seeds[1] && seeds[1] != seeds[2] && seeds[0] != seeds[2], "{seeds:?}");
    }
}

#[test]
fn a_search_that_is_no_longer_wanted_is_stopped_and_one_that_fails_forgotten() {
    let mut session = sit("quixo", &["bot:1", "person"], 1);
    session.pause(NOW);
    let effects = session.take_effects();
    assert!(effects.contains(&Effect::StopSearch), "{effects:?}");
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Search(_))), "it had not begun: {effects:?}");
    session.resume(NOW);
    let question = questions(&mut session).pop().unwrap();
    session.search_failed(question.number + 1);
    assert!(session.view().pending.is_some());
    session.search_failed(question.number);
    assert!(!session.answer(question.number, found("a3e3"), NOW), "nobody waits for it");
}

#[test]
fn the_next_match_begins_anew_whoever_begins() {
    let mut last = settings("quixo", &["person Ann", "person Bob"]);
    last.start = Some("...../xxxx./...../oooo./..... 1".into());
    last.date = Some("2026-03-09".parse().unwrap());
    last.notes.push(("First".into(), "lot".into()));
    let next = FirstPlayer::next_match(&Match::new(last).unwrap(), &mut Random::new(1));
    assert_eq!((next.start, next.date), (None, None));
    assert_eq!(next.notes, [("First".to_owned(), "lot".to_owned())]);
}

/// A finished match of these players, which a seat has lost.
fn lost(game: &str, players: &[&str], loser: Option<Seat>) -> Match {
    let mut last = Match::new(settings(game, players)).unwrap();
    loser.iter().for_each(|seat| last.resign(*seat, NOW).unwrap());
    last
}

#[test]
fn the_loser_of_the_last_match_of_the_same_players_in_the_same_game_begins() {
    let earlier = [
        lost("quarto", &["person Ann", "person Bob"], Some(Seat::ONE)),
        lost("quixo", &["person Ann", "person Bob"], None),
        lost("quixo", &["person Ann", "person Eve"], Some(Seat::ONE)),
        lost("quixo", &["person Bob", "person Ann"], Some(Seat::ONE)),
        lost("quixo", &["person Ann", "person Bob"], Some(Seat::ONE)),
    ];
    let mut next = settings("quixo", &["person Ann", "person Bob"]);
    let mut signs = Signs::default();
    signs.choose(Side::ONE, GameId::Quixo.sign("nought").unwrap());
    next.choose_signs(signs);
    next.notes.push(("First".into(), "lot".into()));
    next.notes.push(("Event".into(), "Club evening".into()));
    let next = FirstPlayer::Loser.seat_after(next, earlier, &mut Random::new(1));
    assert_eq!(next.sitters[0].name(), "Bob");
    assert_eq!(next.signs(), Signs::default(), "Ann chose noughts and still has them");
    let firsts: Vec<_> = next.notes.iter().filter(|(name, _)| name == "First").collect();
    assert_eq!(firsts, [&("First".to_owned(), "loser".to_owned())]);
    assert!(next.notes.iter().any(|(name, _)| name == "Event"));
}

/// Around a board without hands nobody moves when the device goes from hand to hand; an open hand is nearest.
#[test]
fn the_players_stay_where_they_are_unless_a_hand_is_open() {
    let mut session = sit("quixo", &["person", "person"], 1);
    let to_act =
        |session: &LocalSession| session.view().plates(NOW).iter().map(|plate| plate.to_act).collect::<Vec<_>>();
    assert_eq!(to_act(&session), [true, false]);
    session.act("a3e3", NOW).unwrap();
    assert_eq!(to_act(&session), [false, true]);
    assert_eq!(session.view().seating().near, Seat::ONE);
    let mut session = sit("sequence", &["person", "person"], 1);
    session.open_curtain(NOW);
    let first = session.person_to_act().unwrap();
    assert_eq!(session.view().seating().near, first);
    let action = session.game().legal().remove(0);
    session.act(&action, NOW).unwrap();
    while session.poll(NOW) {}
    session.open_curtain(NOW);
    let second = session.person_to_act().unwrap();
    assert_ne!(first, second);
    assert_eq!(session.view().seating().near, second);
}

/// A single person has nobody to hide the hand from.
#[test]
fn who_plays_alone_against_bots_sees_no_curtain() {
    let session = sit("sequence", &["person", "bot:1"], 1);
    assert_eq!(session.view().curtain, None);
    assert!(session.view().may_act());
}

/// Before anybody has acted there is only the last card to tell; later a card drawn unseen replaces nothing.
#[test]
fn a_card_drawn_unseen_is_no_news() {
    let mut session = sit("sequence", &["person", "bot:1"], 1);
    let dealt = session.game().log().len();
    let last_of = |session: &LocalSession| session.view().last_told(session.game().log().len()).map(|told| told.length);
    assert_eq!(last_of(&session), None, "the last card went to the bot");
    assert_eq!(session.view().last_told(dealt - 1).map(|told| told.length), Some(dealt - 1));
    let action = session.game().legal().remove(0);
    session.act(&action, NOW).unwrap();
    while session.poll(NOW) {}
    let question = questions(&mut session).pop().unwrap();
    let answer = session.game().legal().remove(0);
    let acted = session.game().log().len() + 1;
    assert!(session.answer(question.number, found(&answer), NOW));
    while session.poll(NOW) {}
    assert!(session.game().log().len() > acted, "the bot has drawn");
    assert_eq!(last_of(&session), Some(acted));
}

#[test]
fn a_draw_that_is_accepted_ends_the_match_for_all_who_look() {
    let mut session = sit("quixo", &["person", "person"], 1);
    session.act("a3e3", NOW).unwrap();
    session.offer_draw(NOW).unwrap();
    session.answer_draw(session::Reply::Accept, NOW).unwrap();
    assert!(session.game().ending().is_some());
    assert_eq!(session.history().len(), session.game().log().len());
}
