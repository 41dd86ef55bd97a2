//! Lists of games: one's own, and what those on a player's page share with them.

use game::{GameId, result_from_word};
use locale::Language;
use protocol::{Compact, Json, TableState};
use rules::{Outcome, Seat};
use ui::prelude::*;
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;

use super::http;
use super::me::{clock_name, fetch, fetched, game_name, listed_name, ways};
use crate::app::{TopBar, settings};
use crate::parts::{GamePicture, Thumbnail};
use crate::route::{self, Route, write_query};
use crate::views::{live, part, press, say, showing, spawn, tool};
use crate::{browser, chunks};
use art::Icon;

/// A game that a person plays or has played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Played {
    pub(super) table: String,
    pub(super) game: String,
    clock: String,
    state: TableState,
    result: String,
    pub(super) seat: Option<Seat>,
    /// The names; none for a free seat.
    pub(super) players: Vec<Option<String>>,
    to_act: Option<Seat>,
    /// When something last happened, in milliseconds since 1970.
    pub(super) changed_at: u64,
}

/// How a game stands for the person whose list it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    Running,
    Won,
    Lost,
    Drawn,
    /// Over, without a result for this person.
    Over,
}

impl Standing {
    const FILTERS: [Standing; 4] = [Standing::Running, Standing::Won, Standing::Lost, Standing::Drawn];

    /// The word by which style sheets know it.
    pub(super) fn class(self) -> &'static str {
        match self {
            Standing::Running => "running",
            Standing::Won => "won",
            Standing::Lost => "lost",
            Standing::Drawn => "drawn",
            Standing::Over => "ended",
        }
    }

    fn name(self, language: Language) -> &'static str {
        match self {
            Standing::Running => language.online_running(),
            Standing::Won => language.online_won(),
            Standing::Lost => language.online_lost(),
            Standing::Drawn => language.online_drawn(),
            Standing::Over => language.online_state_over(),
        }
    }
}

pub(super) fn read_game(it: &Json) -> Played {
    fn field<T: Compact>(it: &Json, name: &str) -> Option<T> {
        T::read(it.get(name)?)
    }
    Played {
        table: it.text_of("table"),
        game: it.text_of("game"),
        clock: it.text_of("clock"),
        state: field(it, "state").unwrap_or_default(),
        result: it.text_of("result"),
        seat: field(it, "seat").flatten(),
        players: field(it, "players").unwrap_or_default(),
        to_act: field(it, "to_act").flatten(),
        changed_at: it.number_of("changed_at"),
    }
}

impl Played {
    pub(super) fn is_my_turn(&self) -> bool {
        self.seat.is_some() && self.seat == self.to_act
    }

    /// Its board as it stands; before the game begins, that of menus.
    pub(super) fn picture(&self) -> AnyView {
        match self.id().filter(|_| self.state == TableState::Waiting) {
            Some(game) => view! { <GamePicture game /> }.into_any(),
            None => view! { <Thumbnail picture=board(self.table.clone()).into() /> }.into_any(),
        }
    }

    /// The same, fetched when the element of this name comes into view: each asks the server for a record.
    fn picture_when_seen(&self, element: String) -> AnyView {
        let (played, is_seen) = (self.clone(), RwSignal::new(false));
        request_animation_frame(move || {
            // The page may be gone by now.
            let seen = Closure::once_into_js(move || {
                let _ = is_seen.try_set(true);
            });
            crate::browser::when_seen(&element, seen);
        });
        showing(move || is_seen.get(), move || played.picture()).into_any()
    }

    /// What comes first in a list.
    pub(super) fn rank(&self) -> u8 {
        match self.state {
            _ if self.is_my_turn() => 0,
            TableState::Over => 2,
            _ => 1,
        }
    }

    /// How it stands or ended, for whose game it is.
    pub(super) fn stands(&self, language: Language) -> String {
        match self.state {
            TableState::Waiting => language.online_state_waiting().to_owned(),
            TableState::Playing if self.is_my_turn() => language.your_turn().to_owned(),
            TableState::Playing if self.seat.is_none() => language.online_running().to_owned(),
            TableState::Playing => language.online_state_playing().to_owned(),
            TableState::Over => self.standing().name(language).to_owned(),
        }
    }

