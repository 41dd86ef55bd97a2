//! A table without sockets and storage, for fuzzing: whatever is asked of it, it stays sound.

use std::time::Duration;

use protocol::{Ask, Person, Wish};
use rules::{Seat, Viewer};

use crate::tables::{Line, Moment, Table};

/// Asks a table one line after another: a digit for the person, then the message as it would come over a socket. The
/// first line is the wish for the table.
///
/// # Panics
/// If the table breaks a promise: that a refused ask changes nothing anybody is told, and that its log replays.
pub fn rehearse(text: &str) {
    let mut lines = text.lines();
    let wish = lines.next().and_then(|line| protocol::read::<Wish>(line).ok());
    let Some(Ok(mut table)) = wish.map(|wish| Table::new("aaaaaaaaaaaa".to_owned(), wish, "p0".to_owned())) else {
        return;
    };
    let mut numbers = 1_u32;
    for (step, line) in lines.take(64).enumerate() {
        let mut letters = line.chars();
        let Some(number) = letters.next().and_then(|digit| digit.to_digit(10)) else { continue };
        let Ok(ask) = protocol::read::<Ask>(letters.as_str()) else { continue };
        let person = Person { id: format!("p{number}"), name: format!("P{number}"), kind: "guest".to_owned() };
        let mut random = |bound: u32| {
            numbers = numbers.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (numbers >> 8).checked_rem(bound).unwrap_or(0)
        };
        let away = |_: &str| Duration::from_secs(u64::from(number));
        let now = Duration::from_secs(step as u64);
        let grace = Duration::from_secs(3);
        let mut moment = Moment { lag: grace, grace, ..Moment::new(now, 0, &mut random, &away) };
        let mut events = table.tick(&mut moment);
        let before = told(&table);
        match table.decide(&person, &ask.what, &mut moment) {
            Ok(more) => events.extend(more),
            Err(_) => assert_eq!(before, told(&table), "a refused ask changes nothing"),
        }
        for what in events {
            table.keep(Line { at: 0, by: Some(person.id.clone()), ask: Some(ask.id.clone()), forgiven: 0, what });
        }
    }
    let fresh = Table::new(table.id.clone(), table.wish.clone(), table.maker.clone()).ok();
    let copy = fresh.map(|fresh| fresh.replay(table.lines().cloned().collect()));
    match copy {
        Some(Ok(copy)) => assert_eq!(told(&copy), told(&table), "the log replays to the same table"),
        other => panic!("the log does not replay: {:?}", other.map(|copy| copy.err())),
    }
}

/// Everything that everybody is told.
fn told(table: &Table) -> Vec<String> {
    let viewers = Seat::all(4).map(Viewer::Seat).chain([Viewer::Spectator]);
    let tells = viewers.flat_map(|viewer| table.events_since(0, viewer));
    let log = table.play().map(|play| play.record().entries().len().to_string());
    tells.map(|tell| protocol::write(&tell)).chain(log).collect()
}
