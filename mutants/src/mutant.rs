//! The list of mutants, which is that of cargo-mutants.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::Failure;

/// One small change of the code.
pub(crate) struct Mutant {
    /// What the environment variable names it by, from 1.
    pub(crate) id: u32,
    /// As cargo-mutants prints it: file, line, column and what is replaced by what.
    pub(crate) name: String,
    pub(crate) file: String,
    pub(crate) genre: Genre,
    pub(crate) replacement: String,
    /// Line from 1 and column in characters from 1.
    pub(crate) start: (usize, usize),
    pub(crate) end: (usize, usize),
    /// Whether its function names only a trait as the type of what it returns; then `return` cannot give another type.
    pub(crate) returns_impl: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Genre {
    FnValue,
    Binary,
    Unary,
    Arm,
    Guard,
    Field,
}

impl Mutant {
    /// The name without line and column, which change too often.
    pub(crate) fn lasting_name(&self) -> String {
        lasting_name(&self.name)
    }
}

pub(crate) fn lasting_name(name: &str) -> String {
    let mut parts = name.splitn(4, ':');
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some(file), _, _, Some(what)) => format!("{file}:{what}"),
        _ => name.to_owned(),
    }
}

/// The mutants of some files, given by patterns.
pub(crate) fn list(root: &Path, files: &[&str]) -> Result<Vec<Mutant>, Failure> {
    let mut command = Command::new("cargo");
    command.current_dir(root).args(["mutants", "--list", "--json", "--no-shuffle"]);
    // What is only shown to builders is not worth a test.
    command.args(["--exclude-re", "impl (std::)?(fmt::)?Debug"]);
    for file in files {
        command.args(["--file", file]);
    }
    let output = command.output()?;
    if !output.status.success() {
        return Err(Failure::new(String::from_utf8_lossy(&output.stderr)));
    }
    let list: Value = serde_json::from_slice(&output.stdout)?;
    let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
    (1..)
        .zip(list)
        .map(|(id, mutant)| read(id, mutant).ok_or_else(|| Failure::new(format!("unknown: {mutant}"))))
        .collect()
}

fn read(id: u32, mutant: &Value) -> Option<Mutant> {
    let text = |name: &str| mutant[name].as_str().map(str::to_owned);
    let place = |end: &str| {
        let place = &mutant["span"][end];
        Some((usize::try_from(place["line"].as_u64()?).ok()?, usize::try_from(place["column"].as_u64()?).ok()?))
    };
    let genre = match mutant["genre"].as_str()? {
        "FnValue" => Genre::FnValue,
        "BinaryOperator" => Genre::Binary,
        "UnaryOperator" => Genre::Unary,
        "MatchArm" => Genre::Arm,
        "MatchArmGuard" => Genre::Guard,
        "StructField" => Genre::Field,
        _ => return None,
    };
    let returned = mutant["function"]["return_type"].as_str().unwrap_or_default();
    Some(Mutant {
        id,
        name: text("name")?,
        file: text("file")?,
        genre,
        replacement: text("replacement")?,
        start: place("start")?,
        end: place("end")?,
        returns_impl: returned.contains("impl "),
    })
}
