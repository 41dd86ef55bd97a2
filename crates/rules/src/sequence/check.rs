//! What cannot arise under the rules, found in a position that was read from a text.

use super::cards::HAND;
use super::{Away, Card, Due, Sequence, board};
use crate::{BadPosition, Outcome, Position, Seat};

type Checked = Result<(), BadPosition>;

/// How the game ended, if the board or the row of passes says so.
pub(super) fn outcome(position: &Sequence) -> Result<Option<Outcome>, BadPosition> {
    let mut winners = Seat::all(position.seats()).filter(|&seat| board::has_line(position.with_corners(seat)));
    match (winners.next(), winners.next()) {
        (Some(one), Some(other)) => Err(BadPosition::TwoWinners(one, other)),
        (Some(winner), None) => Ok(Some(Outcome::Win(position.side(winner)))),
        (None, _) if position.passes == 2 * position.seats() => Ok(Some(Outcome::Draw)),
        (None, _) => Ok(None),
    }
}

/// Refuses what cannot be reached from the start.
pub(super) fn can_arise(position: &Sequence) -> Checked {
    if position.outcome.is_some() && position.due != Due::Nothing {
        return Err(BadPosition::ChanceAfterTheEnd);
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
        return Err(BadPosition::ActedBeforeDeal);
    }
    let seats = usize::from(position.seats());
    let dealt: usize = position.hands.iter().map(|hand| hand.len()).sum();
    match position.due {
        Due::Nothing => return Err(BadPosition::LayoutIncomplete),
        Due::Tile if dealt > 0 => return Err(BadPosition::DealtBeforeLayout),
        Due::Tile => return Ok(()),
        Due::Card(_) if dealt == HAND * seats => return Err(BadPosition::HandsFull),
        Due::Card(_) => {}
    }
    for seat in Seat::all(position.seats()) {
        if position.hand(seat).len() != (dealt + seats - 1 - seat.index()) / seats {
            return Err(BadPosition::DealOrder);
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
        let (found, expected) = (position.hand(seat).len(), if Some(seat) == short { HAND - 1 } else { HAND });
        if found != expected {
            return Err(BadPosition::HandSize { seat, found, expected });
        }
    }
    Ok(())
}

/// The winner acted last, and one chip completed all its lines with the card on top of its discards (SQ10).
fn check_win(position: &Sequence, winner: Seat) -> Checked {
    if previous(position) != winner {
        return Err(BadPosition::WinnerNotLast(winner));
    }
    if position.passes > 0 || position.swaps > 0 {
        return Err(BadPosition::AfterTheEnd);
    }
    let Some(&card) = position.discards(winner).last() else {
        return Err(BadPosition::NothingDiscarded(winner));
    };
    let placed = match card {
        Card::Unicorn => position.chips(winner),
        _ => position.homes(card) & position.chips(winner),
    };
    let completes = |square| !board::has_line(position.with_corners(winner) & !board::bit(square));
    if board::squares(placed).any(completes) {
        return Ok(());
    }
    Err(BadPosition::LineNotCompleted { seat: winner, card })
}

/// A card is due after a play of the seat before, or after a swap of the seat to act.
fn check_draw(position: &Sequence) -> Checked {
    let Some(drawer) = position.drawer() else { return Ok(()) };
    if position.stock_size() == 0 {
        return Err(BadPosition::EmptyPile);
    }
    let renewed = position.discards.all().is_empty();
    if !renewed && position.discards(drawer).is_empty() {
        return Err(BadPosition::NothingDiscarded(drawer));
    }
    if drawer == position.seat {
        return if position.swaps > 0 { Ok(()) } else { Err(BadPosition::DrawWithoutSwap(drawer)) };
    }
    if drawer != previous(position) {
        return Err(BadPosition::WrongDrawer { drawer, turn: position.seat });
    }
    if position.passes > 0 || position.swaps > 0 {
        return Err(BadPosition::CountAfterCard);
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
        return Err(BadPosition::AfterTheEnd);
    }
    let own = position.discards(position.seat);
    if own.len() < swaps && own.len() < position.discards.all().len() {
        return Err(BadPosition::MoreSwapsThanDiscards(position.seat));
    }
    match own.iter().rev().take(swaps).find(|&&card| !position.is_dead(card)) {
        Some(&card) => Err(BadPosition::SwappedAlive(card)),
        None => Ok(()),
    }
}

/// A seat passes only if it can play nothing (SQ12), and neither board nor other hands change in a row of passes. One
/// that could play was passed over because it is away (G7); which one is not noted, for hidden cards would tell it.
fn check_passes(position: &Sequence) -> Checked {
    let mut away = Away::default();
    for seat in Seat::all(position.seats()).filter(|&seat| position.has_passed(seat)) {
        if position.hand(seat).iter().any(|&card| position.targets(seat, card) != 0) {
            away = away.with(seat, position.seats()).ok_or(BadPosition::CouldAct(seat))?;
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
            return Err(BadPosition::UnexplainedChips(seat));
        }
    }
    let discards = position.discards.all();
    let dragons = discards.iter().filter(|&&card| card == Card::Dragon).count();
    let Some(swapped) = (discards.len() - dragons).checked_sub(chips as usize + dragons) else {
        return Err(BadPosition::TooFewDiscards);
    };
    // A dead card needs two chips, and there are two cards of each kind.
    if swapped > (chips as usize + dragons) / 2 * 2 {
        return Err(BadPosition::TooManyDiscards);
    }
    if swapped < usize::from(position.swaps) {
        return Err(BadPosition::TooFewDiscards);
    }
    if swapped == 0 { check_turn_order(position) } else { Ok(()) }
}

/// Without a swap no seat can have passed either, so every turn has left one card. A seat with fewer cards than its
/// turns left the table and was passed over since (G7).
fn check_turn_order(position: &Sequence) -> Checked {
    let wrong = BadPosition::DiscardsAndTurn(position.seat);
    if position.passes > 0 {
        return Err(wrong);
    }
    let mut left = [0; 4];
    Seat::all(position.seats()).for_each(|seat| left[seat.index()] = position.discards(seat).len());
    let (mut seat, mut away) = (Seat::ONE, Away::default());
    while left != [0; 4] || seat != position.seat {
        match &mut left[seat.index()] {
            0 => match away.with(seat, position.seats()) {
                Some(more) => away = more,
                None => return Err(wrong),
            },
            cards => *cards -= 1,
        }
        seat = seat.next(position.seats());
    }
    Ok(())
}
