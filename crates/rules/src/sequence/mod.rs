//! Sequence: play an animal from the hand, put a chip on its picture, and be the first with four in a line.
//!
//! Hands are hidden from the other seats, so a seat gets a [`SequenceView`]; every card drawn is an action of chance.
//!
//! ```
//! use rules::{Outcome, Position, Side, Turn, sequence::Sequence};
//!
//! // Seat 1 has three chips beside the corner a1, which counts as a fourth.
//! let text = "*.....*/......./......./22...../......./*11...* 1 bear+cow+dog|cat+dragon+whale fox+giraffe|turtle+gorilla 0 0";
//! let mut game = Sequence::parse(&Default::default(), text)?;
//! game.play("cow@d1".parse()?)?;
//! assert_eq!(game.turn(), Turn::Over(Outcome::Win(Side::ONE)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod action;
mod board;
mod card;
mod cards;
mod check;
mod description;
mod guess;
mod options;
mod setup;
mod symmetry;
#[cfg(test)]
mod tests;
mod text;
#[cfg(test)]
mod text_tests;
mod view;

pub use action::Action;
pub use board::{LINES, squares};
pub use card::{Card, NoSuchCard};
pub use cards::HAND;
pub use options::{Board, Players, SequenceOptions};
pub use setup::{SequenceSetup, SetupPiece};
pub use view::SequenceView;

use std::hash::{Hash, Hasher};

use crate::{ActionList, BadPosition, Outcome, Position, Reason, Seat, Side, Square, Turn, Viewer};
use board::Layout;
use cards::{Discards, Hand, Stock};

/// The board is this many squares wide.
pub const WIDTH: u8 = 7;

/// The board is this many squares high.
pub const HEIGHT: u8 = 6;

/// Chips of each seat (SQ3).
pub const CHIPS: u8 = 21;

/// Dead cards that may be exchanged in one turn (SQ7).
pub const MOST_SWAPS: u8 = 3;

/// What chance owes before a seat can act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Due {
    Nothing,
    /// The picture of the next square.
    Tile,
    /// A card for this seat.
    Card(Seat),
}

/// A bit for each seat whose turn was passed over because it left the table (G7).
///
/// Who left is a matter of the table and no part of the position or its text, so all are equal.
#[derive(Clone, Copy, Debug, Default, Eq)]
struct Away(u8);

impl Away {
    fn has(self, seat: Seat) -> bool {
        self.0 & 1 << seat.index() != 0
    }

    /// Notes that a seat is away; `None` if fewer than two would be left, for then the game is over (G7).
    fn with(self, seat: Seat, seats: u8) -> Option<Away> {
        let away = self.0 | 1 << seat.index();
        (away.count_ones() + 2 <= u32::from(seats)).then_some(Away(away))
    }
}

impl PartialEq for Away {
    fn eq(&self, _: &Away) -> bool {
        true
    }
}

impl Hash for Away {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// A position of Sequence with full knowledge.
///
/// Where the source is silent: a chip that a Dragon removed goes back to its owner's stock; the discards become the
/// new draw pile as soon as a card is due and the pile is empty (SQ11), so the pile is never empty while chance is to
/// act. At least 30 of the 42 cards are never in a hand, so there is always a card to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sequence {
    /// The chips of each seat, bit 8·row + column.
    chips: [u64; 4],
    layout: Layout,
    hands: [Hand; 4],
    discards: Discards,
    stock: Stock,
    /// Who acts next, after chance if something is due.
    seat: Seat,
    due: Due,
    /// Passes in a row (SQ12).
    passes: u8,
    /// Swaps in this turn (SQ7).
    swaps: u8,
    options: SequenceOptions,
    away: Away,
    outcome: Option<Outcome>,
}

impl Sequence {
    /// Whose chip stands on a square; corners carry none.
    pub fn chip(&self, square: Square) -> Option<Seat> {
        let bit = if board::on_board(square) { board::bit(square) } else { 0 };
        Seat::all(self.seats()).find(|seat| self.chips[seat.index()] & bit != 0)
    }

