//! Work that any process may do: a queue where what is not done in time is handed out again.

use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{AckKind, Message};
use serde::{Deserialize, Serialize};

use super::jetstream::JetStreamQueue;
use super::memory_queue::MemoryQueue;

/// The queue.
#[derive(Clone)]
pub(crate) enum WorkQueue {
    /// Of a broker.
    JetStream(Box<JetStreamQueue>),
    /// Of a simulation.
    Memory(Arc<MemoryQueue>),
}

/// The part of a queue that a process takes jobs from.
pub(crate) enum Consumer {
    JetStream(Box<PullConsumer>),
    Memory(Arc<MemoryQueue>, Queue),
}

/// A job that this process has been handed.
pub(crate) struct Delivery {
    pub(crate) job: Job,
    receipt: Receipt,
}

enum Receipt {
    JetStream(Box<Message>),
    Memory(Arc<MemoryQueue>, u64),
}

/// A position or game to think about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Job {
    pub(crate) table: String,
    /// For a bot: how many entries the match's log has.
    #[serde(default)]
    pub(crate) at: usize,
}

/// The kinds of work, each with a queue of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Queue {
    /// Bots that are to move.
    Bots,
    /// Finished games that are to be analysed.
    Analyses,
}

/// Whether the queue took a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Offered {
    Taken,
    /// It is full, or cannot be reached.
    No,
}

/// The same job offered again within this time is the same job.
pub(super) const SAME: Duration = Duration::from_secs(30);
/// How long to wait for the queue's answer.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);
/// How long to wait for a job before asking again.
pub(super) const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// A job is handed out so often; then it is dropped.
pub(super) const MOST_DELIVERED: i64 = 4;

impl Queue {
    pub(super) fn word(self) -> &'static str {
        match self {
            Queue::Bots => "bot",
            Queue::Analyses => "analysis",
        }
    }

    /// A worker that reports no progress for so long counts as dead, and the job is handed to another.
    pub(super) fn given_up_after(self) -> Duration {
        match self {
            Queue::Bots => Duration::from_secs(3),
            Queue::Analyses => Duration::from_secs(30),
        }
    }
}

impl WorkQueue {
    /// Puts a job into the queue; the same name within a while is the same job.
    pub(crate) async fn offer(&self, kind: Queue, name: &str, job: &Job) -> Offered {
        match self {
            WorkQueue::JetStream(queue) => queue.offer(kind, name, job).await,
            WorkQueue::Memory(queue) => queue.offer(kind, name, job),
        }
    }

    /// Takes part in the queue, which is made if it is missing.
    pub(crate) async fn consumer(&self, kind: Queue) -> Option<Consumer> {
        match self {
            WorkQueue::JetStream(queue) => {
                queue.consumer(kind).await.map(|consumer| Consumer::JetStream(Box::new(consumer)))
            }
            WorkQueue::Memory(queue) => (!queue.is_out()).then(|| Consumer::Memory(queue.clone(), kind)),
        }
    }
}

impl Consumer {
    /// The next job; nothing if there was none for a while, and an error if the queue is gone.
    pub(crate) async fn next(&self) -> Result<Option<Delivery>, ()> {
        match self {
            Consumer::JetStream(consumer) => {
                let next = JetStreamQueue::next(consumer).await?;
                Ok(next.map(|(job, message)| Delivery { job, receipt: Receipt::JetStream(Box::new(message)) }))
            }
            Consumer::Memory(queue, kind) => {
                let next = queue.next(*kind).await?;
                Ok(next.map(|(number, job)| Delivery { job, receipt: Receipt::Memory(queue.clone(), number) }))
            }
        }
    }
}

impl Delivery {
    /// How many more jobs wait.
    pub(crate) fn pending(&self) -> usize {
        match &self.receipt {
            Receipt::JetStream(message) => message.info().map_or(0, |info| info.pending as usize),
            Receipt::Memory(queue, _) => queue.len(),
        }
    }

    /// Says that the job is still being done.
    pub(crate) async fn progress(&self) {
        match &self.receipt {
            Receipt::JetStream(message) => drop(message.ack_with(AckKind::Progress).await),
            Receipt::Memory(queue, number) => queue.progress(*number),
        }
    }

    /// Says that the job is done.
    pub(crate) async fn done(&self) {
        match &self.receipt {
            Receipt::JetStream(message) => drop(message.ack().await),
            Receipt::Memory(queue, number) => queue.done(*number),
        }
    }
}
