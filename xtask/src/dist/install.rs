//! `cargo xtask dist --try [OLDER.deb]`: installs the release files in roots that have nothing else, plays over them, upgrades
//! and rolls back under load, and purges.
//!
//! Needs root (for chroot), mmdebstrap and busybox-static. A root has no systemd; a script stands for `systemctl` there and
//! does what the unit file says, so that the package's own scripts are what starts and restarts the server.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use super::{copy, failed, write as write_file};
use crate::shell::{TaskError, output, root, run, works};
use crate::web;

/// From the beginning of the installation to the first page.
const MOST_TIME: Duration = Duration::from_secs(10);

/// What an idle server may take, in kB.
const MOST_MEMORY: u64 = 64_000;

/// Stands for `systemctl` in a root without systemd: one unit, by its own lines.
const SYSTEMCTL: &str = include_str!("systemctl.sh");

/// What may be left after a purge: the data and their owner, and the notes of the system's own tools.
const LEFT: [&str; 9] = [
    "/var/lib/fourfold",
    "/etc/passwd",
    "/etc/group",
    "/etc/shadow",
    "/etc/gshadow",
    "/etc/.pwd.lock",
    "/etc/sub",
    "/var/lib/dpkg/",
    "/var/log/",
];

/// Tries what is in target/dist; with an older package, the way from it and back too.
pub(crate) fn try_out(older: Option<&str>) -> Result<(), TaskError> {
    if output(Command::new("id").arg("-u"))?.trim() != "0" {
        return Err(TaskError::new("only root can try an installation: it changes into roots of their own"));
    }
    for (tool, package) in [("mmdebstrap", "mmdebstrap"), ("busybox", "busybox-static")] {
        if !works(Command::new(tool).arg("--help")) {
            return Err(TaskError::new(format!("{tool} is missing: apt-get install {package}")));
        }
    }
    let files = Files::find(older)?;
    let trial = web::program("trial")?;
    in_bare_root(&files, &trial)?;
    in_container(&files, &trial)?;
    in_debian(&files, &trial)
}

/// Starts a server in an empty folder: how long until the first page, and what it takes while idle.
pub(super) fn serves(program: &Path) -> Result<(), TaskError> {
    let folder = root().join("target/dist-test/data");
    fs::create_dir_all(&folder).map_err(failed(&folder))?;
    let port = free_port()?;
    let began = Instant::now();
    let mut command = Command::new(program);
    command.args(["serve", "--port", &port.to_string(), "--database"]).arg(folder.join("games.db"));
    let server = command.stdout(Stdio::null()).spawn();
    let server = Running(server.map_err(|error| TaskError::new(format!("the server does not start: {error}")))?);
    page(port, began, "started and served")?;
    memory(server.0.id())?;
    doctor(&mut Command::new(program), port)
}

/// The release files to try.
struct Files {
    archive: PathBuf,
    package: PathBuf,
    image: PathBuf,
    older: Option<PathBuf>,
}

impl Files {
    fn find(older: Option<&str>) -> Result<Files, TaskError> {
        let dist = root().join("target/dist");
        let named = |end: &str| {
            let found = fs::read_dir(&dist).ok()?.flatten().map(|entry| entry.path());
            found.into_iter().find(|file| file.display().to_string().ends_with(end))
        };
        let missing = |what: &str| TaskError::new(format!("target/dist has no {what}: run `cargo xtask dist` first"));
        let older = older.map(|file| fs::canonicalize(file).map_err(failed(Path::new(file)))).transpose()?;
        Ok(Files {
            archive: named("-x86_64-unknown-linux-musl.tar.xz").ok_or_else(|| missing("archive"))?,
            package: named("_amd64.deb").ok_or_else(|| missing("package"))?,
            image: named("-image-amd64.tar").ok_or_else(|| missing("image"))?,
            older,
        })
    }
}

/// A folder to change into, with what is mounted there.
struct Root(PathBuf);

impl Root {
    fn new(name: &str) -> Result<Root, TaskError> {
        let folder = root().join("target/dist-try").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).map_err(failed(&folder))?;
        Ok(Root(folder))
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new("chroot");
        command.arg(&self.0).arg(program).env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        command.env("DEBIAN_FRONTEND", "noninteractive");
        command
    }
}

