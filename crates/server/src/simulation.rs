//! Several nodes with a database, a broker and clients, unchanged in one thread on simulated time: everything that happens
//! follows from one seed. Sockets, HTTP and accounts are not part of it; a client speaks the protocol over a channel.

use std::sync::Arc;
use std::time::Duration;

use protocol::{Command, Person, Refusal, Request, ServerMessage, VERSION};
use tokio::sync::mpsc;

use crate::Config;
pub use crate::bus::memory_bus::Faults as BusFaults;
use crate::bus::memory_bus::MemoryBus;
use crate::hub::{Hub, Inlet, Out, Outlet, Role, Via, Watch, text};
use crate::runtime::simulation::{Machine, Simulation};
use crate::runtime::{self, Environment as _};
use crate::secret;
use crate::store::{Memory, Store};
pub use crate::store::{StoreFaults, StoredLog};
use crate::ws::{SILENCE, SLOWEST_WRITE};

/// The simulated world.
#[derive(Clone)]
pub struct World {
    simulation: Arc<Simulation>,
    store: Memory,
    bus: Arc<MemoryBus>,
}

/// A running node.
#[derive(Clone)]
pub struct Node {
    machine: Machine,
    visitors: mpsc::UnboundedSender<Visitor>,
}

/// A client's connection to a node; dropping it closes it.
pub struct Connection {
    requests: mpsc::UnboundedSender<String>,
    messages: mpsc::Receiver<String>,
}

/// A client that connects to a node.
struct Visitor {
    person: Person,
    lag: Duration,
    requests: mpsc::UnboundedReceiver<String>,
    messages: mpsc::Sender<String>,
}

/// How many messages may be on the way to a client before the node has to wait.
const WINDOW: usize = 16;

impl World {
    /// A world in which everything follows from a seed.
    pub fn new(seed: u64) -> World {
        World { simulation: Simulation::new(seed), store: Memory::default(), bus: MemoryBus::with_work() }
    }

    /// Lets the world run until a task is done.
    pub fn run<T: Send + 'static>(&self, task: impl Future<Output = T> + Send + 'static) -> T {
        self.simulation.run(task)
    }

    /// The time since the beginning.
    pub fn now(&self) -> Duration {
        self.simulation.now()
    }

    /// Lets time pass.
    pub async fn sleep(&self, time: Duration) {
        self.simulation.sleep(time).await;
    }

    /// Waits for work, but not longer than `limit`; nothing if the time was up first.
    pub async fn within<T>(&self, limit: Duration, work: impl Future<Output = T>) -> Option<T> {
        runtime::timeout(limit, work).await.ok()
    }

    /// Begins a task of the world, such as a client.
    pub fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        drop(self.simulation.spawn(Box::pin(task)));
    }

    /// How many tasks all machines have.
    pub fn tasks(&self) -> usize {
        self.simulation.tasks()
    }

    /// Starts a node on a machine whose clock is ahead by so many milliseconds. It takes clients once it has begun, which
    /// it tries until the database lets it.
    pub fn start(&self, name: &str, ahead: i64, config: Config) -> Node {
        let machine = self.simulation.add_machine(ahead);
        let (visitors, mut waiting) = mpsc::unbounded_channel::<Visitor>();
        let (store, bus, name) = (Store::Memory(self.store.clone()), self.bus.clone(), name.to_owned());
        let node = async move {
            let hub = loop {
                match Hub::begin(store.clone(), bus.node(&name), config.clone()).await {
                    Ok(hub) => break hub,
                    Err(_) => runtime::sleep(Duration::from_millis(500)).await,
                }
            };
            while let Some(visitor) = waiting.recv().await {
                runtime::spawn(serve(hub.clone(), visitor));
            }
        };
        self.simulation.spawn_on(machine, Box::pin(node));
        Node { machine, visitors }
    }

    /// Starts a worker, which thinks for bots and takes no clients.
    pub fn start_worker(&self, name: &str, config: Config) -> Node {
        let machine = self.simulation.add_machine(0);
        let (visitors, mut waiting) = mpsc::unbounded_channel::<Visitor>();
        let (store, bus, name) = (Store::Memory(self.store.clone()), self.bus.clone(), name.to_owned());
        let worker = async move {
            let hub = loop {
                match Hub::begin_as(Role::Worker, store.clone(), bus.node(&name), config.clone()).await {
                    Ok(hub) => break hub,
                    Err(_) => runtime::sleep(Duration::from_millis(500)).await,
                }
            };
            // Until it is switched off.
            while waiting.recv().await.is_some() {}
            drop(hub);
        };
        self.simulation.spawn_on(machine, Box::pin(worker));
        Node { machine, visitors }
    }

    /// Ends a node at once, as `kill -9` does.
    pub fn crash(&self, node: &Node) {
        self.simulation.switch_off(node.machine);
    }

    /// Lets nothing happen on a node, or lets it go on.
    pub fn freeze(&self, node: &Node, frozen: bool) {
        self.simulation.freeze(node.machine, frozen);
    }

    /// Sets the clock of a node's machine ahead of the true time, in milliseconds.
    pub fn set_clock(&self, node: &Node, ahead: i64) {
        self.simulation.set_ahead(node.machine, ahead);
    }

    /// From now on the broker does this.
    pub fn set_bus(&self, faults: BusFaults) {
        self.bus.set(faults);
    }

    /// From now on the database does this.
    pub fn set_store(&self, faults: StoreFaults) {
        self.store.set(faults);
    }

    /// Every table that is stored.
    pub fn logs(&self) -> Vec<StoredLog> {
        self.store.logs()
    }
}

