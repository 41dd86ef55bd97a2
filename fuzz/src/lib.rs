//! One function per fuzz target, which takes a text. A panic is a finding.
//!
//! The workspace's own tests run the same functions over `fuzz/seeds`, where past finds are kept.

use std::io::Write;
use std::sync::{Arc, Mutex};

use game::{AnyPosition, Game, GameId, Record};
use rules::{Seat, Turn, Viewer};

/// Options of every game: what is read prints and reads back the same, and a game can start with it.
pub fn options(text: &str) {
    for id in GameId::ALL {
        if let Ok(game) = Game::with_options(id, text) {
            check_game(&game);
        }
    }
    if let Ok(game) = text.parse::<Game>() {
        check_game(&game);
    }
}

fn check_game(game: &Game) {
    assert_eq!(game.to_string().parse::<Game>().as_ref(), Ok(game), "the game's text reads back");
    for option in game.id().options() {
        let value = game.option(option.name).expect("every listed option has a value");
        assert!(!value.is_empty());
    }
    check_position(&*game.start());
}

/// A game in the first line, a position text in the second: what is read can be shown, played on and read again.
pub fn position_text(text: &str) {
    let Some((game, text)) = text.split_once('\n') else { return };
    let Ok(game) = game.parse::<Game>() else { return };
    let Ok(position) = game.parse_position(text) else { return };
    assert_eq!(position.to_string(), text, "only the one text of a position is read");
    check_position(&*position);
    let legal = position.legal();
    for action in legal.iter().step_by(1 + legal.len() / 24) {
        let mut next = position.clone();
        next.play(action).expect("a legal action can be played");
        let text = next.to_string();
        let read = game.parse_position(&text).unwrap_or_else(|bad| panic!("{text} after {action}: {bad}"));
        assert_eq!(read.to_string(), text);
        assert_eq!(read.turn(), next.turn(), "{text} after {action}");
        assert_eq!(read.legal(), next.legal(), "{text} after {action}");
    }
}

fn check_position(position: &dyn AnyPosition) {
    let over = matches!(position.turn(), Turn::Over(_));
    assert_eq!(over, position.legal().is_empty(), "a game is over exactly when nothing is legal");
    for viewer in viewers(position) {
        let spots = position.scene(viewer).spots();
        assert!(!position.view_text(viewer).is_empty());
        if let Some(spot) = spots.first() {
            let _ = position.meant(viewer, &[*spot]);
            let _ = position.prompt(viewer, &[*spot]);
        }
    }
}

fn viewers(position: &dyn AnyPosition) -> impl Iterator<Item = Viewer> + use<> {
    Seat::all(position.seats()).map(Viewer::Seat).chain([Viewer::Spectator])
}

/// A game in the first line, then actions: what cannot be played changes nothing, what can leads on.
///
/// `#7` plays the eighth legal action, counted round and round, so that a few letters reach deep into a game.
pub fn action_text(text: &str) {
    let Some((game, actions)) = text.split_once('\n') else { return };
    let Ok(game) = game.parse::<Game>() else { return };
    let mut position = game.start();
    for (index, word) in actions.split([' ', '\n']).take(60).enumerate() {
        let Some(number) = word.strip_prefix('#').and_then(|number| number.parse::<usize>().ok()) else {
            play_or_refuse(&mut *position, word);
            continue;
        };
        let legal = position.legal();
        if legal.is_empty() {
            break;
        }
        let action = &legal[number % legal.len()];
        // Messages cost more than playing, and speed finds more.
        if index % 8 == 0 {
            let viewer = Viewer::Seat(Seat::ONE);
            assert!(position.happening(action, viewer).is_ok() && position.seen_action(action, viewer).is_ok());
        }
        position.play(action).expect("a legal action can be played");
    }
    check_position(&*position);
    let text = position.to_string();
    assert_eq!(game.parse_position(&text).map(|read| read.to_string()), Ok(text));
}

