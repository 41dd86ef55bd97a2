//! What the workspace is built with: licences, banned crates and sources of all dependencies, on every platform.
//!
//! `cargo deny` does the same and more, but takes minutes to compile, and three of its checks are all that is asked for
//! here. Security advisories need a database from the network and change without us; they are not part of this.

use std::collections::BTreeSet;
use std::fs;

use crate::shell::{TaskError, cargo, output, root};

/// Licences that ask for no more than a notice, or, like MPL-2.0, for changes to their own files only.
const LICENCES: [&str; 7] = ["MIT", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "Unicode-3.0", "Zlib", "MPL-2.0"];

/// Licences of single crates, and why they will do.
const EXCEPTIONS: [(&str, &str, &str); 6] = [
    ("base16", "CC0-1.0", "for the macro that marks where the browser's module is divided; asks for nothing"),
    ("target-lexicon", "Apache-2.0 WITH LLVM-exception", "for pyo3; the exception asks for less than the licence"),
    ("libloading", "ISC", "loads the graphics driver where there is one; asks for a notice"),
    ("ring", "ISC", "the cryptography of encrypted connections; asks for a notice"),
    ("rustls-webpki", "ISC", "checks certificates of encrypted connections; asks for a notice"),
    ("untrusted", "ISC", "reads certificates of encrypted connections; asks for a notice"),
];

/// A crate that only these others may depend on, and why.
struct Ban {
    name: &'static str,
    except: &'static [&'static str],
    why: &'static str,
}

const BANS: [Ban; 3] = [
    Ban {
        name: "rand",
        except: &["async-nats", "proptest", "metrics-util", "sqlx-postgres", "tungstenite"],
        why: "games and bots use search::Random, whose numbers are the same everywhere for the same seed",
    },
    Ban { name: "openssl-sys", except: &[], why: "it needs a system library that a clean machine does not have" },
    Ban { name: "chrono", except: &[], why: "time is handed in as a Duration; a date in a record is plain text" },
];

/// Everything comes from the public registry, so that it can be built anywhere.
const SOURCE: &str = "registry+https://github.com/rust-lang/crates.io-index";

pub(crate) fn check() -> Result<(), TaskError> {
    let file = root().join("Cargo.lock");
    let lock = fs::read_to_string(&file).map_err(|error| TaskError::new(format!("{}: {error}", file.display())))?;
    let tree = output(cargo().args(["tree", "--locked", "--workspace", "--all-features", "--target", "all"]).args([
        "--edges",
        "normal,build,dev",
        "--prefix",
        "none",
        "--format",
        "{p}\t{l}",
    ]))?;
    let lines: BTreeSet<&str> = tree.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    // Cargo.lock also lists what no feature of ours turns on.
    let used: BTreeSet<&str> = lines.iter().filter_map(|line| line.split(' ').next()).collect();
    let mut packages = packages(&lock);
    packages.retain(|package| used.contains(package.name));
    let mut wrong = bans_and_sources(&packages);
    wrong.extend(lines.iter().filter_map(|line| bad_licence(line)));
    for manifest in manifests()? {
        wrong.extend(wildcards(&manifest));
    }
    wrong.extend(compiled_twice(&features("normal,build")?, &features("normal,build,dev")?));
    if wrong.is_empty() {
        println!("   {} packages have a licence and a source that will do", packages.len());
        return Ok(());
    }
    Err(TaskError::new(wrong.join("\n")))
}

/// Every dependency on these edges with its features, as `cargo tree` prints them.
fn features(edges: &str) -> Result<String, TaskError> {
    output(cargo().args([
        "tree",
        "--locked",
        "--workspace",
        "--edges",
        edges,
        "--prefix",
        "none",
        "--format",
        "{p}\t{f}",
    ]))
}

/// What a dev-dependency gives other features: it, and all that depends on it, would be compiled once for the tests and once
/// for the programs.
fn compiled_twice(programs: &str, tests: &str) -> Vec<String> {
    let known: BTreeSet<&str> = programs.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    let names: BTreeSet<&str> = known.iter().filter_map(|line| line.split('\t').next()).collect();
    let other: BTreeSet<&str> = tests.lines().map(|line| line.trim_end_matches(" (*)")).collect();
    let changed = other.into_iter().filter(|line| !known.contains(line));
    let changed = changed.filter_map(|line| line.split('\t').next()).filter(|name| names.contains(name));
    changed
        .map(|name| format!("{name} has other features in tests than in programs, so it is compiled twice"))
        .collect()
}

/// A package of Cargo.lock.
#[derive(Default)]
struct Package<'a> {
    name: &'a str,
    /// None for a member of the workspace.
    source: Option<&'a str>,
    dependencies: Vec<&'a str>,
}

fn packages(lock: &str) -> Vec<Package<'_>> {
    let mut packages = Vec::new();
    for block in lock.split("[[package]]").skip(1) {
        let mut package = Package::default();
        for line in block.lines().map(str::trim) {
            let quoted = line.split('"').nth(1).unwrap_or_default();
            match line.split(' ').next() {
                Some("name") => package.name = quoted,
                Some("source") => package.source = Some(quoted),
                // A second version of one crate is named with its number.
                Some(other) if other.starts_with('"') => {
                    package.dependencies.extend(quoted.split(' ').next());
                }
                _ => {}
            }
        }
        packages.push(package);
    }
    packages
}

