//! Handles of signals, memos, effects and stored values: each can be copied into every closure.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::ops::Deref;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::Element;

use crate::runtime::{self, Kind, NodeId, Shared, Tracking, gone};
use crate::stored::{Stored, typed, typed_mut, unboxed};

/// A closure behind a [`Signal`].
struct Derived(Box<dyn Derive>);

trait Derive {
    fn derive(&self) -> Box<dyn Stored>;
}

impl<F: Fn() -> Box<dyn Stored>> Derive for F {
    fn derive(&self) -> Box<dyn Stored> {
        self()
    }
}

/// A closure behind a [`Memo`]: gives a value if it is another one than before.
trait Remember {
    fn compute(&self, before: Option<&dyn Stored>) -> Option<Box<dyn Stored>>;
}

impl<F: Fn(Option<&dyn Stored>) -> Option<Box<dyn Stored>>> Remember for F {
    fn compute(&self, before: Option<&dyn Stored>) -> Option<Box<dyn Stored>> {
        self(before)
    }
}

/// A value of a signal that is read, for as long as it is looked at.
pub struct Read<T> {
    shared: Shared,
    kind: PhantomData<T>,
}

impl<T> Read<T> {
    /// Of a value of this type.
    fn new(shared: Shared) -> Read<T> {
        Read { shared, kind: PhantomData }
    }
}

impl<T: 'static> Deref for Read<T> {
    type Target = T;

    fn deref(&self) -> &T {
        typed(&**self.shared)
    }
}

/// The part of [`Signal::derive`] that is the same for all types.
fn derived(derive: Box<dyn Derive>) -> NodeId {
    let value: Box<dyn Stored> = Box::new(Derived(derive));
    runtime::create(Kind::Derived, Some(Rc::new(value)), None)
}

/// The part of [`Memo::new`] that is the same for all types.
fn memo(memo: Box<dyn Remember>) -> NodeId {
    let compute = move |id: NodeId| {
        // Its own value is there whether or not it is up to date.
        let before = runtime::take(id);
        let new = memo.compute(before.as_deref().map(|before| &**before)).map(Rc::new);
        let is_changed = new.is_some();
        // Gone meanwhile, if at all.
        let _ = new.or(before).map(|value| runtime::put(id, value));
        is_changed
    };
    runtime::create(Kind::Memo, None, Some(Rc::new(compute)))
}

/// The part of [`RwSignal::set`] that is the same for all types.
fn set(id: NodeId, value: Box<dyn Stored>) {
    if runtime::put(id, Rc::new(value)).is_err() {
        gone();
    }
    runtime::notify(id);
}

/// The part of [`RwSignal::try_set`] that is the same for all types.
fn try_set(id: NodeId, value: Box<dyn Stored>) -> Option<Box<dyn Stored>> {
    match runtime::put(id, Rc::new(value)) {
        Ok(()) => {
            runtime::notify(id);
            None
        }
        Err(value) => Rc::into_inner(value),
    }
}

/// A node with a value of its own.
fn value(value: Box<dyn Stored>) -> NodeId {
    runtime::create(Kind::Value, Some(Rc::new(value)), None)
}

/// Reads a signal of any kind; `None` if it is gone.
fn read<T: 'static>(id: NodeId, tracking: Tracking) -> Option<Read<T>> {
    read_any(id, tracking).map(Read::new)
}

/// The part of [`read`] that is the same for all types.
fn read_any(id: NodeId, tracking: Tracking) -> Option<Shared> {
    let (kind, value) = runtime::value(id, tracking)?;
    if kind != Kind::Derived {
        return Some(value);
    }
    let derived: &Derived = typed(&**value);
    Some(Rc::new(match tracking {
        Tracking::On => derived.0.derive(),
        Tracking::Off => runtime::untrack(|| derived.0.derive()),
    }))
}

/// Reads a signal that is there.
fn read_now(id: NodeId, tracking: Tracking) -> Shared {
    read_any(id, tracking).unwrap_or_else(|| gone())
}

/// Changes a value in place; `None` if it is gone.
fn change<T: 'static, U>(id: NodeId, act: impl FnOnce(&mut T) -> U) -> Option<U> {
    let mut taken = Taken::out_of(id)?;
    Some(act(typed_mut(taken.value())))
}

/// A value while it is changed; then it goes back into its node. All of it is the same for all types.
struct Taken {
    id: NodeId,
    value: Option<Shared>,
}

impl Taken {
    fn out_of(id: NodeId) -> Option<Taken> {
        let value = Some(runtime::take(id)?);
        Some(Taken { id, value })
    }

    #[inline(never)]
    fn value(&mut self) -> &mut dyn Stored {
        &mut **self.value.as_mut().and_then(Rc::get_mut).expect("a signal is not changed while it is read")
    }
}

impl Drop for Taken {
    #[inline(never)]
    fn drop(&mut self) {
        self.value.take().into_iter().for_each(|value| drop(runtime::put(self.id, value)));
    }
}

/// Puts a value into a node; once the node is gone, nothing reads it.
fn put_back(id: NodeId, value: Box<dyn Stored>) {
    let _ = runtime::put(id, Rc::new(value));
}

