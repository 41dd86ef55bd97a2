//! Tells a player whose page is hidden that it is their turn: by the title, a sound and, if allowed, a notification.

use game::Match;
use locale::Language;
use session::Pending;
use ui::prelude::*;

use super::browser;
use super::table::OnlineTable;
use crate::app::settings;
use crate::browser::play_sound;
use crate::match_view::MatchView;
use crate::parts::menu::item;
use crate::views::{showing, spawn};
use art::Icon;

/// An action that is on its way, such as one chosen before the turn, needs the person no more.
fn is_own_turn(table: OnlineTable) -> bool {
    let Some(match_view) = table.match_view.get() else { return false };
    let acting = match_view.game(Match::to_act);
    acting.is_some() && acting == table.seat() && match_view.with(|view| view.pending != Some(Pending::Sent))
}

/// Says in the title whose turn it is, if it is the person's.
pub(super) fn entitle(table: OnlineTable, match_view: MatchView) {
    let settings = settings();
    let game = match_view.game_untracked(|game| game.settings().game.id());
    Effect::new(move || {
        let language = settings.lang();
        let name = locale::game_name(language, game);
        document().set_title(&if is_own_turn(table) {
            format!("● {} – {name}", language.your_turn())
        } else {
            format!("{name} – Fourfold")
        });
    });
}

/// Calls the person when their turn comes.
pub(super) fn call_back(table: OnlineTable) {
    let settings = settings();
    let turn = Memo::new(move |_| is_own_turn(table));
    on_cleanup(|| browser::mark_app(false));
    Effect::new(move |before: Option<bool>| {
        let now = turn.get();
        browser::mark_app(now);
        if now && before == Some(false) {
            let language = settings.language.get_untracked();
            if settings.sound.get_untracked() {
                play_sound("turn");
            }
            let game = table
                .match_view
                .get_untracked()
                .map(|match_view| match_view.game_untracked(|game| game.settings().game.id()));
            browser::notify(
                language.your_turn(),
                game.map(|game| locale::game_name(language, game)).unwrap_or_default(),
            );
        }
        now
    });
}

/// An item that asks for notifications, where the browser has any and was not asked yet.
pub(super) fn bell() -> AnyView {
    let open = RwSignal::new(browser::may_notify() == "default");
    let ask = move || {
        spawn(async move {
            let _ = browser::ask_to_notify().await;
            open.set(browser::may_notify() == "default");
        });
    };
    showing(move || open.get(), move || item(Icon::Bell, Language::online_notify, ask)).into_any()
}
