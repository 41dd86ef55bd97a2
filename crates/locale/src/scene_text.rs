//! What a scene says, in words.

use rules::{Seat, Side, Sign, Square};
use scene::{Button, CounterKind, DrawReason, Ground, Message, Piece, Victory};

use crate::phrase::{own_sentence, own_text};
use crate::pieces::{card, cube, piece, row};
use crate::{Language, Names, capitalised};

/// A scene's message as a sentence.
///
/// Before what to do stands who is to act, or that it is the reader's turn ([`Names::speaking_to`]).
///
/// ```
/// use locale::{Language, Names, message};
/// use rules::{GameId, Seat, Side};
/// use scene::Message;
///
/// let names = Names::usual(Language::Ukrainian, GameId::Quixo, 2);
/// let (from, to) = ("a3".parse()?, "e3".parse()?);
/// let pushed = Message::Pushed { seat: Seat::ONE, side: Side::ONE, from, to, dot: None };
/// assert_eq!(message(Language::Ukrainian, &pushed, &names), "Хрестики: кубик із хрестиком, з a3 на e3.");
///
/// let take = Message::TakeCube { seat: Seat::TWO, side: Side::TWO };
/// let names = Names::usual(Language::English, GameId::Quixo, 2);
/// assert_eq!(
///     message(Language::English, &take, &names),
///     "Noughts: take a cube from the edge, blank or with a nought",
/// );
/// assert_eq!(
///     message(Language::English, &take, &names.speaking_to(Seat::TWO)),
///     "Your turn: take a cube from the edge, blank or with a nought",
/// );
/// # Ok::<(), rules::UnreadableAction>(())
/// ```
pub fn message(language: Language, message: &Message, names: &Names) -> String {
    match phrasing(language, message, names) {
        Phrasing::PromptTo(seat, what) if !names.is_you(seat) => language.addressed(names.seat(seat), what),
        Phrasing::PromptTo(_, what) => language.addressed(language.your_turn(), what),
        Phrasing::Prompt(what) => capitalised(&what),
        Phrasing::Statement(what) => what,
    }
}

/// A continuation in words.
///
/// ```
/// use locale::{Language, line};
///
/// let actions = ["b3", "7", "c1"].map(str::to_owned);
/// assert_eq!(line(Language::English, &actions), "b3, then 7, c1");
/// assert_eq!(line(Language::English, &actions[..1]), "b3");
/// ```
pub fn line(language: Language, actions: &[String]) -> String {
    match actions {
        [] => String::new(),
        [only] => only.clone(),
        [first, rest @ ..] => language.line_then(first, rest.join(", ")),
    }
}

/// How a message is put.
enum Phrasing {
    /// What this seat is to do, beginning with a small letter.
    PromptTo(Seat, String),
    /// What to do next, for a player who has begun a turn.
    Prompt(String),
    /// A whole sentence.
    Statement(String),
}

