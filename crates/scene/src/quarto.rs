//! Quarto on stage: touch a figure of the stock to give it, touch a square to place the one in hand.

use rules::quarto::{Action, Call, Quarto, QuartoOptions, Row, SIZE};
use rules::{Outcome, Position, Seat, Turn, Viewer};

use crate::narrow::insert;
use crate::{
    Board, BoardStyle, Button, Counter, CounterKind, DrawReason, Figure, Ground, Happening, Highlight, Message, Motion,
    MovePart, Piece, Place, Quality, RowMeaning, Scene, Spot, Staged, Tray, TrayPlace, Victory,
};

impl Staged for Quarto {
    fn scene(view: &Quarto, _viewer: Viewer) -> Scene {
        let board = Board::new(SIZE, SIZE, |square| (Ground::Well, view.piece(square).map(piece)));
        let mut scene = Scene::new(BoardStyle::Wells, board, status(view));
        scene.stock = Some(stock(view));
        scene.highlights = view
            .winning()
            .map(|row| Highlight::Row { squares: row.squares.to_vec(), meaning: RowMeaning::Common(common(view, row)) })
            .collect();
        let Turn::Seat(seat) = view.turn() else { return scene };
        scene.held = view.hand().map(|figure| (seat, piece(figure)));
        if view.options().call != Call::Auto {
            // Always there: a button that came and went with the rows would tell where the game is to find out.
            scene.buttons.push(Button::Call);
        }
        if is_full(view) {
            scene.buttons.push(Button::Pass);
            let value = u16::from(seat == Seat::TWO);
            scene.counters.push(Counter { kind: CounterKind::Passes, seat: None, value, of: Some(2) });
        }
        scene
    }

    fn touches(view: &Quarto, action: Action) -> Vec<Spot> {
        match action {
            Action::Give(given) => vec![Spot::Stock(figure(given))],
            Action::Place(square) => vec![Spot::Square(square)],
            Action::Call => Self::spellings(view, action).into_iter().next().unwrap_or_default(),
            Action::Pass => vec![Spot::Button(Button::Pass)],
        }
    }

    /// A call names its row: the button, then any two squares of it.
    fn spellings(view: &Quarto, action: Action) -> Vec<Vec<Spot>> {
        if action != Action::Call {
            return vec![Self::touches(view, action)];
        }
        let mut calls = Vec::new();
        for row in view.callable() {
            for first in row.squares {
                for second in row.squares.into_iter().filter(|&second| second != first) {
                    insert(&mut calls, vec![Spot::Button(Button::Call), first.into(), second.into()]);
                }
            }
        }
        calls
    }

    fn notation(action: Action) -> Vec<MovePart> {
        match action {
            Action::Give(given) => vec![MovePart::Piece(piece(given))],
            Action::Pass => vec![MovePart::Pass],
            Action::Place(_) | Action::Call => MovePart::text(action),
        }
    }

    fn prompt(view: &Quarto, _viewer: Viewer, touched: &[Spot]) -> Message {
        if touched.first() == Some(&Spot::Button(Button::Call)) { Message::ChooseRow } else { status(view) }
    }

    fn meant(_view: &Quarto, touched: &[Spot]) -> Option<Action> {
        match *touched {
            [Spot::Square(square)] => Some(Action::Place(square)),
            [Spot::Stock(figure)] => rules::quarto::Piece::new(figure.number()).map(Action::Give),
            [Spot::Button(Button::Call), ..] => Some(Action::Call),
            [Spot::Button(Button::Pass)] => Some(Action::Pass),
            _ => None,
        }
    }

    fn setup_piece(_: &QuartoOptions, setup_piece: rules::quarto::Piece) -> Piece {
        piece(setup_piece)
    }

    fn happening(&self, action: Action, _viewer: Viewer) -> Happening {
        let Turn::Seat(seat) = self.turn() else {
            return Happening { message: status(self), motions: Vec::new(), highlights: Vec::new() };
        };
        // The square placed on last stays marked through the gift that follows: the two are one turn.
        let mut last = self.last();
        let mut motions = Vec::new();
        let mut moves = |piece, from, to| motions.push(Motion { piece, from, to, step: 0 });
        let message = match (action, self.hand()) {
            (Action::Give(given), _) => {
                moves(piece(given), Place::Spot(Spot::Stock(figure(given))), Place::Held);
                Message::Gave { seat, to: seat.next(2), piece: piece(given) }
            }
            (Action::Place(square), Some(hand)) => {
                moves(piece(hand), Place::Held, Place::Square(square));
                last = Some(square);
                Message::PlacedFigure { seat, piece: piece(hand), square }
            }
            (Action::Call, _) => {
                let row = self.callable().next();
                Message::Called { seat, common: row.map(|row| common(self, row)).unwrap_or_default() }
            }
            (Action::Pass, _) => Message::Passed { seat },
            // Not legal; nothing happens.
            (Action::Place(_), None) => status(self),
        };
        Happening {
            message,
            motions,
            highlights: last.map(|square| Highlight::Last(vec![square])).into_iter().collect(),
        }
    }
}

