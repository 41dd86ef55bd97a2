//! Tools that every table has.

use locale::Language;
use ui::prelude::*;

use super::menu::{item, item_link, item_when};
use crate::app::settings;
use crate::board::Turned;
use crate::browser;
use crate::match_view::MatchView;
use crate::route::Route;
use crate::views::{live, press};
use art::Icon;

/// The items that the menu of every table has: views of the match, typing a move, the record to download, and on a
/// small screen, which has no bar at the top, the way home and the sound.
#[component]
pub fn ViewTools(
    /// The match.
    match_view: MatchView,
    /// How the board is turned.
    turned: RwSignal<Turned>,
    /// Whether moves are typed.
    typing: RwSignal<bool>,
) -> impl IntoView {
    let settings = settings();
    let id = match_view.game_untracked(|game| game.settings().game.id());
    let sound_name = live(move || {
        let language = settings.lang();
        if settings.sound.get() { language.web_sound_off() } else { language.web_sound_on() }
    });
    let toggle_sound = press(move || settings.sound.update(|on| *on = !*on));
    view! {
        {item(Icon::Type, Language::web_type_move, move || typing.update(|on| *on = !*on))}
        {match_view.game_untracked(may_be_turned).then(|| item(Icon::Rotate, Language::web_rotate, move || turned.update(|turned| *turned = turned.further())))}
        {item(Icon::Grid, Language::web_coordinates, move || settings.coordinates.update(|on| *on = !*on))}
        {item(Icon::Save, Language::web_download, move || download(match_view))}
        {item(Icon::Full, Language::web_full_screen, full_screen)}
        {item_link(Icon::Book, Language::menu_rules, Route::Learn(id).link())}
        <div class="small-screen">
            {item_when(Icon::Sound, sound_name, AnyView::NOTHING, toggle_sound)}
            {item_link(Icon::Back, Language::web_home, Route::Home.link())}
        </div>
    }
}

/// On some boards up and down matter.
fn may_be_turned(game: &game::Match) -> bool {
    game.position().scene(rules::Viewer::Spectator).board.facing == scene::Facing::Any
}

fn full_screen() {
    if document().fullscreen_element().is_some() {
        document().exit_fullscreen();
    } else if let Some(root) = document().document_element() {
        let _ = root.request_fullscreen();
    }
}

/// Gives the person the record as a file.
fn download(match_view: MatchView) {
    let viewer = untrack(|| match_view.viewer());
    let (name, record) = match_view.game_untracked(|game| {
        let record = if game.ending().is_some() { game.record() } else { game.record_for(viewer) };
        (format!("{}.fourfold", game.settings().game.id()), record.to_string())
    });
    browser::download(&name, &record);
}