/// A program that ends with the attempt.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The archive in a root with BusyBox and nothing else, as on Alpine without its packages.
fn in_bare_root(files: &Files, trial: &Path) -> Result<(), TaskError> {
    let bare = Root::new("bare")?;
    let busybox = output(Command::new("sh").args(["-c", "command -v busybox"]))?;
    copy(Path::new(busybox.trim()), &bare.0.join("bin/busybox"))?;
    symlink("busybox", bare.0.join("bin/sh")).map_err(failed(&bare.0))?;
    copy(&files.archive, &bare.0.join("fourfold.tar.xz"))?;
    let began = Instant::now();
    run(bare.command("/bin/busybox").args(["tar", "-xJf", "/fourfold.tar.xz"]))?;
    let port = free_port()?;
    let command = format!("exec /fourfold-*/fourfold serve --port {port} --database /games.db --messages-per-second 0");
    let server = bare.command("/bin/sh").args(["-c", &command]).stdout(Stdio::null()).spawn();
    let server = Running(server.map_err(|error| TaskError::new(format!("cannot change the root: {error}")))?);
    page(port, began, "bare root: unpacked and served")?;
    memory(server.0.id())?;
    doctor(bare.command("/bin/sh").args(["-c", "exec /fourfold-*/fourfold \"$@\"", "fourfold"]), port)?;
    play(trial, port)?.finish()
}

/// The image where podman can run one: the server answers, is healthy, runs as no privileged user, and a second container
/// finds the games of the first.
fn in_container(files: &Files, trial: &Path) -> Result<(), TaskError> {
    let podman = |arguments: &[&str]| output(Command::new("podman").args(arguments)).map(|said| said.trim().to_owned());
    if podman(&["--version"]).is_err() {
        println!("   no podman: the container image was not tried");
        return Ok(());
    }
    let began = Instant::now();
    let loaded = podman(&["load", "--quiet", "--input", &files.image.display().to_string()])?;
    let image = loaded.rsplit(' ').next().unwrap_or_default().to_owned();
    let port = free_port()?;
    let name = format!("fourfold-try-{}", std::process::id());
    let (setting, volume) = (format!("FOURFOLD_PORT={port}"), format!("{name}:/data"));
    let run_image = ["run", "--detach", "--rm", "--network", "host", "--name", &name, "--volume", &volume];
    let limits = ["--env", "FOURFOLD_MESSAGES_PER_SECOND=0", "--env", &setting, &image];
    let tried = (|| {
        for what in ["container: loaded and served", "container: started again and served"] {
            let began = if what.contains("again") { Instant::now() } else { began };
            podman(&[&run_image[..], &limits[..]].concat())?;
            page(port, began, what)?;
            podman(&["exec", &name, "/fourfold", "doctor", "--server", &format!("http://127.0.0.1:{port}")])?;
            let user = podman(&["top", &name, "huser"])?;
            if user.lines().last() != Some("10001") {
                return Err(TaskError::new(format!("the container runs as {user:?}")));
            }
            play(trial, port)?.finish()?;
            podman(&["stop", "--time", "20", &name])?;
        }
        Ok(())
    })();
    let _ = podman(&["rm", "--force", &name]);
    let _ = podman(&["volume", "rm", "--force", &name]);
    tried
}

