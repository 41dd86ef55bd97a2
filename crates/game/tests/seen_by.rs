//! A client that receives only one viewer's events can follow the match, and at each step has that viewer's view.
#![allow(clippy::unwrap_used, reason = "a test may")]

use game::{Entry, Match, MatchSettings};
use rules::{Seat, Viewer};
use search::Random;
use std::time::Duration;

fn viewers(seats: u8) -> impl Iterator<Item = Viewer> {
    Seat::all(seats).map(Viewer::Seat).chain([Viewer::Spectator])
}

fn follow(game: &str, seed: u64) {
    let settings = MatchSettings::new(game.parse().unwrap());
    let mut truth = Match::new(settings.clone()).unwrap();
    let seats = truth.position().seats();
    let mut seen: Vec<(Viewer, Match)> =
        viewers(seats).map(|viewer| (viewer, Match::seen_by(settings.clone(), viewer).unwrap())).collect();
    let mut random = Random::new(seed);
    let mut replayed = 0;
    for step in 0..400 {
        truth.draw(&mut |n| random.below(n), Duration::ZERO).unwrap();
        if truth.ending().is_none() && truth.to_act().is_some() {
            if seats > 2 && step == 40 {
                truth.resign(Seat::TWO, Duration::ZERO).unwrap();
            } else {
                let legal = truth.legal();
                // Playing the first more often than others keeps some games going until cards are dead and seats pass.
                let choice = if random.below(3) == 0 { 0 } else { random.below(legal.len() as u32) as usize };
                truth.play(&legal[choice], Duration::ZERO).unwrap();
            }
        }
        for (viewer, match_) in &mut seen {
            let events = truth.seen_events(*viewer);
            for event in &events[replayed..] {
                match_.replay(Entry::new(event.clone())).unwrap_or_else(|error| panic!("{game} {seed}: {error}"));
            }
            if truth.ending().is_none() {
                let (here, there) = (match_.position().view_text(*viewer), truth.position().view_text(*viewer));
                assert_eq!(here, there, "{game} {seed} {viewer:?} step {step}");
                if *viewer == truth.to_act().map_or(Viewer::Spectator, Viewer::Seat) {
                    assert_eq!(match_.to_act().map(|_| match_.legal()), truth.to_act().map(|_| truth.legal()));
                }
            }
            assert_eq!(match_.ending().is_some(), truth.ending().is_some());
        }
        replayed = truth.log().len();
        if truth.ending().is_some() {
            return;
        }
    }
}

#[test]
fn every_viewer_follows_every_game() {
    for game in
        ["sequence", "sequence(players=3)", "sequence(players=4)", "sequence(board=shuffled)", "quixo(players=4)"]
    {
        for seed in 0..40 {
            follow(game, seed);
        }
    }
}

/// What is made up for a viewer is made of the viewer's view alone.
#[test]
fn a_disguise_is_the_same_whatever_is_hidden() {
    let mut random = Random::new(5);
    let mut one = Match::new(MatchSettings::new("sequence".parse().unwrap())).unwrap();
    let mut two = one.clone();
    one.draw(&mut |n| random.below(n), Duration::ZERO).unwrap();
    let own: Vec<String> = one.log().iter().map(|entry| entry.event.to_string()).collect();
    for (index, action) in own.iter().enumerate() {
        // The same cards for seat 1, others for seat 2.
        let others = two.legal();
        let other = others.iter().rev().find(|other| !own.contains(other)).unwrap_or(&others[0]).clone();
        two.play(if index % 2 == 0 { action } else { &other }, Duration::ZERO).unwrap_or_else(|_| {
            two.play(&others[0], Duration::ZERO).unwrap();
        });
    }
    let viewer = Viewer::Seat(Seat::ONE);
    if one.position().view_text(viewer) == two.position().view_text(viewer) {
        assert_ne!(one.position().to_string(), two.position().to_string());
        let disguise = |match_: &Match| match_.position().redetermined("", viewer).to_string();
        assert_eq!(disguise(&one), disguise(&two));
    } else {
        panic!("the two deals should look alike to seat 1");
    }
}