/// That a handle is for exactly this type, and in its own thread alone, where its node is.
type Kept<T> = PhantomData<(fn(T) -> T, *const ())>;

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident;)+) => {$(
        $(#[$doc])*
        pub struct $name<T: 'static> {
            id: NodeId,
            kind: Kept<T>,
        }

        impl<T: 'static> $name<T> {
            fn from_id(id: NodeId) -> $name<T> {
                $name { id, kind: PhantomData }
            }
        }

        impl<T: 'static> Copy for $name<T> {}

        impl<T: 'static> Clone for $name<T> {
            fn clone(&self) -> $name<T> {
                *self
            }
        }

        impl<T: 'static> PartialEq for $name<T> {
            fn eq(&self, other: &$name<T>) -> bool {
                self.id == other.id
            }
        }

        impl<T: 'static> Eq for $name<T> {}

        impl<T: 'static> std::fmt::Debug for $name<T> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(stringify!($name))
            }
        }
    )+};
}

handles! {
    /// A value that can be read, changed and followed.
    RwSignal;
    /// A value that follows others and is computed only when they have changed.
    Memo;
    /// Something that can be read and followed, whatever is behind it.
    Signal;
    /// A value that is not followed.
    StoredValue;
}

macro_rules! readable {
    ($($name:ident),+) => {$(
        impl<T: 'static> $name<T> {
            /// The value itself, followed.
            pub fn read(&self) -> Read<T> {
                Read::new(read_now(self.id, Tracking::On))
            }

            /// The value itself, not followed.
            pub fn read_untracked(&self) -> Read<T> {
                Read::new(read_now(self.id, Tracking::Off))
            }

            /// Reads the value and follows it.
            pub fn with<U>(&self, act: impl FnOnce(&T) -> U) -> U {
                act(&self.read())
            }

            /// Reads the value without following it.
            pub fn with_untracked<U>(&self, act: impl FnOnce(&T) -> U) -> U {
                act(&self.read_untracked())
            }

            /// Reads the value without following it; `None` if it is gone.
            pub fn try_with_untracked<U>(&self, act: impl FnOnce(&T) -> U) -> Option<U> {
                read(self.id, Tracking::Off).map(|value| act(&value))
            }

            /// Follows the value.
            pub fn track(&self) {
                drop(self.read());
            }
        }

        impl<T: Clone + 'static> $name<T> {
            /// The value, followed.
            pub fn get(&self) -> T {
                T::clone(&self.read())
            }

            /// The value, not followed.
            pub fn get_untracked(&self) -> T {
                T::clone(&self.read_untracked())
            }

            /// The value, not followed; `None` if it is gone.
            pub fn try_get_untracked(&self) -> Option<T> {
                self.try_with_untracked(T::clone)
            }
        }
    )+};
}

readable!(RwSignal, Memo, Signal);

impl<T: 'static> RwSignal<T> {
    /// A signal that belongs to the current owner.
    pub fn new(value: T) -> RwSignal<T> {
        RwSignal::from_id(self::value(Box::new(value)))
    }

    /// Puts another value in its place.
    pub fn set(&self, value: T) {
        set(self.id, Box::new(value));
    }

    /// Puts another value in its place; gives it back if the signal is gone.
    pub fn try_set(&self, value: T) -> Option<T> {
        try_set(self.id, Box::new(value)).map(unboxed)
    }

    /// Changes the value in place.
    pub fn update(&self, act: impl FnOnce(&mut T)) {
        self.try_update(act).unwrap_or_else(|| gone());
    }

    /// Changes the value in place and gives what the change gives; `None` if the signal is gone.
    pub fn try_update<U>(&self, act: impl FnOnce(&mut T) -> U) -> Option<U> {
        let done = change(self.id, act)?;
        runtime::notify(self.id);
        Some(done)
    }

    /// Changes the value in place without telling those who follow it; `None` if the signal is gone.
    pub fn try_update_untracked<U>(&self, act: impl FnOnce(&mut T) -> U) -> Option<U> {
        change(self.id, act)
    }
}

impl<T: PartialEq + 'static> Memo<T> {
    /// A value that is computed from others, and from what it was before.
    pub fn new(compute: impl Fn(Option<&T>) -> T + 'static) -> Memo<T> {
        let compute = move |before: Option<&dyn Stored>| {
            let old = before.map(typed::<T>);
            let new = compute(old);
            (old != Some(&new)).then(|| Box::new(new) as Box<dyn Stored>)
        };
        Memo::from_id(memo(Box::new(compute)))
    }
}

impl<T: 'static> Signal<T> {
    /// What a closure gives, computed whenever it is read.
    pub fn derive(compute: impl Fn() -> T + 'static) -> Signal<T> {
        Signal::from_id(derived(Box::new(move || Box::new(compute()) as Box<dyn Stored>)))
    }

    /// Always the same value.
    pub fn stored(value: T) -> Signal<T> {
        RwSignal::new(value).into()
    }
}

impl<T: 'static> From<RwSignal<T>> for Signal<T> {
    fn from(signal: RwSignal<T>) -> Signal<T> {
        Signal::from_id(signal.id)
    }
}

