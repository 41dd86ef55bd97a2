//! The connection to a table: it is opened again whenever it breaks, and what was not acknowledged is sent again.
//!
//! A WebSocket carries everything. Where those are blocked, server-sent events bring what happens and requests carry
//! what is asked; the messages are the same.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use protocol::{Command, Compact as _, Person, Refusal, Request, ServerMessage, VERSION};
use ui::prelude::*;
use wasm_bindgen::prelude::*;

use super::browser::{self, Wire};
use super::http::{self, HttpError};
use crate::views::spawn;

thread_local! {
    /// Whether sockets were found to be blocked; the next table need not find out again.
    static BLOCKED: Cell<bool> = const { Cell::new(false) };
}

/// The state of a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConnectionState {
    /// Being opened for the first time.
    Opening,
    /// Open.
    Open,
    /// Broken; it is being opened again.
    Broken,
    /// The server stops and will be back in a moment.
    Stopping,
    /// The server does not let us watch this table.
    Refused(Refusal),
}

/// What carries the messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Socket,
    Events,
}

/// A connection that says nothing for so long after being asked is dead, in milliseconds.
const SILENCE: f64 = 10_000.0;
/// How often a connection is asked whether it lives, in milliseconds.
const HEARTBEAT: f64 = 15_000.0;
/// Waits between attempts, in milliseconds.
const WAITS: [u64; 6] = [300, 800, 1_500, 3_000, 6_000, 10_000];

/// A connection to a table. A copy is the same connection.
#[derive(Clone)]
pub struct Connection(Rc<RefCell<State>>);

struct State {
    table: String,
    status: RwSignal<ConnectionState>,
    /// Hears everything but acknowledgements.
    on_message: Rc<dyn Fn(ServerMessage)>,
    /// The last event number that is known.
    seen: Rc<dyn Fn() -> u32>,
    way: Way,
    wire: Option<Wire>,
    /// Counts the connections, so that a late message of an old one is not taken for one of the new.
    number: u32,
    attempts: usize,
    /// How often a socket ended before it was open, one after another.
    blocked: u32,
    pending: Vec<Pending>,
    last_id: u32,
    page: String,
    /// When a message last came, and when the connection was last asked whether it lives.
    received_at: f64,
    asked_at: f64,
    closed: bool,
    _closures: Vec<Closure<dyn FnMut(JsValue)>>,
}

/// Something asked and not answered yet.
struct Pending {
    request: Request,
    answered: Box<dyn FnOnce(Result<(), HttpError>)>,
}

impl Connection {
    /// Opens a connection to a table, which stays open until [`Connection::close`].
    pub fn open(
        table: String,
        status: RwSignal<ConnectionState>,
        seen: impl Fn() -> u32 + 'static,
        on_message: impl Fn(ServerMessage) + 'static,
    ) -> Connection {
        let way = if BLOCKED.get() { Way::Events } else { Way::Socket };
        let page = format!("{:x}", (js_sys::Math::random() * 1e12) as u64);
        let connection = Connection(Rc::new(RefCell::new(State {
            table,
            status,
            on_message: Rc::new(on_message),
            seen: Rc::new(seen),
            way,
            wire: None,
            number: 0,
            attempts: 0,
            blocked: 0,
            pending: Vec::new(),
            last_id: 0,
            page,
            received_at: 0.0,
            asked_at: 0.0,
            closed: false,
            _closures: Vec::new(),
        })));
        connection.connect();
        connection
    }

    /// Asks for something; `answered` hears what came of it, however often the connection breaks in between.
    pub fn ask(&self, command: Command, answered: impl FnOnce(Result<(), HttpError>) + 'static) {
        let request = {
            let mut state = self.0.borrow_mut();
            state.last_id += 1;
            let request = Request { id: format!("{}-{}", state.page, state.last_id), command };
            state.pending.push(Pending { request: request.clone(), answered: Box::new(answered) });
            request
        };
        if self.0.borrow().status.get_untracked() == ConnectionState::Open {
            self.send(&request);
        }
    }

    /// Lets the connection go.
    pub fn close(&self) {
        let mut state = self.0.borrow_mut();
        state.closed = true;
        state.number += 1;
        state.pending.clear();
        if let Some(wire) = state.wire.take() {
            wire.close();
        }
    }