/// The package in a bare Debian: installed, upgraded and rolled back under load, purged.
fn in_debian(files: &Files, trial: &Path) -> Result<(), TaskError> {
    let base = root().join("target/dist-try/debian.tar");
    if !base.exists() {
        fs::create_dir_all(root().join("target/dist-try")).map_err(failed(&base))?;
        run(Command::new("mmdebstrap").args(["--quiet", "--variant=minbase", super::SUITE]).arg(&base))?;
    }
    let debian = Root::new("debian")?;
    run(Command::new("tar").arg("-xf").arg(&base).arg("-C").arg(&debian.0))?;
    let systemctl = debian.0.join("usr/bin/systemctl");
    write_file(&systemctl, SYSTEMCTL)?;
    fs::set_permissions(&systemctl, fs::Permissions::from_mode(0o755)).map_err(failed(&systemctl))?;
    fs::create_dir_all(debian.0.join("run/systemd/system")).map_err(failed(&debian.0))?;
    let port = free_port()?;
    write_file(&debian.0.join("run/port"), &port.to_string())?;
    copy(&files.package, &debian.0.join("tmp/new.deb"))?;
    let older = files.older.as_ref();
    if let Some(older) = older {
        copy(older, &debian.0.join("tmp/old.deb"))?;
    }
    let before = list(&debian.0)?;
    let tried = in_debian_root(&debian, older.is_some(), trial, port, &before);
    // Whatever happened, no server stays behind.
    let _ = run(debian.command("/usr/bin/systemctl").args(["stop", "fourfold.service"]));
    tried
}

fn in_debian_root(
    debian: &Root,
    has_older: bool,
    trial: &Path,
    port: u16,
    before: &BTreeSet<String>,
) -> Result<(), TaskError> {
    let install = |file: &str| run(debian.command("/usr/bin/dpkg").args(["--install", file]));
    let first = if has_older { "/tmp/old.deb" } else { "/tmp/new.deb" };
    let began = Instant::now();
    install(first)?;
    page(port, began, "Debian: installed and served")?;
    if let Some(id) = process(debian) {
        memory(id)?;
    }
    let fourfold = |arguments: &[&str]| run(debian.command("/usr/bin/fourfold").args(arguments));
    fourfold(&["doctor", "--server", &format!("http://127.0.0.1:{port}")])?;
    if has_older {
        let database = ["--database", "/var/lib/fourfold/fourfold.db"];
        fourfold(&[&["backup", "/var/lib/fourfold/before.db"], &database[..]].concat())?;
        for (what, file) in [("upgraded", "/tmp/new.deb"), ("rolled back", "/tmp/old.deb")] {
            let playing = play(trial, port)?;
            install(file)?;
            let served = page_of(
                || process(debian).is_some_and(lives),
                port,
                Instant::now(),
                &format!("Debian: {what} under load, and served after dpkg's end"),
            );
            if what == "upgraded" {
                served?;
            } else if served.is_err() {
                println!("   the older program refuses the newer database: with the backup taken before");
                drop(playing);
                run(debian.command("/usr/bin/systemctl").args(["stop", "fourfold.service"]))?;
                fourfold(&[&["restore", "/var/lib/fourfold/before.db"], &database[..]].concat())?;
                run(debian.command("/bin/chown").args(["-R", "fourfold:fourfold", "/var/lib/fourfold"]))?;
                let began = Instant::now();
                run(debian.command("/usr/bin/systemctl").args(["start", "fourfold.service"]))?;
                page(port, began, "Debian: rolled back with the backup")?;
                continue;
            }
            playing.finish()?;
        }
    } else {
        play(trial, port)?.finish()?;
    }
    run(debian.command("/usr/bin/dpkg").args(["--purge", "fourfold"]))?;
    if TcpStream::connect(("127.0.0.1", port)).is_ok() {
        return Err(TaskError::new("the server still runs after the purge"));
    }
    let after = list(&debian.0)?;
    let left: Vec<&str> = after.difference(before).map(String::as_str).filter(|file| !may_be_left(file)).collect();
    let data = after.iter().any(|file| file == "/var/lib/fourfold/fourfold.db");
    if !left.is_empty() || !data {
        return Err(TaskError::new(format!(
            "after the purge: data {}, left {left:?}",
            if data { "kept" } else { "lost" }
        )));
    }
    println!("   Debian: purged; the data stayed, and nothing else");
    Ok(())
}

/// The process that the script for `systemctl` started.
fn process(debian: &Root) -> Option<u32> {
    fs::read_to_string(debian.0.join("run/fourfold.service.pid")).ok()?.trim().parse().ok()
}

fn may_be_left(file: &str) -> bool {
    file.starts_with("/run/") || LEFT.iter().any(|start| file.starts_with(start))
}

