//! Proves which crate may know of which.

use std::path::Path;
use std::process::Command;

use crate::shell::{TaskError, cargo, output, root};

/// The crates that must stay free of the outside world, and all that each may depend on, directly or not.
const ARROWS: [(&str, &[&str]); 9] = [
    ("rules", &[]),
    ("search", &["rules"]),
    ("scene", &["rules"]),
    ("art", &["rules", "scene"]),
    ("game", &["rules", "scene", "search"]),
    ("locale", &["rules", "scene"]),
    ("protocol", &["rules", "scene", "search", "game", "locale"]),
    ("routes", &["rules", "scene", "locale"]),
    ("session", &["rules", "scene", "search", "game", "locale", "protocol"]),
];

/// What a message needs to become text, and what that needs: no sockets, no runtime.
const JSON: [&str; 11] = [
    "serde",
    "serde_core",
    "serde_derive",
    "serde_json",
    "itoa",
    "memchr",
    "zmij",
    "proc-macro2",
    "quote",
    "syn",
    "unicode-ident",
];

/// Several numbers computed with at once, which needs nothing from outside: for bots.
const SUMS: [&str; 3] = ["wide", "safe_arch", "bytemuck"];

/// Programs that know a server only by its messages.
const WITHOUT_SERVER: [&str; 2] = ["client", "trial"];

/// Tests only: no program may carry it.
const TEST_ONLY: &str = "testkit";

pub(crate) fn check() -> Result<(), TaskError> {
    let broken = broken_arrows(&root())?;
    if broken.is_empty() {
        println!("   every arrow points the right way");
        return Ok(());
    }
    Err(TaskError::new(broken.join("\n")))
}

fn broken_arrows(workspace: &Path) -> Result<Vec<String>, TaskError> {
    let mut broken = Vec::new();
    for (name, allowed) in ARROWS {
        let json: &[&str] = if ["protocol", "session"].contains(&name) { &JSON } else { &[] };
        let sums: &[&str] = if name == "search" || allowed.contains(&"search") { &SUMS } else { &[] };
        broken.extend(forbidden(name, &[allowed, json, sums].concat(), &dependencies(workspace, name)?));
    }
    for member in members(workspace)?.iter().filter(|member| *member != TEST_ONLY) {
        let names = dependencies(workspace, member)?;
        if WITHOUT_SERVER.contains(&member.as_str()) && names.iter().any(|name| name == "server") {
            broken.push(format!("{member} must not depend on server"));
        }
        if names.iter().any(|name| name == TEST_ONLY) {
            broken.push(format!("{member} depends on {TEST_ONLY}, which is for tests only"));
        }
    }
    Ok(broken)
}

fn forbidden(name: &str, allowed: &[&str], dependencies: &[String]) -> Vec<String> {
    let known = |dependency: &&String| !allowed.contains(&dependency.as_str());
    dependencies.iter().filter(known).map(|other| format!("{name} must not depend on {other}")).collect()
}

/// All that a crate is built with or links, on any platform, directly or not; what only its tests use is left out.
fn dependencies(workspace: &Path, name: &str) -> Result<Vec<String>, TaskError> {
    let mut names = listed(tree(workspace).args(["-p", name]))?;
    names.retain(|other| other != name);
    Ok(names)
}

fn members(workspace: &Path) -> Result<Vec<String>, TaskError> {
    listed(tree(workspace).args(["--workspace", "--depth", "0"]))
}

fn tree(workspace: &Path) -> Command {
    let mut command = cargo();
    command.current_dir(workspace);
    // With features unified over the workspace, cargo would print the trees of all members.
    command.env("CARGO_RESOLVER_FEATURE_UNIFICATION", "selected");
    command.args(["tree", "--edges", "normal,build", "--target", "all", "--all-features"]);
    command.args(["--prefix", "none", "--format", "{p}"]);
    command
}

fn listed(command: &mut Command) -> Result<Vec<String>, TaskError> {
    let text = output(command)?;
    let mut names: Vec<String> =
        text.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect();
    names.sort();
    names.dedup();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn this_repository_keeps_its_arrows() {
        assert_eq!(broken_arrows(&root()).unwrap(), Vec::<String>::new());
    }

    /// A workspace with our crate names and two planted faults: a runtime in the rules, the test kit in a program.
    #[test]
    fn planted_violations_are_found() {
        let folder = std::env::temp_dir().join(format!("fourfold-arrows-{}", std::process::id()));
        let plant = |name: &str, dependencies: &[&str]| {
            let source = folder.join(name).join("src");
            fs::create_dir_all(&source).unwrap();
            fs::write(source.join("lib.rs"), "").unwrap();
            let list: String =
                dependencies.iter().map(|other| format!("{other} = {{ path = \"../{other}\" }}\n")).collect();
            let manifest = format!(
                "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[dependencies]\n{list}"
            );
            fs::write(folder.join(name).join("Cargo.toml"), manifest).unwrap();
        };
        plant("tokio", &[]);
        plant("rules", &["tokio"]);
        plant("scene", &["rules"]);
        plant("art", &["scene"]);
        plant("search", &["rules"]);
        plant("game", &["scene", "search"]);
        plant("locale", &["scene"]);
        plant("protocol", &["game", "locale"]);
        plant("routes", &["locale"]);
        plant("session", &["protocol"]);
        plant("testkit", &["game"]);
        plant("fourfold", &["game", "testkit"]);
        fs::write(folder.join("Cargo.toml"), "[workspace]\nresolver = \"3\"\nmembers = [\"*\"]\n").unwrap();
        let broken = broken_arrows(&folder).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        assert!(broken.contains(&"rules must not depend on tokio".to_owned()), "{broken:?}");
        assert!(broken.contains(&"locale must not depend on tokio".to_owned()), "{broken:?}");
        assert!(broken.contains(&"fourfold depends on testkit, which is for tests only".to_owned()), "{broken:?}");
        assert_eq!(broken.len(), 10, "one for each of the nine crates that reach tokio, one for testkit: {broken:?}");
    }
}
