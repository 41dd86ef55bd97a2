//! Puzzles: questions without their solutions, attempts that are checked here, and leaderboards.

use axum::Json;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::response::Response;
use game::GameId;
use protocol::{PersonKind, Refusal};
use puzzles::{Answer, Attempt, Day, Finish, GAMES, Puzzle, PuzzleId, PuzzleQuery, Rating, Theme};
use search::Random;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::schemas::Problem;
use super::{Body, Parameters, Who, unbroken};
use crate::app::App;
use crate::http_error::HttpError;
use crate::runtime::{random, wall};
use crate::store::{AttemptRow, PuzzleRatingRow, SolverRow, Store, StoreError};

/// How many are listed.
const MOST: i64 = 100;
/// Puzzles tried lately are not set again.
const REMEMBERED: i64 = 400;
/// The longest id that a client may give an attempt.
const LONGEST_ID: usize = 40;
/// More puzzles than anybody solves in three minutes.
const MOST_IN_A_STORM: usize = 150;

/// A puzzle as it is set: everything but its solution.
#[derive(Serialize, ToSchema)]
pub(crate) struct Question {
    /// The puzzle's name.
    id: String,
    /// The game with its options.
    game: String,
    /// What is asked, by its word in docs/puzzles.md.
    theme: String,
    /// The turns that the solver takes.
    turns: u32,
    /// How hard it is.
    rating: u32,
    /// The position's text. What the solver must not see is not in it.
    position: String,
    /// The solver's seat.
    #[schema(minimum = 1, maximum = 4)]
    seat: u8,
    /// The day whose puzzle it is; left out in a puzzle of no day.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = Date)]
    day: Option<String>,
}

/// What is asked for. Each address describes what it reads of this by the types below.
#[derive(Deserialize)]
struct Asked {
    game: Option<String>,
    day: Option<String>,
    theme: Option<String>,
}

/// The game whose puzzles are meant.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "it is described, never made")]
struct OfGame {
    /// The game's name; left out, the first game that has puzzles.
    game: Option<String>,
}

/// The games whose puzzles are meant.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "it is described, never made")]
struct OfGames {
    /// The game's name; left out, every game that has puzzles.
    game: Option<String>,
}

/// The day that is meant.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "it is described, never made")]
struct OfDay {
    /// A day such as `2026-11-17`; left out, today by UTC. There is no later day yet: 404.
    #[param(format = Date)]
    day: Option<String>,
}

/// The theme that is wanted.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "it is described, never made")]
struct OfTheme {
    /// A theme of the game, by its word in docs/puzzles.md; left out, any.
    theme: Option<String>,
}

/// A request about puzzles.
pub(crate) struct PuzzleRequest {
    who: Who,
    asked: Asked,
    game: Option<GameId>,
}

impl PuzzleRequest {
    /// The game asked for; without a name the first one.
    fn game(&self) -> GameId {
        self.game.unwrap_or(GAMES[0])
    }
}

impl FromRequestParts<App> for PuzzleRequest {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<PuzzleRequest, HttpError> {
        let who = Who::from_request_parts(parts, app).await?;
        let Parameters(asked) = Parameters::<Asked>::from_request_parts(parts, app).await?;
        let game = asked.game.as_deref().map(|name| game(&who, name)).transpose()?;
        Ok(PuzzleRequest { who, asked, game })
    }
}

/// An attempt as a client reports it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tried {
    /// Yours, different for every attempt; the same attempt sent again changes nothing, and an id used for another puzzle is
    /// refused.
    #[schema(min_length = 1, max_length = 40)]
    id: String,
    /// The solver's actions, in order, up to the first wrong one.
    moves: Vec<String>,
    /// Whether help was used.
    #[serde(default)]
    helped: bool,
    /// How many seconds it took.
    #[serde(default)]
    seconds: u32,
    /// The day whose puzzle it is, for the leaderboard of that day. There is no later day than today yet: 404.
    #[schema(format = Date)]
    day: Option<String>,
}

