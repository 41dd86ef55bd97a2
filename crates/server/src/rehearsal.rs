//! A table without sockets and storage, for fuzzing: whatever is asked of it, it stays sound.

use std::time::Duration;

use rules::{Seat, Viewer};

use crate::tables::{Command, DecisionContext, LogEntry, Person, Request, Table, TableSpec};

/// Sends requests to a table, one line after another: a digit for the person, then the message as it would come over a
/// socket. The first line is the settings of the table.
///
/// # Panics
/// If the table breaks a promise: that what was decided can be applied, and that its log replays.
pub fn rehearse(text: &str) {
    let mut lines = text.lines();
    let spec = lines.next().and_then(|line| protocol::read::<protocol::TableSpec>(line).ok());
    let Some(Ok(spec)) = spec.map(TableSpec::try_from) else { return };
    let mut table = Table::new("aaaaaaaaaaaa".to_owned(), spec, "p0".to_owned());
    let mut numbers = 1_u32;
    for (step, line) in lines.take(64).enumerate() {
        let mut letters = line.chars();
        let Some(number) = letters.next().and_then(|digit| digit.to_digit(10)) else { continue };
        let Ok(message) = protocol::read::<protocol::Request>(letters.as_str()) else { continue };
        let Some(request) = Request::from_wire(&message.command) else { continue };
        let person = Person { id: format!("p{number}"), name: format!("P{number}"), ..Person::default() };
        let mut random = |bound: u32| {
            numbers = numbers.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (numbers >> 8).checked_rem(bound).unwrap_or(0)
        };
        let absence = |_: &str| Duration::from_secs(u64::from(number));
        let now = Duration::from_secs(step as u64);
        let grace = Duration::from_secs(3);
        let context = DecisionContext::new(now, 0, &mut random, &absence);
        let mut context = DecisionContext { lag: grace, grace, ..context };
        for command in [Command::Tick, Command::Request(&person, &request)] {
            let Ok(decision) = table.decide(command, &mut context) else { continue };
            for event in decision.events {
                let (by, request) = (Some(person.id.clone()), Some(message.id.clone()));
                let applied = table.apply(LogEntry { at: 0, by, request, event }, now);
                assert_eq!(applied, Ok(()), "what was decided can be applied");
            }
            assert_eq!(table.flag_falls_at(now), decision.flag_falls_at, "the clock is where the decision said");
        }
    }
    let fresh = Table::new(table.id.clone(), table.spec.clone(), table.maker.clone());
    match fresh.replay(table.entries().cloned(), Duration::ZERO) {
        Ok(copy) => assert_eq!(sent(&copy), sent(&table), "the log replays to the same table"),
        Err(problem) => panic!("the log does not replay: {problem}"),
    }
}

/// Everything that any viewer is sent.
fn sent(table: &Table) -> Vec<String> {
    let viewers = Seat::all(4).map(Viewer::Seat).chain([Viewer::Spectator]);
    let messages = viewers.flat_map(|viewer| table.events_since(0, viewer, usize::MAX));
    let log = table.play().map(|play| play.record().entries().len().to_string());
    messages.map(|message| protocol::write(&message)).chain(log).collect()
}