    /// Opens the connection anew, as after signing in or renaming.
    pub fn reopen(&self) {
        self.0.borrow_mut().attempts = 0;
        self.connect();
    }

    /// Looks whether the connection lives; call it every second or so.
    pub fn tick(&self) {
        let now = js_sys::Date::now();
        let (dead, due) = {
            let state = self.0.borrow();
            if state.way == Way::Events || state.status.get_untracked() != ConnectionState::Open {
                return;
            }
            let asked = state.asked_at > state.received_at;
            (asked && now - state.asked_at > SILENCE, !asked && now - state.received_at.max(state.asked_at) > HEARTBEAT)
        };
        if dead {
            self.broke(true);
        } else if due {
            self.check();
        }
    }

    /// The network, or the person, came or went.
    pub fn network(&self, there: bool) {
        let status = self.0.borrow().status.get_untracked();
        match (there, status) {
            (true, ConnectionState::Broken | ConnectionState::Stopping) => self.reopen(),
            (true, ConnectionState::Open) => self.check(),
            (false, ConnectionState::Open) => self.broke(true),
            _ => {}
        }
    }

    /// Asks the other end for a sign of life.
    fn check(&self) {
        let mut state = self.0.borrow_mut();
        state.asked_at = js_sys::Date::now();
        if let Some(wire) = &state.wire {
            wire.send(&protocol::write_compact(&Request { id: "ping".to_owned(), command: Command::Ping {} }));
        }
    }

    fn connect(&self) {
        let (number, way) = {
            let mut state = self.0.borrow_mut();
            if state.closed {
                return;
            }
            state.number += 1;
            if let Some(wire) = state.wire.take() {
                wire.close();
            }
            (state.number, state.way)
        };
        match way {
            Way::Socket => self.open_wire(number, None),
            Way::Events => {
                let connection = self.clone();
                spawn(async move { connection.connect_events(number).await });
            }
        }
    }

    /// A stream cannot say why it is refused, so that is asked first.
    async fn connect_events(self, number: u32) {
        let (table, seen) = {
            let state = self.0.borrow();
            (state.table.clone(), (state.seen)())
        };
        let me = http::get("api/me").await;
        let known = http::get(&format!("api/tables/{table}")).await;
        if self.0.borrow().number != number {
            return;
        }
        match (me, known) {
            (Ok(me), Ok(_)) => {
                self.receive(ServerMessage::Welcome { version: VERSION, you: Person::read(&me).unwrap_or_default() });
                self.open_wire(number, Some(format!("api/tables/{table}/events?seen={seen}")));
            }
            (_, Err(HttpError::Refused(code @ (Refusal::NoTable | Refusal::Private | Refusal::NotFound)))) => {
                self.0.borrow().status.set(ConnectionState::Refused(code));
            }
            _ => self.broke(true),
        }
    }

    /// Opens a socket, or the stream at an address.
    fn open_wire(&self, number: u32, stream: Option<String>) {
        let current = move |connection: &Connection| connection.0.borrow().number == number;
        let connection = self.clone();
        let opened = Closure::<dyn FnMut(JsValue)>::new(move |_| {
            if current(&connection) {
                connection.opened();
            }
        });
        let connection = self.clone();
        let on_message = Closure::<dyn FnMut(JsValue)>::new(move |text: JsValue| {
            if current(&connection)
                && let Some(message) = http::read_message(&text)
            {
                connection.receive(message);
            }
        });
        let connection = self.clone();
        let ended = Closure::<dyn FnMut(JsValue)>::new(move |was: JsValue| {
            if current(&connection) {
                connection.broke(was.as_bool().unwrap_or_default());
            }
        });
        let wire = match &stream {
            None => browser::open_socket(opened.as_ref(), on_message.as_ref(), ended.as_ref()),
            Some(path) => browser::open_events(path, opened.as_ref(), on_message.as_ref(), ended.as_ref()),
        };
        let mut state = self.0.borrow_mut();
        state.wire = Some(wire);
        // Those of the connection before are not called any more; they may be running, though, so they go with the next.
        if state._closures.len() > 6 {
            state._closures.drain(..3);
        }
        state._closures.extend([opened, on_message, ended]);
    }

