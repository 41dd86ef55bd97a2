//! The lobby: a quick game, open tables as they come and go, and the way to a table of one's own.

use game::{ClockRule, Game, GameId};
use locale::Language;
use protocol::{Access, LobbyTable, ServerMessage, TableSpec};
use rules::Offered;
use ui::prelude::*;
use wasm_bindgen::prelude::*;

use super::browser;
use super::http::{self, HttpError};
use super::me::{self, Fetched, Known, Told, ask_who, clock_name, game_name, listed_name, no_server, told, ways};
use crate::app::{TopBar, settings};
use crate::parts::GamePicture;
use crate::route::{self, Route};
use crate::settings::{keep, kept};
use crate::views::{list, live, part, press, say, showing, spawn};
use art::{Icon, icon};

/// The clocks to be paired with: brisk, a minute for each turn, and three days.
const CLOCKS: [&str; 3] = ["fischer=300+5", "turn=60", "turn=259200"];

/// How many running games are shown.
const MOST_LIVE: usize = 8;

/// The page.
#[component]
pub fn Lobby() -> impl IntoView {
    let settings = settings();
    let who = ask_who();
    let said: Told = RwSignal::new(None);
    view! {
        <TopBar title=Signal::derive(move || settings.lang().online_title().to_owned()) />
        <main class="online lobby">
            {ways(Route::Lobby)}
            {part(move || match who.get() {
                None => view! { <p class="waiting" aria-busy="true"></p> }.into_any(),
                Some(Err(HttpError::Silence)) => no_server(Language::online_retrying),
                Some(Err(HttpError::Strange)) => no_server(Language::online_no_server),
                Some(Err(error)) => view! { <p class="notice" role="alert">{error.sentence(settings.lang())}</p> }.into_any(),
                Some(Ok(_)) => view! {
                    <Greeting who />
                    <Pairing who said />
                    {told(said)}
                    <OpenTables />
                    {crate::chunks::live_games(MOST_LIVE)}
                    <Making />
                }
                .into_any(),
            })}
        </main>
    }
}

/// Who one is here, and for guests a name to choose.
#[component]
fn Greeting(who: Fetched<Known>) -> impl IntoView {
    let settings = settings();
    let known = move || who.get().and_then(Result::ok);
    let name = RwSignal::new(known().map(|known| known.person.name).unwrap_or_default());
    let said: Told = RwSignal::new(None);
    let change = move || {
        spawn(async move {
            match me::rename(name.get_untracked().trim()).await {
                Ok(known) => {
                    who.set(Some(Ok(known)));
                    said.set(Some(Ok(settings.language.get_untracked().online_name_kept().to_owned())));
                }
                Err(error) => said.set(Some(Err(error))),
            }
        });
    };
    let guest = known().is_none_or(|known| !known.has_account());
    if !guest {
        let name = known().map(|known| known.person.name).unwrap_or_default();
        return view! { <p class="greeting">{live(move || settings.lang().online_hello(&name))}</p> }.into_any();
    }
    view! {
        <form class="greeting line" on:submit=me::submit(change)>
            {me::field(Language::online_name, name, "text", "nickname")}
            <button type="submit" class="button">{say(Language::online_keep)}</button>
        </form>
        {told(said)}
    }
    .into_any()
}

