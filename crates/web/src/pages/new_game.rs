//! Setting up a game.

use game::{ClockRule, Game, GameId, Match, MatchSettings, Player, Sitter};
use leptos::prelude::*;
use locale::Language;
use rules::{OptionSpec, OptionValues};
use search::Level;
use session::words;

use crate::app::{TopBar, settings};
use crate::art::{Icon, icon, option};
use crate::browser::{self, store};
use crate::erased_views::{list, live, press, say, spawn};
use crate::fitting_game::fitting_game;
use crate::local_table::new_key;
use crate::pages::home::{drawn_picture, load_pictures};
use crate::parts::Thumbnail;
use crate::route::{self, Route, read_query, write_query};
use crate::settings::{keep, kept};

/// The page on which a game is set up.
#[component]
pub fn NewGame(
    /// Which game.
    game: GameId,
    /// Settings from a link.
    query: String,
) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let linked = from_query(game, &query);
    let broken = linked.is_none() && !query.is_empty();
    let chosen = RwSignal::new(linked.unwrap_or_else(|| last_settings(game)));
    let said = RwSignal::new(None::<Result<(), String>>);
    let copy = move || {
        let link = route::full_address(&Route::New(game, chosen.with_untracked(to_query)));
        spawn(async move { said.set(Some(if browser::copy(&link).await { Ok(()) } else { Err(link) })) });
    };
    let told = move || {
        said.get().map(|said| match said {
            Ok(()) => lang().web_link_copied().to_owned(),
            Err(link) => lang().web_copy_refused(link),
        })
    };
    let picture = RwSignal::new(drawn_picture(game));
    spawn(async move {
        load_pictures().await;
        let _ = picture.try_set(drawn_picture(game));
    });
    let options = game.options().iter().map(|spec| view! { <OptionChoice spec=*spec chosen /> }).collect_view();
    view! {
        <TopBar title=Signal::derive(move || locale::game_name(lang(), game).to_owned()) />
        <main class=format!("setup {game}")>
            <div class="preview" aria-hidden="true"><Thumbnail picture /></div>
            <p class="lead">{live(move || locale::game_about(lang(), game))}</p>
            {broken.then(|| view! { <p class="notice" role="alert">{say(Language::web_broken_settings)}</p> })}
            <section><h2>{say(Language::menu_seats)}</h2><Seats chosen /></section>
            <section><h2>{say(Language::menu_options)}</h2>{options}</section>
            <section><ClockChoice chosen /></section>
            <div class="start">
                <button type="button" class="button main large" on:click=press(move || spawn(start_game(chosen.get_untracked())))>
                    <span inner_html=icon(Icon::Play)></span>{say(Language::menu_start)}
                </button>
            </div>
            <div class="choices">
                <button type="button" class="button" on:click=press(copy)>
                    <span inner_html=icon(Icon::Share)></span>{say(Language::web_copy_link)}
                </button>
                <a class="button" href=Route::Learn(game).link()><span inner_html=icon(Icon::Book)></span>{say(Language::web_learn)}</a>
            </div>
            <p class="notice" role="status">{live(told)}</p>
        </main>
    }
}

/// Begins a match on this device and goes to its table.
pub async fn start_game(setup: MatchSettings) {
    keep(&format!("setup.{}", setup.game.id()), &to_query(&setup));
    if let Some(key) = begin(setup).await {
        route::go(&Route::Table(key));
    }
}

/// Begins a match as a link says, or as the last one of this game; the link itself is not gone back to.
pub async fn start_at_once(game: GameId, query: String) {
    let linked = from_query(game, &query);
    if linked.is_none() && !query.is_empty() {
        // What the link asks for cannot be had: the page on which one chooses says so.
        route::go_instead(&Route::New(game, query));
        return;
    }
    let setup = linked.unwrap_or_else(|| last_settings(game));
    if let Some(key) = begin(setup).await {
        route::go_instead(&Route::Table(key));
    }
}

/// Sets a match up under a key of its own.
async fn begin(setup: MatchSettings) -> Option<String> {
    let game = Match::new(setup).ok()?;
    let key = new_key();
    // Where nothing can be kept the table page says so; the match is handed over in memory.
    let record = game.record().to_string();
    crate::pages::table::hand_over(&key, record.clone());
    let _ = store::put(&key, &record, false).await;
    Some(key)
}

