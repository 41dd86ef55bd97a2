//! `bundle STATIC_DIR OUT_DIR APP.wasm ENGINE.wasm [--plain | --quick]`: makes the files to serve out of the compiled app.
//!
//! The app's module is cut into chunks, everything that belongs to one version lies in a folder named by its content,
//! every page without an id gets a file for hosts that only have files, the rules of each game become documents, and every
//! file gets a brotli twin unless `--plain`, a large one with `--quick`.
//! What each page loads is listed in `OUT_DIR.loads`.
//!
//! The same input gives the same bytes.

mod files;
mod join;
mod locals;
mod merge;
mod order;
mod program;
mod puzzle_files;
mod rules_pages;
mod shorten;
mod showcase;
mod site;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let (flags, paths): (Vec<_>, Vec<_>) =
        std::env::args_os().skip(1).partition(|argument| argument.to_string_lossy().starts_with("--"));
    let paths: Vec<PathBuf> = paths.into_iter().map(PathBuf::from).collect();
    let [statics, finished, app, engine] = paths.as_slice() else {
        return Err("usage: bundle STATIC_DIR OUT_DIR APP.wasm ENGINE.wasm [--plain | --quick]".into());
    };
    // Only a whole bundle takes the place of the old one.
    let out = finished.with_added_extension("new");
    files::remove(&out)?;
    let loads = lay_out(statics, app, engine, &out)?;
    match flags.first().map(|flag| flag.to_string_lossy()).as_deref() {
        None => files::compress(&out, files::Quality::Smallest)?,
        Some("--quick") => files::compress(&out, files::Quality::Quick)?,
        Some("--plain") => {}
        Some(other) => return Err(format!("unknown flag {other}: expected --plain or --quick").into()),
    }
    files::remove(finished)?;
    fs::rename(&out, finished)?;
    fs::write(finished.with_added_extension("loads"), loads)?;
    Ok(())
}

/// Writes every file but the brotli twins; gives what each page loads.
fn lay_out(statics: &Path, app: &Path, engine: &Path, out: &Path) -> Result<String> {
    // The folder gets its name once its content is known.
    let build = out.join(site::BUILD);
    fs::create_dir_all(&build)?;
    let chunks = program::split(app, &build)?;
    program::bind(engine, &build)?;
    site::copy_statics(statics, out, &build)?;
    site::write_texts(&build)?;
    puzzle_files::write(&build)?;
    rules_pages::write_figures(&build)?;
    files::strip_comments(out)?;
    join::join_styles(&out.join("index.html"), &build)?;
    join::join_scripts(&build)?;
    let loads = site::page_loads(&chunks);
    site::fill_in_lists(out, &build, &loads)?;
    let build = site::name_build(out, &build)?;
    site::write_pages(out)?;
    rules_pages::write(out, &build)?;
    Ok(site::listed(&loads, &chunks))
}
