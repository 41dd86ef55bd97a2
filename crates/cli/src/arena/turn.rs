//! What a contestant is told before it chooses: the game so far, and how long it may take.

use std::time::Duration;

use game::{AnyPosition, ClockRule};
use rules::Seat;

use super::contestant::{Allowance, Clocks};

/// One choice to be made.
pub(super) struct Turn<'a> {
    pub(super) seat: Seat,
    /// The position text that the game began with, if not the usual start.
    pub(super) start: Option<&'a str>,
    /// Every position so far.
    pub(super) positions: &'a [Box<dyn AnyPosition>],
    /// Every action so far.
    pub(super) actions: &'a [String],
    pub(super) allowance: Allowance,
    /// With clocks: the rule, and what each seat has left.
    pub(super) clocks: Option<(ClockRule, Clocks)>,
}

impl Turn<'_> {
    /// The time for this action: what was given for each, or a share of the clock.
    pub(super) fn time(&self) -> Option<Duration> {
        let Some((rule, _)) = &self.clocks else { return self.allowance.time };
        let left = self.left()?;
        Some(match rule {
            // A turn may take several actions.
            ClockRule::PerTurn(_) => left / 4,
            ClockRule::Fischer { increment: more, .. } | ClockRule::Delay { delay: more, .. } => {
                (left / 30 + *more * 4 / 5).min(left / 2)
            }
            ClockRule::None => return None,
        })
    }

    /// What the clock of the seat to act has left.
    pub(super) fn left(&self) -> Option<Duration> {
        let (_, clocks) = self.clocks.as_ref()?;
        clocks.iter().find(|(seat, _)| *seat == self.seat).map(|(_, left)| *left)
    }

    /// The words after `go`.
    pub(super) fn go(&self) -> String {
        let mut words = String::from("go");
        match &self.clocks {
            Some((ClockRule::Fischer { increment: more, .. } | ClockRule::Delay { delay: more, .. }, clocks)) => {
                for (seat, left) in clocks {
                    words += &format!(" p{seat}time {} p{seat}inc {}", left.as_millis(), more.as_millis());
                }
            }
            _ => {
                if let Some(time) = self.time() {
                    words += &format!(" movetime {}", time.as_millis());
                }
            }
        }
        if let Some(nodes) = self.allowance.nodes {
            words += &format!(" nodes {nodes}");
        }
        words
    }
}
