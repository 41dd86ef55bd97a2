//! Whether what stands in the database is what was promised: for tests that break things on purpose.
//!
//! It trusts nothing that a running server keeps in memory: logs are read from the database, replayed by the rules,
//! and compared with what clients were acknowledged.

use std::collections::HashMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::store::{Place, Store, StoreError};
use crate::tables::{Event, LogEntry, Table, TableSpec, read_entry};

/// An action that a server has acknowledged, so that the log must hold it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Promise {
    /// The id of the table.
    pub table: String,
    /// The id of the person whose request it was.
    pub person: String,
    /// The id of the request.
    pub request: String,
    /// The text of the action.
    pub action: String,
    /// The place of the action in the match's log.
    pub at: u32,
}

/// The result for one table; `fourfold audit --json` prints these.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableAudit {
    /// The id of the table.
    pub table: String,
    /// How many entries its log has.
    pub entries: usize,
    /// Whether the game has ended.
    pub ended: bool,
    /// When a seat lost on time, in milliseconds since 1970.
    pub lost_on_time: Option<i64>,
    /// Every way in which the log breaks the rules, its own order or a promise.
    pub problems: Vec<String>,
}

/// A table's log as it stands in the database.
#[derive(Clone, Debug)]
struct Logged {
    /// The table's name.
    table: String,
    spec: String,
    maker: String,
    /// Each line with its number.
    lines: Vec<(i64, String)>,
}

/// What time stamps may differ by without a player having been charged wrongly: a bank for slow networks is given back,
/// never taken, so it is only rounding and a line that was written a moment after its time was read.
const ROUNDING: i64 = 250;

/// Reads the logs of all tables, replays them by the rules, and compares them with what was acknowledged.
pub async fn audit(place: &Place, promises: &[Promise]) -> Result<Vec<TableAudit>, StoreError> {
    let mut by_table: HashMap<&str, Vec<&Promise>> = HashMap::new();
    promises.iter().for_each(|promise| by_table.entry(&promise.table).or_default().push(promise));
    let logs = logs(place).await?;
    let mut audits: Vec<TableAudit> = logs
        .iter()
        .map(|logged| audit_log(logged, &by_table.remove(logged.table.as_str()).unwrap_or_default()))
        .collect();
    audits.extend(by_table.into_keys().map(|table| TableAudit {
        table: table.to_owned(),
        entries: 0,
        ended: false,
        lost_on_time: None,
        problems: vec![format!("table {table}: it is not in the database")],
    }));
    Ok(audits)
}

/// Reads the logs of all tables.
async fn logs(place: &Place) -> Result<Vec<Logged>, StoreError> {
    let store = Store::open_shared(place).await?;
    let tables = store.everything().await?;
    store.close().await;
    let logged = |(row, lines): (crate::store::TableRow, Vec<(i64, String)>)| Logged {
        table: row.id,
        spec: row.spec,
        maker: row.maker,
        lines,
    };
    Ok(tables.into_iter().map(logged).collect())
}

/// What is wrong with a log, alone and beside what was promised about it.
fn audit_log(logged: &Logged, promises: &[&Promise]) -> TableAudit {
    let mut wrong = Vec::new();
    let numbers = logged.lines.iter().map(|(number, _)| *number);
    if !numbers.eq(1..=logged.lines.len() as i64) {
        wrong.push("its lines are not numbered one after another".to_owned());
    }
    let lines: Result<Vec<LogEntry>, _> = logged.lines.iter().map(|(_, text)| read_entry(text)).collect();
    let lines = match lines {
        Ok(lines) => lines,
        Err(problem) => {
            wrong.push(format!("a line cannot be read: {problem}"));
            Vec::new()
        }
    };
    wrong.extend(replay(logged, &lines));
    wrong.extend(asked_twice(logged, &lines));
    wrong.extend(times(&lines));
    wrong.extend(promises.iter().filter_map(|promise| kept(&lines, promise)));
    let flag = |line: &LogEntry| {
        matches!(&line.event, Event::Played { entry: game::Event::Out(_, game::Departure::TimeUp), .. })
    };
    TableAudit {
        table: logged.table.clone(),
        entries: logged.lines.len(),
        ended: lines.iter().any(|line| matches!(line.event, Event::Ended { .. })),
        lost_on_time: lines.iter().find(|line| flag(line)).map(|line| line.at),
        problems: wrong.into_iter().map(|what| format!("table {}: {what}", logged.table)).collect(),
    }
}

/// The log replays by the rules, and ends as the rules say.
fn replay(logged: &Logged, lines: &[LogEntry]) -> Option<String> {
    let spec = match TableSpec::read(&logged.spec) {
        Ok(spec) => spec,
        Err(problem) => return Some(format!("its settings cannot be read: {problem}")),
    };
    let fresh = Table::new(logged.table.clone(), spec, logged.maker.clone());
    match fresh.replay(lines.iter().cloned(), Duration::ZERO) {
        Err(problem) => Some(format!("it does not replay: {problem}")),
        Ok(table) => {
            let found = table.play().and_then(|play| play.ending());
            let found = found.map(|ending| (ending.outcome, ending.cause));
            (found.as_ref() != table.ending())
                .then(|| format!("it says it ended as {:?}, but the rules say {found:?}", table.ending()))
        }
    }
}

