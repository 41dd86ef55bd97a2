//! Gives short names to what the main module and its script call each other by.
//!
//! The names that `wasm-bindgen` makes end with sixteen random letters each, which no compressor makes smaller, and stand in
//! both files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use wasm_encoder::reencode::{Reencode, RoundtripReencoder};
use wasm_encoder::{EntityType, ImportSection, Module, RawSection};
use wasmparser::{ElementItems, Parser, Payload};

use crate::Result;
use crate::join::joined_path;

/// The name that the module has for its own script, and the one it gets.
const OWN: (&str, &str) = ("./fourfold-app_bg.js", "a");

/// Shortens the names in a module and in its script.
pub(crate) fn shorten(module: &Path, script: &Path) -> Result<()> {
    let (bytes, text) = (fs::read(module)?, fs::read_to_string(script)?);
    let names = new_names(&bytes)?;
    fs::write(module, renamed_module(&bytes, &names)?)?;
    fs::write(script, renamed_script(&text, &names)?)?;
    Ok(())
}

/// The new name of everything that the module takes from its own script.
fn new_names(module: &[u8]) -> Result<BTreeMap<String, String>> {
    let mut names = BTreeMap::new();
    for payload in Parser::new(0).parse_all(module) {
        if let Payload::ImportSection(section) = payload? {
            for import in section.into_imports() {
                let import = import?;
                if import.module == OWN.0 {
                    names.insert(import.name.to_owned(), format!("a{}", names.len()));
                }
            }
        }
    }
    Ok(names)
}

fn renamed_module(bytes: &[u8], names: &BTreeMap<String, String>) -> Result<Vec<u8>> {
    let mut module = Module::new();
    for payload in Parser::new(0).parse_all(bytes) {
        match payload? {
            Payload::ImportSection(section) => {
                let mut imports = ImportSection::new();
                for import in section.into_imports() {
                    let import = import?;
                    let kind = EntityType::try_from(import.ty).map_err(|problem| format!("{problem:?}"))?;
                    match names.get(import.name).filter(|_| import.module == OWN.0) {
                        Some(name) => imports.import(OWN.1, name, kind),
                        None => match joined_path(import.module) {
                            Some(path) => imports.import(&path, import.name, kind),
                            None => imports.import(import.module, import.name, kind),
                        },
                    };
                }
                module.section(&imports);
            }
            // The splitter keeps the places of other chunks' functions by filling them with nothing, of which they are
            // full anyway.
            Payload::ElementSection(section) => {
                let mut elements = wasm_encoder::ElementSection::new();
                for element in section {
                    let element = element?;
                    if !is_nothing(&element.items)? {
                        let mut same = RoundtripReencoder;
                        same.parse_element(&mut elements, element).map_err(|problem| problem.to_string())?;
                    }
                }
                module.section(&elements);
            }
            // Which tools made it is of no use to a browser.
            Payload::CustomSection(_) => {}
            other => {
                if let Some((id, range)) = other.as_section() {
                    module.section(&RawSection { id, data: &bytes[range.start as usize..range.end as usize] });
                }
            }
        }
    }
    Ok(module.finish())
}

/// Whether a list of functions has none.
fn is_nothing(items: &ElementItems<'_>) -> Result<bool> {
    let ElementItems::Expressions(_, expressions) = items else { return Ok(false) };
    for expression in expressions.clone() {
        if !matches!(expression?.get_operators_reader().read()?, wasmparser::Operator::RefNull { .. }) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The script with the new names, and with every file that it imports whole imported once.
fn renamed_script(script: &str, names: &BTreeMap<String, String>) -> Result<String> {
    let script = &with_joined_paths(script);
    let (mut renamed, mut found) = (String::new(), 0);
    let (mut seen, mut dropped) = (Vec::new(), Vec::new());
    for line in script.lines() {
        let own = format!("\"{}\":", OWN.0);
        if let Some((name, rest)) = line.split_once(": function(")
            && let Some(short) = names.get(name.trim())
        {
            found += 1;
            renamed.push_str(&format!("{short}("));
            renamed.push_str(rest);
        } else if let Some((name, rest)) = line.split_once(": ")
            && let Some(short) = names.get(name.trim())
        {
            found += 1;
            renamed.push_str(&format!("{short}: {rest}"));
        } else if line.trim().starts_with(&own) {
            renamed.push_str(&line.replace(&own, &format!("\"{}\":", OWN.1)));
        } else if let Some((import, file)) = line.strip_prefix("import * as ").and_then(|it| it.split_once(" from ")) {
            if seen.contains(&file) {
                dropped.push(format!(": {import},"));
                continue;
            }
            seen.push(file);
            renamed.push_str(line);
        } else if dropped.iter().any(|dropped| line.ends_with(dropped)) {
            continue;
        } else {
            renamed.push_str(line);
        }
        renamed.push('\n');
    }
    if found != names.len() {
        return Err(format!("the script has {found} of {} functions that its module asks for", names.len()).into());
    }
    Ok(renamed)
}

/// The script with the one file in place of those that are joined in it.
fn with_joined_paths(script: &str) -> String {
    let path = |text: &str| joined_path(text).unwrap_or_else(|| text.to_owned());
    // The path is what stands between quotes.
    let quoted = |line: &str, quote: char| line.split(quote).map(path).collect::<Vec<_>>().join(&quote.to_string());
    script.lines().map(|line| quoted(&quoted(line, '"'), '\'') + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_has_short_names_and_no_file_twice() {
        let script = "import * as import1 from \"./a.js\"\nimport * as import2 from \"./a.js\"\nconst import0 = {\n\
                      __wbg_now_1234: function(arg0) {\nreturn __wbg_now_1234;\n},\n__wbg_new_99: handled(function() {}),\n};\n\
                      return {\n\"./fourfold-app_bg.js\": import0,\n\"./a.js\": import1,\n\"./a.js\": import2,\n};\n";
        let names = [("__wbg_now_1234", "a0"), ("__wbg_new_99", "a1")];
        let names = names.map(|(name, short)| (name.to_owned(), short.to_owned())).into();
        let renamed = "import * as import1 from \"./a.js\"\nconst import0 = {\na0(arg0) {\nreturn __wbg_now_1234;\n},\n\
                       a1: handled(function() {}),\n};\nreturn {\n\"a\": import0,\n\"./a.js\": import1,\n};\n";
        assert_eq!(renamed_script(script, &names).unwrap(), renamed);
        assert!(renamed_script("", &names).is_err());
    }
}
