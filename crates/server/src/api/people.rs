use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use game::{Game, GameId};
use protocol::{EndCause, GameResult, Refusal, TableState};
use puzzles::{Day, GAMES, days_in_a_row};
use rules::{Outcome, Seat};
use serde::Serialize;
use utoipa::ToSchema;

use super::schemas::Problem;
use super::{Who, schemas};
use crate::app::App;
use crate::http_error::HttpError;
use crate::runtime::wall;
use crate::store::{SeatRow, Store, StoreError, TableRow};
use crate::tables::{Access, Sitting, Table, TableSpec};

/// A person, as others see them.
#[derive(Serialize, ToSchema)]
pub(crate) struct Player {
    /// Which person.
    id: String,
    /// The name; empty for a deleted person, or one who has not given any.
    name: String,
    /// `guest`, `account`, `bot` or `gone`.
    kind: String,
    /// How strong they are, by game.
    ratings: Vec<Rating>,
    /// How the ratings changed, the oldest first.
    history: Vec<RatingPoint>,
    /// Finished games that others may see, by game.
    record: Vec<Score>,
    /// What they did with puzzles.
    puzzles: PuzzleResults,
    /// What they played last.
    games: Vec<PlayedGame>,
}

/// A rating after a game.
#[derive(Serialize, ToSchema)]
pub(crate) struct RatingPoint {
    /// The game.
    game: String,
    /// The number (Glicko-2).
    rating: i64,
    /// When, in milliseconds since 1970.
    at: i64,
}

/// How often a person won, lost and drew in a game.
#[derive(Default, Serialize, ToSchema)]
pub(crate) struct Score {
    /// The game.
    game: String,
    won: i64,
    lost: i64,
    drawn: i64,
}

/// What a person with an account did with puzzles.
#[derive(Serialize, ToSchema)]
pub(crate) struct PuzzleResults {
    /// On how many days in a row, up to today or yesterday, a puzzle of the day was solved at once and without help.
    days_in_a_row: u32,
    /// How good they are at puzzles, by game.
    games: Vec<PuzzleResult>,
}

/// What a person did with a game's puzzles.
#[derive(Serialize, ToSchema)]
pub(crate) struct PuzzleResult {
    /// The game.
    game: String,
    /// The number (Glicko-2), once a puzzle has moved it.
    rating: Option<i64>,
    /// After how many puzzles.
    attempts: i64,
    /// The most puzzles solved in a storm; 0 without one.
    storm: i64,
}

/// A rating.
#[derive(Serialize, ToSchema)]
pub(crate) struct Rating {
    /// The game.
    game: String,
    /// The number (Glicko-2).
    rating: i64,
    /// How uncertain it is.
    deviation: i64,
    /// After how many games.
    games: i64,
}

/// A game that a person played or plays.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlayedGame {
    /// The table.
    table: String,
    /// The game with its options.
    game: String,
    /// The clock.
    clock: String,
    /// Whether ratings change.
    rated: bool,
    /// `waiting`, `playing` or `over`.
    #[schema(value_type = schemas::TableState)]
    state: TableState,
    /// The person's seat, from 1.
    #[schema(value_type = Option<u8>)]
    #[serde(serialize_with = "seat_number")]
    seat: Option<Seat>,
    /// The names of the players; `null` for a free seat, `bot:3` for a bot at a level. In long lists
    /// of old games such a bot is `null` too.
    players: Vec<Option<String>>,
    /// The seat to act, from 1.
    #[schema(value_type = Option<u8>)]
    #[serde(serialize_with = "seat_number")]
    to_act: Option<Seat>,
    /// The result, in the word of a record, once the game is over.
    #[schema(value_type = Option<String>)]
    result: Option<GameResult>,
    /// What ended it.
    #[schema(value_type = Option<String>)]
    cause: Option<EndCause>,
    /// When it was made, in milliseconds since 1970.
    created_at: i64,
    /// When something last happened, in milliseconds since 1970.
    changed_at: i64,
}

