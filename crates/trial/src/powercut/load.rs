//! Players who note what they were promised, and how much had been recorded by then.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use client::{Answer, ConnectionError, sit_down};
use protocol::Command;
use search::Random;
use tokio::time::Instant;

use super::Acknowledged;
use crate::player::{is_to_act, log_length, random_action, random_game};
use crate::program::Promise;

/// The longest thought, in milliseconds.
const THOUGHT: u32 = 150;

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Two people who play game after game.
pub(super) async fn play(
    server: &str,
    log: &Path,
    acknowledged: &Mutex<Vec<Acknowledged>>,
    seed: u64,
    until: Instant,
) -> Result<(), String> {
    let mut random = Random::new(seed);
    while Instant::now() < until {
        game(server, log, acknowledged, &mut random, until).await.map_err(|error| error.to_string())?;
    }
    Ok(())
}

async fn game(
    server: &str,
    log: &Path,
    acknowledged: &Mutex<Vec<Acknowledged>>,
    random: &mut Random,
    until: Instant,
) -> Result<(), ConnectionError> {
    let (mut people, table) = sit_down([server, server], random_game(random), "none").await?;
    let mut number = 0_u32;
    while Instant::now() < until {
        let seq = people.iter().filter_map(|person| Some(person.follower.as_ref()?.seq)).max().unwrap_or(0);
        for person in &mut people {
            while person.follower.as_ref().is_some_and(|follower| follower.seq < seq) {
                person.receive().await?;
            }
        }
        if people[0].follower.as_ref().is_none_or(|follower| follower.ended.is_some()) {
            return Ok(());
        }
        let Some(person) = people.iter_mut().find(|person| is_to_act(person)) else {
            people[0].receive().await?;
            continue;
        };
        let Some(action) = random_action(person, random) else { return Ok(()) };
        tokio::time::sleep(Duration::from_millis(random.below(THOUGHT).into())).await;
        number += 1;
        let (request, at) = (format!("a{number}"), log_length(person) as u32);
        match person.ask(&request, Command::Act { action: action.clone(), at }).await? {
            Answer::Done { .. } => {
                // What made it durable is recorded by now.
                let recorded = std::fs::metadata(log).map_or(0, |about| about.len());
                let promise = Promise { table: table.clone(), person: person.me.id.clone(), request, action, at };
                lock(acknowledged).push((recorded, promise));
            }
            Answer::Refused(code) => {
                return Err(ConnectionError::Wrong(format!("a legal action is refused: {code:?}")));
            }
        }
    }
    Ok(())
}
