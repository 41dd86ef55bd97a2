//! What a table decides, applies, and shows to whom.

mod allocations;
mod chat;
mod claims;
mod proposals;
mod seats;

use std::time::Duration;

use protocol::{Event as Told, ServerMessage};
use rules::{Seat, Viewer};
use search::Random;

use super::{
    Command, DecisionContext, Event, LogEntry, Person, Refusal, Request, Table, TableSpec, read_entry, write_entry,
};

fn person(id: &str) -> Person {
    Person { id: id.to_owned(), name: id.to_uppercase(), ..Person::default() }
}

fn spec_of(game: &str) -> protocol::TableSpec {
    protocol::read(&format!(r#"{{"game":{game:?},"confer":true,"seat":1}}"#)).unwrap()
}

fn table_of(spec: protocol::TableSpec) -> Table {
    Table::new("t".to_owned(), TableSpec::try_from(spec).unwrap(), "ann".to_owned())
}

fn request(what: &protocol::Command) -> Request {
    Request::from_wire(what).unwrap()
}

fn ask(table: &mut Table, who: &str, what: &protocol::Command, random: &mut Random) {
    let mut below = |bound| random.below(bound);
    let absence = |_: &str| Duration::ZERO;
    let mut context = DecisionContext::new(Duration::ZERO, 7, &mut below, &absence);
    let decision = table.decide(Command::Request(&person(who), &request(what)), &mut context).unwrap();
    for event in decision.events {
        table.apply(LogEntry { at: 7, by: Some(who.to_owned()), request: None, event }, Duration::ZERO).unwrap();
    }
}

const NAMES: [&str; 4] = ["ann", "bob", "cat", "dan"];

fn seated(game: &str, random: &mut Random) -> Table {
    let mut table = table_of(spec_of(game));
    for name in &NAMES[..table.seats().len()] {
        ask(&mut table, name, &protocol::Command::Sit { seat: None }, random);
    }
    table
}

/// A game of random actions, as far as it goes without ending.
fn played(game: &str, actions: u32, seed: u64) -> Table {
    let mut random = Random::new(seed);
    let mut table = seated(game, &mut random);
    play_on(&mut table, actions, &mut random);
    table
}

fn play_on(table: &mut Table, actions: u32, random: &mut Random) {
    for _ in 0..actions {
        let play = table.play().unwrap();
        let Some(seat) = play.to_act() else { break };
        let legal = play.legal();
        let action = legal[random.below(legal.len() as u32) as usize].clone();
        let mut next = play.clone();
        next.play(&action, Duration::ZERO).unwrap();
        if next.ending().is_some() {
            break;
        }
        let at = play.log().len() as u32;
        ask(table, NAMES[seat.index()], &protocol::Command::Act { action, at }, random);
    }
}

/// Everything that a viewer is ever sent, byte by byte.
fn sent(table: &Table, viewer: Viewer) -> String {
    let mut messages = vec![ServerMessage::Table(table.info(viewer))];
    messages.extend(table.events_since(0, viewer, usize::MAX));
    let mut text: String = messages.iter().map(|message| protocol::write(message) + "\n").collect();
    text += &table.play().unwrap().record_for(viewer).to_string();
    text
}

fn again(table: &Table, entries: Vec<LogEntry>) -> Option<Table> {
    let fresh = Table::new("t".to_owned(), table.spec.clone(), table.maker.clone());
    fresh.replay(entries, Duration::ZERO).ok()
}

/// Changes each card that was drawn, one after another, to each other card it could have been, and compares what
/// the others are told. Only the player who drew it may notice. How many cards could be changed.
fn only_the_player_who_drew_a_card_knows_it(table: &Table, name: &str) -> u32 {
    let mut compared = 0;
    let entries: Vec<LogEntry> = table.entries().cloned().collect();
    for (index, entry) in entries.iter().enumerate() {
        let Event::Played { entry, spent, forgiven } = &entry.event else { continue };
        let card = entry.to_string();
        if !card.starts_with("draw:") {
            continue;
        }
        let before = again(table, entries[..index].to_vec()).unwrap();
        for other in before.play().unwrap().legal().iter().filter(|other| **other != card) {
            let mut changed = entries.clone();
            let (entry, spent, forgiven) = (other.as_str().into(), *spent, *forgiven);
            changed[index].event = Event::Played { entry, spent, forgiven };
            // A card that is played later cannot be another one; then there is no such game.
            let Some(changed) = again(table, changed) else { continue };
            let viewers = Seat::all(table.seats().len() as u8).map(Viewer::Seat).chain([Viewer::Spectator]);
            let differing: Vec<Viewer> =
                viewers.filter(|viewer| sent(table, *viewer) != sent(&changed, *viewer)).collect();
            assert_eq!(differing.len(), 1, "{name}: {card} or {other} is known to {differing:?}");
            assert!(matches!(differing[0], Viewer::Seat(_)), "a spectator sees no hand");
            compared += 1;
        }
    }
    compared
}

const HIDING: [(&str, u64); 4] =
    [("sequence", 1), ("sequence", 2), ("sequence(players=3)", 3), ("sequence(players=4)", 4)];

#[test]
fn no_byte_depends_on_what_is_hidden() {
    let compared: u32 =
        HIDING.map(|(game, seed)| only_the_player_who_drew_a_card_knows_it(&played(game, 24, seed), game)).iter().sum();
    assert!(compared > 200, "only {compared} cards could be changed, too few to mean anything");
}

/// A takeback by agreement shows no card, neither the one taken back nor the one drawn instead.
#[test]
fn taking_back_shows_no_card() {
    let mut compared = 0;
    for (game, seed) in HIDING {
        let mut random = Random::new(seed);
        let mut table = played(game, 15, seed);
        let names = &NAMES[..table.seats().len()];
        let before = table.play().unwrap().log().len();
        ask(&mut table, "ann", &protocol::Command::Propose { offer: protocol::Offer::Takeback }, &mut random);
        for name in &names[1..] {
            assert_eq!(table.play().unwrap().log().len(), before, "{game}: all have to agree");
            ask(&mut table, name, &protocol::Command::Agree { offer: protocol::Offer::Takeback }, &mut random);
        }
        assert!(table.play().unwrap().log().len() < before, "{game}");
        assert_eq!(table.play().unwrap().to_act(), Some(Seat::ONE), "{game}");
        play_on(&mut table, 6, &mut random);
        compared += only_the_player_who_drew_a_card_knows_it(&table, game);
        let copy = again(&table, table.entries().cloned().collect()).unwrap();
        assert_eq!(sent(&copy, Viewer::Spectator), sent(&table, Viewer::Spectator), "{game}");
    }
    assert!(compared > 200, "only {compared} cards could be changed, too few to mean anything");
}

#[test]
fn a_log_replays_to_the_same_table() {
    for (game, actions) in [("quixo", 30), ("sequence(players=3)", 30), ("four", 60), ("quarto", 12)] {
        let table = played(game, actions, 9);
        let copy = again(&table, table.entries().cloned().collect()).unwrap();
        assert_eq!(copy.play().unwrap().record(), table.play().unwrap().record(), "{game}");
        for viewer in [Viewer::Seat(Seat::ONE), Viewer::Spectator] {
            assert_eq!(sent(&copy, viewer), sent(&table, viewer), "{game}");
        }
    }
}

#[test]
fn entries_read_back_as_they_were_written() {
    for entry in played("sequence", 10, 3).entries() {
        assert_eq!(read_entry(&write_entry(entry)).as_ref(), Ok(entry));
    }
}

/// QX8: whether team members may confer is agreed before the game, and decides whether team chat is open.
#[test]
fn qx8_a_team_confers_only_where_that_was_agreed() {
    for confer in [true, false] {
        let spec = protocol::TableSpec { confer, ..spec_of("quixo(players=4)") };
        let mut table = table_of(spec);
        let mut random = Random::new(1);
        for name in NAMES {
            ask(&mut table, name, &protocol::Command::Sit { seat: None }, &mut random);
        }
        let say =
            request(&protocol::Command::Say { line: protocol::ChatLine::Team { text: "push the top".to_owned() } });
        assert_eq!(try_request(&table, "ann", &say, Duration::ZERO, Duration::ZERO).is_ok(), confer);
    }
}

#[test]
fn team_talk_stays_in_the_team() {
    let mut random = Random::new(1);
    let mut table = seated("quixo(players=4)", &mut random);
    ask(
        &mut table,
        "ann",
        &protocol::Command::Say { line: protocol::ChatLine::Team { text: "push the top".to_owned() } },
        &mut random,
    );
    let hears = |viewer| sent(&table, viewer).contains("push the top");
    assert!(hears(Viewer::Seat(Seat::ONE)) && hears(Viewer::Seat(Seat::THREE)));
    assert!(!hears(Viewer::Seat(Seat::TWO)) && !hears(Viewer::Seat(Seat::FOUR)) && !hears(Viewer::Spectator));
    let last = table.events_since(table.seq() - 1, Viewer::Spectator, 1);
    assert!(matches!(last[..], [ServerMessage::Event { event: Told::Redacted, .. }]), "numbers have no gaps");
}

#[test]
fn a_player_with_days_for_a_turn_may_be_away() {
    for (clock, may) in [("turn=60", true), ("turn=86400", false)] {
        let spec = protocol::TableSpec { clock: clock.into(), ..spec_of("quixo") };
        let mut table = table_of(spec);
        let mut random = Random::new(1);
        ask(&mut table, "ann", &protocol::Command::Sit { seat: Some(Seat::ONE) }, &mut random);
        ask(&mut table, "bob", &protocol::Command::Sit { seat: Some(Seat::TWO) }, &mut random);
        let claim = request(&protocol::Command::Claim { seat: Seat::TWO, claim: protocol::Claim::Win });
        assert_eq!(try_request(&table, "ann", &claim, Duration::ZERO, Duration::ZERO).is_ok(), may, "{clock}");
    }
}

/// A quixo table where every action comes a second later, through a network that takes as long.
fn slow_network() -> Table {
    let spec = protocol::TableSpec { clock: "fischer=60+0".into(), ..spec_of("quixo") };
    let mut table = table_of(spec);
    let mut random = Random::new(1);
    ask(&mut table, "ann", &protocol::Command::Sit { seat: Some(Seat::ONE) }, &mut random);
    ask(&mut table, "bob", &protocol::Command::Sit { seat: Some(Seat::TWO) }, &mut random);
    table
}

/// Decides a request at a table whose people have all been away for an hour.
fn try_request(
    table: &Table,
    who: &str,
    request: &Request,
    lag: Duration,
    now: Duration,
) -> Result<Vec<Event>, Refusal> {
    let absence = |_: &str| Duration::from_secs(3600);
    let mut below = |_| 0;
    let context = DecisionContext::new(now, 7, &mut below, &absence);
    let mut context = DecisionContext { lag, ..context };
    Ok(table.decide(Command::Request(&person(who), request), &mut context)?.events)
}

/// Takes in what was decided for a person.
fn apply_all(table: &mut Table, who: &Person, events: Vec<Event>) {
    for event in events {
        table.apply(LogEntry { at: 7, by: Some(who.id.clone()), request: None, event }, Duration::ZERO).unwrap();
    }
}

/// A person asks for something, and if it is granted it happens.
fn attempt(table: &mut Table, who: &str, request: &Request) -> Result<(), Refusal> {
    let events = try_request(table, who, request, Duration::ZERO, Duration::ZERO)?;
    apply_all(table, &person(who), events);
    Ok(())
}

/// What the action that is next at such a table is charged, in milliseconds.
fn charged(table: &mut Table, now: Duration) -> u32 {
    let play = table.play().unwrap();
    let who = NAMES[play.to_act().unwrap().index()];
    let act = Request::Act { action: play.legal()[0].clone(), at: play.log().len() as u32 };
    let mut charged = 0;
    for event in try_request(table, who, &act, Duration::from_secs(1), now).unwrap() {
        if let Event::Played { spent: Some(time), .. } = event {
            charged = time;
        }
        table.apply(LogEntry { at: 7, by: Some(who.to_owned()), request: None, event }, now).unwrap();
    }
    charged
}

#[test]
fn a_slow_network_is_forgiven_from_a_small_bank() {
    let mut table = slow_network();
    let spent: Vec<u32> = (1..9).map(|second| charged(&mut table, Duration::from_secs(second))).collect();
    let ann: Vec<u32> = spent.iter().step_by(2).copied().collect();
    assert_eq!(ann, [500, 940, 940, 940], "half a second at once, then a little each action");
}

/// The allowance follows from the log: a client that changes nodes before every action finds it as it left it.
#[test]
fn an_allowance_is_the_same_on_every_node() {
    let (mut table, mut spent) = (slow_network(), Vec::new());
    for second in 1..9 {
        let entries = table.entries().map(|entry| read_entry(&write_entry(entry)).unwrap()).collect();
        table = again(&table, entries).unwrap();
        table.set_clock(Duration::ZERO, Duration::from_secs(second - 1));
        spent.push(charged(&mut table, Duration::from_secs(second)));
    }
    assert_eq!(spent.iter().step_by(2).copied().collect::<Vec<_>>(), [500, 940, 940, 940]);
    // The log says how much was given back.
    let forgiven = |entry: &LogEntry| if let Event::Played { forgiven, .. } = entry.event { forgiven } else { 0 };
    let given: u32 = table.entries().map(forgiven).sum();
    assert_eq!(given, spent.iter().map(|spent| 1000 - spent).sum::<u32>());
}

/// A refused action used to give the lag back to the clock; ten of them made a turn free.
#[test]
fn a_refused_action_gives_no_time_back() {
    let mut table = slow_network();
    let now = Duration::from_secs(1);
    for _ in 0..10 {
        let illegal = Request::Act { action: "c3c5".to_owned(), at: 0 };
        let refused = try_request(&table, "ann", &illegal, Duration::from_secs(1), now).unwrap_err();
        assert!(matches!(refused, protocol::Refusal::IllegalAction { .. }), "{refused:?}");
        assert_eq!(table.clocks(now).unwrap().left[0], 59_000);
    }
    assert_eq!(charged(&mut table, now), 500);
}

/// Time passes for the seat to act while others chat, also where the table is read from its log.
#[test]
fn chat_does_not_set_the_clock() {
    let mut table = slow_network();
    let event = Event::Said { seat: None, name: String::new(), what: super::Speech::Phrase("hello".to_owned()) };
    table.apply(LogEntry { at: 10_007, by: None, request: None, event }, Duration::from_secs(10)).unwrap();
    assert_eq!(table.clocks(Duration::from_secs(10)).unwrap().left[0], 50_000);
    assert_eq!(table.clock_set_at(), 7);
}

#[test]
fn a_log_does_not_grow_without_end() {
    let mut random = Random::new(1);
    let mut table = seated("quixo", &mut random);
    let offer = protocol::Offer::Draw;
    // Entries of a kind that costs no move; the limit counts all of them.
    let declined = Event::Declined { what: super::event::ProposalKind::Draw, seat: Seat::ONE };
    while table.seq() < super::decide::MOST_EVENTS {
        let entry = LogEntry { at: 7, by: None, request: None, event: declined.clone() };
        table.apply(entry, Duration::ZERO).unwrap();
    }
    let mut below = |bound| random.below(bound);
    let absence = |_: &str| Duration::ZERO;
    let mut context = DecisionContext::new(Duration::ZERO, 7, &mut below, &absence);
    let mut decide = |command: &protocol::Command| {
        let (who, request) = (person("ann"), request(command));
        table.decide(Command::Request(&who, &request), &mut context).map(|decision| decision.events.len())
    };
    assert_eq!(decide(&protocol::Command::Propose { offer }), Err(Refusal::Forbidden));
    let line = protocol::ChatLine::Phrase { phrase: protocol::Phrase::Hello };
    assert_eq!(decide(&protocol::Command::Say { line }), Err(Refusal::Forbidden));
    assert_eq!(decide(&protocol::Command::Act { action: "a3e3".to_owned(), at: 0 }), Ok(1), "the game goes on");
    assert_eq!(decide(&protocol::Command::Resign {}), Ok(2));
}

#[test]
fn a_bot_has_a_level_from_1_to_8() {
    let mut random = Random::new(1);
    let mut below = |bound| random.below(bound);
    let absence = |_: &str| Duration::ZERO;
    let mut context = DecisionContext::new(Duration::ZERO, 7, &mut below, &absence);
    let table = table_of(spec_of("quixo"));
    for (level, possible) in [(0, false), (1, true), (8, true), (9, false), (255, false)] {
        let request = Request::SeatBot { seat: Seat::TWO, level: Some(level) };
        let decided = table.decide(Command::Request(&person("ann"), &request), &mut context);
        assert_eq!(decided.is_ok(), possible, "{level}");
    }
}
