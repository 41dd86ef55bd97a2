//! Signals, and views that follow them: what the browser app's pages are written with.
//!
//! A page is a tree of views, made once. What changes is a [`RwSignal`]; a closure, [`Signal`] or [`Memo`] in a view is read
//! again whenever a signal that it read has changed, and only that place of the page is written.
//!
//! ```ignore
//! #[component]
//! fn Counter(label: String) -> impl IntoView {
//!     let count = RwSignal::new(0);
//!     view! {
//!         <button type="button" class:used=move || count.get() > 0 on:click=move |_| count.update(|count| *count += 1)>
//!             {label}": "{count}
//!         </button>
//!     }
//! }
//!
//! view! { <Counter label="Points".to_owned() /> }
//! ```
//!
//! In `view!` a name that begins with a capital is a component: a function whose arguments are all given by name. Other
//! names are elements. An attribute is a text, a `bool`, an `Option` of them, or something that follows signals. Besides:
//! `on:event` is a handler, `class:name` puts a class on or off, `prop:name` sets a property, `inner_html` the content, and
//! `node_ref` gives the element to a [`NodeRef`]. A comparison with `>` needs braces.
//!
//! The crate exists to be small in the browser: a view is one text and a list of values, every value has the same type,
//! and what makes a page of them is compiled once.

mod into_view;
mod mount;
mod page;
mod runtime;
mod signals;
mod stored;
mod template;

pub use into_view::{AnyView, CollectView, Handle, IntoHandler, IntoView, Show, handler};
pub use mount::mount_to;
pub use page::{
    IntervalHandle, WindowListener, document, event_target_value, request_animation_frame, set_interval_with_handle,
    set_timeout, window, window_event_listener,
};
pub use runtime::{Owner, expect_context, flush, on_cleanup, provide_context, untrack};
pub use signals::{Callback, Effect, Memo, NodeRef, Read, RwSignal, Signal, StoredValue};
pub use ui_macros::{component, view};

/// The types of events.
pub mod ev {
    pub use web_sys::{Event, FocusEvent, KeyboardEvent, MouseEvent, SubmitEvent};
}

/// Everything that a page needs.
pub mod prelude {
    pub use crate::{
        AnyView, Callback, CollectView as _, Effect, IntoView, Memo, NodeRef, Owner, RwSignal, Signal, StoredValue,
        component, document, event_target_value, expect_context, on_cleanup, provide_context, request_animation_frame,
        set_interval_with_handle, set_timeout, untrack, view, window, window_event_listener,
    };
}
