//! Packed texts: carried by programs, fetched by the browser app, and filled in.

use std::fmt::{self, Display, Write};
use std::sync::OnceLock;

use super::{FINGERPRINT, signs};
use crate::{Language, Plural};

/// What stands for an argument of a message.
#[derive(Clone, Copy)]
pub(crate) enum Argument<'a> {
    Text(&'a dyn Display),
    Number(u64),
}

/// Texts that are loaded together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What every page needs.
    Table,
    /// Settings, and setting up a game.
    Setup,
    /// The rules pages, exercises and analysis.
    Study,
    /// The puzzles.
    Puzzles,
    /// Playing with others.
    Online,
    /// The way to others: open tables, players, games, accounts.
    Lobby,
    /// What only the terminal says.
    Terminal,
}

impl Part {
    /// Every part.
    pub const ALL: [Part; 7] =
        [Part::Table, Part::Setup, Part::Study, Part::Puzzles, Part::Online, Part::Lobby, Part::Terminal];

    fn name(self) -> &'static str {
        match self {
            Part::Table => "Table",
            Part::Setup => "Setup",
            Part::Study => "Study",
            Part::Puzzles => "Puzzles",
            Part::Online => "Online",
            Part::Lobby => "Lobby",
            Part::Terminal => "Terminal",
        }
    }
}

/// The texts of a part in a language, one per message.
type Texts = Vec<&'static str>;

static LOADED: [[OnceLock<Texts>; Part::ALL.len()]; 3] = [const { [const { OnceLock::new() }; Part::ALL.len()] }; 3];

/// Everywhere but in a browser all languages are part of the program.
#[cfg(not(target_arch = "wasm32"))]
fn carried(language: Language, part: Part) -> &'static str {
    match (language, part) {
        (Language::Ukrainian, Part::Table) => include_str!(concat!(env!("OUT_DIR"), "/uk.texts")),
        (Language::Ukrainian, Part::Setup) => include_str!(concat!(env!("OUT_DIR"), "/uk-setup.texts")),
        (Language::Ukrainian, Part::Study) => include_str!(concat!(env!("OUT_DIR"), "/uk-study.texts")),
        (Language::Ukrainian, Part::Puzzles) => include_str!(concat!(env!("OUT_DIR"), "/uk-puzzles.texts")),
        (Language::Ukrainian, Part::Online) => include_str!(concat!(env!("OUT_DIR"), "/uk-online.texts")),
        (Language::Ukrainian, Part::Lobby) => include_str!(concat!(env!("OUT_DIR"), "/uk-lobby.texts")),
        (Language::Ukrainian, Part::Terminal) => include_str!(concat!(env!("OUT_DIR"), "/uk-terminal.texts")),
        (Language::Russian, Part::Table) => include_str!(concat!(env!("OUT_DIR"), "/ru.texts")),
        (Language::Russian, Part::Setup) => include_str!(concat!(env!("OUT_DIR"), "/ru-setup.texts")),
        (Language::Russian, Part::Study) => include_str!(concat!(env!("OUT_DIR"), "/ru-study.texts")),
        (Language::Russian, Part::Puzzles) => include_str!(concat!(env!("OUT_DIR"), "/ru-puzzles.texts")),
        (Language::Russian, Part::Online) => include_str!(concat!(env!("OUT_DIR"), "/ru-online.texts")),
        (Language::Russian, Part::Lobby) => include_str!(concat!(env!("OUT_DIR"), "/ru-lobby.texts")),
        (Language::Russian, Part::Terminal) => include_str!(concat!(env!("OUT_DIR"), "/ru-terminal.texts")),
        (Language::English, Part::Table) => include_str!(concat!(env!("OUT_DIR"), "/en.texts")),
        (Language::English, Part::Setup) => include_str!(concat!(env!("OUT_DIR"), "/en-setup.texts")),
        (Language::English, Part::Study) => include_str!(concat!(env!("OUT_DIR"), "/en-study.texts")),
        (Language::English, Part::Puzzles) => include_str!(concat!(env!("OUT_DIR"), "/en-puzzles.texts")),
        (Language::English, Part::Online) => include_str!(concat!(env!("OUT_DIR"), "/en-online.texts")),
        (Language::English, Part::Lobby) => include_str!(concat!(env!("OUT_DIR"), "/en-lobby.texts")),
        (Language::English, Part::Terminal) => include_str!(concat!(env!("OUT_DIR"), "/en-terminal.texts")),
    }
}

/// Texts that were made for another version of the program, or are none at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OtherTexts;

impl Display for OtherTexts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("these texts belong to another version")
    }
}

impl std::error::Error for OtherTexts {}

