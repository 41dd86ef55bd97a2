//! docs/protocol.md is what a client author reads: every example in it is a message, and every message is in it.
#![allow(clippy::unwrap_used)] // the allowance for tests does not reach helper functions

use std::collections::BTreeSet;

use protocol::{
    Access, ChatLine, Claim, Command, EndCause, Event, Offer, PersonKind, Phrase, Refusal, Request, ServerMessage,
    TableState,
};
use serde_json::Value;

const DOCUMENT: &str = include_str!("../../../docs/protocol.md");

/// The lines of all JSON examples.
fn examples() -> Vec<&'static str> {
    let blocks = DOCUMENT.split("```json\n").skip(1);
    blocks.flat_map(|rest| rest.split("```").next().unwrap().lines()).collect()
}

#[test]
fn every_example_reads_back_as_it_is_written() {
    for example in examples() {
        let written = match example {
            request if request.contains("\"command\"") => protocol::write(&protocol::read::<Request>(request).unwrap()),
            message if message.contains("\"type\"") => {
                protocol::write(&protocol::read::<ServerMessage>(message).unwrap())
            }
            refusal => protocol::write(&protocol::read::<Refusal>(refusal).unwrap()),
        };
        let (mut expected, written): (Value, Value) =
            (serde_json::from_str(example).unwrap(), serde_json::from_str(&written).unwrap());
        // An answer over HTTP has a sentence beside the refusal.
        expected.as_object_mut().unwrap().remove("text");
        let missing = |(key, value): (&String, &Value)| written.get(key) != Some(value);
        let lost: Vec<_> = expected.as_object().unwrap().iter().filter(|pair| missing(*pair)).collect();
        // A command may leave out what has a default; everything else must be there.
        let defaults = lost.iter().all(|(key, value)| {
            *key == "command"
                && value.as_object().unwrap().iter().all(|(key, value)| written["command"].get(key) == Some(value))
        });
        assert!(defaults, "{example}\nis written as\n{written}");
    }
}

fn words(words: &[&str]) -> BTreeSet<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn documented(tag: impl Fn(&Value) -> Option<&str>) -> BTreeSet<String> {
    let values = examples().into_iter().map(|example| serde_json::from_str::<Value>(example).unwrap());
    values.filter_map(|value| tag(&value).map(str::to_owned)).collect()
}

#[test]
fn every_command_message_and_event_has_an_example() {
    let commands = documented(|it| it["command"]["type"].as_str());
    assert_eq!(commands, words(Command::WORDS));
    let messages = documented(|it| it["type"].as_str());
    assert_eq!(messages, words(ServerMessage::WORDS));
    let events = documented(|it| it["event"]["type"].as_str());
    assert_eq!(events, words(Event::WORDS));
}

#[test]
fn every_refusal_and_every_word_is_explained() {
    let listed: BTreeSet<String> = DOCUMENT
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once("` | "))
        .filter(|(_, rest)| rest.starts_with(|letter: char| letter.is_ascii_digit()))
        .map(|(code, _)| code.to_owned())
        .collect();
    assert_eq!(listed, words(Refusal::WORDS));
    let words = Offer::ALL.iter().map(|it| it.word());
    let words = words.chain(Claim::ALL.iter().map(|it| it.word())).chain(Phrase::ALL.iter().map(|it| it.word()));
    let words = words.chain(Access::ALL.iter().map(|it| it.word())).chain(TableState::ALL.iter().map(|it| it.word()));
    let words = words.chain(PersonKind::ALL.iter().map(|it| it.word())).chain(EndCause::ALL.iter().map(|it| it.word()));
    for word in words {
        let is_there = DOCUMENT.contains(&format!("`{word}`")) || DOCUMENT.contains(&format!("\"{word}\""));
        assert!(is_there, "{word} is not in docs/protocol.md");
    }
}

/// Programs use serde, the browser the compact form of the same declarations.
#[test]
fn both_forms_read_and_write_the_same() {
    for example in examples() {
        if example.contains("\"command\"") {
            let request: Request = protocol::read(example).unwrap();
            assert_eq!(protocol::write_compact(&request), protocol::write(&request));
        } else if example.contains("\"type\"") {
            let message: ServerMessage = protocol::read(example).unwrap();
            assert_eq!(protocol::read_compact(example), Some(message), "{example}");
        } else {
            let refusal: Refusal = protocol::read(example).unwrap();
            assert_eq!(protocol::read_compact(example), Some(refusal));
        }
    }
    let awkward = Command::Say { line: ChatLine::Text { text: "\"\\\n\u{1}ї😀".into() } };
    let awkward = Request { id: "k\"1".into(), command: awkward };
    assert_eq!(protocol::read::<Request>(&protocol::write_compact(&awkward)), Ok(awkward));
}

#[test]
fn messages_of_a_newer_server_are_survived() {
    // Both forms: programs with serde, and the browser.
    let read = |text: &str| {
        let message = protocol::read::<ServerMessage>(text).unwrap();
        assert_eq!(protocol::read_compact(text).as_ref(), Some(&message));
        message
    };
    assert_eq!(read(r#"{"type":"fireworks","colour":"red"}"#), ServerMessage::Unknown);
    let event = |event| ServerMessage::Event { seq: 7, at: 1, event };
    let unknown = r#"{"type":"event","seq":7,"at":1,"event":{"type":"applauded","seat":2}}"#;
    assert_eq!(read(unknown), event(Event::Unknown), "the event is counted");
    let changed = r#"{"type":"event","seq":7,"at":1,"event":{"type":"proposed","offer":"double","seat":2}}"#;
    assert_eq!(read(changed), event(Event::Unknown), "also if only a word in it is new");
    let more = r#"{"type":"event","seq":7,"at":1,"event":{"type":"began","by":2},"more":true}"#;
    assert_eq!(read(more), event(Event::Began), "a new field is ignored");
    let refused = r#"{"type":"refused","id":"k","reason":{"code":"raining","where":"here"}}"#;
    assert_eq!(read(refused), ServerMessage::Refused { id: Some("k".into()), reason: Refusal::Unknown });
}

#[test]
fn requests_are_read_strictly() {
    let read = |text: &str| protocol::read::<Request>(text);
    assert!(read(r#"{"id":"k","command":{"type":"dance"}}"#).is_err());
    assert!(read(r#"{"id":"k","command":{"type":"sit","saet":2}}"#).is_err());
    assert!(read(r#"{"id":"k","command":{"type":"resign","seat":2}}"#).is_err());
    assert!(read(r#"{"id":"k","command":{"type":"sit","seat":0}}"#).is_err());
    assert!(read(r#"{"id":"k","command":{"type":"create","game":"four","gmae":1}}"#).is_err());
}
