//! Actions of the same proved worth, which a list shows as one line.

use search::{Scored, Value};

/// Fewer actions than this are listed one by one.
const LEAST: usize = 4;

/// A line of the list.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Row {
    /// One action.
    One(Scored<String>),
    /// Several of the same worth.
    Group(Group),
}

/// Several actions of the same worth.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Group {
    /// What each is worth.
    pub(super) value: Value,
    /// The actions.
    pub(super) actions: Vec<Scored<String>>,
    /// Whether these are all there are.
    pub(super) is_all: bool,
}

/// Groups what stands next to each other with the same proved value.
pub(super) fn grouped(scored: Vec<Scored<String>>) -> Vec<Row> {
    let all = scored.len();
    let mut runs: Vec<Vec<Scored<String>>> = Vec::new();
    for one in scored {
        match runs.last_mut() {
            Some(run) if one.value.is_exact() && run[0].value == one.value => run.push(one),
            _ => runs.push(vec![one]),
        }
    }
    let rows = |run: Vec<Scored<String>>| match run.len() {
        0..LEAST => run.into_iter().map(Row::One).collect(),
        len => vec![Row::Group(Group { value: run[0].value, actions: run, is_all: len == all })],
    };
    runs.into_iter().flat_map(rows).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scored(values: &[Value]) -> Vec<Scored<String>> {
        let one = |(number, value): (usize, &Value)| Scored { action: format!("a{number}"), value: *value };
        values.iter().enumerate().map(one).collect()
    }

    #[test]
    fn equal_proved_values_are_one_line() {
        let rows = grouped(scored(&[Value::Draw; 41]));
        assert!(matches!(rows.as_slice(), [Row::Group(group)] if group.is_all && group.actions.len() == 41));
        let mut mixed = vec![Value::win_in(3)];
        mixed.extend([Value::Draw; 5]);
        mixed.extend([Value::loss_in(2), Value::loss_in(2)]);
        let rows = grouped(scored(&mixed));
        assert!(matches!(rows[1], Row::Group(ref group) if !group.is_all && group.actions.len() == 5));
        assert_eq!(rows.len(), 4);
    }

    #[test]
    fn estimates_are_listed_one_by_one() {
        assert_eq!(grouped(scored(&[Value::estimate(0.5); 6])).len(), 6);
        assert!(grouped(Vec::new()).is_empty());
    }
}
