//! No event costs more work as a game grows longer: counted in allocations, which a replay or a retold story would add.

#![allow(clippy::unwrap_used)] // the allowance for tests does not reach helper functions

use std::time::Duration;

use game::{Match, MatchSettings};
use protocol::{Access, Event, Occupant, SeatInfo, ServerMessage, TableInfo, TableState};
use search::Random;
use session::{LocalSession, Pace, RemoteSession, SessionView};
use testkit::{Allocations, Counting};

#[global_allocator]
static COUNTING: Counting = Counting;

const NOW: Duration = Duration::ZERO;
/// As long a game as random play makes in a few tries.
const ENOUGH: usize = 260;

/// What a shell computes after every event and every key.
fn show(view: SessionView<'_>) -> usize {
    let shown = view.scene().counters.len() + view.plates(NOW).len() + view.choices().len();
    let _ = view.prompt(&[]);
    let length = view.game.log().len();
    let said = view.story().rev().take(12).count() + usize::from(view.last_told(length).is_some());
    shown + said + view.marks(length).len() + view.moves_from(length.saturating_sub(1)).count()
}

/// Allocations of each event.
fn counted(events: usize, mut event: impl FnMut(usize)) -> Vec<u64> {
    (0..events).map(|number| Allocations::of(|| event(number)).count).collect()
}

fn assert_level(work: &[u64], what: &str) {
    let average = |part: &[u64]| part.iter().sum::<u64>() as f64 / part.len() as f64;
    let (early, late) = (average(&work[40..90]), average(&work[work.len() - 50..]));
    assert!(late < early * 1.5, "{what}: {early} for an early event, {late} for a late one");
}

fn long_game() -> Vec<String> {
    let play = |seed| {
        let mut game = Match::new(MatchSettings::new("four(size=9)".parse().unwrap())).unwrap();
        let mut random = Random::new(seed);
        while let Some(count) = u32::try_from(game.legal().len()).ok().filter(|count| *count > 0) {
            game.play(&game.legal()[random.below(count) as usize].clone(), NOW).unwrap();
        }
        game.log().iter().map(|entry| entry.event.to_string()).collect::<Vec<_>>()
    };
    (0..500).map(play).find(|log| log.len() >= ENOUGH).expect("some random game is long")
}

#[test]
fn an_event_costs_the_same_at_any_length_of_the_game() {
    let log = long_game();
    let settings = MatchSettings::new("four(size=9)".parse().unwrap());
    let mut local = LocalSession::new(Match::new(settings).unwrap(), Pace::NONE, 1, NOW);
    let work = counted(log.len() - 1, |number| {
        local.act(&log[number], NOW).unwrap();
        local.take_effects();
        local.poll(NOW);
        assert!(show(local.view()) > 0);
    });
    assert_level(&work, "on this device");

    let settings = MatchSettings::new("four(size=9)".parse().unwrap());
    let mut local = LocalSession::new(Match::new(settings).unwrap(), Pace::NONE, 1, NOW);
    let work = log[..log.len() - 1].iter().map(|action| {
        local.act(action, NOW).unwrap();
        Allocations::of(|| local.positions()).bytes
    });
    assert_level(&work.collect::<Vec<_>>(), "what a search is given");

    let bot = || SeatInfo { occupant: Some(Occupant::Bot { level: 1 }), rating: None };
    let table = TableInfo {
        id: "t".into(),
        game: "four(size=9)".into(),
        clock: "none".into(),
        access: Access::Link,
        rated: false,
        confer: false,
        first: None,
        drawn: false,
        signs: None,
        maker: "p".into(),
        state: TableState::Waiting,
        seats: vec![bot(), bot()],
        you: None,
        seq: 0,
    };
    let mut remote = RemoteSession::new(table, "me").unwrap();
    remote.receive(&ServerMessage::Event { seq: 1, at: 0, event: Event::Began }, NOW).unwrap();
    let work = counted(log.len() - 1, |number| {
        let event = Event::Entry { entry: log[number].clone(), spent: None };
        remote.receive(&ServerMessage::Event { seq: number as u32 + 2, at: 0, event }, NOW).unwrap();
        assert!(remote.view().map(show).unwrap() > 0);
    });
    assert_level(&work, "at a server's table");
}
