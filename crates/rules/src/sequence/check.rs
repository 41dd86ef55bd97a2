//! What cannot arise under the rules, found in a position that was read from a text.

use super::cards::HAND;
use super::{Card, Due, Sequence, board};
use crate::{BadPosition, Outcome, Position, Seat};

type Checked = Result<(), BadPosition>;

/// How the game ended, if the board or the row of passes says so.
pub(super) fn outcome(position: &Sequence) -> Result<Option<Outcome>, BadPosition> {
    let mut winners = Seat::all(position.seats()).filter(|&seat| board::has_line(position.with_corners(seat)));
    match (winners.next(), winners.next()) {
        (Some(one), Some(other)) => wrong(format!("seats {one} and {other} cannot both have four in a line")),
        (Some(winner), None) => Ok(Some(Outcome::Win(position.side(winner)))),
        (None, _) if position.passes == 2 * position.seats() => Ok(Some(Outcome::Draw)),
        (None, _) => Ok(None),
    }
}

/// Refuses what cannot be reached from the start.
pub(super) fn can_arise(position: &Sequence) -> Checked {
    if position.outcome.is_some() && position.due != Due::Nothing {
        return wrong("chance does not act when the game is over");
    }
    if !position.layout.is_complete() || (nothing_played(position) && position.due != Due::Nothing) {
        return check_deal(position);
    }
    check_hands(position)?;
    match position.outcome {
        Some(Outcome::Win(side)) => check_win(position, Seat::from_index(side.index()))?,
        _ => check_draw(position)?,
    }
    check_swaps(position)?;
    check_passes(position)?;
    check_first_cards(position)
}

fn wrong<T>(reason: impl Into<String>) -> Result<T, BadPosition> {
    Err(BadPosition::new(reason))
}

fn chips_on_board(position: &Sequence) -> u32 {
    position.chips.iter().map(|chips| chips.count_ones()).sum()
}

fn nothing_played(position: &Sequence) -> bool {
    chips_on_board(position) == 0 && position.discards.all().is_empty()
}

fn previous(position: &Sequence) -> Seat {
    let seats = usize::from(position.seats());
    Seat::from_index((position.seat.index() + seats - 1) % seats)
}

/// Layout and deal come before everything else (SQ14).
fn check_deal(position: &Sequence) -> Checked {
    if !nothing_played(position) || position.passes > 0 || position.swaps > 0 || position.seat != Seat::ONE {
        return wrong("nobody can have acted before the deal is complete, and seat 1 begins");
    }
    let seats = usize::from(position.seats());
    let dealt: usize = position.hands.iter().map(|hand| hand.len()).sum();
    match position.due {
        Due::Nothing => return wrong("while the layout is not complete chance is to act: the seat must be -1"),
        Due::Tile if dealt > 0 => return wrong("no card is dealt before the layout is complete"),
        Due::Tile => return Ok(()),
        Due::Card(_) if dealt == HAND * seats => return wrong("chance is to act, but every hand is full"),
        Due::Card(_) => {}
    }
    for seat in Seat::all(position.seats()) {
        if position.hand(seat).len() != (dealt + seats - 1 - seat.index()) / seats {
            return wrong("the deal goes one card to each seat in turn order");
        }
    }
    Ok(())
}

/// Three cards each, but two for a seat that is to draw or that has just won (SQ3, SQ4).
fn check_hands(position: &Sequence) -> Checked {
    let short = match position.outcome {
        Some(Outcome::Win(side)) => Some(Seat::from_index(side.index())),
        _ => position.drawer(),
    };
    for seat in Seat::all(position.seats()) {
        let (size, expected) = (position.hand(seat).len(), if Some(seat) == short { HAND - 1 } else { HAND });
        if size != expected {
            return wrong(format!("seat {seat} cannot have {size} cards in hand now: it must have {expected}"));
        }
    }
    Ok(())
}

/// The winner acted last, and one chip completed all its lines with the card on top of its discards (SQ10).
fn check_win(position: &Sequence, winner: Seat) -> Checked {
    if previous(position) != winner {
        return wrong(format!("seat {winner} has four in a line, so the turn must be the next seat's"));
    }
    if position.passes > 0 || position.swaps > 0 {
        return wrong("nobody passes or swaps after four in a line");
    }
    let Some(&card) = position.discards(winner).last() else {
        return wrong(format!("seat {winner} has four in a line but discarded nothing"));
    };
    let placed = match card {
        Card::Unicorn => position.chips(winner),
        _ => position.homes(card) & position.chips(winner),
    };
    let completes = |square| !board::has_line(position.with_corners(winner) & !board::bit(square));
    if board::squares(placed).any(completes) {
        return Ok(());
    }
    wrong(format!("the last card of seat {winner}, {card}, cannot have completed its line"))
}

