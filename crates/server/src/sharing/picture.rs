//! Pictures of boards for link previews. Sites that show previews want PNG, so the drawing is rasterised here.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use game::GameId;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use scene::Scene;
use tokio::sync::Mutex;

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

/// The latest pictures by what they show. One is drawn at a time, so that previews take no more than one core.
#[derive(Default)]
pub(crate) struct Pictures(Mutex<VecDeque<(u64, Bytes)>>);

impl Pictures {
    /// The picture of a scene; nothing if it cannot be drawn.
    async fn of(&self, scene: &Scene) -> Option<Bytes> {
        let drawing = art::preview_svg(scene, WIDTH, HEIGHT);
        let mut hash = DefaultHasher::new();
        drawing.hash(&mut hash);
        let key = hash.finish();
        let mut kept = self.0.lock().await;
        if let Some((_, picture)) = kept.iter().find(|(other, _)| *other == key) {
            return Some(picture.clone());
        }
        let picture = Bytes::from(runtime::blocking(move || rasterised(&drawing)).await.flatten()?);
        kept.truncate(KEPT - 1);
        kept.push_front((key, picture.clone()));
        Some(picture)
    }
}

fn rasterised(drawing: &str) -> Option<Vec<u8>> {
    let tree = Tree::from_str(drawing, &Options::default()).ok()?;
    let mut pixels = Pixmap::new(WIDTH, HEIGHT)?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().ok()
}

/// The picture of a table, as far as anyone may see it.
pub(super) async fn table(State(app): State<App>, Path(id): Path<String>) -> Response {
    match PublicTable::find(&app, &id).await {
        Ok(table) => answer(&app, table.scene()).await,
        Err(_) => StatusCode::NOT_FOUND.into_response(),
    }
}

/// The picture of a game.
pub(super) async fn game(State(app): State<App>, Path(game): Path<String>) -> Response {
    let game = GameId::ALL.into_iter().find(|id| id.name() == game);
    answer(&app, game.and_then(showcase)).await
}

async fn answer(app: &App, scene: Option<Scene>) -> Response {
    let Some(scene) = scene else { return StatusCode::NOT_FOUND.into_response() };
    match app.pictures.of(&scene).await {
        Some(picture) => ([(CONTENT_TYPE, "image/png"), (CACHE_CONTROL, FRESH)], picture).into_response(),
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_same_board_is_drawn_once_and_is_a_picture() {
        let pictures = Pictures::default();
        let board = showcase(GameId::ALL[0]).unwrap();
        let first = pictures.of(&board).await.unwrap();
        assert!(first.starts_with(b"\x89PNG\r\n") && first.len() > 10_000, "{} bytes", first.len());
        let again = pictures.of(&board).await.unwrap();
        assert_eq!(first.as_ptr(), again.as_ptr());
        let other = pictures.of(&showcase(GameId::ALL[1]).unwrap()).await.unwrap();
        assert_ne!(first, other);
    }
}
