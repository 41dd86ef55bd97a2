//! The modules: bindings for each, and the app's cut into chunks.

use std::cmp::Reverse;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use routes::{Chunk, reader_name};
use rules::GameId;
use wasm_split_cli_support::{Options, transform};

use crate::Result;
use crate::merge::merge;
use crate::order::ordered;
use crate::shorten::shorten;

/// The main module and its script.
pub(crate) const MAIN: &str = "fourfold-app_bg.wasm";
const MAIN_SCRIPT: &str = "./fourfold-app.js";
/// The script that loads chunks, which the main module imports.
const LOADER: &str = "./chunks.js";

/// The files to fetch for each chunk, besides the main module.
pub(crate) type ChunkFiles = BTreeMap<String, Vec<String>>;

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
    shorten(&out.join(MAIN), &out.join(MAIN_SCRIPT))?;
    fs::write(out.join(MAIN), ordered(&fs::read(out.join(MAIN))?)?)?;
    let mut modules = Vec::new();
    for path in &split.split_modules {
        let name = path.file_stem().ok_or("a module without a name")?.to_string_lossy().into_owned();
        let needed_by = split.prefetch_map.iter().filter(|(_, files)| files.contains(&name));
        let needed_by = needed_by.map(|(chunk, _)| chunk.clone()).collect();
        modules.push(Module { needed_by, bytes: fs::read(path)? });
    }
    // The splitter lists them in no order.
    modules.sort();
    let packs = pack(modules);
    let names = file_names(&packs);
    let mut files = ChunkFiles::new();
    let pages = Chunk::ALL.map(Chunk::name).into_iter().chain(GameId::ALL.map(GameId::name)).map(str::to_owned);
    for chunk in pages.chain(GameId::ALL.map(reader_name)) {
        let needs = |pack: &Pack| pack.modules.iter().any(|module| module.needed_by.contains(&chunk));
        let needed = packs.iter().zip(&names).filter(|(pack, _)| needs(pack));
        let needed = needed.map(|(_, name)| name.clone()).collect();
        files.insert(chunk, needed);
    }
    fs::write(out.join(LOADER), loader(&files))?;
    for (pack, name) in packs.into_iter().zip(names) {
        let modules: Vec<Vec<u8>> = pack.modules.into_iter().map(|module| module.bytes).collect();
        fs::write(out.join(name), merge(&modules)?)?;
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
        Pack { needed_by: loaded_with(&module), size: module.bytes.len(), modules: vec![module] }
    }

    fn join(&mut self, other: Pack) {
        self.needed_by.extend(other.needed_by);
        self.modules.extend(other.modules);
        self.size += other.size;
    }
}

/// The chunks that a module is best fetched with.
///
/// What one game needs comes with that game, or with what reads its positions, also where a page has use for it. What
/// several games have in common, or a game and every table, comes with every board that people wait for. So does a trifle
/// that a page shares with one game, for whose sake the page would fetch the whole game, and one that several games need to
/// read positions, which is not worth a file.
fn loaded_with(module: &Module) -> BTreeSet<String> {
    let needed_by = &module.needed_by;
    let tables = [Chunk::Play, Chunk::Meet].map(|chunk| chunk.name().to_owned());
    let boards = || tables.clone().into_iter().chain([Chunk::Puzzles.name().to_owned()]);
    let of = |name: fn(GameId) -> String| -> BTreeSet<GameId> {
        GameId::ALL.into_iter().filter(|game| needed_by.contains(&name(*game))).collect()
    };
    let (games, readers) = (of(|game| game.name().to_owned()), of(reader_name));
    // These two have all games anyway.
    let has_all = |name: &str| [Chunk::Analyse, Chunk::Records].iter().any(|chunk| chunk.name() == name);
    let is_for_pages = needed_by.iter().any(|name| !is_of_game(name) && !has_all(name));
    let is_trifle = module.bytes.len() < TRIFLE && (is_for_pages || readers.len() > 1);
    let is_for_tables = is_trifle || tables.iter().any(|table| needed_by.contains(table));
    match (games.first(), readers.first()) {
        (Some(game), _) if games.len() == 1 && readers.is_subset(&games) && !is_for_tables => {
            [game.name().to_owned()].into()
        }
        (Some(_), _) => needed_by.iter().filter(|name| !is_of_game(name)).cloned().chain(boards()).collect(),
        (None, Some(game)) if readers.len() == 1 && !is_for_tables => [reader_name(*game)].into(),
        (None, Some(_)) if is_trifle => {
            needed_by.iter().filter(|name| !is_of_game(name)).cloned().chain(boards()).collect()
        }
        _ => needed_by.clone(),
    }
}