    pub(super) fn standing(&self) -> Standing {
        if self.state != TableState::Over {
            return Standing::Running;
        }
        let side = || Some(self.game.parse::<game::Game>().ok()?.start().side(self.seat?));
        match result_from_word(&self.result) {
            Ok(Some(Outcome::Draw)) => Standing::Drawn,
            Ok(Some(Outcome::Win(winner))) if side() == Some(winner) => Standing::Won,
            Ok(Some(Outcome::Win(_))) if side().is_some() => Standing::Lost,
            _ => Standing::Over,
        }
    }

    fn id(&self) -> Option<GameId> {
        Some(self.game.parse::<game::Game>().ok()?.id())
    }
}

/// Games in the order of their ranks.
pub(super) fn by_rank(games: &[Played]) -> impl Iterator<Item = Played> {
    (0..3).flat_map(move |rank| games.iter().filter(move |game| game.rank() == rank).cloned())
}

/// Which games of a list are shown.
#[derive(Clone, Copy)]
struct Filter {
    game: RwSignal<Option<GameId>>,
    standing: RwSignal<Option<Standing>>,
    player: RwSignal<String>,
}

impl Filter {
    fn new() -> Filter {
        Filter { game: RwSignal::new(None), standing: RwSignal::new(None), player: RwSignal::new(String::new()) }
    }

    fn shows(self, played: &Played, language: Language) -> bool {
        let player = self.player.with(|player| browser::lowercase(player.trim()));
        let mut names = played.players.iter().flatten();
        let is_named =
            |name: &String| rules::find(&browser::lowercase(&listed_name(language, name)), &player).is_some();
        self.game.get().is_none_or(|game| played.id() == Some(game))
            && self.standing.get().is_none_or(|standing| played.standing() == standing)
            && (player.is_empty() || names.any(is_named))
    }

    /// The fields in which one chooses.
    fn view(self) -> AnyView {
        let settings = settings();
        let lang = move || settings.lang();
        let games = GameId::ALL
            .map(|game| view! { <option value=game.name()>{live(move || locale::game_name(lang(), game))}</option> });
        let standings = Standing::FILTERS
            .map(|standing| view! { <option value=standing.class()>{live(move || standing.name(lang()))}</option> });
        let choose_game = move |event| self.game.set(event_target_value(&event).parse().ok());
        let choose_standing = move |event| {
            let word = event_target_value(&event);
            self.standing.set(Standing::FILTERS.into_iter().find(|standing| standing.class() == word));
        };
        view! {
            <div class="filters" role="search">
                <select aria-label=say(Language::online_filter_game) on:change=choose_game>
                    <option value="">{say(Language::web_home)}</option>{games.into_iter().collect_view()}
                </select>
                <select aria-label=say(Language::online_filter_result) on:change=choose_standing>
                    <option value="">{say(Language::online_all_results)}</option>{standings.into_iter().collect_view()}
                </select>
                <input type="search" aria-label=say(Language::online_filter_player) placeholder=say(Language::online_filter_player)
                    on:input=move |event| self.player.set(event_target_value(&event)) />
            </div>
        }
        .into_any()
    }
}

/// One's own games.
#[component]
pub fn Mine() -> impl IntoView {
    let settings = settings();
    let games = fetch("api/me/games".to_owned(), |it| it.list().iter().map(read_game).collect::<Vec<_>>());
    view! {
        <TopBar title=Signal::derive(move || settings.lang().online_mine().to_owned()) />
        <main class="online own-list">
            {ways(Route::Mine)}
            {fetched(games, move |games| {
                if games.is_empty() {
                    return view! {
                        <p class="lead">{say(Language::online_no_games)}</p>
                        <p><a class="button main" href=Route::Lobby.link()>{say(Language::online_lobby)}</a></p>
                    }
                    .into_any();
                }
                // What waits for the person comes first, what is over last; otherwise the latest, as the server lists them.
                let (filter, sorted) = (Filter::new(), by_rank(&games).collect::<Vec<_>>());
                let shown = part(move || {
                    let language = settings.lang();
                    rows(sorted.iter().filter(|game| filter.shows(game, language)).cloned().collect())
                });
                view! { {filter.view()}{shown} }.into_any()
            })}
        </main>
    }
}

