//! What a client is sent when it goes from table to table, or reads too slowly.

use super::*;

/// All that waits for a client.
async fn waiting(inlet: &mut Inlet) -> Vec<String> {
    let mut texts = Vec::new();
    while let Ok(Some(mut queued)) = tokio::time::timeout(Duration::from_millis(100), inlet.next()).await {
        match std::mem::replace(&mut queued.out, Out::Many(Vec::new())) {
            Out::One(text) => texts.push(text.to_string()),
            Out::Many(many) => texts.extend(many.iter().map(ToString::to_string)),
            Out::Close(code) => panic!("closed: {code:?}"),
        }
    }
    texts
}

#[tokio::test]
async fn no_event_of_a_table_follows_the_first_message_of_another() {
    let hub = alone("moves_on").await;
    let (first, ann, _bob) = seated(&[hub.clone(), hub.clone()], "quixo", "none").await;
    let second = hub.create(&ann.me, "second", spec_of("quixo", "none")).await.unwrap();
    let cat = Person { id: "cat".to_owned(), name: "CAT".to_owned(), kind: PersonKind::Guest };
    let (outlet, mut inlet) = Outlet::new();
    let watch = hub.watch(&first, &cat, 0, &outlet).await.unwrap();
    // A write at the first table takes long, and what it led to is published after the client has gone.
    let open = hub.open_table(&first).await.unwrap();
    let mut state = open.state.lock().await;
    drop(watch);
    let _watch = hub.watch(&second, &cat, 0, &outlet).await.unwrap();
    state.publish(0, &hub);
    state.publish_presence(&hub);
    drop(state);
    let texts = waiting(&mut inlet).await;
    let last_table = texts.iter().rposition(|text| text.contains("\"type\":\"table\"")).unwrap();
    assert!(texts[last_table].contains(&second), "{texts:?}");
    let events = texts[last_table..].iter().filter(|text| text.contains("\"type\":\"event\"")).count();
    assert_eq!(events, 1, "the seat of the second table: {texts:?}");
}

#[tokio::test]
async fn a_player_who_was_cut_off_is_away_since_then_and_is_sent_nothing_after_a_gap() {
    let hub = alone("cut_off").await;
    let (table, ann, mut bob) = seated(&[hub.clone(), hub.clone()], "quixo", "none").await;
    drop(ann);
    tokio::time::sleep(Duration::from_millis(700)).await;
    let open = hub.open_table(&table).await.unwrap();
    let cut = hub.now();
    let mut state = open.state.lock().await;
    let before = waiting(&mut bob.received).await.len();
    for _ in 0..300 {
        state.publish_presence(&hub);
    }
    drop(state);
    bob.received.cut().notified().await;
    assert!(before < 256);
    assert_eq!(waiting(&mut bob.received).await.len(), 256, "what fits");
    open.state.lock().await.publish_presence(&hub);
    assert!(waiting(&mut bob.received).await.is_empty(), "there is room again, and a gap before it");
    drop(bob);
    tokio::time::sleep(Duration::from_millis(50)).await;
    let absence = open.state.lock().await.presence.absence("bob", hub.now());
    assert!(absence <= hub.now() - cut, "{absence:?}");
}
