//! The end of a game: a card over the board with the result and what comes next.

use art::{Layout, Turned};
use leptos::prelude::*;
use locale::Language;
use rules::Outcome;
use session::words;

use crate::app::settings;
use crate::browser;
use crate::erased_views::{live, press, say, showing, spawn, tool};
use crate::match_view::MatchView;
use art::{Icon, icon};

/// How many pixels of a shared picture show a hundredth of a square.
const PICTURE_SCALE: f64 = 1.5;

/// The card; it can be put away, and comes again with the next end.
#[component]
pub fn EndCard(
    /// The match.
    match_view: MatchView,
    /// What the game was worth, where ratings change.
    #[prop(optional)]
    rating: Option<Signal<Option<String>>>,
    /// What comes next, as buttons.
    after: fn(MatchView) -> AnyView,
) -> impl IntoView {
    let settings = settings();
    let is_over = Memo::new(move |_| match_view.game(|game| game.ending().is_some()));
    let is_open = RwSignal::new(true);
    Effect::new(move || is_open.set(is_over.get()));
    let is_shown = move || is_over.get() && is_open.get() && match_view.looking.get().is_none();
    let result = live(move || result(match_view, settings.lang()));
    let how = live(move || words::prompt(settings.lang(), &match_view.prompt(), &match_view.names(settings.lang())));
    showing(is_shown, move || {
        view! {
            <section class="end-card" role="dialog" aria-label=result>
                {tool(Icon::Close, Language::web_close, move || is_open.set(false))}
                <h2>{result}</h2>
                <p>{how}</p>
                {rating.map(|rating| view! { <p class="rating">{rating}</p> })}
                <div class="choices">
                    {after(match_view)}
                    <button type="button" class="button" data-do="picture" on:click=press(move || share_picture(match_view))>
                        <span inner_html=icon(Icon::Share)></span>{say(Language::web_picture)}
                    </button>
                </div>
            </section>
        }
    })
}

/// The result in a few words, to the reader.
fn result(match_view: MatchView, language: Language) -> String {
    let names = match_view.names(language);
    match match_view.game(|game| game.ending().and_then(|ending| ending.outcome)) {
        Some(Outcome::Win(side)) if names.is_your_side(side) => language.you_win().to_owned(),
        Some(Outcome::Win(_)) if names.you().is_some() => language.you_lose().to_owned(),
        Some(Outcome::Win(side)) => language.wins(names.side(side)),
        Some(Outcome::Draw) => language.draw().to_owned(),
        None => String::new(),
    }
}

/// Gives the board as it is shown to another app, or as a file.
fn share_picture(match_view: MatchView) {
    let scene = untrack(|| match_view.scene());
    let name = match_view.game_untracked(|game| game.settings().game.id().name());
    let layout = Layout::new(&scene, Turned::Upright);
    let size = |length: i32| (f64::from(length) * PICTURE_SCALE).round();
    let (width, height) = (size(layout.width()), size(layout.height()));
    let sized = format!(r#"<svg width="{width}" height="{height}" "#);
    let drawing = art::scene_svg(&scene, name).replacen("<svg ", &sized, 1);
    spawn(async move { browser::share_picture(&format!("{name}.png"), &drawing, width, height).await });
}
