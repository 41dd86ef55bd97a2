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
    if !(1..=tasks.len()).contains(&arguments.number) {
        let possible = language.value_number(1, tasks.len() as u64);
        return Err(CliError::wrong_use(language.usage_bad_value("--number", arguments.number, possible)));
    }
    match Lesson::new(tasks, arguments.number, language) {
        Some(lesson) => Ok(teach(lesson, io::stdin().lock(), io::stdout().lock())?),
        None => Ok(()),
    }
}

/// Whether there are exercises for a game.
pub(crate) fn has_exercises(game: GameId) -> bool {
    game == solved::GAME || !game.exercises().is_empty()
}

/// Sets exercises line by line until there is no answer any more.
fn teach(mut lesson: Lesson, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    loop {
        writeln!(output, "{}", lesson.heading())?;
        show(&lesson, &mut output)?;
        writeln!(output, "{}\n{}", lesson.question(), lesson.language.terminal_exercise_prompt())?;
        loop {
            write!(output, "> ")?;
            output.flush()?;
            let Some(typed) = read(&mut input)? else { return Ok(()) };
            let answer = lesson.answer(&typed);
            for line in answer.lines {
                writeln!(output, "{line}")?;
            }
            match answer.next {
                Next::Same => {}
                Next::Further => show(&lesson, &mut output)?,
                Next::Another => break,
                Next::Stop => return Ok(()),
            }
        }
        writeln!(output)?;
        lesson.advance();
    }
}

fn show(lesson: &Lesson, output: &mut impl Write) -> io::Result<()> {
    let scene = lesson.position().scene(lesson.viewer());
    let names = Names::usual(lesson.language, lesson.position().game().id(), lesson.position().seats());
    let beside = crate::play::plain::beside(&scene, lesson.language, lesson.viewer(), &names);
    board_lines(&scene, lesson.language).into_iter().chain(beside).try_for_each(|line| writeln!(output, "{line}"))
}

fn read(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    // A line without an end must not fill the memory.
    let read = input.take(1000).read_until(b'\n', &mut line)?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
}

/// A position with a question.
struct Task {
    start: Box<dyn AnyPosition>,
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
        return graded.filter_map(|exercise| graded_task(&exercise, language)).collect();
    }
    EXERCISES.lines().filter_map(|line| task(line, language)).filter(|task| task.start.game().id() == id).collect()
}

fn graded_task(exercise: &Exercise<'_>, language: Language) -> Option<Task> {
    let asked = match exercise.aim {
        Aim::Win => language.exercise_to_win(exercise.plies.into()),
        Aim::Draw => language.exercise_to_draw().to_owned(),
    };
    Some(Task {
        start: Game::by_default(solved::GAME).parse_position(&exercise.position.to_string()).ok()?,
        asked,
        right: exercise.keeping.split(' ').map(str::to_owned).collect(),
        goal: Goal::Action,
        line: exercise.line.to_owned(),
    })
}

fn task(line: &str, language: Language) -> Option<Task> {
    let [kind, game, position, right] = line.split(" | ").collect::<Vec<_>>()[..] else { return None };
    let (kind, game): (ExerciseKind, Game) = (kind.parse().ok()?, game.parse().ok()?);
    let (title, about) = locale::exercise(language, game.id(), kind);
    Some(Task {
        asked: format!("{title}. {about}"),
        start: game.parse_position(position).ok()?,
        right: right.split(' ').map(str::to_owned).collect(),
        goal: if kind == ExerciseKind::Turn { Goal::Capture } else { Goal::Action },
        line: String::new(),
    })
}

/// What is said to an answer, and what comes next.
pub(crate) struct Answer {
    pub(crate) lines: Vec<String>,
    pub(crate) next: Next,
}

/// What comes after an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// The same position is asked again.
    Same,
    /// The turn goes on in another position.
    Further,
    /// The exercise is done.
    Another,
    /// The lesson is over.
    Stop,
}

/// The exercises of a game, one after another; it takes answers and judges them.
pub(crate) struct Lesson {
    language: Language,
    tasks: Vec<Task>,
    number: usize,
    /// The position of the exercise; in a turn of several movements the one after those made.
    position: Box<dyn AnyPosition>,
}

impl Lesson {
    /// The exercises of a game from the beginning; `None` if it has none.
    pub(crate) fn of(game: GameId, language: Language) -> Option<Lesson> {
        Lesson::new(tasks(game, 1, language), 1, language)
    }

    /// Some exercises from a number on, counted from 1.
    fn new(tasks: Vec<Task>, from: usize, language: Language) -> Option<Lesson> {
        let number = from.saturating_sub(1) % tasks.len().max(1);
        let position = tasks.get(number)?.start.boxed();
        Some(Lesson { language, tasks, number, position })
    }

    /// Which exercise it is.
    pub(crate) fn heading(&self) -> String {
        self.language.exercise_of(self.number + 1, self.tasks.len())
    }

    /// What is asked.
    pub(crate) fn question(&self) -> &str {
        &self.task().asked
    }

    /// The position to answer in.
    pub(crate) fn position(&self) -> &dyn AnyPosition {
        self.position.as_ref()
    }

