//! A rating over its games, as a small line.

use crate::views::tenths;

/// The size of a chart in its own units.
const WIDTH: u32 = 240;
const HEIGHT: u32 = 64;
/// The room around the line.
const EDGE: f64 = 5.0;
/// Ratings that differ by less are drawn as if they differed by this, so that a point more is no mountain.
const LEAST_RANGE: f64 = 60.0;

/// The markup of the chart; nothing for fewer than two points. It has no name: what stands beside it says the numbers.
pub(super) fn rating_chart(ratings: &[u64]) -> String {
    let points = places(ratings);
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return String::new() };
    if points.len() < 2 {
        return String::new();
    }
    let line: Vec<String> = points.iter().map(|(x, y)| format!("{} {}", tenths(*x), tenths(*y))).collect();
    let line = line.join("L");
    let (end, floor) = (tenths(last.0), HEIGHT - 1);
    format!(
        r#"<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true" focusable="false"><path class="area" d="M{} {floor}L{line}L{end} {floor}Z"/><path class="stroke" d="M{line}"/><circle cx="{end}" cy="{}" r="4"/></svg>"#,
        tenths(first.0),
        tenths(last.1)
    )
}

/// Where each point lies: games from left to right, high ratings at the top.
fn places(ratings: &[u64]) -> Vec<(f64, f64)> {
    let (Some(lowest), Some(highest)) = (ratings.iter().min(), ratings.iter().max()) else { return Vec::new() };
    let range = ((highest - lowest) as f64).max(LEAST_RANGE);
    let middle = (lowest + highest) as f64 / 2.0;
    let (width, height) = (f64::from(WIDTH), f64::from(HEIGHT));
    let step = (width - 2.0 * EDGE) / (ratings.len() - 1).max(1) as f64;
    let place = |(index, rating): (usize, &u64)| {
        let above = (*rating as f64 - middle) / range;
        (EDGE + index as f64 * step, height / 2.0 - above * (height - 2.0 * EDGE))
    };
    ratings.iter().enumerate().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_stays_inside_and_rises_with_the_rating() {
        let points = places(&[1500, 1400, 1700]);
        assert!(points.iter().all(|(x, y)| (0.0..=WIDTH.into()).contains(x) && (0.0..=HEIGHT.into()).contains(y)));
        assert!(points[2].1 < points[0].1 && points[0].1 < points[1].1);
        assert!(points.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }

    #[test]
    fn equal_ratings_are_a_level_line_and_one_is_none() {
        assert!(places(&[1500, 1500]).iter().all(|(_, y)| (*y - f64::from(HEIGHT) / 2.0).abs() < 1e-9));
        assert_eq!((rating_chart(&[]), rating_chart(&[1500])), (String::new(), String::new()));
        assert!(rating_chart(&[1500, 1510]).contains("<circle"));
    }
}
