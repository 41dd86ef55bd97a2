//! The queue of JetStream.

use async_nats::Client;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::{ContextBuilder, CreateStreamErrorKind};
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType};
use async_nats::jetstream::{Context, Message};
use futures_util::StreamExt;

use super::BusError;
use super::work_queue::{Job, LONGEST_WAIT, MOST_DELIVERED, Offered, PATIENCE, Queue, SAME};
use crate::runtime;

/// So many jobs may wait.
const MOST: i64 = 20_000;
/// A job this old is of no use any more.
const OLDEST: std::time::Duration = std::time::Duration::from_secs(600);

/// A stream of JetStream with the jobs of all processes.
#[derive(Clone)]
pub(crate) struct JetStreamQueue {
    jetstream: Context,
    prefix: String,
    cluster: String,
}

impl JetStreamQueue {
    pub(super) async fn open(client: Client, prefix: &str, cluster: &str) -> Result<JetStreamQueue, BusError> {
        let jetstream = ContextBuilder::new().timeout(PATIENCE).ack_timeout(PATIENCE).build(client);
        let work = JetStreamQueue { jetstream, prefix: prefix.to_owned(), cluster: cluster.to_owned() };
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
    pub(super) async fn offer(&self, kind: Queue, name: &str, job: &Job) -> Offered {
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
    pub(super) async fn consumer(&self, kind: Queue) -> Option<PullConsumer> {
        self.ensure().await.ok()?;
        let stream = self.jetstream.get_stream(format!("{}_work", self.prefix)).await.ok()?;
        let config = pull::Config {
            durable_name: Some(kind.word().to_owned()),
            filter_subject: format!("{}.work.{}", self.prefix, kind.word()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: kind.given_up_after(),
            max_deliver: MOST_DELIVERED,
            ..pull::Config::default()
        };
        stream.get_or_create_consumer(kind.word(), config).await.ok()
    }

    /// The next job; nothing if there was none for a while, and an error if the queue is gone.
    pub(super) async fn next(consumer: &PullConsumer) -> Result<Option<(Job, Message)>, ()> {
        let batch = consumer.batch().max_messages(1).expires(LONGEST_WAIT).messages();
        let mut batch = runtime::timeout(PATIENCE, batch).await.map_err(drop)?.map_err(drop)?;
        let waited = runtime::timeout(LONGEST_WAIT + PATIENCE, batch.next()).await.map_err(drop)?;
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
