//! Why an action is wrong, as a line that can be played on the board.

mod captures;
mod hidden_hands;

use game::AnyPosition;
use rules::four::Four;
use rules::sequence::Sequence;
use rules::{Outcome, Seat, Side, Turn};
use search::{Limits, Value};

use crate::{Theme, Worth};

/// Positions that may be looked at before the search gives up.
const BUDGET: usize = 30_000;

/// The longest line that is looked for.
const LONGEST: u32 = 16;

/// Plies of an engine's line that are shown when they do not end the game.
const ENGINE_PLIES: usize = 5;

/// What happens after a wrong action.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refutation {
    /// The position's text after the action. It looks the same to the solver as in the game, but the opponent may hold the
    /// card that makes the action wrong.
    pub from: String,
    /// The actions that are played from there.
    pub line: Vec<String>,
    /// Whether an engine should be asked for a line: the value is proved, but no short line shows why.
    pub ask_engine: bool,
}

impl Refutation {
    /// How an action of this worth is refuted; `after` is the position that it leads to.
    pub(crate) fn find(after: &dyn AnyPosition, captured: i32, solver: Seat, theme: Theme, worth: Worth) -> Refutation {
        let mut refutation = Refutation { from: after.to_string(), ..Refutation::default() };
        if let Turn::Over(_) = after.turn() {
            return refutation;
        }
        if let Some(position) = after.as_any().downcast_ref::<Four>() {
            refutation.line = match worth {
                Worth::Captures(_) if theme == Theme::Escape => captures::most_at_once(position).into_iter().collect(),
                Worth::Captures(count) => captures::rest_of_turn(position, count - captured, BUDGET),
                Worth::Result(_) => Vec::new(),
            };
            return refutation;
        }
        if let Some(position) = after.as_any().downcast_ref::<Sequence>() {
            if let Some((from, action)) = hidden_hands::answer(position, solver, worth) {
                refutation = Refutation { from, line: vec![action], ask_engine: false };
            }
            return refutation;
        }
        if let Worth::Result(Value::Loss(Some(plies))) = worth {
            let own = after.side(solver);
            let winner = Seat::all(after.seats()).map(|seat| after.side(seat)).find(|side| *side != own);
            let line = winner.map(|winner| forced_win(after, winner, plies.saturating_sub(1)));
            refutation.line = line.unwrap_or_default();
        }
        refutation.ask_engine = refutation.line.is_empty();
        refutation
    }

    /// Takes an engine's line from the same position: all of it if it ends the game, else its beginning.
    pub fn take_line(&mut self, mut line: Vec<String>, value: Value) {
        let ends = matches!(value, Value::Win(Some(plies)) if line.len() as u32 == plies);
        if !ends {
            line.truncate(ENGINE_PLIES);
        }
        self.line = line;
    }

    /// Asks the game's own bot, within so many nodes.
    pub fn think(&mut self, game: &game::Game, nodes: u64) {
        let Ok(position) = game.parse_position(&self.from) else { return };
        let limits = Limits::nodes(nodes).with_seed(1).with_memory(16 << 20);
        if let Some(found) = game.bot().analyse(&[position], &limits) {
            self.take_line(found.line, found.value);
        }
    }
}

/// A line in which `winner` wins by force within so many plies; empty if none is found soon enough.
///
/// The side that loses plays its first action at each turn, for every other loses as well.
fn forced_win(position: &dyn AnyPosition, winner: Side, plies: u32) -> Vec<String> {
    let mut budget = if plies > LONGEST { 0 } else { BUDGET };
    (1..=plies).find_map(|plies| search(position, winner, plies, &mut budget)).unwrap_or_default()
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

    fn wrong(puzzle: &str, fits: impl Fn(Worth) -> bool) -> Refutation {
        let puzzle = crate::Puzzle::read(puzzle).unwrap();
        let mut attempt = crate::Attempt::new(puzzle).unwrap();
        let action = attempt.values().into_iter().find(|(_, worth)| fits(*worth)).unwrap().0.to_owned();
        match attempt.answer(&action) {
            crate::Answer::Wrong { worth, .. } => attempt.refutation(&action, worth),
            other => panic!("{action}: {other:?}"),
        }
    }

    #[test]
    fn a_card_that_the_opponent_may_hold_refutes() {
        let line = "sequence stop 2 893 | *..11.*/......./....2.2/......./.1...../*.....* 2 \
                    elephant+frog+hippo|elephant+giraffe+whale whale+fox+camel|hippo+cat 0 0 | giraffe@f6:-2*3,0,-2";
        let refutation = wrong(line, |worth| worth == Worth::Result(Value::loss_in(2)));
        let game: Game = "sequence".parse().unwrap();
        let mut position = game.parse_position(&refutation.from).unwrap();
        assert_eq!(refutation.line.len(), 1);
        position.play(&refutation.line[0]).unwrap();
        assert!(matches!(position.turn(), Turn::Over(Outcome::Win(_))), "{refutation:?}");
    }

    #[test]
    fn captures_that_are_left_and_those_of_the_opponent_are_shown() {
        let escape = "four(size=9) escape 1 1155 | \
                      5x2o/x1x3xxo/1oo2ox2/5oo2/4o4/7o1/2x3ox1/5xx2/7x1 2 1 0,0 19,20 0 0 moved - | i9-h9:-1*70,0";
        let refutation = wrong(escape, |worth| worth == Worth::Captures(-1));
        let mut position = "four(size=9)".parse::<Game>().unwrap().parse_position(&refutation.from).unwrap();
        let captured = |position: &dyn AnyPosition| {
            let four = position.as_any().downcast_ref::<Four>().unwrap();
            (four.captures(Seat::ONE), four.captures(Seat::TWO))
        };
        position.play(&refutation.line[0]).unwrap();
        assert_eq!(captured(&*position), (1, 0), "{refutation:?}");
        let most = "four(size=9) most 2 1178 | \
                    4o3x/3oooxo1/2o5x/2xx5/7o1/1x1x1o3/9/x1o2x1o1/4o1x2 1 2 1,1 19,18 0 0 moved - | \
                    a2-a5:1*3,2,1*22,2,1*10,0*6,1*25,2,1*6 i7-i5:0*31,1,0*41,2,0*6";
        let refutation = wrong(most, |worth| worth == Worth::Captures(1));
        let mut position = "four(size=9)".parse::<Game>().unwrap().parse_position(&refutation.from).unwrap();
        for action in &refutation.line {
            position.play(action).unwrap();
        }
        assert_eq!(captured(&*position).0, 2, "one before and one now: {refutation:?}");
    }

    #[test]
    fn a_line_of_the_bot_is_cut_where_it_proves_nothing() {
        let mut refutation = Refutation::default();
        let line: Vec<String> = (0..9).map(|number| number.to_string()).collect();
        refutation.take_line(line.clone(), Value::win_in(9));
        assert_eq!(refutation.line, line);
        refutation.take_line(line, Value::Draw);
        assert_eq!(refutation.line.len(), ENGINE_PLIES);
    }
}
