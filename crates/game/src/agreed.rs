//! What the players agree on before a match besides the rules. It is kept in notes, so a record holds it as tags.

use rules::{Seat, Side, Signs};
use scene::Seating;

use crate::{Game, MatchSettings};

/// The note with the sign of each side, in the order of sides: `nought cross`.
const SIGNS: &str = "Signs";
/// The note that says whether members of a team may confer: `yes` or `no`.
const CONFER: &str = "Confer";

/// Whether members of a team may talk about moves (QX8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Conferring {
    Allowed,
    Forbidden,
}

impl Conferring {
    /// Both, in the order of menus.
    pub const ALL: [Conferring; 2] = [Conferring::Forbidden, Conferring::Allowed];

    /// The word in texts.
    pub const fn word(self) -> &'static str {
        match self {
            Conferring::Allowed => "yes",
            Conferring::Forbidden => "no",
        }
    }
}

impl Game {
    /// How many sides play.
    pub fn sides(&self) -> usize {
        let start = self.start();
        Seat::all(start.seats()).map(|seat| start.side(seat).index() + 1).max().unwrap_or(0)
    }

    /// Whether some seats play together.
    pub fn has_teams(&self) -> bool {
        self.sides() < usize::from(self.seats())
    }
}

impl MatchSettings {
    /// The signs that the players have chosen; none where they have not, or where the note cannot be read.
    ///
    /// ```
    /// use game::MatchSettings;
    /// use rules::{GameId, Signs};
    ///
    /// let mut settings = MatchSettings::new("quixo".parse()?);
    /// assert_eq!(settings.chosen_signs(), None);
    /// let signs = Signs::read(GameId::Quixo, 2, "nought cross")?;
    /// settings.choose_signs(signs);
    /// assert_eq!(settings.signs(), signs);
    /// assert_eq!(settings.notes, [("Signs".to_owned(), "nought cross".to_owned())]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn chosen_signs(&self) -> Option<Signs> {
        Signs::read(self.game.id(), self.game.sides(), self.note(SIGNS)?).ok()
    }

    /// The sign of each side (G9).
    pub fn signs(&self) -> Signs {
        self.chosen_signs().unwrap_or_default()
    }

    /// How the players are shown around the board, with their signs, to a person near this seat (G9).
    pub fn seating(&self, near: Seat) -> Seating {
        Seating { signs: self.signs(), near, seats: self.game.seats() }
    }

    /// Drops every note but the signs: they are how the match looked, the others tell what it was about.
    pub fn keep_only_signs(&mut self) {
        self.notes.retain(|(name, _)| name == SIGNS);
    }

    /// Settles the sign of each side; nothing in a game without signs.
    pub fn choose_signs(&mut self, signs: Signs) {
        let text = signs.text(self.game.id(), self.game.sides());
        self.set_note(SIGNS, Some(text).filter(|text| !text.is_empty()));
    }

    /// Whether members of a team may confer, if that was agreed.
    pub fn conferring(&self) -> Option<Conferring> {
        let agreed = self.note(CONFER)?;
        Conferring::ALL.into_iter().find(|conferring| conferring.word() == agreed)
    }

    /// Settles whether members of a team may confer; nothing where there are no teams.
    pub fn agree_conferring(&mut self, conferring: Conferring) {
        let text = conferring.word().to_owned();
        self.set_note(CONFER, Some(text).filter(|_| self.game.has_teams()));
    }

    /// Moves the players on around the table until the one at this index sits first. Signs that were chosen go with them;
    /// otherwise the first side has the first sign, whichever player has it.
    pub fn begin_with(&mut self, index: usize) {
        let seats = self.sitters.len();
        if seats == 0 {
            return;
        }
        if let Some(old) = self.chosen_signs() {
            let start = self.game.start();
            let mut signs = old;
            for seat in Seat::all(start.seats()) {
                let from = Seat::from_index((seat.index() + index) % seats);
                signs.choose(start.side(seat), old.of(start.side(from)));
            }
            self.choose_signs(signs);
        }
        self.sitters.rotate_left(index % seats);
    }

    /// Exchanges two players; signs that were chosen go with them.
    pub fn exchange(&mut self, one: usize, other: usize) {
        let start = self.game.start();
        let side = |index: usize| -> Side { start.side(Seat::from_index(index)) };
        if let Some(mut signs) = self.chosen_signs() {
            signs.choose(side(one), signs.of(side(other)));
            self.choose_signs(signs);
        }
        self.sitters.swap(one, other);
    }

    fn note(&self, name: &str) -> Option<&str> {
        self.notes.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    fn set_note(&mut self, name: &str, value: Option<String>) {
        self.notes.retain(|(other, _)| other != name);
        self.notes.extend(value.map(|value| (name.to_owned(), value)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Match, Player, Record, Sitter};

    fn settings(game: &str, names: &[&str], signs: &str) -> MatchSettings {
        let mut settings = MatchSettings::new(game.parse().unwrap());
        settings.sitters = names.iter().map(|name| Sitter::new(Player::Person, name)).collect();
        if !signs.is_empty() {
            settings.choose_signs(Signs::read(settings.game.id(), settings.game.sides(), signs).unwrap());
        }
        settings
    }

    fn shown(settings: &MatchSettings) -> (Vec<&str>, String) {
        let names = settings.sitters.iter().map(Sitter::name).collect();
        (names, settings.signs().text(settings.game.id(), settings.game.sides()))
    }

    #[test]
    fn g9_chosen_signs_stay_with_their_players() {
        let mut two = settings("quixo", &["a", "b"], "nought cross");
        two.begin_with(1);
        assert_eq!(shown(&two), (vec!["b", "a"], "cross nought".to_owned()));
        assert!(two.chosen_signs().is_some(), "though it is the usual order now");
        two.exchange(0, 1);
        assert_eq!(shown(&two), (vec!["a", "b"], "nought cross".to_owned()));
        let mut three = settings("sequence(players=3)", &["a", "b", "c"], "red green yellow");
        three.begin_with(1);
        assert_eq!(shown(&three), (vec!["b", "c", "a"], "green yellow red".to_owned()));
        let mut teams = settings("quixo(players=4)", &["a", "b", "c", "d"], "nought cross");
        teams.begin_with(3);
        assert_eq!(shown(&teams), (vec!["d", "a", "b", "c"], "cross nought".to_owned()));
    }

    #[test]
    fn unless_signs_are_chosen_the_first_player_has_the_first() {
        let mut two = settings("quixo", &["a", "b"], "");
        two.begin_with(1);
        assert_eq!(shown(&two), (vec!["b", "a"], "cross nought".to_owned()));
        let mut quarto = settings("quarto", &["a", "b"], "");
        quarto.choose_signs(Signs::default());
        assert_eq!(quarto.notes, []);
    }

    #[test]
    fn what_was_agreed_stands_in_the_record() {
        let mut teams = settings("quixo(players=4)", &["a", "b", "c", "d"], "nought cross");
        teams.agree_conferring(Conferring::Allowed);
        let record = Match::new(teams).unwrap().record().to_string();
        assert!(record.contains("[Signs \"nought cross\"]\n[Confer \"yes\"]\n"), "{record}");
        let read = Record::read_all(&record).unwrap().remove(0);
        assert_eq!(read.settings().conferring(), Some(Conferring::Allowed));
        assert_eq!(read.settings().signs().text(rules::GameId::Quixo, 2), "nought cross");
        let mut two = settings("quixo", &["a", "b"], "");
        two.agree_conferring(Conferring::Allowed);
        assert_eq!(two.conferring(), None, "there is nobody to confer with");
    }
}
