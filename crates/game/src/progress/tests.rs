use std::time::Duration;

use rules::{Outcome, Seat, Side};

use super::*;
use crate::{Cause, Comment, Game};

pub(super) const NOW: Duration = Duration::ZERO;

pub(super) fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

pub(super) fn sit(game: &str) -> Match {
    Match::new(MatchSettings::new(game.parse().unwrap())).unwrap()
}

pub(super) fn with_clock(game: &str, clock: &str) -> Match {
    let mut settings = MatchSettings::new(game.parse().unwrap());
    settings.clock = clock.parse().unwrap();
    let mut game = Match::new(settings).unwrap();
    game.start_clock(NOW);
    game
}

pub(super) fn play(game: &mut Match, actions: &str) {
    for action in actions.split_whitespace() {
        game.play(action, NOW).unwrap();
    }
}

pub(super) fn events(game: &Match) -> String {
    game.log().iter().map(|entry| entry.event.to_string()).collect::<Vec<_>>().join(" ")
}

fn ended(game: &Match, outcome: Option<Outcome>, cause: Cause) {
    assert_eq!(game.ending(), Some(Ending { outcome, cause }));
    assert!(game.legal().is_empty());
    assert_eq!(game.to_act(), None);
}

const FIRST_WINS: Option<Outcome> = Some(Outcome::Win(Side::ONE));
const SECOND_WINS: Option<Outcome> = Some(Outcome::Win(Side::TWO));

#[test]
fn only_the_seat_to_act_acts() {
    let mut game = sit("quixo");
    assert_eq!(
        game.act(Seat::TWO, "a3e3", NOW),
        Err(MatchError::NotYourTurn { seat: Seat::TWO, to_act: Some(Seat::ONE) })
    );
    assert_eq!(game.act(Seat::THREE, "a3e3", NOW), Err(MatchError::NoSuchSeat(Seat::THREE)));
    assert!(matches!(game.act(Seat::ONE, "c3e3", NOW), Err(MatchError::Refused(_))));
    assert!(matches!(game.act(Seat::ONE, "what", NOW), Err(MatchError::Refused(_))));
    assert!(game.log().is_empty(), "what is refused changes nothing");
    game.act(Seat::ONE, "a3e3", NOW).unwrap();
    assert_eq!(game.to_act(), Some(Seat::TWO));
}

#[test]
fn a_game_ends_by_its_rules_and_nothing_comes_after() {
    let mut settings = MatchSettings::new("quixo".parse().unwrap());
    settings.start = Some("...../xxxx./...../oooo./..... 1".into());
    let mut game = Match::new(settings).unwrap();
    play(&mut game, "e4a4");
    ended(&game, FIRST_WINS, Cause::Rules);
    let over = MatchError::Over(game.ending().unwrap());
    assert_eq!(game.play("a1e1", NOW), Err(over.clone()));
    assert_eq!(game.resign(Seat::TWO, NOW), Err(over.clone()));
    assert_eq!(game.abandon(NOW), Err(over.clone()));
    assert_eq!(game.propose(Seat::ONE, ProposalKind::Draw, NOW), Err(over));
    game.undo(Consent::NotAsked, NOW).unwrap();
    assert_eq!(game.ending(), None);
}

#[test]
fn a_bad_setup_is_refused() {
    let mut settings = MatchSettings::new("quixo".parse().unwrap());
    settings.sitters.pop();
    assert_eq!(Match::new(settings.clone()).unwrap_err().to_string(), "the game has 2 seats, but 1 players");
    settings.start = Some("nonsense".into());
    assert!(Match::new(settings).unwrap_err().to_string().starts_with("bad start position: "));
}

#[test]
fn g7_resigning_loses_in_any_turn() {
    let mut game = sit("quixo");
    game.resign(Seat::TWO, NOW).unwrap();
    ended(&game, FIRST_WINS, Cause::Resignation);
    let mut game = sit("quixo");
    game.leave(Seat::ONE, NOW).unwrap();
    ended(&game, SECOND_WINS, Cause::Departure);
}

