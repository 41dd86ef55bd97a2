//! Ratings of solvers and puzzles by Glicko-2.

use std::f64::consts::{LN_2, PI};
use std::fmt;
use std::str::FromStr;

/// Between Glicko-2's own scale and the one people read.
const SCALE: f64 = 173.7178;

/// The rating where both scales have their middle.
const MIDDLE: f64 = 1500.0;

/// How strongly volatility may change (the system's constant τ).
const TAU: f64 = 0.5;

/// A rating with how sure it is and how much it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The number people read.
    pub rating: f64,
    /// The standard deviation of that number.
    pub deviation: f64,
    /// How erratic the results are.
    pub volatility: f64,
}

impl Rating {
    /// A solver of whom nothing is known. The levels as solvers are rated from 600 to 2000 ([`crate::level_rating`]).
    pub const NEW_SOLVER: Rating = Rating { rating: 1000.0, deviation: 350.0, volatility: 0.06 };

    /// A puzzle whose rating was measured by the levels and that no person has tried.
    pub fn of_puzzle(measured: u16) -> Rating {
        Rating { rating: measured.into(), deviation: 150.0, volatility: 0.06 }
    }

    /// The rating after results against others: 1 for a win, ½ for a draw, 0 for a loss.
    ///
    /// To a solver a solved puzzle is a win, to the puzzle it is a loss.
    #[must_use]
    pub fn after(self, results: &[(Rating, f64)]) -> Rating {
        let own = (self.rating - MIDDLE) / SCALE;
        let deviation = self.deviation / SCALE;
        let mut information = 0.0;
        let mut surprise = 0.0;
        for (other, score) in results {
            let other_deviation = other.deviation / SCALE;
            let weight = 1.0 / (1.0 + 3.0 * other_deviation.powi(2) / PI.powi(2)).sqrt();
            let expected = 1.0 / (1.0 + (-weight * (own - (other.rating - MIDDLE) / SCALE)).exp());
            information += weight.powi(2) * expected * (1.0 - expected);
            surprise += weight * (score - expected);
        }
        if information <= 0.0 {
            let deviation = deviation.hypot(self.volatility) * SCALE;
            return Rating { deviation: deviation.min(Rating::NEW_SOLVER.deviation), ..self };
        }
        let variance = 1.0 / information;
        let volatility = new_volatility(self.volatility, deviation, variance, variance * surprise);
        let before = deviation.hypot(volatility);
        let after = 1.0 / (1.0 / before.powi(2) + information).sqrt();
        Rating {
            rating: (own + after.powi(2) * surprise) * SCALE + MIDDLE,
            deviation: (after * SCALE).clamp(30.0, Rating::NEW_SOLVER.deviation),
            volatility,
        }
    }

    /// The number as it is shown.
    pub fn shown(self) -> u32 {
        self.rating.round().clamp(0.0, 9999.0) as u32
    }

    /// Whether so little is known that the number is shown with a question mark.
    pub fn is_provisional(self) -> bool {
        self.deviation > 110.0
    }
}

/// Step 5 of Glicko-2: the root of its function by the Illinois method.
fn new_volatility(volatility: f64, deviation: f64, variance: f64, improvement: f64) -> f64 {
    let start = volatility.powi(2).ln();
    let f = |x: f64| {
        let spread = deviation.powi(2) + variance + x.exp();
        x.exp() * (improvement.powi(2) - spread) / (2.0 * spread.powi(2)) - (x - start) / TAU.powi(2)
    };
    let mut a = start;
    let excess = improvement.powi(2) - deviation.powi(2) - variance;
    let mut b = if excess > 0.0 {
        excess.ln()
    } else {
        let mut steps = 1.0;
        while f(start - steps * TAU) < 0.0 && steps < 100.0 {
            steps += 1.0;
        }
        start - steps * TAU
    };
    let (mut at_a, mut at_b) = (f(a), f(b));
    for _ in 0..100 {
        if (b - a).abs() <= 1e-6 {
            break;
        }
        let c = a + (a - b) * at_a / (at_b - at_a);
        let at_c = f(c);
        if at_c * at_b <= 0.0 {
            (a, at_a) = (b, at_b);
        } else {
            at_a /= 2.0;
        }
        (b, at_b) = (c, at_c);
    }
    (a / 2.0).exp()
}