fn figure(piece: rules::quarto::Piece) -> Figure {
    Figure::new(piece.bits()).expect("pieces are numbered from 0 to 15, as figures are")
}

fn piece(piece: rules::quarto::Piece) -> Piece {
    Piece::Figure(figure(piece))
}

/// Every figure has its place by its attributes, and leaves it empty.
fn stock(view: &Quarto) -> Tray {
    let stock = view.stock();
    let place = |piece: rules::quarto::Piece| TrayPlace {
        spot: Spot::Stock(figure(piece)),
        piece: self::piece(piece),
        present: stock.contains(piece),
    };
    Tray { columns: 4, places: rules::quarto::Piece::all().map(place).collect() }
}

fn is_full(view: &Quarto) -> bool {
    view.empty() == 0
}

fn status(view: &Quarto) -> Message {
    match view.turn() {
        Turn::Seat(seat) => match view.hand() {
            Some(hand) => Message::PlaceFigure { seat, piece: piece(hand) },
            None if is_full(view) => Message::CallOrPass { seat },
            None => Message::Give { seat, to: seat.next(2) },
        },
        Turn::Over(Outcome::Win(side)) => {
            let row = view.winning().next();
            Message::Won { side, how: Victory::Common(row.map(|row| common(view, row)).unwrap_or_default()) }
        }
        Turn::Over(Outcome::Draw) | Turn::Chance => Message::Drawn { why: DrawReason::BoardFull },
    }
}

