use crate::Piece;

/// A part of an action as a move list shows it; a client draws pieces or names them in its language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MovePart {
    /// Squares and signs that are the same in every language: `a3e3`, `!`.
    Text(String),
    /// A piece or card that the action is about.
    Piece(Piece),
    /// A card is exchanged.
    Swap,
    /// Chance turns up what follows.
    Draw,
    /// The seat passes.
    Pass,
    /// The seat ends its turn.
    End,
}

impl MovePart {
    /// An action shown as its text.
    pub fn text(action: impl ToString) -> Vec<MovePart> {
        vec![MovePart::Text(action.to_string())]
    }
}
