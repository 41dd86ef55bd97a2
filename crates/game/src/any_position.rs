use std::any::{Any, TypeId};
use std::fmt::{self, Debug, Display};

use rules::{ActionList, Position, Reason, Seat, Side, Turn, UnreadableAction, Viewer};
use scene::{Choice, Happening, Message, MovePart, Scene, Spot, Staged};

use crate::{Game, Listed};

/// A position of whichever game: what a client needs, with actions as their texts.
///
/// `Display` is the position text, with full knowledge. Clients that speak to it never ask which game it is.
///
/// ```
/// use rules::{Seat, Turn};
/// use game::Game;
///
/// let mut position = "quixo".parse::<Game>()?.start();
/// assert_eq!(position.legal().len(), 44);
/// position.play("a3e3")?;
/// assert_eq!(position.turn(), Turn::Seat(Seat::TWO));
/// assert_eq!(position.to_string(), "...../...../....x/...../..... 2");
/// let refused = position.play("e3a3").unwrap_err();
/// assert!(refused.to_string().starts_with("e3a3 is not allowed: the cube shows the opponent's symbol; legal here: a1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait AnyPosition: Display + Send + Sync + 'static {
    /// The game and its options.
    fn game(&self) -> Game;

    /// How many seats play.
    fn seats(&self) -> u8;

    /// The side a seat belongs to.
    fn side(&self, seat: Seat) -> Side;

    /// Who is to act.
    fn turn(&self) -> Turn;

    /// Every legal action; empty only when the game is over (G3).
    fn legal(&self) -> Vec<String>;

    /// The legal actions of chance with their relative odds; empty unless chance is to act.
    fn chances(&self) -> Vec<(String, u32)>;

    /// Whether an action is chance's, whatever the position; also one that hides what was drawn, such as `draw:?`.
    fn is_chance(&self, action: &str) -> bool;

    /// Whether a text is an action of this game at all, legal now or not.
    fn read(&self, action: &str) -> Result<(), UnreadableAction>;

    /// Plays an action if it is legal; otherwise nothing changes.
    fn play(&mut self, action: &str) -> Result<(), Refused>;

    /// Passes over the turn of the seat to act because it has left the table (G7); `false` if the game cannot.
    fn skip_turn(&mut self) -> bool;

    /// This position as if it were a seat's turn, for an action that is chosen before the turn comes; `None` where that
    /// makes no sense.
    fn as_turn_of(&self, seat: Seat) -> Option<Box<dyn AnyPosition>>;

    /// Whether there is anything that not everybody may know.
    fn hides(&self) -> bool;

    /// A legal action as a viewer may see it, before it is played: `draw:?` for another seat's card.
    fn seen_action(&self, action: &str, viewer: Viewer) -> Result<String, Refused>;

    /// A position that a viewer cannot tell from this one, made of what the viewer knows alone, in which `next` is
    /// legal if it is legal here. A text that is no action, or one with `?`, counts as none.
    fn redetermined(&self, next: &str, viewer: Viewer) -> Box<dyn AnyPosition>;

    /// What a viewer sees.
    fn scene(&self, viewer: Viewer) -> Scene;

    /// The legal actions of the seat to act with the touches that spell them, for [`scene::narrow`] and
    /// [`scene::Picker`]; empty when chance is to act or the game is over.
    fn choices(&self) -> Vec<Choice<String>>;

    /// What to do next once some spots are touched.
    fn prompt(&self, viewer: Viewer, touched: &[Spot]) -> Message;

    /// The action that touches which lead nowhere were probably meant to be; asking for it tells why not.
    fn meant(&self, viewer: Viewer, touched: &[Spot]) -> Option<String>;

    /// What a legal action would do, as a viewer may know it.
    fn happening(&self, action: &str, viewer: Viewer) -> Result<Happening, Refused>;

    /// The same position again.
    fn boxed(&self) -> Box<dyn AnyPosition>;

    /// The position as its own type, for callers that know which it is.
    fn as_any(&self) -> &dyn Any;
}

/// Its text: the fields of every game's type are of no use to those who do not know which game it is.
impl Debug for dyn AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

impl Clone for Box<dyn AnyPosition> {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}

impl<P: Listed> AnyPosition for P {
    fn game(&self) -> Game {
        self.listed()
    }

    fn seats(&self) -> u8 {
        Position::seats(self)
    }

    fn side(&self, seat: Seat) -> Side {
        Position::side(self, seat)
    }

    fn turn(&self) -> Turn {
        Position::turn(self)
    }

    fn legal(&self) -> Vec<String> {
        actions(self).iter().map(ToString::to_string).collect()
    }

