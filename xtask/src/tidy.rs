//! What no compiler checks: files that name a path of one machine, links of documents that lead nowhere, and files that
//! have grown too long.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{TaskError, output, root};

/// A file longer than this deserves to be split.
const LONG: usize = 600;

/// How paths on a developer's machine begin, written in two halves so that this file does not find itself.
const MACHINES: [(&str, &str); 6] =
    [("/ho", "me/"), ("/Us", "ers/"), ("/ro", "ot/"), ("/wo", "rk/"), ("/wo", "rkspace/"), (":\\Us", "ers\\")];

pub(crate) fn check() -> Result<(), TaskError> {
    let mut found = Vec::new();
    let files = files()?;
    for file in &files {
        // Pictures and other binaries hold no text to check.
        let Ok(text) = fs::read_to_string(root().join(file)) else { continue };
        let lines = text.lines().count();
        if lines > LONG && file.extension().is_some_and(|extension| extension == "rs") {
            println!("   warning: {} has {lines} lines, more than {LONG}", file.display());
        }
        found.extend(machine_paths(&text).map(|line| format!("{}:{line} names a path of one machine", file.display())));
        if file.extension().is_some_and(|extension| extension == "md") {
            let broken = broken_links(&root(), file, &text);
            found.extend(broken.iter().map(|link| format!("{}: the link {link} leads nowhere", file.display())));
        }
        if file.ends_with("tests/main.rs") {
            let forgotten = forgotten_tests(&files, file, &text);
            found.extend(forgotten.iter().map(|test| format!("{}: no `mod` names it", test.display())));
        }
    }
    if found.is_empty() { Ok(()) } else { Err(TaskError::new(found.join("\n"))) }
}

/// Files beside a `tests/main.rs` that it does not name: their tests would never run.
fn forgotten_tests<'a>(files: &'a [PathBuf], main: &Path, text: &str) -> Vec<&'a PathBuf> {
    let beside = |file: &&PathBuf| {
        *file != main && file.parent() == main.parent() && file.extension().is_some_and(|extension| extension == "rs")
    };
    let is_named = |file: &&PathBuf| {
        let line = format!("mod {};", file.file_stem().unwrap_or_default().to_string_lossy());
        text.lines().any(|found| found.trim_end() == line)
    };
    files.iter().filter(beside).filter(|file| !is_named(file)).collect()
}

pub(crate) fn files() -> Result<Vec<PathBuf>, TaskError> {
    let arguments = ["ls-files", "--cached", "--others", "--exclude-standard"];
    match output(Command::new("git").current_dir(root()).args(arguments)) {
        Ok(list) => Ok(list.lines().map(PathBuf::from).collect()),
        // An unpacked archive has no history; then everything but build output counts.
        Err(_) => walk(&root(), Path::new("")),
    }
}

fn walk(root: &Path, folder: &Path) -> Result<Vec<PathBuf>, TaskError> {
    let unreadable = |error| TaskError::new(format!("cannot list {}: {error}", folder.display()));
    let mut files = Vec::new();
    for entry in fs::read_dir(root.join(folder)).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let path = folder.join(entry.file_name());
        if entry.path().is_file() {
            files.push(path);
        } else if entry.path().is_dir() && !matches!(entry.file_name().to_str(), Some("target" | ".git")) {
            files.extend(walk(root, &path)?);
        }
    }
    Ok(files)
}

/// The numbers of the lines that hold an absolute path of a machine.
fn machine_paths(text: &str) -> impl Iterator<Item = usize> + '_ {
    let named = |line: &str| {
        MACHINES.iter().any(|(head, tail)| {
            let start = format!("{head}{tail}");
            line.match_indices(&start).any(|(at, _)| starts_a_path(&line[..at], &start))
        })
    };
    text.lines().enumerate().filter(move |(_, line)| named(line)).map(|(index, _)| index + 1)
}

/// `https://host/home/` and `docs/home/page` go on; a path that stands alone does not.
fn starts_a_path(before: &str, start: &str) -> bool {
    !start.starts_with('/')
        || !before.ends_with(|letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '_' | '-' | '/' | '}'))
}

/// The links of a document to files or headings that do not exist.
fn broken_links<'a>(root: &Path, file: &Path, text: &'a str) -> Vec<&'a str> {
    let links = text.match_indices("](").filter_map(|(at, _)| text[at + 2..].split(')').next());
    let inside = links.filter(|link| !link.contains("://") && !link.contains(char::is_whitespace));
    let broken = inside.filter(|link| {
        let (path, heading) = link.split_once('#').unwrap_or((link, ""));
        let target = if path.is_empty() { root.join(file) } else { root.join(file).with_file_name("").join(path) };
        let has_heading = || {
            let text = fs::read_to_string(&target).unwrap_or_default();
            text.lines().any(|line| line.starts_with('#') && anchor(line) == heading)
        };
        !target.exists() || !heading.is_empty() && !has_heading()
    });
    broken.collect()
}

/// The anchor that a heading gets: lower case, hyphens for spaces, no other signs.
fn anchor(heading: &str) -> String {
    let letters = heading.trim_start_matches('#').trim().chars().filter_map(|letter| match letter {
        ' ' => Some('-'),
        '-' | '_' => Some(letter),
        _ => letter.is_alphanumeric().then_some(letter),
    });
    letters.collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_missing_files_and_headings_are_found() {
        let text =
            "[a](glossary.md) [b](glossary.md#the-server) [c](none.md) [d](glossary.md#none) [e](https://host/x)";
        let broken = broken_links(&root(), Path::new("docs/README.md"), text);
        assert_eq!(broken, ["none.md", "glossary.md#none"]);
    }

    #[test]
    fn machine_paths_are_found_and_relative_ones_are_not() {
        for (head, tail) in MACHINES {
            let planted = format!("fine\nlet path = \"{head}{tail}person\";\n");
            assert_eq!(machine_paths(&planted).collect::<Vec<_>>(), [2], "{planted}");
        }
        let fine = format!("https://host{0}{1}page\nframe{0}{1}x\n", "/wo", "rk/");
        assert_eq!(machine_paths(&fine).count(), 0);
    }

    #[test]
    fn a_test_file_that_is_not_named_is_found() {
        let files: Vec<PathBuf> =
            ["a/tests/main.rs", "a/tests/one.rs", "a/tests/two.rs", "b/tests/three.rs", "a/tests/x.py"]
                .map(PathBuf::from)
                .to_vec();
        let forgotten = forgotten_tests(&files, Path::new("a/tests/main.rs"), "//! mod two;\nmod one;\n");
        assert_eq!(forgotten, [Path::new("a/tests/two.rs")]);
    }
}
