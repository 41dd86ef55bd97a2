use game::{Match, MatchSettings};
use rules::{Outcome, Seat};
use search::Random;

/// Which of the players begins a match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FirstPlayer {
    /// The one who was put into the first seat by hand.
    #[default]
    AsSeated,
    /// One of them, drawn by lot.
    Lot,
    /// The loser of the last match; after a draw, or without a last match, as seated.
    Loser,
}

impl FirstPlayer {
    /// All of them, in the order of menus.
    pub const ALL: [FirstPlayer; 3] = [FirstPlayer::AsSeated, FirstPlayer::Lot, FirstPlayer::Loser];

    /// Moves the players on around the table until the one who begins sits in the first seat: neighbours stay
    /// neighbours, and partners stay partners.
    ///
    /// `settings` seats the players as they sat in `last`.
    #[must_use]
    pub fn seat(self, mut settings: MatchSettings, last: Option<&Match>, random: &mut Random) -> MatchSettings {
        let seats = settings.sitters.len();
        let first = match self {
            FirstPlayer::AsSeated => 0,
            FirstPlayer::Lot => random.below(seats as u32) as usize,
            FirstPlayer::Loser => last.and_then(loser).map_or(0, Seat::index),
        };
        settings.sitters.rotate_left(first.min(seats));
        settings
    }
}

/// The first seat of a side that lost.
fn loser(last: &Match) -> Option<Seat> {
    let Some(Outcome::Win(winner)) = last.ending()?.outcome else { return None };
    let position = last.position();
    Seat::all(position.seats()).find(|seat| position.side(*seat) != winner)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use game::Sitter;

    use super::*;

    fn settings(game: &str, names: &[&str]) -> MatchSettings {
        let mut settings = MatchSettings::new(game.parse().unwrap());
        settings.sitters = names.iter().map(|name| Sitter::new(game::Player::Person, name)).collect();
        settings
    }

    fn order(settings: &MatchSettings) -> Vec<String> {
        settings.sitters.iter().map(|sitter| sitter.name().to_owned()).collect()
    }

    #[test]
    fn the_lot_falls_on_everyone_and_partners_stay_opposite() {
        let four = settings("quixo(players=4)", &["a", "b", "c", "d"]);
        let mut random = Random::new(1);
        let mut begun = std::collections::BTreeSet::new();
        for _ in 0..60 {
            let order = order(&FirstPlayer::Lot.seat(four.clone(), None, &mut random));
            let partner = |name: &str| (order.iter().position(|other| other == name).unwrap() + 2) % 4;
            assert_eq!((order[partner("a")].as_str(), order[partner("b")].as_str()), ("c", "d"));
            begun.insert(order[0].clone());
        }
        assert_eq!(begun.len(), 4);
    }

    #[test]
    fn the_loser_begins_the_next_match_and_a_draw_changes_nothing() {
        let two = settings("quixo", &["a", "b"]);
        let mut last = Match::new(two.clone()).unwrap();
        let mut random = Random::new(1);
        assert_eq!(order(&FirstPlayer::Loser.seat(two.clone(), Some(&last), &mut random)), ["a", "b"]);
        last.resign(Seat::TWO, Duration::ZERO).unwrap();
        assert_eq!(order(&FirstPlayer::Loser.seat(two.clone(), Some(&last), &mut random)), ["b", "a"]);
        assert_eq!(order(&FirstPlayer::AsSeated.seat(two, Some(&last), &mut random)), ["a", "b"]);
    }
}
