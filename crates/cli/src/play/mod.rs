//! `fourfold play`, and the menu that opens without a command.

mod arguments;
mod command;
pub(crate) mod help;
mod local;
pub(crate) mod plain;
mod reviewer;
mod save;
mod searcher;
mod table;

use std::io::{self, IsTerminal};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use fourfold::tablebase_bridge;
use game::{Match, MatchSettings};
use locale::Language;
use search::Knowledge;
use session::Pace;

use crate::error::CliError;
use crate::tui::{self, Start};
pub(crate) use arguments::{PlayArguments, any_seed, earlier_games, read_game};
pub(crate) use command::{Command, on_latin_keys};
pub(crate) use reviewer::Reviewer;
pub(crate) use save::{SaveFile, games_folder, kept_games, newest_unfinished, read_records, today, unreadable};
pub(crate) use table::Session;

/// On a screen a bot's action can be followed when it comes no sooner than this.
const PACE: Pace = Pace { bot: Duration::from_millis(700), ..Pace::NONE };

/// Goes straight into a game.
pub(crate) fn run(arguments: &PlayArguments, language: Language) -> Result<(), CliError> {
    // While the game has the screen, damage to the tables is kept for later.
    let damage: Arc<OnceLock<String>> = Arc::default();
    let found = Arc::clone(&damage);
    let report = Box::new(move |damage| drop(found.set(damage)));
    let knowledge = tablebase_bridge::open(arguments.tablebase.as_deref(), language, report).map_err(CliError::new)?;
    let plain = arguments.plain || !on_terminal();
    let pace = if plain { Pace::NONE } else { PACE };
    let (game, save) = arguments.sit_down(language)?;
    let session = Session::new(game, language, arguments.seed(), pace, save, knowledge);
    let played = run_session(session, plain, language);
    if let Some(damage) = damage.get() {
        eprintln!("fourfold: {damage}");
    }
    played
}

/// Plays a match on the whole screen, or line by line where that is asked for or there is no screen.
pub(crate) fn run_session(session: Session, plain: bool, language: Language) -> Result<(), CliError> {
    if plain || !on_terminal() {
        return plain::run(session, io::BufReader::new(io::stdin()), io::stdout().lock());
    }
    full_screen(Start::Game(Box::new(session)), language)
}

/// Opens the menu.
pub(crate) fn menu(language: Language) -> Result<(), CliError> {
    if !on_terminal() {
        return Err(CliError::wrong_use(language.error_no_terminal_for_menu()));
    }
    full_screen(Start::Menu, language)
}

/// Sits down at a new game that is kept automatically.
pub(crate) fn new_session(mut setup: MatchSettings, language: Language) -> Option<Session> {
    setup.date = today();
    let save = SaveFile::automatic(&setup.game, language);
    let game = Match::new(setup).ok()?;
    Some(Session::new(game, language, arguments::any_seed(), PACE, save, Knowledge::default()))
}

/// Goes on with a game that was kept.
pub(crate) fn old_session((game, save): (Match, SaveFile), language: Language) -> Session {
    Session::new(game, language, arguments::any_seed(), PACE, save, Knowledge::default())
}

fn full_screen(start: Start, language: Language) -> Result<(), CliError> {
    let kept = tui::run(start, language)?;
    if let Some(kept) = kept {
        println!("{}", language.saved(kept));
    }
    Ok(())
}

fn on_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// The language asked for, or that of the environment.
pub(crate) fn language(asked: Option<&str>) -> Result<Language, CliError> {
    let set = |name: &str| std::env::var(name).ok();
    let (all, messages, lang) = (set("LC_ALL"), set("LC_MESSAGES"), set("LANG"));
    let usual = Language::from_env_texts([all.as_deref(), messages.as_deref(), lang.as_deref()]);
    match asked {
        None => Ok(usual),
        Some(text) => text.parse().map_err(|_| CliError::wrong_use(usual.error_bad_language(text))),
    }
}
