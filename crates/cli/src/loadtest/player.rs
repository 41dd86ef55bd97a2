use std::sync::Arc;
use std::time::{Duration, Instant};

use protocol::{Do, Offer};
use search::Random;
use table::result_word;
use tokio::sync::Semaphore;

use super::numbers::Numbers;
use crate::remote::{Answer, Broken, Remote, sit_down};

/// What all tables have in common.
pub(super) struct Plan {
    pub(super) server: String,
    pub(super) clock: String,
    /// The mean time between two actions at a table.
    pub(super) think: Duration,
    pub(super) numbers: Numbers,
    /// How many may connect and sit down at the same time.
    pub(super) seats: Semaphore,
}

/// A game of random moves is broken off after so many.
const LONGEST: usize = 150;

/// Two clients at a table, who play one game after another until they are stopped.
pub(super) async fn table(plan: Arc<Plan>, game: String, seed: u64) {
    let turn = plan.seats.acquire().await;
    let seated = sit_down([&plan.server, &plan.server], &game, &plan.clock).await;
    drop(turn);
    match seated {
        Ok(([one, two], _)) => {
            plan.numbers.sit();
            let other = tokio::spawn(watched(plan.clone(), two, seed ^ 0x5555));
            watched(plan, one, seed).await;
            other.abort();
        }
        Err(broken) => plan.numbers.wrong(broken.to_string()),
    }
}

async fn watched(plan: Arc<Plan>, mut client: Remote, seed: u64) {
    if let Err(broken) = play(&plan, &mut client, seed).await {
        plan.numbers.wrong(broken.to_string());
    }
}

async fn play(plan: &Plan, client: &mut Remote, seed: u64) -> Result<(), Broken> {
    let mut random = Random::new(seed);
    let mut asked = 0_u32;
    loop {
        let Some(follower) = &client.follower else { return Err(Broken::Wrong("no table".to_owned())) };
        let seen = follower.seq;
        if let Some(next) = follower.again.clone() {
            client.ask(&format!("w{asked}"), Do::Watch { table: next, seen: 0 }).await?;
        } else if follower.ended.is_some() {
            check_end(client)?;
            asked += 1;
            // Whoever is second agrees by proposing the same.
            let answer = client.ask(&format!("r{asked}"), Do::Propose(Offer::Rematch)).await?;
            while client.follower.as_ref().is_some_and(|follower| follower.again.is_none()) {
                client.hear().await?;
            }
            let _ = answer;
        } else if let Some(what) = choose(client, &mut random) {
            let factor = 0.5 + f64::from(random.below(1000)) / 1000.0;
            tokio::time::sleep(plan.think.mul_f64(factor)).await;
            asked += 1;
            let began = Instant::now();
            match client.ask(&format!("a{asked}"), what).await? {
                Answer::Done { .. } => plan.numbers.acknowledged(began.elapsed()),
                Answer::Refused(code) => return Err(Broken::Wrong(format!("a legal action is refused: {code:?}"))),
            }
        } else {
            client.hear().await?;
        }
        let now = client.follower.as_ref().map_or(0, |follower| follower.seq);
        plan.numbers.checked(now.saturating_sub(seen));
    }
}

/// What to do, if it is this client's turn.
fn choose(client: &Remote, random: &mut Random) -> Option<Do> {
    let follower = client.follower.as_ref()?;
    let game = follower.game.as_ref()?;
    if game.to_act()? != follower.seat()? {
        return None;
    }
    if game.log().len() > LONGEST {
        return Some(Do::Resign);
    }
    let mut legal = game.legal();
    let action = legal.swap_remove(random.below(u32::try_from(legal.len()).ok()?) as usize);
    Some(Do::Act { action, at: game.log().len() as u32 })
}

/// The server's word about the end is what the rules say about it.
fn check_end(client: &Remote) -> Result<(), Broken> {
    let follower = client.follower.as_ref();
    let told = follower.and_then(|follower| follower.ended.clone());
    let game = follower.and_then(|follower| follower.game.as_ref());
    let found = game.and_then(|game| game.ending());
    let found = found.map(|ending| (result_word(ending.outcome), ending.cause.to_string()));
    if told == found { Ok(()) } else { Err(Broken::Wrong(format!("told {told:?}, but the rules say {found:?}"))) }
}
