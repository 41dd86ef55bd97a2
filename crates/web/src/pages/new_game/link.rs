//! What is being set up as part of an address, and what was set up last.

use game::{Conferring, Game, GameId, MatchSettings, Player, Sitter};
use rules::Signs;
use search::Level;
use session::FirstPlayer;

use crate::fitting_game::fitting_game;
use crate::route::{read_query, write_query};
use crate::settings::{keep, kept};

/// A match to be set up: how it is played, and who begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrangement {
    /// The game, the seats and the clock.
    pub settings: MatchSettings,
    /// Who begins.
    pub first: FirstPlayer,
}

impl Arrangement {
    /// The last arrangement for this game, or a person against a gentle computer.
    pub fn last(game: GameId) -> Arrangement {
        kept(&format!("setup.{game}"))
            .and_then(|query| Arrangement::from_query(game, &query))
            .unwrap_or_else(|| Arrangement { settings: usual(fitting_game(game)), first: FirstPlayer::AsSeated })
    }

    /// Keeps this for the next visit.
    pub fn keep(&self) {
        keep(&format!("setup.{}", self.settings.game.id()), &self.to_query());
    }

    /// What follows `?` in a link.
    pub fn to_query(&self) -> String {
        let setup = &self.settings;
        let game = setup.game.to_string();
        let seats = setup.sitters.iter().map(|sitter| sitter.player().to_string()).collect::<Vec<_>>().join(",");
        let clock = setup.clock.to_string();
        let signs = setup.chosen_signs().map(|signs| signs.text(setup.game.id(), setup.game.sides()));
        let mut pairs = vec![("game", game.as_str()), ("seats", &seats), ("clock", &clock)];
        // What is as usual needs no word.
        if self.first != FirstPlayer::AsSeated {
            pairs.push(("first", self.first.word()));
        }
        pairs.extend(signs.as_deref().map(|signs| ("signs", signs)));
        pairs.extend(setup.conferring().map(|conferring| ("confer", conferring.word())));
        write_query(&pairs)
    }

    /// Reads settings from a link; what it leaves open stays as usual, and what cannot be read spoils it.
    pub fn from_query(id: GameId, query: &str) -> Option<Arrangement> {
        let game: Game = read_query(query, "game")?.parse().ok()?;
        if game.id() != id {
            return None;
        }
        let mut settings = usual(game);
        if let Some(seats) = read_query(query, "seats") {
            for (sitter, text) in settings.sitters.iter_mut().zip(seats.split(',')) {
                *sitter = Sitter::new(text.parse().ok()?, "");
            }
        }
        if let Some(clock) = read_query(query, "clock") {
            settings.clock = clock.parse().ok()?;
        }
        if let Some(signs) = read_query(query, "signs") {
            settings.choose_signs(Signs::read(id, settings.game.sides(), &signs).ok()?);
        }
        if let Some(confer) = read_query(query, "confer") {
            settings.agree_conferring(Conferring::ALL.into_iter().find(|it| it.word() == confer)?);
        }
        let first = match read_query(query, "first") {
            Some(text) => FirstPlayer::ALL.into_iter().find(|first| first.word() == text)?,
            None => FirstPlayer::AsSeated,
        };
        Some(Arrangement { settings, first })
    }
}

/// A person against a gentle computer.
pub fn usual(game: Game) -> MatchSettings {
    let mut setup = MatchSettings::new(game);
    for sitter in setup.sitters.iter_mut().skip(1) {
        *sitter = Sitter::new(Player::Bot(Level::new(3).unwrap_or(Level::LOWEST)), "");
    }
    setup
}
