use crate::Level;

/// How a level plays: what it overlooks and how far it thinks.
///
/// The gentle levels play the same sensible cards as the greedy player, but their eye for shape wavers, and in some
/// turns they do not notice that a line of three stands open, be it their own or another's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Style {
    /// How much the judgement of an action wavers.
    pub(super) shake: f32,
    /// How often own lines of three are overlooked, in a turn.
    pub(super) misses_wins: f64,
    /// How often the others' lines of three are overlooked, in a turn.
    pub(super) misses_threats: f64,
    /// How many rounds of imagined games are played; none for the greedy levels.
    pub(super) rounds: u32,
}

impl Style {
    pub(super) const GREEDY: Style = Style { shake: 0.0, misses_wins: 0.0, misses_threats: 0.0, rounds: 0 };
    pub(super) const BEST: Style = Style { rounds: u32::MAX, ..Style::GREEDY };

    pub(super) fn of(level: Level) -> Style {
        let gentle = |shake, misses_wins, misses_threats| Style { shake, misses_wins, misses_threats, rounds: 0 };
        match level.number() {
            1 => gentle(0.10, 0.50, 0.80),
            2 => gentle(0.07, 0.35, 0.60),
            3 => gentle(0.05, 0.20, 0.45),
            4 => gentle(0.03, 0.10, 0.30),
            5 => gentle(0.02, 0.02, 0.12),
            6 => Style::GREEDY,
            7 => Style { rounds: 60, ..Style::GREEDY },
            _ => Style::BEST,
        }
    }
}
