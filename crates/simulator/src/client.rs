use std::collections::VecDeque;
use std::time::Duration;

use protocol::{Command, Occupant, Person, PersonKind, Refusal, Request, ServerMessage, TableState, VERSION};
use rules::Seat;
use search::Random;
use server::simulation::Connection;
use session::Follower;

use crate::check::BEGINNING;
use crate::cluster::Cluster;
use crate::plan::Plan;
use crate::wanted::{Repeated, SHORTEST_GAME};
use crate::witness::{Acknowledged, Expected, Late};

mod choice;

/// How a person behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Steady,
    /// Sends a lot, also nonsense.
    Flooding,
    /// Reads seldom.
    Slow,
    /// Leaves often and comes back by another node.
    Restless,
    /// Has the same name as the client before, and acts at the same tables at the same time.
    Twin,
}

/// One client: a person with a connection to some node.
pub(crate) struct Client {
    cluster: Cluster,
    random: Random,
    me: Person,
    style: Style,
    connection: Option<Connection>,
    /// Connections that the client has lost and the server still believes in.
    half_open: VecDeque<Connection>,
    node: usize,
    cuts: u32,
    /// The table where the client is, or wants to be.
    table: Option<String>,
    /// The table that the client has left: what is still on the way from there does not count.
    left: Option<String>,
    /// When the world becomes quiet.
    quiet: Duration,
    follower: Option<Follower>,
    pending: Option<Pending>,
    requests: u32,
    since: Duration,
    /// When the last event came.
    received: Duration,
    /// Since when this connection has shown the table as it stands: later events are due at once.
    current_since: Option<Duration>,
    /// When this connection asked for the table, or before.
    asked: Duration,
}

/// A request that is not answered yet.
struct Pending {
    id: String,
    command: Command,
    at: Duration,
    /// Since when it stands for one table: a repeated request makes another once the first one's game is over.
    one_table_since: Duration,
    /// When it was first sent in a quiet world, or again after it was refused.
    in_quiet: Option<Duration>,
    /// Whether it was refused for now, and is to be sent again; and when it was first refused in a quiet world.
    is_refused: bool,
    refused_since: Option<Duration>,
    /// Whether the client was to act when it sent it, and whether it had no seat.
    in_turn: bool,
    as_spectator: bool,
    is_repeated: bool,
}

/// A request without an answer for so long is sent again, by another node.
const PATIENCE: Duration = Duration::from_secs(8);
/// How long the longest thought takes, in milliseconds.
const LONGEST_THOUGHT: u32 = 40_000;
/// In a quiet world every request is answered within this.
const PROMPT: Duration = Duration::from_secs(30);
/// An event reaches a client that is connected within this, also if no message between nodes arrives: they then look for
/// what they have missed.
const LONGEST_DELIVERY: Duration = Duration::from_secs(8);
/// A bot that has not moved for so long in a quiet world never will.
const STUCK: Duration = Duration::from_secs(20);
impl Client {
    pub(crate) fn new(cluster: &Cluster, seed: u64, number: u32) -> Client {
        let style = match number % 10 {
            7 => Style::Flooding,
            5 => Style::Slow,
            3 | 8 => Style::Restless,
            9 => Style::Twin,
            _ => Style::Steady,
        };
        let person = if style == Style::Twin { number - 1 } else { number };
        Client {
            random: Random::new(seed.wrapping_mul(1_000_003) ^ u64::from(number)),
            me: Person { id: format!("person{person}"), name: format!("P{person}"), kind: PersonKind::Guest },
            style,
            connection: None,
            half_open: VecDeque::new(),
            node: 0,
            cuts: cluster.cuts(),
            table: None,
            left: None,
            quiet: Duration::MAX,
            follower: None,
            pending: None,
            // Twins are different devices: they do not use the same ids.
            requests: number * 1_000_000,
            since: Duration::ZERO,
            received: Duration::ZERO,
            current_since: None,
            asked: Duration::ZERO,
            cluster: cluster.clone(),
        }
    }

