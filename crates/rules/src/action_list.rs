use std::ops::Deref;

/// The legal actions of a position, in a buffer that is meant to be used again and again.
///
/// Filling a list that was filled before allocates nothing, which keeps hot loops free of the allocator.
///
/// ```
/// use rules::{ActionList, Position, quixo::Quixo};
///
/// let mut actions = ActionList::new();
/// Quixo::start(&Default::default()).actions(&mut actions);
/// assert_eq!(actions.len(), 44);
/// ```
#[derive(Clone, Debug, Default)]
pub struct ActionList<A>(Vec<A>);

impl<A> ActionList<A> {
    /// An empty list.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds one action.
    #[inline]
    pub fn push(&mut self, action: A) {
        self.0.push(action);
    }

    /// Adds several actions.
    #[inline]
    pub fn extend_from_slice(&mut self, actions: &[A])
    where
        A: Copy,
    {
        self.0.extend_from_slice(actions);
    }

    /// Empties the list and keeps its memory.
    #[inline]
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl<A> Deref for ActionList<A> {
    type Target = [A];

    #[inline]
    fn deref(&self) -> &[A] {
        &self.0
    }
}
