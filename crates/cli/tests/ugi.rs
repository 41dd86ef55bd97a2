//! The engine protocol, spoken to as a program would.

#![allow(clippy::unwrap_used)] // the allowance for tests does not reach helper functions

use std::io::Write;
use std::sync::{Arc, Mutex};

use fourfold::ugi::{Flow, Session};

#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Says all lines and waits for what they lead to.
fn talk(lines: &[&str]) -> Vec<String> {
    let heard = Heard::default();
    let mut session = Session::new(heard.clone());
    for line in lines {
        session.line(line);
    }
    session.finish();
    let bytes = heard.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap().lines().map(str::to_owned).collect()
}

fn check(lines: &[&str], expected: &[&str]) {
    assert_eq!(talk(lines), expected, "{lines:?}");
}

#[test]
fn introduces_itself() {
    let said = talk(&["ugi", "isready"]);
    assert!(said[0].starts_with("id name Fourfold "));
    assert!(said[1].starts_with("id author "));
    for option in ["Game", "Seed", "Level", "Hash", "Viewer"] {
        assert!(said.iter().any(|line| line.starts_with(&format!("option name {option} "))), "{option}");
    }
    assert_eq!(said[said.len() - 2..], ["ugiok", "readyok"]);
}

#[test]
fn answers_queries_about_positions() {
    let quixo = "setoption name Game value quixo";
    check(
        &[quixo, "position start moves a3e3", "query turn", "query p1turn", "query gameover", "query position"],
        &["response 2", "response false", "response false", "response ...../...../....x/...../..... 2"],
    );
    check(
        &[
            quixo,
            "position text xxxx./...../...../...../o.... 1 moves e5a5",
            "query result",
            "query turn",
            "query legal",
        ],
        &["response p1win", "response over", "response"],
    );
    check(&["setoption name Game value quixo(players=4)", "perft 1", "perft 2"], &["perft 1 88", "perft 2 7344"]);
}

#[test]
fn what_cannot_be_obeyed_gets_one_error_and_changes_nothing() {
    let quixo = "setoption name Game value quixo";
    let bad = [
        "hello",
        "position",
        "position nowhere",
        "position text x 1",
        "position start moves a3e3 a3a3",
        "position start moves zz",
        "setoption name Game value chess",
        "setoption name Game value quixo(players=3)",
        "setoption name Level value 9",
        "setoption name Hash value 0",
        "setoption name Colour value red",
        "setoption Game quixo",
        "query",
        "query everything",
        "perft",
        "perft -1",
        "perft 1000000",
        "go movetime",
        "go movetime soon",
        "go p5time 100",
        "quit now",
    ];
    for line in bad {
        let said = talk(&[quixo, "position start moves a3e3", line, "query position"]);
        assert_eq!(said.len(), 2, "{line}: {said:?}");
        assert!(said[0].starts_with("error "), "{line}: {said:?}");
        assert_eq!(said[1], "response ...../...../....x/...../..... 2", "{line}");
    }
    check(&["", "   ", "stop", "isready"], &["readyok"]);
}

#[test]
fn thinks_within_limits_and_repeats_itself_with_a_seed() {
    let quixo = "setoption name Game value quixo";
    let best = |seed: &str| {
        let said = talk(&[quixo, seed, "position start moves a3e3", "go nodes 200"]);
        said.last().unwrap().clone()
    };
    let first = best("setoption name Seed value 7");
    assert!(first.starts_with("bestmove "), "{first}");
    assert_eq!(first, best("setoption name Seed value 7"));
    let over = talk(&[quixo, "position text xxxx./...../...../...../o.... 1 moves e5a5", "go nodes 1"]);
    assert_eq!(over, ["error the game is over"]);
}

#[test]
fn infinite_thinking_waits_for_stop_and_refuses_the_rest() {
    let quixo = "setoption name Game value quixo";
    let said = talk(&[quixo, "go infinite", "isready", "position start", "stop", "query turn"]);
    assert_eq!(said.iter().filter(|line| line.starts_with("error thinking")).count(), 1, "{said:?}");
    assert!(said.iter().any(|line| line == "readyok"));
    assert_eq!(said.iter().filter(|line| line.starts_with("bestmove ")).count(), 1, "{said:?}");
    assert_eq!(said.last().unwrap(), "response 1");
}

#[test]
fn quit_ends_the_conversation_even_while_counting() {
    let mut session = Session::new(std::io::sink());
    assert_eq!(session.line("perft 40"), Flow::GoOn);
    assert_eq!(session.line("quit"), Flow::Quit);
}
