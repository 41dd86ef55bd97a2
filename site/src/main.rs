//! `site REPOSITORY OUT_DIR`: the documents as static pages, for a host of files.
//!
//! Every Markdown file that the README leads to becomes a page under its own path with `.html`; other files that pages
//! link to are copied. A link to a folder leads to a list of its pages. A link to a file or heading that is not there is an
//! error.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::{Component, Path, PathBuf};

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// Where reading begins: the first page, and from there by links.
const START: &str = "README.md";

/// The pages for each kind of reader, in the bar of every page.
const READERS: [(&str, &str); 6] = [
    ("Fourfold", "README.md"),
    ("Players", "docs/players.md"),
    ("Hosts", "docs/hosts.md"),
    ("Bot writers", "docs/bot-writers.md"),
    ("Researchers", "docs/researchers.md"),
    ("Contributors", "CONTRIBUTING.md"),
];

const STYLE: &str = include_str!("style.css");

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [root, out] = &arguments[..] else { return Err("usage: site REPOSITORY OUT_DIR".into()) };
    let mut waiting = vec![PathBuf::from(START)];
    waiting.extend(READERS.iter().map(|(_, file)| PathBuf::from(file)));
    let mut done = BTreeSet::new();
    let (mut headings, mut anchors, mut broken) = (BTreeMap::new(), Vec::new(), Vec::new());
    while let Some(file) = waiting.pop() {
        if !done.insert(file.clone()) {
            continue;
        }
        let target = out.join(address(&file));
        fs::create_dir_all(target.parent().unwrap_or(out))?;
        if is_page(&file) {
            let path = root.join(&file);
            let text = if path.is_file() { fs::read_to_string(path)? } else { list_of_pages(&path)? };
            let page = page(root, &file, &text);
            fs::write(target, page.html)?;
            broken.extend(page.broken.iter().map(|link| format!("{}: {link}", file.display())));
            anchors.extend(page.anchors.into_iter().map(|(target, anchor)| (file.clone(), target, anchor)));
            headings.insert(file, page.headings);
            waiting.extend(page.links);
        } else {
            fs::copy(root.join(&file), target)?;
        }
    }
    for (file, target, anchor) in anchors {
        if !headings.get(&target).is_some_and(|headings| headings.contains(&anchor)) {
            broken.push(format!("{}: {}#{anchor}", file.display(), target.display()));
        }
    }
    if !broken.is_empty() {
        return Err(format!("links that lead nowhere:\n{}", broken.join("\n")).into());
    }
    let pages = done.iter().filter(|file| is_page(file)).count();
    println!("   {pages} pages and {} other files in {}", done.len() - pages, out.display());
    Ok(())
}

fn is_page(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "md")
}

/// Where a file stands in the site: `README.md` is the index of its folder.
fn address(file: &Path) -> PathBuf {
    match file.file_name().and_then(|name| name.to_str()) {
        Some("README.md") => file.with_file_name("index.html"),
        _ if is_page(file) => file.with_extension("html"),
        _ => file.to_owned(),
    }
}

/// The page of a folder that has no README: its pages by title, each with its first paragraph.
fn list_of_pages(readme: &Path) -> Result<String, Box<dyn Error>> {
    let folder = readme.parent().unwrap_or(readme);
    let mut names: Vec<PathBuf> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    names.retain(|file| is_page(file));
    names.sort();
    let name = |path: &Path| path.file_name().unwrap_or_default().display().to_string();
    let mut text = format!("# {}\n\n", name(folder));
    for file in names {
        let page = fs::read_to_string(&file)?;
        let title = page.lines().next().unwrap_or_default().trim_start_matches("# ");
        let first: Vec<&str> = page.lines().skip(2).take_while(|line| !line.is_empty()).collect();
        text += &format!("- [{title}]({}): {}\n", name(&file), first.join(" "));
    }
    Ok(text)
}

struct Page {
    html: String,
    /// The files of the repository that the page links to.
    links: Vec<PathBuf>,
    /// The headings that it links to, with their pages.
    anchors: Vec<(PathBuf, String)>,
    /// The links to what is not there.
    broken: Vec<String>,
    /// The anchors of its own headings.
    headings: BTreeSet<String>,
}

