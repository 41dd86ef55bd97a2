use std::error::Error as _;
use std::pin::Pin;
use std::time::Duration;

use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerAddr, Subscriber};
use axum::body::Bytes;
use futures_util::StreamExt;
use tokio::sync::mpsc;

use super::jetstream::JetStreamQueue;
use super::{BusError, Inbox, MOST_WAITING, Transport, WorkQueue};
use crate::config::BusAddress;
use crate::runtime;

/// A connection to a NATS broker.
pub(super) struct Nats {
    client: Client,
    prefix: String,
    out: mpsc::Sender<(String, Bytes)>,
    work: WorkQueue,
}

/// How many messages may wait for the broker; later ones are dropped, and other nodes find the entries in the log.
const WAITING: usize = 8192;
/// How long a broker may take to answer at the start.
const PATIENCE: Duration = Duration::from_secs(5);

impl Nats {
    pub(super) async fn connect(
        address: &BusAddress,
        prefix: &str,
        cluster: &str,
        node: &str,
    ) -> Result<Nats, BusError> {
        let options = ConnectOptions::new()
            .name(format!("fourfold {node}"))
            .connection_timeout(PATIENCE)
            .request_timeout(Some(PATIENCE))
            .ping_interval(Duration::from_secs(2))
            .subscription_capacity(MOST_WAITING)
            .reconnect_delay_callback(|attempt| Duration::from_millis(50 * attempt.min(10) as u64))
            .event_callback(|event| async move { note(&event) });
        let address: ServerAddr =
            address.secret().parse().map_err(|_| BusError::Unreachable("no such address".to_owned()))?;
        // The client leaves the name and password in an address alone.
        let options = match (address.username(), address.password()) {
            (Some(name), Some(password)) => options.user_and_password(name.to_owned(), password.to_owned()),
            _ => options,
        };
        let client = options.connect(address).await.map_err(|error| match error.kind() {
            ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => BusError::Refused,
            _ => BusError::Unreachable(error.source().map_or_else(|| error.to_string(), ToString::to_string)),
        })?;
        let work = WorkQueue::JetStream(Box::new(JetStreamQueue::open(client.clone(), prefix, cluster).await?));
        let (out, waiting) = mpsc::channel(WAITING);
        runtime::spawn(send_all(client.clone(), waiting));
        Ok(Nats { client, prefix: prefix.to_owned(), out, work })
    }
}

impl Transport for Nats {
    fn send(&self, subject: &str, bytes: Bytes) {
        if self.out.try_send((format!("{}.{subject}", self.prefix), bytes)).is_err() {
            metrics::counter!("fourfold_bus_dropped_total").increment(1);
        }
    }

    fn subscribe(&self, subject: &str) -> Box<dyn Inbox> {
        let subject = format!("{}.{subject}", self.prefix);
        Box::new(NatsInbox { client: self.client.clone(), subject, open: None })
    }

    fn work(&self) -> Option<&WorkQueue> {
        Some(&self.work)
    }
}

/// Sends one message after another, so that no task has to wait for the broker.
async fn send_all(client: Client, mut waiting: mpsc::Receiver<(String, Bytes)>) {
    while let Some((subject, bytes)) = waiting.recv().await {
        metrics::gauge!("fourfold_bus_queue").set(waiting.len() as f64);
        if client.publish(subject, bytes).await.is_err() {
            metrics::counter!("fourfold_bus_dropped_total").increment(1);
        }
    }
}

fn note(event: &Event) {
    match event {
        Event::Connected => tracing::info!("connected to the broker"),
        Event::Disconnected => tracing::warn!("the broker is lost; nodes read the logs until it is back"),
        Event::SlowConsumer(_) => metrics::counter!("fourfold_bus_dropped_total").increment(1),
        other => tracing::debug!(%other, "the broker"),
    }
}

/// A subscription, which begins with the first message that is waited for.
struct NatsInbox {
    client: Client,
    subject: String,
    open: Option<Subscriber>,
}

impl Inbox for NatsInbox {
    fn next(&mut self) -> Pin<Box<dyn Future<Output = Option<Bytes>> + Send + '_>> {
        Box::pin(async {
            if self.open.is_none() {
                self.open = Some(self.client.subscribe(self.subject.clone()).await.ok()?);
            }
            Some(self.open.as_mut()?.next().await?.payload)
        })
    }
}
