use rules::Position;

use crate::{Knowledge, Level, Limits, SearchResult};

/// What a bot gets to see: the view of the seat to act, and its views of earlier positions of the same game.
pub struct Situation<'a, P: Position> {
    /// The view of the seat to act.
    pub view: &'a P::View,
    /// Its views of the positions before it, as far back as the bot recalls them ([`Bot::recalls`]), oldest first; may be empty.
    pub earlier: &'a [P::View],
}

/// A game's player: may keep tables between calls, but with a node limit the result depends on seed and limits only.
pub trait Bot<P: Position>: Default + Send {
    /// Takes over what it can use of this knowledge; called once, when the bot is made.
    fn consult(&mut self, _knowledge: &Knowledge) {}

    /// Whether an earlier view, the `back`th before the view of the seat to act, is still of use. It is asked from the latest
    /// view back, and what lies behind the first that is of no use is left out of the situation.
    ///
    /// A bot that does not say otherwise decides by the present view alone.
    fn recalls(_earlier: &P::View, _view: &P::View, _back: usize) -> bool {
        false
    }

    /// Chooses an action for the seat to act as a player of this level would.
    ///
    /// Must be called with the view of the seat to act of a game that is not over.
    fn choose(&mut self, situation: &Situation<'_, P>, level: Level, limits: &Limits<'_>) -> SearchResult<P::Action>;

    /// Values every legal action as well as the limits allow, whatever the levels are.
    fn analyse(&mut self, situation: &Situation<'_, P>, limits: &Limits<'_>) -> SearchResult<P::Action>;

    /// The game's careful greedy player, a yardstick for strength; `None` if the game has none.
    fn greedy(&mut self, _view: &P::View, _seed: u64) -> Option<P::Action> {
        None
    }
}

/// A game that has a bot.
#[diagnostic::on_unimplemented(
    message = "the game `{Self}` has no bot",
    note = "write `impl HasBot for …` in crates/search/src/bots/<game>.rs and `pub mod <game>;` in bots/mod.rs; PlayoutBot and GuessingBot play any game, as CONTRIBUTING.md says"
)]
pub trait HasBot: Position {
    /// What plays it.
    type Bot: Bot<Self>;
}

macro_rules! bots {
    ($($name:ident in $module:ident;)*) => {
        const _: () = {
            const fn has_bot<P: HasBot>() {}
            $(has_bot::<rules::$module::$name>();)*
        };
    };
}

rules::games!(bots);
