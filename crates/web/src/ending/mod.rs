//! The card at the end of a game: the result, the key moment, what comes next, and a picture or a link to share.

// What a component is made of is public inside its module, whatever the component itself is.
#![allow(unreachable_pub)]

mod key_moment;

use art::{Icon, Layout, Turned, icon};
use locale::Language;
use rules::Outcome;
use session::words;
use ui::prelude::*;

use crate::app::settings;
use crate::browser;
use crate::match_view::MatchView;
use crate::parts::EndCard;
use crate::views::{live, press, say, showing, spawn, tool};
use key_moment::KeyMoment;

/// The card; it can be put away, and comes again with the next end.
#[component]
pub(crate) fn EndCardView(card: EndCard) -> impl IntoView {
    let settings = settings();
    let EndCard { match_view, rating, link, after } = card;
    let (is_open, is_sharing) = (RwSignal::new(true), RwSignal::new(false));
    let is_shown = move || is_open.get() && match_view.looking.get().is_none();
    let how = Signal::derive(move || how(match_view, settings.lang()));
    let result = Signal::derive(move || result(match_view, settings.lang()));
    // Found once, however often the card is put away.
    let moment = key_moment::search(match_view);
    showing(is_shown, move || {
        view! {
            <section class="end-card" role="dialog" aria-label=result>
                {tool(Icon::Close, Language::web_close, move || is_open.set(false))}
                <h2>{result}</h2>
                <p>{how}</p>
                {rating.map(|rating| view! { <p class="rating">{rating}</p> })}
                <KeyMoment match_view moment />
                <div class="choices">
                    {after.run(())}
                    <button type="button" class="button" data-do="share" aria-expanded=is_sharing
                        on:click=press(move || is_sharing.update(|on| *on = !*on))>
                        <span inner_html=icon(Icon::Share)></span>{say(Language::web_share)}
                    </button>
                </div>
                {showing(move || is_sharing.get(), move || view! { <Sharing match_view link /> })}
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
        Some(Outcome::Win(side)) => language.wins(names.side(side), names.side_count(side)),
        Some(Outcome::Draw) => language.draw().to_owned(),
        None => String::new(),
    }
}

/// How the match ended, without the winner where the result has just named one.
fn how(match_view: MatchView, language: Language) -> String {
    let told = words::prompt(language, &match_view.prompt(), &match_view.names(language));
    // The same words may begin with a small letter there.
    let winner = result(match_view, language);
    let mut letters = winner.chars();
    letters.next();
    let reason = told.strip_suffix(letters.as_str()).map(|rest| {
        let mut rest = rest.chars();
        rest.next_back();
        rest.as_str().trim_end_matches([' ', ':', '.'])
    });
    match reason.filter(|reason| !reason.is_empty()) {
        Some(reason) => format!("{reason}."),
        None => told,
    }
}

/// The last position as a picture, and a link to the game.
#[component]
fn Sharing(match_view: MatchView, link: Signal<String>) -> impl IntoView {
    let settings = settings();
    let copied = RwSignal::new(None::<bool>);
    let copy = move || {
        let link = link.get_untracked();
        spawn(async move { copied.set(Some(browser::copy(&link).await)) });
    };
    let told = live(move || {
        let language = settings.lang();
        match copied.get()? {
            true => Some(language.web_link_copied().to_owned()),
            false => Some(language.web_copy_refused(link.get())),
        }
    });
    view! {
        <div class="choices">
            <button type="button" class="button" data-do="picture" on:click=press(move || share_picture(match_view))>{say(Language::web_picture)}</button>
            <button type="button" class="button" data-do="link" on:click=press(copy)>{say(Language::moment_link)}</button>
        </div>
        <p class="quiet told" role="status">{told}</p>
    }
}

/// Gives the board as it is shown to another app, or as a file.
fn share_picture(match_view: MatchView) {
    let scene = untrack(|| match_view.scene());
    let name = match_view.game_untracked(|game| game.settings().game.id().name());
    let layout = Layout::new(&scene, Turned::Upright);
    // A hundredth of a square is one and a half pixels wide. Whole numbers: printing an `f64` would take 9 kB of this chunk.
    let size = |length: i32| (3 * length + 1) / 2;
    let (width, height) = (size(layout.width()), size(layout.height()));
    let drawing = art::scene_svg(&scene, name);
    let drawing = drawing.strip_prefix("<svg ").unwrap_or_default();
    let drawing = format!(r#"<svg width="{width}" height="{height}" {drawing}"#);
    spawn(async move { browser::share_picture(&format!("{name}.png"), &drawing, width.into(), height.into()).await });
}
