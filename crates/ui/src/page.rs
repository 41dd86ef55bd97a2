//! The page, its window, and time.

use std::time::Duration;

use wasm_bindgen::prelude::*;
use web_sys::{Document, Event, Window};

thread_local! {
    static WINDOW: Window = web_sys::window().expect("a window");
    static DOCUMENT: Document = window().document().expect("a document");
}

/// The window.
pub fn window() -> Window {
    WINDOW.with(Clone::clone)
}

/// The document.
pub fn document() -> Document {
    DOCUMENT.with(Clone::clone)
}

/// Does something after a while.
pub fn set_timeout(act: impl FnOnce() + 'static, after: Duration) {
    let act = once(Box::new(act));
    let _ = window().set_timeout_with_callback_and_timeout_and_arguments_0(act.unchecked_ref(), milliseconds(after));
}

/// Does something again and again.
pub fn set_interval_with_handle(act: impl Fn() + 'static, every: Duration) -> Result<IntervalHandle, JsValue> {
    repeat(Box::new(act), milliseconds(every))
}

fn repeat(act: Box<dyn FnMut()>, every: i32) -> Result<IntervalHandle, JsValue> {
    let act = Closure::wrap(act).into_js_value();
    window().set_interval_with_callback_and_timeout_and_arguments_0(act.unchecked_ref(), every).map(IntervalHandle)
}

fn milliseconds(duration: Duration) -> i32 {
    i32::try_from(duration.as_millis()).unwrap_or(i32::MAX)
}

/// Something that is done again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntervalHandle(i32);

impl IntervalHandle {
    /// No more.
    pub fn clear(&self) {
        window().clear_interval_with_handle(self.0);
    }
}

/// Does something before the page is drawn next.
pub fn request_animation_frame(act: impl FnOnce() + 'static) {
    let _ = window().request_animation_frame(once(Box::new(act)).unchecked_ref());
}

/// As a function that the browser calls once. What takes a closure of any type is compiled for each; this is one type.
fn once(act: Box<dyn FnOnce()>) -> JsValue {
    Closure::once_into_js(act)
}

/// Hears an event wherever on the page it happens.
pub fn window_event_listener<E: JsCast>(event: &'static str, mut act: impl FnMut(E) + 'static) -> WindowListener {
    listen(event, Box::new(move |event: Event| act(event.unchecked_into())))
}

fn listen(event: &'static str, act: Box<dyn FnMut(Event)>) -> WindowListener {
    let listener = Closure::wrap(act).into_js_value();
    let _ = window().add_event_listener_with_callback(event, listener.unchecked_ref());
    WindowListener { event, listener }
}

/// What hears an event of the window.
#[derive(Clone, Debug)]
pub struct WindowListener {
    event: &'static str,
    listener: JsValue,
}

impl WindowListener {
    /// Hears it no more.
    pub fn remove(&self) {
        let _ = window().remove_event_listener_with_callback(self.event, self.listener.unchecked_ref());
    }
}

/// What is written or chosen in the field where an event happened.
pub fn event_target_value(event: &impl AsRef<Event>) -> String {
    let target = event.as_ref().target();
    let value = target.and_then(|target| js_sys::Reflect::get(&target, &JsValue::from_str("value")).ok());
    value.and_then(|value| value.as_string()).unwrap_or_default()
}
