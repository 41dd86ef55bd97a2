//! `fourfold bot`: any engine that speaks UGI, at tables of a server.

mod settings;

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use client::{Answer, Connection, ConnectionError, Credential};
use game::{Event, Game, Match};
use protocol::{Access, Command, EndCause, GameResult, Offer, Refusal, ServerMessage, TableSpec};
use rules::{Seat, Viewer};

use crate::arena::{Allowance, External, Seen};
use crate::value::WrongUse;
pub use settings::BotArguments;
use settings::Settings;

/// The pauses between attempts to connect begin here and double up to [`LONGEST_PAUSE`].
const PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Plays until the games are played; a server that is away is waited for.
pub fn run(arguments: &BotArguments) -> Result<(), Box<dyn Error>> {
    let settings = Arc::new(arguments.settings().map_err(WrongUse)?);
    // Before anybody waits for it at a table.
    for game in &settings.play {
        External::start(&settings.engine, game).map_err(|fault| format!("the engine {fault}"))?;
    }
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let begun = Arc::new(AtomicU32::new(0));
        let players = (0..settings.concurrency)
            .map(|_| tokio::spawn(play_games(Arc::clone(&settings), Arc::clone(&begun))))
            .collect::<Vec<_>>();
        for player in players {
            player.await??;
        }
        Ok(())
    })
}

/// One game after another on a connection of its own.
async fn play_games(settings: Arc<Settings>, begun: Arc<AtomicU32>) -> Result<(), String> {
    let mut remote = connect(&settings).await?;
    println!("{} is at {}", remote.me.name, settings.server);
    loop {
        let number = begun.fetch_add(1, Ordering::Relaxed);
        if settings.games.is_some_and(|games| number >= games) {
            return Ok(());
        }
        while let Err(problem) = sit_down(&settings, &mut remote, number).await {
            mend(&settings, &mut remote, problem).await?;
        }
        let (result, cause) = play(&settings, &mut remote).await?;
        println!("game {}: {} by {}", number + 1, result.word(), cause.word());
        remote.follower = None;
    }
}

/// Connects, however long the server is away; only a token that it does not know is final.
async fn connect(settings: &Settings) -> Result<Connection, String> {
    let mut pause = PAUSE;
    loop {
        match Connection::connect(&settings.server, Credential::Token(settings.token.clone())).await {
            Ok(remote) => return Ok(remote),
            Err(ConnectionError::Impossible(obstacle)) => return Err(format!("{}: {obstacle}", settings.server)),
            Err(problem) => wait(&mut pause, &problem).await,
        }
    }
}

async fn wait(pause: &mut Duration, problem: &ConnectionError) {
    eprintln!("fourfold: {problem}; trying again in {} s", pause.as_secs());
    tokio::time::sleep(*pause).await;
    *pause = (*pause * 2).min(LONGEST_PAUSE);
}

/// Comes back after a break; anything but a break is final.
async fn mend(settings: &Settings, remote: &mut Connection, problem: Problem) -> Result<(), String> {
    let mut broken = match problem {
        Problem::Connection(broken @ ConnectionError::Closed(_)) => broken,
        Problem::Connection(ConnectionError::Impossible(obstacle)) => return Err(obstacle.to_string()),
        Problem::Connection(ConnectionError::Wrong(what)) | Problem::Final(what) => return Err(what),
    };
    let mut pause = PAUSE;
    loop {
        wait(&mut pause, &broken).await;
        match remote.reconnect(&settings.server).await {
            Ok(()) => return Ok(()),
            Err(again) => broken = again,
        }
    }
}

/// Why a step could not be taken.
enum Problem {
    Connection(ConnectionError),
    Final(String),
}

impl From<ConnectionError> for Problem {
    fn from(broken: ConnectionError) -> Problem {
        Problem::Connection(broken)
    }
}

