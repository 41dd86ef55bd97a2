//! `fourfold analyse`: what every action is worth, and where a game was lost.

mod annotate;
mod json;
mod text;

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use fourfold::tablebase_bridge;
use game::{AnyBot, AnyPosition, Game, GameId, Match};
use locale::Language;
use rules::{BadPosition, Seat, Turn, Viewer};
use search::{Knowledge, Limits, Review, SearchResult, review};

use crate::error::CliError;
use crate::error_text;
use crate::play::{read_game, read_records, unreadable};

/// Arguments of `fourfold analyse`.
#[derive(Debug, Args)]
pub(crate) struct AnalyseArguments {
    /// A record file, a position text of the game named by --game, or - for positions from standard input.
    #[arg(value_name = "FILE|POSITION|-")]
    what: String,
    /// The game with its options, if positions are given; default: quarto.
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
    /// Prints one JSON object for each position or game.
    #[arg(long, conflicts_with = "annotate")]
    json: bool,
    /// Prints games as records with evaluations, marks and better lines.
    #[arg(long)]
    annotate: bool,
}

/// How results are written.
#[derive(Clone, Copy)]
enum Form {
    Text,
    Json,
    Annotated,
}

/// One run of the command.
struct Analysis<'a> {
    arguments: &'a AnalyseArguments,
    knowledge: Knowledge,
    form: Form,
    language: Language,
}

/// Analyses a position, many positions, or every game of a file.
pub(crate) fn run(arguments: &AnalyseArguments, language: Language) -> Result<(), CliError> {
    let damage = tablebase_bridge::to_stderr();
    let knowledge = tablebase_bridge::open(arguments.tablebase.as_deref(), language, damage).map_err(CliError::new)?;
    let form = match (arguments.json, arguments.annotate) {
        (true, _) => Form::Json,
        (_, true) => Form::Annotated,
        _ => Form::Text,
    };
    let analysis = Analysis { arguments, knowledge, form, language };
    let asked = arguments.game.as_deref().map(|text| read_game(text, language)).transpose()?;
    let path = Path::new(&arguments.what);
    // Position texts have slashes and dots too, but none ends like a file of ours.
    if path.exists() || path.extension().is_some_and(|extension| extension == "fourfold") {
        return analysis.file(path, asked.as_ref());
    }
    let game = asked.unwrap_or_else(|| Game::by_default(GameId::ALL[0]));
    let mut bot = game.bot_with(&analysis.knowledge);
    if arguments.what == "-" {
        return analysis.positions(&game, bot.as_mut(), io::stdin().lock());
    }
    let question = Question::read(&game, &arguments.what).map_err(|problem| {
        let problem = locale::bad_position(language, &problem);
        CliError::wrong_use(language.error_no_file_no_position(&arguments.what, &game, problem))
    })?;
    analysis.position(question, bot.as_mut())
}

/// A position to analyse.
struct Question {
    /// What is hidden from the viewer is made up.
    position: Box<dyn AnyPosition>,
    /// Whose view the text was; `None` for full knowledge.
    known_to: Option<Viewer>,
}

impl Question {
    fn read(game: &Game, text: &str) -> Result<Question, BadPosition> {
        game.parse_view(text).map(|(position, known_to)| Question { position, known_to })
    }

    /// The position as it was asked about.
    fn text(&self) -> String {
        self.known_to.map_or_else(|| self.position.to_string(), |viewer| self.position.view_text(viewer))
    }
}

