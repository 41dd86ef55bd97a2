use rules::{Seat, Side};

use crate::{Game, Language};

/// What the seats and sides of a match are called, and whom the texts address.
///
/// ```
/// use locale::{Game, Language, Names};
/// use rules::{Seat, Side};
///
/// let mut names = Names::usual(Language::English, Game::Four, 2);
/// assert_eq!(names.seat(Seat::ONE), "Black");
/// names.rename(Seat::ONE, "Olena");
/// assert_eq!(names.side(Side::ONE), "Olena");
///
/// let teams = Names::usual(Language::Ukrainian, Game::Quixo, 4);
/// assert_eq!((teams.seat(Seat::THREE), teams.side(Side::ONE)), ("Гравець 3", "Хрестики"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    seats: Vec<String>,
    /// Names of teams; without teams a side is called as its seat.
    teams: Option<[String; 2]>,
    you: Option<Seat>,
}

impl Names {
    /// The names a game gives its seats: the colour or symbol where each has its own, otherwise a number.
    pub fn usual(language: Language, game: Game, seats: u8) -> Names {
        let names = Seat::all(seats).map(|seat| usual_name(language, game, seats, seat)).collect();
        let teams = (game == Game::Quixo && seats == 4)
            .then(|| [language.side_crosses().to_owned(), language.side_noughts().to_owned()]);
        Names { seats: names, teams, you: None }
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

fn usual_name(language: Language, game: Game, seats: u8, seat: Seat) -> String {
    let colours = match (game, seats) {
        (Game::Quixo, 2) => [language.side_crosses(), language.side_noughts(), "", ""],
        (Game::Four, _) => [language.side_black(), language.side_white(), "", ""],
        (Game::Sequence, _) => {
            [language.side_green(), language.side_blue(), language.side_red(), language.side_yellow()]
        }
        _ => return language.player(seat),
    };
    colours[seat.index()].to_owned()
}
