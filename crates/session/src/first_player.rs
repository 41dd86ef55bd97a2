use game::{Match, MatchSettings, Sitter};
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

    /// The note of a match, a tag of its record, that says how its first player was found.
    const NOTE: &str = "First";

    /// The word for it in records.
    pub const fn word(self) -> &'static str {
        match self {
            FirstPlayer::AsSeated => "seated",
            FirstPlayer::Lot => "lot",
            FirstPlayer::Loser => "loser",
        }
    }

    /// How the first player of a match was found.
    pub fn of(settings: &MatchSettings) -> FirstPlayer {
        let noted = settings.notes.iter().find(|(name, _)| name == FirstPlayer::NOTE);
        let chosen = FirstPlayer::ALL.into_iter().find(|first| noted.is_some_and(|(_, word)| word == first.word()));
        chosen.unwrap_or_default()
    }

    /// The settings of the next match: the players go on as they chose before this one.
    pub fn next_match(last: &Match, random: &mut Random) -> MatchSettings {
        let first = FirstPlayer::of(last.settings());
        if first == FirstPlayer::AsSeated {
            return last.settings().rematch();
        }
        let next = MatchSettings { start: None, date: None, ..last.settings().clone() };
        first.seat(next, Some(last), random)
    }

    /// Moves the players on around the table until the one who begins sits in the first seat: neighbours stay
    /// neighbours, and partners stay partners. Signs that were chosen go with the players.
    ///
    /// `settings` seats the players as they sat in `last`. A choice other than by hand is noted, so that a table can
    /// show it and the next match goes on with it.
    #[must_use]
    pub fn seat(self, mut settings: MatchSettings, last: Option<&Match>, random: &mut Random) -> MatchSettings {
        let seats = settings.sitters.len();
        let first = match self {
            FirstPlayer::AsSeated => 0,
            FirstPlayer::Lot => random.below(seats as u32) as usize,
            FirstPlayer::Loser => last.and_then(loser).map_or(0, Seat::index),
        };
        settings.begin_with(first);
        self.note(&mut settings);
        settings
    }

    /// The same where the matches before are known, the newest first: the last one that these players finished in this game
    /// tells who lost, and they are seated as they sat then.
    #[must_use]
    pub fn seat_after(
        self,
        mut settings: MatchSettings,
        earlier: impl IntoIterator<Item = Match>,
        random: &mut Random,
    ) -> MatchSettings {
        let was_theirs = |last: &Match| {
            last.settings().game.id() == settings.game.id()
                && last.ending().is_some()
                && players(last.settings()) == players(&settings)
        };
        let last = if self == FirstPlayer::Loser { earlier.into_iter().find(was_theirs) } else { None };
        if let Some(last) = &last {
            sit_as_before(&mut settings, last.settings());
        }
        self.seat(settings, last.as_ref(), random)
    }

    /// Notes a choice other than by hand.
    pub(crate) fn note(self, settings: &mut MatchSettings) {
        if self != FirstPlayer::AsSeated {
            settings.notes.retain(|(name, _)| name != FirstPlayer::NOTE);
            settings.notes.push((FirstPlayer::NOTE.to_owned(), self.word().to_owned()));
        }
    }

    /// How the first player of a server's table is found.
    pub fn of_table(table: &protocol::TableInfo) -> FirstPlayer {
        table.first.map_or(FirstPlayer::AsSeated, FirstPlayer::from)
    }

    /// The choice as a server knows it; none where the players choose their seats.
    pub const fn to_wire(self) -> Option<protocol::FirstPlayer> {
        match self {
            FirstPlayer::AsSeated => None,
            FirstPlayer::Lot => Some(protocol::FirstPlayer::Lot),
            FirstPlayer::Loser => Some(protocol::FirstPlayer::Loser),
        }
    }
}

/// The players, wherever they sit.
fn players(settings: &MatchSettings) -> Vec<String> {
    let mut players = Vec::<String>::new();
    for player in settings.sitters.iter().map(Sitter::to_string) {
        // Two or four of them: `sort` would be more code than the rest of this file.
        players.insert(players.partition_point(|other| *other < player), player);
    }
    players
}

/// Seats the players as in the match before; chosen signs go with them.
fn sit_as_before(settings: &mut MatchSettings, last: &MatchSettings) {
    for _ in 0..settings.sitters.len() {
        if settings.sitters == last.sitters {
            break;
        }
        settings.begin_with(1);
    }
    settings.sitters.clone_from(&last.sitters);
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

    #[test]
    fn the_loser_is_found_in_the_last_match_of_the_same_players() {
        let lost_by_the_second = |game: &str, names: &[&str]| {
            let mut last = Match::new(settings(game, names)).unwrap();
            last.resign(Seat::TWO, Duration::ZERO).unwrap();
            last
        };
        let unfinished = Match::new(settings("quixo", &["a", "b"])).unwrap();
        let earlier = [
            unfinished,
            lost_by_the_second("quarto", &["a", "b"]),
            lost_by_the_second("quixo", &["a", "c"]),
            lost_by_the_second("quixo", &["b", "a"]),
            lost_by_the_second("quixo", &["a", "b"]),
        ];
        let mut random = Random::new(1);
        let mut seat = |first: FirstPlayer, matches: &[Match]| {
            order(&first.seat_after(settings("quixo", &["b", "a"]), matches.to_vec(), &mut random))
        };
        assert_eq!(seat(FirstPlayer::Loser, &earlier), ["a", "b"], "a lost the last one");
        assert_eq!(seat(FirstPlayer::Loser, &earlier[4..]), ["b", "a"]);
        assert_eq!(seat(FirstPlayer::Loser, &[]), ["b", "a"], "nobody has lost yet");
        assert_eq!(seat(FirstPlayer::AsSeated, &earlier), ["b", "a"]);
    }

    #[test]
    fn the_next_match_goes_on_as_the_players_chose() {
        let mut random = Random::new(1);
        let lost_by_the_first = |settings: MatchSettings| {
            let mut last = Match::new(settings).unwrap();
            last.resign(Seat::ONE, Duration::ZERO).unwrap();
            last
        };
        let by_hand = lost_by_the_first(settings("quixo", &["a", "b"]));
        assert_eq!(order(&FirstPlayer::next_match(&by_hand, &mut random)), ["b", "a"], "everybody moves on");
        let mut chosen = FirstPlayer::Loser.seat(settings("quixo", &["a", "b"]), None, &mut random);
        for _ in 0..2 {
            let last = lost_by_the_first(chosen);
            assert_eq!(FirstPlayer::of(last.record().settings()), FirstPlayer::Loser, "the record says so");
            chosen = FirstPlayer::next_match(&last, &mut random);
            assert_eq!(order(&chosen), ["a", "b"], "the loser begins again");
        }
    }
}