/// A quick game, at an open table or at a new one: a pace, then a game.
#[component]
fn Pairing(who: Fetched<Known>, said: Told) -> impl IntoView {
    let settings = settings();
    // Until a pace is chosen, each game has its own: one minute a turn where its sheet says so, otherwise the brisk one.
    let clock = RwSignal::new(kept("pair.clock").filter(|clock| CLOCKS.contains(&clock.as_str())));
    let clock_of = move |game: GameId| clock.get().unwrap_or_else(|| usual_clock(game).to_owned());
    // Ratings are for people with accounts.
    let account = Memo::new(move |_| who.with(|who| matches!(who, Some(Ok(known)) if known.has_account())));
    let rated = RwSignal::new(kept("pair.rated").as_deref() == Some("yes"));
    let rate = move || {
        rated.update(|rated| *rated = !*rated);
        keep("pair.rated", if rated.get_untracked() { "yes" } else { "no" });
    };
    let pair = move |game: GameId| {
        if let Some(clock) = clock.get_untracked() {
            keep("pair.clock", &clock);
        }
        let clock = untrack(|| clock_of(game));
        let rated = account.get_untracked() && rated.get_untracked();
        let usual = Game::by_default(game);
        let game = if rated { usual.for_rating() } else { usual };
        let spec = TableSpec { clock, access: Access::Open, rated, ..TableSpec::new(game.to_string()) };
        sit_down("api/pair", spec, said);
    };
    let clocks = CLOCKS.into_iter().map(|text| {
        view! {
            <button type="button" class="pace" aria-pressed=live(move || clock.get().as_deref() == Some(text))
                on:click=press(move || clock.update(|clock| *clock = Some(text.to_owned()).filter(|text| clock.as_ref() != Some(text))))>
                <b>{live(move || pace(settings.lang(), text))}</b><small>{live(move || pace_about(settings.lang(), text))}</small>
            </button>
        }
    });
    let games = GameId::ALL.into_iter().map(|game| {
        view! {
            <button type="button" class="game-tile" data-pair=game.to_string() on:click=press(move || pair(game))>
                <span aria-hidden="true"><GamePicture game /></span>
                <b>{live(move || locale::game_name(settings.lang(), game))}</b>
                <small>{live(move || pace(settings.lang(), &clock_of(game)))}</small>
            </button>
        }
    });
    view! {
        <section class="pairing">
            <h2>{say(Language::online_pair)}</h2>
            <p class="quiet">{say(Language::online_pair_about)}</p>
            <div class="paces" role="group" aria-label=say(Language::clock)>{clocks.collect_view()}</div>
            {showing(move || account.get(), move || view! {
                <button type="button" class="button" aria-pressed=rated on:click=press(rate)>{say(Language::online_rated_switch)}</button>
            })}
            <div class="game-tiles">{games.collect_view()}</div>
        </section>
    }
}

/// The clock that a game is offered with.
pub(super) fn usual_clock(game: GameId) -> &'static str {
    let offered = game.presets().iter().find(|preset| preset.offered == Offered::Online);
    offered.map_or(CLOCKS[0], |preset| preset.clock)
}

/// A pace in few signs: “5+5”, or the time for a turn.
fn pace(language: Language, clock: &str) -> String {
    match clock.parse() {
        Ok(ClockRule::Fischer { base, increment }) => format!("{}+{}", base.as_secs() / 60, increment.as_secs()),
        _ => clock_name(language, clock),
    }
}

fn pace_about(language: Language, clock: &str) -> &'static str {
    match clock.parse::<ClockRule>() {
        Ok(ClockRule::Fischer { .. }) => language.online_pace_brisk(),
        Ok(rule) if rule.is_by_post() => language.online_pace_days(),
        _ => language.online_pace_turn(),
    }
}

/// Asks for a table and goes there.
pub fn sit_down(path: &'static str, spec: TableSpec, said: Told) {
    spawn(async move {
        match http::post(path, &protocol::write_compact(&spec)).await {
            Ok(made) => route::go(&Route::Meet(made.text_of("table"))),
            Err(error) => said.set(Some(Err(error))),
        }
    });
}

/// Asks for a table, offers it to a player and goes there.
pub fn challenge(spec: TableSpec, person: String, said: Told) {
    spawn(async move {
        let made = async {
            let made = http::post("api/tables", &protocol::write_compact(&spec)).await?;
            let table = made.text_of("table");
            http::send("PUT", &format!("api/tables/{table}/challenges/{person}"), None).await?;
            Ok(table)
        };
        match made.await {
            Ok(table) => route::go(&Route::Meet(table)),
            Err(error) => said.set(Some(Err(error))),
        }
    });
}

