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
}

impl Pack {
    fn new(module: Module) -> Pack {
        Pack { needed_by: module.needed_by.clone(), modules: vec![module] }
    }

    fn file(&self) -> String {
        let names: Vec<&str> = self.needed_by.iter().map(String::as_str).collect();
        format!("{}.chunk", names.join("-"))
    }
}

/// From this size on, in bytes, a module that several chunks share travels by itself, so that no other chunk loads it.
const LARGE: usize = 24_000;

/// A module without the names of its functions, which are half of it.
fn stripped(path: &Path) -> Result<Vec<u8>> {
    let mut config = walrus::ModuleConfig::new();
    config.generate_name_section(false).generate_producers_section(false);
    let mut module = config.parse_file(path).map_err(|problem| problem.to_string())?;
    walrus::passes::gc::run(&mut module);
    Ok(module.emit_wasm())
}

/// Puts modules together into files: the splitter makes one for each set of chunks that share something, and dozens of
/// small requests would take longer than some bytes too many. A small one joins the file that the fewest chunks load
/// besides those that need it.
fn pack(mut modules: Vec<Module>) -> Vec<Pack> {
    modules.sort_by_key(|module| Reverse(module.bytes.len()));
    let mut packs = Vec::<Pack>::new();
    for module in modules {
        let alone = module.needed_by.len() == 1 || module.bytes.len() >= LARGE;
        let enough = |pack: &&mut Pack| !alone && pack.needed_by.is_superset(&module.needed_by);
        match packs.iter_mut().filter(enough).min_by_key(|pack| pack.needed_by.len()) {
            Some(pack) => pack.modules.push(module),
            None => packs.push(Pack::new(module)),
        }
    }
    packs
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

    #[test]
    fn small_modules_travel_with_large_ones() {
        let modules = vec![
            module("learn", 9),
            module("learn meet play", LARGE),
            module("learn play", 5),
            module("learn meet", 7),
        ];
        let packs = pack(modules);
        let files: Vec<(String, usize)> = packs.iter().map(|pack| (pack.file(), pack.modules.len())).collect();
        assert_eq!(files, [("learn-meet-play.chunk".to_owned(), 3), ("learn.chunk".to_owned(), 1)]);
    }

    #[test]
    fn the_loader_knows_every_file_and_size() {
        let packs = pack(vec![module("learn meet", LARGE), module("learn", 9)]);
        let files = ChunkFiles::from([("learn", vec!["learn-meet.chunk".to_owned(), "learn.chunk".to_owned()])]);
        let script = loader(&packs, &files);
        assert!(script.contains(&format!(r#"{{ "learn-meet.chunk": [{LARGE}], "learn.chunk": [9] }}"#)), "{script}");
        assert!(script.ends_with("__wasm_split_load_learn = loader([\"learn-meet.chunk\", \"learn.chunk\"]);\n"));
    }
}