impl Language {
    /// The texts of this language in one, for [`Language::load`].
    #[cfg(not(target_arch = "wasm32"))]
    pub fn packed(self, part: Part) -> &'static str {
        carried(self, part)
    }

    /// Takes in texts of this language, which a page fetches when it needs them.
    ///
    /// Compiled to WebAssembly this crate carries no texts, and before they are loaded every message is empty. All other
    /// programs carry them and never need this.
    pub fn load(self, part: Part, packed: &str) -> Result<(), OtherTexts> {
        if !packed.starts_with(FINGERPRINT) {
            return Err(OtherTexts);
        }
        if !self.is_loaded(part) {
            // Messages are handed out for as long as the program runs.
            let texts = unpack(part, Box::leak(packed.to_owned().into_boxed_str())).ok_or(OtherTexts)?;
            let _ = LOADED[self as usize][part as usize].set(texts);
        }
        Ok(())
    }

    /// Whether these texts of this language are here.
    pub fn is_loaded(self, part: Part) -> bool {
        texts(self, part).is_some()
    }
}

fn unpack(part: Part, packed: &'static str) -> Option<Texts> {
    let packed = packed.strip_prefix(FINGERPRINT)?.strip_prefix(part.name())?.strip_prefix(signs::END)?;
    let mut texts = packed.split(signs::END).collect::<Texts>();
    // Nothing follows the last sign.
    texts.pop().filter(|rest| rest.is_empty()).map(|_| texts)
}

fn texts(language: Language, part: Part) -> Option<&'static Texts> {
    let here = &LOADED[language as usize][part as usize];
    #[cfg(not(target_arch = "wasm32"))]
    here.get_or_init(|| unpack(part, carried(language, part)).unwrap_or_default());
    here.get()
}

/// A message without arguments.
#[inline(always)]
pub(crate) fn plain(language: Language, part: Part, number: usize) -> &'static str {
    place(language, part, number)
}

/// Where a message stands. A function that gives a text has to be handed a place for its two words; this one gives one word,
/// which makes each of the thousand calls shorter.
#[inline(never)]
fn place(language: Language, part: Part, number: usize) -> &'static &'static str {
    texts(language, part).and_then(|texts| texts.get(number)).unwrap_or(&"")
}

/// A message with its arguments in place.
pub(crate) fn filled(language: Language, part: Part, number: usize, arguments: &[Argument<'_>]) -> String {
    let mut filled = String::new();
    fill(plain(language, part, number), language, arguments, &mut filled);
    filled
}

/// Writes what of a text comes before a sign that closes something; gives the rest after it.
fn fill<'t>(text: &'t str, language: Language, arguments: &[Argument<'_>], into: &mut String) -> &'t str {
    let mut rest = text;
    loop {
        let Some(at) = rest.find([signs::ARGUMENT, signs::PLURAL, signs::BRANCH]) else {
            into.push_str(rest);
            return "";
        };
        let (before, marked) = rest.split_at_checked(at).unwrap_or((rest, ""));
        into.push_str(before);
        let mut following = marked.chars();
        let sign = following.next();
        if sign == Some(signs::BRANCH) {
            return following.as_str();
        }
        let position = following.next().and_then(|digit| digit.to_digit(10)).unwrap_or_default();
        let argument = arguments.get(position as usize);
        rest = following.as_str();
        match (sign, argument) {
            (Some(signs::PLURAL), Some(Argument::Number(count))) => {
                rest = choose(rest, *count, language, arguments, into);
            }
            // Writing to a `String` cannot fail; an argument that refuses to be shown is left out.
            (_, Some(Argument::Text(text))) => drop(write!(into, "{text}")),
            (_, Some(Argument::Number(number))) => drop(write!(into, "{number}")),
            (_, None) => {}
        }
    }
}

/// Writes the branch for a count: the first that fits, or the last. Gives the rest after the plural.
fn choose<'t>(
    branches: &'t str,
    count: u64,
    language: Language,
    arguments: &[Argument<'_>],
    into: &mut String,
) -> &'t str {
    let form = match language.plural(count) {
        Plural::One => "one",
        Plural::Few => "few",
        Plural::Many => "many",
        Plural::Other => "other",
    };
    let (mut rest, mut chosen) = (branches, false);
    while let Some((name, branch)) = rest.split_once(signs::BRANCH) {
        let fits = match name.strip_prefix('=') {
            Some(number) => number.parse() == Ok(count),
            None => name == form,
        };
        let mut written = String::new();
        rest = fill(branch, language, arguments, &mut written);
        let after = rest.strip_prefix(signs::PLURAL_END);
        if !chosen && (fits || after.is_some()) {
            chosen = true;
            into.push_str(&written);
        }
        if let Some(after) = after {
            return after;
        }
    }
    rest
}
