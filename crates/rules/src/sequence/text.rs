//! The position text of Sequence.
//!
//! Fields: board, seat, hands, discards, passes, swaps, and for a shuffled board the layout.
//!
//! The seat is the one that acts next: `-2` says that chance acts first and then seat 2. Whom chance gives a card is seen
//! from the hands, for only that seat is short of one. When the game is over it is the seat whose turn it would be.
//!
//! The layout is written like the board, ranks 6 to 1 joined by `/`, the pictures of a rank joined by `+`, `*` for a
//! corner and `.` for a square whose picture is not drawn yet. Only the canonical text is read: hands in alphabetical
//! order, so that equal positions have equal texts.

use std::fmt;

use super::board::{self, Layout};
use super::cards::{Discards, HAND, Hand, Stock};
use super::{Away, Board, CHIPS, Card, Due, HEIGHT, MOST_SWAPS, Sequence, SequenceOptions, SequenceView, WIDTH, check};
use crate::{BadPosition, Field, HiddenInformation, Position, Seat, Square, Turn, Viewer, excerpt};

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, self, |seat| Some(self.hand(seat)))
    }
}

/// Writes a position, with `?` for each card of a hand that is not given.
pub(super) fn write<'a>(
    f: &mut fmt::Formatter<'_>,
    position: &Sequence,
    hand: impl Fn(Seat) -> Option<&'a [Card]>,
) -> fmt::Result {
    write_ranks(f, "", |square| match position.chip(square) {
        Some(seat) => ["1", "2", "3", "4"][seat.index()],
        None if is_corner(square) => "*",
        None => ".",
    })?;
    let chance = if position.turn() == Turn::Chance { "-" } else { "" };
    write!(f, " {chance}{} ", position.seat)?;
    for seat in Seat::all(position.seats()) {
        f.write_str(if seat == Seat::ONE { "" } else { "|" })?;
        match hand(seat) {
            Some(cards) => write_cards(f, cards.iter().map(|card| card.name()))?,
            None => write_cards(f, (0..position.hands[seat.index()].len()).map(|_| "?"))?,
        }
    }
    f.write_str(" ")?;
    for seat in Seat::all(position.seats()) {
        f.write_str(if seat == Seat::ONE { "" } else { "|" })?;
        write_cards(f, position.discards(seat).iter().map(|card| card.name()))?;
    }
    write!(f, " {} {}", position.passes, position.swaps)?;
    if position.options.board == Board::Shuffled {
        f.write_str(" ")?;
        write_ranks(f, "+", |square| match position.picture(square) {
            Some(card) => card.name(),
            None if is_corner(square) => "*",
            None => ".",
        })?;
    }
    Ok(())
}

fn write_ranks(f: &mut fmt::Formatter<'_>, joint: &str, cell: impl Fn(Square) -> &'static str) -> fmt::Result {
    for row in (0..HEIGHT).rev() {
        for column in 0..WIDTH {
            f.write_str(if column > 0 { joint } else { "" })?;
            f.write_str(cell(Square::new(column, row)))?;
        }
        f.write_str(if row > 0 { "/" } else { "" })?;
    }
    Ok(())
}

fn write_cards(f: &mut fmt::Formatter<'_>, names: impl Iterator<Item = &'static str>) -> fmt::Result {
    let mut written = false;
    for name in names {
        f.write_str(if written { "+" } else { "" })?;
        f.write_str(name)?;
        written = true;
    }
    if written { Ok(()) } else { f.write_str("-") }
}

fn is_corner(square: Square) -> bool {
    board::bit(square) & board::CORNERS != 0
}

const FIELDS: &[Field] =
    &[Field::Board, Field::Seat, Field::Hands, Field::Discards, Field::Passes, Field::Swaps, Field::Layout];

pub(super) fn parse(options: &SequenceOptions, text: &str) -> Result<Sequence, BadPosition> {
    checked(parse_fields(options, text, parse_hands)?)
}

