//! The strongest players of a game.

use game::GameId;
use locale::Language;
use protocol::Json;
use ui::prelude::*;

use crate::app::{TopBar, settings};
use crate::online::me::{ask_who, fetch, fetched, name_of, ways};
use crate::route::Route;
use crate::views::{live, say};

/// A line of the list.
#[derive(Clone)]
struct Leader {
    id: String,
    name: String,
    rating: u64,
    games: u64,
}

fn read(it: Json) -> Vec<Leader> {
    let leader = |it: &Json| Leader {
        id: it.text_of("id"),
        name: it.text_of("name"),
        rating: it.number_of("rating"),
        games: it.number_of("games"),
    };
    it.list().iter().map(leader).collect()
}

/// The page.
#[component]
pub fn Leaders(
    /// Which game.
    game: GameId,
) -> impl IntoView {
    let settings = settings();
    let leaders = fetch(format!("api/leaderboard/{game}"), read);
    let who = ask_who();
    let tab = |other: GameId| {
        let name = live(move || locale::game_name(settings.lang(), other));
        let current = (other == game).then_some("page");
        view! { <a class="button" aria-current=current href=Route::Leaders(other).link()>{name}</a> }.into_any()
    };
    let row = move |(index, leader): (usize, Leader)| {
        let Leader { id, name, rating, games } = leader;
        let own = {
            let id = id.clone();
            move || who.with(|who| matches!(who, Some(Ok(me)) if me.person.id == id))
        };
        view! {
            <li class:own=live(own)>
                <span class="place-number">{index + 1}</span>
                <div>
                    <b><a href=Route::Person(id).link()>{live(move || name_of(settings.lang(), &name))}</a></b>
                    <small>{live(move || settings.lang().online_games(games))}</small>
                </div>
                <strong>{rating}</strong>
            </li>
        }
        .into_any()
    };
    view! {
        <TopBar title=Signal::derive(move || settings.lang().online_leaders().to_owned()) />
        <main class="online leaders">
            {ways(Route::Leaders(GameId::ALL[0]))}
            <nav class="ways" aria-label=say(Language::online_filter_game)>{GameId::ALL.map(tab).into_iter().collect::<Vec<_>>()}</nav>
            {fetched(leaders, move |leaders| {
                if leaders.is_empty() {
                    return view! {
                        <p class="lead">{say(Language::online_no_leaders)}</p>
                        <p><a class="button main" href=Route::Lobby.link()>{say(Language::online_pair)}</a></p>
                    }
                    .into_any();
                }
                let rows: Vec<AnyView> = leaders.into_iter().enumerate().map(row).collect();
                view! { <ol class="rows">{rows}</ol><p class="quiet">{say(Language::online_leaders_about)}</p> }.into_any()
            })}
        </main>
    }
}