    /// Runs until `end`: acts in the busy times of the plan, and from `quiet` on only plays on.
    pub(crate) async fn live(mut self, plan: &Plan, quiet: Duration, end: Duration) -> Client {
        self.quiet = quiet;
        while self.now() < end {
            let world = self.cluster.world.clone();
            let rest = plan.rest_until(world.now()).map(|until| until.saturating_sub(world.now()));
            if self.connection.is_none() {
                match rest {
                    Some(rest) => world.sleep(rest).await,
                    None => self.connect().await,
                }
                continue;
            }
            let thought = Duration::from_millis(u64::from(200 + self.random.below(self.pause())));
            let pause = rest.unwrap_or(thought);
            let Some(connection) = &mut self.connection else { continue };
            let received = world.within(pause.min(end.saturating_sub(world.now())), connection.next()).await;
            if self.cuts != self.cluster.cuts() {
                self.cuts = self.cluster.cuts();
                self.disconnect();
                continue;
            }
            match received {
                Some(Some(text)) => self.receive(&text).await,
                Some(None) => self.disconnect(),
                None if rest.is_some() => {}
                None => self.act(self.now() >= quiet).await,
            }
        }
        self
    }

    fn now(&self) -> Duration {
        self.cluster.world.now()
    }

    /// The longest thought, in milliseconds.
    fn pause(&self) -> u32 {
        if self.style == Style::Flooding { 6_000 } else { LONGEST_THOUGHT }
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.random.below(100) < percent
    }

    fn narrate(&self, sentence: impl FnOnce() -> String) {
        self.cluster.witness.narrate(self.now(), || format!("{}: {}", self.me.name, sentence()));
    }

    fn disconnect(&mut self) {
        self.connection = None;
        self.current_since = None;
        self.narrate(|| "is disconnected".to_owned());
    }

    async fn connect(&mut self) {
        self.cluster.travel(1500).await;
        let Some((number, node)) = self.cluster.node(self.random.below(1000)) else { return };
        self.node = number;
        let lag = Duration::from_millis(self.random.below(80).into());
        self.connection = Some(node.connect(self.me.clone(), lag));
        self.asked = self.now();
        self.narrate(|| format!("connects to node {number}"));
        self.send("hello", &Command::Hello { version: VERSION });
        if let Some(table) = self.table.clone() {
            let seen = self.follower.as_ref().map_or(0, |follower| follower.seq);
            self.send("watch", &Command::Watch { table, seen });
        }
        self.send_again();
    }

    /// Sends the request that was not answered, or refused for now, once more.
    fn send_again(&mut self) {
        let (now, sent) = (self.now(), self.sent_in_quiet());
        let Some(pending) = &mut self.pending else { return };
        let wants_table = matches!(pending.command, Command::Create(_) | Command::Pair(_));
        let (person, since) = (self.me.id.clone(), pending.one_table_since);
        if wants_table && now.saturating_sub(since) >= SHORTEST_GAME {
            pending.one_table_since = now;
            *self.cluster.witness.notes().wanted.entry(person).or_default() += 1;
        } else if wants_table {
            self.cluster.witness.notes().repeated.push(Repeated { person, since, at: now });
        }
        pending.in_quiet = if pending.is_refused { sent } else { pending.in_quiet.or(sent) };
        (pending.is_refused, pending.is_repeated, pending.at) = (false, true, now);
        let (id, command) = (pending.id.clone(), pending.command.clone());
        self.send(&id, &command);
    }

    /// This moment, if the world is quiet.
    fn sent_in_quiet(&self) -> Option<Duration> {
        Some(self.now()).filter(|now| *now >= self.quiet)
    }

    fn send(&mut self, id: &str, command: &Command) {
        let request = Request { id: id.to_owned(), command: command.clone() };
        self.cluster.witness.notes().commands += 1;
        self.narrate(|| format!("sends {}", protocol::write(&request)));
        if matches!(command, Command::Watch { .. }) {
            self.asked = self.now();
        }
        if self.connection.as_ref().is_some_and(|connection| !connection.send(&protocol::write(&request))) {
            self.disconnect();
        }
    }