/// Below so many bytes, unpacked, a module is not worth a game's file to a page that shows another game. The splitter's
/// names and imports, of which the merged file keeps nothing, are 1,000 of them.
const TRIFLE: usize = 3_000;

fn is_of_game(chunk: &str) -> bool {
    GameId::ALL.into_iter().any(|game| game.name() == chunk || reader_name(game) == chunk)
}

/// The names of files: by the chunk, or by number where chunks share a file.
fn file_names(packs: &[Pack]) -> Vec<String> {
    let mut shared = 0;
    let name = |pack: &Pack| match pack.needed_by.first().filter(|_| pack.needed_by.len() == 1) {
        // Names that differ by a capital alone are one name to some file systems.
        Some(chunk) if chunk.starts_with(char::is_uppercase) => format!("{}-reader.chunk", chunk.to_lowercase()),
        Some(chunk) => format!("{chunk}.chunk"),
        None => {
            shared += 1;
            format!("shared-{shared}.chunk")
        }
    };
    packs.iter().map(name).collect()
}

/// How many bytes, unpacked, a visitor would rather load than make one more request. Small files also pack badly.
const REQUEST: usize = 30_000;

/// How much a chunk's own load counts: most where people come by a link or a start address and wait for a board.
fn weight(chunk: &str) -> usize {
    match chunk {
        "home" | "settings" | "puzzles" => 8,
        "lobby" | "people" | "setup" => 3,
        "learn" => 2,
        _ => 1,
    }
}

/// What a file of a size costs everybody who loads it.
fn cost<'a>(needed_by: impl Iterator<Item = &'a String>, size: usize) -> usize {
    needed_by.map(|chunk| weight(chunk) * (size + REQUEST)).sum()
}

