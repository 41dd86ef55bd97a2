use protocol::{Event, Say, Tell};
use rules::{Seat, Viewer};

use super::line::Kept;
use super::table::Table;

impl Table {
    /// The events after number `seen`, as a viewer may know them.
    pub(crate) fn events_since(&self, seen: u32, viewer: Viewer) -> Vec<Tell> {
        let later = self.lines.iter().enumerate().skip(seen as usize);
        later.map(|(index, kept)| self.told(index as u32 + 1, kept, viewer)).collect()
    }

    fn told(&self, seq: u32, kept: &Kept, viewer: Viewer) -> Tell {
        let what = match (&kept.line.what, &kept.seen) {
            (Event::Did { spent, .. }, Some(seen)) => {
                let index = if let Viewer::Seat(seat) = viewer { seat.index() } else { seen.len() - 1 };
                Event::Did { entry: seen[index.min(seen.len() - 1)].to_string(), spent: *spent }
            }
            (Event::Said { seat, what: Say::Team(_), .. }, _) if !self.is_team_of(*seat, viewer) => Event::Elsewhere,
            (what, _) => what.clone(),
        };
        Tell::Event { seq, at: kept.line.at.max(0) as u64, what }
    }

    fn is_team_of(&self, speaker: u8, viewer: Viewer) -> bool {
        let Viewer::Seat(viewer) = viewer else { return false };
        let start = self.game.start();
        Seat::all(start.seats()).any(|seat| seat.number() == speaker && start.side(seat) == start.side(viewer))
    }
}
