//! What the steps need, installed where it is missing.

use std::path::Path;

use crate::shell::{TaskError, cargo, nightly_cargo, output, run, rustup, works};

pub(crate) const WASM: &str = "wasm32-unknown-unknown";

/// Tools work for seconds, so optimising them would cost more than it saves.
const INSTALL: [&str; 3] = ["install", "--locked", "--debug"];

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
    let mut rustc = std::process::Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    let folder = output(rustc.current_dir(crate::shell::root()).args(["--print", "target-libdir", "--target", WASM]))?;
    Ok(Path::new(folder.trim()).is_dir())
}

/// `cargo deny`, built from source where it is missing.
pub(crate) fn cargo_deny() -> Result<(), TaskError> {
    if works(cargo().args(["deny", "--version"])) {
        return Ok(());
    }
    println!("installing cargo-deny, which checks licences and sources of dependencies (a minute or two, once)");
    run(cargo().args(INSTALL).arg("cargo-deny"))
}

/// `cargo fuzz` on nightly. A second toolchain is much to ask of a reader, so only CI or a direct request installs it.
pub(crate) fn fuzzing(install: bool) -> Tool {
    let nightly = || works(nightly_cargo().arg("--version"));
    let fuzz = || works(nightly_cargo().args(["fuzz", "--version"]));
    if install && !nightly() {
        println!("installing the nightly toolchain, which coverage-guided fuzzing needs");
        let mut command = rustup();
        command.args(["toolchain", "install", "nightly", "--profile", "minimal", "--no-self-update"]);
        if let Err(failure) = run(&mut command) {
            return Tool::Missing(failure.to_string());
        }
    }
    if install && !fuzz() {
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
