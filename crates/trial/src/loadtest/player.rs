use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use client::{Answer, Connection, ConnectionError, Credential, sit_down};
use protocol::{Command, GameResult, Offer};
use search::Random;
use session::Follower;
use tokio::sync::Semaphore;

use super::numbers::Numbers;
use crate::player::{is_to_act, log_length, random_action};

/// The settings and measurements that all tables share.
pub(super) struct Plan {
    /// The nodes; the two of a table are at neighbouring ones.
    pub(super) servers: Vec<String>,
    pub(super) clock: String,
    /// The mean time between two actions at a table.
    pub(super) think: Duration,
    pub(super) numbers: Numbers,
    /// How many may connect and sit down at the same time.
    pub(super) seats: Semaphore,
    /// Becomes true when the players are to stop and report what they saw.
    pub(super) stop: tokio::sync::watch::Receiver<bool>,
    /// What each client saw of the last table it was at.
    pub(super) seen: Mutex<Vec<Seen>>,
}

/// What a client saw of a table, to be compared with its log.
pub(super) struct Seen {
    pub(super) credential: Credential,
    pub(super) follower: Follower,
}

/// The last action at a table: how long the log was before it, and when it was sent.
type Sent = Arc<Mutex<Option<(usize, Instant)>>>;

/// A game of random moves is broken off after so many.
const LONGEST: usize = 150;

/// How often a table that is refused is asked for again.
const PATIENCE: u32 = 100;

/// Two clients at a table, who play one game after another until they are stopped.
pub(super) async fn table(plan: Arc<Plan>, number: usize, game: String, seed: u64) {
    let turn = plan.seats.acquire().await;
    let node = |number: usize| plan.servers[number % plan.servers.len()].as_str();
    let mut refused = 0;
    let seated = loop {
        match sit_down([node(number), node(number + 1)], &game, &plan.clock).await {
            // A server whose disk stands still takes no new tables for a moment; that is as it should be.
            Err(ConnectionError::Closed(_)) if refused < PATIENCE => refused += 1,
            seated => break seated,
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    };
    drop(turn);
    match seated {
        Ok(([one, two], _)) => {
            plan.numbers.sit();
            let sent = Sent::default();
            tokio::join!(watched(&plan, one, seed, &sent), watched(&plan, two, seed ^ 0x5555, &sent));
        }
        Err(broken) => plan.numbers.problem(broken.to_string()),
    }
}

async fn watched(plan: &Plan, mut client: Connection, seed: u64, sent: &Sent) {
    let mut stop = plan.stop.clone();
    let broken = tokio::select! {
        played = play(plan, &mut client, seed, sent) => played.err(),
        _ = stop.wait_for(|stop| *stop) => None,
    };
    if let Some(broken) = broken {
        plan.numbers.problem(broken.to_string());
    }
    if let Some(follower) = client.follower.take() {
        let seen = Seen { credential: client.credential.clone(), follower };
        plan.seen.lock().unwrap_or_else(PoisonError::into_inner).push(seen);
    }
}

async fn play(plan: &Plan, client: &mut Connection, seed: u64, sent: &Sent) -> Result<(), ConnectionError> {
    let mut random = Random::new(seed);
    let mut asked = 0_u32;
    loop {
        let Some(follower) = &client.follower else { return Err(ConnectionError::Wrong("no table".to_owned())) };
        let seen = follower.seq;
        if let Some(next) = follower.again.clone() {
            client.ask(&format!("w{asked}"), Command::Watch { table: next, seen: 0 }).await?;
        } else if follower.ended.is_some() {
            check_end(client)?;
            asked += 1;
            // The second of the two agrees by proposing the same.
            client.ask(&format!("r{asked}"), Command::Propose { offer: Offer::Rematch }).await?;
            while client.follower.as_ref().is_some_and(|follower| follower.again.is_none()) {
                client.receive().await?;
            }
        } else if let Some(what) = choose(client, &mut random) {
            let factor = 0.5 + f64::from(random.below(1000)) / 1000.0;
            tokio::time::sleep(plan.think.mul_f64(factor)).await;
            asked += 1;
            let began = Instant::now();
            *sent.lock().unwrap_or_else(PoisonError::into_inner) = Some((log_length(client), began));
            match client.ask(&format!("a{asked}"), what).await? {
                Answer::Done { .. } => plan.numbers.acknowledged(began.elapsed()),
                Answer::Refused(code) => {
                    return Err(ConnectionError::Wrong(format!("a legal action is refused: {code:?}")));
                }
            }
        } else {
            client.receive().await?;
            let mut sent = sent.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((_, began)) = sent.take_if(|(before, _)| log_length(client) > *before) {
                plan.numbers.shown(began.elapsed());
            }
        }
        let now = client.follower.as_ref().map_or(0, |follower| follower.seq);
        plan.numbers.checked(now.saturating_sub(seen));
    }
}

/// What is wrong with what a client saw, beside what another node, which reads the log, tells the same person.
pub(super) async fn compare(seen: &Seen, server: &str) -> Option<String> {
    let table = &seen.follower.table.id;
    let told = async {
        let mut remote = Connection::connect(server, seen.credential.clone()).await?;
        remote.ask("look", Command::Watch { table: table.clone(), seen: 0 }).await?;
        Ok::<_, ConnectionError>(remote.follower)
    };
    let told = match told.await {
        Ok(Some(told)) => told,
        Ok(None) => return Some(format!("table {table}: nothing is told of it")),
        Err(broken) => return Some(format!("table {table}: {broken}")),
    };
    let log = |follower: &Follower| -> Vec<String> {
        let game = follower.game.as_ref();
        game.map_or_else(Vec::new, |game| game.log().iter().map(|entry| format!("{entry:?}")).collect())
    };
    let (saw, is) = (log(&seen.follower), log(&told));
    // Cards that were hidden are shown at the end, so a log that has ended since may name what was a question mark.
    let same = told.ended != seen.follower.ended || is.starts_with(&saw);
    (!same || told.seq < seen.follower.seq).then(|| format!("table {table}: a client saw what is not in the log"))
}

/// The command of a client whose turn it is.
fn choose(client: &Connection, random: &mut Random) -> Option<Command> {
    if !is_to_act(client) {
        return None;
    }
    match log_length(client) {
        length if length > LONGEST => Some(Command::Resign {}),
        length => Some(Command::Act { action: random_action(client, random)?, at: length as u32 }),
    }
}

/// Checks that the end that the server reported is the one that the rules give.
fn check_end(client: &Connection) -> Result<(), ConnectionError> {
    let follower = client.follower.as_ref();
    let told = follower.and_then(|follower| follower.ended);
    let game = follower.and_then(|follower| follower.game.as_ref());
    let found = game.and_then(|game| game.ending());
    let found = found.map(|ending| (GameResult::from(ending.outcome), session::end_cause(ending.cause)));
    if told == found {
        Ok(())
    } else {
        Err(ConnectionError::Wrong(format!("told {told:?}, but the rules say {found:?}")))
    }
}
