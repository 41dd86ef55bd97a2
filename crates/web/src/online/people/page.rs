//! A player's page: ratings with their charts, the record, and the last games as small boards.

use game::GameId;
use locale::Language;
use protocol::{Json, PersonKind};
use ui::prelude::*;

use super::chart::rating_chart;
use super::server_switch;
use crate::app::{TopBar, settings};
use crate::online::games::{Played, Standing, day, read_game};
use crate::online::me::{
    Fetched, Known, Rating, Told, ask_who, fetch, fetched, game_name, listed_name, name_of, told, ways,
};
use crate::route::{Route, write_query};
use crate::views::{live, part, say, showing};

/// What the server tells of a player.
#[derive(Clone)]
struct Player {
    known: Known,
    /// The ratings after each game, by the game's name, oldest first.
    history: Vec<(String, u64)>,
    record: Vec<Score>,
    /// On how many days in a row a puzzle of the day was solved without a mistake.
    puzzle_days: u64,
    puzzles: Vec<PuzzleScore>,
    games: Vec<Played>,
}

/// How good a player is at a game's puzzles.
#[derive(Clone)]
struct PuzzleScore {
    game: String,
    rating: u64,
    /// After how many puzzles; 0 without a rating.
    attempts: u64,
    /// The best storm; 0 without one.
    storm: u64,
}

/// How often a player won, lost and drew in a game.
#[derive(Clone)]
struct Score {
    game: String,
    won: u64,
    lost: u64,
    drawn: u64,
}

impl Player {
    fn read(it: &Json) -> Player {
        let score = |it: &Json| Score {
            game: it.text_of("game"),
            won: it.number_of("won"),
            lost: it.number_of("lost"),
            drawn: it.number_of("drawn"),
        };
        let puzzle_score = |it: &Json| PuzzleScore {
            game: it.text_of("game"),
            rating: it.number_of("rating"),
            attempts: it.number_of("attempts"),
            storm: it.number_of("storm"),
        };
        let puzzles = it.get("puzzles").unwrap_or(&Json::Null);
        Player {
            known: Known::read(it),
            history: it.list_of("history").iter().map(|it| (it.text_of("game"), it.number_of("rating"))).collect(),
            record: it.list_of("record").iter().map(score).collect(),
            puzzle_days: puzzles.number_of("days_in_a_row"),
            puzzles: puzzles.list_of("games").iter().map(puzzle_score).collect(),
            games: it.list_of("games").iter().map(read_game).collect(),
        }
    }
}

/// The page.
#[component]
pub fn PersonPage(
    /// Which person.
    id: String,
) -> impl IntoView {
    let settings = settings();
    let player = fetch(format!("api/people/{id}"), |it| Player::read(&it));
    let name = move || {
        player.with(|it| match it {
            Some(Ok(player)) => name_of(settings.lang(), &player.known.person.name),
            _ => settings.lang().online_player().to_owned(),
        })
    };
    let who = ask_who();
    let wanted = id.clone();
    let own = Memo::new(move |_| who.with(|who| matches!(who, Some(Ok(me)) if me.person.id == wanted)));
    view! {
        <TopBar title=Signal::derive(name) />
        <main class="online person">
            {ways(Route::Person(id))}
            {fetched(player, move |Player { known, history, record, puzzle_days, puzzles, games }| view! {
                <Relation known=known.clone() who own />
                <Strength ratings=known.ratings history record />
                {(!puzzles.is_empty()).then(|| view! { <Solver days=puzzle_days puzzles /> })}
                <section>
                    <h2>{say(Language::online_last_games)}</h2>
                    {part(move || tiles(games.clone(), own.get()))}
                </section>
            }.into_any())}
        </main>
    }
}

/// What the reader has to do with the player: to follow, to challenge, to block.
#[component]
fn Relation(known: Known, who: Fetched<Known>, own: Memo<bool>) -> impl IntoView {
    let settings = settings();
    let id = known.person.id.clone();
    let said: Told = RwSignal::new(None);
    let (follows, blocked, online) = (RwSignal::new(false), RwSignal::new(false), RwSignal::new(false));
    let other = move || who.with(|who| matches!(who, Some(Ok(_)))) && !own.get();
    let list = |path: &str| fetch(path.to_owned(), |it| it);
    let (followed, blocks) = (list("api/me/follows"), list("api/me/blocks"));
    let wanted = id.clone();
    Effect::new(move || {
        let entry = |list: &Option<Result<Json, _>>| {
            let list = list.as_ref().and_then(|list| list.as_ref().ok())?;
            list.list().iter().find(|it| it.text_of("id") == wanted).cloned()
        };
        let friend = followed.with(entry);
        follows.set(friend.is_some());
        online.set(friend.is_some_and(|friend| friend.holds("online")));
        blocked.set(blocks.with(entry).is_some());
    });
    let challenged = StoredValue::new(id.clone());
    let is_bot = known.person.kind == PersonKind::Bot;
    let game_link = move |game: GameId| {
        let name = live(move || locale::game_name(settings.lang(), game));
        let settings = write_query(&[("to", &challenged.get_value())]);
        view! { <a class="button" href=Route::Arrange(game, settings).link()>{name}</a> }.into_any()
    };
    view! {
        {is_bot.then(|| view! { <p class="quiet">{say(Language::online_is_bot)}</p> })}
        {showing(move || online.get(), move || view! { <p class="online-sign">{say(Language::online_is_online)}</p> })}
        {showing(other, move || {
            let (follow_path, block_path) = (format!("api/me/follows/{id}"), format!("api/me/blocks/{id}"));
            view! {
                <div class="choices">
                    {server_switch(follow_path, follows, [Language::online_follow, Language::online_unfollow], "follow", said)}
                    {server_switch(block_path, blocked, [Language::online_block, Language::online_unblock], "block", said)}
                </div>
            }
        })}
        {told(said)}
        {showing(move || other() && !blocked.get(), move || view! {
            <details class="challenge">
                <summary>{say(Language::online_challenge)}</summary>
                <p class="quiet">{say(Language::online_challenge_about)}</p>
                <div class="choices">{GameId::ALL.map(game_link).into_iter().collect::<Vec<_>>()}</div>
            </details>
        })}
    }
}

