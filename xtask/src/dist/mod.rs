//! `cargo xtask dist`: the release files in target/dist, the same bit for bit wherever they are built.

mod archive;
mod debian;
mod image;
mod install;
mod sbom;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) use install::try_out;

use crate::compiled::Compiled;
use crate::shell::{TaskError, cargo, output, root, run, rustup, works};
use crate::{setup, web, wheel};

/// What a program is compiled for.
pub(super) struct Platform {
    /// Its name in rustup, and in the archive's.
    target: &'static str,
    /// Its name in Debian and in container images.
    debian: &'static str,
}

/// What every release is for, and what compiles it.
static X86_64: Platform = Platform { target: "x86_64-unknown-linux-musl", debian: "amd64" };

/// What `cargo xtask dist --all` compiles for too, on a machine of the first kind.
static AARCH64: Platform = Platform { target: "aarch64-unknown-linux-musl", debian: "arm64" };

/// The Debian that packages are tried in and headers come from. Later systems know its keys; it does not know theirs.
const SUITE: &str = "bookworm";

/// The most that the program may weigh, with the app inside.
const MOST_BYTES: u64 = 25_000_000;

/// What the files are called and made from.
#[derive(Clone)]
struct Release {
    version: String,
    platform: &'static Platform,
    /// Seconds since 1970 of the commit: every file of the release has this time.
    time: String,
    /// The program to pack.
    program: PathBuf,
    /// The same program, to be asked for its manual and completions.
    speaker: PathBuf,
    /// Where the files go.
    folder: PathBuf,
}

impl Release {
    /// A release of this program, in a folder that holds nothing else.
    fn of(program: &Path) -> Result<Release, TaskError> {
        let folder = root().join("target/dist");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).map_err(failed(&folder))?;
        let file = folder.join("fourfold");
        copy(program, &file)?;
        Ok(Release {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            platform: &X86_64,
            time: output(Command::new("git").current_dir(root()).args(["log", "-1", "--format=%ct"]))?
                .trim()
                .to_owned(),
            program: file.clone(),
            speaker: file,
            folder,
        })
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// An empty folder to lay out the contents of a file in.
    fn stage(&self, name: &str) -> Result<PathBuf, TaskError> {
        let folder = root().join("target/dist-stage").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).map_err(failed(&folder))?;
        Ok(folder)
    }
}

/// Makes all files; with `all` for the second platform too.
pub(crate) fn dist(all: bool) -> Result<(), TaskError> {
    let c_compilers = ready(all)?;
    web::build()?;
    let mut programs = Vec::new();
    for (platform, c_compiler) in [&X86_64, &AARCH64].into_iter().zip(&c_compilers) {
        programs.push(compile(platform, c_compiler)?);
    }
    for program in &programs {
        let bytes = fs::metadata(program).map_err(failed(program))?.len();
        println!("   {}: {:.1} MB of at most {}", program.display(), bytes as f64 / 1e6, MOST_BYTES / 1_000_000);
        if bytes > MOST_BYTES {
            return Err(TaskError::new(format!("the program has {bytes} bytes, at most {MOST_BYTES} are allowed")));
        }
    }
    let release = Release::of(&programs[0])?;
    match wheel::wheel() {
        Ok(wheel) => copy(&wheel, &release.file(&wheel.file_name().unwrap_or_default().to_string_lossy()))?,
        Err(problem) => println!("   no Python wheel: {problem}"),
    }
    write_all(&release)?;
    if let Some(program) = programs.get(1) {
        let second = Release { platform: &AARCH64, program: program.clone(), ..release.clone() };
        write_platform(&second)?;
    }
    sums(&release.folder)
}

/// `cargo xtask dist --of PROGRAM`: the same files around a program that was compiled otherwise.
pub(crate) fn dist_of(program: &str) -> Result<(), TaskError> {
    let release = Release::of(Path::new(program))?;
    write_all(&release)?;
    sums(&release.folder)
}

fn write_all(release: &Release) -> Result<(), TaskError> {
    write_platform(release)?;
    sbom::write(release)?;
    changes(release)
}

/// The files that hold a program.
fn write_platform(release: &Release) -> Result<(), TaskError> {
    archive::write(release)?;
    debian::write(release)?;
    image::write(release)
}

