//! What docs/record.md shows is what the program does.

// What cannot be unwrapped here is a failed test.
#![allow(clippy::unwrap_used)]

use game::Record;

const PAGE: &str = include_str!("../../../docs/record.md");

/// The texts of the page's code blocks of one kind.
fn blocks(kind: &str) -> Vec<&'static str> {
    let begin = format!("```{kind}\n");
    PAGE.split(begin.as_str()).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn every_record_on_the_page_is_read_and_written_as_it_stands_there() {
    let examples = blocks("fourfold");
    assert_eq!(examples.len(), 3);
    for example in &examples {
        let records = Record::read_all(example).unwrap_or_else(|error| panic!("{error}\n{example}"));
        assert_eq!(Record::write_all(&records), *example);
    }
    assert_eq!(Record::read_all(&examples.join("\n")).unwrap().len(), 3);
}

#[test]
fn every_error_on_the_page_gets_the_message_beside_it() {
    let (examples, messages) = (blocks("error"), blocks("message"));
    assert_eq!((examples.len(), messages.len()), (1, 1));
    for (example, message) in examples.iter().zip(messages) {
        assert_eq!(Record::read_all(example).unwrap_err().to_string(), message.trim_end());
    }
}

#[test]
fn the_limits_on_the_page_are_the_real_ones() {
    assert_eq!((Record::LONGEST_TEXT, Record::MOST_ENTRIES, game::Comment::LONGEST), (16 << 20, 100_000, 10_000));
}
