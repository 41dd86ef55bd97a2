//! How a server is set up. Each setting is declared once, in [`Config`]: clap reads it from a flag or the environment,
//! serde from a file, and `Default` has the value without any of them.

use std::fmt;
use std::net::IpAddr;
use std::num::ParseIntError;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, ValueEnum};
use search::Knowledge;
use serde::{Deserialize, Serialize};

use crate::store::Place;

/// Every setting.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Address of this machine to listen at.
    #[arg(long, env = "FOURFOLD_ADDRESS")]
    pub address: IpAddr,
    /// Port; 0 takes any free one.
    #[arg(long, env = "FOURFOLD_PORT")]
    pub port: u16,
    /// Database: a file, or `postgres://user:password@host/name`.
    #[arg(long, env = "FOURFOLD_DATABASE", value_name = "FILE|URL", hide_env_values = true)]
    #[serde(with = "as_text")]
    pub database: Place,
    /// Public address, such as `https://play.example.org`; only pages from there may connect.
    #[arg(long, env = "FOURFOLD_PUBLIC", value_name = "URL")]
    pub public: Option<Origin>,
    /// Serve HTTPS with certificate.pem and key.pem of a folder (default: tls); makes both if it holds neither.
    #[arg(
        long,
        env = "FOURFOLD_TLS",
        value_name = "DIR",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "tls"
    )]
    pub tls: Option<PathBuf>,
    /// Trusted proxies (may set X-Forwarded-For).
    #[arg(
        id = "trusted_proxy",
        long = "trusted-proxy",
        env = "FOURFOLD_TRUSTED_PROXIES",
        value_name = "ADDRESS",
        value_delimiter = ','
    )]
    pub trusted_proxies: Vec<IpAddr>,
    /// Maximum number of tables in memory.
    #[arg(long, env = "FOURFOLD_MOST_TABLES", value_name = "N")]
    pub most_tables: usize,
    /// Maximum number of connections.
    #[arg(long, env = "FOURFOLD_MOST_CONNECTIONS", value_name = "N")]
    pub most_connections: usize,
    /// Number of threads that think for bots; without it half the cores, and all of them for a worker.
    #[arg(long, env = "FOURFOLD_BOT_THREADS", value_name = "N")]
    pub bot_threads: Option<usize>,
    /// Folder of tables for the bots, opened by the program that starts the server.
    #[arg(long, env = "FOURFOLD_TABLEBASE", value_name = "DIR")]
    pub tablebase: Option<PathBuf>,
    /// What that folder holds, for the bots and the analyses.
    #[arg(skip)]
    #[serde(skip)]
    pub knowledge: Knowledge,
    /// How long a player must be away before others may claim the game, in seconds.
    #[arg(long, env = "FOURFOLD_GRACE", value_name = "SECONDS", value_parser = seconds)]
    #[serde(with = "in_seconds")]
    pub grace: Duration,
    /// Requests per second and address, with ten times as many at once; 0 for no limit.
    #[arg(long, env = "FOURFOLD_REQUESTS_PER_SECOND", value_name = "N")]
    pub requests_per_second: u32,
    /// Connections of one address (IPv6: one /64) at once; 0 for no limit. This machine is not limited.
    #[arg(long, env = "FOURFOLD_CONNECTIONS_PER_ADDRESS", value_name = "N")]
    pub connections_per_address: usize,
    /// New tables per minute, for each address and for each person; 0 for no limit. This machine is not limited.
    #[arg(long, env = "FOURFOLD_TABLES_PER_MINUTE", value_name = "N")]
    pub tables_per_minute: u32,
    /// Messages per second and connection, with five times as many at once; 0 for no limit.
    #[arg(long, env = "FOURFOLD_MESSAGES_PER_SECOND", value_name = "N")]
    pub messages_per_second: u32,
    /// Broker that joins several nodes; none for one alone.
    #[arg(long, env = "FOURFOLD_BUS", value_name = "URL", hide_env_values = true)]
    pub bus: Option<BusAddress>,
    /// Prefix of the cluster's names on the broker; two clusters on one broker need two.
    #[arg(long, env = "FOURFOLD_BUS_PREFIX", value_name = "NAME")]
    pub bus_prefix: BusPrefix,
    /// New tables are refused while more writes than this wait for the database.
    #[arg(long, env = "FOURFOLD_MOST_WRITES", value_name = "N")]
    pub most_writes: usize,
    /// New tables are refused while a write takes longer than this, in milliseconds.
    #[arg(long, env = "FOURFOLD_SLOWEST_WRITE", value_name = "MS", value_parser = milliseconds)]
    #[serde(with = "in_milliseconds")]
    pub slowest_write: Duration,
    /// How long a node goes on after SIGTERM while a load balancer notices, in seconds.
    #[arg(long, env = "FOURFOLD_DRAIN", value_name = "SECONDS", value_parser = seconds)]
    #[serde(with = "in_seconds")]
    pub drain: Duration,
    /// How many clients a second are sent to other nodes when the server stops, so that these do not have to take all of
    /// them in at once; 0 for all at once.
    #[arg(long, env = "FOURFOLD_HANDOVER_PER_SECOND", value_name = "N")]
    pub handover_per_second: u32,
    /// Tables that wait without a player are deleted after so many hours; 0 for never.
    #[arg(long, env = "FOURFOLD_EMPTY_TABLE_HOURS", value_name = "HOURS")]
    pub empty_table_hours: u32,
    /// Guests who have played nothing for so many days are forgotten; 0 for never.
    #[arg(long, env = "FOURFOLD_GUEST_DAYS", value_name = "DAYS")]
    pub guest_days: u32,
    /// The chat of a game is removed so many days after its end; 0 for never.
    #[arg(long, env = "FOURFOLD_CHAT_DAYS", value_name = "DAYS")]
    pub chat_days: u32,
    /// Format of the log.
    #[arg(long, env = "FOURFOLD_LOG", value_name = "FORM", value_enum, hide_possible_values = true)]
    pub log: LogForm,
    /// How far this machine's clock is ahead, in milliseconds: for tests of clocks that differ.
    #[arg(skip)]
    #[serde(skip)]
    pub clock_ahead: i64,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            address: IpAddr::from([127, 0, 0, 1]),
            port: 8080,
            database: Place::default(),
            public: None,
            tls: None,
            trusted_proxies: Vec::new(),
            most_tables: 20_000,
            most_connections: 40_000,
            bot_threads: None,
            tablebase: None,
            knowledge: Knowledge::default(),
            grace: Duration::from_secs(60),
            requests_per_second: 20,
            connections_per_address: 200,
            tables_per_minute: 20,
            messages_per_second: 20,
            bus: None,
            bus_prefix: BusPrefix("fourfold".to_owned()),
            most_writes: 1000,
            slowest_write: Duration::from_millis(1000),
            drain: Duration::ZERO,
            handover_per_second: 2000,
            empty_table_hours: 24,
            guest_days: 366,
            chat_days: 366,
            log: LogForm::Text,
            clock_ahead: 0,
        }
    }
}

