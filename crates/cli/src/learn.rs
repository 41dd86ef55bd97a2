//! `fourfold learn`: exercises, line by line. A wrong move is answered with what refutes it.

use std::io::{self, BufRead, Read as _, Write};
use std::time::{Duration, Instant};

use clap::Args;
use game::{AnyPosition, Game, GameId};
use locale::{Language, Names, line};
use rules::{ExerciseKind, Turn, Viewer};
use scene::Highlight;
use search::Limits;
use search::solved::{self, Aim, Exercise};
use session::words;

use crate::error::CliError;
use crate::play::plain::board_lines;
use crate::play::{on_latin_keys, read_game};

/// Of the solved game, by grade; made by `study_quixo` (docs/solved-quixo.md).
const GRADED: &str = include_str!("../../tablebase/data/quixo-exercises.txt");
/// Of all games; made by `cargo run --release -p testkit --bin exercises`: `kind | game | position | solutions`.
const EXERCISES: &str = include_str!("../../web/data/exercises.txt");

/// How long the engine looks for what refutes a wrong move.
const TIME: Duration = Duration::from_millis(700);

/// Arguments of `fourfold learn`.
#[derive(Debug, Args)]
pub(crate) struct LearnArguments {
    /// The game.
    #[arg(default_value = solved::GAME.name())]
    game: String,
    /// How hard, from 1 to 6, in the solved game; default: 1.
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=Exercise::GRADES as i64))]
    grade: Option<u8>,
    /// The number of the exercise to begin with.
    #[arg(long, default_value_t = 1)]
    number: usize,
}

/// Sets one exercise after another until there is no answer any more.
pub(crate) fn run(arguments: &LearnArguments, language: Language) -> Result<(), CliError> {
    let game = read_game(&arguments.game, language)?.id();
    if !has_exercises(game) {
        let possible: Vec<&str> =
            GameId::ALL.into_iter().filter(|game| has_exercises(*game)).map(GameId::name).collect();
        return Err(CliError::wrong_use(language.terminal_exercises_none(game, possible.join(", "))));
    }
    if arguments.grade.is_some() && game != solved::GAME {
        return Err(CliError::wrong_use(language.terminal_exercises_for()));
    }
    let tasks = tasks(game, arguments.grade.unwrap_or(1).into(), language);
    Ok(teach(&tasks, arguments.number, language)?)
}

/// Whether there are exercises for a game.
pub(crate) fn has_exercises(game: GameId) -> bool {
    game == solved::GAME || !game.exercises().is_empty()
}

/// The exercises of a game from the beginning.
pub(crate) fn lesson(game: GameId, language: Language) -> Result<(), CliError> {
    Ok(teach(&tasks(game, 1, language), 1, language)?)
}

fn teach(tasks: &[Task], from: usize, language: Language) -> io::Result<()> {
    let mut lesson = Lesson { language, input: io::stdin().lock(), output: io::stdout().lock() };
    let count = tasks.len();
    for number in from.saturating_sub(1).. {
        let Some(task) = tasks.get(number % count.max(1)) else { break };
        writeln!(lesson.output, "{}", language.exercise_of(number % count + 1, count))?;
        if lesson.set(task)? == Next::Stop {
            break;
        }
    }
    Ok(())
}

/// A position with a question.
struct Task {
    game: Game,
    position: String,
    asked: String,
    right: Vec<String>,
    goal: Goal,
    /// Best play, where it is known in advance.
    line: String,
}

/// What makes an answer right.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    /// One of the actions.
    Action,
    /// A capture before the turn is over; the actions are one way to it.
    Capture,
}

/// The graded exercises of the solved game, or the exercises that every game has.
fn tasks(id: GameId, grade: usize, language: Language) -> Vec<Task> {
    if id == solved::GAME {
        let graded = GRADED.lines().filter_map(Exercise::parse).filter(|exercise| exercise.grade() == grade);
        return graded.map(|exercise| graded_task(&exercise, language)).collect();
    }
    EXERCISES.lines().filter_map(|line| task(line, language)).filter(|task| task.game.id() == id).collect()
}

