//! Both stores keep the same promises; see also `tests/`, which runs on either.

use super::{Append, NewTable, Place, Store, StoreError};

fn scratch(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("fourfold-store-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    for ending in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{ending}", path.display()));
    }
    path
}

/// A file, or an empty database where one is offered.
async fn places(name: &str) -> Vec<Place> {
    let mut places = vec![Place::File(scratch(name))];
    if let Ok(address) = std::env::var("FOURFOLD_TEST_DATABASE") {
        let pool = sqlx::PgPool::connect(&address).await.unwrap();
        let database = format!("store_{}_{}", std::process::id(), name.replace('.', "_"));
        sqlx::query(sqlx::AssertSqlSafe(format!("CREATE DATABASE {database}"))).execute(&pool).await.unwrap();
        let (base, _) = address.rsplit_once('/').unwrap();
        places.push(Place::Postgres(format!("{base}/{database}")));
    }
    places
}

fn append(table: &str, after: u32, lines: &[&str]) -> Append {
    Append {
        table: table.to_owned(),
        new: None,
        after,
        lines: lines.iter().map(|line| (*line).to_owned()).collect(),
        state: "playing",
        at: 5,
        due_at: None,
        seats: None,
        speaker: None,
        ending: None,
        ratings: Vec::new(),
    }
}

fn create(table: &str, lines: &[&str]) -> Append {
    let new = NewTable { spec: "{}".to_owned(), game: "quixo".to_owned(), maker: "m".to_owned() };
    Append { new: Some(new), seats: Some(vec![(1, "ann".to_owned())]), ..append(table, 0, lines) }
}

#[tokio::test]
async fn a_log_grows_only_at_its_end() {
    for place in places("grows.db").await {
        let store = Store::open(&place).await.unwrap();
        store.append(create("t", &["a", "b"])).await.unwrap();
        assert!(matches!(store.append(create("t", &["x"])).await, Err(StoreError::Conflict)), "made twice");
        store.append(append("t", 2, &["c"])).await.unwrap();
        assert!(matches!(store.append(append("t", 2, &["c"])).await, Err(StoreError::Conflict)), "doubled");
        assert!(matches!(store.append(append("t", 9, &["d"])).await, Err(StoreError::Conflict)), "with a gap");
        assert!(matches!(store.append(append("u", 0, &["d"])).await, Err(StoreError::Conflict)), "to nothing");
        assert_eq!(store.table("t").await.unwrap().unwrap().lines, ["a", "b", "c"]);
        assert_eq!(store.table("u").await.unwrap(), None);
        assert_eq!(store.tables_of("ann", 9).await.unwrap().len(), 1);
        store.close().await;
    }
}

#[tokio::test]
async fn of_many_at_once_exactly_one_wins_each_place() {
    for place in places("race.db").await {
        let store = Store::open(&place).await.unwrap();
        store.append(create("t", &["a"])).await.unwrap();
        for after in 1..6 {
            let race = (0..20).map(|_| {
                let store = store.clone();
                tokio::spawn(async move { store.append(append("t", after, &["x"])).await.is_ok() })
            });
            let mut won = 0;
            for runner in race.collect::<Vec<_>>() {
                won += u32::from(runner.await.unwrap());
            }
            assert_eq!(won, 1);
        }
        assert_eq!(store.table("t").await.unwrap().unwrap().lines.len(), 6);
        store.close().await;
    }
}

#[tokio::test]
async fn a_file_of_the_first_version_is_brought_up_to_date() {
    let path = scratch("older.db");
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&path).create_if_missing(true);
    let pool = sqlx::SqlitePool::connect_with(options).await.unwrap();
    let mut first = super::migrator(super::sqlite::steps());
    first.migrations = first.migrations[..1].to_vec().into();
    first.run(&pool).await.unwrap();
    let row = "INSERT INTO tables (id, wish, game, maker, state, seq, created_at, changed_at) \
               VALUES ('t', '{}', 'quixo', 'm', 'over', 1, 1, 2)";
    sqlx::query(row).execute(&pool).await.unwrap();
    sqlx::query("INSERT INTO events VALUES ('t', 1, 'kept')").execute(&pool).await.unwrap();
    assert!(sqlx::query("SELECT * FROM ratings").fetch_optional(&pool).await.is_err(), "it is really older");
    pool.close().await;
    let store = Store::open(&Place::File(path)).await.unwrap();
    assert_eq!(store.table("t").await.unwrap().unwrap().lines, ["kept"]);
    assert_eq!(store.ratings("unknown").await.unwrap(), []);
    store.close().await;
}

