//! Networks and people that an operator has banned.

use std::collections::{BTreeSet, HashSet};
use std::net::IpAddr;
use std::sync::{PoisonError, RwLock};

use super::Hub;
use crate::bus::ClusterMessage;
use crate::prefix::Prefix;
use crate::runtime::wall;
use crate::store::{BanRow, StoreError};
use crate::tables::Refusal;

/// What can be banned.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum BanTarget {
    /// A range of addresses.
    Network(Prefix),
    /// A person, by id.
    Person(String),
}

impl BanTarget {
    fn from_row(row: &BanRow) -> Option<BanTarget> {
        match row.kind.as_str() {
            "network" => Some(BanTarget::Network(row.subject.parse().ok()?)),
            "person" => Some(BanTarget::Person(row.subject.clone())),
            _ => None,
        }
    }

    fn stored(&self) -> (&'static str, String) {
        match self {
            BanTarget::Network(network) => ("network", network.stored()),
            BanTarget::Person(person) => ("person", person.clone()),
        }
    }
}

/// The bans as this node knows them: every request is checked, so they are kept in memory.
#[derive(Default)]
pub(super) struct Bans(RwLock<Known>);

#[derive(Default)]
struct Known {
    people: HashSet<String>,
    networks: HashSet<Prefix>,
    /// The lengths of the prefixes, so that an address is looked up once for each length and not once for each ban.
    lengths: BTreeSet<u8>,
}

impl Bans {
    fn has_person(&self, person: &str) -> bool {
        self.0.read().unwrap_or_else(PoisonError::into_inner).people.contains(person)
    }

    fn has_address(&self, address: IpAddr) -> bool {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        known.lengths.iter().any(|&bits| known.networks.contains(&Prefix::of(address, bits)))
    }

    fn replace(&self, targets: impl Iterator<Item = BanTarget>) {
        let mut known = Known::default();
        for target in targets {
            match target {
                BanTarget::Person(person) => {
                    known.people.insert(person);
                }
                BanTarget::Network(prefix) => {
                    known.lengths.insert(prefix.bits());
                    known.networks.insert(prefix);
                }
            }
        }
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = known;
    }
}

impl Hub {
    /// Whether requests from an address are answered.
    pub(crate) fn check_address(&self, address: IpAddr) -> Result<(), Refusal> {
        if self.bans.has_address(address) { Err(Refusal::Banned) } else { Ok(()) }
    }

    /// Whether a person may use the server.
    pub(crate) fn check_person(&self, person: &str) -> Result<(), Refusal> {
        if self.bans.has_person(person) { Err(Refusal::Banned) } else { Ok(()) }
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
        self.bans.replace(self.store.bans().await?.iter().filter_map(BanTarget::from_row));
        self.close_connections(|network, person| {
            self.bans.has_address(network.address()) || self.bans.has_person(person)
        });
        Ok(())
    }
}