fn page(root: &Path, file: &Path, text: &str) -> Page {
    let mut events: Vec<Event<'_>> =
        Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH).collect();
    let (title, headings) = name_headings(&mut events);
    let (mut links, mut anchors, mut broken) = (Vec::new(), Vec::new(), Vec::new());
    for event in &mut events {
        if let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event
            && !dest_url.contains("://")
        {
            let (path, anchor) = match dest_url.split_once('#') {
                Some((path, anchor)) => (path, format!("#{anchor}")),
                None => (dest_url.as_ref(), String::new()),
            };
            let target = if path.is_empty() { file.to_owned() } else { normal(&file.with_file_name("").join(path)) };
            if !anchor.is_empty() && is_page(&target) {
                anchors.push((target.clone(), anchor.trim_start_matches('#').to_owned()));
            }
            if path.is_empty() {
                continue;
            }
            if root.join(&target).is_file() {
                let shown = address(Path::new(path)).display().to_string();
                *dest_url = CowStr::from(shown + &anchor);
                links.push(target);
            } else if root.join(&target).is_dir() {
                *dest_url = CowStr::from(format!("{}/index.html{anchor}", path.trim_end_matches('/')));
                links.push(target.join("README.md"));
            } else {
                broken.push(dest_url.to_string());
            }
        }
    }
    let mut body = String::new();
    html::push_html(&mut body, events.into_iter());
    let up = "../".repeat(file.components().count() - 1);
    let entry = |(name, target): &(&str, &str)| {
        let here = if Path::new(target) == file { " aria-current=\"page\"" } else { "" };
        format!("<a href=\"{up}{}\"{here}>{name}</a>", address(Path::new(target)).display())
    };
    let bar = READERS.iter().map(entry).collect::<Vec<_>>().join(" ");
    let html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{title}</title>\n<style>{STYLE}</style>\n<nav>{bar}</nav>\n\
         <main>\n{body}</main>\n"
    );
    Page { html, links, anchors, broken, headings }
}

/// Gives every heading an anchor; returns the text of the first, and all anchors.
fn name_headings(events: &mut [Event<'_>]) -> (String, BTreeSet<String>) {
    let (mut title, mut anchors) = (String::new(), BTreeSet::new());
    let mut at = 0;
    while at < events.len() {
        if let Event::Start(Tag::Heading { .. }) = events[at] {
            let end = events[at..].iter().position(|event| matches!(event, Event::End(TagEnd::Heading(_))));
            let end = at + end.unwrap_or(0);
            let text: String = events[at..end].iter().filter_map(spoken).collect();
            if let Event::Start(Tag::Heading { id, level, .. }) = &mut events[at] {
                anchors.insert(anchor(&text));
                *id = Some(CowStr::from(anchor(&text)));
                if *level == HeadingLevel::H1 && title.is_empty() {
                    title = text;
                }
            }
            at = end;
        }
        at += 1;
    }
    (title, anchors)
}

fn spoken<'a>(event: &'a Event<'_>) -> Option<&'a str> {
    match event {
        Event::Text(text) | Event::Code(text) => Some(text),
        _ => None,
    }
}

/// The anchor that a heading gets: lower case, hyphens for spaces, no other signs.
fn anchor(text: &str) -> String {
    let letters = text.trim().chars().filter_map(|letter| match letter {
        ' ' => Some('-'),
        '-' | '_' => Some(letter),
        _ => letter.is_alphanumeric().then_some(letter),
    });
    letters.collect::<String>().to_lowercase()
}

/// A path without `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(normal.pop()),
            Component::CurDir => {}
            part => normal.push(part),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_a_list_of_its_pages() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
        let Page { html, links, broken, .. } = page(root, Path::new("docs/README.md"), "[a](games/)");
        assert_eq!(links, [PathBuf::from("docs/games/README.md")]);
        assert!(broken.is_empty() && html.contains("\"games/index.html\""), "{html}");
        let list = list_of_pages(&root.join("docs/games/README.md")).unwrap();
        assert!(list.starts_with("# games\n") && list.contains("- [Quixo](quixo.md): "), "{list}");
    }

    #[test]
    fn links_lead_to_pages_and_headings_have_anchors() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
        let text = "# API and *bots*\n[a](glossary.md#search) [b](../README.md) [c](https://host/x.md) [d](none.md)";
        let Page { html, links, anchors, broken, headings } = page(root, Path::new("docs/README.md"), text);
        assert_eq!(links, [PathBuf::from("docs/glossary.md"), PathBuf::from("README.md")]);
        assert_eq!(anchors, [(PathBuf::from("docs/glossary.md"), "search".to_owned())]);
        assert_eq!(broken, ["none.md"]);
        assert!(headings.contains("api-and-bots"));
        for part in ["<h1 id=\"api-and-bots\">", "glossary.html#search\"", "../index.html\"", "https://host/x.md\""] {
            assert!(html.contains(part), "{part} is not in {html}");
        }
    }
}
