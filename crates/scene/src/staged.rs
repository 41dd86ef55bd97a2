use rules::{ActionList, Editable, Setup, Turn, Viewer};

use crate::{Choice, Happening, Message, MovePart, Piece, Scene, Spot};

/// A game that can be shown and touched; see the crate's page for how to write one.
#[diagnostic::on_unimplemented(
    message = "the game `{Self}` cannot be shown",
    note = "write `impl Staged for …` in crates/scene/src/<game>.rs and `mod <game>;` in lib.rs, as CONTRIBUTING.md says"
)]
pub trait Staged: Editable {
    /// What `viewer` sees.
    ///
    /// `view` must be `viewer`'s own view, so nothing hidden can reach a scene.
    fn scene(view: &Self::View, viewer: Viewer) -> Scene;

    /// The spots that spell an action of the seat that has this view, in order; none for chance.
    ///
    /// Among the legal actions of a position the lists are distinct and none begins another. The view says what the
    /// action does not, such as the square where a piece will come to rest.
    fn touches(view: &Self::View, action: Self::Action) -> Vec<Spot>;

    /// Every list of spots that spells an action, where there is more than one way.
    fn spellings(view: &Self::View, action: Self::Action) -> Vec<Vec<Spot>> {
        vec![Self::touches(view, action)]
    }

    /// An action as a move list shows it: its text, unless a piece, a card or a word says more.
    fn notation(action: Self::Action) -> Vec<MovePart> {
        MovePart::text(action)
    }

    /// What to do next once some spots are touched; the scene's status if none is.
    fn prompt(view: &Self::View, viewer: Viewer, touched: &[Spot]) -> Message;

    /// The action that touches which lead nowhere were probably meant to be, so that the rules can be asked why not.
    ///
    /// It need not be legal; `None` if no guess is better than another.
    fn meant(view: &Self::View, touched: &[Spot]) -> Option<Self::Action>;

    /// What a piece of a board that is being set up looks like.
    fn setup_piece(options: &Self::Options, piece: <Self::Setup as Setup>::Piece) -> Piece;

    /// What a legal action does, told before it is played, as `viewer` may know it.
    fn happening(&self, action: Self::Action, viewer: Viewer) -> Happening;
}

macro_rules! stages {
    ($($name:ident in $module:ident;)*) => {
        const _: () = {
            const fn is_staged<P: Staged>() {}
            $(is_staged::<rules::$module::$name>();)*
        };
    };
}

rules::games!(stages);

/// The legal actions of the seat to act, each with every way to touch it; empty when chance is to act or the game is over.
pub fn choices<P: Staged>(position: &P) -> Vec<Choice<P::Action>> {
    let Turn::Seat(seat) = position.turn() else { return Vec::new() };
    let view = position.view(Viewer::Seat(seat));
    let mut actions = ActionList::new();
    position.actions(&mut actions);
    let spelt =
        |&action: &P::Action| P::spellings(&view, action).into_iter().map(move |touches| Choice { action, touches });
    actions.iter().flat_map(spelt).collect()
}