/// Reads a position text in which hands may be hidden, and deals what is unseen to them.
pub(super) fn parse_view(options: &SequenceOptions, text: &str) -> Result<(Sequence, Option<Viewer>), BadPosition> {
    let mut hidden = [false; 4];
    let mut position = parse_fields(options, text, |seats, text| {
        let (shown, sizes) = without_hidden_hands(text);
        let mut hands = parse_hands(seats, &shown)?;
        for ((hand, size), hidden) in hands.iter_mut().zip(&sizes).zip(&mut hidden) {
            if let Some(size) = *size {
                if size > HAND {
                    return Err(BadPosition::HandTooLarge { most: HAND });
                }
                (*hand, *hidden) = (Hand::unknown(size as u8), true);
            }
        }
        Ok(hands)
    })?;
    if hidden == [false; 4] {
        return checked(position).map(|position| (position, None));
    }
    check_chips(&position)?;
    let known = |seat: &Seat| !hidden[seat.index()];
    let viewer = Seat::all(position.seats()).find(known).map_or(Viewer::Spectator, Viewer::Seat);
    let mut in_sight = position.hands;
    for (hand, _) in in_sight.iter_mut().zip(hidden).filter(|(_, hidden)| *hidden) {
        *hand = Hand::EMPTY;
    }
    position.stock = rest_of_deck(&in_sight, &position.discards)?;
    let unseen: usize =
        Seat::all(position.seats()).filter(|seat| !known(seat)).map(|seat| position.hand(seat).len()).sum();
    if unseen > usize::from(position.stock.size()) {
        return Err(BadPosition::TooManyDiscards);
    }
    let guessed = Sequence::guess(&SequenceView::of_seen(position, viewer, hidden), &mut |_| 0);
    checked(guessed).map(|position| (position, Some(viewer)))
}

/// The hands with `-` in the place of hidden ones, and the sizes of those.
fn without_hidden_hands(text: &str) -> (String, Vec<Option<usize>>) {
    let size = |pile: &str| pile.split('+').all(|card| card == "?").then(|| pile.split('+').count());
    let sizes: Vec<Option<usize>> = text.split('|').map(size).collect();
    let shown: Vec<&str> =
        text.split('|').zip(&sizes).map(|(pile, size)| if size.is_some() { "-" } else { pile }).collect();
    (shown.join("|"), sizes)
}

fn parse_fields(
    options: &SequenceOptions,
    text: &str,
    hands_from: impl FnOnce(u8, &str) -> Result<[Hand; 4], BadPosition>,
) -> Result<Sequence, BadPosition> {
    let fields: Vec<&str> = text.split(' ').collect();
    let (fields, layout) = match (options.board, fields.as_slice()) {
        (Board::Standard, &[board, seat, hands, discards, passes, swaps]) => {
            ([board, seat, hands, discards, passes, swaps], Layout::STANDARD)
        }
        (Board::Shuffled, &[board, seat, hands, discards, passes, swaps, layout]) => {
            ([board, seat, hands, discards, passes, swaps], parse_layout(layout)?)
        }
        (Board::Standard, _) => {
            return Err(BadPosition::Fields { expected: &FIELDS[..6], found: fields.len() });
        }
        (Board::Shuffled, _) => {
            return Err(BadPosition::Fields { expected: FIELDS, found: fields.len() });
        }
    };
    let [board, seat, hands, discards, passes, swaps] = fields;
    let seats = options.players.count();
    let (chance, seat) = parse_seat(seats, seat)?;
    let (hands, discards) = (hands_from(seats, hands)?, parse_discards(seats, discards)?);
    let due = match chance {
        false => Due::Nothing,
        true if !layout.is_complete() => Due::Tile,
        // Both in the deal and after a play, the first seat with the fewest cards draws.
        true => Due::Card(Seat::all(seats).min_by_key(|seat| hands[seat.index()].len()).unwrap_or(Seat::ONE)),
    };
    Ok(Sequence {
        chips: parse_board(seats, board)?,
        layout,
        hands,
        discards,
        stock: Stock::DECK,
        seat,
        due,
        passes: parse_count(Field::Passes, 2 * seats, passes)?,
        swaps: parse_count(Field::Swaps, MOST_SWAPS, swaps)?,
        options: *options,
        away: Away::default(),
        outcome: None,
    })
}

/// Finds how the game ended, and refuses what cannot arise under the rules.
pub(super) fn checked(mut position: Sequence) -> Result<Sequence, BadPosition> {
    check_chips(&position)?;
    position.stock = rest_of_deck(&position.hands, &position.discards)?;
    position.outcome = check::outcome(&position)?;
    check::can_arise(&position)?;
    Ok(position)
}

fn parse_seat(seats: u8, text: &str) -> Result<(bool, Seat), BadPosition> {
    let (chance, number) = match text.strip_prefix('-') {
        Some(number) => (true, number),
        None => (false, text),
    };
    let seat = number.parse().ok().filter(|seat: &Seat| seat.number() <= seats);
    let seat = seat.ok_or_else(|| BadPosition::value(Field::Seat, format!("1…{seats}, -1…-{seats}")))?;
    Ok((chance, seat))
}

fn parse_count(field: Field, most: u8, text: &str) -> Result<u8, BadPosition> {
    let bytes = text.as_bytes();
    let digit = if bytes.len() == 1 { bytes[0].wrapping_sub(b'0') } else { u8::MAX };
    if digit > most {
        return Err(BadPosition::value(field, format!("0…{most}")));
    }
    Ok(digit)
}

