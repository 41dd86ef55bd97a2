//! Pictures of boards for link previews. Sites that show previews want PNG, so the drawing is rasterised here.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Mutex, PoisonError};

use art::Caption;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use game::GameId;
use locale::{Language, Names};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use rules::{Outcome, Seat};
use scene::Scene;
use serde::Deserialize;

use super::head::table_description;
use super::{PublicTable, showcase};
use crate::app::App;
use crate::runtime;

/// The size that previews have everywhere.
const WIDTH: u32 = 1200;
const HEIGHT: u32 = 630;
/// So many of the latest pictures are kept; each has some hundred kilobytes.
const KEPT: usize = 64;
/// For how long others may keep a picture, in seconds: a game goes on.
const FRESH: &str = "public, max-age=300";

/// The latest pictures by what they show.
#[derive(Default)]
pub(crate) struct Pictures {
    kept: Mutex<VecDeque<(u64, Bytes)>>,
    /// Held while a picture is drawn: one at a time, so that previews take no more than one core.
    drawing: tokio::sync::Mutex<()>,
}

impl Pictures {
    /// The picture of scenes with words; nothing if it cannot be drawn.
    async fn of(&self, scenes: &[Scene], caption: &Caption) -> Option<Bytes> {
        let drawing = art::preview_svg(scenes, caption, WIDTH, HEIGHT);
        let mut hash = DefaultHasher::new();
        drawing.hash(&mut hash);
        let key = hash.finish();
        if let Some(picture) = self.find(key) {
            return Some(picture);
        }
        let _turn = self.drawing.lock().await;
        // It may have been drawn while this request waited for its turn.
        if let Some(picture) = self.find(key) {
            return Some(picture);
        }
        let picture = Bytes::from(runtime::blocking(move || rasterised(&drawing)).await.flatten()?);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.truncate(KEPT - 1);
        kept.push_front((key, picture.clone()));
        Some(picture)
    }

    fn find(&self, key: u64) -> Option<Bytes> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(other, _)| *other == key).map(|(_, picture)| picture.clone())
    }
}

fn rasterised(drawing: &str) -> Option<Vec<u8>> {
    let tree = Tree::from_str(drawing, &Options::default()).ok()?;
    let mut pixels = Pixmap::new(WIDTH, HEIGHT)?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().ok()
}

/// In which language a picture's words are.
#[derive(Deserialize)]
pub(super) struct Spoken {
    /// The language's code; English if left out.
    language: Option<String>,
}

impl Spoken {
    fn language(&self) -> Language {
        self.language.as_deref().and_then(|code| code.parse().ok()).unwrap_or(Language::English)
    }
}

/// The picture of a table, as far as anyone may see it.
pub(super) async fn table(State(app): State<App>, Path(id): Path<String>, Query(spoken): Query<Spoken>) -> Response {
    match PublicTable::find(&app, &id).await {
        Ok(table) => answer(&app, table.scene().into_iter().collect(), caption(&table, spoken.language())).await,
        Err(_) => StatusCode::NOT_FOUND.into_response(),
    }
}

/// The game of a table; where anyone may know them, its players and the result.
fn caption(table: &PublicTable, language: Language) -> Caption {
    let game = table.game();
    let mut names = Names::usual(language, game.id(), game.seats());
    let mut players = Vec::new();
    for (seat, name) in Seat::all(game.seats()).zip(table.names(language)) {
        let Some(name) = name else { continue };
        // There are letters for the three languages alone.
        let name = if art::can_write(&name) { name } else { language.player(seat) };
        names.rename(seat, name.clone());
        players.push(name);
    }
    let ending = match table {
        PublicTable::Open { play: Some(play), .. } => play.ending(),
        _ => None,
    };
    let note = match ending.map(|ending| ending.outcome) {
        Some(Some(Outcome::Win(side))) => language.wins(names.side(side), names.side_count(side)),
        Some(Some(Outcome::Draw)) => language.draw().to_owned(),
        _ => table_description(table, language),
    };
    Caption { title: locale::game_name(language, game.id()).to_owned(), names: players, note }
}

