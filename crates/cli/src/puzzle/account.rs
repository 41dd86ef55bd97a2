//! A solver's account at a server: it keeps the rating, and attempts that could not be sent wait here.

use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs};

use clap::Args;
use client::http::{HttpAnswer, request};
use locale::Language;
use puzzles::{Day, GAMES, Outbox, Sending};
use ratatui::crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use rules::GameId;
use serde_json::{Value, json};
use session::puzzle_words;

use super::solve::now;
use crate::error::CliError;
use crate::play::{games_folder, read_game};

/// How long a server may take; a solver should not wait for it.
const PATIENCE: Duration = Duration::from_secs(4);

/// Arguments of `fourfold puzzle login`.
#[derive(Debug, Args)]
pub(super) struct LoginArguments {
    /// The server, such as `https://play.example.org`; SSL_CERT_FILE names a certificate that the system does not trust.
    #[arg(value_name = "URL")]
    server: String,
}

/// Arguments of `fourfold puzzle leaders`.
#[derive(Debug, Args)]
pub(super) struct LeadersArguments {
    /// The game.
    game: Option<String>,
    /// A day such as 2026-11-17 instead of today.
    #[arg(long, value_name = "DAY")]
    day: Option<Day>,
    /// The best storms instead of a day.
    #[arg(long, conflicts_with = "day")]
    storm: bool,
    /// The server; the one of `fourfold puzzle login` if left out.
    #[arg(long, value_name = "URL")]
    server: Option<String>,
}

/// Who solves, where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Account {
    server: String,
    cookie: String,
    person: String,
    /// Where the outbox is kept.
    folder: PathBuf,
    /// Whether the server has not answered, so that it is not waited for again.
    silent: bool,
}

/// What became of something that was to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sent {
    /// The server has it and says how the rating moved.
    Rated { before: u64, after: u64, deviation: u64 },
    /// It waits with others for the server.
    Waits(usize),
}

impl Account {
    /// The account that this device is logged in with.
    pub(super) fn open() -> Option<Account> {
        Account::open_in(&games_folder())
    }

    fn open_in(folder: &Path) -> Option<Account> {
        let text = fs::read_to_string(folder.join("puzzles.account")).ok()?;
        let [server, cookie, person] = text.lines().collect::<Vec<_>>()[..] else { return None };
        let [server, cookie, person] = [server, cookie, person].map(str::to_owned);
        Some(Account { server, cookie, person, folder: folder.to_owned(), silent: false })
    }

    fn save(&self) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let file = self.folder.join("puzzles.account");
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        // Who reads the cookie is logged in.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        writeln!(options.open(file)?, "{}\n{}\n{}", self.server, self.cookie, self.person)
    }

    /// The server's address.
    pub(super) fn server(&self) -> &str {
        &self.server
    }

    /// Keeps a request, and sends it with all that wait if the server answers.
    pub(super) fn send(&mut self, sending: Sending) -> Sent {
        let mut outbox = self.outbox();
        outbox.push(&self.person, sending.clone());
        self.keep(&outbox);
        let mut sent = None;
        while let Some(next) = outbox.next(&self.person).cloned().filter(|_| !self.silent) {
            let Some(answer) = self.hand_in(&next) else {
                self.silent = true;
                break;
            };
            outbox.done(&next);
            self.keep(&outbox);
            if next == sending {
                let number = |name: &str| answer[name].as_u64().unwrap_or_default();
                let [before, after, deviation] = ["rating_before", "rating_after", "deviation"].map(number);
                sent = Some(Sent::Rated { before, after, deviation });
            }
        }
        sent.unwrap_or_else(|| Sent::Waits(outbox.waiting(&self.person)))
    }

    /// The rating that the server keeps, with its deviation; `None` if it does not answer or knows the person no longer.
    pub(super) fn rating(&mut self, game: GameId) -> Option<(u64, u64)> {
        if self.silent {
            return None;
        }
        let known = self.ask("GET", &format!("api/puzzles/rating?game={game}"), "");
        let known = known.filter(|known| known["id"] == *self.person && known["account"] == true);
        self.silent = known.is_none();
        let known = known?;
        Some((known["rating"].as_u64()?, known["deviation"].as_u64()?))
    }

    /// Hands something in: the answer, `null` if the server will never take it, or nothing if it may do so later.
    fn hand_in(&self, sending: &Sending) -> Option<Value> {
        // A session that has ended would make a guest of the solver, whose attempts move no rating.
        let me = self.ask("GET", "api/puzzles/rating", "")?;
        if me["id"] != *self.person {
            return None;
        }
        let answer = fetch(&self.server, "POST", &sending.path, Some(&self.cookie), &sending.body).ok()?;
        match answer.status {
            200..300 => serde_json::from_str(&answer.text).ok(),
            429 | 500.. => None,
            _ => Some(Value::Null),
        }
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> Option<Value> {
        let answer = fetch(&self.server, method, path, Some(&self.cookie), body).ok()?;
        serde_json::from_str(&answer.text).ok().filter(|_| answer.status == 200)
    }

    fn outbox(&self) -> Outbox {
        fs::read_to_string(self.folder.join("puzzles.outbox")).map(|text| Outbox::read(&text)).unwrap_or_default()
    }

    fn keep(&self, outbox: &Outbox) {
        // Without a place to keep it, it is sent now or never.
        let _ = fs::write(self.folder.join("puzzles.outbox"), outbox.to_string());
    }
}