    fn ask(&mut self, command: Command) {
        self.requests += 1;
        let id = format!("k{}", self.requests);
        self.send(&id, &command);
        if matches!(command, Command::Create(_) | Command::Pair(_)) {
            *self.cluster.witness.notes().wanted.entry(self.me.id.clone()).or_default() += 1;
        }
        let seat = self.follower.as_ref().and_then(Follower::seat);
        let to_act = self.follower.as_ref().and_then(|follower| follower.game.as_ref()?.to_act());
        let (in_turn, as_spectator) = (seat.is_some() && to_act == seat, seat.is_none());
        let (at, in_quiet) = (self.now(), self.sent_in_quiet());
        self.pending = Some(Pending {
            id,
            command,
            at,
            one_table_since: at,
            in_quiet,
            is_refused: false,
            refused_since: None,
            in_turn,
            as_spectator,
            is_repeated: false,
        });
    }

    async fn receive(&mut self, text: &str) {
        let slowest = if self.style == Style::Slow && self.chance(10) { 30_000 } else { 40 };
        self.cluster.travel(slowest).await;
        let Ok(message) = protocol::read::<ServerMessage>(text) else {
            return self.problem(format!("cannot read {text}"));
        };
        match &message {
            ServerMessage::Table(info) => {
                self.current_since = None;
                let same = self.follower.as_ref().is_some_and(|follower| follower.table.id == info.id);
                let is_late = self.left.as_ref() == Some(&info.id) && self.table.as_ref() != Some(&info.id);
                if is_late {
                    self.follower = None;
                } else if !same {
                    self.cluster.note_table(&info.id);
                    self.table = Some(info.id.clone());
                    self.since = self.now();
                    self.follower = Follower::new(info.clone(), &self.me.id).ok();
                }
            }
            ServerMessage::Acknowledged { id, seq, table } => {
                // The history comes before the answer to the request that leads to a table.
                if table.is_some() {
                    self.current_since = Some(self.now());
                }
                self.acknowledged(id, *seq, table.as_deref());
            }
            ServerMessage::Refused { id, reason } => {
                self.narrate(|| format!("is refused: {reason:?}"));
                if self.pending.as_ref().is_some_and(|pending| Some(&pending.id) == id.as_ref()) {
                    self.refused(reason);
                } else if id.is_none() && matches!(reason, Refusal::Private) {
                    // The game of a private table has begun without this client.
                    self.leave();
                } else if id.as_deref() == Some("watch") && !matches!(reason, Refusal::Storage) {
                    self.leave();
                } else if id.as_deref() == Some("watch") {
                    self.disconnect();
                }
            }
            ServerMessage::Closing { .. } => self.disconnect(),
            _ => self.follow(&message, text),
        }
    }

    fn follow(&mut self, message: &ServerMessage, text: &str) {
        let now = self.now();
        if matches!(message, ServerMessage::Event { .. }) {
            self.received = now;
        }
        let Some(follower) = &mut self.follower else { return };
        if let Err(error) = follower.receive(message) {
            let table = follower.table.id.clone();
            self.problem(format!("cannot follow {table}: {error:?}"));
            self.follower = None;
            return;
        }
        if let ServerMessage::Event { seq, at, .. } = message
            && self.style != Style::Slow
            && let Some(since) = self.current_since
        {
            let decided = Duration::from_millis(at.saturating_sub(BEGINNING));
            let late = Late { table: follower.table.id.clone(), seq: *seq, name: self.me.name.clone(), decided, now };
            if decided > since && now.saturating_sub(decided) > LONGEST_DELIVERY {
                self.cluster.witness.notes().late.push(late);
            }
        }
        if let ServerMessage::Event { seq, event, .. } = message {
            let (table, viewer) = (&follower.table.id, follower.seat().map_or(0, Seat::number));
            if viewer == 0 {
                self.cluster.witness.note_chat(now, self.asked, table, *seq, event);
            }
            if follower.table.state != TableState::Over {
                self.cluster.witness.note_event(now, table, viewer, *seq, text);
            }
        }
    }

    fn problem(&self, problem: String) {
        self.cluster.witness.note_problem(self.now(), format!("{}: {problem}", self.me.name));
    }

