use std::fmt;
use std::str::FromStr;

/// A calendar day, the same everywhere: a day begins at midnight UTC.
///
/// ```
/// use puzzles::Day;
///
/// let day: Day = "2026-11-17".parse()?;
/// assert_eq!(day.date(), (2026, 11, 17));
/// assert_eq!(day.next().to_string(), "2026-11-18");
/// assert_eq!(Day::at(day.number() as u64 * 86_400_000), day);
/// # Ok::<(), puzzles::BadDay>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(i32);

/// A text that is no day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadDay;

impl Day {
    /// The day of a moment in milliseconds since 1970.
    pub const fn at(milliseconds: u64) -> Day {
        // Far beyond any calendar the day no longer matters.
        Day((milliseconds / 86_400_000 % (1 << 30)) as i32)
    }

    /// Days since 1970.
    pub const fn number(self) -> i32 {
        self.0
    }

    /// The day so many days later, or earlier if negative.
    #[must_use]
    pub const fn plus(self, days: i32) -> Day {
        Day(self.0 + days)
    }

    /// The day after.
    #[must_use]
    pub const fn next(self) -> Day {
        self.plus(1)
    }

    /// The day before.
    #[must_use]
    pub const fn previous(self) -> Day {
        self.plus(-1)
    }

    /// Days since Monday.
    pub const fn weekday(self) -> u32 {
        (self.0 + 3).rem_euclid(7) as u32
    }

    /// Year, month from 1, day from 1.
    pub const fn date(self) -> (i32, u32, u32) {
        // Years begin in March here, so that the leap day is the last of its year.
        let days = self.0 as i64 + 719_468;
        let era = days.div_euclid(146_097);
        let of_era = days.rem_euclid(146_097);
        let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = year + era * 400 + (month <= 2) as i64;
        (year as i32, month as u32, day as u32)
    }

    /// The day of a date; `None` if there is no such date.
    pub fn of_date(year: i32, month: u32, day: u32) -> Option<Day> {
        if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return None;
        }
        let shifted = i64::from(if month <= 2 { year - 1 } else { year });
        let (era, of_era) = (shifted.div_euclid(400), shifted.rem_euclid(400));
        let of_year = (153 * i64::from((month + 9) % 12) + 2) / 5 + i64::from(day) - 1;
        let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
        let found = Day(days as i32);
        (found.date() == (year, month, day)).then_some(found)
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.date();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl FromStr for Day {
    type Err = BadDay;

    fn from_str(text: &str) -> Result<Day, BadDay> {
        let numbers: Vec<&str> = text.split('-').collect();
        let [year, month, day] = numbers[..] else { return Err(BadDay) };
        if year.len() != 4 || month.len() != 2 || day.len() != 2 {
            return Err(BadDay);
        }
        let (Ok(year), Ok(month), Ok(day)) = (year.parse(), month.parse(), day.parse()) else { return Err(BadDay) };
        Day::of_date(year, month, day).ok_or(BadDay)
    }
}

impl fmt::Display for BadDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a date: expected one such as 2026-11-17")
    }
}

impl std::error::Error for BadDay {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_a_long_time_has_a_date_that_reads_back() {
        let mut day = Day::of_date(1999, 12, 31).unwrap();
        for _ in 0..40_000 {
            assert_eq!(day.to_string().parse(), Ok(day));
            assert_eq!(day.next().weekday(), (day.weekday() + 1) % 7);
            day = day.next();
        }
        assert_eq!(Day::of_date(2026, 11, 17).unwrap().weekday(), 1, "a Tuesday");
    }

    #[test]
    fn dates_that_do_not_exist_are_refused() {
        for text in ["2026-02-29", "2026-13-01", "2026-00-10", "2026-1-1", "26-01-01", "today", "", "2026-01-01-01"] {
            assert_eq!(text.parse::<Day>(), Err(BadDay), "{text}");
        }
        assert!("2028-02-29".parse::<Day>().is_ok());
    }
}
