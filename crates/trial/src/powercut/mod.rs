//! `trial powercut`: what is left after the power fails at any moment.
//!
//! A killed process loses nothing that the kernel holds, so it says nothing about syncs. Here a program runs with a recorder of
//! its writes and syncs; afterwards the disk is built as it may look after a cut at a moment of the recording, with writes
//! that were not synced lost, torn and out of order, and compared with what had been promised by then.

mod disk;
mod load;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use clap::Args;
use futures_util::future::join_all;
use search::Random;

use crate::program::{Program, Promise};
use disk::{Disk, Recorded};

/// How much to record, and how often to cut.
#[derive(Debug, Args)]
pub(crate) struct PowercutArguments {
    /// How many cuts of a server
    #[arg(long, default_value_t = 1000)]
    cuts: u32,
    /// How many tables play while it is recorded
    #[arg(long, default_value_t = 6)]
    tables: usize,
    /// For how long, in seconds; every 30 seconds the server folds the journal into its file
    #[arg(long, default_value_t = 40)]
    seconds: u64,
    /// Let the program's syncs do nothing, as with synchronous=OFF: losses have to be found
    #[arg(long)]
    no_sync: bool,
    /// The seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

const RECORDER: &str = include_str!("recorder.c");
/// How many cuts `backup`, `restore` and the writer of tablebases get for each of a server's.
const SHARE: u32 = 5;

/// An acknowledged action, and how long the recording was when it was acknowledged.
pub(crate) type Acknowledged = (u64, Promise);

/// Where everything happens.
struct Scene<'a> {
    program: &'a Program,
    folder: PathBuf,
    recorder: PathBuf,
    no_sync: bool,
}

/// The files of a disk by name.
type Files = BTreeMap<String, Vec<u8>>;
/// A disk after a cut, with a name and what had been promised by then.
type CutDisk = (String, Files, Vec<Promise>);

/// What a recorded program left.
struct Recording {
    before: Disk,
    operations: Vec<Recorded>,
}

impl Scene<'_> {
    /// A new folder within.
    fn make(&self, name: &str) -> Result<PathBuf, String> {
        let folder = self.folder.join(name);
        std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
        Ok(folder)
    }

    /// The environment that lets a program be recorded while it changes a folder.
    fn environment(&self, folder: &Path, log: &Path) -> Vec<(&'static str, PathBuf)> {
        let mut set = vec![
            ("LD_PRELOAD", self.recorder.clone()),
            ("POWERCUT_FOLDER", folder.into()),
            ("POWERCUT_LOG", log.into()),
        ];
        if self.no_sync {
            set.push(("POWERCUT_NO_SYNC", "1".into()));
        }
        set
    }

    /// Records a command that ends by itself.
    async fn record(&self, name: &str, folder: &Path, arguments: &[&str]) -> Result<Recording, String> {
        let log = self.folder.join(format!("{name}.log"));
        let before = Disk::of(folder).map_err(|error| error.to_string())?;
        self.program.run(arguments, &self.environment(folder, &log)).await?;
        Ok(Recording { before, operations: operations(&log)? })
    }
}

fn operations(log: &Path) -> Result<Vec<Recorded>, String> {
    let bytes = std::fs::read(log).map_err(|error| format!("nothing was recorded: {error}"))?;
    disk::read(&bytes)
}

