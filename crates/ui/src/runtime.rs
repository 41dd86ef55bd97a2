//! The graph of signals, and who owns what.
//!
//! Every signal, memo and effect is a node. A node knows which nodes it read when it was last computed and which nodes
//! read it. Changing a signal marks what depends on it; effects are then run in a task of their own, so that several
//! changes at once are one update of the page. A memo that comes out the same stops the marking.
//!
//! A node belongs to the computation during which it was made, and is gone when that is made again or goes itself.

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

/// A node. The order is that in which nodes were made, so an owner comes before what it owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NodeId {
    born: u32,
    slot: u32,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Holds a value.
    Value,
    /// Computes a value when it is read and something has changed.
    Memo,
    /// Does something whenever what it read has changed.
    Effect,
}

/// How far a node may have fallen behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    Clean,
    /// A memo that it read may have changed.
    Check,
    /// Something that it read has changed.
    Dirty,
}

/// Computes a memo or runs an effect; whether a value has changed.
pub(crate) trait Compute {
    fn compute(&self, id: NodeId) -> bool;
}

impl<F: Fn(NodeId) -> bool> Compute for F {
    fn compute(&self, id: NodeId) -> bool {
        self(id)
    }
}

struct Node {
    born: u32,
    kind: Kind,
    state: State,
    value: Option<Rc<dyn Any>>,
    compute: Option<Rc<dyn Compute>>,
    sources: Vec<NodeId>,
    readers: Vec<NodeId>,
    owner: Option<NodeId>,
    owned: Vec<NodeId>,
    cleanups: Vec<Box<dyn FnOnce()>>,
    contexts: Vec<Rc<dyn Any>>,
}

#[derive(Default)]
struct Runtime {
    nodes: Vec<Option<Node>>,
    free: Vec<u32>,
    born: u32,
    owner: Option<NodeId>,
    /// What is being computed and notes what it reads.
    reader: Option<NodeId>,
    /// Effects to be run.
    waiting: Vec<NodeId>,
    is_flush_planned: bool,
}

thread_local! {
    static RUNTIME: RefCell<Runtime> = RefCell::default();
}

/// The runtime is never borrowed while foreign code runs: that code may come back here.
fn runtime<T>(act: impl FnOnce(&mut Runtime) -> T) -> T {
    RUNTIME.with_borrow_mut(act)
}

impl Runtime {
    fn node(&mut self, id: NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(id.slot as usize)?.as_mut().filter(|node| node.born == id.born)
    }

    /// Marks what read a node, and plans to run the effects among that.
    fn mark_readers(&mut self, id: NodeId, state: State) {
        let readers = self.node(id).map(|node| node.readers.clone()).unwrap_or_default();
        for reader in readers {
            let Some(node) = self.node(reader) else { continue };
            let (before, kind) = (node.state, node.kind);
            node.state = before.max(state);
            if before == State::Clean {
                match kind {
                    Kind::Effect => self.plan(reader),
                    _ => self.mark_readers(reader, State::Check),
                }
            }
        }
    }

    fn plan(&mut self, effect: NodeId) {
        self.waiting.push(effect);
        if !self.is_flush_planned {
            self.is_flush_planned = true;
            #[cfg(target_arch = "wasm32")]
            wasm_bindgen_futures::spawn_local(async { flush() });
        }
    }

    fn forget_sources(&mut self, id: NodeId) {
        let sources = self.node(id).map(|node| std::mem::take(&mut node.sources)).unwrap_or_default();
        for source in sources {
            if let Some(source) = self.node(source) {
                source.readers.retain(|reader| *reader != id);
            }
        }
    }

    fn remove(&mut self, id: NodeId) -> Option<Node> {
        self.forget_sources(id);
        self.node(id)?;
        self.free.push(id.slot);
        self.nodes.get_mut(id.slot as usize)?.take()
    }
}

