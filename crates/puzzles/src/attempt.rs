use game::AnyPosition;
use rules::Seat;
use rules::four::Four;
use scene::Spot;
use search::Value;

use crate::puzzle::results;
use crate::sorting::sorted_by;
use crate::{Puzzle, Refutation, Step, Worth};

/// A puzzle while it is being solved.
///
/// Shells draw [`Attempt::position`] from the solver's side and hand in actions; what happens on the board follows from the
/// [`Answer`].
#[derive(Clone, Debug)]
pub struct Attempt {
    puzzle: Puzzle,
    position: Box<dyn AnyPosition>,
    ply: usize,
    /// The solver's actions up to the first wrong one.
    moves: Vec<String>,
    mistakes: u32,
    hints: u32,
    /// Hints given for the ply that is asked.
    hints_here: u32,
    state: State,
}

/// How far an attempt has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The solver is to act.
    Asked,
    /// The whole solution was found.
    Solved,
    /// The solution was shown.
    Shown,
}

/// What an action comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is right.
    Right {
        /// The action of the solution that is played instead, where another one was right too and the solution goes on.
        instead: Option<String>,
        /// The opponent's best replies, which were played at once.
        replies: Vec<String>,
    },
    /// It wins as well, but later than asked; nothing is counted and nothing changes.
    Slower(Worth),
    /// It is wrong; the position stays as it was. [`Attempt::refutation`] says why.
    Wrong {
        /// What it is worth.
        worth: Worth,
        /// What the best action is worth.
        best: Worth,
    },
    /// It is not legal here, or nothing is asked any more.
    Refused,
}

/// Help in steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// So many results are right.
    Count(usize),
    /// The right action begins here.
    Begins(Spot),
    /// The right action.
    Action(String),
}

/// What an attempt was in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Finish {
    /// Not solved.
    Failed,
    /// Solved after mistakes or with hints.
    Helped,
    /// Solved at the first try without help.
    Clean,
}

impl Attempt {
    /// Begins; `None` if the position cannot be read, which a puzzle that was read excludes.
    pub fn new(puzzle: Puzzle) -> Option<Attempt> {
        let position = puzzle.game.parse_position(&puzzle.start).ok()?;
        let (moves, state) = (Vec::new(), State::Asked);
        Some(Attempt { puzzle, position, ply: 0, moves, mistakes: 0, hints: 0, hints_here: 0, state })
    }

