use crate::plan::{Fault, Plan, QUIET};
use crate::run::run;
use crate::witness::Witness;

/// A smaller plan that still fails: without the faults, the clients and the time that are not needed for it.
pub fn shrink(plan: &Plan, mut note: impl FnMut(&Plan)) -> Plan {
    let fails = |plan: &Plan| !run(plan, &Witness::default()).problems.is_empty();
    let mut smallest = plan.clone();
    let mut keep = |smaller: Plan, smallest: &mut Plan| {
        if smaller != *smallest && fails(&smaller) {
            note(&smaller);
            *smallest = smaller;
            return true;
        }
        false
    };
    // Halves first, then single ones.
    for parts in [2, 4, 8, 16] {
        for part in (0..parts).rev() {
            let clients = without_part(&smallest.clients, part, parts);
            keep(Plan { clients, ..smallest.clone() }, &mut smallest);
            let faults: Vec<Fault> = without_part(&smallest.faults, part, parts);
            keep(Plan { faults, ..smallest.clone() }, &mut smallest);
        }
    }
    for index in (0..smallest.faults.len()).rev() {
        let mut faults = smallest.faults.clone();
        faults.remove(index);
        keep(Plan { faults, ..smallest.clone() }, &mut smallest);
    }
    for index in (0..smallest.clients.len()).rev() {
        let mut clients = smallest.clients.clone();
        clients.remove(index);
        keep(Plan { clients, ..smallest.clone() }, &mut smallest);
    }
    // As long as the last fault allows, shorter and shorter.
    while smallest.length.as_secs() > 400 {
        let length = smallest.length * 2 / 3;
        // The end stays quiet, or the smaller plan would fail for another reason.
        let quiet = length.saturating_sub(QUIET);
        let faults = smallest.faults.iter().filter(|fault| fault.at + fault.length <= quiet).cloned().collect();
        if !keep(Plan { length, faults, ..smallest.clone() }, &mut smallest) {
            break;
        }
    }
    smallest
}

fn without_part<T: Clone>(all: &[T], part: usize, parts: usize) -> Vec<T> {
    let (from, to) = (all.len() * part / parts, all.len() * (part + 1) / parts);
    all[..from].iter().chain(&all[to..]).cloned().collect()
}
