//! Turns the message files into Rust: parse each file, hold the languages against each other, write typed functions.
//!
//! The build script runs this, so a fault in a message file is a fault of the build; the tests run it on faulty
//! files. It uses nothing but the standard library.

/// Writes a line; writing to a `String` cannot fail.
macro_rules! put {
    ($code:expr, $($format:tt)*) => { let _ = writeln!($code, $($format)*); };
}

mod check;
mod emit;
mod games;
#[path = "../src/messages/signs.rs"]
mod signs;
mod syntax;

use std::fmt;

pub(crate) use emit::Generated;

/// A language the generator knows how to check and to call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dialect {
    /// The name of its variant in the generated code.
    pub(crate) variant: &'static str,
    /// The plural forms a whole number can take, by their names in message files, the last one being the rest.
    pub(crate) forms: &'static [&'static str],
}

/// English, whose file declares which messages there are and what arguments they take.
pub(crate) const ENGLISH: Dialect = Dialect { variant: "English", forms: &["one", "other"] };
/// Ukrainian. Its fourth form, `other`, is for fractions only, and nothing here is counted in fractions.
pub(crate) const UKRAINIAN: Dialect = Dialect { variant: "Ukrainian", forms: &["one", "few", "many"] };
/// Russian; as for Ukrainian, whole numbers never take the form `other`.
pub(crate) const RUSSIAN: Dialect = Dialect { variant: "Russian", forms: &["one", "few", "many"] };

/// The texts that are loaded together, as variants of `Part`; the first is for every page.
pub(crate) const PARTS: [&str; 7] = ["Table", "Setup", "Study", "Puzzles", "Online", "Lobby", "Terminal"];

/// The files that belong to no game.
const SHARED: [&str; 5] = ["common", "study", "puzzles", "online", "terminal"];

/// Whether the files of this name are those of a game.
fn is_game(stem: &str) -> bool {
    !SHARED.contains(&stem)
}

/// A message file: its name for fault reports, its name without folder and extension, and its text.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) file: &'a str,
    pub(crate) stem: &'a str,
    pub(crate) text: &'a str,
}

impl<'a> Source<'a> {
    /// The game the file belongs to.
    fn game(&self) -> Option<&'a str> {
        is_game(self.stem).then_some(self.stem)
    }
}

/// What is wrong in a message file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) key: Option<String>,
    pub(crate) what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: ", self.file, self.line)?;
        if let Some(key) = &self.key {
            write!(f, "{key}: ")?;
        }
        f.write_str(&self.what)
    }
}

/// Rust source and texts for all messages, or everything that is wrong with them.
///
/// The first language is the reference: it declares the messages and their arguments, the others translate them.
pub(crate) fn generate(languages: &[(Dialect, Vec<Source<'_>>)]) -> Result<Generated, Vec<Fault>> {
    let mut faults = Vec::new();
    let mut parsed = Vec::new();
    for (number, (dialect, sources)) in languages.iter().enumerate() {
        let role = if number == 0 { syntax::Role::Reference } else { syntax::Role::Translation };
        parsed.push(syntax::parse(*dialect, sources, role, &mut faults));
    }
    check::check(&parsed, &mut faults);
    if let Some(reference) = parsed.first() {
        games::check(reference, &mut faults);
    }
    if faults.is_empty() { Ok(emit::emit(&parsed)) } else { Err(faults) }
}