/// Which file of a table a module belongs to: by the tables that need it, and by the other pages that do. A table loads
/// nothing that only another page needs, and another page little that only tables need.
type TableFile = (Tables, Others);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tables {
    Both,
    Play,
    Meet,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Others {
    Home,
    /// Pages without a board to play on.
    Lists,
    /// The puzzles of the day, where a visitor waits for a board as at a table, and other pages with boards.
    Puzzles,
    /// Other pages with a board alone.
    Boards,
    /// None, but what is fetched after a page may need it too.
    Later,
}

fn table_file(needed_by: &BTreeSet<String>) -> Option<TableFile> {
    let is_needed = |chunks: &[Chunk]| chunks.iter().any(|chunk| needed_by.contains(chunk.name()));
    let tables = match (is_needed(&[Chunk::Play]), is_needed(&[Chunk::Meet])) {
        (true, true) => Tables::Both,
        (true, false) => Tables::Play,
        (false, true) => Tables::Meet,
        (false, false) => return None,
    };
    let lists = is_needed(&[Chunk::Lobby, Chunk::People, Chunk::Settings]);
    let (puzzles, boards) = (is_needed(&[Chunk::Puzzles]), is_needed(&[Chunk::Learn, Chunk::Analyse]));
    Some(match tables {
        _ if is_needed(&[Chunk::Home]) => (Tables::Both, Others::Home),
        Tables::Both if lists => (tables, Others::Lists),
        _ if puzzles => (tables, Others::Puzzles),
        // Hardly anything is for both tables alone.
        Tables::Both => (tables, Others::Boards),
        // Pages with boards need little of what is for one table, and what they need, pages without one need too.
        _ if boards => (tables, Others::Boards),
        _ => (tables, Others::Later),
    })
}

/// Puts modules together into files: the splitter makes one for each set of chunks that share something, and dozens of
/// small requests would take longer than some bytes too many. Those of tables are laid down; of the rest, as long as two
/// files cost less as one, they become one.
fn pack(modules: Vec<Module>) -> Vec<Pack> {
    let (mut packs, mut of_tables) = (Vec::<Pack>::new(), BTreeMap::<TableFile, Pack>::new());
    for single in modules.into_iter().map(Pack::new) {
        if let Some(file) = table_file(&single.needed_by) {
            match of_tables.entry(file) {
                Entry::Occupied(pack) => pack.into_mut().join(single),
                Entry::Vacant(place) => drop(place.insert(single)),
            }
            continue;
        }
        match packs.iter_mut().find(|pack| pack.needed_by == single.needed_by) {
            Some(pack) => pack.join(single),
            None => packs.push(single),
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
            _ => {
                packs.extend(of_tables.into_values());
                return packs;
            }
        }
    }
}

/// The script that loads the files of a chunk. Each is a module; none is needed to instantiate another.
fn loader(files: &ChunkFiles) -> String {
    let mut script = include_str!("chunks.js").replace("__CHUNKS__", &format!("{files:?}"));
    for chunk in files.keys() {
        script.push_str(&format!("export const __wasm_split_load_{chunk} = loader({chunk:?});\n"));
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
        let packs = pack(modules);
        file_names(&packs).into_iter().zip(packs.iter().map(|pack| pack.modules.len())).collect()
    }

    #[test]
    fn small_modules_travel_with_others_and_large_ones_alone() {
        let modules = vec![
            module("learn", 10 * REQUEST),
            module("learn puzzles", 5),
            module("learn puzzles records", 10 * REQUEST),
            module("puzzles records", 7),
        ];
        assert_eq!(files(modules), [("learn.chunk".to_owned(), 1), ("shared-1.chunk".to_owned(), 3)]);
    }

    #[test]
    fn a_table_loads_less_for_the_others_than_they_for_it() {
        let shared = |by: &str| vec![module(by, 10 * REQUEST), module("tools", REQUEST / 2)];
        assert_eq!(files(shared("play tools")).len(), 2);
        assert_eq!(files(shared("records tools")).len(), 1);
    }

    #[test]
    fn a_game_comes_by_itself_and_what_games_share_with_every_board() {
        let modules = vec![
            module("quarto", 10 * REQUEST),
            module("learn quarto", TRIFLE),
            module("quarto quixo", 10 * REQUEST),
            module("play quixo", 7),
        ];
        assert_eq!(files(modules), [("quarto.chunk".to_owned(), 2), ("shared-1.chunk".to_owned(), 2)]);
    }

    #[test]
    fn what_reads_positions_comes_apart_from_its_game() {
        let modules = vec![
            module("Quarto", 10 * REQUEST),
            module("Quarto learn", TRIFLE),
            module("Quarto learn quarto", 10 * REQUEST),
            module("Quarto quixo", 7),
            module("Quarto Quixo", TRIFLE - 1),
        ];
        let expected = [("quarto-reader.chunk", 2), ("quarto.chunk", 1), ("shared-1.chunk", 2)];
        assert_eq!(files(modules), expected.map(|(file, modules)| (file.to_owned(), modules)));
    }

    #[test]
    fn no_page_loads_a_game_for_a_trifle() {
        let modules = vec![
            module("quarto", 10 * REQUEST),
            module("Quarto", 10 * REQUEST),
            module("learn quarto", TRIFLE - 1),
            module("Quarto learn", TRIFLE - 1),
            module("Quarto analyse", TRIFLE - 1),
        ];
        let expected = [("quarto.chunk", 1), ("quarto-reader.chunk", 2), ("shared-1.chunk", 2)];
        assert_eq!(files(modules), expected.map(|(file, modules)| (file.to_owned(), modules)));
    }

    #[test]
    fn for_what_games_share_a_puzzle_loads_nothing_that_is_for_tables_alone() {
        let modules = vec![module("meet play", 10 * REQUEST), module("quarto quixo", TRIFLE)];
        assert_eq!(files(modules).iter().map(|(_, modules)| *modules).collect::<Vec<_>>(), [1, 1]);
    }

    #[test]
    fn other_pages_load_what_they_need_of_a_table() {
        let modules = vec![module("meet tools", 5), module("lobby meet", 5), module("learn lobby meet", 5)];
        assert_eq!(files(modules).iter().map(|(_, modules)| *modules).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn the_loader_knows_every_file() {
        let files =
            ChunkFiles::from([("learn".to_owned(), vec!["shared-1.chunk".to_owned(), "learn.chunk".to_owned()])]);
        let script = loader(&files);
        assert!(script.contains(r#"CHUNKS = {"learn": ["shared-1.chunk", "learn.chunk"]};"#), "{script}");
        assert!(script.ends_with("__wasm_split_load_learn = loader(\"learn\");\n"), "{script}");
    }
}
