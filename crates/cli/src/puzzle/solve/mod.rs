//! `fourfold puzzle`: solving, line by line, for the eye and for screen readers alike.

#[cfg(test)]
mod tests;
mod walk;

use std::fs;
use std::io::{self, BufRead, Read as _, Write};
use std::path::PathBuf;

use clap::Args;
use game::{AnyPosition, MatchSettings};
use jiff::Timestamp;
use locale::Language;
use puzzle_sets::{daily, shelf};
use puzzles::{
    Answer, Attempt, Day, DayEntry, Diary, Finish, GAMES, Hint, Puzzle, PuzzleQuery, Rating, Run, RunKind, Sending,
    State, Theme, share_text,
};
use rules::{GameId, Viewer};
use search::Random;
use session::{puzzle_words, words};

use super::account::{Account, Sent};
use super::own;
use crate::error::CliError;
use crate::play::plain::position_lines;
use crate::play::{games_folder, on_latin_keys, read_game};
use crate::tui::{letter, wrap};

/// Nodes that the bot may look at to show why a move is wrong.
const REFUTING: u64 = 200_000;

/// The longest line of a text that is wrapped.
const WIDTH: u16 = 79;

/// Arguments of `fourfold puzzle daily`.
#[derive(Debug, Default, Args)]
pub(super) struct DailyArguments {
    /// The game; all of them if left out.
    game: Option<String>,
    /// A day such as 2026-11-17 instead of today.
    #[arg(long, value_name = "DAY")]
    day: Option<Day>,
}

/// Arguments of `fourfold puzzle rated`.
#[derive(Debug, Args)]
pub(super) struct RatedArguments {
    /// The game; the first one if left out.
    game: Option<String>,
    /// Only puzzles of this theme.
    #[arg(long)]
    theme: Option<String>,
    /// Also puzzles by unusual rules.
    #[arg(long)]
    other_rules: bool,
}

/// Arguments of `fourfold puzzle streak` and `fourfold puzzle storm`.
#[derive(Debug, Args)]
pub(super) struct RunArguments {
    /// The game; the first one if left out.
    game: Option<String>,
    /// Also puzzles by unusual rules.
    #[arg(long)]
    other_rules: bool,
}

/// Arguments of `fourfold puzzle own`.
#[derive(Debug, Args)]
pub(super) struct OwnArguments {
    /// Records of games; the last saved games if left out.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Only games of this kind.
    #[arg(long)]
    game: Option<String>,
}

/// Sets the puzzles of a day.
pub(super) fn run_daily(arguments: &DailyArguments, language: Language) -> Result<(), CliError> {
    let game = read_game_with_puzzles(arguments.game.as_deref(), language)?;
    if let Some(day) = arguments.day.filter(|day| *day > Day::at(now())) {
        return Err(CliError::new(language.puzzle_day_not_begun(day)));
    }
    with_desk(language, |desk| desk.daily(game, arguments.day))
}

/// Sets puzzles of the solver's strength until the input ends or the player leaves.
pub(super) fn run_rated(arguments: &RatedArguments, language: Language) -> Result<(), CliError> {
    let game = read_game_with_puzzles(arguments.game.as_deref(), language)?.unwrap_or(GAMES[0]);
    let theme = arguments.theme.as_deref().map(|word| read_theme(word, game, language)).transpose()?;
    with_desk(language, |desk| desk.rated(game, theme, !arguments.other_rules))
}

/// Sets puzzles that get harder.
pub(super) fn run_in_a_row(arguments: &RunArguments, kind: RunKind, language: Language) -> Result<(), CliError> {
    let game = read_game_with_puzzles(arguments.game.as_deref(), language)?.unwrap_or(GAMES[0]);
    with_desk(language, |desk| desk.run_of(kind, game, !arguments.other_rules))
}

fn read_game_with_puzzles(name: Option<&str>, language: Language) -> Result<Option<GameId>, CliError> {
    let game = name.map(|name| read_game(name, language)).transpose()?.map(|game| game.id());
    match game.filter(|game| !GAMES.contains(game)) {
        Some(game) => Err(CliError::new(language.puzzle_no_game(game, GAMES.map(GameId::name).join(", ")))),
        None => Ok(game),
    }
}

