//! Generates the message functions and the packed texts from `messages/*.messages`; a fault in them fails the build.

#[path = "generator/mod.rs"]
mod generator;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use generator::{Dialect, ENGLISH, RUSSIAN, Source, UKRAINIAN};

const FILES: [(Dialect, &str); 3] =
    [(ENGLISH, "messages/en.messages"), (UKRAINIAN, "messages/uk.messages"), (RUSSIAN, "messages/ru.messages")];

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
    let crate_root = folder("CARGO_MANIFEST_DIR")?;
    let mut texts = Vec::new();
    for (dialect, file) in FILES {
        let path = crate_root.join(file);
        let text = fs::read_to_string(&path).map_err(|error| vec![format!("{}: {error}", path.display())])?;
        texts.push((dialect, shown(file), text));
    }
    let sources: Vec<Source<'_>> =
        texts.iter().map(|(dialect, file, text)| Source { dialect: *dialect, file, text }).collect();
    let generated = generator::generate(sources[0], &sources[1..])
        .map_err(|faults| faults.iter().map(ToString::to_string).collect::<Vec<String>>())?;
    let out = folder("OUT_DIR")?;
    let write = |name: String, text: &str| {
        let target = out.join(name);
        fs::write(&target, text).map_err(|error| vec![format!("{}: {error}", target.display())])
    };
    for ((_, file), [table, study, online, terminal]) in FILES.iter().zip(&generated.packs) {
        let code = Path::new(file).file_stem().unwrap_or_default().display().to_string();
        write(format!("{code}.texts"), table)?;
        write(format!("{code}-study.texts"), study)?;
        write(format!("{code}-online.texts"), online)?;
        write(format!("{code}-terminal.texts"), terminal)?;
    }
    write("messages.rs".to_owned(), &generated.code)
}

/// The file's path from the root of the repository, which is where people look.
fn shown(file: &str) -> String {
    Path::new("crates/locale").join(file).display().to_string()
}

fn folder(variable: &str) -> Result<PathBuf, Vec<String>> {
    env::var_os(variable).map(PathBuf::from).ok_or_else(|| vec![format!("cargo did not set {variable}")])
}
