//! Why a wrong action loses, as a line that can be shown.

use game::AnyPosition;
use rules::{Outcome, Side, Turn};

/// Positions that may be looked at before the search gives up.
const BUDGET: usize = 20_000;

/// The longest line that is looked for.
const LONGEST: u32 = 6;

/// A line in which `winner` wins by force within so many plies; empty if none is found soon enough.
///
/// The side that loses plays its first action at each turn, for every other loses as well.
pub(crate) fn forced_win(position: &dyn AnyPosition, winner: Side, plies: u32) -> Vec<String> {
    let mut budget = BUDGET;
    (1..=plies.min(LONGEST)).find_map(|plies| search(position, winner, plies, &mut budget)).unwrap_or_default()
}

fn search(position: &dyn AnyPosition, winner: Side, plies: u32, budget: &mut usize) -> Option<Vec<String>> {
    let seat = match position.turn() {
        Turn::Over(outcome) => return (outcome == Outcome::Win(winner)).then(Vec::new),
        Turn::Seat(seat) if plies > 0 => seat,
        // What chance brings is not forced.
        _ => return None,
    };
    let mut first = None;
    for action in position.legal() {
        *budget = budget.checked_sub(1)?;
        let mut next = position.boxed();
        next.play(&action).ok()?;
        let found = search(&*next, winner, plies - 1, budget).map(|mut line| {
            line.insert(0, action);
            line
        });
        match (position.side(seat) == winner, found) {
            (true, Some(line)) => return Some(line),
            (true, None) => {}
            (false, None) => return None,
            (false, Some(line)) => {
                first.get_or_insert(line);
            }
        }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Game;

    #[test]
    fn a_win_at_once_and_a_gift_that_loses_are_found() {
        let quixo: Game = "quixo".parse().unwrap();
        let position = quixo.parse_position("xxxx./...../...../...../oooo. 1").unwrap();
        let line = forced_win(&*position, Side::ONE, 1);
        assert_eq!(line.len(), 1, "{line:?}");
        assert!(forced_win(&*quixo.start(), Side::ONE, 3).is_empty());
        // Whatever square the piece goes to, every piece left completes the row of light ones.
        let quarto: Game = "quarto".parse().unwrap();
        let position = quarto.parse_position("..../..../..../124. - 2 c1").unwrap();
        let mut gift = position.boxed();
        gift.play("0").unwrap();
        assert_eq!(forced_win(&*gift, Side::ONE, 2), ["d1"]);
    }
}
