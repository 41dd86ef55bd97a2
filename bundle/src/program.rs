//! The modules: bindings for each, and the app's cut into chunks.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use routes::Chunk;
use wasm_split_cli_support::{Options, transform};

use crate::Result;

/// The main module and its script.
pub(crate) const MAIN: &str = "fourfold-app_bg.wasm";
const MAIN_SCRIPT: &str = "./fourfold-app.js";
/// The script that loads chunks, which the main module imports.
const LOADER: &str = "./chunks.js";

/// The files to fetch for each chunk, besides the main module.
pub(crate) type ChunkFiles = BTreeMap<&'static str, Vec<String>>;

/// Bindings for a module that stays whole.
pub(crate) fn bind(module: &Path, out: &Path) -> Result<()> {
    bindgen(module)?.remove_name_section(true).generate(out)?;
    Ok(())
}

fn bindgen(module: &Path) -> Result<wasm_bindgen_cli_support::Bindgen> {
    let mut bindgen = wasm_bindgen_cli_support::Bindgen::new();
    bindgen.input_path(module).web(true)?.typescript(false).omit_default_module_path(false);
    Ok(bindgen)
}

/// Cuts the app's module into the main module and its chunks, with their bindings and their loader.
pub(crate) fn split(app: &Path, out: &Path) -> Result<ChunkFiles> {
    let parts = out.with_added_extension("parts");
    crate::files::remove(&parts)?;
    fs::create_dir_all(&parts)?;
    let input = fs::read(app)?;
    let main = parts.join(app.file_name().ok_or("a module without a name")?);
    let mut options = Options::new(&input);
    options.output_dir = &parts;
    options.main_out_path = &main;
    options.main_module = MAIN_SCRIPT;
    options.link_name = LOADER;
    let split = transform(options).map_err(|problem| format!("cannot split {}: {problem:#}", app.display()))?;
    bindgen(&main)?.keep_lld_exports(true).demangle(false).remove_name_section(true).generate(out)?;
    let mut modules = Vec::new();
    for path in &split.split_modules {
        let name = path.file_stem().ok_or("a module without a name")?.to_string_lossy().into_owned();
        let needed_by = split.prefetch_map.iter().filter(|(_, files)| files.contains(&name));
        let needed_by = needed_by.map(|(chunk, _)| chunk.clone()).collect();
        modules.push(Module { needed_by, bytes: stripped(path)? });
    }
    // The splitter lists them in no order.
    modules.sort();
    let packs = pack(modules);
    let mut files = ChunkFiles::new();
    for chunk in Chunk::ALL.map(Chunk::name) {
        let needed = packs.iter().filter(|pack| pack.modules.iter().any(|module| module.needed_by.contains(chunk)));
        files.insert(chunk, needed.map(Pack::file).collect());
    }
    fs::write(out.join(LOADER), loader(&packs, &files))?;
    for pack in &packs {
        let bytes: Vec<u8> = pack.modules.iter().flat_map(|module| module.bytes.iter().copied()).collect();
        fs::write(out.join(pack.file()), bytes)?;
    }
    crate::files::remove(&parts)?;
    Ok(files)
}

/// What the splitter cut off.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Module {
    needed_by: BTreeSet<String>,
    bytes: Vec<u8>,
}

/// Modules that travel together.
struct Pack {
    needed_by: BTreeSet<String>,
    modules: Vec<Module>,
    size: usize,
}

impl Pack {
    fn new(module: Module) -> Pack {
        Pack { needed_by: module.needed_by.clone(), size: module.bytes.len(), modules: vec![module] }
    }

    fn join(&mut self, other: Pack) {
        self.needed_by.extend(other.needed_by);
        self.modules.extend(other.modules);
        self.size += other.size;
    }

    fn file(&self) -> String {
        let names: Vec<&str> = self.needed_by.iter().map(String::as_str).collect();
        format!("{}.chunk", names.join("-"))
    }
}

/// How many bytes, unpacked, a visitor would rather load than make one more request.
const REQUEST: usize = 10_000;

/// How much a chunk's own load counts: most where people come by a link or a start address and wait for a board.
fn weight(chunk: &str) -> usize {
    match chunk {
        "play" | "meet" | "settings" => 8,
        "lobby" | "people" | "setup" => 3,
        "learn" => 2,
        _ => 1,
    }
}

