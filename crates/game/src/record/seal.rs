//! Records of matches that go on, in a form that gives no hand away at a glance.
//!
//! A seal is no encryption: anyone with this program can open it. It keeps a player who looks into a file, or over whom a
//! search passes, from reading cards by accident.

use rules::{Seat, Viewer};

use super::{Record, RecordProblem};
use crate::Player;

/// The tag that holds the whole record.
pub(super) const TAG: &str = "Sealed";

/// The longest seal that is read, in characters.
pub(super) const LONGEST: usize = 4 << 20;

impl Record {
    /// The text for a file that others may see: while a match with hidden hands goes on, only what one viewer knows can
    /// be read, and the rest is in the tag `Sealed`. [`Record::read_all`] reads it as the record itself.
    ///
    /// The viewer is the only person who plays, or a spectator.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use game::{Match, MatchSettings, Record};
    /// let mut game = Match::new(MatchSettings::new("sequence".parse()?))?;
    /// game.play("draw:cat", Duration::ZERO)?;
    /// let text = game.record().sealed();
    /// assert!(text.contains("draw:?") && !text.contains("cat"));
    /// assert_eq!(Record::read_all(&text)?, [game.record()]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sealed(&self) -> String {
        let text = self.to_string();
        let Some(shown) = self.shown() else { return text };
        // The tags end at the first empty line.
        let shown = shown.to_string();
        let (tags, play) = rules::split_once(&shown, "\n\n").unwrap_or((shown.trim_end(), ""));
        format!("{tags}\n[{TAG} \"{}\"]\n\n{play}", seal(&text))
    }

    /// Several records as one file, sealed where they hide something.
    pub fn write_all_sealed(records: &[Record]) -> String {
        let texts: Vec<String> = records.iter().map(Record::sealed).collect();
        texts.join("\n")
    }

    /// What may be read of it before the end; `None` if that is all of it.
    pub(super) fn shown(&self) -> Option<Record> {
        let goes_on = self.ending.is_none() && self.viewer.is_none() && !self.entries.is_empty();
        if !goes_on || !self.settings.game.start().hides() {
            return None;
        }
        let sitters = self.settings.sitters.iter().zip(Seat::all(self.settings.game.seats()));
        let people: Vec<Seat> =
            sitters.filter(|(sitter, _)| sitter.player() == Player::Person).map(|(_, seat)| seat).collect();
        let viewer = match people[..] {
            [only] => Viewer::Seat(only),
            _ => Viewer::Spectator,
        };
        self.replay().ok().map(|game| game.record_for(viewer))
    }
}

/// The record in a seal; refused if it is damaged, or does not belong to what can be read around it.
pub(super) fn open(value: &str, around: &Record) -> Result<Record, RecordProblem> {
    let text = unseal(value).ok_or(RecordProblem::BrokenSeal)?;
    // A seal in a seal is no record that this program writes.
    if rules::find(&text, &format!("[{TAG} ")).is_some() {
        return Err(RecordProblem::BrokenSeal);
    }
    let records = Record::read_all(&text).map_err(|_| RecordProblem::BrokenSeal)?;
    let [record] = &records[..] else { return Err(RecordProblem::BrokenSeal) };
    match record.shown() {
        Some(shown) if shown == *around => Ok(record.clone()),
        _ => Err(RecordProblem::BrokenSeal),
    }
}

/// Hexadecimal digits of the bytes, each changed by a fixed stream, and a checksum.
fn seal(text: &str) -> String {
    let check = checksum(text.as_bytes()).to_be_bytes();
    let bytes = check.iter().chain(text.as_bytes()).zip(stream());
    bytes.map(|(byte, key)| format!("{:02x}", byte ^ key)).collect()
}

fn unseal(value: &str) -> Option<String> {
    if !value.is_ascii() || !value.len().is_multiple_of(2) {
        return None;
    }
    let digits = (0..value.len()).step_by(2).map(|at| u8::from_str_radix(value.get(at..at + 2)?, 16).ok());
    let bytes: Vec<u8> = digits.zip(stream()).map(|(byte, key)| Some(byte? ^ key)).collect::<Option<_>>()?;
    let (check, text) = bytes.split_at_checked(4)?;
    (checksum(text).to_be_bytes() == check).then(|| String::from_utf8(text.to_vec()).ok()).flatten()
}

/// FNV-1a, for damage.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |sum, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

/// A stream of bytes without a visible pattern, the same for every file.
fn stream() -> impl Iterator<Item = u8> {
    let mut state: u64 = 0x5ea1_ed00_f0a2_f01d;
    std::iter::repeat_with(move || {
        // Xorshift.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{Match, MatchSettings};

    fn dealt(sitters: [&str; 2]) -> Match {
        let mut settings = MatchSettings::new("sequence".parse().unwrap());
        settings.sitters = sitters.iter().map(|sitter| sitter.parse().unwrap()).collect();
        let mut game = Match::new(settings).unwrap();
        for action in ["draw:cat", "draw:fox", "draw:dog", "draw:owl", "draw:unicorn", "draw:cow"] {
            game.play(action, Duration::ZERO).unwrap();
        }
        game
    }

    #[test]
    fn a_match_that_goes_on_shows_one_hand_or_none() {
        let text = dealt(["person", "bot:3"]).record().sealed();
        assert!(text.contains("draw:cat") && !text.contains("fox"), "{text}");
        let text = dealt(["person", "person"]).record().sealed();
        assert!(!["cat", "fox", "dog", "owl"].iter().any(|card| text.contains(card)), "{text}");
        let game = dealt(["person", "person"]);
        assert_eq!(Record::read_all(&text), Ok(vec![game.record()]), "nothing is lost");
        let mut over = game.clone();
        over.resign(Seat::ONE, Duration::ZERO).unwrap();
        assert_eq!(over.record().sealed(), over.record().to_string(), "the end hides nothing");
    }

    #[test]
    fn comments_stay_behind_the_seal() {
        let mut game = dealt(["person", "person"]);
        game.comment("the fox is mine");
        let text = game.record().sealed();
        assert!(!text.contains("mine"), "{text}");
        assert_eq!(Record::read_all(&text), Ok(vec![game.record()]));
    }

    #[test]
    fn a_seal_that_was_changed_or_moved_is_refused() {
        let text = dealt(["person", "bot:3"]).record().sealed();
        let at = text.find(TAG).unwrap() + TAG.len() + 12;
        let mut damaged = text.clone();
        let digit = if &text[at..=at] == "0" { "1" } else { "0" };
        damaged.replace_range(at..=at, digit);
        let moved = text.replace("draw:cat", "draw:owl");
        let longer = text.replace("[Sealed \"", "[Sealed \"00");
        for wrong in [damaged, moved, longer, text.replace("[Sealed \"", "[Sealed \"zz")] {
            assert_eq!(Record::read_all(&wrong).unwrap_err().problem, RecordProblem::BrokenSeal, "{wrong}");
        }
        assert_eq!(Record::read_all(&format!("{text}\n{text}")).unwrap().len(), 2);
    }
}