fn fetch(server: &str, method: &str, path: &str, cookie: Option<&str>, body: &str) -> io::Result<HttpAnswer> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(request(server, method, path, cookie, body, PATIENCE))
}

/// Logs in to an account; from then on attempts are sent to its server.
pub(super) fn login(arguments: &LoginArguments, language: Language) -> Result<(), CliError> {
    let ask = |text: &str| -> io::Result<()> {
        write!(io::stdout(), "{text}: ")?;
        io::stdout().flush()
    };
    ask(language.puzzle_login_name())?;
    let mut name = String::new();
    io::stdin().lock().read_line(&mut name)?;
    let password = match env::var("FOURFOLD_PASSWORD") {
        Ok(password) => password,
        Err(_) => {
            ask(language.puzzle_login_password())?;
            read_secret()?
        }
    };
    let server = arguments.server.as_str();
    let unreachable = |error: io::Error| {
        CliError::new(match error.kind() {
            io::ErrorKind::InvalidInput => language.puzzle_server_address(server),
            // What comes back over TLS is refused as a whole.
            io::ErrorKind::InvalidData if server.starts_with("https:") => language.puzzle_server_untrusted(server),
            _ => language.puzzle_server_silent(server),
        })
    };
    let body = json!({ "name": name.trim(), "password": password }).to_string();
    let answer = fetch(&arguments.server, "POST", "api/account/login", None, &body).map_err(unreachable)?;
    let cookie = answer.cookie.filter(|_| answer.status == 200);
    let problem: Value = serde_json::from_str(&answer.text).unwrap_or_default();
    let refused = || CliError::new(problem["text"].as_str().unwrap_or(language.puzzle_login_refused()));
    let cookie = cookie.ok_or_else(refused)?;
    let (server, folder) = (arguments.server.trim_end_matches('/').to_owned(), games_folder());
    let mut account = Account { server, cookie, person: String::new(), folder, silent: false };
    let me = account.ask("GET", "api/puzzles/rating", "").ok_or_else(refused)?;
    account.person = me["id"].as_str().unwrap_or_default().to_owned();
    account.save()?;
    writeln!(io::stdout(), "{}", language.puzzle_logged_in(name.trim(), &account.server))?;
    Ok(())
}

/// Forgets the account; what waits to be sent stays.
pub(super) fn logout(language: Language) -> Result<(), CliError> {
    if let Some(account) = Account::open() {
        // The server should forget the session too, but need not answer.
        let _ = account.ask("POST", "api/account/logout", "{}");
        fs::remove_file(account.folder.join("puzzles.account"))?;
    }
    writeln!(io::stdout(), "{}", language.puzzle_logged_out())?;
    Ok(())
}

/// Prints a leaderboard.
pub(super) fn leaders(arguments: &LeadersArguments, language: Language) -> Result<(), CliError> {
    let account = Account::open();
    let server = arguments.server.clone().or_else(|| Some(account.as_ref()?.server.clone()));
    let server = server.ok_or_else(|| CliError::new(language.puzzle_no_account()))?;
    let cookie = account.as_ref().filter(|account| account.server == server).map(|account| account.cookie.as_str());
    let game = arguments.game.as_deref().map(|game| read_game(game, language)).transpose()?;
    let game = game.map_or(GAMES[0], |game| game.id());
    if let Some(day) = arguments.day.filter(|day| *day > Day::at(now())) {
        return Err(CliError::new(language.puzzle_day_not_begun(day)));
    }
    let board = if arguments.storm { "storms" } else { "leaders" };
    let day = arguments.day.map(|day| format!("&day={day}")).unwrap_or_default();
    let answer = fetch(&server, "GET", &format!("api/puzzles/{board}?game={game}{day}"), cookie, "").ok();
    let told: Option<Value> = answer.and_then(|answer| serde_json::from_str(&answer.text).ok());
    let rows = match told {
        Some(Value::Array(rows)) => rows,
        // Why it refuses.
        Some(Value::Object(problem)) if problem["text"].is_string() => {
            return Err(CliError::new(problem["text"].as_str().unwrap_or_default()));
        }
        _ => return Err(CliError::new(language.puzzle_server_silent(&server))),
    };
    let me = account.as_ref().filter(|_| cookie.is_some()).map(|account| account.person.as_str());
    io::stdout().write_all(board_text(language, game, arguments.storm, &rows, me).as_bytes())?;
    Ok(())
}

