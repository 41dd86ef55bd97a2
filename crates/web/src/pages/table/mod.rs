//! The table: a match being played or looked at.

// What a component is made of is public inside its module, whatever the component itself is.
#![allow(unreachable_pub)]

mod actions;
mod lots;

use std::cell::RefCell;
use std::time::Duration;

use game::Match;
use locale::{Language, Names};
use ui::prelude::*;

use crate::app::{TopBar, settings};
use crate::board::Turned;
use crate::browser::{self, store};
use crate::chunks::{self, NotLoaded};
use crate::local_table::LocalTable;
use crate::parts::{Panel, PanelState, TableFrame};
use crate::route::Route;
use crate::views::{live, press, say, showing, spawn};
use actions::Actions;
pub use lots::Lots;

thread_local! {
    static HANDED: RefCell<Option<Handed>> = const { RefCell::new(None) };
}

/// A match that other code gave to the table page.
struct Handed {
    key: String,
    game: Match,
    /// It has not been shown yet, so no record can be newer.
    is_new: bool,
}

/// Hands a match to the table page, which then reads no record. A later visit does, unless the browser keeps nothing.
pub fn hand_over(key: &str, game: Match) {
    HANDED.with_borrow_mut(|handed| *handed = Some(Handed { key: key.to_owned(), game, is_new: true }));
}

/// The match that was handed over under this key; `only_new`: if it has not been shown yet.
fn handed(key: &str, only_new: bool) -> Option<Match> {
    HANDED.with_borrow_mut(|handed| {
        let handed = handed.as_mut().filter(|handed| handed.key == key && (handed.is_new || !only_new))?;
        handed.is_new = false;
        Some(handed.game.clone())
    })
}

/// The table page: finds the match, then shows it.
#[component]
pub fn Table(
    /// The key of the match on this device.
    key_: String,
) -> impl IntoView {
    let settings = settings();
    let found = RwSignal::new(None::<Result<Match, NotFound>>);
    let key = key_.clone();
    spawn(async move {
        let _ = found.try_set(Some(find(&key).await));
    });
    move || {
        match found.get() {
        None => view! { <main class="waiting" aria-busy="true"></main> }.into_any(),
        Some(Ok(game)) => {
            let play = LocalTable::new(key_.clone(), game, settings);
            play.go_on();
            view! { <LocalTableView play /> }.into_any()
        }
        Some(Err((problem, record))) => view! {
            <TopBar title=Signal::derive(|| "Fourfold".to_owned()) />
            <main class="dead-end">
                <p class="lead notice" role="alert">{say(problem)}</p>
                <div class="choices">
                    <a class="button main" href=Route::Home.link()>{say(Language::web_home)}</a>
                    {record.map(|record| view! {
                        <button type="button" class="button" on:click=press(move || browser::download("game.fourfold", &record))>{say(Language::web_download)}</button>
                    })}
                </div>
            </main>
        }
        .into_any(),
    }
    }
}

/// Why a match is not shown, and its record if there is one.
type NotFound = (fn(Language) -> &'static str, Option<String>);

async fn find(key: &str) -> Result<Match, NotFound> {
    if let Some(game) = handed(key, true) {
        return Ok(game);
    }
    let Some(record) = store::get(key).await.ok().flatten() else {
        return handed(key, false).ok_or((Language::web_no_such_game, None));
    };
    match chunks::read_record(record.clone()).await {
        Ok(Some(game)) => Ok(game),
        Ok(None) => Err((Language::web_broken_record, Some(record))),
        Err(NotLoaded) => Err((Language::web_not_loaded, Some(record))),
    }
}

#[component]
fn LocalTableView(play: LocalTable) -> impl IntoView {
    let settings = settings();
    let match_view = play.match_view;
    let names = Memo::new(move |_| match_view.names(settings.lang()));
    let turned = RwSignal::new(Turned::default());
    let ticking = set_interval_with_handle(move || play.poll(), Duration::from_millis(200)).ok();
    on_cleanup(move || {
        if let Some(ticking) = ticking {
            ticking.clear();
        }
    });
    view! {
        <TableFrame match_view turned beside=view! { <HurryButton play /> }.into_any()>
            {chunks::local_tools(play, turned)}
        </TableFrame>
        <Curtain play names />
    }
}

/// What comes once the board can be touched: tools, the moves, and who begins.
pub(crate) fn tools(play: LocalTable, turned: RwSignal<Turned>) -> AnyView {
    let settings = settings();
    let match_view = play.match_view;
    let names = Memo::new(move |_| match_view.names(settings.lang()));
    let panel = PanelState::new(None);
    view! {
        <Actions play turned panel />
        <Panel match_view state=panel chat=None />
        <Lots match_view names />
    }
}

/// Shows that a computer player thinks, and lets it be hurried.
#[component]
fn HurryButton(play: LocalTable) -> impl IntoView {
    view! {
        {showing(move || play.thinking(), move || view! {
            <p class="thinking"><span class="dots" aria-hidden="true"></span>
                <button type="button" class="button" on:click=press(move || play.hurry())>{say(Language::web_hurry)}</button></p>
        })}
    }
}

/// Between two people with hidden hands: nothing is seen until the right one says so.
#[component]
fn Curtain(play: LocalTable, names: Memo<Names>) -> impl IntoView {
    let settings = settings();
    let curtain = Memo::new(move |_| play.match_view.with(|view| view.curtain));
    // Behind it nothing can be reached, and the way on has the focus.
    Effect::new(move || {
        let down = curtain.get().is_some();
        if let Ok(Some(table)) = document().query_selector("main") {
            let _ = if down { table.set_attribute("inert", "") } else { table.remove_attribute("inert") };
        }
        if down {
            request_animation_frame(|| browser::focus(".curtain .button"));
        }
    });
    let name = move || curtain.get().map(|seat| names.with(|names| names.seat(seat).to_owned())).unwrap_or_default();
    view! {
        {showing(move || curtain.get().is_some(), move || view! {
            <div class="curtain" role="dialog" aria-modal="true" aria-label=live(move || settings.lang().curtain_pass_to(name()).to_string())>
                <h2>{live(move || settings.lang().curtain_pass_to(name()).to_string())}</h2>
                <button type="button" class="button main large" on:click=press(move || play.reveal())>{say(Language::web_reveal)}</button>
            </div>
        })}
    }
}
