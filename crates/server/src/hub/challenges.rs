//! Challenges: a waiting table that is offered to one person, on whichever page and node they are.

use std::sync::Arc;

use super::{Hub, storage};
use crate::bus::ClusterMessage;
use crate::runtime::wall;
use crate::store::{MostChallenges, StoreError};
use crate::tables::{Refusal, Stage};

/// How many open challenges a person may have. Guests cost nothing to make, so they have the least room, and friends the most.
const MOST: MostChallenges =
    MostChallenges { from_followed: 30, from_accounts: 20, from_guests: 10, from_one: 3, by_one: 30 };

impl Hub {
    /// Offers a waiting table to a person. Its maker and its players may.
    pub(crate) async fn challenge(
        self: &Arc<Self>,
        table: &str,
        challenger: &str,
        challenged: &str,
    ) -> Result<(), Refusal> {
        {
            let open = self.open_table(table).await?;
            let state = self.current(&open).await?;
            let table = &state.table;
            if table.stage() != Stage::Waiting {
                return Err(Refusal::Begun);
            }
            if table.maker != challenger && table.seat_of(challenger).is_none() {
                return Err(Refusal::NotMaker);
            }
            if table.seats().iter().all(Option::is_some) {
                return Err(Refusal::SeatTaken);
            }
        }
        let person = self.store.person(challenged).await.map_err(storage)?;
        if challenged == challenger || person.is_none_or(|person| person.kind == "gone") {
            return Err(Refusal::NotFound);
        }
        let blocked = self.blocked_by(challenger).await?.iter().any(|other| other == challenged);
        let blockers = self.store.blockers_of(challenger).await.map_err(storage)?;
        if blocked || blockers.iter().any(|other| other == challenged) {
            return Err(Refusal::Forbidden);
        }
        let kept = self.store.challenge(table, (challenger, challenged), wall(), MOST).await;
        kept.map_err(|problem| match problem {
            StoreError::Conflict => Refusal::TooFast,
            _ => Refusal::Storage,
        })?;
        self.challenges_changed(challenged);
        Ok(())
    }

    /// Declines an offered table; its challenger is notified.
    pub(crate) async fn decline_challenge(self: &Arc<Self>, table: &str, person: &str) -> Result<(), Refusal> {
        let offered = self.store.challenges_to(person).await.map_err(storage)?;
        let challenge = offered.into_iter().find(|row| row.table_id == table).ok_or(Refusal::NotFound)?;
        self.store.decline_challenge(table, person).await.map_err(storage)?;
        self.challenges_changed(&challenge.person);
        self.challenges_changed(person);
        Ok(())
    }

    /// A person's challenges have changed: whatever follows them looks again, on all nodes.
    fn challenges_changed(&self, person: &str) {
        self.wake_listeners(person);
        self.bus.announce(ClusterMessage::ChallengesChanged { person: person.to_owned() });
    }
}