impl fmt::Display for Rating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [rating, deviation, volatility] = [(self.rating, 1), (self.deviation, 1), (self.volatility, 5)]
            .map(|(number, places)| decimal(number, places));
        write!(f, "{rating} {deviation} {volatility}")
    }
}

/// A number with so many decimal places. The standard library's way to write and to read any `f64` would be a tenth of the
/// browser app's code for puzzles.
fn decimal(number: f64, places: usize) -> String {
    let scale = 10_u64.pow(places as u32);
    let (sign, scaled) = (if number < 0.0 { "-" } else { "" }, (number.abs() * scale as f64).round() as u64);
    format!("{sign}{}.{:0places$}", scaled / scale, scaled % scale)
}

/// Reads what [`decimal`] writes.
fn read_decimal(text: &str) -> Option<f64> {
    let (sign, digits) = text.strip_prefix('-').map_or((1.0, text), |digits| (-1.0, digits));
    let (whole, places) = digits.split_once('.').unwrap_or((digits, ""));
    let scale = 10_u64.checked_pow(places.len() as u32)?;
    let scaled: u64 = format!("{whole}{places}").parse().ok()?;
    Some(sign * scaled as f64 / scale as f64)
}

/// A text that is no rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadRating;

impl FromStr for Rating {
    type Err = BadRating;

    /// Reads what [`fmt::Display`] writes; numbers that no play leads to are refused.
    fn from_str(text: &str) -> Result<Rating, BadRating> {
        let numbers: Vec<f64> = text.split(' ').map_while(read_decimal).collect();
        let [rating, deviation, volatility] = numbers[..] else { return Err(BadRating) };
        let sane = (-2000.0..=6000.0).contains(&rating)
            && (0.0..=Rating::NEW_SOLVER.deviation).contains(&deviation)
            && (0.0..=LN_2).contains(&volatility);
        if sane { Ok(Rating { rating, deviation, volatility }) } else { Err(BadRating) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rating(rating: f64, deviation: f64) -> Rating {
        Rating { rating, deviation, volatility: 0.06 }
    }

    #[test]
    fn the_example_of_the_description_of_glicko_2_comes_out() {
        let results = [(rating(1400.0, 30.0), 1.0), (rating(1550.0, 100.0), 0.0), (rating(1700.0, 300.0), 0.0)];
        let after = rating(1500.0, 200.0).after(&results);
        assert!((after.rating - 1464.06).abs() < 0.05, "{after:?}");
        assert!((after.deviation - 151.52).abs() < 0.05, "{after:?}");
        assert!((after.volatility - 0.05999).abs() < 0.00005, "{after:?}");
    }

    #[test]
    fn solving_raises_the_solver_and_lowers_the_puzzle() {
        let puzzle = Rating::of_puzzle(1300);
        let solver = Rating::NEW_SOLVER.after(&[(puzzle, 1.0)]);
        let puzzle_after = puzzle.after(&[(Rating::NEW_SOLVER, 0.0)]);
        assert!(solver.rating > 1100.0 && solver.deviation < 350.0, "{solver:?}");
        assert!(puzzle_after.rating < 1300.0 && puzzle_after.rating > 1200.0, "{puzzle_after:?}");
        assert!(Rating::NEW_SOLVER.is_provisional());
    }

    #[test]
    fn a_rating_reads_back_and_nonsense_is_refused() {
        let rating: Rating = "1234.5 77.0 0.06000".parse().unwrap();
        assert_eq!(rating.to_string().parse(), Ok(rating));
        let below_zero = Rating { rating: -12.25, deviation: 0.04, volatility: 0.059_996 };
        assert_eq!(below_zero.to_string(), "-12.3 0.0 0.06000");
        assert_eq!("-12.3 0.0 0.06".parse::<Rating>().map(|it| it.rating), Ok(-12.3));
        for bad in ["", "1 2", "NaN 1 0.06", "1e9 100 0.06", "1200 100 0.06 7", "1200 900 0.06", "1200 -- 0.06"] {
            assert_eq!(bad.parse::<Rating>(), Err(BadRating), "{bad:?}");
        }
    }
}
