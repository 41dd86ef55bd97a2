//! New tables.

use std::sync::Arc;
use std::time::Duration;

use rules::Seat;

use super::execute::{Author, append};
use super::open_table::OpenTable;
use super::{Hub, ratings};
use crate::secret;
use crate::store::{Append, NewTable};
use crate::tables::{Command, DecisionContext, LogEntry, Person, Refusal, Request, Sitting, Stage, Table, TableSpec};

/// What there is of a table that a request asks for.
pub(super) enum AskedFor {
    /// It was made before, and its game is not over.
    Running(String),
    /// It is to be made under this name.
    Unmade(String),
}

impl Hub {
    /// Makes a table and seats its maker and bots; its name.
    ///
    /// The same settings under the same id are the same table until its game is over: a client that asks again may not have
    /// received the answer.
    pub(crate) async fn create(
        self: &Arc<Self>,
        who: &protocol::Person,
        request: &str,
        spec: protocol::TableSpec,
    ) -> Result<String, Refusal> {
        match self.asked_for(who, request, &spec).await? {
            AskedFor::Running(name) => Ok(name),
            AskedFor::Unmade(name) => self.create_unless_made(name, who, None, spec.try_into()?).await,
        }
    }

    /// The table that a request led to before, or the name under which to make one: it follows from the request, so that
    /// each of its copies leads to the same table, whenever and through whichever node it comes.
    pub(super) async fn asked_for(
        self: &Arc<Self>,
        who: &protocol::Person,
        request: &str,
        spec: &protocol::TableSpec,
    ) -> Result<AskedFor, Refusal> {
        let text = format!("{} {request} {}", who.id, protocol::write(spec));
        // The table after one whose game is over has a name that follows from it, so that this request too can be sent again.
        let mut names = vec![secret::derived(&self.table_key, &text)];
        // So many are known to be over. A client that uses one id again and again has made thousands, so they are not
        // opened one by one: the steps double until a table is not over, and what lies between is halved.
        let (mut over, mut step, mut open_end) = (0, 1, None);
        loop {
            let at = open_end.map_or(over + step - 1, |end| usize::midpoint(over, end));
            while names.len() <= at {
                let next = secret::derived(&self.table_key, &names[names.len() - 1]);
                names.push(next);
            }
            let name = names[at].clone();
            match self.open_table(&name).await {
                // All before it are over, or it would not have been made.
                Ok(open) if open.state.lock().await.table.stage() != Stage::Over => {
                    return Ok(AskedFor::Running(name));
                }
                Ok(_) => (over, step) = (at + 1, step * 2),
                Err(Refusal::NoTable) if at == over => return Ok(AskedFor::Unmade(name)),
                Err(Refusal::NoTable) => open_end = Some(at),
                Err(refusal) => return Err(refusal),
            }
        }
    }

    /// Makes a table under a name that follows from the request; or the same request, sent twice at once, has made it
    /// meanwhile.
    pub(super) async fn create_unless_made(
        self: &Arc<Self>,
        name: String,
        who: &protocol::Person,
        request: Option<&str>,
        spec: TableSpec,
    ) -> Result<String, Refusal> {
        match self.create_as(name.clone(), who, request, spec).await {
            Err(Refusal::Storage) if self.open_table(&name).await.is_ok() => Ok(name),
            created => created,
        }
    }

    /// Makes a table under a name; `request` is the id that its first entries are logged with.
    async fn create_as(
        self: &Arc<Self>,
        name: String,
        who: &protocol::Person,
        request: Option<&str>,
        spec: TableSpec,
    ) -> Result<String, Refusal> {
        let who = Person::from(who);
        let bots = spec.bots.iter().enumerate().filter(|(_, level)| **level > 0);
        let seat_bot = |(index, level): (usize, &u8)| {
            (who.clone(), Request::SeatBot { seat: Seat::from_index(index), level: Some(*level) })
        };
        let maker = spec.seat.map(|seat| (who.clone(), Request::Sit(Some(seat))));
        let requests = bots.map(seat_bot).chain(maker).collect();
        self.install(Table::new(name, spec, who.id.clone()), requests, request).await
    }

