use crate::{Position, Reason};

/// What programs around the rules need to know of a game: which variants to test and to measure, what to show of it in a
/// menu, and how to teach it.
///
/// [`GameId`](crate::GameId) asks every game for it. Positions and actions are texts, options are texts without the
/// game's name: `players=4`, or nothing for the default.
pub trait Described: Position {
    /// Every option on its own and those combinations that change what is legal: what perft tables, golden games and
    /// tests go through.
    const VARIANTS: &'static [&'static str];

    /// The variants that change how much work the rules are, for the bench.
    const BENCH_RULES: &'static [&'static str] = Self::VARIANTS;

    /// Questions to the computer player for the bench: options, and after how many random actions it is asked.
    const BENCH_SEARCH: &'static [(&'static str, u32)] = &[("", 8)];

    /// A game in its middle, for menus and pictures.
    const SHOWCASE: Showcase;

    /// What can be tried beside the rules page, in the order of its sections.
    const LESSONS: &'static [Lesson] = &[];
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