impl Analysis<'_> {
    /// Analyses one position on each line; empty lines are passed over. A line that cannot be analysed is reported and makes
    /// the command fail at the end, so that one of them does not cost the answers to the others.
    fn positions(&self, game: &Game, bot: &mut dyn AnyBot, lines: impl BufRead) -> Result<(), CliError> {
        let mut refused = 0;
        for (number, line) in (1..).zip(lines.lines()) {
            let line = line?;
            if line.trim().is_empty() {
                continue;
            }
            let question = Question::read(game, line.trim());
            let question = question.map_err(|problem| CliError::new(locale::bad_position(self.language, &problem)));
            match question.and_then(|question| self.seat_to_act(&question).map(|_| question)) {
                Ok(question) => self.position(question, bot)?,
                Err(problem) => {
                    CliError::new(format!("{number}: {problem}")).report();
                    refused += 1;
                }
            }
        }
        if refused > 0 { Err(CliError::new(self.language.error_lines_refused(refused))) } else { Ok(()) }
    }

    fn position(&self, question: Question, bot: &mut dyn AnyBot) -> Result<(), CliError> {
        let seat = self.seat_to_act(&question)?;
        let text = question.text();
        let positions = [question.position];
        let Some(result) = self.think(bot, &positions) else { return Ok(()) };
        let mut out = io::stdout().lock();
        match self.form {
            Form::Json => writeln!(out, "{}", json::position(&positions[0].game(), &text, seat, &result))?,
            Form::Text | Form::Annotated => {
                text::position(&mut out, positions[0].as_ref(), seat, &result, self.language)?;
            }
        }
        Ok(())
    }

    fn seat_to_act(&self, question: &Question) -> Result<Seat, CliError> {
        match question.position.turn() {
            Turn::Over(_) => Err(CliError::wrong_use(self.language.error_position_over())),
            Turn::Chance => Err(CliError::wrong_use(self.language.error_position_chance())),
            Turn::Seat(seat) if question.known_to.is_some_and(|viewer| viewer != Viewer::Seat(seat)) => {
                Err(CliError::wrong_use(self.language.error_hand_hidden(seat)))
            }
            Turn::Seat(seat) => Ok(seat),
        }
    }

    fn file(&self, path: &Path, asked: Option<&Game>) -> Result<(), CliError> {
        let language = self.language;
        let records = read_records(path, language)?;
        for record in &records {
            let found = &record.settings().game;
            if let Some(asked) = asked.filter(|asked| *asked != found) {
                return Err(CliError::wrong_use(language.error_other_game(path.display(), found, asked)));
            }
        }
        for (number, record) in records.iter().enumerate() {
            let refused = |problem| unreadable(language, path, error_text::replay(language, &problem));
            let game = record.replay().map_err(refused)?;
            let review = self.review(&game);
            let mut out = io::stdout().lock();
            match self.form {
                Form::Text => text::game(&mut out, &game, &review, language)?,
                Form::Json => writeln!(out, "{}", json::game(&game, &review))?,
                Form::Annotated => {
                    let gap = if number > 0 { "\n" } else { "" };
                    // Of a game that goes on, no hand is shown.
                    write!(out, "{gap}{}", annotate::record(&game, &review, language).sealed())?;
                }
            }
        }
        Ok(())
    }

    fn review(&self, game: &Match) -> Review<String> {
        let positions = game.positions();
        let mut bot = game.settings().game.bot_with(&self.knowledge);
        let steps = game.review_steps();
        let (mut done, all) = (0, steps.len());
        let review = review(steps, |step| {
            show_progress(done, all);
            done += 1;
            self.think(bot.as_mut(), &positions[..=step.ply])
        });
        show_progress(done, all);
        review
    }

    fn think(&self, bot: &mut dyn AnyBot, positions: &[Box<dyn AnyPosition>]) -> Option<SearchResult<String>> {
        let began = Instant::now();
        let now = || began.elapsed();
        let time = Duration::from_millis(self.arguments.time);
        bot.analyse(
            positions,
            &Limits::until(&now, time).with_seed(1).with_memory((self.arguments.hash as usize) << 20),
        )
    }
}

/// A bar on standard error while a person looks on; it is gone when all is done.
fn show_progress(done: usize, all: usize) {
    const WIDTH: usize = 30;
    let mut out = io::stderr();
    if !out.is_terminal() || all == 0 {
        return;
    }
    let _ = if done < all {
        write!(out, "\r{:░<WIDTH$} {done}/{all} ", "█".repeat(WIDTH * done / all))
    } else {
        write!(out, "\r{:WIDTH$} \r", " ".repeat(WIDTH + 2 * all.to_string().len() + 3))
    };
}
