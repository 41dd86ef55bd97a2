//! Compiles the copy, and takes out what does not compile.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::copy::Copy;
use crate::mutant::Mutant;
use crate::{Failure, Part};

/// A test program of the copy.
pub(crate) struct Program {
    pub(crate) path: PathBuf,
    /// The folder of its package, where cargo runs it.
    pub(crate) folder: PathBuf,
}

/// What can be tried, and what cannot.
#[derive(Default)]
pub(crate) struct Compiled {
    pub(crate) programs: Vec<Program>,
    /// Do not compile.
    pub(crate) unviable: BTreeSet<u32>,
    /// Compile by themselves, perhaps, but not beside the others.
    pub(crate) alone: BTreeSet<u32>,
}

/// How a compilation ended.
pub(crate) enum Outcome {
    Built(Vec<Program>),
    Errors(Vec<CompilerError>),
}

pub(crate) struct CompilerError {
    code: String,
    text: String,
    /// Where it is, first the main places.
    places: Vec<(String, usize)>,
}

/// What the compiler says of a mutant that would not compile alone either: types that do not fit.
const OF_TYPES: [&str; 10] = ["E0015", "E0061", "E0067", "E0277", "E0308", "E0368", "E0369", "E0423", "E0599", "E0600"];

/// Plants the mutants and compiles them, until those that are left compile.
pub(crate) fn compile(copy: &mut Copy, part: &Part, mutants: &[Mutant]) -> Result<Compiled, Failure> {
    let mut found = Compiled::default();
    found.alone.extend(mutants.iter().filter(|mutant| mutant.returns_impl).map(|mutant| mutant.id));
    for round in 1.. {
        let rest: Vec<&Mutant> =
            mutants.iter().filter(|it| !found.unviable.contains(&it.id) && !found.alone.contains(&it.id)).collect();
        found.alone.extend(copy.plant(&rest, None)?);
        let errors = match build(copy, part, None)? {
            Outcome::Built(programs) => {
                found.programs = programs;
                return Ok(found);
            }
            Outcome::Errors(errors) => errors,
        };
        let before = (found.unviable.len(), found.alone.len());
        errors.iter().for_each(|error| sort_out(error, copy, &mut found));
        let (unviable, alone) = (found.unviable.len(), found.alone.len());
        println!("   compiled {round} times: {unviable} do not compile, {alone} not beside the others");
        if (unviable, alone) == before {
            let texts: Vec<&str> = errors.iter().map(|error| error.text.as_str()).take(5).collect();
            return Err(Failure::new(texts.join("\n")));
        }
    }
    Ok(found)
}

fn sort_out(error: &CompilerError, copy: &Copy, found: &mut Compiled) {
    let own = error.places.first().and_then(|(file, line)| copy.mutant_at(file, *line));
    if let Some(id) = own {
        let is_of_types = OF_TYPES.contains(&error.code.as_str());
        let list = if is_of_types { &mut found.unviable } else { &mut found.alone };
        list.insert(id);
        return;
    }
    let around = error.places.iter().map(|(file, line)| copy.mutants_around(file, *line));
    found.alone.extend(around.into_iter().find(|around| !around.is_empty()).unwrap_or_default());
}

/// Compiles the test programs of a part; with a mutant for what the compiler itself computes.
pub(crate) fn build(copy: &Copy, part: &Part, computed: Option<u32>) -> Result<Outcome, Failure> {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(&copy.folder).args(["test", "--no-run", "--message-format=json"]);
    part.packages.iter().for_each(|package| {
        cargo.args(["--package", package]);
    });
    cargo.args(part.targets).stderr(Stdio::null());
    // Where the dependencies are compiled already.
    cargo.env("CARGO_TARGET_DIR", target(copy)).env("RUSTC_WORKSPACE_WRAPPER", wrapper(copy)?);
    match computed {
        Some(id) => cargo.env("FOURFOLD_MUTANT_COMPILED", id.to_string()),
        None => cargo.env_remove("FOURFOLD_MUTANT_COMPILED"),
    };
    let output = cargo.output()?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let messages: Vec<Value> = said.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    if output.status.success() {
        return Ok(Outcome::Built(messages.iter().filter_map(program).collect()));
    }
    Ok(Outcome::Errors(messages.iter().filter_map(error).collect()))
}

fn target(copy: &Copy) -> PathBuf {
    copy.folder.ancestors().find(|folder| folder.ends_with("target")).unwrap_or(&copy.folder).to_owned()
}

/// A compiler for the crates of the workspace alone that grants what the mutants need of the unstable library: a function
/// that knows whether the compiler or the program runs it. Each copy has its own, or cargo would take what it compiled in
/// one for what it would compile in another.
fn wrapper(copy: &Copy) -> Result<PathBuf, Failure> {
    let path = copy.folder.with_file_name("rustc");
    if !path.exists() {
        fs::write(&path, "#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec \"$@\"\n")?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
    }
    Ok(path)
}

fn program(message: &Value) -> Option<Program> {
    let path = message["executable"].as_str().filter(|_| message["profile"]["test"] == true)?;
    let folder = Path::new(message["manifest_path"].as_str()?).parent()?.to_owned();
    Some(Program { path: path.into(), folder })
}

fn error(message: &Value) -> Option<CompilerError> {
    let message = &message["message"];
    let spans = message["spans"].as_array().filter(|_| message["level"] == "error")?;
    let place = |span: &Value| Some((span["file_name"].as_str()?.to_owned(), span["line_start"].as_u64()? as usize));
    let (main, others): (Vec<&Value>, Vec<&Value>) = spans.iter().partition(|span| span["is_primary"] == true);
    let places: Vec<_> = main.into_iter().chain(others).filter_map(place).collect();
    let text = message["rendered"].as_str().unwrap_or_default().to_owned();
    let code = message["code"]["code"].as_str().unwrap_or_default().to_owned();
    (!places.is_empty()).then_some(CompilerError { code, text, places })
}
