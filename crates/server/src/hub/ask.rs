//! What is asked of a table: decided, made durable, then known.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use protocol::{Code, Do, Event, Person, Sitting};

use super::slot::Inner;
use super::{Hub, Role, Slot, rate};
use crate::bus::Word;
use crate::store::{Append, StoreError};
use crate::tables::{Line, Moment, Refusal, Stage, Table};

/// What an ask came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Done {
    pub(crate) seq: u32,
}

/// Who has added to a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    /// This node: what follows from it is for this node to do.
    Ours,
    /// Another: it does what follows, unless it dies.
    Theirs,
}

/// On whose behalf something happens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    by: Option<&'a str>,
    id: Option<&'a str>,
    /// What of the time until it was given back for a slow network.
    forgiven: Duration,
}

impl Asked<'_> {
    /// On nobody's: a flag fell, or a bot moved.
    pub(super) fn nobody() -> Asked<'static> {
        Asked { by: None, id: None, forgiven: Duration::ZERO }
    }

    /// The lines of a log that say so.
    fn lines(self, table: &Table, events: Vec<Event>, at: i64) -> Vec<Line> {
        let own = |text: Option<&str>| text.map(str::to_owned);
        let forgiven = u32::try_from(self.forgiven.as_millis()).unwrap_or(u32::MAX);
        let line = |what: Event| {
            let acted = matches!(&what, Event::Did { entry, .. } if !table.game().is_chance(entry));
            Line { at, by: own(self.by), ask: own(self.id), forgiven: if acted { forgiven } else { 0 }, what }
        };
        events.into_iter().map(line).collect()
    }
}

/// How often a lost race for the end of a log is run again.
const RACES: u32 = 10;
/// Why events could not be kept.
pub(super) enum Lost {
    /// Another process has written to the same log.
    Race,
    /// The database did not take them.
    Storage,
}

impl From<Lost> for Refusal {
    fn from(_: Lost) -> Refusal {
        Code::Storage.into()
    }
}

