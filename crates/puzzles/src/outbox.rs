//! What waits to be sent to a server: attempts and storms of a person, kept as text until the server has answered.

use std::collections::VecDeque;
use std::fmt;

use rules::GameId;

use crate::{Attempt, Day, PuzzleId};

/// More than a person solves in a month without a network; beyond that the oldest are dropped.
const MOST: usize = 300;

/// A request that hands something in. Sent twice, it counts once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sending {
    /// The path of the API, without a slash before it.
    pub path: String,
    /// The body, as JSON.
    pub body: String,
}

impl Sending {
    /// An attempt whose result is known. `id` is different for every attempt; `day` is named if it is the day's puzzle.
    pub fn attempt(id: &str, attempt: &Attempt, seconds: u32, day: Option<Day>) -> Sending {
        let moves = json_list(attempt.moves());
        let day = day.map(|day| format!(r#","day":"{day}""#)).unwrap_or_default();
        let helped = attempt.hints() > 0 || attempt.score() != Some(1.0);
        Sending {
            path: format!("api/puzzles/{}/attempts", attempt.puzzle().id()),
            body: format!(r#"{{"id":"{id}","moves":{moves},"helped":{helped},"seconds":{seconds}{day}}}"#),
        }
    }

    /// A storm, with the puzzles that were solved in it and the solver's actions.
    pub fn storm(game: GameId, solved: &[(PuzzleId, Vec<String>)]) -> Sending {
        let puzzle =
            |(id, moves): &(PuzzleId, Vec<String>)| format!(r#"{{"puzzle":"{id}","moves":{}}}"#, json_list(moves));
        let solved: Vec<String> = solved.iter().map(puzzle).collect();
        Sending {
            path: "api/puzzles/storms".to_owned(),
            body: format!(r#"{{"game":"{game}","solved":[{}]}}"#, solved.join(",")),
        }
    }
}

/// Texts of actions hold nothing that JSON writes in another way.
fn json_list(actions: &[String]) -> String {
    let quoted: Vec<String> = actions.iter().map(|action| format!("{action:?}")).collect();
    format!("[{}]", quoted.join(","))
}

/// Requests in the order in which they are to be sent, each for the person who solved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outbox(VecDeque<(String, Sending)>);

impl Outbox {
    /// Reads what [`fmt::Display`] writes; lines that cannot be read are left out.
    pub fn read(text: &str) -> Outbox {
        let entry = |line: &str| {
            let mut fields = line.split('\t').map(str::to_owned);
            let (person, path, body) = (fields.next()?, fields.next()?, fields.next()?);
            let whole = !person.is_empty() && path.starts_with("api/puzzles/") && fields.next().is_none();
            whole.then_some((person, Sending { path, body }))
        };
        Outbox(text.lines().filter_map(entry).take(MOST).collect())
    }

    /// Puts a request of a person at the end.
    pub fn push(&mut self, person: &str, sending: Sending) {
        self.0.push_back((person.to_owned(), sending));
        while self.0.len() > MOST {
            self.0.pop_front();
        }
    }

    /// How many requests of a person wait.
    pub fn waiting(&self, person: &str) -> usize {
        self.0.iter().filter(|(of, _)| of == person).count()
    }

    /// The next request of a person.
    pub fn next(&self, person: &str) -> Option<&Sending> {
        self.0.iter().find(|(of, _)| of == person).map(|(_, sending)| sending)
    }

    /// Forgets a request that the server has answered.
    pub fn done(&mut self, sending: &Sending) {
        self.0.retain(|(_, other)| other != sending);
    }
}

impl fmt::Display for Outbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(person, Sending { path, body })| writeln!(f, "{person}\t{path}\t{body}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, Set};

    fn attempt() -> Attempt {
        let set = Set::read(include_str!("../data/quixo-sample.puzzles"));
        Attempt::new(set.puzzles[0].clone()).unwrap()
    }

    #[test]
    fn an_attempt_is_told_up_to_its_first_mistake() {
        let mut attempt = attempt();
        let right = attempt.puzzle().steps[0].played.clone();
        let wrong = attempt.values().last().map(|(action, _)| (*action).to_owned()).unwrap();
        assert!(matches!(attempt.answer(&wrong), Answer::Wrong { .. }));
        assert!(matches!(attempt.answer(&right), Answer::Right { .. }));
        let sending = Sending::attempt("7", &attempt, 12, Some("2026-11-17".parse().unwrap()));
        assert_eq!(sending.path, format!("api/puzzles/{}/attempts", attempt.puzzle().id()));
        let expected = format!(r#"{{"id":"7","moves":["{wrong}"],"helped":true,"seconds":12,"day":"2026-11-17"}}"#);
        assert_eq!(sending.body, expected);
    }

    #[test]
    fn requests_wait_for_their_person_in_order_and_read_back() {
        let (first, storm) = (Sending::attempt("1", &attempt(), 1, None), Sending::storm(GameId::Quixo, &[]));
        let mut outbox = Outbox::default();
        outbox.push("olena", first.clone());
        outbox.push("guest", storm.clone());
        outbox.push("olena", storm.clone());
        let read = Outbox::read(&(outbox.to_string() + "nonsense\nolena\t/etc\t{}\n"));
        assert_eq!(read, outbox);
        assert_eq!((read.waiting("olena"), read.next("olena")), (2, Some(&first)));
        outbox.done(&first);
        assert_eq!((outbox.waiting("olena"), outbox.next("olena"), outbox.next("nobody")), (1, Some(&storm), None));
        for _ in 0..2 * MOST {
            outbox.push("olena", first.clone());
        }
        assert_eq!(outbox.waiting("olena"), MOST);
    }
}
