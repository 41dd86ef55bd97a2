//! Sequence on stage: touch a card, then a square, or the exchange button if the card is dead.

use rules::sequence::{
    Action, CHIPS, HAND, HEIGHT, MOST_SWAPS, Sequence, SequenceOptions, SequenceView, SetupPiece, WIDTH, squares,
};
use rules::{ActionList, GameId, Outcome, Phrase, Position, Seat, Square, Turn, Viewer};

use crate::{
    Board, BoardStyle, Button, Card, CardState, Counter, CounterKind, DrawReason, Ground, Hand, HandCard, Happening,
    Highlight, Message, Motion, MovePart, Piece, Place, RowMeaning, Scene, Spot, Staged, Token, Victory,
};

/// The line that wins, by the name that the sheet gives it.
const SEQUENCE: Victory = Victory::OfGame(Phrase { game: GameId::Sequence, key: "sequence" });

impl Staged for Sequence {
    fn scene(view: &SequenceView, _viewer: Viewer) -> Scene {
        let board = Board::new(WIDTH, HEIGHT, |square| (ground(view, square), view.chip(square).map(chip)));
        let mut scene = Scene::new(BoardStyle::Pictures, board, status(view));
        scene.seat_pieces = Seat::all(view.seats()).map(chip).collect();
        scene.hands = Seat::all(view.seats()).map(|seat| hand(view, seat)).collect();
        scene.counters = counters(view);
        scene.buttons = buttons(view);
        scene.highlights = view
            .lines()
            .map(|(side, squares)| Highlight::Row { squares: squares.to_vec(), meaning: RowMeaning::Of(side) })
            .collect();
        scene
    }

    fn touches(_view: &SequenceView, action: Action) -> Vec<Spot> {
        match action {
            Action::Play { card, square } => vec![Spot::Card(card), Spot::Square(square)],
            Action::Swap(card) => vec![Spot::Card(card), Spot::Button(Button::Swap)],
            Action::Pass => vec![Spot::Button(Button::Pass)],
            Action::Tile(_) | Action::Draw(_) => Vec::new(),
        }
    }

    fn notation(action: Action) -> Vec<MovePart> {
        let card = |card| MovePart::Piece(Piece::Card(Some(card)));
        match action {
            Action::Tile(drawn) | Action::Draw(drawn) => vec![MovePart::Draw, card(drawn)],
            Action::Play { card: played, square } => vec![card(played), MovePart::Text(square.to_string())],
            Action::Swap(dead) => vec![MovePart::Swap, card(dead)],
            Action::Pass => vec![MovePart::Pass],
        }
    }

    fn prompt(view: &SequenceView, _viewer: Viewer, touched: &[Spot]) -> Message {
        match touched.first() {
            Some(Spot::Card(Card::Dragon)) => Message::ChooseChip,
            Some(Spot::Card(Card::Unicorn)) => Message::ChooseOpenSquare,
            Some(&Spot::Card(card)) if view.is_dead(card) => Message::ExchangeDeadCard { card },
            Some(&Spot::Card(card)) => Message::ChoosePicture { card },
            _ => status(view),
        }
    }

    fn meant(view: &SequenceView, touched: &[Spot]) -> Option<Action> {
        match *touched {
            [Spot::Card(card)] if view.is_dead(card) => Some(Action::Swap(card)),
            [Spot::Card(card)] => Some(Action::Play { card, square: likely_square(view, card)? }),
            [Spot::Card(card), Spot::Square(square)] => Some(Action::Play { card, square }),
            [Spot::Card(card), Spot::Button(Button::Swap)] => Some(Action::Swap(card)),
            [Spot::Square(square)] => {
                // A square whose card is in the hand is no mistake of the rules, only of the order.
                let card = view.picture(square)?;
                (!own_hand(view).contains(&card)).then_some(Action::Play { card, square })
            }
            [Spot::Button(Button::Swap)] => own_hand(view).first().copied().map(Action::Swap),
            [Spot::Button(Button::Pass)] => Some(Action::Pass),
            _ => None,
        }
    }