/// Looks through games for mistakes and sets each as a puzzle.
pub(super) fn run_own(arguments: &OwnArguments, language: Language) -> Result<(), CliError> {
    let game = arguments.game.as_deref().map(|game| read_game(game, language)).transpose()?.map(|game| game.id());
    let games = own::games(&arguments.files, game, language)?;
    let all: usize = games.iter().map(|line| own::own_steps(line).len()).sum();
    let mut done = 0;
    with_desk(language, |desk| {
        let mut puzzles = 0;
        for line in &games {
            let mut looked = || {
                done += 1;
                eprint!("\r{}", language.puzzle_own_looking(done, all));
            };
            let found = own::mistakes(line, &mut looked);
            eprintln!();
            puzzles += found.len();
            for puzzle in found {
                if desk.set(puzzle, Help::Yes)?.1 == Next::Stop {
                    return Ok(());
                }
            }
        }
        if puzzles == 0 { writeln!(desk.output, "{}", language.puzzle_own_none()) } else { Ok(()) }
    })
}

/// The desk of a terminal.
type TerminalDesk = Desk<io::StdinLock<'static>, io::StdoutLock<'static>>;

/// Does something at a desk, and keeps what was solved.
fn with_desk(language: Language, solve: impl FnOnce(&mut TerminalDesk) -> io::Result<()>) -> Result<(), CliError> {
    let file = games_folder().join("puzzles.diary");
    let diary = fs::read_to_string(&file).map(|text| Diary::read(&text)).unwrap_or_default();
    let mut desk = Desk {
        language,
        input: io::stdin().lock(),
        output: io::stdout().lock(),
        diary,
        account: Account::open(),
        clock: now,
        random: Random::new(now()),
    };
    let solved = solve(&mut desk);
    // What was solved is kept even if the output has gone.
    if let Some(folder) = file.parent() {
        let _ = fs::create_dir_all(folder);
    }
    let kept = fs::write(&file, desk.diary.to_string());
    match solved {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(kept?),
    }
}

fn read_theme(word: &str, game: GameId, language: Language) -> Result<Theme, CliError> {
    let themes = Theme::of(game);
    let found = themes.iter().copied().find(|theme| theme.name() == word);
    let names: Vec<&str> = themes.iter().map(|theme| theme.name()).collect();
    found.ok_or_else(|| CliError::new(language.puzzle_no_theme(word, names.join(", "))))
}

/// Milliseconds since 1970.
pub(super) fn now() -> u64 {
    Timestamp::now().as_millisecond().try_into().unwrap_or(0)
}

/// What comes after a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Another,
    Stop,
}

/// Which help a puzzle allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Help {
    /// Wrong moves are taken back, hints are given.
    Yes,
    /// The first wrong move ends the puzzle.
    No,
}

struct Desk<I, O> {
    language: Language,
    input: I,
    output: O,
    diary: Diary,
    /// Whose server keeps the rating, if anybody's.
    account: Option<Account>,
    clock: fn() -> u64,
    random: Random,
}

