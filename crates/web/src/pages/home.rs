//! The four games, and the way back to unfinished ones.

use game::{Game, GameId, Record};
use leptos::prelude::*;
use locale::Language;
use rules::{Square, Viewer};
use scene::{Highlight, Scene};

use crate::app::{TopBar, settings};
use crate::art::{Icon, icon};
use crate::board::{self, Marks};
use crate::browser::{self, store};
use crate::lean::{list, live, press, say, showing, spawn};
use crate::pages::new_game::{last_settings, start_game};
use crate::route::Route;

/// The first page.
#[component]
pub fn Home(
    /// Whether a broken link led here.
    lost: bool,
) -> impl IntoView {
    let games = GameId::ALL.into_iter().map(|game| view! { <GameCard game /> }).collect_view();
    // Where there are only files, nobody could be met.
    let served = RwSignal::new(false);
    spawn(async move {
        let _ = served.try_set(browser::has_server().await.is_truthy());
    });
    view! {
        <TopBar title=Signal::derive(|| "Fourfold".to_owned()) home=true />
        <main class="home">
            <p class="lead">{say(Language::product_about)}</p>
            {lost.then(|| view! { <p class="notice" role="status">{say(Language::web_lost)}</p> })}
            <Unfinished />
            <section class="games">{games}</section>
            <p class="elsewhere">
                {showing(move || served.get(), move || view! {
                    <a class="button main" href=Route::Lobby.link()><span inner_html=icon(Icon::People)></span>{say(Language::web_online)}</a>
                })}
                <a class="button" href="#/analyse"><span inner_html=icon(Icon::Lens)></span>{say(Language::web_analyse)}</a>
            </p>
        </main>
    }
}

#[component]
fn GameCard(game: GameId) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let name = move || locale::game_name(lang(), game);
    let picture = picture(game);
    let play = move |_| {
        let setup = last_settings(game);
        spawn(start_game(setup));
    };
    view! {
        <article class=format!("game {game}")>
            // A shortcut for those who point; everyone else has the button below.
            <div class="picture" on:click=play>
                {picture.map(|(scene, marks)| view! {
                    <div class="frame" inert aria-hidden="true" inner_html=board::picture(&scene, &marks)></div>
                })}
            </div>
            <h2>{name}</h2>
            <p>{live(move || locale::game_about(lang(), game))}</p>
            <div class="choices">
                <button type="button" class="button main" on:click=play>
                    <span inner_html=icon(Icon::Play)></span>{say(Language::web_play_now)}
                </button>
                <a class="button" href=Route::New(game, String::new()).link()>{say(Language::menu_options)}</a>
                <a class="button" href=Route::Learn(game).link()>
                    <span inner_html=icon(Icon::Book)></span>{say(Language::web_learn)}
                </a>
            </div>
        </article>
    }
}

/// A position that shows what a game looks like in the middle of it.
pub(super) fn picture(game: GameId) -> Option<(Scene, Marks)> {
    let (name, text) = match game {
        GameId::Quarto => ("quarto", "5..b/.a2./.f.6/c..9 - 1 d1"),
        GameId::Quixo => ("quixo", "x.o.x/..x.o/.ox../o...x/.xo.o 1"),
        GameId::Sequence => (
            "sequence(players=4)",
            "*4....*/.....3./...143./..3...1/21..4../*.2...* -2 \
             bear+elephant|lion+owl+whale|cat+frog+giraffe|fox+lion+whale \
             camel+penguin+tiger+dragon|cat+giraffe+unicorn|camel+unicorn+gorilla|elephant+hippo+cow 0 0",
        ),
        GameId::Four => ("four(size=9)", "9/2o3x2/4x4/1o4o2/2x3x2/3o2ox1/4x4/1x1o3o1/5x3 1 opening 1,0 22,22 0 0 - -"),
    };
    let position = name.parse::<Game>().ok()?.parse_position(text).ok()?;
    let mut marks = Marks::default();
    if game == GameId::Four {
        // The square that has just captured is what Four is about.
        let corners = [(2, 4), (4, 6), (6, 4), (4, 2)].map(|(column, row)| Square::new(column, row));
        marks.highlights = vec![Highlight::Capture { corners: corners.to_vec(), centre: Square::new(4, 4) }];
    }
    Some((position.scene(Viewer::Spectator), marks))
}

#[component]
fn Unfinished() -> impl IntoView {
    let settings = settings();
    let kept = RwSignal::new(Vec::<(String, GameId, usize)>::new());
    let load = move || {
        spawn(async move {
            let records = store::list(true).await.unwrap_or_default();
            kept.set(records.into_iter().filter_map(|(key, record)| describe(key, &record)).take(6).collect());
        });
    };
    load();
    let forget = move |key: String| {
        spawn(async move {
            let _ = store::remove(&key).await;
            load();
        });
    };
    let row = move |(key, game, actions): (String, GameId, usize)| {
        let forgotten = key.clone();
        view! {
            <li>
                <a class="button" href=Route::Table(key).link()>
                    {live(move || format!("{} · {}", locale::game_name(settings.lang(), game), settings.lang().move_number(actions.to_string())))}
                </a>
                <button type="button" class="button plain" aria-label=say(Language::web_forget) title=say(Language::web_forget)
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

fn describe(key: String, record: &str) -> Option<(String, GameId, usize)> {
    let record = Record::read_all(record).ok()?.pop()?;
    Some((key, record.settings().game.id(), record.entries().len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_its_picture() {
        for game in GameId::ALL {
            let (scene, _) = picture(game).unwrap_or_else(|| panic!("the position of {game} cannot be read"));
            assert!(scene.board.cells.iter().any(|cell| cell.piece.is_some()), "{game}");
        }
    }
}
