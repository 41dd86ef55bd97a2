use std::time::Duration;

use crate::plan::{Fault, Plan, QUIET};
use crate::run::run;
use crate::witness::Witness;

/// How many seeds a smaller plan is tried with: without a client or a fault everything happens in another order, and what
/// went wrong may need luck to go wrong again.
const SEEDS: u64 = 8;

/// A smaller plan in which the same goes wrong: without the time, the faults and the clients that are not needed for it.
pub fn shrink(plan: &Plan, problem: &str, note: impl FnMut(&Plan)) -> Plan {
    let wanted = kind(problem);
    let fails = |plan: &Plan| run(plan, &Witness::default()).problems.iter().any(|problem| kind(problem) == wanted);
    shrink_by(plan, fails, note)
}

/// The words of a problem without the names and numbers of one run.
fn kind(problem: &str) -> Vec<&str> {
    let is_word = |word: &&str| word.len() != 12 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    problem.split_whitespace().filter(is_word).collect()
}

fn shrink_by(plan: &Plan, fails: impl Fn(&Plan) -> bool, mut note: impl FnMut(&Plan)) -> Plan {
    let failing = |plan: Plan| {
        let with_seed = |number: u64| Plan { seed: plan.seed.wrapping_add(number * 1_000_003), ..plan.clone() };
        (0..SEEDS).map(with_seed).find(|plan| fails(plan))
    };
    let mut smallest = plan.clone();
    let mut keep = |smaller: Plan, smallest: &mut Plan| {
        let failing = failing(smaller);
        if let Some(failing) = &failing {
            note(failing);
            *smallest = failing.clone();
        }
        failing.is_some()
    };
    // The time first: up to its end a shorter plan is the same, event by event, and it is tried quicker.
    let shorter = (4..).map(|steps| Duration::from_secs(100) * steps).take_while(|length| *length < plan.length);
    for length in shorter {
        if keep(until(&smallest, length), &mut smallest) {
            break;
        }
    }
    // Halves, then smaller parts, then single ones.
    for parts in [2, 4, 8, 16, usize::MAX] {
        for part in (0..parts.min(smallest.clients.len())).rev() {
            let clients = without_part(&smallest.clients, part, parts);
            if clients.len() < smallest.clients.len() {
                keep(Plan { clients, ..smallest.clone() }, &mut smallest);
            }
        }
        for part in (0..parts.min(smallest.faults.len())).rev() {
            let faults: Vec<Fault> = without_part(&smallest.faults, part, parts);
            if faults.len() < smallest.faults.len() {
                keep(Plan { faults, ..smallest.clone() }, &mut smallest);
            }
        }
    }
    smallest
}

/// The beginning of a plan. Its end stays quiet, or it would fail for another reason.
fn until(plan: &Plan, length: Duration) -> Plan {
    let quiet = length.saturating_sub(QUIET);
    let faults = plan.faults.iter().filter(|fault| fault.at + fault.length <= quiet).cloned().collect();
    Plan { length, faults, ..plan.clone() }
}

/// All but one of so many parts, which may be single ones.
fn without_part<T: Clone>(all: &[T], part: usize, parts: usize) -> Vec<T> {
    let parts = parts.min(all.len()).max(1);
    let (from, to) = (all.len() * part / parts, all.len() * (part + 1) / parts);
    all.iter().take(from).chain(all.iter().skip(to)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_shrinks_to_what_it_takes_to_fail() {
        let plan = Plan::new(5);
        let culprit = plan.faults.iter().find(|fault| fault.at > Duration::from_secs(600)).unwrap().clone();
        // One seed of three fails, if the client and the fault are there and the fault is over.
        let fails = |plan: &Plan| {
            plan.seed.is_multiple_of(3)
                && plan.clients.contains(&11)
                && plan.faults.contains(&culprit)
                && plan.clients.len() > 1
        };
        let plan = Plan { seed: 6, ..plan };
        assert!(fails(&plan));
        let small = shrink_by(&plan, fails, |_| ());
        assert!(fails(&small));
        assert_eq!((small.clients.len(), small.faults), (2, vec![culprit.clone()]));
        assert!(small.length <= culprit.at + culprit.length + QUIET + Duration::from_secs(100), "{:?}", small.length);
    }

    #[test]
    fn a_problem_is_the_same_with_other_names_and_numbers() {
        let one = "entry 6 of uk8rhnitf9aw charges 51.996s for a turn of 52.007s, of which 51.296s no node served";
        let other = "entry 20 of ytpb5eptzg3t charges 53.238s for a turn of 53.249s, of which 51.296s no node served";
        assert_eq!(kind(one), kind(other));
        assert_ne!(kind(one), kind("k1 of person1 was acknowledged at abc, which is not stored"));
    }
}
