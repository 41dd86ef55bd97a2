use std::fmt;

/// What every game promises, whatever its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property {
    /// Option text reads back as the same options, and the position keeps them.
    OptionsText,
    /// A game that is not over has an action, and one that is over has none (G3).
    LiveHasActions,
    /// The seat to act sits at the table, and so does a member of the side that won.
    SeatsExist,
    /// `pick` finds the action at each place of the list.
    PicksWhatIsListed,
    /// No action is listed twice.
    NoDuplicates,
    /// Action text is one word that reads back as the same action.
    ActionText,
    /// Position text reads back as the same position.
    PositionText,
    /// An action is chance's exactly where chance is to act.
    ChanceActions,
    /// Every chance action can happen.
    ChanceWeight,
    /// `play` takes what `actions` lists and nothing else.
    PlayTakesWhatIsListed,
    /// A refused action changes nothing.
    RefusalChangesNothing,
    /// A refusal says that the game is over exactly when it is.
    RefusalIsTrue,
    /// When a seat's turn is skipped, another is to act (G7).
    SkippedTurn,
    /// An action list replays to the same positions.
    Replay,
    /// The acting seat sees its own action as it is.
    OwnActionSeen,
    /// Where nothing is hidden, everybody sees the position itself.
    NothingHidden,
    /// What is hidden from a viewer does not change the view.
    ViewLeaks,
    /// What is hidden from a viewer does not change what is seen of an action.
    SeenActionLeaks,
    /// What a seat may do does not depend on what it cannot see.
    ActionsLeak,
    /// A guess looks to the viewer like the real position.
    GuessAgrees,
    /// A guess is a lawful position: no card too many or too few.
    GuessIsLawful,
    /// Guesses differ where something is hidden.
    GuessVaries,
    /// A redetermined position looks the same to the viewer, is made of what the viewer knows alone, and allows what is played.
    Redetermined,
    /// Symmetry 0 changes nothing, and every symmetry can be undone by another.
    SymmetryIsAGroup,
    /// Turning and playing in either order comes to the same.
    SymmetryCommutes,
    /// Different actions are spelt by different touches.
    TouchesDistinct,
    /// No action's touches begin another's, so a complete action is known to be complete.
    TouchesPrefixFree,
    /// Every touch of a legal action is on a spot that the scene shows.
    TouchesAreShown,
    /// The motions of an action lead from the board before it to the board after it.
    MotionsLeadOn,
    /// A position set up as it is becomes the same position.
    SetupRoundTrip,
    /// A setup shows the pieces of its position.
    SetupShowsPosition,
    /// What is put or set stays so.
    SetupKeepsEdits,
    /// A setup becomes a lawful position or says why it cannot.
    SetupRefusal,
    /// An empty board is a position.
    SetupClears,
    /// What is hidden from a viewer does not change the scene.
    SceneLeaks,
}

/// A broken promise, with everything needed to see it again.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The promise.
    pub property: Property,
    /// The game with its options (G4).
    pub game: String,
    /// The actions from the start to where it broke.
    pub trail: Vec<String>,
    /// What was seen and what should have been.
    pub detail: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} broken in {}: {}\n  after: {}", self.property, self.game, self.detail, self.trail.join(" "))
    }
}

impl std::error::Error for Violation {}