impl<T: 'static> From<Memo<T>> for Signal<T> {
    fn from(memo: Memo<T>) -> Signal<T> {
        Signal::from_id(memo.id)
    }
}

impl<T: 'static> StoredValue<T> {
    /// A value that belongs to the current owner.
    pub fn new(value: T) -> StoredValue<T> {
        StoredValue::from_id(self::value(Box::new(value)))
    }

    /// Reads the value.
    pub fn with_value<U>(&self, act: impl FnOnce(&T) -> U) -> U {
        self.try_with_value(act).unwrap_or_else(|| gone())
    }

    /// Reads the value; `None` if it is gone.
    pub fn try_with_value<U>(&self, act: impl FnOnce(&T) -> U) -> Option<U> {
        read(self.id, Tracking::Off).map(|value| act(&value))
    }

    /// Puts another value in its place.
    pub fn set_value(&self, value: T) {
        put_back(self.id, Box::new(value));
    }

    /// Changes the value in place.
    pub fn update_value(&self, act: impl FnOnce(&mut T)) {
        self.try_update_value(act).unwrap_or_else(|| gone());
    }

    /// Changes the value in place and gives what the change gives; `None` if it is gone.
    pub fn try_update_value<U>(&self, act: impl FnOnce(&mut T) -> U) -> Option<U> {
        change(self.id, act)
    }
}

impl<T: Clone + 'static> StoredValue<T> {
    /// The value.
    pub fn get_value(&self) -> T {
        self.with_value(T::clone)
    }

    /// The value; `None` if it is gone.
    pub fn try_get_value(&self) -> Option<T> {
        self.try_with_value(T::clone)
    }
}

/// Something that is done again whenever a signal that it read has changed.
#[derive(Clone, Copy, Debug)]
pub struct Effect;

impl Effect {
    /// Does it first once the page is as it is made now.
    pub fn new<T: 'static, M>(act: impl EffectFunction<T, M> + 'static) -> Effect {
        let (mut act, mut last) = (act, None);
        let effect = effect(Box::new(move || last = Some(act.run(last.take()))));
        runtime::plan(effect);
        Effect
    }

    /// Does it at once, and then whenever something has changed.
    pub(crate) fn now(act: Box<dyn Act>) {
        runtime::run(effect(act));
    }
}

/// What an effect does.
pub(crate) trait Act {
    fn act(&mut self);
}

impl<F: FnMut()> Act for F {
    fn act(&mut self) {
        self();
    }
}

fn effect(act: Box<dyn Act>) -> NodeId {
    let act = RefCell::new(act);
    let compute = move |_: NodeId| {
        act.borrow_mut().act();
        false
    };
    runtime::create(Kind::Effect, None, Some(Rc::new(compute)))
}

/// What an effect does: a closure without arguments, or one that gets what it gave last time.
pub trait EffectFunction<T, M> {
    /// Does it.
    fn run(&mut self, last: Option<T>) -> T;
}

impl<T, F: FnMut() -> T> EffectFunction<T, ()> for F {
    fn run(&mut self, _: Option<T>) -> T {
        self()
    }
}

impl<T, F: FnMut(Option<T>) -> T> EffectFunction<T, (T,)> for F {
    fn run(&mut self, last: Option<T>) -> T {
        self(last)
    }
}

/// A function that can be copied into every closure.
pub struct Callback<In: 'static, Out: 'static = ()>(StoredValue<Rc<dyn Fn(In) -> Out>>);

impl<In: 'static, Out: 'static> Callback<In, Out> {
    /// A function that belongs to the current owner.
    pub fn new(act: impl Fn(In) -> Out + 'static) -> Callback<In, Out> {
        Callback(StoredValue::new(Rc::new(act)))
    }

    /// Calls it.
    pub fn run(&self, input: In) -> Out {
        self.0.get_value()(input)
    }
}

impl<In: 'static, Out: 'static> Copy for Callback<In, Out> {}

impl<In: 'static, Out: 'static> Clone for Callback<In, Out> {
    fn clone(&self) -> Callback<In, Out> {
        *self
    }
}

/// An element of the page, once it is there.
pub struct NodeRef<E> {
    pub(crate) element: RwSignal<Option<Element>>,
    kind: PhantomData<fn() -> E>,
}

impl<E: JsCast> NodeRef<E> {
    /// For an element that is to be made.
    #[allow(clippy::new_without_default)]
    pub fn new() -> NodeRef<E> {
        NodeRef { element: RwSignal::new(None), kind: PhantomData }
    }

    /// The element, followed.
    pub fn get(&self) -> Option<E> {
        self.element.get().and_then(|element| element.dyn_into().ok())
    }

    /// The element.
    pub fn get_untracked(&self) -> Option<E> {
        self.element.get_untracked().and_then(|element| element.dyn_into().ok())
    }
}

impl<E> Copy for NodeRef<E> {}

impl<E> Clone for NodeRef<E> {
    fn clone(&self) -> NodeRef<E> {
        *self
    }
}

#[cfg(test)]
mod tests;