fn parse_board(seats: u8, text: &str) -> Result<[u64; 4], BadPosition> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != HEIGHT as usize || ranks.iter().any(|rank| rank.chars().count() != WIDTH as usize) {
        return Err(BadPosition::Ranks { field: Field::Board, ranks: HEIGHT, cells: WIDTH });
    }
    let mut chips = [0u64; 4];
    for (row, rank) in ranks.iter().rev().enumerate() {
        for (column, cell) in rank.chars().enumerate() {
            let square = Square::new(column as u8, row as u8);
            match (cell, is_corner(square)) {
                ('*', true) | ('.', false) => {}
                (_, true) => return Err(BadPosition::Corner(square)),
                ('1'..='4', false) if cell as u8 - b'0' <= seats => {
                    chips[(cell as u8 - b'1') as usize] |= board::bit(square);
                }
                _ => {
                    return Err(BadPosition::value(Field::Board, format!("., 1…{seats}, *")));
                }
            }
        }
    }
    Ok(chips)
}

fn check_chips(position: &Sequence) -> Result<(), BadPosition> {
    let too_many = |seat: &Seat| position.chips(*seat).count_ones() > u32::from(CHIPS);
    match Seat::all(position.seats()).find(too_many) {
        Some(seat) => Err(BadPosition::TooManyChips { seat, most: CHIPS }),
        None => Ok(()),
    }
}

/// The cards of each seat as written, `-` for none.
fn parse_cards(seats: u8, field: Field, text: &str) -> Result<Vec<Vec<Card>>, BadPosition> {
    let piles: Vec<&str> = text.split('|').collect();
    if piles.len() != seats as usize {
        return Err(BadPosition::Piles { field, seats, found: piles.len() });
    }
    let card = |name: &str| name.parse().map_err(|_| BadPosition::NoSuchCard(excerpt(name)));
    piles
        .into_iter()
        .map(|pile| if pile == "-" { Ok(Vec::new()) } else { pile.split('+').map(card).collect() })
        .collect()
}

fn parse_hands(seats: u8, text: &str) -> Result<[Hand; 4], BadPosition> {
    let mut hands = [Hand::EMPTY; 4];
    for (hand, cards) in hands.iter_mut().zip(parse_cards(seats, Field::Hands, text)?) {
        if cards.len() > HAND {
            return Err(BadPosition::HandTooLarge { most: HAND });
        }
        if !cards.is_sorted() {
            return Err(BadPosition::HandOrder);
        }
        cards.into_iter().for_each(|card| hand.insert(card));
    }
    Ok(hands)
}

fn parse_discards(seats: u8, text: &str) -> Result<Discards, BadPosition> {
    let piles = parse_cards(seats, Field::Discards, text)?;
    if piles.iter().map(Vec::len).sum::<usize>() > 42 {
        return Err(BadPosition::TooManyDiscards);
    }
    let mut discards = Discards::EMPTY;
    for (seat, cards) in Seat::all(seats).zip(piles) {
        cards.into_iter().for_each(|card| discards.push(seat, card));
    }
    Ok(discards)
}

fn rest_of_deck(hands: &[Hand; 4], discards: &Discards) -> Result<Stock, BadPosition> {
    let mut stock = Stock::DECK;
    for &card in hands.iter().flat_map(Hand::cards).chain(discards.all()) {
        if !stock.take(card) {
            return Err(BadPosition::ThirdCard(card));
        }
    }
    Ok(stock)
}

fn parse_layout(text: &str) -> Result<Layout, BadPosition> {
    let ranks: Vec<Vec<&str>> = text.split('/').map(|rank| rank.split('+').collect()).collect();
    if ranks.len() != HEIGHT as usize || ranks.iter().any(|rank| rank.len() != WIDTH as usize) {
        return Err(BadPosition::Ranks { field: Field::Layout, ranks: HEIGHT, cells: WIDTH });
    }
    let mut layout = Layout::EMPTY;
    let mut ended = false;
    for (row, rank) in ranks.iter().rev().enumerate() {
        for (column, &name) in rank.iter().enumerate() {
            let square = Square::new(column as u8, row as u8);
            let card = name.parse::<Card>().ok();
            match (name, is_corner(square)) {
                ("*", true) => {}
                (_, true) => return Err(BadPosition::Corner(square)),
                (".", false) => ended = true,
                _ if ended => {
                    return Err(BadPosition::LaidTooSoon(square));
                }
                _ => match card.filter(|&card| layout.may_lay(card)) {
                    Some(card) => layout.lay(card),
                    None => {
                        return Err(BadPosition::LaidTwice(square));
                    }
                },
            }
        }
    }
    Ok(layout)
}