    fn setup_piece(_: &SequenceOptions, piece: SetupPiece) -> Piece {
        match piece {
            SetupPiece::Chip(seat) => chip(seat),
            SetupPiece::Card(card) => Piece::Card(Some(card)),
        }
    }

    fn happening(&self, action: Action, viewer: Viewer) -> Happening {
        let seat = self.drawer().unwrap_or(self.seat());
        let discarded = |card| Motion {
            piece: Piece::Card(Some(card)),
            from: Place::Hand(seat),
            to: Place::Discards(seat),
            step: 0,
        };
        let (message, motions, last) = match action {
            Action::Tile(card) => match next_tile(self) {
                Some(square) => (Message::LaidTile { card, square }, Vec::new(), vec![square]),
                None => (Message::LayingTiles, Vec::new(), Vec::new()),
            },
            Action::Draw(card) => {
                let card = (viewer == Viewer::Seat(seat)).then_some(card);
                let drawn = Motion { piece: Piece::Card(card), from: Place::Pile, to: Place::Hand(seat), step: 0 };
                (Message::Drew { seat, card, reshuffled: is_reshuffled(self) }, vec![drawn], Vec::new())
            }
            Action::Play { card: Card::Dragon, square } => {
                let owner = self.chip(square).unwrap_or(seat);
                let removed =
                    Motion { piece: chip(owner), from: Place::Square(square), to: Place::Reserve(owner), step: 1 };
                (Message::RemovedChip { seat, owner, square }, vec![discarded(Card::Dragon), removed], vec![square])
            }
            Action::Play { card, square } => {
                let placed =
                    Motion { piece: chip(seat), from: Place::Reserve(seat), to: Place::Square(square), step: 1 };
                (Message::PlayedCard { seat, card, square }, vec![discarded(card), placed], vec![square])
            }
            Action::Swap(card) => (Message::Swapped { seat, card }, vec![discarded(card)], Vec::new()),
            Action::Pass => (Message::Passed { seat }, Vec::new(), Vec::new()),
        };
        let highlights = if last.is_empty() { Vec::new() } else { vec![Highlight::Last(last)] };
        Happening { message, motions, highlights }
    }
}

fn chip(seat: Seat) -> Piece {
    Piece::Chip(Token::of(seat))
}

fn is_corner(square: Square) -> bool {
    (square.column == 0 || square.column == WIDTH - 1) && (square.row == 0 || square.row == HEIGHT - 1)
}

fn ground(view: &SequenceView, square: Square) -> Ground {
    match view.picture(square) {
        Some(card) => Ground::Picture(card),
        None if is_corner(square) => Ground::Corner,
        None => Ground::Unlaid,
    }
}

fn hand(view: &SequenceView, seat: Seat) -> Hand {
    let cards = match view.hand(seat) {
        Some(cards) => cards
            .iter()
            .map(|&card| HandCard { card: Some(face_up(card)), state: card_state(view, seat, card) })
            .collect(),
        None => vec![HandCard { card: None, state: CardState::Usable }; view.hand_size(seat)],
    };
    Hand { seat, cards, size: HAND, discards: view.discards(seat).iter().copied().map(face_up).collect() }
}

fn card_state(view: &SequenceView, seat: Seat, card: Card) -> CardState {
    if view.is_dead(card) {
        CardState::Dead
    } else if view.targets(seat, card) == 0 {
        CardState::Waiting
    } else {
        CardState::Usable
    }
}

/// The cards of the seat to act, if the viewer sees them.
fn own_hand(view: &SequenceView) -> &[Card] {
    match view.turn() {
        Turn::Seat(seat) => view.hand(seat).unwrap_or_default(),
        Turn::Chance | Turn::Over(_) => &[],
    }
}

fn holds_dead_card(view: &SequenceView) -> bool {
    own_hand(view).iter().any(|&card| view.is_dead(card))
}