    /// The chips of a seat as bits 8·row + column, for programs that compute on them.
    #[inline]
    pub fn chips(&self, seat: Seat) -> u64 {
        self.chips[seat.index()]
    }

    /// The chips a seat can still place (SQ12).
    #[inline]
    pub fn chips_left(&self, seat: Seat) -> u8 {
        CHIPS - (self.chips(seat).count_ones() as u8).min(CHIPS)
    }

    /// The squares with an animal and no chip, as bits 8·row + column.
    #[inline]
    pub fn open_squares(&self) -> u64 {
        let [one, two, three, four] = self.chips;
        board::PICTURES & !(one | two | three | four)
    }

    /// The animal a square shows; `None` for corners and while the layout is being drawn.
    pub fn picture(&self, square: Square) -> Option<Card> {
        self.layout.picture(square)
    }

    /// The squares that show a card, as bits 8·row + column; none for the Unicorn and the Dragon.
    #[inline]
    pub fn homes(&self, card: Card) -> u64 {
        self.layout.homes(card)
    }

    /// The cards of a seat in alphabetical order.
    #[inline]
    pub fn hand(&self, seat: Seat) -> &[Card] {
        self.hands[seat.index()].cards()
    }

    /// The cards a seat has discarded since the last reshuffle, in the order played.
    pub fn discards(&self, seat: Seat) -> &[Card] {
        self.discards.of(seat)
    }

    /// How many copies of a card are in the draw pile.
    #[inline]
    pub fn stock(&self, card: Card) -> u8 {
        self.stock.copies(card)
    }

    /// How many cards are in the draw pile.
    #[inline]
    pub fn stock_size(&self) -> u8 {
        self.stock.size()
    }

    /// Who acts next, after chance if chance is to act; when the game is over, whose turn it would have been.
    #[inline]
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// Whom the card is for that is to be drawn now, if any.
    #[inline]
    pub fn drawer(&self) -> Option<Seat> {
        match self.due {
            Due::Card(seat) => Some(seat),
            Due::Nothing | Due::Tile => None,
        }
    }

    /// How many seats have passed in a row (SQ12).
    pub fn passes(&self) -> u8 {
        self.passes
    }

    /// How many cards the seat has swapped in this turn (SQ7).
    pub fn swaps(&self) -> u8 {
        self.swaps
    }

    /// Whether a card is an animal both of whose squares carry chips (SQ7).
    #[inline]
    pub fn is_dead(&self, card: Card) -> bool {
        card.is_animal() && self.layout.is_complete() && self.homes(card) & self.open_squares() == 0
    }

