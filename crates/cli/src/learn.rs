//! `fourfold learn`: exercises from the solved game, line by line.

use std::io::{self, BufRead, Read as _, Write};

use clap::Args;
use game::{AnyPosition, Game};
use locale::Language;
use rules::{Seat, Viewer};
use search::solved::{self, Aim, Exercise};

use crate::error::CliError;
use crate::play::plain::board_lines;
use crate::play::read_game;

/// Made by `study_quixo` (docs/solved-quixo.md).
const EXERCISES: &str = include_str!("../../tablebase/data/quixo-exercises.txt");

/// Arguments of `fourfold learn`.
#[derive(Debug, Args)]
pub(crate) struct LearnArguments {
    /// The game.
    #[arg(default_value = solved::GAME.name())]
    game: String,
    /// How hard, from 1 to 6.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=Exercise::GRADES as i64))]
    grade: u8,
    /// The number of the exercise in its grade to begin with.
    #[arg(long, default_value_t = 1)]
    number: usize,
}

/// Sets one exercise after another until there is no answer any more.
pub(crate) fn run(arguments: &LearnArguments, language: Language) -> Result<(), CliError> {
    if read_game(&arguments.game, language)? != Game::by_default(solved::GAME) {
        return Err(CliError::new(language.terminal_exercises_for()));
    }
    let grade = usize::from(arguments.grade);
    let of_grade: Vec<Exercise<'_>> =
        EXERCISES.lines().filter_map(Exercise::parse).filter(|exercise| exercise.grade() == grade).collect();
    let mut lesson = Lesson { language, input: io::stdin().lock(), output: io::stdout().lock() };
    let count = of_grade.len();
    for number in arguments.number.saturating_sub(1).. {
        let Some(exercise) = of_grade.get(number % count.max(1)) else { break };
        writeln!(lesson.output, "{}", language.exercise_of(number % count + 1, count))?;
        if lesson.set(exercise)? == Next::Stop {
            break;
        }
    }
    Ok(())
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
    /// Shows a position and answers moves until one keeps the value.
    fn set(&mut self, exercise: &Exercise<'_>) -> io::Result<Next> {
        let l = self.language;
        let game = Game::by_default(solved::GAME);
        let Ok(position) = game.parse_position(&exercise.position) else { return Ok(Next::Another) };
        self.show(position.as_ref())?;
        let asked = match exercise.aim {
            Aim::Win => l.exercise_to_win(exercise.plies.into()),
            Aim::Draw => l.exercise_to_draw().to_owned(),
        };
        writeln!(self.output, "{asked}\n{}", l.terminal_exercise_prompt())?;
        loop {
            write!(self.output, "> ")?;
            let Some(line) = self.read()? else { return Ok(Next::Stop) };
            match line.trim() {
                "" => {}
                "q" => return Ok(Next::Stop),
                "n" => return Ok(Next::Another),
                "?" => {
                    writeln!(self.output, "{}", l.exercise_answer(exercise.keeping))?;
                    self.tell_line(exercise)?;
                    return Ok(Next::Another);
                }
                action if exercise.keeps(action) => {
                    writeln!(self.output, "{}", l.exercise_right())?;
                    self.tell_line(exercise)?;
                    return Ok(Next::Another);
                }
                action if position.legal().iter().any(|legal| legal == action) => {
                    writeln!(self.output, "{}", l.exercise_wrong())?;
                }
                other => writeln!(self.output, "{}", l.terminal_exercise_unreadable(other))?,
            }
        }
    }

    fn tell_line(&mut self, exercise: &Exercise<'_>) -> io::Result<()> {
        if !exercise.line.is_empty() {
            writeln!(self.output, "{}", self.language.exercise_line(exercise.line))?;
        }
        writeln!(self.output)
    }

    fn show(&mut self, position: &dyn AnyPosition) -> io::Result<()> {
        for line in board_lines(&position.scene(Viewer::Seat(Seat::ONE)), self.language) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str, input: &str) -> (Next, String) {
        let mut lesson = Lesson { language: Language::English, input: input.as_bytes(), output: Vec::new() };
        let next = lesson.set(&Exercise::parse(line).unwrap()).unwrap();
        (next, String::from_utf8(lesson.output).unwrap())
    }

    #[test]
    fn moves_are_judged_and_the_solution_is_told() {
        const WIN: &str = "48411d 1b00602 win 9 | a2e2 | a2e2 a4e4 a4e4 a4e4 a4e4 a2e2 a2e2 e5e1 d1e1";
        let (next, said) = told(WIN, "a1e9\na1e1\na2e2\n");
        assert!(next == Next::Another && said.contains("in 9 actions"), "{said}");
        assert!(said.contains("a1e9 is no legal move here"), "{said}");
        assert!(said.contains("Not this one") && said.contains("Right!"), "{said}");
        assert!(said.contains("Best play: a2e2 a4e4") && said.contains(" 5 o o x o o"), "{said}");
        let (next, said) = told("100020 86001 draw 106 | a3a5 a4a5 | ", "?\n");
        assert!(next == Next::Another && said.contains("a3a5 a4a5") && said.contains("holds the draw"), "{said}");
        assert!(told(WIN, "q\n").0 == Next::Stop && told(WIN, "").0 == Next::Stop);
        assert!(told(WIN, "n\n").0 == Next::Another);
    }
}