fn graded_task(exercise: &Exercise<'_>, language: Language) -> Task {
    let asked = match exercise.aim {
        Aim::Win => language.exercise_to_win(exercise.plies.into()),
        Aim::Draw => language.exercise_to_draw().to_owned(),
    };
    Task {
        game: Game::by_default(solved::GAME),
        position: exercise.position.to_string(),
        asked,
        right: exercise.keeping.split(' ').map(str::to_owned).collect(),
        goal: Goal::Action,
        line: exercise.line.to_owned(),
    }
}

fn task(line: &str, language: Language) -> Option<Task> {
    let [kind, game, position, right] = line.split(" | ").collect::<Vec<_>>()[..] else { return None };
    let (kind, game): (ExerciseKind, Game) = (kind.parse().ok()?, game.parse().ok()?);
    let (title, about) = locale::exercise(language, game.id(), kind);
    Some(Task {
        asked: format!("{title}. {about}"),
        game,
        position: position.to_owned(),
        right: right.split(' ').map(str::to_owned).collect(),
        goal: if kind == ExerciseKind::Turn { Goal::Capture } else { Goal::Action },
        line: String::new(),
    })
}

/// What comes after an exercise.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Another,
    Stop,
}

struct Lesson<I, O> {
    language: Language,
    input: I,
    output: O,
}

impl<I: BufRead, O: Write> Lesson<I, O> {
    /// Shows a position and answers moves until one is right.
    fn set(&mut self, task: &Task) -> io::Result<Next> {
        let l = self.language;
        let Ok(start) = task.game.parse_position(&task.position) else { return Ok(Next::Another) };
        let mut position = start.boxed();
        self.show(position.as_ref())?;
        writeln!(self.output, "{}\n{}", task.asked, l.terminal_exercise_prompt())?;
        loop {
            write!(self.output, "> ")?;
            let Some(line) = self.read()? else { return Ok(Next::Stop) };
            let typed = line.trim();
            let latin = on_latin_keys(typed);
            let action = if position.read(typed).is_ok() { typed } else { latin.as_str() };
            match action {
                "" => {}
                "q" => return Ok(Next::Stop),
                "n" => return Ok(Next::Another),
                "?" => {
                    writeln!(self.output, "{}", l.exercise_answer(task.right.join(" ")))?;
                    return self.solved(task);
                }
                action if !position.legal().iter().any(|legal| legal == action) => {
                    let example = position.legal().into_iter().next().unwrap_or_default();
                    writeln!(self.output, "{}", l.terminal_exercise_unreadable(typed, example))?;
                }
                action if is_right(task, position.as_ref(), action) => {
                    writeln!(self.output, "{}", l.exercise_right())?;
                    return self.solved(task);
                }
                action => {
                    let turn = position.turn();
                    let mut after = position.boxed();
                    let legal = after.play(action).is_ok();
                    // Of a turn of several movements the next one is asked for.
                    if legal && task.goal == Goal::Capture && after.turn() == turn {
                        position = after;
                        self.show(position.as_ref())?;
                        continue;
                    }
                    writeln!(self.output, "{}", l.exercise_wrong())?;
                    self.refute(action, after.as_ref())?;
                    position = start.boxed();
                }
            }
        }
    }

    /// Shows what a wrong move leads to.
    fn refute(&mut self, action: &str, after: &dyn AnyPosition) -> io::Result<()> {
        let Turn::Seat(seat) = after.turn() else { return Ok(()) };
        let l = self.language;
        let began = Instant::now();
        let now = || began.elapsed();
        let limits = Limits::until(&now, TIME).with_seed(1);
        let Some(found) = after.game().bot().analyse(&[after.boxed()], &limits) else { return Ok(()) };
        let names = Names::usual(l, after.game().id(), after.seats());
        let reply = line(l, &found.line);
        writeln!(self.output, "{}", l.terminal_refuted(action, reply, names.seat(seat), words::value(l, found.value)))
    }

