//! Whole games over real sockets.

use crate::common::{Client, Running, code, play_out, seated, spec_of, unlimited};
use protocol::{ChatLine, Claim, Command, EndCause, GameResult, Occupant, Offer, Phrase, ServerMessage, TableSpec};
use rules::Seat;

#[tokio::test]
async fn every_game_is_played_to_its_end_and_all_clients_see_the_same() {
    let server = Running::start().await;
    for (game, seats) in
        [("quarto", 2), ("quixo", 2), ("quixo(players=4)", 4), ("sequence", 2), ("sequence(players=3)", 3), ("four", 2)]
    {
        let (table, mut clients) = seated(&server, game, seats).await;
        let mut spectator = server.client().await;
        spectator.ask(Command::Watch { table, seen: 0 }).await;
        clients.push(spectator);
        play_out(&mut clients, 7).await;
        let first = clients[0].follower.as_ref().unwrap();
        let truth = (first.ended, first.game.as_ref().unwrap().record().to_string());
        for other in clients.iter().skip(1) {
            let follower = other.follower.as_ref().unwrap();
            assert_eq!((follower.ended, other.game().record().to_string()), truth, "{game}");
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn a_bot_answers() {
    let server = Running::start().await;
    let mut client = server.client().await;
    client.create(TableSpec { bots: vec![None, Some(1)], ..spec_of("quixo") }).await;
    client.until_seq(3).await;
    assert!(matches!(client.follower.as_ref().unwrap().table.seats[1].occupant, Some(Occupant::Bot { level: 1 })));
    client.play(0).await.unwrap();
    while client.game().log().len() < 2 {
        client.receive().await;
    }
    server.stop().await;
}

#[tokio::test]
async fn a_request_sent_twice_is_done_once_and_acknowledged_twice() {
    let server = Running::start().await;
    let (_, mut clients) = seated(&server, "quixo", 2).await;
    let act = Command::Act { action: "a3e3".to_owned(), at: 0 };
    let first = clients[0].ask_as("same", act.clone()).await;
    assert_eq!(clients[0].ask_as("same", act).await, first);
    assert_eq!(clients[0].game().log().len(), 1);
    server.stop().await;
}

#[tokio::test]
async fn a_client_that_reconnects_gets_exactly_what_is_missing() {
    let server = Running::start().await;
    let (table, mut clients) = seated(&server, "quixo", 2).await;
    clients[0].play(0).await.unwrap();
    let away = clients.pop().unwrap();
    let seen = away.follower.as_ref().unwrap().seq;
    let (cookie, me) = (away.cookie.clone(), away.me.clone());
    drop(away);
    clients[0].ask(Command::Say { line: ChatLine::Phrase { phrase: Phrase::Hello } }).await;
    let mut back = Client::connect(server.address, Some(&cookie)).await;
    assert_eq!(back.me, me);
    back.send("w", Command::Watch { table, seen }).await;
    let mut numbers = Vec::new();
    loop {
        match back.receive_raw().await {
            ServerMessage::Event { seq, .. } => numbers.push(seq),
            ServerMessage::Acknowledged { .. } => break,
            _ => {}
        }
    }
    let last = clients[0].follower.as_ref().unwrap().seq;
    assert_eq!(numbers, (seen + 1..=last).collect::<Vec<_>>());
    server.stop().await;
}

#[tokio::test]
async fn what_is_not_allowed_is_refused_with_its_code_and_changes_nothing() {
    let server = Running::start().await;
    let (table, mut clients) = seated(&server, "quixo", 2).await;
    let act = |action: &str, at| Command::Act { action: action.to_owned(), at };
    assert_eq!(code(&clients[1].ask(act("a3e3", 0)).await), "not_your_turn");
    assert_eq!(code(&clients[0].ask(act("a3e3", 5)).await), "stale");
    assert_eq!(code(&clients[0].ask(act("nonsense", 0)).await), "unreadable_action");
    assert_eq!(code(&clients[0].ask(act("c3e3", 0)).await), "illegal_action");
    assert_eq!(code(&clients[0].ask(Command::Propose { offer: Offer::Takeback }).await), "nothing_to_take_back");
    assert_eq!(code(&clients[0].ask(Command::Agree { offer: Offer::Draw }).await), "nothing_proposed");
    assert_eq!(code(&clients[0].ask(Command::Sit { seat: None }).await), "begun");
    assert_eq!(
        code(&clients[0].ask(Command::Say { line: ChatLine::Team { text: "psst".to_owned() } }).await),
        "no_team"
    );
    assert_eq!(
        code(&clients[0].ask(Command::Say { line: ChatLine::Text { text: "x".repeat(301) } }).await),
        "bad_text"
    );
    let claim = Command::Claim { seat: Seat::TWO, claim: Claim::Win };
    assert_eq!(code(&clients[0].ask(claim).await), "not_away");
    let mut stranger = server.client().await;
    assert_eq!(code(&stranger.ask(act("a3e3", 0)).await), "not_watching");
    let nowhere = Command::Watch { table: "aaaaaaaaaaaa".to_owned(), seen: 0 };
    assert_eq!(code(&stranger.ask(nowhere).await), "no_table");
    stranger.ask(Command::Watch { table, seen: 0 }).await;
    assert_eq!(code(&stranger.ask(act("a3e3", 0)).await), "not_seated");
    assert_eq!(code(&stranger.ask(Command::Create(spec_of("chess"))).await), "bad_table");
    assert!(matches!(clients[0].ask(act("a3e3", 0)).await, ServerMessage::Acknowledged { .. }));
    server.stop().await;
}

#[tokio::test]
async fn draws_takebacks_and_rematches_are_agreed() {
    let server = Running::start().await;
    let (_, mut clients) = seated(&server, "quixo", 2).await;
    let (mut two, mut one) = (clients.pop().unwrap(), clients.pop().unwrap());
    one.play(3).await.unwrap();
    one.ask(Command::Propose { offer: Offer::Takeback }).await;
    let ServerMessage::Acknowledged { seq, .. } = two.ask(Command::Agree { offer: Offer::Takeback }).await else {
        panic!("not agreed")
    };
    one.until_seq(seq).await;
    assert_eq!((one.game().log().len(), two.game().log().len()), (0, 0));
    one.ask(Command::Propose { offer: Offer::Draw }).await;
    two.ask(Command::Decline { offer: Offer::Draw }).await;
    assert_eq!(code(&one.ask(Command::Propose { offer: Offer::Draw }).await), "another_proposal");
    two.ask(Command::Propose { offer: Offer::Draw }).await;
    let ServerMessage::Acknowledged { seq, .. } = one.ask(Command::Agree { offer: Offer::Draw }).await else {
        panic!("not agreed")
    };
    two.until_seq(seq).await;
    assert_eq!(two.follower.as_ref().unwrap().ended, Some((GameResult::Draw, EndCause::Agreement)));
    two.ask(Command::Propose { offer: Offer::Rematch }).await;
    let ServerMessage::Acknowledged { seq, .. } = one.ask(Command::Agree { offer: Offer::Rematch }).await else {
        panic!("not agreed")
    };
    two.until_seq(seq).await;
    let again = two.follower.as_ref().unwrap().again.clone().unwrap();
    one.ask(Command::Watch { table: again.clone(), seen: 0 }).await;
    two.ask(Command::Watch { table: again, seen: 0 }).await;
    let seat = |client: &Client| client.follower.as_ref().unwrap().table.you;
    assert_eq!((seat(&one), seat(&two)), (Some(Seat::TWO), Some(Seat::ONE)), "seats have moved on");
    assert!(two.play(0).await.is_some());
    server.stop().await;
}

#[tokio::test]
async fn a_card_that_was_seen_is_given_back_only_if_all_players_agree() {
    let server = Running::start().await;
    let (_, mut clients) = seated(&server, "sequence(players=3)", 3).await;
    let dealt = clients[0].game().log().len();
    let Some(ServerMessage::Acknowledged { seq, .. }) = clients[0].play(0).await else { panic!("not played") };
    clients[1].until_seq(seq).await;
    clients[1].play(0).await.unwrap();
    clients[0].ask(Command::Propose { offer: Offer::Takeback }).await;
    clients[1].ask(Command::Agree { offer: Offer::Takeback }).await;
    assert!(clients[1].game().log().len() > dealt, "the third has not been asked");
    let ServerMessage::Acknowledged { seq, .. } = clients[2].ask(Command::Agree { offer: Offer::Takeback }).await
    else {
        panic!("not agreed")
    };
    for client in &mut clients {
        client.until_seq(seq).await;
        assert_eq!(client.game().log().len(), dealt);
    }
    // Everybody can go on, and sees the same to the end.
    play_out(&mut clients, 4).await;
    let truth = clients[0].game().record().to_string();
    assert!(clients.iter().all(|client| client.game().record().to_string() == truth));
    server.stop().await;
}

#[tokio::test]
async fn a_flag_falls_without_any_client() {
    let server = Running::start().await;
    let mut one = server.client().await;
    let table = one.create(TableSpec { clock: "turn=0.4".to_owned(), ..spec_of("quixo") }).await;
    let mut two = server.client().await;
    two.join(&table).await;
    let cookie = one.cookie.clone();
    drop((one, two));
    tokio::time::sleep(std::time::Duration::from_millis(900)).await;
    let mut back = Client::connect(server.address, Some(&cookie)).await;
    back.ask(Command::Watch { table, seen: 0 }).await;
    let ended = back.follower.as_ref().unwrap().ended;
    assert_eq!(ended, Some((GameResult::SecondWins, EndCause::Time)));
    server.stop().await;
}

#[tokio::test]
async fn a_restart_loses_nothing_and_is_not_charged() {
    let server = Running::start().await;
    let mut one = server.client().await;
    let table = one.create(TableSpec { clock: "fischer=60+0".to_owned(), ..spec_of("quixo") }).await;
    let mut two = server.client().await;
    two.join(&table).await;
    one.until_seq(3).await;
    one.play(1).await.unwrap();
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    let (seen, cookie) = (one.follower.as_ref().unwrap().seq, two.cookie.clone());
    drop((one, two));
    let database = server.stop().await;
    tokio::time::sleep(std::time::Duration::from_millis(2500)).await;
    let server = Running::with(database, unlimited()).await;
    let mut two = Client::connect(server.address, Some(&cookie)).await;
    two.ask(Command::Watch { table, seen: 0 }).await;
    let follower = two.follower.as_ref().unwrap();
    assert_eq!(follower.seq, seen);
    let left = follower.clocks.as_ref().unwrap().left[1];
    assert!((58_000..=59_800).contains(&left), "about 0.3 s of its own, and nothing of the 2.5 s: {left}");
    assert!(two.play(0).await.is_some());
    server.stop().await;
}

#[tokio::test]
async fn a_player_who_is_away_for_long_loses_by_a_claim() {
    let config = server::Config { grace: std::time::Duration::from_millis(200), ..unlimited() };
    let server = Running::with(crate::common::scratch().await, config).await;
    let (_, mut clients) = seated(&server, "quixo", 2).await;
    let claimed = clients[0].ask(Command::Claim { seat: Seat::TWO, claim: Claim::Win }).await;
    assert_eq!(code(&claimed), "not_away");
    drop(clients.pop());
    clients[0].claim_absent(Seat::TWO, Claim::Win).await;
    let ended = clients[0].follower.as_ref().unwrap().ended;
    assert_eq!(ended, Some((GameResult::FirstWins, EndCause::Departure)));
    server.stop().await;
}

#[tokio::test]
async fn strangers_meet_by_quick_pairing() {
    let server = Running::start().await;
    let (mut one, mut two, mut three) = (server.client().await, server.client().await, server.client().await);
    let table = |message: ServerMessage| match message {
        ServerMessage::Acknowledged { table: Some(table), .. } => table,
        other => panic!("{other:?}"),
    };
    let first = table(one.ask(Command::Pair(spec_of("four"))).await);
    let second = table(two.ask(Command::Pair(spec_of("four"))).await);
    let third = table(three.ask(Command::Pair(spec_of("four"))).await);
    assert_eq!(first, second);
    assert_ne!(first, third, "the first table is full");
    server.stop().await;
}
