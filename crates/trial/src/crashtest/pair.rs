use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use client::{Answer, Connection, ConnectionError, Credential, sit_down};
use protocol::{Command, Refusal};
use search::Random;

use super::Shared;
use crate::player::{is_to_act, log_length, random_action, random_game};

/// A game, and what the server promised about it.
#[derive(Clone, Debug)]
pub(super) struct Played {
    pub(super) table: String,
    /// The credential of a player who may watch it.
    pub(super) credential: Credential,
    /// The actions that were acknowledged, with their places in the log.
    pub(super) acknowledged: Vec<(u32, String)>,
    /// An action that was sent last and never answered: it may or may not have happened.
    pub(super) open: Option<(u32, String)>,
    pub(super) began: Instant,
}

/// How much time each seat has; no more than this may ever be charged.
pub(super) const BASE: Duration = Duration::from_secs(3600);

/// Two clients that play game after game, come back whenever the server does, and note what they were promised.
pub(super) async fn play(shared: Arc<Shared>, number: usize, seed: u64) {
    let mut random = Random::new(seed);
    while !*shared.stop.borrow() {
        let Some((mut clients, table)) = seated(&shared, random_game(&mut random)).await else { continue };
        let credential = clients[0].credential.clone();
        let mut played = Played { table, credential, acknowledged: Vec::new(), open: None, began: Instant::now() };
        one_game(&shared, number, &mut clients, &mut played, &mut random).await;
        shared.games.lock().unwrap_or_else(PoisonError::into_inner).push(played);
    }
}

async fn seated(shared: &Shared, game: &str) -> Option<([Connection; 2], String)> {
    let address = alive(shared).await?;
    match sit_down([&address, &address], game, &format!("fischer={}+0", BASE.as_secs())).await {
        Ok(seated) => Some(seated),
        // Killed while sitting down: a new table is as good.
        Err(ConnectionError::Closed(_)) => {
            tokio::time::sleep(Duration::from_millis(50)).await;
            None
        }
        Err(wrong) => {
            shared.complain(wrong.to_string());
            None
        }
    }
}

/// Waits for a living server; `None` once the clients are to stop.
async fn alive(shared: &Shared) -> Option<String> {
    let mut address = shared.address.clone();
    let found = tokio::time::timeout(Duration::from_secs(60), address.wait_for(|address| !address.is_empty())).await;
    let address = found.ok()?.ok()?.clone();
    (!*shared.stop.borrow()).then_some(address)
}

async fn one_game(
    shared: &Shared,
    table: usize,
    clients: &mut [Connection; 2],
    played: &mut Played,
    random: &mut Random,
) {
    for number in 0..400_u32 {
        // Both must have seen everything before one of them chooses.
        let seq = clients.iter().filter_map(|client| Some(client.follower.as_ref()?.seq)).max().unwrap_or(0);
        for client in clients.iter_mut() {
            while client.follower.as_ref().is_some_and(|follower| follower.seq < seq) {
                if !again(shared, client, None).await {
                    return;
                }
            }
        }
        if clients[0].follower.as_ref().is_none_or(|follower| follower.ended.is_some()) || *shared.stop.borrow() {
            return;
        }
        let turn = clients.iter().position(is_to_act);
        let Some(client) = turn.map(|turn| &mut clients[turn]) else {
            // Chance, or something that is still on its way.
            if !again(shared, &mut clients[0], None).await {
                return;
            }
            continue;
        };
        let Some(action) = random_action(client, random) else { return };
        let at = log_length(client) as u32;
        tokio::time::sleep(Duration::from_millis(u64::from(random.below(20)))).await;
        played.open = Some((at, action.clone()));
        let ask = (format!("a{number}"), Command::Act { action: action.clone(), at });
        if !again(shared, client, Some(ask)).await {
            return;
        }
        played.open = None;
        played.acknowledged.push((at, action));
        shared.acknowledged[table].fetch_add(1, Ordering::Relaxed);
    }
}

/// Sends a request or receives a message, and reconnects as often as it takes; whether it succeeded.
async fn again(shared: &Shared, client: &mut Connection, ask: Option<(String, Command)>) -> bool {
    loop {
        let broken = match &ask {
            Some((id, what)) => match client.ask(id, what.clone()).await {
                Ok(Answer::Done { .. }) => return true,
                // The server is on its way out or in; the same ask will do.
                Ok(Answer::Refused(Refusal::Storage | Refusal::Stopping)) => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
                Ok(Answer::Refused(code)) => ConnectionError::Wrong(format!("a legal action is refused: {code:?}")),
                Err(broken) => broken,
            },
            None => match client.receive().await {
                Ok(_) => return true,
                Err(broken) => broken,
            },
        };
        if !matches!(broken, ConnectionError::Closed(_)) {
            shared.complain(broken.to_string());
            return false;
        }
        // Closed: find the server again, and learn what was missed.
        loop {
            let Some(address) = alive(shared).await else { return false };
            match client.reconnect(&address).await {
                Ok(()) => break,
                Err(ConnectionError::Closed(_)) => tokio::time::sleep(Duration::from_millis(50)).await,
                Err(wrong) => {
                    shared.complain(wrong.to_string());
                    return false;
                }
            }
        }
        if ask.is_none() {
            return true;
        }
    }
}