impl<I: BufRead, O: Write> Desk<I, O> {
    fn daily(&mut self, game: Option<GameId>, day: Option<Day>) -> io::Result<()> {
        let l = self.language;
        let today = Day::at((self.clock)());
        let day = day.unwrap_or(today);
        let games: Vec<GameId> = game.map_or(GAMES.to_vec(), |game| vec![game]);
        for game in games {
            writeln!(self.output, "{} · {day} · {}", l.puzzle_mode_daily(), locale::game_name(l, game))?;
            let Some(puzzle) = daily(day, game) else {
                writeln!(self.output, "{}\n", l.puzzle_damaged())?;
                continue;
            };
            let known = self.diary.day(day, game).map(|entry| entry.result);
            if known.is_some_and(|result| result != Finish::Failed) {
                writeln!(self.output, "{}\n", puzzle_words::day_result(l, known))?;
                continue;
            }
            let begun = (self.clock)();
            let (attempt, next) = self.set(puzzle, Help::Yes)?;
            let seconds = ((self.clock)().saturating_sub(begun) / 1000).min(86_400) as u32;
            let id = attempt.puzzle().id();
            // The first try counts, even if it was left without coming to an end.
            let again = self.diary.has_seen(id);
            if !again && attempt.score().is_some() {
                self.diary.remember(id);
                self.rate(&attempt, seconds, Some(day))?;
            }
            if let Some(result) = attempt.result() {
                let entry = DayEntry { result, seconds, faults: attempt.mistakes() + attempt.hints() };
                self.diary.note_day(day, game, if again { entry.after_a_try() } else { entry });
            }
            if next == Next::Stop {
                break;
            }
        }
        let row = self.diary.days_in_a_row(today);
        writeln!(self.output, "{}", l.puzzle_days(row.into()))?;
        let entry = |game: GameId| Some((locale::game_name(l, game).to_owned(), self.diary.day(day, game)?));
        let entries: Vec<(String, DayEntry)> = GAMES.into_iter().filter_map(entry).collect();
        if entries.is_empty() {
            return Ok(());
        }
        writeln!(self.output, "\n{}", share_text(day, row, entries))
    }

    fn rated(&mut self, game: GameId, theme: Option<Theme>, usual: bool) -> io::Result<()> {
        let l = self.language;
        loop {
            let known = self.account.as_mut().and_then(|account| account.rating(game));
            let own = self.diary.rating(game);
            let (rating, text) = known.map_or_else(
                || (own.shown(), shown(own.rating, own.deviation)),
                |(rating, deviation)| (rating as u32, shown(rating as f64, deviation as f64)),
            );
            writeln!(self.output, "{} {}", l.puzzle_your_rating(text), self.keeper(known.is_some()))?;
            let query = PuzzleQuery { rating, theme, usual, small: false };
            let Some(puzzle) = self.pick(game, &query)? else {
                return writeln!(self.output, "{}", l.puzzle_damaged());
            };
            let begun = (self.clock)();
            let (attempt, next) = self.set(puzzle, Help::Yes)?;
            let seconds = ((self.clock)().saturating_sub(begun) / 1000).min(86_400) as u32;
            self.rate(&attempt, seconds, None)?;
            if next == Next::Stop {
                return Ok(());
            }
        }
    }

    /// A puzzle that was not seen yet, which is now; says so if damaged ones were passed over.
    fn pick(&mut self, game: GameId, query: &PuzzleQuery) -> io::Result<Option<Puzzle>> {
        let Some(picked) = shelf(game).pick(query, &|id| self.diary.has_seen(id), &mut self.random) else {
            return Ok(None);
        };
        if picked.passed_over {
            writeln!(self.output, "{}", self.language.puzzle_left_out())?;
        }
        self.diary.remember(picked.puzzle.id());
        Ok(Some(picked.puzzle))
    }

    /// Moves the rating of this device by an attempt, sends it to the server, and tells the rating of whoever keeps it.
    fn rate(&mut self, attempt: &Attempt, seconds: u32, day: Option<Day>) -> io::Result<()> {
        let Some(score) = attempt.score() else { return Ok(()) };
        let l = self.language;
        let puzzle = attempt.puzzle();
        let measured = Rating::of_puzzle(puzzle.rating.unwrap_or(1200));
        let (before, after) = self.diary.rate(puzzle.game.id(), measured, score);
        let own = l.puzzle_rating_change(shown(before.rating, before.deviation), shown(after.rating, after.deviation));
        let id = format!("{:x}{:08x}", (self.clock)(), self.random.below(u32::MAX));
        let sent = self.account.as_mut().map(|account| account.send(Sending::attempt(&id, attempt, seconds, day)));
        let told = match sent {
            Some(Sent::Rated { before, after, deviation }) => {
                let change = l.puzzle_rating_change(before, shown(after as f64, deviation as f64));
                format!("{change} {}", self.keeper(true))
            }
            Some(Sent::Waits(count)) => format!("{own} {}\n{}", self.keeper(false), l.puzzle_waiting(count as u64)),
            None => format!("{own} {}", self.keeper(false)),
        };
        self.tell(&told)?;
        writeln!(self.output)
    }

