//! A short run holds every promise, and a plan replays to the same bytes.

use std::time::Duration;

use simulator::{Plan, Witness, run};

/// A quarter of an hour with some clients and the first faults.
fn short(seed: u64) -> Plan {
    let plan = Plan::new(seed);
    let length = Duration::from_secs(900);
    let faults = plan.faults.into_iter().take(4).enumerate();
    let early = |(index, mut fault): (usize, simulator::Fault)| {
        fault.at = Duration::from_secs(120 * (index as u64 + 1));
        fault.length = fault.length.min(Duration::from_secs(60));
        fault
    };
    Plan { clients: (0..10).collect(), faults: faults.map(early).collect(), length, ..plan }
}

#[test]
fn a_short_run_is_clean_and_replays() {
    let first = run(&short(11), &Witness::default());
    assert_eq!(first.problems, Vec::<String>::new());
    assert!(first.tables > 3 && first.entries > 100, "{first:?}");
    let again = run(&short(11), &Witness::default());
    assert_eq!((again.fingerprint, again.commands), (first.fingerprint, first.commands));
    assert_ne!(run(&short(12), &Witness::default()).fingerprint, first.fingerprint);
}
