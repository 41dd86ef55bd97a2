//! Every game drawn: well-formed, named, complete, and as it was. `WRITE_PICTURES=1 cargo test -p art` draws the files
//! in `golden/` anew; look at them before they are committed.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use game::{Game, GameId, figure_scene, showcase};
use roxmltree::{Document, Node};
use rules::{Phrase, Square, Viewer};
use scene::{BoardStyle, Card, Highlight, Piece, RowMeaning, Scene};

/// What each game shows of itself.
fn scenes() -> Vec<(String, Scene)> {
    let scene = |id: GameId| {
        let (position, marks) = showcase(id).unwrap_or_else(|| panic!("{id} shows nothing of itself"));
        let mut scene = position.scene(Viewer::Spectator);
        scene.highlights.extend(marks);
        (id.to_string(), scene)
    };
    GameId::ALL.into_iter().map(scene).collect()
}

/// What can stand on a board or lie beside it, whatever the game.
fn all_pieces() -> Vec<Piece> {
    let cards = Card::ALL.into_iter().map(|card| Piece::Card(Some(card)));
    let variants = GameId::ALL.into_iter().flat_map(|id| id.variants().iter().map(move |options| (id, options)));
    let put = variants.flat_map(|(id, options)| {
        let game = Game::with_options(id, options).unwrap_or_else(|bad| panic!("{bad}"));
        game.start().setup().pieces()
    });
    let own = GameId::ALL.into_iter().flat_map(|game| game.pieces().iter().map(move |key| Phrase { game, key }));
    let mut pieces: Vec<Piece> = cards.chain(put).chain(own.map(Piece::OfGame)).chain([Piece::Cube(None)]).collect();
    pieces.sort_unstable();
    pieces.dedup();
    pieces
}

/// Names of gradients that an attribute of the document refers to.
fn references(document: &Document<'_>) -> HashSet<String> {
    let named = |text: &str| Some(text.strip_prefix("url(#")?.strip_suffix(')')?.to_owned());
    document.descendants().flat_map(|node| node.attributes()).filter_map(|attribute| named(attribute.value())).collect()
}

fn ids(document: &Document<'_>) -> HashSet<String> {
    document.descendants().filter_map(|node| node.attribute("id")).map(str::to_owned).collect()
}

#[test]
fn every_game_is_drawn_as_it_was() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("golden");
    for (name, scene) in scenes() {
        let (file, drawn) = (folder.join(format!("{name}.svg")), art::scene_svg(&scene, &name));
        if std::env::var_os("WRITE_PICTURES").is_some() {
            fs::write(&file, &drawn).unwrap();
        }
        let golden = fs::read_to_string(&file).unwrap_or_default();
        assert!(golden == drawn, "{} is missing or old: look at it with WRITE_PICTURES=1", file.display());
    }
}

/// The figures of rules pages lie in `docs/pictures/`, and each game's page shows them.
#[test]
fn every_figure_is_drawn_as_it_was_and_stands_on_its_page() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    for id in GameId::ALL {
        let page = fs::read_to_string(docs.join(format!("games/{id}.md"))).unwrap_or_default();
        for figure in id.figures() {
            let scene = figure_scene(id, figure).unwrap_or_else(|| panic!("{id}: {} cannot be read", figure.name));
            let name = format!("{id}-{}.svg", figure.name);
            let drawn = art::figure_svg(&scene, figure.shows, figure.name);
            let file = docs.join("pictures").join(&name);
            if std::env::var_os("WRITE_PICTURES").is_some() {
                fs::write(&file, &drawn).unwrap();
            }
            let document = Document::parse(&drawn).unwrap();
            assert_eq!(ids(&document), references(&document), "{name}: a gradient is missing or not needed");
            let golden = fs::read_to_string(&file).unwrap_or_default();
            assert!(golden == drawn, "{} is missing or old: look at it with WRITE_PICTURES=1", file.display());
            assert!(page.contains(&format!("](../pictures/{name})")), "{id}.md does not show {name}");
        }
    }
}

#[test]
fn a_picture_is_named_and_needs_nothing_around_it() {
    for (name, scene) in scenes() {
        let drawn = art::scene_svg(&scene, &name);
        let document = Document::parse(&drawn).unwrap_or_else(|bad| panic!("{name}: {bad}"));
        let root = document.root_element();
        assert_eq!((root.tag_name().name(), root.attribute("role")), ("svg", Some("img")));
        assert_eq!(root.first_element_child().and_then(|title| title.text()), Some(&*name), "the title comes first");
        assert_eq!(ids(&document), references(&document), "{name}: a gradient is missing or not needed");
        assert!(document.descendants().all(|node| node.attributes().all(|it| it.name() != "href")), "{name}");
    }
}

