//! What is deleted by itself, and what stays.

use super::*;
use crate::store::{SessionRow, Write};

#[tokio::test]
async fn guests_chat_and_empty_tables_expire_and_the_rest_stays() {
    let hub = alone("expiry").await;
    for guest in ["ann", "bob", "zoe"] {
        let at = if guest == "zoe" { hub.heartbeat.wall() } else { 1 };
        hub.store.keep_guest(guest, &guest.to_uppercase(), at).await.unwrap();
    }
    let (table, mut ann, mut bob) = seated(&[hub.clone(), hub.clone()], "quixo", "none").await;
    ann.ask(Command::Say { line: ChatLine::Text { text: "secret".to_owned() } }).await.unwrap();
    ann.ask(Command::Act { action: "a3e3".to_owned(), at: 0 }).await.unwrap();
    bob.ask(Command::Resign {}).await.unwrap();
    let empty = hub.create(&ann.me, "empty", TableSpec { seat: None, ..spec_of("four", "none") }).await.unwrap();
    hub.expire().await.unwrap();
    let kind = async |id: &str| hub.store.person(id).await.unwrap().unwrap().kind;
    let text = async || format!("{:?}", log(&hub, &table).await);
    assert!(text().await.contains("secret") && hub.store.table(&empty).await.unwrap().is_some(), "nothing is old");
    assert_eq!(kind("ann").await, "guest", "a guest with a recent game stays");
    hub.store.write(Write::default().also("UPDATE tables SET changed_at = 5", [])).await.unwrap();
    let before = log(&hub, &table).await;
    hub.expire().await.unwrap();
    let after = log(&hub, &table).await;
    assert!(!text().await.contains("secret") && !text().await.contains("ANN"), "{after:?}");
    assert_eq!((after.len(), entries(&after)), (before.len(), entries(&before)), "the game is whole");
    assert_eq!(hub.store.table(&empty).await.unwrap(), None);
    assert_eq!(hub.open_table(&empty).await.err(), Some(Refusal::NoTable), "it is not kept in memory either");
    assert_eq!((kind("ann").await.as_str(), kind("zoe").await.as_str()), ("gone", "guest"));
    // What is replayed from it says nothing in that place.
    hub.tables.clear();
    let mut late = Client::at(&hub, "zoe", &table).await;
    late.until(|follower| follower.seq == after.len() as u32).await;
    assert!(hub.store.tables_with_old_chat(i64::MAX, 9).await.unwrap().is_empty(), "each table once");
}

/// A session was kept for ever after its end, and with it a guest whose bot it was.
#[tokio::test]
async fn sessions_that_have_ended_expire_and_bots_and_guests_with_them() {
    let hub = alone("sessions").await;
    let token = |person: &str, expires_at: i64| SessionRow {
        token_hash: format!("hash of {person}"),
        person: person.to_owned(),
        kind: "bot".to_owned(),
        label: String::new(),
        created_at: 1,
        expires_at,
        used_at: None,
    };
    for guest in ["ann", "bob"] {
        hub.store.keep_guest(guest, guest, 1).await.unwrap();
    }
    hub.store.keep_bot("Marvin", "ann", token("marvin", i64::MAX), 9).await.unwrap();
    hub.store.keep_bot("Hal", "bob", token("hal", 2), 9).await.unwrap();
    hub.expire().await.unwrap();
    let kind = async |id: &str| hub.store.person(id).await.unwrap().unwrap().kind;
    assert!(hub.store.session("hash of marvin", 1).await.unwrap().is_some());
    assert_eq!((kind("ann").await.as_str(), kind("marvin").await.as_str()), ("guest", "bot"), "the token is valid");
    assert!(hub.store.session("hash of hal", 1).await.unwrap().is_none(), "at 1 it would still be valid");
    assert_eq!((kind("bob").await.as_str(), kind("hal").await.as_str()), ("gone", "gone"));
}
