//! How a server is set up: by flags, by the environment, by a file, and by what is sensible without any of them.

use std::fmt::{self, Write as _};
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use search::Knowledge;
use serde::Deserialize;

use crate::bus::BusPlace;
use crate::store::Place;

/// Everything that can be set.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address of this machine to listen at.
    pub address: IpAddr,
    /// The port; 0 takes any free one.
    pub port: u16,
    /// Where everything is kept.
    pub database: Place,
    /// The address people use, such as `https://play.example.org`; only pages from there may connect.
    pub public: Option<String>,
    /// Whose word about forwarded addresses counts.
    pub trusted_proxies: Vec<IpAddr>,
    /// The most tables in memory.
    pub most_tables: usize,
    /// The most connections.
    pub most_connections: usize,
    /// How many threads think for bots.
    pub bot_threads: usize,
    /// A folder of tables for its bots, opened by the program that starts the server.
    pub tablebase: Option<PathBuf>,
    /// What that folder holds, for the bots and the analyses.
    pub knowledge: Knowledge,
    /// How long somebody must be away before others may claim anything.
    pub grace: Duration,
    /// Requests per second and address, with ten times as many at once; 0 for no limit.
    pub requests_per_second: u32,
    /// Messages per second and connection, with five times as many at once; 0 for no limit.
    pub messages_per_second: u32,
    /// The broker that joins several nodes; none for one alone.
    pub bus: Option<BusPlace>,
    /// New tables are refused while more writes than this wait for the database.
    pub most_writes: usize,
    /// New tables are refused while a write takes longer than this.
    pub slowest_write: Duration,
    /// How long a node that is told to stop goes on while a load balancer notices.
    pub drain: Duration,
    /// How many clients a second are told to go elsewhere when the server stops, so that not all of them come to another
    /// node in one moment; 0 for all at once.
    pub handover_per_second: u32,
    /// How logs are written.
    pub log: LogForm,
    /// How far this machine's clock is ahead, in milliseconds: for tests of clocks that differ.
    pub(crate) clock_ahead: i64,
}

/// How logs are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogForm {
    /// Lines for people.
    Text,
    /// A JSON object per line.
    Json,
}

/// What one source says; what it leaves out is for the next.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layer {
    /// See [`Config::address`].
    pub address: Option<IpAddr>,
    /// See [`Config::port`].
    pub port: Option<u16>,
    /// See [`Config::database`].
    pub database: Option<String>,
    /// See [`Config::public`].
    pub public: Option<String>,
    /// See [`Config::trusted_proxies`].
    pub trusted_proxies: Option<Vec<IpAddr>>,
    /// See [`Config::most_tables`].
    pub most_tables: Option<usize>,
    /// See [`Config::most_connections`].
    pub most_connections: Option<usize>,
    /// See [`Config::bot_threads`].
    pub bot_threads: Option<usize>,
    /// See [`Config::tablebase`].
    pub tablebase: Option<PathBuf>,
    /// See [`Config::grace`], in seconds.
    pub grace: Option<u64>,
    /// See [`Config::requests_per_second`].
    pub requests_per_second: Option<u32>,
    /// See [`Config::messages_per_second`].
    pub messages_per_second: Option<u32>,
    /// The address of [`Config::bus`].
    pub bus: Option<String>,
    /// See [`BusPlace::prefix`].
    pub bus_prefix: Option<String>,
    /// See [`Config::most_writes`].
    pub most_writes: Option<usize>,
    /// See [`Config::slowest_write`], in milliseconds.
    pub slowest_write: Option<u64>,
    /// See [`Config::drain`], in seconds.
    pub drain: Option<u64>,
    /// See [`Config::handover_per_second`].
    pub handover_per_second: Option<u32>,
    /// `text` or `json`.
    pub log: Option<String>,
}

/// A setting that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadConfig(String);

impl fmt::Display for BadConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadConfig {}

impl Layer {
    /// Reads a file.
    pub fn from_file(text: &str) -> Result<Layer, BadConfig> {
        toml::from_str(text).map_err(|problem| BadConfig(problem.to_string().trim().to_owned()))
    }

    /// Reads `FOURFOLD_PORT` and the like; lists are separated by commas.
    pub fn from_environment(variables: impl Iterator<Item = (String, String)>) -> Result<Layer, BadConfig> {
        let mut text = String::new();
        for (name, value) in variables {
            let Some(name) = name.strip_prefix("FOURFOLD_").map(str::to_lowercase) else { continue };
            let quoted = |value: &str| format!("{:?}", value.trim());
            let value = match name.as_str() {
                "trusted_proxies" => {
                    let items: Vec<String> = value.split(',').filter(|item| !item.is_empty()).map(quoted).collect();
                    format!("[{}]", items.join(","))
                }
                "address" | "database" | "public" | "tablebase" | "log" | "bus" | "bus_prefix" => quoted(&value),
                "port"
                | "most_tables"
                | "most_connections"
                | "bot_threads"
                | "grace"
                | "most_writes"
                | "slowest_write"
                | "drain"
                | "handover_per_second"
                | "requests_per_second"
                | "messages_per_second" => value,
                // Other programs of ours may have variables too.
                _ => continue,
            };
            let line = format!("{name} = {value}\n");
            Layer::from_file(&line)
                .map_err(|problem| BadConfig(format!("FOURFOLD_{}: {problem}", name.to_uppercase())))?;
            text.push_str(&line);
        }
        Layer::from_file(&text)
    }
}