/// The settings of the last match of this game, or a person against a gentle computer.
pub fn last_settings(game: GameId) -> MatchSettings {
    kept(&format!("setup.{game}"))
        .and_then(|query| from_query(game, &query))
        .unwrap_or_else(|| usual(fitting_game(game)))
}

fn usual(game: Game) -> MatchSettings {
    let mut setup = MatchSettings::new(game);
    for sitter in setup.sitters.iter_mut().skip(1) {
        *sitter = Sitter::new(Player::Bot(Level::new(3).unwrap_or(Level::LOWEST)), "");
    }
    setup
}

fn to_query(setup: &MatchSettings) -> String {
    let game = setup.game.to_string();
    let seats = setup.sitters.iter().map(|sitter| sitter.player().to_string()).collect::<Vec<_>>().join(",");
    write_query(&[("game", &game), ("seats", &seats), ("clock", &setup.clock.to_string())])
}

/// Reads settings from a link; what it leaves open stays as usual, and what cannot be read spoils it.
fn from_query(id: GameId, query: &str) -> Option<MatchSettings> {
    let game: Game = read_query(query, "game")?.parse().ok()?;
    if game.id() != id {
        return None;
    }
    let mut setup = usual(game);
    if let Some(seats) = read_query(query, "seats") {
        for (sitter, text) in setup.sitters.iter_mut().zip(seats.split(',')) {
            *sitter = Sitter::new(text.parse().ok()?, "");
        }
    }
    if let Some(clock) = read_query(query, "clock") {
        setup.clock = clock.parse().ok()?;
    }
    Some(setup)
}

/// Where the people of a match are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum People {
    /// At this device.
    Here,
    /// Each at their own.
    Elsewhere,
}

/// Who sits where: people or the computer at a level.
#[component]
pub fn Seats(
    /// What is being set up.
    chosen: RwSignal<MatchSettings>,
    /// Where the people are.
    #[prop(default = People::Here)]
    people: People,
) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let count = Memo::new(move |_| chosen.with(|setup| setup.sitters.len()));
    let seat = move |index: usize| {
        let player = move || chosen.with(|setup| setup.sitters.get(index).map(Sitter::player));
        let choose = move |event| {
            if let Ok(player) = event_target_value(&event).parse::<Player>() {
                chosen.update(|setup| setup.sitters[index] = Sitter::new(player, ""));
            }
        };
        let bots = Level::all()
            .map(|level| {
                view! {
                    <option value=format!("bot:{level}") selected=live(move || player() == Some(Player::Bot(level)))>
                        {live(move || format!("{level} · {}", words::level(lang(), level)))}
                    </option>
                }
            })
            .collect_view();
        // One person is oneself; the others sit at the same device.
        let person = live(move || {
            let earlier =
                chosen.with(|setup| setup.sitters.iter().take(index).any(|sitter| sitter.player() == Player::Person));
            match people {
                People::Here if earlier => lang().web_other_person(),
                People::Here => lang().web_me(),
                People::Elsewhere => lang().online_seat_person(),
            }
        });
        let about = move || match player() {
            Some(Player::Bot(level)) => locale::level_about(lang(), level.number()).unwrap_or_default(),
            _ => "",
        };
        view! {
            <label class="seat">
                <span>{live(move || lang().web_seat((index + 1).to_string()).to_string())}</span>
                <select on:change=choose>
                    <option value="person" selected=live(move || player() == Some(Player::Person))>{person}</option>
                    {bots}
                </select>
                <small>{about}</small>
            </label>
        }
    };
    view! {
        <div class="seats">{list(move || (0..count.get()).map(seat))}</div>
        <div class="choices">
            <span class="quiet">{say(Language::web_who_begins)}</span>
            <button type="button" class="button" on:click=press(move || chosen.update(|setup| setup.sitters.rotate_left(1)))>
                <span inner_html=icon(Icon::Again)></span>{say(Language::web_swap_seats)}
            </button>
        </div>
    }
}