    fn solved(&mut self, task: &Task) -> io::Result<Next> {
        if !task.line.is_empty() {
            writeln!(self.output, "{}", self.language.exercise_line(&task.line))?;
        }
        writeln!(self.output)?;
        Ok(Next::Another)
    }

    fn show(&mut self, position: &dyn AnyPosition) -> io::Result<()> {
        let viewer = match position.turn() {
            Turn::Seat(seat) => Viewer::Seat(seat),
            _ => Viewer::Spectator,
        };
        let scene = position.scene(viewer);
        let beside = crate::play::plain::beside(&scene, self.language, viewer);
        for line in board_lines(&scene, self.language).into_iter().chain(beside) {
            writeln!(self.output, "{line}")?;
        }
        Ok(())
    }

    fn read(&mut self) -> io::Result<Option<String>> {
        self.output.flush()?;
        let mut line = Vec::new();
        // A line without an end must not fill the memory.
        let read = self.input.by_ref().take(1000).read_until(b'\n', &mut line)?;
        Ok((read > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
    }
}

fn is_right(task: &Task, position: &dyn AnyPosition, action: &str) -> bool {
    match task.goal {
        Goal::Action => task.right.iter().any(|right| right == action),
        Goal::Capture => position
            .happening(action, Viewer::Spectator)
            .is_ok_and(|happening| happening.highlights.iter().any(|mark| matches!(mark, Highlight::Capture { .. }))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told_of(task: &Task, input: &str) -> (Next, String) {
        let mut lesson = Lesson { language: Language::English, input: input.as_bytes(), output: Vec::new() };
        let next = lesson.set(task).unwrap();
        (next, String::from_utf8(lesson.output).unwrap())
    }

    fn told(line: &str, input: &str) -> (Next, String) {
        told_of(&graded_task(&Exercise::parse(line).unwrap(), Language::English), input)
    }

    #[test]
    fn moves_are_judged_and_the_solution_is_told() {
        const WIN: &str = "48411d 1b00602 win 9 | a2e2 | a2e2 a4e4 a4e4 a4e4 a4e4 a2e2 a2e2 e5e1 d1e1";
        let (next, said) = told(WIN, "a1e9\na1e1\nф2у2\n");
        assert!(next == Next::Another && said.contains("in 9 actions"), "{said}");
        assert!(said.contains("a1e9 is no legal move here"), "{said}");
        assert!(said.contains("Not this one") && said.contains("Right!"), "{said}");
        assert!(said.contains("After a1e1 "), "what a wrong move leads to is shown: {said}");
        assert!(said.contains("Best play: a2e2 a4e4") && said.contains(" 5 o o x o o"), "{said}");
        let (next, said) = told("100020 86001 draw 106 | a3a5 a4a5 | ", "?\n");
        assert!(next == Next::Another && said.contains("a3a5 a4a5") && said.contains("holds the draw"), "{said}");
        assert!(told(WIN, "q\n").0 == Next::Stop && told(WIN, "").0 == Next::Stop);
        assert!(told(WIN, "n\n").0 == Next::Another);
    }

    #[test]
    fn every_game_that_asks_for_exercises_has_them_and_their_answers_are_right() {
        for id in GameId::ALL.into_iter().filter(|game| has_exercises(*game)) {
            let all = tasks(id, 1, Language::English);
            assert!(all.len() >= 9, "{id}: {}", all.len());
            for task in all.iter().take(12) {
                let (next, said) = told_of(task, &format!("{}\n", task.right.join("\n")));
                assert!(next == Next::Another && said.contains("Right!"), "{id}: {said}");
            }
        }
    }
}