/// The settings offer other looks for each game, whose colours take the place of those of gradients.
#[test]
fn every_game_has_its_other_looks() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/static/looks");
    for (name, scene) in scenes() {
        let file = folder.join(format!("{name}.css"));
        let styles = fs::read_to_string(&file).unwrap_or_default();
        let drawn = art::scene_svg(&scene, &name);
        let drawn = ids(&Document::parse(&drawn).unwrap());
        for look in ["slate", "contrast"] {
            let begin = format!(":root[data-look-{name}=\"{look}\"] {{\n");
            let rules =
                styles.split_once(&begin).and_then(|(_, rest)| rest.split_once("\n}\n")).map(|(rules, _)| rules);
            let changes = |id: &String| {
                let starts = |rule: &str| rule.split_once('"').is_some_and(|(start, _)| id.starts_with(start));
                let rules = rules.unwrap_or_default();
                rules.contains(&format!("#{id} ")) || rules.split("[id^=\"").skip(1).any(starts)
            };
            assert!(
                drawn.iter().any(changes),
                "{} must give {look} colours to what is drawn of the game",
                file.display()
            );
        }
    }
}

#[test]
fn every_piece_stands_inside_the_picture() {
    for (name, scene) in scenes() {
        let drawn = art::scene_svg(&scene, "");
        let document = Document::parse(&drawn).unwrap();
        let size = |node: Node<'_, '_>, name| node.attribute(name).and_then(|it| it.parse::<i32>().ok()).unwrap_or(0);
        let view: Vec<i32> =
            document.root_element().attribute("viewBox").unwrap().split(' ').map(|it| it.parse().unwrap()).collect();
        let is_box = |node: &Node<'_, '_>| node.tag_name().name() == "svg";
        let boxes: Vec<Node<'_, '_>> = document.root_element().children().filter(is_box).collect();
        let pieces = scene.board.cells.iter().filter(|cell| cell.piece.is_some()).count();
        assert!(boxes.len() >= pieces, "{name}");
        for node in boxes {
            let (right, bottom) = (size(node, "x") + size(node, "width"), size(node, "y") + size(node, "height"));
            assert!(size(node, "x") >= 0 && size(node, "y") >= 0 && right <= view[2] && bottom <= view[3], "{name}");
        }
    }
}

#[test]
fn every_piece_and_icon_is_well_formed_and_finds_its_gradients() {
    let defs = art::defs();
    let known = ids(&Document::parse(&defs).unwrap());
    assert_eq!(known.len(), defs.matches(" id=").count(), "a gradient stands there twice");
    let mut drawn = HashSet::new();
    for piece in all_pieces() {
        let markup = art::piece(piece);
        let document = Document::parse(&markup).unwrap_or_else(|bad| panic!("{}: {bad}", piece.name()));
        assert!(references(&document).is_subset(&known), "{}", piece.name());
        assert!(drawn.insert(markup), "{} looks like another piece", piece.name());
    }
    for game in GameId::ALL {
        for spec in game.options() {
            assert!(Document::parse(&art::option(spec.name)).is_ok(), "{}", spec.name);
        }
    }
}

#[test]
fn a_board_to_play_on_is_the_picture_without_its_pieces() {
    for (name, scene) in scenes() {
        let layout = art::Layout::new(&scene, art::Turned::Upright);
        let board = art::board(&scene, &layout);
        assert!(Document::parse(&board).is_ok(), "{name}");
        let mut empty = scene.clone();
        empty.board.cells.iter_mut().for_each(|cell| cell.piece = None);
        empty.highlights.clear();
        let inside = |svg: &str| svg.split_once('>').map(|(_, rest)| rest.replace("<title></title>", "")).unwrap();
        assert_eq!(inside(&board), inside(&art::picture(&empty, "")), "{name}");
    }
}

#[test]
fn highlights_are_drawn() {
    let (_, mut scene) = scenes().into_iter().find(|(_, scene)| scene.style == BoardStyle::Grid).unwrap();
    scene.highlights.clear();
    let squares = [Square::new(2, 4), Square::new(4, 6)];
    let drawn = |highlight| {
        let mut marked = scene.clone();
        marked.highlights = vec![highlight];
        art::scene_svg(&marked, "").len()
    };
    let plain = art::scene_svg(&scene, "").len();
    assert!(drawn(Highlight::Last(squares.to_vec())) > plain);
    let meaning = RowMeaning::Of(rules::Side::ONE);
    assert!(drawn(Highlight::Row { squares: squares.to_vec(), meaning }) > plain);
    assert!(drawn(Highlight::Capture { corners: squares.to_vec(), centre: Square::new(4, 4) }) > plain);
}
