//! What only the browser can do: the few JavaScript functions beside this crate, with types.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/js/motion.js")]
extern "C" {
    /// Lets the picture at `to` come from `from`; both are selectors.
    pub fn arrive(from: &str, to: &str, delay: f64, duration: f64);
    /// Turns over the picture at `at`; `before` is the markup of what lay there.
    #[wasm_bindgen(js_name = turnOver)]
    pub fn turn_over(at: &str, before: &str, delay: f64, duration: f64);
    /// Lets a picture leave `from` towards `to`.
    pub fn leave(from: &str, to: &str, markup: &str, delay: f64, duration: f64);
    /// Calls back once an element is about to be seen.
    #[wasm_bindgen(js_name = whenSeen)]
    pub fn when_seen(id: &str, seen: JsValue);
    /// Brings an element into view.
    #[wasm_bindgen(js_name = showElement)]
    pub fn show_element(id: &str);
    /// Brings an element of a row into view that is longer than the screen.
    #[wasm_bindgen(js_name = showWay)]
    pub fn show_way(id: &str);
    /// Scrolls what a selector finds to its end, once it is drawn.
    #[wasm_bindgen(js_name = scrollToEnd)]
    pub fn scroll_to_end(selector: &str);
    /// Lets fingers enlarge the board of a table.
    #[wasm_bindgen(js_name = watchZoom)]
    pub fn watch_zoom();
    /// Enlarges the board of the table, or shows the whole of it again.
    #[wasm_bindgen(js_name = toggleZoom)]
    pub fn toggle_zoom();
    /// Gives the focus to what a selector finds first.
    pub fn focus(selector: &str);
    /// Reports drags: the name of the match, the source's spot, and the target's or an empty text when the drag begins.
    #[wasm_bindgen(js_name = watchDrags)]
    pub fn watch_drags(report: &Closure<dyn FnMut(String, String, String)>);
}

#[wasm_bindgen(module = "/js/sound.js")]
extern "C" {
    /// Plays a short sound: `wood`, `card`, `stone`, `turn`, `call` or `win`.
    #[wasm_bindgen(js_name = play)]
    pub fn play_sound(name: &str);
}

#[wasm_bindgen(module = "/js/files.js")]
extern "C" {
    /// Gives the person a file to keep.
    pub fn download(name: &str, text: &str);
    /// Gives a drawing as a picture to another app, or as a file.
    #[wasm_bindgen(js_name = sharePicture)]
    pub async fn share_picture(name: &str, drawing: &str, width: f64, height: f64);
}

#[wasm_bindgen(module = "/js/load.js")]
extern "C" {
    /// Calls back once the browser has nothing else to do; never where things should not move or bytes are dear.
    #[wasm_bindgen(js_name = whenIdle)]
    fn js_when_idle(act: &JsValue);
    /// Whether there is a server behind the page that seats people with others.
    #[wasm_bindgen(js_name = hasServer)]
    pub async fn has_server() -> JsValue;
    /// The text of a file of this build.
    #[wasm_bindgen(js_name = fetchFile, catch)]
    pub async fn fetch_file(file: &str) -> Result<JsValue, JsValue>;
    /// Begins to fetch chunks of the program, given by their names with spaces between them; nothing is fetched twice.
    #[wasm_bindgen(js_name = loadCode)]
    pub fn begin_loading(chunks: &str) -> js_sys::Promise;
    /// Waits until what is fetched is kept for use without a network.
    #[wasm_bindgen(js_name = whenKept)]
    pub async fn when_kept();
    /// The address of a file of this build.
    #[wasm_bindgen(js_name = fileAddress)]
    pub fn file_address(file: &str) -> String;
    /// Whether the browser would install the app.
    #[wasm_bindgen(js_name = canInstall)]
    pub fn can_install() -> bool;
    /// Asks the person whether to install the app.
    pub fn install();
    /// Says that a setting was chosen.
    #[wasm_bindgen(js_name = reportChoice)]
    pub fn report_choice();
    /// From now on challenges are followed.
    #[wasm_bindgen(js_name = followNotifications)]
    pub fn follow_notifications();
    /// Brings a style sheet of this build into the page.
    #[wasm_bindgen(js_name = loadStyle, catch)]
    pub async fn load_style(file: &str) -> Result<JsValue, JsValue>;
    /// Starts the engine.
    #[wasm_bindgen(js_name = startEngine, catch)]
    pub fn start_engine() -> Result<web_sys::Worker, JsValue>;
}

