//! The Python package: `cargo xtask wheel`, and the step `python` of `cargo xtask test`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::dist;
use crate::setup::Tool;
use crate::shell::{TaskError, output, root, run, works};

/// What `pip install` of the wheel may cost.
const MOST_BYTES: u64 = 6 << 20;

/// What builds the wheel, and what its tests import, by their names on PyPI.
const BUILDER: [&str; 1] = ["maturin>=1.7,<2"];
const TESTERS: [&str; 8] =
    ["pytest", "mypy", "ruff", "numpy", "gymnasium>=1.0", "pettingzoo>=1.25", "open_spiel>=1.6", "matplotlib"];

/// `cargo xtask wheel`: builds the wheel into `target/wheels` and says where it is.
pub(crate) fn wheel() -> Result<PathBuf, TaskError> {
    match python() {
        Tool::Ready => build(),
        Tool::Missing(why) => Err(TaskError::new(why)),
    }
}

/// Installs what builds and tests the wheel, where it is missing.
pub(crate) fn fetch() {
    if let Tool::Ready = python() {
        let _ = pip(&BUILDER).and_then(|()| pip(&TESTERS));
    }
}

/// Builds the wheel, installs it into an environment of its own and runs the Python tests on it.
pub(crate) fn test() -> Result<Tool, TaskError> {
    if let Tool::Missing(why) = python() {
        return Ok(Tool::Missing(why));
    }
    let wheel = build()?;
    pip(&TESTERS)?;
    run(Command::new(program("python"))
        .args(["-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall"])
        .arg(&wheel))?;
    let folder = root().join("crates/python");
    let check = |module: &str| {
        let mut command = Command::new(program("python"));
        // In a folder without the sources, so that what is tested is what was installed.
        command.current_dir(folder.join("tests")).args(["-m", module]);
        command
    };
    let lint = || {
        let mut ruff = Command::new(program("ruff"));
        ruff.current_dir(root()).args(["check", "--no-cache"]);
        ruff
    };
    run(lint().arg("crates/python"))?;
    run(lint().args(["--config", "crates/python/pyproject.toml", "benchmarks/python"]))?;
    run(check("mypy")
        .args(["--config-file", "../pyproject.toml", "--cache-dir"])
        .arg(cache())
        .args(["-p", "fourfold"]))?;
    run(check("mypy.stubtest").args(["fourfold._core", "--mypy-config-file", "../pyproject.toml"]))?;
    let mut tests = check("pytest");
    // Random games are replayed in the program, where an earlier step has built it.
    let program = root().join("target/debug/fourfold").with_extension(std::env::consts::EXE_EXTENSION);
    if program.exists() {
        tests.env("FOURFOLD", program);
    }
    run(tests.args(["--quiet", "-p", "no:cacheprovider", "-c", "../pyproject.toml", "."]))?;
    Ok(Tool::Ready)
}

fn build() -> Result<PathBuf, TaskError> {
    pip(&BUILDER)?;
    let wheels = root().join("target/wheels");
    let _ = fs::remove_dir_all(&wheels);
    let mut maturin = Command::new(program("maturin"));
    maturin.env("RUSTFLAGS", dist::remapped_paths());
    maturin.current_dir(root()).args(["build", "--quiet", "--release", "--compatibility", "linux"]);
    run(maturin.args(["--manifest-path", "crates/python/Cargo.toml", "--out"]).arg(&wheels))?;
    let unreadable = |error| TaskError::new(format!("{}: {error}", wheels.display()));
    let files = fs::read_dir(&wheels).map_err(unreadable)?.filter_map(Result::ok).map(|entry| entry.path());
    let wheel = files.into_iter().find(|file| file.extension().is_some_and(|extension| extension == "whl"));
    let wheel = wheel.ok_or_else(|| TaskError::new("maturin built no wheel"))?;
    let bytes = fs::metadata(&wheel).map_err(unreadable)?.len();
    println!("   {} ({:.1} MB)", wheel.display(), bytes as f64 / 1e6);
    if bytes > MOST_BYTES {
        return Err(TaskError::new(format!("the wheel has {bytes} bytes, more than {MOST_BYTES}")));
    }
    Ok(wheel)
}

/// The environment beside the compiled programs, made where it is missing.
fn python() -> Tool {
    let new_enough = "import sys; sys.exit(sys.version_info < (3, 11))";
    if program("python").exists() {
        return Tool::Ready;
    }
    let Some(python) =
        ["python3", "python"].into_iter().find(|name| works(Command::new(name).args(["-c", new_enough])))
    else {
        return Tool::Missing("no Python from 3.11 on".to_owned());
    };
    println!("making target/python, an environment for the Python tests");
    match run(Command::new(python).args(["-m", "venv"]).arg(environment())) {
        Ok(()) => Tool::Ready,
        Err(failure) => Tool::Missing(failure.to_string()),
    }
}

/// Installs packages by name, unless an earlier run has.
fn pip(packages: &[&str]) -> Result<(), TaskError> {
    let have = environment().join(format!("have-{}", packages.len()));
    let wanted = packages.join("\n");
    if fs::read_to_string(&have).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    println!("installing {} from PyPI", packages.join(", "));
    output(Command::new(program("python")).args(["-m", "pip", "install", "--quiet"]).args(packages))?;
    fs::write(&have, wanted).map_err(|error| TaskError::new(format!("{}: {error}", have.display())))
}

fn environment() -> PathBuf {
    root().join("target/python")
}

fn cache() -> PathBuf {
    environment().join("mypy")
}

fn program(name: &str) -> PathBuf {
    let folder = if cfg!(windows) { Path::new("Scripts") } else { Path::new("bin") };
    environment().join(folder).join(name).with_extension(std::env::consts::EXE_EXTENSION)
}
