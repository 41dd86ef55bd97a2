//! Everything a scene can say, as people read it, kept in a file that a translator can look through.
//!
//! `UPDATE_GOLDEN=1 cargo test -p locale --test scene_text` writes the file anew.

use locale::{Language, Names, game_name, message, piece};
use rules::{GameId, Phrase, Seat, Side, Square};
use scene::{Card, DrawReason, Figure, Ground, Mark, Message, Piece, Quality, Token, Victory};

const SEAT: Seat = Seat::ONE;
const OTHER: Seat = Seat::TWO;

fn square(text: &str) -> Square {
    text.parse().expect("a square")
}

fn tall_dark_round_hollow() -> Piece {
    Piece::Figure(Figure::new(0xd).expect("a figure"))
}

fn quarto() -> Vec<Message> {
    let piece = tall_dark_round_hollow();
    let common = vec![Quality::Tall, Quality::Hollow];
    vec![
        Message::Give { seat: SEAT, to: OTHER },
        Message::PlaceFigure { seat: OTHER, piece },
        Message::CallOrPass { seat: SEAT },
        Message::Gave { seat: SEAT, to: OTHER, piece },
        Message::PlacedFigure { seat: OTHER, piece, square: square("b2") },
        Message::Called { seat: SEAT, common: common.clone() },
        Message::Passed { seat: SEAT },
        Message::Won { side: Side::ONE, how: Victory::Common(common) },
        Message::Won { side: Side::TWO, how: Victory::Common(vec![Quality::Square]) },
        Message::Drawn { why: DrawReason::BoardFull },
        Message::Cell { square: square("b2"), ground: Ground::Well, piece: Some(piece) },
        Message::Cell { square: square("b3"), ground: Ground::Well, piece: None },
    ]
}

fn quixo() -> Vec<Message> {
    let (from, to) = (square("a3"), square("e3"));
    let cube = |dot| Some(Piece::Cube(Some(Mark::of(Side::TWO, dot))));
    vec![
        Message::TakeCube { seat: SEAT, side: Side::ONE },
        Message::TakeDottedCube { seat: SEAT, side: Side::ONE },
        Message::ChooseEntry,
        Message::ChooseDot,
        Message::MustPass { seat: OTHER },
        Message::Pushed { seat: SEAT, side: Side::ONE, from, to, dot: None },
        Message::Pushed { seat: OTHER, side: Side::TWO, from, to, dot: Some(Seat::FOUR) },
        Message::Won { side: Side::ONE, how: Victory::Line },
        Message::Won { side: Side::TWO, how: Victory::GivenLine },
        Message::Drawn { why: DrawReason::AllPassed },
        Message::Cell { square: from, ground: Ground::Slot, piece: Some(Piece::Cube(None)) },
        Message::Cell { square: from, ground: Ground::Slot, piece: cube(None) },
        Message::Cell { square: from, ground: Ground::Slot, piece: cube(Some(Seat::FOUR)) },
    ]
}

fn sequence() -> Vec<Message> {
    let place = square("d3");
    vec![
        Message::LayingTiles,
        Message::Dealing,
        Message::Drawing { seat: SEAT },
        Message::PlayCard { seat: OTHER },
        Message::ChoosePicture { card: Card::Fox },
        Message::ChooseOpenSquare,
        Message::ChooseChip,
        Message::ExchangeDeadCard { card: Card::Owl },
        Message::LaidTile { card: Card::Cow, square: place },
        Message::Drew { seat: SEAT, card: Some(Card::Penguin), reshuffled: false },
        Message::Drew { seat: OTHER, card: None, reshuffled: true },
        Message::PlayedCard { seat: Seat::THREE, card: Card::Unicorn, square: place },
        Message::RemovedChip { seat: SEAT, owner: OTHER, square: place },
        Message::Swapped { seat: Seat::FOUR, card: Card::Bear },
        Message::Won { side: Side::TWO, how: Victory::OfGame(Phrase { game: GameId::Sequence, key: "sequence" }) },
        Message::Cell {
            square: place,
            ground: Ground::Picture(Card::Lion),
            piece: Some(Piece::Chip(Token::of(OTHER))),
        },
        Message::Cell { square: place, ground: Ground::Picture(Card::Lion), piece: None },
        Message::Cell { square: square("a1"), ground: Ground::Corner, piece: None },
        Message::Cell { square: place, ground: Ground::Unlaid, piece: None },
    ]
}

