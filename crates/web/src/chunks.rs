//! The chunks of the program: each function here is a place where the bundler cuts the module apart.
//!
//! What only one of them reaches is fetched with it, what several reach is fetched with the first of those, and what
//! the rest of the app reaches is there from the start.

use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use game::{Event, Game, GameId, Match, Player, Record, Sitter};
use routes::Chunk;
use rules::{Seat, Turn, Viewer};
use scene::Scene;
use ui::prelude::*;
use wasm_bindgen::JsValue;
use wasm_split_helpers::wasm_split;

use crate::board::Turned;
use crate::local_table::LocalTable;
use crate::match_view::MatchView;
use crate::online::table::OnlineTable;
use crate::pages::puzzles::{Course, Practice, Solving};
use crate::parts::EndCard;
use crate::route::Route;
use crate::settings::{first_language, load_texts};
use crate::split::SplitLoaderError;
use crate::views::{Part, spawn};
use crate::{browser, ending, online, pages};

/// A chunk, its texts or its style sheet could not be fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotLoaded;

impl From<SplitLoaderError> for NotLoaded {
    fn from(_: SplitLoaderError) -> NotLoaded {
        NotLoaded
    }
}

impl From<JsValue> for NotLoaded {
    fn from(_: JsValue) -> NotLoaded {
        NotLoaded
    }
}

#[wasm_split(home, wasm_split_path = crate::split, fallible)]
fn home(lost: bool) -> Result<AnyView, NotLoaded> {
    Ok(view! { <pages::home::Home lost /> }.into_any())
}

/// Makes a chunk of the code of each game, and one of what reads its positions.
macro_rules! game_chunks {
    ($($name:ident in $module:ident;)*) => {
        $(mod $module {
            use super::{NotLoaded, wasm_split};

            #[wasm_split($module, wasm_split_path = crate::split, fallible)]
            pub(super) fn install() -> Result<(), NotLoaded> {
                game::install::$module();
                art::install::$module();
                Ok(())
            }

            #[wasm_split($name, wasm_split_path = crate::split, fallible)]
            pub(super) fn install_reader() -> Result<(), NotLoaded> {
                game::install::reader::$module();
                Ok(())
            }
        })*

        /// Puts the code of a game to use, which must be loaded.
        fn install(game: GameId) -> Result<(), NotLoaded> {
            match game { $(GameId::$name => ready($module::install()),)* }
        }

        /// Puts to use what reads the positions of a game, which must be loaded.
        fn install_reader(game: GameId) -> Result<(), NotLoaded> {
            match game { $(GameId::$name => ready($module::install_reader()),)* }
        }
    };
}

rules::games!(game_chunks);

/// Fetches the code of a game.
pub async fn load_game(game: GameId) -> Result<(), NotLoaded> {
    browser::load_code(game.name()).await?;
    install(game)
}

#[wasm_split(play, wasm_split_path = crate::split, fallible)]
fn play(route: Route) -> Result<AnyView, NotLoaded> {
    Ok(pages::playing(route))
}

#[wasm_split(setup, wasm_split_path = crate::split, fallible)]
fn setup(route: Route) -> Result<AnyView, NotLoaded> {
    Ok(pages::setting_up(route))
}

/// What the chunk `tools` shows. It has one entrance, as `people` has.
#[derive(Clone, Copy)]
enum ToolsView {
    /// What a table on this device offers besides playing.
    Here(LocalTable, RwSignal<Turned>),
    /// What a table with others offers besides playing.
    There(OnlineTable, MatchView, RwSignal<Turned>),
    /// The chat before a game, and the link while a seat is free.
    Waiting(OnlineTable, Signal<bool>),
}

#[wasm_split(tools, wasm_split_path = crate::split, fallible)]
fn tools(view: ToolsView) -> Result<AnyView, NotLoaded> {
    Ok(match view {
        ToolsView::Here(play, turned) => pages::table::tools(play, turned),
        ToolsView::There(table, match_view, turned) => online::together::tools(table, match_view, turned),
        ToolsView::Waiting(table, free) => online::waiting::talk_and_link(table, free),
    })
}

