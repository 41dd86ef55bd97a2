//! Networks and people that an operator has banned.

use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::{PoisonError, RwLock};

use super::Hub;
use crate::bus::ClusterMessage;
use crate::limit::Network;
use crate::runtime::wall;
use crate::store::{BanRow, StoreError};
use crate::tables::Refusal;

/// What can be banned.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum BanTarget {
    /// An address; of IPv6 its /64.
    Network(Network),
    /// A person, by id.
    Person(String),
}

impl BanTarget {
    fn from_row(row: &BanRow) -> Option<BanTarget> {
        match row.kind.as_str() {
            "network" => Some(BanTarget::Network(Network::of(row.subject.parse().ok()?))),
            "person" => Some(BanTarget::Person(row.subject.clone())),
            _ => None,
        }
    }

    fn stored(&self) -> (&'static str, String) {
        match self {
            BanTarget::Network(network) => ("network", network.address().to_string()),
            BanTarget::Person(person) => ("person", person.clone()),
        }
    }
}

/// The bans as this node knows them: every request is checked, so they are kept in memory.
#[derive(Default)]
pub(super) struct Bans(RwLock<HashSet<BanTarget>>);

impl Bans {
    fn has(&self, target: &BanTarget) -> bool {
        self.0.read().unwrap_or_else(PoisonError::into_inner).contains(target)
    }
}

impl Hub {
    /// Whether requests from an address are answered.
    pub(crate) fn check_address(&self, address: IpAddr) -> Result<(), Refusal> {
        if self.bans.has(&BanTarget::Network(Network::of(address))) { Err(Refusal::Banned) } else { Ok(()) }
    }

    /// Whether a person may use the server.
    pub(crate) fn check_person(&self, person: &str) -> Result<(), Refusal> {
        if self.bans.has(&BanTarget::Person(person.to_owned())) { Err(Refusal::Banned) } else { Ok(()) }
    }

    /// Bans, closes the connections of what is banned, and ends a person's sessions and tokens, on all nodes.
    pub(crate) async fn ban(&self, target: &BanTarget, reason: &str) -> Result<(), StoreError> {
        let (kind, subject) = target.stored();
        let ban = BanRow { kind: kind.to_owned(), subject, reason: reason.to_owned(), at: wall() };
        self.store.ban(ban).await?;
        if let BanTarget::Person(person) = target {
            self.store.end_sessions(person).await?;
            self.close_all_of(person).await;
        }
        self.bans_changed().await
    }

    /// Lifts a ban; a conflict if there is none.
    pub(crate) async fn unban(&self, target: &BanTarget) -> Result<(), StoreError> {
        let (kind, subject) = target.stored();
        self.store.unban(kind, &subject).await?;
        self.bans_changed().await
    }

    async fn bans_changed(&self) -> Result<(), StoreError> {
        self.bus.announce(ClusterMessage::BansChanged);
        self.read_bans().await
    }

    /// Reads the bans again, and closes the connections of what is banned.
    pub(super) async fn read_bans(&self) -> Result<(), StoreError> {
        let targets = self.store.bans().await?.iter().filter_map(BanTarget::from_row).collect();
        *self.bans.0.write().unwrap_or_else(PoisonError::into_inner) = targets;
        self.close_connections(|network, person| {
            self.bans.has(&BanTarget::Network(network)) || self.bans.has(&BanTarget::Person(person.to_owned()))
        });
        Ok(())
    }
}