/// Goes to a table. The only free seat is taken at once; where it is gone, the table says so.
fn join(id: String, is_last: bool) {
    spawn(async move {
        if is_last {
            let _ = http::post(&format!("api/tables/{id}/sit"), "{}").await;
        }
        route::go(&Route::Meet(id));
    });
}

/// The tables where a player waits, as they come and go.
#[component]
fn OpenTables() -> impl IntoView {
    let settings = settings();
    let tables = RwSignal::new(None::<Vec<LobbyTable>>);
    follow(tables);
    let row = move |table: LobbyTable| {
        let free = table.free() as u64;
        let LobbyTable { id, game, clock, rated, seats } = table;
        let picture = game.parse::<game::Game>().ok().map(|game| view! { <GamePicture game=game.id() /> });
        let about = live(move || {
            let language = settings.lang();
            let rated = if rated { language.online_rated() } else { language.online_friendly() };
            format!("{} · {}", clock_name(language, &clock), rated)
        });
        let people = live(move || {
            let language = settings.lang();
            let names = seats.iter().flatten().map(|name| listed_name(language, name));
            let names = names.collect::<Vec<_>>().join(", ");
            if names.is_empty() {
                language.online_free_seats(free)
            } else {
                format!("{names} · {}", language.online_free_seats(free))
            }
        });
        view! {
            <li class:turn=rated>
                <span class="mini-board" aria-hidden="true">{picture}</span>
                <div><b>{live(move || game_name(settings.lang(), &game))}</b><small>{about}</small><span>{people}</span></div>
                <button type="button" class="button main" on:click=press(move || join(id.clone(), free == 1))>{say(Language::online_join)}</button>
            </li>
        }
    };
    view! {
        <section class="open-tables">
            <h2>{say(Language::online_open_tables)}</h2>
            {showing(move || tables.with(|tables| tables.as_ref().is_some_and(Vec::is_empty)), move || view! {
                <p class="quiet">{say(Language::online_no_open_table)}</p>
            })}
            <ul class="rows">{list(move || tables.get().unwrap_or_default().into_iter().map(row))}</ul>
        </section>
    }
}

/// Keeps the list up to date while the page is open; the browser itself opens a broken stream again.
fn follow(tables: RwSignal<Option<Vec<LobbyTable>>>) {
    type Callback = Closure<dyn FnMut(JsValue)>;
    let wire = StoredValue::new(None::<(browser::Wire, [Callback; 3])>);
    let again = StoredValue::new(None::<std::rc::Rc<dyn Fn()>>);
    let open = std::rc::Rc::new(move || {
        let on_message = Callback::new(move |text: JsValue| {
            if let Some(ServerMessage::Lobby { tables: open }) = http::read_message(&text) {
                tables.set(Some(open));
            }
        });
        let opened = Callback::new(|_| {});
        let ended = Callback::new(move |_| {
            set_timeout(
                move || {
                    if let Some(open) = again.try_get_value().flatten() {
                        open();
                    }
                },
                std::time::Duration::from_secs(2),
            );
        });
        let opened_wire =
            browser::open_events("api/lobby/events", opened.as_ref(), on_message.as_ref(), ended.as_ref());
        wire.set_value(Some((opened_wire, [opened, on_message, ended])));
    });
    again.set_value(Some(open.clone()));
    open();
    on_cleanup(move || {
        wire.update_value(|wire| {
            if let Some((wire, _)) = wire.take() {
                wire.close();
            }
        });
        again.set_value(None);
    });
}

/// The way to a table with wishes of one's own.
#[component]
fn Making() -> impl IntoView {
    let settings = settings();
    let games = GameId::ALL.into_iter().map(|game| {
        view! {
            <a class="button" href=Route::Arrange(game, String::new()).link()>
                <span inner_html=icon(Icon::Play)></span>{live(move || locale::game_name(settings.lang(), game))}
            </a>
        }
    });
    view! {
        <section class="making">
            <h2>{say(Language::online_make)}</h2>
            <p class="quiet">{say(Language::online_make_about)}</p>
            <div class="choices">{games.collect_view()}</div>
        </section>
    }
}