/// What an attempt came to.
#[derive(Serialize, ToSchema)]
pub(crate) struct Judged {
    /// Whether every action was right and no help was used.
    clean: bool,
    /// The solver's rating before and after; they are equal for a guest, and for a puzzle that was tried before.
    rating_before: i64,
    rating_after: i64,
    /// How uncertain the solver's rating is.
    deviation: i64,
    /// How hard the puzzle is now, by everyone who has tried it.
    puzzle_rating: u32,
    /// The whole solution, now that the attempt is over.
    solution: Vec<String>,
}

/// How good a person is at a game's puzzles.
#[derive(Serialize, ToSchema)]
pub(crate) struct SolverRating {
    /// Which person.
    id: String,
    /// Whether the person has an account: attempts of others move no rating.
    account: bool,
    rating: u32,
    /// How uncertain the rating is.
    deviation: u32,
    /// How many puzzles have moved it.
    attempts: i64,
}

/// A storm as a client reports it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Storm {
    /// The game's name.
    game: String,
    /// The puzzles that were solved.
    #[schema(max_items = 150)]
    solved: Vec<StormPuzzle>,
}

/// A puzzle of a storm.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StormPuzzle {
    /// The puzzle's name.
    puzzle: String,
    /// The solver's actions.
    moves: Vec<String>,
}

/// How a storm counts.
#[derive(Serialize, ToSchema)]
pub(crate) struct StormScore {
    /// The puzzles whose solutions are right, each counted once.
    solved: usize,
}

/// A line of a leaderboard.
#[derive(Serialize, ToSchema)]
pub(crate) struct Solver {
    /// Which person.
    id: String,
    /// The name.
    name: String,
    /// Seconds for a puzzle of the day, puzzles for a storm.
    score: i64,
}

