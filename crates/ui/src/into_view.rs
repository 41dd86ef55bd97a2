//! What can stand in a view.

use std::borrow::Cow;
use std::fmt;

use wasm_bindgen::JsCast;
use web_sys::{Element, Event};

use crate::{Memo, NodeRef, RwSignal, Signal};

/// Anything in a view: a part of the page, the value of an attribute, or a handler of events.
///
/// One word, with what it is in a box: pages make thousands, and hand on each of them several times. For the same reason
/// everything that makes one is compiled once.
pub struct AnyView(Option<Box<View>>);

/// What an [`AnyView`] is.
pub(crate) enum View {
    /// Nothing; an attribute that is not there.
    Nothing,
    /// A text.
    Text(Cow<'static, str>),
    /// An attribute that is there or not, without a value; one that begins with `aria-` is `true` or `false`.
    Flag(bool),
    /// What follows signals.
    Live(Box<dyn Show>),
    /// One after the other.
    List(Vec<AnyView>),
    /// A template and what belongs into its holes; `view!` makes it.
    Markup(&'static str, Box<[AnyView]>),
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
    /// Nothing; an attribute that is not there.
    pub const NOTHING: AnyView = AnyView(None);

    /// A text that the program carries.
    #[inline(never)]
    pub fn constant(text: &'static str) -> AnyView {
        AnyView::text(Cow::Borrowed(text))
    }

    #[inline(never)]
    fn text(text: Cow<'static, str>) -> AnyView {
        AnyView(Some(Box::new(View::Text(text))))
    }

    /// What follows signals.
    #[inline(never)]
    pub fn live(show: Box<dyn Show>) -> AnyView {
        AnyView(Some(Box::new(View::Live(show))))
    }

    /// One after the other.
    #[inline(never)]
    pub fn list(views: Vec<AnyView>) -> AnyView {
        AnyView(Some(Box::new(View::List(views))))
    }

    /// A template and what belongs into its holes; `view!` makes it.
    #[inline(never)]
    pub fn markup(template: &'static str, values: Box<[AnyView]>) -> AnyView {
        AnyView(Some(Box::new(View::Markup(template, values))))
    }

    /// What an event does.
    #[inline(never)]
    pub fn handler(act: Box<dyn Handle>) -> AnyView {
        AnyView(Some(Box::new(View::Handler(act))))
    }

    #[inline(never)]
    fn flag(flag: bool) -> AnyView {
        AnyView(Some(Box::new(View::Flag(flag))))
    }

    /// What it is.
    pub(crate) fn open(self) -> View {
        self.0.map_or(View::Nothing, |view| *view)
    }
}

impl View {
    /// Whether this is certainly the same value of an attribute, or the same text.
    pub(crate) fn is_same(&self, other: &View) -> bool {
        match (self, other) {
            (View::Nothing, View::Nothing) => true,
            (View::Text(text), View::Text(other)) => text == other,
            (View::Flag(flag), View::Flag(other)) => flag == other,
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
        AnyView::list(self.into_iter().map(IntoView::into_view).collect())
    }
}

/// What can handle an event: a closure, or what is a handler already.
pub trait IntoHandler<E> {
    /// As the value of an attribute.
    fn into_handler(self) -> AnyView;
}

impl<E: JsCast, F: FnMut(E) + 'static> IntoHandler<E> for F {
    fn into_handler(mut self) -> AnyView {
        AnyView::handler(Box::new(move |event: Event| self(event.unchecked_into())))
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
        AnyView::NOTHING
    }
}

impl IntoView for bool {
    fn into_view(self) -> AnyView {
        AnyView::flag(self)
    }
}

impl IntoView for &'static str {
    fn into_view(self) -> AnyView {
        AnyView::constant(self)
    }
}

impl IntoView for String {
    fn into_view(self) -> AnyView {
        AnyView::text(Cow::Owned(self))
    }
}

impl IntoView for Cow<'static, str> {
    fn into_view(self) -> AnyView {
        AnyView::text(self)
    }
}

macro_rules! numbers {
    ($($number:ty),+) => {$(
        impl IntoView for $number {
            fn into_view(self) -> AnyView {
                self.to_string().into_view()
            }
        }
    )+};
}

numbers!(u8, u16, u32, u64, usize, i32, i64);

impl<T: IntoView> IntoView for Option<T> {
    fn into_view(self) -> AnyView {
        self.map_or(AnyView::NOTHING, T::into_view)
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
        AnyView::live(Box::new(move || self().into_view()))
    }
}

impl<T: IntoView + Clone> IntoView for RwSignal<T> {
    fn into_view(self) -> AnyView {
        AnyView::live(Box::new(move || self.get().into_view()))
    }
}

impl<T: IntoView + Clone> IntoView for Memo<T> {
    fn into_view(self) -> AnyView {
        AnyView::live(Box::new(move || self.get().into_view()))
    }
}

impl<T: IntoView + Clone> IntoView for Signal<T> {
    fn into_view(self) -> AnyView {
        AnyView::live(Box::new(move || self.get().into_view()))
    }
}

impl<E> IntoView for NodeRef<E> {
    fn into_view(self) -> AnyView {
        AnyView(Some(Box::new(View::Place(self.element))))
    }
}
