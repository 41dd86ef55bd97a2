//! Setting up a position by touch.

mod fields;

use game::AnySetup;
use locale::{Language, Names};
use rules::{BadPosition, SetupValue};
use scene::{Piece, Scene, Seating, Spot};
use ui::prelude::*;

use super::source;
use super::study::Study;
use crate::app::settings;
use crate::views::{list, live, press, say};
use art;
use fields::Fields;

/// The board as it is being set up, and what the next touch puts there.
#[derive(Clone, Copy)]
pub struct Editing {
    setup: RwSignal<Option<Box<dyn AnySetup>>>,
    /// What a touch puts on a square; `None` clears it.
    brush: RwSignal<Option<Piece>>,
}

impl Editing {
    /// No position is being set up.
    pub fn new() -> Editing {
        Editing { setup: RwSignal::new(None), brush: RwSignal::new(None) }
    }

    /// Whether a position is being set up.
    pub fn is_on(&self) -> bool {
        self.setup.with(Option::is_some)
    }

    /// The same, for handlers.
    pub fn is_on_untracked(&self) -> bool {
        self.setup.with_untracked(Option::is_some)
    }

    /// Begins with the position shown.
    pub fn begin(self, study: Study) {
        let setup = study.match_view.game_untracked(|game| game.position().setup());
        self.brush.set(setup.pieces().first().copied());
        self.setup.set(Some(setup));
    }

    /// The board with what is set up on it; nothing else is known.
    pub fn scene(&self, mut scene: Scene, seating: &Seating) -> Scene {
        self.setup.with(|setup| {
            if let Some(setup) = setup {
                for cell in &mut scene.board.cells {
                    cell.piece = setup.piece(cell.square);
                }
                let board = scene.board.clone();
                scene = Scene::new(scene.style, board, scene.status.clone()).arranged(seating);
            }
        });
        scene
    }

    /// Puts what is chosen on a square, or takes it away if it is there already.
    pub fn touch(self, spot: Spot) {
        if let Some(square) = spot.square() {
            let brush = self.brush.get_untracked();
            self.change(|setup| setup.put(square, brush.filter(|piece| setup.piece(square) != Some(*piece))));
        }
    }

    fn set(self, field: usize, value: SetupValue<Piece>) {
        self.change(|setup| setup.set(field, value));
    }

    fn change(self, change: impl FnOnce(&mut dyn AnySetup)) {
        self.setup.update(|setup| {
            if let Some(setup) = setup {
                change(setup.as_mut());
            }
        });
    }

    fn read<T>(&self, read: impl FnOnce(&dyn AnySetup) -> T) -> Option<T> {
        self.setup.with(|setup| setup.as_deref().map(read))
    }

    /// The text of the position, or why there is none.
    fn position(&self) -> Option<Result<String, BadPosition>> {
        self.read(|setup| setup.position().map(|position| position.to_string()))
    }
}

/// What stands beside the board while it is set up.
#[component]
pub fn Editor(
    /// The board to set up.
    study: Study,
    /// What is set up.
    editing: Editing,
    /// What the seats are called.
    names: Memo<Names>,
) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let pieces = Memo::new(move |_| editing.read(|setup| setup.pieces()).unwrap_or_default());
    let brushes = move || std::iter::once(None).chain(pieces.get().into_iter().map(Some));
    let made = Memo::new(move |_| editing.position());
    let verdict = move || match made.get() {
        Some(Ok(_)) => lang().study_edit_good().to_owned(),
        Some(Err(problem)) => lang().study_edit_bad(locale::bad_position(lang(), &problem)),
        None => String::new(),
    };
    let good = Memo::new(move |_| matches!(made.get(), Some(Ok(_))));
    let done = move || {
        let Some(Ok(text)) = made.get_untracked() else { return };
        let signs = study.match_view.game_untracked(|game| game.settings().chosen_signs());
        if let Ok(game) = source::from_position(untrack(|| study.game()), Some(text), signs) {
            editing.setup.set(None);
            study.open(source::Opened { game, at: 0 });
        }
    };
    view! {
        <p class="say">{say(Language::study_edit)}</p>
        <p class="quiet">{say(Language::study_edit_about)}</p>
        <div class="brushes" role="group" aria-label=say(Language::study_edit_pieces)>
            {list(move || brushes().map(move |piece| view! { <Brush study editing names piece /> }))}
        </div>
        <Fields editing names />
        <p class="verdict" role="status" class:done=good>{live(verdict)}</p>
        <div class="choices">
            <button type="button" class="button main" disabled=live(move || !good.get()) on:click=press(done)>{say(Language::study_edit_done)}</button>
            <button type="button" class="button" on:click=press(move || editing.change(|setup| setup.clear()))>{say(Language::study_edit_clear)}</button>
            <button type="button" class="button" on:click=press(move || editing.setup.set(None))>{say(Language::study_edit_cancel)}</button>
        </div>
    }
}

/// Something that a touch on the board puts there.
#[component]
fn Brush(study: Study, editing: Editing, names: Memo<Names>, piece: Option<Piece>) -> impl IntoView {
    let settings = settings();
    let shown = piece.map(|piece| untrack(|| study.match_view.with(|view| view.seating().piece(piece))));
    let name = Signal::derive(move || match shown {
        Some(piece) => names.with(|names| locale::piece(settings.lang(), piece, names)),
        None => settings.lang().study_edit_nothing().to_owned(),
    });
    let pressed = live(move || editing.brush.get() == piece);
    let is_used = move |setup: &dyn AnySetup| piece.is_some_and(|piece| setup.is_used(piece));
    let used = live(move || editing.read(is_used).unwrap_or_default());
    let picture = shown.map_or_else(|| art::icon(art::Icon::Close), art::piece);
    view! {
        <button type="button" class="brush" class:used=used aria-pressed=pressed aria-label=name title=name
            on:click=press(move || editing.brush.set(piece))><span class="piece" inner_html=picture></span></button>
    }
}
