//! A board for other people's pages: the only addresses that may stand in a frame. No cookie, no session; the server draws
//! the board, links step through the game, and a small script does that without loading the page anew.

use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, VARY};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Response};
use game::{Event, GameId, Match, Record};
use locale::{Language, Names};
use puzzles::{Day, Puzzle};
use rules::{Seat, Viewer};
use scene::Scene;
use serde::Deserialize;

use super::head::table_title;
use super::{PublicTable, escaped, origin};
use crate::app::{App, language};
use crate::runtime::{self, wall};

/// Marks an answer that may stand in a frame of another site.
#[derive(Clone, Copy)]
pub(crate) struct Framed;

/// The longest record that an address may carry, in bytes.
const LONGEST_RECORD: usize = 12 << 10;

/// Which position is shown.
#[derive(Deserialize)]
struct Shown {
    /// How many entries of the log; the last position if left out.
    at: Option<usize>,
}

/// A record in an address, and which position of it is shown.
#[derive(Deserialize)]
pub(super) struct Recorded {
    text: String,
    at: Option<usize>,
}

/// A request for one position of a table's game or of a puzzle.
pub(super) struct BoardRequest {
    app: App,
    /// The table or puzzle.
    id: String,
    at: Option<usize>,
    language: Language,
    /// This server's own address, as far as it is known.
    origin: Option<String>,
}

impl FromRequestParts<App> for BoardRequest {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<BoardRequest, Response> {
        let Path(id) = Path::from_request_parts(parts, app).await.map_err(IntoResponse::into_response)?;
        let Query(Shown { at }) = Query::from_request_parts(parts, app).await.map_err(IntoResponse::into_response)?;
        let (language, origin) = (language(&parts.headers), origin(app, &parts.headers));
        Ok(BoardRequest { app: app.clone(), id, at, language, origin })
    }
}

/// The game of an open table.
pub(super) async fn table(BoardRequest { app, id, at, language, origin }: BoardRequest) -> Response {
    match PublicTable::find(&app, &id).await {
        Ok(table @ PublicTable::Open { .. }) => {
            let name = table_title(&table, language);
            let PublicTable::Open { play: Some(play), .. } = table else { return nothing(language) };
            let home = origin.map(|origin| format!("{origin}/t/{id}"));
            let address = |at: usize| format!("/embed/table/{id}?at={at}");
            let frame = Frame { name, ..Frame::of_match(&play, at, home, language) };
            framed(page(&frame, address, language))
        }
        _ => nothing(language),
    }
}

/// A game whose record stands in the address.
pub(super) async fn record(headers: HeaderMap, recorded: Result<Query<Recorded>, QueryRejection>) -> Response {
    let language = language(&headers);
    let Some(Query(Recorded { text, at })) = recorded.ok().filter(|it| it.text.len() <= LONGEST_RECORD) else {
        return nothing(language);
    };
    let records = Record::read_all(&text).ok();
    let play = records.and_then(|mut records| records.pop()?.replay_known().ok()).map(|replay| replay.game);
    let Some(play) = play else { return nothing(language) };
    let address = |at: usize| format!("/embed/record?at={at}&text={}", percent(&text));
    framed(page(&Frame::of_match(&play, at, None, language), address, language))
}

/// A puzzle with its solution, by its name, or the puzzle of the day of a game.
pub(super) async fn puzzle(BoardRequest { id, at, language, origin, .. }: BoardRequest) -> Response {
    let day = || Day::at(wall().try_into().unwrap_or(0));
    // The first question of a game unpacks its set.
    let wanted = id.clone();
    let found = runtime::blocking(move || match wanted.parse::<GameId>() {
        Ok(game) => (puzzle_sets::daily(day(), game), "daily"),
        Err(_) => (wanted.parse().ok().and_then(puzzle_sets::find), "rated"),
    });
    let Some((Some(puzzle), mode)) = found.await else { return nothing(language) };
    let home = origin.map(|origin| format!("{origin}/puzzles?mode={mode}&game={}", puzzle.game.id()));
    let address = |at: usize| format!("/embed/puzzle/{id}?at={at}");
    match Frame::of_puzzle(&puzzle, at.unwrap_or(0), home, language) {
        Some(frame) => framed(page(&frame, address, language)),
        None => nothing(language),
    }
}

/// The script of the page.
pub(super) async fn script() -> Response {
    const SCRIPT: &str = include_str!("embed.js");
    ([(CONTENT_TYPE, "text/javascript; charset=utf-8"), (CACHE_CONTROL, "public, max-age=86400")], SCRIPT)
        .into_response()
}

/// The style sheet of the page.
pub(super) async fn style() -> Response {
    const STYLE: &str = include_str!("embed.css");
    ([(CONTENT_TYPE, "text/css; charset=utf-8"), (CACHE_CONTROL, "public, max-age=86400")], STYLE).into_response()
}

