//! `fourfold operator`: looks after a running server by requests to it. The key for them is in the server's database, which only
//! its owner can read.

use std::io::{Read as _, Write as _};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use clap::{Args, Subcommand};
use locale::Language;
use serde_json::{Value, json};
use server::Place;

use crate::error::CliError;

/// What to do, and where.
#[derive(Debug, Args)]
pub(crate) struct OperatorArguments {
    #[command(subcommand)]
    task: Task,
    /// The server's database, which has the key; default: where `fourfold serve` puts it.
    #[arg(long, global = true, value_name = "FILE|URL", env = "FOURFOLD_DATABASE", hide_env_values = true)]
    database: Option<Place>,
    /// Address of the server on this machine.
    #[arg(long, global = true, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    server: String,
    /// Print the answer as JSON.
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// List the tables that wait or are played at.
    Tables,
    /// End a table.
    End {
        /// Its id.
        table: String,
    },
    /// Ban an address, an account or a guest.
    Ban {
        /// An address, a name or an id; address:, name: or id: before it says which.
        target: String,
        /// A note.
        #[arg(long)]
        reason: Option<String>,
    },
    /// Lift a ban.
    Unban {
        /// An address, a name or an id; address:, name: or id: before it says which.
        target: String,
    },
    /// List the bans.
    Bans,
    /// List what players have reported.
    Reports,
}

/// How long the server may take to answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// Does it, and prints what the server answers.
pub(crate) fn run(arguments: &OperatorArguments, language: Language) -> Result<(), CliError> {
    let place = arguments.database.clone().unwrap_or_default();
    let key = tokio::runtime::Runtime::new()?.block_on(server::operator_key(&place))?;
    let key = key.ok_or_else(|| CliError::new(language.operator_no_key(&place)))?;
    let (method, path, body) = match &arguments.task {
        Task::Tables => ("GET", "tables".to_owned(), Value::Null),
        Task::End { table } => ("POST", format!("tables/{table}/end"), Value::Null),
        Task::Ban { target, reason } => {
            ("POST", "bans".to_owned(), json!({ "target": target, "reason": reason.as_deref().unwrap_or_default() }))
        }
        Task::Unban { target } => ("POST", "unban".to_owned(), json!({ "target": target })),
        Task::Bans => ("GET", "bans".to_owned(), Value::Null),
        Task::Reports => ("GET", "reports".to_owned(), Value::Null),
    };
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let answer = request(&arguments.server, &key, method, &path, &body)
        .map_err(|problem| CliError::new(language.operator_no_server(&arguments.server, problem)))?;
    let Answer { status, text } = answer;
    let value: Value = serde_json::from_str(&text).unwrap_or_default();
    if !(200..300).contains(&status) {
        let problem = value["text"].as_str().map_or_else(|| status.to_string(), str::to_owned);
        return Err(CliError::new(language.operator_refused(problem)));
    }
    match &value {
        value if arguments.json => println!("{value}"),
        Value::Array(rows) if rows.is_empty() => println!("{}", language.operator_none()),
        Value::Array(rows) => rows.iter().for_each(|row| println!("{}", line(row, columns(&arguments.task)))),
        _ => println!("{}", language.operator_done()),
    }
    Ok(())
}

/// The fields that a list shows, in their order.
fn columns(task: &Task) -> &'static [&'static str] {
    match task {
        Task::Tables => &["id", "state", "game", "access", "players", "created_at", "changed_at"],
        Task::Bans => &["target", "reason", "at"],
        Task::Reports => &["at", "table", "seq", "speaker", "line", "by", "words"],
        Task::End { .. } | Task::Ban { .. } | Task::Unban { .. } => &[],
    }
}

/// The fields of an object on one line, times as dates.
fn line(row: &Value, columns: &[&str]) -> String {
    let text = |name: &&str| match &row[*name] {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(|it| it.as_str().unwrap_or("–")).collect::<Vec<_>>().join(", "),
        Value::Number(at) if name.ends_with("at") => date(at.as_i64().unwrap_or_default()),
        other => other.to_string(),
    };
    columns.iter().map(text).filter(|text| !text.is_empty()).collect::<Vec<_>>().join("  ")
}

fn date(milliseconds: i64) -> String {
    jiff::Timestamp::from_second(milliseconds.div_euclid(1000)).map(|at| at.to_string()).unwrap_or_default()
}

struct Answer {
    status: u16,
    text: String,
}

/// One request over plain HTTP: the server is on this machine.
fn request(server: &str, key: &str, method: &str, path: &str, body: &str) -> std::io::Result<Answer> {
    let host = server.trim_start_matches("http://").trim_end_matches('/');
    let address = host.to_socket_addrs()?.next().ok_or(std::io::ErrorKind::NotFound)?;
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let length = body.len();
    // Version 1.0: the answer ends with the connection, in one piece.
    write!(
        stream,
        "{method} /api/operator/{path} HTTP/1.0\r\nhost: {host}\r\nauthorization: Bearer {key}\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (head, text) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).ok_or(std::io::ErrorKind::InvalidData)?;
    Ok(Answer { status, text: text.to_owned() })
}
