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
    let left_out = by_post.iter().position(|table| listed.contains(table)).unwrap() - 1;
    assert!(!hub.lobby_message().contains(&by_post[left_out]));
    let _client = Client::at(&hub, &format!("p{left_out}"), &by_post[left_out]).await;
    assert!(hub.lobby_message().contains(&by_post[left_out]), "its player has come back");
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

/// Each table of bots alone was thought about at once, and one person could start twenty a minute.
#[tokio::test]
async fn games_among_bots_go_on_a_few_at_a_time() {
    let hub = alone("bots_alone").await;
    let ann = Person { id: "ann".to_owned(), name: String::new(), kind: PersonKind::Guest };
    let among_bots = || TableSpec { seat: None, bots: vec![Some(1), Some(1)], ..spec_of("quixo", "none") };
    let mut tables = Vec::new();
    for number in 0..12 {
        tables.push(hub.create(&ann, &number.to_string(), among_bots()).await.unwrap());
    }
    let begun = async || {
        let mut begun = 0;
        for table in &tables {
            let open = hub.open_table(table).await.unwrap();
            let state = open.state.lock().await;
            begun += usize::from(state.table.play().is_some_and(|play| !play.log().is_empty()));
        }
        begun
    };
    let until = Instant::now() + Duration::from_secs(30);
    while begun().await < 4 {
        assert!(Instant::now() < until, "four go on");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // Longer than it takes to replace a bot that does not move.
    tokio::time::sleep(Duration::from_secs(6)).await;
    let count = begun().await;
    assert!((4..8).contains(&count), "the others stand still until they are watched: {count}");
    // A person's own game is not held up by them.
    let began = Instant::now();
    let bots = vec![None, Some(1)];
    let own = hub.create(&ann, "own", TableSpec { bots, ..spec_of("quixo", "none") }).await.unwrap();
    let mut client = Client::at(&hub, "ann", &own).await;
    client.ask(Command::Act { action: "a3e3".to_owned(), at: 0 }).await.unwrap();
    client.until(|follower| follower.game.as_ref().is_some_and(|game| game.log().len() == 2)).await;
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
}

/// One address could have thousands of games that were left in the middle opened by reading one after another.
#[tokio::test]
async fn a_game_that_is_only_read_is_closed_soon() {
    let hub = alone("only_read").await;
    let (table, ann, bob) = seated(&[hub.clone(), hub.clone()], "quixo", "none").await;
    drop((ann, bob));
    hub.tables.close_idle(hub.now() + Duration::from_secs(20));
    assert!(hub.tables.get(&table).is_some(), "its players were here a moment ago");
    hub.tables.clear();
    hub.open_table(&table).await.unwrap();
    hub.tables.close_idle(hub.now() + Duration::from_secs(9));
    assert!(hub.tables.get(&table).is_some());
    hub.tables.close_idle(hub.now() + Duration::from_secs(20));
    assert!(hub.tables.get(&table).is_none(), "nothing has happened since it was read");
    drop(Client::at(&hub, "zoe", &table).await);
    let until = Instant::now() + Duration::from_secs(10);
    while hub.tables.get(&table).is_some() {
        assert!(Instant::now() < until, "nor for a spectator who came and went");
        tokio::time::sleep(Duration::from_millis(20)).await;
        hub.tables.close_idle(hub.now() + Duration::from_secs(20));
    }
    let mut ann = Client::at(&hub, "ann", &table).await;
    hub.tables.close_idle(hub.now() + Duration::from_secs(1_000));
    assert!(hub.tables.get(&table).is_some(), "a client watches");
    ann.ask(Command::Act { action: "a3e3".to_owned(), at: 0 }).await.unwrap();
    drop(ann);
    hub.tables.close_idle(hub.now() + Duration::from_secs(20));
    assert!(hub.tables.get(&table).is_some(), "it has gone on");
}

/// The list of five hundred tables was written anew for each of hundreds of clients.
#[tokio::test]
async fn the_list_of_the_lobby_is_written_once_for_all_clients() {
    let hub = alone("lobby_message").await;
    let ann = Person { id: "ann".to_owned(), name: String::new(), kind: PersonKind::Guest };
    let empty = hub.lobby_message();
    let spec = TableSpec { access: Access::Open, ..spec_of("quixo", "turn=86400") };
    let table = hub.create(&ann, "new", spec).await.unwrap();
    let listed = hub.lobby_message();
    assert!(listed.contains(&table) && !empty.contains(&table));
    assert_eq!(listed.as_str().as_ptr(), hub.lobby_message().as_str().as_ptr(), "the same bytes");
}
