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
    /// How much of the care for Unicorns is there, from 0 (they are wasted) to 1.
    pub(super) thrift: f32,
    /// How many rounds of imagined games are played; none for the greedy levels.
    pub(super) rounds: u32,
}

impl Style {
    pub(super) const GREEDY: Style =
        Style { shake: 0.0, misses_wins: 0.0, misses_threats: 0.0, thrift: 1.0, rounds: 0 };
    pub(super) const BEST: Style = Style { rounds: u32::MAX, ..Style::GREEDY };

    pub(super) fn of(level: Level) -> Style {
        let gentle = |shake, misses_wins, misses_threats, thrift| Style {
            shake,
            misses_wins,
            misses_threats,
            thrift,
            rounds: 0,
        };
        match level.number() {
            1 => gentle(0.30, 0.80, 0.95, 0.0),
            2 => gentle(0.18, 0.66, 0.83, 0.0),
            3 => gentle(0.12, 0.52, 0.72, 0.03),
            4 => gentle(0.08, 0.38, 0.60, 0.06),
            5 => gentle(0.05, 0.24, 0.44, 0.1),
            6 => gentle(0.03, 0.11, 0.25, 0.3),
            7 => Style::GREEDY,
            _ => Style::BEST,
        }
    }
}
