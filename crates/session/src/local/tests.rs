use game::{AnyPosition, Consent, Ending, Event, MatchSettings, Sitter};
use rules::Outcome;

use super::*;
use crate::{Pending, Prompt, Reply, Standing, Subject};
use ::search::Value;

const NOW: Duration = Duration::ZERO;

fn sit(game: &str, players: &[&str]) -> LocalSession {
    at_pace(game, players, Pace::NONE)
}

fn at_pace(game: &str, players: &[&str], pace: Pace) -> LocalSession {
    let mut settings = MatchSettings::new(game.parse().unwrap());
    for (sitter, player) in settings.sitters.iter_mut().zip(players) {
        *sitter = player.parse::<Sitter>().unwrap();
    }
    LocalSession::new(Match::new(settings).unwrap(), pace, 7, NOW)
}

/// Lets chance draw until a seat is to act.
fn deal(session: &mut LocalSession) {
    while session.game().chance_is_due() {
        assert!(session.poll(NOW));
    }
}

fn asked(session: &mut LocalSession) -> Question {
    let effects = session.take_effects();
    let question = effects.iter().rev().find_map(|effect| match effect {
        Effect::Search(question) => Some(*question),
        _ => None,
    });
    question.unwrap_or_else(|| panic!("no search was asked for: {effects:?}"))
}

fn found(action: &str, value: Value) -> SearchAnswer {
    SearchAnswer::Found { action: action.to_owned(), value }
}

fn bot_plays(session: &mut LocalSession, action: &str) {
    let question = asked(session);
    assert_eq!(question.purpose, Purpose::Move);
    assert!(session.answer(question.number, found(action, Value::Draw), NOW));
}

fn viewer(session: &LocalSession) -> Viewer {
    session.view().viewer
}

#[test]
fn one_person_always_sees_the_own_hand_and_is_the_reader() {
    let mut session = sit("sequence", &["bot:1", "person"]);
    assert_eq!(viewer(&session), Viewer::Seat(Seat::TWO));
    deal(&mut session);
    assert_eq!((viewer(&session), session.view().curtain), (Viewer::Seat(Seat::TWO), None));
    assert_eq!(session.view().subject(Seat::TWO), Subject::Reader);
    assert_eq!(session.view().subject(Seat::ONE), Subject::Opponent(Seat::ONE));
}

#[test]
fn two_people_with_hidden_hands_pass_the_device() {
    let mut session = sit("sequence", &["person", "person"]);
    assert!(!session.game().chance_is_due(), "the cards are dealt at once");
    assert_eq!((viewer(&session), session.view().curtain), (Viewer::Spectator, Some(Seat::ONE)));
    assert!(session.view().choices().is_empty(), "nothing can be touched through a curtain");
    session.open_curtain(NOW);
    assert_eq!((viewer(&session), session.view().curtain), (Viewer::Seat(Seat::ONE), None));
    let action = session.game().legal()[0].clone();
    session.act(&action, NOW).unwrap();
    assert_eq!(viewer(&session), Viewer::Seat(Seat::ONE), "the own card is drawn before the device goes on");
    deal(&mut session);
    assert_eq!((viewer(&session), session.view().curtain), (Viewer::Spectator, Some(Seat::TWO)));
    session.open_curtain(NOW);
    assert_eq!(viewer(&session), Viewer::Seat(Seat::TWO));
}

#[test]
fn a_person_never_reads_another_persons_card_in_the_story() {
    let mut session = sit("sequence", &["person", "person"]);
    deal(&mut session);
    let drawn = |session: &LocalSession| {
        let view = session.view();
        let shown = (0..view.game.log().len()).filter_map(|entry| view.told(entry));
        let is_known = |told: &crate::Told| match &told.what {
            crate::What::Action(happening) => !happening.message.is_minor(),
            crate::What::Table(_) => false,
        };
        shown.filter(is_known).count()
    };
    assert_eq!(drawn(&session), 0, "through the curtain no card is known");
    session.open_curtain(NOW);
    let own = drawn(&session);
    assert!(own > 0 && own * 2 == session.game().log().len(), "one's own half of the deal");
}