/// `cargo xtask dist --check`: builds a copy of the last commit in another folder and compares.
pub(crate) fn check(all: bool) -> Result<(), TaskError> {
    if !output(Command::new("git").current_dir(root()).args(["status", "--porcelain"]))?.is_empty() {
        return Err(TaskError::new("commit first: the comparison is with the last commit"));
    }
    dist(all)?;
    let copy = std::env::temp_dir().join(format!("fourfold-dist-{}", std::process::id()));
    run(Command::new("git").args(["clone", "--quiet"]).arg(root()).arg(&copy))?;
    let words = if all { &["xtask", "dist", "--all"][..] } else { &["xtask", "dist"] };
    let built = run(cargo().current_dir(&copy).args(words));
    let same = built.and_then(|()| {
        run(Command::new("diff").arg("--recursive").arg(root().join("target/dist")).arg(copy.join("target/dist")))
    });
    // What differs is looked for in the two programs, and a second build takes many minutes.
    if let Err(failure) = same {
        return Err(TaskError::new(format!("{failure}; the second build is kept in {}", copy.display())));
    }
    fs::remove_dir_all(&copy).map_err(failed(&copy))
}

/// `cargo xtask dist --publish TAG`: puts the files of target/dist into a release of the repository's host.
pub(crate) fn publish(tag: &str) -> Result<(), TaskError> {
    let version = env!("CARGO_PKG_VERSION");
    if tag != format!("v{version}") {
        return Err(TaskError::new(format!("the tag is {tag} and Cargo.toml says {version}: expected v{version}")));
    }
    let folder = root().join("target/dist");
    run(Command::new("sha256sum").current_dir(&folder).args(["--check", "--quiet", "SHA256SUMS"]))?;
    let mut files: Vec<PathBuf> =
        fs::read_dir(&folder).map_err(failed(&folder))?.flatten().map(|entry| entry.path()).collect();
    files.sort();
    let notes = folder.join("CHANGES.md");
    run(Command::new("gh").args(["release", "create", tag, "--notes-file"]).arg(notes).args(files))
}

/// The step `package` of `cargo xtask test`: all that a release has besides the optimised program. The archive and the
/// package come out the same twice, and the program starts, serves and stays small. A file stands for the program in them,
/// because packing it takes a minute.
pub(crate) fn test() -> Result<(), TaskError> {
    web::build()?;
    let speaker = Compiled::workspace()?.program("fourfold")?.clone();
    let folders = ["one", "two"].map(|name| root().join("target/dist-test").join(name));
    for folder in &folders {
        let _ = fs::remove_dir_all(folder);
        let program = folder.join("fourfold");
        write(&program, "stands for the program\n")?;
        let release = Release {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            platform: &X86_64,
            time: "1700000000".to_owned(),
            program,
            speaker: speaker.clone(),
            folder: folder.clone(),
        };
        archive::write(&release)?;
        debian::pack(&release)?;
        image::write(&release)?;
        sbom::write(&release)?;
        changes(&release)?;
    }
    let [one, two] = &folders;
    run(Command::new("diff").arg("--recursive").arg(one).arg(two))?;
    for script in debian::SCRIPTS {
        run(Command::new("sh").arg("-n").arg(root().join("deploy/debian").join(script)))?;
    }
    install::serves(&speaker)
}

/// A C compiler for a platform, for SQLite, the allocator and the cryptography.
struct CCompiler {
    program: &'static str,
    flags: String,
    /// For what the compiler's own linker cannot link with Rust's copy of musl.
    linker: Option<&'static str>,
    /// What the linker is told: to pack the addresses to adapt at the start (RELR), which are 760 kB otherwise, and where
    /// libraries are that Rust's copy of musl lacks.
    link_arguments: Vec<String>,
}

/// Installs what is missing: the targets, a C compiler for each, and cargo-auditable.
fn ready(all: bool) -> Result<Vec<CCompiler>, TaskError> {
    setup::toolchain()?;
    let platforms = if all { &[&X86_64, &AARCH64][..] } else { &[&X86_64] };
    for platform in platforms {
        if !setup::has_target(platform.target)? {
            run(rustup().args(["target", "add", platform.target]))?;
        }
    }
    if !works(cargo().args(["auditable", "--version"])) {
        println!("installing cargo-auditable, which writes the list of dependencies into the program");
        run(cargo().args(setup::INSTALL).arg("cargo-auditable"))?;
    }
    if !works(Command::new("musl-gcc").arg("--version")) {
        setup::packages(&["musl-tools"], "whose C compiler the static program needs")?;
    }
    let link_arguments = vec!["-Clink-arg=-Wl,-z,pack-relative-relocs".to_owned()];
    let mut compilers = vec![CCompiler { program: "musl-gcc", flags: String::new(), linker: None, link_arguments }];
    if all {
        compilers.push(cross_compiler()?);
    }
    Ok(compilers)
}

