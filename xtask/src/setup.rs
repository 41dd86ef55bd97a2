//! What the steps need, installed where it is missing.

use std::path::Path;
use std::process::Command;

use crate::shell::{TaskError, cargo, nightly_cargo, output, run, rustup, works};

pub(crate) const WASM: &str = "wasm32-unknown-unknown";

/// Tools work for seconds, so optimising them would cost more than it saves.
pub(crate) const INSTALL: [&str; 3] = ["install", "--locked", "--debug"];

/// Whether a tool is there, or was left out and why.
pub(crate) enum Tool {
    Ready,
    Missing(String),
}

/// With `CI=true` nothing may be left out quietly.
pub(crate) fn in_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "false"))
}

/// The pinned toolchain with rustfmt, clippy and the WebAssembly target.
pub(crate) fn toolchain() -> Result<(), TaskError> {
    let components = works(cargo().args(["fmt", "--version"])) && works(cargo().args(["clippy", "--version"]));
    if components && has_wasm()? {
        return Ok(());
    }
    println!("installing what rust-toolchain.toml names and is missing (rustfmt, clippy, {WASM})");
    // Without the pin that cargo sets for its children, rustup reads rust-toolchain.toml. An older one does not, so
    // what is still missing is then asked for by name.
    let mut install = rustup();
    install.env_remove("RUSTUP_TOOLCHAIN").args(["toolchain", "install", "--no-self-update"]);
    if run(&mut install).is_err() || !has_wasm()? {
        run(rustup().args(["target", "add", WASM]))?;
        run(rustup().args(["component", "add", "rustfmt", "clippy"]))?;
    }
    if has_wasm()? {
        Ok(())
    } else {
        Err(TaskError::new(format!("the target {WASM} is missing and rustup cannot add it")))
    }
}

fn has_wasm() -> Result<bool, TaskError> {
    has_target(WASM)
}

/// Whether the pinned toolchain can compile for a target.
pub(crate) fn has_target(target: &str) -> Result<bool, TaskError> {
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    let folder =
        output(rustc.current_dir(crate::shell::root()).args(["--print", "target-libdir", "--target", target]))?;
    Ok(Path::new(folder.trim()).is_dir())
}

/// Installs packages of Debian or Ubuntu, as root or through `sudo`; fails where neither is possible.
pub(crate) fn packages(names: &[&str], why: &str) -> Result<(), TaskError> {
    let is_root = output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    let apt = || {
        if is_root {
            return Command::new("apt-get");
        }
        let mut command = Command::new("sudo");
        command.args(["-n", "apt-get"]);
        command
    };
    let command = format!("apt-get install {}", names.join(" "));
    if !works(apt().arg("--version")) {
        return Err(TaskError::new(format!("missing: {command}")));
    }
    println!("installing {}, {why}", names.join(" and "));
    // Lists may be missing in a bare image; an install that fails says more than an update that does.
    let _ = output(apt().args(["update", "--quiet"]));
    output(apt().args(["install", "--yes", "--quiet", "--no-install-recommends"]).args(names))
        .map(drop)
        .map_err(|error| TaskError::new(format!("{command}: {error}")))
}

/// `cargo mutants`, built from source where it is missing.
pub(crate) fn cargo_mutants() -> Result<(), TaskError> {
    if works(cargo().args(["mutants", "--version"])) {
        return Ok(());
    }
    println!("installing cargo-mutants, which changes the code in small ways (a minute or two, once)");
    run(cargo().args(INSTALL).arg("cargo-mutants"))
}

/// `cargo fuzz` on nightly. A second toolchain is much to ask of a reader, so only a direct request installs it.
pub(crate) fn fuzzing() -> Tool {
    let nightly = || works(nightly_cargo().arg("--version"));
    let fuzz = || works(nightly_cargo().args(["fuzz", "--version"]));
    if !nightly() {
        println!("installing the nightly toolchain, which coverage-guided fuzzing needs");
        let mut command = rustup();
        command.args(["toolchain", "install", "nightly", "--profile", "minimal", "--no-self-update"]);
        if let Err(failure) = run(&mut command) {
            return Tool::Missing(failure.to_string());
        }
    }
    if !fuzz() {
        println!("installing cargo-fuzz");
        if let Err(failure) = run(cargo().args(INSTALL).arg("cargo-fuzz")) {
            return Tool::Missing(failure.to_string());
        }
    }
    match (nightly(), fuzz()) {
        (true, true) => Tool::Ready,
        (false, _) => Tool::Missing("no nightly toolchain: rustup toolchain install nightly".to_owned()),
        (true, false) => Tool::Missing("no cargo-fuzz: cargo install --locked cargo-fuzz".to_owned()),
    }
}
