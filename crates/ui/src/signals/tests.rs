//! The graph without a page: what runs, how often, and what ends.

use std::cell::Cell;

use super::*;
use crate::{Owner, expect_context, flush, on_cleanup, provide_context, untrack};

/// Counts its calls.
#[derive(Clone, Default)]
struct Count(Rc<Cell<usize>>);

impl Count {
    fn up(&self) {
        self.0.set(self.0.get() + 1);
    }

    fn take(&self) -> usize {
        self.0.take()
    }
}

#[test]
fn several_changes_are_one_update() {
    let (signal, count) = (RwSignal::new(1), Count::default());
    let counted = count.clone();
    Effect::new(move || {
        signal.track();
        counted.up();
    });
    assert_eq!(count.take(), 0, "first with the next flush");
    flush();
    assert_eq!(count.take(), 1);
    signal.set(2);
    signal.update(|value| *value += 1);
    flush();
    assert_eq!((count.take(), signal.get()), (1, 3));
    flush();
    assert_eq!(count.take(), 0);
}

#[test]
fn a_memo_that_comes_out_the_same_stops_the_update() {
    let (signal, count) = (RwSignal::new(1), Count::default());
    let is_odd = Memo::new(move |_| signal.get() % 2 == 1);
    let text = Memo::new(move |_| is_odd.get().to_string());
    let counted = count.clone();
    Effect::new(move || {
        text.track();
        counted.up();
    });
    flush();
    assert_eq!(count.take(), 1);
    signal.set(3);
    flush();
    assert_eq!(count.take(), 0);
    signal.set(4);
    assert_eq!(text.get_untracked(), "false", "a memo is up to date whenever it is read");
    flush();
    assert_eq!(count.take(), 1);
}

#[test]
fn what_was_not_read_last_time_is_not_followed() {
    let (which, one, other) = (RwSignal::new(true), RwSignal::new(1), RwSignal::new(2));
    let count = Count::default();
    let counted = count.clone();
    Effect::new(move || {
        counted.up();
        if which.get() { one.get() } else { untrack(|| other.get()) }
    });
    flush();
    count.take();
    which.set(false);
    flush();
    assert_eq!(count.take(), 1);
    one.set(5);
    other.set(5);
    flush();
    assert_eq!(count.take(), 0);
}

#[test]
fn what_an_effect_made_ends_when_it_runs_again() {
    let signal = RwSignal::new(0);
    let (made, ended) = (Rc::new(RefCell::new(Vec::new())), Count::default());
    let (making, ending) = (made.clone(), ended.clone());
    Effect::new(move || {
        let inner = RwSignal::new(signal.get());
        let ending = ending.clone();
        // Its own signals are still there when it ends.
        on_cleanup(move || {
            inner.get_untracked();
            ending.up();
        });
        making.borrow_mut().push(inner);
    });
    flush();
    assert_eq!(ended.take(), 0);
    signal.set(1);
    flush();
    assert_eq!(ended.take(), 1);
    let made = made.borrow();
    assert_eq!(made.iter().map(|it| it.try_get_untracked()).collect::<Vec<_>>(), [None, Some(1)]);
    assert_eq!(made[0].try_set(7), Some(7));
    assert_eq!(made[1].try_set(7), None);
}

#[test]
fn an_owner_runs_before_what_it_owns() {
    let shown = RwSignal::new(Some(1));
    let count = Count::default();
    let counted = count.clone();
    Effect::new(move || {
        let counted = counted.clone();
        if shown.with(Option::is_some) {
            // It would fail if it ran after the value has gone.
            Effect::new(move || {
                shown.get().expect("it is shown");
                counted.up();
            });
        }
    });
    flush();
    shown.set(None);
    flush();
    assert_eq!(count.take(), 1);
}

#[test]
fn an_effect_gets_what_it_gave() {
    let (signal, given) = (RwSignal::new(1), RwSignal::new(None));
    Effect::new(move |before: Option<i32>| {
        given.set(before);
        signal.get()
    });
    flush();
    signal.set(2);
    flush();
    assert_eq!(given.get(), Some(1));
}

#[test]
fn a_signal_is_whatever_is_behind_it() {
    let signal = RwSignal::new(2);
    let double = Signal::derive(move || signal.get() * 2);
    let quadruple = Memo::new(move |_| double.get() * 2);
    let all: [Signal<i32>; 3] = [signal.into(), double, quadruple.into()];
    assert_eq!(all.map(|it| it.get()), [2, 4, 8]);
    signal.set(3);
    assert_eq!(all.map(|it| it.get()), [3, 6, 12]);
}

#[test]
fn a_context_is_the_nearest_of_its_type() {
    let owner = Owner::new();
    owner.with(|| {
        provide_context(1_u8);
        provide_context("one");
        Owner::new().with(|| {
            provide_context(2_u8);
            assert_eq!((expect_context::<u8>(), expect_context::<&str>()), (2, "one"));
        });
        assert_eq!(expect_context::<u8>(), 1);
    });
}

#[test]
fn an_owner_that_ends_takes_everything_with_it() {
    let owner = Owner::new();
    let (signal, callback) = owner.with(|| (RwSignal::new(1), Callback::new(|number: i32| number + 1)));
    assert_eq!(callback.run(1), 2);
    owner.end();
    assert_eq!(signal.try_get_untracked(), None);
}