fn bans_and_sources(packages: &[Package<'_>]) -> Vec<String> {
    let mut wrong = Vec::new();
    for package in packages {
        if let Some(source) = package.source.filter(|source| *source != SOURCE) {
            wrong.push(format!("{} comes from {source}, not from the public registry", package.name));
        }
        for ban in BANS.iter().filter(|ban| !ban.except.contains(&package.name)) {
            if package.dependencies.contains(&ban.name) {
                wrong.push(format!("{} must not depend on {}: {}", package.name, ban.name, ban.why));
            }
        }
    }
    wrong
}

/// What is wrong with the licence in a line `name vVERSION<tab>LICENCE` of `cargo tree`.
fn bad_licence(line: &str) -> Option<String> {
    let (package, licence) = line.split_once('\t')?;
    let name = package.split(' ').next()?;
    let allowed = |term: &str| {
        LICENCES.contains(&term)
            || EXCEPTIONS.iter().any(|(crate_name, licence, _)| *crate_name == name && *licence == term)
    };
    if satisfied(licence, &allowed) {
        None
    } else {
        Some(format!("{package} has the licence {licence:?}, which is not on the list"))
    }
}

/// Whether an SPDX expression can be satisfied with the allowed licences. A slash is the old way to write OR.
fn satisfied(expression: &str, allowed: &dyn Fn(&str) -> bool) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    any_of(&words, &mut at, allowed) && at == words.len()
}

fn any_of(words: &[&str], at: &mut usize, allowed: &dyn Fn(&str) -> bool) -> bool {
    let mut holds = all_of(words, at, allowed);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        holds |= all_of(words, at, allowed);
    }
    holds
}

fn all_of(words: &[&str], at: &mut usize, allowed: &dyn Fn(&str) -> bool) -> bool {
    let mut holds = term(words, at, allowed);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        holds &= term(words, at, allowed);
    }
    holds
}

fn term(words: &[&str], at: &mut usize, allowed: &dyn Fn(&str) -> bool) -> bool {
    let Some(word) = words.get(*at) else { return false };
    *at += 1;
    if *word == "(" {
        let holds = any_of(words, at, allowed);
        // An expression that is not closed leaves `at` behind the last word, and so holds nothing.
        *at += 1;
        return holds;
    }
    if words.get(*at) == Some(&"WITH") {
        let exception = words.get(*at + 1).copied().unwrap_or_default();
        *at += 2;
        return allowed(&format!("{word} WITH {exception}"));
    }
    allowed(word)
}

/// The manifests of the workspace and its members.
fn manifests() -> Result<Vec<String>, TaskError> {
    let files = crate::tidy::files()?;
    let manifests = files.iter().filter(|file| file.ends_with("Cargo.toml"));
    Ok(manifests.filter_map(|file| fs::read_to_string(root().join(file)).ok()).collect())
}

/// A dependency of any version would change under us.
fn wildcards(manifest: &str) -> Vec<String> {
    let name = manifest.lines().find_map(|line| line.strip_prefix("name = ")).unwrap_or("the workspace");
    let any = |line: &&str| line.contains("= \"*\"") && !line.trim_start().starts_with('#');
    manifest.lines().filter(any).map(|line| format!("{name} takes any version: {line}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_features_in_tests_are_found() {
        let programs = "url v2\tstd\nidna v1\t\nurl v2\tstd (*)\n";
        assert!(compiled_twice(programs, "idna v1\t\nurl v2\tstd\nproptest v1\tstd\n").is_empty());
        let found = compiled_twice(programs, "idna v1\talloc\nurl v2\tstd\n");
        assert!(found.len() == 1 && found[0].starts_with("idna v1 has other features"), "{found:?}");
    }

    #[test]
    fn licences_are_read_as_spdx_says() {
        let fine = ["MIT", "MIT/GPL-3.0", "GPL-3.0 OR (MIT AND Zlib)", "(MIT OR GPL-3.0) AND Unicode-3.0"];
        let wrong = ["", "GPL-3.0", "MIT AND GPL-3.0", "Apache-2.0 WITH LLVM-exception", "(MIT", "MIT Zlib"];
        assert!(fine.iter().all(|licence| bad_licence(&format!("x v1\t{licence}")).is_none()));
        for licence in wrong {
            assert!(bad_licence(&format!("x v1\t{licence}")).is_some(), "{licence:?}");
        }
        assert!(bad_licence("ring v1\tApache-2.0 AND ISC").is_none());
    }

    #[test]
    fn banned_crates_and_other_sources_are_found() {
        let lock = format!(
            "version = 4\n\n[[package]]\nname = \"server\"\nversion = \"1\"\ndependencies = [\n \"rand 0.9\",\n \"x\",\n]\n\n\
             [[package]]\nname = \"proptest\"\nsource = \"{SOURCE}\"\ndependencies = [\n \"rand\",\n]\n\n\
             [[package]]\nname = \"x\"\nversion = \"1\"\nsource = \"git+https://host/x\"\n"
        );
        let wrong = bans_and_sources(&packages(&lock));
        assert_eq!(wrong.len(), 2, "{wrong:?}");
        assert!(wrong[0].starts_with("server must not depend on rand"), "{wrong:?}");
        assert!(wrong[1].starts_with("x comes from git"), "{wrong:?}");
        assert_eq!(wildcards("name = \"a\"\nb = \"*\"\nc = \"1\"\n").len(), 1);
    }
}
