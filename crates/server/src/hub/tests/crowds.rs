//! What one person can make many of.

use super::*;

/// A client that uses the same id for each of its tables made the server open all of them for each new one.
#[tokio::test]
async fn a_request_that_led_to_many_games_is_answered_without_opening_all_of_them() {
    let hub = alone("chain").await;
    let ann = Person { id: "ann".to_owned(), name: String::new(), kind: PersonKind::Guest };
    let spec = || TableSpec { bots: vec![None, Some(1)], ..spec_of("quixo", "none") };
    let mut made = std::collections::BTreeSet::new();
    for _ in 0..40 {
        let table = hub.create(&ann, "same", spec()).await.unwrap();
        assert_eq!(hub.create(&ann, "same", spec()).await.unwrap(), table, "the same until its game is over");
        let open = hub.open_table(&table).await.unwrap();
        hub.ask(&open, &ann, "resign", &Command::Resign {}, Duration::ZERO).await.unwrap();
        assert!(made.insert(table), "each is another");
    }
    hub.tables.clear();
    assert!(made.insert(hub.create(&ann, "same", spec()).await.unwrap()));
    assert!(hub.tables.len() < 20, "{} tables were opened", hub.tables.len());
}

/// Games by post are listed without their players, so one address could list thousands, which every client was sent.
#[tokio::test]
async fn the_lobby_is_short_and_shows_those_who_wait_first() {
    let hub = alone("crowd").await;
    let person = |id: String| Person { id, name: String::new(), kind: PersonKind::Guest };
    let spec = |clock: &str| TableSpec { access: Access::Open, ..spec_of("quixo", clock) };
    let mut live = Vec::new();
    for number in 0..3 {
        let name = format!("live{number}");
        let table = hub.create(&person(name.clone()), "new", spec("none")).await.unwrap();
        live.push(Client::at(&hub, &name, &table).await);
    }
    let mut by_post = Vec::new();
    for number in 0..520 {
        by_post.push(hub.create(&person(format!("p{number}")), "new", spec("turn=86400")).await.unwrap());
    }
    let listed: Vec<String> = hub.lobby().into_iter().map(|table| table.id).collect();
    assert_eq!(listed.len(), 500);
    assert!(live.iter().all(|client| listed.contains(&client.watch.open.id)), "a player waits there");
    assert!(by_post[500..].iter().all(|table| listed.contains(table)), "of the others the latest");
    assert!(!listed.contains(&by_post[0]));
}

/// Without a clock a game that was left never ends. A server that opened all of them at its start needed memory for each.
#[tokio::test]
async fn games_that_were_left_are_not_opened_when_a_server_starts() {
    let hub = alone("left").await;
    for number in 0..10 {
        let [ann, bob] = ["ann", "bob"].map(|name| format!("{name}{number}"));
        let person = |id: &str| Person { id: id.to_owned(), name: String::new(), kind: PersonKind::Guest };
        let table = hub.create(&person(&ann), "new", spec_of("quixo", "none")).await.unwrap();
        let open = hub.open_table(&table).await.unwrap();
        hub.ask(&open, &person(&bob), "sit", &Command::Sit { seat: None }, Duration::ZERO).await.unwrap();
    }
    let ann = Person { id: "ann".to_owned(), name: String::new(), kind: PersonKind::Guest };
    let bots = TableSpec { bots: vec![None, Some(1)], ..spec_of("quixo", "none") };
    let with_bot = hub.create(&ann, "bot", bots).await.unwrap();
    let clock = hub.create(&ann, "clock", spec_of("quixo", "turn=1")).await.unwrap();
    let open = hub.open_table(&clock).await.unwrap();
    let bob = Person { id: "bob".to_owned(), ..ann };
    hub.ask(&open, &bob, "sit", &Command::Sit { seat: None }, Duration::ZERO).await.unwrap();
    let config = Config { bot_threads: Some(1), ..Config::default() };
    let again = Hub::begin(hub.store.clone(), Bus::alone("again".to_owned()), config).await.unwrap();
    let until = Instant::now() + Duration::from_secs(15);
    while again.tables.get(&with_bot).is_none() || again.tables.get(&clock).is_none() {
        assert!(Instant::now() < until, "a bot may be to move, and a flag to fall");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(again.tables.len(), 2);
}