fn framed(page: String) -> Response {
    let fields = [(CACHE_CONTROL, "public, max-age=10"), (VARY, "accept-language")];
    let mut response = (fields, Html(page)).into_response();
    response.extensions_mut().insert(Framed);
    response
}

/// Where there is nothing to show, or nothing that everyone may see.
fn nothing(language: Language) -> Response {
    let (code, text) = (language.code(), escaped(language.preview_nothing()));
    let page = format!(
        "<!doctype html><html lang=\"{code}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>Fourfold</title>\
         <link rel=\"stylesheet\" href=\"/embed/embed.css\"></head><body><main><h1>Fourfold</h1><p>{text}</p></main></body></html>"
    );
    let mut response = (StatusCode::NOT_FOUND, Html(page)).into_response();
    response.extensions_mut().insert(Framed);
    response
}

/// One position of a game or a puzzle.
struct Frame {
    /// What the frame is called.
    name: String,
    /// Where it is played on.
    home: Option<String>,
    scene: Option<Scene>,
    /// What is asked, or where in the game one is.
    caption: String,
    /// The number of the position, and of the last one.
    at: usize,
    last: usize,
}

impl Frame {
    fn of_match(play: &Match, at: Option<usize>, home: Option<String>, language: Language) -> Frame {
        let positions = play.history();
        let last = positions.len().saturating_sub(1);
        let at = at.unwrap_or(last).min(last);
        let seating = play.settings().seating(Seat::ONE);
        Frame {
            name: locale::game_name(language, play.settings().game.id()).to_owned(),
            home,
            scene: positions.get(at).map(|position| position.scene(Viewer::Spectator).arranged(&seating)),
            caption: caption(play, at, last),
            at,
            last,
        }
    }

    fn of_puzzle(puzzle: &Puzzle, at: usize, home: Option<String>, language: Language) -> Option<Frame> {
        let (last, viewer, id) = (puzzle.steps.len(), Viewer::Seat(puzzle.solver()), puzzle.game.id());
        let at = at.min(last);
        let mut position = puzzle.game.parse_position(&puzzle.start).ok()?;
        for step in &puzzle.steps[..at] {
            position.play(&step.played).ok()?;
        }
        let scene = position.scene(viewer);
        let caption = match at.checked_sub(1).and_then(|index| puzzle.steps.get(index)) {
            Some(step) => format!("{at}/{last} · {}", step.played),
            None => {
                let solver = puzzle.solver();
                let mut names = Names::usual(language, id, position.seats());
                // Where all play with the same pieces, the other seat's number would say nothing to the reader.
                if let (2, []) = (position.seats(), id.signs()) {
                    names.call_opponent(language, solver.next(2));
                }
                // Where each side has pieces of its own, the reader's are named.
                let side = scene.seat_piece(solver).map(|_| language.puzzle_side(names.seat(solver)) + " ");
                let names = names.speaking_to(solver);
                let prompt = language.preview_to_act(locale::message(language, &position.prompt(viewer, &[]), &names));
                side.unwrap_or_default() + &prompt
            }
        };
        let name = format!("{}: {}", locale::game_name(language, id), language.preview_puzzle());
        Some(Frame { name, home, scene: Some(scene), caption, at, last })
    }
}

/// The page with one position.
fn page(frame: &Frame, address: impl Fn(usize) -> String, language: Language) -> String {
    let Frame { name, home, scene, caption, at, last } = frame;
    let (at, last) = (*at, *last);
    let title = format!("{name}, {caption}");
    let board = scene.as_ref().map(|scene| art::position_svg(scene, &title));
    let step = |to: usize, word: &str, sign: &str, label: &str| match to == at {
        true => format!("<span aria-hidden=\"true\">{sign}</span>"),
        false => format!(
            "<a data-step=\"{word}\" href=\"{}\" aria-label=\"{}\">{sign}</a>",
            escaped(&address(to)),
            escaped(label)
        ),
    };
    let heading = match home {
        Some(home) => format!("<a href=\"{}\" target=\"_blank\" rel=\"noopener\">{}</a>", escaped(home), escaped(name)),
        None => escaped(name),
    };
    format!(
        "<!doctype html><html lang=\"{}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{} – Fourfold</title>\
         <link rel=\"stylesheet\" href=\"/embed/embed.css\"><script type=\"module\" src=\"/embed/embed.js\"></script></head>\
         <body><main><h1>{heading}</h1><div class=\"board\">{}</div><nav aria-label=\"{}\">{}{}<p role=\"status\">{}</p>{}{}</nav></main></body></html>",
        language.code(),
        escaped(&title),
        board.unwrap_or_default(),
        escaped(language.moves_title()),
        step(0, "first", "«", language.study_first()),
        step(at.saturating_sub(1), "back", "‹", language.study_back()),
        escaped(caption),
        step((at + 1).min(last), "forward", "›", language.study_forward()),
        step(last, "last", "»", language.study_last()),
    )
}

