//! What a bot plays: from the command line, or from a file.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use game::{ClockRule, Game};
use serde::Deserialize;

/// Which engine plays where.
#[derive(Debug, Args)]
pub struct BotArguments {
    /// The server, such as `https://play.example.org`.
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// The bot’s token, or the variable FOURFOLD_TOKEN; a person gets one from the server with POST /api/me/tokens.
    #[arg(long, value_name = "TOKEN", default_value = "")]
    token: String,
    /// The engine: a command that speaks UGI, such as 'fourfold ugi'.
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
    /// A file of settings (TOML): server, engine, play, clocks, opponents, games, concurrency, movetime.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The table to sit down at; without it any open one of the game, or a new one.
    #[arg(long, value_name = "ID", conflicts_with = "opponent")]
    table: Option<String>,
    /// A game to look for an opponent in; may be given several times.
    #[arg(long = "game", value_name = "GAME")]
    play: Vec<String>,
    /// A clock of the games to look for; may be given several times.
    #[arg(long = "clock", value_name = "CLOCK")]
    clocks: Vec<String>,
    /// Play only at open tables of this player; may be given several times.
    #[arg(long, value_name = "NAME")]
    opponent: Vec<String>,
    /// How long to think, in milliseconds.
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// How many games to play; 0 for no end.
    #[arg(long, value_name = "N")]
    games: Option<u32>,
    /// How many games to play at the same time.
    #[arg(long, value_name = "N")]
    concurrency: Option<u32>,
}

/// The settings as a file has them; each may be left out.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct File {
    server: Option<String>,
    engine: Option<String>,
    play: Vec<String>,
    clocks: Vec<String>,
    opponents: Vec<String>,
    games: Option<u32>,
    concurrency: Option<u32>,
    movetime: Option<u64>,
}

/// What a bot plays.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) server: String,
    pub(super) token: String,
    pub(super) engine: String,
    pub(super) table: Option<String>,
    /// Tried one after another.
    pub(super) play: Vec<Game>,
    /// Tried one after another, as in a record.
    pub(super) clocks: Vec<String>,
    /// Empty for everybody.
    pub(super) opponents: Vec<String>,
    /// `None` for no end.
    pub(super) games: Option<u32>,
    pub(super) concurrency: u32,
    pub(super) movetime: Duration,
}

impl BotArguments {
    /// The settings of the file, with what the command line says instead.
    pub(super) fn settings(&self) -> Result<Settings, String> {
        let file = self.config.as_deref().map(read).transpose()?.unwrap_or_default();
        let missing = |name: &str| format!("missing setting: {name}");
        let server = self.server.clone().or(file.server).ok_or_else(|| missing("server"))?;
        if !["http://", "https://"].iter().any(|scheme| server.starts_with(scheme)) {
            return Err("the server's address begins with http:// or https://".to_owned());
        }
        let token = Some(self.token.clone()).filter(|token| !token.is_empty());
        let token = token.or_else(|| std::env::var("FOURFOLD_TOKEN").ok()).ok_or("a token is needed: --token TOKEN")?;
        let either = |given: &[String], file: Vec<String>, usual: &str| match (given, file) {
            ([], file) if file.is_empty() => vec![usual.to_owned()],
            ([], file) => file,
            (given, _) => given.to_vec(),
        };
        let play = either(&self.play, file.play, game::GameId::ALL[0].name());
        let clocks = either(&self.clocks, file.clocks, "turn=60");
        if let Some(bad) = clocks.iter().find(|clock| clock.parse::<ClockRule>().is_err()) {
            return Err(format!("not a clock: {bad}; possible are none, turn=60, fischer=300+5 and delay=300+5"));
        }
        let concurrency = self.concurrency.or(file.concurrency).unwrap_or(1);
        if concurrency == 0 || self.table.is_some() && concurrency > 1 {
            return Err("concurrency must be at least 1, and 1 at a table of your choice".to_owned());
        }
        Ok(Settings {
            server: server.trim_end_matches('/').to_owned(),
            token,
            engine: self.engine.clone().or(file.engine).ok_or_else(|| missing("engine"))?,
            table: self.table.clone(),
            play: play
                .iter()
                .map(|game| game.parse())
                .collect::<Result<_, _>>()
                .map_err(|bad: game::BadGame| bad.to_string())?,
            clocks,
            opponents: if self.opponent.is_empty() { file.opponents } else { self.opponent.clone() },
            games: Some(self.games.or(file.games).unwrap_or(1)).filter(|games| *games > 0),
            concurrency,
            movetime: Duration::from_millis(self.movetime.or(file.movetime).unwrap_or(1000)),
        })
    }
}

fn read(path: &Path) -> Result<File, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    toml::from_str(&text).map_err(|error: toml::de::Error| {
        let before = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = text.as_bytes()[..before].iter().filter(|byte| **byte == b'\n').count() + 1;
        format!("{}, line {line}: {}", path.display(), error.message().replace('\n', " "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(config: Option<PathBuf>) -> BotArguments {
        BotArguments {
            server: None,
            token: "secret".to_owned(),
            engine: Some("engine".to_owned()),
            config,
            table: None,
            play: Vec::new(),
            clocks: Vec::new(),
            opponent: Vec::new(),
            movetime: None,
            games: None,
            concurrency: None,
        }
    }

    #[test]
    fn the_command_line_overrides_the_file() {
        let path = std::env::temp_dir().join(format!("fourfold-bot-{}.toml", std::process::id()));
        let text = "server = \"https://play.example.org/\"\nplay = [\"quixo\", \"four(size=9)\"]\nclocks = [\"turn=30\"]\n\
                    opponents = [\"Olena\"]\ngames = 0\nconcurrency = 3\n";
        std::fs::write(&path, text).unwrap();
        let settings = arguments(Some(path.clone())).settings().unwrap();
        assert_eq!(
            (settings.server.as_str(), settings.games, settings.concurrency),
            ("https://play.example.org", None, 3)
        );
        assert_eq!((settings.play.len(), settings.clocks[0].as_str(), settings.opponents.len()), (2, "turn=30", 1));
        let given = BotArguments { games: Some(5), play: vec!["quarto".to_owned()], ..arguments(Some(path.clone())) };
        let settings = given.settings().unwrap();
        assert_eq!((settings.games, settings.play[0].to_string().as_str()), (Some(5), "quarto"));
        for bad in ["speed = 3\n", "clocks = [\"fast\"]\n", "play = [\"chess\"]\n", "concurrency = 0\n"] {
            std::fs::write(&path, format!("server = \"https://x\"\n{bad}")).unwrap();
            assert!(arguments(Some(path.clone())).settings().is_err(), "{bad}");
        }
        std::fs::write(&path, "server = \"https://x\"\nspeed = 3\n").unwrap();
        let problem = arguments(Some(path.clone())).settings().unwrap_err();
        assert!(problem.contains(", line 2: unknown field `speed`, expected one of") && problem.lines().count() == 1);
        std::fs::remove_file(path).unwrap();
        assert!(arguments(None).settings().unwrap_err().contains("server"));
    }
}