/// Every file below a folder.
fn list(folder: &Path) -> Result<BTreeSet<String>, TaskError> {
    let found =
        output(Command::new("find").current_dir(folder).args([".", "-xdev", "!", "-type", "d", "-printf", "/%P\\n"]))?;
    Ok(found.lines().map(str::to_owned).collect())
}

/// A port that is free now.
fn free_port() -> Result<u16, TaskError> {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0));
    let address = listener.and_then(|listener| listener.local_addr());
    address.map(|address| address.port()).map_err(|error| TaskError::new(format!("no free port: {error}")))
}

/// Waits for the first page and says how long it took.
fn page(port: u16, began: Instant, what: &str) -> Result<(), TaskError> {
    page_of(|| true, port, began, what)
}

/// Waits for the first page for as long as its server lives.
fn page_of(lives: impl Fn() -> bool, port: u16, began: Instant, what: &str) -> Result<(), TaskError> {
    loop {
        let lived = lives();
        let answer = ask(port, "/").unwrap_or_default();
        let took = began.elapsed();
        if answer.starts_with("HTTP/1.1 200") && answer.contains("<!doctype html>") {
            println!("   {what} in {:.2} s", took.as_secs_f64());
            return if took <= MOST_TIME {
                Ok(())
            } else {
                Err(TaskError::new(format!("{what}: more than ten seconds")))
            };
        }
        if took > MOST_TIME {
            return Err(TaskError::new(format!("{what}: no page after ten seconds: {:?}", answer.lines().next())));
        }
        if !lived {
            return Err(TaskError::new(format!("{what}: the server has ended")));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn ask(port: u16, path: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    write!(stream, "GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\naccept: text/html\r\nconnection: close\r\n\r\n")?;
    let mut answer = Vec::new();
    stream.take(1 << 20).read_to_end(&mut answer)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// What a process has in memory, in kB; nothing of one that has ended and that its parent has not waited for.
fn resident(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

fn lives(process: u32) -> bool {
    resident(process).is_some()
}

/// An idle server stays small.
fn memory(process: u32) -> Result<(), TaskError> {
    let kilobytes = resident(process).ok_or_else(|| TaskError::new("the server has ended"))?;
    println!("   idle: {:.1} MB of at most {}", kilobytes as f64 / 1000.0, MOST_MEMORY / 1000);
    if kilobytes <= MOST_MEMORY { Ok(()) } else { Err(TaskError::new("the idle server takes too much memory")) }
}

/// The program's own opinion of the server that runs.
fn doctor(fourfold: &mut Command, port: u16) -> Result<(), TaskError> {
    run(fourfold.args(["doctor", "--server", &format!("http://127.0.0.1:{port}")]))
}

/// Games under way at every table.
struct Playing {
    child: Child,
    printed: BufReader<ChildStdout>,
}

impl Playing {
    /// Waits for another action at every table; fails if there is none, or if an acknowledged one is lost.
    fn finish(mut self) -> Result<(), TaskError> {
        drop(self.child.stdin.take());
        let mut rest = String::new();
        let read = self.printed.read_to_string(&mut rest);
        print!("   {rest}");
        match (read, self.child.wait()) {
            (Ok(_), Ok(status)) if status.success() => Ok(()),
            _ => Err(TaskError::new("the games over the installed server went wrong")),
        }
    }
}

impl Drop for Playing {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Begins to play at twenty tables and returns when an action has been acknowledged at each; what is acknowledged is compared
/// with what the server has at the end.
fn play(trial: &Path, port: u16) -> Result<Playing, TaskError> {
    let mut command = Command::new(trial);
    command.args(["crashtest", "--tables", "20", "--server", &format!("http://127.0.0.1:{port}")]);
    let failed = |error| TaskError::new(format!("trial does not start: {error}"));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
    let printed = child.stdout.take().ok_or_else(|| TaskError::new("trial has no output"))?;
    let mut playing = Playing { child, printed: BufReader::new(printed) };
    let mut line = String::new();
    playing.printed.read_line(&mut line).map_err(failed)?;
    match line.trim_end() {
        "every table plays" => Ok(playing),
        other => Err(TaskError::new(format!("the games over the installed server do not begin: {other}"))),
    }
}
