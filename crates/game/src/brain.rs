use rules::{Turn, Viewer};
use search::{Brain, Level, Limits, Situation, Thinking, Thought};

use crate::AnyPosition;

/// A player of whichever game, with actions as their texts.
///
/// It is handed whole positions, but thinks only on what the seat to act has seen of them.
pub trait AnyBrain: Send {
    /// Chooses an action for the seat to act in the last of `positions`, as a player of this level would.
    ///
    /// The earlier ones are the game so far, oldest first; they may be left out.
    /// `None` if no seat is to act or the positions are of another game.
    fn choose(
        &mut self,
        positions: &[Box<dyn AnyPosition>],
        level: Level,
        limits: &Limits<'_>,
    ) -> Option<Thought<String>>;

    /// Values every legal action of the last position as well as the limits allow.
    fn analyse(&mut self, positions: &[Box<dyn AnyPosition>], limits: &Limits<'_>) -> Option<Thought<String>>;

    /// What the game's careful greedy player does, a yardstick for strength; `None` if the game has none.
    fn greedy(&mut self, _positions: &[Box<dyn AnyPosition>], _seed: u64) -> Option<String> {
        None
    }
}

/// A game's own brain behind the common face.
pub struct Thinker<P: Thinking>(P::Brain);

impl<P: Thinking> Default for Thinker<P> {
    fn default() -> Self {
        Thinker(P::Brain::default())
    }
}

impl<P: Thinking> Thinker<P> {
    /// What the seat to act has seen, or nothing if no seat is to act.
    fn views(positions: &[Box<dyn AnyPosition>]) -> Option<Vec<P::View>> {
        let Turn::Seat(seat) = positions.last()?.turn() else { return None };
        let known = |position: &dyn AnyPosition| Some(position.as_any().downcast_ref::<P>()?.view(Viewer::Seat(seat)));
        positions.iter().map(|position| known(position.as_ref())).collect()
    }
}

impl<P: Thinking> AnyBrain for Thinker<P> {
    fn choose(
        &mut self,
        positions: &[Box<dyn AnyPosition>],
        level: Level,
        limits: &Limits<'_>,
    ) -> Option<Thought<String>> {
        let views = Self::views(positions)?;
        let (view, earlier) = views.split_last()?;
        Some(in_words(self.0.choose(&Situation { view, earlier }, level, limits)))
    }

    fn greedy(&mut self, positions: &[Box<dyn AnyPosition>], seed: u64) -> Option<String> {
        let views = Self::views(positions.get(positions.len().saturating_sub(1)..)?)?;
        self.0.greedy(views.last()?, seed).map(|action| action.to_string())
    }

    fn analyse(&mut self, positions: &[Box<dyn AnyPosition>], limits: &Limits<'_>) -> Option<Thought<String>> {
        let views = Self::views(positions)?;
        let (view, earlier) = views.split_last()?;
        Some(in_words(self.0.analyse(&Situation { view, earlier }, limits)))
    }
}

fn in_words<A: ToString>(thought: Thought<A>) -> Thought<String> {
    let words = |scored: search::Scored<A>| search::Scored { action: scored.action.to_string(), value: scored.value };
    Thought {
        action: thought.action.to_string(),
        value: thought.value,
        line: thought.line.iter().map(ToString::to_string).collect(),
        scored: thought.scored.into_iter().map(words).collect(),
        nodes: thought.nodes,
        depth: thought.depth,
    }
}
