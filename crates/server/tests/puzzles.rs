//! Puzzles over HTTP: questions without solutions, attempts that count once, leaderboards.

use crate::common::{Running, account, cookie, field, with};
use puzzles::{Puzzle, PuzzleId};
use rules::GameId;

/// The solver's actions of the solution.
fn solution(puzzle: &Puzzle) -> Vec<String> {
    let own = puzzle.steps.iter().filter(|step| step.seat == puzzle.solver());
    own.map(|step| step.played.clone()).collect()
}

fn named(id: &str) -> Puzzle {
    puzzle_sets::find(id.parse::<PuzzleId>().unwrap()).unwrap()
}

fn attempt(id: &str, moves: &[String], day: &str) -> String {
    serde_json::json!({ "id": id, "moves": moves, "seconds": 12, "day": day }).to_string()
}

#[tokio::test]
async fn the_puzzle_of_the_day_is_solved_once_and_leads_its_board() {
    let server = Running::start().await;
    let olena = with(&account(&server, "Olena").await);
    let (status, _, body) = server.http("GET", "/api/puzzles/daily", &olena, "").await;
    assert_eq!((status, body.matches("\"theme\"").count()), (200, puzzles::GAMES.len()), "{body}");
    let (_, _, body) = server.http("GET", "/api/puzzles/daily?game=quixo", &olena, "").await;
    let (id, day) = (field(&body, "id"), field(&body, "day"));
    let puzzle = named(&id);
    let moves = solution(&puzzle);
    assert!(!body.contains("solution") && !body.contains(&moves[0]), "{body}");
    let path = format!("/api/puzzles/{id}/attempts");
    let (status, _, first) = server.http("POST", &path, &olena, &attempt("one", &moves, &day)).await;
    assert!(status == 200 && first.contains("\"clean\":true"), "{first}");
    // The same attempt again changes nothing, and neither does another one at the same puzzle.
    let (_, _, again) = server.http("POST", &path, &olena, &attempt("one", &["a1a5".to_owned()], &day)).await;
    assert_eq!(again, first);
    // Under the same id another puzzle is refused, so that its solution is told only for an attempt that counts.
    let (_, _, question) = server.http("GET", "/api/puzzles/next?game=quixo&theme=only", &olena, "").await;
    let next = field(&question, "id");
    let path_of_next = format!("/api/puzzles/{next}/attempts");
    let (status, _, refused) = server.http("POST", &path_of_next, &olena, &attempt("one", &moves, &day)).await;
    assert!(status == 400 && !refused.contains("solution") && refused.contains("another puzzle"), "{status} {refused}");
    let faster = attempt("two", &moves, &day).replace("12", "3");
    let (_, _, other) = server.http("POST", &path, &olena, &faster).await;
    let after = |body: &str| body.split("\"rating_after\":").nth(1).unwrap().split(',').next().unwrap().to_owned();
    assert_eq!(after(&other), after(&first));
    let (_, _, board) = server.http("GET", "/api/puzzles/leaders?game=quixo", &olena, "").await;
    assert!(board.contains("Olena") && board.contains("\"score\":12"), "{board}");
    let (_, _, next) = server.http("GET", "/api/puzzles/next?game=quixo", &olena, "").await;
    assert_ne!(field(&next, "id"), id);
    // The player's page tells it, and the days in a row: a day before today belongs to them, one before a gap does not.
    let (_, _, me) = server.http("GET", "/api/me", &olena, "").await;
    let page = async || server.http("GET", &format!("/api/people/{}", field(&me, "id")), "", "").await.2;
    assert!(page().await.contains("\"days_in_a_row\":1,\"games\":[{\"game\":\"quixo\","), "{}", page().await);
    let today: puzzles::Day = day.parse().unwrap();
    for (ago, in_a_row) in [(1, 2), (3, 2)] {
        let day = today.plus(-ago);
        let puzzle = puzzle_sets::daily(day, GameId::Quarto).unwrap();
        let path = format!("/api/puzzles/{}/attempts", puzzle.id());
        let solved = attempt(&format!("ago-{ago}"), &solution(&puzzle), &day.to_string());
        assert_eq!(server.http("POST", &path, &olena, &solved).await.0, 200);
        assert!(page().await.contains(&format!("\"days_in_a_row\":{in_a_row},")), "{}", page().await);
    }
}