/// One option of the game that is being set up.
#[component]
pub fn OptionChoice(
    /// The option.
    spec: OptionSpec,
    /// What is being set up.
    chosen: RwSignal<MatchSettings>,
) -> impl IntoView {
    let settings = settings();
    let id = chosen.with_untracked(|setup| setup.game.id());
    let lang = move || settings.lang();
    let value = move || chosen.with(|setup| setup.game.option(spec.name)).unwrap_or_default();
    let set = move |value: String| set_option(chosen, spec.name, &value);
    let controls = match spec.values {
        OptionValues::OneOf(words) => words
            .iter()
            .map(|word| {
                view! {
                    <button type="button" class="button" aria-pressed=live(move || (value() == *word).to_string())
                        on:click=press(move || set((*word).to_owned()))>
                        {live(move || locale::option_value(lang(), id, spec.name, word))}
                    </button>
                }
            })
            .collect_view()
            .into_any(),
        OptionValues::Subset(words) => words
            .iter()
            .map(|word| {
                let on = move || value().split('+').any(|other| other == *word);
                view! {
                    <button type="button" class="button" aria-pressed=live(move || on().to_string())
                        on:click=press(move || set(toggled(&value(), word, words)))>
                        {live(move || locale::option_value(lang(), id, spec.name, word))}
                    </button>
                }
            })
            .collect_view()
            .into_any(),
        OptionValues::Number { min, max } => view! {
            <input type="number" min=min max=max prop:value=value aria-label=live(move || locale::option_name(lang(), id, spec.name))
                on:change=move |event| set(event_target_value(&event)) />
            <small class="quiet">{format!("{min}–{max}")}</small>
        }
        .into_any(),
    };
    view! {
        <div class="option" role="group" aria-label=live(move || locale::option_name(lang(), id, spec.name))>
            <span class="sign" inner_html=option(spec.name)></span>
            <h3>{live(move || locale::option_name(lang(), id, spec.name))}</h3>
            <p class="quiet">{live(move || locale::option_about(lang(), id, spec.name))}</p>
            <div class="choices">{controls}</div>
        </div>
    }
}

/// A word more or less in a `+`-joined choice; the last one stays.
fn toggled(value: &str, word: &str, words: &[&str]) -> String {
    let on = |other: &str| value.split('+').any(|it| it == other);
    let chosen: Vec<&str> = words.iter().copied().filter(|other| on(other) != (*other == word)).collect();
    if chosen.is_empty() { value.to_owned() } else { chosen.join("+") }
}

/// Sets one option; an impossible value changes nothing. Seats are kept as far as there are any.
fn set_option(chosen: RwSignal<MatchSettings>, name: &str, value: &str) {
    let old = chosen.get_untracked();
    let id = old.game.id();
    // Numbers whose default depends on another option go back to it when that one changes.
    let kept = id.options().iter().filter(|spec| spec.name != name && (name != "size"));
    let mut options: Vec<String> =
        kept.filter_map(|spec| Some(format!("{}={}", spec.name, old.game.option(spec.name)?))).collect();
    options.push(format!("{name}={value}"));
    if let Ok(game) = Game::with_options(id, &options.join(",")) {
        let mut setup = usual(game);
        for (sitter, old) in setup.sitters.iter_mut().zip(old.sitters) {
            *sitter = old;
        }
        setup.clock = old.clock;
        chosen.set(setup);
    } else {
        chosen.update(|_| {});
    }
}

/// The clock.
#[component]
pub fn ClockChoice(
    /// What is being set up.
    chosen: RwSignal<MatchSettings>,
    /// Whether there are clocks with days for a turn.
    #[prop(optional)]
    slow: bool,
) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let clocks = ["none", "turn=60", "turn=20", "fischer=300+5", "delay=600+10"];
    let days: &[&str] = if slow { &["turn=86400", "turn=259200", "turn=604800"] } else { &[] };
    let buttons = clocks
        .into_iter()
        .chain(days.iter().copied())
        .filter_map(|text| text.parse::<ClockRule>().ok())
        .map(|rule| {
            view! {
                <button type="button" class="button" aria-pressed=live(move || chosen.with(|setup| setup.clock == rule).to_string())
                    on:click=press(move || chosen.update(|setup| setup.clock = rule))>
                    {live(move || words::clock(lang(), rule))}
                </button>
            }
        })
        .collect_view();
    let about = move || match chosen.with(|setup| setup.clock) {
        ClockRule::None => lang().clock_none_about(),
        ClockRule::PerTurn(_) => lang().clock_turn_about(),
        ClockRule::Fischer { .. } => lang().clock_fischer_about(),
        ClockRule::Delay { .. } => lang().clock_delay_about(),
    };
    view! {
        <div class="option" role="group" aria-label=say(Language::clock)>
            <span class="sign" inner_html=option("clock")></span>
            <h3>{say(Language::clock)}</h3>
            <p class="quiet">{about}</p>
            <div class="choices">{buttons}</div>
        </div>
    }
}
