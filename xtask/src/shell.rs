//! Running other programs.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Why a command or a step failed.
#[derive(Debug)]
pub(crate) struct TaskError {
    message: String,
    pub(crate) exit_code: u8,
}

impl TaskError {
    pub(crate) fn new(message: impl Into<String>) -> TaskError {
        TaskError { message: message.into(), exit_code: 1 }
    }

    /// The command line itself was wrong.
    pub(crate) fn usage(message: impl Into<String>) -> TaskError {
        TaskError { message: message.into(), exit_code: 2 }
    }
}

impl fmt::Display for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// The folder of the whole repository.
pub(crate) fn root() -> PathBuf {
    // Asked at run time: a copied target folder holds this program compiled for another checkout.
    let here = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let here = Path::new(&here);
    here.parent().unwrap_or(here).to_path_buf()
}

/// The pinned cargo, run in the repository.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    command.current_dir(root());
    // Set by the cargo that runs this program. Build scripts watch it (ring's does), so that whatever depends on them would
    // be compiled again after each change between `cargo xtask` and plain cargo.
    command.env_remove("CARGO_MANIFEST_DIR");
    command
}

pub(crate) fn rustup() -> Command {
    let mut command = Command::new("rustup");
    command.current_dir(root());
    command
}

/// Cargo of the nightly toolchain, free of what pins this process to the stable one.
pub(crate) fn nightly_cargo() -> Command {
    let mut command = rustup();
    for pin in ["RUSTUP_TOOLCHAIN", "CARGO", "RUSTC", "RUSTDOC"] {
        command.env_remove(pin);
    }
    command.args(["run", "nightly", "cargo"]);
    command
}

/// Shows the command, runs it with our own output, and fails if it does.
pub(crate) fn run(command: &mut Command) -> Result<(), TaskError> {
    let shown = shown(command);
    println!("   $ {shown}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(TaskError::new(format!("`{shown}` failed ({status})"))),
        Err(error) => Err(TaskError::new(format!("cannot run `{shown}`: {error}"))),
    }
}

/// The same for a command beside others: what it says comes all together at its end, if it fails.
pub(crate) fn run_beside(command: &mut Command) -> Result<(), TaskError> {
    let shown = shown(command);
    println!("   $ {shown}");
    let output = command.output().map_err(|error| TaskError::new(format!("cannot run `{shown}`: {error}")))?;
    if output.status.success() {
        return Ok(());
    }
    let [said, errors] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    println!("{said}{errors}");
    Err(TaskError::new(format!("`{shown}` failed ({})", output.status)))
}

/// Runs a command without showing it, and returns what it printed.
pub(crate) fn output(command: &mut Command) -> Result<String, TaskError> {
    let shown = shown(command);
    let output = command.output().map_err(|error| TaskError::new(format!("cannot run `{shown}`: {error}")))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        let errors = String::from_utf8_lossy(&output.stderr);
        Err(TaskError::new(format!("`{shown}` failed ({}): {}", output.status, errors.trim())))
    }
}

/// Whether a command exists and succeeds.
pub(crate) fn works(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let words = command.get_args().map(|word| word.to_string_lossy().into_owned());
    [program].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}
