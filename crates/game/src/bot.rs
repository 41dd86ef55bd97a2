use rules::{Turn, Viewer};
use search::{Bot, HasBot, Knowledge, Level, Limits, SearchResult, Situation};

use crate::AnyPosition;

/// A player of whichever game, with actions as their texts.
///
/// It is handed whole positions, but thinks only on what the seat to act has seen of them.
pub trait AnyBot: Send {
    /// Takes over what it can use of this knowledge; called once, when the bot is made.
    fn consult(&mut self, knowledge: &Knowledge);

    /// Chooses an action for the seat to act in the last of `positions`, as a player of this level would.
    ///
    /// The earlier ones are the game so far, oldest first, or as much of it as [`Game::recalled`](crate::Game::recalled) says.
    /// `None` if no seat is to act or the positions are of another game.
    fn choose(
        &mut self,
        positions: &[Box<dyn AnyPosition>],
        level: Level,
        limits: &Limits<'_>,
    ) -> Option<SearchResult<String>>;

    /// Values every legal action of the last position as well as the limits allow.
    fn analyse(&mut self, positions: &[Box<dyn AnyPosition>], limits: &Limits<'_>) -> Option<SearchResult<String>>;

    /// What the game's careful greedy player does, a yardstick for strength; `None` if the game has none.
    fn greedy(&mut self, positions: &[Box<dyn AnyPosition>], seed: u64) -> Option<String>;
}

/// A game's own bot behind the common interface.
pub struct ErasedBot<P: HasBot>(P::Bot);

impl<P: HasBot> Default for ErasedBot<P> {
    fn default() -> Self {
        ErasedBot(P::Bot::default())
    }
}

impl<P: HasBot> ErasedBot<P> {
    /// What the seat to act has seen and the bot recalls, or nothing if no seat is to act.
    fn views(positions: &[Box<dyn AnyPosition>]) -> Option<Vec<P::View>> {
        let mut views = recalled_views::<P>(positions.iter().rev().map(AsRef::as_ref))?;
        views.reverse();
        Some(views)
    }
}

/// The views of the seat to act that a bot is given: of the first position, and of those after it, which go back in time.
pub(crate) fn recalled_views<'a, P: HasBot>(
    mut positions: impl Iterator<Item = &'a dyn AnyPosition>,
) -> Option<Vec<P::View>> {
    let now = positions.next()?;
    let Turn::Seat(seat) = now.turn() else { return None };
    let known = |position: &dyn AnyPosition| Some(position.as_any().downcast_ref::<P>()?.view(Viewer::Seat(seat)));
    let mut views = vec![known(now)?];
    for (back, position) in (1..).zip(positions) {
        let view = known(position)?;
        if !P::Bot::recalls(&view, &views[0], back) {
            break;
        }
        views.push(view);
    }
    Some(views)
}

impl<P: HasBot> AnyBot for ErasedBot<P> {
    fn consult(&mut self, knowledge: &Knowledge) {
        self.0.consult(knowledge);
    }

    fn choose(
        &mut self,
        positions: &[Box<dyn AnyPosition>],
        level: Level,
        limits: &Limits<'_>,
    ) -> Option<SearchResult<String>> {
        let views = Self::views(positions)?;
        let (view, earlier) = views.split_last()?;
        Some(in_words(self.0.choose(&Situation { view, earlier }, level, limits)))
    }

    fn greedy(&mut self, positions: &[Box<dyn AnyPosition>], seed: u64) -> Option<String> {
        let views = Self::views(positions.get(positions.len().saturating_sub(1)..)?)?;
        self.0.greedy(views.last()?, seed).map(|action| action.to_string())
    }

    fn analyse(&mut self, positions: &[Box<dyn AnyPosition>], limits: &Limits<'_>) -> Option<SearchResult<String>> {
        let views = Self::views(positions)?;
        let (view, earlier) = views.split_last()?;
        Some(in_words(self.0.analyse(&Situation { view, earlier }, limits)))
    }
}

fn in_words<A: ToString>(result: SearchResult<A>) -> SearchResult<String> {
    let words = |scored: search::Scored<A>| search::Scored { action: scored.action.to_string(), value: scored.value };
    SearchResult {
        action: result.action.to_string(),
        value: result.value,
        line: result.line.iter().map(ToString::to_string).collect(),
        scored: result.scored.into_iter().map(words).collect(),
        nodes: result.nodes,
        depth: result.depth,
    }
}