/// Load balancers notice within seconds; a server that goes on for longer looks as if it did not stop.
const LONGEST_DRAIN: Duration = Duration::from_secs(3600);

impl Config {
    /// Whether clients reach this server encrypted, by its own certificate or a proxy's.
    pub(crate) fn is_encrypted(&self) -> bool {
        self.tls.is_some() || self.public.as_ref().is_some_and(Origin::is_encrypted)
    }

    /// How many threads think for bots in a node.
    pub(crate) fn node_threads(&self) -> usize {
        self.bot_threads.unwrap_or_else(|| (cores() / 2).max(1))
    }

    /// How many threads think in a worker.
    pub fn worker_threads(&self) -> usize {
        self.bot_threads.unwrap_or_else(cores)
    }

    /// Reads a file; what it leaves out has its default.
    pub fn from_toml(text: &str) -> Result<Config, BadSetting> {
        let config: Config =
            toml::from_str(text).map_err(|problem| BadSetting(problem.to_string().trim().to_owned()))?;
        config.checked()
    }

    /// Refuses what every part of the program could read and none could do.
    fn checked(self) -> Result<Config, BadSetting> {
        let (drain, longest) = (self.drain.as_secs(), LONGEST_DRAIN.as_secs());
        if drain > longest {
            let problem =
                format!("drain: {drain} seconds are too many, the server would not stop: possible are 0 to {longest}");
            return Err(BadSetting(problem));
        }
        Ok(self)
    }
}

/// The configuration as a file that sets the same; passwords are left out.
impl fmt::Display for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&toml::to_string(self).map_err(|_| fmt::Error)?)
    }
}

/// Format of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogForm {
    /// Lines for people.
    Text,
    /// A JSON object per line.
    Json,
}

/// The flags of a command that takes every setting, and the environment behind them.
#[derive(Clone, Debug)]
pub struct ConfigFlags(ArgMatches);

