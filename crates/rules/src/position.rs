use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

use crate::{ActionList, BadPosition, IllegalAction, Options, Reason, Seat, Side, Turn, UnreadableAction, Viewer};

/// A position of a game, options included: the whole of what the rules need to go on.
///
/// `Display` is the position text, with full knowledge; [`Position::parse`] reads it back.
pub trait Position: Clone + Eq + Hash + Debug + Display + Send + Sync + 'static {
    /// The game's name in texts (G4).
    const ID: &'static str;
    /// What can be chosen before the game.
    type Options: Options;
    /// What a seat or chance can do; its text is what crosses process borders.
    type Action: Copy + Eq + Hash + Debug + Display + FromStr<Err = UnreadableAction> + Send + Sync + 'static;
    /// What one viewer may know: the position itself where nothing is hidden.
    type View: Clone + Eq + Debug + Display + Send + Sync + 'static;

    /// The position a game begins with.
    fn start(options: &Self::Options) -> Self;

    /// Reads a position text and refuses what cannot arise under the rules.
    fn parse(options: &Self::Options, text: &str) -> Result<Self, BadPosition>;

    /// Reads the text of a view as well, in which `?` stands for what the viewer does not know: a position with that
    /// view, in which the unknown is made up, and the viewer. Of a text without `?` the viewer is `None`.
    fn parse_view(options: &Self::Options, text: &str) -> Result<(Self, Option<Viewer>), BadPosition> {
        Self::parse(options, text).map(|position| (position, None))
    }

    /// The options this game is played with.
    fn options(&self) -> Self::Options;

    /// How many seats play.
    fn seats(&self) -> u8;

    /// The side a seat belongs to; every seat is its own side unless there are teams.
    fn side(&self, seat: Seat) -> Side {
        Side::from_index(seat.index())
    }

    /// Who is to act.
    fn turn(&self) -> Turn;

    /// Clears `into` and fills it with every legal action, each once; empty only when the game is over (G3).
    fn actions(&self, into: &mut ActionList<Self::Action>);

    /// The legal action at the place that `choose` picks among as many as it is told, in the order of
    /// [`Position::actions`]; `None` when the game is over. `list` is a buffer.
    ///
    /// Random play needs one action and not the list, so a game that finds it faster overrides this.
    #[inline]
    fn pick(&self, list: &mut ActionList<Self::Action>, choose: impl FnOnce(usize) -> usize) -> Option<Self::Action> {
        self.actions(list);
        if list.is_empty() { None } else { list.get(choose(list.len())).copied() }
    }

    /// Whether an action is chance's, whatever the position: a card drawn, a tile laid.
    fn is_chance(_action: Self::Action) -> bool {
        false
    }

    /// The relative odds of a chance action among the legal ones.
    fn weight(&self, _outcome: Self::Action) -> u32 {
        1
    }

    /// Plays an action that is known to be legal.
    ///
    /// An illegal one leaves the position in an unspecified state, but never undefined behaviour.
    fn play_unchecked(&mut self, action: Self::Action);

    /// Passes over the turn of the seat to act because that seat has left the table (G7); whether it could be done.
    ///
    /// Only games with more than two sides can go on without a seat, so the others keep this default.
    fn skip_turn(&mut self) -> bool {
        false
    }

    /// This position as if it were a seat's turn, for an action that is chosen before the turn comes; `None` where the
    /// actions of others decide what the seat can do at all, and once the game is over.
    fn as_turn_of(&self, _seat: Seat) -> Option<Self> {
        None
    }

    /// What `viewer` may know.
    fn view(&self, viewer: Viewer) -> Self::View;

    /// A position that `viewer` cannot tell from this one and that is made of what `viewer` knows alone, in which
    /// `next` is legal if it is legal here; where nothing is hidden, this position itself.
    ///
    /// It lets a client that knows only its own view follow a game with the same rules as a program that knows all.
    fn redetermined(&self, _next: Option<Self::Action>, _viewer: Viewer) -> Self {
        self.clone()
    }

    /// Why an action that is not legal is not.
    fn refusal(&self, action: Self::Action) -> Reason;

    /// The text of a legal action as `viewer` may see it, before it is played: `draw:?` for another seat's card.
    ///
    /// Seats act in the open: only chance's actions hide something, and what they hide is written `?`.
    fn seen_action(&self, action: Self::Action, _viewer: Viewer) -> String {
        action.to_string()
    }

    /// Whether the action is legal now.
    fn is_legal(&self, action: Self::Action) -> bool {
        let mut actions = ActionList::new();
        self.actions(&mut actions);
        actions.contains(&action)
    }

    /// Plays an action if it is legal; otherwise nothing changes.
    fn play(&mut self, action: Self::Action) -> Result<(), IllegalAction> {
        if !self.is_legal(action) {
            return Err(IllegalAction { action: action.to_string(), reason: self.refusal(action) });
        }
        self.play_unchecked(action);
        Ok(())
    }
}

/// A game in which everybody sees everything and nothing is left to chance.
pub trait PerfectInformation: Position<View = Self> {}

/// A game with hidden hands.
pub trait HiddenInformation: Position {
    /// A full position that agrees with a view, drawn at random among those that do.
    ///
    /// `random(n)` must give a number below `n`.
    fn guess(view: &Self::View, random: &mut dyn FnMut(u32) -> u32) -> Self;
}

/// A game whose board can be turned or mirrored (or its pieces renamed) without changing the game.
///
/// Symmetries are numbered from 0, which is the identity.
pub trait Symmetric: Position {
    /// How many symmetries this position has to offer.
    fn symmetries(&self) -> usize;

    /// The position under a symmetry.
    fn transform(&self, symmetry: usize) -> Self;

    /// What an action of this position becomes under the same symmetry.
    fn transform_action(&self, symmetry: usize, action: Self::Action) -> Self::Action;
}

/// A game with its options as one text (G4): `quarto`, `quixo(players=4)`.
///
/// ```
/// use rules::{game_text, quixo::Quixo};
///
/// assert_eq!(game_text::<Quixo>(&Default::default()), "quixo");
/// assert_eq!(game_text::<Quixo>(&"players=4".parse()?), "quixo(players=4)");
/// # Ok::<(), rules::BadOptions>(())
/// ```
pub fn game_text<P: Position>(options: &P::Options) -> String {
    let options = options.to_string();
    if options.is_empty() { P::ID.to_owned() } else { format!("{}({options})", P::ID) }
}