impl Node {
    /// Connects a client, whose messages are known to take so long.
    pub fn connect(&self, person: Person, lag: Duration) -> Connection {
        let (requests, receive) = mpsc::unbounded_channel();
        let (send, messages) = mpsc::channel(WINDOW);
        // A node that is gone takes no visitors; then both channels are closed.
        let _ = self.visitors.send(Visitor { person, lag, requests: receive, messages: send });
        Connection { requests, messages }
    }
}

impl Connection {
    /// Sends a message; whether the connection is open, as far as the client can know.
    pub fn send(&self, message: &str) -> bool {
        self.requests.send(message.to_owned()).is_ok()
    }

    /// The next message; none when the connection is closed.
    pub async fn next(&mut self) -> Option<String> {
        self.messages.recv().await
    }
}

/// Answers a client until it is gone, as a WebSocket's handler does.
async fn serve(hub: Arc<Hub>, visitor: Visitor) {
    let Visitor { person, lag, mut requests, messages } = visitor;
    let (out, queue) = Outlet::new();
    let cut = queue.cut();
    let writer = runtime::spawn(write(queue, messages));
    let mut watch = None;
    loop {
        let message = tokio::select! {
            biased;
            message = runtime::timeout(SILENCE, requests.recv()) => message,
            () = out.closed() => break,
            () = cut.notified() => break,
        };
        let Ok(Some(message)) = message else { break };
        let Ok(request) = protocol::read::<Request>(&message) else { break };
        let answer = Box::pin(answer(&hub, &person, lag, &mut watch, &out, &request)).await;
        let answer = answer.unwrap_or_else(|reason| ServerMessage::Refused { id: Some(request.id), reason });
        if !out.send(Out::One(text(&answer))).await {
            break;
        }
    }
    drop(watch);
    drop(out);
    let _ = runtime::timeout(SLOWEST_WRITE, writer).await;
}

async fn answer(
    hub: &Arc<Hub>,
    person: &Person,
    lag: Duration,
    watch: &mut Option<Watch>,
    out: &Outlet,
    request: &Request,
) -> Result<ServerMessage, Refusal> {
    let (table, seen) = match &request.command {
        Command::Hello { .. } => return Ok(ServerMessage::Welcome { version: VERSION, you: person.clone() }),
        Command::Ping {} | Command::Lobby {} => return Ok(acknowledged(request, 0, None)),
        Command::Watch { table, seen } => (table.clone(), *seen),
        Command::Create(spec) => {
            hub.check_room()?;
            (hub.create(person, &request.id, spec.clone()).await?, 0)
        }
        Command::Pair(spec) => (hub.pair(person, &request.id, spec.clone(), Via::Connection).await?, 0),
        command => {
            let watch = watch.as_ref().ok_or(Refusal::NotWatching)?;
            let done = hub.ask(&watch.open, person, &request.id, command, lag).await?;
            return Ok(acknowledged(request, done.seq, None));
        }
    };
    *watch = None;
    let watching = watch.insert(hub.watch(&table, person, seen, out).await?);
    Ok(acknowledged(request, watching.seq().await, Some(table)))
}

fn acknowledged(request: &Request, seq: u32, table: Option<String>) -> ServerMessage {
    ServerMessage::Acknowledged { id: request.id.clone(), seq, table }
}

/// Sends what is queued, as fast as the client takes it.
async fn write(mut queue: Inlet, messages: mpsc::Sender<String>) {
    while let Some(mut queued) = queue.next().await {
        let texts = match std::mem::replace(&mut queued.out, Out::Many(Vec::new())) {
            Out::One(text) => vec![text],
            Out::Many(texts) => texts,
            Out::Close(_) => return,
        };
        for text in texts {
            let sent = runtime::timeout(SLOWEST_WRITE, messages.send(text.to_string())).await;
            if !matches!(sent, Ok(Ok(()))) {
                return;
            }
        }
    }
}

/// A random number below another, from the seed of the world that runs.
pub fn random(bound: u32) -> u32 {
    secret::below(bound)
}