    /// Makes the table for the next game, with each player on the next seat.
    pub(super) async fn create_rematch(self: &Arc<Self>, old: &Table) -> Result<String, Refusal> {
        let previous = Some(old.id.clone());
        let signs = old.rotated_signs();
        let spec = TableSpec { seat: None, bots: Vec::new(), signs, previous, ..old.spec.clone() };
        let maker = Person { id: old.maker.clone(), ..Person::default() };
        let request = |(index, who): (usize, Option<Sitting>)| {
            let seat = Seat::from_index(index);
            Some(match who? {
                Sitting::Person(person) => (person, Request::Sit(Some(seat))),
                Sitting::Bot(level) => (maker.clone(), Request::SeatBot { seat, level: Some(level) }),
            })
        };
        let requests = old.rotated().into_iter().enumerate().filter_map(request).collect();
        self.install(Table::new(secret::name(), spec, old.maker.clone()), requests, None).await
    }

    /// Carries out the first requests at a new table, stores it and opens it.
    async fn install(
        self: &Arc<Self>,
        mut table: Table,
        requests: Vec<(Person, Request)>,
        request: Option<&str>,
    ) -> Result<String, Refusal> {
        self.check_room()?;
        let (at, now) = (self.heartbeat.wall(), self.now());
        self.seat(&mut table, requests, request, (at, now)).await?;
        let id = table.id.clone();
        let new = NewTable { spec: table.spec.write(), game: table.spec.game_name(), maker: table.maker.clone() };
        let entries: Vec<LogEntry> = table.entries().cloned().collect();
        let due = table.flag_falls_at(now).map(|due| due.saturating_sub(now));
        let append = Append { new: Some(new), ..append(&table, 0, &entries, at, due) };
        let losses = self.heartbeat.losses();
        self.heartbeat.append(&self.store, append).await.map_err(|_| Refusal::Storage)?;
        // As in every game, the first turn begins when the beginning is durable.
        let (durable, durable_at) = (self.now(), self.heartbeat.wall().max(at));
        table.set_clock_later(durable_at);
        table.set_clock(Duration::ZERO, durable);
        let open = self.open(OpenTable::new(table, losses, durable));
        let mut state = open.state.lock().await;
        self.store_delay(&state, durable.saturating_sub(now), (durable, durable_at));
        self.after_change(&open, &mut state, Author::ThisNode);
        Ok(id)
    }

    /// Whether there is room for another table. One that is refused is better than all of them slow.
    pub(crate) fn check_room(&self) -> Result<(), Refusal> {
        if self.is_leaving() {
            return Err(Refusal::Stopping);
        }
        if self.tables.len() >= self.config.most_tables {
            return Err(Refusal::Full);
        }
        let problem = if self.heartbeat.is_lost() {
            "the database is lost"
        } else if self.heartbeat.writes.is_slow(&self.config) {
            "the database is slow"
        } else if !self.bus.is_delivering() {
            "the broker is lost"
        } else {
            return Ok(());
        };
        metrics::counter!("fourfold_tables_refused_total").increment(1);
        Err(Refusal::Busy { problem: problem.to_owned() })
    }

    /// Decides and applies the first requests of a table that is not stored yet, all at one moment.
    async fn seat(
        &self,
        table: &mut Table,
        requests: Vec<(Person, Request)>,
        id: Option<&str>,
        (at, now): (i64, Duration),
    ) -> Result<(), Refusal> {
        let sitting = requests.iter().filter(|(_, request)| matches!(request, Request::Sit(_))).map(|(who, _)| who);
        let ratings = ratings::known(&self.store, table, sitting).await;
        let mut random = secret::below;
        let absence = |_: &str| Duration::ZERO;
        let context = DecisionContext::new(now, at, &mut random, &absence);
        let mut context = DecisionContext { ratings, ..context };
        for (who, request) in requests {
            for event in table.decide(Command::Request(&who, &request), &mut context)?.events {
                let entry = LogEntry { at, by: Some(who.id.clone()), request: id.map(str::to_owned), event };
                table.apply(entry, now).map_err(|problem| Refusal::BadTable { problem })?;
            }
        }
        Ok(())
    }
}
