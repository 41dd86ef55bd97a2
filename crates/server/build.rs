//! Embeds the browser app that `cargo xtask web` made. Without it the server says how to make it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    // Always in the repository, wherever CARGO_TARGET_DIR points, so that xtask and this agree.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let bundle = root.join("target/web-bundle");
    // Cargo would run this again and again for a folder that is not there. Where none can be made that is all right.
    let _ = fs::create_dir_all(&bundle);
    println!("cargo::rerun-if-changed={}", bundle.display());
    let mut code = String::from("pub(crate) static FILES: &[(&str, &[u8])] = &[\n");
    for file in packed_files(&bundle) {
        let name = file.strip_prefix(&bundle).unwrap_or(&file).with_extension("");
        writeln!(code, "({:?}, include_bytes!({:?})),", name.display().to_string(), file.display().to_string())
            .expect("writing to a string cannot fail");
    }
    code.push_str("];\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::write(out.join("files.rs"), code).expect("the build folder is writable");
}

fn packed_files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            files.extend(packed_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "br") {
            files.push(path);
        }
    }
    files.sort();
    files
}
