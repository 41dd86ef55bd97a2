use std::fmt;
use std::str::FromStr;

use rules::{BadPosition, excerpt};

use crate::record::{LONGEST_VALUE, is_tag_name};
use crate::sitter::one_line;
use crate::{AnyPosition, ClockRule, Game, Sitter};

/// The names of tags that mean something to a record.
const RESERVED: [&str; 12] =
    ["Game", "Seat1", "Seat2", "Seat3", "Seat4", "Date", "Clock", "Result", "Ending", "Start", "Viewer", "Sealed"];

/// What is settled before a match begins.
///
/// ```
/// use game::{Match, MatchSettings};
///
/// let mut settings = MatchSettings::new("quixo".parse()?);
/// settings.sitters[1] = "bot:3".parse()?;
/// settings.clock = "turn=60".parse()?;
/// let game = Match::new(settings)?;
/// assert_eq!(game.settings().clock.to_string(), "turn=60");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchSettings {
    /// The game and its options.
    pub game: Game,
    /// Who sits where, one for each seat.
    pub sitters: Vec<Sitter>,
    /// How time is counted.
    pub clock: ClockRule,
    /// When the match was played, if known.
    pub date: Option<Date>,
    /// The text of the position it starts from, if not the usual one.
    pub start: Option<String>,
    /// Further notes to keep with the match, by name: `("Event", "Club evening")`.
    ///
    /// A name is a letter, then letters, digits and underscores; a match keeps the first
    /// [`MatchSettings::MOST_NOTES`] that are so.
    pub notes: Vec<(String, String)>,
}

impl MatchSettings {
    /// The most notes a match keeps.
    pub const MOST_NOTES: usize = 50;

    /// Nameless people without a clock, from the usual start.
    pub fn new(game: Game) -> MatchSettings {
        let sitters = vec![Sitter::default(); game.seats().into()];
        MatchSettings { game, sitters, clock: ClockRule::None, date: None, start: None, notes: Vec::new() }
    }

    /// The settings of the next match of the same players: everybody moves on by one seat, so another player begins. Signs
    /// that were chosen go with their players.
    ///
    /// ```
    /// # use game::MatchSettings;
    /// let mut settings = MatchSettings::new("quixo".parse()?);
    /// settings.sitters[1] = "bot:3".parse()?;
    /// assert_eq!(settings.rematch().sitters[0].to_string(), "bot:3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rematch(&self) -> MatchSettings {
        let mut next = self.clone();
        next.begin_with(next.sitters.len().saturating_sub(1));
        next.start = None;
        next.date = None;
        next
    }

    /// Keeps only the notes a record can hold, in the form it holds them.
    pub(crate) fn tidy_notes(&mut self) {
        let mut tidy: Vec<(String, String)> = Vec::new();
        for (name, value) in self.notes.drain(..) {
            let free = !RESERVED.contains(&name.as_str()) && tidy.iter().all(|(other, _)| *other != name);
            if free && is_tag_name(&name) && tidy.len() < MatchSettings::MOST_NOTES {
                tidy.push((name, one_line(&value, LONGEST_VALUE)));
            }
        }
        self.notes = tidy;
    }

    /// The position the match starts from.
    pub fn start_position(&self) -> Result<Box<dyn AnyPosition>, BadPosition> {
        match &self.start {
            None => Ok(self.game.start()),
            Some(text) => self.game.parse_position(text),
        }
    }
}

/// A day, or a moment in universal time: `2026-03-09` or `2026-03-09T18:30:00Z`.
///
/// ```
/// use game::Date;
///
/// assert!("2026-03-09".parse::<Date>().is_ok());
/// assert!("2026-13-09".parse::<Date>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Date(String);

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Date {
    type Err = BadDate;

    fn from_str(text: &str) -> Result<Date, BadDate> {
        let bad = || BadDate(excerpt(text));
        let shape: String = text.chars().map(|letter| if letter.is_ascii_digit() { '0' } else { letter }).collect();
        let number = |range: std::ops::Range<usize>| text.get(range).and_then(|digits| digits.parse::<u32>().ok());
        let within = |start: usize, least, most| number(start..start + 2).is_some_and(|n| (least..=most).contains(&n));
        let longest = || match number(5..7) {
            Some(2) => 28 + u32::from(number(0..4).is_some_and(is_leap_year)),
            Some(4 | 6 | 9 | 11) => 30,
            _ => 31,
        };
        let day = || within(5, 1, 12) && within(8, 1, longest());
        let time = || within(11, 0, 23) && within(14, 0, 59) && within(17, 0, 60);
        let good = match shape.as_str() {
            "0000-00-00" => day(),
            "0000-00-00T00:00:00Z" => day() && time(),
            _ => false,
        };
        if good { Ok(Date(text.to_owned())) } else { Err(bad()) }
    }
}

fn is_leap_year(year: u32) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

/// A text that is no date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadDate(String);

impl BadDate {
    /// What was written, cut to a sensible length.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BadDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read the date {:?}: expected 2026-03-09 or 2026-03-09T18:30:00Z", self.0)
    }
}

impl std::error::Error for BadDate {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_that_the_calendar_does_not_have_are_no_dates() {
        for good in ["2024-02-29", "2000-02-29", "2026-02-28", "2026-12-31", "2026-03-09T23:59:60Z"] {
            assert!(good.parse::<Date>().is_ok(), "{good}");
        }
        for bad in ["2026-02-29", "1900-02-29", "2026-02-30", "2026-04-31", "2026-00-01", "2026-01-00", "2026-1-1"]
            .into_iter()
            .chain(["2026-03-09T24:00:00Z", "2026-03-09 18:30:00", "09.03.2026", ""])
        {
            let message = bad.parse::<Date>().unwrap_err().to_string();
            assert!(message.contains("expected 2026-03-09"), "{bad}");
        }
    }
}
