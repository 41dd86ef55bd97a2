//! The engine protocol, spoken to as a program would.

#![allow(clippy::unwrap_used)] // the allowance for tests does not reach helper functions

use std::io::Write;
use std::sync::{Arc, Mutex};

use fourfold::ugi::{Flow, Session};

#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Write for Output {
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
    let output = Output::default();
    let mut session = Session::new(output.clone(), Default::default());
    for line in lines {
        session.line(line);
    }
    session.finish();
    let bytes = output.0.lock().unwrap().clone();
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
    let games = rules::GameId::ALL.map(|game| format!("var {game}")).join(" ");
    assert!(said.contains(&format!("option name Game type combo default quarto {games}")));
    for option in ["Seed", "Level", "Hash", "Viewer", "MultiPV", "Analyse", "TablebasePath"] {
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
        "setoption name MultiPV value 0",
        "setoption name TablebasePath value no-such-folder",
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
fn unreadable_impossible_and_illegal_are_told_apart() {
    let said = |line: &str| talk(&["setoption name Game value quixo", line]).remove(0);
    assert!(said("position text hello").starts_with("error cannot read the position of quixo: expected 2 fields"));
    let impossible = said("position text xxxxx/...../...../...../..... 1");
    assert!(impossible.starts_with("error this position of quixo is not possible: 5 x and 0 o"), "{impossible}");
    assert!(said("position startpos moves a3a3").starts_with("error move 1: a3a3 is not allowed"));
    assert!(said("position startpos moves a9").starts_with("error move 1: cannot read \"a9\""));
}

#[test]
fn clocks_of_every_kind_give_a_move() {
    let quixo = "setoption name Game value quixo";
    for go in ["go p1time 0", "go p1time -300 p2time 100", "go p1time 90 movestogo 1", "go p1time 60 p1inc 10"] {
        let said = talk(&[quixo, go]);
        assert!(said.last().unwrap().starts_with("bestmove "), "{go}: {said:?}");
    }
    assert!(talk(&[quixo, "go movestogo x"])[0].starts_with("error movestogo needs a whole number"));
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

/// The number after a word of an `info` line.
fn number(line: &str, word: &str) -> u64 {
    let mut words = line.split(' ').skip_while(|other| *other != word);
    words.nth(1).and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{word} in {line}"))
}

#[test]
fn every_search_keeps_the_form_and_its_limit_of_nodes() {
    for id in game::GameId::ALL {
        let start = game::Game::by_default(id).start();
        let deal = |position: Box<dyn game::AnyPosition>| {
            let mut position = position;
            let mut moves = Vec::new();
            while position.turn() == rules::Turn::Chance {
                let (action, _) = position.chances().swap_remove(0);
                position.play(&action).unwrap();
                moves.push(action);
            }
            if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) }
        };
        let position = format!("position startpos{}", deal(start));
        let game = format!("setoption name GAME value {id}");
        for (lines, option) in [(1, "setoption name MultiPV value 1"), (3, "setoption name multipv value 3")] {
            let said = talk(&[&game, option, &position, "go nodes 3000"]);
            let info: Vec<&String> = said.iter().filter(|line| line.starts_with("info ")).collect();
            assert_eq!(info.len() + 1, said.len(), "{said:?}");
            for line in &info {
                assert!(number(line, "nodes") <= 3000, "{line}");
                assert!(number(line, "seldepth") >= number(line, "depth"), "{line}");
                assert!(["nps", "hashfull", "time"].iter().all(|word| number(line, word) < u64::MAX), "{line}");
            }
            let results = &info[info.len() - lines..];
            for (place, line) in (1..).zip(results) {
                assert_eq!(number(line, "multipv"), place, "{said:?}");
                assert!(line.contains(" score ") && line.contains(" wdl "), "{line}");
            }
            let best = said.last().unwrap().strip_prefix("bestmove ").unwrap();
            let first = results[0].split(" pv ").nth(1).unwrap();
            assert_eq!(first.split(' ').next(), Some(best), "{said:?}");
        }
        for (threads, nodes) in [(1, 100), (1, 777), (3, 1000)] {
            let threads = format!("setoption name Threads value {threads}");
            let said = talk(&[&game, &threads, &position, &format!("go nodes {nodes}")]);
            for line in said.iter().filter(|line| line.starts_with("info ")) {
                assert!(number(line, "nodes") <= nodes, "{line}");
            }
        }
    }
}

#[test]
fn iterations_are_told_as_they_end() {
    let said = talk(&["setoption name game value quixo(players=4)", "position startpos", "go nodes 20000"]);
    let depths: Vec<u64> =
        said.iter().filter(|line| line.starts_with("info ")).map(|line| number(line, "depth")).collect();
    assert!(depths.len() > 3 && depths.is_sorted() && depths[0] == 2, "{said:?}");
}

#[test]
fn a_level_that_does_not_solve_claims_no_depth() {
    let said = talk(&["setoption name level value 1", "position startpos moves 0", "go nodes 1000"]);
    assert!(number(&said[0], "depth") <= 2, "{said:?}");
    // Nor does one that had no time to solve.
    let open = "position text ..0./..../..../.f.. - 1 b1";
    for lines in ["setoption name MultiPV value 1", "setoption name MultiPV value 4"] {
        let said = talk(&[lines, open, "go nodes 2"]);
        let estimates: Vec<&String> = said.iter().filter(|line| line.contains(" estimate ")).collect();
        assert!(!estimates.is_empty() && estimates.iter().all(|line| number(line, "depth") <= 2), "{said:?}");
    }
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
    let mut session = Session::new(std::io::sink(), Default::default());
    assert_eq!(session.line("perft 40"), Flow::GoOn);
    assert_eq!(session.line("quit"), Flow::Quit);
}

/// An engine whose graphical interface has crashed must not search on.
#[cfg(unix)]
#[test]
fn the_engine_ends_when_its_reader_is_gone() {
    use std::process::{Command, Stdio};
    let mut engine = Command::new(env!("CARGO_BIN_EXE_fourfold"))
        .arg("ugi")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    // Its input stays open: that is not what ends it.
    let mut input = engine.stdin.take().unwrap();
    drop(engine.stdout.take());
    input.write_all(b"setoption name Game value quixo\ngo infinite\nisready\n").unwrap();
    let began = std::time::Instant::now();
    while engine.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < std::time::Duration::from_secs(60), "it goes on");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}