/// What a table on this device offers besides playing.
pub fn local_tools(play: LocalTable, turned: RwSignal<Turned>) -> Part {
    later_than(place_of_tools, Chunk::Tools, move || ready(tools(ToolsView::Here(play, turned))))
}

/// What a table with others offers besides playing.
pub fn online_tools(table: OnlineTable, match_view: MatchView, turned: RwSignal<Turned>) -> Part {
    later_than(place_of_tools, Chunk::Tools, move || ready(tools(ToolsView::There(table, match_view, turned))))
}

/// The chat before a game, and the link for those who are still to come while a seat is free.
pub fn waiting_tools(table: OnlineTable, free: Signal<bool>) -> Part {
    later(Chunk::Tools, move || ready(tools(ToolsView::Waiting(table, free))))
}

/// The last match of a record; `None` if it cannot be read.
pub async fn read_record(text: String) -> Result<Option<Match>, NotLoaded> {
    load(Chunk::Records).await?;
    record_read(text).await
}

#[wasm_split(records, wasm_split_path = crate::split, fallible)]
fn record_read(text: String) -> Result<Option<Match>, NotLoaded> {
    Ok(Record::read_all(&text).ok().and_then(|mut records| records.pop()?.replay().ok()))
}

/// A game kept on this device, in few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptGame {
    /// Its key.
    pub key: String,
    /// Which game it is.
    pub game: GameId,
    /// How many events its log has.
    pub actions: usize,
    /// Its board, drawn.
    pub picture: String,
}

/// Reads the records of games by their keys; those that cannot be read, and those that no person has played, are left out.
pub async fn describe(records: Vec<(String, String)>) -> Result<Vec<KeptGame>, NotLoaded> {
    load(Chunk::Records).await?;
    described(records).await
}

#[wasm_split(records, wasm_split_path = crate::split, fallible)]
fn described(records: Vec<(String, String)>) -> Result<Vec<KeptGame>, NotLoaded> {
    let read = |(key, text): (String, String)| {
        let game = Record::read_all(&text).ok()?.pop()?.replay().ok()?;
        let (id, actions) = (game.settings().game.id(), game.log().len());
        let picture = || art::picture(&board_for_all(&game), "");
        was_played(&game).then(|| KeptGame { key, game: id, actions, picture: picture() })
    };
    Ok(records.into_iter().filter_map(read).take(MOST_SHOWN).collect())
}

/// The board at the end of a record, as far as it is known; empty if the record cannot be read.
pub async fn last_board(record: String) -> Result<String, NotLoaded> {
    load(Chunk::Records).await?;
    last_board_drawn(record).await
}

#[wasm_split(records, wasm_split_path = crate::split, fallible)]
fn last_board_drawn(record: String) -> Result<String, NotLoaded> {
    let replay = Record::read_all(&record).ok().and_then(|mut records| records.pop()?.replay_known().ok());
    let scene = replay.map(|replay| board_for_all(&replay.game));
    Ok(scene.map(|scene| art::picture(&scene, "")).unwrap_or_default())
}

/// The board of a position as a seat sees it, drawn; empty if the position cannot be read.
pub async fn position_board(game: String, position: String, seat: u64) -> Result<String, NotLoaded> {
    load(Chunk::Records).await?;
    position_drawn(game, position, seat).await
}

#[wasm_split(records, wasm_split_path = crate::split, fallible)]
fn position_drawn(game: String, position: String, seat: u64) -> Result<String, NotLoaded> {
    let read = game.parse::<Game>().ok().and_then(|game| game.parse_view(&position).ok());
    let seat = Seat::all(4).find(|it| u64::from(it.number()) == seat).unwrap_or(Seat::ONE);
    Ok(read.map(|(position, _)| art::picture(&position.scene(Viewer::Seat(seat)), "")).unwrap_or_default())
}

