use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use protocol::{Code, Do};
use search::Random;

use super::Shared;
use crate::remote::{Answer, Broken, Pass, Remote, sit_down};

/// A game, and what the server promised about it.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    pub(crate) table: String,
    /// Who may look at it.
    pub(crate) pass: Pass,
    /// The actions that were acknowledged, with their places in the log.
    pub(crate) acknowledged: Vec<(u32, String)>,
    /// An action that was sent last and never answered: it may or may not have happened.
    pub(crate) open: Option<(u32, String)>,
    pub(crate) began: Instant,
}

/// How much time each seat has; no more than this may ever be charged.
pub(crate) const BASE: Duration = Duration::from_secs(3600);

const GAMES: [&str; 4] = ["quixo", "sequence", "quarto", "four"];

/// Two clients that play game after game, come back whenever the server does, and note what they were promised.
pub(crate) async fn play(shared: Arc<Shared>, seed: u64) {
    let mut random = Random::new(seed);
    while !*shared.enough.borrow() {
        let game = GAMES[random.below(4) as usize];
        let Some((mut clients, table)) = seated(&shared, game).await else { continue };
        let pass = clients[0].pass.clone();
        let mut played = Played { table, pass, acknowledged: Vec::new(), open: None, began: Instant::now() };
        one_game(&shared, &mut clients, &mut played, &mut random).await;
        shared.games.lock().unwrap_or_else(PoisonError::into_inner).push(played);
    }
}

async fn seated(shared: &Shared, game: &str) -> Option<([Remote; 2], String)> {
    let address = alive(shared).await?;
    match sit_down([&address, &address], game, &format!("fischer={}+0", BASE.as_secs())).await {
        Ok(seated) => Some(seated),
        Err(Broken::Wrong(what)) => {
            shared.complain(what);
            None
        }
        // Killed while sitting down: a new table is as good.
        Err(Broken::Closed(_)) => None,
    }
}

/// Waits for a living server; nothing if it has been enough.
async fn alive(shared: &Shared) -> Option<String> {
    let mut address = shared.address.clone();
    let found = tokio::time::timeout(Duration::from_secs(60), address.wait_for(|address| !address.is_empty())).await;
    let address = found.ok()?.ok()?.clone();
    (!*shared.enough.borrow()).then_some(address)
}

async fn one_game(shared: &Shared, clients: &mut [Remote; 2], played: &mut Played, random: &mut Random) {
    for number in 0..400_u32 {
        // Both must have seen everything before somebody chooses.
        let seq = clients.iter().filter_map(|client| Some(client.follower.as_ref()?.seq)).max().unwrap_or(0);
        for client in clients.iter_mut() {
            while client.follower.as_ref().is_some_and(|follower| follower.seq < seq) {
                if !again(shared, client, None).await {
                    return;
                }
            }
        }
        if clients[0].follower.as_ref().is_none_or(|follower| follower.ended.is_some()) || *shared.enough.borrow() {
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
        let Some((at, action)) = choose(client, random) else { return };
        tokio::time::sleep(Duration::from_millis(u64::from(random.below(20)))).await;
        played.open = Some((at, action.clone()));
        let ask = (format!("a{number}"), Do::Act { action: action.clone(), at });
        if !again(shared, client, Some(ask)).await {
            return;
        }
        played.open = None;
        played.acknowledged.push((at, action));
    }
}

fn is_to_act(client: &Remote) -> bool {
    let follower = client.follower.as_ref();
    follower.is_some_and(|follower| {
        follower.seat().is_some() && follower.game.as_ref().and_then(|game| game.to_act()) == follower.seat()
    })
}

fn choose(client: &Remote, random: &mut Random) -> Option<(u32, String)> {
    let game = client.follower.as_ref()?.game.as_ref()?;
    let mut legal = game.legal();
    let action = legal.swap_remove(random.below(u32::try_from(legal.len()).ok()?) as usize);
    Some((game.log().len() as u32, action))
}

/// Asks, or hears one thing, and comes back as often as it takes; whether it came to an end.
async fn again(shared: &Shared, client: &mut Remote, ask: Option<(String, Do)>) -> bool {
    loop {
        let broken = match &ask {
            Some((id, what)) => match client.ask(id, what.clone()).await {
                Ok(Answer::Done { .. }) => return true,
                // The server is on its way out or in; the same ask will do.
                Ok(Answer::Refused(Code::Storage | Code::Stopping)) => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
                Ok(Answer::Refused(code)) => Broken::Wrong(format!("a legal action is refused: {code:?}")),
                Err(broken) => broken,
            },
            None => match client.hear().await {
                Ok(_) => return true,
                Err(broken) => broken,
            },
        };
        if let Broken::Wrong(what) = broken {
            shared.complain(what);
            return false;
        }
        // Closed: find the server again, and learn what was missed.
        loop {
            let Some(address) = alive(shared).await else { return false };
            match client.reconnect(&address).await {
                Ok(()) => break,
                Err(Broken::Wrong(what)) => {
                    shared.complain(what);
                    return false;
                }
                Err(Broken::Closed(_)) => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        }
        if ask.is_none() {
            return true;
        }
    }
}
