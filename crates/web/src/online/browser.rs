//! The JavaScript functions for playing with others, with types.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/js/online.js")]
extern "C" {
    /// An open line.
    pub type Wire;
    /// Sends a text.
    #[wasm_bindgen(method)]
    pub fn send(this: &Wire, text: &str);
    /// Closes the connection; none of its callbacks is called any more.
    #[wasm_bindgen(method)]
    pub fn close(this: &Wire);
    /// Opens a WebSocket.
    #[wasm_bindgen(js_name = openSocket)]
    pub fn open_socket(opened: &JsValue, on_message: &JsValue, ended: &JsValue) -> Wire;
    /// Opens a stream of server-sent events.
    #[wasm_bindgen(js_name = openEvents)]
    pub fn open_events(path: &str, opened: &JsValue, on_message: &JsValue, ended: &JsValue) -> Wire;
    /// Sends a request; gives its status and text.
    #[wasm_bindgen(catch)]
    pub async fn request(method: &str, path: &str, body: JsValue) -> Result<JsValue, JsValue>;
    /// Calls back when the network comes or goes; gives what ends that.
    #[wasm_bindgen(js_name = watchNetwork)]
    pub fn watch_network(changed: &Closure<dyn FnMut(bool)>) -> js_sys::Function;
    /// Whether notifications may be shown: `granted`, `denied`, `default` or nothing.
    #[wasm_bindgen(js_name = mayNotify)]
    pub fn may_notify() -> String;
    /// Asks the person for that.
    #[wasm_bindgen(js_name = askToNotify, catch)]
    pub async fn ask_to_notify() -> Result<JsValue, JsValue>;
    /// Puts a sign on the icon of the installed app, or takes it away.
    #[wasm_bindgen(js_name = markApp)]
    pub fn mark_app(on: bool);
    /// Shows a notification while the page is hidden.
    pub fn notify(title: &str, text: &str);
}
