//! How log entries are stored: JSON, one entry to a row, apart from what clients are sent.
//!
//! Version 1 has no number of its own in the text. A later version writes its number as `v`; an entry with a number that
//! this program does not know was written by a newer one and is refused, never guessed at.

use serde::{Deserialize, Serialize, Serializer};

use super::{Event, LogEntry};

/// The version that is written.
const VERSION: u32 = 1;

/// An entry as it is stored.
pub(crate) fn write_entry(entry: &LogEntry) -> String {
    // Only maps with keys that are no texts could fail, and there are none.
    serde_json::to_string(entry).unwrap_or_default()
}

/// Reads a stored entry.
pub(crate) fn read_entry(text: &str) -> Result<LogEntry, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

impl Serialize for LogEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Stored<'a> {
            at: i64,
            #[serde(skip_serializing_if = "Option::is_none")]
            by: Option<&'a str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            ask: Option<&'a str>,
            #[serde(skip_serializing_if = "is_zero")]
            forgiven: u32,
            what: &'a Event,
        }
        let forgiven = if let Event::Played { forgiven, .. } = self.event { forgiven } else { 0 };
        let (by, ask) = (self.by.as_deref(), self.request.as_deref());
        Stored { at: self.at, by, ask, forgiven, what: &self.event }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for LogEntry {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<LogEntry, D::Error> {
        #[derive(Deserialize)]
        struct Stored {
            #[serde(default = "first")]
            v: u32,
            at: i64,
            #[serde(default)]
            by: Option<String>,
            #[serde(default)]
            ask: Option<String>,
            #[serde(default)]
            forgiven: u32,
            what: Event,
        }
        let mut stored = Stored::deserialize(deserializer)?;
        if stored.v > VERSION {
            let problem = format!("format {} is newer than this program, which knows {VERSION}", stored.v);
            return Err(serde::de::Error::custom(problem));
        }
        if let Event::Played { forgiven, .. } = &mut stored.what {
            *forgiven = stored.forgiven;
        }
        Ok(LogEntry { at: stored.at, by: stored.by, request: stored.ask, event: stored.what })
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

fn first() -> u32 {
    1
}

/// A seat as its number from 1.
pub(super) mod seat {
    use rules::Seat;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(seat: &Seat, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(seat.number())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Seat, D::Error> {
        let number = u8::deserialize(deserializer)?;
        super::super::spec::numbered(number).ok_or_else(|| serde::de::Error::custom(format!("no seat {number}")))
    }
}

/// A seat as its number from 1, and 0 for none.
pub(super) mod optional_seat {
    use rules::Seat;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(seat: &Option<Seat>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(seat.map_or(0, Seat::number))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Seat>, D::Error> {
        Ok(super::super::spec::numbered(u8::deserialize(deserializer)?))
    }
}

/// An entry of a match's log as its text.
pub(super) mod match_event {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(event: &game::Event, serializer: S) -> Result<S::Ok, S::Error> {
        match event {
            game::Event::Action(action) => serializer.serialize_str(action),
            other => serializer.collect_str(other),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<game::Event, D::Error> {
        Ok(String::deserialize(deserializer)?.as_str().into())
    }
}

/// A result as a record writes it.
pub(super) mod outcome {
    use rules::Outcome;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(result: &Option<Outcome>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&game::result_word(*result))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Outcome>, D::Error> {
        game::result_from_word(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// The cause of an ending as a record writes it.
pub(super) mod cause {
    use game::Cause;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(cause: &Cause, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(cause)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Cause, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What databases of version 1 hold, byte by byte: a change of a type must not change it.
    #[test]
    fn version_1_reads_and_writes_byte_for_byte() {
        for text in [
            r#"{"at":7,"by":"ann","ask":"k1","what":{"sat":{"seat":1,"who":{"person":{"id":"ann","name":"Ann","kind":"account"}},"rating":1500}}}"#,
            r#"{"at":7,"by":"ann","what":{"sat":{"seat":2,"who":{"bot":3}}}}"#,
            r#"{"at":7,"what":{"stood":{"seat":2}}}"#,
            r#"{"at":7,"what":"began"}"#,
            r#"{"at":7,"by":"ann","ask":"k","forgiven":20,"what":{"did":{"entry":"a3e3","spent":40}}}"#,
            r#"{"at":7,"what":{"did":{"entry":"time:2"}}}"#,
            r#"{"at":7,"what":{"took_back":{"to":3}}}"#,
            r#"{"at":7,"what":{"proposed":{"what":"takeback","seat":1}}}"#,
            r#"{"at":7,"what":{"declined":{"what":"draw","seat":4}}}"#,
            r#"{"at":7,"what":{"claimed":{"seat":1,"away":2,"what":"win"}}}"#,
            r#"{"at":7,"what":{"said":{"seat":0,"name":"Zoe","what":{"phrase":"hello"}}}}"#,
            r#"{"at":7,"what":{"ended":{"result":"p1win","cause":"time"}}}"#,
            r#"{"at":7,"what":{"again":{"table":"abc"}}}"#,
        ] {
            assert_eq!(write_entry(&read_entry(text).unwrap()), text);
        }
    }

    #[test]
    fn a_newer_format_is_refused() {
        let problem = read_entry(r#"{"v":2,"at":7,"what":"began"}"#).unwrap_err();
        assert!(problem.contains("format 2 is newer"), "{problem}");
    }
}