    /// The seat that answers.
    pub(crate) fn viewer(&self) -> Viewer {
        match self.position.turn() {
            Turn::Seat(seat) => Viewer::Seat(seat),
            _ => Viewer::Spectator,
        }
    }

    /// Goes on to the next exercise; the first follows the last.
    pub(crate) fn advance(&mut self) {
        self.number = (self.number + 1) % self.tasks.len();
        self.position = self.task().start.boxed();
    }

    /// Judges what was typed: an action, or one of the words for the answer, another exercise and the end.
    pub(crate) fn answer(&mut self, typed: &str) -> Answer {
        let l = self.language;
        let typed = typed.trim();
        let latin = on_latin_keys(typed);
        let action = if self.position.read(typed).is_ok() { typed } else { latin.as_str() };
        match action {
            "" => Answer { lines: Vec::new(), next: Next::Same },
            "q" => Answer { lines: Vec::new(), next: Next::Stop },
            "n" => Answer { lines: Vec::new(), next: Next::Another },
            "?" => self.solved(l.exercise_answer(self.task().right.join(" "))),
            action if !self.position.legal().iter().any(|legal| legal == action) => {
                let example = self.position.legal().into_iter().next().unwrap_or_default();
                Answer { lines: vec![l.terminal_exercise_unreadable(typed, example)], next: Next::Same }
            }
            action if is_right(self.task(), self.position.as_ref(), action) => {
                self.solved(l.exercise_right().to_owned())
            }
            action => self.wrong(action),
        }
    }

    /// A legal action that is no solution: another movement of the turn, or one that is refuted.
    fn wrong(&mut self, action: &str) -> Answer {
        let mut after = self.position.boxed();
        let played = after.play(action).is_ok();
        if played && self.task().goal == Goal::Capture && after.turn() == self.position.turn() {
            self.position = after;
            return Answer { lines: Vec::new(), next: Next::Further };
        }
        self.position = self.task().start.boxed();
        let mut lines = vec![self.language.exercise_wrong().to_owned()];
        lines.extend(self.refutation(action, after.as_ref()));
        Answer { lines, next: Next::Same }
    }

    /// What a wrong move leads to.
    fn refutation(&self, action: &str, after: &dyn AnyPosition) -> Option<String> {
        let Turn::Seat(seat) = after.turn() else { return None };
        let l = self.language;
        let began = Instant::now();
        let now = || began.elapsed();
        let limits = Limits::until(&now, TIME).with_seed(1);
        let found = after.game().bot().analyse(&[after.boxed()], &limits)?;
        let names = Names::usual(l, after.game().id(), after.seats());
        let reply = line(l, &found.line);
        Some(l.terminal_refuted(action, reply, names.seat(seat), words::value(l, found.value)))
    }

    fn solved(&self, told: String) -> Answer {
        let best = &self.task().line;
        let line = (!best.is_empty()).then(|| self.language.exercise_line(best));
        Answer { lines: std::iter::once(told).chain(line).collect(), next: Next::Another }
    }

    fn task(&self) -> &Task {
        &self.tasks[self.number]
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

    fn told_of(task: Task, input: &str) -> (Next, String) {
        let mut output = Vec::new();
        let mut lesson = Lesson::new(vec![task], 1, Language::English).unwrap();
        writeln!(output, "{}", lesson.question()).unwrap();
        show(&lesson, &mut output).unwrap();
        let mut next = Next::Stop;
        for line in input.lines() {
            let answer = lesson.answer(line);
            answer.lines.iter().for_each(|line| writeln!(output, "{line}").unwrap());
            next = answer.next;
        }
        (next, String::from_utf8(output).unwrap())
    }

    fn told(line: &str, input: &str) -> (Next, String) {
        told_of(graded_task(&Exercise::parse(line).unwrap(), Language::English).unwrap(), input)
    }

    #[test]
    fn lines_are_answered_until_they_end() {
        let said = |input: &str| {
            let mut output = Vec::new();
            let lesson = Lesson::of(solved::GAME, Language::English).unwrap();
            teach(lesson, input.as_bytes(), &mut output).unwrap();
            String::from_utf8(output).unwrap()
        };
        assert!(said("n\nn\n").contains("Exercise 3 of"));
        let stopped = said("q\nn\n");
        assert!(stopped.contains("Exercise 1 of") && !stopped.contains("Exercise 2 of"), "{stopped}");
    }

    #[test]
    fn moves_are_judged_and_the_solution_is_told() {
        const WIN: &str = "48411d 1b00602 win 9 | a2e2 | a2e2 a4e4 a4e4 a4e4 a4e4 a2e2 a2e2 e5e1 d1e1";
        let (next, said) = told(WIN, "a1e9\na1e1\nф2у2\n");
        assert!(next == Next::Another && said.contains("in 9 actions"), "{said}");
        assert!(said.contains("a1e9 is not a legal move here"), "{said}");
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
            for task in all.into_iter().take(12) {
                let answers = format!("{}\n", task.right.join("\n"));
                // The rest of a turn belongs to the next exercise.
                let (next, said) = told_of(task, &answers);
                assert!(next == Next::Another && said.contains("Right!"), "{id}: {said}");
            }
        }
    }
}
