//! What the page and the engine's worker say to each other, as lines of text with tabs between fields.
//!
//! Not JSON: reading and writing it would be a tenth of the app that every first visitor waits for.

use search::{Score, Scored, SearchResult, Value};

/// The page asks about the last position of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Comes back with the answer, so that a late answer to an old question can be told apart.
    pub id: u32,
    /// The record of the match so far.
    pub record: String,
    /// The level to choose at; without one every action is valued.
    pub level: Option<u8>,
    /// How long it may take.
    pub milliseconds: u32,
    /// The seed of every random choice.
    pub seed: u64,
}

/// The engine answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The question this belongs to.
    pub id: u32,
    /// What it found; `None` if no seat is to act or the record cannot be read.
    pub found: Option<Found>,
}

/// What the engine found.
pub type Found = SearchResult<String>;

impl Question {
    /// The question as it is sent.
    pub fn write(&self) -> String {
        let Question { id, record, level, milliseconds, seed } = self;
        format!("{id}\t{}\t{milliseconds}\t{seed}\n{record}", level.unwrap_or_default())
    }

    /// Reads what [`Question::write`] wrote.
    pub fn read(text: &str) -> Option<Question> {
        let (head, record) = text.split_once('\n')?;
        let mut fields = head.split('\t');
        let mut field = || fields.next();
        Some(Question {
            id: field()?.parse().ok()?,
            level: Some(field()?.parse().ok()?).filter(|level| *level != 0),
            milliseconds: field()?.parse().ok()?,
            seed: field()?.parse().ok()?,
            record: record.to_owned(),
        })
    }
}

impl Answer {
    /// The answer as it is sent: a line with its number, then what was found, the expected line, and every action.
    pub fn write(&self) -> String {
        let mut text = self.id.to_string();
        if let Some(SearchResult { action, value, line, scored, nodes, depth }) = &self.found {
            let head = format!("\n{action}\t{}\t{nodes}\t{depth}", write_value(*value));
            text.push_str(&format!("{head}\n{}", line.join("\t")));
            for Scored { action, value } in scored {
                text.push_str(&format!("\n{action}\t{}", write_value(*value)));
            }
        }
        text
    }

    /// Reads what [`Answer::write`] wrote.
    pub fn read(text: &str) -> Option<Answer> {
        let mut lines = text.split('\n');
        let id = lines.next()?.parse().ok()?;
        let Some(head) = lines.next() else { return Some(Answer { id, found: None }) };
        let mut fields = head.split('\t');
        let mut field = || fields.next();
        let (action, value, nodes, depth) = (field()?, field()?, field()?, field()?);
        let line = lines.next()?.split('\t').filter(|action| !action.is_empty()).map(str::to_owned).collect();
        let scored = lines.map(|line| {
            let (action, value) = line.split_once('\t')?;
            Some(Scored { action: action.to_owned(), value: read_value(value)? })
        });
        let found = SearchResult {
            action: action.to_owned(),
            value: read_value(value)?,
            line,
            scored: scored.collect::<Option<_>>()?,
            nodes: nodes.parse().ok()?,
            depth: depth.parse().ok()?,
        };
        Some(Answer { id, found: Some(found) })
    }
}

/// A letter and a number.
fn write_value(value: Value) -> String {
    let (kind, number) = match value {
        Value::Win(Some(actions)) => ('w', actions),
        Value::Win(None) => ('W', 0),
        Value::Draw => ('d', 0),
        Value::Loss(None) => ('L', 0),
        Value::Loss(Some(actions)) => ('l', actions),
        Value::Estimate(score) => ('e', score.ten_thousandths().into()),
    };
    format!("{kind}{number}")
}

fn read_value(text: &str) -> Option<Value> {
    let mut letters = text.chars();
    let kind = letters.next()?;
    let number: u32 = letters.as_str().parse().ok()?;
    Some(match kind {
        'w' => Value::win_in(number),
        'W' => Value::Win(None),
        'd' => Value::Draw,
        'L' => Value::Loss(None),
        'l' => Value::loss_in(number),
        'e' => Value::Estimate(Score::from_ten_thousandths(number.try_into().ok()?)),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sent_reads_back() {
        let record = "[Game \"quixo\"]\n\n1. a1e1\n".to_owned();
        for level in [None, Some(8)] {
            let question = Question { id: 7, record: record.clone(), level, milliseconds: 1200, seed: u64::MAX };
            assert_eq!(Question::read(&question.write()), Some(question));
        }
        let values = [Value::win_in(3), Value::Win(None), Value::Draw, Value::Loss(None), Value::estimate(0.1234)];
        let scored = |(n, value)| Scored { action: format!("a{n}"), value };
        let scored: Vec<_> = values.into_iter().enumerate().map(scored).collect();
        for (line, scored) in [(vec![], vec![]), (vec!["a1".to_owned(), "!".to_owned()], scored)] {
            let (action, value) = ("a1".to_owned(), Value::loss_in(2));
            let found = SearchResult { action, value, line, scored, nodes: 1 << 40, depth: 9 };
            let answer = Answer { id: 1, found: Some(found) };
            assert_eq!(Answer::read(&answer.write()), Some(answer));
        }
        assert_eq!(Answer::read("3"), Some(Answer { id: 3, found: None }));
        for nonsense in ["", "ready", "3\na1", "3\na1\tx1\t0\t0\n", "3\na1\tw1\t0\t0\n\nb"] {
            assert_eq!(Answer::read(nonsense), None, "{nonsense:?}");
        }
    }
}