#[test]
fn g7_in_a_team_a_seat_resigns_for_its_side() {
    let mut game = sit("quixo(players=4)");
    play(&mut game, "a3e3:1");
    game.resign(Seat::FOUR, NOW).unwrap();
    assert!(game.is_out(Seat::TWO) && game.is_out(Seat::FOUR));
    ended(&game, FIRST_WINS, Cause::Resignation);
}

/// Both push one cube to and fro, so the position after each round is the same.
pub(super) const ROUND: &str = "a1e1 a5e5 e1a1 e5a5";

#[test]
fn g7_the_third_occurrence_of_a_quixo_position_is_a_draw() {
    let mut game = sit("quixo");
    play(&mut game, "a1e1 a5e5 e1a1 e5a5"); // the cubes are marked now: first occurrence
    play(&mut game, ROUND);
    assert_eq!(game.ending(), None);
    play(&mut game, "a1e1 a5e5");
    ended(&game, Some(Outcome::Draw), Cause::Repetition);
}

#[test]
fn g7_occurrences_are_counted_anew_after_undo() {
    let mut game = sit("quixo");
    play(&mut game, ROUND);
    play(&mut game, ROUND);
    play(&mut game, "a1e1");
    for _ in 0..5 {
        game.undo(Consent::NotAsked, NOW).unwrap();
        game.redo(Consent::NotAsked, NOW).unwrap();
    }
    assert_eq!(game.ending(), None);
    play(&mut game, "a5e5");
    ended(&game, Some(Outcome::Draw), Cause::Repetition);
    game.undo(Consent::NotAsked, NOW).unwrap();
    assert_eq!(game.ending(), None, "taking back the third occurrence takes back the draw");
}

#[test]
fn g7_the_team_game_knows_no_repetition() {
    let mut game = sit("quixo(players=4)");
    for _ in 0..4 {
        play(&mut game, "a1e1:1 a5e5:2 a3e3:3 a2e2:4 e1a1:1 e5a5:2 e3a3:3 e2a2:4");
        assert_eq!(game.position().to_string(), "o..../...../X..../O..../x.... 1 0");
    }
    assert_eq!(game.ending(), None);
}

#[test]
fn undo_and_redo_walk_the_log_and_a_new_action_forgets_the_rest() {
    let mut game = sit("quixo");
    assert_eq!(game.undo(Consent::NotAsked, NOW), Err(MatchError::NothingToUndo));
    play(&mut game, "a1e1 a5e5 a2e2");
    let late = game.position().to_string();
    game.undo(Consent::NotAsked, NOW).unwrap();
    game.undo(Consent::NotAsked, NOW).unwrap();
    assert_eq!(events(&game), "a1e1");
    game.redo(Consent::NotAsked, NOW).unwrap();
    game.redo(Consent::NotAsked, NOW).unwrap();
    assert_eq!(game.position().to_string(), late);
    assert_eq!(game.redo(Consent::NotAsked, NOW), Err(MatchError::NothingToRedo));
    game.undo_action_of(Seat::TWO, Consent::NotAsked, NOW).unwrap();
    assert_eq!(events(&game), "a1e1");
    play(&mut game, "a4e4");
    assert!(!game.can_redo());
}

#[test]
fn a_resignation_is_undone_only_if_all_agree() {
    let mut game = sit("quixo");
    play(&mut game, "a1e1");
    game.resign(Seat::TWO, NOW).unwrap();
    assert_eq!(game.undo(Consent::NotAsked, NOW), Err(MatchError::NeedsConsent));
    game.rewind(1, Consent::All, NOW).unwrap();
    assert_eq!(game.to_act(), Some(Seat::TWO));
}

#[test]
fn a_draw_offer_expires_when_the_other_side_acts() {
    let mut game = sit("quixo");
    game.propose(Seat::ONE, ProposalKind::Draw, NOW).unwrap();
    play(&mut game, "a1e1");
    assert!(game.proposal().is_some(), "the offering side may go on");
    play(&mut game, "a5e5");
    assert!(game.proposal().is_none());
    assert_eq!(game.agree(Seat::TWO, NOW), Err(MatchError::NothingProposed));
}

