//! Players and commands that ask tables: what they say must be what plain search over the rules finds.

#![allow(clippy::unwrap_used)] // the allowance for tests does not reach helper functions

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};

use common::started;
use fourfold::tablebase_bridge;
use locale::Language;
use rules::quixo::{Action, Quixo};
use rules::{ActionList, Outcome, Position, Side, Turn};
use search::bots::quixo::opening::{Opening, Writer};
use search::bots::quixo::{QuixoBot, Tables};
use search::{Bot, Level, Limits, Random, Situation, Value};
use tablebase::{Board, Cpu, Depths, Engine, Folder, Pair, Size};

fn nodes(count: u64, seed: u64) -> Limits<'static> {
    Limits::nodes(count).with_seed(seed).with_memory(1 << 20)
}

/// Solves some pairs, each of which needs only those before it.
fn solved(name: &str, depths: Depths, pairs: &[(u32, u32)]) -> PathBuf {
    let path = folder(name);
    let folder = Folder::open(&path, Size::Five, depths).unwrap();
    let board = Board::new(Size::Five);
    let never = AtomicBool::new(false);
    let mut cpu = Cpu::new(&board, depths, 2, &never);
    for &(few, many) in pairs {
        let pair = Pair { few, many };
        cpu.solve_pair(pair).unwrap();
        let tables: Vec<_> = pair.movers().iter().map(|&mover| cpu.table(pair, mover).unwrap()).collect();
        folder.write_pair(pair, &tables).unwrap();
    }
    path
}

/// Full boards of twelve against thirteen, with depths: the longest win among them takes 69 actions.
static FULL: LazyLock<PathBuf> = LazyLock::new(|| solved("full", Depths::Yes, &[(12, 13)]));
/// The same without depths.
static VALUES: LazyLock<PathBuf> = LazyLock::new(|| {
    let path = folder("values");
    std::fs::copy(FULL.join("quixo5-12-13.values"), path.join("quixo5-12-13.values")).unwrap();
    path
});

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("tables-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn asking(folder: &Path) -> Arc<dyn Tables> {
    tablebase_bridge::open(Some(folder), Language::English, Box::new(drop)).unwrap().solved.unwrap()
}

/// A random position with so many cubes of each side and no line; seat 1 is to act.
fn position(own: usize, other: usize, random: &mut Random) -> Quixo {
    loop {
        let mut cells = ['.'; 25];
        let mut squares: Vec<usize> = (0..25).collect();
        for count in 0..own + other {
            let square = squares.swap_remove(random.below(squares.len() as u32) as usize);
            cells[square] = if count < own { 'x' } else { 'o' };
        }
        let rows: Vec<String> = cells.chunks(5).map(|row| row.iter().collect()).collect();
        let game = Quixo::parse(&Default::default(), &format!("{} 1", rows.join("/"))).unwrap();
        if matches!(game.turn(), Turn::Seat(_)) {
            return game;
        }
    }
}

fn legal(game: &Quixo) -> Vec<Action> {
    let mut actions = ActionList::new();
    game.actions(&mut actions);
    actions.to_vec()
}

/// The value of an action within so many actions, by looking at everything the rules allow; `None` if that is not enough.
fn plain(game: &Quixo, action: Action, depth: u32) -> Option<Value> {
    let Turn::Seat(seat) = game.turn() else { panic!("the game is over") };
    let mut next = *game;
    next.play_unchecked(action);
    if let Turn::Over(outcome) = next.turn() {
        return Some(if outcome == Outcome::Win(game.side(seat)) { Value::win_in(1) } else { Value::loss_in(1) });
    }
    if depth == 1 {
        return None;
    }
    let (mut best, mut open) = (None, false);
    for reply in legal(&next) {
        let value = plain(&next, reply, depth - 1);
        open |= value.is_none();
        best = best.max(value);
    }
    // A win is one whatever the other replies come to; anything else must be known of all.
    let best = best.filter(|best| !open || matches!(best, Value::Win(_)))?;
    Some(-best.add_plies(1))
}

#[test]
fn with_depths_every_value_is_exact_and_the_best_action_is_played() {
    let tables = asking(&FULL);
    let mut random = Random::new(2);
    let (mut proved, mut deep) = (0, 0);
    for number in 0..40 {
        let game = if number % 2 == 0 { position(12, 13, &mut random) } else { position(13, 12, &mut random) };
        let situation = Situation { view: &game, earlier: &[] };
        let result = QuixoBot::with_tables(tables.clone()).analyse(&situation, &nodes(2000, 1));
        assert_eq!(result.scored.len(), legal(&game).len());
        for scored in &result.scored {
            match (plain(&game, scored.action, 3), scored.value) {
                (Some(fact), said) => {
                    proved += 1;
                    assert_eq!(said, fact, "{game} {}", scored.action);
                }
                (None, Value::Win(Some(plies)) | Value::Loss(Some(plies))) => {
                    deep += 1;
                    assert!(plies > 3, "{game} {} in {plies}", scored.action);
                }
                (None, said) => assert_eq!(said, Value::Draw, "{game} {}", scored.action),
            }
        }
        assert!(result.scored.iter().all(|scored| scored.value <= result.value), "{game}");
        let chosen = QuixoBot::with_tables(tables.clone()).choose(&situation, Level::HIGHEST, &nodes(2000, 5));
        let found = result.scored.iter().find(|scored| scored.action == chosen.action).unwrap();
        assert_eq!((found.value, chosen.value), (result.value, result.value), "{game}");
        // The line is best play to the end, and takes as many plies as the value says.
        if let Some(plies) = chosen.value.plies() {
            assert_eq!(chosen.line.len() as u32, plies, "{game}");
            let mut replay = game;
            chosen.line.iter().for_each(|&action| replay.play(action).unwrap());
            assert!(matches!(replay.turn(), Turn::Over(_)), "{game}");
        }
    }
    assert!(proved > 200 && deep > 50, "{proved} {deep}");
}

