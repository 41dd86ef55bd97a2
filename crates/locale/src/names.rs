use rules::{GameId, Seat, Side, Sign, Signs};

use crate::messages::side_names;
use crate::{Language, capitalised};

/// What a side with this sign is called: Crosses, Green, Black.
pub fn sign_name(language: Language, game: GameId, sign: Sign) -> &'static str {
    side_names(language, game).get(sign.index()).copied().unwrap_or_default()
}

/// What the seats and sides of a match are called, and whom the texts address.
///
/// ```
/// use locale::{Language, Names};
/// use rules::{GameId, Seat, Side};
///
/// let mut names = Names::usual(Language::English, GameId::Four, 2);
/// assert_eq!(names.seat(Seat::ONE), "Black");
/// names.rename(Seat::ONE, "Olena");
/// assert_eq!(names.side(Side::ONE), "Olena");
///
/// let teams = Names::usual(Language::Ukrainian, GameId::Quixo, 4);
/// assert_eq!((teams.seat(Seat::THREE), teams.side(Side::ONE)), ("Гравець 3", "Хрестики"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    seats: Vec<Name>,
    /// Names of teams; without teams a side is called as its seat.
    teams: Option<[Name; 2]>,
    you: Option<Seat>,
    signs: Signs,
}

/// A name, and what a verb after it agrees with.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Name {
    text: String,
    /// The same within a sentence, where that differs.
    within: Option<String>,
    count: u64,
}

impl Name {
    /// The name of one person, of the computer, or of a seat by its number.
    fn of_one(text: impl Into<String>) -> Name {
        Name { text: text.into(), within: None, count: 1 }
    }

    /// The name of a symbol or colour: in Ukrainian and Russian all are plurals, in English those that end as one.
    fn of_sign(language: Language, game: GameId, sign: Sign) -> Name {
        let text = sign_name(language, game, sign).to_owned();
        let is_plural = match language {
            Language::English => text.ends_with('s'),
            Language::Ukrainian | Language::Russian => !game.signs().is_empty(),
        };
        Name { text, within: None, count: if is_plural { 2 } else { 1 } }
    }
}

impl Names {
    /// The names a game gives its seats: the colour or symbol where each has its own, otherwise a number.
    ///
    /// Where more seats play than the game has names, they play in two teams, and the names are those of the teams.
    pub fn usual(language: Language, game: GameId, seats: u8) -> Names {
        Names::with_signs(language, game, seats, Signs::default())
    }

    /// The same where the players have chosen their colours or symbols (G9).
    ///
    /// ```
    /// use locale::{Language, Names};
    /// use rules::{GameId, Seat, Signs};
    ///
    /// let signs = Signs::read(GameId::Quixo, 2, "nought cross")?;
    /// assert_eq!(Names::with_signs(Language::English, GameId::Quixo, 2, signs).seat(Seat::ONE), "Noughts");
    /// # Ok::<(), rules::BadSigns>(())
    /// ```
    pub fn with_signs(language: Language, game: GameId, seats: u8, signs: Signs) -> Names {
        let count = side_names(language, game).len();
        let named = (0..count).map(|side| Name::of_sign(language, game, signs.of(Side::from_index(side))));
        if usize::from(seats) <= count {
            return Names { seats: named.take(seats.into()).collect(), teams: None, you: None, signs };
        }
        let teams: Vec<Name> = named.collect();
        let numbered = Seat::all(seats).map(|seat| Name::of_one(language.player(seat))).collect();
        Names { seats: numbered, teams: teams.try_into().ok(), you: None, signs }
    }

    /// Seats called by their numbers, whatever the game.
    pub fn numbered(language: Language) -> Names {
        let seats = Seat::all(4).map(|seat| Name::of_one(language.player(seat))).collect();
        Names { seats, teams: None, you: None, signs: Signs::default() }
    }

    /// Calls a seat by another name, that of a person or of the computer.
    pub fn rename(&mut self, seat: Seat, name: impl Into<String>) {
        if let Some(old) = self.seats.get_mut(seat.index()) {
            *old = Name::of_one(name);
        }
    }

