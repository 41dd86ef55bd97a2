//! The graph of signals, and who owns what.
//!
//! Every signal, memo and effect is a node. A node knows which nodes it read when it was last computed and which nodes
//! read it. Changing a signal marks what depends on it; effects are then run in a task of their own, so that several
//! changes at once are one update of the page. A memo that comes out the same stops the marking.
//!
//! A node belongs to the computation during which it was made, and is gone when that is made again or goes itself.

use std::any::Any;
use std::cell::RefCell;
use std::num::NonZeroU32;
use std::rc::Rc;

use crate::stored::Stored;

/// A node. The order is that in which nodes were made, so an owner comes before what it owns.
///
/// One number, which no other node gets: every closure of every page holds some, and each word more is read, written and
/// passed in thousands of places of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NodeId(NonZeroU32);

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Holds a value.
    Value,
    /// Holds a closure that gives a value.
    Derived,
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

/// The value of a node. One word, whatever it is, and one piece of code that drops it: a counted pointer to each type has
/// its own.
pub(crate) type Shared = Rc<Box<dyn Stored>>;

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
    kind: Kind,
    state: State,
    value: Option<Shared>,
    compute: Option<Rc<dyn Compute>>,
    sources: Vec<NodeId>,
    readers: Vec<NodeId>,
    owner: Option<NodeId>,
    owned: Vec<NodeId>,
    cleanups: Vec<Box<dyn FnOnce()>>,
    contexts: Vec<Rc<dyn Any>>,
}

struct Runtime {
    /// In the order in which they were made; what is gone leaves its place for a while.
    nodes: Vec<(NodeId, Option<Box<Node>>)>,
    /// How many places are empty.
    gone: usize,
    last: NodeId,
    owner: Option<NodeId>,
    /// What is being computed and notes what it reads.
    reader: Option<NodeId>,
    /// Effects to be run.
    waiting: Vec<NodeId>,
    is_flush_planned: bool,
}

thread_local! {
    static RUNTIME: RefCell<Runtime> = const { RefCell::new(Runtime::new()) };
}

/// The runtime is never borrowed while foreign code runs: that code may come back here.
fn runtime<T>(act: impl FnOnce(&mut Runtime) -> T) -> T {
    RUNTIME.with_borrow_mut(act)
}

impl Runtime {
    const fn new() -> Runtime {
        Runtime {
            nodes: Vec::new(),
            gone: 0,
            last: NodeId(NonZeroU32::MIN),
            owner: None,
            reader: None,
            waiting: Vec::new(),
            is_flush_planned: false,
        }
    }

    fn node(&mut self, id: NodeId) -> Option<&mut Node> {
        let place = self.place(id)?;
        self.nodes[place].1.as_deref_mut()
    }

    fn place(&self, id: NodeId) -> Option<usize> {
        self.nodes.binary_search_by_key(&id, |(id, _)| *id).ok()
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

    fn remove(&mut self, id: NodeId) -> Option<Box<Node>> {
        self.forget_sources(id);
        let place = self.place(id)?;
        let node = self.nodes[place].1.take()?;
        self.gone += 1;
        // Each removal for itself would move all that were made later.
        if self.gone > self.nodes.len() / 2 {
            self.nodes.retain(|(_, node)| node.is_some());
            self.gone = 0;
        }
        Some(node)
    }
}

/// Makes a node that belongs to the current owner.
pub(crate) fn create(kind: Kind, value: Option<Shared>, compute: Option<Rc<dyn Compute>>) -> NodeId {
    runtime(|runtime| {
        let id = NodeId(runtime.last.0.checked_add(1).unwrap_or_else(|| gone()));
        let owner = runtime.owner;
        runtime.last = id;
        let node = Node {
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
        runtime.nodes.push((id, Some(Box::new(node))));
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

/// The value of a node as it is now, with the node's kind; `None` if the node is gone.
pub(crate) fn value(id: NodeId, tracking: Tracking) -> Option<(Kind, Shared)> {
    refresh(id);
    runtime(|runtime| {
        if tracking == Tracking::On {
            track(runtime, id);
        }
        let node = runtime.node(id)?;
        Some((node.kind, node.value.clone()?))
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
pub(crate) fn put(id: NodeId, value: Shared) -> Result<(), Shared> {
    // The old value is dropped when the runtime is free: it may be a handle whose end touches signals.
    let before = runtime(|runtime| match runtime.node(id) {
        Some(node) => Ok(node.value.replace(value)),
        None => Err(value),
    });
    before.map(drop)
}

/// Takes the value out of a node, to change it in place.
pub(crate) fn take(id: NodeId) -> Option<Shared> {
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
    let before = swap((owner, reader));
    let done = act();
    swap(before);
    done
}

/// Puts another owner and reader in place of those there are. As all that is called by code of many types, it is compiled
/// once.
#[inline(never)]
fn swap((owner, reader): (Option<NodeId>, Option<NodeId>)) -> (Option<NodeId>, Option<NodeId>) {
    runtime(|it| (std::mem::replace(&mut it.owner, owner), std::mem::replace(&mut it.reader, reader)))
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
    inside(owner(), None, read)
}

#[inline(never)]
fn owner() -> Option<NodeId> {
    runtime(|runtime| runtime.owner)
}

/// Does something when the current owner ends or is computed anew.
pub fn on_cleanup(act: impl FnOnce() + 'static) {
    plan_cleanup(Box::new(act));
}

/// The part of [`on_cleanup`] that is the same for all closures.
fn plan_cleanup(act: Box<dyn FnOnce()>) {
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
        owner().map(Owner)
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
    provide(Rc::new(value));
}

/// The part of [`provide_context`] that is the same for all types.
fn provide(value: Rc<dyn Any>) {
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
