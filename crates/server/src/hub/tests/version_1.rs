//! A database that was written before stored events had a type of their own: it opens, replays and audits equal.

use std::fmt::Write as _;
use std::time::Duration;

use rules::{Seat, Viewer};
use sqlx::Connection as _;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};

use crate::store::{Place, Store, TableRow};
use crate::tables::{Table, TableSpec, read_entry, write_entry};

const DATABASE: &str = include_str!("../../../tests/fixtures/version_1.sql");
/// What the program that wrote it made of each table.
const EXPECTED: &str = include_str!("../../../tests/fixtures/version_1.expected");

async fn database() -> Place {
    let file = std::env::temp_dir().join(format!("fourfold-version-1-{}.db", std::process::id()));
    let _ = std::fs::remove_file(&file);
    let options = SqliteConnectOptions::new().filename(&file).create_if_missing(true);
    let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
    sqlx::raw_sql(DATABASE).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    Place::File(file)
}

fn table(row: &TableRow, lines: &[(i64, String)]) -> Table {
    let spec = TableSpec::read(&row.spec).unwrap();
    let entries = lines.iter().map(|(_, line)| read_entry(line).unwrap());
    Table::new(row.id.clone(), spec, row.maker.clone()).replay(entries, Duration::ZERO).unwrap()
}

/// A table in the words of the program that wrote the fixture.
fn described(row: &TableRow, lines: &[(i64, String)]) -> String {
    let table = table(row, lines);
    let ended = table.ending().map(|(result, cause)| format!("{} {cause}", game::result_word(*result)));
    let mut text = format!("table {}: {}, {} lines, ended {ended:?}\n", row.id, row.state, lines.len());
    if let Some(play) = table.play() {
        for viewer in [Viewer::Seat(Seat::ONE), Viewer::Spectator] {
            writeln!(text, "seen by {viewer:?}\n{}", play.record_for(viewer)).unwrap();
        }
        writeln!(text, "in full\n{}", play.record()).unwrap();
    }
    text
}

#[tokio::test]
async fn a_database_of_version_1_opens_replays_and_audits_equal() {
    let place = database().await;
    let store = Store::open(&place).await.unwrap();
    let mut tables = store.everything().await.unwrap();
    store.close().await;
    tables.sort_by(|one, two| one.0.created_at.cmp(&two.0.created_at).then(one.0.id.cmp(&two.0.id)));
    let found: String = tables.iter().map(|(row, lines)| described(row, lines)).collect();
    assert_eq!(found, EXPECTED);
    for (row, lines) in &tables {
        assert_eq!(TableSpec::read(&TableSpec::read(&row.spec).unwrap().write()), TableSpec::read(&row.spec));
        for (_, line) in lines {
            let entry = read_entry(line).unwrap();
            assert_eq!(read_entry(&write_entry(&entry)), Ok(entry), "{line}");
        }
    }
    let audits = crate::audit(&place, &[]).await.unwrap();
    assert_eq!(audits.len(), tables.len());
    for audit in &audits {
        assert_eq!(audit.problems, Vec::<String>::new());
    }
}