    /// The lines of four that stand on the board, corners included, with the side they belong to.
    pub fn lines(&self) -> impl Iterator<Item = (Side, [Square; 4])> + '_ {
        let owner = move |line| Seat::all(self.seats()).find(move |&seat| self.with_corners(seat) & line == line);
        LINES.iter().filter_map(move |&line| {
            let mut squares = board::squares(line);
            let squares = std::array::from_fn(|_| squares.next().unwrap_or(Square::new(0, 0)));
            Some((self.side(owner(line)?), squares))
        })
    }

    #[inline]
    fn with_corners(&self, seat: Seat) -> u64 {
        self.chips(seat) | board::CORNERS
    }

    /// The squares where a seat that holds a card may play it (SQ4–SQ6, SQ12), as bits 8·row + column.
    #[inline]
    pub fn targets(&self, seat: Seat, card: Card) -> u64 {
        match card {
            Card::Dragon => board::PICTURES & !self.open_squares() & !self.chips(seat),
            _ if self.chips_left(seat) == 0 => 0,
            Card::Unicorn => self.open_squares(),
            _ => self.homes(card) & self.open_squares(),
        }
    }

    #[inline]
    fn may_swap(&self, card: Card) -> bool {
        self.swaps < MOST_SWAPS && self.is_dead(card)
    }

    /// The different cards in the hand of the seat to act; equal cards are neighbours there.
    #[inline]
    fn choices(&self) -> impl Iterator<Item = Card> + '_ {
        let hand = self.hand(self.seat);
        hand.iter().enumerate().filter(|&(n, card)| n == 0 || hand[n - 1] != *card).map(|(_, &card)| card)
    }

    fn play_card(&mut self, card: Card, square: Square) {
        let (mover, bit) = (self.seat, board::bit(square));
        self.seat = mover.next(self.seats());
        self.passes = 0;
        self.swaps = 0;
        if card == Card::Dragon {
            self.chips = self.chips.map(|chips| chips & !bit);
        } else {
            self.chips[mover.index()] |= bit;
        }
        self.hands[mover.index()].remove(card);
        self.discards.push(mover, card);
        if board::has_line(self.with_corners(mover)) {
            self.outcome = Some(Outcome::Win(self.side(mover)));
        } else {
            self.owe_card(mover);
        }
    }

    fn swap(&mut self, card: Card) {
        self.swaps += 1;
        self.hands[self.seat.index()].remove(card);
        self.discards.push(self.seat, card);
        self.owe_card(self.seat);
    }

    fn pass(&mut self) {
        self.passes += 1;
        self.end_turn_without_card();
    }

    fn end_turn_without_card(&mut self) {
        self.swaps = 0;
        self.seat = self.seat.next(self.seats());
        if self.passes == 2 * self.seats() {
            self.outcome = Some(Outcome::Draw);
        }
    }

    /// A card is to be drawn; an empty pile is renewed from all discards (SQ11).
    #[inline]
    fn owe_card(&mut self, seat: Seat) {
        self.due = Due::Card(seat);
        if self.stock.size() == 0 {
            let discards = std::mem::replace(&mut self.discards, Discards::EMPTY);
            discards.all().iter().for_each(|&card| self.stock.add(card));
        }
    }

    fn lay(&mut self, card: Card) {
        self.layout.lay(card);
        if self.layout.is_complete() {
            self.due = Due::Card(Seat::ONE);
        }
    }

    fn draw(&mut self, card: Card) {
        let Due::Card(seat) = self.due else { return };
        if self.stock.take(card) {
            self.hands[seat.index()].insert(card);
        }
        // Only in the deal does the next seat lack cards too.
        let next = seat.next(self.seats());
        self.due = if self.hands[next.index()].len() < HAND { Due::Card(next) } else { Due::Nothing };
    }

    fn refuse_play(&self, card: Card, square: Square) -> Reason {
        if !self.hand(self.seat).contains(&card) {
            return Reason::NotInHand;
        }
        if !board::on_board(square) {
            return Reason::OffBoard;
        }
        if board::bit(square) & board::CORNERS != 0 {
            return Reason::CornerSquare;
        }
        match (card, self.chip(square)) {
            (Card::Dragon, None) => Reason::SquareEmpty,
            (Card::Dragon, Some(_)) => Reason::NotOpponentsChip,
            _ if card != Card::Unicorn && self.picture(square) != Some(card) => Reason::WrongPicture,
            (_, Some(_)) => Reason::SquareTaken,
            (_, None) => Reason::NoChipLeft,
        }
    }
}

impl Position for Sequence {
    const ID: &'static str = "sequence";
    type Options = SequenceOptions;
    type Action = Action;
    type View = SequenceView;

    fn start(options: &SequenceOptions) -> Self {
        let (layout, due) = match options.board {
            Board::Standard => (Layout::STANDARD, Due::Card(Seat::ONE)),
            Board::Shuffled => (Layout::EMPTY, Due::Tile),
        };
        Sequence {
            chips: [0; 4],
            layout,
            hands: [Hand::EMPTY; 4],
            discards: Discards::EMPTY,
            stock: Stock::DECK,
            seat: Seat::ONE,
            due,
            passes: 0,
            swaps: 0,
            options: *options,
            away: Away::default(),
            outcome: None,
        }
    }

    fn parse(options: &SequenceOptions, text: &str) -> Result<Self, BadPosition> {
        text::parse(options, text)
    }

    fn parse_view(options: &SequenceOptions, text: &str) -> Result<(Self, Option<Viewer>), BadPosition> {
        text::parse_view(options, text)
    }

    fn options(&self) -> SequenceOptions {
        self.options
    }

