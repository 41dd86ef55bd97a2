//! Quixo on stage: touch a cube, touch where it enters, in the team game touch to whom the dot points.

use rules::quixo::{Action, Cube, Players, Quixo, QuixoOptions, SIZE};
use rules::{Outcome, Position, Seat, Side, Square, Turn, Viewer};

use crate::{
    Board, BoardStyle, Button, Counter, CounterKind, DrawReason, Ground, Happening, Highlight, Mark, Message, Motion,
    MovePart, Piece, Place, RowMeaning, Scene, Spot, Staged, Victory,
};

impl Staged for Quixo {
    fn scene(view: &Quixo, _viewer: Viewer) -> Scene {
        let players = view.options().players;
        let board = Board::new(SIZE, SIZE, |square| (Ground::Slot, Some(cube(players, view.cube(square)))));
        let mut scene = Scene::new(BoardStyle::Tray, board, status(view));
        scene.seat_pieces =
            Seat::all(view.seats()).map(|seat| Piece::Cube(Some(Mark::of(view.side(seat), None)))).collect();
        scene.highlights = rows(view);
        if view.options().players == Players::Four {
            if let Turn::Seat(seat) = view.turn() {
                scene.buttons = team_buttons(view, seat);
            }
            let value = u16::from(view.passes());
            if value > 0 {
                scene.counters.push(Counter { kind: CounterKind::Passes, seat: None, value, of: Some(4) });
            }
        }
        scene
    }

    fn touches(_view: &Quixo, action: Action) -> Vec<Spot> {
        match action {
            Action::Push { from, to, dot } => {
                let dot = dot.map(|seat| Spot::Button(Button::Dot(seat)));
                [Spot::Square(from), Spot::Square(to)].into_iter().chain(dot).collect()
            }
            Action::Pass => vec![Spot::Button(Button::Pass)],
        }
    }

    fn notation(action: Action) -> Vec<MovePart> {
        match action {
            Action::Pass => vec![MovePart::Pass],
            Action::Push { .. } => MovePart::text(action),
        }
    }

    fn prompt(view: &Quixo, _viewer: Viewer, touched: &[Spot]) -> Message {
        match touched.len() {
            0 => status(view),
            1 => Message::ChooseEntry,
            _ => Message::ChooseDot,
        }
    }

    fn meant(view: &Quixo, touched: &[Spot]) -> Option<Action> {
        let dot = match (view.options().players, view.turn()) {
            (Players::Four, Turn::Seat(seat)) => Some(seat),
            _ => None,
        };
        match *touched {
            [Spot::Square(from)] => Some(Action::Push { from, to: opposite_end(from), dot }),
            [Spot::Square(from), Spot::Square(to)] => Some(Action::Push { from, to, dot }),
            [Spot::Button(Button::Pass)] => Some(Action::Pass),
            _ => None,
        }
    }

    fn setup_piece(options: &QuixoOptions, piece: Cube) -> Piece {
        cube(options.players, piece)
    }

    fn happening(&self, action: Action, _viewer: Viewer) -> Happening {
        let Turn::Seat(seat) = self.turn() else {
            return Happening { message: status(self), motions: Vec::new(), highlights: Vec::new() };
        };
        match action {
            Action::Pass => {
                Happening { message: Message::Passed { seat }, motions: Vec::new(), highlights: Vec::new() }
            }
            Action::Push { from, to, dot } => Happening {
                message: Message::Pushed { seat, side: self.side(seat), from, to, dot },
                motions: motions(self, self.side(seat), from, to, dot),
                highlights: vec![Highlight::Last(vec![from, to])],
            },
        }
    }
}

fn cube(players: Players, cube: Cube) -> Piece {
    Piece::Cube(match cube {
        Cube::Blank => None,
        Cube::Marked { side, owner } => Some(Mark::of(side, (players == Players::Four).then_some(owner))),
    })
}

fn team_buttons(view: &Quixo, seat: Seat) -> Vec<Button> {
    if view.is_legal(Action::Pass) {
        return vec![Button::Pass];
    }
    Seat::all(view.seats()).filter(|&other| view.side(other) == view.side(seat)).map(Button::Dot).collect()
}