#[test]
fn with_nothing_hidden_the_view_follows_the_turn() {
    let mut session = sit("quixo", &["person", "person"]);
    assert_eq!(viewer(&session), Viewer::Seat(Seat::ONE));
    session.act("a3e3", NOW).unwrap();
    assert_eq!(viewer(&session), Viewer::Seat(Seat::TWO));
    assert_eq!(session.view().reader, None, "two people share the texts");
    assert_eq!(viewer(&sit("quixo", &["bot:1", "bot:2"])), Viewer::Spectator);
}

#[test]
fn the_prompt_of_another_player_is_no_instruction() {
    let mut session = sit("quixo", &["person", "bot:1"]);
    assert!(matches!(session.view().prompt(&[]), Prompt::Act { by: Subject::Reader, .. }));
    session.act("a3e3", NOW).unwrap();
    assert!(matches!(session.view().prompt(&[]), Prompt::Wait { by: Subject::Opponent(Seat::TWO), .. }));
    assert_eq!(session.view().pending, Some(Pending::Move(Seat::TWO)));
    assert_eq!(session.act("a1e1", NOW), Err(MatchError::NotYourTurn { seat: Seat::ONE, to_act: Some(Seat::TWO) }));
    bot_plays(&mut session, "a1e1");
    session.resign(NOW).unwrap();
    let Prompt::Over(over) = session.view().prompt(&[]) else { panic!("it is over") };
    assert_eq!(over.gone, Some(Subject::Reader));
}

#[test]
fn a_bot_answers_no_sooner_than_its_pace() {
    let pace = Pace { bot: Duration::from_millis(500), ..Pace::NONE };
    let mut session = at_pace("quixo", &["bot:3", "person"], pace);
    let question = asked(&mut session);
    assert_eq!(question.level, Level::new(3));
    let soon = Duration::from_millis(100);
    assert!(!session.answer(question.number, found("a3e3", Value::Draw), soon));
    assert!(session.game().log().is_empty());
    assert_eq!(session.wake_after(soon), Some(Duration::from_millis(400)));
    assert!(!session.poll(Duration::from_millis(499)));
    assert!(session.poll(Duration::from_millis(500)));
    assert_eq!(session.game().log().len(), 1);
    assert_eq!(session.wake_after(soon), None, "a person is to act");
}

#[test]
fn an_answer_to_an_old_question_is_not_used() {
    let mut session = sit("quixo", &["person", "bot:1"]);
    session.act("a3e3", NOW).unwrap();
    let old = asked(&mut session);
    session.undo(Consent::NotAsked, NOW).unwrap();
    assert!(session.take_effects().contains(&Effect::StopSearch));
    assert!(!session.answer(old.number, found("a1e1", Value::Draw), NOW));
    assert!(session.game().log().is_empty());
}

#[test]
fn a_bot_that_finds_nothing_does_not_stop_the_game() {
    for answer in [SearchAnswer::Nothing, found("c3e3", Value::Draw)] {
        let mut session = sit("quixo", &["bot:1", "person"]);
        let question = asked(&mut session);
        assert!(session.answer(question.number, answer, NOW));
        assert_eq!(session.game().log().len(), 1);
    }
}

#[test]
fn a_bot_told_to_hurry_searches_again_for_a_moment() {
    let mut session = sit("quixo", &["bot:8", "person"]);
    let first = asked(&mut session);
    session.hurry(NOW);
    let second = asked(&mut session);
    assert!(second.time < Duration::from_millis(100) && second.number > first.number);
    assert!(!session.answer(first.number, found("a3e3", Value::Draw), NOW));
    assert!(session.answer(second.number, found("a3e3", Value::Draw), NOW));
}

#[test]
fn undo_against_a_bot_takes_back_the_bots_answer_too() {
    let mut session = sit("quixo", &["person", "bot:1"]);
    session.act("a3e3", NOW).unwrap();
    bot_plays(&mut session, "a1e1");
    session.act("a5e5", NOW).unwrap();
    bot_plays(&mut session, "b1b5");
    session.undo(Consent::NotAsked, NOW).unwrap();
    assert_eq!(session.game().log().len(), 2);
    assert_eq!(session.person_to_act(), Some(Seat::ONE));
    session.redo(Consent::NotAsked, NOW).unwrap();
    assert_eq!(session.game().log().len(), 4);
    assert_eq!(session.history().len(), 4);
    session.undo(Consent::NotAsked, NOW).unwrap();
    session.undo(Consent::NotAsked, NOW).unwrap();
    assert_eq!(session.game().log().len(), 0);
    session.redo(Consent::NotAsked, NOW).unwrap();
    assert_eq!(session.game().log().len(), 2, "one action and its answer at a time");
}

