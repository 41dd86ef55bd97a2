//! Finds the version that `fourfold --version` prints: the package's, with the commit where there is a repository.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=FOURFOLD_VERSION");
    let version = std::env::var("FOURFOLD_VERSION").ok().filter(|version| !version.is_empty());
    println!("cargo:rustc-env=FOURFOLD_VERSION={}", version.unwrap_or_else(found));
}

fn found() -> String {
    let package = env!("CARGO_PKG_VERSION");
    // Both files change with every commit; a tree without a repository, such as a source archive, has neither.
    for name in ["HEAD", "logs/HEAD"] {
        if let Some(path) =
            git(&["rev-parse", "--git-path", name]).filter(|path| std::fs::exists(path).unwrap_or(false))
        {
            println!("cargo:rerun-if-changed={path}");
        }
    }
    match git(&["rev-parse", "--short=12", "HEAD"]) {
        Some(commit) => format!("{package} ({commit})"),
        None => package.to_owned(),
    }
}

/// What git prints; nothing where git or the repository is missing.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned()).filter(|text| !text.is_empty())
}