/// The board of a match as anybody may see it, with the signs that its players chose.
fn board_for_all(game: &Match) -> Scene {
    game.position().scene(Viewer::Spectator).arranged(&game.settings().seating(Seat::ONE))
}

/// How many games are offered to go on with.
const MOST_SHOWN: usize = 6;

/// Whether a person has made a move.
fn was_played(game: &Match) -> bool {
    let Ok(mut position) = game.settings().start_position() else { return false };
    let mut actions = game.log().iter().filter_map(|entry| match &entry.event {
        Event::Action(action) => Some(action),
        _ => None,
    });
    actions.any(|action| {
        let by = position.turn();
        let _ = position.play(action);
        let sitter = |seat: Seat| game.settings().sitters.get(seat.index()).map(Sitter::player);
        matches!(by, Turn::Seat(seat) if sitter(seat) == Some(Player::Person))
    })
}

#[wasm_split(learn, wasm_split_path = crate::split, fallible)]
fn learn(route: Route) -> Result<AnyView, NotLoaded> {
    Ok(pages::learning(route))
}

#[wasm_split(puzzles, wasm_split_path = crate::split, fallible)]
fn puzzles(route: Route) -> Result<AnyView, NotLoaded> {
    Ok(pages::puzzling(route))
}

/// Work that another chunk goes on with.
type Work = Pin<Box<dyn Future<Output = ()>>>;

#[wasm_split(puzzles, wasm_split_path = crate::split, fallible)]
fn puzzles_ahead(details: String) -> Result<Work, NotLoaded> {
    Ok(Box::pin(pages::puzzles::fetch_first(details)))
}

#[wasm_split(practice, wasm_split_path = crate::split, fallible)]
fn puzzle_practice(practice: Practice) -> Result<AnyView, NotLoaded> {
    Ok(pages::puzzles::practice(practice))
}

/// Hands in an action of a puzzle, as soon as what answers it is here. Where that cannot be fetched, the action can be
/// chosen again.
pub fn hand_in(solving: Solving, action: String) {
    spawn(async move {
        let _ = handed_in(solving, action).await;
    });
}

#[wasm_split(practice, wasm_split_path = crate::split, fallible)]
fn handed_in(solving: Solving, action: String) -> Result<(), NotLoaded> {
    // The page may have been left meanwhile.
    if solving.attempt.try_with_untracked(|_| ()).is_some() {
        solving.act(&action);
    }
    Ok(())
}

#[wasm_split(practice, wasm_split_path = crate::split, fallible)]
fn puzzle_answers(solving: Solving) -> Result<AnyView, NotLoaded> {
    Ok(pages::puzzles::answers(solving))
}

/// What stands beside the board of a puzzle.
pub fn answers(solving: Solving) -> Part {
    let answers = move || ready(puzzle_answers(solving));
    match solving.course {
        Course::Day(_) => later_than(place_of_answers, Chunk::Practice, answers),
        // It is part of that chunk itself.
        Course::Mode(_) => answers().unwrap_or_else(|NotLoaded| place_of_answers()),
    }
}

/// Keeps the place of what is said about answers.
fn place_of_answers() -> AnyView {
    view! { <div class="answer" aria-busy="true"></div> }
}

/// What the page of puzzles offers besides the puzzle of the day.
pub fn practice(practice: Practice) -> Part {
    later(Chunk::Practice, move || ready(puzzle_practice(practice)))
}

#[wasm_split(analyse, wasm_split_path = crate::split, fallible)]
fn analyse(route: Route) -> Result<AnyView, NotLoaded> {
    Ok(pages::analysing(route))
}

#[wasm_split(arrange, wasm_split_path = crate::split, fallible)]
fn arrange(route: Route) -> Result<AnyView, NotLoaded> {
    Ok(online::arranging(route))
}

#[wasm_split(lobby, wasm_split_path = crate::split, fallible)]
fn lobby(route: Route) -> Result<AnyView, NotLoaded> {
    Ok(online::gathering(route))
}

