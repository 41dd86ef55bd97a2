//! The rules of each game as a document in each language, with the figures of the printed sheets.

use std::fs;
use std::path::Path;

use game::{GameId, figure_scene};
use locale::{Language, figure_caption, game_about, game_name, rules_page};
use routes::{Route, RulesPage, figure_file};

use crate::Result;

/// Writes the figures into the build's folder, where the app's pages and the documents find them.
pub(crate) fn write_figures(build: &Path) -> Result<()> {
    fs::create_dir_all(build.join("figures"))?;
    for game in GameId::ALL {
        for figure in game.figures() {
            let scene = figure_scene(game, figure).ok_or_else(|| format!("{game}: {} cannot be read", figure.name))?;
            fs::write(build.join(figure_file(game, figure.name)), art::figure_svg(&scene, figure.shows, ""))?;
        }
    }
    Ok(())
}

/// Writes every document; `build` is the name of the folder with the style sheet and the figures.
pub(crate) fn write(out: &Path, build: &str) -> Result<()> {
    for page in RulesPage::all() {
        let file = out.join(page.to_string().trim_start_matches('/'));
        fs::create_dir_all(file.parent().ok_or("a file without a folder")?)?;
        fs::write(file, document(page, build))?;
    }
    Ok(())
}

fn document(page: RulesPage, build: &str) -> String {
    let RulesPage { language, game } = page;
    let (name, about, rules) = (game_name(language, game), game_about(language, game), language.action_rules());
    let sections: String = rules_page(language, game)
        .iter()
        .map(|section| {
            let figures = game.figures().iter().filter(|figure| figure.section == section.id);
            let figures: String = figures
                .map(|figure| {
                    let (file, caption) = (figure_file(game, figure.name), figure_caption(language, game, figure));
                    format!(
                        "<figure><img src=\"/{build}/{file}\" alt=\"\"><figcaption>{}</figcaption></figure>\n",
                        escaped(caption)
                    )
                })
                .collect();
            let text: String = section.text.split('\n').map(|text| format!("<p>{}</p>\n", escaped(text))).collect();
            let (id, title) = (section.id, escaped(section.title));
            format!("<section id=\"{id}\">\n<h2>{title}</h2>\n{text}{}</section>\n", in_group(&figures))
        })
        .collect();
    format!(
        r#"<!doctype html>
<html lang="{code}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{name}: {rules_lower} – Fourfold</title>
<meta name="description" content="{name}: {rules_lower}. {about}">
<meta property="og:type" content="article">
<meta property="og:title" content="{name}: {rules_lower}">
<meta property="og:description" content="{about}">
<link rel="icon" href="/icons/fourfold.svg" type="image/svg+xml">
{alternates}<link rel="stylesheet" href="/{build}/rules.css">
</head>
<body>
<header><a class="home" href="{home}">Fourfold</a><nav aria-label="{choose_language}">{languages}</nav></header>
<main>
<h1>{name}</h1>
<p class="lead">{about}</p>
<p class="ways"><a class="button" href="{start}">{play}</a> <a href="{learn}">{try_it}</a></p>
{sections}</main>
<footer><nav aria-label="{rules}"><h2>{rules}</h2><ul>{games}</ul></nav></footer>
</body>
</html>
"#,
        code = language.code(),
        name = escaped(name),
        about = escaped(about),
        rules = escaped(rules),
        rules_lower = escaped(language.menu_rules()).to_lowercase(),
        alternates = alternates(game),
        home = Route::Home,
        choose_language = escaped(language.menu_language()),
        languages = languages(page),
        start = Route::Start(game, String::new()),
        play = escaped(language.web_play_now()),
        learn = Route::Learn(game),
        try_it = escaped(language.learn_on_board()),
        games = links(language).into_iter().map(|link| format!("<li>{link}</li>")).collect::<String>(),
    )
}

fn in_group(figures: &str) -> String {
    if figures.is_empty() { String::new() } else { format!("<div class=\"figures\">\n{figures}</div>\n") }
}

/// Tells search engines which pages say the same in other languages.
fn alternates(game: GameId) -> String {
    let link = |language: Language| {
        let (code, page) = (language.code(), RulesPage { language, game });
        format!("<link rel=\"alternate\" hreflang=\"{code}\" href=\"{page}\">\n")
    };
    Language::ALL.map(link).concat()
}

fn languages(page: RulesPage) -> String {
    let link = |language: Language| {
        let (code, name) = (language.code(), language.native_name());
        let current = if language == page.language { " aria-current=\"page\"" } else { "" };
        let other = RulesPage { language, ..page };
        format!("<a lang=\"{code}\" hreflang=\"{code}\" href=\"{other}\"{current}>{name}</a>")
    };
    Language::ALL.map(link).join(" ")
}

/// A link to the rules of each game in a language.
pub(crate) fn links(language: Language) -> Vec<String> {
    let link = |game| {
        let (name, page) = (escaped(game_name(language, game)), RulesPage { language, game });
        format!("<a href=\"{page}\">{name}</a>")
    };
    GameId::ALL.map(link).to_vec()
}

/// A text as it stands in markup and between quotation marks.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_document_holds_all_sections_and_figures_and_no_script() {
        for page in RulesPage::all() {
            let html = document(page, "build-0");
            assert!(html.starts_with(&format!("<!doctype html>\n<html lang=\"{}\">", page.language.code())), "{page}");
            for section in rules_page(page.language, page.game) {
                assert!(html.contains(&format!("<h2>{}</h2>", escaped(section.title))), "{page}: {}", section.id);
            }
            for figure in page.game.figures() {
                let caption = escaped(figure_caption(page.language, page.game, figure));
                assert!(html.contains(&caption), "{page}: {caption}");
                assert!(html.contains(&format!("/build-0/{}", figure_file(page.game, figure.name))), "{page}");
            }
            assert!(!html.contains("<script"), "{page}");
            for language in Language::ALL {
                assert!(html.contains(&RulesPage { language, ..page }.to_string()), "{page}");
            }
        }
    }

    #[test]
    fn every_figure_belongs_to_a_section() {
        for game in GameId::ALL {
            let page = rules_page(Language::English, game);
            for figure in game.figures() {
                assert!(page.iter().any(|section| section.id == figure.section), "{game}: {}", figure.name);
            }
        }
    }
}