/// Records, cuts, and prints what was found.
pub(crate) async fn run(arguments: &PowercutArguments, program: &Program) -> Result<(), String> {
    let folder = std::env::temp_dir().join(format!("fourfold-powercut-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let found = test(arguments, program, &folder).await;
    let _ = std::fs::remove_dir_all(&folder);
    crate::report(&found?)
}

async fn test(arguments: &PowercutArguments, program: &Program, folder: &Path) -> Result<Vec<String>, String> {
    let recorder = compile(folder).await?;
    let scene = Scene { program, folder: folder.to_owned(), recorder, no_sync: arguments.no_sync };
    let mut random = Random::new(arguments.seed);
    let data = scene.make("data")?;
    let database = data.join("fourfold.db");
    let (recording, acknowledged) = server(&scene, arguments, &data, &database).await?;
    println!(
        "a server: {} actions acknowledged, {} changes of its files recorded",
        acknowledged.len(),
        recording.operations.len()
    );
    let mut problems = cut_server(&scene, recording, &acknowledged, &database, arguments.cuts, &mut random).await?;
    println!("a server: {} cuts, {} of them with losses", arguments.cuts, problems.len());
    if arguments.no_sync {
        // The rest could not find more than that.
        return Ok(problems);
    }
    let promises: Vec<Promise> = acknowledged.into_iter().map(|(_, promise)| promise).collect();
    let cuts = (arguments.cuts / SHARE).max(1);
    problems.extend(cut_backup(&scene, &database, &promises, cuts, &mut random).await?);
    problems.extend(cut_restore(&scene, &database, &promises, cuts, &mut random).await?);
    problems.extend(cut_tablebase(&scene, cuts, &mut random).await?);
    Ok(problems)
}

/// Compiles the recorder.
async fn compile(folder: &Path) -> Result<PathBuf, String> {
    let (source, library) = (folder.join("recorder.c"), folder.join("recorder.so"));
    std::fs::write(&source, RECORDER).map_err(|error| error.to_string())?;
    let mut compiler = tokio::process::Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(&source);
    match compiler.status().await {
        Ok(status) if status.success() => Ok(library),
        Ok(_) => Err("the recorder does not compile; it needs Linux".to_owned()),
        Err(error) => Err(format!("no C compiler: {error}")),
    }
}

/// Lets a server run under load; what it wrote, and what it acknowledged when.
async fn server(
    scene: &Scene<'_>,
    arguments: &PowercutArguments,
    data: &Path,
    database: &Path,
) -> Result<(Recording, Vec<Acknowledged>), String> {
    let log = scene.folder.join("server.log");
    let environment = scene.environment(data, &log);
    let server = scene.program.serve_with(Some(&database.display().to_string()), &[], &environment).await?;
    let acknowledged = Arc::new(Mutex::new(Vec::new()));
    let until = tokio::time::Instant::now() + Duration::from_secs(arguments.seconds);
    let players = (0..arguments.tables).map(|number| {
        let (address, log, acknowledged) = (server.address.clone(), log.clone(), acknowledged.clone());
        let seed = arguments.seed ^ (number as u64 + 1) << 16;
        tokio::spawn(async move { load::play(&address, &log, &acknowledged, seed, until).await })
    });
    for player in join_all(players.collect::<Vec<_>>()).await {
        player.map_err(|error| error.to_string())??;
    }
    // Stopping writes too: the journal is folded in.
    server.stop().await?;
    let acknowledged = std::mem::take(&mut *load::lock(&acknowledged));
    Ok((Recording { before: Disk::default(), operations: operations(&log)? }, acknowledged))
}

/// Cuts at moments all over the recording of a server.
async fn cut_server(
    scene: &Scene<'_>,
    recording: Recording,
    acknowledged: &[Acknowledged],
    database: &Path,
    cuts: u32,
    random: &mut Random,
) -> Result<Vec<String>, String> {
    let (mut problems, mut batch) = (Vec::new(), Vec::new());
    for (position, files) in disks(recording, cuts, random) {
        let promises: Vec<Promise> =
            acknowledged.iter().filter(|(at, _)| *at <= position).map(|(_, promise)| promise.clone()).collect();
        batch.push((format!("cut at {position}"), files, promises));
        if batch.len() == AT_ONCE {
            problems.extend(audit_all(scene, std::mem::take(&mut batch), database).await?);
        }
    }
    problems.extend(audit_all(scene, batch, database).await?);
    Ok(problems)
}

/// How many disks are looked at at the same time.
const AT_ONCE: usize = 4;

/// Disks after cuts at random moments, each with the length of the recording at that moment.
fn disks(recording: Recording, cuts: u32, random: &mut Random) -> Vec<(u64, Files)> {
    let Recording { before: mut disk, operations } = recording;
    let mut moments: Vec<usize> = (0..cuts).map(|_| random.below(operations.len() as u32 + 1) as usize).collect();
    moments.sort_unstable();
    let (mut done, mut found) = (0, Vec::new());
    for moment in moments {
        for recorded in &operations[done..moment] {
            disk.perform(&recorded.operation);
        }
        done = moment;
        let position = moment.checked_sub(1).map_or(0, |last| operations[last].end);
        let mut cut = disk.clone();
        if let Some(next) = operations.get(moment).filter(|_| random.below(2) == 0) {
            // The cut may come in the middle of it; a sync that has not returned has promised nothing.
            if !matches!(next.operation, disk::Operation::Sync { .. } | disk::Operation::SyncFolder) {
                cut.perform(&next.operation);
            }
        }
        found.push((position, cut.after_cut(random)));
    }
    found
}

/// Lets the database of each disk be opened, replayed and compared; the first problem of each.
async fn audit_all(scene: &Scene<'_>, disks: Vec<CutDisk>, database: &Path) -> Result<Vec<String>, String> {
    let audits = disks.into_iter().enumerate().map(|(number, (name, files, promises))| async move {
        let folder = scene.make(&format!("cut{number}"))?;
        let whole = lay_out(&files, &folder)?;
        let file = folder.join(database.file_name().unwrap_or_default());
        let problem = if file.exists() {
            match scene.program.audit(&file.display().to_string(), &promises).await {
                Ok(tables) => tables.into_iter().flat_map(|table| table.problems).next(),
                Err(problem) => Some(problem),
            }
        } else {
            (!promises.is_empty()).then(|| format!("there is no database, but {} files", whole))
        };
        let _ = std::fs::remove_dir_all(&folder);
        Ok(problem.map(|problem| format!("{name}, {} promises: {problem}", promises.len())))
    });
    let found: Result<Vec<Option<String>>, String> = join_all(audits).await.into_iter().collect();
    Ok(found?.into_iter().flatten().collect())
}

/// Puts files into a folder; how many.
fn lay_out(files: &Files, folder: &Path) -> Result<usize, String> {
    for (name, bytes) in files {
        let name = Path::new(name).file_name().ok_or("a file without a name")?;
        std::fs::write(folder.join(name), bytes).map_err(|error| error.to_string())?;
    }
    Ok(files.len())
}

/// Once `backup` says that the copy is made, it is: whatever was not synced by then is lost.
async fn cut_backup(
    scene: &Scene<'_>,
    database: &Path,
    promises: &[Promise],
    cuts: u32,
    random: &mut Random,
) -> Result<Vec<String>, String> {
    let folder = scene.make("backup")?;
    let copy = folder.join("copy.db");
    let arguments = ["backup", &copy.display().to_string(), "--database", &database.display().to_string()];
    let Recording { mut before, operations } = scene.record("backup", &folder, &arguments).await?;
    operations.iter().for_each(|recorded| before.perform(&recorded.operation));
    let mut problems = Vec::new();
    for number in 0..cuts.div_ceil(AT_ONCE as u32) {
        let disk = |_| (format!("backup, cut {number}"), before.after_cut(random), promises.to_vec());
        problems.extend(audit_all(scene, (0..AT_ONCE).map(disk).collect(), &copy).await?);
    }
    println!("backup: {} changes, {cuts} cuts after its end, {} with losses", operations.len(), problems.len());
    Ok(problems)
}

/// A cut during `restore` leaves the old database or the new one, and after it the new one.
async fn cut_restore(
    scene: &Scene<'_>,
    database: &Path,
    promises: &[Promise],
    cuts: u32,
    random: &mut Random,
) -> Result<Vec<String>, String> {
    let copy = scene.folder.join("backup").join("copy.db");
    let folder = scene.make("restored")?;
    let target = folder.join("fourfold.db");
    // The database that is there before holds the same games, so in either case no game may be missing.
    std::fs::copy(database, &target).map_err(|error| error.to_string())?;
    let arguments = ["restore", &copy.display().to_string(), "--database", &target.display().to_string()];
    let recording = scene.record("restore", &folder, &arguments).await?;
    let changes = recording.operations.len();
    let (mut problems, mut batch) = (Vec::new(), Vec::new());
    for (position, files) in disks(recording, cuts, random) {
        batch.push((format!("restore, cut at {position}"), files, promises.to_vec()));
        if batch.len() == AT_ONCE {
            problems.extend(audit_all(scene, std::mem::take(&mut batch), &target).await?);
        }
    }
    problems.extend(audit_all(scene, batch, &target).await?);
    println!("restore: {changes} changes, {cuts} cuts, {} with losses", problems.len());
    Ok(problems)
}

/// A file of a tablebase that is there is whole.
async fn cut_tablebase(scene: &Scene<'_>, cuts: u32, random: &mut Random) -> Result<Vec<String>, String> {
    let folder = scene.make("tables")?;
    let arguments =
        ["solve", "quixo", "--size", "3", "--depth", "--threads", "1", "--out", &folder.display().to_string()];
    let recording = scene.record("tables", &folder, &arguments).await?;
    let changes = recording.operations.len();
    let mut problems = Vec::new();
    for (position, files) in disks(recording, cuts, random) {
        for (name, bytes) in files.iter().filter(|(name, _)| !name.ends_with(".unfinished")) {
            if std::fs::read(name).ok().as_ref() != Some(bytes) {
                problems.push(format!("tables, cut at {position}: {name} is there and not whole"));
            }
        }
    }
    println!("tablebase: {changes} changes, {cuts} cuts, {} with damage", problems.len());
    Ok(problems)
}