fn counters(view: &SequenceView) -> Vec<Counter> {
    let table = |kind, value: u8, of| Counter { kind, seat: None, value: value.into(), of };
    let mut counters = vec![table(CounterKind::Pile, view.stock_size(), None)];
    counters.extend(Seat::all(view.seats()).map(|seat| Counter {
        kind: CounterKind::Chips,
        seat: Some(seat),
        value: view.chips_left(seat).into(),
        of: Some(CHIPS.into()),
    }));
    if holds_dead_card(view) {
        counters.push(table(CounterKind::Swaps, MOST_SWAPS - view.swaps(), Some(MOST_SWAPS.into())));
    }
    if view.passes() > 0 {
        counters.push(table(CounterKind::Passes, view.passes(), Some(2 * u16::from(view.seats()))));
    }
    counters
}

fn buttons(view: &SequenceView) -> Vec<Button> {
    if must_pass(view) {
        vec![Button::Pass]
    } else if holds_dead_card(view) {
        vec![Button::Swap]
    } else {
        Vec::new()
    }
}

fn must_pass(view: &SequenceView) -> bool {
    let mut actions = ActionList::new();
    view.own_actions(&mut actions);
    actions.contains(&Action::Pass)
}

fn status(view: &SequenceView) -> Message {
    match (view.turn(), view.drawer()) {
        (Turn::Seat(seat), _) if must_pass(view) => Message::MustPass { seat },
        (Turn::Seat(seat), _) => Message::PlayCard { seat },
        (Turn::Over(Outcome::Win(side)), _) => Message::Won { side, how: SEQUENCE },
        (Turn::Over(Outcome::Draw), _) => Message::Drawn { why: DrawReason::AllPassed },
        (Turn::Chance, None) => Message::LayingTiles,
        (Turn::Chance, Some(seat)) if is_dealt(view) => Message::Drawing { seat },
        (Turn::Chance, Some(_)) => Message::Dealing,
    }
}

fn face_up(card: Card) -> Piece {
    Piece::Card(Some(card))
}

/// After the deal some seat has discarded, or chips stand on the board when the discards are the new pile.
fn is_dealt(view: &SequenceView) -> bool {
    Seat::all(view.seats()).any(|seat| !view.discards(seat).is_empty() || view.chips(seat) != 0)
}

/// A card is to be drawn, chips stand, and yet nothing is discarded: the discards have just become the pile (SQ11).
fn is_reshuffled(position: &Sequence) -> bool {
    let seats = || Seat::all(position.seats());
    seats().all(|seat| position.discards(seat).is_empty()) && seats().any(|seat| position.chips(seat) != 0)
}

/// Where the next picture goes (SQ14).
fn next_tile(position: &Sequence) -> Option<Square> {
    (0..usize::from(WIDTH * HEIGHT))
        .map(|index| Square::from_index(index, WIDTH))
        .find(|&square| position.picture(square).is_none() && !is_corner(square))
}

