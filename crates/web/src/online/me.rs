//! Who one is, and small pieces that several pages share.

use std::time::Duration;

use locale::Language;
use protocol::json::quoted;
use protocol::{Compact as _, Json, Person, PersonKind};
use session::words;
use ui::ev::SubmitEvent;
use ui::prelude::*;

use super::http::{self, HttpError};
use crate::app::settings;
use crate::route::Route;
use crate::settings::keep;
use crate::views::{live, part, say, spawn};

/// A person with ratings, as the server describes them.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// Who it is.
    pub person: Person,
    /// How strong they are, by game.
    pub ratings: Vec<Rating>,
}

/// A rating in a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Rating {
    /// The game.
    pub game: String,
    /// The number.
    pub rating: u64,
    /// How uncertain it is.
    pub deviation: u64,
    /// After how many games.
    pub games: u64,
}

impl Known {
    /// Reads an answer of the server.
    pub fn read(it: &Json) -> Known {
        let rating = |it: &Json| Rating {
            game: it.text_of("game"),
            rating: it.number_of("rating"),
            deviation: it.number_of("deviation"),
            games: it.number_of("games"),
        };
        Known {
            person: Person::read(it).unwrap_or_default(),
            ratings: it.list_of("ratings").iter().map(rating).collect(),
        }
    }

    /// Whether the person has an account.
    pub fn has_account(&self) -> bool {
        self.person.kind == PersonKind::Account
    }
}

/// Something that is fetched: nothing yet, an answer or an error.
pub type Fetched<T> = RwSignal<Option<Result<T, HttpError>>>;

/// Asks who one is. A guest is one by asking.
pub fn ask_who() -> Fetched<Known> {
    fetch("api/me".to_owned(), recognised)
}

/// Reads who one is; from now on challenges are followed, and settings are kept with an account.
pub fn recognised(it: Json) -> Known {
    let known = Known::read(&it);
    keep("known", if known.has_account() { "account" } else { "guest" });
    crate::browser::follow_notifications();
    known
}

/// Fetches something when a page opens.
pub fn fetch<T: Clone + 'static>(path: String, read: fn(Json) -> T) -> Fetched<T> {
    let fetched = RwSignal::new(None);
    fetch_into(fetched, path, read);
    fetched
}

/// How long a page waits before it asks a silent server again.
const RETRY: Duration = Duration::from_secs(3);

/// Fetches something again; while the server does not answer, it is asked again and again.
pub fn fetch_into<T: Clone + 'static>(fetched: Fetched<T>, path: String, read: fn(Json) -> T) {
    let is_silent = |answer: &Option<Result<T, HttpError>>| matches!(answer, Some(Err(HttpError::Silence)));
    let take = move |answer: Result<Json, HttpError>| {
        // The page may have been left meanwhile.
        let Some(was_silent) = fetched.try_with_untracked(is_silent) else { return Page::Left };
        let answer = Some(answer.map(read));
        if !(is_silent(&answer) && was_silent) {
            fetched.set(answer);
        }
        Page::Open
    };
    ask(path, Box::new(take));
}

/// Whether the page that asked is still there.
#[derive(PartialEq)]
enum Page {
    Open,
    Left,
}

/// Asks the server, again and again while it does not answer. Compiled once, whatever is asked for.
fn ask(path: String, take: Box<dyn Fn(Result<Json, HttpError>) -> Page>) {
    spawn(async move {
        let answer = http::get(&path).await;
        let is_silent = answer == Err(HttpError::Silence);
        if take(answer) == Page::Open && is_silent {
            set_timeout(move || ask(path, take), RETRY);
        }
    });
}

