use game::{Conferring, Date, Match, MatchSettings, Player, Sitter};
use rules::Seat;

use super::table::Table;
use super::{Decision, DecisionContext, Event, FirstPlayer, Person, PersonKind, Refusal, Sitting};

impl Table {
    /// A person takes a seat, and the game begins if that was the last free one.
    pub(super) fn sit(
        &self,
        who: &Person,
        seat: Option<Seat>,
        context: &mut DecisionContext<'_>,
    ) -> Result<Decision, Refusal> {
        self.check_not_begun()?;
        if self.spec.rated && who.kind != PersonKind::Account {
            return Err(Refusal::NotRated);
        }
        if self.seat_of(&who.id).is_some() {
            return Err(Refusal::SeatTaken);
        }
        let first_free = || self.seats.iter().position(Option::is_none).map(Seat::from_index);
        let seat = seat.or_else(first_free).ok_or(Refusal::SeatTaken)?;
        self.take(seat, Sitting::Person(who.clone()), context)
    }

    /// A person stands up before the game.
    pub(super) fn stand(&self, who: &Person) -> Result<Vec<Event>, Refusal> {
        self.check_not_begun()?;
        Ok(vec![Event::Stood { seat: self.seat_of_person(who)? }])
    }

    /// The maker seats a bot, or removes it.
    pub(super) fn seat_bot(
        &self,
        who: &Person,
        seat: Seat,
        level: Option<u8>,
        context: &mut DecisionContext<'_>,
    ) -> Result<Decision, Refusal> {
        self.check_not_begun()?;
        if who.id != self.maker {
            return Err(Refusal::NotMaker);
        }
        if self.spec.rated {
            return Err(Refusal::NotRated);
        }
        match (self.seats.get(seat.index()), level) {
            (None, _) => Err(Refusal::NoSeat),
            (_, Some(0 | 9..)) => Err(Refusal::unreadable("the level of a bot is 1 to 8")),
            (Some(Some(Sitting::Bot(_))), None) => Ok(self.without_the_match(vec![Event::Stood { seat }], context)),
            (Some(None), Some(level)) => self.take(seat, Sitting::Bot(level), context),
            _ => Err(Refusal::SeatTaken),
        }
    }

    fn take(&self, seat: Seat, who: Sitting, context: &mut DecisionContext<'_>) -> Result<Decision, Refusal> {
        if self.seats.get(seat.index()).ok_or(Refusal::NoSeat)?.is_some() {
            return Err(Refusal::SeatTaken);
        }
        let rating = who.person().and_then(|person| context.rating_of(&person.id));
        let mut seats = self.seats.clone();
        seats[seat.index()] = Some(who.clone());
        let mut events = vec![Event::Sat { seat, who, rating }];
        if seats.iter().any(Option::is_none) {
            return Ok(self.without_the_match(events, context));
        }
        if self.spec.draws_seats() {
            let mut ratings = self.ratings.clone();
            ratings[seat.index()] = rating;
            let (drawn, moves) = draw_seats(seats, &ratings, context.random);
            events.extend(moves);
            return self.begin(&drawn, events, context);
        }
        self.begin(&seats, events, context)
    }

    /// Begins the game with these players: the clock runs, and chance deals.
    pub(super) fn begin(
        &self,
        seats: &[Option<Sitting>],
        mut events: Vec<Event>,
        context: &mut DecisionContext<'_>,
    ) -> Result<Decision, Refusal> {
        self.check_not_begun()?;
        if seats.iter().any(Option::is_none) {
            return Err(Refusal::SeatsFree);
        }
        let mut play = self.new_match(seats, context.at).map_err(|problem| Refusal::BadTable { problem })?;
        play.start_clock(context.now);
        events.push(Event::Began);
        self.conclude(play.draft(), events, 0, context)
    }

    fn check_not_begun(&self) -> Result<(), Refusal> {
        if self.play.is_some() { Err(Refusal::Begun) } else { Ok(()) }
    }

    /// A match of these players, begun at a moment.
    pub(super) fn new_match(&self, seats: &[Option<Sitting>], at: i64) -> Result<Match, String> {
        let mut settings = MatchSettings::new(self.spec.game.clone());
        settings.clock = self.spec.clock;
        settings.date = date(at);
        for (sitter, who) in settings.sitters.iter_mut().zip(seats) {
            *sitter = match who {
                Some(Sitting::Person(person)) => Sitter::new(Player::Person, &person.name),
                Some(Sitting::Bot(level)) => {
                    Sitter::new(search::Level::new(*level).map_or_else(Player::default, Player::Bot), "")
                }
                None => Sitter::default(),
            };
        }
        settings.notes.push(("Table".to_owned(), self.id.clone()));
        if let Some(signs) = self.spec.signs {
            settings.choose_signs(signs);
        }
        settings.agree_conferring(if self.spec.confer { Conferring::Allowed } else { Conferring::Forbidden });
        // How the first player of this match was found: the loser of a match before, if there was one.
        let first = if self.spec.draws_seats() { Some(FirstPlayer::Lot) } else { self.spec.first };
        settings.notes.extend(first.map(|first| ("First".to_owned(), first.word().to_owned())));
        Match::new(settings).map_err(|problem| problem.to_string())
    }
}

/// Seats the players by lot: who sits where then, and the events that lead there.
fn draw_seats(
    seats: Vec<Option<Sitting>>,
    ratings: &[Option<u32>],
    random: &mut (dyn FnMut(u32) -> u32 + Send),
) -> (Vec<Option<Sitting>>, Vec<Event>) {
    let mut order: Vec<usize> = (0..seats.len()).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, random(last as u32 + 1) as usize);
    }
    let moved = || order.iter().enumerate().filter(|(to, from)| to != *from);
    let mut events: Vec<Event> = moved().map(|(to, _)| Event::Stood { seat: Seat::from_index(to) }).collect();
    events.extend(moved().filter_map(|(to, &from)| {
        Some(Event::Sat { seat: Seat::from_index(to), who: seats[from].clone()?, rating: ratings[from] })
    }));
    (order.iter().map(|&from| seats[from].clone()).collect(), events)
}

/// A time as a record writes it.
fn date(at: i64) -> Option<Date> {
    // Records have whole seconds.
    jiff::Timestamp::from_second(at.div_euclid(1000)).ok()?.to_string().parse().ok()
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