/// Ratings with their charts and the record, by game.
#[component]
fn Strength(ratings: Vec<Rating>, history: Vec<(String, u64)>, record: Vec<Score>) -> impl IntoView {
    let settings = settings();
    let named = |game: &&String| GameId::ALL.iter().any(|id| id.name() == **game);
    let mut games = Vec::<String>::new();
    for game in ratings.iter().map(|rating| &rating.game).chain(record.iter().map(|score| &score.game).filter(named)) {
        if let Err(place) = games.binary_search(game) {
            games.insert(place, game.clone());
        }
    }
    let is_empty = games.is_empty();
    let row = |game: String| {
        let rating = ratings.iter().find(|rating| rating.game == game).cloned();
        let score = record.iter().find(|score| score.game == game).cloned();
        let points: Vec<u64> = history.iter().filter(|(of, _)| *of == game).map(|(_, rating)| *rating).collect();
        let number = rating.as_ref().map(|rating| rating.rating.to_string());
        let about = live(move || {
            let Rating { rating, deviation, games, .. } = rating.as_ref()?;
            Some(settings.lang().online_rating(rating.to_string(), deviation.to_string(), *games))
        });
        let record = live(move || score.as_ref().map(|it| settings.lang().online_record(it.won, it.lost, it.drawn)));
        rating_row(game, about, record, &points, number)
    };
    let rows: Vec<AnyView> = games.into_iter().map(row).collect();
    view! {
        <section>
            <h2>{say(Language::online_ratings)}</h2>
            <ul class="rows ratings">{rows}</ul>
            {is_empty.then(|| view! { <p class="quiet">{say(Language::online_no_ratings)}</p> })}
        </section>
    }
}

/// A game with a rating, what it rests on, and its course.
fn rating_row(game: String, about: AnyView, more: AnyView, points: &[u64], rating: Option<String>) -> AnyView {
    let settings = settings();
    view! {
        <li>
            <div><b>{live(move || game_name(settings.lang(), &game))}</b><small>{about}</small><span>{more}</span></div>
            <span class="rating-chart" inner_html=rating_chart(points)></span>
            <strong>{rating}</strong>
        </li>
    }
    .into_any()
}

/// Ratings at puzzles and best storms by game, and the streak of days.
#[component]
fn Solver(days: u64, puzzles: Vec<PuzzleScore>) -> impl IntoView {
    let settings = settings();
    let row = |PuzzleScore { game, rating, attempts, storm }: PuzzleScore| {
        let number = (attempts > 0).then(|| rating.to_string());
        let after = live(move || (attempts > 0).then(|| settings.lang().online_after_puzzles(attempts)));
        let best = live(move || (storm > 0).then(|| settings.lang().online_best_storm(storm)));
        rating_row(game, after, best, &[], number)
    };
    let rows: Vec<AnyView> = puzzles.into_iter().map(row).collect();
    view! {
        <section data-part="puzzles">
            <h2>{say(Language::web_puzzles)}</h2>
            {(days > 0).then(|| view! { <p class="puzzle-days">{live(move || settings.lang().online_puzzle_days(days))}</p> })}
            <ul class="rows ratings">{rows}</ul>
        </section>
    }
}

/// How many games are shown: each asks the server for a record.
const MOST_TILES: usize = 12;

/// Games as small boards. Whose turn it is concerns the player alone.
fn tiles(mut games: Vec<Played>, own: bool) -> AnyView {
    if games.is_empty() {
        return view! { <p class="quiet">{say(Language::online_no_games_yet)}</p> }.into_any();
    }
    if !own {
        games.iter_mut().filter(|game| game.standing() == Standing::Running).for_each(|game| game.seat = None);
    }
    let tiles: Vec<AnyView> = games.into_iter().take(MOST_TILES).map(tile).collect();
    view! { <ul class="board-tiles">{tiles}</ul> }.into_any()
}

/// A game as a small board.
pub(super) fn tile(game: Played) -> AnyView {
    let settings = settings();
    let (name, players, changed_at) = (game.game.clone(), game.players.clone(), game.changed_at);
    let names = live(move || {
        let names = players.iter().flatten().map(|name| listed_name(settings.lang(), name));
        names.collect::<Vec<_>>().join(" – ")
    });
    let turn = game.is_my_turn();
    let (class, picture, link) = (game.standing().class(), game.picture(), Route::Meet(game.table.clone()));
    view! {
        <li class=class class:turn=turn>
            <a href=link.link()>
                <span aria-hidden="true">{picture}</span>
                <b>{live(move || game_name(settings.lang(), &name))}</b>
                <span>{names}</span>
                <em>{live(move || game.stands(settings.lang()))}</em>
                <small>{live(move || day(settings.lang(), changed_at))}</small>
            </a>
        </li>
    }
    .into_any()
}