    #[inline]
    fn seats(&self) -> u8 {
        self.options.players.count()
    }

    #[inline]
    fn turn(&self) -> Turn {
        match (self.outcome, self.due) {
            (Some(outcome), _) => Turn::Over(outcome),
            (None, Due::Nothing) => Turn::Seat(self.seat),
            (None, Due::Tile | Due::Card(_)) => Turn::Chance,
        }
    }

    #[inline]
    fn actions(&self, into: &mut ActionList<Action>) {
        into.clear();
        match self.turn() {
            Turn::Over(_) => {}
            Turn::Chance if self.due == Due::Tile => {
                Card::animals()
                    .filter(|&card| self.layout.may_lay(card))
                    .for_each(|card| into.push(Action::Tile(card)));
            }
            Turn::Chance => self.stock.cards().for_each(|card| into.push(Action::Draw(card))),
            Turn::Seat(seat) => {
                for card in self.choices() {
                    let mut left = self.targets(seat, card);
                    while left != 0 {
                        into.push(Action::Play { card, square: board::square(left.trailing_zeros()) });
                        left &= left - 1;
                    }
                    if self.may_swap(card) {
                        into.push(Action::Swap(card));
                    }
                }
                if into.is_empty() {
                    into.push(Action::Pass);
                }
            }
        }
    }

    fn is_chance(action: Action) -> bool {
        matches!(action, Action::Tile(_) | Action::Draw(_))
    }

    /// A draw has the odds of the copies left in the pile; tiles are laid with equal odds.
    #[inline]
    fn weight(&self, outcome: Action) -> u32 {
        match outcome {
            Action::Draw(card) => u32::from(self.stock(card)),
            _ => 1,
        }
    }

    #[inline]
    fn play_unchecked(&mut self, action: Action) {
        match action {
            Action::Tile(card) => self.lay(card),
            Action::Draw(card) => self.draw(card),
            Action::Play { card, square } => self.play_card(card, square),
            Action::Swap(card) => self.swap(card),
            Action::Pass => self.pass(),
        }
    }

    /// The seat keeps its cards and chips. In a row of passes (SQ12) its turn counts as one, so that two rounds stay
    /// two rounds for those who are left; it begins no such row. At least two seats must be left.
    fn skip_turn(&mut self) -> bool {
        let Turn::Seat(seat) = self.turn() else { return false };
        let Some(away) = self.away.with(seat, self.seats()) else { return false };
        self.away = away;
        self.passes += u8::from(self.passes > 0);
        self.end_turn_without_card();
        true
    }

    fn view(&self, viewer: Viewer) -> SequenceView {
        SequenceView::new(self, viewer)
    }

    fn redetermined(&self, next: Option<Action>, viewer: Viewer) -> Self {
        guess::disguise(&self.view(viewer), next)
    }

    /// Hides the card that another seat draws: `draw:?`.
    fn seen_action(&self, action: Action, viewer: Viewer) -> String {
        let own = self.drawer().is_some_and(|seat| viewer == Viewer::Seat(seat));
        match action {
            Action::Draw(_) if !own => "draw:?".to_owned(),
            _ => action.to_string(),
        }
    }

    fn refusal(&self, action: Action) -> Reason {
        match (self.turn(), action) {
            (Turn::Over(_), _) => Reason::GameOver,
            (Turn::Chance, Action::Tile(_)) if self.due == Due::Tile => Reason::NotInStock,
            (Turn::Chance, Action::Draw(_)) if self.due != Due::Tile => Reason::NotInStock,
            (_, Action::Tile(_) | Action::Draw(_)) => Reason::NoChanceNow,
            (Turn::Chance, _) => Reason::ChanceFirst,
            (_, Action::Play { card, square }) => self.refuse_play(card, square),
            (_, Action::Swap(card)) if !self.hand(self.seat).contains(&card) => Reason::NotInHand,
            (_, Action::Swap(card)) if !self.is_dead(card) => Reason::CardNotDead,
            (_, Action::Swap(_)) => Reason::NoSwapLeft,
            (_, Action::Pass) => Reason::NoPassNow,
        }
    }
}