/// Plays a won position out by the highest level with values alone, against one who loses as late as can be.
fn win(start: Quixo, seed: u64) -> u32 {
    let mut game = start;
    let mut earlier: Vec<Quixo> = Vec::new();
    let mut players = [QuixoBot::with_tables(asking(&VALUES)), QuixoBot::with_tables(asking(&FULL))];
    for ply in 0..200 {
        let seat = match game.turn() {
            Turn::Over(outcome) => {
                assert_eq!(outcome, Outcome::Win(Side::ONE), "{start}");
                return ply;
            }
            Turn::Seat(seat) => seat,
            Turn::Chance => panic!("nothing is left to chance"),
        };
        let situation = Situation { view: &game, earlier: &earlier };
        let result = players[seat.index()].choose(&situation, Level::HIGHEST, &nodes(100_000, seed));
        assert_eq!(result.value.score(), if seat.index() == 0 { 1.0 } else { 0.0 }, "{start} {game}");
        earlier.push(game);
        game.play(result.action).unwrap();
        assert!(earlier.iter().filter(|past| **past == game).count() < 2, "{start}: {game} for the third time");
    }
    panic!("{start} was not won");
}

#[test]
fn with_values_alone_wins_are_kept_and_won() {
    let mut random = Random::new(7);
    let (mut won, mut longest) = (0, 0);
    while won < 3 {
        let game = position(13, 12, &mut random);
        let situation = Situation { view: &game, earlier: &[] };
        let said = QuixoBot::with_tables(asking(&FULL)).choose(&situation, Level::HIGHEST, &nodes(100, 1)).value;
        if matches!(said, Value::Win(Some(5..=15))) {
            longest = longest.max(win(game, won));
            won += 1;
        }
    }
    assert!(longest >= 5, "{longest}");
}

#[test]
fn what_is_missing_is_searched_and_what_is_known_is_used() {
    let tables = asking(&FULL);
    let mut random = Random::new(11);
    let (mut known, mut open) = (0, 0);
    for _ in 0..40 {
        // Taking the blank leads to a full board; the class itself is not there.
        let game = position(12, 12, &mut random);
        let situation = Situation { view: &game, earlier: &[] };
        let found = QuixoBot::with_tables(tables.clone()).analyse(&situation, &nodes(300, 1));
        for scored in &found.scored {
            let mut next = game;
            next.play_unchecked(scored.action);
            let after = Situation { view: &next, earlier: &[] };
            let is_full = !next.to_string().contains('.');
            if matches!(next.turn(), Turn::Over(_)) || !is_full {
                open += u32::from(!scored.value.is_exact());
                continue;
            }
            let truth = QuixoBot::with_tables(tables.clone()).analyse(&after, &nodes(300, 1)).value;
            assert_eq!(scored.value, -truth.add_plies(1), "{game} {}", scored.action);
            known += 1;
        }
    }
    assert!(known > 20 && open > 100, "{known} {open}");
}

#[test]
fn what_is_written_to_be_compiled_in_says_what_the_tables_say() {
    let tables = asking(&FULL);
    let without_plies = |value: Value| match value {
        Value::Win(_) => Value::Win(None),
        Value::Loss(_) => Value::Loss(None),
        other => other,
    };
    let mut writer = Writer::default();
    let written = writer.add(12, 13, usize::MAX, |own, other| tables.look_up(own, other).unwrap()).unwrap();
    assert!(written.exceptions > 100_000, "{written:?}");
    let opening = Opening::read(&writer.finish()).unwrap();
    let mut random = Random::new(5);
    for _ in 0..20_000 {
        let mut own = 0u32;
        while own.count_ones() < 12 {
            own |= 1 << random.below(25);
        }
        let other = !own & ((1 << 25) - 1);
        assert_eq!(opening.look_up(own, other), tables.look_up(own, other).map(without_plies), "{own:x}");
        assert_eq!(opening.look_up(other, own), None);
    }
}

