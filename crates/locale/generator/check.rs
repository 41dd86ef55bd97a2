//! Holds the languages against each other.

use super::Fault;
use super::syntax::{Argument, Form, Kind, Message, Parsed, Part};

/// Notes every missing and extra key, argument and plural form. The first language is the reference.
pub(crate) fn check(languages: &[Parsed], faults: &mut Vec<Fault>) {
    let Some((reference, translations)) = languages.split_first() else { return };
    for message in &reference.messages {
        check_text(reference, message, &message.arguments, faults);
    }
    for translation in translations {
        for message in &translation.messages {
            match find(reference, &message.key) {
                Some(declared) => {
                    check_text(translation, message, &declared.arguments, faults);
                    if (&declared.file.stem, declared.part) != (&message.file.stem, message.part) {
                        let what = format!("stands elsewhere in {}:{}", declared.file.shown, declared.line);
                        faults.push(fault(message, what));
                    }
                }
                None => faults.push(fault(message, "there is no such message in English".to_owned())),
            }
        }
        check_missing(reference, translation, faults);
    }
}

fn check_missing(reference: &Parsed, translation: &Parsed, faults: &mut Vec<Fault>) {
    let here = |stem: &str| translation.files.iter().find(|file| file.stem == stem);
    for file in reference.files.iter().filter(|file| here(&file.stem).is_none()) {
        let what = format!("has no translation into {}", translation.dialect.variant);
        faults.push(Fault { file: file.shown.clone(), line: 1, key: None, what });
    }
    // A message whose text is broken was reported where it stands and is not missing.
    let of_this_language = |fault: &&Fault| translation.files.iter().any(|file| file.shown == fault.file);
    let broken: Vec<String> = faults.iter().filter(of_this_language).filter_map(|fault| fault.key.clone()).collect();
    for declared in &reference.messages {
        let Some(file) = here(&declared.file.stem) else { continue };
        if find(translation, &declared.key).is_none() && !broken.contains(&declared.key) {
            let what = format!("is missing here; {}:{} has it", declared.file.shown, declared.line);
            let last = translation.messages.iter().rfind(|message| message.file == *file);
            let line = last.map_or(1, |last| last.line);
            faults.push(Fault { file: file.shown.clone(), line, key: Some(declared.key.clone()), what });
        }
    }
}

/// The message of this key.
pub(crate) fn find<'a>(language: &'a Parsed, key: &str) -> Option<&'a Message> {
    language.messages.iter().find(|message| message.key == key)
}

fn fault(message: &Message, what: String) -> Fault {
    Fault { file: message.file.shown.clone(), line: message.line, key: Some(message.key.clone()), what }
}

fn check_text(language: &Parsed, message: &Message, declared: &[Argument], faults: &mut Vec<Fault>) {
    let mut used = Vec::new();
    let mut wrong = Vec::new();
    check_parts(language, &message.text, declared, &mut used, &mut wrong);
    for argument in declared {
        if !used.contains(&argument.name.as_str()) {
            wrong.push(format!("the argument {{{}}} is missing", argument.name));
        }
    }
    faults.extend(wrong.into_iter().map(|what| fault(message, what)));
}

fn check_parts<'a>(
    language: &Parsed,
    parts: &'a [Part],
    declared: &[Argument],
    used: &mut Vec<&'a str>,
    wrong: &mut Vec<String>,
) {
    for part in parts {
        let name = match part {
            Part::Literal(_) => continue,
            Part::Argument(name) | Part::Plural { argument: name, .. } => name,
        };
        let kind = declared.iter().find(|argument| argument.name == *name).map(|argument| argument.kind);
        match kind {
            None => wrong.push(format!("{{{name}}} is unknown: {}", known(declared))),
            Some(_) => used.push(name),
        }
        if let Part::Plural { branches, .. } = part {
            if kind == Some(Kind::Text) {
                wrong.push(format!("{{{name}}} is text and has no plural: declare it as {name}: number"));
            }
            check_forms(language, name, branches.iter().map(|(form, _)| form), wrong);
            check_one(language, name, branches, wrong);
            for (_, text) in branches {
                check_parts(language, text, declared, used, wrong);
            }
        }
    }
}

fn known(declared: &[Argument]) -> String {
    let names: Vec<&str> = declared.iter().map(|argument| argument.name.as_str()).collect();
    if names.is_empty() { "the message has no arguments".to_owned() } else { format!("known are {}", names.join(", ")) }
}

fn check_forms<'a>(language: &Parsed, name: &str, given: impl Iterator<Item = &'a Form>, wrong: &mut Vec<String>) {
    let wanted = language.dialect.forms;
    let given: Vec<&str> = given
        .filter_map(|form| match form {
            Form::Exactly(_) => None,
            Form::Named(form) => Some(form.as_str()),
        })
        .collect();
    for form in wanted.iter().filter(|form| !given.contains(form)) {
        wrong.push(format!("the plural of {{{name}}} lacks the form {form}"));
    }
    for form in given.iter().filter(|form| !wanted.contains(form)) {
        let variant = language.dialect.variant;
        wrong.push(format!("the plural of {{{name}}} has {form}, but {variant} has only {}", wanted.join(", ")));
    }
}

/// Where `one` also stands for 21 and 101, a text that says “one” instead of the number would be wrong for those.
fn check_one(language: &Parsed, name: &str, branches: &[(Form, Vec<Part>)], wrong: &mut Vec<String>) {
    let only_for_1 = language.dialect.forms.len() == 2;
    let says_number = |text: &[Part]| text.contains(&Part::Argument(name.to_owned()));
    let named = |(form, _): &&(Form, Vec<Part>)| matches!(form, Form::Named(_));
    let one = branches.iter().find(|(form, _)| *form == Form::Named("one".to_owned()));
    let others_say_it = branches.iter().filter(named).any(|(_, text)| says_number(text));
    if !only_for_1 && others_say_it && one.is_some_and(|(_, text)| !says_number(text)) {
        wrong.push(format!("the form one of {{{name}}} also stands for 21: put # there, or use =1 besides"));
    }
}
