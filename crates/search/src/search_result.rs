use crate::Value;

/// An action with what it is worth to the seat that plays it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored<A> {
    /// The action.
    pub action: A,
    /// Its worth.
    pub value: Value,
}

/// What a bot found in a position.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult<A> {
    /// The action to play.
    pub action: A,
    /// What the seat to act can expect.
    pub value: Value,
    /// The expected continuation, `action` first.
    pub line: Vec<A>,
    /// Every legal action with its value, best first; empty where only a choice was asked for.
    pub scored: Vec<Scored<A>>,
    /// Nodes searched.
    pub nodes: u64,
    /// How many actions ahead the search looked.
    pub depth: u32,
}