    fn acknowledged(&mut self, id: &str, seq: u32, table: Option<&str>) {
        let Some(pending) = self.pending.take_if(|pending| pending.id == id) else { return };
        if let Some(table) = table {
            self.table = Some(table.to_owned());
            if self.follower.as_ref().is_none_or(|follower| follower.table.id != table) {
                // It leads back to the table that was left, whose events were not followed: they are asked for again.
                self.left = None;
                self.disconnect();
            }
        }
        let expected = match pending.command {
            Command::Act { action, at } => Expected::Entry { action, at, in_turn: pending.in_turn },
            Command::Sit { .. } => Expected::Kind("sat"),
            Command::Stand {} => Expected::Kind("stood"),
            Command::Say { .. } => Expected::Kind("said"),
            Command::Claim { .. } => Expected::Kind("claimed"),
            Command::Propose { .. } => Expected::Kind("proposed"),
            _ => return,
        };
        let Some(table) = self.table.clone() else { return };
        let (person, as_spectator) = (self.me.id.clone(), pending.as_spectator);
        let watching_since = self.current_since.filter(|_| !pending.is_repeated);
        let id = id.to_owned();
        let acknowledged = Acknowledged { table, person, id, seq, as_spectator, watching_since, expected };
        self.cluster.witness.notes().acknowledged.push(acknowledged);
    }

    /// What a node could not store, or has no room for now, is sent again; other refusals end a request.
    fn refused(&mut self, reason: &Refusal) {
        let quiet = self.sent_in_quiet();
        let Some(pending) = self.pending.as_mut() else { return };
        if !matches!(reason, Refusal::Storage | Refusal::Busy { .. }) {
            self.pending = None;
            return;
        }
        pending.is_refused = true;
        pending.refused_since = pending.refused_since.or(quiet);
        let refused_for = pending.refused_since.zip(quiet).map_or(Duration::ZERO, |(since, now)| now - since);
        if refused_for > PROMPT + Duration::from_millis(LONGEST_THOUGHT.into()) {
            let problem = format!("{} is still refused after {} s in a quiet world", pending.id, refused_for.as_secs());
            self.problem(problem);
        }
    }

    fn leave(&mut self) {
        self.left = self.table.take();
        self.follower = None;
        self.pending = None;
    }

    /// Does something, or nothing; at the end of the world only what keeps a game going.
    async fn act(&mut self, quiet: bool) {
        if self.pending.as_ref().is_some_and(|pending| pending.is_refused) {
            return self.send_again();
        }
        if let Some(pending) = &self.pending {
            let since = |moment: Duration| self.now().saturating_sub(moment);
            let in_quiet = pending.in_quiet.map_or(Duration::ZERO, since);
            if in_quiet > PROMPT + PATIENCE {
                let id = pending.id.clone();
                self.problem(format!("{id} was not answered for {} s in a quiet world", in_quiet.as_secs()));
                self.pending = None;
            } else if since(pending.at) > PATIENCE {
                self.disconnect();
            }
            return;
        }
        if !quiet && self.wanders().await {
            return;
        }
        let command = if quiet { self.move_of_game() } else { self.command() };
        match command {
            Some(command) => self.ask(command),
            None => self.send("ping", &Command::Ping {}),
        }
    }

    /// Listens until a moment.
    pub(crate) async fn listen(mut self, until: Duration) -> Client {
        let world = self.cluster.world.clone();
        while let Some(connection) = &mut self.connection {
            match world.within(until.saturating_sub(world.now()), connection.next()).await {
                Some(Some(text)) => self.receive(&text).await,
                Some(None) => self.connection = None,
                None => break,
            }
        }
        self
    }

    /// A game that stands still at the end, though it is not over and a bot is to act, or that is over without an end.
    pub(crate) fn stuck(&self) -> Option<String> {
        let follower = self.follower.as_ref().filter(|_| self.connection.is_some() && self.style != Style::Slow)?;
        let (game, table) = (follower.game.as_ref()?, &follower.table.id);
        if follower.ended.is_some() {
            return None;
        }
        if game.ending().is_some() {
            return Some(format!("the game at {table} is over by the rules, and has no end"));
        }
        let to_act = follower.table.seats.get(game.to_act()?.index())?.occupant.as_ref()?;
        let long_ago = self.now().saturating_sub(self.received) > STUCK;
        (matches!(to_act, Occupant::Bot { .. }) && long_ago).then(|| format!("a bot does not move at {table}"))
    }

    /// The table where the client is connected at the end, and the number of the last event it knows.
    pub(crate) fn standing(&self) -> Option<(String, u32, String)> {
        let follower = self.follower.as_ref().filter(|_| self.connection.is_some() && self.style != Style::Slow)?;
        Some((follower.table.id.clone(), follower.seq, self.me.name.clone()))
    }
}