/// What the figures of a row have in common, named by its first figure.
fn common(view: &Quarto, row: Row) -> Vec<Quality> {
    let Some(first) = view.piece(row.squares[0]).map(figure) else { return Vec::new() };
    row.attributes.iter().map(|attribute| first.quality(attribute)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Picker, Touched, choices, narrow};
    use rules::{Reason, Side};

    fn game(options: &str, text: &str) -> Quarto {
        Quarto::parse(&options.parse().unwrap(), text).unwrap()
    }

    fn scene(position: &Quarto) -> Scene {
        Quarto::scene(position, Viewer::Spectator)
    }

    fn figure_piece(number: u8) -> Piece {
        Piece::Figure(Figure::new(number).unwrap())
    }

    #[test]
    fn board_stock_and_hand_show_every_figure_once() {
        let scene = scene(&game("", "a.../..../..../...3 7 2 a4"));
        let on = |square: &str| scene.board.cell(square.parse().unwrap()).unwrap().piece;
        assert_eq!([on("a4"), on("d1"), on("b2")], [Some(figure_piece(10)), Some(figure_piece(3)), None]);
        assert_eq!(scene.held, Some((Seat::TWO, figure_piece(7))));
        let stock = scene.stock.as_ref().unwrap();
        assert_eq!((stock.columns, stock.places.len()), (4, 16));
        let gone: Vec<String> = stock.places.iter().filter(|p| !p.present).map(|p| p.piece.name()).collect();
        assert_eq!(gone, ["figure-3", "figure-7", "figure-a"]);
        assert_eq!(scene.status, Message::PlaceFigure { seat: Seat::TWO, piece: figure_piece(7) });
        assert_eq!((scene.buttons.len(), scene.spots().len()), (0, 32));
    }

    #[test]
    fn one_touch_gives_and_one_places() {
        let start = Quarto::start(&Default::default());
        assert_eq!(scene(&start).status, Message::Give { seat: Seat::ONE, to: Seat::TWO });
        assert_eq!(narrow(&choices(&start), &[]).next.len(), 16);
        let mut picker = Picker::new();
        let given = picker.touch(&choices(&start), "stock:c".parse().unwrap());
        assert_eq!(given, Touched::Complete("c".parse().unwrap()));
        let placing = game("", "..../..../..../.... c 2 -");
        let placed = picker.touch(&choices(&placing), "b2".parse().unwrap());
        assert_eq!(placed, Touched::Complete("b2".parse().unwrap()));
    }

    #[test]
    fn the_call_button_is_there_whenever_rows_are_called_by_hand() {
        for (options, buttons) in [("", 0), ("call=lapse", 1), ("call=open", 1)] {
            assert_eq!(scene(&Quarto::start(&options.parse().unwrap())).buttons.len(), buttons, "{options}");
        }
        let row = game("call=lapse", "..../..../..../1247 - 1 d1");
        assert_eq!(scene(&row).highlights, [], "a row that waits to be called is not shown");
        assert!(narrow(&choices(&row), &[]).next.contains(&Button::Call.into()));
        let full = game("call=open", "1e46/f5c0/a2bd/7938 - 2 d1");
        assert_eq!(scene(&full).buttons, [Button::Call, Button::Pass]);
        assert_eq!(scene(&full).status, Message::CallOrPass { seat: Seat::TWO });
        assert_eq!(scene(&full).counters[0].value, 1);
    }

    #[test]
    fn a_won_game_shows_its_rows_and_what_they_have_in_common() {
        let won = game("", "..../..../..../1247 - 1 d1");
        let how = Victory::Common(vec![Quality::Light]);
        assert_eq!(scene(&won).status, Message::Won { side: Side::ONE, how });
        let [Highlight::Row { squares, meaning }] = &scene(&won).highlights[..] else { panic!("one row") };
        assert_eq!((squares.len(), meaning), (4, &RowMeaning::Common(vec![Quality::Light])));
        // The lapsed row of light figures is not among those that won.
        let called = game("call=lapse", "f89a/..../..../1247 - 1! d4");
        let [Highlight::Row { meaning, .. }] = &scene(&called).highlights[..] else { panic!("one row") };
        assert_eq!(meaning, &RowMeaning::Common(vec![Quality::Dark]));
        let drawn = game("call=open", "1e46/f5c0/a2bd/7938 - - d1");
        assert_eq!(scene(&drawn).status, Message::Drawn { why: DrawReason::BoardFull });
        assert_eq!(scene(&drawn).buttons, []);
    }

    #[test]
    fn what_happens_is_told_and_moves() {
        let tell = |options: &str, text: &str, action: &str| {
            game(options, text).happening(action.parse().unwrap(), Viewer::Spectator)
        };
        let gave = tell("", "..../..../..../1... - 2 a1", "7");
        assert_eq!(gave.message, Message::Gave { seat: Seat::TWO, to: Seat::ONE, piece: figure_piece(7) });
        let [motion] = gave.motions[..] else { panic!("one motion") };
        assert_eq!((motion.from, motion.to), (Place::Spot(Spot::Stock(Figure::new(7).unwrap())), Place::Held));
        assert_eq!(gave.highlights, [Highlight::Last(vec!["a1".parse().unwrap()])]);

        let placed = tell("", "..../..../..../1... 7 1 a1", "c3");
        let square = "c3".parse().unwrap();
        assert_eq!(placed.message, Message::PlacedFigure { seat: Seat::ONE, piece: figure_piece(7), square });
        assert_eq!(placed.motions[0].to, Place::Square(square));
        assert_eq!(placed.highlights, [Highlight::Last(vec![square])]);

        let called = tell("call=lapse", "..../..../..../1247 f 2 d1", "!");
        assert_eq!(called.message, Message::Called { seat: Seat::TWO, common: vec![Quality::Light] });
        let passed = tell("call=lapse", "1e46/f5c0/a2bd/7938 - 1 d1", "pass");
        assert_eq!((passed.message, passed.motions), (Message::Passed { seat: Seat::ONE }, Vec::new()));
    }

    #[test]
    fn a_wrong_touch_can_be_explained() {
        let reason = |options: &str, text: &str, spot: &str| {
            let position = game(options, text);
            position.refusal(Quarto::meant(&position, &[spot.parse().unwrap()]).unwrap())
        };
        assert_eq!(reason("", "..../..../..../1... - 2 a1", "c3"), Reason::GiveFirst);
        assert_eq!(reason("", "..../..../..../1... - 2 a1", "stock:1"), Reason::PieceUsed);
        assert_eq!(reason("", "..../..../..../1... 7 1 a1", "stock:2"), Reason::PlaceFirst);
        assert_eq!(reason("", "..../..../..../1... 7 1 a1", "a1"), Reason::SquareTaken);
        assert_eq!(reason("call=open", "..../..../..../1... 7 1 a1", "button:call"), Reason::NoRowToCall);
        assert_eq!(reason("call=open", "..../..../..../1... 7 1 a1", "button:pass"), Reason::NoPassNow);
    }
}