/// One arm per message and no catch-all: a message without words does not compile.
fn phrasing(l: Language, message: &Message, names: &Names) -> Phrasing {
    use Phrasing::{Prompt, PromptTo, Statement};
    let who = |seat: Seat| names.seat(seat);
    match message {
        Message::Give { seat, to } => PromptTo(*seat, l.quarto_do_give(names.seat_within(*to))),
        Message::PlaceFigure { seat, piece } => {
            PromptTo(*seat, l.quarto_do_place_figure(self::piece(l, *piece, names)))
        }
        Message::CallOrPass { seat } => PromptTo(*seat, l.quarto_do_call_or_pass().to_owned()),
        Message::ChooseRow => Prompt(l.quarto_do_choose_row().to_owned()),
        Message::TakeCube { seat, side } => PromptTo(*seat, l.quixo_do_take_cube(symbol(l, names.sign(*side)))),
        Message::TakeDottedCube { seat, side } => {
            PromptTo(*seat, l.quixo_do_take_dotted_cube(symbol(l, names.sign(*side))))
        }
        Message::ChooseEntry => Prompt(l.quixo_do_choose_entry().to_owned()),
        Message::ChooseDot => Prompt(l.quixo_do_choose_dot().to_owned()),
        Message::MustPass { seat } => PromptTo(*seat, l.do_pass().to_owned()),
        Message::LayingTiles => Prompt(l.sequence_do_lay_tiles().to_owned()),
        Message::Dealing => Prompt(l.sequence_do_deal().to_owned()),
        Message::Drawing { seat } => PromptTo(*seat, l.sequence_do_draw().to_owned()),
        Message::PlayCard { seat } => PromptTo(*seat, l.sequence_do_play_card().to_owned()),
        Message::ChoosePicture { card } => Prompt(l.sequence_do_choose_picture(self::card(l, *card))),
        Message::ChooseOpenSquare => Prompt(l.sequence_do_choose_open_square().to_owned()),
        Message::ChooseChip => Prompt(l.sequence_do_choose_chip().to_owned()),
        Message::ExchangeDeadCard { card } => Prompt(l.sequence_do_exchange(self::card(l, *card))),
        Message::PlaceOpeningStone { seat, left } => PromptTo(*seat, l.four_do_place_opening_stone((*left).into())),
        Message::MustPlaceStone { seat } => PromptTo(*seat, l.four_do_must_place().to_owned()),
        Message::PlaceOrMove { seat, movements } => PromptTo(*seat, l.four_do_place_or_move((*movements).into())),
        Message::MustMove { seat, movements } => PromptTo(*seat, l.four_do_must_move((*movements).into())),
        Message::MoveOrEnd { seat, movements } => PromptTo(*seat, l.four_do_move_or_end((*movements).into())),
        Message::ChooseDestination => Prompt(l.four_do_choose_destination().to_owned()),
        Message::ChooseCapture => Prompt(l.four_do_choose_capture().to_owned()),

        Message::Won { side, how } => Statement(won(l, *side, how, names)),
        Message::Drawn { why } => Statement(drawn(l, *why)),

        Message::Gave { seat, to, .. } if names.is_you(*to) => Statement(l.quarto_did_give_you(who(*seat))),
        Message::Gave { seat, to, piece } => {
            Statement(l.quarto_did_give(who(*seat), names.seat_within(*to), self::piece(l, *piece, names)))
        }
        Message::PlacedFigure { seat, piece, square } => {
            Statement(l.quarto_did_place_figure(who(*seat), self::piece(l, *piece, names), square))
        }
        Message::Called { seat, common } => Statement(l.quarto_did_call(who(*seat), l.quarto_call(), row(l, common))),
        Message::Passed { seat } => Statement(l.did_pass(who(*seat))),
        Message::Pushed { seat, side, from, to, dot } => Statement(match dot {
            None => l.quixo_did_push(who(*seat), cube(l, names.sign(*side)), from, to),
            Some(dot) => l.quixo_did_push_with_dot(who(*seat), cube(l, names.sign(*side)), from, to, who(*dot)),
        }),
        Message::LaidTile { card, square } => Statement(l.sequence_did_lay_tile(self::card(l, *card), square)),
        Message::Drew { seat, card, reshuffled } => {
            let drew = match card {
                Some(card) => l.sequence_did_draw(who(*seat), self::card(l, *card)),
                None => l.sequence_did_draw_hidden(who(*seat)),
            };
            Statement(if *reshuffled { format!("{} {drew}", l.sequence_did_reshuffle()) } else { drew })
        }
        Message::PlayedCard { seat, card, square } => {
            Statement(l.sequence_did_play_card(who(*seat), self::card(l, *card), square))
        }
        Message::RemovedChip { seat, owner, square } => {
            Statement(l.sequence_did_remove_chip(who(*seat), who(*owner), square))
        }
        Message::Swapped { seat, card } => Statement(l.sequence_did_swap(who(*seat), self::card(l, *card))),
        Message::PlacedStone { seat, square, captured } => {
            Statement(with_captures(l, l.four_did_place_stone(who(*seat), square), captured))
        }
        Message::MovedStone { seat, from, to, captured, left: _ } => {
            Statement(with_captures(l, l.four_did_move_stone(who(*seat), from, to), captured))
        }
        Message::EndedTurn { seat } => Statement(l.four_did_end_turn(who(*seat))),

        Message::OfGame { phrase, asked, arguments } => {
            let sentence = own_sentence(l, *phrase, arguments, names);
            asked.map_or_else(|| Statement(sentence.clone()), |seat| PromptTo(seat, sentence.clone()))
        }

        Message::Cell { square, ground, piece } => Statement(cell(l, *square, *ground, *piece, names)),
    }
}

fn symbol(language: Language, sign: Sign) -> &'static str {
    if sign.index() == 0 { language.quixo_symbol_cross() } else { language.quixo_symbol_nought() }
}

