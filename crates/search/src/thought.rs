use rules::Position;

use crate::{Level, Limits};

/// What a position or an action is worth to the seat that is to act.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Proved: won in this many actions from here (of all seats, the winning one included).
    Win(u32),
    /// Proved: won, but nobody has counted the actions.
    SureWin,
    /// Proved: nobody can force a win.
    Draw,
    /// Proved: lost, in this many actions at the latest.
    Loss(u32),
    /// Proved: lost, but nobody has counted the actions.
    SureLoss,
    /// Not proved: the expected score of the seat's side, from 0 (lost) to 1 (won).
    Estimate(f32),
}

impl Value {
    /// Whether the value is proved.
    pub fn is_exact(self) -> bool {
        !matches!(self, Value::Estimate(_))
    }

    /// The value as an expected score from 0 to 1, for bars and comparisons.
    pub fn score(self) -> f32 {
        match self {
            Value::Win(_) | Value::SureWin => 1.0,
            Value::Draw => 0.5,
            Value::Loss(_) | Value::SureLoss => 0.0,
            Value::Estimate(score) => score,
        }
    }
}

/// An action with what it is worth to the seat that plays it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored<A> {
    /// The action.
    pub action: A,
    /// Its worth.
    pub value: Value,
}

/// What came out of thinking.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought<A> {
    /// The action to play.
    pub action: A,
    /// What the seat to act can expect.
    pub value: Value,
    /// The expected continuation, `action` first.
    pub line: Vec<A>,
    /// Every legal action with its value, best first; empty where only a choice was asked for.
    pub scored: Vec<Scored<A>>,
    /// Nodes looked at.
    pub nodes: u64,
    /// How many actions ahead was looked.
    pub depth: u32,
}

/// What a bot is told: what its seat sees, and what it saw before in the same game.
pub struct Situation<'a, P: Position> {
    /// The view of the seat to act.
    pub view: &'a P::View,
    /// Its views of the earlier positions, oldest first; may be empty.
    pub earlier: &'a [P::View],
}

/// A game's player: may keep tables between calls, but with a node limit the result depends on seed and limits only.
pub trait Brain<P: Position>: Default + Send {
    /// Chooses an action for the seat to act as a player of this level would.
    ///
    /// Must be called with the view of the seat to act of a game that is not over.
    fn choose(&mut self, situation: &Situation<'_, P>, level: Level, limits: &Limits<'_>) -> Thought<P::Action>;

    /// Values every legal action as well as the limits allow, whatever the levels are.
    fn analyse(&mut self, situation: &Situation<'_, P>, limits: &Limits<'_>) -> Thought<P::Action>;

    /// The game's careful greedy player, a yardstick for strength; `None` if the game has none.
    fn greedy(&mut self, _view: &P::View, _seed: u64) -> Option<P::Action> {
        None
    }
}

/// A game that has a brain.
pub trait Thinking: Position {
    /// What plays it.
    type Brain: Brain<Self>;
}
