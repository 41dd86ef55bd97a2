//! Proves the column "never sees" of ARCHITECTURE.md: which crates each member may depend on, from the workspace and from
//! outside, and that the pure ones use no files, sockets, threads or clocks of the standard library either.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::shell::{TaskError, cargo, output, root};
use crate::tidy::files;

/// What a member of the workspace may depend on, directly or not.
struct Arrows {
    member: &'static str,
    /// Members of the workspace.
    workspace: &'static [&'static str],
    outside: Outside,
}

/// Which crates from outside the workspace a member may depend on.
enum Outside {
    /// These groups and nothing else; the member is also free of the system's files, sockets, threads and clocks.
    Pure(&'static [&'static [&'static str]]),
    /// These groups and nothing else.
    Only(&'static [&'static [&'static str]]),
    /// Any but these.
    Without(&'static [&'static str]),
}

use Outside::{Only, Pure, Without};

/// Arithmetic on several numbers at once, for bots.
const SIMD: &[&str] = &["wide", "safe_arch", "bytemuck"];

/// What a message needs to become text, and what that needs; the last five by a feature of `serde_json` that only other
/// crates turn on.
const JSON: &[&str] = &[
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
    "indexmap",
    "hashbrown",
    "equivalent",
    "foldhash",
    "allocator-api2",
];

/// Reading and writing Rust, at compile time.
const MACROS: &[&str] = &["proc-macro2", "quote", "syn", "unicode-ident"];

/// Unpacking and packing.
const BROTLI: &[&str] = &["brotli", "brotli-decompressor", "alloc-no-stdlib", "alloc-stdlib"];

/// Mapped files, and graphics cards whose driver is loaded at run time.
const TABLES: &[&str] = &["memmap2", "libc", "cudarc", "libloading", "cfg-if", "windows-link"];

const fn arrows(member: &'static str, workspace: &'static [&'static str], outside: Outside) -> Arrows {
    Arrows { member, workspace, outside }
}

/// A row for every member.
const ARROWS: &[Arrows] = &[
    arrows("rules", &[], Pure(&[])),
    arrows("search", &["rules"], Pure(&[SIMD])),
    arrows("scene", &["rules"], Pure(&[])),
    arrows("art", &["rules", "scene"], Pure(&[])),
    arrows("game", &["rules", "scene", "search"], Pure(&[SIMD])),
    arrows("locale", &["rules", "scene"], Pure(&[])),
    arrows("routes", &["rules", "scene", "locale"], Pure(&[])),
    arrows("protocol", &["rules", "scene", "locale"], Pure(&[JSON])),
    arrows("session", &["rules", "scene", "search", "game", "locale", "protocol", "puzzles"], Pure(&[SIMD, JSON])),
    arrows("puzzles", &["rules", "scene", "search", "game"], Pure(&[SIMD])),
    arrows("puzzle-sets", &["rules", "scene", "search", "game", "puzzles"], Only(&[SIMD, BROTLI])),
    arrows("testkit", &["rules", "scene", "search", "game"], Only(&[SIMD])),
    arrows("tablebase", &["rules", "search"], Only(&[SIMD, TABLES])),
    arrows("xtask", &[], Only(&[])),
    arrows("mutants", &[], Only(&[JSON, MACROS])),
    arrows("site", &[], Only(&[&["pulldown-cmark", "pulldown-cmark-escape", "unicase", "bitflags", "memchr"]])),
    arrows(
        "client",
        &["rules", "scene", "search", "game", "locale", "protocol", "puzzles", "session"],
        Without(&["sqlx", "axum"]),
    ),
    arrows(
        "trial",
        &["rules", "scene", "search", "game", "locale", "protocol", "puzzles", "session", "client"],
        Without(&["sqlx", "axum"]),
    ),
    arrows(
        "simulator",
        &[
            "rules",
            "scene",
            "search",
            "game",
            "locale",
            "protocol",
            "puzzles",
            "puzzle-sets",
            "routes",
            "art",
            "session",
            "server",
        ],
        Without(&[]),
    ),
    arrows("app-files", &[], Only(&[])),
    arrows(
        "server",
        &["rules", "scene", "search", "game", "locale", "protocol", "puzzles", "puzzle-sets", "routes", "art"],
        Without(&[]),
    ),
    arrows(
        "bundle",
        &["rules", "scene", "search", "game", "locale", "puzzles", "puzzle-sets", "routes", "art"],
        Without(&["sqlx", "axum"]),
    ),
    arrows("engine", &["rules", "scene", "search", "game"], Without(&["sqlx", "axum", "tokio"])),
    arrows(
        "web",
        &[
            "rules",
            "scene",
            "search",
            "engine",
            "game",
            "locale",
            "protocol",
            "puzzles",
            "routes",
            "session",
            "art",
            "ui",
            "ui-macros",
        ],
        Without(&["sqlx", "axum", "tokio-tungstenite"]),
    ),
    arrows("ui", &["ui-macros"], Without(&["sqlx", "axum", "tokio-tungstenite"])),
    arrows("ui-macros", &[], Only(&[MACROS])),
    arrows(
        "python",
        &["rules", "scene", "search", "game", "art", "puzzles", "puzzle-sets", "tablebase"],
        Without(&["sqlx", "axum", "tokio"]),
    ),
    arrows(
        "fourfold",
        &[
            "rules",
            "scene",
            "search",
            "game",
            "art",
            "puzzles",
            "puzzle-sets",
            "locale",
            "protocol",
            "routes",
            "session",
            "client",
            "server",
            "app-files",
            "tablebase",
        ],
        Without(&[]),
    ),
    arrows(
        "e2e",
        &[
            "rules",
            "scene",
            "search",
            "game",
            "locale",
            "protocol",
            "puzzles",
            "puzzle-sets",
            "routes",
            "art",
            "server",
            "app-files",
        ],
        Without(&[]),
    ),
];

/// Uses of the standard library that a pure crate is free of.
const IMPURE: [&str; 9] =
    ["std::fs", "std::net", "std::io", "std::env", "std::process", "std::thread", "SystemTime", "Instant", "println!"];

pub(crate) fn check() -> Result<(), TaskError> {
    let mut broken = broken_arrows(&root())?;
    for file in files()? {
        let name = file.display().to_string();
        if let Ok(text) = fs::read_to_string(root().join(&file)) {
            broken.extend(impure_lines(&name, &text));
        }
    }
    if broken.is_empty() {
        println!("   every arrow points the right way");
        return Ok(());
    }
    Err(TaskError::new(broken.join("\n")))
}

fn broken_arrows(workspace: &Path) -> Result<Vec<String>, TaskError> {
    let mut broken = Vec::new();
    let graph = Graph::read(workspace)?;
    for member in &graph.members {
        let Some(arrows) = ARROWS.iter().find(|arrows| arrows.member == member.as_str()) else {
            broken.push(format!("{member} has no row in xtask/src/arrows.rs"));
            continue;
        };
        for name in graph.reach(member) {
            let allowed = match arrows.outside {
                _ if graph.members.iter().any(|other| other == name) => arrows.workspace.contains(&name),
                Pure(groups) | Only(groups) => groups.iter().any(|group| group.contains(&name)),
                Without(forbidden) => !forbidden.contains(&name),
            };
            if !allowed {
                broken.push(format!("{member} must not depend on {name}"));
            }
        }
    }
    Ok(broken)
}

/// The lines of a source file that use what its crate must be free of.
fn impure_lines(file: &str, text: &str) -> Vec<String> {
    let Some((member, source)) = file.strip_prefix("crates/").and_then(|file| file.split_once("/src/")) else {
        return Vec::new();
    };
    let pure = ARROWS.iter().any(|arrows| arrows.member == member && matches!(arrows.outside, Pure(_)));
    // Tables have their own board, so that they can be compared with the rules: only the type of a value is shared.
    let own_board = |line: &str| member == "tablebase" && line.contains("search::") && !line.contains("search::Value");
    if !source.ends_with(".rs") || source.contains("tests") {
        return Vec::new();
    }
    let lines = text.lines().take_while(|line| line.trim() != "#[cfg(test)]").enumerate();
    lines
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
        .filter(|(_, line)| own_board(line) || pure && IMPURE.iter().any(|use_| line.contains(use_)))
        .map(|(number, line)| format!("{file}:{}: {} must be free of this: {}", number + 1, member, line.trim()))
        .collect()
}

/// All crates of the workspace and below it, each with those it is built with or links, on any platform; what only
/// tests use is left out.
struct Graph {
    members: Vec<String>,
    direct: BTreeMap<String, BTreeSet<String>>,
}

impl Graph {
    fn read(workspace: &Path) -> Result<Graph, TaskError> {
        let mut command = cargo();
        command.current_dir(workspace).args(["tree", "--workspace", "--edges", "normal,build", "--target", "all"]);
        command.args(["--all-features", "--prefix", "depth", "--format", " {p}"]);
        let mut graph = Graph { members: Vec::new(), direct: BTreeMap::new() };
        // The crates above a line, one for each depth. A crate's own dependencies are listed where it first appears.
        let mut path: Vec<String> = Vec::new();
        for line in output(&mut command)?.lines() {
            let mut words = line.split_whitespace();
            let (Some(depth), Some(name)) = (words.next().and_then(|depth| depth.parse().ok()), words.next()) else {
                continue;
            };
            path.truncate(depth);
            match path.last() {
                Some(above) => drop(graph.direct.entry(above.clone()).or_default().insert(name.to_owned())),
                None => graph.members.push(name.to_owned()),
            }
            path.push(name.to_owned());
        }
        graph.members.sort();
        Ok(graph)
    }

    /// All that a crate depends on, directly or not.
    fn reach<'a>(&'a self, name: &'a str) -> BTreeSet<&'a str> {
        let (mut found, mut open) = (BTreeSet::new(), vec![name]);
        while let Some(name) = open.pop() {
            let direct = self.direct.get(name).into_iter().flatten();
            open.extend(direct.map(String::as_str).filter(|other| found.insert(*other)));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_repository_keeps_its_arrows() {
        assert_eq!(broken_arrows(&root()).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn pure_crates_are_free_of_the_system() {
        let line = "use std::time::Instant;\n";
        assert_eq!(impure_lines("crates/rules/src/lib.rs", line).len(), 1);
        assert_eq!(impure_lines("crates/rules/src/lib.rs", &format!("/// {line}")).len(), 0);
        assert_eq!(impure_lines("crates/rules/src/lib.rs", &format!("#[cfg(test)]\n{line}")).len(), 0);
        assert_eq!(impure_lines("crates/server/src/lib.rs", line).len(), 0);
        assert_eq!(impure_lines("crates/tablebase/src/solve.rs", "use search::Bot;").len(), 1);
    }

    /// A workspace with our crate names and three planted faults: a runtime in the rules, the test kit in a program, and
    /// a member without a row.
    #[test]
    fn planted_violations_are_found() {
        let folder = std::env::temp_dir().join(format!("fourfold-arrows-{}", std::process::id()));
        let plant = |path: &str, name: &str, dependencies: &[&str]| {
            let source = folder.join(path).join("src");
            fs::create_dir_all(&source).unwrap();
            fs::write(source.join("lib.rs"), "").unwrap();
            let list: String = dependencies
                .iter()
                .map(|other| format!("{} = {{ path = \"{other}\" }}\n", other.rsplit('/').next().unwrap()))
                .collect();
            let list = list.replace("path = \"", &format!("path = \"{}/", folder.display()));
            let manifest = format!(
                "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[dependencies]\n{list}"
            );
            fs::write(folder.join(path).join("Cargo.toml"), manifest).unwrap();
        };
        plant("outside/tokio", "tokio", &[]);
        plant("rules", "rules", &["outside/tokio"]);
        plant("scene", "scene", &["rules"]);
        plant("testkit", "testkit", &["scene"]);
        plant("fourfold", "fourfold", &["testkit"]);
        plant("newcomer", "newcomer", &[]);
        let members = "[workspace]\nresolver = \"3\"\nmembers = [\"*\"]\nexclude = [\"outside\"]\n";
        fs::write(folder.join("Cargo.toml"), members).unwrap();
        let broken = broken_arrows(&folder).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        let expected = [
            "fourfold must not depend on testkit",
            "newcomer has no row in xtask/src/arrows.rs",
            "rules must not depend on tokio",
            "scene must not depend on tokio",
            "testkit must not depend on tokio",
        ];
        assert_eq!(broken, expected);
    }
}