impl Config {
    /// Puts layers together; the first that says something counts.
    pub fn from_layers(layers: &[Layer]) -> Result<Config, BadConfig> {
        fn first<T: Clone>(layers: &[Layer], field: impl Fn(&Layer) -> &Option<T>) -> Option<T> {
            layers.iter().find_map(|layer| field(layer).clone())
        }
        let usual = Config::default();
        let log = match first(layers, |layer| &layer.log).as_deref() {
            None | Some("text") => LogForm::Text,
            Some("json") => LogForm::Json,
            Some(other) => return Err(BadConfig(format!("log cannot be {other:?}: possible are text and json"))),
        };
        let public = first(layers, |layer| &layer.public).map(|public| public.trim_end_matches('/').to_owned());
        if let Some(public) = public.as_deref().filter(|public| !is_origin(public)) {
            return Err(BadConfig(format!("public cannot be {public:?}: expected https://play.example.org")));
        }
        let database = first(layers, |layer| &layer.database);
        let prefix = first(layers, |layer| &layer.bus_prefix).unwrap_or_else(|| "fourfold".to_owned());
        if !is_prefix(&prefix) {
            return Err(BadConfig(format!("bus_prefix cannot be {prefix:?}: up to 32 letters, digits and dashes")));
        }
        let bus = first(layers, |layer| &layer.bus).filter(|address| !address.is_empty());
        if let Some(bus) = bus.as_deref().filter(|bus| !bus.contains("://")) {
            return Err(BadConfig(format!("bus cannot be {bus:?}: expected nats://host:4222")));
        }
        Ok(Config {
            address: first(layers, |layer| &layer.address).unwrap_or(usual.address),
            port: first(layers, |layer| &layer.port).unwrap_or(usual.port),
            database: database.map_or(usual.database, |text| match text.parse() {
                Ok(place) => place,
                Err(never) => match never {},
            }),
            public,
            trusted_proxies: first(layers, |layer| &layer.trusted_proxies).unwrap_or(usual.trusted_proxies),
            most_tables: first(layers, |layer| &layer.most_tables).unwrap_or(usual.most_tables),
            most_connections: first(layers, |layer| &layer.most_connections).unwrap_or(usual.most_connections),
            bot_threads: first(layers, |layer| &layer.bot_threads).unwrap_or(usual.bot_threads),
            tablebase: first(layers, |layer| &layer.tablebase),
            knowledge: Knowledge::default(),
            grace: first(layers, |layer| &layer.grace).map_or(usual.grace, Duration::from_secs),
            requests_per_second: first(layers, |layer| &layer.requests_per_second).unwrap_or(usual.requests_per_second),
            messages_per_second: first(layers, |layer| &layer.messages_per_second).unwrap_or(usual.messages_per_second),
            bus: bus.map(|address| BusPlace { address, prefix }),
            most_writes: first(layers, |layer| &layer.most_writes).unwrap_or(usual.most_writes),
            slowest_write: first(layers, |layer| &layer.slowest_write)
                .map_or(usual.slowest_write, Duration::from_millis),
            drain: first(layers, |layer| &layer.drain).map_or(usual.drain, Duration::from_secs),
            handover_per_second: first(layers, |layer| &layer.handover_per_second).unwrap_or(usual.handover_per_second),
            log,
            clock_ahead: 0,
        })
    }
}

fn is_prefix(text: &str) -> bool {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    !text.is_empty() && text.len() <= 32 && text.chars().all(fits)
}

fn is_origin(text: &str) -> bool {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    host.is_some_and(|host| !host.is_empty() && !host.contains(['/', ' ', '"', '\\']))
}

impl Default for Config {
    fn default() -> Config {
        let threads = std::thread::available_parallelism().map_or(1, |cores| cores.get() / 2);
        Config {
            address: IpAddr::from([127, 0, 0, 1]),
            port: 8080,
            database: Place::File(data_folder().join("fourfold.db")),
            public: None,
            trusted_proxies: Vec::new(),
            most_tables: 20_000,
            most_connections: 40_000,
            bot_threads: threads.max(1),
            tablebase: None,
            knowledge: Knowledge::default(),
            grace: Duration::from_secs(60),
            requests_per_second: 20,
            messages_per_second: 20,
            bus: None,
            most_writes: 1000,
            slowest_write: Duration::from_millis(1000),
            drain: Duration::ZERO,
            handover_per_second: 2000,
            log: LogForm::Text,
            clock_ahead: 0,
        }
    }
}