/// Shows what was fetched, or why not.
pub fn fetched<T: Clone + 'static>(what: Fetched<T>, show: impl Fn(T) -> AnyView + 'static) -> AnyView {
    let settings = settings();
    part(move || match what.get() {
        None => view! { <p class="waiting" aria-busy="true"></p> }.into_any(),
        Some(Ok(it)) => show(it),
        Some(Err(HttpError::Silence)) => no_server(Language::online_retrying),
        Some(Err(HttpError::Strange)) => no_server(Language::online_no_server),
        Some(Err(error)) => view! { <p class="notice" role="alert">{error.sentence(settings.lang())}</p> }.into_any(),
    })
    .into_any()
}

/// Instead of what a server would tell, where none is behind the page.
pub fn no_server(why: fn(Language) -> &'static str) -> AnyView {
    view! {
        <p class="lead" role="alert">{say(why)}</p>
        <p><a class="button main" href=Route::Home.link()>{say(Language::web_home)}</a></p>
    }
    .into_any()
}

/// A line to write something on.
pub fn field(
    label: fn(Language) -> &'static str,
    value: RwSignal<String>,
    kind: &'static str,
    complete: &'static str,
) -> AnyView {
    view! {
        <label class="field"><span>{say(label)}</span>
            <input type=kind autocomplete=complete prop:value=value on:input=move |event| value.set(event_target_value(&event)) />
        </label>
    }
    .into_any()
}

/// What sending a form does.
pub fn submit(act: impl Fn() + 'static) -> Box<dyn FnMut(SubmitEvent)> {
    Box::new(move |event| {
        event.prevent_default();
        act();
    })
}

/// Something told beside a form: an error, or success.
pub type Told = RwSignal<Option<Result<String, HttpError>>>;

/// Shows what is told.
pub fn told(told: Told) -> AnyView {
    let settings = settings();
    let error = move || told.get().and_then(Result::err).map(|error| error.sentence(settings.lang()));
    view! {
        <p class="notice" role="alert">{live(error)}</p>
        <p class="good" role="status">{live(move || told.get().and_then(Result::ok))}</p>
    }
    .into_any()
}

/// Changes what a guest is called.
pub async fn rename(name: &str) -> Result<Known, HttpError> {
    let body = format!(r#"{{"name":{}}}"#, quoted(name));
    http::send("PATCH", "api/me", Some(&body)).await.map(|it| Known::read(&it))
}

/// The name of a person; a person without a name is a guest.
pub fn name_of(language: Language, name: &str) -> String {
    if name.is_empty() { language.online_guest().to_owned() } else { name.to_owned() }
}

/// The name of a seat in lists: a person, `bot:3`, or free.
pub fn listed_name(language: Language, name: &str) -> String {
    let level = name.strip_prefix("bot:").and_then(|level| level.parse().ok()).and_then(search::Level::new);
    level.map_or_else(|| name_of(language, name), |level| words::level(language, level).to_owned())
}

/// A game with its options, as people say it: the name, and what was chosen; what follows from that is not said.
pub fn game_name(language: Language, text: &str) -> String {
    text.parse().map_or_else(|_| text.to_owned(), |game| words::title(language, &game))
}

/// A clock, in words; nothing for a text that is none.
pub fn clock_name(language: Language, text: &str) -> String {
    text.parse().map(|rule| words::clock(language, rule)).unwrap_or_default()
}

/// The links between the pages for playing with others.
pub fn ways(here: Route) -> AnyView {
    let link = |route: Route, name: fn(Language) -> &'static str| {
        let current = (route == here).then_some("page");
        view! { <a class="button" id=current.map(|_| "way-here") aria-current=current href=route.link()>{say(name)}</a> }.into_any()
    };
    let links = [
        link(Route::Lobby, Language::online_lobby),
        link(Route::Mine, Language::online_mine),
        link(Route::Friends, Language::online_friends),
        link(Route::Leaders(game::GameId::ALL[0]), Language::online_leaders),
        link(Route::Account, Language::online_account),
    ];
    // On a phone the row is longer than the screen.
    request_animation_frame(|| crate::browser::show_way("way-here"));
    view! { <nav class="ways">{links.into_iter().collect::<Vec<_>>()}</nav> }.into_any()
}