    /// The puzzle.
    pub fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }

    /// The position now.
    pub fn position(&self) -> &dyn AnyPosition {
        &*self.position
    }

    /// The seat that solves, from whose side the board is shown.
    pub fn solver(&self) -> Seat {
        self.puzzle.solver()
    }

    /// How far it has come.
    pub fn state(&self) -> State {
        self.state
    }

    /// How many plies of the solution were played.
    pub fn ply(&self) -> usize {
        self.ply
    }

    /// The solver's actions up to the first wrong one, as a server wants to see them.
    pub fn moves(&self) -> &[String] {
        &self.moves
    }

    /// How many actions were wrong.
    pub fn mistakes(&self) -> u32 {
        self.mistakes
    }

    /// How many hints were given.
    pub fn hints(&self) -> u32 {
        self.hints
    }

    /// What the attempt comes to for a rating: `None` while that is open. The first mistake or hint decides it.
    pub fn score(&self) -> Option<f64> {
        match self.result() {
            Some(Finish::Clean) => Some(1.0),
            Some(_) => Some(0.0),
            None => (self.mistakes + self.hints > 0).then_some(0.0),
        }
    }

    /// What it was in the end; `None` while the solver is to act.
    pub fn result(&self) -> Option<Finish> {
        match self.state {
            State::Asked => None,
            State::Shown => Some(Finish::Failed),
            State::Solved if self.mistakes + self.hints == 0 => Some(Finish::Clean),
            State::Solved => Some(Finish::Helped),
        }
    }

    /// What an action is worth here, stored with the puzzle; `None` off the line of the solution.
    pub fn worth(&self, action: &str) -> Option<Worth> {
        self.asked()?.value_of(action)
    }

    /// Every action of the position with its stored worth, best first.
    pub fn values(&self) -> Vec<(&str, Worth)> {
        self.values_at(self.ply)
    }

    /// Every action at a ply of the solution with its stored worth, best first.
    pub fn values_at(&self, ply: usize) -> Vec<(&str, Worth)> {
        let Some(step) = self.puzzle.steps.get(ply) else { return Vec::new() };
        let values = step.values.iter().map(|(action, worth)| (action.as_str(), *worth));
        sorted_by(values, |(_, one), (_, other)| other.cmp(one))
    }

    /// Hands in an action of the solver.
    pub fn answer(&mut self, action: &str) -> Answer {
        let Some(step) = self.asked() else { return Answer::Refused };
        let Some(worth) = step.value_of(action) else { return Answer::Refused };
        let (best, played) = (step.best(), step.played.clone());
        let first_try = self.mistakes == 0;
        if step.right(self.puzzle.theme).contains(&action) {
            if first_try {
                self.moves.push(action.to_owned());
            }
            let last = self.ply + 1 == self.puzzle.steps.len();
            let goes_on = if last { action } else { &played };
            let instead = (goes_on != action).then(|| goes_on.to_owned());
            return Answer::Right { instead, replies: self.go_on(goes_on) };
        }
        if let (Worth::Result(Value::Win(_)), Worth::Result(Value::Win(_))) = (worth, best) {
            return Answer::Slower(worth);
        }
        if first_try {
            self.moves.push(action.to_owned());
        }
        self.mistakes += 1;
        Answer::Wrong { worth, best }
    }

    /// The next hint for this ply; the last one says the action, and is repeated.
    pub fn hint(&mut self) -> Option<Hint> {
        let step = self.asked()?;
        // Different actions may lead to the same position, and then are one answer.
        let right = results(self.puzzle.theme, step, &*self.position).len();
        let played = step.played.clone();
        let choice = self.position.choices().into_iter().find(|choice| choice.action == played)?;
        self.hints += 1;
        self.hints_here += 1;
        Some(match (self.hints_here, choice.touches.as_slice()) {
            (1, _) => Hint::Count(right),
            (2, [first, _, ..]) => Hint::Begins(*first),
            _ => Hint::Action(played),
        })
    }

    /// Counts other help, such as a look at the values of all actions.
    pub fn note_help(&mut self) {
        if self.state == State::Asked {
            self.hints += 1;
        }
    }

    /// Gives up; the solution from here on can then be walked with [`Attempt::line`].
    pub fn give_up(&mut self) {
        if self.state == State::Asked {
            self.state = State::Shown;
        }
    }

    /// The positions of the solution from the start, each with the action that leads to it; the first has none.
    pub fn line(&self) -> Vec<(Option<String>, Box<dyn AnyPosition>)> {
        let Ok(start) = self.puzzle.game.parse_position(&self.puzzle.start) else { return Vec::new() };
        let mut line = vec![(None, start.boxed())];
        let mut position = start;
        for step in &self.puzzle.steps {
            if position.play(&step.played).is_err() {
                break;
            }
            line.push((Some(step.played.clone()), position.boxed()));
        }
        line
    }

    /// The step that the solver is asked for.
    fn asked(&self) -> Option<&Step> {
        if self.state == State::Asked { self.puzzle.steps.get(self.ply) } else { None }
    }

    /// Plays an action and the replies up to the solver's next ply.
    fn go_on(&mut self, action: &str) -> Vec<String> {
        let mut replies = Vec::new();
        // The action is one of the legal ones, and the rest of the line was played through when the puzzle was read.
        let _ = self.position.play(action);
        self.ply += 1;
        self.hints_here = 0;
        while let Some(step) = self.puzzle.steps.get(self.ply).filter(|step| step.seat != self.solver()) {
            let reply = step.played.clone();
            let _ = self.position.play(&reply);
            self.ply += 1;
            replies.push(reply);
        }
        if self.ply >= self.puzzle.steps.len() {
            self.state = State::Solved;
        }
        replies
    }

    /// How a wrong action of this worth is refuted.
    pub fn refutation(&self, action: &str, worth: Worth) -> Refutation {
        let mut after = self.position.boxed();
        if after.play(action).is_err() {
            return Refutation::default();
        }
        let captures = |position: &dyn AnyPosition| {
            position.as_any().downcast_ref::<Four>().map_or(0, |four| i32::from(four.captures(self.solver())))
        };
        let captured = captures(&*after) - captures(&*self.position);
        Refutation::find(&*after, captured, self.solver(), self.puzzle.theme, worth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Set;

    const QUIXO: &str = include_str!("../data/quixo-sample.puzzles");

    fn puzzle(fits: impl Fn(&Puzzle) -> bool) -> Puzzle {
        let lines = QUIXO.lines().skip(1).filter_map(|line| Puzzle::read(line).ok());
        lines.into_iter().find(fits).unwrap()
    }

    #[test]
    fn the_solution_is_walked_with_the_replies_played_at_once() {
        let mut attempt = Attempt::new(puzzle(|puzzle| puzzle.plies == 3 && puzzle.steps.len() == 3)).unwrap();
        let first = attempt.puzzle().steps[0].played.clone();
        let reply = attempt.puzzle().steps[1].played.clone();
        assert_eq!(attempt.answer("nonsense"), Answer::Refused);
        assert_eq!(attempt.answer(&first), Answer::Right { instead: None, replies: vec![reply] });
        assert_eq!((attempt.state(), attempt.ply()), (State::Asked, 2));
        let last = attempt.puzzle().steps[2].played.clone();
        assert_eq!(attempt.answer(&last), Answer::Right { instead: None, replies: vec![] });
        assert_eq!(
            (attempt.state(), attempt.result(), attempt.score()),
            (State::Solved, Some(Finish::Clean), Some(1.0))
        );
        assert_eq!(attempt.answer(&last), Answer::Refused);
        assert_eq!(attempt.line().len(), 4);
    }

    #[test]
    fn a_wrong_action_is_refuted_and_changes_nothing_but_the_count() {
        let loses_soon = |puzzle: &Puzzle| {
            puzzle.steps[0].values.iter().any(|(_, worth)| *worth == Worth::Result(Value::loss_in(2)))
        };
        let mut attempt = Attempt::new(puzzle(loses_soon)).unwrap();
        let before = attempt.position().to_string();
        let values = attempt.values();
        let (wrong, worth) = values.iter().find(|(_, worth)| *worth == Worth::Result(Value::loss_in(2))).unwrap();
        let (wrong, worth) = ((*wrong).to_owned(), *worth);
        let Answer::Wrong { worth: told, .. } = attempt.answer(&wrong) else { panic!("{wrong} is wrong") };
        let refutation = attempt.refutation(&wrong, worth);
        assert_eq!((told, refutation.line.len()), (worth, 1), "{refutation:?}");
        assert_eq!(attempt.moves(), [wrong.as_str()]);
        assert_eq!(attempt.position().to_string(), before);
        assert_eq!((attempt.mistakes(), attempt.score(), attempt.result()), (1, Some(0.0), None));
        assert_eq!(attempt.worth(&wrong), Some(worth));
    }

    #[test]
    fn hints_come_in_steps_and_a_slower_win_costs_nothing() {
        let two_wins = |puzzle: &Puzzle| {
            let step = &puzzle.steps[0];
            puzzle.plies == 1
                && step.values.iter().any(|(_, worth)| *worth > Worth::Result(Value::Draw) && *worth != step.best())
        };
        let mut attempt = Attempt::new(puzzle(two_wins)).unwrap();
        let best = attempt.puzzle().steps[0].best();
        let values = attempt.values();
        let (slower, worth) = *values.iter().find(|(_, worth)| *worth != best).unwrap();
        let (slower, worth) = (slower.to_owned(), worth);
        assert_eq!(attempt.answer(&slower), Answer::Slower(worth));
        assert_eq!(attempt.score(), None);
        assert!(matches!(attempt.hint(), Some(Hint::Count(1..))));
        let action = attempt.puzzle().steps[0].played.clone();
        assert!(matches!(attempt.hint(), Some(Hint::Begins(_))));
        assert_eq!(attempt.hint(), Some(Hint::Action(action.clone())));
        assert!(matches!(attempt.answer(&action), Answer::Right { .. }));
        assert_eq!(attempt.result(), Some(Finish::Helped));
    }

    #[test]
    fn giving_up_ends_the_attempt() {
        let set = Set::read(&QUIXO.lines().take(2).collect::<Vec<_>>().join("\n"));
        let mut attempt = Attempt::new(set.puzzles[0].clone()).unwrap();
        attempt.give_up();
        let played = attempt.puzzle().steps[0].played.clone();
        assert_eq!((attempt.result(), attempt.answer(&played)), (Some(Finish::Failed), Answer::Refused));
    }
}
