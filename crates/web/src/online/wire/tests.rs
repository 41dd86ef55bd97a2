//! What this side reads and writes is what the other side writes and reads.

use super::*;

fn someone() -> Person {
    Person { id: "p1".into(), name: "О\"лена\\".into(), kind: "guest".into() }
}

fn tells() -> Vec<Tell> {
    let seats = vec![
        SeatInfo { who: Some(Sitting::Person(someone())), rating: Some(1512) },
        SeatInfo { who: Some(Sitting::Bot(3)), rating: None },
        SeatInfo { who: None, rating: None },
    ];
    let table = TableInfo {
        id: "t".into(),
        game: "sequence(players=3)".into(),
        clock: "fischer=300+5".into(),
        access: "open".into(),
        rated: true,
        confer: false,
        maker: "p1".into(),
        state: "waiting".into(),
        seats,
        you: 1,
        seq: 7,
    };
    let lobby = LobbyTable {
        id: "t".into(),
        game: "four".into(),
        clock: "turn=60".into(),
        rated: false,
        seats: vec!["Ann".into(), String::new()],
        free: 1,
    };
    let mut tells = vec![
        Tell::Welcome { version: 1, you: someone() },
        Tell::Table(table),
        Tell::Ack { id: "k1".into(), seq: 4, table: String::new() },
        Tell::Ack { id: "k2".into(), seq: 4, table: "t".into() },
        Tell::No { id: "k".into(), code: Code::NotYourTurn, args: vec!["2".into()] },
        Tell::No { id: String::new(), code: Code::Unreadable, args: Vec::new() },
        Tell::Clocks(Clocks { left: vec![298_000, 12], running: 2 }),
        Tell::Around(Around { away: vec![0, 61], watching: 3, grace: 60 }),
        Tell::Lobby(vec![lobby]),
        Tell::Lobby(Vec::new()),
        Tell::Bye { code: Code::Stopping },
    ];
    tells.extend(events().into_iter().map(|what| Tell::Event { seq: 9, at: 1_794_758_399_000, what }));
    tells
}

fn events() -> Vec<Event> {
    let said = |what| Event::Said { seat: 0, name: "Ї".into(), what };
    vec![
        Event::Sat { seat: 1, who: Sitting::Person(someone()), rating: None },
        Event::Sat { seat: 1, who: Sitting::Person(someone()), rating: Some(1512) },
        Event::Sat { seat: 2, who: Sitting::Bot(8), rating: None },
        Event::Stood { seat: 2 },
        Event::Began,
        Event::Did { entry: "a3e3".into(), spent: Some(0) },
        Event::Did { entry: "draw:?".into(), spent: None },
        Event::TookBack { to: 3 },
        Event::Proposed { what: Offer::Draw, seat: 1 },
        Event::Proposed { what: Offer::Rematch, seat: 4 },
        Event::Declined { what: Offer::Takeback, seat: 2 },
        Event::Claimed { seat: 1, away: 2, what: Claimed::Win },
        Event::Claimed { seat: 1, away: 2, what: Claimed::Draw },
        said(Say::Text("<b>\n".into())),
        said(Say::Phrase("hello".into())),
        said(Say::Team("ліворуч".into())),
        Event::Ended { result: "p1win".into(), cause: "rules".into(), log: vec!["draw:cat".into()] },
        Event::Ended { result: "draw".into(), cause: "agreement".into(), log: Vec::new() },
        Event::Again { table: "u".into() },
        Event::Elsewhere,
    ]
}

#[test]
fn everything_a_server_tells_is_understood() {
    for tell in tells() {
        let text = protocol::write(&tell);
        assert_eq!(read_tell(&text), Some(tell), "{text}");
    }
    for text in ["", "{}", "[]", "\"began\"", r#"{"later":1}"#, r#"{"event":{"seq":1,"at":1,"what":{"new":{}}}}"#] {
        assert_eq!(read_tell(text), None, "{text}");
    }
}

#[test]
fn every_code_has_its_word() {
    for (word, known) in CODES {
        let read: Result<Code, _> = protocol::read(&format!("{word:?}"));
        assert_eq!(read, Ok(known), "{word}");
        assert_eq!(protocol::write(&known), format!("{word:?}"));
    }
    let all = include_str!("../../../../protocol/src/code.rs");
    let variants = all.lines().filter(|line| line.starts_with("    ") && line.ends_with(',') && !line.contains("//"));
    assert_eq!(variants.count(), CODES.len(), "a code is missing here");
}

#[test]
fn everything_asked_is_understood() {
    let wish = Wish {
        game: "quixo(players=4)".into(),
        clock: "turn=259200".into(),
        access: "private".into(),
        rated: false,
        confer: true,
        seat: 3,
        bots: vec![0, 3],
    };
    let asks = [
        Do::Hello { version: 1 },
        Do::Watch { table: "t".into(), seen: 12 },
        Do::Lobby,
        Do::Create(wish.clone()),
        Do::Pair(wish),
        Do::Sit { seat: 0 },
        Do::Stand,
        Do::Bot { seat: 2, level: 8 },
        Do::Start,
        Do::Act { action: "a3e3".into(), at: 4 },
        Do::Resign,
        Do::Propose(Offer::Draw),
        Do::Agree(Offer::Takeback),
        Do::Decline(Offer::Rematch),
        Do::Claim { seat: 2, what: Claimed::Win },
        Do::Claim { seat: 2, what: Claimed::Draw },
        Do::Say(Say::Text("\"\\\n\u{1}ї".into())),
        Do::Say(Say::Phrase("hello".into())),
        Do::Say(Say::Team("x".into())),
        Do::Ping,
    ];
    for what in asks {
        let ask = Ask { id: "k\"1".into(), what };
        assert_eq!(protocol::read::<Ask>(&write_ask(&ask)), Ok(ask));
    }
}