/// Lets an older program's first steps happen, then its statements.
macro_rules! older {
    ($pool:expr, $steps:expr, $count:expr, $statements:expr) => {{
        let mut steps = super::migrator($steps);
        steps.migrations = steps.migrations[..$count].to_vec().into();
        steps.run(&$pool).await.unwrap();
        for statement in $statements {
            sqlx::query(statement).execute(&$pool).await.unwrap();
        }
        $pool.close().await;
    }};
}

#[tokio::test]
async fn bots_from_before_they_had_owners_are_still_let_in() {
    let old = [
        "INSERT INTO people (id, name, kind, created_at) VALUES ('old', 'Marvin', 'bot', 1)",
        "INSERT INTO sessions (token_hash, person, kind, label, created_at, expires_at) \
         VALUES ('h', 'old', 'bot', 'Marvin', 1, 10)",
    ];
    for place in places("bots.db").await {
        match &place {
            Place::File(path) => {
                let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path).create_if_missing(true);
                let pool = sqlx::SqlitePool::connect_with(options).await.unwrap();
                older!(pool, super::sqlite::steps(), 3, old);
            }
            Place::Postgres(address) => {
                let pool = sqlx::PgPool::connect(address).await.unwrap();
                older!(pool, super::postgres::steps(), 3, old);
            }
        }
        let store = Store::open(&place).await.unwrap();
        let session = store.session("h", 5).await.unwrap().unwrap();
        assert_eq!((session.person.as_str(), session.used_at), ("old", None));
        store.note_use("h", 5).await.unwrap();
        assert_eq!(store.session("h", 6).await.unwrap().unwrap().used_at, Some(5));
        let token = |person: &str| super::SessionRow {
            token_hash: format!("hash of {person}"),
            person: person.to_owned(),
            used_at: None,
            ..session.clone()
        };
        store.keep_bot("Deep Thought", "ann", token("new"), 2).await.unwrap();
        store.keep_bot("Eddie", "ann", token("second"), 2).await.unwrap();
        assert!(matches!(store.keep_bot("Ford", "ann", token("third"), 2).await, Err(StoreError::Conflict)), "enough");
        store.keep_bot("Ford", "bob", token("third"), 2).await.unwrap();
        let named = async |owner: &str| -> Vec<String> {
            store.bots_of(owner).await.unwrap().into_iter().map(|bot| bot.name).collect()
        };
        assert_eq!(named("ann").await, ["Deep Thought", "Eddie"]);
        assert!(matches!(store.withdraw("bob", "new").await, Err(StoreError::Conflict)), "another's");
        assert!(matches!(store.withdraw("ann", "old").await, Err(StoreError::Conflict)), "it has no owner");
        store.withdraw("ann", "new").await.unwrap();
        assert!(store.session("hash of new", 5).await.unwrap().is_none());
        assert_eq!(named("ann").await, ["Eddie"]);
        assert_eq!(store.made_by("ann").await.unwrap().len(), 2, "who was one is remembered");
        let asked = ["hash of second".to_owned(), "hash of new".to_owned(), "h".to_owned()];
        let mut valid = store.valid_of(&asked, 5).await.unwrap();
        valid.sort();
        assert_eq!(valid, ["h", "hash of second"]);
        assert!(store.valid_of(&asked, 10).await.unwrap().is_empty(), "expired");
        store.close().await;
    }
}

#[tokio::test]
async fn a_file_of_a_later_version_is_refused() {
    let path = scratch("newer.db");
    Store::open(&Place::File(path.clone())).await.unwrap().close().await;
    let pool = sqlx::SqlitePool::connect(&path.display().to_string()).await.unwrap();
    let row = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
               VALUES (99, 'later', 1, x'00', 0)";
    sqlx::query(row).execute(&pool).await.unwrap();
    pool.close().await;
    let refused = Store::open(&Place::File(path)).await.err();
    assert!(matches!(refused, Some(StoreError::Newer { found: 99, known }) if known == super::STEPS.len() as i64));
}