/// Waits until chunks are there.
pub async fn loaded(chunks: &js_sys::Promise) -> Result<(), JsValue> {
    wasm_bindgen_futures::JsFuture::from(chunks.clone()).await.map(drop)
}

/// Fetches chunks of the program.
pub async fn load_code(chunks: &str) -> Result<(), JsValue> {
    loaded(&begin_loading(chunks)).await
}

#[wasm_bindgen(module = "/js/address.js")]
extern "C" {
    /// Calls back when the address changes, and asks which addresses are pages of the app.
    #[wasm_bindgen(js_name = watchAddress)]
    pub fn watch_address(changed: &Closure<dyn FnMut()>, is_page: &Closure<dyn FnMut(String) -> bool>);
    /// Goes to an address, in place of the current one if asked.
    pub fn go(address: &str, instead: bool);
}

/// Does something that a page can do without, once the browser has nothing else to do.
pub fn when_idle(act: impl FnOnce() + 'static) {
    js_when_idle(&Closure::once_into_js(act));
}

/// A text in small letters, by the browser's tables.
pub fn lowercase(text: &str) -> String {
    js_sys::JsString::from(text).to_lower_case().into()
}

/// Puts a text on the clipboard; tells whether that went well.
pub async fn copy(text: &str) -> bool {
    let navigator = ui::window().navigator();
    // Pages that came over an unprotected line have no clipboard at all.
    let known = js_sys::Reflect::get(&navigator, &JsValue::from_str("clipboard"));
    if !known.is_ok_and(|clipboard| clipboard.is_object()) {
        return false;
    }
    wasm_bindgen_futures::JsFuture::from(navigator.clipboard().write_text(text)).await.is_ok()
}

/// Games kept on this device.
pub mod store {
    use super::*;

    #[wasm_bindgen(module = "/js/store.js")]
    extern "C" {
        #[wasm_bindgen(js_name = put, catch)]
        async fn js_put(key: &str, record: &str, over: bool) -> Result<JsValue, JsValue>;
        #[wasm_bindgen(js_name = append, catch)]
        async fn js_append(key: &str, number: u32, words: &str) -> Result<JsValue, JsValue>;
        #[wasm_bindgen(js_name = get, catch)]
        async fn js_get(key: &str) -> Result<JsValue, JsValue>;
        #[wasm_bindgen(js_name = remove, catch)]
        async fn js_remove(key: &str) -> Result<JsValue, JsValue>;
        #[wasm_bindgen(js_name = list, catch)]
        async fn js_list(unfinished: bool) -> Result<JsValue, JsValue>;
    }

    /// Storage that is full or refused.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct NoStorage;

    /// Keeps a game.
    pub async fn put(key: &str, record: &str, over: bool) -> Result<(), NoStorage> {
        js_put(key, record, over).await.map(drop).map_err(|_| NoStorage)
    }

    /// Adds events to a game that is kept, the first of which has this number.
    pub async fn append(key: &str, number: usize, words: &str) -> Result<(), NoStorage> {
        js_append(key, number as u32, words).await.map(drop).map_err(|_| NoStorage)
    }

    /// The record of a game; `None` if there is no such game.
    pub async fn get(key: &str) -> Result<Option<String>, NoStorage> {
        js_get(key).await.map(|record| record.as_string()).map_err(|_| NoStorage)
    }

    /// Forgets a game.
    pub async fn remove(key: &str) -> Result<(), NoStorage> {
        js_remove(key).await.map(drop).map_err(|_| NoStorage)
    }

    /// Keys and records, the last changed first.
    pub async fn list(unfinished: bool) -> Result<Vec<(String, String)>, NoStorage> {
        let rows = js_list(unfinished).await.map_err(|_| NoStorage)?;
        let text = |row: &js_sys::Array, at| row.get(at).as_string();
        let row = |row: JsValue| {
            let row: js_sys::Array = row.dyn_into().ok()?;
            Some((text(&row, 0)?, text(&row, 1)?))
        };
        Ok(js_sys::Array::from(&rows).iter().filter_map(row).collect())
    }
}
