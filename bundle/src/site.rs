//! The site around the program: static files, texts, lists of files and pages, and a file for each page.

use std::fs;
use std::path::Path;

use game::GameId;
use locale::{Language, Part};
use routes::{Chunk, Route, reader_name};

use crate::program::{ChunkFiles, MAIN};
use crate::{Result, files};

/// Stands in files for the name of the build's folder, and is that folder's name until its content is known.
pub(crate) const BUILD: &str = "__BUILD__";

/// Static files whose address never changes; all others belong to a build.
const AT_FIXED_ADDRESSES: [&str; 5] = ["index.html", "sw.js", MANIFEST, "icons", SCREENSHOTS];

/// What a browser needs to know to install the app.
const MANIFEST: &str = "manifest.webmanifest";

/// Pictures for those who install the app; the app itself never shows them.
const SCREENSHOTS: &str = "screenshots";

/// Positions from the solved game, graded: too many to be part of the program, and only some people want them.
const QUIXO_EXERCISES: &str = include_str!("../../crates/tablebase/data/quixo-exercises.txt");

/// Puts every static file where it belongs.
pub(crate) fn copy_statics(from: &Path, out: &Path, build: &Path) -> Result<()> {
    for file in files::all_files(from)? {
        let name = files::address(&file, from)?;
        let fixed = AT_FIXED_ADDRESSES.iter().any(|fixed| name.split('/').next() == Some(fixed));
        let target = if fixed { out.join(&name) } else { build.join(&name) };
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::copy(&file, target)?;
    }
    Ok(())
}

/// The app carries neither texts nor pictures of games: it fetches those it shows.
pub(crate) fn write_texts(build: &Path) -> Result<()> {
    fs::create_dir_all(build.join("texts"))?;
    for language in Language::ALL {
        for part in Part::ALL {
            if let Some(file) = routes::texts_file(language.code(), part) {
                fs::write(build.join(file), language.packed(part))?;
            }
        }
    }
    fs::write(build.join("texts/quixo-exercises.txt"), QUIXO_EXERCISES)?;
    let pictures = crate::showcase::pictures().join(&routes::PICTURES_SEPARATOR.to_string());
    fs::write(build.join(routes::PICTURES_FILE), pictures)?;
    Ok(())
}

/// What a page loads before it can be shown, besides what every page loads.
pub(crate) struct PageLoad {
    /// A regular expression for its path.
    path: String,
    /// Files of the build; `{language}` stands for the code of a language, `{game}` for the game that the page shows,
    /// `{month}` for the number of this month's puzzles.
    files: Vec<String>,
}

/// What each page loads, in the order of the table of routes.
pub(crate) fn page_loads(chunks: &ChunkFiles) -> Vec<PageLoad> {
    let load = |((path, pattern), chunk): ((String, &str), Chunk)| {
        let mut files = [MAIN.to_owned()].into_iter().chain(texts_file(Part::Table)).collect::<Vec<_>>();
        files.extend(chunk_files(chunk, chunks));
        if chunk == Chunk::Home {
            files.push(routes::PICTURES_FILE.to_owned());
        }
        // A table with others is of one game, too, whose name comes with the page; so are puzzles.
        if pattern.contains("{game}") && chunk != Chunk::People || matches!(chunk, Chunk::Meet | Chunk::Puzzles) {
            files.extend(one_game_files(GameId::name, "{game}.chunk", chunks));
            if chunk.reads_positions() {
                files.extend(one_game_files(reader_name, "{game}-reader.chunk", chunks));
            }
        } else if chunk.shows_any_game() {
            files.extend(GameId::ALL.iter().flat_map(|game| code_files(game.name(), chunks)));
            if chunk.reads_positions() {
                files.extend(GameId::ALL.iter().flat_map(|game| code_files(&reader_name(*game), chunks)));
            }
        }
        if chunk == Chunk::Puzzles {
            let file = puzzles::daily::month_file(0, puzzles::GAMES[0]);
            files.push(file.replace("00", "{month}").replace(puzzles::GAMES[0].name(), "{game}"));
        }
        let mut seen = Vec::new();
        files.retain(|file| {
            !seen.contains(file) && {
                seen.push(file.clone());
                true
            }
        });
        PageLoad { path, files }
    };
    Route::path_expressions().into_iter().zip(Route::PATTERNS).zip(Route::CHUNKS).map(load).collect()
}

/// The files of whichever game a page shows: those that all games share, and the game's own.
fn one_game_files<N: AsRef<str>>(name: fn(GameId) -> N, own: &str, chunks: &ChunkFiles) -> Vec<String> {
    let of_each = GameId::ALL.map(|game| code_files(name(game).as_ref(), chunks));
    let is_shared = |file: &&String| of_each.iter().all(|files| files.contains(file));
    let shared = of_each[0].iter().filter(is_shared).cloned();
    shared.chain([own.to_owned()]).collect()
}

fn code_files(chunk: &str, chunks: &ChunkFiles) -> Vec<String> {
    chunks.get(chunk).cloned().unwrap_or_default()
}

/// What a chunk needs: code, texts and style sheets.
fn chunk_files(chunk: Chunk, chunks: &ChunkFiles) -> Vec<String> {
    let code = code_files(chunk.name(), chunks);
    let styles = chunk.styles().iter().map(|&style| style.to_owned());
    code.into_iter().chain(chunk.texts().iter().filter_map(|part| texts_file(*part))).chain(styles).collect()
}

fn texts_file(part: Part) -> Option<String> {
    routes::texts_file("{language}", part)
}