fn status(view: &Quixo) -> Message {
    match view.turn() {
        Turn::Seat(seat) if view.is_legal(Action::Pass) => Message::MustPass { seat },
        Turn::Seat(seat) if view.seats() == 4 => Message::TakeDottedCube { seat, side: view.side(seat) },
        Turn::Seat(seat) => Message::TakeCube { seat, side: view.side(seat) },
        Turn::Over(Outcome::Win(side)) => Message::Won { side, how: victory(view, side) },
        Turn::Over(Outcome::Draw) | Turn::Chance => Message::Drawn { why: DrawReason::AllPassed },
    }
}

/// The winner gave nothing away if its opponents would be next; otherwise they pushed its line together (QX5).
fn victory(view: &Quixo, winner: Side) -> Victory {
    if view.side(view.next_seat()) == winner { Victory::GivenLine } else { Victory::Line }
}

/// The winner's rows; the other side's own row counts for nothing (QX5).
fn rows(view: &Quixo) -> Vec<Highlight> {
    let Turn::Over(Outcome::Win(winner)) = view.turn() else { return Vec::new() };
    view.lines()
        .filter(|(side, _)| *side == winner)
        .map(|(side, squares)| Highlight::Row { squares: squares.to_vec(), meaning: RowMeaning::Of(side) })
        .collect()
}

/// The far end of the row of a cube, or of its column where the row's end is the cube itself.
fn opposite_end(from: Square) -> Square {
    Square::new(if from.column == SIZE - 1 { 0 } else { SIZE - 1 }, from.row)
}

