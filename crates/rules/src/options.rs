use std::fmt;
use std::hash::Hash;
use std::str::FromStr;

use crate::excerpt;

/// The options of a game (G4), every value of which is valid.
///
/// The text form lists what differs from the default, in the order of [`Options::spec`]: `squares=yes,call=lapse`.
/// It is empty when nothing differs.
pub trait Options:
    Default + Clone + Eq + Hash + fmt::Debug + fmt::Display + FromStr<Err = BadOptions> + Send + Sync + 'static
{
    /// The options there are, for menus and for error messages.
    fn spec() -> &'static [OptionSpec];

    /// The value of one option as text, whether default or not; `None` for an unknown name.
    fn value(&self, name: &str) -> Option<String>;
}

/// The options of a game that has none.
///
/// ```
/// use rules::NoOptions;
///
/// assert_eq!("".parse(), Ok(NoOptions));
/// assert!("players=2".parse::<NoOptions>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NoOptions;

impl Options for NoOptions {
    fn spec() -> &'static [OptionSpec] {
        &[]
    }

    fn value(&self, _name: &str) -> Option<String> {
        None
    }
}

impl fmt::Display for NoOptions {
    fn fmt(&self, _f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl FromStr for NoOptions {
    type Err = BadOptions;

    fn from_str(text: &str) -> Result<Self, BadOptions> {
        given_options(text, Self::spec()).map(|_| NoOptions)
    }
}

/// One option: its name and what it may be set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionSpec {
    /// The name before the `=`.
    pub name: &'static str,
    /// What may stand after it.
    pub values: OptionValues,
}

/// What an option may be set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionValues {
    /// Exactly one of these words.
    OneOf(&'static [&'static str]),
    /// A non-empty choice of these words, joined by `+`.
    Subset(&'static [&'static str]),
    /// A whole number in this range.
    Number {
        /// The smallest value.
        min: u16,
        /// The largest value.
        max: u16,
    },
}

impl OptionValues {
    fn allow(&self, value: &str) -> bool {
        match *self {
            OptionValues::OneOf(words) => words.contains(&value),
            OptionValues::Subset(words) => {
                let chosen: Vec<&str> = value.split('+').collect();
                chosen.iter().all(|word| words.contains(word))
                    && words.iter().all(|word| chosen.iter().filter(|other| *other == word).count() < 2)
            }
            OptionValues::Number { min, max } => {
                let plain =
                    value.bytes().all(|byte| byte.is_ascii_digit()) && !(value.len() > 1 && value.starts_with('0'));
                plain && value.parse().is_ok_and(|number: u16| (min..=max).contains(&number))
            }
        }
    }
}

impl fmt::Display for OptionValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValues::OneOf(words) => write!(f, "one of {}", words.join(", ")),
            OptionValues::Subset(words) => write!(f, "some of {} joined by +", words.join(", ")),
            OptionValues::Number { min, max } => write!(f, "a number from {min} to {max}"),
        }
    }
}

/// Option text that cannot be used, and what could.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadOptions {
    /// Not of the form `name=value,name=value`.
    Malformed(String),
    /// The game has no option of this name.
    Unknown {
        /// What was given.
        name: String,
        /// The names there are.
        possible: Vec<&'static str>,
    },
    /// The option exists, the value does not.
    Value {
        /// The option.
        name: &'static str,
        /// What was given.
        value: String,
        /// What may be given.
        possible: OptionValues,
    },
    /// The same option was given twice.
    Twice(&'static str),
    /// Two options that exist with their values, but not together.
    Conflict {
        /// One, as `name=value`.
        given: String,
        /// The one it does not go with, likewise.
        other: String,
    },
}

impl fmt::Display for BadOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadOptions::Malformed(text) => write!(f, "cannot read the option {text:?}: expected name=value"),
            BadOptions::Unknown { name, possible } => {
                let possible = if possible.is_empty() { "none".to_owned() } else { possible.join(", ") };
                write!(f, "there is no option {name:?}: possible are {possible}")
            }
            BadOptions::Value { name, value, possible } => {
                write!(f, "{name} cannot be {value:?}: possible is {possible}")
            }
            BadOptions::Twice(name) => write!(f, "the option {name} is given twice"),
            BadOptions::Conflict { given, other } => write!(f, "{given} is not possible with {other}"),
        }
    }
}

impl std::error::Error for BadOptions {}

/// Reads `name=value,…` against a specification: every pair returned has a known name and an allowed value.
///
/// ```
/// use rules::{OptionSpec, OptionValues, given_options};
///
/// const SPEC: &[OptionSpec] = &[OptionSpec { name: "players", values: OptionValues::OneOf(&["2", "4"]) }];
/// assert_eq!(given_options("players=4", SPEC), Ok(vec![("players", "4")]));
/// assert_eq!(given_options("", SPEC), Ok(vec![]));
/// assert!(given_options("players=3", SPEC).is_err());
/// ```
pub fn given_options<'a>(
    text: &'a str,
    spec: &'static [OptionSpec],
) -> Result<Vec<(&'static str, &'a str)>, BadOptions> {
    let mut given: Vec<(&'static str, &str)> = Vec::new();
    if text.is_empty() {
        return Ok(given);
    }
    for pair in text.split(',') {
        let (name, value) = pair.trim().split_once('=').ok_or_else(|| BadOptions::Malformed(excerpt(pair)))?;
        let option = spec.iter().find(|option| option.name == name).ok_or_else(|| BadOptions::Unknown {
            name: excerpt(name),
            possible: spec.iter().map(|option| option.name).collect(),
        })?;
        if !option.values.allow(value) {
            return Err(BadOptions::Value { name: option.name, value: excerpt(value), possible: option.values });
        }
        if given.iter().any(|(other, _)| *other == option.name) {
            return Err(BadOptions::Twice(option.name));
        }
        given.push((option.name, value));
    }
    Ok(given)
}