    fn chances(&self) -> Vec<(String, u32)> {
        if Position::turn(self) != Turn::Chance {
            return Vec::new();
        }
        actions(self).iter().map(|&action| (action.to_string(), self.weight(action))).collect()
    }

    fn is_chance(&self, action: &str) -> bool {
        is_chance::<P>(action)
    }

    fn read(&self, action: &str) -> Result<(), UnreadableAction> {
        action.parse::<P::Action>().map(drop)
    }

    fn play(&mut self, action: &str) -> Result<(), Refused> {
        let action = lawful(self, action)?;
        self.play_unchecked(action);
        Ok(())
    }

    fn skip_turn(&mut self) -> bool {
        Position::skip_turn(self)
    }

    fn as_turn_of(&self, seat: Seat) -> Option<Box<dyn AnyPosition>> {
        Position::as_turn_of(self, seat).map(|position| Box::new(position) as Box<dyn AnyPosition>)
    }

    fn hides(&self) -> bool {
        // Where nothing is hidden, the view is the position itself.
        TypeId::of::<P>() != TypeId::of::<P::View>()
    }

    fn seen_action(&self, action: &str, viewer: Viewer) -> Result<String, Refused> {
        let action = lawful(self, action)?;
        Ok(Position::seen_action(self, action, viewer))
    }

    fn redetermined(&self, next: &str, viewer: Viewer) -> Box<dyn AnyPosition> {
        Box::new(Position::redetermined(self, next.parse().ok(), viewer))
    }

    fn scene(&self, viewer: Viewer) -> Scene {
        P::scene(&self.view(viewer), viewer)
    }

    fn choices(&self) -> Vec<Choice<String>> {
        let in_words =
            |choice: Choice<P::Action>| Choice { action: choice.action.to_string(), touches: choice.touches };
        scene::choices(self).into_iter().map(in_words).collect()
    }

    fn prompt(&self, viewer: Viewer, touched: &[Spot]) -> Message {
        P::prompt(&self.view(viewer), viewer, touched)
    }

    fn meant(&self, viewer: Viewer, touched: &[Spot]) -> Option<String> {
        P::meant(&self.view(viewer), touched).map(|action| action.to_string())
    }

    fn happening(&self, action: &str, viewer: Viewer) -> Result<Happening, Refused> {
        let action = lawful(self, action)?;
        Ok(Staged::happening(self, action, viewer))
    }

    fn boxed(&self) -> Box<dyn AnyPosition> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn actions<P: Position>(position: &P) -> ActionList<P::Action> {
    let mut actions = ActionList::new();
    position.actions(&mut actions);
    actions
}

/// Whether an action is chance's; seats act in the open, so one that hides something is too.
pub(crate) fn is_chance<P: Position>(action: &str) -> bool {
    action.parse().map_or_else(|_| action.ends_with(":?"), P::is_chance)
}

/// An action as a move list shows it; a text that is no action of the game is shown as it is.
pub(crate) fn notation<P: Staged>(action: &str) -> Vec<MovePart> {
    action.parse().map_or_else(|_| MovePart::text(action), P::notation)
}

fn lawful<P: Position>(position: &P, text: &str) -> Result<P::Action, Refused> {
    let action: P::Action = text.parse().map_err(Refused::Unreadable)?;
    if position.is_legal(action) {
        return Ok(action);
    }
    Err(Refused::Illegal {
        action: action.to_string(),
        reason: position.refusal(action),
        legal: actions(position).iter().map(ToString::to_string).collect(),
    })
}

/// An action that cannot be played, and what could.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The text is no action of this game.
    Unreadable(UnreadableAction),
    /// The rules do not allow it now.
    Illegal {
        /// The action's text.
        action: String,
        /// The rule that forbids it.
        reason: Reason,
        /// Everything that would have been legal.
        legal: Vec<String>,
    },
}

impl Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Unreadable(unreadable) => Display::fmt(unreadable, f),
            Refused::Illegal { action, reason, legal } => {
                write!(f, "{action} is not allowed: {reason}")?;
                write_legal(f, legal)
            }
        }
    }
}

impl std::error::Error for Refused {}

/// A message that lists hundreds of moves is unreadable.
const LISTED: usize = 12;

/// Ends a message with what would have been legal, if anything was.
pub(crate) fn write_legal(f: &mut fmt::Formatter<'_>, legal: &[String]) -> fmt::Result {
    if legal.is_empty() {
        return Ok(());
    }
    f.write_str("; legal here:")?;
    for action in legal.iter().take(LISTED) {
        write!(f, " {action}")?;
    }
    match legal.len().saturating_sub(LISTED) {
        0 => Ok(()),
        more => write!(f, " and {more} more"),
    }
}