/// The puzzles of a day, one for each game.
#[utoipa::path(get, path = "/api/puzzles/daily", operation_id = "daily_puzzles", params(OfGames, OfDay), responses(
    (status = 200, body = [Question]), (status = 400, body = Problem), (status = 404, body = Problem),
    (status = 401, body = Problem), (status = 403, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn daily(State(app): State<App>, request: PuzzleRequest) -> Result<Response, HttpError> {
    let PuzzleRequest { who, asked, game } = request;
    let day = day(&who, asked.day.as_deref())?;
    let games = game.map_or_else(|| GAMES.to_vec(), |game| vec![game]);
    let mut questions = Vec::new();
    for puzzle in games.into_iter().filter_map(|game| puzzle_sets::daily(day, game)) {
        questions.push(Question::new(&app, &who, &puzzle, Some(day)).await?);
    }
    Ok(who.answer(Json(questions)))
}

/// A puzzle near your rating, not one that you tried lately.
#[utoipa::path(get, path = "/api/puzzles/next", operation_id = "next_puzzle", params(OfGame, OfTheme), responses(
    (status = 200, body = Question), (status = 400, body = Problem), (status = 404, body = Problem),
    (status = 401, body = Problem), (status = 403, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn next(State(app): State<App>, request: PuzzleRequest) -> Result<Response, HttpError> {
    let game = request.game();
    let PuzzleRequest { who, asked, .. } = request;
    let theme: Option<Theme> = match asked.theme.as_deref().map(str::parse) {
        Some(Ok(theme)) => Some(theme),
        Some(Err(_)) => return Err(who.refuse(Refusal::NotFound)),
        None => None,
    };
    let storage = |_: StoreError| who.refuse(Refusal::Storage);
    let store = &app.hub.store;
    let rating = rating_of(store.solver_rating(&who.person.id, game.name()).await.map_err(storage)?).0;
    let tried = store.tried_puzzles(&who.person.id, game.name(), REMEMBERED).await.map_err(storage)?;
    let tried: Vec<PuzzleId> = tried.iter().filter_map(|(name,)| name.parse().ok()).collect();
    let query = PuzzleQuery { rating: rating.shown(), theme, usual: true, small: false };
    let mut random = Random::new(u64::from(random()) << 32 | u64::from(crate::runtime::random()));
    let picked = puzzle_sets::shelf(game).pick(&query, &|id| tried.contains(&id), &mut random);
    let puzzle = picked.ok_or_else(|| who.refuse(Refusal::NotFound))?.puzzle;
    let question = Question::new(&app, &who, &puzzle, None).await?;
    Ok(who.answer(Json(question)))
}

/// Your rating as a solver of a game's puzzles.
#[utoipa::path(get, path = "/api/puzzles/rating", operation_id = "solver_rating", params(OfGame), responses(
    (status = 200, body = SolverRating), (status = 400, body = Problem), (status = 404, body = Problem),
    (status = 401, body = Problem), (status = 403, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn rating(State(app): State<App>, request: PuzzleRequest) -> Result<Response, HttpError> {
    let game = request.game();
    let who = request.who;
    let known = app.hub.store.solver_rating(&who.person.id, game.name()).await;
    let (rating, attempts) = rating_of(known.map_err(|_| who.refuse(Refusal::Storage))?);
    let account = who.person.kind == PersonKind::Account;
    let (id, deviation) = (who.person.id.clone(), rating.deviation.round() as u32);
    Ok(who.answer(Json(SolverRating { id, account, rating: rating.shown(), deviation, attempts })))
}

/// Hands in an attempt. The server plays it through, and with an account it moves both ratings.
#[utoipa::path(post, path = "/api/puzzles/{id}/attempts", operation_id = "attempt_puzzle",
    params(("id" = String, Path, description = "the puzzle's name")), request_body = Tried, responses(
    (status = 200, body = Judged), (status = 400, body = Problem), (status = 404, body = Problem), (status = 413, body = Problem),
    (status = 401, body = Problem), (status = 403, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn attempt(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Body(tried): Body<Tried>,
) -> Result<Response, HttpError> {
    app.check_attempts(&who.person.id).map_err(|refusal| who.refuse(refusal))?;
    // PostgreSQL keeps no texts with a zero.
    if tried.id.is_empty() || tried.id.len() > LONGEST_ID || tried.id.contains('\0') {
        return Err(who.refuse(Refusal::unreadable("the id of an attempt has 1 to 40 bytes and no zeros")));
    }
    let puzzle = id.parse().ok().and_then(puzzle_sets::find).ok_or_else(|| who.refuse(Refusal::NotFound))?;
    // Only the puzzle that the list has for the day counts for the day.
    let day = tried.day.as_deref().map(|text| day(&who, Some(text))).transpose()?;
    let day =
        day.filter(|day| puzzle_sets::daily(*day, puzzle.game.id()).is_some_and(|of_day| of_day.id() == puzzle.id()));
    let clean = !tried.helped && is_solution(&puzzle, &tried.moves);
    let solution = puzzle.steps.iter().map(|step| step.played.clone()).collect();
    let measured = puzzle.rating;
    let made = MadeAttempt {
        account: who.person.kind == PersonKind::Account,
        row: AttemptRow {
            person: who.person.id.clone(),
            id: tried.id,
            puzzle: puzzle.id().to_string(),
            game: puzzle.game.id().name().to_owned(),
            day: day.map(|day| day.to_string()).unwrap_or_default(),
            clean: clean.into(),
            seconds: tried.seconds.min(86_400).into(),
            before: 0.0,
            after: 0.0,
            at: wall(),
        },
        measured,
    };
    // A guest whose attempts are kept is forgotten with them.
    app.present(&who.person, who.address).await.map_err(|refusal| who.refuse(refusal))?;
    let store = app.hub.store.clone();
    let kept = unbroken(async move { made.keep(&store).await });
    let kept = kept.await.map_err(|refusal| who.refuse(refusal))?;
    let storage = |_: StoreError| who.refuse(Refusal::Storage);
    let solver = rating_of(app.hub.store.solver_rating(&kept.person, &kept.game).await.map_err(storage)?).0;
    let rated = puzzle_rating(measured, app.hub.store.puzzle_rating(&kept.puzzle).await.map_err(storage)?).0;
    let whole = |number: f64| number.round() as i64;
    Ok(who.answer(Json(Judged {
        clean: kept.clean != 0,
        rating_before: whole(kept.before),
        rating_after: whole(kept.after),
        deviation: whole(solver.deviation),
        puzzle_rating: rated.shown(),
        solution,
    })))
}

/// Hands in a storm of three minutes; the server counts the puzzles whose solutions are right, and keeps an account's best.
#[utoipa::path(post, path = "/api/puzzles/storms", operation_id = "keep_storm", request_body = Storm, responses(
    (status = 200, body = StormScore), (status = 400, body = Problem), (status = 404, body = Problem), (status = 413, body = Problem),
    (status = 401, body = Problem), (status = 403, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn storm(State(app): State<App>, who: Who, Body(storm): Body<Storm>) -> Result<Response, HttpError> {
    app.check_attempts(&who.person.id).map_err(|refusal| who.refuse(refusal))?;
    let game = game(&who, &storm.game)?;
    if storm.solved.len() > MOST_IN_A_STORM {
        return Err(who.refuse(Refusal::TooLong));
    }
    let mut counted: Vec<PuzzleId> = Vec::new();
    for StormPuzzle { puzzle, moves } in &storm.solved {
        let shelf = puzzle_sets::shelf(game);
        let found = puzzle.parse().ok().and_then(|id| shelf.read(shelf.find(id)?));
        if let Some(found) = found.filter(|found| is_solution(found, moves) && !counted.contains(&found.id())) {
            counted.push(found.id());
        }
    }
    if who.person.kind == PersonKind::Account {
        let kept = app.hub.store.keep_storm(&who.person.id, game.name(), counted.len() as i64, wall()).await;
        kept.map_err(|_| who.refuse(Refusal::Storage))?;
    }
    Ok(who.answer(Json(StormScore { solved: counted.len() })))
}

/// The accounts that solved a day's puzzle at once and without help, the fastest first.
#[utoipa::path(get, path = "/api/puzzles/leaders", operation_id = "daily_leaders", params(OfGame, OfDay), responses(
    (status = 200, body = [Solver]), (status = 400, body = Problem), (status = 404, body = Problem),
    (status = 401, body = Problem), (status = 403, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn leaders(State(app): State<App>, request: PuzzleRequest) -> Result<Response, HttpError> {
    let game = request.game();
    let PuzzleRequest { who, asked, .. } = request;
    let day = day(&who, asked.day.as_deref())?.to_string();
    listed(who, app.hub.store.day_solvers(&day, game.name(), MOST).await)
}

/// The best storms of a game.
#[utoipa::path(get, path = "/api/puzzles/storms", operation_id = "storm_leaders", params(OfGame), responses(
    (status = 200, body = [Solver]), (status = 400, body = Problem), (status = 404, body = Problem),
    (status = 401, body = Problem), (status = 403, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn storms(State(app): State<App>, request: PuzzleRequest) -> Result<Response, HttpError> {
    let game = request.game();
    listed(request.who, app.hub.store.best_storms(game.name(), MOST).await)
}

impl Question {
    async fn new(app: &App, who: &Who, puzzle: &Puzzle, day: Option<Day>) -> Result<Question, HttpError> {
        let known = app.hub.store.puzzle_rating(&puzzle.id().to_string()).await;
        let rating = puzzle_rating(puzzle.rating, known.map_err(|_| who.refuse(Refusal::Storage))?).0.shown();
        let seat = puzzle.solver();
        // The solver may know only what is seen from the seat.
        let viewer = rules::Viewer::Seat(seat);
        let position = puzzle.game.parse_position(&puzzle.start).map(|position| position.view_text(viewer));
        Ok(Question {
            id: puzzle.id().to_string(),
            game: puzzle.game.to_string(),
            theme: puzzle.theme.name().to_owned(),
            turns: puzzle.turns(),
            rating,
            position: position.unwrap_or_default(),
            seat: seat.number(),
            day: day.map(|day| day.to_string()),
        })
    }
}

/// An attempt that has been judged.
struct MadeAttempt {
    /// Whether the person has an account, whose ratings change.
    account: bool,
    /// Everything but the ratings.
    row: AttemptRow,
    /// How hard the puzzle is by the levels.
    measured: Option<u16>,
}

/// How often ratings are read again that other attempts change at the same time.
const RACES: u32 = 20;

impl MadeAttempt {
    /// Keeps the attempt and the ratings after it, once; the attempt as it is kept.
    async fn keep(self, store: &Store) -> Result<AttemptRow, Refusal> {
        let storage = |_: StoreError| Refusal::Storage;
        for _ in 0..RACES {
            if let Some(known) = store.puzzle_attempt(&self.row.person, &self.row.id).await.map_err(storage)? {
                // The answer holds the solution of the puzzle in the address, which must have been tried.
                let other = || Refusal::unreadable("the id was used for an attempt at another puzzle");
                return if known.puzzle == self.row.puzzle { Ok(known) } else { Err(other()) };
            }
            let (row, ratings) = self.rated(store).await.map_err(storage)?;
            match store.keep_attempt(row.clone(), ratings).await {
                Ok(()) => return Ok(row),
                // The same attempt was sent twice at once, or another one has changed a rating.
                Err(StoreError::Conflict) => {}
                Err(_) => return Err(Refusal::Storage),
            }
        }
        Err(Refusal::Storage)
    }

    /// The attempt with the solver's ratings, and what the ratings become if it changes them.
    async fn rated(
        &self,
        store: &Store,
    ) -> Result<(AttemptRow, Option<(PuzzleRatingRow, PuzzleRatingRow)>), StoreError> {
        let mut row = self.row.clone();
        let (solver, solved) = rating_of(store.solver_rating(&row.person, &row.game).await?);
        (row.before, row.after) = (solver.rating, solver.rating);
        if store.has_tried_puzzle(&row.person, &row.puzzle).await? {
            // The person knows the solution.
            row.day = String::new();
            return Ok((row, None));
        }
        if !self.account {
            return Ok((row, None));
        }
        let (rated, tries) = puzzle_rating(self.measured, store.puzzle_rating(&row.puzzle).await?);
        let score = if row.clean == 1 { 1.0 } else { 0.0 };
        let after = solver.after(&[(rated, score)]);
        row.after = after.rating;
        let ratings = (row_of(after, solved + 1), row_of(rated.after(&[(solver, 1.0 - score)]), tries + 1));
        Ok((row, Some(ratings)))
    }
}

/// Answers with a leaderboard.
fn listed(who: Who, rows: Result<Vec<SolverRow>, StoreError>) -> Result<Response, HttpError> {
    let rows = rows.map_err(|_| who.refuse(Refusal::Storage))?;
    let solver = |SolverRow { person, name, score }| Solver { id: person, name, score };
    Ok(who.answer(Json(rows.into_iter().map(solver).collect::<Vec<_>>())))
}

/// Whether the actions solve a puzzle without a mistake.
fn is_solution(puzzle: &Puzzle, moves: &[String]) -> bool {
    let Some(mut attempt) = Attempt::new(puzzle.clone()) else { return false };
    let right = moves.iter().all(|action| matches!(attempt.answer(action), Answer::Right { .. }));
    right && attempt.result() == Some(Finish::Clean)
}

fn game(who: &Who, name: &str) -> Result<GameId, HttpError> {
    name.parse().map_err(|_| who.refuse(Refusal::NotFound))
}

/// The day asked for; a day that has not begun is refused, for its puzzles are still secret.
fn day(who: &Who, text: Option<&str>) -> Result<Day, HttpError> {
    let today = Day::at(wall().try_into().unwrap_or(0));
    let unreadable = |_| who.refuse(Refusal::unreadable("expected a day such as 2026-11-17"));
    let day = text.map_or(Ok(today), str::parse).map_err(unreadable)?;
    if day > today { Err(who.refuse(Refusal::NotFound)) } else { Ok(day) }
}

/// A stored rating and after how many attempts it is, or a new solver's.
fn rating_of(row: Option<PuzzleRatingRow>) -> (Rating, i64) {
    row.map_or((Rating::NEW_SOLVER, 0), |row| {
        (Rating { rating: row.rating, deviation: row.deviation, volatility: row.volatility }, row.attempts)
    })
}

/// A puzzle's rating and after how many attempts it is: that of the levels until people have tried it.
fn puzzle_rating(measured: Option<u16>, known: Option<PuzzleRatingRow>) -> (Rating, i64) {
    known.map_or_else(|| (Rating::of_puzzle(measured.unwrap_or(1200)), 0), |row| rating_of(Some(row)))
}

fn row_of(rating: Rating, attempts: i64) -> PuzzleRatingRow {
    PuzzleRatingRow { rating: rating.rating, deviation: rating.deviation, volatility: rating.volatility, attempts }
}