#[test]
fn undo_of_all_a_person_did_lets_the_bot_that_began_play_again() {
    let mut session = sit("quixo", &["bot:1", "person"]);
    bot_plays(&mut session, "a3e3");
    session.take_effects();
    session.undo(Consent::NotAsked, NOW).unwrap();
    assert!(session.game().log().is_empty());
    bot_plays(&mut session, "a1e1");
    assert_eq!(session.person_to_act(), Some(Seat::TWO));
}

#[test]
fn bots_agree_to_undo_where_cards_were_seen_and_people_are_asked() {
    let mut alone = sit("sequence", &["person", "bot:1"]);
    deal(&mut alone);
    let action = alone.game().legal()[0].clone();
    let before = alone.game().log().len();
    alone.act(&action, NOW).unwrap();
    deal(&mut alone);
    alone.undo(Consent::NotAsked, NOW).unwrap();
    assert_eq!(alone.game().log().len(), before);

    let mut together = sit("sequence", &["person", "person"]);
    deal(&mut together);
    together.open_curtain(NOW);
    let action = together.game().legal()[0].clone();
    together.act(&action, NOW).unwrap();
    deal(&mut together);
    assert_eq!(together.undo(Consent::NotAsked, NOW), Err(MatchError::NeedsConsent));
    together.undo(Consent::All, NOW).unwrap();
    assert_eq!(together.game().log().len(), before);
}

#[test]
fn a_bot_takes_a_draw_if_it_expects_no_more() {
    // What the person to act can expect, and whether the bot then agrees.
    let cases =
        [(Value::Draw, true), (Value::estimate(0.5), true), (Value::win_in(3), true), (Value::loss_in(2), false)];
    for (value, agrees) in cases {
        let mut session = sit("quixo", &["person", "bot:5"]);
        session.act("a3e3", NOW).unwrap();
        bot_plays(&mut session, "a1e1");
        session.take_effects();
        session.offer_draw(NOW).unwrap();
        assert_eq!(session.view().pending, Some(Pending::Answer));
        assert_eq!(session.view().offer.unwrap().standing, Standing::Agreed);
        let question = asked(&mut session);
        assert_eq!((question.purpose, question.level), (Purpose::DrawOffer, None));
        assert!(session.answer(question.number, found("a5e5", value), NOW));
        let drawn =
            session.game().ending() == Some(Ending { outcome: Some(Outcome::Draw), cause: game::Cause::Agreement });
        assert_eq!((drawn, session.view().declined), (agrees, !agrees), "{value:?}");
        assert_eq!(session.view().offer, None);
        assert_eq!(session.history().len(), session.game().log().len());
        let kept = session.take_effects().contains(&Effect::Save { unchanged: 2 });
        assert_eq!(kept, agrees, "what was agreed is kept");
    }
}

#[test]
fn a_bot_draws_no_game_that_has_not_begun() {
    let mut session = sit("quixo", &["person", "bot:5"]);
    session.offer_draw(NOW).unwrap();
    assert!(session.view().declined);
    assert_eq!(session.game().proposal(), None);
    session.act("a3e3", NOW).unwrap();
    assert!(!session.view().declined, "it is forgotten when something happens");
}

#[test]
fn every_other_person_is_asked_about_a_draw() {
    let mut session = sit("sequence(players=3)", &["person", "person", "person"]);
    deal(&mut session);
    session.open_curtain(NOW);
    session.offer_draw(NOW).unwrap();
    assert_eq!(session.view().offer.unwrap().standing, Standing::Asked(Seat::TWO));
    session.answer_draw(Reply::Accept, NOW).unwrap();
    assert_eq!(session.view().offer.unwrap().standing, Standing::Asked(Seat::THREE));
    session.answer_draw(Reply::Decline, NOW).unwrap();
    assert_eq!((session.view().offer, session.view().declined), (None, true));
    session.offer_draw(NOW).unwrap();
    session.answer_draw(Reply::Accept, NOW).unwrap();
    session.answer_draw(Reply::Accept, NOW).unwrap();
    assert!(session.game().ending().is_some());
}

