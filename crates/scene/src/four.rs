//! Four on stage: touch an empty cell to place, or a stone and then where it slides; a button ends the turn.

use rules::four::{Action, FEWEST_STONES, Figure, Four, FourOptions, MOST_STONES, Phase, QUIET_TURNS};
use rules::{Outcome, Position, Seat, Side, Square, Turn, Viewer};

use crate::{
    Board, BoardStyle, Button, Counter, CounterKind, DrawReason, Ground, Happening, Highlight, Message, Motion,
    MovePart, Piece, Place, Scene, Spot, Staged, Token, Victory,
};

impl Staged for Four {
    fn scene(view: &Four, _viewer: Viewer) -> Scene {
        let board = Board::new(view.size(), view.size(), |square| (Ground::Cell, view.stone(square).map(stone)));
        let mut scene = Scene::new(BoardStyle::Grid, board, status(view));
        scene.seat_pieces = Seat::all(view.seats()).map(stone).collect();
        scene.counters = counters(view);
        if let (Turn::Seat(seat), Phase::Main { .. }) = (view.turn(), view.phase()) {
            if view.is_legal(Action::Pass) {
                scene.buttons.push(Button::Pass);
            } else if view.stones_on_board(seat) >= FEWEST_STONES {
                scene.buttons.push(Button::End);
            }
        }
        scene
    }

    fn touches(_view: &Four, action: Action) -> Vec<Spot> {
        match action {
            Action::Place { at, capture } => [at].into_iter().chain(capture).map(Spot::Square).collect(),
            Action::Move { from, to } => vec![Spot::Square(from), Spot::Square(to)],
            Action::End => vec![Spot::Button(Button::End)],
            Action::Pass => vec![Spot::Button(Button::Pass)],
        }
    }

    fn notation(action: Action) -> Vec<MovePart> {
        match action {
            Action::End => vec![MovePart::End],
            Action::Pass => vec![MovePart::Pass],
            Action::Place { .. } | Action::Move { .. } => MovePart::text(action),
        }
    }

    fn prompt(view: &Four, _viewer: Viewer, touched: &[Spot]) -> Message {
        match *touched {
            [] => status(view),
            [Spot::Square(square), ..] if view.stone(square).is_none() => Message::ChooseCapture,
            _ => Message::ChooseDestination,
        }
    }

    fn meant(view: &Four, touched: &[Spot]) -> Option<Action> {
        match *touched {
            [Spot::Square(square)] => Some(meant_by_one(view, square)),
            [Spot::Square(at), Spot::Square(stone)] if view.stone(at).is_none() => {
                Some(Action::Place { at, capture: Some(stone) })
            }
            [Spot::Square(from), Spot::Square(to)] => Some(Action::Move { from, to }),
            [Spot::Button(Button::End)] => Some(Action::End),
            [Spot::Button(Button::Pass)] => Some(Action::Pass),
            _ => None,
        }
    }

    fn setup_piece(_: &FourOptions, seat: Seat) -> Piece {
        stone(seat)
    }

    fn happening(&self, action: Action, _viewer: Viewer) -> Happening {
        let Turn::Seat(seat) = self.turn() else { return only(status(self)) };
        let figures = self.captures_by(action);
        let captured: Vec<Square> = figures.iter().map(Figure::centre).collect();
        let (message, from, last) = match action {
            Action::Place { at, .. } => {
                (Message::PlacedStone { seat, square: at, captured }, Place::Reserve(seat), vec![at])
            }
            Action::Move { from, to } => {
                let left = left_after(self, action);
                (Message::MovedStone { seat, from, to, captured, left }, Place::Square(from), vec![from, to])
            }
            Action::End => return only(Message::EndedTurn { seat }),
            Action::Pass => return only(Message::Passed { seat }),
        };
        let to = last[last.len() - 1];
        let mut motions = vec![Motion { piece: stone(seat), from, to: Place::Square(to), step: 0 }];
        let mut highlights = vec![Highlight::Last(last)];
        for figure in figures {
            let (piece, centre) = (stone(seat.next(2)), figure.centre());
            motions.push(Motion { piece, from: Place::Square(centre), to: Place::Captured(seat), step: 1 });
            highlights.push(Highlight::Capture { corners: figure.corners().collect(), centre });
        }
        Happening { message, motions, highlights }
    }
}

