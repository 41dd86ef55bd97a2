//! A match in progress: seats, record, undo, offers, clocks, and the catalogue of games.