#[test]
fn a_draw_offer_can_be_declined_withdrawn_or_met() {
    let mut game = sit("quixo");
    game.propose(Seat::ONE, ProposalKind::Draw, NOW).unwrap();
    game.decline(Seat::TWO).unwrap();
    assert_eq!(game.decline(Seat::TWO), Err(MatchError::NothingProposed));
    game.propose(Seat::ONE, ProposalKind::Draw, NOW).unwrap();
    assert_eq!(game.propose(Seat::TWO, ProposalKind::Takeback, NOW), Err(MatchError::AnotherProposal));
    assert_eq!(game.agree(Seat::ONE, NOW), Ok(Answer::Waiting), "a seat cannot agree with itself");
    assert_eq!(game.propose(Seat::TWO, ProposalKind::Draw, NOW), Ok(Answer::Done));
    ended(&game, Some(Outcome::Draw), Cause::Agreement);
}

#[test]
fn a_takeback_is_done_when_the_others_agree_and_bots_always_do() {
    let mut game = sit("quixo");
    assert_eq!(game.propose(Seat::ONE, ProposalKind::Takeback, NOW), Err(MatchError::NothingToUndo));
    play(&mut game, "a1e1 a5e5");
    assert_eq!(game.propose(Seat::ONE, ProposalKind::Takeback, NOW), Ok(Answer::Waiting));
    assert_eq!(game.propose(Seat::TWO, ProposalKind::Draw, NOW), Err(MatchError::AnotherProposal));
    assert_eq!(game.propose(Seat::TWO, ProposalKind::Takeback, NOW), Err(MatchError::AnotherProposal));
    assert_eq!(game.agree(Seat::TWO, NOW), Ok(Answer::Done));
    assert_eq!(events(&game), "");

    let mut settings = MatchSettings::new("quixo".parse().unwrap());
    settings.sitters[1] = "bot:2".parse().unwrap();
    let mut game = Match::new(settings).unwrap();
    play(&mut game, "a1e1 a5e5");
    assert_eq!(game.propose(Seat::ONE, ProposalKind::Takeback, NOW), Ok(Answer::Done));
    assert_eq!(events(&game), "");
}

#[test]
fn g7_time_up_loses_at_a_tick_and_at_a_late_action() {
    let mut game = with_clock("quixo", "turn=60");
    assert_eq!(game.tick(secs(59)), None);
    assert_eq!(game.clock().falls_at(secs(59)), Some(secs(60)));
    assert_eq!(game.tick(secs(61)), Some(Seat::ONE));
    assert_eq!(game.tick(secs(70)), None, "time is up only once");
    ended(&game, SECOND_WINS, Cause::Time);
    assert_eq!(events(&game), "time:1");

    let mut game = with_clock("quixo", "turn=60");
    game.play("a1e1", secs(30)).unwrap();
    assert_eq!(game.play("a5e5", secs(90)), Err(MatchError::TimeUp(Seat::TWO)));
    ended(&game, FIRST_WINS, Cause::Time);
}

#[test]
fn g8_to_place_and_to_give_is_one_turn() {
    let started = || {
        let mut game = with_clock("quarto", "turn=60");
        game.play("7", secs(30)).unwrap();
        game.play("b2", secs(70)).unwrap();
        assert_eq!(game.clock().left(Seat::TWO, secs(70)), Some(secs(20)));
        game
    };
    assert_eq!(started().play("3", secs(89)), Ok(()));
    assert_eq!(started().play("3", secs(90)), Err(MatchError::TimeUp(Seat::TWO)));
}

#[test]
fn time_can_be_restored_after_a_restart_and_given_back_for_a_slow_network() {
    let mut game = with_clock("quixo", "turn=60");
    game.charge(secs(20));
    assert_eq!(game.clock().left(Seat::ONE, secs(10)), Some(secs(30)));
    assert_eq!(game.forgive(secs(5), secs(10)), secs(5));
    assert_eq!(game.clock().left(Seat::ONE, secs(10)), Some(secs(35)));
    game.play("a1e1", secs(10)).unwrap();
    assert_eq!(game.log()[0].spent, Some(secs(25)));
    assert_eq!(game.forgive(secs(5), secs(11)), secs(1), "no more than was taken");
}