#[tokio::test]
async fn what_is_no_database_is_refused_with_its_name() {
    let path = scratch("text.db");
    std::fs::write(&path, "this is not a database, whatever its name says, and long enough to be looked at").unwrap();
    let error = Store::open(&Place::File(path)).await.err().unwrap().to_string();
    assert!(error.contains("database"), "{error}");
    let nowhere = Place::File("/proc/nowhere/fourfold.db".into());
    assert!(Store::open(&nowhere).await.is_err());
    let unreachable = Place::Postgres("postgres://none@127.0.0.1:1/none".to_owned());
    assert!(Store::open(&unreachable).await.is_err());
}

#[tokio::test]
async fn a_copy_is_made_while_the_server_writes_and_can_be_put_back() {
    let (path, copy) = (scratch("busy.db"), scratch("copy.db"));
    let place = Place::File(path);
    let store = Store::open(&place).await.unwrap();
    store.append(create("t", &["a"])).await.unwrap();
    let writer = {
        let store = store.clone();
        tokio::spawn(async move {
            for after in 1..200 {
                store.append(append("t", after, &["x"])).await.unwrap();
            }
        })
    };
    super::back_up(&place, &copy).await.unwrap();
    assert!(super::back_up(&place, &copy).await.is_err(), "a copy is not overwritten");
    writer.await.unwrap();
    store.close().await;
    drop(store);
    assert_eq!(super::restore(&copy, &place).await.unwrap(), 1);
    let store = Store::open(&place).await.unwrap();
    let table = store.table("t").await.unwrap().unwrap();
    assert_eq!(table.lines.len() as i64, table.row.seq, "the copy is of one moment");
    store.close().await;
    let nothing = scratch("nothing.txt");
    std::fs::write(&nothing, "x").unwrap();
    assert!(super::restore(&nothing, &place).await.is_err());
}

/// A cron job that finds a file takes it for a copy.
#[tokio::test]
async fn a_copy_that_cannot_be_made_leaves_no_file() {
    let (path, copy) = (scratch("no-database.db"), scratch("no-copy.db"));
    std::fs::write(&path, "this is not a database, whatever its name says, and long enough to be looked at").unwrap();
    assert!(super::back_up(&Place::File(path), &copy).await.is_err());
    assert!(!copy.exists());
}

#[tokio::test]
async fn a_file_that_this_program_could_not_serve_is_not_put_back() {
    let (path, other) = (scratch("kept.db"), scratch("foreign.db"));
    let place = Place::File(path);
    let store = Store::open(&place).await.unwrap();
    store.append(create("t", &["a"])).await.unwrap();
    store.close().await;
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&other).create_if_missing(true);
    let pool = sqlx::SqlitePool::connect_with(options).await.unwrap();
    sqlx::query("CREATE TABLE tables (id TEXT)").execute(&pool).await.unwrap();
    pool.close().await;
    let refused = super::restore(&other, &place).await.err().unwrap().to_string();
    assert!(refused.contains("no database of this program"), "{refused}");
    let newer = scratch("restore-newer.db");
    Store::open(&Place::File(newer.clone())).await.unwrap().close().await;
    let pool = sqlx::SqlitePool::connect(&newer.display().to_string()).await.unwrap();
    let row = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
               VALUES (99, 'later', 1, x'00', 0)";
    sqlx::query(row).execute(&pool).await.unwrap();
    pool.close().await;
    assert!(matches!(super::restore(&newer, &place).await, Err(StoreError::Newer { found: 99, .. })));
    let store = Store::open(&place).await.unwrap();
    assert_eq!(store.table("t").await.unwrap().unwrap().lines, ["a"], "what was there is there");
    store.close().await;
}

