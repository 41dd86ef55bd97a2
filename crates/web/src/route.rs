//! The address of the page: reading it, following it, and going elsewhere without loading the app anew.

use ui::prelude::*;
use wasm_bindgen::prelude::*;

use crate::browser;

pub use routes::{Route, RulesPage};

/// Goes to a page.
pub fn go(route: &Route) {
    browser::go(&route.link(), false);
}

/// Goes to a page in place of this one, to which there is then no way back.
pub fn go_instead(route: &Route) {
    browser::go(&route.link(), true);
}

/// The address of a page as other people and devices need it.
pub fn full_address(route: &Route) -> String {
    format!("{}{route}", window().location().origin().unwrap_or_default())
}

/// The address shown: its path, and what follows `?` or `#`.
pub fn current_address() -> String {
    let location = window().location();
    let part = |part: Result<String, JsValue>| part.unwrap_or_default();
    format!("{}{}{}", part(location.pathname()), part(location.search()), part(location.hash()))
}

/// Calls back whenever the address has changed: by a link, by the browser's buttons, or by [`go`].
pub fn watch_address(changed: impl Fn() + 'static) {
    let changed = Closure::<dyn FnMut()>::new(changed);
    // Links to anything but a page, such as a file, are the browser's to follow.
    let is_page = Closure::<dyn FnMut(String) -> bool>::new(|address: String| Route::read(&address).is_some());
    browser::watch_address(&changed, &is_page);
    changed.forget();
    is_page.forget();
}

/// Writes `name=value` pairs for an address.
pub fn write_query(pairs: &[(&str, &str)]) -> String {
    let encoded = |text: &str| String::from(js_sys::encode_uri_component(text));
    pairs.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect::<Vec<_>>().join("&")
}

/// Reads the value of a name from an address; `None` if it is not there or cannot be decoded.
pub fn read_query(query: &str, name: &str) -> Option<String> {
    let value = query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))?;
    js_sys::decode_uri_component(value).ok().map(String::from)
}