/// Fills in what each page loads, which paths are pages, and the shortcuts of the installed app.
pub(crate) fn fill_in_lists(out: &Path, build: &Path, loads: &[PageLoad]) -> Result<()> {
    let early = loads.iter().map(|load| format!("[{:?}, {:?}]", load.path, load.files));
    replace(&build.join("boot.js"), "__PAGES__", &early.collect::<Vec<_>>().join(", "))?;
    replace(&build.join("boot.js"), "__MONTHS__", &puzzles::daily::MONTHS.to_string())?;
    replace(&build.join("boot.js"), "__FIRST_PUZZLES__", puzzles::GAMES[0].name())?;
    let pages: Vec<String> = loads.iter().map(|load| format!("{:?}", load.path)).collect();
    replace(&out.join("sw.js"), "__PAGES__", &pages.join(", "))?;
    // Every drawing refers to them; in the page itself they need no code.
    replace(&out.join("index.html"), "__GRADIENTS__", &art::defs())?;
    for language in Language::ALL {
        let mark = format!("__RULES_{}__", language.code().to_uppercase());
        replace(&out.join("index.html"), &mark, &crate::rules_pages::links(language).join(", "))?;
    }
    let shortcut = |game: GameId| {
        let (first, rest) = game.name().split_at(1);
        let address = Route::Start(game, String::new());
        format!(r#"{{ "name": "{}{rest}", "url": "{address}" }}"#, first.to_uppercase())
    };
    let games = GameId::ALL.map(|game| locale::game_name(Language::English, game)).join(", ");
    for file in ["index.html", MANIFEST] {
        replace(&out.join(file), "__GAMES__", &games)?;
    }
    replace(&out.join(MANIFEST), "__SHORTCUTS__", &GameId::ALL.map(shortcut).join(", "))
}

/// What each page loads as lines of a text, for those who weigh it: the pattern of its address, then its files. Chunks that
/// show no page, and are fetched when a page has use for them, follow under their names.
pub(crate) fn listed(loads: &[PageLoad], chunks: &ChunkFiles) -> String {
    let line = |name: &str, files: &[String]| {
        let files: Vec<String> = files.iter().map(|file| each_game(file).replace("{month}", "00")).collect();
        format!("{name} {}\n", files.join(" "))
    };
    let pages = Route::PATTERNS.into_iter().zip(loads).map(|(pattern, load)| line(pattern, &load.files));
    let others = Chunk::ALL.into_iter().filter(|chunk| !Route::CHUNKS.contains(chunk));
    pages.chain(others.map(|chunk| line(chunk.name(), &chunk_files(chunk, chunks)))).collect()
}

/// A file of whichever game a page shows, with the games that have such a file: not every game has puzzles.
fn each_game(file: &str) -> String {
    let games: &[GameId] = if file.starts_with("puzzles/") { &puzzles::GAMES } else { &GameId::ALL };
    let names: Vec<&str> = games.iter().map(|game| game.name()).collect();
    file.replace("{game}", &format!("{{{}}}", names.join("|")))
}

/// Names the build by what is in it, everywhere, and lists all files for the service worker; gives the name.
pub(crate) fn name_build(out: &Path, build: &Path) -> Result<String> {
    let name = format!("build-{:016x}", files::checksum(out)?);
    fs::rename(build, out.join(&name))?;
    let service_worker = out.join("sw.js");
    let listed = files::all_files(out)?.into_iter().filter(|file| *file != service_worker);
    let listed: Vec<String> = listed.map(|file| files::address(&file, out)).collect::<Result<_>>()?;
    let kept = listed.iter().filter(|file| !crate::puzzle_files::is_one(file) && !file.starts_with(SCREENSHOTS));
    let kept: Vec<String> = kept.map(|file| format!("\"/{file}\"")).collect();
    replace(&service_worker, "__FILES__", &kept.join(", "))?;
    replace(&service_worker, "__MONTHS__", &puzzles::daily::MONTHS.to_string())?;
    let games = puzzles::GAMES.map(|game| format!("{:?}", game.name()));
    replace(&service_worker, "__PUZZLE_GAMES__", &games.join(", "))?;
    replace(&service_worker, BUILD, &name)?;
    replace(&out.join("index.html"), BUILD, &name)?;
    Ok(name)
}

/// A file for each page without an id and one for every other address: all of them the app, which reads the address.
pub(crate) fn write_pages(out: &Path) -> Result<()> {
    let page = out.join("index.html");
    for path in Route::fixed_paths() {
        let folder = out.join(path.trim_start_matches('/'));
        fs::create_dir_all(&folder)?;
        let file = folder.join("index.html");
        if file != page {
            fs::copy(&page, file)?;
        }
    }
    fs::copy(&page, out.join("404.html"))?;
    Ok(())
}

fn replace(file: &Path, mark: &str, text: &str) -> Result<()> {
    let old = fs::read_to_string(file)?;
    if !old.contains(mark) {
        return Err(format!("{} has no place for {mark}", file.display()).into());
    }
    fs::write(file, old.replace(mark, text))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_listed_for_the_games_that_have_it() {
        let puzzles = each_game("puzzles/month-{month}-{game}.txt");
        for game in GameId::ALL {
            assert!(each_game("{game}.chunk").contains(game.name()), "{game} has code");
            assert_eq!(puzzles.contains(game.name()), puzzles::GAMES.contains(&game), "{puzzles}");
        }
        assert_eq!(each_game("app.css"), "app.css");
    }
}