#[tokio::test]
async fn an_attempt_moves_the_rating_of_the_solver_and_of_the_puzzle() {
    let server = Running::start().await;
    let olena = with(&account(&server, "Olena").await);
    let (_, _, new) = server.http("GET", "/api/puzzles/rating?game=quixo", &olena, "").await;
    assert!(new.contains(r#""account":true,"rating":1000,"deviation":350,"attempts":0"#), "{new}");
    let (_, _, question) = server.http("GET", "/api/puzzles/daily?game=quixo", &olena, "").await;
    let (id, measured) = (field(&question, "id"), number(&question, "rating"));
    let path = format!("/api/puzzles/{id}/attempts");
    let (_, _, judged) =
        server.http("POST", &path, &olena, &attempt("a", &solution(&named(&id)), &field(&question, "day"))).await;
    assert!(number(&judged, "puzzle_rating") < measured, "who is solved gets easier: {judged}");
    let (_, _, now) = server.http("GET", "/api/puzzles/rating?game=quixo", &olena, "").await;
    assert_eq!(number(&now, "rating"), number(&judged, "rating_after"));
    assert_eq!((number(&now, "deviation"), number(&now, "attempts")), (number(&judged, "deviation"), 1));
    let (_, _, again) = server.http("GET", "/api/puzzles/daily?game=quixo", &olena, "").await;
    assert_eq!(number(&again, "rating"), number(&judged, "puzzle_rating"));
    let (_, _, guest) = server.http("GET", "/api/puzzles/rating?game=quixo", "", "").await;
    assert!(guest.contains(r#""account":false,"rating":1000"#), "{guest}");
}

fn number(body: &str, name: &str) -> i64 {
    let rest = body.split(&format!("\"{name}\":")).nth(1).unwrap_or_else(|| panic!("{name}: {body}"));
    rest.split([',', '}']).next().and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{name}: {body}"))
}

#[tokio::test]
async fn a_mistake_costs_rating_and_a_guest_has_none() {
    let server = Running::start().await;
    let olena = with(&account(&server, "Olena").await);
    for (who, changes) in [(olena.as_str(), true), ("", false)] {
        let (_, _, body) = server.http("GET", "/api/puzzles/next?game=sequence&theme=stop", who, "").await;
        let (id, position) = (field(&body, "id"), field(&body, "position"));
        assert!(position.contains('?'), "the opponent's cards are hidden: {position}");
        let wrong = named(&id).steps[0]
            .values
            .iter()
            .find(|(_, worth)| *worth != named(&id).steps[0].best())
            .unwrap()
            .0
            .clone();
        let path = format!("/api/puzzles/{id}/attempts");
        let (status, _, body) = server.http("POST", &path, who, &attempt("x", &[wrong], "")).await;
        // An empty day is none.
        assert_eq!(status, 400, "{body}");
        let tried = serde_json::json!({ "id": "x", "moves": [wrong_move(&id)] }).to_string();
        let (status, _, body) = server.http("POST", &path, who, &tried).await;
        assert!(status == 200 && body.contains("\"clean\":false"), "{body}");
        assert_eq!(body.contains("\"rating_before\":1000,\"rating_after\":1000"), !changes, "{body}");
    }
}

/// Attempts of a guest without a row were never deleted: the expiry of guests goes by their rows.
#[tokio::test]
async fn a_guest_whose_attempts_are_kept_is_known() {
    let server = Running::start().await;
    let (_, head, me) = server.http("GET", "/api/me", "", "").await;
    let (guest, page) = (with(&cookie(&head)), format!("/api/people/{}", field(&me, "id")));
    assert_eq!(server.http("GET", &page, "", "").await.0, 404);
    let (_, _, body) = server.http("GET", "/api/puzzles/next?game=quixo", &guest, "").await;
    let tried = serde_json::json!({ "id": "x", "moves": [wrong_move(&field(&body, "id"))] }).to_string();
    let path = format!("/api/puzzles/{}/attempts", field(&body, "id"));
    assert_eq!(server.http("POST", &path, &guest, &tried).await.0, 200);
    assert_eq!(server.http("GET", &page, "", "").await.0, 200);
    server.stop().await;
}

fn wrong_move(id: &str) -> String {
    let puzzle = named(id);
    let step = &puzzle.steps[0];
    step.values.iter().find(|(_, worth)| *worth != step.best()).unwrap().0.clone()
}

#[tokio::test]
async fn attempts_at_the_same_time_all_count() {
    let server = Running::start().await;
    let accounts = [with(&account(&server, "Olena").await), with(&account(&server, "Taras").await)];
    let shelf = puzzle_sets::shelf(GameId::Quixo);
    let puzzles: Vec<String> =
        shelf.entries().iter().take(6).map(|entry| shelf.read(entry).unwrap().id().to_string()).collect();
    let attempts = accounts.iter().flat_map(|account| puzzles.iter().map(move |puzzle| (account, puzzle)));
    let answers = futures_util::future::join_all(attempts.map(|(account, puzzle)| {
        let body = serde_json::json!({ "id": puzzle, "moves": ["a1a5"] }).to_string();
        let (server, path) = (&server, format!("/api/puzzles/{puzzle}/attempts"));
        async move { server.http("POST", &path, account, &body).await }
    }));
    for (status, _, body) in answers.await {
        assert_eq!(status, 200, "{body}");
    }
    for account in &accounts {
        let (_, _, rating) = server.http("GET", "/api/puzzles/rating?game=quixo", account, "").await;
        assert!(rating.contains(r#""attempts":6"#), "{rating}");
    }
    server.stop().await;
}

#[tokio::test]
async fn a_storm_counts_what_is_right_once() {
    let server = Running::start().await;
    let olena = with(&account(&server, "Olena").await);
    let shelf = puzzle_sets::shelf(GameId::Quixo);
    let puzzles: Vec<Puzzle> = shelf.entries().iter().take(3).filter_map(|entry| shelf.read(entry)).collect();
    let mut solved: Vec<serde_json::Value> = puzzles
        .iter()
        .map(|puzzle| serde_json::json!({ "puzzle": puzzle.id().to_string(), "moves": solution(puzzle) }))
        .collect();
    solved.push(solved[0].clone());
    solved.push(serde_json::json!({ "puzzle": puzzles[1].id().to_string(), "moves": ["a1a5"] }));
    let storm = serde_json::json!({ "game": "quixo", "solved": solved }).to_string();
    let (status, _, body) = server.http("POST", "/api/puzzles/storms", &olena, &storm).await;
    assert_eq!((status, body.trim()), (200, "{\"solved\":3}"));
    let (_, _, board) = server.http("GET", "/api/puzzles/storms?game=quixo", &olena, "").await;
    assert!(board.contains("Olena") && board.contains("\"score\":3"), "{board}");
    let (_, _, me) = server.http("GET", "/api/me", &olena, "").await;
    let (_, _, page) = server.http("GET", &format!("/api/people/{}", field(&me, "id")), "", "").await;
    assert!(page.contains("{\"game\":\"quixo\",\"rating\":null,\"attempts\":0,\"storm\":3}"), "{page}");
}

#[tokio::test]
async fn bad_questions_are_refused() {
    let server = Running::start().await;
    for (path, expected) in [
        ("/api/puzzles/daily?day=2999-01-01", 404),
        ("/api/puzzles/daily?day=yesterday", 400),
        ("/api/puzzles/daily?game=chess", 404),
        ("/api/puzzles/next?theme=nothing", 404),
        ("/api/puzzles/rating?game=chess", 404),
        ("/api/puzzles/leaders?game=chess", 404),
        ("/api/puzzles/storms?game=chess", 404),
    ] {
        assert_eq!(server.http("GET", path, "", "").await.0, expected, "{path}");
    }
    for (path, body, expected) in [
        ("/api/puzzles/00000000/attempts", r#"{"id":"a","moves":[]}"#, 404),
        ("/api/puzzles/nonsense!/attempts", r#"{"id":"a","moves":[]}"#, 404),
        ("/api/puzzles/00000000/attempts", r#"{"id":"","moves":[]}"#, 400),
        ("/api/puzzles/00000000/attempts", r#"{"id":"\u0000","moves":[]}"#, 400),
        ("/api/puzzles/storms", r#"{"game":"chess","solved":[]}"#, 404),
        ("/api/puzzles/storms", r#"{"solved":[]}"#, 400),
    ] {
        assert_eq!(server.http("POST", path, "", body).await.0, expected, "{path} {body}");
    }
}