/// Makes a node that belongs to the current owner.
pub(crate) fn create(kind: Kind, value: Option<Rc<dyn Any>>, compute: Option<Rc<dyn Compute>>) -> NodeId {
    runtime(|runtime| {
        runtime.born += 1;
        let (born, owner) = (runtime.born, runtime.owner);
        let slot = runtime.free.pop().unwrap_or_else(|| {
            runtime.nodes.push(None);
            runtime.nodes.len() as u32 - 1
        });
        let id = NodeId { born, slot };
        let node = Node {
            born,
            kind,
            state: if compute.is_some() { State::Dirty } else { State::Clean },
            value,
            compute,
            sources: Vec::new(),
            readers: Vec::new(),
            owner,
            owned: Vec::new(),
            cleanups: Vec::new(),
            contexts: Vec::new(),
        };
        runtime.nodes[slot as usize] = Some(node);
        if let Some(owner) = owner.and_then(|owner| runtime.node(owner)) {
            owner.owned.push(id);
        }
        id
    })
}

/// Plans the first run of an effect.
pub(crate) fn plan(effect: NodeId) {
    runtime(|runtime| runtime.plan(effect));
}

/// Whether a node notes that it was read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tracking {
    On,
    Off,
}

/// The value of a node as it is now; `None` if the node is gone.
pub(crate) fn value(id: NodeId, tracking: Tracking) -> Option<Rc<dyn Any>> {
    refresh(id);
    runtime(|runtime| {
        if tracking == Tracking::On {
            track(runtime, id);
        }
        runtime.node(id)?.value.clone()
    })
}

fn track(runtime: &mut Runtime, id: NodeId) {
    let Some(reader) = runtime.reader else { return };
    let Some(node) = runtime.node(reader) else { return };
    if node.sources.contains(&id) {
        return;
    }
    node.sources.push(id);
    if let Some(source) = runtime.node(id) {
        source.readers.push(reader);
    }
}

/// Puts a value into a node, without telling what read it; gives the value back if the node is gone.
pub(crate) fn put(id: NodeId, value: Rc<dyn Any>) -> Result<(), Rc<dyn Any>> {
    // The old value is dropped when the runtime is free: it may be a handle whose end touches signals.
    let before = runtime(|runtime| match runtime.node(id) {
        Some(node) => Ok(node.value.replace(value)),
        None => Err(value),
    });
    before.map(drop)
}

/// Takes the value out of a node, to change it in place.
pub(crate) fn take(id: NodeId) -> Option<Rc<dyn Any>> {
    runtime(|runtime| runtime.node(id)?.value.take())
}

/// Tells what read a node that it has changed.
pub(crate) fn notify(id: NodeId) {
    runtime(|runtime| runtime.mark_readers(id, State::Dirty));
}

/// Brings a memo or an effect up to date.
fn refresh(id: NodeId) {
    let behind = |runtime: &mut Runtime| runtime.node(id).map_or(State::Clean, |node| node.state);
    if runtime(behind) == State::Check {
        for source in runtime(|runtime| runtime.node(id).map(|node| node.sources.clone())).unwrap_or_default() {
            refresh(source);
            if runtime(behind) == State::Dirty {
                break;
            }
        }
        runtime(|runtime| {
            if let Some(node) = runtime.node(id).filter(|node| node.state == State::Check) {
                node.state = State::Clean;
            }
        });
    }
    if runtime(behind) == State::Dirty {
        run(id);
    }
}

/// Computes a memo or runs an effect.
pub(crate) fn run(id: NodeId) {
    clean_up(id);
    let compute = runtime(|runtime| {
        runtime.forget_sources(id);
        let node = runtime.node(id)?;
        // Before it runs: it may change what it has read.
        node.state = State::Clean;
        node.compute.clone()
    });
    let Some(compute) = compute else { return };
    if inside(Some(id), Some(id), || compute.compute(id)) {
        notify(id);
    }
}

