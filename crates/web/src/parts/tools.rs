//! Tools that every table has.

use leptos::prelude::*;
use locale::Language;

use crate::app::settings;
use crate::art::{Icon, icon};
use crate::board::Turned;
use crate::browser;
use crate::erased_views::{say, tool};
use crate::match_view::MatchView;
use crate::route::Route;

/// The tools of every table: views of the match, typing a move, and the record to download.
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
    view! {
        {tool(Icon::Type, Language::web_type_move, move || typing.update(|on| *on = !*on))}
        {match_view.game_untracked(may_be_turned).then(|| tool(Icon::Rotate, Language::web_rotate, move || turned.update(|turned| *turned = turned.further())))}
        {tool(Icon::Grid, Language::web_coordinates, move || settings.coordinates.update(|on| *on = !*on))}
        {tool(Icon::Save, Language::web_download, move || download(match_view))}
        {tool(Icon::Full, Language::web_full_screen, full_screen)}
        <a class="button plain" href=Route::Learn(id).link() aria-label=say(Language::menu_rules) title=say(Language::menu_rules) inner_html=icon(Icon::Book)></a>
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