fn only(message: Message) -> Happening {
    Happening { message, motions: Vec::new(), highlights: Vec::new() }
}

/// The movements left in the turn after one of them (FO8, FO12); none if the turn is over.
fn left_after(before: &Four, movement: Action) -> u16 {
    let mut after = *before;
    after.play_unchecked(movement);
    if after.turn() == before.turn() { after.movements_left().into() } else { 0 }
}

fn counters(view: &Four) -> Vec<Counter> {
    let mut counters = Vec::new();
    let mut count = |kind, seat, value: u8, of: Option<u8>| {
        counters.push(Counter { kind, seat, value: value.into(), of: of.map(u16::from) });
    };
    if let (Turn::Seat(seat), Phase::Main { movements }) = (view.turn(), view.phase())
        && view.stones_on_board(seat) >= FEWEST_STONES
    {
        count(CounterKind::Movements, Some(seat), movements, Some(view.allowance()));
    }
    let target = Some(view.options().target()).filter(|&target| target > 0);
    for seat in Seat::all(2) {
        count(CounterKind::Points, Some(seat), view.points(seat), target);
        count(CounterKind::Stones, Some(seat), view.stones_on_board(seat), Some(MOST_STONES));
        count(CounterKind::Reserve, Some(seat), view.reserve(seat), None);
    }
    if view.quiet_turns() > 0 {
        count(CounterKind::QuietTurns, None, view.quiet_turns(), Some(QUIET_TURNS));
    }
    if view.passes() > 0 {
        count(CounterKind::Passes, None, view.passes(), Some(2));
    }
    counters
}

fn status(view: &Four) -> Message {
    match view.turn() {
        Turn::Seat(seat) => task(view, seat),
        Turn::Over(Outcome::Win(side)) => Message::Won { side, how: victory(view, side) },
        Turn::Over(Outcome::Draw) | Turn::Chance => {
            Message::Drawn { why: DrawReason::EqualPoints { points: view.points(Seat::ONE).into() } }
        }
    }
}

fn task(view: &Four, seat: Seat) -> Message {
    let stones = view.stones_on_board(seat);
    let Phase::Main { movements } = view.phase() else {
        return Message::PlaceOpeningStone { seat, left: u16::from(FEWEST_STONES.saturating_sub(stones)) };
    };
    let movements = u16::from(movements);
    if view.has_moved() {
        Message::MoveOrEnd { seat, movements }
    } else if stones < FEWEST_STONES {
        Message::MustPlaceStone { seat }
    } else if stones < MOST_STONES && view.reserve(seat) > 0 {
        Message::PlaceOrMove { seat, movements }
    } else if view.is_legal(Action::Pass) {
        Message::MustPass { seat }
    } else {
        Message::MustMove { seat, movements }
    }
}

fn victory(view: &Four, winner: Side) -> Victory {
    let winner = Seat::from_index(winner.index());
    let points = u16::from(view.points(winner));
    let target = u16::from(view.options().target());
    if target > 0 && points >= target {
        Victory::Target { points }
    } else {
        Victory::MorePoints { points, against: view.points(winner.next(2)).into() }
    }
}

fn stone(seat: Seat) -> Piece {
    Piece::Stone(Token::of(seat))
}

