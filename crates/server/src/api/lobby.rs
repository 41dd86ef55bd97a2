use axum::Json;
use axum::extract::State;
use axum::response::Response;
use game::{Game, GameId};
use serde::Serialize;
use utoipa::ToSchema;

use super::schemas::Problem;
use super::table::{Made, NewTable, request_id};
use super::{Body, Who, schemas, unbroken};
use crate::app::App;
use crate::http_error::HttpError;
use crate::hub::Via;

/// A game there is.
#[derive(Serialize, ToSchema)]
pub(crate) struct GameInfo {
    /// Its name in texts.
    id: String,
    /// What it is called.
    name: String,
    /// How many seats it has by default.
    seats: u8,
    /// What can be chosen.
    options: Vec<OptionInfo>,
    /// Options and clocks to be chosen together, such as those of the printed rules.
    presets: Vec<PresetInfo>,
    /// The clock that a new table should begin with.
    clock: String,
    /// The symbols or colours that the sides choose from; none where pieces belong to no side.
    signs: Vec<String>,
}

/// Options and a clock to be chosen together.
#[derive(Serialize, ToSchema)]
pub(crate) struct PresetInfo {
    /// What it is called, in the language of `Accept-Language`.
    name: String,
    /// The game with its options.
    game: String,
    /// The clock.
    clock: String,
}

/// An option of a game.
#[derive(Serialize, ToSchema)]
pub(crate) struct OptionInfo {
    /// Its name in texts.
    name: String,
    /// The value without saying anything.
    default: String,
    /// What can be said.
    possible: String,
}

/// The games there are.
#[utoipa::path(get, path = "/api/games", operation_id = "list_games", responses(
    (status = 200, body = [GameInfo]), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 429, body = Problem)))]
pub(crate) async fn games(who: Who) -> Json<Vec<GameInfo>> {
    let games = GameId::ALL.into_iter().map(|id| {
        let usual = Game::by_default(id);
        let name = locale::game_name(who.language, id).to_owned();
        let value = |option: &str| usual.option(option).unwrap_or_default();
        let options = id.options().iter();
        let options = options.map(|option| OptionInfo {
            name: option.name.to_owned(),
            default: value(option.name),
            possible: option.values.to_string(),
        });
        let presets = id.presets().iter().filter_map(|preset| {
            let game = Game::with_options(id, preset.options).ok()?.to_string();
            let name = locale::preset_name(who.language, id, preset).to_owned();
            Some(PresetInfo { name, game, clock: preset.clock.to_owned() })
        });
        let offered = id.presets().iter().find(|preset| preset.offered == rules::Offered::Online);
        GameInfo {
            id: id.name().to_owned(),
            name,
            seats: usual.seats(),
            options: options.collect(),
            presets: presets.collect(),
            clock: offered.map_or("none", |preset| preset.clock).to_owned(),
            signs: id.signs().iter().map(|sign| (*sign).to_owned()).collect(),
        }
    });
    Json(games.collect())
}

/// The open tables.
#[utoipa::path(get, path = "/api/lobby", operation_id = "list_tables", responses(
    (status = 200, body = [schemas::LobbyTable]), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 429, body = Problem)))]
pub(crate) async fn lobby(State(app): State<App>) -> Json<Vec<protocol::LobbyTable>> {
    Json(app.hub.lobby())
}

/// A seat at an open table of a kind, or a new open table.
#[utoipa::path(post, path = "/api/pair", operation_id = "pair", request_body = NewTable, responses(
    (status = 200, body = Made), (status = 400, body = Problem), (status = 403, body = Problem),
    (status = 413, body = Problem), (status = 401, body = Problem),
    (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn pair(State(app): State<App>, who: Who, Body(new): Body<NewTable>) -> Result<Response, HttpError> {
    app.check_tables(who.address, &who.person.id).map_err(|code| who.refuse(code))?;
    app.present(&who.person, who.address).await.map_err(|code| who.refuse(code))?;
    let person = who.person.clone();
    let request = request_id(&who, new.id.as_deref())?;
    let made = unbroken(async move { app.hub.pair(&person, &request, new.try_into()?, Via::Http).await }).await;
    let table = made.map_err(|refusal| who.refuse(refusal))?;
    Ok(who.answer(Json(Made { table })))
}