impl ConfigFlags {
    /// The settings: a flag before the environment, that before the file, that before the default.
    pub fn config(&self) -> Result<Config, BadSetting> {
        let mut config = match self.0.get_one::<PathBuf>("config") {
            Some(path) => {
                let problem = |problem: &dyn fmt::Display| BadSetting(format!("{}: {problem}", path.display()));
                let text = std::fs::read_to_string(path).map_err(|error| problem(&error))?;
                Config::from_toml(&text).map_err(|error| problem(&error))?
            }
            None => Config::default(),
        };
        config.update_from_arg_matches(&self.0).map_err(|problem| BadSetting(problem.to_string()))?;
        config.checked()
    }
}

impl FromArgMatches for ConfigFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<ConfigFlags, clap::Error> {
        Ok(ConfigFlags(matches.clone()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0 = matches.clone();
        Ok(())
    }
}

impl Args for ConfigFlags {
    fn augment_args(command: Command) -> Command {
        let file = Arg::new("config").long("config").env("FOURFOLD_CONFIG").value_name("FILE");
        // As for an update, no flag is required: what is not given comes from the file or is the default.
        Config::augment_args_for_update(command).arg(file.value_parser(clap::value_parser!(PathBuf)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        ConfigFlags::augment_args(command)
    }
}

/// A setting that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadSetting(String);

impl fmt::Display for BadSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadSetting {}

/// A text that is checked where it is read, from a flag as from a file.
macro_rules! checked_text {
    ($(#[$doc:meta])* $name:ident, $fits:expr, $expected:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(try_from = "String")]
        pub struct $name(String);

        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = BadSetting;

            fn from_str(text: &str) -> Result<$name, BadSetting> {
                let fits: fn(&str) -> bool = $fits;
                let text = text.trim_end_matches('/');
                if fits(text) { Ok($name(text.to_owned())) } else { Err(BadSetting($expected.to_owned())) }
            }
        }

        impl TryFrom<String> for $name {
            type Error = BadSetting;

            fn try_from(text: String) -> Result<$name, BadSetting> {
                text.parse()
            }
        }
    };
}

checked_text!(
    /// The origin of the server's pages, such as `https://play.example.org`.
    Origin,
    |text| {
        let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        host.is_some_and(|host| !host.is_empty() && !host.contains(['/', ' ', '"', '\\']))
    },
    "expected https://play.example.org"
);

impl Origin {
    /// Whether it begins with `https`.
    pub(crate) fn is_encrypted(&self) -> bool {
        self.0.starts_with("https://")
    }
}

checked_text!(
    /// The prefix of a cluster's names on the broker.
    BusPrefix,
    |text| {
        let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        !text.is_empty() && text.len() <= 32 && text.chars().all(fits)
    },
    "expected up to 32 letters, digits and dashes"
);

/// The address of a broker, such as `nats://127.0.0.1:4222`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct BusAddress(String);

impl BusAddress {
    /// The address with its password.
    pub(crate) fn secret(&self) -> &str {
        &self.0
    }
}

impl FromStr for BusAddress {
    type Err = BadSetting;

    fn from_str(text: &str) -> Result<BusAddress, BadSetting> {
        let problem = || BadSetting("expected nats://host:4222".to_owned());
        if text.contains("://") { Ok(BusAddress(text.to_owned())) } else { Err(problem()) }
    }
}

impl TryFrom<String> for BusAddress {
    type Error = BadSetting;

    fn try_from(text: String) -> Result<BusAddress, BadSetting> {
        text.parse()
    }
}

impl From<BusAddress> for String {
    fn from(address: BusAddress) -> String {
        address.to_string()
    }
}

impl fmt::Display for BusAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&without_password(&self.0))
    }
}

