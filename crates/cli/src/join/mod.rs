//! `fourfold join`: a server's table in the terminal.

mod link;
mod table;

use std::io::Write;
use std::time::{Duration, Instant};

use clap::Args;
use locale::Language;
use protocol::{Command, ServerMessage};
use rules::Seat;
use session::{RemoteSession, words};

use crate::error::CliError;
use crate::play::{self, Session};
use link::{Link, LinkEvent};
pub(crate) use table::RemoteTable;

/// Which table, and how.
#[derive(Debug, Args)]
pub(crate) struct JoinArguments {
    /// The table's address, as the browser shows it: https://play.example.org/t/ID.
    #[arg(value_name = "URL")]
    url: String,
    /// The seat to take, from 1; without it any free one.
    #[arg(long, value_name = "SEAT")]
    seat: Option<Seat>,
    /// Only watch.
    #[arg(long, conflicts_with = "seat")]
    watch: bool,
    /// Line by line, for screen readers and pipes.
    #[arg(long)]
    plain: bool,
}

/// How long a server may take to show its table.
const PATIENCE: Duration = Duration::from_secs(20);

/// Takes a seat, waits until the match begins, and plays it.
pub(crate) fn run(arguments: &JoinArguments, language: Language) -> Result<(), CliError> {
    let session = open(arguments, language)?;
    play::run_session(session, arguments.plain, language)
}

fn open(arguments: &JoinArguments, language: Language) -> Result<Session, CliError> {
    let mut joining = Joining::new(&arguments.url, arguments.seat, arguments.watch, language)?;
    let mut told = Vec::new();
    while !joining.poll(Duration::from_millis(200))? {
        let lines = joining.waiting_for();
        if lines != told {
            let mut out = std::io::stdout();
            lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
            told = lines;
        }
    }
    joining.session()
}

/// The server and the table of an address: `https://host/t/ID`, with `#/` before `t` in older links.
fn read_address(url: &str) -> Option<(String, String)> {
    let url = url.trim().replace("/#/", "/");
    let (server, table) = url.rsplit_once("/t/")?;
    let known = ["http://", "https://"].iter().any(|scheme| server.starts_with(scheme));
    let table = table.trim_end_matches('/');
    let is_id =
        !table.is_empty() && table.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter));
    (known && is_id).then(|| (server.to_owned(), table.to_owned()))
}

/// A client on its way to a table: it connects, takes a seat and waits until the match begins.
pub(crate) struct Joining {
    url: String,
    server: String,
    seat: Option<Seat>,
    watch: bool,
    language: Language,
    link: Link,
    began: Instant,
    /// Who this client is to the server.
    me: String,
    session: Option<RemoteSession>,
    asked_to_sit: bool,
    asked_to_start: bool,
}

impl Joining {
    /// Connects in order to take any free seat.
    pub(crate) fn at(url: &str, language: Language) -> Result<Joining, CliError> {
        Joining::new(url, None, false, language)
    }

    fn new(url: &str, seat: Option<Seat>, watch: bool, language: Language) -> Result<Joining, CliError> {
        let (server, table) = read_address(url).ok_or_else(|| CliError::wrong_use(language.join_bad_address(url)))?;
        Ok(Joining {
            url: url.to_owned(),
            server: server.clone(),
            seat,
            watch,
            language,
            link: Link::open(server, table),
            began: Instant::now(),
            me: String::new(),
            session: None,
            asked_to_sit: false,
            asked_to_start: false,
        })
    }

    /// Takes in what the server says, waiting for it this long at most; `true` once the match has begun.
    pub(crate) fn poll(&mut self, most: Duration) -> Result<bool, CliError> {
        match self.link.wait(most) {
            Some(LinkEvent::Refused { reason, command: None | Some(Command::Sit { .. }) }) => {
                return Err(CliError::new(reason.sentence(self.language)));
            }
            Some(LinkEvent::Message(tell)) => match (*tell, &mut self.session) {
                (ServerMessage::Welcome { you, .. }, _) => self.me = you.id,
                (ServerMessage::Table(info), None) => {
                    self.session = Some(RemoteSession::new(info, &self.me).map_err(|error| CliError::new(&error))?);
                }
                (tell, Some(session)) => drop(session.receive(&tell, self.began.elapsed())),
                _ => {}
            },
            // A server that has answered before may come back; one that never has is more likely another address.
            Some(LinkEvent::Disconnected) if self.me.is_empty() => return Err(self.no_answer()),
            _ => {}
        }
        let Some(known) = &self.session else {
            return if self.began.elapsed() > PATIENCE { Err(self.no_answer()) } else { Ok(false) };
        };
        if known.view().is_some() && known.is_current() {
            return Ok(true);
        }
        if known.is_waiting() && known.is_current() {
            let seated = known.follower().seat().is_some();
            if !seated && !self.watch && !self.asked_to_sit {
                self.link.send(Command::Sit { seat: self.seat });
                self.asked_to_sit = true;
            } else if known.free_seats() == 0 && seated && !self.asked_to_start {
                self.link.send(Command::Start {});
                self.asked_to_start = true;
            }
        }
        Ok(false)
    }

    fn no_answer(&self) -> CliError {
        CliError::new(self.language.join_no_answer(&self.server))
    }

    /// The server while it is silent; then the table and which seats it waits for.
    pub(crate) fn waiting_for(&self) -> Vec<String> {
        let Some(known) = &self.session else { return vec![self.language.join_connecting(&self.server)] };
        if !(known.is_waiting() && known.is_current()) {
            return Vec::new();
        }
        let seated = known.follower().seat().is_some();
        if known.free_seats() == 0 || !(seated || self.watch) {
            return Vec::new();
        }
        let title = known.follower().table.game.parse().ok().map(|game| words::title(self.language, &game));
        let seats = self.language.online_waiting_for(known.free_seats() as u64);
        title.into_iter().chain([seats, self.url.clone()]).collect()
    }

    /// Gives up waiting; a seat that was taken is free again.
    pub(crate) fn give_up(self) {
        if self.asked_to_sit {
            self.link.send(Command::Stand {});
        }
    }

    /// The match that has begun.
    pub(crate) fn session(self) -> Result<Session, CliError> {
        let session = self.session.ok_or_else(|| CliError::new(self.language.join_no_answer(&self.server)))?;
        Ok(Session::remote(RemoteTable::new(session, self.link, self.me, self.language), self.language))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_browsers_show_them() {
        let read = |url: &str| read_address(url);
        let expected = Some(("https://play.example.org".to_owned(), "Ab3-_x".to_owned()));
        assert_eq!(read("https://play.example.org/t/Ab3-_x"), expected);
        assert_eq!(read("https://play.example.org/#/t/Ab3-_x/"), expected);
        assert_eq!(read("http://127.0.0.1:8080/t/1").unwrap().0, "http://127.0.0.1:8080");
        for bad in ["play.example.org/t/1", "https://play.example.org", "https://play.example.org/t/", "ftp://x/t/1"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
