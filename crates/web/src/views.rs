//! Pieces of views that pages share: texts in the language of the app, buttons, and parts that come and go.

use std::pin::Pin;

use locale::Language;
use ui::Show;
use ui::ev::Event;
use ui::prelude::*;

use crate::app::settings;
use art::{Icon, icon};

/// A text in the language of the app.
pub fn say(text: fn(Language) -> &'static str) -> AnyView {
    let settings = settings();
    live(move || text(settings.lang()))
}

/// A value that follows signals: an attribute, or a text.
pub fn live<T: IntoView + 'static>(value: impl FnMut() -> T + 'static) -> AnyView {
    value.into_view()
}

/// A length of a drawing with one decimal place. The standard library prints any `f64`, which takes far more code.
pub fn tenths(length: f64) -> String {
    let tenths = (length * 10.0).round() as u32;
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// What a press does.
pub fn press(act: impl Fn() + 'static) -> AnyView {
    AnyView::handler(Box::new(move |_: Event| act()))
}

/// A button that shows a sign and has a name.
pub fn tool(sign: Icon, name: fn(Language) -> &'static str, act: impl Fn() + 'static) -> AnyView {
    tool_view(sign, say(name), AnyView::NOTHING, press(act))
}

/// A tool that can be used only while something holds.
pub fn tool_when(
    sign: Icon,
    name: fn(Language) -> &'static str,
    when: impl Fn() -> bool + 'static,
    act: impl Fn() + 'static,
) -> AnyView {
    tool_view(sign, say(name), live(move || !when()), press(act))
}

/// A tool with its word under its sign, usable while something holds. Tests and scripts find it by what it does.
pub fn word_tool(
    sign: Icon,
    word: fn(Language) -> &'static str,
    does: &'static str,
    when: impl Fn() -> bool + 'static,
    act: impl Fn() + 'static,
) -> AnyView {
    word_tool_view(sign, say(word), does, live(move || !when()), press(act))
}

fn word_tool_view(sign: Icon, word: AnyView, does: &'static str, idle: AnyView, pressed: AnyView) -> AnyView {
    view! { <button type="button" class="tool" data-do=does disabled=idle on:click=pressed><span inner_html=icon(sign)></span><span>{word}</span></button> }
        .into_any()
}

fn tool_view(sign: Icon, name: AnyView, idle: AnyView, pressed: AnyView) -> AnyView {
    view! { <button type="button" class="button plain" title=name disabled=idle on:click=pressed inner_html=icon(sign)></button> }
        .into_any()
}

/// A view that is there while something holds.
pub fn showing<V: IntoView + 'static>(when: impl Fn() -> bool + 'static, view: impl Fn() -> V + 'static) -> Part {
    showing_part(Signal::derive(when), Box::new(move || view().into_any()))
}

/// A view that is made anew whenever what it reads changes.
pub fn part<V: IntoView + 'static>(view: impl Fn() -> V + 'static) -> Part {
    AnyView::live(Box::new(move || view().into_any()))
}

/// Views one after the other, made anew whenever what they come from changes; those that stay the same keep their place.
pub fn list<I, V>(items: impl Fn() -> I + 'static) -> Part
where
    I: IntoIterator<Item = V>,
    V: IntoView + 'static,
{
    AnyView::live(Box::new(move || items().collect_view()))
}

/// Begins something that takes a while.
pub fn spawn(work: impl Future<Output = ()> + 'static) {
    wasm_bindgen_futures::spawn_local(Box::pin(work) as Pin<Box<dyn Future<Output = ()>>>);
}

/// A part of a view that changes, whatever it shows.
pub type Part = AnyView;

fn showing_part(when: Signal<bool>, mut view: Box<dyn Show>) -> Part {
    let when = Memo::new(move |_| when.get());
    AnyView::live(Box::new(move || if when.get() { view.show() } else { AnyView::NOTHING }))
}
