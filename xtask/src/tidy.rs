//! What no compiler checks: files that name a path of one machine, and files that have grown too long.

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
    for file in files()? {
        // Pictures and other binaries hold no text to check.
        let Ok(text) = fs::read_to_string(root().join(&file)) else { continue };
        let lines = text.lines().count();
        if lines > LONG && file.extension().is_some_and(|extension| extension == "rs") {
            println!("   warning: {} has {lines} lines, more than {LONG}", file.display());
        }
        found.extend(machine_paths(&text).map(|line| format!("{}:{line} names a path of one machine", file.display())));
    }
    if found.is_empty() { Ok(()) } else { Err(TaskError::new(found.join("\n"))) }
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

/// `https://host/home/` and `some/work/folder` go on; a path that stands alone does not.
fn starts_a_path(before: &str, start: &str) -> bool {
    !start.starts_with('/')
        || !before.ends_with(|letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '_' | '-' | '/' | '}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machine_paths_are_found_and_relative_ones_are_not() {
        for (head, tail) in MACHINES {
            let planted = format!("fine\nlet path = \"{head}{tail}somebody\";\n");
            assert_eq!(machine_paths(&planted).collect::<Vec<_>>(), [2], "{planted}");
        }
        let fine = format!("https://host{0}{1}page\nframe{0}{1}x\n", "/wo", "rk/");
        assert_eq!(machine_paths(&fine).count(), 0);
    }
}
