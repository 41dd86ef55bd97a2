//! Files and folders: walking, hashing, stripping, compressing.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Result;

/// Removes a folder, if it is there.
pub(crate) fn remove(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Ok(())
}

/// Every file in a folder and its folders, in order.
pub(crate) fn all_files(folder: &Path) -> Result<Vec<PathBuf>> {
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

/// The path of a file as it stands in an address, without a slash at its beginning.
pub(crate) fn address(file: &Path, folder: &Path) -> Result<String> {
    Ok(file.strip_prefix(folder)?.to_string_lossy().replace('\\', "/"))
}

/// A number for the names and contents of all files in a folder.
pub(crate) fn checksum(folder: &Path) -> Result<u64> {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for file in all_files(folder)? {
        for byte in address(&file, folder)?.into_bytes().into_iter().chain(fs::read(&file)?) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    Ok(hash)
}

/// Comments are for readers of the source; a visitor need not fetch them.
pub(crate) fn strip_comments(out: &Path) -> Result<()> {
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

/// How hard the compressor tries.
#[derive(Clone, Copy)]
pub(crate) enum Quality {
    Smallest = 11,
    Quick = 2,
}

/// Writes a brotli twin beside every file.
pub(crate) fn compress(out: &Path, quality: Quality) -> Result<()> {
    for file in all_files(out)? {
        let bytes = fs::read(&file)?;
        let packed = compressed(&bytes, quality)?;
        println!("{}: {} bytes, {} with brotli", address(&file, out)?, bytes.len(), packed.len());
        fs::write(file.with_added_extension("br"), packed)?;
    }
    Ok(())
}

fn compressed(bytes: &[u8], quality: Quality) -> Result<Vec<u8>> {
    let mut packed = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams { quality: quality as i32, lgwin: 22, ..Default::default() };
    brotli::BrotliCompress(&mut &*bytes, &mut packed, &parameters)?;
    Ok(packed)
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