    /// Calls a seat the reader's opponent: where all play with the same pieces, a number would say nothing.
    ///
    /// ```
    /// use locale::{Language, Names};
    /// use rules::{GameId, Seat};
    ///
    /// let mut names = Names::usual(Language::English, GameId::Quarto, 2).speaking_to(Seat::ONE);
    /// names.call_opponent(Language::English, Seat::TWO);
    /// assert_eq!((names.seat(Seat::TWO), names.seat_within(Seat::TWO)), ("Your opponent", "your opponent"));
    /// ```
    pub fn call_opponent(&mut self, language: Language, seat: Seat) {
        if let Some(old) = self.seats.get_mut(seat.index()) {
            let within = language.your_opponent();
            *old = Name { within: Some(within.to_owned()), ..Name::of_one(capitalised(within)) };
        }
    }

    /// Makes texts speak to this seat as “you”; without it they name everybody.
    #[must_use]
    pub fn speaking_to(mut self, seat: Seat) -> Names {
        self.you = Some(seat);
        self
    }

    /// What a seat is called; its number where there is no such seat.
    pub fn seat(&self, seat: Seat) -> &str {
        self.seats.get(seat.index()).map_or(["1", "2", "3", "4"][seat.index()], |name| &name.text)
    }

    /// The same within a sentence.
    pub fn seat_within(&self, seat: Seat) -> &str {
        let name = self.seats.get(seat.index()).and_then(|name| name.within.as_deref());
        name.unwrap_or_else(|| self.seat(seat))
    }

    /// What a verb after the name of a seat agrees with: 2 after “Crosses”, else 1.
    pub fn seat_count(&self, seat: Seat) -> u64 {
        self.seats.get(seat.index()).map_or(1, |name| name.count)
    }

    /// What a side is called: its team's name, or that of its only seat.
    pub fn side(&self, side: Side) -> &str {
        match &self.teams {
            Some(teams) => &teams[side.index() & 1].text,
            None => self.seat(Seat::from_index(side.index())),
        }
    }

    /// What a verb after the name of a side agrees with.
    pub fn side_count(&self, side: Side) -> u64 {
        match &self.teams {
            Some(teams) => teams[side.index() & 1].count,
            None => self.seat_count(Seat::from_index(side.index())),
        }
    }

    /// The symbol or colour of a side.
    pub fn sign(&self, side: Side) -> Sign {
        self.signs.of(side)
    }

    /// The seat that the texts speak to.
    pub fn you(&self) -> Option<Seat> {
        self.you
    }

    /// Whether the texts speak to this seat.
    pub fn is_you(&self, seat: Seat) -> bool {
        self.you == Some(seat)
    }

    /// Whether the texts speak to a member of this side.
    pub fn is_your_side(&self, side: Side) -> bool {
        self.you.is_some_and(|seat| match self.teams {
            Some(_) => seat.index() & 1 == side.index(),
            None => seat.index() == side.index(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_agree_with_symbols_colours_people_and_the_computer() {
        let won = |language: Language, game, named: Option<&str>| {
            let mut names = Names::usual(language, game, 2);
            named.into_iter().for_each(|name| names.rename(Seat::ONE, name));
            language.wins(names.side(Side::ONE), names.side_count(Side::ONE))
        };
        let (en, uk, ru) = (Language::English, Language::Ukrainian, Language::Russian);
        assert_eq!(won(en, GameId::Quixo, None), "Crosses win!");
        assert_eq!(won(en, GameId::Four, None), "Black wins!");
        assert_eq!(won(en, GameId::Quarto, None), "Player 1 wins!");
        assert_eq!(won(en, GameId::Quixo, Some("Boris")), "Boris wins!");
        assert_eq!(won(uk, GameId::Quixo, None), "Хрестики перемагають!");
        assert_eq!(won(uk, GameId::Quarto, None), "Гравець 1 перемагає!");
        assert_eq!(won(uk, GameId::Sequence, Some("Комп’ютер")), "Комп’ютер перемагає!");
        assert_eq!(won(ru, GameId::Sequence, None), "Зелёные побеждают!");
        let teams = Names::usual(uk, GameId::Quixo, 4);
        assert_eq!((teams.side_count(Side::TWO), teams.seat_count(Seat::TWO)), (2, 1));
    }
}
