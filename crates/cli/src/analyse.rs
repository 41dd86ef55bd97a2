//! `fourfold analyse`: what every action is worth, and where a game was lost.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use clap::Args;
use fourfold::consulted::{self, Tell};
use game::{AnyBrain, AnyPosition, Event, Game, GameId, Match};
use locale::{Language, Names, line};
use rules::{Seat, Turn};
use search::{Limits, Mistake, Scored, Thought, Value};

use crate::failure::Failure;
use crate::play::words::{self, title};
use crate::play::{read_game, read_records, unreadable};
use crate::trouble;

/// Arguments of `fourfold analyse`.
#[derive(Debug, Args)]
pub(crate) struct AnalyseArguments {
    /// A record file, or a position text of the game named by --game.
    #[arg(value_name = "FILE|POSITION")]
    what: String,
    /// The game with its options, if a position is given; without it Quarto.
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Milliseconds for each position.
    #[arg(long, default_value_t = 1000, value_name = "MS")]
    time: u64,
    /// Megabytes for tables.
    #[arg(long, default_value_t = 256, value_name = "MB", value_parser = fourfold::value::megabytes)]
    hash: u32,
    /// A folder of Quixo tables: what they know is exact.
    #[arg(long, value_name = "DIR")]
    tablebase: Option<PathBuf>,
}

/// Analyses a position, or every game of a file.
pub(crate) fn run(arguments: &AnalyseArguments, language: Language) -> Result<(), Failure> {
    consulted::open(arguments.tablebase.as_deref(), language, Tell::AtOnce).map_err(Failure::new)?;
    let game = arguments.game.as_deref().map(|text| read_game(text, language)).transpose()?;
    let path = Path::new(&arguments.what);
    // Position texts have slashes and dots too, but none ends like a file of ours.
    if path.exists() || path.extension().is_some_and(|extension| extension == "fourfold") {
        return file(arguments, path, game.as_ref(), language);
    }
    let game = game.unwrap_or_else(|| Game::by_default(GameId::Quarto));
    let position = game.parse_position(&arguments.what).map_err(|problem| {
        Failure::new(language.error_no_file_no_position(
            &arguments.what,
            &game,
            locale::bad_position(language, &problem),
        ))
    })?;
    let seat = match position.turn() {
        Turn::Over(_) => return Err(Failure::new(language.error_position_over())),
        Turn::Chance => return Err(Failure::new(language.error_position_chance())),
        Turn::Seat(seat) => seat,
    };
    let names = Names::usual(language, game.id(), position.seats());
    let mut out = io::stdout().lock();
    writeln!(out, "{}", language.analysed_position(title(language, &game), names.seat(seat)))?;
    if let Some(thought) = think(game.brain().as_mut(), &[position], arguments) {
        write_actions(&mut out, &thought, language)?;
    }
    Ok(())
}

fn file(arguments: &AnalyseArguments, path: &Path, asked: Option<&Game>, language: Language) -> Result<(), Failure> {
    let records = read_records(path, language)?;
    for record in &records {
        let found = &record.settings().game;
        if let Some(asked) = asked.filter(|asked| *asked != found) {
            return Err(Failure::new(language.error_other_game(path.display(), found, asked)));
        }
    }
    let mut out = io::stdout().lock();
    for record in &records {
        let game =
            record.replay().map_err(|problem| unreadable(language, path, trouble::replay(language, &problem)))?;
        whole_game(&mut out, arguments, &game, language)?;
    }
    Ok(())
}

fn write_actions(out: &mut dyn Write, thought: &Thought<String>, language: Language) -> io::Result<()> {
    for Scored { action, value } in &thought.scored {
        writeln!(out, "{action:<12} {}", worth(language, *value))?;
    }
    writeln!(out, "{}", language.line_best(line(language, &thought.line)))
}

fn think(
    brain: &mut dyn AnyBrain,
    positions: &[Box<dyn AnyPosition>],
    arguments: &AnalyseArguments,
) -> Option<Thought<String>> {
    let began = Instant::now();
    let now = || began.elapsed();
    let limits = Limits {
        now: &now,
        deadline: Some(Duration::from_millis(arguments.time)),
        nodes: None,
        depth: None,
        stop: &AtomicBool::new(false),
        seed: 1,
        memory: (arguments.hash as usize) << 20,
    };
    brain.analyse(positions, &limits)
}

/// Goes through a game and names the actions that lost something.
fn whole_game(
    out: &mut dyn Write,
    arguments: &AnalyseArguments,
    game: &Match,
    language: Language,
) -> Result<(), Failure> {
    let setup = game.settings();
    let names = words::names(language, setup, &[]);
    let positions = game.positions();
    let mut brain = setup.game.brain();
    let actions = game.log().iter().filter_map(|entry| match &entry.event {
        Event::Action(action) => Some(action),
        _ => None,
    });
    let count = actions.clone().count() as u64;
    writeln!(out, "{}", language.analysed_game(title(language, &setup.game), count))?;
    let mut mistakes = 0;
    for (number, action) in actions.enumerate() {
        let Some(Turn::Seat(seat)) = positions.get(number).map(|position| position.turn()) else { continue };
        let Some(thought) = think(brain.as_mut(), &positions[..=number], arguments) else { continue };
        let Some(played) = thought.scored.iter().find(|scored| *scored.action == **action) else { continue };
        if let Some(mistake) = Mistake::between(thought.value, played.value) {
            mistakes += 1;
            writeln!(out, "{}", told(language, number + 1, seat, action, mistake, &thought, &names))?;
        }
    }
    if mistakes == 0 {
        writeln!(out, "{}", language.mistakes_none())?;
    }
    Ok(())
}

fn told(
    language: Language,
    number: usize,
    seat: Seat,
    action: &str,
    mistake: Mistake,
    thought: &Thought<String>,
    names: &Names,
) -> String {
    let what = match mistake {
        Mistake::WinToDraw => language.mistake_win_to_draw(),
        Mistake::WinToLoss => language.mistake_win_to_loss(),
        Mistake::DrawToLoss => language.mistake_draw_to_loss(),
        Mistake::MissedWin => language.mistake_missed_win(),
        Mistake::Loses => language.mistake_loses(),
        Mistake::Doubtful => language.mistake_doubtful(),
    };
    language.mistake_told(number, names.seat(seat), action, what, line(language, &thought.line))
}

/// What an action is worth, in words.
fn worth(language: Language, value: Value) -> String {
    match value {
        Value::Win(actions) => language.worth_win(actions.into()),
        Value::SureWin => language.worth_sure_win().to_owned(),
        Value::Draw => language.worth_draw().to_owned(),
        Value::SureLoss => language.worth_sure_loss().to_owned(),
        Value::Loss(actions) => language.worth_loss(actions.into()),
        Value::Estimate(score) => language.worth_estimate(format!("{:.0}", 100.0 * score)),
    }
}
