use rules::Seat;

use crate::{Mistake, SearchResult, Value};

/// An action of a seat that is to be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step<A> {
    /// How many actions, chance's included, were played before it.
    pub ply: usize,
    /// Where the caller's log has it.
    pub entry: usize,
    /// The seat that acted.
    pub seat: Seat,
    /// What it played.
    pub action: A,
}

/// An action with what it was worth and what could be had instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement<A> {
    /// The action.
    pub step: Step<A>,
    /// The value of the best action.
    pub best: Value,
    /// The value of the action that was played.
    pub played: Value,
    /// What it gave away, if anything.
    pub mistake: Option<Mistake>,
    /// The best line instead.
    pub better: Vec<A>,
}

impl<A> Judgement<A> {
    /// The share of a point that was given away.
    pub fn lost(&self) -> f32 {
        (self.best.score() - self.played.score()).max(0.0)
    }
}

/// Judgements of a game's actions, in the order of the game.
///
/// A caller that can wait uses [`review`]; one that asks an engine elsewhere adds each result as it comes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review<A> {
    judgements: Vec<Judgement<A>>,
}

impl<A> Default for Review<A> {
    fn default() -> Review<A> {
        Review { judgements: Vec::new() }
    }
}

impl<A: Clone + PartialEq> Review<A> {
    /// Judges the next action by the analysis of the position it was played in.
    ///
    /// `None` if the analysis does not value that action, which then is not part of the review.
    pub fn judge(&mut self, step: Step<A>, analysis: &SearchResult<A>) -> Option<&Judgement<A>> {
        let played = analysis.scored.iter().find(|scored| scored.action == step.action)?.value;
        let mistake = Mistake::between(analysis.value, played);
        let better = analysis.line.clone();
        self.judgements.push(Judgement { step, best: analysis.value, played, mistake, better });
        self.judgements.last()
    }

    /// Every judged action.
    pub fn judgements(&self) -> &[Judgement<A>] {
        &self.judgements
    }

    /// The actions that gave something away.
    pub fn mistakes(&self) -> impl Iterator<Item = &Judgement<A>> {
        self.judgements.iter().filter(|judgement| judgement.mistake.is_some())
    }

    /// Where the result turned: the mistake that gave most away, of equal ones the last.
    pub fn key_moment(&self) -> Option<&Judgement<A>> {
        self.mistakes().max_by(|a, b| a.lost().total_cmp(&b.lost()))
    }

    /// Keeps only the judgements of actions before this place of the caller's log.
    pub fn truncate(&mut self, entry: usize) {
        self.judgements.retain(|judgement| judgement.step.entry < entry);
    }
}

/// Reviews a game: `analyse` values every action of the position before a step, or says nothing about it.
///
/// ```
/// use rules::{Position, Seat, quarto::{Action, Quarto}};
/// use search::{Bot, Limits, Mistake, Situation, Step, bots::quarto::QuartoBot, review};
///
/// // Three light pieces wait in a row, and a fourth one is given.
/// let position = Quarto::parse(&Default::default(), "..../..../..../124. - 2 c1")?;
/// let step = Step { ply: 0, entry: 0, seat: Seat::TWO, action: "0".parse::<Action>()? };
/// let review = review([step], |_| {
///     Some(QuartoBot::default().analyse(&Situation { view: &position, earlier: &[] }, &Limits::nodes(20_000)))
/// });
/// assert!(review.key_moment().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn review<A: Clone + PartialEq>(
    steps: impl IntoIterator<Item = Step<A>>,
    mut analyse: impl FnMut(&Step<A>) -> Option<SearchResult<A>>,
) -> Review<A> {
    let mut review = Review::default();
    for step in steps {
        if let Some(analysis) = analyse(&step) {
            review.judge(step, &analysis);
        }
    }
    review
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scored;

    fn step(ply: usize, action: char) -> Step<char> {
        Step { ply, entry: ply, seat: Seat::from_index(ply % 2), action }
    }

    fn analysis(scored: &[(char, Value)]) -> SearchResult<char> {
        let scored: Vec<_> = scored.iter().map(|&(action, value)| Scored { action, value }).collect();
        let Scored { action, value } = scored[0];
        SearchResult { action, value, line: vec![action, '+'], scored, nodes: 1, depth: 1 }
    }

    #[test]
    fn mistakes_name_what_was_better_and_the_worst_is_the_key_moment() {
        let results = [
            analysis(&[('a', Value::Draw), ('b', Value::loss_in(4))]),
            analysis(&[('a', Value::win_in(3)), ('b', Value::Draw)]),
            analysis(&[('a', Value::Draw), ('b', Value::Draw)]),
            analysis(&[('a', Value::win_in(3)), ('b', Value::loss_in(2))]),
        ];
        let review = review((0..4).map(|ply| step(ply, 'b')), |step| results.get(step.ply).cloned());
        let found: Vec<_> = review.mistakes().map(|found| (found.step.ply, found.mistake)).collect();
        let expected = [(0, Mistake::DrawToLoss), (1, Mistake::WinToDraw), (3, Mistake::WinToLoss)];
        assert_eq!(found, expected.map(|(ply, mistake)| (ply, Some(mistake))));
        assert!(review.mistakes().all(|found| found.better == ['a', '+']));
        assert_eq!(review.key_moment().map(|found| found.step.ply), Some(3));
        assert_eq!(review.judgements().len(), 4);
    }

    #[test]
    fn of_equal_mistakes_the_last_decided_the_game() {
        let lost = analysis(&[('a', Value::Draw), ('b', Value::loss_in(4))]);
        let review = review((0..3).map(|ply| step(ply, 'b')), |_| Some(lost.clone()));
        assert_eq!(review.key_moment().map(|found| found.step.ply), Some(2));
    }

    #[test]
    fn what_the_analysis_leaves_out_is_not_judged() {
        let mut review = Review::default();
        assert_eq!(review.judge(step(0, 'z'), &analysis(&[('a', Value::Draw)])), None);
        assert_eq!(review.key_moment(), None);
        review.judge(step(1, 'a'), &analysis(&[('a', Value::Draw)]));
        review.truncate(1);
        assert_eq!(review.judgements(), []);
    }
}