#[test]
fn in_a_rematch_everybody_moves_on_by_one_seat() {
    let session = sit("quixo", &["person Olena", "bot:3"]);
    let settings = session.rematch(&mut Random::new(1));
    assert_eq!(settings.sitters[0].to_string(), "bot:3");
    assert_eq!(settings.sitters[1].to_string(), "person Olena");
}

#[test]
fn advice_is_shown_until_something_happens() {
    let mut session = sit("quixo", &["person", "bot:1"]);
    assert!(session.ask_hint(NOW));
    let question = asked(&mut session);
    assert!(session.answer(question.number, found("a3e3", Value::estimate(0.6)), NOW));
    assert_eq!(session.view().hint.map(|hint| hint.action.as_str()), Some("a3e3"));
    session.act("a3e3", NOW).unwrap();
    assert_eq!(session.view().hint, None);
    assert!(!session.ask_hint(NOW), "the bot is to act");
}

#[test]
fn a_fallen_flag_ends_the_search_and_is_kept() {
    let mut settings = MatchSettings::new("quixo".parse().unwrap());
    settings.sitters[0] = "bot:1".parse().unwrap();
    settings.clock = "turn=1".parse().unwrap();
    let mut session = LocalSession::new(Match::new(settings).unwrap(), Pace::NONE, 7, NOW);
    let question = asked(&mut session);
    assert!(question.time < Duration::from_millis(100), "a bot uses a share of its time");
    assert!(session.poll(Duration::from_secs(2)));
    assert!(session.game().ending().is_some());
    let effects = session.take_effects();
    assert!(effects.contains(&Effect::Save { unchanged: 0 }) && effects.contains(&Effect::StopSearch));
}

#[test]
fn nothing_is_kept_of_practice_and_nobody_answers() {
    let game = Match::new(MatchSettings::new("quixo".parse().unwrap())).unwrap();
    let mut session = LocalSession::practice(game, Seat::ONE, Pace::NONE, 1, NOW);
    session.act("a3e3", NOW).unwrap();
    assert_eq!(session.take_effects(), []);
    assert!(!session.view().may_act());
}

#[test]
fn a_study_shows_what_the_seat_to_act_sees() {
    let mut game = Match::new(MatchSettings::new("sequence".parse().unwrap())).unwrap();
    game.draw(&mut |_| 0, NOW).unwrap();
    let session = LocalSession::study(game);
    assert_eq!((viewer(&session), session.view().curtain), (Viewer::Seat(Seat::ONE), None));
    assert!(session.view().may_act());
}

#[test]
fn a_study_begins_as_it_was_given_and_takes_its_time() {
    let mut settings = MatchSettings::new("sequence".parse().unwrap());
    settings.clock = "turn=60".parse().unwrap();
    let game = Match::new(settings).unwrap();
    assert!(LocalSession::study(game.clone()).game().chance_is_due(), "the first cards too are drawn by who looks");
    let mut dealt = LocalSession::study(game);
    deal(&mut dealt);
    assert!(!dealt.poll(Duration::from_secs(1000)), "no flag falls");
    assert_eq!(dealt.game().ending(), None);
}

#[test]
fn moves_are_numbered_without_draws_and_resignations() {
    let mut session = sit("sequence", &["person", "person"]);
    deal(&mut session);
    for _ in 0..3 {
        session.open_curtain(NOW);
        let action = session.game().legal()[0].clone();
        session.act(&action, NOW).unwrap();
        deal(&mut session);
    }
    session.resign(NOW).unwrap();
    let moves: Vec<_> = session.view().moves_from(0).collect();
    assert_eq!(moves.iter().map(|listed| listed.number).collect::<Vec<_>>(), [1, 2, 3]);
    let texts: Vec<String> = moves.iter().map(|listed| listed.text.clone()).collect();
    let log: Vec<String> =
        moves.iter().map(|listed| session.game().log()[listed.length - 1].event.to_string()).collect();
    assert_eq!(texts, log);
    assert!(matches!(session.game().log().last().unwrap().event, Event::Out(..)));
}

