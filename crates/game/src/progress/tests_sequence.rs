//! What only a game with cards and more than two sides can show.

use std::time::Duration;

use rules::{Outcome, Seat, Side, Viewer};
use search::Random;

use super::state::pick;
use super::*;
use crate::{Cause, ClockRule, Record};

fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn deal(game: &str, seed: u64) -> (Match, Random) {
    let mut settings = MatchSettings::new(game.parse().unwrap());
    settings.clock = ClockRule::COMPETITION;
    let mut game = Match::new(settings).unwrap();
    let mut random = Random::new(seed);
    game.start_clock(secs(0));
    game.draw(&mut |n| random.below(n), secs(0)).unwrap();
    (game, random)
}

/// The seat to act plays its first legal action; who it was.
fn turn(game: &mut Match, random: &mut Random, now: Duration) -> Option<Seat> {
    let seat = game.to_act()?;
    let action = game.legal().remove(0);
    game.act(seat, &action, now).unwrap();
    game.draw(&mut |n| random.below(n), now).unwrap();
    Some(seat)
}

fn replays(game: &Match) {
    let text = game.record().to_string();
    let again = Record::read_all(&text).unwrap_or_else(|error| panic!("{error}\n{text}")).remove(0).replay().unwrap();
    assert_eq!(again.position().to_string(), game.position().to_string());
    assert_eq!((again.ending(), again.to_act()), (game.ending(), game.to_act()));
}

#[test]
fn no_seat_acts_for_chance_and_chance_draws_what_is_there() {
    let mut game = Match::new(MatchSettings::new("sequence".parse().unwrap())).unwrap();
    assert!(game.chance_is_due());
    assert_eq!(
        game.act(Seat::ONE, "draw:cat", secs(0)),
        Err(MatchError::NotYourTurn { seat: Seat::ONE, to_act: None })
    );
    let drawn = game.draw(&mut |_| 0, secs(0)).unwrap();
    assert_eq!(drawn.len(), 6);
    assert_eq!(drawn[0], drawn[1], "two cards of a kind, then they are gone");
    assert_ne!(drawn[1], drawn[2]);
    assert_eq!(game.to_act(), Some(Seat::ONE));
    assert_eq!(game.draw(&mut |_| 0, secs(0)), Ok(vec![]));
}

#[test]
fn odds_follow_the_weights() {
    let chances = || vec![("rare".to_owned(), 1), ("often".to_owned(), 3)];
    let picked: Vec<_> = (0..4)
        .map(|n| {
            pick(chances(), &mut |total| {
                assert_eq!(total, 4);
                n
            })
            .unwrap()
        })
        .collect();
    assert_eq!(picked, ["rare", "often", "often", "often"]);
    assert_eq!(pick(vec![], &mut |_| 0), None);
}

#[test]
fn g7_with_three_sides_the_others_play_on_and_the_last_one_wins() {
    let (mut game, mut random) = deal("sequence(players=3)", 5);
    assert_eq!(turn(&mut game, &mut random, secs(1)), Some(Seat::ONE));
    let chips = game.position().to_string().matches('1').count();
    game.resign(Seat::TWO, secs(2)).unwrap();
    assert_eq!(game.ending(), None);
    assert_eq!(game.act(Seat::TWO, "pass", secs(2)), Err(MatchError::SeatIsOut(Seat::TWO)));
    assert_eq!(game.resign(Seat::TWO, secs(2)), Err(MatchError::SeatIsOut(Seat::TWO)));
    assert_eq!(game.to_act(), Some(Seat::THREE), "it was its turn, which is skipped");
    let positions = game.positions();
    assert_eq!(positions.len(), game.log().len(), "a position for the start and one for each action");
    assert_eq!(positions.last().unwrap().to_string(), game.position().to_string(), "bots see the skipped turn");
    let order: Vec<_> = (0..4).map(|_| turn(&mut game, &mut random, secs(3)).unwrap().number()).collect();
    assert_eq!(order, [3, 1, 3, 1]);
    assert!(game.position().to_string().matches('1').count() > chips, "what was placed stays");
    replays(&game);
    game.resign(Seat::ONE, secs(4)).unwrap();
    let third = Side::from_index(2);
    assert_eq!(game.ending(), Some(Ending { outcome: Some(Outcome::Win(third)), cause: Cause::Resignation }));
    replays(&game);
}

#[test]
fn g7_a_seat_may_resign_while_another_thinks_and_is_skipped_later() {
    let (mut game, mut random) = deal("sequence(players=4)", 9);
    game.resign(Seat::THREE, secs(5)).unwrap();
    assert_eq!(game.to_act(), Some(Seat::ONE));
    assert_eq!(game.clock().left(Seat::ONE, secs(5)), Some(secs(55)), "its clock runs on");
    let order: Vec<_> = (0..5).map(|_| turn(&mut game, &mut random, secs(10)).unwrap().number()).collect();
    assert_eq!(order, [1, 2, 4, 1, 2]);
    let spent: Vec<_> = game.log().iter().filter_map(|entry| entry.spent).take(2).collect();
    assert_eq!(spent, [secs(5), secs(5)], "what seat 1 took is written with both events");
    replays(&game);
}

