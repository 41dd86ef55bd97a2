//! The shortest way to the next capture, and nothing else: the yardstick, and what the gentler levels play.

use rules::four::{Action, FEWEST_STONES, Four, Phase};
use rules::{ActionList, Position, Square, Turn};

use super::field::Field;
use super::figures::{Figures, cell, has};
use super::plans::{Plan, plans};
use crate::Random;

/// How far a player sees who only looks for the next capture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attention {
    /// Captures that take more movements are not seen.
    pub movements: u8,
    /// How many of a hundred captures are overlooked.
    pub overlooked: u32,
}

impl Attention {
    /// Sees every capture.
    pub const CLEAR: Attention = Attention { movements: u8::MAX, overlooked: 0 };
}

/// The action of a player who always goes for the capture that takes the fewest movements or placements.
///
/// It goes on until its movements are used up, builds the next square when there is nothing to capture, and never
/// thinks of its own stones. The position must not be over.
///
/// ```
/// use rules::{Position, four::Four};
/// use search::{Random, bots::four::{Attention, greedy}};
///
/// let options = "size=9".parse()?;
/// let game = Four::parse(&options, "9/9/9/9/3xox3/4x4/9/9/oo7 1 opening 0,0 27,27 0 0 - -")?;
/// assert_eq!(greedy(&game, Attention::CLEAR, &mut Random::new(1)).to_string(), "e6");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn greedy(position: &Four, attention: Attention, random: &mut Random) -> Action {
    let mut list = ActionList::new();
    position.actions(&mut list);
    let Turn::Seat(seat) = position.turn() else { return Action::Pass };
    let figures = Figures::of(position.options().size());
    let field = Field::new(position, seat);
    let mut notices = || random.below(100) >= attention.overlooked;

    // A placement that captures is as short as a plan can be.
    let takes = |action: &&Action| matches!(action, Action::Place { .. }) && captures(position, **action);
    if let Some(&taking) = list.iter().find(takes)
        && notices()
    {
        return taking;
    }
    if position.phase() != Phase::Opening && position.stones_on_board(seat) >= FEWEST_STONES {
        let mut found = Vec::new();
        plans(&field, figures, position.movements_left().min(attention.movements).min(8), &mut found);
        found.retain(|_| notices());
        if let Some(action) = found.iter().min_by_key(|plan| plan.cost()).and_then(|plan: &Plan| plan.actions().next())
        {
            return action;
        }
    }
    if list.contains(&Action::End) {
        return Action::End;
    }
    build(&field, figures, &list, random)
}

fn captures(position: &Four, action: Action) -> bool {
    let Turn::Seat(seat) = position.turn() else { return false };
    let mut next = *position;
    next.play_unchecked(action);
    next.points(seat) > position.points(seat)
}

/// Puts a stone where it brings some square nearest to its close, or moves at random where none may be placed.
fn build(field: &Field, figures: &Figures, list: &[Action], random: &mut Random) -> Action {
    let mut nearest = [[9u8; 19]; 19];
    for centre in field.foe_cells() {
        for corners in figures.around(centre) {
            if corners.cells().iter().any(|&corner| has(&field.foe, corner)) {
                continue;
            }
            let missing = || corners.cells().iter().filter(|&&corner| !has(&field.own, corner));
            let count = missing().count() as u8;
            if count < 2 {
                // A capture that was overlooked must not be found by accident.
                continue;
            }
            for &corner in missing() {
                let entry = &mut nearest[usize::from(corner >> 5)][usize::from(corner & 31)];
                *entry = count.min(*entry);
            }
        }
    }
    let lack = |at: Square| nearest[usize::from(cell(at) >> 5)][usize::from(cell(at) & 31)];
    let lacking = |action: &Action| if let Action::Place { at, .. } = action { lack(*at) } else { 10 };
    let least = list.iter().map(lacking).min().unwrap_or(10);
    let best: Vec<Action> = list.iter().copied().filter(|action| lacking(action) == least).collect();
    best[random.below(best.len() as u32) as usize]
}
