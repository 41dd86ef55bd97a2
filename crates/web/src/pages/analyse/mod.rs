//! A board to analyse on: step through a game, see what every action is worth, find the mistakes.

// What a component is made of is public inside its module, whatever the component itself is.
#![allow(unreachable_pub)]

mod edit;
mod errors;
mod fair_play;
mod graph;
mod groups;
mod openings;
mod panels;
mod play_on;
mod server_values;
mod source;
mod study;
mod tools;
mod value_text;
mod variations;

use game::{Game, GameId};
use locale::Language;
use ui::ev::KeyboardEvent;
use ui::prelude::*;
use wasm_bindgen::JsCast;

use crate::app::{TopBar, settings};
use crate::board::{BoardView, Marks, Turned, kinds, proportion};
use crate::views::{live, press, say, showing};
use art::{Icon, icon};
use edit::{Editing, Editor};
use openings::Openings;
use panels::{BesideBoard, Moves, Values};
use play_on::PlayOn;
use study::Study;
use tools::{Games, SetUp, Share};

pub use source::{prefix, whole_game_link};

/// The analysis board.
#[component]
pub fn Analyse(
    /// What to analyse, from the address.
    query: String,
) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let language = settings.language.get_untracked();
    let linked = source::from_link(&query, language);
    let problem = linked.as_ref().err().map(|problem| language.study_broken_link(problem));
    let opened = linked.ok().flatten().or_else(|| empty_board(GameId::ALL[0]));
    // The usual start of a game can always be shown.
    let Some(opened) = opened else { return ().into_any() };
    let study = Study::new(opened, settings);
    study.match_view.notice.set(problem);
    let editing = Editing::new();
    let scene =
        Memo::new(move |_| editing.scene(study.match_view.scene(), &study.match_view.with(|view| view.seating())));
    let marks = Memo::new(move |_| if editing.is_on() { Marks::default() } else { study.marks() });
    let names = Memo::new(move |_| study.match_view.names(lang()));
    let turned = RwSignal::new(Turned::default());
    // Squares are easier to talk about with their names, unless there are so many that one sees nothing else.
    let coordinates =
        Signal::derive(move || settings.coordinates.get() || scene.with(|scene| scene.board.cells.len() < 80));
    study.match_view.accept_drags();
    let keys = window_event_listener("keydown", move |event| {
        if !editing.is_on_untracked() {
            step_by_key(study, &event);
        }
    });
    on_cleanup(move || keys.remove());
    let touch =
        Callback::new(
            move |spot| {
                if editing.is_on_untracked() { editing.touch(spot) } else { study.match_view.touch(spot) }
            },
        );
    let id = move || study.match_view.game(|game| game.settings().game.id());
    let title = move || format!("{} · {}", lang().web_analyse(), locale::game_name(lang(), id()));
    view! {
        <TopBar title=Signal::derive(title) />
        <main data-match=live(move || if editing.is_on() { String::new() } else { study.match_view.name() }) class=live(move || scene.with(|scene| format!("study {}", kinds(scene)))) style=live(move || scene.with(proportion))>
            <section class="stage"><div class="frame">
                <BoardView scene=scene.into() marks=marks.into() turned=turned.into() language=Signal::derive(lang) names=names.into()
                    coordinates on_touch=touch />
            </div></section>
            <section class="beside">
                {showing(move || !editing.is_on(), move || view! { <Games study /><BesideBoard study scene names marks turned /> })}
                {showing(move || editing.is_on(), move || view! { <Editor study editing names /> })}
            </section>
            {showing(move || !editing.is_on(), move || view! {
                <Values study names />
                <Moves study names />
                <section class="tools">
                    <button type="button" class="button" on:click=press(move || editing.begin(study))><span inner_html=icon(Icon::Edit)></span>{say(Language::study_edit)}</button>
                    <PlayOn study /><Openings study /><Share study /><SetUp study />
                </section>
            })}
        </main>
    }
    .into_any()
}

fn empty_board(game: GameId) -> Option<source::Opened> {
    let game = source::from_position(Game::by_default(game), None, None).ok()?;
    Some(source::Opened { game, at: 0 })
}

/// Arrow keys step through the game, unless they walk over the board or through a text.
fn step_by_key(study: Study, event: &KeyboardEvent) {
    let typing = event
        .target()
        .and_then(|target| target.dyn_into::<web_sys::Element>().ok())
        .is_some_and(|element| matches!(element.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT"));
    if typing || event.default_prevented() || event.alt_key() || event.ctrl_key() || event.meta_key() {
        return;
    }
    match event.key().as_str() {
        "ArrowLeft" => study.step(-1),
        "ArrowRight" => study.forward(),
        "Home" => study.go(0),
        "End" => study.go(usize::MAX),
        "Escape" => study.match_view.back(),
        _ => return,
    }
    event.prevent_default();
}