    /// Who keeps the rating that is shown.
    fn keeper(&self, by_server: bool) -> String {
        match self.account.as_ref().filter(|_| by_server) {
            Some(account) => format!("{} ({})", self.language.puzzle_rating_by_server(), account.server()),
            None => self.language.puzzle_rating_by_device().to_owned(),
        }
    }

    fn run_of(&mut self, kind: RunKind, game: GameId, usual: bool) -> io::Result<()> {
        let l = self.language;
        let name = puzzle_words::run_name(l, kind);
        writeln!(self.output, "{name} · {}", locale::game_name(l, game))?;
        let mut run = Run::new(kind, (self.clock)());
        let mut solved = Vec::new();
        while !run.is_over((self.clock)()) {
            let query = PuzzleQuery { rating: run.target(), theme: None, usual, small: false };
            let Some(puzzle) = self.pick(game, &query)? else { break };
            if let Some(left) = run.left((self.clock)()) {
                writeln!(self.output, "{}", l.puzzle_time_left(puzzle_words::minutes(left)))?;
            }
            let (attempt, next) = self.set(puzzle, Help::No)?;
            match attempt.score() {
                Some(score) => {
                    let counted = run.solved();
                    run.result(score > 0.5, (self.clock)());
                    if run.solved() > counted {
                        solved.push((attempt.puzzle().id(), attempt.moves().to_vec()));
                    }
                }
                None => run.stop(),
            }
            writeln!(self.output, "{}\n", l.puzzle_run_score(run.solved()))?;
            if next == Next::Stop {
                break;
            }
        }
        if let Some(account) = self.account.as_mut().filter(|_| kind == RunKind::Storm && !solved.is_empty()) {
            account.send(Sending::storm(game, &solved));
        }
        let best = self.diary.note_run(game, kind, run.solved());
        writeln!(self.output, "{}", l.puzzle_run_over(run.solved().into()))?;
        let told = if best { l.puzzle_new_best().to_owned() } else { l.puzzle_best(self.diary.best(game, kind)) };
        writeln!(self.output, "{told}")
    }

    /// Shows a puzzle and answers moves until it is solved, shown or left.
    fn set(&mut self, puzzle: Puzzle, help: Help) -> io::Result<(Attempt, Next)> {
        let l = self.language;
        let Some(mut attempt) = Attempt::new(puzzle) else { return Err(io::ErrorKind::InvalidData.into()) };
        let rating = attempt.puzzle().rating.map(|rating| format!(" · {}", l.puzzle_difficulty(rating)));
        writeln!(self.output, "{}{}", words::title(l, &attempt.puzzle().game), rating.unwrap_or_default())?;
        self.show(&attempt, attempt.position())?;
        self.tell_side(&attempt)?;
        self.tell(&puzzle_words::question(l, attempt.puzzle()))?;
        self.tell(if help == Help::Yes { l.puzzle_prompt() } else { l.puzzle_prompt_run() })?;
        while attempt.state() == State::Asked {
            write!(self.output, "> ")?;
            let Some(line) = self.read()? else { return Ok((attempt, Next::Stop)) };
            match line.trim() {
                "" => {}
                "quit" | "q" => return Ok((attempt, Next::Stop)),
                "next" | "n" => break,
                "show" | "s" => attempt.give_up(),
                "values" | "v" if help == Help::Yes => self.tell_values(&mut attempt)?,
                "hint" | "h" | "?" if help == Help::Yes => self.tell_hint(&mut attempt)?,
                action => {
                    let wrong = self.answer(&mut attempt, action, help)?;
                    if wrong && help == Help::No {
                        attempt.give_up();
                    }
                }
            }
        }
        if let Some(told) = puzzle_words::finish(l, &attempt) {
            writeln!(self.output, "{told}")?;
        }
        if attempt.state() == State::Shown {
            let line: Vec<&str> = attempt.puzzle().steps.iter().map(|step| step.played.as_str()).collect();
            writeln!(self.output, "{}", l.puzzle_solution(line.join(" ")))?;
        }
        writeln!(self.output)?;
        let is_over = attempt.state() != State::Asked;
        let next = if is_over && help == Help::Yes { self.explore(&attempt)? } else { Next::Another };
        Ok((attempt, next))
    }

