//! Turns the message files into Rust: parse each file, hold the languages against each other, write typed functions.
//!
//! The build script runs this, so a fault in a message file is a fault of the build; the tests run it on faulty
//! files. It uses nothing but the standard library.

mod check;
mod emit;
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

/// A message file with its name, for fault reports, and its text.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) dialect: Dialect,
    pub(crate) file: &'a str,
    pub(crate) text: &'a str,
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
/// The first source is the reference: it declares the messages and their arguments, the others translate them.
pub(crate) fn generate(reference: Source<'_>, translations: &[Source<'_>]) -> Result<Generated, Vec<Fault>> {
    let mut faults = Vec::new();
    let mut files = vec![syntax::parse(reference, syntax::Role::Reference, &mut faults)];
    for translation in translations {
        files.push(syntax::parse(*translation, syntax::Role::Translation, &mut faults));
    }
    check::check(&files, &mut faults);
    if faults.is_empty() { Ok(emit::emit(&files)) } else { Err(faults) }
}
