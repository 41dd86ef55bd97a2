//! Who may do what at a table: the only place that decides it.

use rules::Viewer;

use super::{Access, Refusal, Request, Stage, Table};

/// What a person wants to do at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Right {
    /// Read it: what it is, its events, its record and its analysis.
    See,
    /// Be read by the others: chat.
    Speak,
    /// Anything else. The rules and [`Table::decide`] say more.
    Act,
}

impl Right {
    /// What a request needs.
    pub(crate) fn of(request: &Request) -> Right {
        if matches!(request, Request::Say(_)) { Right::Speak } else { Right::Act }
    }
}

impl Table {
    /// Whether a person may do something here. Until a private game begins, people with the link may come and sit down;
    /// from then on it is for its players alone.
    pub(crate) fn check(&self, person: &str, right: Right) -> Result<(), Refusal> {
        let outsider = self.viewer(person) == Viewer::Spectator;
        match (self.spec.access, self.stage(), right) {
            (Access::Private, Stage::Playing | Stage::Over, _) if outsider => Err(Refusal::Private),
            // Among friends, a stranger who has found the game afterwards does not talk.
            (Access::Link, Stage::Over, Right::Speak) if outsider => Err(Refusal::NotSeated),
            _ => Ok(()),
        }
    }
}
