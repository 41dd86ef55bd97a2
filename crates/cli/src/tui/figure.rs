//! The figures of rules pages, drawn with the characters of the board.

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use game::{GameId, figure_scene};
use locale::Language;
use rules::{Figure, Shows};
use scene::{Piece, Scene, Spot};

use super::art::Look;
use super::board::{Plan, draw_box};
use super::marks::Marks;
use super::palette::{Depth, Palette};
use super::text::centre;

/// A figure is no higher than a page of help in a window of the usual size.
const HIGHEST: u16 = 19;
/// A piece by itself with the box around it.
const TILE: (u16, u16) = (9, 5);
/// The same for a card, which shows its name.
const CARD: (u16, u16) = (16, 3);
/// Between a board and the piece beside it.
const GAP: u16 = 3;
/// The lines of a box.
const BOX: [&str; 6] = ["─", "│", "╭", "╮", "╯", "╰"];

/// A figure as lines of text no wider than this, if that is possible.
pub(crate) fn figure_lines(language: Language, game: GameId, figure: &Figure, width: u16) -> Vec<String> {
    let Some(scene) = figure_scene(game, figure) else { return Vec::new() };
    let look = Look { palette: Palette::new(Depth::Mono), language };
    let drawn = match figure.shows {
        Shows::Pieces => tiles(&each_piece(&scene), TILE, width, look),
        Shows::Hand => {
            let cards = scene.hands.iter().flat_map(|hand| &hand.cards).filter_map(|held| held.card);
            tiles(&cards.collect::<Vec<_>>(), CARD, width, look)
        }
        Shows::Held => {
            let held: Vec<Piece> = scene.held.into_iter().map(|(_, piece)| piece).collect();
            beside(&board(&scene, figure.shows, width, look), &tiles(&held, TILE, TILE.0, look))
        }
        Shows::Board | Shows::After(_) | Shows::Touched(_) => board(&scene, figure.shows, width, look),
    };
    let width = usize::from(drawn.area.width.max(1));
    let line = |cells: &[Cell]| cells.iter().map(Cell::symbol).collect::<String>().trim_end().to_owned();
    drawn.content().chunks(width).map(line).collect()
}

/// The pieces of a scene, each once.
fn each_piece(scene: &Scene) -> Vec<Piece> {
    let mut pieces = scene.pieces();
    pieces.sort_unstable();
    pieces.dedup();
    pieces
}

/// The board with what is marked on it; the few ways of a touched piece have letters.
fn board(scene: &Scene, shows: Shows, width: u16, look: Look) -> Buffer {
    let plans: Vec<Plan> = Plan::all(scene).into_iter().chain(Plan::compact(scene)).collect();
    let fits = |plan: &&Plan| plan.size().0 <= width && plan.size().1 <= HIGHEST;
    let Some(plan) = plans.iter().find(fits).or(plans.last()) else { return Buffer::default() };
    let (width, height) = plan.size();
    let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
    let mut marks = Marks::default();
    scene.highlights.iter().for_each(|highlight| marks.highlight(highlight));
    let mut ways = Vec::new();
    if let Shows::Touched(spot) = shows {
        marks.pick(&spot.parse::<Spot>().into_iter().collect::<Vec<_>>());
        ways = scene.few_ways();
    }
    let corner = Position::new(0, 0);
    plan.draw(&mut buffer, corner, &scene.board, &marks, look);
    for (letter, (square, _)) in ('A'..).zip(ways) {
        centre(&mut buffer, plan.inside(corner, square), &letter.to_string(), Style::new());
    }
    buffer
}

/// Pieces in boxes, as many in a row as there is room for.
fn tiles(pieces: &[Piece], (tile, tall): (u16, u16), width: u16, look: Look) -> Buffer {
    let in_row = (width / tile).clamp(1, 8).min(pieces.len().max(1) as u16);
    let rows = (pieces.len() as u16).div_ceil(in_row);
    let mut buffer = Buffer::empty(Rect::new(0, 0, in_row * tile, rows * tall));
    for (index, piece) in (0..).zip(pieces) {
        let place = Rect::new(index % in_row * tile, index / in_row * tall, tile, tall);
        draw_box(&mut buffer, place, BOX, Style::new());
        let inside = Rect { x: place.x + 1, y: place.y + 1, width: tile - 2, height: tall - 2 };
        look.piece(&mut buffer, inside, *piece, Style::new());
    }
    buffer
}

/// Two drawings side by side, the second in the middle of the first one's height.
fn beside(left: &Buffer, right: &Buffer) -> Buffer {
    let height = left.area.height.max(right.area.height);
    let mut both = Buffer::empty(Rect::new(0, 0, left.area.width + GAP + right.area.width, height));
    for (drawing, x, y) in [(left, 0, 0), (right, left.area.width + GAP, (height - right.area.height) / 2)] {
        for position in drawing.area.positions() {
            let to = Position::new(x + position.x, y + position.y);
            if let (Some(from), Some(to)) = (drawing.cell(position), both.cell_mut(to)) {
                *to = from.clone();
            }
        }
    }
    both
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::tui::text::width;

    /// `WRITE_PICTURES=1` writes the file anew; look at it before it is committed.
    #[test]
    fn every_figure_is_drawn_from_its_position_as_it_was() {
        let mut all = String::new();
        for game in GameId::ALL {
            for figure in game.figures() {
                let lines = figure_lines(Language::English, game, figure, 74).join("\n");
                let caption = locale::figure_caption(Language::English, game, figure);
                all += &format!("## {game} {}\n{}\n{caption}\n{lines}\n\n", figure.name, figure.position);
            }
        }
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/figures.txt");
        if std::env::var_os("WRITE_PICTURES").is_some() {
            fs::write(&file, &all).unwrap();
        }
        let before = fs::read_to_string(&file).unwrap_or_default();
        assert!(before == all, "a figure is drawn differently: look at tests/figures.txt with WRITE_PICTURES=1");
    }

    #[test]
    fn every_figure_fits_into_the_promised_windows() {
        for language in Language::ALL {
            for game in GameId::ALL {
                for figure in game.figures() {
                    // What a sheet leaves of 80 and of 60 columns, less the indent.
                    for most in [72, 54] {
                        let lines = figure_lines(language, game, figure, most);
                        assert!(lines.iter().any(|line| !line.is_empty()), "{game} {}", figure.name);
                        let widest = lines.iter().map(|line| width(line)).max().unwrap_or(0);
                        assert!(widest <= most, "{language} {game} {} at {most}: {widest}", figure.name);
                    }
                }
            }
        }
    }

    #[test]
    fn a_figure_shows_what_it_is_about() {
        let drawn = |game: GameId, name: &str| {
            let figure = game.figures().iter().find(|figure| figure.name == name).unwrap();
            figure_lines(Language::English, game, figure, 74).join("\n")
        };
        let ways = drawn(GameId::Quixo, "directions");
        assert!(["A", "B", "C"].iter().all(|letter| ways.contains(letter)), "{ways}");
        assert!(!drawn(GameId::Quixo, "losing_push").contains('A'), "only a touched piece has ways");
        let captured = drawn(GameId::Four, "orthogonal");
        assert_eq!(captured.matches('○').count(), 3, "two others and the captured one: {captured}");
        assert!(drawn(GameId::Quarto, "given").contains("─d─") || drawn(GameId::Quarto, "given").contains("▓d▓"));
        assert!(drawn(GameId::Sequence, "cards").contains("Dragon"));
    }
}
