//! The page's end of the engine: questions go out, answers come back to the caller.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::prelude::*;

use crate::browser::start_engine;
use ::engine::{Answer, Found, Question};

type Waiting = Vec<(u32, Box<dyn FnOnce(Option<Found>)>)>;

/// The engine, started when first asked.
#[derive(Clone, Default)]
pub struct Engine(Rc<RefCell<State>>);

#[derive(Default)]
struct State {
    worker: Option<web_sys::Worker>,
    /// Questions asked before the worker was ready.
    early: Option<Vec<String>>,
    waiting: Waiting,
    last_id: u32,
}

impl Engine {
    /// Asks; `answered` gets what was found, or `None` if the engine cannot answer.
    pub fn ask(&self, mut question: Question, answered: impl FnOnce(Option<Found>) + 'static) {
        if self.0.borrow().worker.is_none() && !self.start() {
            answered(None);
            return;
        }
        let state = &mut *self.0.borrow_mut();
        state.last_id += 1;
        question.id = state.last_id;
        let text = question.write();
        state.waiting.push((question.id, Box::new(answered)));
        match (&mut state.early, &state.worker) {
            (Some(early), _) => early.push(text),
            (None, Some(worker)) => drop(worker.post_message(&text.into())),
            (None, None) => {}
        }
    }

    /// Forgets all questions and stops thinking at once; the next question starts afresh.
    pub fn stop(&self) {
        let mut state = self.0.borrow_mut();
        state.waiting.clear();
        if let Some(worker) = state.worker.take() {
            worker.terminate();
        }
    }

    fn start(&self) -> bool {
        let Ok(worker) = start_engine() else { return false };
        let engine = self.clone();
        let on_message = Closure::<dyn FnMut(web_sys::MessageEvent)>::new(move |event: web_sys::MessageEvent| {
            if let Some(text) = event.data().as_string() {
                engine.receive(&text);
            }
        });
        let engine = self.clone();
        let failed = Closure::<dyn FnMut(JsValue)>::new(move |_| engine.fail());
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(failed.as_ref().unchecked_ref()));
        on_message.forget();
        failed.forget();
        let mut state = self.0.borrow_mut();
        state.worker = Some(worker);
        state.early = Some(Vec::new());
        true
    }

    fn receive(&self, text: &str) {
        if text == "ready" {
            let mut state = self.0.borrow_mut();
            let early = state.early.take().unwrap_or_default();
            if let Some(worker) = &state.worker {
                for text in early {
                    let _ = worker.post_message(&text.into());
                }
            }
            return;
        }
        let Some(answer) = Answer::read(text) else { return };
        let asker = {
            let waiting = &mut self.0.borrow_mut().waiting;
            waiting.iter().position(|(id, _)| *id == answer.id).map(|at| waiting.swap_remove(at))
        };
        if let Some((_, answered)) = asker {
            answered(answer.found);
        }
    }

    /// The worker could not start or broke down: every waiting caller gets `None`.
    fn fail(&self) {
        let waiting = {
            let mut state = self.0.borrow_mut();
            state.worker = None;
            state.early = None;
            std::mem::take(&mut state.waiting)
        };
        for (_, answered) in waiting {
            answered(None);
        }
    }
}