#[test]
fn g7_whose_time_is_up_is_skipped_too() {
    let (mut game, mut random) = deal("sequence(players=3)", 7);
    assert_eq!(turn(&mut game, &mut random, secs(30)), Some(Seat::ONE));
    assert_eq!(game.tick(secs(89)), None, "a minute for each turn, not for each seat");
    assert_eq!(game.tick(secs(90)), Some(Seat::TWO));
    assert_eq!((game.ending(), game.to_act()), (None, Some(Seat::THREE)));
    assert_eq!(game.tick(secs(149)), None);
    assert_eq!(game.tick(secs(150)), Some(Seat::THREE));
    assert_eq!(game.ending(), Some(Ending { outcome: Some(Outcome::Win(Side::ONE)), cause: Cause::Time }));
    replays(&game);
}

#[test]
fn g7_with_three_sides_a_draw_needs_all_that_are_left() {
    let (mut game, _) = deal("sequence(players=3)", 5);
    game.propose(Seat::ONE, ProposalKind::Draw, secs(0)).unwrap();
    assert_eq!(game.agree(Seat::TWO, secs(0)), Ok(Answer::Waiting));
    assert_eq!(game.agree(Seat::THREE, secs(0)), Ok(Answer::Done));
    let (mut game, _) = deal("sequence(players=3)", 5);
    game.resign(Seat::THREE, secs(0)).unwrap();
    game.propose(Seat::ONE, ProposalKind::Draw, secs(0)).unwrap();
    assert_eq!(game.agree(Seat::THREE, secs(0)), Err(MatchError::SeatIsOut(Seat::THREE)));
    assert_eq!(game.agree(Seat::TWO, secs(0)), Ok(Answer::Done));
    replays(&game);
}

#[test]
fn cards_that_were_seen_are_taken_back_only_if_all_agree() {
    let (mut game, mut random) = deal("sequence", 5);
    assert_eq!(game.undo(Consent::All, secs(0)), Err(MatchError::NothingToUndo), "the deal is no action of a seat");
    let before = game.position().to_string();
    turn(&mut game, &mut random, secs(1));
    let after = game.position().to_string();
    assert_eq!(game.undo(Consent::NotAsked, secs(1)), Err(MatchError::NeedsConsent));
    game.undo(Consent::All, secs(1)).unwrap();
    assert_eq!(game.position().to_string(), before);
    assert_eq!(game.redo(Consent::NotAsked, secs(1)), Err(MatchError::NeedsConsent));
    game.redo(Consent::All, secs(1)).unwrap();
    assert_eq!(game.position().to_string(), after, "the same card is drawn again");
    assert_eq!(game.propose(Seat::ONE, ProposalKind::Takeback, secs(2)), Ok(Answer::Waiting));
    assert_eq!(game.agree(Seat::TWO, secs(2)), Ok(Answer::Done));
    assert_eq!(game.position().to_string(), before);
}

#[test]
fn a_played_card_is_revealed_even_before_the_next_is_drawn() {
    let (mut game, _) = deal("sequence", 5);
    let action = game.legal().remove(0);
    game.play(&action, secs(1)).unwrap();
    assert!(game.chance_is_due());
    assert_eq!(game.undo(Consent::NotAsked, secs(1)), Err(MatchError::NeedsConsent));
}

#[test]
fn a_takeback_waits_for_every_side_unless_it_is_a_bot() {
    let mut settings = MatchSettings::new("sequence(players=3)".parse().unwrap());
    settings.sitters[1] = "bot:1".parse().unwrap();
    let mut game = Match::new(settings).unwrap();
    let mut random = Random::new(1);
    game.draw(&mut |n| random.below(n), secs(0)).unwrap();
    turn(&mut game, &mut random, secs(0));
    turn(&mut game, &mut random, secs(0));
    assert_eq!(game.propose(Seat::ONE, ProposalKind::Takeback, secs(0)), Ok(Answer::Waiting));
    assert_eq!(game.agree(Seat::THREE, secs(0)), Ok(Answer::Done));
    assert_eq!(game.to_act(), Some(Seat::ONE));
}

#[test]
fn what_a_seat_reads_does_not_depend_on_what_another_holds() {
    // Two deals that differ only in what seat 2 gets.
    let play = |second: [&str; 3]| {
        let mut game = Match::new(MatchSettings::new("sequence".parse().unwrap())).unwrap();
        for (one, two) in ["cat", "dog", "fox"].into_iter().zip(second) {
            game.play(&format!("draw:{one}"), secs(0)).unwrap();
            game.play(&format!("draw:{two}"), secs(0)).unwrap();
        }
        game.play("cat@a2", secs(0)).unwrap();
        game.play("draw:owl", secs(0)).unwrap();
        game
    };
    let (here, there) = (play(["cow", "lion", "bear"]), play(["dragon", "tiger", "tiger"]));
    for viewer in [Viewer::Seat(Seat::ONE), Viewer::Spectator] {
        assert_eq!(here.record_for(viewer).to_string(), there.record_for(viewer).to_string());
        assert_eq!(here.position().view_text(viewer), there.position().view_text(viewer));
        assert_eq!(here.position().scene(viewer), there.position().scene(viewer));
    }
    assert_ne!(here.record().to_string(), there.record().to_string());
}
