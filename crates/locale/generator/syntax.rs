//! The line format of message files.
//!
//! ```text
//! # A comment.
//! moves_left(player, count: number) = {player} has {count, plural, =0 {no moves} one {# move} other {# moves}} left.
//!     An indented line goes on with the message above, after one space; \n is a line break, and a line
//!     that ends with it goes on without a space. \{ \} \# \\ stand for themselves.
//! [study]
//! ```
//!
//! A name in square brackets says with which texts the messages below it are loaded. Keys in the file of a game get the
//! file's name in front. Only the reference file writes the arguments after the key. An argument is text unless it is declared a `number`.

use super::{Dialect, Fault, PARTS, Source};

/// Whether a file declares messages or translates them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Reference,
    Translation,
}

/// One language: the messages of all its files.
pub(crate) struct Parsed {
    pub(crate) dialect: Dialect,
    pub(crate) files: Vec<FileName>,
    pub(crate) messages: Vec<Message>,
}

/// The name of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileName {
    /// As faults are reported.
    pub(crate) shown: String,
    /// The last part without its extension, the same in every language.
    pub(crate) stem: String,
}

/// One message of one language.
pub(crate) struct Message {
    /// Where it stands.
    pub(crate) file: FileName,
    /// The texts it is loaded with, one of [`super::PARTS`].
    pub(crate) part: &'static str,
    /// The name of the generated method.
    pub(crate) key: String,
    pub(crate) line: usize,
    /// As declared after the key; always empty in a translation.
    pub(crate) arguments: Vec<Argument>,
    pub(crate) text: Vec<Part>,
}

/// A declared argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Argument {
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

/// What an argument holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Number,
}

/// A stretch of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Literal(String),
    Argument(String),
    Plural { argument: String, branches: Vec<(Form, Vec<Part>)> },
}

/// When a branch of a plural is chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// For this very number: `=0`.
    Exactly(u64),
    /// For the numbers of a plural form: `few`.
    Named(String),
}

/// Reads the files of a language; faults are noted and what is faulty is left out, so that one build reports them all.
pub(crate) fn parse(dialect: Dialect, sources: &[Source<'_>], role: Role, faults: &mut Vec<Fault>) -> Parsed {
    let mut parsed = Parsed { dialect, files: Vec::new(), messages: Vec::new() };
    for source in sources {
        let file = FileName { shown: source.file.to_owned(), stem: source.stem.to_owned() };
        let game = source.game();
        for entry in entries(*source, faults) {
            match parse_entry(&entry, &file, game, role) {
                Ok(message) => match parsed.messages.iter().find(|other| other.key == message.key) {
                    Some(first) => {
                        let place = if first.file == file { String::new() } else { format!("{}:", first.file.shown) };
                        let what = format!("is defined twice, first in line {place}{}", first.line);
                        faults.push(fault(*source, message.line, Some(&message.key), what));
                    }
                    None => parsed.messages.push(message),
                },
                Err((key, what)) => faults.push(fault(*source, entry.line, key.as_deref(), what)),
            }
        }
        parsed.files.push(file);
    }
    parsed
}

fn fault(source: Source<'_>, line: usize, key: Option<&str>, what: String) -> Fault {
    Fault { file: source.file.to_owned(), line, key: key.map(str::to_owned), what }
}

/// A key line with the indented lines that follow it.
struct Entry {
    line: usize,
    part: &'static str,
    text: String,
}

fn entries(source: Source<'_>, faults: &mut Vec<Fault>) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    // A blank line or a comment ends a message, so that a stray indented line is not glued to the wrong one.
    let mut open = false;
    let mut part = PARTS[0];
    for (index, line) in source.text.lines().enumerate() {
        let (line_number, content) = (index + 1, line.trim());
        if content.is_empty() || line.starts_with('#') {
            open = false;
        } else if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            match PARTS.into_iter().find(|part| part.eq_ignore_ascii_case(name)) {
                Some(known) => part = known,
                None => faults.push(fault(source, line_number, None, format!("[{name}] is no part of the texts"))),
            }
            open = false;
        } else if !line.starts_with([' ', '\t']) {
            entries.push(Entry { line: line_number, part, text: content.to_owned() });
            open = true;
        } else if let Some(entry) = entries.last_mut().filter(|_| open) {
            if !entry.text.ends_with("\\n") {
                entry.text.push(' ');
            }
            entry.text.push_str(content);
        } else {
            faults.push(fault(source, line_number, None, "an indented line continues no message".to_owned()));
        }
    }
    entries
}

type EntryFault = (Option<String>, String);

fn parse_entry(entry: &Entry, file: &FileName, game: Option<&str>, role: Role) -> Result<Message, EntryFault> {
    let Some((head, text)) = entry.text.split_once('=') else {
        return Err((None, "expected a line of the form key = text".to_owned()));
    };
    let (key, declared) = match head.trim().split_once('(') {
        Some((key, rest)) => (key.trim(), Some(rest)),
        None => (head.trim(), None),
    };
    if !is_name(key) {
        return Err((None, format!("{key:?} is no key: a key is lower-case words joined by _, and no word of Rust")));
    }
    let key = game.map_or_else(|| key.to_owned(), |game| format!("{game}_{key}"));
    let with_key = |what: String| (Some(key.clone()), what);
    let arguments = match (declared, role) {
        (None, _) => Vec::new(),
        (Some(_), Role::Translation) => {
            return Err(with_key("arguments are declared in the reference file only".to_owned()));
        }
        (Some(declared), Role::Reference) => parse_arguments(declared).map_err(with_key)?,
    };
    let text = TextParser::new(text.trim()).parse().map_err(with_key)?;
    if text.is_empty() {
        return Err(with_key("the text is empty".to_owned()));
    }
    Ok(Message { file: file.clone(), part: entry.part, key, line: entry.line, arguments, text })
}

