//! Writes the Rust source of checked messages.

use std::fmt::Write;

use super::check::find;
use super::syntax::{File, Form, Kind, Message, Part};

/// A method of `Language` per message.
///
/// A message without arguments is a string in the program itself; the others go through one function each that takes
/// its text arguments as `&dyn Display`, so that nothing is compiled once per argument type.
pub(crate) fn emit(files: &[File]) -> String {
    let mut code = String::from("impl Language {\n");
    let Some(reference) = files.first() else { return String::new() };
    for message in &reference.messages {
        method(&mut code, message, files);
    }
    code.push_str("}\n\n");
    for message in &reference.messages {
        if !message.arguments.is_empty() {
            writer(&mut code, message, files);
        }
    }
    all_texts(&mut code, files);
    code
}

/// Infallible: writing to a `String` cannot fail.
macro_rules! put {
    ($code:expr, $($format:tt)*) => { let _ = writeln!($code, $($format)*); };
}

fn method(code: &mut String, message: &Message, files: &[File]) {
    let key = &message.key;
    put!(code, "    /// `{}`", shown(&message.text));
    if message.arguments.is_empty() {
        put!(code, "    pub const fn {key}(self) -> &'static str {{");
        put!(code, "        match self {{");
        for file in files {
            let Some(message) = find(file, key) else { continue };
            put!(code, "            Language::{} => {:?},", file.dialect.variant, plain(&message.text));
        }
        put!(code, "        }}");
        put!(code, "    }}\n");
        return;
    }
    let declared: Vec<String> = message
        .arguments
        .iter()
        .map(|argument| match argument.kind {
            Kind::Text => format!("{}: impl Display", argument.name),
            Kind::Number => format!("{}: u64", argument.name),
        })
        .collect();
    let passed: Vec<String> = message
        .arguments
        .iter()
        .map(|argument| match argument.kind {
            Kind::Text => format!("&{}", argument.name),
            Kind::Number => argument.name.clone(),
        })
        .collect();
    put!(code, "    pub fn {key}(self, {}) -> String {{", declared.join(", "));
    put!(code, "        write_{key}(self, {})", passed.join(", "));
    put!(code, "    }}\n");
}

/// The names of its own variables begin with `_`, which no argument does.
fn writer(code: &mut String, message: &Message, files: &[File]) {
    let declared: Vec<String> = message
        .arguments
        .iter()
        .map(|argument| match argument.kind {
            Kind::Text => format!("{}: &dyn Display", argument.name),
            Kind::Number => format!("{}: u64", argument.name),
        })
        .collect();
    put!(code, "fn write_{}(_in: Language, {}) -> String {{", message.key, declared.join(", "));
    put!(code, "    let mut _text = String::new();");
    put!(code, "    match _in {{");
    for file in files {
        let Some(message) = find(file, &message.key) else { continue };
        put!(code, "        Language::{} => {{", file.dialect.variant);
        parts(code, &message.text, 12);
        put!(code, "        }}");
    }
    put!(code, "    }}");
    put!(code, "    _text");
    put!(code, "}}\n");
}

fn parts(code: &mut String, text: &[Part], indent: usize) {
    let space = " ".repeat(indent);
    for part in text {
        match part {
            Part::Literal(literal) => match literal.chars().collect::<Vec<char>>()[..] {
                // What clippy asks for.
                [single] => {
                    put!(code, "{space}_text.push({single:?});");
                }
                _ => {
                    put!(code, "{space}_text.push_str({literal:?});");
                }
            },
            Part::Argument(name) => {
                put!(code, "{space}put(&mut _text, &{name});");
            }
            Part::Plural { argument, branches } => plural(code, argument, branches, indent),
        }
    }
}

fn plural(code: &mut String, argument: &str, branches: &[(Form, Vec<Part>)], indent: usize) {
    let space = " ".repeat(indent);
    put!(code, "{space}match (_in.plural({argument}), {argument}) {{");
    let (exact, named): (Vec<_>, Vec<_>) = branches.iter().partition(|(form, _)| matches!(form, Form::Exactly(_)));
    for (index, (form, text)) in exact.iter().chain(&named).enumerate() {
        let pattern = match form {
            _ if index + 1 == branches.len() => "_".to_owned(),
            Form::Exactly(number) => format!("(_, {number})"),
            Form::Named(name) => format!("(Plural::{}{}, _)", name[..1].to_uppercase(), &name[1..]),
        };
        put!(code, "{space}    {pattern} => {{");
        parts(code, text, indent + 8);
        put!(code, "{space}    }}");
    }
    put!(code, "{space}}}");
}

/// For the tests: every text of every language with its arguments as they are written.
fn all_texts(code: &mut String, files: &[File]) {
    let Some(reference) = files.first() else { return };
    put!(code, "/// Every key with its text in each language, arguments as they are written in the message files.");
    put!(code, "#[cfg(test)]");
    put!(code, "const ALL: &[(&str, &[(Language, &str)])] = &[");
    for message in &reference.messages {
        put!(code, "    ({:?}, &[", message.key);
        for file in files {
            let Some(message) = find(file, &message.key) else { continue };
            put!(code, "        (Language::{}, {:?}),", file.dialect.variant, shown(&message.text));
        }
        put!(code, "    ]),");
    }
    put!(code, "];");
}

/// A text that has no arguments.
fn plain(text: &[Part]) -> String {
    text.iter().map(|part| if let Part::Literal(literal) = part { literal.as_str() } else { "" }).collect()
}

/// A text as people write it, on one line.
fn shown(text: &[Part]) -> String {
    let mut shown = String::new();
    for part in text {
        match part {
            Part::Literal(literal) => shown.push_str(&literal.replace('\n', " ")),
            Part::Argument(name) => {
                let _ = write!(shown, "{{{name}}}");
            }
            Part::Plural { branches, .. } => {
                let forms: Vec<String> = branches.iter().map(|(_, text)| self::shown(text)).collect();
                shown.push_str(&forms.join("/"));
            }
        }
    }
    shown
}
