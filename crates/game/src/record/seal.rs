//! Records of matches that go on, in a form that gives no hand away at a glance.
//!
//! A seal is no encryption: anyone with this program can open it. It keeps a player who looks into a file, or over whom a
//! search passes, from reading cards by accident.

use rules::{Seat, Viewer};

use super::{Record, RecordProblem};
use crate::{Comment, Player};

/// The tag that holds the whole record, as it was when the file was written.
pub(super) const TAG: &str = "Sealed";

/// What a comment begins with that holds what happened since.
pub(super) const COMMAND: &str = "[%sealed ";

/// Sealed comments are a multiple of this long, in bytes: a card must not be known by the length of its name. An action with its
/// time and the card drawn after it needs less.
const BLOCK: usize = 64;

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
        format!("{tags}\n[{TAG} \"{}\"]\n\n{play}", Seal::default().close(&text))
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
        self.replay().ok().map(|game| game.record_for(self.only_person()))
    }

    /// The only person who plays, or a spectator.
    pub(super) fn only_person(&self) -> Viewer {
        let sitters = self.settings.sitters.iter().zip(Seat::all(self.settings.game.seats()));
        let mut people = sitters.filter(|(sitter, _)| sitter.player() == Player::Person).map(|(_, seat)| seat);
        match (people.next(), people.next()) {
            (Some(only), None) => Viewer::Seat(only),
            _ => Viewer::Spectator,
        }
    }
}

/// The record in a seal and in the comments that go on with it; refused if it is damaged, or does not belong to what can be
/// read around it.
pub(super) fn open(value: &str, mut around: Record) -> Result<Record, RecordProblem> {
    let broken = || RecordProblem::BrokenSeal;
    let mut seal = Seal::default();
    let mut text = seal.open(value).ok_or_else(broken)?;
    for entry in &mut around.entries {
        let digits = |comment: &Comment| Some(comment.as_str().strip_prefix(COMMAND)?.strip_suffix(']')?.to_owned());
        for sealed in entry.comments.iter().filter_map(digits) {
            text.push('\n');
            text.push_str(&seal.open(&sealed).ok_or_else(broken)?);
        }
        entry.comments.retain(|comment| digits(comment).is_none());
    }
    // A seal in a seal is no record that this program writes.
    if rules::find(&text, &format!("[{TAG} ")).is_some() {
        return Err(broken());
    }
    let mut records = Record::read_all(&text).map_err(|_| broken())?;
    let record = records.pop().filter(|_| records.is_empty()).ok_or_else(broken)?;
    if record.shown() == Some(around) { Ok(record) } else { Err(broken()) }
}

/// A comment for what has happened since the last seal; `None` if that is too much for one.
pub(super) fn comment(seal: &mut Seal, text: &str) -> Option<Comment> {
    let length = (text.len() + CHECK).next_multiple_of(BLOCK) - CHECK;
    let comment = format!("{COMMAND}{}]", seal.close(&format!("{text:length$}")));
    (comment.len() <= Comment::LONGEST).then(|| Comment::new(&comment))
}

/// The length of a checksum, in bytes.
const CHECK: usize = 4;

/// Makes a text into hexadecimal digits and back. What is sealed next goes on where this ends.
#[derive(Clone, Debug)]
pub(super) struct Seal {
    /// Of a stream of bytes without a visible pattern, the same for every file.
    state: u64,
    /// FNV-1a of everything so far, for damage and for seals that were moved or left out.
    sum: u32,
}

impl Default for Seal {
    fn default() -> Seal {
        Seal { state: 0x5ea1_ed00_f0a2_f01d, sum: 0x811c_9dc5 }
    }
}

impl Seal {
    /// A checksum and the text, each byte changed by the stream.
    pub(super) fn close(&mut self, text: &str) -> String {
        self.add(text);
        let digit = |number: u8| char::from_digit(number.into(), 16).unwrap_or_default();
        let bytes = self.sum.to_be_bytes().into_iter().chain(text.bytes());
        bytes.map(|byte| byte ^ self.key()).flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
    }

    fn open(&mut self, value: &str) -> Option<String> {
        let digits = (0..value.len()).step_by(2).map(|at| u8::from_str_radix(value.get(at..at + 2)?, 16).ok());
        let bytes: Vec<u8> = digits.map(|byte| Some(byte? ^ self.key())).collect::<Option<_>>()?;
        let (check, text) = bytes.split_at_checked(CHECK)?;
        let text = String::from_utf8(text.to_vec()).ok()?;
        self.add(&text);
        (self.sum.to_be_bytes() == check).then_some(text)
    }

    fn add(&mut self, text: &str) {
        self.sum = text.bytes().fold(self.sum, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    }

    fn key(&mut self) -> u8 {
        // Xorshift.
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 24) as u8
    }
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
