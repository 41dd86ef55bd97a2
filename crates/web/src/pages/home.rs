//! All games, the way back to unfinished ones, and the way to other players.
//!
//! People come here first, so the page holds no game: pictures are drawn by the bundler, records are read by a chunk.

use std::cell::OnceCell;

use art::{Icon, icon};
use game::GameId;
use locale::Language;
use ui::prelude::*;

use crate::app::{TopBar, settings};
use crate::browser::{self, store};
use crate::chunks::{self, KeptGame};
use crate::parts::{DayPuzzle, Thumbnail};
use crate::route::{self, Route};
use crate::settings::kept;
use crate::views::{list, live, press, say, showing, spawn};

/// How many running games are shown.
const MOST_LIVE: usize = 4;

/// The first page.
#[component]
pub fn Home(
    /// Whether a broken link led here.
    lost: bool,
) -> impl IntoView {
    let settings = settings();
    let boards = GameId::ALL.map(|game| (game, RwSignal::new(drawn_picture(game))));
    let games = boards.map(|(game, picture)| view! { <GameCard game picture /> }).into_iter().collect_view();
    // The page is complete without it, so nothing waits for it.
    browser::when_idle(move || {
        spawn(async move {
            // Boards that do not move are boards all the same.
            let _ = chunks::enliven(boards.to_vec()).await;
        })
    });
    // Without a server there is no lobby.
    let served = RwSignal::new(false);
    spawn(async move {
        let _ = served.try_set(browser::has_server().await.is_truthy());
    });
    view! {
        <TopBar title=Signal::derive(|| "Fourfold".to_owned()) />
        <main class="home">
            <p class="lead">{live(move || settings.lang().product_about(GameId::ALL.len() as u64))}</p>
            {lost.then(|| view! { <p class="notice" role="status">{say(Language::web_not_found)}</p> })}
            // Only a person whom the server knows has games there.
            {showing(move || served.get() && kept("known").is_some(), chunks::own_games)}
            <Unfinished />
            <section class="games">{games}</section>
            <DayPuzzle served />
            {showing(move || served.get(), move || view! {
                <section class="quick-online">
                    <h2>{say(Language::web_quick_game)}</h2>
                    <p class="quiet">{say(Language::web_quick_game_about)}</p>
                    <a class="button main" href=Route::Lobby.link()><span inner_html=icon(Icon::People)></span>{say(Language::web_find_opponent)}</a>
                </section>
            })}
            {showing(move || served.get(), move || chunks::live_games(MOST_LIVE))}
        </main>
    }
}

#[component]
fn GameCard(game: GameId, picture: RwSignal<String>) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let name = move || locale::game_name(lang(), game);
    let start = Route::Start(game, String::new());
    let link = start.link();
    view! {
        <article class=format!("game {game}")>
            // A shortcut for those who point; everyone else has the button below.
            <div class="picture" aria-hidden="true" on:click=press(move || route::go(&start))>
                <Thumbnail picture=picture.into() />
            </div>
            <h2>{name}</h2>
            <p>{live(move || locale::game_about(lang(), game))}</p>
            <div class="choices">
                <a class="button main" href=link aria-label=live(move || lang().web_play_game(name()))>
                    <span inner_html=icon(Icon::Play)></span>{say(Language::web_play_now)}
                </a>
                <a class="button" href=Route::New(game, String::new()).link()>{say(Language::web_set_up)}</a>
                <a class="button" href=Route::Learn(game).link()>
                    <span inner_html=icon(Icon::Book)></span>{say(Language::web_learn)}
                </a>
            </div>
        </article>
    }
}

thread_local! {
    /// The markup of every game's picture, once it is fetched.
    static PICTURES: OnceCell<Vec<String>> = const { OnceCell::new() };
}

/// Fetches the pictures of all games. A page without them is a page all the same.
pub async fn load_pictures() {
    if PICTURES.with(|pictures| pictures.get().is_some()) {
        return;
    }
    if let Some(text) = browser::fetch_file(routes::PICTURES_FILE).await.ok().and_then(|text| text.as_string()) {
        let read = text.split(routes::PICTURES_SEPARATOR).map(str::to_owned).collect();
        PICTURES.with(|pictures| drop(pictures.set(read)));
    }
}

/// The picture of a game as the bundler drew it; nothing before [`load_pictures`].
pub fn drawn_picture(game: GameId) -> String {
    let place = GameId::ALL.iter().position(|other| *other == game).unwrap_or_default();
    PICTURES.with(|pictures| pictures.get()?.get(place).cloned()).unwrap_or_default()
}

#[component]
fn Unfinished() -> impl IntoView {
    let settings = settings();
    let kept = RwSignal::new(Vec::<KeptGame>::new());
    let load = move || {
        spawn(async move {
            let records = store::list(true).await.unwrap_or_default();
            let described = match records.is_empty() {
                true => Vec::new(),
                false => chunks::describe(records).await.unwrap_or_default(),
            };
            let _ = kept.try_set(described);
        });
    };
    load();
    let forget = move |key: String| {
        spawn(async move {
            let _ = store::remove(&key).await;
            load();
        });
    };
    let row = move |KeptGame { key, game, actions, picture }: KeptGame| {
        let forgotten = key.clone();
        view! {
            <li>
                <a href=Route::Table(key).link()>
                    <span aria-hidden="true"><Thumbnail picture=Signal::stored(picture) /></span>
                    <b>{live(move || locale::game_name(settings.lang(), game))}</b>
                    <small>{live(move || settings.lang().move_number(actions.to_string()))}</small>
                </a>
                <button type="button" class="button plain" aria-label=say(Language::web_forget)
                    on:click=press(move || forget(forgotten.clone())) inner_html=icon(Icon::Close)></button>
            </li>
        }
    };
    view! {
        {showing(move || !kept.read().is_empty(), move || view! {
            <section class="unfinished">
                <h2>{say(Language::web_continue_title)}</h2>
                <ul>{list(move || kept.get().into_iter().map(row))}</ul>
            </section>
        })}
    }
}
