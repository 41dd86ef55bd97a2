use std::collections::VecDeque;
use std::error::Error as _;
use std::time::Duration;

use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerAddr, Subscriber};
use axum::body::Bytes;
use futures_util::StreamExt;
use tokio::sync::mpsc;

use super::{BusError, BusPlace, Work};

/// A connection to a NATS broker.
pub(super) struct Nats {
    client: Client,
    prefix: String,
    out: mpsc::Sender<(String, Bytes)>,
    work: Work,
}

/// How many words may wait for the broker; what comes later is dropped, and found in the log.
const WAITING: usize = 8192;
/// How many words about one table may wait for this node.
const UNHEARD: usize = 256;
/// How long a broker may take to answer at the start.
const PATIENCE: Duration = Duration::from_secs(5);

impl Nats {
    pub(super) async fn connect(place: &BusPlace, cluster: &str, node: &str) -> Result<Nats, BusError> {
        let options = ConnectOptions::new()
            .name(format!("fourfold {node}"))
            .connection_timeout(PATIENCE)
            .request_timeout(Some(PATIENCE))
            .ping_interval(Duration::from_secs(2))
            .subscription_capacity(UNHEARD)
            .reconnect_delay_callback(|attempt| Duration::from_millis(50 * attempt.min(10) as u64))
            .event_callback(|event| async move { note(&event) });
        let address: ServerAddr =
            place.address.parse().map_err(|_| BusError::Unreachable("no such address".to_owned()))?;
        // The client leaves the name and password in an address alone.
        let options = match (address.username(), address.password()) {
            (Some(name), Some(password)) => options.user_and_password(name.to_owned(), password.to_owned()),
            _ => options,
        };
        let client = options.connect(address).await.map_err(|error| match error.kind() {
            ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => BusError::Refused,
            _ => BusError::Unreachable(error.source().map_or_else(|| error.to_string(), ToString::to_string)),
        })?;
        let work = Work::open(client.clone(), &place.prefix, cluster).await?;
        let (out, waiting) = mpsc::channel(WAITING);
        tokio::spawn(speak(client.clone(), waiting));
        Ok(Nats { client, prefix: place.prefix.clone(), out, work })
    }

    pub(super) fn send(&self, subject: &str, bytes: Vec<u8>) {
        if self.out.try_send((format!("{}.{subject}", self.prefix), bytes.into())).is_err() {
            metrics::counter!("fourfold_bus_dropped_total").increment(1);
        }
    }

    pub(super) fn ears(&self, subject: &str) -> Ears {
        let subject = format!("{}.{subject}", self.prefix);
        Ears { client: self.client.clone(), subject, open: None, unheard: VecDeque::new() }
    }

    pub(super) fn work(&self) -> &Work {
        &self.work
    }
}

/// One after another, so that nobody who says something has to wait for the broker.
async fn speak(client: Client, mut waiting: mpsc::Receiver<(String, Bytes)>) {
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
        Event::Disconnected => tracing::warn!("the broker is lost; nodes read the log until it is back"),
        Event::SlowConsumer(_) => metrics::counter!("fourfold_bus_dropped_total").increment(1),
        other => tracing::debug!(%other, "the broker"),
    }
}

/// A subscription, which begins when somebody listens.
pub(crate) struct Ears {
    client: Client,
    subject: String,
    open: Option<Subscriber>,
    /// What has come and was not listened to yet. The client has a queue of its own, from which everything is taken at
    /// once, so that it is empty but for moments.
    unheard: VecDeque<Bytes>,
}

impl Ears {
    pub(super) async fn next(&mut self) -> Option<Bytes> {
        if self.open.is_none() {
            self.open = Some(self.client.subscribe(self.subject.clone()).await.ok()?);
        }
        if self.unheard.is_empty() {
            let message = self.open.as_mut()?.next().await?;
            self.take_in(message.payload);
        }
        let next = self.unheard.pop_front();
        metrics::gauge!("fourfold_bus_unheard").decrement(1.0);
        next
    }

    /// Takes in what comes while somebody is busy with what came before.
    pub(super) async fn meanwhile<T>(&mut self, work: impl Future<Output = T>) -> T {
        let mut work = std::pin::pin!(work);
        loop {
            let Some(open) = &mut self.open else { return work.await };
            let message = tokio::select! {
                biased;
                done = &mut work => return done,
                message = open.next() => message,
            };
            match message {
                Some(message) => self.take_in(message.payload),
                None => return work.await,
            }
        }
    }

    fn take_in(&mut self, payload: Bytes) {
        if self.unheard.len() >= UNHEARD {
            metrics::counter!("fourfold_bus_dropped_total").increment(1);
            return;
        }
        self.unheard.push_back(payload);
        metrics::gauge!("fourfold_bus_unheard").increment(1.0);
    }
}

impl Drop for Ears {
    fn drop(&mut self) {
        metrics::gauge!("fourfold_bus_unheard").decrement(self.unheard.len() as f64);
    }
}