#[test]
fn the_history_kept_up_is_the_one_replayed() {
    let mut session = sit("sequence(players=3)", &["person", "person", "person"]);
    let mut random = Random::new(3);
    for step in 0..200 {
        deal(&mut session);
        session.open_curtain(NOW);
        match (step % 7, session.game().legal()) {
            (_, legal) if legal.is_empty() => break,
            (5, _) => drop(session.undo(Consent::All, NOW)),
            (6, _) if session.game().can_redo() => drop(session.redo(Consent::All, NOW)),
            (_, legal) => session.act(&legal[random.below(legal.len() as u32) as usize], NOW).unwrap(),
        }
        let (kept, replayed) = (session.history(), History::new(session.game()));
        assert_eq!(kept.len(), replayed.len());
        for length in 0..=kept.len() {
            let text = |history: &History| history.position(length).map(ToString::to_string);
            assert_eq!((text(kept), kept.moves(length)), (text(&replayed), replayed.moves(length)), "{step}: {length}");
        }
    }
    let both = [session.positions(), session.game().positions()];
    let [kept, replayed] = both.map(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>());
    assert!(replayed.ends_with(&kept) && !kept.is_empty());
}

#[test]
fn no_time_passes_behind_the_curtain() {
    let mut settings = MatchSettings::new("sequence".parse().unwrap());
    settings.clock = "turn=60".parse().unwrap();
    let game = Match::new(settings).unwrap();
    let mut session = LocalSession::new(game, Pace::NONE, 3, NOW);
    deal(&mut session);
    let at = |seconds| NOW + Duration::from_secs(seconds);
    let left = |session: &LocalSession, seat, seconds| session.view().clocks.left(seat, at(seconds)).unwrap().as_secs();
    assert_eq!(session.view().curtain, Some(Seat::ONE));
    assert!(!session.poll(at(500)), "no flag falls for a player who does not see the table");
    assert_eq!(left(&session, Seat::ONE, 500), 60);
    session.open_curtain(at(500));
    assert_eq!(left(&session, Seat::ONE, 520), 40);
    let action = session.game().legal()[0].clone();
    session.act(&action, at(530)).unwrap();
    while session.poll(at(530)) {}
    assert_eq!((session.view().curtain, left(&session, Seat::TWO, 590)), (Some(Seat::TWO), 60));
    session.open_curtain(at(600));
    assert!(session.poll(at(661)), "once the curtain is open, time counts");
    assert!(session.game().ending().is_some());
}

#[test]
fn a_pause_stops_the_clock_until_the_match_goes_on() {
    let mut settings = MatchSettings::new("quixo".parse().unwrap());
    settings.clock = "turn=60".parse().unwrap();
    let mut session = LocalSession::new(Match::new(settings).unwrap(), Pace::NONE, 3, NOW);
    let at = |seconds| NOW + Duration::from_secs(seconds);
    session.pause(at(10));
    assert!(!session.poll(at(1000)));
    session.resume(at(1000));
    assert_eq!(session.view().clocks.left(Seat::ONE, at(1020)).unwrap().as_secs(), 30);
}

/// An engine that reads the record chooses in the same positions as one on this device.
#[test]
fn the_record_of_what_a_bot_recalls_leads_through_the_same_positions() {
    for game in ["quarto", "quixo", "quixo(players=4)", "four(size=9)", "sequence(players=3)"] {
        let game: game::Game = game.parse().unwrap();
        let settings = MatchSettings::new(game.clone());
        let mut session = LocalSession::new(Match::new(settings).unwrap(), Pace::NONE, 5, NOW);
        let mut random = Random::new(9);
        for step in 0..60 {
            deal(&mut session);
            session.open_curtain(NOW);
            if step == 20 && game.to_string() == "sequence(players=3)" {
                session.resign(NOW).unwrap();
                deal(&mut session);
                session.open_curtain(NOW);
            }
            let legal = session.game().legal();
            if legal.is_empty() {
                break;
            }
            let texts = |all: &[Box<dyn AnyPosition>]| all.iter().map(ToString::to_string).collect::<Vec<_>>();
            let here = texts(&session.positions());
            let record = session.history().recalled_record(session.game()).to_string();
            let read = game::Record::read_all(&record).unwrap_or_else(|error| panic!("{error}\n{record}"));
            let there = texts(&read[0].replay().unwrap().positions());
            assert_eq!(here, there, "{record}");
            session.act(&legal[random.below(legal.len() as u32) as usize], NOW).unwrap();
        }
    }
}