fn board_text(l: Language, game: GameId, storm: bool, rows: &[Value], me: Option<&str>) -> String {
    let (title, none) = match storm {
        true => (l.puzzle_leaders_storm(), l.puzzle_leaders_none_storm()),
        false => (l.puzzle_leaders_day(), l.puzzle_leaders_none_day()),
    };
    let mut text = format!("{title} · {}\n", locale::game_name(l, game));
    if rows.is_empty() {
        text += &format!("{none}\n");
    }
    for (place, row) in rows.iter().enumerate() {
        let score = row["score"].as_u64().unwrap_or_default();
        let score = if storm { score.to_string() } else { puzzle_words::minutes(score * 1000) };
        let mark = if me.is_some_and(|me| row["id"] == *me) {
            format!(" ← {}", l.puzzle_leaders_you())
        } else {
            String::new()
        };
        text += &format!("{:>3}. {:>6}  {}{mark}\n", place + 1, score, row["name"].as_str().unwrap_or_default());
    }
    text
}

/// A line that a terminal does not show.
fn read_secret() -> io::Result<String> {
    let mut line = Vec::new();
    if !io::stdin().is_terminal() {
        io::stdin().lock().take(1000).read_until(b'\n', &mut line)?;
        return Ok(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned());
    }
    enable_raw_mode()?;
    let read = read_keys(&mut io::stdin().lock(), &mut line);
    disable_raw_mode()?;
    writeln!(io::stdout())?;
    read?;
    Ok(String::from_utf8_lossy(&line).into_owned())
}

/// Keys up to Enter; Backspace takes the last letter back.
fn read_keys(input: &mut impl Read, line: &mut Vec<u8>) -> io::Result<()> {
    let mut key = [0];
    while input.read(&mut key)? > 0 {
        match key[0] {
            b'\r' | b'\n' => break,
            3 | 4 => return Err(io::ErrorKind::Interrupted.into()),
            8 | 127 => {
                // A letter may be several bytes, of which all but the first begin with the bits 10.
                while line.pop().is_some_and(|byte| byte & 0xc0 == 0x80) {}
            }
            byte if line.len() < 1000 => line.push(byte),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        env::temp_dir().join(format!("fourfold-{name}-{}", std::process::id()))
    }

    #[test]
    fn an_account_reads_back_and_only_its_owner_may_read_it() {
        let folder = folder("account");
        assert_eq!(Account::open_in(&folder), None);
        let server = "http://127.0.0.1:9".to_owned();
        let (cookie, person) = ("fourfold=s.x".to_owned(), "olena".to_owned());
        let account = Account { server, cookie, person, folder: folder.clone(), silent: false };
        account.save().unwrap();
        assert_eq!(Account::open_in(&folder), Some(account));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(folder.join("puzzles.account")).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn without_a_server_attempts_wait() {
        let folder = folder("outbox");
        fs::create_dir_all(&folder).unwrap();
        // Nothing listens on this port.
        let server = "http://127.0.0.1:9".to_owned();
        let (cookie, person) = (String::new(), "olena".to_owned());
        let mut account = Account { server, cookie, person, folder: folder.clone(), silent: false };
        assert_eq!(account.rating(GameId::ALL[0]), None);
        assert_eq!(account.send(Sending::storm(GameId::ALL[0], &[])), Sent::Waits(1));
        assert_eq!(account.send(Sending::storm(GameId::ALL[1], &[])), Sent::Waits(2));
        assert_eq!(account.outbox().waiting("olena"), 2);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_leaderboard_marks_ones_own_row_and_invites_where_it_is_empty() {
        let (l, game) = (Language::English, GameId::ALL[1]);
        let rows = [json!({"id": "a", "name": "Olena", "score": 62}), json!({"id": "b", "name": "Taras", "score": 75})];
        let text = board_text(l, game, false, &rows, Some("b"));
        assert!(text.contains("1.   1:02  Olena\n") && text.contains("2.   1:15  Taras ← you\n"), "{text}");
        assert!(board_text(l, game, true, &[], None).contains("Be the first"));
    }

    #[test]
    fn a_secret_ends_with_enter_and_backspace_takes_a_letter_back() {
        let mut line = Vec::new();
        read_keys(&mut "пaї\u{7f}b\rx".as_bytes(), &mut line).unwrap();
        assert_eq!(String::from_utf8(line).unwrap(), "пab");
        assert!(read_keys(&mut &[3][..], &mut Vec::new()).is_err());
    }
}
