use std::fmt;
use std::str::FromStr;

use crate::{Position, Reason, excerpt};

/// What programs around the rules need to know of a game: which variants to test and to measure, what to show of it in a
/// menu, and how to teach it.
///
/// [`GameId`](crate::GameId) asks every game for it. Positions and actions are texts, options are texts without the
/// game's name: `players=4`, or nothing for the default.
#[diagnostic::on_unimplemented(
    message = "the game `{Self}` is not described",
    note = "write `impl Described for …` in crates/rules/src/<game>/description.rs, as CONTRIBUTING.md says"
)]
pub trait Described: Position {
    /// Every option on its own and those combinations that change what is legal: what perft tables, golden games and
    /// tests go through.
    const VARIANTS: &'static [&'static str];

    /// The variants that change how much work the rules are, for the bench.
    const BENCH_RULES: &'static [&'static str] = Self::VARIANTS;

    /// Questions to the computer player for the bench: options, and after how many random actions it is asked.
    const BENCH_SEARCH: &'static [(&'static str, u32)] = &[("", 8)];

    /// How many sides play at most: partners are one side. The message files name each of them.
    const SIDES: usize = 2;

    /// The symbols or colours that the sides choose from (G9), by name and in the order of sides: side 1 has the first
    /// unless the players choose otherwise. There may be more than sides; none where pieces belong to no side.
    const SIGNS: &'static [&'static str] = &[];

    /// Whether a player deals before the game. The last seat is then the dealer's, and the player to the left begins.
    const HAS_DEALER: bool = false;

    /// A game in its middle, for menus and pictures.
    const SHOWCASE: Showcase;

    /// What can be tried beside the rules page, in the order of its sections.
    const LESSONS: &'static [Lesson] = &[];

    /// The figures of the rules page, in the order of its sections: those of the printed sheet, redrawn.
    const FIGURES: &'static [Figure] = &[];

    /// Ways to play that the printed sheets describe or that were measured to be fair, for menus.
    const PRESETS: &'static [Preset] = &[];

    /// The exercises to make, in the order in which they are shown; none, or ten of them together.
    const EXERCISES: &'static [Exercises] = &[];

    /// The keys of buttons that only this game has.
    const BUTTONS: &'static [&'static str] = &[];

    /// The keys of pieces and cards that only this game has and that are touched where they lie beside the board or in a
    /// hand, so that their spots can be read.
    const PIECES: &'static [&'static str] = &[];

    /// Whether the third occurrence of a position ends the game as a draw (G7).
    fn draws_by_repetition(_options: &Self::Options) -> bool {
        false
    }
}

/// A picture beside a section of the rules page, made from a position.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// The section of the rules page, by its name.
    pub section: &'static str,
    /// What it is called: the caption is the text `figure_…` of the game's message file.
    pub name: &'static str,
    /// The options.
    pub options: &'static str,
    /// The position; empty for the one that the game begins with.
    pub position: &'static str,
    /// What is shown of it.
    pub shows: Shows,
}

/// What a figure shows of its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// The board as it is.
    Board,
    /// The board after this action, with what it left marked.
    After(&'static str),
    /// The board with what may be touched after this square.
    Touched(&'static str),
    /// The board, and beside it the piece that waits to be placed.
    Held,
    /// The pieces, each once: those beside the board, or those on it.
    Pieces,
    /// The cards of the seat to act.
    Hand,
}

/// A figure, in the order of a table: section, name, options, position, what is shown.
pub(crate) const fn figure(
    section: &'static str,
    name: &'static str,
    options: &'static str,
    position: &'static str,
    shows: Shows,
) -> Figure {
    Figure { section, name, options, position, shows }
}

/// Options and a clock to be chosen together; the name is the text `preset_…` of the game's message file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The key of its name.
    pub name: &'static str,
    /// The options; those at their default are left out.
    pub options: &'static str,
    /// The clock, as it is written in records: `turn=60`, or `none`.
    pub clock: &'static str,
    /// Where it is offered first.
    pub offered: Offered,
}

