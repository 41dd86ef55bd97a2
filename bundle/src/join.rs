//! Makes one file of several that every page loads: what compresses together is smaller, and one request is faster than
//! many.

use std::fs;
use std::path::Path;

use crate::{Result, files};

/// The style sheets of the page itself, in one file.
const STYLES: &str = "app.css";

/// The scripts beside the program, in one file.
pub(crate) const SCRIPTS: &str = "scripts.js";

/// Puts the style sheets that the page names into one, in their order. A name that ends in `/` is a folder: all that are in it.
pub(crate) fn join_styles(page: &Path, build: &Path) -> Result<()> {
    let (mut styles, mut joined) = (String::new(), String::new());
    for line in fs::read_to_string(page)?.lines() {
        match line.strip_prefix("<link rel=\"stylesheet\" href=\"/__BUILD__/").and_then(|it| it.strip_suffix("\">")) {
            Some(file) => {
                if styles.is_empty() {
                    joined.push_str(&format!("<link rel=\"stylesheet\" href=\"/__BUILD__/{STYLES}\">\n"));
                }
                let named = build.join(file);
                for sheet in if named.is_dir() { files::all_files(&named)? } else { vec![named.clone()] } {
                    styles.push_str(&fs::read_to_string(&sheet)?);
                    fs::remove_file(sheet)?;
                }
                if named.is_dir() {
                    files::remove(&named)?;
                }
            }
            None => {
                joined.push_str(line);
                joined.push('\n');
            }
        }
    }
    fs::write(build.join(STYLES), styles)?;
    fs::write(page, joined)?;
    Ok(())
}

/// Puts the scripts that `wasm-bindgen` has laid into a folder each into one file.
pub(crate) fn join_scripts(build: &Path) -> Result<()> {
    let folder = build.join("snippets");
    let (mut joined, mut names) = (String::new(), Vec::new());
    for file in files::all_files(&folder)? {
        let (script, exported) = scoped(&fs::read_to_string(&file)?);
        if let Some(twice) = exported.iter().find(|name| names.contains(*name)) {
            return Err(format!("two scripts export {twice}").into());
        }
        names.extend(exported);
        joined.push_str(&script);
    }
    fs::write(build.join(SCRIPTS), joined)?;
    files::remove(&folder)
}

/// The path of a joined script, in place of that of a single one.
pub(crate) fn joined_path(path: &str) -> Option<String> {
    path.starts_with("./snippets/").then(|| format!("./{SCRIPTS}"))
}

/// A script whose names do not meet those of others, and the names that it exports. An export begins a line.
fn scoped(script: &str) -> (String, Vec<String>) {
    let (mut body, mut exports) = (String::new(), Vec::<(String, String)>::new());
    for line in script.lines() {
        let Some(exported) = line.strip_prefix("export ") else {
            body.push_str(line);
            body.push('\n');
            continue;
        };
        if let Some(list) = exported.strip_prefix("{ ").and_then(|it| it.strip_suffix(" };")) {
            exports.extend(list.split(", ").map(|pair| {
                let (own, name) = pair.split_once(" as ").unwrap_or((pair, pair));
                (name.to_owned(), own.to_owned())
            }));
            continue;
        }
        let words = exported.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
        let mut names = words.filter(|word| !matches!(*word, "" | "async" | "function" | "const" | "let"));
        exports.extend(names.next().map(|name| (name.to_owned(), name.to_owned())));
        body.push_str(exported);
        body.push('\n');
    }
    let (given, names): (Vec<String>, Vec<String>) =
        exports.into_iter().map(|(name, own)| (if name == own { own } else { format!("{name}: {own}") }, name)).unzip();
    let script = format!(
        "export const {{ {} }} = (() => {{\n{body}return {{ {} }};\n}})();\n",
        names.join(", "),
        given.join(", ")
    );
    (script, names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_keeps_its_names_to_itself() {
        let script = "const here = 1;\nexport { text as file };\nexport async function text(a) {\n}\nexport const b = (c) => here;\n";
        let expected = "export const { file, text, b } = (() => {\nconst here = 1;\nasync function text(a) {\n}\n\
                        const b = (c) => here;\nreturn { file: text, text, b };\n})();\n";
        assert_eq!(scoped(script), (expected.to_owned(), ["file", "text", "b"].map(str::to_owned).to_vec()));
    }
}
