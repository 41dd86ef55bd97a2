//! What became of the mutants.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::mutant::{Mutant, lasting_name};
use crate::{Failure, Part};

/// Mutants that the tests miss for a reason: two lines each, divided by empty ones.
const REASONS: &str = "xtask/mutants.txt";
/// So many of a hundred mutants that compile must be caught.
const LEAST: usize = 95;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fate {
    Caught,
    /// It ran on and on, which is noticed too.
    TimedOut,
    Missed,
    Unviable,
    /// It needs a compilation of its own, and none was wished for.
    Untried,
}

impl Fate {
    const ALL: [Fate; 5] = [Fate::Caught, Fate::TimedOut, Fate::Missed, Fate::Unviable, Fate::Untried];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Fate::Caught => "caught",
            Fate::TimedOut => "timed out",
            Fate::Missed => "missed",
            Fate::Unviable => "does not compile",
            Fate::Untried => "not tried",
        }
    }
}

pub(crate) struct Tried {
    pub(crate) name: String,
    pub(crate) fate: Fate,
    /// The first of the tests that noticed together.
    pub(crate) by: String,
}

/// A name for each mutant that lasts while its file is edited elsewhere: several may have the same but for the number.
pub(crate) fn keys(mutants: &[Mutant]) -> HashMap<u32, String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut key = |mutant: &Mutant| {
        let name = mutant.lasting_name();
        let number = seen.entry(name.clone()).or_default();
        *number += 1;
        format!("{name} #{number}")
    };
    mutants.iter().map(|mutant| (mutant.id, key(mutant))).collect()
}

/// Keeps the results for the next time, beside what is known of mutants that were not asked about.
pub(crate) fn write(folder: &Path, results: &[Tried], mutants: &[Mutant]) -> Result<(), Failure> {
    let keys = keys(mutants);
    let known = read(folder).unwrap_or_default();
    let results: HashMap<&str, &Tried> = results.iter().map(|result| (result.name.as_str(), result)).collect();
    let mut text = String::new();
    for mutant in mutants {
        let key = &keys[&mutant.id];
        let (fate, by) = match (results.get(mutant.name.as_str()), known.get(key)) {
            (Some(result), _) => (result.fate, result.by.as_str()),
            (None, Some(fate)) => (*fate, "known"),
            (None, None) => continue,
        };
        text += &format!("{}\t{}\t{key}\t{by}\n", fate.word(), mutant.name);
    }
    Ok(fs::write(folder.join("results.txt"), text)?)
}

/// What was found last time, by key.
pub(crate) fn read(folder: &Path) -> Result<BTreeMap<String, Fate>, Failure> {
    let text = fs::read_to_string(folder.join("results.txt"))?;
    let result = |line: &str| {
        let mut parts = line.split('\t');
        let word = parts.next()?;
        let fate = Fate::ALL.into_iter().find(|fate| fate.word() == word)?;
        Some((parts.nth(1)?.to_owned(), fate))
    };
    Ok(text.lines().filter_map(result).collect())
}

/// Prints what was found; whether it is enough.
pub(crate) fn report(root: &Path, part: &Part, results: &[Tried], took: Duration) -> Result<bool, Failure> {
    let reasons = fs::read_to_string(root.join(REASONS))?;
    let count = |fate: Fate| results.iter().filter(|result| result.fate == fate).count();
    let missed = results.iter().filter(|result| result.fate == Fate::Missed);
    let (known, new): (Vec<&Tried>, Vec<&Tried>) = missed.partition(|result| has_reason(&reasons, &result.name));
    let noticed = count(Fate::Caught) + count(Fate::TimedOut);
    let viable = noticed + known.len() + new.len();
    let percent = (noticed * 1000).checked_div(viable).unwrap_or(1000);
    println!(
        "{}: {} mutants, {} do not compile, {} not tried; of {viable} {noticed} caught ({}.{} %, {} by their time), {} missed with a \
         reason, {} without; {} s",
        part.name,
        results.len(),
        count(Fate::Unviable),
        count(Fate::Untried),
        percent / 10,
        percent % 10,
        count(Fate::TimedOut),
        known.len(),
        new.len(),
        took.as_secs()
    );
    new.iter().for_each(|result| println!("   missed: {}", result.name));
    Ok(percent >= LEAST * 10)
}

/// Whether a list of reasons names a mutant. The place in the file does not count: it changes too often.
fn has_reason(reasons: &str, mutant: &str) -> bool {
    let name = lasting_name(mutant);
    reasons.lines().any(|line| line == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_holds_wherever_the_mutant_is_in_its_file() {
        let reasons = "# why\n\ncrates/a/src/b.rs: replace f -> u8 with 0\nit is only shown\n";
        assert!(has_reason(reasons, "crates/a/src/b.rs:12:5: replace f -> u8 with 0"));
        assert!(!has_reason(reasons, "crates/a/src/b.rs:12:5: replace f -> u8 with 1"));
        assert!(!has_reason(reasons, "nonsense"));
    }
}
