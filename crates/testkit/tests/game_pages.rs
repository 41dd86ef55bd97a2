//! The pages in docs/games say what the code does: their perft counts are right and their examples play out.
//!
//! A block fenced as `perft` has the lines of the perft tables, `game ; position ; counts`. One fenced as `played` has
//! `game ; actions ; position`, the position that these actions lead to from the start.

use std::path::Path;

use rules::GameId;
use testkit::tables::{game, perft};

fn page(name: GameId) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/games/{name}.md"));
    std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; every game has a page, see CONTRIBUTING.md", path.display()))
}

/// The lines of all blocks of a kind.
fn block<'a>(page: &'a str, kind: &str) -> Vec<&'a str> {
    let mut inside = false;
    page.lines()
        .filter(|line| {
            let fence = line.starts_with("```");
            inside = if fence { *line == format!("```{kind}") } else { inside };
            inside && !fence
        })
        .collect()
}

#[test]
fn perft_counts_are_right() {
    for name in GameId::ALL {
        let page = page(name);
        let lines = block(&page, "perft");
        assert!(!lines.is_empty(), "{name}.md has no perft");
        assert_eq!(perft::differences(&perft::read(&lines.join("\n")), 100_000), Vec::<String>::new(), "{name}.md");
    }
}

#[test]
fn examples_play_out_and_their_texts_parse() {
    for name in GameId::ALL {
        let page = page(name);
        let lines = block(&page, "played");
        assert!(!lines.is_empty(), "{name}.md has no example");
        for line in lines {
            let [game_text, actions, reached] = line.split(" ; ").collect::<Vec<_>>()[..] else {
                panic!("{name}.md: {line} is not game ; actions ; position");
            };
            let game = game(game_text);
            let mut position = game.start();
            for action in actions.split(' ') {
                position.play(action).unwrap_or_else(|refused| panic!("{name}.md: {line}: {refused}"));
            }
            assert_eq!(position.to_string(), reached, "{name}.md: {line}");
            let parsed = game.parse_position(reached).unwrap_or_else(|problem| panic!("{name}.md: {problem}"));
            assert_eq!(parsed.to_string(), reached, "{name}.md");
        }
    }
}

#[test]
fn every_option_is_on_its_page() {
    for name in GameId::ALL {
        let page = page(name);
        for option in name.options() {
            assert!(page.contains(&format!("`{}`", option.name)), "{name}.md does not explain {}", option.name);
        }
    }
}