fn seat_number<S: serde::Serializer>(seat: &Option<Seat>, serializer: S) -> Result<S::Ok, S::Error> {
    seat.map(Seat::number).serialize(serializer)
}

impl From<TableRow> for PlayedGame {
    fn from(row: TableRow) -> PlayedGame {
        let spec = TableSpec::read(&row.spec).ok();
        let rated = spec.as_ref().is_some_and(|spec| spec.rated);
        let (game, clock) = spec.map(|spec| (spec.game.to_string(), spec.clock.to_string())).unwrap_or_default();
        let state = TableState::ALL.iter().copied().find(|state| state.word() == row.state);
        let result = |word: String| GameResult::ALL.iter().copied().find(|result| result.word() == word);
        let cause = |word: String| EndCause::ALL.iter().copied().find(|cause| cause.word() == word);
        PlayedGame {
            table: row.id,
            game,
            clock,
            rated,
            state: state.unwrap_or_default(),
            seat: None,
            players: Vec::new(),
            to_act: None,
            result: row.result.and_then(result),
            cause: row.cause.and_then(cause),
            created_at: row.created_at,
            changed_at: row.changed_at,
        }
    }
}

/// How many games a list has.
pub(super) const MOST_GAMES: i64 = 200;

/// For so many games the log is read, which has all players and the seat to act: for those in play, then for the latest.
const WITH_LOG: usize = 40;

/// A person's games with their players.
pub(super) async fn played(app: &App, person: &str, rows: Vec<TableRow>) -> Vec<PlayedGame> {
    let mut games: Vec<PlayedGame> = rows.into_iter().map(PlayedGame::from).collect();
    let mut order: Vec<usize> = (0..games.len()).collect();
    order.sort_by_key(|at| games[*at].state == TableState::Over);
    let older = order.split_off(order.len().min(WITH_LOG));
    for at in order {
        with_log(app, person, &mut games[at]).await;
    }
    if !older.is_empty() {
        let seats = app.hub.store.seats_beside(person, MOST_GAMES).await.unwrap_or_default();
        older.into_iter().for_each(|at| with_seats(person, &mut games[at], &seats));
    }
    games
}

/// Adds who sits at the table, as far as the database knows without the log: bots of the server are left out.
fn with_seats(person: &str, game: &mut PlayedGame, seats: &[SeatRow]) {
    let count = game.game.parse::<Game>().map_or(0, |game| game.seats());
    game.players = vec![None; count.into()];
    for row in seats.iter().filter(|row| row.table_id == game.table) {
        let Some(seat) = Seat::all(count).find(|seat| i64::from(seat.number()) == row.seat) else { continue };
        game.players[seat.index()] = Some(row.name.clone());
        if row.person == person {
            game.seat = Some(seat);
        }
    }
}

/// Adds what stands in the game's log: the players, the person's seat, and the seat to act. A log that cannot be read adds
/// nothing.
pub(super) async fn with_log(app: &App, person: &str, game: &mut PlayedGame) -> Option<Table> {
    let table = app.hub.load(&game.table).await.ok()?;
    let name = |who: &Option<Sitting>| match who {
        Some(Sitting::Person(person)) => Some(person.name.clone()),
        Some(Sitting::Bot(level)) => Some(format!("bot:{level}")),
        None => None,
    };
    game.players = table.seats().iter().map(name).collect();
    game.seat = table.seat_of(person);
    game.to_act = table.play().filter(|play| play.ending().is_none()).and_then(|play| play.to_act());
    Some(table)
}

/// A person's ratings.
pub(super) async fn ratings(store: &Store, person: &str) -> Result<Vec<Rating>, StoreError> {
    let rows = store.ratings(person).await?;
    let whole = |number: f64| number.round() as i64;
    Ok(rows
        .into_iter()
        .map(|row| Rating {
            game: row.game,
            rating: whole(row.rating),
            deviation: whole(row.deviation),
            games: row.games,
        })
        .collect())
}

