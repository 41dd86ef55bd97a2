//! Holds the languages against each other.

use super::Fault;
use super::syntax::{Argument, File, Form, Kind, Message, Part};

/// Notes every missing and extra key, argument and plural form. The first file is the reference.
pub(crate) fn check(files: &[File], faults: &mut Vec<Fault>) {
    let Some((reference, translations)) = files.split_first() else { return };
    for message in &reference.messages {
        check_text(reference, message, &message.arguments, faults);
    }
    for file in translations {
        for message in &file.messages {
            match find(reference, &message.key) {
                Some(declared) => check_text(file, message, &declared.arguments, faults),
                None => {
                    let what = format!("there is no such message in {}", reference.name);
                    faults.push(fault(file, message, what));
                }
            }
        }
        // A message whose text is broken was reported where it stands and is not missing.
        let broken: Vec<String> = faults.iter().filter(|f| f.file == file.name).filter_map(|f| f.key.clone()).collect();
        for declared in &reference.messages {
            if find(file, &declared.key).is_none() && !broken.contains(&declared.key) {
                let what = format!("is missing here; {}:{} has it", reference.name, declared.line);
                let line = file.messages.last().map_or(1, |last| last.line);
                faults.push(Fault { file: file.name.clone(), line, key: Some(declared.key.clone()), what });
            }
        }
    }
}

/// The message of this key.
pub(crate) fn find<'a>(file: &'a File, key: &str) -> Option<&'a Message> {
    file.messages.iter().find(|message| message.key == key)
}

fn fault(file: &File, message: &Message, what: String) -> Fault {
    Fault { file: file.name.clone(), line: message.line, key: Some(message.key.clone()), what }
}

fn check_text(file: &File, message: &Message, declared: &[Argument], faults: &mut Vec<Fault>) {
    let mut used = Vec::new();
    let mut wrong = Vec::new();
    check_parts(file, &message.text, declared, &mut used, &mut wrong);
    for argument in declared {
        if !used.contains(&argument.name.as_str()) {
            wrong.push(format!("the argument {{{}}} is missing", argument.name));
        }
    }
    faults.extend(wrong.into_iter().map(|what| fault(file, message, what)));
}

fn check_parts<'a>(
    file: &File,
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
            check_forms(file, name, branches.iter().map(|(form, _)| form), wrong);
            check_one(file, name, branches, wrong);
            for (_, text) in branches {
                check_parts(file, text, declared, used, wrong);
            }
        }
    }
}

fn known(declared: &[Argument]) -> String {
    let names: Vec<&str> = declared.iter().map(|argument| argument.name.as_str()).collect();
    if names.is_empty() { "the message has no arguments".to_owned() } else { format!("known are {}", names.join(", ")) }
}

fn check_forms<'a>(file: &File, name: &str, given: impl Iterator<Item = &'a Form>, wrong: &mut Vec<String>) {
    let wanted = file.dialect.forms;
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
        let language = file.dialect.variant;
        wrong.push(format!("the plural of {{{name}}} has {form}, but {language} has only {}", wanted.join(", ")));
    }
}

/// Where `one` also stands for 21 and 101, a text that says “one” instead of the number would be wrong for those.
fn check_one(file: &File, name: &str, branches: &[(Form, Vec<Part>)], wrong: &mut Vec<String>) {
    let only_for_1 = file.dialect.forms.len() == 2;
    let says_number = |text: &[Part]| text.contains(&Part::Argument(name.to_owned()));
    let named = |(form, _): &&(Form, Vec<Part>)| matches!(form, Form::Named(_));
    let one = branches.iter().find(|(form, _)| *form == Form::Named("one".to_owned()));
    let others_say_it = branches.iter().filter(named).any(|(_, text)| says_number(text));
    if !only_for_1 && others_say_it && one.is_some_and(|(_, text)| !says_number(text)) {
        wrong.push(format!("the form one of {{{name}}} also stands for 21: put # there, or use =1 besides"));
    }
}
