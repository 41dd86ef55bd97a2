//! After the end of a puzzle: its solution is walked, and any move of either side has its value.

use std::io::{self, BufRead, Write};

use game::AnyPosition;
use puzzles::{Attempt, State};
use session::puzzle_words;

use super::{Desk, Next};
use crate::play::on_latin_keys;

impl<I: BufRead, O: Write> Desk<I, O> {
    /// After the end: walks the solution, and tells what any action of it is worth, until the solver goes on.
    pub(super) fn explore(&mut self, attempt: &Attempt) -> io::Result<Next> {
        let l = self.language;
        let line = attempt.line();
        let last = line.len().saturating_sub(1);
        // Who was shown the solution has not seen it on the board.
        let mut ply = if attempt.state() == State::Shown { 0 } else { last };
        self.tell(l.puzzle_prompt_after())?;
        loop {
            write!(self.output, "> ")?;
            let Some(typed) = self.read()? else { return Ok(Next::Stop) };
            let walked = match typed.trim() {
                "" | "next" | "n" => return Ok(Next::Another),
                "quit" | "q" => return Ok(Next::Stop),
                "forward" | "f" => (ply + 1).min(last),
                "back" | "b" => ply.saturating_sub(1),
                "values" | "v" => {
                    self.list_values(attempt, ply)?;
                    continue;
                }
                action => {
                    let position = line.get(ply).map(|(_, position)| &**position);
                    self.tell_worth(attempt, ply, position, action)?;
                    continue;
                }
            };
            ply = walked;
            if let Some((played, position)) = line.get(ply) {
                writeln!(self.output, "{ply}/{last} {}", played.as_deref().unwrap_or_default())?;
                self.show(attempt, &**position)?;
            }
        }
    }

    /// What an action is worth at a ply of the solution.
    fn tell_worth(
        &mut self,
        attempt: &Attempt,
        ply: usize,
        position: Option<&dyn AnyPosition>,
        typed: &str,
    ) -> io::Result<()> {
        let l = self.language;
        let Some(position) = position else { return Ok(()) };
        let latin = on_latin_keys(typed);
        let action = if position.read(typed).is_err() && position.read(&latin).is_ok() { &latin } else { typed };
        let stored = attempt.puzzle().steps.get(ply).and_then(|step| step.value_of(action));
        match stored {
            Some(worth) => writeln!(self.output, "{action}: {}", puzzle_words::worth(l, attempt.puzzle(), worth)),
            None if position.legal().iter().any(|legal| legal == action) => {
                writeln!(self.output, "{action}: {}", l.puzzle_not_proved())
            }
            None => writeln!(self.output, "{}", l.puzzle_not_legal(action)),
        }
    }

    /// What every action is worth at a ply of the solution, best first.
    pub(super) fn list_values(&mut self, attempt: &Attempt, ply: usize) -> io::Result<()> {
        let l = self.language;
        writeln!(self.output, "{}", l.puzzle_why_about())?;
        for alike in attempt.values_at(ply).chunk_by(|(_, one), (_, other)| one == other) {
            let actions: Vec<&str> = alike.iter().map(|(action, _)| *action).collect();
            self.tell(&format!("  {}: {}", puzzle_words::worth(l, attempt.puzzle(), alike[0].1), actions.join(" ")))?;
        }
        Ok(())
    }
}
