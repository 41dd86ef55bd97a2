//! A table that was asked for once is there once, however often the request was sent.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::Value;

use crate::check::Log;
use crate::witness::Notes;

/// No game whose players do nothing is over sooner: the shortest clock.
pub(crate) const SHORTEST_GAME: Duration = Duration::from_secs(60);

/// A request for a table that was sent again before any clock could have run out. It leads to another table only if a player
/// has given up the first game meanwhile.
#[derive(Clone, Debug)]
pub(crate) struct Repeated {
    pub(crate) person: String,
    /// Since when it stands for one table.
    pub(crate) since: Duration,
    /// When it was sent again.
    pub(crate) at: Duration,
}

impl Repeated {
    /// Those of a person's tables that it can have led to once the game of an earlier one was over.
    fn later_tables<'a>(&self, tables: &[&'a Log<'a>]) -> impl Iterator<Item = &'a str> {
        let over = tables.iter().filter(|log| log.made_at() >= self.since).filter_map(|log| log.ended_at()).min();
        let from = over.map(|over| over.max(self.at));
        let is_later = |log: &&&Log| from.is_some_and(|from| (from..=self.at + SHORTEST_GAME).contains(&log.made_at()));
        tables.iter().filter(is_later).map(|log| log.table).collect::<Vec<_>>().into_iter()
    }
}

/// Adds the people who have more tables than they asked for.
pub(crate) fn check(notes: &Notes, logs: &BTreeMap<&str, Log>, problems: &mut Vec<String>) {
    let mut made: BTreeMap<&str, Vec<&Log>> = BTreeMap::new();
    for log in logs.values().filter(|log| log.spec.get("previous").is_none_or(Value::is_null)) {
        made.entry(log.maker).or_default().push(log);
    }
    for (person, tables) in made {
        let wanted = notes.wanted.get(person).copied().unwrap_or(0);
        let again = notes.repeated.iter().filter(|repeated| repeated.person == person);
        let later: BTreeSet<&str> = again.flat_map(|repeated| repeated.later_tables(&tables)).collect();
        let (wanted, made) = (wanted + later.len(), tables.len());
        if made > wanted {
            problems.push(format!("{person} asked for {wanted} tables, and {made} were made"));
        }
    }
}

#[cfg(test)]
mod tests {
    use server::simulation::StoredLog;

    use super::*;
    use crate::witness::Witness;

    const SECOND: Duration = Duration::from_secs(1);

    /// What is wrong with two tables of one request that was sent at 0 s and again at 30 s. They were made and over when it
    /// is said, in seconds.
    fn problems_of(tables: [(u32, Option<u32>); 2]) -> Vec<String> {
        let witness = Witness::default();
        let (person, at) = ("ann".to_owned(), 30 * SECOND);
        witness.notes().wanted.insert(person.clone(), 1);
        witness.notes().repeated.push(Repeated { person, since: Duration::ZERO, at });
        let line = |at: u32, what: &str| (at * SECOND, format!(r#"{{"at":0,"what":{{"{what}":{{}}}}}}"#));
        let logs: Vec<StoredLog> = ["first", "second"]
            .into_iter()
            .zip(tables)
            .map(|(table, (made, over))| StoredLog {
                table: table.to_owned(),
                spec: r#"{"access":"open","clock":"turn=60"}"#.to_owned(),
                maker: "ann".to_owned(),
                lines: [line(made, "sat")].into_iter().chain(over.map(|at| line(at, "ended"))).collect(),
            })
            .collect();
        let mut problems = Vec::new();
        check(&witness.notes(), &logs.iter().map(|log| (&*log.table, Log::read(log))).collect(), &mut problems);
        problems
    }

    #[test]
    fn a_request_that_is_repeated_after_its_game_was_given_up_makes_one_more_table() {
        assert_eq!(problems_of([(1, Some(20)), (31, None)]), [""; 0]);
        assert_eq!(problems_of([(1, Some(32)), (33, None)]), [""; 0]);
    }

    #[test]
    fn tables_of_one_request_whose_games_go_on_at_once_are_noticed() {
        let problem = ["ann asked for 1 tables, and 2 were made"];
        assert_eq!(problems_of([(1, None), (31, None)]), problem);
        assert_eq!(problems_of([(1, Some(32)), (31, None)]), problem, "the first was not over yet");
        assert_eq!(problems_of([(1, Some(5)), (20, None)]), problem, "it was not repeated yet");
    }
}
