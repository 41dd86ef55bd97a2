//! Lists the files of the browser app that `cargo xtask web` made. Without it the server says how to make it.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    // Always in the repository, wherever CARGO_TARGET_DIR points, so that xtask and this agree.
    // Asked at run time: a copied target folder holds this program compiled for another checkout.
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR")).join("../..");
    let bundle = root.join("target/web-bundle");
    // Cargo would run this again and again for a folder that is not there. Where none can be made that is all right.
    let _ = fs::create_dir_all(&bundle);
    println!("cargo::rerun-if-changed={}", bundle.display());
    let mut files: Vec<(String, PathBuf)> = packed_files(&bundle)
        .into_iter()
        .map(|file| (file.strip_prefix(&bundle).unwrap_or(&file).with_extension("").display().to_string(), file))
        // Copies of the app's one page, for hosts that know no routes.
        .filter(|(name, _)| !name.ends_with("/index.html") && name != "404.html")
        .collect();
    files.sort();
    let mut code = String::from("&[\n");
    for (name, file) in files {
        let mut tag = DefaultHasher::new();
        fs::read(&file).expect("a file of the bundle is readable").hash(&mut tag);
        let (tag, file) = (tag.finish(), file.display().to_string());
        writeln!(code, "({name:?}, \"{tag:016x}\", include_bytes!({file:?})),")
            .expect("writing to a string cannot fail");
    }
    code.push_str("]\n");
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
