//! Setting up a position by touch.

mod draft;

use leptos::prelude::*;
use locale::{Language, Names};
use rules::Seat;
use rules::sequence::Card;
use scene::{Scene, Spot};

use super::source;
use super::study::Study;
use crate::app::settings;
use crate::art;
use crate::lean::{list, live, part, press, say, showing};
use draft::{Draft, EMPTY};

/// The board as it is being set up, and what the next touch puts there.
#[derive(Clone, Copy)]
pub struct Editing {
    draft: RwSignal<Option<Draft>>,
    brush: RwSignal<char>,
}

impl Editing {
    /// Nothing is being set up.
    pub fn new() -> Editing {
        Editing { draft: RwSignal::new(None), brush: RwSignal::new(EMPTY) }
    }

    /// Whether a position is being set up.
    pub fn is_on(&self) -> bool {
        self.draft.with(Option::is_some)
    }

    /// The same, for handlers.
    pub fn is_on_untracked(&self) -> bool {
        self.draft.with_untracked(Option::is_some)
    }

    /// Begins with the position shown.
    pub fn begin(self, study: Study) {
        let draft = study.now.with_untracked(|game| Draft::of(&game.settings().game, game.position()));
        self.brush.set(draft.brushes().get(1).copied().unwrap_or(EMPTY));
        self.draft.set(Some(draft));
    }

    /// The board with what is set up on it; nothing else is known.
    pub fn scene(&self, mut scene: Scene) -> Scene {
        self.draft.with(|draft| {
            if let Some(draft) = draft {
                for cell in &mut scene.board.cells {
                    cell.piece = draft.piece(draft.at(cell.square));
                }
                let board = scene.board.clone();
                scene = Scene::new(scene.style, board, scene.status.clone());
            }
        });
        scene
    }

    /// Puts what is chosen on a square.
    pub fn touch(self, spot: Spot) {
        if let Some(square) = spot.square() {
            let brush = self.brush.get_untracked();
            self.change(|draft| draft.put(square, brush));
        }
    }

    fn change(self, change: impl FnOnce(&mut Draft)) {
        self.draft.update(|draft| {
            if let Some(draft) = draft {
                change(draft);
            }
        });
    }

    fn read<T>(&self, read: impl FnOnce(&Draft) -> T) -> Option<T> {
        self.draft.with(|draft| draft.as_ref().map(read))
    }
}

/// What stands beside the board while it is set up.
#[component]
pub fn Editor(
    /// The board to set up.
    study: Study,
    /// What is set up.
    editing: Editing,
    /// What everybody is called.
    names: Memo<Names>,
) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let brushes = Memo::new(move |_| editing.read(Draft::brushes).unwrap_or_default());
    let made = Memo::new(move |_| editing.read(Draft::position));
    let told = move || match made.get() {
        Some(Ok(_)) => lang().study_edit_good().to_owned(),
        Some(Err(problem)) => lang().study_edit_bad(locale::bad_position(lang(), &problem)),
        None => String::new(),
    };
    let good = Memo::new(move |_| matches!(made.get(), Some(Ok(_))));
    let done = move || {
        let Some(Ok(text)) = made.get_untracked() else { return };
        let Some(game) = untrack(|| editing.read(|draft| draft.game.clone())) else { return };
        if let Ok(game) = source::from_position(game, Some(text)) {
            editing.draft.set(None);
            study.open(source::Opened { game, at: 0 });
        }
    };
    view! {
        <p class="say">{say(Language::study_edit)}</p>
        <p class="quiet">{say(Language::study_edit_about)}</p>
        <div class="brushes" role="group" aria-label=say(Language::study_edit_pieces)>
            {list(move || brushes.get().into_iter().map(move |letter| view! { <Brush editing names letter /> }))}
        </div>
        <Held editing />
        <ToAct editing names />
        <Points editing names />
        <Hands editing names />
        <p class="verdict" role="status" class:done=good>{live(told)}</p>
        <div class="choices">
            <button type="button" class="button main" disabled=live(move || !good.get()) on:click=press(done)>{say(Language::study_edit_done)}</button>
            <button type="button" class="button" on:click=press(move || editing.change(Draft::clear))>{say(Language::study_edit_clear)}</button>
            <button type="button" class="button" on:click=press(move || editing.draft.set(None))>{say(Language::study_edit_cancel)}</button>
        </div>
    }
}

/// Something that a touch on the board puts there.
#[component]
fn Brush(editing: Editing, names: Memo<Names>, letter: char) -> impl IntoView {
    let settings = settings();
    let piece = editing.read(|draft| draft.piece(letter)).flatten();
    let name = live(move || match piece {
        Some(piece) => names.with(|names| locale::piece(settings.lang(), piece, names)),
        None => settings.lang().study_edit_nothing().to_owned(),
    });
    let pressed = live(move || (editing.brush.get() == letter).to_string());
    let used = live(move || editing.read(|draft| draft.is_used(letter)).unwrap_or_default());
    let picture = piece.map_or_else(|| art::icon(art::Icon::Close), art::piece);
    view! {
        <button type="button" class="brush" class:used=used aria-pressed=pressed aria-label=name title=name
            on:click=press(move || editing.brush.set(letter))><span class="piece" inner_html=picture></span></button>
    }
}