    fn opened(&self) {
        let (way, table, seen) = {
            let mut state = self.0.borrow_mut();
            state.blocked = 0;
            state.received_at = js_sys::Date::now();
            (state.way, state.table.clone(), (state.seen)())
        };
        if way == Way::Events {
            self.stands();
            return;
        }
        let state = self.0.borrow();
        if let Some(wire) = &state.wire {
            let say = |id: &str, command| wire.send(&protocol::write_compact(&Request { id: id.to_owned(), command }));
            say("hello", Command::Hello { version: VERSION });
            say("watch", Command::Watch { table, seen });
        }
    }

    /// The connection is open and the table is watched: what was not acknowledged is sent again.
    fn stands(&self) {
        let requests: Vec<Request> = {
            let mut state = self.0.borrow_mut();
            state.attempts = 0;
            state.status.set(ConnectionState::Open);
            state.pending.iter().map(|pending| pending.request.clone()).collect()
        };
        requests.iter().for_each(|request| self.send(request));
    }

    fn send(&self, request: &Request) {
        let (way, table) = {
            let state = self.0.borrow();
            (state.way, state.table.clone())
        };
        let text = protocol::write_compact(request);
        if way == Way::Socket {
            if let Some(wire) = &self.0.borrow().wire {
                wire.send(&text);
            }
            return;
        }
        let (connection, id) = (self.clone(), request.id.clone());
        spawn(async move {
            match http::post(&format!("api/tables/{table}/requests"), &text).await {
                Ok(_) => connection.answered(&id, Ok(())),
                // It is sent again when the stream is back.
                Err(HttpError::Silence | HttpError::Refused(Refusal::Stopping)) => connection.broke(true),
                Err(error) => connection.answered(&id, Err(error)),
            }
        });
    }

    fn receive(&self, message: ServerMessage) {
        self.0.borrow_mut().received_at = js_sys::Date::now();
        match message {
            ServerMessage::Acknowledged { id, .. } if id == "watch" => self.stands(),
            ServerMessage::Refused { id: Some(id), reason } if id == "watch" || id == "hello" => {
                let mut state = self.0.borrow_mut();
                state.number += 1;
                state.status.set(ConnectionState::Refused(reason));
            }
            ServerMessage::Acknowledged { id, .. } => self.answered(&id, Ok(())),
            ServerMessage::Refused { id: Some(id), reason } => self.answered(&id, Err(HttpError::Refused(reason))),
            ServerMessage::Closing { reason: Refusal::Stopping } => {
                let status = self.0.borrow().status;
                status.set(ConnectionState::Stopping);
            }
            message => {
                let on_message = self.0.borrow().on_message.clone();
                on_message(message);
            }
        }
    }

    fn answered(&self, id: &str, answer: Result<(), HttpError>) {
        let found = {
            let pending = &mut self.0.borrow_mut().pending;
            pending.iter().position(|pending| pending.request.id == id).map(|at| pending.remove(at))
        };
        if let Some(pending) = found {
            (pending.answered)(answer);
        }
    }

    /// The connection broke: it is opened again, later each time, and another way if this one never works.
    fn broke(&self, was_open: bool) {
        let (wait, number) = {
            let mut state = self.0.borrow_mut();
            if state.closed || matches!(state.status.get_untracked(), ConnectionState::Refused(_)) {
                return;
            }
            state.number += 1;
            if let Some(wire) = state.wire.take() {
                wire.close();
            }
            if state.status.get_untracked() == ConnectionState::Open {
                state.status.set(ConnectionState::Broken);
            }
            if state.way == Way::Socket && !was_open {
                state.blocked += 1;
            }
            let wait = WAITS[state.attempts.min(WAITS.len() - 1)];
            state.attempts += 1;
            if state.attempts > 1 && state.status.get_untracked() == ConnectionState::Opening {
                state.status.set(ConnectionState::Broken);
            }
            (wait, state.number)
        };
        let connection = self.clone();
        spawn(async move {
            let blocked = connection.0.borrow().blocked >= 2;
            // A socket that never opens although the server answers is blocked somewhere on the way.
            if blocked && http::get("api/me").await.is_ok() && connection.0.borrow().number == number {
                let mut state = connection.0.borrow_mut();
                state.way = Way::Events;
                BLOCKED.set(true);
            }
            let spread = (js_sys::Math::random() * 300.0) as u64;
            set_timeout(
                move || {
                    if connection.0.borrow().number == number {
                        connection.connect();
                    }
                },
                Duration::from_millis(wait + spread),
            );
        });
    }
}