fn parse_arguments(declared: &str) -> Result<Vec<Argument>, String> {
    let declared = declared.trim().strip_suffix(')').ok_or("the list of arguments has no closing bracket")?;
    let mut arguments: Vec<Argument> = Vec::new();
    for item in declared.split(',') {
        let (name, kind) = match item.split_once(':') {
            None => (item.trim(), Kind::Text),
            Some((name, kind)) if kind.trim() == "number" => (name.trim(), Kind::Number),
            Some((_, kind)) => return Err(format!("{:?} is no kind of argument: only number is", kind.trim())),
        };
        if !is_name(name) {
            return Err(format!("{name:?} is no name of an argument"));
        }
        if arguments.iter().any(|other| other.name == name) {
            return Err(format!("the argument {name} is declared twice"));
        }
        arguments.push(Argument { name: name.to_owned(), kind });
    }
    Ok(arguments)
}

/// Whether a text can be the name of a method or an argument.
fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_lowercase())
        && !KEYWORDS.contains(&text)
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

/// Words that Rust keeps for itself.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod",
    "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true",
    "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

struct TextParser<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
}

impl<'a> TextParser<'a> {
    fn new(text: &'a str) -> Self {
        TextParser { rest: text.chars().peekable() }
    }

    fn parse(mut self) -> Result<Vec<Part>, String> {
        let parts = self.parts(None)?;
        match self.rest.next() {
            None => Ok(parts),
            Some(_) => Err("a closing brace } has no opening one (write \\} for the character)".to_owned()),
        }
    }

    /// Parts up to the end of the text or to an unmatched `}`, which is left in place; `#` is the number of `plural`.
    fn parts(&mut self, plural: Option<&str>) -> Result<Vec<Part>, String> {
        let mut parts = Vec::new();
        let mut literal = String::new();
        while let Some(c) = self.rest.next_if(|&c| c != '}') {
            let part = match (c, plural) {
                ('\\', _) => {
                    literal.push(self.escaped()?);
                    continue;
                }
                ('{', _) => self.placeholder()?,
                ('#', Some(argument)) => Part::Argument(argument.to_owned()),
                _ => {
                    literal.push(c);
                    continue;
                }
            };
            if !literal.is_empty() {
                parts.push(Part::Literal(std::mem::take(&mut literal)));
            }
            parts.push(part);
        }
        if !literal.is_empty() {
            parts.push(Part::Literal(literal));
        }
        Ok(parts)
    }

    fn escaped(&mut self) -> Result<char, String> {
        match self.rest.next() {
            Some('n') => Ok('\n'),
            Some(c @ ('{' | '}' | '#' | '\\')) => Ok(c),
            Some(c) => Err(format!("\\{c} means nothing: there are \\n \\{{ \\}} \\# and \\\\")),
            None => Err("a backslash ends the text".to_owned()),
        }
    }

    /// What follows an opening brace: `name}` or `name, plural, form {…} …}`.
    fn placeholder(&mut self) -> Result<Part, String> {
        let name = self.word();
        if !is_name(&name) {
            return Err(format!("an opening brace is followed by {name:?}, which is no argument name"));
        }
        self.spaces();
        match self.rest.next() {
            Some('}') => return Ok(Part::Argument(name)),
            Some(',') => {}
            Some(c) => return Err(format!("{{{name} is followed by {c:?} instead of }} or a comma")),
            None => return Err(format!("the brace of {{{name} is never closed")),
        }
        let style = self.word();
        if style != "plural" {
            return Err(format!("{{{name}, {style:?}: the only style is plural"));
        }
        self.expect(',')?;
        let branches = self.branches(&name)?;
        Ok(Part::Plural { argument: name, branches })
    }

    fn branches(&mut self, argument: &str) -> Result<Vec<(Form, Vec<Part>)>, String> {
        let mut branches: Vec<(Form, Vec<Part>)> = Vec::new();
        loop {
            let word = self.word();
            if word.is_empty() {
                self.expect('}')?;
                return Ok(branches);
            }
            let form = match word.strip_prefix('=') {
                Some(number) => Form::Exactly(number.parse().map_err(|_| format!("{word} is no whole number"))?),
                None => Form::Named(word.clone()),
            };
            if branches.iter().any(|(other, _)| *other == form) {
                return Err(format!("the plural of {argument} has the form {word} twice"));
            }
            self.expect('{')?;
            let text = self.parts(Some(argument))?;
            self.expect('}')?;
            branches.push((form, text));
        }
    }

    fn word(&mut self) -> String {
        self.spaces();
        let mut word = String::new();
        while let Some(c) = self.rest.next_if(|c| !c.is_whitespace() && !matches!(c, '{' | '}' | ',')) {
            word.push(c);
        }
        word
    }

    fn spaces(&mut self) {
        while self.rest.next_if(|c| c.is_whitespace()).is_some() {}
    }

    fn expect(&mut self, wanted: char) -> Result<(), String> {
        self.spaces();
        match self.rest.next() {
            Some(c) if c == wanted => Ok(()),
            Some(c) => Err(format!("expected {wanted} but found {c}")),
            None => Err(format!("the text ends where {wanted} is expected: a brace is never closed")),
        }
    }
}
