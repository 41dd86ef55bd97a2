use super::*;

fn secs(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

fn clock(rule: &str) -> Clock {
    let mut clock = Clock::new(rule.parse().unwrap(), 2);
    clock.hand_to(Some(Seat::ONE));
    clock.start(secs(100.0));
    clock
}

#[test]
fn g7_one_minute_for_each_turn_and_nothing_is_saved() {
    let mut clock = clock("turn=60");
    assert_eq!(clock.look(secs(159.999)), None);
    assert_eq!(clock.left(Seat::ONE, secs(159.999)), Some(secs(0.001)));
    assert_eq!(clock.left(Seat::TWO, secs(159.999)), Some(secs(60.0)));
    clock.hand_to(Some(Seat::TWO));
    assert_eq!(clock.look(secs(170.0)), None);
    clock.hand_to(Some(Seat::ONE));
    assert_eq!(clock.left(Seat::ONE, secs(170.0)), Some(secs(60.0)));
    assert_eq!(clock.falls_at(secs(175.0)), Some(secs(230.0)));
    assert_eq!(clock.look(secs(230.0)), Some(Seat::ONE));
}

#[test]
fn g8_turns_count_not_actions() {
    let mut clock = clock("turn=60");
    clock.look(secs(140.0));
    clock.hand_to(Some(Seat::ONE)); // the same seat acts again
    assert_eq!(clock.left(Seat::ONE, secs(140.0)), Some(secs(20.0)));
    clock.hand_to(None); // a card is drawn for it
    clock.look(secs(150.0));
    assert_eq!(clock.running_for(), None);
    clock.hand_to(Some(Seat::ONE));
    assert_eq!(clock.left(Seat::ONE, secs(150.0)), Some(secs(20.0)), "chance is charged to no seat");
    assert_eq!(clock.look(secs(170.0)), Some(Seat::ONE));
}

#[test]
fn fischer_adds_after_each_turn() {
    let mut clock = clock("fischer=10+5");
    clock.look(secs(104.0));
    clock.hand_to(Some(Seat::ONE));
    assert_eq!(clock.left(Seat::ONE, secs(104.0)), Some(secs(6.0)), "an action that ends no turn adds nothing");
    clock.hand_to(Some(Seat::TWO));
    assert_eq!(clock.left(Seat::ONE, secs(104.0)), Some(secs(11.0)));
    assert_eq!(clock.look(secs(114.0)), Some(Seat::TWO));
}

#[test]
fn delay_gives_the_first_seconds_of_each_turn() {
    let mut clock = clock("delay=10+3");
    assert_eq!(clock.left(Seat::ONE, secs(102.0)), Some(secs(10.0)));
    assert_eq!(clock.falls_at(secs(102.0)), Some(secs(113.0)));
    clock.look(secs(105.0));
    assert_eq!(clock.left(Seat::ONE, secs(105.0)), Some(secs(8.0)));
    clock.hand_to(Some(Seat::TWO));
    clock.look(secs(107.0));
    clock.hand_to(Some(Seat::ONE));
    assert_eq!(clock.left(Seat::ONE, secs(107.0)), Some(secs(8.0)), "what is free and not used is lost");
    assert_eq!(clock.falls_at(secs(107.0)), Some(secs(118.0)));
    assert_eq!(clock.look(secs(118.0)), Some(Seat::ONE));
}

#[test]
fn a_clock_that_stands_counts_nothing() {
    let mut clock = clock("turn=60");
    assert!(clock.is_running() && !Clock::new(ClockRule::None, 2).is_running());
    clock.stop(secs(120.0));
    assert!(!clock.is_running());
    assert_eq!(clock.look(secs(10_000.0)), None);
    assert_eq!(clock.left(Seat::ONE, secs(10_000.0)), Some(secs(40.0)));
    clock.start(secs(20_000.0));
    assert_eq!(clock.look(secs(20_040.0)), Some(Seat::ONE));
}

#[test]
fn many_looks_lose_no_time_and_a_clock_set_back_gives_none() {
    let mut clock = clock("turn=60");
    for tenth_of_a_millisecond in 0..20_000_u32 {
        clock.look(secs(100.0) + Duration::from_micros(100) * tenth_of_a_millisecond);
    }
    clock.look(secs(102.0));
    assert_eq!(clock.left(Seat::ONE, secs(102.0)), Some(secs(58.0)));
    clock.look(secs(50.0));
    assert_eq!(clock.left(Seat::ONE, secs(50.0)), Some(secs(58.0)));
    assert_eq!(clock.spent(), Some(secs(2.0)));
}

#[test]
fn without_a_clock_no_time_is_ever_up() {
    let mut clock = clock("none");
    assert_eq!(clock.look(secs(1e9)), None);
    assert_eq!(clock.left(Seat::ONE, secs(1e9)), None);
    assert_eq!(clock.falls_at(secs(1e9)), None);
}

#[test]
fn what_an_action_took_is_written_whenever_the_clock_ran() {
    let mut clock = Clock::new("turn=60".parse().unwrap(), 2);
    clock.hand_to(Some(Seat::ONE));
    assert_eq!(clock.spent(), None, "it has not run");
    clock.start(secs(100.0));
    assert_eq!(clock.spent(), Some(Duration::ZERO), "it has run for no time");
    clock.look(secs(107.0));
    assert_eq!(clock.spent(), Some(secs(7.0)));
    clock.stop(secs(108.0));
    assert_eq!(clock.spent(), Some(secs(8.0)), "it has stopped, and what it counted is not written yet");
    clock.spent_is_written();
    assert_eq!(clock.spent(), None);
}
