//! `fourfold join` as users run it: two terminals at one table of a real server.

#![allow(clippy::unwrap_used)] // the allowance for tests does not reach helper functions

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use client::{Answer, Connection, Credential};
use game::{Match, MatchSettings};
use protocol::TableSpec;
use rules::{Outcome, Seat, Turn};
use search::Random;
use server::{Config, Place};

/// A server in this process, on a database that goes with it.
fn serve() -> String {
    let folder = std::env::temp_dir().join(format!("fourfold-join-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let database = Place::File(folder.join(format!("{:?}.db", thread::current().id())));
    let config = Config { port: 0, database, ..Config::default() };
    let (tell, told) = channel();
    thread::spawn(move || {
        let listening = move |address| tell.send(address).unwrap();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(server::serve(config, listening, std::future::pending())).unwrap();
    });
    format!("http://{}", told.recv().unwrap())
}

/// A new table with all seats free.
fn table(server: &str, game: &str) -> String {
    let spec = TableSpec { clock: "fischer=300+5".to_owned(), ..TableSpec::new(game) };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let mut maker = Connection::connect(server, Credential::New).await.unwrap();
        match maker.ask("create", protocol::Command::Create(spec)).await.unwrap() {
            Answer::Done { table: Some(table), .. } => format!("{server}/t/{table}"),
            other => panic!("no table: {other:?}"),
        }
    })
}

struct Terminal {
    process: Child,
    input: ChildStdin,
    output: Receiver<String>,
    shown: String,
}

impl Terminal {
    fn join(url: &str, arguments: &[&str]) -> Terminal {
        let mut process = Command::new(env!("CARGO_BIN_EXE_fourfold"))
            .args(["join", url, "--plain", "--lang", "en"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut printed = process.stdout.take().unwrap();
        let (chunks, output) = channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = printed.read(&mut buffer) {
                let _ = chunks.send(String::from_utf8_lossy(&buffer[..count]).into_owned());
            }
        });
        let input = process.stdin.take().unwrap();
        Terminal { process, input, output, shown: String::new() }
    }

    fn write(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// Waits for the prompt that follows another player's action of Quixo.
    fn wait_for_turn_after(&mut self, action: &str) {
        self.wait_for(&format!("from {} to {}", &action[..2], &action[2..]));
        self.wait_for("> ");
    }

    /// Reads until a text is printed, and forgets everything up to it.
    fn wait_for(&mut self, text: &str) {
        let until = Instant::now() + Duration::from_secs(60);
        loop {
            if let Some(at) = self.shown.find(text) {
                self.shown.drain(..at + text.len());
                return;
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(chunk) => self.shown.push_str(&chunk),
                Err(_) => panic!("{text:?} was not printed, but {:?}", self.shown),
            }
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A whole game of random moves that the player wins who makes the last one: who plays what.
fn some_game(game: &str) -> Vec<(usize, String)> {
    let play = |seed| {
        let mut game = Match::new(MatchSettings::new(game.parse().unwrap())).unwrap();
        let mut random = Random::new(seed);
        let mut played = Vec::new();
        while let Some(seat) = game.to_act() {
            let legal = game.legal();
            let action = legal[random.below(legal.len() as u32) as usize].clone();
            game.play(&action, Duration::ZERO).unwrap();
            played.push((seat.index(), action));
        }
        let last = played.last().map(|(seat, _)| game.position().side(Seat::from_index(*seat)));
        let won = last.is_some_and(|side| game.position().turn() == Turn::Over(Outcome::Win(side)));
        won.then_some(played)
    };
    (0..100).find_map(play).unwrap()
}

#[test]
fn two_terminals_play_a_whole_game_with_offers_takeback_and_chat() {
    let url = table(&serve(), "quixo");
    let mut one = Terminal::join(&url, &["--seat", "1"]);
    one.wait_for("One seat is free");
    let mut two = Terminal::join(&url, &[]);
    let mut watcher = Terminal::join(&url, &["--watch"]);
    let game = some_game("quixo");

    one.wait_for(" left");
    one.wait_for("> ");
    one.write("c3e3");
    one.wait_for("Only cubes on the edge can be taken.");
    one.wait_for("> ");
    one.write(&game[0].1);
    two.wait_for_turn_after(&game[0].1);

    one.write("say Good luck from the terminal");
    two.wait_for("Good luck from the terminal");
    watcher.wait_for("Good luck from the terminal");

    one.write("undo");
    two.wait_for("take a move back");
    two.write("accept");
    one.wait_for("> ");
    one.write(&game[0].1);
    two.wait_for_turn_after(&game[0].1);

    two.write("draw");
    one.wait_for("offer a draw");
    one.write("decline");
    two.wait_for("declined");
    two.wait_for("> ");
    two.write(&game[1].1);

    for pair in game[1..].windows(2) {
        let [(_, last), (seat, action)] = pair else { unreachable!() };
        let player = if *seat == 0 { &mut one } else { &mut two };
        player.wait_for_turn_after(last);
        player.write(action);
    }
    let (winner, loser) = if game.len() % 2 == 1 { (&mut one, &mut two) } else { (&mut two, &mut one) };
    winner.wait_for("you win!");
    loser.wait_for(" win!");
    watcher.wait_for(" win!");

    one.write("rematch");
    two.wait_for("would like to play again");
    two.write("accept");
    // Seats rotate by one: the second player begins.
    two.wait_for("> ");
    two.write("resign");
    two.wait_for("Yes / No");
    two.write("yes");
    two.wait_for("You have resigned.");
    one.wait_for("You win");
    one.write("quit");
    one.wait_for("Thank you for playing.");
    assert!(one.process.wait().unwrap().success());
}

#[test]
fn a_table_that_is_not_there_is_said_so() {
    let server = serve();
    let refused = |code: i32, url: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_fourfold")).args(["join", url, "--lang", "en"]).output().unwrap();
        assert_eq!(output.status.code(), Some(code));
        String::from_utf8(output.stderr).unwrap()
    };
    let missing = refused(1, &format!("{server}/t/nosuch"));
    assert!(missing.contains("There is no such table"), "{missing}");
    assert!(refused(2, "play.example.org").contains("not the address of a table"));
    // Nobody listens there: the answer comes at once, not when patience ends.
    let began = Instant::now();
    let silent = refused(1, "http://127.0.0.1:9/t/nosuch");
    assert!(silent.contains("http://127.0.0.1:9 does not answer"), "{silent}");
    assert!(began.elapsed() < Duration::from_secs(10));
}
