//! Writes or compares the data files: `tables perft|golden [--check]`. Called by `cargo xtask`.

use std::fs;
use std::process::ExitCode;
use std::time::Instant;

use rules::GameId;
use testkit::tables::{folder, golden, perft, variants};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["perft"] => write("perft", |id| perft::write(&perft::table(&variants(id)))),
        ["perft", "--check"] => check("perft", |_, text| perft::differences(&perft::read(text), u64::MAX)),
        ["golden"] => write("golden", golden::playthroughs),
        ["golden", "--check"] => check("golden", |id, text| first_difference(text, &golden::playthroughs(id))),
        _ => Err("usage: tables perft|golden [--check]".to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn write(kind: &str, make: impl Fn(GameId) -> String) -> Result<(), String> {
    fs::create_dir_all(folder(kind)).map_err(|error| error.to_string())?;
    for name in GameId::ALL {
        let began = Instant::now();
        let text = make(name);
        fs::write(folder(kind).join(format!("{name}.txt")), text).map_err(|error| error.to_string())?;
        println!("   wrote {kind}/{name}.txt in {:.1} s", began.elapsed().as_secs_f64());
    }
    Ok(())
}

fn check(kind: &str, compare: impl Fn(GameId, &str) -> Vec<String>) -> Result<(), String> {
    let mut differences = Vec::new();
    for name in GameId::ALL {
        let began = Instant::now();
        let file = folder(kind).join(format!("{name}.txt"));
        let text = fs::read_to_string(file).map_err(|error| format!("{kind}/{name}.txt: {error}"))?;
        let found = compare(name, &text);
        println!("   {kind}/{name}.txt: {} differences, {:.1} s", found.len(), began.elapsed().as_secs_f64());
        differences.extend(found);
    }
    if differences.is_empty() { Ok(()) } else { Err(differences.join("\n")) }
}

fn first_difference(old: &str, new: &str) -> Vec<String> {
    if old == new {
        return Vec::new();
    }
    let place = old.lines().zip(new.lines()).position(|(old, new)| old != new);
    let line = place.unwrap_or_else(|| old.lines().count().min(new.lines().count()));
    let shown = |text: &str| text.lines().nth(line).unwrap_or("nothing").to_owned();
    vec![format!("line {}: {:?} should be {:?}", line + 1, shown(old), shown(new))]
}
