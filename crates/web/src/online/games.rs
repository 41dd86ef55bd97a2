//! Lists of games: one's own, and those on a player's page.

use game::result_from_word;
use leptos::prelude::*;
use locale::Language;
use protocol::{Compact, Json, TableState};
use rules::{Outcome, Seat};

use super::http;
use super::me::{Known, clock_name, fetch, fetched, game_name, listed_name, name_of, ways};
use crate::app::{TopBar, settings};
use crate::browser;
use crate::erased_views::{live, press, say, showing, spawn};
use crate::route::{self, Route, write_query};

/// A game that a person plays or has played.
#[derive(Clone, Debug)]
struct Played {
    table: String,
    game: String,
    clock: String,
    state: TableState,
    result: String,
    seat: Option<Seat>,
    /// The names; none for a free seat.
    players: Vec<Option<String>>,
    to_act: Option<Seat>,
}

fn read_game(it: &Json) -> Played {
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
    }
}

impl Played {
    fn is_my_turn(&self) -> bool {
        self.seat.is_some() && self.seat == self.to_act
    }

    /// What comes first in a list.
    fn rank(&self) -> u8 {
        match self.state {
            _ if self.is_my_turn() => 0,
            TableState::Over => 2,
            _ => 1,
        }
    }

    /// How it stands or ended, for whose game it is.
    fn stands(&self, language: Language) -> String {
        match self.state {
            TableState::Waiting => language.online_state_waiting().to_owned(),
            TableState::Playing if self.is_my_turn() => language.your_turn().to_owned(),
            TableState::Playing => language.online_state_playing().to_owned(),
            TableState::Over => self.outcome(language).to_owned(),
        }
    }

    fn outcome(&self, language: Language) -> &'static str {
        let side = || Some(self.game.parse::<game::Game>().ok()?.start().side(self.seat?));
        match result_from_word(&self.result) {
            Ok(Some(Outcome::Draw)) => language.online_drawn(),
            Ok(Some(Outcome::Win(winner))) if side() == Some(winner) => language.online_won(),
            Ok(Some(Outcome::Win(_))) if side().is_some() => language.online_lost(),
            _ => language.online_state_over(),
        }
    }
}

/// One's own games.
#[component]
pub fn Mine() -> impl IntoView {
    let settings = settings();
    let games = fetch("api/me/games".to_owned(), |it| it.list().iter().map(read_game).collect::<Vec<_>>());
    view! {
        <TopBar title=Signal::derive(move || settings.lang().online_mine().to_owned()) />
        <main class="online games">
            {ways(Route::Mine)}
            {fetched(games, |games| {
                if games.is_empty() {
                    return view! {
                        <p class="lead">{say(Language::online_no_games)}</p>
                        <p><a class="button main" href=Route::Lobby.link()>{say(Language::online_lobby)}</a></p>
                    }
                    .into_any();
                }
                // What waits for the person comes first, what is over last; otherwise the latest, as the server lists them.
                let of = |rank: u8| games.iter().filter(move |game| game.rank() == rank).cloned();
                rows((0..3).flat_map(of).collect())
            })}
        </main>
    }
}

/// A player's page.
#[component]
pub fn PersonPage(
    /// Which person.
    id: String,
) -> impl IntoView {
    let settings = settings();
    let read = |it: Json| (Known::read(&it), it.list_of("games").iter().map(read_game).collect::<Vec<_>>());
    let person = fetch(format!("api/people/{id}"), read);
    let name = move || {
        person.with(|it| match it {
            Some(Ok((known, _))) => name_of(settings.lang(), &known.person.name),
            _ => settings.lang().online_player().to_owned(),
        })
    };
    view! {
        <TopBar title=Signal::derive(name) />
        <main class="online person">
            {ways(Route::Person(id))}
            {fetched(person, |(known, games)| view! {
                <Strength known />
                <h2>{say(Language::online_last_games)}</h2>
                {rows(games)}
            }.into_any())}
        </main>
    }
}

/// Ratings, for who has any.
#[component]
fn Strength(known: Known) -> impl IntoView {
    let settings = settings();
    let rated = !known.ratings.is_empty();
    let rows = known.ratings.into_iter().map(|rating| {
        let game = rating.game.clone();
        let about = live(move || {
            settings.lang().online_rating(rating.rating.to_string(), rating.deviation.to_string(), rating.games)
        });
        view! { <li><b>{live(move || game_name(settings.lang(), &game))}</b><span>{about}</span></li> }
    });
    view! {
        <h2>{say(Language::online_ratings)}</h2>
        <ul class="rows ratings">{rows.collect_view()}</ul>
        {(!rated).then(|| view! { <p class="quiet">{say(Language::online_no_ratings)}</p> })}
    }
}

fn rows(games: Vec<Played>) -> AnyView {
    if games.is_empty() {
        return view! { <p class="quiet">{say(Language::online_no_games)}</p> }.into_any();
    }
    view! { <ul class="rows">{games.into_iter().map(|game| view! { <GameRow game /> }).collect_view()}</ul> }.into_any()
}

#[component]
fn GameRow(game: Played) -> impl IntoView {
    let settings = settings();
    let over = game.state == TableState::Over;
    let (turn, id) = (game.is_my_turn(), game.table.clone());
    let (shown, clock) = (game.game.clone(), game.clock.clone());
    let names: Vec<String> = game.players.iter().flatten().cloned().collect();
    let standing = game;
    let players = live(move || {
        let names = names.iter().map(|name| listed_name(settings.lang(), name));
        names.collect::<Vec<_>>().join(" – ")
    });
    let trouble = RwSignal::new(None::<http::HttpError>);
    let with_record = move |id: String, then: fn(&str, &str)| {
        spawn(async move {
            match http::text("GET", &format!("api/tables/{id}/record"), None).await {
                Ok(record) => then(&id, &record),
                Err(problem) => trouble.set(Some(problem)),
            }
        });
    };
    let (kept, analysed) = (id.clone(), id.clone());
    let open = if over { Language::online_look } else { Language::online_continue };
    view! {
        <li class:turn=turn>
            <div>
                <b>{live(move || game_name(settings.lang(), &shown))}</b>
                <small>{live(move || clock_name(settings.lang(), &clock))}</small>
                <span>{players}</span>
                <em>{live(move || standing.stands(settings.lang()))}</em>
            </div>
            <div class="choices">
                <a class="button" class:main=turn href=Route::Meet(id).link()>{say(open)}</a>
                {showing(move || over, move || {
                    let (kept, analysed) = (kept.clone(), analysed.clone());
                    view! {
                        <button type="button" class="button" on:click=press(move || with_record(analysed.clone(), analyse))>{say(Language::web_analyse)}</button>
                        <button type="button" class="button" on:click=press(move || with_record(kept.clone(), keep_file))>{say(Language::web_download)}</button>
                    }
                })}
            </div>
            <p class="notice" role="alert">{live(move || trouble.get().map(|trouble| trouble.sentence(settings.lang())))}</p>
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