/// What a file of a size costs everybody who loads it.
fn cost<'a>(needed_by: impl Iterator<Item = &'a String>, size: usize) -> usize {
    needed_by.map(|chunk| weight(chunk) * (size + REQUEST)).sum()
}

/// A module without the names of its functions, which are half of it.
fn stripped(path: &Path) -> Result<Vec<u8>> {
    let mut config = walrus::ModuleConfig::new();
    config.generate_name_section(false).generate_producers_section(false);
    let mut module = config.parse_file(path).map_err(|problem| problem.to_string())?;
    walrus::passes::gc::run(&mut module);
    Ok(module.emit_wasm())
}

/// Puts modules together into files: the splitter makes one for each set of chunks that share something, and dozens of
/// small requests would take longer than some bytes too many. As long as two files cost less as one, they become one.
fn pack(modules: Vec<Module>) -> Vec<Pack> {
    let mut packs = Vec::<Pack>::new();
    for module in modules {
        match packs.iter_mut().find(|pack| pack.needed_by == module.needed_by) {
            Some(pack) => pack.join(Pack::new(module)),
            None => packs.push(Pack::new(module)),
        }
    }
    let gain = |one: &Pack, other: &Pack| {
        let apart = cost(one.needed_by.iter(), one.size) + cost(other.needed_by.iter(), other.size);
        apart.saturating_sub(cost(one.needed_by.union(&other.needed_by), one.size + other.size))
    };
    loop {
        let pairs = (0..packs.len()).flat_map(|one| (one + 1..packs.len()).map(move |other| (one, other)));
        let best = pairs.map(|(one, other)| (gain(&packs[one], &packs[other]), Reverse((one, other)))).max();
        match best {
            Some((gain, Reverse((one, other)))) if gain > 0 => {
                let other = packs.remove(other);
                packs[one].join(other);
            }
            _ => return packs,
        }
    }
}

/// The script that loads the files of a chunk. Each holds one or more modules; none is needed to instantiate another.
fn loader(packs: &[Pack], files: &ChunkFiles) -> String {
    let sizes = |pack: &Pack| pack.modules.iter().map(|module| module.bytes.len()).collect::<Vec<_>>();
    let sizes: Vec<String> = packs.iter().map(|pack| format!("{:?}: {:?}", pack.file(), sizes(pack))).collect();
    let mut script = include_str!("chunks.js").replace("__SIZES__", &sizes.join(", "));
    for (chunk, files) in files {
        script.push_str(&format!("export const __wasm_split_load_{chunk} = loader({files:?});\n"));
    }
    script
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(needed_by: &str, size: usize) -> Module {
        Module { needed_by: needed_by.split(' ').map(str::to_owned).collect(), bytes: vec![0; size] }
    }

    fn files(modules: Vec<Module>) -> Vec<(String, usize)> {
        pack(modules).iter().map(|pack| (pack.file(), pack.modules.len())).collect()
    }

    #[test]
    fn small_modules_travel_with_others_and_large_ones_alone() {
        let modules = vec![
            module("learn", 10 * REQUEST),
            module("learn puzzles", 5),
            module("learn puzzles records", 10 * REQUEST),
            module("puzzles records", 7),
        ];
        assert_eq!(files(modules), [("learn.chunk".to_owned(), 1), ("learn-puzzles-records.chunk".to_owned(), 3)]);
    }

    #[test]
    fn a_table_loads_less_for_the_others_than_they_for_it() {
        let shared = |by: &str| vec![module(by, 10 * REQUEST), module("tools", REQUEST / 2)];
        assert_eq!(files(shared("play tools")).len(), 2);
        assert_eq!(files(shared("records tools")).len(), 1);
    }

    #[test]
    fn the_loader_knows_every_file_and_size() {
        let large = 10 * REQUEST;
        let packs = pack(vec![module("learn meet", large), module("learn", large - 1)]);
        let files = ChunkFiles::from([("learn", vec!["learn-meet.chunk".to_owned(), "learn.chunk".to_owned()])]);
        let script = loader(&packs, &files);
        assert!(
            script.contains(&format!(r#"{{ "learn-meet.chunk": [{large}], "learn.chunk": [{}] }}"#, large - 1)),
            "{script}"
        );
        assert!(script.ends_with("__wasm_split_load_learn = loader([\"learn-meet.chunk\", \"learn.chunk\"]);\n"));
    }
}
