//! `bundle STATIC_DIR OUT_DIR MODULE.wasm…`: bindings for each module, the static files, the texts of each
//! language, and a brotli twin of every file.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// Positions from the solved game, graded.
const QUIXO_EXERCISES: &str = include_str!("../../crates/tablebase/data/quixo-exercises.txt");

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let usage = "usage: bundle STATIC_DIR OUT_DIR MODULE.wasm…";
    let statics = arguments.next().ok_or(usage)?;
    let finished = arguments.next().ok_or(usage)?;
    // Only a whole bundle takes the place of the old one.
    let out = finished.with_added_extension("new");
    remove(&out)?;
    fs::create_dir_all(&out)?;
    for module in arguments {
        bind(&module, &out)?;
    }
    copy(&statics, &out)?;
    write_texts(&out)?;
    strip_comments(&out)?;
    stamp_service_worker(&out)?;
    compress(&out)?;
    remove(&finished)?;
    fs::rename(&out, &finished)?;
    Ok(())
}

fn remove(folder: &Path) -> Result<(), Box<dyn Error>> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Ok(())
}

fn bind(module: &Path, out: &Path) -> Result<(), Box<dyn Error>> {
    wasm_bindgen_cli_support::Bindgen::new()
        .input_path(module)
        .web(true)?
        .typescript(false)
        .omit_default_module_path(false)
        .remove_name_section(true)
        .generate(out)?;
    Ok(())
}

fn copy(from: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            fs::create_dir_all(&target)?;
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// The app carries no texts: it fetches those of the language it speaks.
fn write_texts(out: &Path) -> Result<(), Box<dyn Error>> {
    let folder = out.join("texts");
    fs::create_dir_all(&folder)?;
    for language in locale::Language::ALL {
        fs::write(folder.join(format!("{language}.txt")), language.packed(locale::Part::Table))?;
        fs::write(folder.join(format!("{language}-study.txt")), language.packed(locale::Part::Study))?;
        fs::write(folder.join(format!("{language}-online.txt")), language.packed(locale::Part::Online))?;
    }
    // Too many to be part of the program, and only some want them.
    fs::write(folder.join("quixo-exercises.txt"), QUIXO_EXERCISES)?;
    Ok(())
}

/// Strips comments: visitors need not fetch them.
fn strip_comments(out: &Path) -> Result<(), Box<dyn Error>> {
    for file in all_files(out)? {
        if file.extension().is_some_and(|extension| extension == "css" || extension == "js") {
            fs::write(&file, without_comments(&fs::read_to_string(&file)?))?;
        }
    }
    Ok(())
}

/// A text without the comments that begin a line, without indentation and without empty lines.
///
/// Comments elsewhere stay, so nothing inside a string can be mistaken for one.
fn without_comments(text: &str) -> String {
    let (mut kept, mut inside) = (String::new(), false);
    for mut line in text.lines().map(str::trim) {
        inside |= line.starts_with("/*");
        if inside {
            let Some((_, rest)) = line.split_once("*/") else { continue };
            (inside, line) = (false, rest.trim());
        }
        if !line.is_empty() && !line.starts_with("//") {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// The service worker lists what it keeps and names its cache after the content, so a change is a new version.
fn stamp_service_worker(out: &Path) -> Result<(), Box<dyn Error>> {
    let path = out.join("sw.js");
    if !path.exists() {
        return Ok(());
    }
    let mut files: Vec<PathBuf> = all_files(out)?;
    files.retain(|file| *file != path);
    let (mut names, mut hash) = (Vec::new(), 0xcbf2_9ce4_8422_2325_u64);
    for file in &files {
        for byte in fs::read(file)? {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        names.push(format!("{:?}", file.strip_prefix(out)?.to_string_lossy()));
    }
    let text = fs::read_to_string(&path)?;
    let text = text.replace("__VERSION__", &format!("{hash:016x}")).replace("__FILES__", &names.join(", "));
    fs::write(path, text)?;
    Ok(())
}

fn compress(out: &Path) -> Result<(), Box<dyn Error>> {
    for file in all_files(out)? {
        let bytes = fs::read(&file)?;
        let mut packed = Vec::new();
        let parameters = brotli::enc::BrotliEncoderParams { quality: 11, lgwin: 22, ..Default::default() };
        brotli::BrotliCompress(&mut bytes.as_slice(), &mut packed, &parameters)?;
        let name = file.strip_prefix(out)?.display().to_string();
        println!("{name}: {} bytes, {} with brotli", bytes.len(), packed.len());
        fs::write(file.with_added_extension("br"), packed)?;
    }
    Ok(())
}

fn all_files(folder: &Path) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() { folders.push(entry.path()) } else { files.push(entry.path()) }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_go_and_strings_stay() {
        let text = "/* Tokens\n   of all. */ .a { b: url(\"http://c/*\"); } /* why */\n\n  // How.\n  d();\n";
        assert_eq!(without_comments(text), ".a { b: url(\"http://c/*\"); } /* why */\nd();\n");
    }
}