fn won(language: Language, side: Side, how: &Victory, names: &Names) -> String {
    let how = match how {
        Victory::Common(common) => language.quarto_victory_common(row(language, common)),
        Victory::Line => language.victory_line().to_owned(),
        Victory::GivenLine => language.quixo_victory_given_line().to_owned(),
        Victory::Target { points } => language.victory_target((*points).into()),
        Victory::MorePoints { points, against } => language.victory_more_points(points, against),
        Victory::OfGame(phrase) => own_text(language, *phrase, "victory_").to_owned(),
    };
    if names.is_your_side(side) {
        language.you_won_by(how)
    } else {
        language.won_by(how, names.side(side), names.side_count(side))
    }
}

fn drawn(language: Language, why: DrawReason) -> String {
    match why {
        DrawReason::BoardFull => language.draw_board_full().to_owned(),
        DrawReason::AllPassed => language.draw_all_passed().to_owned(),
        DrawReason::EqualPoints { points } => language.draw_equal_points(points.into()),
        DrawReason::OfGame(phrase) => own_text(language, phrase, "draw_").to_owned(),
    }
}

fn with_captures(language: Language, done: String, captured: &[Square]) -> String {
    if captured.is_empty() {
        return done;
    }
    let squares: Vec<String> = captured.iter().map(Square::to_string).collect();
    format!("{done} {}", language.four_did_capture(squares.join(", ")))
}

fn cell(language: Language, square: Square, ground: Ground, on_it: Option<Piece>, names: &Names) -> String {
    let on_it = on_it.map(|on_it| piece(language, on_it, names));
    let what = match (ground, on_it) {
        (Ground::Picture(picture), Some(on_it)) => language.sequence_cell_on_picture(on_it, card(language, picture)),
        (Ground::Picture(picture), None) => card(language, picture).to_owned(),
        (Ground::OfGame(phrase), Some(on_it)) => format!("{on_it} ({})", own_text(language, phrase, "ground_")),
        (_, Some(on_it)) => on_it,
        (Ground::Corner, None) => language.sequence_corner().to_owned(),
        (Ground::Unlaid, None) => language.sequence_cell_unlaid().to_owned(),
        (Ground::OfGame(phrase), None) => own_text(language, phrase, "ground_").to_owned(),
        (Ground::Well | Ground::Slot | Ground::Cell | Ground::Gap, None) => language.cell_empty().to_owned(),
    };
    language.cell_described(square, what)
}

/// What the winner calls out, in games whose rows are called at the table.
pub fn shout(language: Language, status: &Message) -> Option<&'static str> {
    matches!(status, Message::Won { how: Victory::Common(_), .. }).then(|| language.quarto_call())
}

/// The answer to a call while another seat is to act.
pub fn early_call(language: Language, seat: Seat, names: &Names) -> String {
    language.quarto_early_call(names.seat_within(seat))
}

/// The answer to a call of a row that is none.
pub fn wrong_call(language: Language) -> &'static str {
    language.quarto_wrong_call()
}

/// What a button says.
pub fn button(language: Language, button: Button, names: &Names) -> String {
    match button {
        Button::Call => language.quarto_button_call().to_owned(),
        Button::Pass => language.button_pass().to_owned(),
        Button::End => language.four_button_end().to_owned(),
        Button::Swap => language.sequence_button_swap().to_owned(),
        Button::Dot(seat) if names.is_you(seat) => language.quixo_button_dot_you().to_owned(),
        Button::Dot(seat) => language.quixo_button_dot(names.seat(seat)),
        Button::OfGame(phrase) => own_text(language, phrase, "button_").to_owned(),
    }
}

/// What a counter counts, as a label.
pub fn counter(language: Language, kind: CounterKind) -> &'static str {
    match kind {
        CounterKind::Movements => language.four_counter_movements(),
        CounterKind::Points => language.counter_points(),
        CounterKind::Reserve => language.four_counter_reserve(),
        CounterKind::Stones => language.four_counter_stones(),
        CounterKind::QuietTurns => language.four_counter_quiet_turns(),
        CounterKind::Pile => language.sequence_counter_pile(),
        CounterKind::Chips => language.sequence_counter_chips(),
        CounterKind::Swaps => language.sequence_counter_swaps(),
        CounterKind::Passes => language.counter_passes(),
        CounterKind::OfGame(phrase) => own_text(language, phrase, "counter_"),
    }
}
