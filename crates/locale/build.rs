//! Generates the message functions and the packed texts from `messages/<language>/*.messages`; a fault in them fails the build.

#[path = "generator/mod.rs"]
mod generator;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use generator::{Dialect, ENGLISH, RUSSIAN, Source, UKRAINIAN};

const LANGUAGES: [(Dialect, &str); 3] = [(ENGLISH, "en"), (UKRAINIAN, "uk"), (RUSSIAN, "ru")];

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=generator");
    println!("cargo::rerun-if-changed=messages");
    println!("cargo::rerun-if-changed=src/messages/signs.rs");
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(complaints) => {
            for complaint in complaints {
                println!("cargo::error={complaint}");
            }
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Vec<String>> {
    let messages = folder("CARGO_MANIFEST_DIR")?.join("messages");
    let mut languages = Vec::new();
    for (dialect, code) in LANGUAGES {
        languages.push((dialect, read_files(&messages.join(code)).map_err(|error| vec![error])?));
    }
    let sources: Vec<(Dialect, Vec<Source<'_>>)> =
        languages.iter().map(|(dialect, files)| (*dialect, files.iter().map(MessageFile::source).collect())).collect();
    let generated = generator::generate(&sources)
        .map_err(|faults| faults.iter().map(ToString::to_string).collect::<Vec<String>>())?;
    let out = folder("OUT_DIR")?;
    let write = |name: String, text: &str| {
        let target = out.join(name);
        fs::write(&target, text).map_err(|error| vec![format!("{}: {error}", target.display())])
    };
    for ((_, code), [table, setup, study, puzzles, online, lobby, terminal]) in LANGUAGES.iter().zip(&generated.packs) {
        write(format!("{code}.texts"), table)?;
        write(format!("{code}-setup.texts"), setup)?;
        write(format!("{code}-study.texts"), study)?;
        write(format!("{code}-puzzles.texts"), puzzles)?;
        write(format!("{code}-online.texts"), online)?;
        write(format!("{code}-lobby.texts"), lobby)?;
        write(format!("{code}-terminal.texts"), terminal)?;
    }
    write("messages.rs".to_owned(), &generated.code)
}

struct MessageFile {
    /// The path from the root of the repository, which is where people look.
    shown: String,
    stem: String,
    text: String,
}

impl MessageFile {
    fn source(&self) -> Source<'_> {
        Source { file: &self.shown, stem: &self.stem, text: &self.text }
    }
}

/// The message files of a folder in the order of their names.
fn read_files(folder: &Path) -> Result<Vec<MessageFile>, String> {
    let fail = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| fail(folder, error))? {
        let path = entry.map_err(|error| fail(folder, error))?.path();
        if path.extension().is_some_and(|extension| extension == "messages") {
            paths.push(path);
        }
    }
    paths.sort();
    let language = folder.file_name().unwrap_or_default().display().to_string();
    let read = |path: PathBuf| {
        let stem = path.file_stem().unwrap_or_default().display().to_string();
        let shown = format!("crates/locale/messages/{language}/{stem}.messages");
        Ok(MessageFile { text: fs::read_to_string(&path).map_err(|error| fail(&path, error))?, shown, stem })
    };
    paths.into_iter().map(read).collect()
}

fn folder(variable: &str) -> Result<PathBuf, Vec<String>> {
    env::var_os(variable).map(PathBuf::from).ok_or_else(|| vec![format!("cargo did not set {variable}")])
}
