//! The head of a page that is shared: title, description and picture, for readers that run no script.

use std::net::SocketAddr;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use game::GameId;
use locale::Language;
use routes::Route;

use super::{PublicTable, escaped, origin};
use crate::app::{App, language};
use crate::files;
use crate::tables::Stage;

/// The lines of the page that the preview takes the place of.
const TITLE: &str = "<title>Fourfold</title>";
const DESCRIPTION: &str = "<meta name=\"description\"";

/// What a preview says.
struct Preview {
    title: String,
    description: String,
    /// The path of the picture.
    picture: String,
    /// The game that the page shows: `boot.js` fetches its code before the table is asked for it.
    game: Option<GameId>,
}

/// Answers the addresses of pages with a head of their own; every other request goes on.
pub(crate) async fn with_preview(
    State(app): State<App>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    request: Request,
    next: Next,
) -> Response {
    let is_page = matches!(*request.method(), Method::GET | Method::HEAD);
    let route = Some(request.uri().path()).filter(|_| is_page).and_then(Route::read);
    let headers = request.headers().clone();
    let path = request.uri().path().to_owned();
    // A table is read from the database: that counts as a request of the API, beyond which the page has no preview.
    let reads = matches!(route, Some(Route::Meet(_)));
    let allowed =
        !reads || (app.check_host(&headers).and_then(|()| app.check_rate(app.address(peer.ip(), &headers)))).is_ok();
    let preview = match route.filter(|_| allowed) {
        Some(route) => preview(&app, &route, language(&headers)).await,
        None => None,
    };
    let page = preview.and_then(|preview| {
        let origin = origin(&app, &headers)?;
        filled(&files::page()?, &preview, &origin, &path)
    });
    match page {
        Some(page) => answer(page, &headers),
        None => next.run(request).await,
    }
}

/// What is said of a page; nothing where the page's own head says enough.
async fn preview(app: &App, route: &Route, language: Language) -> Option<Preview> {
    match route {
        Route::Meet(id) => {
            let table = PublicTable::find(app, id).await.ok()?;
            Some(Preview {
                title: table_title(&table, language),
                description: table_description(&table, language),
                picture: picture(&format!("table/{id}"), language),
                game: Some(table.game().id()),
            })
        }
        Route::New(game, _) | Route::Start(game, _) | Route::Learn(game) => Some(Preview {
            title: locale::game_name(language, *game).to_owned(),
            description: locale::game_about(language, *game).to_owned(),
            picture: picture(&format!("game/{game}"), language),
            game: None,
        }),
        Route::Home => Some(Preview {
            title: language.product_about(GameId::ALL.len() as u64),
            description: GameId::ALL.map(|game| locale::game_name(language, game)).join(", "),
            picture: picture("home", language),
            game: None,
        }),
        _ => None,
    }
}

/// The path of a picture with words in a language.
fn picture(of: &str, language: Language) -> String {
    format!("/preview/{of}?language={}", language.code())
}

/// The game of a table and, where anyone may know them, its players.
pub(super) fn table_title(table: &PublicTable, language: Language) -> String {
    let game = locale::game_name(language, table.game().id());
    let names: Vec<String> = table.names(language).into_iter().flatten().collect();
    if names.is_empty() { game.to_owned() } else { format!("{game}: {}", names.join(" – ")) }
}

pub(super) fn table_description(table: &PublicTable, language: Language) -> String {
    let game = locale::game_name(language, table.game().id());
    match table {
        PublicTable::Closed(_) | PublicTable::Open { stage: Stage::Waiting, .. } => language.preview_invited(game),
        PublicTable::Open { stage: Stage::Playing, .. } => language.preview_running(game),
        PublicTable::Open { stage: Stage::Over, play, .. } => {
            let actions = play.as_ref().map_or(0, |play| play.review_steps().len());
            language.preview_over(game, actions as u64)
        }
    }
}

/// The app's page with a preview in its head; nothing if the page has another form.
fn filled(page: &str, preview: &Preview, origin: &str, path: &str) -> Option<String> {
    let (before, rest) = page.split_once(TITLE)?;
    let at = rest.find(DESCRIPTION)?;
    let end = at + rest[at..].find('>')? + 1;
    let (between, after) = (&rest[..at], &rest[end..]);
    let Preview { title, description, picture, game } = preview;
    let game = game.map(|game| format!("\n<meta name=\"game\" content=\"{game}\">")).unwrap_or_default();
    let (title, description) = (escaped(title), escaped(description));
    let (origin, path) = (escaped(origin), escaped(path));
    Some(format!(
        "{before}<title>{title} – Fourfold</title>{between}<meta name=\"description\" content=\"{description}\">\n\
         <meta property=\"og:site_name\" content=\"Fourfold\">\n<meta property=\"og:type\" content=\"website\">\n\
         <meta property=\"og:title\" content=\"{title}\">\n<meta property=\"og:description\" content=\"{description}\">\n\
         <meta property=\"og:url\" content=\"{origin}{path}\">\n<meta property=\"og:image\" content=\"{origin}{picture}\">\n\
         <meta property=\"og:image:width\" content=\"1200\">\n<meta property=\"og:image:height\" content=\"630\">\n\
         <meta name=\"twitter:card\" content=\"summary_large_image\">{game}{after}"
    ))
}

fn answer(page: String, headers: &HeaderMap) -> Response {
    let packed = files::accepts_brotli(headers).then(|| files::packed(page.as_bytes())).flatten();
    let fields = [
        (CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (VARY, HeaderValue::from_static("accept-encoding, accept-language")),
    ];
    match packed {
        Some(packed) => (fields, [(CONTENT_ENCODING, HeaderValue::from_static("br"))], packed).into_response(),
        None => (fields, page).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str =
        "<head>\n<title>Fourfold</title>\n<meta name=\"description\" content=\"Four games.\">\n<link>\n</head>";

    #[test]
    fn a_head_names_the_page_and_escapes_what_people_wrote() {
        let preview = Preview {
            title: "A: <Olena> – B".to_owned(),
            description: "x".to_owned(),
            picture: "/preview/table/a1".to_owned(),
            game: Some(GameId::ALL[0]),
        };
        let page = filled(PAGE, &preview, "https://play.example", "/t/a1").unwrap();
        assert!(page.contains("<title>A: &lt;Olena&gt; – B – Fourfold</title>"), "{page}");
        assert!(page.contains("og:image\" content=\"https://play.example/preview/table/a1\""), "{page}");
        assert!(page.contains(&format!("<meta name=\"game\" content=\"{}\">", GameId::ALL[0])), "{page}");
        assert!(page.ends_with("<link>\n</head>") && !page.contains("Four games."), "{page}");
        assert_eq!(filled("<head></head>", &preview, "", ""), None);
    }

    #[test]
    fn a_table_by_link_reveals_the_game_alone() {
        let game: game::Game = GameId::ALL[0].name().parse().unwrap();
        let closed = PublicTable::Closed(game.clone());
        assert_eq!(table_title(&closed, Language::English), locale::game_name(Language::English, game.id()));
        let players = vec![Some("Olena".to_owned()), Some("bot:3".to_owned())];
        let open = PublicTable::Open { game, players, stage: Stage::Playing, play: None };
        let title = table_title(&open, Language::English);
        assert!(title.ends_with(": Olena – Computer, level 3"), "{title}");
    }
}
