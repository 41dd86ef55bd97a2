use game::{Date, Match, MatchSettings, Player, Sitter};
use protocol::{Code, Event, Person, Sitting};

use super::Refusal;
use super::table::{Moment, Table};

impl Table {
    /// A person sits down, and the game begins if that was the last free seat.
    pub(super) fn sit(&mut self, who: &Person, seat: u8, moment: &mut Moment<'_>) -> Result<Vec<Event>, Refusal> {
        self.check_not_begun()?;
        if self.wish.rated && who.kind != "account" {
            return Err(Code::NotRated.into());
        }
        if self.seat_of(&who.id).is_some() {
            return Err(Code::SeatTaken.into());
        }
        let index = match usize::from(seat) {
            0 => self.seats.iter().position(Option::is_none).ok_or(Code::SeatTaken)?,
            number if number > self.seats.len() => return Err(Code::NoSeat.into()),
            number => number - 1,
        };
        self.take(index, Sitting::Person(who.clone()), moment)
    }

    /// A person stands up before the game.
    pub(super) fn stand(&mut self, who: &Person) -> Result<Vec<Event>, Refusal> {
        self.check_not_begun()?;
        let seat = self.seat_of(&who.id).ok_or(Code::NotSeated)?;
        Ok(vec![Event::Stood { seat: seat.number() }])
    }

    /// The maker seats a bot, or takes it away.
    pub(super) fn seat_bot(
        &mut self,
        who: &Person,
        seat: u8,
        level: u8,
        moment: &mut Moment<'_>,
    ) -> Result<Vec<Event>, Refusal> {
        self.check_not_begun()?;
        if who.id != self.maker {
            return Err(Code::NotMaker.into());
        }
        if self.wish.rated {
            return Err(Code::NotRated.into());
        }
        let index = usize::from(seat).wrapping_sub(1);
        match (self.seats.get(index), level) {
            (None, _) | (_, 9..) => Err(Code::NoSeat.into()),
            (Some(Some(Sitting::Bot(_))), 0) => Ok(vec![Event::Stood { seat }]),
            (Some(None), 1..=8) => self.take(index, Sitting::Bot(level), moment),
            _ => Err(Code::SeatTaken.into()),
        }
    }

    fn take(&mut self, index: usize, who: Sitting, moment: &mut Moment<'_>) -> Result<Vec<Event>, Refusal> {
        if self.seats[index].is_some() {
            return Err(Code::SeatTaken.into());
        }
        let rating = if let Sitting::Person(person) = &who { moment.rating_of(&person.id) } else { None };
        let sat = Event::Sat { seat: index as u8 + 1, who: who.clone(), rating };
        let last = self.seats.iter().filter(|who| who.is_none()).count() == 1;
        if !last {
            return Ok(vec![sat]);
        }
        // The match needs to know everybody; if the line is not kept, the whole table is read again.
        self.seats[index] = Some(who);
        let mut events = vec![sat];
        events.extend(self.begin(moment)?);
        Ok(events)
    }

    /// Begins the game: the clock runs, and chance deals.
    pub(super) fn begin(&mut self, moment: &mut Moment<'_>) -> Result<Vec<Event>, Refusal> {
        self.check_not_begun()?;
        if self.seats.iter().any(Option::is_none) {
            return Err(Code::SeatsFree.into());
        }
        let mut play = self.new_match(moment.at).map_err(|problem| Refusal::with(Code::BadWish, problem))?;
        play.start_clock(moment.now);
        self.play = Some(play);
        let mut events = vec![Event::Began];
        events.extend(self.draw(0, moment)?);
        Ok(events)
    }

    pub(super) fn check_not_begun(&self) -> Result<(), Refusal> {
        if self.play.is_some() { Err(Code::Begun.into()) } else { Ok(()) }
    }

    /// The match of those who sit here, begun at a moment.
    pub(super) fn new_match(&self, at: i64) -> Result<Match, String> {
        let mut setup = MatchSettings::new(self.game.clone());
        setup.clock = self.clock;
        setup.date = date(at);
        for (sitter, who) in setup.sitters.iter_mut().zip(&self.seats) {
            *sitter = match who {
                Some(Sitting::Person(person)) => Sitter::new(Player::Person, &person.name),
                Some(Sitting::Bot(level)) => {
                    Sitter::new(search::Level::new(*level).map_or_else(Player::default, Player::Bot), "")
                }
                None => Sitter::default(),
            };
        }
        setup.notes.push(("Table".to_owned(), self.id.clone()));
        Match::new(setup).map_err(|problem| problem.to_string())
    }
}

/// The moment as a record writes it.
fn date(at: i64) -> Option<Date> {
    let seconds = at.div_euclid(1000);
    let (days, time) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Howard Hinnant's calendar: years begin in March, so the leap day comes last.
    let era_days = days + 719_468;
    let (era, day_of_era) = (era_days.div_euclid(146_097), era_days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let (day, month) =
        (day_of_year - (153 * shifted + 2) / 5 + 1, if shifted < 10 { shifted + 3 } else { shifted - 9 });
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z").parse().ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn dates_are_those_of_the_calendar() {
        let said = |at| super::date(at).unwrap().to_string();
        assert_eq!(said(0), "1970-01-01T00:00:00Z");
        assert_eq!(said(951_782_400_000), "2000-02-29T00:00:00Z");
        assert_eq!(said(1_794_758_399_999), "2026-11-15T15:59:59Z");
    }
}
