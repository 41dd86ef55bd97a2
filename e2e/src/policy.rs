use game::{Game, Match, MatchSettings};
use rules::Turn;
use scene::Choice;
use search::Random;

use crate::Problem;

/// How actions are chosen: as planned, and at random after the plan.
#[derive(Debug)]
pub struct Policy {
    planned: std::vec::IntoIter<String>,
    random: Random,
    manner: Manner,
}

/// How a policy treats a winning action.
#[derive(Debug, PartialEq, Eq)]
enum Manner {
    /// Plays a winning action, so that games end.
    TakesWins,
    /// Plays a winning action only if there is no other, so that a game lasts long enough to be looked at.
    AvoidsWins,
    /// Plays as the game's greedy player, where random players would take hundreds of actions.
    Greedy,
}

impl Policy {
    /// Plays at random, and wins where it can.
    pub fn random(seed: u64) -> Policy {
        Policy { planned: Vec::new().into_iter(), random: Random::new(seed), manner: Manner::TakesWins }
    }

    /// Plays at random and avoids ending the game.
    pub fn calm(seed: u64) -> Policy {
        Policy { manner: Manner::AvoidsWins, ..Policy::random(seed) }
    }

    /// Plays as the game's greedy player.
    pub fn greedy(seed: u64) -> Policy {
        Policy { manner: Manner::Greedy, ..Policy::random(seed) }
    }

    /// The action with its touches; `None` when the match is over.
    pub fn choose(&mut self, game: &Match) -> Option<Choice<String>> {
        let mut choices = game.position().choices();
        if let Some(action) = self.planned.next() {
            return choices.into_iter().find(|choice| choice.action == action);
        }
        if self.manner == Manner::Greedy {
            let mut bot = game.settings().game.bot();
            let action = bot.greedy(&[game.position().boxed()], self.random.next_u64())?;
            return choices.into_iter().find(|choice| choice.action == action);
        }
        let wins = |choice: &Choice<String>| {
            let mut after = game.position().boxed();
            after.play(&choice.action).is_ok() && matches!(after.turn(), Turn::Over(_))
        };
        match self.manner {
            Manner::TakesWins if choices.len() < 100 => {
                if let Some(at) = choices.iter().position(wins) {
                    return Some(choices.swap_remove(at));
                }
            }
            Manner::AvoidsWins if choices.len() < 100 && !choices.iter().all(wins) => {
                choices.retain(|choice| !wins(choice));
            }
            _ => {}
        }
        let at = self.random.below(u32::try_from(choices.len()).ok()?) as usize;
        (at < choices.len()).then(|| choices.swap_remove(at))
    }
}

/// A short whole game without chance: the shortest of some random ones.
pub fn plan(game: &str) -> Result<Policy, Problem> {
    let game: Game = game.parse()?;
    let games = (0..40).filter_map(|seed| whole_game(&game, seed).transpose());
    let games = games.collect::<Result<Vec<_>, Problem>>()?;
    let shortest = games.into_iter().min_by_key(Vec::len).ok_or("no random game ended")?;
    Ok(Policy { planned: shortest.into_iter(), ..Policy::random(0) })
}

fn whole_game(game: &Game, seed: u64) -> Result<Option<Vec<String>>, Problem> {
    let (mut game, mut policy) = (Match::new(MatchSettings::new(game.clone()))?, Policy::random(seed));
    let mut actions = Vec::new();
    while game.ending().is_none() && actions.len() < 400 {
        let action = policy.choose(&game).ok_or("nothing can be done")?.action;
        game.play(&action, std::time::Duration::ZERO)?;
        actions.push(action);
    }
    Ok(game.ending().map(|_| actions))
}