fn four() -> Vec<Message> {
    let (from, to) = (square("d4"), square("d9"));
    let captured = vec![square("e5"), square("f6")];
    let mut messages = vec![
        Message::MustPlaceStone { seat: SEAT },
        Message::ChooseDestination,
        Message::ChooseCapture,
        Message::PlacedStone { seat: SEAT, square: from, captured: vec![] },
        Message::PlacedStone { seat: OTHER, square: from, captured: captured.clone() },
        Message::MovedStone { seat: SEAT, from, to, captured, left: 3 },
        Message::EndedTurn { seat: OTHER },
        Message::Won { side: Side::ONE, how: Victory::Target { points: 30 } },
        Message::Won { side: Side::TWO, how: Victory::MorePoints { points: 12, against: 7 } },
        Message::Cell { square: from, ground: Ground::Cell, piece: Some(Piece::Stone(Token::of(OTHER))) },
    ];
    for number in [1, 2, 5] {
        messages.push(Message::PlaceOpeningStone { seat: SEAT, left: number });
        messages.push(Message::PlaceOrMove { seat: OTHER, movements: number });
        messages.push(Message::MustMove { seat: SEAT, movements: number });
        messages.push(Message::MoveOrEnd { seat: OTHER, movements: number });
        messages.push(Message::Drawn { why: DrawReason::EqualPoints { points: number } });
    }
    messages
}

fn everything() -> String {
    let games = [
        (GameId::Quarto, 2, quarto()),
        (GameId::Quixo, 4, quixo()),
        (GameId::Sequence, 4, sequence()),
        (GameId::Four, 2, four()),
    ];
    let mut lines = Vec::new();
    for (game, seats, messages) in games {
        for language in Language::ALL {
            let names = Names::usual(language, game, seats);
            lines.push(format!("\n{} ({language})", game_name(language, game)));
            lines.extend(messages.iter().map(|said| format!("  {}", message(language, said, &names))));
        }
    }
    lines.join("\n").trim_start().to_owned() + "\n"
}

#[test]
fn every_message_reads_as_written_down() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scene_text.txt");
    let said = everything();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &said).unwrap();
    }
    assert_eq!(said, std::fs::read_to_string(path).unwrap(), "UPDATE_GOLDEN=1 writes the file anew");
}

#[test]
fn the_one_spoken_to_is_not_named() {
    let names = Names::usual(Language::Russian, GameId::Quixo, 4).speaking_to(Seat::THREE);
    let say = |said| message(Language::Russian, &said, &names);
    let pass = |seat| say(Message::MustPass { seat });
    assert_eq!(pass(Seat::THREE), "Ваш ход: ходов нет; пропустите ход");
    assert_eq!(pass(Seat::ONE), "Игрок 1: ходов нет; пропустите ход");
    // Seat 3 plays with seat 1.
    assert_eq!(say(Message::Won { side: Side::ONE, how: Victory::Line }), "Ряд составлен. Вы победили!");
    assert_eq!(say(Message::Won { side: Side::TWO, how: Victory::Line }), "Ряд составлен. Нолики побеждают!");
}

#[test]
fn all_pieces_have_their_own_names() {
    for language in Language::ALL {
        let names = Names::usual(language, GameId::Sequence, 4);
        let figures = Figure::all().map(Piece::Figure);
        let cards = Card::ALL.map(|card| Piece::Card(Some(card)));
        let chips = Seat::all(4).map(Token::of).map(Piece::Chip);
        let stones = Seat::all(2).map(Token::of).map(Piece::Stone);
        let mut called: Vec<String> =
            figures.chain(cards).chain(chips).chain(stones).map(|it| piece(language, it, &names)).collect();
        let count = called.len();
        called.sort();
        called.dedup();
        assert_eq!(called.len(), count, "{language}: two pieces have the same name");
    }
}
