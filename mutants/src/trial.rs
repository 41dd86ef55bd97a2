//! Tries the mutants of a part.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::compile::{self, Outcome, Program};
use crate::copy::Copy;
use crate::mutant::{self, Mutant};
use crate::report::{self, Fate, Tried};
use crate::tests::{self, Answer, Test};
use crate::{Failure, Part, Wishes, in_parallel};

/// Tests that take no longer together are run by one process.
const TOGETHER: Duration = Duration::from_millis(100);

pub(crate) fn try_part(root: &Path, part: &Part, wishes: &Wishes<'_>) -> Result<Vec<Tried>, Failure> {
    let folder = root.join("target/mutants").join(part.name);
    fs::create_dir_all(&folder)?;
    let known = if wishes.missed { report::read(&folder)? } else { BTreeMap::new() };
    let mutants = mutant::list(root, &[part.files])?;
    println!("{}: {} mutants", part.name, mutants.len());
    let mut copy = Copy::of(root, &folder.join("copy"))?;
    let compiled = compile::compile(&mut copy, part, &mutants)?;
    let tests = tests::measure(&compiled.programs, part, &folder, wishes.jobs)?;
    let all: Duration = tests.iter().map(|test| test.takes).sum();
    println!("   {} tests, which take {} s together", tests.len(), all.as_secs());
    let trial = Trial { programs: &compiled.programs, tests: &tests, places: copy.places() };
    let keys = report::keys(&mutants);
    let is_chosen = |mutant: &Mutant| {
        let file = wishes.files.is_empty() || wishes.files.iter().any(|file| *file == mutant.file);
        file && mutant.id.is_multiple_of(wishes.every)
    };
    let mut results: BTreeMap<u32, Tried> = BTreeMap::new();
    let (mut now, mut later) = (Vec::new(), Vec::new());
    for mutant in mutants.iter().filter(|mutant| is_chosen(mutant)) {
        let mut decided = |fate, by: &str| {
            results.insert(mutant.id, Tried { name: mutant.name.clone(), fate, by: by.to_owned() });
        };
        let is_alone = compiled.alone.contains(&mutant.id);
        match known.get(&keys[&mutant.id]) {
            Some(fate) if !matches!(fate, Fate::Missed | Fate::Untried) => decided(*fate, "known"),
            _ if compiled.unviable.contains(&mutant.id) => decided(Fate::Unviable, ""),
            _ if !is_alone && trial.is_reached(mutant.id) => now.push(mutant),
            // What the compiler computes is in use without being reached while the tests run.
            _ if !is_alone && !copy.computed.contains(&mutant.id) => decided(Fate::Missed, "no test reaches it"),
            _ if wishes.together => decided(Fate::Untried, ""),
            _ => later.push((mutant, is_alone)),
        }
    }
    for (mutant, result) in now.iter().zip(trial.try_all(&now, wishes.jobs, &folder)?) {
        results.insert(mutant.id, result);
    }
    println!("   {} need a compilation of their own", later.len());
    let alone = Alone { part, mutants: &mutants, tests: &tests, left_out: &compiled };
    for (mutant, is_alone) in later {
        let result = alone.try_one(&mut copy, mutant, is_alone)?;
        println!("   {}: {}", result.fate.word(), mutant.name);
        results.insert(mutant.id, result);
    }
    let results: Vec<Tried> = results.into_values().collect();
    report::write(&folder, &results, &mutants)?;
    Ok(results)
}

struct Trial<'a> {
    programs: &'a [Program],
    /// The quickest first.
    tests: &'a [Test],
    places: BTreeMap<u32, u32>,
}

impl Trial<'_> {
    fn is_reached(&self, mutant: u32) -> bool {
        self.tests.iter().any(|test| self.reaches(test, mutant))
    }

    fn reaches(&self, test: &Test, mutant: u32) -> bool {
        self.places.get(&mutant).is_some_and(|place| test.reaches.contains(place))
    }

    fn try_all(&self, mutants: &[&Mutant], jobs: usize, folder: &Path) -> Result<Vec<Tried>, Failure> {
        let began = Instant::now();
        let log = fs::File::create(folder.join("log.txt"))?;
        let done = Mutex::new((0, 0, log));
        Ok(in_parallel(mutants, jobs, |mutant| {
            let result = self.try_one(mutant);
            if let Ok(mut done) = done.lock() {
                done.0 += 1;
                done.1 += usize::from(result.fate == Fate::Missed);
                let _ = writeln!(done.2, "{}\t{}\t{}", result.fate.word(), result.name, result.by);
                if done.0 % 100 == 0 {
                    let seconds = began.elapsed().as_secs();
                    println!("   {} of {} tried, {} missed, {seconds} s", done.0, mutants.len(), done.1);
                }
            }
            result
        }))
    }

    fn try_one(&self, mutant: &Mutant) -> Tried {
        let reaching: Vec<&Test> = self.tests.iter().filter(|test| self.reaches(test, mutant.id)).collect();
        ask_all(self.programs, &reaching, mutant)
    }
}

/// Asks tests, the quickest first, until one fails.
fn ask_all(programs: &[Program], tests: &[&Test], mutant: &Mutant) -> Tried {
    let result = |fate, by: &str| Tried { name: mutant.name.clone(), fate, by: by.to_owned() };
    for group in groups(tests) {
        let program = &programs[group[0].program];
        match tests::ask(program, &group, mutant.id) {
            Answer::Passed => {}
            Answer::Failed => return result(Fate::Caught, &group[0].name),
            Answer::TimedOut => return result(Fate::TimedOut, &group[0].name),
        }
    }
    result(Fate::Missed, "")
}

/// Quick tests of one program together, the others one by one; in the order of the time that they take.
fn groups<'a>(tests: &[&'a Test]) -> Vec<Vec<&'a Test>> {
    let mut groups: Vec<(Duration, Vec<&Test>)> = Vec::new();
    for test in tests {
        let open = groups.iter_mut().find(|(takes, group)| {
            group[0].program == test.program && group.len() < 100 && *takes + test.takes <= TOGETHER
        });
        match open {
            Some((takes, group)) => {
                *takes += test.takes;
                group.push(test);
            }
            None => groups.push((test.takes, vec![test])),
        }
    }
    groups.sort_by_key(|(takes, _)| *takes);
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Tries a mutant that needs a compilation of its own.
struct Alone<'a> {
    part: &'a Part,
    mutants: &'a [Mutant],
    tests: &'a [Test],
    left_out: &'a compile::Compiled,
}

impl Alone<'_> {
    /// The compiler may have computed it; otherwise it stands in its file without the others.
    fn try_one(&self, copy: &mut Copy, mutant: &Mutant, is_alone: bool) -> Result<Tried, Failure> {
        let out: BTreeSet<u32> = self.left_out.unviable.union(&self.left_out.alone).copied().collect();
        let planted: Vec<&Mutant> = self.mutants.iter().filter(|it| !out.contains(&it.id)).collect();
        copy.plant(&planted, is_alone.then_some(mutant))?;
        let outcome = compile::build(copy, self.part, (!is_alone).then_some(mutant.id))?;
        let Outcome::Built(programs) = outcome else {
            return Ok(Tried { name: mutant.name.clone(), fate: Fate::Unviable, by: "its own compilation".to_owned() });
        };
        // Only tests of programs that changed could fail, but all programs depend on a mutated crate.
        let tests: Vec<&Test> = self.tests.iter().filter(|test| !test.reaches.is_empty()).collect();
        Ok(ask_all(&programs, &tests, mutant))
    }
}
