//! `fourfold bot`: any engine that speaks UGI, at a table of a server.

use std::time::Duration;

use clap::Args;
use client::{Answer, Connection, ConnectionError, Credential};
use game::Game;
use protocol::{Access, Command, EndCause, GameResult, Offer, Refusal, TableSpec};

use crate::arena::{Allowance, External};

/// Which engine plays where.
#[derive(Debug, Args)]
pub struct BotArguments {
    /// The server, such as `https://play.example.org`.
    #[arg(long, value_name = "URL")]
    server: String,
    /// The bot’s token, or the variable FOURFOLD_TOKEN; a person gets one from the server with POST /api/me/tokens.
    #[arg(long, value_name = "TOKEN", default_value = "")]
    token: String,
    /// The engine: a command that speaks UGI, such as 'fourfold ugi'.
    #[arg(long, value_name = "COMMAND")]
    engine: String,
    /// The table to sit down at; without it any open one of the game, or a new one.
    #[arg(long, value_name = "ID")]
    table: Option<String>,
    /// The game to look for an opponent in.
    #[arg(long, default_value = game::GameId::ALL[0].name())]
    game: String,
    /// The clock of the game to look for.
    #[arg(long, default_value = "turn=60")]
    clock: String,
    /// How long to think, in milliseconds.
    #[arg(long, default_value_t = 1000)]
    movetime: u64,
    /// How many games to play.
    #[arg(long, default_value_t = 1)]
    games: u32,
}

/// How long to wait before connecting once more.
const PAUSE: Duration = Duration::from_secs(2);
/// How often in a row the server may be away.
const PATIENCE: u32 = 30;

/// Plays until the games are played.
pub fn run(arguments: &BotArguments) -> Result<(), String> {
    if !["http://", "https://"].iter().any(|scheme| arguments.server.starts_with(scheme)) {
        return Err("the server's address begins with http:// or https://".to_owned());
    }
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    runtime.block_on(async {
        let token = Some(arguments.token.clone()).filter(|token| !token.is_empty());
        let token = token.or_else(|| std::env::var("FOURFOLD_TOKEN").ok()).ok_or("a token is needed: --token TOKEN")?;
        let pass = Credential::Token(token);
        let connected = Connection::connect(&arguments.server, pass).await;
        let mut remote = connected.map_err(|broken| match broken {
            ConnectionError::Closed(why) if why.contains("401") => "the server does not know this token".to_owned(),
            other => other.to_string(),
        })?;
        println!("{} is at {}", remote.me.name, arguments.server);
        for number in 1..=arguments.games {
            sit_down(arguments, &mut remote, number).await?;
            let (result, cause) = play(arguments, &mut remote).await?;
            println!("game {number}: {} by {}", result.word(), cause.word());
        }
        Ok(())
    })
}

async fn sit_down(arguments: &BotArguments, remote: &mut Connection, number: u32) -> Result<(), String> {
    let spec =
        TableSpec { clock: arguments.clock.clone(), access: Access::Open, ..TableSpec::new(arguments.game.as_str()) };
    let asks = match &arguments.table {
        Some(table) => vec![Command::Watch { table: table.clone(), seen: 0 }, Command::Sit { seat: None }],
        None => vec![Command::Pair(spec)],
    };
    for (step, what) in asks.into_iter().enumerate() {
        match remote.ask(&format!("sit{number}-{step}"), what).await.map_err(|broken| broken.to_string())? {
            Answer::Done { table: Some(table), .. } => println!("{}/t/{table}", arguments.server),
            Answer::Done { .. } => {}
            // Sitting there already, from before a break.
            Answer::Refused(Refusal::SeatTaken | Refusal::Begun)
                if remote.follower.as_ref().is_some_and(|f| f.seat().is_some()) => {}
            Answer::Refused(code) => return Err(code.sentence(locale::Language::English)),
        }
    }
    Ok(())
}

async fn play(arguments: &BotArguments, remote: &mut Connection) -> Result<(GameResult, EndCause), String> {
    let mut engine: Option<External> = None;
    let mut tries = 0;
    let mut asked = 0_u32;
    loop {
        let Some(follower) = &remote.follower else { return Err("no table is told".to_owned()) };
        if let Some(ended) = &follower.ended {
            return Ok(*ended);
        }
        let what = match answer(follower) {
            Some(what) => Some(what),
            None => action(arguments, follower, &mut engine)?,
        };
        asked += 1;
        let done = match what {
            Some(what) => remote.ask(&format!("b{asked}-{}", follower.seq), what).await.map(drop),
            None => remote.hear().await.map(drop),
        };
        match done {
            Ok(()) => tries = 0,
            Err(ConnectionError::Wrong(what)) => return Err(what),
            Err(ConnectionError::Closed(why)) if tries >= PATIENCE => return Err(why),
            Err(ConnectionError::Closed(_)) => {
                tries += 1;
                tokio::time::sleep(PAUSE).await;
                // If it does not work, the next round tries again.
                let _ = remote.reconnect(&arguments.server).await;
            }
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
    arguments: &BotArguments,
    follower: &session::Follower,
    engine: &mut Option<External>,
) -> Result<Option<Command>, String> {
    let Some(game) = &follower.game else { return Ok(None) };
    if game.to_act().is_none() || game.to_act() != follower.seat() {
        return Ok(None);
    }
    let engine = match engine {
        Some(engine) => engine,
        None => {
            let kind: Game = follower.table.game.parse().map_err(|problem| format!("{problem}"))?;
            engine.insert(External::start(&arguments.engine, &kind).map_err(|fault| format!("the engine {fault}"))?)
        }
    };
    let allowance = Allowance::of_time(Duration::from_millis(arguments.movetime));
    // In a game with hidden hands this is a position that looks the same to the bot; what is hidden is made up.
    let position = game.position().to_string();
    let action = engine.choose_at(&position, allowance).map_err(|fault| format!("the engine {fault}"))?;
    Ok(Some(Command::Act { action, at: game.log().len() as u32 }))
}