    /// Hands in an action; whether it was wrong.
    fn answer(&mut self, attempt: &mut Attempt, typed: &str, help: Help) -> io::Result<bool> {
        let l = self.language;
        let latin = on_latin_keys(typed);
        let position = attempt.position();
        let action = if position.read(typed).is_err() && position.read(&latin).is_ok() { &latin } else { typed };
        match attempt.answer(action) {
            Answer::Refused => writeln!(self.output, "{}", l.puzzle_not_legal(action))?,
            Answer::Slower(worth) => {
                let worth = puzzle_words::worth(l, attempt.puzzle(), worth);
                writeln!(self.output, "{}", l.puzzle_slower(worth))?;
            }
            Answer::Wrong { worth, best } => {
                let mut refutation = attempt.refutation(action, worth);
                if refutation.ask_engine && help == Help::Yes {
                    refutation.think(&attempt.puzzle().game, REFUTING);
                }
                let line = refutation.line.join(" ");
                let told = puzzle_words::wrong(l, attempt.puzzle(), worth, best, &refutation, &line);
                self.tell(&told)?;
                return Ok(true);
            }
            Answer::Right { instead, replies } => {
                if let Some(instead) = instead {
                    writeln!(self.output, "{}", l.puzzle_right_instead(instead))?;
                }
                if attempt.state() == State::Asked {
                    let told = match replies.is_empty() {
                        true => l.puzzle_right().to_owned(),
                        false => l.puzzle_right_reply(replies.join(" ")),
                    };
                    writeln!(self.output, "{told}")?;
                    self.show(attempt, attempt.position())?;
                }
            }
        }
        Ok(false)
    }

    fn tell_hint(&mut self, attempt: &mut Attempt) -> io::Result<()> {
        let l = self.language;
        let Some(hint) = attempt.hint() else { return Ok(()) };
        let told = match hint {
            Hint::Count(count) => l.puzzle_hint_count(count as u64),
            Hint::Begins(spot) => l.puzzle_hint_begins(puzzle_words::spot(l, spot)),
            Hint::Action(action) => l.puzzle_hint_action(action),
        };
        writeln!(self.output, "{told}")
    }

    /// What every action is worth, which is help like any other.
    fn tell_values(&mut self, attempt: &mut Attempt) -> io::Result<()> {
        attempt.note_help();
        self.list_values(attempt, attempt.ply())
    }

    /// Which side the solver plays, where the sides have pieces of their own.
    fn tell_side(&mut self, attempt: &Attempt) -> io::Result<()> {
        let (l, seat) = (self.language, attempt.solver());
        let piece = attempt.position().scene(Viewer::Seat(seat)).seat_piece(seat);
        let Some(piece) = piece else { return Ok(()) };
        let names = words::names(l, &MatchSettings::new(attempt.puzzle().game.clone()), None);
        writeln!(self.output, "{}", l.puzzle_side(format!("{} ({})", names.seat(seat), letter(piece))))
    }

    fn show(&mut self, attempt: &Attempt, position: &dyn AnyPosition) -> io::Result<()> {
        let lines = position_lines(position, Viewer::Seat(attempt.solver()), self.language);
        lines.iter().try_for_each(|line| writeln!(self.output, "{line}"))
    }

    /// A text in lines that fit in any window.
    fn tell(&mut self, text: &str) -> io::Result<()> {
        wrap(text, WIDTH).iter().try_for_each(|line| writeln!(self.output, "{line}"))
    }

    fn read(&mut self) -> io::Result<Option<String>> {
        self.output.flush()?;
        let mut line = Vec::new();
        // A line without an end must not fill the memory.
        let read = self.input.by_ref().take(1000).read_until(b'\n', &mut line)?;
        Ok((read > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
    }
}

/// A rating with a question mark while little is known.
fn shown(rating: f64, deviation: f64) -> String {
    let rating = Rating { rating, deviation, ..Rating::NEW_SOLVER };
    format!("{}{}", rating.shown(), if rating.is_provisional() { "?" } else { "" })
}