async fn sit_down(settings: &Settings, remote: &mut Connection, number: u32) -> Result<(), Problem> {
    let at = |count: usize| number as usize % count.max(1);
    let game = settings.play[at(settings.play.len())].to_string();
    let clock = settings.clocks[at(settings.clocks.len())].clone();
    let table = match &settings.table {
        Some(table) => Some(table.clone()),
        None if settings.opponents.is_empty() => None,
        None => Some(table_of_opponent(settings, remote).await?),
    };
    let asks = match table {
        Some(table) => vec![Command::Watch { table, seen: 0 }, Command::Sit { seat: None }],
        None => vec![Command::Pair(TableSpec { clock, access: Access::Open, ..TableSpec::new(game) })],
    };
    for (step, what) in asks.into_iter().enumerate() {
        match remote.ask(&format!("sit{number}-{step}"), what).await? {
            Answer::Done { table: Some(table), .. } => println!("{}/t/{table}", settings.server),
            Answer::Done { .. } => {}
            // Sitting there already, from before a break.
            Answer::Refused(Refusal::SeatTaken | Refusal::Begun)
                if remote.follower.as_ref().is_some_and(|f| f.seat().is_some()) => {}
            // Another player was faster: the next table may be free.
            Answer::Refused(Refusal::SeatTaken | Refusal::Begun) if !settings.opponents.is_empty() => {
                return Err(Problem::Connection(ConnectionError::Closed("the seat was taken".to_owned())));
            }
            Answer::Refused(code) => return Err(Problem::Final(code.sentence(locale::Language::English))),
        }
    }
    Ok(())
}

/// Waits in the lobby for an open table where only accepted players sit.
async fn table_of_opponent(settings: &Settings, remote: &mut Connection) -> Result<String, Problem> {
    remote.send("lobby", Command::Lobby {}).await?;
    loop {
        let ServerMessage::Lobby { tables } = remote.receive().await? else { continue };
        let fits = |table: &&protocol::LobbyTable| {
            let mut sitting = table.seats.iter().flatten().peekable();
            table.free() > 0
                && sitting.peek().is_some()
                && sitting.all(|name| settings.opponents.contains(name))
                && settings.play.iter().any(|game| game.to_string() == table.game)
                && settings.clocks.contains(&table.clock)
        };
        if let Some(table) = tables.iter().find(fits) {
            return Ok(table.id.clone());
        }
    }
}

async fn play(settings: &Settings, remote: &mut Connection) -> Result<(GameResult, EndCause), String> {
    let mut engine: Option<External> = None;
    let mut asked = 0_u32;
    loop {
        let Some(follower) = &remote.follower else { return Err("no table is told".to_owned()) };
        if let Some(ended) = &follower.ended {
            return Ok(*ended);
        }
        let what = match answer(follower) {
            Some(what) => Some(what),
            None => action(settings, follower, &mut engine)?,
        };
        asked += 1;
        let done = match what {
            Some(what) => remote.ask(&format!("b{asked}-{}", follower.seq), what).await.map(drop),
            None => remote.receive().await.map(drop),
        };
        if let Err(broken) = done {
            mend(settings, remote, broken.into()).await?;
        }
    }
}

/// A bot grants every takeback and no draw.
fn answer(follower: &session::Follower) -> Option<Command> {
    let (offer, agreed) = follower.offer.as_ref()?;
    if follower.seat().is_some_and(|seat| agreed.contains(&seat)) {
        return None;
    }
    Some(if *offer == Offer::Takeback { Command::Agree { offer: *offer } } else { Command::Decline { offer: *offer } })
}

/// What the engine plays, if it is its turn.
fn action(
    settings: &Settings,
    follower: &session::Follower,
    engine: &mut Option<External>,
) -> Result<Option<Command>, String> {
    let Some(game) = &follower.game else { return Ok(None) };
    let Some(seat) = game.to_act().filter(|seat| follower.seat() == Some(*seat)) else { return Ok(None) };
    let engine = match engine {
        Some(engine) => engine,
        None => {
            let kind: Game = follower.table.game.parse().map_err(|problem| format!("{problem}"))?;
            engine.insert(External::start(&settings.engine, &kind).map_err(|fault| format!("the engine {fault}"))?)
        }
    };
    let allowance = Allowance::of_time(settings.movetime);
    let seen = seen_by(game, seat);
    // Other games go on meanwhile.
    let chosen = tokio::task::block_in_place(|| engine.choose_after(&seen, allowance));
    let action = chosen.map_err(|fault| format!("the engine {fault}"))?;
    Ok(Some(Command::Act { action, at: game.log().len() as u32 }))
}