/// What one ask came to stands together, and only chance may follow an action: the rest was done twice.
fn asked_twice(logged: &Logged, lines: &[LogEntry]) -> Vec<String> {
    let game = TableSpec::read(&logged.spec).ok().map(|spec| spec.game);
    let is_chance = |entry: &game::Event| match (entry, &game) {
        (game::Event::Action(action), Some(game)) => game.is_chance(action),
        _ => false,
    };
    let mut last: HashMap<(&str, &str), usize> = HashMap::new();
    let mut wrong = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let (Some(by), Some(ask)) = (line.by.as_deref(), line.request.as_deref()) else { continue };
        let acted = |line: &LogEntry| matches!(&line.event, Event::Played { entry, .. } if !is_chance(entry));
        let twice = |before: usize| before + 1 != index || acted(line) && acted(&lines[before]);
        if last.insert((by, ask), index).is_some_and(twice) {
            wrong.push(format!("ask {ask:?} of {by} was done twice"));
        }
    }
    wrong
}

/// Time does not run backwards, and no player is charged more than passed since the entry before.
fn times(lines: &[LogEntry]) -> Vec<String> {
    let mut wrong = Vec::new();
    if lines.windows(2).any(|pair| pair[1].at < pair[0].at) {
        wrong.push("time runs backwards in it".to_owned());
    }
    let mut before = None;
    for line in lines {
        match &line.event {
            Event::Began => before = Some(line.at),
            Event::Played { entry, spent, .. } => {
                let passed = before.map_or(0, |before| line.at - before);
                let charged = i64::from(spent.unwrap_or(0));
                if charged > passed + ROUNDING {
                    wrong.push(format!("{entry} was charged {charged} ms, but {passed} ms had passed"));
                }
                before = Some(line.at);
            }
            Event::TookBack { .. } => before = Some(line.at),
            _ => {}
        }
    }
    wrong
}

/// What was promised stands in the log, where it was promised.
fn kept(lines: &[LogEntry], promise: &Promise) -> Option<String> {
    let Promise { person, request, action, at, .. } = promise;
    let entry = |line: &LogEntry| match &line.event {
        Event::Played { entry, .. } => Some((entry.to_string(), line.by.clone(), line.request.clone())),
        _ => None,
    };
    let found = lines.iter().filter_map(entry).nth(*at as usize);
    let wanted = Some((action.clone(), Some(person.clone()), Some(request.clone())));
    (found != wanted).then(|| format!("{action} was acknowledged at {at}, but there is {found:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(at: i64, by: &str, ask: &str, what: &str) -> String {
        format!(r#"{{"at":{at},"by":"{by}","ask":"{ask}","what":{what}}}"#)
    }

    fn sat(seat: u8, who: &str) -> String {
        format!(r#"{{"sat":{{"seat":{seat},"who":{{"person":{{"id":"{who}","name":"","kind":"guest"}}}}}}}}"#)
    }

    fn did(entry: &str, spent: u32) -> String {
        format!(r#"{{"did":{{"entry":"{entry}","spent":{spent}}}}}"#)
    }

    fn sound() -> (Logged, Vec<Promise>) {
        let lines = [
            line(1000, "ann", "s", &sat(1, "ann")),
            line(2000, "bob", "s", &sat(2, "bob")),
            line(2000, "bob", "s", r#""began""#),
            line(3000, "ann", "a1", &did("a3e3", 1000)),
            line(5000, "bob", "b1", &did("a2e2", 2000)),
            line(5500, "ann", "a2", &did("a1e1", 500)),
            line(9000, "bob", "b2", &did("a4e4", 3500)),
        ];
        let promise = |person: &str, request: &str, action: &str, at| Promise {
            table: "t".to_owned(),
            person: person.to_owned(),
            request: request.to_owned(),
            action: action.to_owned(),
            at,
        };
        let promises = vec![
            promise("ann", "a1", "a3e3", 0),
            promise("bob", "b1", "a2e2", 1),
            promise("ann", "a2", "a1e1", 2),
            promise("bob", "b2", "a4e4", 3),
        ];
        let spec = r#"{"game":"quixo","clock":"fischer=60+0","seat":1}"#.to_owned();
        let lines = (1..).zip(lines).collect();
        (Logged { table: "t".to_owned(), spec, maker: "ann".to_owned(), lines }, promises)
    }

    fn renumbered(mut logged: Logged) -> Logged {
        (1..).zip(&mut logged.lines).for_each(|(number, line)| line.0 = number);
        logged
    }

    fn check(damage: impl FnOnce(&mut Logged)) -> Vec<String> {
        let (mut logged, promises) = sound();
        damage(&mut logged);
        audit_log(&renumbered(logged), &promises.iter().collect::<Vec<_>>()).problems
    }

    /// A test of the test: each kind of damage is found, though the lines are numbered anew to hide it.
    #[test]
    fn each_kind_of_damage_is_found() {
        assert_eq!(check(|_| {}), Vec::<String>::new());
        let found =
            |wrong: Vec<String>, word: &str| assert!(wrong.iter().any(|w| w.contains(word)), "{word}: {wrong:?}");
        found(check(|logged| drop(logged.lines.remove(4))), "was acknowledged");
        found(check(|logged| drop(logged.lines.pop())), "was acknowledged");
        found(check(|logged| logged.lines.push(logged.lines[6].clone())), "done twice");
        found(check(|logged| logged.lines.insert(5, logged.lines[3].clone())), "done twice");
        found(check(|logged| logged.lines.swap(3, 5)), "was acknowledged");
        found(check(|logged| logged.lines.swap(3, 5)), "backwards");
        let double = |logged: &mut Logged| logged.lines[4].1 = logged.lines[4].1.replace("2000}}", "4000}}");
        found(check(double), "charged 4000 ms, but 2000 ms");
    }

    #[test]
    fn a_missing_number_is_found() {
        let (mut logged, _) = sound();
        logged.lines.remove(5);
        assert!(audit_log(&logged, &[]).problems[0].contains("not numbered"));
    }
}
