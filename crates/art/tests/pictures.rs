//! Every game drawn: well-formed, named, complete, and as it was. `WRITE_PICTURES=1 cargo test -p art` draws the files
//! in `golden/` anew; look at them before they are committed.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use game::{Game, GameId};
use roxmltree::{Document, Node};
use rules::{Seat, Square, Viewer};
use scene::{Card, Figure, Highlight, Mark, Piece, RowMeaning, Scene};

/// A position of each game in the middle of it.
const SHOWN: [(&str, &str); 5] = [
    ("quarto", "5..b/.a2./.f.6/c..9 - 1 d1"),
    ("quixo", "x.o.x/..x.o/.ox../o...x/.xo.o 1"),
    ("quixo(players=4)", "X...O/...../..x../...../x...o 1 0"),
    (
        "sequence(players=4)",
        "*4....*/.....3./...143./..3...1/21..4../*.2...* -2 \
         bear+elephant|lion+owl+whale|cat+frog+giraffe|fox+lion+whale \
         camel+penguin+tiger+dragon|cat+giraffe+unicorn|camel+unicorn+gorilla|elephant+hippo+cow 0 0",
    ),
    ("four(size=9)", "9/2o3x2/4x4/1o4o2/2x3x2/3o2ox1/4x4/1x1o3o1/5x3 1 opening 1,0 22,22 0 0 - -"),
];

fn scenes() -> Vec<(GameId, String, Scene)> {
    let scene = |(name, text): (&str, &str)| {
        let game: Game = name.parse().expect("a game of the catalogue");
        let position = game.parse_position(text).unwrap_or_else(|bad| panic!("{name}: {bad}"));
        (game.id(), name.replace(['(', '='], "-").replace(')', ""), position.scene(Viewer::Spectator))
    };
    SHOWN.into_iter().map(scene).collect()
}

fn all_pieces() -> Vec<Piece> {
    let cubes =
        Seat::all(4).map(|seat| Some(Mark { side: rules::Side::from_index(seat.index() & 1), dot: Some(seat) }));
    let figures = Figure::all().map(Piece::Figure);
    let cards = Card::ALL.into_iter().map(|card| Piece::Card(Some(card)));
    let seats = Seat::all(4).flat_map(|seat| [Piece::Chip(seat), Piece::Stone(seat)]);
    figures.chain(cards).chain(seats).chain(cubes.chain([None]).map(Piece::Cube)).collect()
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
    for (_, name, scene) in scenes() {
        let (file, drawn) = (folder.join(format!("{name}.svg")), art::scene_svg(&scene, &name));
        if std::env::var_os("WRITE_PICTURES").is_some() {
            fs::write(&file, &drawn).unwrap();
        }
        let golden = fs::read_to_string(&file).unwrap_or_default();
        assert!(golden == drawn, "{name} is drawn differently: look at it with WRITE_PICTURES=1");
    }
}

#[test]
fn every_game_has_a_picture_here() {
    let shown: HashSet<GameId> = scenes().into_iter().map(|(id, ..)| id).collect();
    assert_eq!(shown, GameId::ALL.into_iter().collect());
}

#[test]
fn a_picture_is_named_and_needs_nothing_around_it() {
    for (_, name, scene) in scenes() {
        let drawn = art::scene_svg(&scene, &name);
        let document = Document::parse(&drawn).unwrap_or_else(|bad| panic!("{name}: {bad}"));
        let root = document.root_element();
        assert_eq!((root.tag_name().name(), root.attribute("role")), ("svg", Some("img")));
        assert_eq!(root.first_element_child().and_then(|title| title.text()), Some(&*name), "the title comes first");
        assert_eq!(ids(&document), references(&document), "{name}: a gradient is missing or not needed");
        assert!(document.descendants().all(|node| node.attributes().all(|it| it.name() != "href")), "{name}");
    }
}

#[test]
fn every_piece_stands_inside_the_picture() {
    for (_, name, scene) in scenes() {
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
    let mut drawn = HashSet::new();
    for piece in all_pieces() {
        let markup = art::piece(piece);
        let document = Document::parse(&markup).unwrap_or_else(|bad| panic!("{}: {bad}", piece.name()));
        assert!(references(&document).is_subset(&known), "{}", piece.name());
        let alike = matches!(piece, Piece::Stone(seat) if seat > Seat::TWO);
        assert!(drawn.insert(markup.clone()) || alike, "{} looks like another piece", piece.name());
    }
    for game in GameId::ALL {
        for spec in game.options() {
            assert!(Document::parse(&art::option(spec.name)).is_ok(), "{}", spec.name);
        }
    }
}

#[test]
fn a_board_to_play_on_is_the_picture_without_its_pieces() {
    for (_, name, scene) in scenes() {
        let layout = art::Layout::new(&scene, art::Turned::Upright);
        let board = art::board(&scene, &layout);
        assert!(Document::parse(&board).is_ok(), "{name}");
        let mut empty = scene.clone();
        empty.board.cells.iter_mut().for_each(|cell| cell.piece = None);
        let inside = |svg: &str| svg.split_once('>').map(|(_, rest)| rest.replace("<title></title>", "")).unwrap();
        assert_eq!(inside(&board), inside(&art::picture(&empty, "")), "{name}");
    }
}

#[test]
fn highlights_are_drawn() {
    let (.., scene) = scenes().remove(4);
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