/// What the chunk `people` shows. It has one entrance: each function that is split off is loaded by itself, and is not ready
/// because another one of the same chunk is.
#[derive(Clone)]
enum PeopleView {
    Page(Route),
    /// Games to watch, so many at most.
    LiveGames(usize),
    /// Challenges to answer, with how many there are.
    Challenges(RwSignal<usize>),
    OwnGames,
    DayBoard,
}

#[wasm_split(people, wasm_split_path = crate::split, fallible)]
fn people(view: PeopleView) -> Result<AnyView, NotLoaded> {
    Ok(match view {
        PeopleView::Page(route) => online::people(route),
        PeopleView::LiveGames(most) => online::live_games(most),
        PeopleView::Challenges(count) => online::challenges(count),
        PeopleView::OwnGames => online::own_games(),
        PeopleView::DayBoard => online::day_board(),
    })
}

/// Challenges to answer, once their chunk is loaded; nothing where it cannot be.
pub fn challenges(count: RwSignal<usize>) -> Part {
    people_view(PeopleView::Challenges(count))
}

/// A puzzle of the day as a board, once its chunk is loaded; nothing where it cannot be.
pub fn day_board() -> Part {
    people_view(PeopleView::DayBoard)
}

/// The person's own games with others, once their chunk is loaded; nothing where it cannot be.
pub fn own_games() -> Part {
    people_view(PeopleView::OwnGames)
}

/// Games to watch, once their chunk is loaded; nothing where it cannot be.
pub fn live_games(most: usize) -> Part {
    people_view(PeopleView::LiveGames(most))
}

/// A view of the chunk `people` on a page of another.
fn people_view(view: PeopleView) -> Part {
    later(Chunk::People, move || ready(people(view.clone())))
}

/// How long it takes until a chunk that could not be fetched is asked for again.
pub(crate) const AGAIN: Duration = Duration::from_secs(5);

/// A part of a page that is shown once its chunk is loaded, which nothing waits for.
fn later(chunk: Chunk, view: impl Fn() -> Result<AnyView, NotLoaded> + 'static) -> Part {
    later_than(|| ().into_any(), chunk, view)
}

/// A part of a page in whose place something else is shown until its chunk is loaded.
fn later_than(before: fn() -> AnyView, chunk: Chunk, view: impl Fn() -> Result<AnyView, NotLoaded> + 'static) -> Part {
    let is_loaded = RwSignal::new(false);
    // What is there already is shown first.
    set_timeout(move || load_patiently(chunk, is_loaded), Duration::ZERO);
    AnyView::live(Box::new(move || match is_loaded.get() {
        true => view().unwrap_or_else(|NotLoaded| before()),
        false => before(),
    }))
}

/// Keeps the place of the tools of a table, so that the board does not move when they come.
fn place_of_tools() -> AnyView {
    view! { <nav class="actions" aria-busy="true"></nav> }
}

/// Asks for a chunk until it is there or the page is left.
fn load_patiently(chunk: Chunk, is_loaded: RwSignal<bool>) {
    spawn(async move {
        if load(chunk).await.is_ok() {
            let _ = is_loaded.try_set(true);
        } else if is_loaded.try_get_untracked().is_some() {
            set_timeout(move || load_patiently(chunk, is_loaded), AGAIN);
        }
    });
}

/// Lets the boards of the first page play by themselves.
pub async fn enliven(boards: Vec<(GameId, RwSignal<String>)>) -> Result<(), NotLoaded> {
    load(Chunk::Records).await?;
    enlivened(boards).await
}

#[wasm_split(records, wasm_split_path = crate::split, fallible)]
fn enlivened(boards: Vec<(GameId, RwSignal<String>)>) -> Result<(), NotLoaded> {
    pages::enliven(boards);
    Ok(())
}