/// A square at which to ask why a card cannot be played: one that shows it, or any.
fn likely_square(view: &SequenceView, card: Card) -> Option<Square> {
    let homes = view.homes(card);
    let candidates = [homes & view.open_squares(), homes, view.open_squares(), !0 >> 16];
    candidates.into_iter().flat_map(squares).find(|&square| !is_corner(square))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Picker, Touched, choices, narrow};
    use rules::{Reason, Side};

    const OPENING: &str =
        "*.....*/......./......./2....../1....../*.....* 1 bear+dog+dragon|crocodile+dog+unicorn cat|turtle 0 0";
    const FULL: &str = "*12121*/1212121/2121212/2121212/1212121/*12121*";

    fn game(options: &str, text: &str) -> Sequence {
        Sequence::parse(&options.parse().unwrap(), text).unwrap()
    }

    fn scene(position: &Sequence, viewer: Viewer) -> Scene {
        Sequence::scene(&position.view(viewer), viewer)
    }

    fn own(position: &Sequence) -> Scene {
        scene(position, Viewer::Seat(position.seat()))
    }

    #[test]
    fn board_shows_pictures_corners_and_chips() {
        let scene = own(&game("", OPENING));
        let cell = |square: &str| *scene.board.cell(square.parse().unwrap()).unwrap();
        assert_eq!(cell("a1").ground, Ground::Corner);
        assert_eq!(cell("d2").ground, Ground::Picture(Card::Bear));
        assert_eq!(cell("a3").piece, Some(chip(Seat::TWO)));
        assert_eq!(scene.status, Message::PlayCard { seat: Seat::ONE });
        let laying = own(&Sequence::start(&"board=shuffled".parse().unwrap()));
        assert_eq!(laying.board.cell("b1".parse().unwrap()).unwrap().ground, Ground::Unlaid);
        assert_eq!(laying.status, Message::LayingTiles);
        assert_eq!(own(&Sequence::start(&Default::default())).status, Message::Dealing);
    }

    #[test]
    fn a_hand_is_open_to_its_seat_only() {
        let position = game("", OPENING);
        let shown = |viewer| {
            let hands = scene(&position, viewer).hands;
            hands.iter().map(|hand| hand.cards.iter().filter(|card| card.card.is_some()).count()).collect::<Vec<_>>()
        };
        assert_eq!(shown(Viewer::Seat(Seat::ONE)), [3, 0]);
        assert_eq!(shown(Viewer::Seat(Seat::TWO)), [0, 3]);
        assert_eq!(shown(Viewer::Spectator), [0, 0]);
        assert_eq!(scene(&position, Viewer::Spectator).hands[1].discards, [face_up(Card::Turtle)]);
        let counters = scene(&position, Viewer::Spectator).counters;
        assert_eq!(counters.iter().map(|counter| counter.value).collect::<Vec<_>>(), [34, 20, 20]);
    }

    #[test]
    fn a_card_then_a_square() {
        let position = game("", OPENING);
        let choices = choices(&position);
        let next = |names: &[&str]| {
            let touched: Vec<Spot> = names.iter().map(|name| name.parse().unwrap()).collect();
            narrow(&choices, &touched).next.iter().map(Spot::to_string).collect::<Vec<_>>()
        };
        assert_eq!(next(&[]), ["card:bear", "card:dog", "card:dragon"]);
        assert_eq!(next(&["card:bear"]), ["d2", "d5"]);
        assert_eq!(next(&["card:dragon"]), ["a3"]);
        let mut picker = Picker::new();
        picker.touch(&choices, "card:dog".parse().unwrap());
        assert_eq!(picker.touch(&choices, "f3".parse().unwrap()), Touched::Complete("dog@f3".parse().unwrap()));
        let view = position.view(Viewer::Seat(Seat::ONE));
        let prompt = |name: &str| Sequence::prompt(&view, Viewer::Seat(Seat::ONE), &[name.parse().unwrap()]);
        assert_eq!(prompt("card:dragon"), Message::ChooseChip);
        assert_eq!(prompt("card:unicorn"), Message::ChooseOpenSquare);
        assert_eq!(prompt("card:bear"), Message::ChoosePicture { card: Card::Bear });
    }

    #[test]
    fn dead_cards_say_so_and_can_be_exchanged() {
        let position = game("", &format!("{FULL} 1 bear+cat+unicorn|dog+fox+frog -|- 0 0"));
        let scene = own(&position);
        let states: Vec<CardState> = scene.hands[0].cards.iter().map(|card| card.state).collect();
        assert_eq!(states, [CardState::Dead, CardState::Dead, CardState::Waiting]);
        assert_eq!(scene.buttons, [Button::Swap]);
        assert_eq!(scene.counters.last().unwrap().value, 3);
        let touched = ["card:cat", "button:swap"].map(|name| name.parse().unwrap());
        assert_eq!(narrow(&choices(&position), &touched).complete, Some(Action::Swap(Card::Cat)));
        let stuck = own(&game("", &format!("{FULL} 1 bear+unicorn+unicorn|cat+dog+fox cow+cow+bear|- 0 3")));
        assert_eq!((stuck.buttons, stuck.status), (vec![Button::Pass], Message::MustPass { seat: Seat::ONE }));
    }

    #[test]
    fn what_happens_is_told_without_hidden_cards() {
        let position = game("", OPENING);
        let tell = |position: &Sequence, action: &str, viewer| position.happening(action.parse().unwrap(), viewer);
        let played = tell(&position, "dog@f3", Viewer::Spectator);
        let square = "f3".parse().unwrap();
        assert_eq!(played.message, Message::PlayedCard { seat: Seat::ONE, card: Card::Dog, square });
        assert_eq!(played.highlights, [Highlight::Last(vec![square])]);
        let removed = tell(&position, "dragon@a3", Viewer::Spectator);
        assert_eq!(removed.motions[1].to, Place::Reserve(Seat::TWO));
        let mut drawing = position;
        drawing.play("dog@f3".parse().unwrap()).unwrap();
        assert_eq!(own(&drawing).status, Message::Drawing { seat: Seat::ONE });
        let drew = |viewer, card| {
            let message = Message::Drew { seat: Seat::ONE, card, reshuffled: false };
            assert_eq!(tell(&drawing, "draw:cow", viewer).message, message);
        };
        drew(Viewer::Seat(Seat::ONE), Some(Card::Cow));
        drew(Viewer::Seat(Seat::TWO), None);
        drew(Viewer::Spectator, None);
        let reshuffled = game("", &format!("{FULL} -2 bear+cat|dog+fox+frog -|- 0 0"));
        let message = Message::Drew { seat: Seat::ONE, card: None, reshuffled: true };
        assert_eq!(tell(&reshuffled, "draw:cow", Viewer::Spectator).message, message);
    }

    #[test]
    fn a_won_game_shows_its_line_and_every_hand() {
        let text = "*.....*/......./......./2....../2....../*11...* 1 bear+cow+whale|crocodile+dog+unicorn fox+giraffe|cat+turtle 0 0";
        let mut position = game("", text);
        position.play("cow@d1".parse().unwrap()).unwrap();
        let scene = scene(&position, Viewer::Spectator);
        assert_eq!(scene.status, Message::Won { side: Side::ONE, how: SEQUENCE });
        let [Highlight::Row { squares, .. }] = &scene.highlights[..] else { panic!("one row") };
        assert_eq!(squares.iter().map(Square::to_string).collect::<Vec<_>>(), ["a1", "b1", "c1", "d1"]);
        assert!(scene.hands.iter().flat_map(|hand| &hand.cards).all(|card| card.card.is_some()));
    }

    #[test]
    fn a_wrong_touch_can_be_explained() {
        let reason = |text: &str, names: &str| {
            let position = game("", text);
            let touched: Vec<Spot> = names.split(' ').map(|name| name.parse().unwrap()).collect();
            let view = position.view(Viewer::Seat(position.seat()));
            position.refusal(Sequence::meant(&view, &touched).unwrap())
        };
        assert_eq!(reason(OPENING, "card:bear a3"), Reason::WrongPicture);
        assert_eq!(reason(OPENING, "card:dragon a2"), Reason::NotOpponentsChip);
        assert_eq!(reason(OPENING, "b1"), Reason::NotInHand);
        assert_eq!(reason(OPENING, "button:swap"), Reason::CardNotDead);
        assert_eq!(reason(OPENING, "button:pass"), Reason::NoPassNow);
        let full = format!("{FULL} 1 bear+unicorn+unicorn|cat+dog+fox cow+cow+bear|- 0 3");
        assert_eq!(reason(&full, "card:bear"), Reason::NoSwapLeft);
        assert_eq!(reason(&full, "card:unicorn"), Reason::SquareTaken);
        let start = "*.....*/......./......./......./......./*.....* 1 bear+cat+dragon|cow+fox+owl -|- 0 0";
        assert_eq!(reason(start, "card:dragon"), Reason::SquareEmpty);
    }
}
