//! The program one finds others to play with. `boot.js` starts and stops it.

use locale::Part;
use wasm_bindgen::prelude::*;

fn main() {
    console_error_panic_hook::set_once();
}

/// Fetches the texts; fails if they cannot be had.
#[wasm_bindgen]
pub async fn prepare() -> Result<(), JsValue> {
    web::app::prepare(&[Part::Table, Part::Online]).await
}

/// Puts the program into the page.
#[wasm_bindgen]
pub fn start() {
    web::app::start(web::online::gathering);
}

/// Takes it out again.
#[wasm_bindgen]
pub fn stop() {
    web::app::stop();
}