fn rows(games: Vec<Played>) -> AnyView {
    if games.is_empty() {
        return view! { <p class="quiet">{say(Language::online_none_found)}</p> }.into_any();
    }
    let rows = games.into_iter().map(|game| view! { <GameRow game /> });
    view! { <ul class="rows">{rows.collect_view()}</ul> }.into_any()
}

/// The board of a game as it stands, drawn from its record.
pub(super) fn board(table: String) -> RwSignal<String> {
    let picture = RwSignal::new(String::new());
    spawn(async move {
        if let Ok(record) = http::text("GET", &format!("api/tables/{table}/record"), None).await {
            let _ = picture.try_set(chunks::last_board(record).await.unwrap_or_default());
        }
    });
    picture
}

/// A day, as the language writes it.
pub(super) fn day(language: Language, milliseconds: u64) -> String {
    let date = js_sys::Date::new(&JsValue::from_f64(milliseconds as f64));
    date.to_locale_date_string(language.code(), &JsValue::UNDEFINED).into()
}

#[component]
fn GameRow(game: Played) -> impl IntoView {
    let settings = settings();
    let over = game.state == TableState::Over;
    let (turn, id) = (game.is_my_turn(), game.table.clone());
    let (shown, clock) = (game.game.clone(), game.clock.clone());
    let (class, changed_at) = (game.standing().class(), game.changed_at);
    let element = format!("board-{id}");
    let picture = game.picture_when_seen(element.clone());
    let about = live(move || {
        let (language, pace) = (settings.lang(), clock_name(settings.lang(), &clock));
        if changed_at == 0 { pace } else { format!("{} · {pace}", day(language, changed_at)) }
    });
    let names: Vec<String> = game.players.iter().flatten().cloned().collect();
    let standing = game;
    let players = live(move || {
        let names = names.iter().map(|name| listed_name(settings.lang(), name));
        names.collect::<Vec<_>>().join(" – ")
    });
    let error = RwSignal::new(None::<http::HttpError>);
    let with_record = move |id: String, then: fn(&str, &str)| {
        spawn(async move {
            match http::text("GET", &format!("api/tables/{id}/record"), None).await {
                Ok(record) => then(&id, &record),
                Err(problem) => error.set(Some(problem)),
            }
        });
    };
    let (kept, analysed) = (id.clone(), id.clone());
    let open = if over { Language::online_look } else { Language::online_continue };
    view! {
        <li class=class class:turn=turn>
            <span class="mini-board" aria-hidden="true" id=element>{picture}</span>
            <div>
                <b>{live(move || game_name(settings.lang(), &shown))}</b>
                <span>{players}</span>
                <em>{live(move || standing.stands(settings.lang()))}</em>
                <small>{about}</small>
            </div>
            <div class="choices">
                <a class="button" class:main=turn href=Route::Meet(id).link()>{say(open)}</a>
                {showing(move || over, move || {
                    let (kept, analysed) = (kept.clone(), analysed.clone());
                    view! {
                        <button type="button" class="button" on:click=press(move || with_record(analysed.clone(), analyse))>{say(Language::web_analyse)}</button>
                        {tool(Icon::Save, Language::web_download, move || with_record(kept.clone(), keep_file))}
                    }
                })}
            </div>
            <p class="notice" role="alert">{live(move || error.get().map(|error| error.sentence(settings.lang())))}</p>
        </li>
    }
}

fn keep_file(id: &str, record: &str) {
    browser::download(&format!("{id}.fourfold"), record);
}

/// Opens the record on the board for analysis, which reads it; this program need not.
fn analyse(_: &str, record: &str) {
    route::go(&Route::Analyse(write_query(&[("record", record)])));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_style_of_boards_has_the_name_of_a_standing() {
        let styles = include_str!("../../static/board.css");
        for standing in Standing::FILTERS.into_iter().chain([Standing::Over]) {
            let class = standing.class();
            let is_styled = [' ', ',', ':'].iter().any(|end| styles.contains(&format!(".{class}{end}")));
            assert!(!is_styled, "rows of games would look like a part of a board: .{class}");
        }
    }
}