/// Lets something happen with another owner and reader.
fn inside<T>(owner: Option<NodeId>, reader: Option<NodeId>, act: impl FnOnce() -> T) -> T {
    let swap = |owner, reader| {
        runtime(|it| (std::mem::replace(&mut it.owner, owner), std::mem::replace(&mut it.reader, reader)))
    };
    let before = swap(owner, reader);
    let done = act();
    swap(before.0, before.1);
    done
}

/// Ends what a node owns. What was asked for by [`on_cleanup`] still finds the values there.
fn clean_up(id: NodeId) {
    let taken = runtime(|runtime| {
        let node = runtime.node(id)?;
        node.contexts.clear();
        Some((std::mem::take(&mut node.owned), std::mem::take(&mut node.cleanups)))
    });
    let Some((owned, cleanups)) = taken else { return };
    for child in &owned {
        clean_up(*child);
    }
    if !cleanups.is_empty() {
        inside(None, None, || cleanups.into_iter().for_each(|cleanup| cleanup()));
    }
    for child in owned {
        // Dropped here, when the runtime is free.
        drop(runtime(|runtime| runtime.remove(child)));
    }
}

/// Runs the effects that wait, owners before what they own. The browser calls it by itself after each task.
pub fn flush() {
    loop {
        let next = runtime(|runtime| {
            let first = (0..runtime.waiting.len()).min_by_key(|at| runtime.waiting[*at]);
            runtime.is_flush_planned = first.is_some();
            first.map(|at| runtime.waiting.swap_remove(at))
        });
        match next {
            Some(effect) => refresh(effect),
            None => return,
        }
    }
}

/// Reads signals without following them.
pub fn untrack<T>(read: impl FnOnce() -> T) -> T {
    let owner = runtime(|runtime| runtime.owner);
    inside(owner, None, read)
}

/// Does something when the current owner ends or is computed anew.
pub fn on_cleanup(act: impl FnOnce() + 'static) {
    let act: Box<dyn FnOnce()> = Box::new(act);
    runtime(|runtime| {
        if let Some(owner) = runtime.owner.and_then(|owner| runtime.node(owner)) {
            owner.cleanups.push(act);
        }
    });
}

/// What owns signals: everything made with it ends with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner(NodeId);

impl Owner {
    /// A new owner, which belongs to the current one.
    pub fn new() -> Owner {
        Owner(create(Kind::Value, None, None))
    }

    /// The owner of what is made now.
    pub fn current() -> Option<Owner> {
        runtime(|runtime| runtime.owner).map(Owner)
    }

    /// Does something as this owner.
    pub fn with<T>(self, act: impl FnOnce() -> T) -> T {
        inside(Some(self.0), None, act)
    }

    /// Ends everything that it owns.
    pub fn end(self) {
        clean_up(self.0);
    }
}

impl Default for Owner {
    fn default() -> Owner {
        Owner::new()
    }
}

/// Hands a value to everything that the current owner comes to own.
pub fn provide_context<T: 'static>(value: T) {
    let value: Rc<dyn Any> = Rc::new(value);
    runtime(|runtime| {
        if let Some(owner) = runtime.owner.and_then(|owner| runtime.node(owner)) {
            owner.contexts.push(value);
        }
    });
}

/// The value of a type that the nearest owner has for it.
///
/// # Panics
/// If no owner has one.
pub fn expect_context<T: Clone + 'static>() -> T {
    let mut next = runtime(|runtime| runtime.owner);
    while let Some(owner) = next {
        let found = runtime(|runtime| {
            let node = runtime.node(owner)?;
            next = node.owner;
            node.contexts.iter().find(|context| context.is::<T>()).cloned()
        });
        if let Some(value) = found.and_then(|found| found.downcast_ref::<T>().cloned()) {
            return value;
        }
        if runtime(|runtime| runtime.node(owner).is_none()) {
            break;
        }
    }
    gone()
}

/// A signal was used after its owner had ended.
#[cold]
pub(crate) fn gone() -> ! {
    panic!("a signal or context is used that is gone")
}
