//! Sorting of short lists.
//!
//! The standard library's sort is made for long ones, and each type sorted by it takes 4 kB of the browser app.

use std::cmp::Ordering;

/// Puts an item into a sorted list, behind those that are equal to it.
pub(crate) fn insert_by<T>(sorted: &mut Vec<T>, item: T, compare: impl Fn(&T, &T) -> Ordering) {
    let place = sorted.partition_point(|other| compare(other, &item).is_le());
    sorted.insert(place, item);
}

/// The items in order; equal ones stay as they are.
pub(crate) fn sorted_by<T>(items: impl IntoIterator<Item = T>, compare: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let mut sorted = Vec::new();
    for item in items {
        insert_by(&mut sorted, item, &compare);
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_come_in_order_and_equal_ones_stay_as_they_are() {
        let words = ["cc", "a", "bb", "b", "aa", ""];
        assert_eq!(sorted_by(words, |one, other| one.len().cmp(&other.len())), ["", "a", "b", "cc", "bb", "aa"]);
    }
}