#[test]
fn the_log_keeps_the_time_each_action_took() {
    let mut game = with_clock("quixo", "fischer=100+5");
    game.play("a1e1", secs(10)).unwrap();
    game.tick(secs(15));
    assert!(game.play("c3e3", secs(20)).is_err());
    game.play("a5e5", secs(30)).unwrap();
    let spent: Vec<_> = game.log().iter().map(|entry| entry.spent).collect();
    assert_eq!(spent, [Some(secs(10)), Some(secs(20))], "a refused action does not lose time");
    assert_eq!(game.clock().left(Seat::ONE, secs(30)), Some(secs(95)));
    assert_eq!(game.clock().left(Seat::TWO, secs(30)), Some(secs(85)));
}

#[test]
fn undo_sets_the_clocks_back() {
    let mut game = with_clock("quixo", "fischer=100+0");
    game.play("a1e1", secs(10)).unwrap();
    game.play("a5e5", secs(30)).unwrap();
    game.undo(Consent::NotAsked, secs(50)).unwrap();
    assert_eq!(game.clock().left(Seat::ONE, secs(50)), Some(secs(90)));
    assert_eq!(game.clock().left(Seat::TWO, secs(50)), Some(secs(100)));
    assert_eq!(game.clock().left(Seat::TWO, secs(60)), Some(secs(90)), "and it runs on");
    game.redo(Consent::NotAsked, secs(60)).unwrap();
    assert_eq!(game.clock().left(Seat::TWO, secs(60)), Some(secs(80)));
}

#[test]
fn a_replayed_log_gives_the_same_match() {
    let mut game = with_clock("quixo", "delay=100+3");
    game.play("a1e1", secs(10)).unwrap();
    game.play("a5e5", secs(30)).unwrap();
    game.play("e1a1", secs(31)).unwrap();
    let mut again = Match::new(game.settings().clone()).unwrap();
    for entry in game.log() {
        again.replay(entry.clone()).unwrap();
    }
    assert_eq!(again.position().to_string(), game.position().to_string());
    for seat in [Seat::ONE, Seat::TWO] {
        assert_eq!(again.clock().left(seat, secs(31)), game.clock().left(seat, secs(31)));
    }
}

#[test]
fn bots_play_every_game_and_the_same_for_the_same_seed() {
    let limits = search::Limits::nodes(10).with_seed(5).with_memory(1 << 20);
    let play_out = |id: crate::GameId| {
        let mut game = sit(id.name());
        let mut bot = game.settings().game.bot();
        let mut random = search::Random::new(1);
        game.draw(&mut |n| random.below(n), NOW).unwrap();
        while game.ending().is_none() && game.log().len() < 60 {
            let result = bot.choose(&game.positions(), search::Level::LOWEST, &limits).unwrap();
            game.play(&result.action, NOW).unwrap();
            game.draw(&mut |n| random.below(n), NOW).unwrap();
        }
        events(&game)
    };
    for id in crate::GameId::ALL {
        assert_eq!(play_out(id), play_out(id), "{id}");
    }
    let over: Game = "quixo".parse().unwrap();
    let over = over.parse_position("xxxxx/o..../o..../..o../o.... 2").unwrap();
    assert!(over.game().bot().choose(&[over], search::Level::LOWEST, &limits).is_none());
}

#[test]
fn a_stopped_clock_counts_nothing_until_it_is_started() {
    let mut game = with_clock("quixo", "turn=60");
    game.stop_clock(secs(10));
    assert_eq!(game.tick(secs(500)), None);
    game.start_clock(secs(500));
    assert_eq!(game.clock().left(Seat::ONE, secs(500)), Some(secs(50)));
}

#[test]
fn only_the_side_that_resigned_is_out() {
    let mut game = sit("quixo");
    game.resign(Seat::TWO, NOW).unwrap();
    assert!(game.is_out(Seat::TWO) && !game.is_out(Seat::ONE));
}

#[test]
fn comments_stand_at_the_event_before_them() {
    let mut game = sit("quixo");
    game.comment("a quiet evening");
    game.comment("  ");
    play(&mut game, "a1e1");
    game.comment("bold");
    assert_eq!(game.preface().iter().map(Comment::as_str).collect::<Vec<_>>(), ["a quiet evening"]);
    assert_eq!(game.log()[0].comments.iter().map(Comment::as_str).collect::<Vec<_>>(), ["bold"]);
}

