use rules::{BadPosition, Editable, Setup, SetupEntry, SetupField, SetupValue, Square};
use scene::Piece;

use crate::{AnyPosition, Listed};

/// A freely editable board of whichever game, with pieces as they are drawn; see [`rules::Setup`].
///
/// ```
/// use game::Game;
/// use rules::{Field, SetupValue};
///
/// let mut setup = "quarto".parse::<Game>()?.start().setup();
/// let piece = setup.pieces()[7];
/// setup.put("b2".parse()?, Some(piece));
/// assert!(setup.is_used(piece));
/// assert_eq!(setup.fields()[0].field, Field::Hand);
/// setup.set(0, SetupValue::Piece(Some(setup.pieces()[3])));
/// assert_eq!(setup.position()?.to_string(), "..../..../.7../.... 3 1 b2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait AnySetup: Send + Sync + 'static {
    /// What can be put on squares.
    fn pieces(&self) -> Vec<Piece>;

    /// What stands on a square.
    fn piece(&self, square: Square) -> Option<Piece>;

    /// Whether all there is of a piece is in its place already.
    fn is_used(&self, piece: Piece) -> bool;

    /// Puts a piece on a square, or clears it; a piece of another game changes nothing.
    fn put(&mut self, square: Square, piece: Option<Piece>);

    /// Takes everything off the board.
    fn clear(&mut self);

    /// What can be set beside the board.
    fn fields(&self) -> Vec<SetupField<Piece>>;

    /// Sets one of [`AnySetup::fields`], given by its place there.
    fn set(&mut self, field: usize, value: SetupValue<Piece>);

    /// The position, or why there is none.
    fn position(&self) -> Result<Box<dyn AnyPosition>, BadPosition>;

    /// The same setup again.
    fn boxed(&self) -> Box<dyn AnySetup>;
}

impl Clone for Box<dyn AnySetup> {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}

/// A setup whose game is in the catalogue.
#[derive(Clone)]
pub(crate) struct ListedSetup<P: Editable>(P::Setup);

impl<P: Listed> ListedSetup<P> {
    /// The board as it is in a position.
    pub(crate) fn of(position: &P) -> ListedSetup<P> {
        ListedSetup(P::Setup::of(position))
    }

    fn drawn(&self, piece: <P::Setup as Setup>::Piece) -> Piece {
        P::setup_piece(&self.0.options(), piece)
    }

    /// The one among some pieces that is drawn like this.
    fn find(&self, pieces: Vec<<P::Setup as Setup>::Piece>, drawn: Piece) -> Option<<P::Setup as Setup>::Piece> {
        pieces.into_iter().find(|&piece| self.drawn(piece) == drawn)
    }
}

impl<P: Listed> AnySetup for ListedSetup<P> {
    fn pieces(&self) -> Vec<Piece> {
        self.0.pieces().into_iter().map(|piece| self.drawn(piece)).collect()
    }

    fn piece(&self, square: Square) -> Option<Piece> {
        self.0.piece(square).map(|piece| self.drawn(piece))
    }

    fn is_used(&self, piece: Piece) -> bool {
        self.find(self.0.pieces(), piece).is_some_and(|piece| self.0.is_used(piece))
    }

    fn put(&mut self, square: Square, piece: Option<Piece>) {
        match piece {
            None => self.0.put(square, None),
            Some(drawn) => {
                if let Some(piece) = self.find(self.0.pieces(), drawn) {
                    self.0.put(square, Some(piece));
                }
            }
        }
    }

    fn clear(&mut self) {
        self.0.clear();
    }

    fn fields(&self) -> Vec<SetupField<Piece>> {
        let field = |SetupField { field, seat, entry }| SetupField {
            field,
            seat,
            entry: match entry {
                SetupEntry::Seat { value, seats } => SetupEntry::Seat { value, seats },
                SetupEntry::Number { value, most } => SetupEntry::Number { value, most },
                SetupEntry::Piece { value, choices } => SetupEntry::Piece {
                    value: value.map(|piece| self.drawn(piece)),
                    choices: choices.into_iter().map(|piece| self.drawn(piece)).collect(),
                },
            },
        };
        self.0.fields().into_iter().map(field).collect()
    }

    fn set(&mut self, at: usize, value: SetupValue<Piece>) {
        let value = match value {
            SetupValue::Seat(seat) => SetupValue::Seat(seat),
            SetupValue::Number(number) => SetupValue::Number(number),
            SetupValue::Piece(None) => SetupValue::Piece(None),
            SetupValue::Piece(Some(drawn)) => {
                let Some(SetupEntry::Piece { choices, .. }) =
                    self.0.fields().into_iter().nth(at).map(|field| field.entry)
                else {
                    return;
                };
                let Some(piece) = self.find(choices, drawn) else { return };
                SetupValue::Piece(Some(piece))
            }
        };
        self.0.set(at, value);
    }

    fn position(&self) -> Result<Box<dyn AnyPosition>, BadPosition> {
        Ok(Box::new(self.0.position()?))
    }

    fn boxed(&self) -> Box<dyn AnySetup> {
        Box::new(self.clone())
    }
}