/// Where a user's programs keep data on this system.
fn data_folder() -> PathBuf {
    let folder = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || {
        folder("HOME").map(|home| {
            home.join(if cfg!(target_os = "macos") { "Library/Application Support" } else { ".local/share" })
        })
    };
    let base = folder("XDG_DATA_HOME").or_else(|| if cfg!(windows) { folder("LOCALAPPDATA") } else { home() });
    base.unwrap_or_default().join("fourfold")
}

/// The configuration as a file that says the same.
impl fmt::Display for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        writeln!(text, "address = \"{}\"", self.address)?;
        writeln!(text, "port = {}", self.port)?;
        writeln!(text, "database = {:?}", self.database.to_string())?;
        match &self.public {
            Some(public) => writeln!(text, "public = {public:?}")?,
            None => writeln!(text, "# public = \"https://play.example.org\"")?,
        }
        let proxies: Vec<String> = self.trusted_proxies.iter().map(|proxy| format!("\"{proxy}\"")).collect();
        writeln!(text, "trusted_proxies = [{}]", proxies.join(", "))?;
        writeln!(text, "most_tables = {}", self.most_tables)?;
        writeln!(text, "most_connections = {}", self.most_connections)?;
        writeln!(text, "bot_threads = {}", self.bot_threads)?;
        match &self.tablebase {
            Some(folder) => writeln!(text, "tablebase = {:?}", folder.display().to_string())?,
            None => writeln!(text, "# tablebase = \"/var/lib/fourfold/quixo\"")?,
        }
        writeln!(text, "grace = {}", self.grace.as_secs())?;
        writeln!(text, "requests_per_second = {}", self.requests_per_second)?;
        writeln!(text, "messages_per_second = {}", self.messages_per_second)?;
        match &self.bus {
            Some(bus) => {
                writeln!(text, "bus = {:?}", bus.to_string())?;
                writeln!(text, "bus_prefix = {:?}", bus.prefix)?;
            }
            None => writeln!(text, "# bus = \"nats://127.0.0.1:4222\"")?,
        }
        writeln!(text, "most_writes = {}", self.most_writes)?;
        writeln!(text, "slowest_write = {}", self.slowest_write.as_millis())?;
        writeln!(text, "drain = {}", self.drain.as_secs())?;
        writeln!(text, "handover_per_second = {}", self.handover_per_second)?;
        writeln!(text, "log = \"{}\"", if self.log == LogForm::Json { "json" } else { "text" })?;
        f.write_str(&text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(pairs: &[(&str, &str)]) -> Result<Layer, BadConfig> {
        Layer::from_environment(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())))
    }

    #[test]
    fn the_first_layer_that_says_something_counts() {
        let flags = Layer { port: Some(1), ..Layer::default() };
        let variables = environment(&[("FOURFOLD_PORT", "2"), ("FOURFOLD_GRACE", "7"), ("PATH", "x")]).unwrap();
        let file = Layer::from_file("port = 3\ngrace = 8\nlog = \"json\"").unwrap();
        let config = Config::from_layers(&[flags, variables, file]).unwrap();
        assert_eq!((config.port, config.grace.as_secs(), config.log), (1, 7, LogForm::Json));
    }

    #[test]
    fn what_is_printed_can_be_read_and_says_the_same() {
        let variables = environment(&[
            ("FOURFOLD_PUBLIC", "https://play.example.org/"),
            ("FOURFOLD_TRUSTED_PROXIES", "127.0.0.1,::1"),
            ("FOURFOLD_DATABASE", "a \"b\".db"),
            ("FOURFOLD_TABLEBASE", "quixo"),
        ]);
        let config = Config::from_layers(&[variables.unwrap()]).unwrap();
        let again = Config::from_layers(&[Layer::from_file(&config.to_string()).unwrap()]).unwrap();
        assert_eq!(config.to_string(), again.to_string());
        assert_eq!(config.public.as_deref(), Some("https://play.example.org"));
        assert_eq!(config.trusted_proxies.len(), 2);
        assert_eq!(again.tablebase.as_deref(), Some(std::path::Path::new("quixo")));
    }

    #[test]
    fn bad_settings_are_named() {
        assert!(Layer::from_file("prot = 1").unwrap_err().to_string().contains("prot"));
        assert!(environment(&[("FOURFOLD_PORT", "many")]).unwrap_err().to_string().contains("FOURFOLD_PORT"));
        let bad = |layer| Config::from_layers(&[layer]).unwrap_err().to_string();
        assert!(bad(Layer { log: Some("xml".into()), ..Layer::default() }).contains("text and json"));
        assert!(bad(Layer { public: Some("example".into()), ..Layer::default() }).contains("https://"));
    }

    #[test]
    fn a_password_is_not_printed() {
        let place: Place = "postgres://ada:secret@db/fourfold".parse().unwrap();
        assert_eq!(place.to_string(), "postgres://…@db/fourfold");
    }
}
