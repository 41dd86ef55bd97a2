use std::fmt;

use super::{Action, Card, Sequence, SequenceOptions, cards::Hand, text};
use crate::{ActionList, Position, Seat, Side, Square, Turn, Viewer};

/// What one viewer may know: everything but the others' hands and the draw pile; once the game is over, everything.
///
/// Its text is the position text with `?` for each unknown card. The rules' knowledge of the deck is in it: how many
/// copies of each card are still unseen.
///
/// ```
/// use rules::{Position, Seat, Viewer, sequence::Sequence};
///
/// let mut game = Sequence::start(&Default::default());
/// for action in ["draw:cat", "draw:fox"] {
///     game.play(action.parse()?)?;
/// }
/// let view = game.view(Viewer::Seat(Seat::ONE));
/// assert_eq!(view.to_string(), "*.....*/......./......./......./......./*.....* -1 cat|? -|- 0 0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SequenceView {
    /// The position with nothing in it that the viewer may not know: hidden hands keep their size only, and their
    /// cards count as stock.
    seen: Sequence,
    viewer: Viewer,
    hidden: [bool; 4],
}

impl SequenceView {
    pub(super) fn new(position: &Sequence, viewer: Viewer) -> SequenceView {
        let over = matches!(position.turn(), Turn::Over(_));
        let mut view = SequenceView { seen: *position, viewer, hidden: [false; 4] };
        for seat in Seat::all(position.seats()) {
            if over || viewer == Viewer::Seat(seat) {
                continue;
            }
            let hand = &mut view.seen.hands[seat.index()];
            hand.cards().iter().for_each(|&card| view.seen.stock.add(card));
            *hand = Hand::unknown(hand.len() as u8);
            view.hidden[seat.index()] = true;
        }
        view
    }

    /// A view made of what was read from its text: hidden hands keep their size only, and their cards count as stock.
    pub(super) fn of_seen(seen: Sequence, viewer: Viewer, hidden: [bool; 4]) -> SequenceView {
        SequenceView { seen, viewer, hidden }
    }

    /// The viewer.
    pub fn viewer(&self) -> Viewer {
        self.viewer
    }

    /// The options of the game.
    pub fn options(&self) -> SequenceOptions {
        self.seen.options
    }

    /// How many seats play.
    pub fn seats(&self) -> u8 {
        self.seen.seats()
    }

    /// Who is to act.
    pub fn turn(&self) -> Turn {
        self.seen.turn()
    }

    /// As [`Sequence::seat`].
    pub fn seat(&self) -> Seat {
        self.seen.seat()
    }

    /// As [`Sequence::drawer`].
    pub fn drawer(&self) -> Option<Seat> {
        self.seen.drawer()
    }

    /// As [`Sequence::chip`].
    pub fn chip(&self, square: Square) -> Option<Seat> {
        self.seen.chip(square)
    }

    /// As [`Sequence::chips`].
    pub fn chips(&self, seat: Seat) -> u64 {
        self.seen.chips(seat)
    }

    /// As [`Sequence::chips_left`].
    pub fn chips_left(&self, seat: Seat) -> u8 {
        self.seen.chips_left(seat)
    }

    /// As [`Sequence::open_squares`].
    pub fn open_squares(&self) -> u64 {
        self.seen.open_squares()
    }

    /// As [`Sequence::picture`].
    pub fn picture(&self, square: Square) -> Option<Card> {
        self.seen.picture(square)
    }

    /// As [`Sequence::homes`].
    pub fn homes(&self, card: Card) -> u64 {
        self.seen.homes(card)
    }

    /// As [`Sequence::is_dead`].
    pub fn is_dead(&self, card: Card) -> bool {
        self.seen.is_dead(card)
    }

    /// As [`Sequence::targets`].
    pub fn targets(&self, seat: Seat, card: Card) -> u64 {
        self.seen.targets(seat, card)
    }

    /// Clears `into` and fills it with the legal actions if the viewer is the seat to act.
    pub fn own_actions(&self, into: &mut ActionList<Action>) {
        into.clear();
        if matches!(self.turn(), Turn::Seat(seat) if self.viewer == Viewer::Seat(seat)) {
            self.seen.actions(into);
        }
    }

    /// As [`Sequence::lines`].
    pub fn lines(&self) -> impl Iterator<Item = (Side, [Square; 4])> + '_ {
        self.seen.lines()
    }

    /// The cards of a seat in alphabetical order; `None` if the viewer does not know them.
    pub fn hand(&self, seat: Seat) -> Option<&[Card]> {
        (!self.hidden[seat.index()]).then(|| self.seen.hand(seat))
    }

    /// How many cards a seat holds.
    pub fn hand_size(&self, seat: Seat) -> usize {
        self.seen.hands[seat.index()].len()
    }

    /// As [`Sequence::discards`].
    pub fn discards(&self, seat: Seat) -> &[Card] {
        self.seen.discards(seat)
    }

    /// How many copies of a card the viewer has not seen: they are in the draw pile or in a hidden hand.
    pub fn unseen(&self, card: Card) -> u8 {
        self.seen.stock(card)
    }

    /// How many cards are in the draw pile.
    pub fn stock_size(&self) -> u8 {
        let hidden = Seat::all(self.seats()).filter(|seat| self.hidden[seat.index()]);
        self.seen.stock_size() - hidden.map(|seat| self.hand_size(seat) as u8).sum::<u8>()
    }

    /// As [`Sequence::passes`].
    pub fn passes(&self) -> u8 {
        self.seen.passes()
    }

    /// As [`Sequence::swaps`].
    pub fn swaps(&self) -> u8 {
        self.seen.swaps()
    }

    /// The full position if the hidden hands are these, one for each seat in order (those in sight are left as they
    /// are); `None` if the unseen cards do not allow it.
    ///
    /// ```
    /// use rules::{Position, Seat, Viewer, sequence::{Card, Sequence}};
    ///
    /// let mut game = Sequence::start(&Default::default());
    /// for action in ["draw:cat", "draw:fox", "draw:cat", "draw:owl", "draw:cow", "draw:dog"] {
    ///     game.play(action.parse()?)?;
    /// }
    /// let view = game.view(Viewer::Seat(Seat::ONE));
    /// assert_eq!(view.supposing(&[&[], &[Card::Dog, Card::Fox, Card::Owl]]), Some(game));
    /// assert_eq!(view.supposing(&[&[], &[Card::Cat, Card::Fox, Card::Owl]]), None, "both cats are seat 1's");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn supposing(&self, hands: &[&[Card]]) -> Option<Sequence> {
        let mut position = self.seen;
        for seat in Seat::all(self.seats()).filter(|&seat| self.is_hidden(seat)) {
            let cards = hands.get(seat.index()).filter(|cards| cards.len() == self.hand_size(seat))?;
            position.hands[seat.index()] = Hand::EMPTY;
            for &card in cards.iter() {
                if !position.stock.take(card) {
                    return None;
                }
                position.hands[seat.index()].insert(card);
            }
        }
        Some(position)
    }

    /// The position as far as it is seen: hidden hands are empty.
    pub(super) fn seen(&self) -> &Sequence {
        &self.seen
    }

    /// Whether a hand's cards are unknown.
    pub(super) fn is_hidden(&self, seat: Seat) -> bool {
        self.hidden[seat.index()]
    }
}

impl fmt::Display for SequenceView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        text::write(f, &self.seen, |seat| self.hand(seat))
    }
}