/// A typed word: it is one of the legal actions and is played, or nothing changes.
fn play_or_refuse(position: &mut dyn AnyPosition, word: &str) {
    let before = position.boxed();
    match position.play(word) {
        Ok(()) => assert!(before.legal().iter().any(|legal| legal == word), "{word} is not listed at {before}"),
        Err(refused) => {
            assert!(!refused.to_string().is_empty());
            assert_eq!(position.to_string(), before.to_string(), "a refused action changes nothing");
        }
    }
}

/// A file of records: what is read can be replayed, and what is written reads back the same.
pub fn record(text: &str) {
    match Record::read_all(text) {
        Ok(records) => {
            let written = Record::write_all(&records);
            assert_eq!(Record::read_all(&written).as_ref(), Ok(&records), "{written}");
            for record in &records {
                let Ok(replay) = record.replay_known() else { continue };
                for viewer in viewers(replay.game.position()) {
                    let seen = replay.game.record_for(viewer).to_string();
                    let read = Record::read_all(&seen);
                    assert!(read.is_ok(), "{seen}\n{read:?}");
                }
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Lines of the engine protocol: each line that fails gets one line `error`, and the conversation goes on.
pub fn ugi_line(text: &str) {
    let output = Output::default();
    let mut session = fourfold::ugi::Session::new(output.clone(), Default::default());
    session.line("setoption name Hash value 1");
    for line in text.lines().filter(|line| takes_a_moment(line)).take(40) {
        let before = output.errors();
        session.line(line);
        assert!(output.errors() <= before + 1, "one line of error for {line:?}");
    }
    session.line("stop");
    let before = output.text().len();
    session.line("isready");
    assert!(output.text()[before..].contains("readyok\n"), "still there");
    for line in output.text().lines() {
        let known = ["id ", "option ", "ugiok", "readyok", "response", "perft ", "info ", "bestmove ", "error "];
        assert!(known.iter().any(|word| line.starts_with(word)), "an unexpected answer: {line:?}");
    }
}

/// Fuzzing needs thousands of lines a second, so searches and tables stay small.
fn takes_a_moment(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let small = |most: u64| words.iter().filter_map(|word| word.parse::<u64>().ok()).all(|number| number <= most);
    match words.first() {
        Some(&"go") => words.contains(&"nodes") && !words.contains(&"infinite") && small(20),
        Some(&"perft") => small(1),
        Some(&"setoption") => !words.contains(&"Hash") || small(2),
        Some(&"quit") => false,
        _ => true,
    }
}

/// The lines that the session printed.
#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Output {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().expect("no thread panicked while writing").clone()).expect("answers are UTF-8")
    }

    fn errors(&self) -> usize {
        self.text().lines().filter(|line| line.starts_with("error")).count()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no thread panicked while writing").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Requests to a table, line by line: it stays sound, and its log replays.
pub fn table_asks(text: &str) {
    server::rehearse(text);
}

/// The bytes of a WebSocket: the messages in them go to a table, with the server's limits.
pub fn ws_frames(bytes: &[u8]) {
    use tungstenite::protocol::{Role, WebSocket, WebSocketConfig};
    let limit = Some(protocol::LONGEST_MESSAGE);
    let config = WebSocketConfig::default().max_message_size(limit).max_frame_size(limit).accept_unmasked_frames(true);
    let stream = std::io::Cursor::new(bytes.to_vec());
    let mut socket = WebSocket::from_raw_socket(stream, Role::Server, Some(config));
    let mut lines = String::from("{\"game\":\"sequence\"}\n");
    for _ in 0..64 {
        let Ok(message) = socket.read() else { break };
        if let Ok(text) = message.to_text() {
            assert!(text.len() <= protocol::LONGEST_MESSAGE, "a message longer than the limit came through");
            lines.push_str(&format!("{}{}\n", text.len() % 10, text.replace('\n', " ")));
        }
    }
    server::rehearse(&lines);
}