/// Debian has a compiler for aarch64 with glibc; with musl's headers in place of glibc's, what it compiles suits Rust's own
/// copy of musl, which Rust's own linker links.
fn cross_compiler() -> Result<CCompiler, TaskError> {
    let program = "aarch64-linux-gnu-gcc";
    if !works(Command::new(program).arg("--version")) || !works(Command::new("mmdebstrap").arg("--version")) {
        let names = ["gcc-aarch64-linux-gnu", "mmdebstrap", "debian-archive-keyring"];
        setup::packages(&names, "which compile C for aarch64 and fetch its headers")?;
    }
    let folder = root().join("target/dist-musl");
    if !folder.join("usr/include").is_dir() {
        let words = ["--quiet", "--variant=extract", "--architectures=arm64", "--include=musl-dev", SUITE];
        run(Command::new("mmdebstrap").args(words).arg(&folder))?;
    }
    let headers = folder.join("usr/include/aarch64-linux-musl");
    let own = output(Command::new(program).arg("-print-file-name=include"))?;
    let flags = format!("-nostdinc -isystem {} -isystem {}", headers.display(), own.trim());
    // SQLite asks for this one, which is empty in musl. The rest of musl comes from Rust, so it lies in a folder of its own.
    let (library, alone) = ("libdl.a", folder.join("fourfold"));
    fs::create_dir_all(&alone).map_err(failed(&alone))?;
    copy(&folder.join("usr/lib/aarch64-linux-musl").join(library), &alone.join(library))?;
    let link_arguments = ["-zpack-relative-relocs".to_owned(), format!("-L{}", alone.display())];
    let link_arguments = link_arguments.map(|argument| format!("-Clink-arg={argument}")).to_vec();
    Ok(CCompiler { program, flags, linker: Some("rust-lld"), link_arguments })
}

/// Folders of this machine and what stands for them in compiled files: with them every build would be another one.
fn remap() -> [(String, &'static str); 2] {
    let home = std::env::var("CARGO_HOME").or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")));
    [(root().display().to_string(), "/fourfold"), (home.unwrap_or_default(), "/cargo")]
}

/// What C compilers are told, so that they write neither folders of this machine nor the time into what they compile (the
/// allocator prints when it was built). As flags, because a change of those has everything compiled again.
fn c_flags() -> String {
    let folders = remap().map(|(from, to)| format!("-ffile-prefix-map={from}={to}"));
    format!("{} -Wno-builtin-macro-redefined -D__DATE__=\"no-date\" -D__TIME__=\"no-time\"", folders.join(" "))
}

/// What the compiler is told for a file that leaves this machine.
pub(crate) fn remapped_paths() -> String {
    let flags = remap().map(|(from, to)| format!("--remap-path-prefix={from}={to}"));
    flags.join(" ")
}

/// Compiles the program; gives where it is.
fn compile(platform: &Platform, c_compiler: &CCompiler) -> Result<PathBuf, TaskError> {
    let commit = output(Command::new("git").current_dir(root()).args(["rev-parse", "--short=10", "HEAD"]))?;
    let version = env!("CARGO_PKG_VERSION");
    let name = platform.target.replace('-', "_");
    let upper = name.to_uppercase();
    let mut command = cargo();
    command.args(["auditable", "rustc", "--profile", "packaged", "--locked", "--package", "fourfold"]);
    command.args(["--bin", "fourfold", "--target", platform.target, "--"]).args(&c_compiler.link_arguments);
    command.env(format!("CARGO_TARGET_{upper}_RUSTFLAGS"), remapped_paths());
    command.env(format!("CFLAGS_{name}"), format!("{} {}", c_flags(), c_compiler.flags));
    command.env(format!("CC_{name}"), c_compiler.program);
    if let Some(linker) = c_compiler.linker {
        command.env(format!("CARGO_TARGET_{upper}_LINKER"), linker);
    }
    run(command.env("FOURFOLD_VERSION", format!("{version} ({})", commit.trim())))?;
    Ok(root().join("target").join(platform.target).join("packaged/fourfold"))
}

/// What changed in this version, from CHANGELOG.md.
fn changes(release: &Release) -> Result<(), TaskError> {
    let file = root().join("CHANGELOG.md");
    let text = fs::read_to_string(&file).map_err(failed(&file))?;
    let mut sections = text.split("\n## ").skip(1);
    let newest = sections.next().unwrap_or_default();
    write(&release.file("CHANGES.md"), &format!("## {}\n", newest.trim_end()))
}

fn sums(folder: &Path) -> Result<(), TaskError> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .map_err(failed(folder))?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    names.sort();
    let sums = output(Command::new("sha256sum").current_dir(folder).args(&names))?;
    write(&folder.join("SHA256SUMS"), &sums)?;
    print!("{sums}");
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<(), TaskError> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(failed(folder))?;
    }
    fs::copy(from, to).map(drop).map_err(failed(from))
}

fn write(file: &Path, text: &str) -> Result<(), TaskError> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(failed(folder))?;
    }
    fs::write(file, text).map_err(failed(file))
}

fn failed(path: &Path) -> impl FnOnce(std::io::Error) -> TaskError {
    let path = path.display().to_string();
    move |error| TaskError::new(format!("{path}: {error}"))
}