/// The file of a server that runs, or was killed: what was written last is in the journal beside it.
#[tokio::test]
async fn a_file_with_a_journal_is_put_back_with_what_the_journal_holds() {
    let (path, place) = (scratch("with-journal.db"), Place::File(scratch("put-back.db")));
    let store = Store::open(&Place::File(path.clone())).await.unwrap();
    store.append(create("t", &["a"])).await.unwrap();
    assert_eq!(super::restore(&path, &place).await.unwrap(), 1);
    let restored = Store::open(&place).await.unwrap();
    assert_eq!(restored.table("t").await.unwrap().unwrap().lines, ["a"]);
    restored.close().await;
    store.close().await;
}

#[tokio::test]
async fn people_sessions_and_ratings_are_kept_and_forgotten() {
    for place in places("people.db").await {
        let store = Store::open(&place).await.unwrap();
        store.keep_guest("ann", "Ann", 1).await.unwrap();
        let account = |id: &str, login: &str| super::PersonRow {
            id: id.to_owned(),
            name: "Ann".to_owned(),
            kind: "account".to_owned(),
            login: Some(login.to_owned()),
            password: Some("hash".to_owned()),
            created_at: 1,
        };
        store.keep_account(account("ann", "ann")).await.unwrap();
        assert!(
            matches!(store.keep_account(account("bob", "ann")).await, Err(StoreError::Conflict)),
            "the login is taken"
        );
        assert_eq!(store.person_by_login("ann").await.unwrap().unwrap().kind, "account");
        let session = super::SessionRow {
            token_hash: "h".to_owned(),
            person: "ann".to_owned(),
            kind: "browser".to_owned(),
            label: String::new(),
            created_at: 1,
            expires_at: 10,
            used_at: None,
        };
        store.keep_session(session.clone(), 3).await.unwrap();
        assert!(store.session("h", 9).await.unwrap().is_some());
        assert!(store.session("h", 11).await.unwrap().is_none(), "expired");
        store.remove_expired_sessions(9).await.unwrap();
        assert!(store.session("h", 9).await.unwrap().is_some(), "it has not expired yet");
        store.remove_expired_sessions(11).await.unwrap();
        assert!(store.session("h", 9).await.unwrap().is_none(), "it is not kept any longer");
        for number in 0..5 {
            let (token_hash, created_at) = (format!("h{number}"), number);
            store.keep_session(super::SessionRow { token_hash, created_at, ..session.clone() }, 3).await.unwrap();
        }
        let mut left = Vec::new();
        for number in 0..5 {
            left.push(store.session(&format!("h{number}"), 9).await.unwrap().is_some());
        }
        assert_eq!(left, [false, false, true, true, true], "the oldest are ended");
        store.keep_session(session, 3).await.unwrap();
        store.append(create("t", &[r#"{"by":"ann","what":{"name":"Ann"}}"#])).await.unwrap();
        let lines = store.lines_around("ann").await.unwrap();
        assert_eq!(lines.len(), 1);
        let without = |(table, seq, line): (String, i64, String)| (table, seq, line.replace("Ann", ""));
        store.forget("ann", lines.into_iter().map(without).collect()).await.unwrap();
        assert_eq!(store.session("h", 9).await.unwrap(), None);
        let gone = store.person("ann").await.unwrap().unwrap();
        assert_eq!((gone.kind.as_str(), gone.name.as_str(), gone.password), ("gone", "", None));
        assert_eq!(store.table("t").await.unwrap().unwrap().lines, [r#"{"by":"ann","what":{"name":""}}"#]);
        store.close().await;
    }
}

#[tokio::test]
async fn a_file_belongs_to_one_process_until_it_is_closed() {
    let (path, copy) = (scratch("locked.db"), scratch("unlocked-copy.db"));
    let place = Place::File(path.clone());
    let store = Store::open(&place).await.unwrap();
    store.append(create("t", &["a"])).await.unwrap();
    super::back_up(&place, &copy).await.unwrap();
    assert!(matches!(Store::open(&place).await.err(), Some(StoreError::Locked)));
    assert!(matches!(super::restore(&copy, &place).await, Err(StoreError::Locked)));
    let reader = Store::open_shared(&place).await.unwrap();
    assert_eq!(reader.table("t").await.unwrap().unwrap().lines, ["a"]);
    reader.close().await;
    store.close().await;
    let journal = std::path::PathBuf::from(format!("{}-wal", path.display()));
    assert!(!journal.exists(), "the journal is folded into the file");
    Store::open(&place).await.unwrap().close().await;
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_owner_can_read_a_database_and_its_copies() {
    use std::os::unix::fs::PermissionsExt as _;
    let (path, copy, again) = (scratch("rights.db"), scratch("rights-copy.db"), scratch("rights-restored.db"));
    let store = Store::open(&Place::File(path.clone())).await.unwrap();
    store.append(create("t", &["a"])).await.unwrap();
    super::back_up(&Place::File(path.clone()), &copy).await.unwrap();
    super::restore(&copy, &Place::File(again.clone())).await.unwrap();
    let journal = std::path::PathBuf::from(format!("{}-wal", path.display()));
    for file in [path, journal, copy, again] {
        let mode = std::fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{}", file.display());
    }
    store.close().await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_that_was_replaced_takes_no_more_writes() {
    let path = scratch("replaced.db");
    let store = Store::open(&Place::File(path.clone())).await.unwrap();
    store.append(create("t", &["a"])).await.unwrap();
    std::fs::rename(&path, path.with_extension("moved")).unwrap();
    assert!(matches!(store.append(append("t", 1, &["b"])).await, Err(StoreError::Replaced)));
    store.replaced().await;
    std::fs::write(&path, "").unwrap();
    assert!(matches!(store.append(append("t", 1, &["b"])).await, Err(StoreError::Replaced)), "another file");
    store.close().await;
}

#[tokio::test]
async fn empty_tables_expire_and_others_stay() {
    for place in places("expire.db").await {
        let store = Store::open(&place).await.unwrap();
        let waiting = |table: &str| Append { state: "waiting", ..create(table, &["a"]) };
        store.append(Append { seats: None, ..waiting("empty") }).await.unwrap();
        store.append(waiting("taken")).await.unwrap();
        store.append(Append { seats: None, ..create("playing", &["a"]) }).await.unwrap();
        store.expire_empty(5).await.unwrap();
        assert!(store.table("empty").await.unwrap().is_some(), "it has not waited long enough");
        store.expire_empty(6).await.unwrap();
        assert!(store.table("empty").await.unwrap().is_none());
        assert!(store.lines_after("empty", 0).await.unwrap().is_empty());
        for table in ["taken", "playing"] {
            assert!(store.table(table).await.unwrap().is_some(), "{table}");
        }
        // A person who is forgotten does not come back to it.
        store.keep_guest("ann", "Ann", 1).await.unwrap();
        assert_eq!(store.expire_empty(6).await.unwrap(), [""; 0]);
        store.forget("ann", Vec::new()).await.unwrap();
        assert_eq!(store.expire_empty(6).await.unwrap(), ["taken"]);
        assert!(store.table("taken").await.unwrap().is_none());
        assert!(store.tables_of("ann", 9).await.unwrap().iter().all(|row| row.id == "playing"));
        store.close().await;
    }
}

/// A game that was left in the middle never ends without a clock, and kept its players for ever.
#[tokio::test]
async fn guests_expire_though_they_left_a_game_in_the_middle() {
    for place in places("quiet.db").await {
        let store = Store::open(&place).await.unwrap();
        let at = |person: &str, append: Append| Append { seats: Some(vec![(1, person.to_owned())]), ..append };
        for guest in ["ann", "bob", "cat", "dan"] {
            store.keep_guest(guest, "", 1).await.unwrap();
        }
        store.append(at("ann", create("left", &["a"]))).await.unwrap();
        store.append(at("bob", Append { state: "waiting", ..create("waiting", &["a"]) })).await.unwrap();
        store.append(at("cat", Append { due_at: Some(9), ..create("running", &["a"]) })).await.unwrap();
        store.append(at("dan", Append { at: 6, ..create("recent", &["a"]) })).await.unwrap();
        let mut quiet = store.quiet_guests(6, 9).await.unwrap();
        quiet.sort();
        assert_eq!(quiet, ["ann", "bob"]);
        store.close().await;
    }
}
