//! New tables.

use std::sync::Arc;
use std::time::Duration;

use protocol::{Code, Do, Person, Sitting, Wish};

use super::{Hub, Slot, Whose, rate};
use crate::secret;
use crate::store::{Append, NewTable};
use crate::tables::{Line, Moment, Refusal, Stage, Table};

impl Hub {
    /// Makes a table and lets its maker and bots sit down; its name.
    ///
    /// The same wish under the same id is the same table until its game is over: whoever asks again may not have heard
    /// that it was made.
    pub(crate) async fn create(self: &Arc<Self>, who: &Person, ask: &str, wish: Wish) -> Result<String, Refusal> {
        let text = format!("{} {ask} {}", who.id, protocol::write(&wish));
        let name = secret::derived(&self.names, &text);
        let name = match self.slot(&name).await {
            Ok(slot) if slot.inner.lock().await.table.stage() != Stage::Over => return Ok(name),
            Ok(_) => secret::name(),
            Err(refusal) if refusal.code == Code::NoTable => name,
            Err(refusal) => return Err(refusal),
        };
        self.create_as(name, who, None, wish).await
    }

    /// Makes a table under a name; `ask` is what its first lines were asked for under.
    pub(super) async fn create_as(
        self: &Arc<Self>,
        name: String,
        who: &Person,
        ask: Option<&str>,
        wish: Wish,
    ) -> Result<String, Refusal> {
        let seat = wish.seat;
        let bots = (1..).zip(wish.bots.clone()).filter(|(_, level)| *level > 0);
        let bots = bots.map(|(seat, level)| (who.clone(), Do::Bot { seat, level }));
        let maker = (seat > 0).then(|| (who.clone(), Do::Sit { seat }));
        let asks = bots.chain(maker).collect();
        self.install(Table::new(name, wish, who.id.clone())?, asks, ask).await
    }

    /// Makes the table for the next game, with everybody on the next seat.
    pub(super) async fn create_rematch(self: &Arc<Self>, old: &Table) -> Result<String, Refusal> {
        let wish = Wish { seat: 0, bots: Vec::new(), ..old.wish.clone() };
        let maker = Person { id: old.maker.clone(), ..Person::default() };
        let seated = (1..).zip(old.rotated()).filter_map(|(seat, who)| match who? {
            Sitting::Person(person) => Some((person, Do::Sit { seat })),
            Sitting::Bot(level) => Some((maker.clone(), Do::Bot { seat, level })),
        });
        let asks = seated.collect();
        self.install(Table::new(secret::name(), wish, old.maker.clone())?, asks, None).await
    }

    /// Lets people ask a new table for what they want there, keeps it and opens it.
    async fn install(
        self: &Arc<Self>,
        mut table: Table,
        asks: Vec<(Person, Do)>,
        ask: Option<&str>,
    ) -> Result<String, Refusal> {
        self.check_room()?;
        let at = self.life.wall();
        self.seat(&mut table, asks, ask, at).await?;
        let id = table.id.clone();
        let new = NewTable {
            wish: protocol::write(&table.wish),
            game: table.wish.game.split('(').next().unwrap_or_default().to_owned(),
            maker: table.maker.clone(),
        };
        let lines: Vec<Line> = table.lines().cloned().collect();
        let append = Append { new: Some(new), after: 0, ..self.append(&table, &lines, at) };
        self.life.append(&self.store, append).await.map_err(|_| Code::Storage)?;
        let slot = self.open(Slot::new(id.clone(), table, self.now(), self.config.grace));
        let mut inner = slot.inner.lock().await;
        self.after_change(&slot, &mut inner, Whose::Ours);
        Ok(id)
    }

    /// Whether there is room for another table. One that is refused is better than all of them slow.
    pub(crate) fn check_room(&self) -> Result<(), Refusal> {
        if self.is_leaving() {
            return Err(Code::Stopping.into());
        }
        if self.open_tables() >= self.config.most_tables {
            return Err(Code::Full.into());
        }
        let why = if self.life.is_lost() {
            "the database is lost"
        } else if self.life.is_slow(&self.config) {
            "the database is slow"
        } else if !self.bus.is_well() {
            "the broker is lost"
        } else {
            return Ok(());
        };
        metrics::counter!("fourfold_tables_refused_total").increment(1);
        Err(Refusal::with(Code::Full, why))
    }

    /// What people ask of a table that nobody else knows yet, all at one moment.
    async fn seat(&self, table: &mut Table, asks: Vec<(Person, Do)>, id: Option<&str>, at: i64) -> Result<(), Refusal> {
        let sitting = asks.iter().filter(|(_, ask)| matches!(ask, Do::Sit { .. })).map(|(who, _)| who);
        let ratings = rate::known(&self.store, table, sitting).await;
        let mut random = secret::below;
        let away = |_: &str| Duration::ZERO;
        let mut moment = Moment { grace: Duration::MAX, ratings, ..Moment::new(self.now(), at, &mut random, &away) };
        for (who, ask) in asks {
            for what in table.decide(&who, &ask, &mut moment)? {
                table.keep(Line { at, by: Some(who.id.clone()), ask: id.map(str::to_owned), forgiven: 0, what });
            }
        }
        Ok(())
    }
}
