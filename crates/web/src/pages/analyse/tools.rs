//! Taking a position or a game along, and bringing one in.

use game::{Game, GameId, Match, MatchSettings};
use locale::Language;
use session::History;
use ui::ev::SubmitEvent;
use ui::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;

use super::source;
use super::study::Study;
use crate::app::settings;
use crate::browser;
use crate::pages::new_game::OptionChoice;
use crate::route::{Route, full_address};
use crate::views::{live, press, say, showing, spawn};
use art::{Icon, icon};

/// Position text, record, and a link to what is shown.
#[component]
pub(super) fn Share(study: Study) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let position = Memo::new(move |_| study.match_view.game(|game| game.position().to_string()));
    let record = Memo::new(move |_| study.annotated().record().to_string());
    let said = RwSignal::new(None::<bool>);
    let copy_link = move || {
        copy(full_address(&Route::Analyse(study.link_untracked())), said);
    };
    let save = move |_| {
        let name = study.line.with_untracked(|line| format!("{}.fourfold", line.settings().game.id()));
        browser::download(&name, &record.read_untracked());
    };
    let told =
        move || said.get().map(|copied| if copied { lang().study_copied() } else { lang().study_copy_refused() });
    view! {
        <div class="share">
            <label><span>{say(Language::study_position)}</span><input type="text" readonly prop:value=position /></label>
            <details><summary>{say(Language::study_record)}</summary><textarea readonly rows="6" aria-label=say(Language::study_record) prop:value=record></textarea></details>
            <div class="choices">
                <button type="button" class="button main" on:click=press(copy_link)><span inner_html=icon(Icon::Share)></span>{say(Language::study_copy_link)}</button>
                <button type="button" class="button" on:click=press(move || copy(position.get_untracked(), said))>{say(Language::study_copy_position)}</button>
                <button type="button" class="button" on:click=press(move || copy(record.get_untracked(), said))>{say(Language::study_copy_record)}</button>
                <button type="button" class="button" on:click=save>{say(Language::web_download)}</button>
            </div>
            <p class="quiet" role="status">{told}</p>
        </div>
    }
}

/// Puts a text on the clipboard and tells whether that went well.
fn copy(text: String, said: RwSignal<Option<bool>>) {
    spawn(async move { said.set(Some(browser::copy(&text).await)) });
}

/// Opens the usual start of a game.
fn begin(study: Study, game: Game) {
    if let Ok(game) = source::from_position(game, None, None) {
        study.open(source::Opened { game, at: 0 });
        if study.match_view.game_untracked(Match::chance_is_due) {
            study.draw();
        }
    }
}

/// The choice of a game, until the first move.
#[component]
pub(super) fn Games(study: Study) -> impl IntoView {
    let settings = settings();
    let fresh = move || study.line.with(|line| History::new(line).moves(line.log().len()) == 0);
    let game = move |id: GameId| {
        let pressed = live(move || study.line.with(|line| line.settings().game.id() == id));
        view! {
            <button type="button" class="button" aria-pressed=pressed on:click=press(move || begin(study, Game::by_default(id)))>
                {live(move || locale::game_name(settings.lang(), id))}
            </button>
        }
    };
    view! {
        {showing(fresh, move || view! {
            <div class="which choices" role="group" aria-label=say(Language::menu_title)>{GameId::ALL.map(game).into_iter().collect_view()}</div>
        })}
    }
}

/// Another game, other options, a pasted text or a file.
#[component]
pub(super) fn SetUp(study: Study) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let chosen =
        RwSignal::new(MatchSettings::new(study.match_view.game_untracked(|game| game.settings().game.clone())));
    let text = NodeRef::<web_sys::HtmlTextAreaElement>::new();
    // What is opened may be another game than the one chosen here.
    Effect::new(move || {
        let game = study.line.with(|line| line.settings().game.clone());
        if chosen.with_untracked(|setup| setup.game != game) {
            chosen.set(MatchSettings::new(game));
        }
    });
    // A choice made here begins that game.
    Effect::new(move || {
        let game = chosen.with(|setup| setup.game.clone());
        if study.line.with_untracked(|line| line.settings().game != game) {
            begin(study, game);
        }
    });
    let problem = RwSignal::new(None::<String>);
    let open = move |text: &str| {
        let language = settings.language.get_untracked();
        let game = chosen.with_untracked(|setup| setup.game.clone());
        match source::from_text(text, &game, language) {
            Ok(opened) => {
                problem.set(None);
                study.open(opened);
            }
            Err(broken) => problem.set(Some(language.study_broken_text(broken))),
        }
    };
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        if let Some(text) = text.get_untracked() {
            open(&text.value());
        }
    };
    let choose_game = move |event| {
        if let Ok(id) = event_target_value(&event).parse::<GameId>() {
            chosen.set(MatchSettings::new(Game::by_default(id)));
        }
    };
    let open_file = move |event: ui::ev::Event| {
        let input = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlInputElement>().ok());
        let Some(input) = input else { return };
        let Some(file) = input.files().and_then(|files| files.get(0)) else { return };
        // The same file can be chosen again after it was changed.
        input.set_value("");
        spawn(async move {
            let language = settings.language.get_untracked();
            match JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string()) {
                Some(text) => open(&text),
                None => problem.set(Some(language.study_broken_text(language.study_no_text_file()))),
            }
        });
    };
    let id = Memo::new(move |_| chosen.with(|setup| setup.game.id()));
    let games = GameId::ALL
        .into_iter()
        .map(|game| view! { <option value=game.name() selected=live(move || id.get() == game)>{live(move || locale::game_name(lang(), game))}</option> })
        .collect_view();
    let options =
        move || id.get().options().iter().map(|spec| view! { <OptionChoice spec=*spec chosen /> }).collect_view();
    view! {
        <details class="set-up">
            <summary><h2>{say(Language::study_set_up)}</h2></summary>
            <select class="pick" aria-label=say(Language::menu_title) on:change=choose_game>{games}</select>
            {options}
            <form on:submit=submit>
                <label><span>{say(Language::study_paste)}</span><textarea node_ref=text rows="4" aria-describedby="import-problem" spellcheck="false" autocapitalize="off"></textarea></label>
                <p class="notice" id="import-problem" role="alert">{live(move || problem.get())}</p>
                <p class="quiet">{say(Language::study_paste_about)}</p>
                <div class="choices">
                    <button type="submit" class="button main">{say(Language::study_open)}</button>
                    <label class="button file">{say(Language::study_open_file)}<input type="file" accept=".fourfold,.txt,text/plain" on:change=open_file /></label>
                </div>
            </form>
        </details>
    }
}