/// The taken cube travels to its entry, its symbol up, while the cubes between move one place towards the gap.
fn motions(before: &Quixo, side: Side, from: Square, to: Square, dot: Option<Seat>) -> Vec<Motion> {
    let taken = Motion {
        piece: Piece::Cube(Some(Mark::of(side, dot))),
        from: Place::Square(from),
        to: Place::Square(to),
        step: 0,
    };
    let towards = |a: u8, b: u8| match a.cmp(&b) {
        std::cmp::Ordering::Less => a + 1,
        std::cmp::Ordering::Equal => a,
        std::cmp::Ordering::Greater => a - 1,
    };
    let mut motions = vec![taken];
    let mut gap = from;
    while gap != to {
        let next = Square::new(towards(gap.column, to.column), towards(gap.row, to.row));
        let piece = cube(before.options().players, before.cube(next));
        motions.push(Motion { piece, from: Place::Square(next), to: Place::Square(gap), step: 0 });
        gap = next;
    }
    motions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{choices, narrow};

    fn game(options: &str, text: &str) -> Quixo {
        Quixo::parse(&options.parse().unwrap(), text).unwrap()
    }

    fn scene(position: &Quixo) -> Scene {
        Quixo::scene(position, Viewer::Spectator)
    }

    fn happening(position: &Quixo, action: &str) -> Happening {
        position.happening(action.parse().unwrap(), Viewer::Spectator)
    }

    #[test]
    fn every_cube_is_shown_where_it_lies() {
        let scene = scene(&game("", "x..../...../...../...../....o 1"));
        let piece = |square: &str| scene.board.cell(square.parse().unwrap()).unwrap().piece.unwrap().name();
        assert_eq!([piece("a5"), piece("e1"), piece("c3")], ["cube-x", "cube-o", "cube"]);
        assert_eq!(scene.status, Message::TakeCube { seat: Seat::ONE, side: Side::ONE });
        assert_eq!(scene.buttons, []);
        assert_eq!(scene.board.cell("f1".parse().unwrap()), None);
    }

    #[test]
    fn the_team_game_shows_dots_and_asks_for_them() {
        let position = game("players=4", "x...O/...../...../...../..... 3 0");
        let scene = scene(&position);
        let piece = |square: &str| scene.board.cell(square.parse().unwrap()).unwrap().piece.unwrap().name();
        assert_eq!([piece("a5"), piece("e5")], ["cube-x-1", "cube-o-4"]);
        assert_eq!(scene.buttons, [Button::Dot(Seat::ONE), Button::Dot(Seat::THREE)]);
        let touched = ["a1", "e1"].map(|name| name.parse().unwrap());
        assert_eq!(
            narrow(&choices(&position), &touched).next,
            scene.buttons.iter().map(|&b| b.into()).collect::<Vec<Spot>>()
        );
        assert_eq!(Quixo::prompt(&position, Viewer::Spectator, &touched), Message::ChooseDot);
    }

    #[test]
    fn a_blocked_seat_is_told_to_pass() {
        let scene = scene(&game("players=4", "OXOXO/X...O/O...X/X...O/OXOXO 2 1"));
        assert_eq!(scene.status, Message::MustPass { seat: Seat::TWO });
        assert_eq!(scene.buttons, [Button::Pass]);
        assert_eq!(scene.counters[0].value, 1);
    }

    #[test]
    fn a_won_game_shows_the_row_and_how_it_came() {
        let mut own = game("", "xxxx./...../...../...../o.... 1");
        own.play("e5a5".parse().unwrap()).unwrap();
        assert_eq!(scene(&own).status, Message::Won { side: Side::ONE, how: Victory::Line });
        let [Highlight::Row { squares, meaning }] = &scene(&own).highlights[..] else { panic!("one row") };
        assert_eq!((squares.len(), meaning), (5, &RowMeaning::Of(Side::ONE)));

        let mut given = game("", "xxxxo/oooo./...../...../....x 1");
        given.play("e1e5".parse().unwrap()).unwrap();
        assert_eq!(scene(&given).status, Message::Won { side: Side::TWO, how: Victory::GivenLine });
        assert_eq!(scene(&given).highlights.len(), 1, "x's own row does not count");
    }

    #[test]
    fn the_row_slides_towards_the_gap() {
        let pushed = happening(&game("", "...../...../xoxo./...../..... 1"), "b3a3");
        assert_eq!(pushed.motions.len(), 2, "only the cubes between move");
        let motions = happening(&game("", "...../...../xoxo./...../..... 1"), "a3e3").motions;
        let text: Vec<String> = motions
            .iter()
            .map(|motion| {
                let (Place::Square(from), Place::Square(to)) = (motion.from, motion.to) else { panic!("on the board") };
                format!("{} {from}>{to}", motion.piece.name())
            })
            .collect();
        assert_eq!(text, ["cube-x a3>e3", "cube-o b3>a3", "cube-x c3>b3", "cube-o d3>c3", "cube e3>d3"]);
    }

    #[test]
    fn motions_lead_from_the_position_before_to_the_one_after() {
        for options in ["players=2", "players=4"] {
            let mut position = Quixo::start(&options.parse().unwrap());
            for step in 0..60 {
                let choices = choices(&position);
                if choices.is_empty() {
                    break;
                }
                let action = choices[step * 7 % choices.len()].action;
                let before = scene(&position).board;
                let happening = position.happening(action, Viewer::Spectator);
                position.play(action).unwrap();
                let after = scene(&position).board;
                for (old, new) in before.cells.iter().zip(&after.cells) {
                    let arrived = happening.motions.iter().find(|motion| motion.to == Place::Square(old.square));
                    assert_eq!(arrived.map_or(old.piece, |motion| Some(motion.piece)), new.piece, "{action}");
                }
            }
        }
    }

    #[test]
    fn touches_are_distinct_and_none_begins_another() {
        for options in ["players=2", "players=4"] {
            let choices = choices(&Quixo::start(&options.parse().unwrap()));
            for (index, choice) in choices.iter().enumerate() {
                assert!(
                    choices.iter().skip(index + 1).all(|other| {
                        !other.touches.starts_with(&choice.touches) && !choice.touches.starts_with(&other.touches)
                    }),
                    "{}",
                    choice.action
                );
            }
        }
    }

    #[test]
    fn a_wrong_touch_can_be_explained() {
        use rules::Reason;
        let position = game("", "...../...../..x../...../o...x 1");
        let reason = |names: &str| {
            let touched: Vec<Spot> = names.split(' ').map(|name| name.parse().unwrap()).collect();
            position.refusal(Quixo::meant(&position, &touched).unwrap())
        };
        assert_eq!(reason("c3"), Reason::NotOnBorder);
        assert_eq!(reason("a1"), Reason::OpponentsCube);
        assert_eq!(reason("e1 b2"), Reason::WrongEntry);
        assert_eq!(reason("button:pass"), Reason::NoPassNow);
    }
}
