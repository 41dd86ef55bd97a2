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

/// Takes any free seat at a table and waits until its match begins.
pub(crate) fn session(url: &str, language: Language) -> Result<Session, CliError> {
    // A server may take a while; the terminal should not look dead meanwhile.
    writeln!(std::io::stdout(), "{}: {url}", language.menu_online())?;
    open(&JoinArguments { url: url.to_owned(), seat: None, watch: false, plain: false }, language)
}

fn open(arguments: &JoinArguments, language: Language) -> Result<Session, CliError> {
    let (server, table) =
        read_address(&arguments.url).ok_or_else(|| CliError::wrong_use(language.join_bad_address(&arguments.url)))?;
    let link = Link::open(server, table);
    let (session, me) = sit_down(arguments, &link, language)?;
    Ok(Session::remote(RemoteTable::new(session, link, me, language), language))
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

/// Waits until the match at the table has begun; the session, and who this client is there.
fn sit_down(arguments: &JoinArguments, link: &Link, language: Language) -> Result<(RemoteSession, String), CliError> {
    let began = Instant::now();
    let mut me = String::new();
    let mut session: Option<RemoteSession> = None;
    let mut waiting_told = false;
    let (mut asked_to_sit, mut asked_to_start) = (false, false);
    loop {
        let event = link.wait(Duration::from_millis(200));
        match event {
            Some(LinkEvent::Refused { reason, command: None | Some(Command::Sit { .. }) }) => {
                return Err(CliError::new(reason.sentence(language)));
            }
            Some(LinkEvent::Message(tell)) => match (*tell, &mut session) {
                (ServerMessage::Welcome { you, .. }, _) => me = you.id,
                (ServerMessage::Table(info), None) => {
                    session = Some(RemoteSession::new(info, &me).map_err(|error| CliError::new(&error))?);
                }
                (tell, Some(session)) => drop(session.hear(&tell, began.elapsed())),
                _ => {}
            },
            _ => {}
        }
        let Some(known) = &session else {
            if began.elapsed() > PATIENCE {
                return Err(CliError::new(language.join_no_answer()));
            }
            continue;
        };
        if known.view().is_some() && known.is_current() {
            return session.map(|session| (session, me)).ok_or_else(|| CliError::new(language.join_no_answer()));
        }
        if known.is_waiting() && known.is_current() {
            let seated = known.follower().seat().is_some();
            if !seated && !arguments.watch && !asked_to_sit {
                link.send(Command::Sit { seat: arguments.seat });
                asked_to_sit = true;
            } else if known.free_seats() == 0 && seated && !asked_to_start {
                link.send(Command::Start {});
                asked_to_start = true;
            } else if known.free_seats() > 0 && (seated || arguments.watch) && !waiting_told {
                announce(known, &arguments.url, language)?;
                waiting_told = true;
            }
        }
    }
}

fn announce(session: &RemoteSession, url: &str, language: Language) -> Result<(), CliError> {
    let mut out = std::io::stdout();
    if let Ok(game) = session.follower().table.game.parse() {
        writeln!(out, "{}", words::title(language, &game))?;
    }
    writeln!(out, "{}", language.online_waiting_for(session.free_seats() as u64))?;
    writeln!(out, "{url}")?;
    Ok(())
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