#[test]
fn a_takeback_needs_an_own_action_and_the_agreement_of_persons() {
    let mut game = sit("quixo");
    play(&mut game, "a1e1");
    assert_eq!(game.propose(Seat::TWO, ProposalKind::Takeback, NOW), Err(MatchError::NothingToUndo));
    assert_eq!(game.propose(Seat::ONE, ProposalKind::Draw, NOW), Ok(Answer::Waiting), "a draw needs no action");
    game.decline(Seat::TWO).unwrap();
    assert_eq!(game.propose(Seat::ONE, ProposalKind::Takeback, NOW), Ok(Answer::Waiting));
    assert_eq!(game.proposal().unwrap().agreed, [Seat::ONE]);
    // A bot never agrees to what it proposed itself twice.
    let mut settings = MatchSettings::new("quixo".parse().unwrap());
    settings.sitters[0] = "bot:2".parse().unwrap();
    let mut game = Match::new(settings).unwrap();
    play(&mut game, "a1e1");
    assert_eq!(game.propose(Seat::ONE, ProposalKind::Takeback, NOW), Ok(Answer::Waiting));
    assert_eq!(game.proposal().unwrap().agreed, [Seat::ONE]);
}

#[test]
fn what_can_be_redone_is_known_before() {
    let mut game = sit("quixo");
    play(&mut game, "a1e1");
    assert!(!game.can_redo());
    game.undo(Consent::NotAsked, NOW).unwrap();
    assert!(game.can_redo());
    game.propose(Seat::TWO, ProposalKind::Draw, NOW).unwrap();
    assert!(game.can_redo(), "an offer is no event");
    game.redo(Consent::NotAsked, NOW).unwrap();
    assert!(!game.can_redo());
}

#[test]
fn a_review_names_each_action_of_a_seat_and_the_position_before_it() {
    let mut game = sit("sequence");
    let mut random = search::Random::new(3);
    for _ in 0..3 {
        game.draw(&mut |n| random.below(n), NOW).unwrap();
        let action = game.legal().remove(0);
        game.play(&action, NOW).unwrap();
    }
    let steps = game.review_steps();
    assert_eq!(steps.len(), 3);
    let positions = game.positions();
    for step in steps {
        assert_eq!(game.log()[step.entry].event.to_string(), step.action);
        let position = &positions[step.ply];
        assert_eq!(position.turn(), rules::Turn::Seat(step.seat));
        assert!(position.legal().contains(&step.action));
    }
}

#[test]
fn a_followed_match_says_through_whose_eyes() {
    let settings = MatchSettings::new("sequence".parse().unwrap());
    let viewer = rules::Viewer::Seat(Seat::TWO);
    let seen = Match::seen_by(settings.clone(), viewer).unwrap();
    assert_eq!(seen.viewer(), Some(viewer));
    assert_eq!(Match::new(settings).unwrap().viewer(), None);
}

#[test]
fn nothing_is_open_after_the_end_and_time_that_passes_forgets_nothing() {
    let mut settings = MatchSettings::new("quixo".parse().unwrap());
    settings.start = Some("...../xxxx./...../oooo./..... 1".into());
    let mut game = Match::new(settings).unwrap();
    game.propose(Seat::ONE, ProposalKind::Draw, NOW).unwrap();
    play(&mut game, "e4a4");
    assert!(game.ending().is_some() && game.proposal().is_none());

    let mut game = with_clock("quixo", "turn=60");
    game.play("a1e1", secs(1)).unwrap();
    game.undo(Consent::NotAsked, secs(2)).unwrap();
    assert_eq!(game.tick(secs(3)), None);
    assert!(game.can_redo());
}

/// Who has to agree changes with a departure, so that the offer falls though the others play on.
#[test]
fn g7_a_departure_withdraws_an_open_offer() {
    let mut game = sit("sequence(players=3)");
    let mut random = search::Random::new(1);
    game.draw(&mut |n| random.below(n), NOW).unwrap();
    game.propose(Seat::ONE, ProposalKind::Draw, NOW).unwrap();
    game.leave(Seat::THREE, NOW).unwrap();
    assert!(game.ending().is_none() && game.proposal().is_none());
}
