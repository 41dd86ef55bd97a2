use std::sync::Arc;
use std::time::{Duration, Instant};

use client::{Answer, Connection, ConnectionError, Credential, sit_down};
use protocol::{Command, Refusal, TableSpec};
use rules::Seat;
use search::Random;

use super::{Shared, lock};
use crate::player::{is_to_act, log_length, random_action, random_game};
use crate::program::Promise;

/// One request of so many has its connection cut before the acknowledgement.
const CUT: u32 = 25;
/// A game of random moves is broken off after so many.
const LONGEST: usize = 120;

/// One game after another at one table after another, whatever happens to the servers.
pub(super) async fn play(shared: Arc<Shared>, number: usize, seed: u64) {
    let mut random = Random::new(seed);
    while !*shared.stop.borrow() {
        match seated(&shared, number, &mut random).await {
            Ok((mut people, table)) => match game(&shared, number, &mut people, &table, &mut random).await {
                Ok(()) | Err(ConnectionError::Closed(_)) => {}
                Err(wrong) => shared.complain(format!("table {table}: {wrong}")),
            },
            // A server died while a player sat down: another table is as good.
            Err(ConnectionError::Closed(_)) => tokio::time::sleep(Duration::from_millis(50)).await,
            Err(wrong) => shared.complain(wrong.to_string()),
        }
    }
}

/// Any node that runs.
fn node(shared: &Shared, random: &mut Random) -> Result<String, ConnectionError> {
    let living: Vec<String> = lock(&shared.nodes).iter().filter(|address| !address.is_empty()).cloned().collect();
    let none = || ConnectionError::Closed("no node runs".to_owned());
    let count = u32::try_from(living.len()).ok().filter(|count| *count > 0).ok_or_else(none)?;
    living.into_iter().nth(random.below(count) as usize).ok_or_else(none)
}

async fn seated(
    shared: &Shared,
    number: usize,
    random: &mut Random,
) -> Result<(Vec<Connection>, String), ConnectionError> {
    let game = random_game(random);
    let (one, two) = (node(shared, random)?, node(shared, random)?);
    if number % 4 != 3 {
        let (people, table) = sit_down([&one, &two], game, &shared.clock).await?;
        return Ok((people.into(), table));
    }
    let mut person = Connection::connect(&one, Credential::New).await?;
    let (seat, bots) = (Some(Seat::ONE), vec![None, Some(1)]);
    let spec = TableSpec { clock: shared.clock.clone(), seat, bots, ..TableSpec::new(game) };
    match person.ask("create", Command::Create(spec)).await? {
        Answer::Done { table: Some(table), .. } => Ok((vec![person], table)),
        Answer::Done { table: None, .. } => Err(ConnectionError::Wrong("no table is named".to_owned())),
        Answer::Refused(code) => Err(ConnectionError::Closed(format!("{code:?}"))),
    }
}

async fn game(
    shared: &Shared,
    number: usize,
    people: &mut [Connection],
    table: &str,
    random: &mut Random,
) -> Result<(), ConnectionError> {
    let mut asked = 0_u32;
    while !*shared.stop.borrow() {
        if people[0].follower.as_ref().is_none_or(|follower| follower.ended.is_some()) {
            return Ok(());
        }
        let Some(who) = people.iter().position(is_to_act) else {
            // A bot, or something that is still on its way.
            receive(shared, people, random).await?;
            continue;
        };
        let Some((at, what)) = choose(&people[who], random) else { return Ok(()) };
        tokio::time::sleep(Duration::from_millis(u64::from(random.below(60)))).await;
        asked += 1;
        let ask = format!("a{asked}");
        if !insist(shared, &mut people[who], &ask, &what, random).await? {
            return Ok(());
        }
        lock(&shared.progress)[number] = Instant::now();
        if let Command::Act { action, .. } = what {
            let (table, person) = (table.to_owned(), people[who].me.id.clone());
            lock(&shared.promises).push(Promise { table, person, request: ask, action, at });
        }
        // The others receive it before they act.
        let seq = people[who].follower.as_ref().map_or(0, |follower| follower.seq);
        while people.iter().any(|other| other.follower.as_ref().is_none_or(|follower| follower.seq < seq)) {
            receive(shared, people, random).await?;
            if *shared.stop.borrow() {
                return Ok(());
            }
        }
    }
    Ok(())
}

fn choose(person: &Connection, random: &mut Random) -> Option<(u32, Command)> {
    let length = log_length(person);
    let at = length as u32;
    if length > LONGEST {
        return Some((at, Command::Resign {}));
    }
    Some((at, Command::Act { action: random_action(person, random)?, at }))
}

/// Reads the messages that have arrived for each player, for a moment; a client that was cut off connects again.
async fn receive(shared: &Shared, people: &mut [Connection], random: &mut Random) -> Result<(), ConnectionError> {
    for person in people.iter_mut() {
        match tokio::time::timeout(Duration::from_millis(20), person.receive()).await {
            Ok(Err(ConnectionError::Closed(_))) => come_back(shared, person, random).await?,
            Ok(Err(wrong)) => return Err(wrong),
            Ok(Ok(_)) | Err(_) => {}
        }
    }
    Ok(())
}

/// Repeats a request at any node until it is acknowledged; false if the players were to stop before that.
async fn insist(
    shared: &Shared,
    person: &mut Connection,
    id: &str,
    what: &Command,
    random: &mut Random,
) -> Result<bool, ConnectionError> {
    while !*shared.stop.borrow() {
        if random.below(CUT) == 0 {
            // Sent, and gone before the answer.
            if person.send(id, what.clone()).await.is_ok() {
                *lock(&shared.cuts) += 1;
            }
            tokio::time::sleep(Duration::from_millis(u64::from(random.below(4)))).await;
            come_back(shared, person, random).await?;
            continue;
        }
        let answer = tokio::time::timeout(Duration::from_secs(5), person.ask(id, what.clone())).await;
        match answer {
            Ok(Ok(Answer::Done { .. })) => return Ok(true),
            Ok(Ok(Answer::Refused(Refusal::Storage | Refusal::Stopping | Refusal::TooFast))) => {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            Ok(Ok(Answer::Refused(code))) => {
                return Err(ConnectionError::Wrong(format!("a legal action is refused: {code:?}")));
            }
            Ok(Err(ConnectionError::Closed(_))) | Err(_) => come_back(shared, person, random).await?,
            Ok(Err(wrong)) => return Err(wrong),
        }
    }
    Ok(false)
}

/// Connects anew, to any node, and learns what was missed.
async fn come_back(shared: &Shared, person: &mut Connection, random: &mut Random) -> Result<(), ConnectionError> {
    while !*shared.stop.borrow() {
        if let Ok(address) = node(shared, random) {
            let back = tokio::time::timeout(Duration::from_secs(5), person.reconnect(&address)).await;
            match back {
                Ok(Ok(())) => return Ok(()),
                Ok(Err(ConnectionError::Closed(_))) | Err(_) => {}
                Ok(Err(wrong)) => return Err(wrong),
            }
        }
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    Err(ConnectionError::Closed("the players are to stop".to_owned()))
}
