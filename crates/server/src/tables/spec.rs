use game::{ClockRule, Game};
use protocol::{Code, Wish};
use rules::Seat;
use serde::{Deserialize, Serialize};

use super::Refusal;

/// What a table is made for: settled when it is made, and stored beside its log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableSpec {
    pub(crate) game: Game,
    pub(crate) clock: ClockRule,
    pub(crate) access: Access,
    /// Whether ratings change.
    pub(crate) rated: bool,
    /// Whether team members may talk alone (QX8).
    pub(crate) confer: bool,
    /// The seat of the maker, if they play.
    pub(crate) seat: Option<Seat>,
    /// Levels of the bots on the seats, 0 where a person is to sit; may be shorter than the table.
    pub(crate) bots: Vec<u8>,
}

/// Who may come to a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Access {
    /// Shown in the lobby.
    Open,
    /// Everyone with the address.
    Link,
    /// The same, but without spectators once the game has begun.
    Private,
}

/// The stored text, version 1.
#[derive(Serialize, Deserialize)]
struct Stored {
    game: String,
    #[serde(default)]
    clock: Option<String>,
    #[serde(default = "link")]
    access: Access,
    #[serde(default)]
    rated: bool,
    #[serde(default)]
    confer: bool,
    #[serde(default)]
    seat: u8,
    #[serde(default)]
    bots: Vec<u8>,
}

fn link() -> Access {
    Access::Link
}

impl Access {
    /// The word in the protocol.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Access::Open => "open",
            Access::Link => "link",
            Access::Private => "private",
        }
    }

    fn from_word(word: &str) -> Option<Access> {
        [Access::Open, Access::Link, Access::Private].into_iter().find(|access| access.word() == word)
    }
}

impl TableSpec {
    /// As it is stored.
    pub(crate) fn write(&self) -> String {
        let stored = Stored {
            game: self.game.to_string(),
            clock: Some(self.clock.to_string()),
            access: self.access,
            rated: self.rated,
            confer: self.confer,
            seat: self.seat.map_or(0, Seat::number),
            bots: self.bots.clone(),
        };
        serde_json::to_string(&stored).unwrap_or_default()
    }

    /// Reads a stored specification.
    pub(crate) fn read(text: &str) -> Result<TableSpec, String> {
        let stored: Stored = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let clock = stored.clock.as_deref().unwrap_or("none");
        Ok(TableSpec {
            game: stored.game.parse().map_err(|error: game::BadGame| error.to_string())?,
            clock: clock.parse().map_err(|error: game::BadClock| error.to_string())?,
            access: stored.access,
            rated: stored.rated,
            confer: stored.confer,
            seat: numbered(stored.seat),
            bots: stored.bots,
        })
    }

    /// The game's name without its options.
    pub(crate) fn game_name(&self) -> String {
        self.game.id().to_string()
    }
}

impl TryFrom<Wish> for TableSpec {
    type Error = Refusal;

    fn try_from(wish: Wish) -> Result<TableSpec, Refusal> {
        let bad = |problem: &dyn std::fmt::Display| Refusal::with(Code::BadWish, problem);
        let game: Game = wish.game.parse().map_err(|problem| bad(&problem))?;
        let clock: ClockRule = wish.clock.parse().map_err(|problem| bad(&problem))?;
        let access = Access::from_word(&wish.access).ok_or_else(|| bad(&"access is open, link or private"))?;
        let seats = usize::from(game.seats());
        if usize::from(wish.seat) > seats || wish.bots.len() > seats || wish.bots.iter().any(|&level| level > 8) {
            return Err(bad(&"there are not so many seats, or no such level of a bot"));
        }
        if wish.rated && (seats != 2 || wish.bots.iter().any(|&level| level > 0)) {
            return Err(Code::NotRated.into());
        }
        let (rated, confer, seat, bots) = (wish.rated, wish.confer, numbered(wish.seat), wish.bots);
        Ok(TableSpec { game, clock, access, rated, confer, seat, bots })
    }
}

/// The seat with a number from 1 to 4.
pub(super) fn numbered(number: u8) -> Option<Seat> {
    (1..=4).contains(&number).then(|| Seat::from_index(usize::from(number) - 1))
}
