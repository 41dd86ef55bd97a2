//! Writes the Rust source of checked messages.

use std::fmt::Write;

use super::check::find;
use super::syntax::{Argument, Form, Kind, Message, Parsed, Part};
use super::{PARTS, games, signs};

/// What is generated: a method of `Language` per message, and the texts of each language.
///
/// The methods hold no text, only its number: a program may carry the texts, or fetch those of one language when it is
/// chosen. `runtime` in the crate itself reads what [`pack`] writes.
pub(crate) struct Generated {
    /// Rust source.
    pub(crate) code: String,
    /// The packed texts of each language, in the order they were given: a pack for each of [`PARTS`].
    pub(crate) packs: Vec<[String; PARTS.len()]>,
}

pub(crate) fn emit(languages: &[Parsed]) -> Generated {
    let Some(reference) = languages.first() else { return Generated { code: String::new(), packs: Vec::new() } };
    let fingerprint = fingerprint(reference);
    let mut code = String::new();
    put!(
        code,
        "/// Names what messages there are, in which order, with which arguments: texts that say otherwise are not ours."
    );
    put!(code, "const FINGERPRINT: &str = {fingerprint:?};\n");
    put!(code, "impl Language {{");
    for part in PARTS {
        for (number, message) in in_part(reference, part).enumerate() {
            method(&mut code, part, number, message);
        }
    }
    put!(code, "}}\n");
    games::emit(&mut code, reference);
    all_texts(&mut code, languages);
    let packs =
        languages.iter().map(|language| PARTS.map(|part| pack(&fingerprint, reference, part, language))).collect();
    Generated { code, packs }
}

fn in_part<'a>(reference: &'a Parsed, part: &'a str) -> impl Iterator<Item = &'a Message> {
    reference.messages.iter().filter(move |message| message.part == part)
}

fn method(code: &mut String, part: &str, number: usize, message: &Message) {
    let key = &message.key;
    put!(code, "    /// `{}`", shown(&message.text));
    if message.arguments.is_empty() {
        put!(code, "    pub fn {key}(self) -> &'static str {{");
        put!(code, "        plain(self, Part::{part}, {number})");
        put!(code, "    }}\n");
        return;
    }
    let each = |text: fn(&str) -> String, counted: fn(&str) -> String| {
        let arguments = message.arguments.iter().map(|argument| match argument.kind {
            Kind::Text => text(&argument.name),
            Kind::Number => counted(&argument.name),
        });
        arguments.collect::<Vec<String>>().join(", ")
    };
    let declared = each(|name| format!("{name}: impl Display"), |name| format!("{name}: u64"));
    let passed = each(|name| format!("Argument::Text(&{name})"), |name| format!("Argument::Number({name})"));
    put!(code, "    pub fn {key}(self, {declared}) -> String {{");
    put!(code, "        filled(self, Part::{part}, {number}, &[{passed}])");
    put!(code, "    }}\n");
}

/// The texts of a part in a language, in the order of the reference, each ended by [`signs::END`].
fn pack(fingerprint: &str, reference: &Parsed, part: &str, language: &Parsed) -> String {
    let mut pack = format!("{fingerprint}{part}{}", signs::END);
    for declared in in_part(reference, part) {
        if let Some(message) = find(language, &declared.key) {
            pack_parts(&mut pack, &message.text, &declared.arguments);
        }
        pack.push(signs::END);
    }
    pack
}

fn pack_parts(pack: &mut String, text: &[Part], arguments: &[Argument]) {
    // Digits are enough: no message has ten arguments.
    let position = |name: &str| arguments.iter().position(|argument| argument.name == name).unwrap_or_default();
    for part in text {
        match part {
            Part::Literal(literal) => pack.push_str(literal),
            Part::Argument(name) => {
                let _ = write!(pack, "{}{}", signs::ARGUMENT, position(name));
            }
            Part::Plural { argument, branches } => {
                let _ = write!(pack, "{}{}", signs::PLURAL, position(argument));
                let (exact, named): (Vec<_>, Vec<_>) =
                    branches.iter().partition(|(form, _)| matches!(form, Form::Exactly(_)));
                for (form, text) in exact.into_iter().chain(named) {
                    let _ = match form {
                        Form::Exactly(number) => write!(pack, "={number}"),
                        Form::Named(name) => write!(pack, "{name}"),
                    };
                    pack.push(signs::BRANCH);
                    pack_parts(pack, text, arguments);
                    pack.push(signs::BRANCH);
                }
                pack.push(signs::PLURAL_END);
            }
        }
    }
}

fn fingerprint(reference: &Parsed) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for message in &reference.messages {
        for byte in format!("{} {:?};", message.key, message.arguments).bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

/// For the tests: every text of every language with its arguments as they are written.
fn all_texts(code: &mut String, languages: &[Parsed]) {
    let Some(reference) = languages.first() else { return };
    put!(code, "/// Every key with its text in each language, arguments as they are written in the message files.");
    put!(code, "#[cfg(test)]");
    put!(code, "const ALL: &[(&str, &[(Language, &str)])] = &[");
    for message in &reference.messages {
        put!(code, "    ({:?}, &[", message.key);
        for language in languages {
            let Some(message) = find(language, &message.key) else { continue };
            put!(code, "        (Language::{}, {:?}),", language.dialect.variant, shown(&message.text));
        }
        put!(code, "    ]),");
    }
    put!(code, "];");
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