/// A touched stone is meant to be moved, except where stones cannot move anyway.
fn meant_by_one(view: &Four, square: Square) -> Action {
    if view.stone(square).is_none() || view.phase() == Phase::Opening {
        return Action::Place { at: square, capture: None };
    }
    let beside = if square.column == 0 { 1 } else { square.column - 1 };
    Action::Move { from: square, to: Square::new(beside, square.row) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Picker, Touched, choices, narrow};
    use rules::Reason;

    const THREE_AT_ONCE: &str = "4x4/9/9/3x1x3/2xo1ox2/3xox3/4x4/9/oooooooxx";
    const CHOICE: &str = "9/9/9/3x1x3/2xo1ox2/3x1x3/9/9/oooo5 1 opening 0,0 24,24 0 0 - -";

    fn game(options: &str, text: &str) -> Four {
        Four::parse(&options.parse().unwrap(), text).unwrap()
    }

    fn three_at_once(options: &str) -> Four {
        game(options, &format!("{THREE_AT_ONCE} 1 4 0,0 20,20 0 0 - -"))
    }

    fn scene(position: &Four) -> Scene {
        Four::scene(position, Viewer::Spectator)
    }

    fn after(mut position: Four, actions: &str) -> Four {
        actions.split(' ').for_each(|action| position.play(action.parse().unwrap()).unwrap());
        position
    }

    #[test]
    fn board_and_numbers_are_shown() {
        let scene = scene(&three_at_once("size=9"));
        let piece = |square: &str| scene.board.cell(square.parse().unwrap()).unwrap().piece.map(Piece::name);
        assert_eq!(piece("e9"), Some("stone-1".to_owned()));
        assert_eq!(piece("a1"), Some("stone-2".to_owned()));
        assert_eq!(piece("a9"), None);
        let numbers: Vec<_> = scene.counters.iter().map(|counter| (counter.kind, counter.value, counter.of)).collect();
        let of_one_seat =
            [(CounterKind::Points, 0, Some(10)), (CounterKind::Stones, 10, Some(20)), (CounterKind::Reserve, 20, None)];
        assert_eq!(numbers[0], (CounterKind::Movements, 4, Some(4)));
        assert_eq!((&numbers[1..4], &numbers[4..]), (&of_one_seat[..], &of_one_seat[..]));
    }

    #[test]
    fn movements_are_counted_against_what_the_turn_started_with() {
        let first = |options: &str, movements: u8| {
            let position = game(options, &format!("{THREE_AT_ONCE} 1 {movements} 0,0 20,20 0 0 - -"));
            let counted = |position: &Four| (scene(position).counters[0].value, scene(position).counters[0].of);
            (counted(&position), counted(&after(position, "i1-i2")))
        };
        // FO11: the first turn of the main game may have fewer.
        assert_eq!(first("size=9,first=2", 2), ((2, Some(2)), (1, Some(2))));
        assert_eq!(first("size=9", 4), ((4, Some(4)), (3, Some(4))));
    }

    #[test]
    fn the_status_says_what_may_be_done() {
        let seat = Seat::ONE;
        let start = Four::start(&"size=13".parse().unwrap());
        assert_eq!(scene(&start).status, Message::PlaceOpeningStone { seat, left: 10 });
        let main = three_at_once("size=9");
        assert_eq!(scene(&main).status, Message::PlaceOrMove { seat, movements: 4 });
        assert_eq!(scene(&main).buttons, [Button::End]);
        assert_eq!(scene(&after(main, "i1-i2")).status, Message::MoveOrEnd { seat, movements: 3 });
        let few = after(main, "e9-e5 end");
        assert_eq!(scene(&few).status, Message::MustPlaceStone { seat: Seat::TWO });
        assert_eq!(scene(&few).buttons, []);
        assert_eq!(scene(&few).counters[0].kind, CounterKind::Points, "no movements to show");
        let shut_in = game("size=9", "9/9/9/8o/ooooo4/xxxxxo3/xxxxxo3/xxxxxo3/xxxxxo3 1 4 0,0 10,20 0 0 - -");
        assert_eq!((scene(&shut_in).status, scene(&shut_in).buttons), (Message::MustPass { seat }, vec![Button::Pass]));
        let full = game("size=9", "9/9/9/8o/ooooo4/xxxxxo3/xxxxxo3/xxxxxo3/xxxxx1o2 1 4 0,0 10,20 0 0 - -");
        assert_eq!(scene(&full).status, Message::MustMove { seat, movements: 4 });
    }

    #[test]
    fn the_end_is_told_with_points() {
        let won = after(three_at_once("size=9,target=3"), "e9-e5");
        assert_eq!(scene(&won).status, Message::Won { side: Side::ONE, how: Victory::Target { points: 3 } });
        let quiet = |points: &str, reserves: &str| {
            scene(&game("size=9", &format!("{THREE_AT_ONCE} 1 4 {points} {reserves} 60 0 - -"))).status
        };
        assert_eq!(quiet("0,0", "20,20"), Message::Drawn { why: DrawReason::EqualPoints { points: 0 } });
        let how = Victory::MorePoints { points: 4, against: 2 };
        assert_eq!(quiet("2,4", "16,18"), Message::Won { side: Side::TWO, how });
    }

    #[test]
    fn the_choice_of_a_capture_is_a_second_touch() {
        let position = game("size=9", CHOICE);
        let choices = choices(&position);
        let mut picker = Picker::new();
        assert_eq!(picker.touch(&choices, "e5".parse().unwrap()), Touched::Further);
        assert_eq!(Four::prompt(&position, Viewer::Spectator, picker.touched()), Message::ChooseCapture);
        assert_eq!(narrow(&choices, picker.touched()).next, ["d5", "f5"].map(|name| name.parse().unwrap()));
        let taken = picker.touch(&choices, "f5".parse().unwrap());
        assert_eq!(taken, Touched::Complete("e5xf5".parse().unwrap()));
        assert_eq!(picker.touch(&choices, "a9".parse().unwrap()), Touched::Complete("a9".parse().unwrap()));
    }

    #[test]
    fn captures_are_drawn_before_the_stones_leave() {
        let position = after(three_at_once("size=9"), "i1-i2");
        let happening = position.happening("e9-e5".parse().unwrap(), Viewer::Spectator);
        let squares = |names: &[&str]| names.iter().map(|name| name.parse().unwrap()).collect::<Vec<Square>>();
        let captured = squares(&["d5", "f5", "e4"]);
        let [from, to] = ["e9", "e5"].map(|name| name.parse().unwrap());
        assert_eq!(happening.message, Message::MovedStone { seat: Seat::ONE, from, to, captured, left: 5 });
        assert_eq!(happening.motions.iter().map(|motion| motion.step).collect::<Vec<_>>(), [0, 1, 1, 1]);
        assert_eq!(happening.highlights[0], Highlight::Last(squares(&["e9", "e5"])));
        let corners = squares(&["e5", "d6", "c5", "d4"]);
        assert_eq!(happening.highlights[1], Highlight::Capture { corners, centre: "d5".parse().unwrap() });
        let placed = game("size=9", CHOICE).happening("e5xd5".parse().unwrap(), Viewer::Spectator);
        assert_eq!((placed.motions.len(), placed.motions[0].from), (2, Place::Reserve(Seat::ONE)));
    }

    #[test]
    fn a_wrong_touch_can_be_explained() {
        let reason = |position: &Four, names: &str| {
            let touched: Vec<Spot> = names.split(' ').map(|name| name.parse().unwrap()).collect();
            position.refusal(Four::meant(position, &touched).unwrap())
        };
        let main = three_at_once("size=9");
        assert_eq!(reason(&main, "a1"), Reason::OpponentsStone);
        assert_eq!(reason(&main, "e9 f8"), Reason::NotStraight);
        assert_eq!(reason(&main, "button:end"), Reason::NothingToEnd);
        assert_eq!(reason(&after(main, "i1-i2"), "a9"), Reason::PlacementAfterMovement);
        assert_eq!(reason(&after(main, "e9-e5 end"), "a1"), Reason::MustPlace);
        let opening = game("size=9", CHOICE);
        assert_eq!(reason(&opening, "a1"), Reason::SquareTaken);
        assert_eq!(reason(&opening, "e5 d4"), Reason::WrongCapture);
    }
}