/// Quarto's piece in hand.
#[component]
fn Held(editing: Editing) -> impl IntoView {
    let settings = settings();
    let given = live(move || editing.read(|draft| draft.hand.and_then(|letter| draft.piece(letter))).flatten());
    let is_quarto = move || editing.read(|draft| draft.game.id() == game::GameId::Quarto).unwrap_or_default();
    let give = move || editing.change(|draft| draft.give(editing.brush.get_untracked()));
    view! {
        {showing(is_quarto, move || view! {
            <button type="button" class="button in-hand" on:click=press(give)>
                <span class="piece" inner_html=live(move || given.get().map(art::piece).unwrap_or_default())></span>
                {live(move || if given.get().is_some() { settings.lang().study_edit_in_hand() } else { settings.lang().study_edit_give() })}
            </button>
        })}
    }
}

/// Who is to act, where the board does not tell.
#[component]
fn ToAct(editing: Editing, names: Memo<Names>) -> impl IntoView {
    let seat = move |seat: Seat| {
        let pressed = live(move || (editing.read(|draft| draft.acting) == Some(seat)).to_string());
        view! {
            <button type="button" class="button" aria-pressed=pressed on:click=press(move || editing.change(|draft| draft.acting = seat))>
                {live(move || names.with(|names| names.seat(seat).to_owned()))}
            </button>
        }
    };
    let seats = move || editing.read(|draft| draft.game.seats()).unwrap_or_default();
    view! {
        {showing(move || editing.read(Draft::may_choose_seat).unwrap_or_default(), move || view! {
            <div class="choices" role="group" aria-label=say(Language::study_edit_to_act)>
                <span class="quiet">{say(Language::study_edit_to_act)}</span>{list(move || Seat::all(seats()).map(seat))}
            </div>
        })}
    }
}

/// The points of Four.
#[component]
fn Points(editing: Editing, names: Memo<Names>) -> impl IntoView {
    let settings = settings();
    let is_four = move || editing.read(|draft| draft.game.id() == game::GameId::Four).unwrap_or_default();
    let points = move |index: usize| {
        let change = move |event| {
            if let Ok(points) = event_target_value(&event).parse::<u8>() {
                editing.change(|draft| draft.points[index] = points);
            }
        };
        let name = move || names.with(|names| settings.lang().study_edit_points(names.seat(Seat::from_index(index))));
        view! {
            <label><span>{live(name)}</span>
                <input type="number" min="0" max="100" prop:value=live(move || editing.read(|draft| draft.points[index])) on:change=change /></label>
        }
    };
    view! { {showing(is_four, move || view! { <div class="numbers-of">{points(0)}{points(1)}</div> })} }
}

/// The cards of Sequence; what is played already cannot be in a hand.
#[component]
fn Hands(editing: Editing, names: Memo<Names>) -> impl IntoView {
    let settings = settings();
    let choice = move |seat: usize, at: usize| {
        let held = live(move || editing.read(|draft| draft.hands.get(seat)?.get(at).copied()).flatten());
        let choose = move |event| {
            let chosen = event_target_value(&event).parse::<Card>().ok();
            editing.change(|draft| {
                let Some(hand) = draft.hands.get_mut(seat) else { return };
                match chosen {
                    Some(card) if at < hand.len() => hand[at] = card,
                    Some(card) => hand.push(card),
                    None if at < hand.len() => drop(hand.remove(at)),
                    None => {}
                }
            });
        };
        let options = Card::ALL
            .into_iter()
            .map(|card| {
                view! { <option value=card.name() selected=live(move || held.get() == Some(card))>{live(move || locale::card(settings.lang(), card))}</option> }
            })
            .collect_view();
        view! {
            <select on:change=choose aria-label=live(move || settings.lang().study_edit_card(at + 1))>
                <option value="" selected=live(move || held.get().is_none())>"–"</option>{options}
            </select>
        }
        .into_any()
    };
    let hands = Memo::new(move |_| editing.read(|draft| draft.hands.len()).unwrap_or_default());
    let hand = move |seat: usize| {
        view! {
            <fieldset><legend>{live(move || names.with(|names| settings.lang().study_edit_hand(names.seat(Seat::from_index(seat)))))}</legend>
                {choice(seat, 0)}{choice(seat, 1)}{choice(seat, 2)}
            </fieldset>
        }
    };
    view! { {part(move || (0..hands.get()).map(hand).collect_view())} }
}