/// The picture of a game.
pub(super) async fn game(State(app): State<App>, Path(game): Path<String>, Query(spoken): Query<Spoken>) -> Response {
    let Some(game) = GameId::ALL.into_iter().find(|id| id.name() == game) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let (title, note) = (locale::game_name(spoken.language(), game), locale::game_about(spoken.language(), game));
    let caption = Caption { title: title.to_owned(), note: note.to_owned(), ..Caption::default() };
    answer(&app, showcase(game).into_iter().collect(), caption).await
}

/// The picture of the home page: all games.
pub(super) async fn home(State(app): State<App>, Query(spoken): Query<Spoken>) -> Response {
    let names = GameId::ALL.map(|game| locale::game_name(spoken.language(), game).to_owned()).to_vec();
    let title = spoken.language().product_about(GameId::ALL.len() as u64);
    let scenes = GameId::ALL.into_iter().filter_map(showcase).collect();
    answer(&app, scenes, Caption { title, names, note: String::new() }).await
}

async fn answer(app: &App, scenes: Vec<Scene>, caption: Caption) -> Response {
    match app.pictures.of(&scenes, &caption).await {
        Some(picture) => ([(CONTENT_TYPE, "image/png"), (CACHE_CONTROL, FRESH)], picture).into_response(),
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::Stage;
    use game::Match;

    #[tokio::test]
    async fn the_same_board_is_drawn_once_and_is_a_picture() {
        let pictures = Pictures::default();
        let board = [showcase(GameId::ALL[0]).unwrap()];
        let caption = Caption { title: "Four".to_owned(), ..Caption::default() };
        let first = pictures.of(&board, &caption).await.unwrap();
        assert!(first.starts_with(b"\x89PNG\r\n") && first.len() > 10_000, "{} bytes", first.len());
        let again = pictures.of(&board, &caption).await.unwrap();
        assert_eq!(first.as_ptr(), again.as_ptr());
        let other = pictures.of(&[showcase(GameId::ALL[1]).unwrap()], &caption).await.unwrap();
        assert_ne!(first, other);
        let said = pictures.of(&board, &Caption { note: "Draw.".to_owned(), ..caption }).await.unwrap();
        assert_ne!(first, said, "the words are in the picture");
    }

    #[tokio::test]
    async fn a_picture_that_is_kept_does_not_wait_for_another_to_be_drawn() {
        let (pictures, caption) = (Pictures::default(), Caption::default());
        let board = [showcase(GameId::ALL[0]).unwrap()];
        let first = pictures.of(&board, &caption).await.unwrap();
        let _drawing = pictures.drawing.lock().await;
        let again = tokio::time::timeout(std::time::Duration::from_secs(5), pictures.of(&board, &caption));
        assert_eq!(again.await.expect("no wait").unwrap().as_ptr(), first.as_ptr());
    }

    #[test]
    fn a_caption_tells_the_result_and_of_a_closed_table_the_game_alone() {
        let game: game::Game = GameId::ALL[0].name().parse().unwrap();
        let mut play = Match::new(game::MatchSettings::new(game.clone())).unwrap();
        play.resign(Seat::ONE, std::time::Duration::ZERO).unwrap();
        let players = vec![Some("Олена".to_owned()), Some("李明".to_owned())];
        let open = PublicTable::Open { game: game.clone(), players, stage: Stage::Over, play: Some(Box::new(play)) };
        let said = caption(&open, Language::English);
        assert_eq!(
            (said.names, said.note.as_str()),
            (vec!["Олена".to_owned(), "Player 2".to_owned()], "Player 2 wins!")
        );
        let closed = caption(&PublicTable::Closed(game), Language::Ukrainian);
        assert!(closed.names.is_empty() && closed.note.contains(&closed.title), "{}", closed.note);
        let texts = [closed.title, closed.note];
        assert!(texts.iter().all(|text| art::can_write(text)), "{texts:?}");
    }
}
