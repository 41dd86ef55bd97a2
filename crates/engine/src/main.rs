//! The engine in its worker: a question comes in as text, an answer goes out.

use std::collections::HashMap;
use std::time::Duration;

use engine::{Answer, Found, Question};
use game::{AnyBot, Record};
use search::{Level, Limits};
use wasm_bindgen::prelude::*;

/// Enough for every solver at the table, and little enough for a phone.
const MEMORY: usize = 48 << 20;

/// Players that keep what they have learned, one per game.
type Bots = HashMap<String, Box<dyn AnyBot>>;

fn main() {
    console_error_panic_hook::set_once();
    game::install::all();
    let scope: web_sys::DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let answering = scope.clone();
    let mut bots = Bots::new();
    let on_message = Closure::<dyn FnMut(web_sys::MessageEvent)>::new(move |event: web_sys::MessageEvent| {
        let Some(text) = event.data().as_string() else { return };
        let Some(question) = Question::read(&text) else { return };
        let answer = Answer { id: question.id, found: think(&question, &mut bots) };
        // The page may be gone by now.
        let _ = answering.post_message(&answer.write().into());
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
    let _ = scope.post_message(&"ready".into());
}

fn think(question: &Question, bots: &mut Bots) -> Option<Found> {
    let game = Record::read_all(&question.record).ok()?.pop()?.replay().ok()?;
    let bot = bots.entry(game.settings().game.to_string()).or_insert_with(|| game.settings().game.bot());
    let now = || Duration::from_secs_f64(js_sys::Date::now() / 1000.0);
    let limits = Limits::until(&now, now() + Duration::from_millis(question.milliseconds.into()))
        .with_seed(question.seed)
        .with_memory(MEMORY);
    let positions = game.positions();
    match question.level.and_then(Level::new) {
        Some(level) => bot.choose(&positions, level, &limits),
        None => bot.analyse(&positions, &limits),
    }
}
