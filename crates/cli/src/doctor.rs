//! `fourfold doctor`: looks at what a server needs, and says what to do where something is amiss.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use clap::Args;
use client::{Connection, Credential};
use locale::Language;
use server::{Config, ConfigFlags, Place};

use crate::error::CliError;

/// With less than this free, a busy server may soon be unable to write.
const ENOUGH_BYTES: u64 = 1 << 30;

/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(3);

/// The settings of the server to look at, as `serve` takes them.
#[derive(Debug, Args)]
pub(crate) struct DoctorArguments {
    #[command(flatten)]
    flags: ConfigFlags,
    /// Only ask whether a running server is ready, by its address.
    #[arg(long, value_name = "URL")]
    server: Option<String>,
}

/// What one look found.
struct Finding {
    is_fine: bool,
    text: String,
}

impl Finding {
    fn fine(text: String) -> Finding {
        Finding { is_fine: true, text }
    }

    fn problem(text: String) -> Finding {
        Finding { is_fine: false, text }
    }
}

/// Prints what was found; fails if something is amiss.
pub(crate) fn run(arguments: &DoctorArguments, language: Language) -> Result<(), CliError> {
    let findings = match &arguments.server {
        Some(server) => vec![ready(language, server)],
        None => set_up(language, &arguments.flags.config()?),
    };
    let mut out = io::stdout();
    for finding in &findings {
        writeln!(out, "{} {}", if finding.is_fine { "✓" } else { "✗" }, finding.text)?;
    }
    match findings.iter().filter(|finding| !finding.is_fine).count() {
        0 => Ok(()),
        problems => Err(CliError::new(language.doctor_problems(problems as u64))),
    }
}

fn set_up(language: Language, config: &Config) -> Vec<Finding> {
    let mut findings = match &config.database {
        Place::File(file) => data(language, file),
        Place::Postgres(_) => Vec::new(),
    };
    findings.push(open_files(language, config));
    findings.extend(clock(language));
    findings.extend(certificate(language, config));
    findings.push(address(language, config));
    findings.extend(proxy(language, config));
    findings.extend(config.public.as_ref().map(|public| ready(language, public.as_str())));
    findings
}

/// The folder of the database can be written, has space, and only its owner can read it.
fn data(language: Language, file: &Path) -> Vec<Finding> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let probe = folder.join(format!(".fourfold-doctor-{}", std::process::id()));
    let written = fs::create_dir_all(folder).and_then(|()| File::create(&probe)?.write_all(b"x"));
    let _ = fs::remove_file(&probe);
    if let Err(error) = written {
        return vec![Finding::problem(language.doctor_data_refused(folder.display(), error))];
    }
    let mut findings = vec![Finding::fine(language.doctor_data(folder.display()))];
    if let Ok(space) = rustix::fs::statvfs(folder) {
        let free = space.f_bavail * space.f_frsize;
        let shown = format!("{:.1}", free as f64 / f64::from(1 << 30));
        let is_fine = free >= ENOUGH_BYTES;
        let text = if is_fine { language.doctor_disk(shown) } else { language.doctor_disk_low(shown) };
        findings.push(Finding { is_fine, text });
    }
    #[cfg(unix)]
    if let Ok(about) = fs::metadata(file) {
        use std::os::unix::fs::PermissionsExt;
        if about.permissions().mode() & 0o077 != 0 {
            findings.push(Finding::problem(language.doctor_data_open(file.display())));
        }
    }
    findings
}

/// Every connection is an open file.
fn open_files(language: Language, config: &Config) -> Finding {
    let wanted = server::needed_files(config);
    let allowed = rlimit::Resource::NOFILE.get().map_or(0, |(_, hard)| hard);
    if allowed >= wanted {
        Finding::fine(language.doctor_files(allowed, wanted))
    } else {
        Finding::problem(language.doctor_files_low(allowed, wanted))
    }
}

/// Clocks of games and expiry of sessions go by the system's clock. Only systemd says whether it is synchronised.
fn clock(language: Language) -> Option<Finding> {
    let asked = Command::new("timedatectl").args(["show", "--property=NTPSynchronized", "--value"]).output().ok()?;
    match String::from_utf8_lossy(&asked.stdout).trim() {
        "yes" => Some(Finding::fine(language.doctor_clock().to_owned())),
        "no" => Some(Finding::problem(language.doctor_clock_alone().to_owned())),
        _ => None,
    }
}