/// Where a preset is offered first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offered {
    /// Nowhere: it is one of the choices.
    Among,
    /// Its clock is what a new table on a server begins with.
    Online,
    /// Its options are what a rated table begins with, if the options that were chosen leave that open.
    Rated,
}

/// So many exercises of a kind.
#[derive(Clone, Copy, Debug)]
pub struct Exercises {
    /// What is asked for.
    pub kind: ExerciseKind,
    /// The options.
    pub options: &'static str,
    /// How many.
    pub count: usize,
}

impl Exercises {
    pub(crate) const fn new(kind: ExerciseKind, options: &'static str, count: usize) -> Exercises {
        Exercises { kind, options, count }
    }
}

/// What an exercise asks for; its text is also the name of its texts, `exercise_…`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExerciseKind {
    /// The action that wins at once.
    Win,
    /// The action that loses at once.
    Lose,
    /// The action after which the opponent cannot win at once; where hands are hidden, whatever the hand.
    Safe,
    /// The action after which every answer of the opponent leaves a win at once.
    Soon,
    /// The action that the solver proves to win, while no other does.
    Best,
    /// The action after which two squares or more complete a line.
    Fork,
    /// The action that captures most.
    Capture,
    /// The action that captures two pieces or more, while every other captures fewer.
    Two,
    /// Several actions of one turn that capture, while no single action does.
    Turn,
}

impl ExerciseKind {
    /// All of them.
    pub const ALL: [ExerciseKind; 9] = {
        use ExerciseKind::*;
        [Win, Lose, Safe, Soon, Best, Fork, Capture, Two, Turn]
    };

    /// The name in texts.
    pub const fn name(self) -> &'static str {
        match self {
            ExerciseKind::Win => "win",
            ExerciseKind::Lose => "lose",
            ExerciseKind::Safe => "safe",
            ExerciseKind::Soon => "soon",
            ExerciseKind::Best => "best",
            ExerciseKind::Fork => "fork",
            ExerciseKind::Capture => "capture",
            ExerciseKind::Two => "two",
            ExerciseKind::Turn => "turn",
        }
    }
}

impl fmt::Display for ExerciseKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ExerciseKind {
    type Err = String;

    fn from_str(word: &str) -> Result<ExerciseKind, String> {
        let unknown = || format!("there is no kind of exercise {:?}", excerpt(word));
        ExerciseKind::ALL.into_iter().find(|kind| kind.name() == word).ok_or_else(unknown)
    }
}

/// A position worth a picture.
#[derive(Clone, Copy, Debug)]
pub struct Showcase {
    /// The options.
    pub options: &'static str,
    /// The position before the last action.
    pub position: &'static str,
    /// The last action, whose marks are shown.
    pub last: Option<&'static str>,
}

/// Something to try beside a section of the rules page.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// The section of the rules page, by its name.
    pub section: &'static str,
    /// The options.
    pub options: &'static str,
    /// The position.
    pub position: &'static str,
    /// What counts as done.
    pub goal: Goal,
    /// What to try: the text `try_…` in the game's message file.
    pub task: &'static str,
}

/// What counts as done in a lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// An action is played whose text contains this.
    Plays(&'static str),
    /// The own side wins.
    Win,
    /// The other side wins, as it was to be seen.
    Lose,
    /// The game is drawn.
    Draw,
    /// The turn is over.
    Turn,
    /// A stone is captured.
    Capture,
    /// The rules refuse an action for this reason.
    Refused(Reason),
    /// The first action is one of these, separated by blanks.
    Answer(&'static str),
}

/// A lesson, in the order of a table: section, options, position, goal, task.
pub(crate) const fn lesson(
    section: &'static str,
    options: &'static str,
    position: &'static str,
    goal: Goal,
    task: &'static str,
) -> Lesson {
    Lesson { section, options, position, goal, task }
}
