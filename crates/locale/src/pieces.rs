//! Names of the things that lie on the table.

use rules::Sign;
use scene::{Attribute, Card, CardState, Figure, Mark, Piece, Quality};

use crate::phrase::own_text;
use crate::{Language, Names};

/// What an attribute of Quarto's pieces is called.
pub fn attribute(language: Language, attribute: Attribute) -> &'static str {
    match attribute {
        Attribute::Colour => language.quarto_option_attributes_is_colour(),
        Attribute::Height => language.quarto_option_attributes_is_height(),
        Attribute::Shape => language.quarto_option_attributes_is_shape(),
        Attribute::Top => language.quarto_option_attributes_is_top(),
    }
}

/// The word for what one piece of Quarto is: `tall`, «висока».
pub fn quality(language: Language, quality: Quality) -> &'static str {
    match quality {
        Quality::Dark => language.quarto_piece_dark(),
        Quality::Light => language.quarto_piece_light(),
        Quality::Tall => language.quarto_piece_tall(),
        Quality::Short => language.quarto_piece_short(),
        Quality::Square => language.quarto_piece_square(),
        Quality::Round => language.quarto_piece_round(),
        Quality::Hollow => language.quarto_piece_hollow(),
        Quality::Solid => language.quarto_piece_solid(),
    }
}

/// A piece of Quarto with its four words.
///
/// ```
/// use locale::{Language, figure};
/// use scene::Figure;
///
/// let piece = Figure::new(0xd).unwrap();
/// assert_eq!(figure(Language::English, piece), "tall dark round hollow piece");
/// assert_eq!(figure(Language::Ukrainian, piece), "висока темна кругла фігура з виїмкою");
/// assert_eq!(figure(Language::Russian, piece), "высокая тёмная круглая фигура с выемкой");
/// ```
pub fn figure(language: Language, figure: Figure) -> String {
    let word = |attribute| quality(language, figure.quality(attribute));
    language.quarto_piece_described(
        word(Attribute::Height),
        word(Attribute::Colour),
        word(Attribute::Shape),
        word(Attribute::Top),
    )
}

/// A row of Quarto by what its pieces have in common.
///
/// ```
/// use locale::{Language, row};
/// use scene::Quality;
///
/// let common = [Quality::Tall, Quality::Hollow];
/// assert_eq!(row(Language::English, &common), "row of four tall, hollow pieces");
/// assert_eq!(row(Language::Ukrainian, &common), "високі, з виїмкою");
/// ```
pub fn row(language: Language, common: &[Quality]) -> String {
    let words: Vec<&str> = common.iter().map(|quality| row_word(language, *quality)).collect();
    language.quarto_row_described(words.join(", "))
}

fn row_word(language: Language, quality: Quality) -> &'static str {
    match quality {
        Quality::Dark => language.quarto_row_dark(),
        Quality::Light => language.quarto_row_light(),
        Quality::Tall => language.quarto_row_tall(),
        Quality::Short => language.quarto_row_short(),
        Quality::Square => language.quarto_row_square(),
        Quality::Round => language.quarto_row_round(),
        Quality::Hollow => language.quarto_row_hollow(),
        Quality::Solid => language.quarto_row_solid(),
    }
}

/// What a card of Sequence is called.
///
/// ```
/// use locale::{Language, card};
/// use scene::Card;
///
/// assert_eq!(card(Language::Ukrainian, Card::Unicorn), "Єдиноріг");
/// ```
pub fn card(language: Language, card: Card) -> &'static str {
    match card {
        Card::Bear => language.sequence_card_bear(),
        Card::Camel => language.sequence_card_camel(),
        Card::Cat => language.sequence_card_cat(),
        Card::Cow => language.sequence_card_cow(),
        Card::Crocodile => language.sequence_card_crocodile(),
        Card::Dog => language.sequence_card_dog(),
        Card::Elephant => language.sequence_card_elephant(),
        Card::Fox => language.sequence_card_fox(),
        Card::Frog => language.sequence_card_frog(),
        Card::Giraffe => language.sequence_card_giraffe(),
        Card::Gorilla => language.sequence_card_gorilla(),
        Card::Hippo => language.sequence_card_hippo(),
        Card::Kangaroo => language.sequence_card_kangaroo(),
        Card::Lion => language.sequence_card_lion(),
        Card::Owl => language.sequence_card_owl(),
        Card::Penguin => language.sequence_card_penguin(),
        Card::Tiger => language.sequence_card_tiger(),
        Card::Turtle => language.sequence_card_turtle(),
        Card::Whale => language.sequence_card_whale(),
        Card::Unicorn => language.sequence_card_unicorn(),
        Card::Dragon => language.sequence_card_dragon(),
    }
}

/// A word about whether a card can be used; `None` when there is nothing to say.
pub fn card_state(language: Language, state: CardState) -> Option<&'static str> {
    match state {
        CardState::Usable => None,
        CardState::Dead => Some(language.sequence_card_is_dead()),
        CardState::Waiting => Some(language.sequence_card_is_waiting()),
    }
}

/// What a piece or card is called apart from any match.
///
/// ```
/// use locale::{Language, piece_alone};
/// use scene::{Card, Piece};
///
/// assert_eq!(piece_alone(Language::English, Piece::Card(Some(Card::Cat))), "cat");
/// ```
pub fn piece_alone(language: Language, alone: Piece) -> String {
    piece(language, alone, &Names::numbered(language))
}

/// What a piece of any game is called.
pub fn piece(language: Language, piece: Piece, names: &Names) -> String {
    match piece {
        Piece::Figure(number) => figure(language, number),
        Piece::Cube(None) => language.quixo_cube_blank().to_owned(),
        Piece::Cube(Some(Mark { sign, dot, .. })) => {
            let cube = cube(language, sign);
            match dot {
                None => cube.to_owned(),
                Some(dot) => language.quixo_cube_with_dot(cube, names.seat(dot.seat)),
            }
        }
        Piece::Chip(token) => chip(language, token.sign).to_owned(),
        Piece::Stone(token) if token.sign.index() == 0 => language.four_stone_black().to_owned(),
        Piece::Stone(_) => language.four_stone_white().to_owned(),
        Piece::Card(None) => language.sequence_card_hidden().to_owned(),
        Piece::Card(Some(known)) => card(language, known).to_owned(),
        Piece::OfGame(phrase) => own_text(language, phrase, "piece_").to_owned(),
    }
}

/// A cube with a symbol.
pub(crate) fn cube(language: Language, sign: Sign) -> &'static str {
    if sign.index() == 0 { language.quixo_cube_cross() } else { language.quixo_cube_nought() }
}

fn chip(language: Language, colour: Sign) -> &'static str {
    [
        language.sequence_chip_green(),
        language.sequence_chip_blue(),
        language.sequence_chip_red(),
        language.sequence_chip_yellow(),
    ][colour.index()]
}
