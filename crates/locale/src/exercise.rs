use rules::{ExerciseKind, GameId};

use crate::Language;
use crate::messages::{own_message, plain};

/// What an exercise is called, and what to do: in the game's own words, if its message file has some, or in those of all
/// games.
///
/// ```
/// use locale::{Language, exercise};
/// use rules::{ExerciseKind, GameId};
///
/// let (name, _) = exercise(Language::English, GameId::Sequence, ExerciseKind::Safe);
/// assert_eq!(name, "Stop them");
/// ```
pub fn exercise(language: Language, game: GameId, kind: ExerciseKind) -> (&'static str, &'static str) {
    let own = |key: &str| own_message(game, "exercise_", key).map(|(part, number)| plain(language, part, number));
    own(kind.name()).zip(own(&format!("{kind}_about"))).unwrap_or_else(|| shared(language, kind))
}

fn shared(l: Language, kind: ExerciseKind) -> (&'static str, &'static str) {
    match kind {
        ExerciseKind::Win => (l.exercise_win(), l.exercise_win_about()),
        ExerciseKind::Lose => (l.exercise_lose(), l.exercise_lose_about()),
        ExerciseKind::Safe => (l.exercise_safe(), l.exercise_safe_about()),
        ExerciseKind::Soon => (l.exercise_soon(), l.exercise_soon_about()),
        ExerciseKind::Best => (l.exercise_best(), l.exercise_best_about()),
        ExerciseKind::Fork => (l.exercise_fork(), l.exercise_fork_about()),
        ExerciseKind::Capture => (l.exercise_capture(), l.exercise_capture_about()),
        ExerciseKind::Two => (l.exercise_two(), l.exercise_two_about()),
        ExerciseKind::Turn => (l.exercise_turn(), l.exercise_turn_about()),
    }
}
