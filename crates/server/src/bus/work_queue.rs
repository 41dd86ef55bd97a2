//! Work that any process may do: a queue of JetStream, where what is not done in time is handed out again.

use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::{ContextBuilder, CreateStreamErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType};
use async_nats::jetstream::{Context, Message};
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};

use super::BusError;
use crate::runtime;

/// The queue.
#[derive(Clone)]
pub(crate) struct WorkQueue {
    jetstream: Context,
    prefix: String,
    cluster: String,
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

/// So many jobs may wait.
const MOST: i64 = 20_000;
/// A job this old is of no use any more.
const OLDEST: Duration = Duration::from_secs(600);
/// The same job offered again within this time is the same job.
const SAME: Duration = Duration::from_secs(30);
/// How long to wait for the queue's answer.
const PATIENCE: Duration = Duration::from_secs(2);

impl Queue {
    fn word(self) -> &'static str {
        match self {
            Queue::Bots => "bot",
            Queue::Analyses => "analysis",
        }
    }

    /// A worker that says nothing for so long is dead, and the job is handed to another.
    fn given_up_after(self) -> Duration {
        match self {
            Queue::Bots => Duration::from_secs(3),
            Queue::Analyses => Duration::from_secs(30),
        }
    }
}

impl WorkQueue {
    pub(super) async fn open(client: Client, prefix: &str, cluster: &str) -> Result<WorkQueue, BusError> {
        let jetstream = ContextBuilder::new().timeout(PATIENCE).ack_timeout(PATIENCE).build(client);
        let work = WorkQueue { jetstream, prefix: prefix.to_owned(), cluster: cluster.to_owned() };
        work.ensure().await?;
        Ok(work)
    }

    /// Makes the stream if it is missing; one that belongs to another database is not ours to use.
    async fn ensure(&self) -> Result<(), BusError> {
        let description = format!("fourfold cluster {}", self.cluster);
        let config = Config {
            name: format!("{}_work", self.prefix),
            subjects: vec![format!("{}.work.*", self.prefix)],
            retention: RetentionPolicy::WorkQueue,
            discard: DiscardPolicy::New,
            max_messages: MOST,
            max_age: OLDEST,
            duplicate_window: SAME,
            storage: StorageType::File,
            description: Some(description.clone()),
            ..Config::default()
        };
        let stream = self.jetstream.get_or_create_stream(config).await.map_err(|error| match error.kind() {
            CreateStreamErrorKind::JetStreamUnavailable => BusError::NoJetStream,
            CreateStreamErrorKind::JetStream(problem) if problem.code() == 503 => BusError::NoJetStream,
            _ => BusError::Unreachable(error.to_string()),
        })?;
        match &stream.cached_info().config.description {
            Some(other) if *other != description => Err(BusError::OtherCluster),
            _ => Ok(()),
        }
    }

    /// Puts a job into the queue; the same name within a while is the same job.
    pub(crate) async fn offer(&self, kind: Queue, name: &str, job: &Job) -> Offered {
        let message = PublishMessage::build()
            .message_id(format!("{}:{name}", kind.word()))
            .payload(serde_json::to_vec(job).unwrap_or_default().into());
        let subject = format!("{}.work.{}", self.prefix, kind.word());
        let sent = async { self.jetstream.send_publish(subject, message).await.ok()?.await.ok() };
        match runtime::timeout(PATIENCE, sent).await {
            Ok(Some(_)) => Offered::Taken,
            _ => Offered::No,
        }
    }

    /// Takes part in the queue, which is made if it is missing.
    pub(crate) async fn consumer(&self, kind: Queue) -> Option<PullConsumer> {
        self.ensure().await.ok()?;
        let stream = self.jetstream.get_stream(format!("{}_work", self.prefix)).await.ok()?;
        let config = pull::Config {
            durable_name: Some(kind.word().to_owned()),
            filter_subject: format!("{}.work.{}", self.prefix, kind.word()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: kind.given_up_after(),
            max_deliver: 4,
            ..pull::Config::default()
        };
        stream.get_or_create_consumer(kind.word(), config).await.ok()
    }

    /// The next job; nothing if there was none for a while, and an error if the queue is gone.
    pub(crate) async fn next(consumer: &PullConsumer) -> Result<Option<(Job, Message)>, ()> {
        let batch = consumer.batch().max_messages(1).expires(Duration::from_secs(5)).messages();
        let mut batch = runtime::timeout(PATIENCE, batch).await.map_err(drop)?.map_err(drop)?;
        let waited = runtime::timeout(Duration::from_secs(7), batch.next()).await.map_err(drop)?;
        let Some(message) = waited else { return Ok(None) };
        let message = message.map_err(drop)?;
        match serde_json::from_slice(&message.payload) {
            Ok(job) => Ok(Some((job, message))),
            Err(_) => {
                // It is from another version, and this one cannot do it.
                let _ = message.ack().await;
                Ok(None)
            }
        }
    }
}