/// The longest series of days that is counted.
const MOST_DAYS: i64 = 1000;

/// What a person did with puzzles.
async fn puzzle_results(store: &Store, person: &str) -> Result<PuzzleResults, StoreError> {
    let days = store.solved_days(person, MOST_DAYS).await?;
    let days: Vec<Day> = days.iter().filter_map(|(day,)| day.parse().ok()).collect();
    let today = Day::at(wall().try_into().unwrap_or(0));
    let storms = store.storms_of(person).await?;
    let ratings = store.solver_ratings(person).await?;
    let result = |game: GameId| {
        let rated = ratings.iter().find(|(of, ..)| of == game.name());
        let storm = storms.iter().find(|(of, _)| of == game.name()).map_or(0, |(_, solved)| *solved);
        let (rating, attempts) =
            rated.map_or((None, 0), |(_, rating, attempts)| (Some(rating.round() as i64), *attempts));
        (rating.is_some() || storm > 0).then(|| PuzzleResult { game: game.name().to_owned(), rating, attempts, storm })
    };
    let games = GAMES.into_iter().filter_map(result).collect();
    Ok(PuzzleResults { days_in_a_row: days_in_a_row(today, |day| days.contains(&day)), games })
}

/// How many points of the ratings are shown.
const MOST_POINTS: i64 = 1000;

/// The score by game. Private games count for the person alone.
fn record(counts: Vec<crate::store::ResultCount>, own: bool) -> Vec<Score> {
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    for row in counts {
        let Ok(spec) = TableSpec::read(&row.game) else { continue };
        if spec.access == Access::Private && !own {
            continue;
        }
        let game = spec.game_name();
        let side = Seat::all(spec.game.seats())
            .find(|seat| i64::from(seat.number()) == row.seat)
            .map(|seat| Outcome::Win(spec.game.start().side(seat)));
        let score = scores.entry(game.clone()).or_insert_with(|| Score { game, ..Score::default() });
        match game::result_from_word(&row.result) {
            Ok(Some(Outcome::Draw)) => score.drawn += row.count,
            Ok(outcome @ Some(_)) if outcome == side => score.won += row.count,
            Ok(Some(_)) => score.lost += row.count,
            _ => {}
        }
    }
    scores.into_values().collect()
}

/// A person's page: name, ratings, and the last fifty games that others may see.
#[utoipa::path(get, path = "/api/people/{id}", operation_id = "show_person", params(("id" = String, Path)), responses(
    (status = 200, body = Player), (status = 404, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn show(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, HttpError> {
    app.check_pages(who.address).map_err(|refusal| who.refuse(refusal))?;
    let storage = |_: StoreError| who.refuse(Refusal::Storage);
    let person = app.hub.store.person(&id).await.map_err(storage)?.ok_or_else(|| who.refuse(Refusal::NotFound))?;
    let ratings = ratings(&app.hub.store, &id).await.map_err(storage)?;
    let games = app.hub.store.tables_of(&id, 50).await.map_err(storage)?;
    let own = id == who.person.id;
    let history = app.hub.store.rating_history(&id, MOST_POINTS).await.map_err(storage)?;
    let point =
        |row: crate::store::RatingPoint| RatingPoint { game: row.game, rating: row.rating.round() as i64, at: row.at };
    let history = history.into_iter().map(point).collect();
    let record = record(app.hub.store.result_counts(&id).await.map_err(storage)?, own);
    let puzzles = puzzle_results(&app.hub.store, &id).await.map_err(storage)?;
    // A game among friends is shown once it is over, a private one never.
    let shown = |row: &TableRow| {
        let access = TableSpec::read(&row.spec).map(|spec| spec.access);
        own || access == Ok(Access::Open) || (access == Ok(Access::Link) && row.state == "over")
    };
    let games = played(&app, &id, games.into_iter().filter(shown).collect()).await;
    Ok(who.answer(Json(Player { id, name: person.name, kind: person.kind, ratings, history, record, puzzles, games })))
}
