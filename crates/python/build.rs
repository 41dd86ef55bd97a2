//! Lists the sets of puzzles for the wheel, and lets the linker of macOS leave the interpreter's functions open until the
//! module is loaded, as others do anyway.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    if env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "macos") {
        println!("cargo:rustc-cdylib-link-arg=-undefined");
        println!("cargo:rustc-cdylib-link-arg=dynamic_lookup");
    }
    println!("cargo:rerun-if-changed=build.rs");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../puzzles/data");
    println!("cargo:rerun-if-changed={}", folder.display());
    let into = env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    fs::write(into.join("sets.rs"), sets(&folder)?)
}

/// An array of the sets, each with the name of its file, which is that of its game.
fn sets(folder: &Path) -> io::Result<String> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "puzzles"));
    files.sort();
    let entry = |file: &PathBuf| {
        let name = file.file_stem().unwrap_or_default();
        format!("({name:?}, include_str!({file:?})),\n")
    };
    Ok(format!("[\n{}]\n", files.iter().map(entry).collect::<String>()))
}
