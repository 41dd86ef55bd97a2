use rules::{GameId, Seat, Side, Sign, Signs};

use crate::Language;
use crate::messages::side_names;

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
    seats: Vec<String>,
    /// Names of teams; without teams a side is called as its seat.
    teams: Option<[String; 2]>,
    you: Option<Seat>,
    signs: Signs,
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
        let named = (0..count).map(|side| sign_name(language, game, signs.of(Side::from_index(side))).to_owned());
        if usize::from(seats) <= count {
            return Names { seats: named.take(seats.into()).collect(), teams: None, you: None, signs };
        }
        let teams: Vec<String> = named.collect();
        let numbered = Seat::all(seats).map(|seat| language.player(seat)).collect();
        Names { seats: numbered, teams: teams.try_into().ok(), you: None, signs }
    }

    /// Seats called by their numbers, whatever the game.
    pub fn numbered(language: Language) -> Names {
        let seats = Seat::all(4).map(|seat| language.player(seat)).collect();
        Names { seats, teams: None, you: None, signs: Signs::default() }
    }

    /// Calls a seat by another name, that of a person or of the computer.
    pub fn rename(&mut self, seat: Seat, name: impl Into<String>) {
        if let Some(old) = self.seats.get_mut(seat.index()) {
            *old = name.into();
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
        self.seats.get(seat.index()).map_or(["1", "2", "3", "4"][seat.index()], String::as_str)
    }

    /// What a side is called: its team's name, or that of its only seat.
    pub fn side(&self, side: Side) -> &str {
        match &self.teams {
            Some(teams) => &teams[side.index() & 1],
            None => self.seat(Seat::from_index(side.index())),
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
