//! Elo with error bars from scores, and when to stop.

/// Results of groups of games; a group holds the same deal or opening once for every seat of the first contestant.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scores {
    /// How many sides meet in a game; the first contestant has one of them, and equal strength scores 1 of `sides`.
    pub(super) sides: usize,
    /// The mean score of each group, from 0 to 1.
    pub(super) groups: Vec<f64>,
    pub(super) wins: u32,
    pub(super) draws: u32,
    pub(super) losses: u32,
}

impl Scores {
    /// No games yet, of so many sides.
    pub(super) fn of(sides: usize) -> Scores {
        Scores { sides, groups: Vec::new(), wins: 0, draws: 0, losses: 0 }
    }

    pub(super) fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    pub(super) fn mean(&self) -> f64 {
        if self.groups.is_empty() {
            1.0 / self.sides as f64
        } else {
            self.groups.iter().sum::<f64>() / self.groups.len() as f64
        }
    }

    /// The standard error of the mean, from the spread between groups: luck that both seatings share cancels out.
    pub(super) fn error(&self) -> f64 {
        let count = self.groups.len() as f64;
        if count < 2.0 {
            return 0.5;
        }
        let mean = self.mean();
        let variance = self.groups.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / (count - 1.0);
        // A clean sweep has no spread, but is no certainty: as if half a game had gone the other way.
        (variance / count).sqrt().max(0.5 / count / 2.0)
    }

    /// The 95 % interval of the mean score.
    pub(super) fn interval(&self) -> (f64, f64) {
        let reach = 1.96 * self.error();
        ((self.mean() - reach).max(0.0), (self.mean() + reach).min(1.0))
    }

    /// The log-likelihood ratio of "stronger by `elo1`" against "stronger by `elo0`", by the normal approximation on
    /// groups.
    pub(super) fn likelihood(&self, elo0: f64, elo1: f64) -> f64 {
        let count = self.groups.len() as f64;
        if count < 2.0 {
            return 0.0;
        }
        let (s0, s1) = (score_of(elo0, self.sides), score_of(elo1, self.sides));
        let variance = self.error().powi(2) * count;
        count * (s1 - s0) * (2.0 * self.mean() - s0 - s1) / (2.0 * variance)
    }
}

/// The Elo difference a score stands for.
///
/// With more than two sides it is how far the odds of winning exceed those of equal strength, 1 to `sides` − 1: chances are
/// in proportion to strengths, as with two.
pub(super) fn elo_of(score: f64, sides: usize) -> f64 {
    let score = score.clamp(0.0005, 0.9995);
    let others = sides as f64 - 1.0;
    400.0 * (score * others / (1.0 - score)).log10()
}

/// The score an Elo difference stands for; the inverse of [`elo_of`].
pub(super) fn score_of(elo: f64, sides: usize) -> f64 {
    let others = sides as f64 - 1.0;
    1.0 / (1.0 + others * 10f64.powf(-elo / 400.0))
}

/// Ratings that explain the scores between contestants best (Bradley–Terry), the first at 0.
///
/// `results[i][j]` are the points i made against j and the games they played.
pub(super) fn ratings(results: &[Vec<(f64, f64)>]) -> Vec<f64> {
    let count = results.len();
    let mut strength = vec![1.0f64; count];
    for _ in 0..2000 {
        for i in 0..count {
            // A drawn game against an average player keeps clean sweeps finite.
            let (mut points, mut expected) = (0.5, 1.0 / (strength[i] + 1.0));
            for j in (0..count).filter(|&j| j != i) {
                points += results[i][j].0;
                expected += results[i][j].1 / (strength[i] + strength[j]);
            }
            strength[i] = points / expected;
        }
    }
    strength.iter().map(|it| 400.0 * (it / strength[0]).log10()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_and_score_are_inverse() {
        for sides in 2..=4 {
            for elo in [-300.0, 0.0, 35.0, 400.0] {
                assert!((elo_of(score_of(elo, sides), sides) - elo).abs() < 1e-9);
            }
            assert!((score_of(0.0, sides) - 1.0 / sides as f64).abs() < 1e-9);
        }
    }

    #[test]
    fn a_quarter_of_the_games_of_four_is_even() {
        let quarter = Scores { groups: [0.0, 0.5].repeat(500), ..Scores::of(4) };
        assert!(elo_of(quarter.mean(), 4).abs() < 1e-9);
        assert!(quarter.likelihood(0.0, 50.0) < 0.0, "not stronger by 50");
        let third = Scores { groups: [0.25, 0.5, 0.25].repeat(500), ..Scores::of(4) };
        assert!(third.likelihood(0.0, 50.0) > 0.0, "33 % of the games of four are more than even");
    }

    #[test]
    fn pairs_that_cancel_luck_have_small_errors() {
        let even = Scores { groups: vec![0.5; 100], ..Scores::of(2) };
        let wild = Scores { groups: [0.0, 1.0].repeat(50), ..Scores::of(2) };
        assert!(even.error() < wild.error() / 10.0);
        assert!(wild.likelihood(0.0, 50.0) < 0.0);
    }

    #[test]
    fn ratings_recover_a_known_ladder() {
        let elo = [0.0, 150.0, 320.0];
        let results: Vec<Vec<(f64, f64)>> =
            elo.iter().map(|a| elo.iter().map(|b| (1000.0 * score_of(a - b, 2), 1000.0)).collect()).collect();
        for (found, wanted) in ratings(&results).iter().zip(elo) {
            assert!((found - wanted).abs() < 5.0, "{found} {wanted}");
        }
    }
}
