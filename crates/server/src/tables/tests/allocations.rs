//! A decision copies position and clock, never the log: its memory does not grow with the game.

use std::time::Duration;

use protocol::{ChatLine, Command, Phrase};
use search::Random;
use testkit::{Allocations, Counting};

use super::{NAMES, ask, play_on, seated, try_request};
use crate::tables::Request;

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn a_decision_costs_the_same_however_long_the_log_is() {
    for game in ["sequence", "quixo"] {
        let mut random = Random::new(3);
        let mut table = seated(game, &mut random);
        let mut costs = Vec::new();
        for _ in 0..2 {
            play_on(&mut table, 4, &mut random);
            let play = table.play().unwrap();
            let who = NAMES[play.to_act().unwrap().index()];
            let act = Request::Act { action: play.legal()[0].clone(), at: play.log().len() as u32 };
            let decide = || try_request(&table, who, &act, Duration::ZERO, Duration::ZERO).unwrap();
            costs.push(Allocations::of(decide).bytes);
            play_on(&mut table, 12, &mut random);
            for _ in 0..400 {
                ask(&mut table, "ann", &Command::Say { line: ChatLine::Phrase { phrase: Phrase::Hello } }, &mut random);
            }
        }
        assert!(costs[0] > 0 && costs[1] < costs[0] + 1024, "{game}: {costs:?} bytes with a short and a long log");
    }
}
