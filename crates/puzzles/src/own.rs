//! Puzzles from one's own games: the moment where one went wrong.

use game::Game;
use search::{Judgement, SearchResult, Value};

use crate::sorting::sorted_by;
use crate::{Puzzle, Step, Theme, Worth};

impl Puzzle {
    /// The position before a mistake as a puzzle: find what does not give as much away.
    ///
    /// `position` is the text of that position and `analysis` what the review knew about it. Values that are not proved stay
    /// estimates. `None` if the analysis leaves nothing to choose from.
    pub fn from_mistake(
        game: &Game,
        position: &str,
        judgement: &Judgement<String>,
        analysis: &SearchResult<String>,
    ) -> Option<Puzzle> {
        let values = analysis.scored.iter().map(|scored| (scored.action.clone(), Worth::Result(scored.value)));
        let values = sorted_by(values, |(one, _), (other, _)| one.cmp(other));
        let step = Step { seat: judgement.step.seat, played: analysis.action.clone(), values };
        let plies = match step.best() {
            Worth::Result(Value::Win(Some(plies))) => plies,
            _ => 0,
        };
        let puzzle = Puzzle {
            game: game.clone(),
            theme: Theme::Own,
            plies,
            rating: None,
            start: position.to_owned(),
            steps: vec![step],
        };
        let right = puzzle.right_actions(0);
        let asks = right.contains(&analysis.action.as_str()) && !right.contains(&judgement.step.action.as_str());
        (asks && game.parse_position(position).is_ok()).then_some(puzzle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, Attempt, State};
    use rules::{Seat, Turn};
    use search::{Limits, Review};

    #[test]
    fn a_mistake_becomes_a_puzzle_whose_answer_is_not_the_mistake() {
        let game: Game = "quarto".parse().unwrap();
        let text = "..../..../..../124. - 2 c1";
        let position = game.parse_position(text).unwrap();
        assert_eq!(position.turn(), Turn::Seat(Seat::TWO));
        let analysis = game.bot().analyse(&[position], &Limits::nodes(20_000)).unwrap();
        let step = search::Step { ply: 0, entry: 0, seat: Seat::TWO, action: "0".to_owned() };
        let mut review = Review::default();
        let judgement = review.judge(step, &analysis).unwrap().clone();
        let puzzle = Puzzle::from_mistake(&game, text, &judgement, &analysis).unwrap();
        let mut attempt = Attempt::new(puzzle).unwrap();
        assert!(matches!(attempt.answer("0"), Answer::Wrong { .. }));
        assert!(matches!(attempt.answer(&analysis.action), Answer::Right { .. }));
        assert_eq!(attempt.state(), State::Solved);
    }
}
