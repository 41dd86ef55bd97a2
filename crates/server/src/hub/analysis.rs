//! Finished games, looked at move by move: a queue for all nodes and workers, or one game at a time in this process.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use game::Match;
use search::{Judgement, Knowledge, Limits, Step, review};
use serde::Serialize;

use super::Hub;
use crate::bus::{Job, Offered, Queue, WorkQueue};
use crate::runtime::{self, Instant};
use crate::tables::{Refusal, Stage};

/// What each position gets, and what a game gets at most: others wait for it, and a game can have thousands of positions.
const TIME: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(20);
/// What its tables may take.
const MEMORY: usize = 32 << 20;
/// So many games may wait in a process without a broker.
const MOST: usize = 32;
/// How often a worker reports to the queue that it still works on a job.
const PROGRESS: Duration = Duration::from_secs(5);

/// Games that wait to be analysed in this process.
#[derive(Default)]
pub(super) struct Analyses {
    waiting: Mutex<Vec<String>>,
    one_at_a_time: tokio::sync::Mutex<()>,
}

impl Analyses {
    fn waiting(&self) -> MutexGuard<'_, Vec<String>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An action that gave something away.
#[derive(Serialize)]
struct Found {
    /// Its place in the match's log.
    entry: usize,
    seat: u8,
    action: String,
    /// What it gave away: `win_to_draw` and so on.
    mistake: &'static str,
    /// What would have been better, and how it goes on.
    better: Vec<String>,
}

impl Hub {
    /// What was found out about a finished game; nothing while it is still being looked at.
    pub(crate) async fn analysis(self: &Arc<Self>, id: &str) -> Result<Option<String>, Refusal> {
        let open = self.open_table(id).await?;
        match open.state.lock().await.table.stage() {
            Stage::Waiting => return Err(Refusal::NotBegun),
            // What a game's players may not ask a program while it goes on.
            Stage::Playing => return Err(Refusal::Forbidden),
            Stage::Over => {}
        }
        if let Some(found) = self.store.analysis(id).await.map_err(super::storage)? {
            return Ok(Some(found));
        }
        let job = Job { table: id.to_owned(), at: 0 };
        match self.bus.work() {
            Some(work) => match work.offer(Queue::Analyses, id, &job).await {
                Offered::Taken => Ok(None),
                Offered::No => Err(Refusal::Full),
            },
            None => self.analyse_here(job).map(|()| None),
        }
    }

    fn analyse_here(self: &Arc<Self>, job: Job) -> Result<(), Refusal> {
        let mut waiting = self.analyses.waiting();
        if waiting.contains(&job.table) {
            return Ok(());
        }
        if waiting.len() >= MOST {
            return Err(Refusal::Full);
        }
        waiting.push(job.table.clone());
        metrics::gauge!("fourfold_analysis_queue").set(waiting.len() as f64);
        let hub = self.clone();
        runtime::spawn(async move {
            let _turn = hub.analyses.one_at_a_time.lock().await;
            hub.analyse(&job).await;
            let mut waiting = hub.analyses.waiting();
            waiting.retain(|id| *id != job.table);
            metrics::gauge!("fourfold_analysis_queue").set(waiting.len() as f64);
        });
        Ok(())
    }

    /// Looks at a game and keeps what is found.
    async fn analyse(self: &Arc<Self>, job: &Job) {
        let Ok(open) = self.open_table(&job.table).await else { return };
        let play = {
            let mut state = open.state.lock().await;
            if state.table.ending().is_none() && self.bus.is_shared() {
                let _ = self.read_tail(&open, &mut state).await;
            }
            state.table.play().filter(|play| play.ending().is_some()).cloned()
        };
        let Some(play) = play else { return };
        let knowledge = self.config.knowledge.clone();
        let found = runtime::blocking(move || protocol::write(&mistakes(&play, &knowledge))).await;
        if let Some(found) = found {
            let _ = self.store.keep_analysis(&job.table, &found, self.heartbeat.wall()).await;
        }
    }
}

/// Takes games from the queue of all nodes, one at a time.
pub(super) async fn take_jobs(hub: Weak<Hub>, work: WorkQueue) {
    while hub.strong_count() > 0 {
        let Some(consumer) = work.consumer(Queue::Analyses).await else {
            runtime::sleep(Duration::from_secs(1)).await;
            continue;
        };
        while let Ok(next) = consumer.next().await {
            let Some(hub) = hub.upgrade() else { return };
            let Some(delivery) = next else { continue };
            metrics::gauge!("fourfold_analysis_queue").set(delivery.pending() as f64);
            let mut looking = std::pin::pin!(hub.analyse(&delivery.job));
            while runtime::timeout(PROGRESS, &mut looking).await.is_err() {
                delivery.progress().await;
            }
            delivery.done().await;
        }
        runtime::sleep(Duration::from_millis(200)).await;
    }
}

fn mistakes(play: &Match, knowledge: &Knowledge) -> Vec<Found> {
    let positions = play.positions();
    let mut bot = play.settings().game.bot_with(knowledge);
    let time = time_for(positions.len());
    let review = review(play.review_steps(), |step| {
        let began = Instant::now();
        let now = || began.elapsed();
        bot.analyse(&positions[..=step.ply], &Limits::until(&now, time).with_seed(1).with_memory(MEMORY))
    });
    let found = |judgement: &Judgement<String>| {
        let Step { entry, seat, action, .. } = judgement.step.clone();
        let mistake = judgement.mistake?.name();
        Some(Found { entry, seat: seat.number(), action, mistake, better: judgement.better.clone() })
    };
    review.mistakes().filter_map(found).collect()
}

/// How long each of so many positions is looked at.
fn time_for(positions: usize) -> Duration {
    TIME.min(LONGEST / u32::try_from(positions).unwrap_or(u32::MAX).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_game_does_not_hold_up_the_others() {
        assert_eq!(time_for(60), TIME);
        for positions in [500, 5_000, 50_000] {
            let whole = time_for(positions) * positions as u32;
            assert!(whole <= LONGEST && whole > LONGEST / 2, "{whole:?}");
        }
    }
}
