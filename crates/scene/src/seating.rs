use rules::{Seat, Signs};

use crate::{Dot, Edge, Happening, Mark, Piece, Scene, Token};

/// How a table shows its players: the sign of each side, and who sits nearest to the person who looks (G9).
///
/// A game stages its seats in the usual way; a session that shows a match arranges the scene afterwards.
///
/// ```
/// use rules::{GameId, Position, Seat, Side, Signs, Viewer, quixo::Quixo};
/// use scene::{Seating, Staged};
///
/// let mut signs = Signs::default();
/// signs.choose(Side::ONE, GameId::Quixo.sign("nought").unwrap());
/// let seating = Seating { signs, near: Seat::ONE, seats: 2 };
/// let game = Quixo::parse(&Default::default(), "x..../...../...../...../....o 1").unwrap();
/// let scene = Quixo::scene(&game, Viewer::Spectator).arranged(&seating);
/// assert_eq!(scene.board.cell("a5".parse().unwrap()).unwrap().piece.unwrap().name(), "cube-o");
/// assert_eq!(scene.seat_piece(Seat::ONE).unwrap().name(), "cube-o");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Seating {
    /// The sign of each side.
    pub signs: Signs,
    /// The seat below the board.
    pub near: Seat,
    /// How many seats there are.
    pub seats: u8,
}

impl Seating {
    /// The edge of the board at which a seat of four is shown: in turn order clockwise, so that partners are opposite.
    pub fn edge(&self, seat: Seat) -> Edge {
        Edge::ALL[(seat.index() + 4 - self.near.index()) % 4]
    }

    /// The other seats in turn order, beginning to the left of the nearest one.
    pub fn others(&self) -> impl Iterator<Item = Seat> + use<> {
        let (near, seats) = (self.near.index(), usize::from(self.seats));
        (1..seats).map(move |further| Seat::from_index((near + further) % seats))
    }

    /// A piece as it looks at this table.
    pub fn piece(&self, piece: Piece) -> Piece {
        let token = |token: Token| Token { sign: self.signs.of(token.side()), ..token };
        match piece {
            Piece::Chip(chip) => Piece::Chip(token(chip)),
            Piece::Stone(stone) => Piece::Stone(token(stone)),
            Piece::Cube(mark) => Piece::Cube(mark.map(|mark| {
                let dot = mark.dot.map(|dot| Dot { edge: self.edge(dot.seat), ..dot });
                Mark { sign: self.signs.of(mark.side), dot, ..mark }
            })),
            other @ (Piece::Figure(_) | Piece::Card(_) | Piece::OfGame(_)) => other,
        }
    }
}

impl Scene {
    /// The same scene with its players shown so.
    #[must_use]
    pub fn arranged(mut self, seating: &Seating) -> Scene {
        let cells = self.board.cells.iter_mut().filter_map(|cell| cell.piece.as_mut());
        let held = self.held.iter_mut().map(|(_, piece)| piece);
        let stock = self.stock.iter_mut().flat_map(|tray| &mut tray.places).map(|place| &mut place.piece);
        for piece in cells.chain(held).chain(stock).chain(&mut self.seat_pieces) {
            *piece = seating.piece(*piece);
        }
        self
    }
}

impl Happening {
    /// The same with the players shown so.
    #[must_use]
    pub fn arranged(mut self, seating: &Seating) -> Happening {
        for motion in &mut self.motions {
            motion.piece = seating.piece(motion.piece);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use rules::quixo::Quixo;
    use rules::{Position, Viewer};

    use super::*;
    use crate::Staged;

    #[test]
    fn four_players_sit_in_turn_order_and_dots_point_to_them_from_every_chair() {
        let game = Quixo::parse(&"players=4".parse().unwrap(), "x..../...../...../...../....O 1 0").unwrap();
        for near in Seat::all(4) {
            let seating = Seating { signs: Signs::default(), near, seats: 4 };
            let scene = Quixo::scene(&game, Viewer::Spectator).arranged(&seating);
            for (square, owner) in [("a5", Seat::ONE), ("e1", Seat::FOUR)] {
                let Some(Piece::Cube(Some(mark))) = scene.board.cell(square.parse().unwrap()).unwrap().piece else {
                    panic!("a marked cube");
                };
                let around: Vec<Seat> = std::iter::once(near).chain(seating.others()).collect();
                let place = around.iter().position(|seat| *seat == owner).unwrap();
                assert_eq!(mark.dot.map(|dot| dot.edge), Some(Edge::ALL[place]), "from seat {near}");
            }
            assert_eq!(game.side(near), game.side(seating.others().nth(1).unwrap()), "partners are opposite");
        }
    }

    #[test]
    fn what_moves_has_the_chosen_sign_too() {
        let game = Quixo::start(&Default::default());
        let mut signs = Signs::default();
        signs.choose(rules::Side::ONE, rules::GameId::Quixo.sign("nought").unwrap());
        let seating = Seating { signs, near: Seat::ONE, seats: 2 };
        let happening = game.happening("a3e3".parse().unwrap(), Viewer::Spectator).arranged(&seating);
        assert_eq!(happening.motions[0].piece.name(), "cube-o");
    }
}