/// A card is due after a play of the seat before, or after a swap of the seat to act.
fn check_draw(position: &Sequence) -> Checked {
    let Some(drawer) = position.drawer() else { return Ok(()) };
    if position.stock_size() == 0 {
        return wrong("while a card is to be drawn the draw pile cannot be empty: the discards are the new pile");
    }
    let renewed = position.discards.all().is_empty();
    if !renewed && position.discards(drawer).is_empty() {
        return wrong(format!("seat {drawer} is to draw but discarded nothing"));
    }
    if drawer == position.seat {
        return if position.swaps > 0 {
            Ok(())
        } else {
            wrong(format!("seat {drawer} draws in its turn after a swap only"))
        };
    }
    if drawer != previous(position) {
        return wrong(format!("seat {drawer} cannot be to draw before the turn of seat {}", position.seat));
    }
    if position.passes > 0 || position.swaps > 0 {
        return wrong("after a played card no pass and no swap counts");
    }
    Ok(())
}

/// What was swapped in this turn lies on top of the seat's discards and is dead (SQ7).
fn check_swaps(position: &Sequence) -> Checked {
    let swaps = usize::from(position.swaps);
    if swaps == 0 {
        return Ok(());
    }
    if position.outcome.is_some() {
        return wrong("nobody swaps when the game is over");
    }
    let own = position.discards(position.seat);
    if own.len() < swaps && own.len() < position.discards.all().len() {
        return wrong(format!("seat {} cannot have swapped more cards than it discarded", position.seat));
    }
    match own.iter().rev().take(swaps).find(|&&card| !position.is_dead(card)) {
        Some(card) => wrong(format!("{card} cannot have been swapped: it is not dead")),
        None => Ok(()),
    }
}

/// A seat passes only if it can play nothing (SQ12), and neither board nor other hands change in a row of passes.
fn check_passes(position: &Sequence) -> Checked {
    for seat in Seat::all(position.seats()).filter(|&seat| position.has_passed(seat)) {
        if let Some(card) = position.hand(seat).iter().find(|&&card| position.targets(seat, card) != 0) {
            return wrong(format!("seat {seat} cannot have passed: it can play {card}"));
        }
    }
    Ok(())
}

/// The fewest chips there can be after a reshuffle: some thirty cards were discarded, of which at most two removed
/// a chip and dead ones need two chips each. (The exact number is 11 or more for every number of seats.)
const RESHUFFLED: u32 = 10;

/// Until the first reshuffle every card played lies in the discards and must account for the chips.
fn check_first_cards(position: &Sequence) -> Checked {
    let chips = chips_on_board(position);
    if chips >= RESHUFFLED {
        return Ok(());
    }
    for seat in Seat::all(position.seats()) {
        let count = |card| position.discards(seat).iter().filter(|&&other| other == card).count() as u32;
        let unexplained: u32 = Card::animals()
            .map(|card| (position.homes(card) & position.chips(seat)).count_ones().saturating_sub(count(card)))
            .sum();
        if unexplained > count(Card::Unicorn) {
            return wrong(format!("seat {seat} has chips on the board that its discards do not explain"));
        }
    }
    let discards = position.discards.all();
    let dragons = discards.iter().filter(|&&card| card == Card::Dragon).count();
    let Some(swapped) = (discards.len() - dragons).checked_sub(chips as usize + dragons) else {
        return wrong("the discards are too few for the chips on the board and those the dragons removed");
    };
    // A dead card needs two chips, and there are two cards of each kind.
    if swapped > (chips as usize + dragons) / 2 * 2 {
        return wrong("the discards do not fit the chips on the board: too few cards can have been dead");
    }
    if swapped < usize::from(position.swaps) {
        return wrong("the discards are too few for the swaps of this turn");
    }
    if swapped == 0 { check_turn_order(position) } else { Ok(()) }
}

/// Without a swap nobody can have passed either, so every turn has left one card.
fn check_turn_order(position: &Sequence) -> Checked {
    let (seats, turns) = (usize::from(position.seats()), position.discards.all().len());
    let fair = |seat: Seat| position.discards(seat).len() == (turns + seats - 1 - seat.index()) / seats;
    if !Seat::all(position.seats()).all(fair) || position.seat.index() != turns % seats || position.passes > 0 {
        return wrong(format!("after {turns} turns the discards do not fit the turn of seat {}", position.seat));
    }
    Ok(())
}