/// An address as logs and printed settings show it.
pub(crate) fn without_password(address: &str) -> String {
    match address.split_once("://").zip(address.rsplit_once('@')) {
        Some(((scheme, _), (_, host))) => format!("{scheme}://…@{host}"),
        None => address.to_owned(),
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn seconds(text: &str) -> Result<Duration, ParseIntError> {
    text.parse().map(Duration::from_secs)
}

fn milliseconds(text: &str) -> Result<Duration, ParseIntError> {
    text.parse().map(Duration::from_millis)
}

/// A setting that a file has as the text of its flag.
mod as_text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(super) fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

/// A duration that a file has as a whole number of a unit.
macro_rules! duration_in {
    ($module:ident, $to:ident, $from:ident) => {
        mod $module {
            use std::time::Duration;

            use serde::{Deserialize, Deserializer, Serializer};

            pub(super) fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_u64(u64::try_from(time.$to()).unwrap_or(u64::MAX))
            }

            pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
                u64::deserialize(from).map(Duration::$from)
            }
        }
    };
}
duration_in!(in_seconds, as_secs, from_secs);
duration_in!(in_milliseconds, as_millis, from_millis);

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        flags: ConfigFlags,
    }

    fn config(line: &str) -> Result<Config, BadSetting> {
        let words = ["server"].into_iter().chain(line.split_whitespace());
        Program::try_parse_from(words).map_err(|problem| BadSetting(problem.to_string()))?.flags.config()
    }

    #[test]
    fn a_flag_comes_before_the_file_and_the_file_before_the_default() {
        let path = std::env::temp_dir().join(format!("fourfold-config-{}.toml", std::process::id()));
        std::fs::write(&path, "port = 3\ngrace = 8\nlog = \"json\"\ntrusted_proxies = [\"::1\"]").unwrap();
        let config =
            config(&format!("--port 1 --trusted-proxy 10.0.0.1,10.0.0.2 --config {}", path.display())).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!((config.port, config.grace.as_secs(), config.log), (1, 8, LogForm::Json));
        assert_eq!(config.trusted_proxies.len(), 2);
        assert_eq!(config.most_tables, Config::default().most_tables);
    }

    /// Variables cannot be set in a test that shares its process with others, so clap is asked what it would read.
    #[test]
    fn every_setting_has_a_flag_a_variable_and_a_line_in_the_file() {
        let command = ConfigFlags::augment_args(Command::new("serve"));
        let file: toml::Table = Config::default().to_string().parse().unwrap();
        for argument in command.get_arguments() {
            let id = argument.get_id().as_str();
            let name = if id == "trusted_proxy" { "trusted_proxies" } else { id };
            let variable = format!("FOURFOLD_{}", name.to_uppercase());
            assert_eq!(argument.get_env().and_then(|env| env.to_str()), Some(variable.as_str()));
            let optional = ["public", "tls", "tablebase", "bot_threads", "bus", "config"].contains(&name);
            assert!(optional || file.contains_key(name), "{name} is missing from {file}");
        }
    }

    #[test]
    fn what_is_printed_can_be_read_and_says_the_same() {
        let line = "--public https://play.example.org/ --trusted-proxy 127.0.0.1 --trusted-proxy ::1 --database a\"b.db \
                    --tablebase quixo --grace 7 --slowest-write 250 --bus nats://127.0.0.1:4222";
        let config = config(line).unwrap();
        let again = Config::from_toml(&config.to_string()).unwrap();
        assert_eq!(config.to_string(), again.to_string());
        assert_eq!(config.public.as_ref().map(Origin::as_str), Some("https://play.example.org"));
        assert_eq!(config.trusted_proxies.len(), 2);
        assert_eq!(again.tablebase.as_deref(), Some(std::path::Path::new("quixo")));
        assert_eq!((again.grace, again.slowest_write), (Duration::from_secs(7), Duration::from_millis(250)));
    }

    #[test]
    fn bad_settings_are_named() {
        for (text, part) in [
            ("prot = 1", "prot"),
            ("log = \"xml\"", "text"),
            ("public = \"example\"", "https://"),
            ("bus = \"here\"", "nats://"),
            ("bus_prefix = \"a b\"", "32 letters"),
            ("database = \":memory:\"", "expected a file"),
            ("drain = 3601", "possible are 0 to 3600"),
            ("drain = 9223372036854775807", "possible are 0 to 3600"),
        ] {
            let problem = Config::from_toml(text).unwrap_err().to_string();
            assert!(problem.contains(part), "{text}: {problem}");
        }
        assert!(config("--drain 99999").unwrap_err().to_string().contains("possible are 0 to 3600"));
        assert_eq!(config("--drain 3600").unwrap().drain, LONGEST_DRAIN);
        assert!(config("--port many").unwrap_err().to_string().contains("--port"));
        assert!(config("--public example").unwrap_err().to_string().contains("https://"));
        assert!(config("--config /no/such/file").unwrap_err().to_string().contains("/no/such/file"));
    }

    #[test]
    fn a_password_is_not_printed() {
        let config =
            config("--database postgres://ada:secret@db/fourfold --bus nats://ada:secret@broker:4222").unwrap();
        let printed = config.to_string();
        assert!(!printed.contains("secret") && printed.contains("postgres://…@db/fourfold"), "{printed}");
    }
}
