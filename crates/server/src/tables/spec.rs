use game::{ClockRule, Game};
use rules::{Seat, Signs};
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
    /// Who begins; without it the players choose their seats.
    pub(crate) first: Option<FirstPlayer>,
    /// The symbol or colour of each side, where it was chosen.
    pub(crate) signs: Option<Signs>,
    /// The table of the game before, for a rematch.
    pub(crate) previous: Option<String>,
    /// Levels of the bots on the seats, 0 where a person is to sit; may be shorter than the table.
    pub(crate) bots: Vec<u8>,
}

/// Who begins, where the players do not choose their seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FirstPlayer {
    Lot,
    /// The loser of the game before; in the first game by lot.
    Loser,
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first: Option<FirstPlayer>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    signs: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    previous: Option<String>,
    #[serde(default)]
    bots: Vec<u8>,
}

fn link() -> Access {
    Access::Link
}

impl FirstPlayer {
    /// As the protocol writes it.
    pub(crate) fn to_wire(self) -> protocol::FirstPlayer {
        match self {
            FirstPlayer::Lot => protocol::FirstPlayer::Lot,
            FirstPlayer::Loser => protocol::FirstPlayer::Loser,
        }
    }

    /// As a record notes it.
    pub(super) const fn word(self) -> &'static str {
        match self {
            FirstPlayer::Lot => "lot",
            FirstPlayer::Loser => "loser",
        }
    }
}

impl Access {
    /// As the protocol writes it.
    pub(crate) fn to_wire(self) -> protocol::Access {
        match self {
            Access::Open => protocol::Access::Open,
            Access::Link => protocol::Access::Link,
            Access::Private => protocol::Access::Private,
        }
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
            first: self.first,
            signs: self.signs_text(),
            previous: self.previous.clone(),
            bots: self.bots.clone(),
        };
        serde_json::to_string(&stored).unwrap_or_default()
    }

    /// Reads a stored specification.
    pub(crate) fn read(text: &str) -> Result<TableSpec, String> {
        let stored: Stored = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let clock = stored.clock.as_deref().unwrap_or("none");
        let game: Game = stored.game.parse().map_err(|error: game::BadGame| error.to_string())?;
        let signs = stored.signs.map(|text| Signs::read(game.id(), game.sides(), &text)).transpose();
        Ok(TableSpec {
            signs: signs.map_err(|error| error.to_string())?,
            game,
            clock: clock.parse().map_err(|error: game::BadClock| error.to_string())?,
            access: stored.access,
            rated: stored.rated,
            confer: stored.confer,
            seat: numbered(stored.seat),
            first: stored.first,
            previous: stored.previous,
            bots: stored.bots,
        })
    }

    /// Whether the seats are drawn before the game begins.
    pub(super) fn draws_seats(&self) -> bool {
        match self.first {
            Some(FirstPlayer::Lot) => true,
            Some(FirstPlayer::Loser) => self.previous.is_none(),
            None => false,
        }
    }

    /// The signs as a record writes them.
    pub(super) fn signs_text(&self) -> Option<String> {
        self.signs.map(|signs| signs.text(self.game.id(), self.game.sides()))
    }

    /// The game's name without its options.
    pub(crate) fn game_name(&self) -> String {
        self.game.id().to_string()
    }
}

impl TryFrom<protocol::TableSpec> for TableSpec {
    type Error = Refusal;

    fn try_from(wire: protocol::TableSpec) -> Result<TableSpec, Refusal> {
        let bad = |problem: &dyn std::fmt::Display| Refusal::BadTable { problem: problem.to_string() };
        let game: Game = wire.game.parse().map_err(|problem| bad(&problem))?;
        let clock: ClockRule = wire.clock.parse().map_err(|problem| bad(&problem))?;
        let access = match wire.access {
            protocol::Access::Open => Access::Open,
            protocol::Access::Link => Access::Link,
            protocol::Access::Private => Access::Private,
        };
        let seats = usize::from(game.seats());
        if let Some(seat) = wire.seat.filter(|seat| seat.index() >= seats) {
            return Err(bad(&format!("{game} has no seat {seat}: possible are 1 to {seats}")));
        }
        if wire.bots.len() > seats {
            return Err(bad(&format!("{} bots or places for people, but {game} has {seats} seats", wire.bots.len())));
        }
        if let Some(level) = wire.bots.iter().flatten().find(|level| !(1..=8).contains(*level)) {
            return Err(bad(&format!("there is no bot of level {level}: possible are 1 to 8")));
        }
        if wire.rated && (seats != 2 || wire.bots.iter().any(Option::is_some)) {
            return Err(Refusal::NotRated);
        }
        let bots = wire.bots.into_iter().map(Option::unwrap_or_default).collect();
        let first = wire.first.map(|first| match first {
            protocol::FirstPlayer::Lot => FirstPlayer::Lot,
            protocol::FirstPlayer::Loser => FirstPlayer::Loser,
        });
        let signs = wire.signs.map(|text| Signs::read(game.id(), game.sides(), &text)).transpose();
        let signs = signs.map_err(|problem| bad(&problem))?;
        let (rated, confer, seat) = (wire.rated, wire.confer, wire.seat);
        Ok(TableSpec { game, clock, access, rated, confer, seat, first, signs, previous: None, bots })
    }
}

/// The seat with a number from 1 to 4.
pub(super) fn numbered(number: u8) -> Option<Seat> {
    (1..=4).contains(&number).then(|| Seat::from_index(usize::from(number) - 1))
}