#[wasm_split(meet, wasm_split_path = crate::split, fallible)]
fn meet(route: Route) -> Result<AnyView, NotLoaded> {
    Ok(online::meeting(route))
}

#[wasm_split(settings, wasm_split_path = crate::split, fallible)]
fn settings(route: Route) -> Result<AnyView, NotLoaded> {
    Ok(pages::choosing(route))
}

#[wasm_split(ending, wasm_split_path = crate::split, fallible)]
fn after_game(card: EndCard) -> Result<AnyView, NotLoaded> {
    Ok(view! { <ending::EndCardView card /> }.into_any())
}

/// The card at the end of a game, if its chunk is loaded.
pub fn end_card(card: EndCard) -> AnyView {
    ready(after_game(card)).unwrap_or_else(|NotLoaded| ().into_any())
}

/// Fetches what a page needs.
pub async fn load_page(route: &Route) -> Result<(), NotLoaded> {
    let game = match route {
        Route::Puzzles(details) => pages::puzzles::only_game(details),
        _ => route.game(),
    };
    match game {
        Some(game) => load_with(route.chunk(), &[game]).await?,
        None => load(route.chunk()).await?,
    }
    if let Route::Puzzles(details) = route {
        puzzles_ahead(details.clone()).await?.await;
    }
    Ok(())
}

/// Fetches a chunk and what it needs besides.
pub async fn load(chunk: Chunk) -> Result<(), NotLoaded> {
    load_with(chunk, if chunk.shows_any_game() { &GameId::ALL } else { &[] }).await
}

async fn load_with(chunk: Chunk, games: &[GameId]) -> Result<(), NotLoaded> {
    let mut code = chunk.name().to_owned();
    for game in games {
        code.push(' ');
        code.push_str(game.name());
        if chunk.reads_positions() {
            code.push(' ');
            code.push_str(&routes::reader_name(*game));
        }
    }
    // The largest files set out first; the others travel beside them.
    let code = browser::begin_loading(&code);
    if chunk == Chunk::Home {
        pages::home::load_pictures().await;
    }
    for style in chunk.styles() {
        browser::load_style(style).await?;
    }
    for part in chunk.texts() {
        load_texts(first_language(), *part).await?;
    }
    browser::loaded(&code).await?;
    for game in games {
        install(*game)?;
        if chunk.reads_positions() {
            install_reader(*game)?;
        }
    }
    Ok(())
}

/// The page that says that there is none, and where to go instead; its chunk is that of the first page.
pub fn not_found() -> Result<AnyView, NotLoaded> {
    ready(home(true))
}

/// A page whose chunk is loaded.
pub fn page(route: Route) -> Result<AnyView, NotLoaded> {
    // In a box, what follows is compiled once for all of them.
    let page: Pin<Box<dyn Future<Output = Result<AnyView, NotLoaded>>>> = match route.chunk() {
        Chunk::Home => Box::pin(home(false)),
        Chunk::Play => Box::pin(play(route)),
        Chunk::Setup => Box::pin(setup(route)),
        Chunk::Learn => Box::pin(learn(route)),
        Chunk::Puzzles => Box::pin(puzzles(route)),
        Chunk::Analyse => Box::pin(analyse(route)),
        Chunk::Arrange => Box::pin(arrange(route)),
        Chunk::Lobby => Box::pin(lobby(route)),
        Chunk::People => Box::pin(people(PeopleView::Page(route))),
        Chunk::Meet => Box::pin(meet(route)),
        Chunk::Settings => Box::pin(settings(route)),
        // They show no page.
        Chunk::Tools | Chunk::Records | Chunk::Ending | Chunk::Practice => return Err(NotLoaded),
    };
    ready(page)
}

/// What a chunk that is loaded answers at once. Nothing is awaited, so the page keeps its reactive owner.
fn ready<T>(answer: impl Future<Output = Result<T, NotLoaded>>) -> Result<T, NotLoaded> {
    match pin!(answer).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => answer,
        Poll::Pending => Err(NotLoaded),
    }
}
