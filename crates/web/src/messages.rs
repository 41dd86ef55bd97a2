//! What the page and the engine's worker say to each other, as lines of text with tabs between fields.
//!
//! Not JSON: reading and writing it would be a tenth of the app that every first visitor waits for.

use search::{Thought, Value};

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

/// What thinking found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The action to play.
    pub action: String,
    /// What the seat to act can expect.
    pub worth: Worth,
    /// The expected continuation.
    pub line: Vec<String>,
    /// Every legal action with its worth, best first; empty where only a choice was asked for.
    pub scored: Vec<(String, Worth)>,
    /// Nodes looked at.
    pub nodes: u64,
}

/// [`search::Value`] in a form that can be sent.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Worth {
    Win(u32),
    SureWin,
    Draw,
    Loss(u32),
    SureLoss,
    Estimate(f32),
}

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
        if let Some(Found { action, worth, line, scored, nodes }) = &self.found {
            text.push_str(&format!("\n{action}\t{}\t{nodes}\n{}", worth.write(), line.join("\t")));
            for (action, worth) in scored {
                text.push_str(&format!("\n{action}\t{}", worth.write()));
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
        let (action, worth, nodes) = (fields.next()?, fields.next()?, fields.next()?);
        let line = lines.next()?.split('\t').filter(|action| !action.is_empty()).map(str::to_owned).collect();
        let scored = lines.map(|line| {
            let (action, worth) = line.split_once('\t')?;
            Some((action.to_owned(), Worth::read(worth)?))
        });
        let found = Found {
            action: action.to_owned(),
            worth: Worth::read(worth)?,
            line,
            scored: scored.collect::<Option<_>>()?,
            nodes: nodes.parse().ok()?,
        };
        Some(Answer { id, found: Some(found) })
    }
}

impl Worth {
    /// A letter and a number; an estimate as its bits, which is exact.
    fn write(self) -> String {
        let (kind, number) = match self {
            Worth::Win(actions) => ('w', actions),
            Worth::SureWin => ('W', 0),
            Worth::Draw => ('d', 0),
            Worth::SureLoss => ('L', 0),
            Worth::Loss(actions) => ('l', actions),
            Worth::Estimate(score) => ('e', score.to_bits()),
        };
        format!("{kind}{number}")
    }

    fn read(text: &str) -> Option<Worth> {
        let mut letters = text.chars();
        let kind = letters.next()?;
        let number = letters.as_str().parse().ok()?;
        Some(match kind {
            'w' => Worth::Win(number),
            'W' => Worth::SureWin,
            'd' => Worth::Draw,
            'L' => Worth::SureLoss,
            'l' => Worth::Loss(number),
            'e' => Worth::Estimate(f32::from_bits(number)),
            _ => return None,
        })
    }

    /// The expected score, from 0 to 1.
    pub fn score(self) -> f32 {
        match self {
            Worth::Win(_) | Worth::SureWin => 1.0,
            Worth::Draw => 0.5,
            Worth::Loss(_) | Worth::SureLoss => 0.0,
            Worth::Estimate(score) => score,
        }
    }
}

impl From<Value> for Worth {
    fn from(value: Value) -> Worth {
        match value {
            Value::Win(actions) => Worth::Win(actions),
            Value::SureWin => Worth::SureWin,
            Value::SureLoss => Worth::SureLoss,
            Value::Draw => Worth::Draw,
            Value::Loss(actions) => Worth::Loss(actions),
            Value::Estimate(score) => Worth::Estimate(score),
        }
    }
}

impl From<Worth> for Value {
    fn from(worth: Worth) -> Value {
        match worth {
            Worth::Win(actions) => Value::Win(actions),
            Worth::SureWin => Value::SureWin,
            Worth::SureLoss => Value::SureLoss,
            Worth::Draw => Value::Draw,
            Worth::Loss(actions) => Value::Loss(actions),
            Worth::Estimate(score) => Value::Estimate(score),
        }
    }
}

impl From<Thought<String>> for Found {
    fn from(thought: Thought<String>) -> Found {
        Found {
            action: thought.action,
            worth: thought.value.into(),
            line: thought.line,
            scored: thought.scored.into_iter().map(|scored| (scored.action, scored.value.into())).collect(),
            nodes: thought.nodes,
        }
    }
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
        let worths = [Worth::Win(3), Worth::Draw, Worth::Loss(2), Worth::Estimate(0.123_456_79)];
        let scored: Vec<_> = worths.into_iter().enumerate().map(|(n, worth)| (format!("a{n}"), worth)).collect();
        for (line, scored) in [(vec![], vec![]), (vec!["a1".to_owned(), "!".to_owned()], scored)] {
            let found = Found { action: "a1".to_owned(), worth: Worth::Estimate(0.5), line, scored, nodes: 1 << 40 };
            let answer = Answer { id: 1, found: Some(found) };
            assert_eq!(Answer::read(&answer.write()), Some(answer));
        }
        assert_eq!(Answer::read("3"), Some(Answer { id: 3, found: None }));
        for nonsense in ["", "ready", "3\na1", "3\na1\tx1\t0\n", "3\na1\tw1\t0\n\nb"] {
            assert_eq!(Answer::read(nonsense), None, "{nonsense:?}");
        }
    }
}