/// The address is free, or a server of ours is there already.
fn address(language: Language, config: &Config) -> Finding {
    let place = format!("{}:{}", config.address, config.port);
    match TcpListener::bind((config.address, config.port)) {
        Ok(_) => Finding::fine(language.doctor_port(place)),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse && config.tls.is_some() => encrypted(language, config),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => ready(language, &format!("http://{place}")),
        Err(error) => Finding::problem(language.doctor_port_refused(place, error)),
    }
}

/// A server with a public address stands behind a proxy, or serves without encryption.
fn proxy(language: Language, config: &Config) -> Option<Finding> {
    let public = config.public.as_ref()?.as_str();
    if public.starts_with("https://") && config.trusted_proxies.is_empty() && config.tls.is_none() {
        return Some(Finding::problem(language.doctor_proxy(public)));
    }
    None
}

/// A certificate that is there can be read and belongs to its key.
fn certificate(language: Language, config: &Config) -> Option<Finding> {
    let problem = server::check_certificate(config.tls.as_deref()?).err()?;
    Some(Finding::problem(language.serve_no_certificate(problem)))
}

/// A server of ours with a certificate of its own answers.
fn encrypted(language: Language, config: &Config) -> Finding {
    let here = if config.address.is_unspecified() { Ipv4Addr::LOCALHOST.into() } else { config.address };
    let place = SocketAddr::new(here, config.port);
    let asking = async { tokio::time::timeout(PATIENCE, server::speaks_tls(place)).await };
    let answered = tokio::runtime::Runtime::new().and_then(|runtime| runtime.block_on(asking)?);
    let server = format!("https://{place}");
    match answered {
        Ok(()) => Finding::fine(language.doctor_encrypted(server)),
        Err(problem) => Finding::problem(language.doctor_not_ready(server, problem)),
    }
}

/// A running server answers that it is ready.
fn ready(language: Language, server: &str) -> Finding {
    let answered = if server.starts_with("https://") { connects(server) } else { says_ready(server) };
    match answered {
        Ok(()) => Finding::fine(language.doctor_ready(server)),
        Err(problem) => Finding::problem(language.doctor_not_ready(server, problem)),
    }
}

fn says_ready(server: &str) -> io::Result<()> {
    let host = server.trim_start_matches("http://").trim_end_matches('/');
    let named = if host.contains(':') { host.to_owned() } else { format!("{host}:80") };
    let address = named.to_socket_addrs()?.next().ok_or(io::ErrorKind::NotFound)?;
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    write!(stream, "GET /ready HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.take(4096).read_to_string(&mut answer)?;
    let status = answer.lines().next().unwrap_or_default();
    if status.contains(" 200 ") { Ok(()) } else { Err(io::Error::other(status.to_owned())) }
}

/// Behind TLS the way that players come is tried: a WebSocket, which a proxy may forget to pass on.
fn connects(server: &str) -> io::Result<()> {
    let runtime = tokio::runtime::Runtime::new()?;
    let connecting = async { tokio::time::timeout(PATIENCE, Connection::connect(server, Credential::New)).await };
    match runtime.block_on(connecting) {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(problem)) => Err(io::Error::other(problem.to_string())),
        Err(_) => Err(io::ErrorKind::TimedOut.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_cannot_be_written_and_a_file_that_others_read_are_found() {
        let folder = std::env::temp_dir().join(format!("fourfold-doctor-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("games.db");
        fs::write(&file, "").unwrap();
        let texts = |file: &Path| -> Vec<String> {
            data(Language::English, file).into_iter().filter(|it| !it.is_fine).map(|it| it.text).collect()
        };
        assert!(texts(&file).iter().any(|text| text.contains("600")), "{:?}", texts(&file));
        // A file is no folder, not even for root.
        assert!(texts(&file.join("x.db"))[0].contains("cannot be written"));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_server_that_is_not_there_is_not_ready() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        drop(listener);
        assert!(!ready(Language::English, &format!("http://{address}")).is_fine);
    }
}
