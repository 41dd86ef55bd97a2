//! What can stand in a view.

use std::borrow::Cow;
use std::fmt;

use wasm_bindgen::JsCast;
use web_sys::{Element, Event};

use crate::{Memo, NodeRef, RwSignal, Signal};

/// Anything in a view: a part of the page, the value of an attribute, or a handler of events.
pub enum AnyView {
    /// Nothing; an attribute that is not there.
    Nothing,
    /// A text.
    Text(Cow<'static, str>),
    /// An attribute that is there or not, without a value.
    Flag(bool),
    /// What follows signals.
    Live(Box<dyn Show>),
    /// One after the other.
    List(Vec<AnyView>),
    /// A template and what belongs into its holes; `view!` makes it.
    Markup(&'static str, Vec<AnyView>),
    /// What an event does.
    Handler(Box<dyn Handle>),
    /// Where an element is to be noted.
    Place(RwSignal<Option<Element>>),
}

/// A closure that gives a view.
///
/// Not `dyn FnMut`, nor below: its table has an entry for `FnOnce`, which nothing here calls, and which would be forty bytes
/// of the program for every closure of every page.
pub trait Show {
    /// What is to be shown now.
    fn show(&mut self) -> AnyView;
}

impl<F: FnMut() -> AnyView> Show for F {
    fn show(&mut self) -> AnyView {
        self()
    }
}

/// A closure that an event calls.
pub trait Handle {
    /// Does what the event asks for.
    fn handle(&mut self, event: Event);
}

impl<F: FnMut(Event)> Handle for F {
    fn handle(&mut self, event: Event) {
        self(event);
    }
}

impl AnyView {
    /// Whether this is certainly the same value of an attribute, or the same text.
    pub(crate) fn is_same(&self, other: &AnyView) -> bool {
        match (self, other) {
            (AnyView::Nothing, AnyView::Nothing) => true,
            (AnyView::Text(text), AnyView::Text(other)) => text == other,
            (AnyView::Flag(flag), AnyView::Flag(other)) => flag == other,
            _ => false,
        }
    }
}

impl fmt::Debug for AnyView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AnyView")
    }
}

/// What can stand in a view.
pub trait IntoView {
    /// As a view.
    fn into_view(self) -> AnyView;

    /// As a view, for functions that give different ones.
    fn into_any(self) -> AnyView
    where
        Self: Sized,
    {
        self.into_view()
    }
}

/// Several views, one after the other.
pub trait CollectView {
    /// As one view.
    fn collect_view(self) -> AnyView;
}

impl<I: IntoIterator<Item: IntoView>> CollectView for I {
    fn collect_view(self) -> AnyView {
        AnyView::List(self.into_iter().map(IntoView::into_view).collect())
    }
}

/// What can handle an event: a closure, or what is a handler already.
pub trait IntoHandler<E> {
    /// As the value of an attribute.
    fn into_handler(self) -> AnyView;
}

impl<E: JsCast, F: FnMut(E) + 'static> IntoHandler<E> for F {
    fn into_handler(mut self) -> AnyView {
        AnyView::Handler(Box::new(move |event: Event| self(event.unchecked_into())))
    }
}

impl<E> IntoHandler<E> for AnyView {
    fn into_handler(self) -> AnyView {
        self
    }
}

/// What an event does, whatever its type; for closures that do not say which.
pub fn handler<E: JsCast>(act: impl FnMut(E) + 'static) -> AnyView {
    act.into_handler()
}

impl IntoView for AnyView {
    fn into_view(self) -> AnyView {
        self
    }
}

impl IntoView for () {
    fn into_view(self) -> AnyView {
        AnyView::Nothing
    }
}

impl IntoView for bool {
    fn into_view(self) -> AnyView {
        AnyView::Flag(self)
    }
}

impl IntoView for &'static str {
    fn into_view(self) -> AnyView {
        AnyView::Text(Cow::Borrowed(self))
    }
}

impl IntoView for String {
    fn into_view(self) -> AnyView {
        AnyView::Text(Cow::Owned(self))
    }
}

impl IntoView for Cow<'static, str> {
    fn into_view(self) -> AnyView {
        AnyView::Text(self)
    }
}

macro_rules! numbers {
    ($($number:ty),+) => {$(
        impl IntoView for $number {
            fn into_view(self) -> AnyView {
                AnyView::Text(Cow::Owned(self.to_string()))
            }
        }
    )+};
}

numbers!(u8, u16, u32, u64, usize, i32, i64);

impl<T: IntoView> IntoView for Option<T> {
    fn into_view(self) -> AnyView {
        self.map_or(AnyView::Nothing, T::into_view)
    }
}

impl<T: IntoView> IntoView for Vec<T> {
    fn into_view(self) -> AnyView {
        self.collect_view()
    }
}

impl<T: IntoView, const N: usize> IntoView for [T; N] {
    fn into_view(self) -> AnyView {
        self.collect_view()
    }
}

impl<T: IntoView, F: FnMut() -> T + 'static> IntoView for F {
    fn into_view(mut self) -> AnyView {
        AnyView::Live(Box::new(move || self().into_view()))
    }
}

impl<T: IntoView + Clone> IntoView for RwSignal<T> {
    fn into_view(self) -> AnyView {
        AnyView::Live(Box::new(move || self.get().into_view()))
    }
}

impl<T: IntoView + Clone> IntoView for Memo<T> {
    fn into_view(self) -> AnyView {
        AnyView::Live(Box::new(move || self.get().into_view()))
    }
}

impl<T: IntoView + Clone> IntoView for Signal<T> {
    fn into_view(self) -> AnyView {
        AnyView::Live(Box::new(move || self.get().into_view()))
    }
}

impl<E> IntoView for NodeRef<E> {
    fn into_view(self) -> AnyView {
        AnyView::Place(self.element)
    }
}