/// Where in the game one is, with the action that led there as far as everyone may know it.
fn caption(play: &Match, at: usize, last: usize) -> String {
    let known = play.record_for(Viewer::Spectator);
    let action = at.checked_sub(1).and_then(|index| known.entries().get(index)).and_then(|entry| match &entry.event {
        Event::Action(action) if !action.contains('?') => Some(action.to_string()),
        _ => None,
    });
    match action {
        Some(action) => format!("{at}/{last} · {action}"),
        None => format!("{at}/{last}"),
    }
}

/// A text as it stands in an address.
fn percent(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(actions: usize) -> Match {
        let game: game::Game = game::GameId::ALL[0].name().parse().unwrap();
        let mut play = Match::new(game::MatchSettings::new(game)).unwrap();
        for _ in 0..actions {
            let action = play.legal().remove(0);
            play.play(&action, std::time::Duration::ZERO).unwrap();
        }
        play
    }

    #[test]
    fn a_puzzle_shows_the_piece_in_hand_and_the_cards() {
        // In November 2026.
        let day = Day::at(1_795_000_000_000);
        let mut with_more = 0;
        for game in GameId::ALL {
            let Some(puzzle) = puzzle_sets::daily(day, game) else { continue };
            let frame = Frame::of_puzzle(&puzzle, 0, None, Language::English).unwrap();
            let scene = frame.scene.unwrap();
            let has_side = scene.seat_piece(puzzle.solver()).is_some();
            assert_eq!(frame.caption.starts_with("You play "), has_side, "{game}: {}", frame.caption);
            let has_cards = scene.hands.iter().flat_map(|hand| &hand.cards).any(|held| held.card.is_some());
            let more = has_cards || scene.held.is_some();
            let (board, shown) = (art::scene_svg(&scene, ""), art::position_svg(&scene, ""));
            assert_eq!(shown.matches("<svg").count() > board.matches("<svg").count(), more, "{game}");
            with_more += usize::from(more);
        }
        assert!(with_more > 0, "no puzzle of the day has cards or a piece in hand");
    }

    #[test]
    fn a_puzzle_calls_nobody_by_a_number() {
        // In November 2026.
        let day = Day::at(1_795_000_000_000);
        let days = std::iter::successors(Some(day), |day| Some(day.previous())).take(30);
        let mut opponents = 0;
        for puzzle in days.flat_map(|day| GameId::ALL.into_iter().filter_map(move |game| puzzle_sets::daily(day, game)))
        {
            for language in Language::ALL {
                let frame = Frame::of_puzzle(&puzzle, 0, None, language).unwrap();
                for seat in Seat::all(2) {
                    assert!(!frame.caption.contains(&language.player(seat)), "{}: {}", puzzle.id(), frame.caption);
                }
                opponents += usize::from(frame.caption.contains(language.your_opponent()));
            }
        }
        assert!(opponents > 0, "no puzzle of the month speaks of the opponent");
    }

    #[test]
    fn links_lead_back_and_forward_and_end_at_the_ends() {
        let play = played(4);
        let show = |at| {
            let frame = Frame::of_match(&play, Some(at), None, Language::English);
            page(&frame, |at| format!("/x?at={at}"), Language::English)
        };
        let middle = show(2);
        for link in ["/x?at=0", "/x?at=1", "/x?at=3", "/x?at=4"] {
            assert!(middle.contains(&format!("href=\"{link}\"")), "{link}");
        }
        assert_eq!(show(0).matches("data-step=").count(), 2);
        assert_eq!(show(99).matches("data-step=").count(), 2);
        assert!(middle.contains("role=\"img\"") && middle.contains("<title>"));
    }

    #[test]
    fn boards_have_the_signs_that_the_players_chose() {
        let record = |signs: &str| format!("[Game \"quixo\"]\n{signs}\n1. a3e3\n");
        let shown = |signs: &str| {
            let play = Record::read_all(&record(signs)).unwrap().pop().unwrap().replay().unwrap();
            page(&Frame::of_match(&play, None, None, Language::English), |at| format!("/x?at={at}"), Language::English)
        };
        let usual = shown("");
        assert_eq!(shown("[Signs \"cross nought\"]\n"), usual);
        assert_ne!(shown("[Signs \"nought cross\"]\n"), usual);
    }

    #[test]
    fn the_script_is_small_and_an_address_reads_back() {
        assert!(include_str!("embed.js").len() < 15_000);
        assert_eq!(percent("[Game \"a\"]\n"), "%5BGame%20%22a%22%5D%0A");
    }
}
