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

const TARGET: &str = "x86_64-unknown-linux-musl";

/// The most that the program may weigh, with the app inside.
const MOST_BYTES: u64 = 25_000_000;

/// What the files are called and made from.
struct Release {
    version: String,
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

/// Makes all files.
pub(crate) fn dist() -> Result<(), TaskError> {
    ready()?;
    web::build()?;
    let program = compile()?;
    let bytes = fs::metadata(&program).map_err(failed(&program))?.len();
    println!("   fourfold: {:.1} MB of at most {}", bytes as f64 / 1e6, MOST_BYTES / 1_000_000);
    if bytes > MOST_BYTES {
        return Err(TaskError::new(format!("the program has {bytes} bytes, at most {MOST_BYTES} are allowed")));
    }
    let release = Release::of(&program)?;
    match wheel::wheel() {
        Ok(wheel) => copy(&wheel, &release.file(&wheel.file_name().unwrap_or_default().to_string_lossy()))?,
        Err(problem) => println!("   no Python wheel: {problem}"),
    }
    write_all(&release)
}

/// `cargo xtask dist --of PROGRAM`: the same files around a program that was compiled otherwise.
pub(crate) fn dist_of(program: &str) -> Result<(), TaskError> {
    write_all(&Release::of(Path::new(program))?)
}

fn write_all(release: &Release) -> Result<(), TaskError> {
    archive::write(release)?;
    debian::write(release)?;
    sbom::write(release)?;
    changes(release)?;
    match image::write(release) {
        Ok(()) => {}
        // An image needs privileges that a build machine may not give; everything else is complete without it.
        Err(problem) => println!("   no container image: {problem}"),
    }
    sums(&release.folder)
}

/// `cargo xtask dist --check`: builds a copy of the last commit in another folder and compares.
pub(crate) fn check() -> Result<(), TaskError> {
    if !output(Command::new("git").current_dir(root()).args(["status", "--porcelain"]))?.is_empty() {
        return Err(TaskError::new("commit first: the comparison is with the last commit"));
    }
    dist()?;
    let copy = std::env::temp_dir().join(format!("fourfold-dist-{}", std::process::id()));
    run(Command::new("git").args(["clone", "--quiet"]).arg(root()).arg(&copy))?;
    let built = run(cargo().current_dir(&copy).args(["xtask", "dist"]));
    let same = built.and_then(|()| {
        run(Command::new("diff").arg("--recursive").arg(root().join("target/dist")).arg(copy.join("target/dist")))
    });
    fs::remove_dir_all(&copy).map_err(failed(&copy))?;
    same
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
            time: "1700000000".to_owned(),
            program,
            speaker: speaker.clone(),
            folder: folder.clone(),
        };
        archive::write(&release)?;
        debian::pack(&release)?;
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

/// Installs what is missing: the target, a C compiler for it, and cargo-auditable.
fn ready() -> Result<(), TaskError> {
    setup::toolchain()?;
    run(rustup().args(["target", "add", TARGET]))?;
    if !works(Command::new("musl-gcc").arg("--version")) {
        setup::packages(&["musl-tools"], "whose C compiler the static program needs")?;
    }
    if !works(cargo().args(["auditable", "--version"])) {
        println!("installing cargo-auditable, which writes the list of dependencies into the program");
        run(cargo().args(setup::INSTALL).arg("cargo-auditable"))?;
    }
    Ok(())
}

/// Compiles the program; gives where it is.
fn compile() -> Result<PathBuf, TaskError> {
    let commit = output(Command::new("git").current_dir(root()).args(["rev-parse", "--short=10", "HEAD"]))?;
    let version = env!("CARGO_PKG_VERSION");
    // Paths of this machine would make every build another one.
    let home = std::env::var("CARGO_HOME").or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")));
    let remap = [(root().display().to_string(), "/fourfold"), (home.unwrap_or_default(), "/cargo")];
    let flags: Vec<String> = remap.iter().map(|(from, to)| format!("--remap-path-prefix={from}={to}")).collect();
    let c_flags: Vec<String> = remap.iter().map(|(from, to)| format!("-ffile-prefix-map={from}={to}")).collect();
    run(cargo()
        .args(["auditable", "build", "--profile", "dist", "--locked", "--package", "fourfold", "--target", TARGET])
        .env("CARGO_TARGET_X86_64_UNKNOWN_LINUX_MUSL_RUSTFLAGS", flags.join(" "))
        .env("CFLAGS_x86_64_unknown_linux_musl", c_flags.join(" "))
        .env("CC_x86_64_unknown_linux_musl", "musl-gcc")
        .env("FOURFOLD_VERSION", format!("{version} ({})", commit.trim())))?;
    Ok(root().join("target").join(TARGET).join("dist/fourfold"))
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
