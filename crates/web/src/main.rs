//! The program of the pages. `boot.js` starts it.

use wasm_bindgen::prelude::*;

#[cfg(target_family = "wasm")]
#[global_allocator]
static BLOCKS: web::allocator::Blocks = web::allocator::Blocks::empty();

fn main() {
    console_error_panic_hook::set_once();
}

/// Puts the app into the page; fails if its texts cannot be fetched.
#[wasm_bindgen]
pub async fn start() -> Result<(), JsValue> {
    web::app::start().await
}