impl Hub {
    /// Asks something of a table; the answer comes when what happened is durable.
    pub(crate) async fn ask(
        self: &Arc<Self>,
        slot: &Arc<Slot>,
        who: &Person,
        id: &str,
        what: &Do,
        lag: Duration,
    ) -> Result<Done, Refusal> {
        let began = Instant::now();
        if self.life.is_lost() {
            return Err(Code::Storage.into());
        }
        let mut inner = slot.inner.lock().await;
        for race in 0..RACES {
            self.refresh(slot, &mut inner).await?;
            if let Some(seq) = inner.table.answered(&who.id, id) {
                return Ok(Done { seq });
            }
            let Inner { table, talk, .. } = &mut *inner;
            if race == 0 && !talk.allows(table, &who.id, what) {
                return Err(Code::TooFast.into());
            }
            // Whoever waited here may have been frozen meanwhile.
            if self.life.is_lost() {
                return Err(Code::Storage.into());
            }
            let flagged = inner.decide(self, lag, |table, moment| Ok(table.tick(moment)))?;
            match self.keep(slot, &mut inner, flagged, Asked::nobody()).await {
                Err(Lost::Race) => continue,
                kept => kept?,
            }
            let before = inner.table.mark();
            let sits = matches!(what, Do::Sit { .. }).then_some(who);
            let ratings = rate::known(&self.store, &inner.table, sits).await;
            let mut asked = Asked { by: Some(&who.id), id: Some(id), forgiven: Duration::ZERO };
            let decision = |table: &mut Table, moment: &mut Moment<'_>| {
                moment.ratings = ratings;
                let decided = table.decide(who, what, moment);
                asked.forgiven = moment.forgiven;
                decided
            };
            let events = match inner.decide(self, lag, decision) {
                Ok(events) => events,
                Err(refusal) => {
                    // What is refused has changed nothing; should it have, the table stays marked and is read again.
                    inner.dirty = inner.table.mark() != before;
                    // Who asks may know more than this node does: from the other that served them a moment ago.
                    if self.bus.is_shared() && self.catch_up(slot, &mut inner).await? {
                        continue;
                    }
                    return Err(refusal);
                }
            };
            match self.keep(slot, &mut inner, events, asked).await {
                Err(Lost::Race) => continue,
                kept => kept?,
            }
            self.go_on(slot, &mut inner).await;
            metrics::histogram!("fourfold_action_seconds").record(began.elapsed());
            return Ok(Done { seq: inner.table.seq() });
        }
        Err(Code::Storage.into())
    }

    /// Somebody's time may be up, or a bot may be to move.
    pub(super) async fn look(self: &Arc<Self>, id: &str) {
        if self.life.role == Role::Worker {
            return;
        }
        let later = || self.timer.set(id, Some(self.now() + Duration::from_secs(1)));
        if self.life.is_lost() {
            return later();
        }
        let slot = match self.slot(id).await {
            Ok(slot) => slot,
            Err(refusal) if refusal.code == Code::Storage => return later(),
            Err(_) => return,
        };
        let mut inner = slot.inner.lock().await;
        // Between the two nothing is waited for, so what is read is decided about before this process can be frozen.
        if self.refresh(&slot, &mut inner).await.is_err() || self.life.is_lost() {
            return later();
        }
        let flagged = inner.decide(self, Duration::ZERO, |table, moment| Ok(table.tick(moment))).unwrap_or_default();
        if self.keep(&slot, &mut inner, flagged, Asked::nobody()).await.is_err() {
            return later();
        }
        self.after_change(&slot, &mut inner, Whose::Ours);
    }

    /// What follows by itself: the next table when all want one.
    async fn go_on(self: &Arc<Self>, slot: &Arc<Slot>, inner: &mut Inner) {
        if !inner.table.wants_rematch() {
            return;
        }
        match self.create_rematch(&inner.table).await {
            Ok(table) => {
                let _ = self.keep(slot, inner, vec![Event::Again { table }], Asked::nobody()).await;
            }
            Err(refusal) => tracing::warn!(table = slot.id, ?refusal, "no rematch"),
        }
    }

    /// Reads a table again if what is in memory may not be what is kept.
    pub(super) async fn refresh(&self, slot: &Slot, inner: &mut Inner) -> Result<(), Refusal> {
        let losses = self.life.losses.load(Ordering::Relaxed);
        if inner.dirty || inner.losses != losses {
            let seen = inner.table.seq();
            inner.table = self.load(&slot.id).await?;
            inner.dirty = false;
            inner.losses = losses;
            // Somebody else may have written meanwhile; those who watch have not been told.
            inner.publish(seen, self.now());
        }
        Ok(())
    }

    /// Makes events durable, then known.
    pub(super) async fn keep(
        self: &Arc<Self>,
        slot: &Arc<Slot>,
        inner: &mut Inner,
        events: Vec<Event>,
        asked: Asked<'_>,
    ) -> Result<(), Lost> {
        if events.is_empty() {
            inner.dirty = false;
            return Ok(());
        }
        let at = self.life.wall().max(inner.table.last_at());
        let lines = asked.lines(&inner.table, events, at);
        let mut append = self.append(&inner.table, &lines, at);
        let over = append.ending.clone().filter(|_| inner.table.wish.rated);
        // Two games of one person that end at once must not both begin from the same rating.
        let _guard = if over.is_some() { Some(self.rating.lock().await) } else { None };
        if let Some((result, _)) = over {
            append.ratings = rate::after(&self.store, &inner.table, &result).await.unwrap_or_default();
        }
        match self.life.append(&self.store, append).await {
            Ok(()) => {}
            // The table stays marked, so it is read again before anything else happens at it.
            Err(StoreError::Conflict) => return Err(Lost::Race),
            Err(_) => return Err(Lost::Storage),
        }
        let seen = inner.table.seq();
        if self.bus.is_shared() {
            self.bus.tell(&slot.id, Word::Told { after: seen, lines: lines.clone() });
        }
        lines.into_iter().for_each(|line| inner.table.keep(line));
        inner.dirty = false;
        inner.changed = self.now();
        inner.publish(seen, self.now());
        self.after_change(slot, inner, Whose::Ours);
        Ok(())
    }

    pub(super) fn append(&self, table: &Table, lines: &[Line], at: i64) -> Append {
        let ended = lines.iter().find_map(|line| match &line.what {
            Event::Ended { result, cause, .. } => Some((result.clone(), cause.clone())),
            _ => None,
        });
        let began = table.play().is_some();
        let state = if ended.is_some() || table.ending().is_some() {
            Stage::Over
        } else if began {
            Stage::Playing
        } else {
            Stage::Waiting
        };
        let moved = lines.iter().any(|line| matches!(line.what, Event::Sat { .. } | Event::Stood { .. }));
        let due = table.falls_at(self.now()).map(|due| due.saturating_sub(self.now()));
        Append {
            table: table.id.clone(),
            new: None,
            after: table.seq(),
            lines: lines.iter().map(protocol::write).collect(),
            state: state.word(),
            at,
            due_at: due.map(|due| at + i64::try_from(due.as_millis()).unwrap_or(i64::MAX / 2)),
            seats: moved.then(|| seated_after(table, lines)),
            speaker: lines.iter().find_map(|line| match &line.what {
                Event::Said { seat: 0, .. } => line.by.clone(),
                _ => None,
            }),
            ending: ended,
            ratings: Vec::new(),
        }
    }

    /// Sets the alarm, wakes a bot and tells the lobby.
    pub(super) fn after_change(self: &Arc<Self>, slot: &Arc<Slot>, inner: &mut Inner, whose: Whose) {
        self.timer.set(&slot.id, inner.table.falls_at(self.now()));
        self.lobby.note(inner);
        self.bots.wake(self, slot, inner, whose);
    }
}

/// Who sits where once some lines are kept.
fn seated_after(table: &Table, lines: &[Line]) -> Vec<(u32, String)> {
    let mut seats: Vec<Option<Sitting>> = table.seats().to_vec();
    for line in lines {
        match &line.what {
            Event::Sat { seat, who, .. } => seats[usize::from(*seat) - 1] = Some(who.clone()),
            Event::Stood { seat } => seats[usize::from(*seat) - 1] = None,
            _ => {}
        }
    }
    let person = |(number, who): (u32, Option<Sitting>)| match who {
        Some(Sitting::Person(person)) => Some((number, person.id)),
        _ => None,
    };
    (1..).zip(seats).filter_map(person).collect()
}
