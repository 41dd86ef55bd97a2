//! Makes the page out of views, and changes it as they change.
//!
//! Whatever is mounted has at least one node in the page, so there is always a place to put something in its stead. A
//! closure that gives markup of the same template as before keeps its elements; only what is in the holes is written.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::prelude::*;
use web_sys::{Element, Event, Node, Text};

use crate::into_view::View;
use crate::template::{Piece, Pieces};
use crate::{AnyView, Effect, Handle, IntoView, Owner, Show, document};

/// A view in the page.
enum Mounted {
    Text { node: Text, data: Cow<'static, str> },
    List { items: Vec<Mounted>, end: Text },
    Markup { template: &'static str, roots: Vec<Root>, holes: Vec<Hole> },
    Live(Content),
}

/// What a closure shows now; nothing while it is being changed.
type Content = Rc<RefCell<Option<Mounted>>>;

/// What lies at the top of a template.
enum Root {
    Node(Node),
    Hole(usize),
}

/// Where a value of a template went.
enum Hole {
    Child(Mounted),
    Attribute { element: Element, name: &'static str, shown: Shown },
    Handler { act: Act, _listener: Closure<dyn FnMut(Event)> },
    Place(Element),
}

/// The value that an attribute has in the page.
type Shown = Rc<RefCell<View>>;

type Act = Rc<RefCell<Box<dyn Handle>>>;

thread_local! {
    /// What was put into the page for good.
    static MOUNTED: RefCell<Vec<(Owner, Mounted)>> = const { RefCell::new(Vec::new()) };
}

/// Puts a view at the end of an element, where it stays.
pub fn mount_to<V: IntoView>(parent: &Element, view: impl FnOnce() -> V) {
    let owner = Owner::new();
    let mounted = owner.with(|| mount(view().into_view().open(), Spot { parent, before: None }));
    MOUNTED.with_borrow_mut(|all| all.push((owner, mounted)));
}

/// Where something is to be put.
#[derive(Clone, Copy)]
struct Spot<'a> {
    parent: &'a Node,
    before: Option<&'a Node>,
}

impl Spot<'_> {
    fn put(self, node: &Node) {
        // Refused only for a parent that cannot have children, which no caller has.
        let _ = self.parent.insert_before(node, self.before);
    }
}

fn mount(view: View, spot: Spot<'_>) -> Mounted {
    match view {
        View::Text(data) => mount_text(data, spot),
        View::List(views) => {
            let items = views.into_iter().map(|view| mount(view.open(), spot)).collect();
            let end = new_text("");
            spot.put(&end);
            Mounted::List { items, end }
        }
        View::Markup(template, values) => mount_markup(template, values, spot),
        View::Live(show) => {
            let content = Content::default();
            follow(show, content.clone(), Some(spot));
            Mounted::Live(content)
        }
        // The rest is nothing to look at.
        _ => mount_text(Cow::Borrowed(""), spot),
    }
}

fn new_text(data: &str) -> Text {
    document().create_text_node(data)
}

fn mount_text(data: Cow<'static, str>, spot: Spot<'_>) -> Mounted {
    let node = new_text(&data);
    spot.put(&node);
    Mounted::Text { node, data }
}

/// Shows what a closure gives, now and whenever it changes. `content` is what was shown in its place before, if anything.
fn follow(mut show: Box<dyn Show>, content: Content, spot: Option<Spot<'_>>) {
    let mut spot = spot.map(|spot| (spot.parent.clone(), spot.before.cloned()));
    Effect::now(Box::new(move || {
        let view = show.show().open();
        let before = content.borrow_mut().take();
        let now = match (before, spot.take()) {
            (Some(before), _) => patch(before, view),
            (None, Some((parent, next))) => mount(view, Spot { parent: &parent, before: next.as_ref() }),
            // Its content went away in the middle of a change; there is no place for more.
            (None, None) => return,
        };
        *content.borrow_mut() = Some(now);
    }));
}

fn mount_markup(template: &'static str, values: Box<[AnyView]>, spot: Spot<'_>) -> Mounted {
    let (mut roots, mut holes) = (Vec::new(), Vec::new());
    let mut open = Vec::<Element>::new();
    // Properties such as the value of a list need the content of their element.
    let mut properties = Vec::<(usize, usize)>::new();
    let mut values = values.into_iter().map(AnyView::open);
    for piece in Pieces::of(template) {
        match piece {
            Piece::Open(name) => open.push(new_element(name)),
            Piece::Attribute(name, value) => {
                if let Some(element) = open.last() {
                    let _ = element.set_attribute(name, value);
                }
            }
            Piece::Hole(name) => {
                let (Some(element), Some(value)) = (open.last(), values.next()) else { continue };
                let hole = if name.starts_with("prop:") {
                    properties.push((holes.len(), open.len()));
                    let shown = Rc::new(RefCell::new(value));
                    Hole::Attribute { element: element.clone(), name, shown }
                } else {
                    fill(element, name, value)
                };
                holes.push(hole);
            }
            Piece::Content => {}
            Piece::Close => {
                while let Some((at, _)) = properties.pop_if(|(_, depth)| *depth == open.len()) {
                    if let Some(Hole::Attribute { element, name, shown }) = holes.get(at) {
                        let value = shown.replace(View::Nothing);
                        set(element, name, value, shown);
                    }
                }
                let Some(element) = open.pop() else { continue };
                put(&open, spot, &element);
                if open.is_empty() {
                    roots.push(Root::Node(element.into()));
                }
            }
            Piece::Text(text) => {
                let node = new_text(text);
                put(&open, spot, &node);
                if open.is_empty() {
                    roots.push(Root::Node(node.into()));
                }
            }
            Piece::Child => {
                let Some(value) = values.next() else { continue };
                if open.is_empty() {
                    roots.push(Root::Hole(holes.len()));
                }
                let child = match open.last() {
                    Some(element) => mount(value, Spot { parent: element, before: None }),
                    None => mount(value, spot),
                };
                holes.push(Hole::Child(child));
            }
        }
    }
    Mounted::Markup { template, roots, holes }
}

fn new_element(name: &str) -> Element {
    document().create_element(name).expect("the name of an element")
}

fn put(open: &[Element], spot: Spot<'_>, node: &Node) {
    match open.last() {
        Some(parent) => Spot { parent, before: None }.put(node),
        None => spot.put(node),
    }
}

/// Gives an element what stands in one of its attributes.
fn fill(element: &Element, name: &'static str, value: View) -> Hole {
    match value {
        View::Handler(act) => {
            let act: Act = Rc::new(RefCell::new(act));
            let acting = act.clone();
            let listener = Closure::<dyn FnMut(Event)>::new(move |event| {
                // An event that comes out of its own handler is not handled.
                if let Ok(mut act) = acting.try_borrow_mut() {
                    act.handle(event);
                }
            });
            let event = name.strip_prefix("on:").unwrap_or(name);
            let _ = element.add_event_listener_with_callback(event, listener.as_ref().unchecked_ref());
            Hole::Handler { act, _listener: listener }
        }
        View::Place(place) => {
            place.set(Some(element.clone()));
            Hole::Place(element.clone())
        }
        value => {
            let shown = Shown::new(RefCell::new(View::Nothing));
            set(element, name, value, &shown);
            Hole::Attribute { element: element.clone(), name, shown }
        }
    }
}

/// Sets an attribute, now and whenever what it follows changes.
fn set(element: &Element, name: &'static str, value: View, shown: &Shown) {
    match value {
        View::Live(mut show) => {
            let (element, shown) = (element.clone(), shown.clone());
            Effect::now(Box::new(move || {
                let mut value = show.show().open();
                while let View::Live(mut inner) = value {
                    value = inner.show().open();
                }
                write(&element, name, value, &shown);
            }));
        }
        value => write(element, name, value, shown),
    }
}

fn write(element: &Element, name: &str, value: View, shown: &Shown) {
    // A property may have been changed by the person: it is set whatever it was.
    let property = name.strip_prefix("prop:");
    if property.is_none() && shown.borrow().is_same(&value) {
        return;
    }
    let text = match &value {
        View::Text(text) => Some(text.as_ref()),
        // Such an attribute is always there, and says so in a word.
        View::Flag(flag) if name.starts_with("aria-") => Some(if *flag { "true" } else { "false" }),
        View::Flag(true) => Some(""),
        _ => None,
    };
    if let Some(property) = property {
        let set = match &value {
            View::Flag(flag) => JsValue::from_bool(*flag),
            _ => JsValue::from_str(text.unwrap_or_default()),
        };
        let _ = js_sys::Reflect::set(element, &JsValue::from_str(property), &set);
    } else if let Some(class) = name.strip_prefix("class:") {
        let _ = element.class_list().toggle_with_force(class, text.is_some());
    } else if name == "inner_html" {
        element.set_inner_html(text.unwrap_or_default());
    } else {
        let _ = match text {
            Some(text) => element.set_attribute(name, text),
            None => element.remove_attribute(name),
        };
    }
    *shown.borrow_mut() = value;
}

/// Shows a view where another is, with as little change as possible.
fn patch(before: Mounted, view: View) -> Mounted {
    match (before, view) {
        (Mounted::Text { node, data }, View::Text(new)) => {
            if data != new {
                node.set_data(&new);
            }
            Mounted::Text { node, data: new }
        }
        (Mounted::Text { node, data }, View::Nothing) => {
            if !data.is_empty() {
                node.set_data("");
            }
            Mounted::Text { node, data: Cow::Borrowed("") }
        }
        (Mounted::Live(content), View::Live(show)) => {
            // The closure that showed it so far has ended together with the one that gave it.
            follow(show, content.clone(), None);
            Mounted::Live(content)
        }
        (Mounted::Markup { template, roots, holes }, View::Markup(new, values)) if template == new => {
            let holes = holes.into_iter().zip(values).map(|(hole, value)| refill(hole, value.open())).collect();
            Mounted::Markup { template, roots, holes }
        }
        (Mounted::List { items, end }, View::List(views)) => patch_list(items, end, views),
        (before, view) => {
            let first = before.first();
            let parent =
                first.parent_node().unwrap_or_else(|| document().create_element("div").expect("an element").into());
            let is_inside = first.parent_node().is_some();
            let now = mount(view, Spot { parent: &parent, before: Some(&first).filter(|_| is_inside) });
            before.remove();
            now
        }
    }
}

fn patch_list(items: Vec<Mounted>, end: Text, views: Vec<AnyView>) -> Mounted {
    let mut items = items.into_iter();
    let parent = end.parent_node();
    let shown = views.into_iter().filter_map(|view| match (items.next(), &parent) {
        (Some(item), _) => Some(patch(item, view.open())),
        (None, Some(parent)) => Some(mount(view.open(), Spot { parent, before: Some(&end) })),
        (None, None) => None,
    });
    let shown = shown.collect();
    items.for_each(Mounted::remove);
    Mounted::List { items: shown, end }
}

fn refill(hole: Hole, value: View) -> Hole {
    match (hole, value) {
        (Hole::Child(child), value) => Hole::Child(patch(child, value)),
        (Hole::Attribute { element, name, shown }, value) => {
            set(&element, name, value, &shown);
            Hole::Attribute { element, name, shown }
        }
        (Hole::Handler { act, _listener }, View::Handler(new)) => {
            drop(act.replace(new));
            Hole::Handler { act, _listener }
        }
        (Hole::Place(element), View::Place(place)) => {
            place.set(Some(element.clone()));
            Hole::Place(element)
        }
        (hole, _) => hole,
    }
}

impl Mounted {
    /// Its first node in the page.
    fn first(&self) -> Node {
        match self {
            Mounted::Text { node, .. } => node.clone().into(),
            Mounted::List { items, end } => items.first().map_or_else(|| end.clone().into(), Mounted::first),
            Mounted::Markup { roots, holes, .. } => match roots.first() {
                Some(Root::Node(node)) => node.clone(),
                Some(Root::Hole(at)) => match holes.get(*at) {
                    Some(Hole::Child(child)) => child.first(),
                    _ => new_text("").into(),
                },
                None => new_text("").into(),
            },
            Mounted::Live(content) => content.borrow().as_ref().map_or_else(|| new_text("").into(), Mounted::first),
        }
    }

    /// Takes it out of the page.
    fn remove(self) {
        match self {
            Mounted::Text { node, .. } => remove(&node),
            Mounted::List { items, end } => {
                items.into_iter().for_each(Mounted::remove);
                remove(&end);
            }
            Mounted::Markup { roots, holes, .. } => {
                for root in &roots {
                    if let Root::Node(node) = root {
                        remove(node);
                    }
                }
                // What lies inside an element went with it; the rest lies at the top.
                for hole in holes {
                    if let Hole::Child(child) = hole {
                        child.remove();
                    }
                }
            }
            Mounted::Live(content) => {
                if let Some(mounted) = content.take() {
                    mounted.remove();
                }
            }
        }
    }
}

fn remove(node: &Node) {
    if let Some(parent) = node.parent_node() {
        let _ = parent.remove_child(node);
    }
}