fn run(arguments: &[&str], language: &str, input: &str) -> Output {
    use std::io::Write;
    let mut child = Command::new(env!("CARGO_BIN_EXE_fourfold"))
        .args(arguments)
        .env("LC_ALL", language)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn the_commands_say_what_is_exact() {
    let folder = FULL.to_str().unwrap();
    let game = position(13, 12, &mut Random::new(2));
    let output = run(&["analyse", "--game", "quixo", "--tablebase", folder, &game.to_string()], "en_GB.UTF-8", "");
    let said = String::from_utf8(output.stdout).unwrap();
    assert!((said.contains("wins") || said.contains("loses")) && !said.contains('%'), "{said}");
    let script =
        format!("setoption name Game value quixo\nsetoption name Analyse value true\nposition text {game}\ngo\n");
    let output = run(&["ugi", "--tablebase", folder], "en_GB.UTF-8", &script);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains(" score mate ") && said.contains(" exact ") && !said.contains("estimate"), "{said}");
}

#[test]
fn a_folder_that_cannot_be_used_is_named_in_three_languages() {
    let (empty, foreign) = (folder("empty"), folder("foreign"));
    std::fs::write(
        foreign.join("quixo5-07-17.values"),
        "something else altogether, and long enough for a header at that",
    )
    .unwrap();
    let missing = empty.with_file_name("there-is-no-such-folder");
    let words = |folder: &PathBuf, language: &str, command: &[&str]| {
        let output = run(&[command, &["--tablebase", folder.to_str().unwrap()]].concat(), language, "");
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    for command in [&["ugi"][..], &["play", "quixo", "--plain"], &["analyse", "x"], &["serve", "--port", "0"]] {
        assert!(words(&empty, "en_GB.UTF-8", command).contains("There is no table of this board in"));
        assert!(words(&foreign, "en_GB.UTF-8", command).contains("is not a table of this version"));
        assert!(words(&missing, "en_GB.UTF-8", command).contains("cannot be read"));
    }
    assert!(words(&empty, "uk_UA.UTF-8", &["ugi"]).contains("немає жодної таблиці"));
    assert!(words(&empty, "ru_RU.UTF-8", &["ugi"]).contains("нет ни одной таблицы"));
    assert!(words(&foreign, "uk_UA.UTF-8", &["ugi"]).contains("не є таблицею"));
    assert!(words(&missing, "ru_RU.UTF-8", &["ugi"]).contains("не удалось прочитать"));
}

/// One request to a server that was started with these arguments: the status line and the body.
fn served(arguments: &[&str], paths: &[String]) -> Vec<(String, String)> {
    use std::io::{Read as _, Write as _};
    let database = folder("served").join("games.db");
    let (_server, address) = started(&[&["--database", database.to_str().unwrap()], arguments].concat());
    let ask = |path: &String| {
        let mut line = std::net::TcpStream::connect(&address).unwrap();
        write!(line, "GET {path} HTTP/1.0\r\nHost: {address}\r\n\r\n").unwrap();
        let mut answer = String::new();
        line.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.lines().next().unwrap().to_owned(), body.to_owned())
    };
    paths.iter().map(ask).collect()
}

#[test]
fn a_server_with_tables_says_what_every_action_is_worth() {
    let asked = |game: &str| format!("/api/quixo/values?position={}", game.replace('/', "%2F").replace(' ', "%20"));
    let game = position(13, 12, &mut Random::new(2));
    let without_table = position(9, 9, &mut Random::new(2));
    let paths = [asked(&game.to_string()), asked(&without_table.to_string()), asked("xx"), asked("")];
    let answers = served(&["--tablebase", FULL.to_str().unwrap()], &paths);
    assert!(answers[0].0.contains("200"), "{answers:?}");
    for action in legal(&game) {
        assert!(answers[0].1.contains(&format!("\"action\":\"{action}\",\"value\":{{\"result\":\"")), "{answers:?}");
    }
    assert!(answers[1].0.contains("204") && answers[1].1.is_empty(), "{answers:?}");
    for refused in &answers[2..] {
        assert!(refused.0.contains("400") && refused.1.contains("unreadable"), "{answers:?}");
    }
    assert!(served(&[], &paths[..1])[0].0.contains("204"));
}

/// A script reads results without words.
#[test]
fn results_come_as_json_too() {
    let printed = |arguments: &[&str]| -> serde_json::Value {
        let output = Command::new(env!("CARGO_BIN_EXE_fourfold")).args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}");
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let solved = printed(&["solve", "quixo", "--size", "3", "--depth", "--json"]);
    assert_eq!(solved["value"]["result"], "win");
    let parts = ["won", "lost", "drawn"].map(|part| solved[part].as_u64().unwrap());
    assert_eq!(parts.iter().sum::<u64>(), solved["positions"].as_u64().unwrap());
    let easy = printed(&["solve", "quarto(attributes=colour)", "--json"]);
    assert!(easy["value"]["result"].is_string() && easy["nodes"].as_u64().unwrap() > 0, "{easy}");
    let rules = printed(&["bench", "quixo", "--time", "0", "--json"]);
    assert!(rules["signature"].as_u64().unwrap() > 0, "{rules}");
    let tables = FULL.display().to_string();
    let verified = printed(&["tablebase", "verify", &tables, "--count", "20", "--json"]);
    assert_eq!(verified["wrong"], 0);
    assert!(verified["right"].as_u64().unwrap() > 0, "{verified}");
}