/// What a seat saw of a match from its start on.
fn seen_by(game: &Match, seat: Seat) -> Seen<'_> {
    let viewer = Viewer::Seat(seat);
    let action = |event: Event| match event {
        Event::Action(action) => Some(action.into()),
        // A seat that is out is passed over, which no action says.
        _ => None,
    };
    // A match that is followed from a seat holds what the seat saw.
    let is_followed = game.viewer() == Some(viewer);
    let logged = || game.log().iter().map(|entry| entry.event.clone()).collect();
    let events: Vec<Event> = if is_followed { logged() } else { game.seen_events(viewer) };
    Seen {
        seat,
        start: game.settings().start.as_deref(),
        actions: events.into_iter().map(action).collect(),
        hides: game.position().hides(),
        view: game.position().view_text(viewer),
    }
}

#[cfg(test)]
mod tests {
    use client::Obstacle;
    use game::{Departure, Entry, MatchSettings};
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;

    /// What an attempt to connect says where a server answers every connection with this.
    async fn answered(scheme: &str, answer: &'static str) -> ConnectionError {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("{scheme}://{}", listener.local_addr().unwrap());
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut request = [0; 1024];
                let _ = stream.read(&mut request).await;
                let _ = stream.write_all(answer.as_bytes()).await;
            }
        });
        refused(&address).await
    }

    async fn refused(address: &str) -> ConnectionError {
        Connection::connect(address, Credential::Token("secret".to_owned())).await.err().unwrap()
    }

    #[tokio::test]
    async fn only_what_can_pass_is_waited_for() {
        let status = |line| async move { answered("http", line).await };
        let impossible = ConnectionError::Impossible;
        assert_eq!(status("HTTP/1.1 401 Unauthorized\r\n\r\n").await, impossible(Obstacle::UnknownToken));
        assert_eq!(status("HTTP/1.1 404 Not Found\r\n\r\n").await, impossible(Obstacle::OtherServer));
        assert_eq!(answered("https", "HTTP/1.1 400 Bad Request\r\n\r\n").await, impossible(Obstacle::NoTls));
        assert_eq!(refused("http://play example.org").await, impossible(Obstacle::BadAddress));
        let unavailable = status("HTTP/1.1 503 Service Unavailable\r\n\r\n").await;
        assert!(matches!(unavailable, ConnectionError::Closed(_)), "{unavailable:?}");
        // No program listens on the port of a listener that is gone.
        let gone = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
        assert!(matches!(refused(&format!("http://{gone}")).await, ConnectionError::Closed(_)));
    }

    #[test]
    fn an_engine_is_told_all_that_its_seat_saw() {
        let viewer = Viewer::Seat(Seat::ONE);
        let mut game = Match::seen_by(MatchSettings::new("sequence".parse().unwrap()), viewer).unwrap();
        let events = ["draw:cat", "draw:?", "draw:fox", "draw:?", "draw:owl", "draw:?", "cat@a2", "draw:cow"];
        for event in events {
            game.replay(Entry::new(event.into())).unwrap();
        }
        let seen = seen_by(&game, Seat::ONE);
        assert_eq!(seen.actions.unwrap(), events);
        assert!(seen.hides && seen.view.contains("?+?+?"), "{}", seen.view);
    }

    #[test]
    fn a_seat_that_went_out_leaves_the_view_to_tell() {
        let mut game = Match::new(MatchSettings::new("quixo".parse().unwrap())).unwrap();
        game.replay(Entry::new("a3e3".into())).unwrap();
        assert_eq!(seen_by(&game, Seat::TWO).actions.unwrap(), ["a3e3"]);
        game.replay(Entry::new(Event::Out(Seat::ONE, Departure::Resigned))).unwrap();
        assert_eq!(seen_by(&game, Seat::TWO).actions, None);
    }
}
