use rules::{Phrase, Seat, Side, Square};

use crate::{Card, Ground, Piece, Quality};

/// Everything a scene has to say, without words; `locale` says it in a language.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Message {
    // What to do. Each names the seat that is to act.
    /// Quarto: choose a piece for the opponent.
    Give {
        /// The seat to act.
        seat: Seat,
        /// Who gets the piece.
        to: Seat,
    },
    /// Quarto: put the given piece on an empty square.
    PlaceFigure {
        /// The seat to act.
        seat: Seat,
        /// The piece in hand.
        piece: Piece,
    },
    /// Quarto: the board is full; call a row or pass.
    CallOrPass {
        /// The seat to act.
        seat: Seat,
    },
    /// Quarto: a row is called; choose two of its squares.
    ChooseRow,
    /// Quixo: take a cube from the border, blank or with the own symbol.
    TakeCube {
        /// The seat to act.
        seat: Seat,
        /// The symbol it plays.
        side: Side,
    },
    /// Quixo for four: take a cube from the border, blank or with the team's symbol and a dot that points to the seat.
    TakeDottedCube {
        /// The seat to act.
        seat: Seat,
        /// The symbol its team plays.
        side: Side,
    },
    /// Quixo: a cube is taken; choose the end where it enters.
    ChooseEntry,
    /// Quixo for four: choose to whom the dot points.
    ChooseDot,
    /// Nothing can be done: pass.
    MustPass {
        /// The seat to act.
        seat: Seat,
    },
    /// Sequence: the pictures of the board are being laid.
    LayingTiles,
    /// Sequence: the cards are being dealt.
    Dealing,
    /// Sequence: this seat draws a card.
    Drawing {
        /// Who draws.
        seat: Seat,
    },
    /// Sequence: play a card (or exchange a dead one).
    PlayCard {
        /// The seat to act.
        seat: Seat,
    },
    /// Sequence: the card is chosen; choose a square that shows it.
    ChoosePicture {
        /// The card.
        card: Card,
    },
    /// Sequence: the Unicorn is chosen; choose any open square.
    ChooseOpenSquare,
    /// Sequence: the Dragon is chosen; choose an opponent's chip.
    ChooseChip,
    /// Sequence: a dead card is chosen; it can be exchanged.
    ExchangeDeadCard {
        /// The card.
        card: Card,
    },
    /// Four, opening: place a stone.
    PlaceOpeningStone {
        /// The seat to act.
        seat: Seat,
        /// How many the seat still places before the main game, this one included.
        left: u16,
    },
    /// Four: fewer than ten stones are on the board, so place one.
    MustPlaceStone {
        /// The seat to act.
        seat: Seat,
    },
    /// Four: place a stone or move up to so many times.
    PlaceOrMove {
        /// The seat to act.
        seat: Seat,
        /// Movements.
        movements: u16,
    },
    /// Four: twenty stones are on the board or none is in reserve, so move.
    MustMove {
        /// The seat to act.
        seat: Seat,
        /// Movements.
        movements: u16,
    },
    /// Four: the turn goes on; move again or end it.
    MoveOrEnd {
        /// The seat to act.
        seat: Seat,
        /// Movements left.
        movements: u16,
    },
    /// Four: a stone is chosen; choose where it slides.
    ChooseDestination,
    /// Four, opening: the placement surrounds several stones; choose the one to capture.
    ChooseCapture,

    // How it ended.
    /// A side won.
    Won {
        /// Who.
        side: Side,
        /// How.
        how: Victory,
    },
    /// No side won.
    Drawn {
        /// Why.
        why: DrawReason,
    },

    // What happened.
    /// Quarto: a piece was given.
    Gave {
        /// By whom.
        seat: Seat,
        /// To whom.
        to: Seat,
        /// What.
        piece: Piece,
    },
    /// Quarto: a piece was placed.
    PlacedFigure {
        /// By whom.
        seat: Seat,
        /// What.
        piece: Piece,
        /// Where.
        square: Square,
    },
    /// Quarto: a row was called.
    Called {
        /// By whom.
        seat: Seat,
        /// What the row has in common.
        common: Vec<Quality>,
    },
    /// A seat passed.
    Passed {
        /// Who.
        seat: Seat,
    },
    /// Quixo: a cube was taken and pushed in.
    Pushed {
        /// By whom.
        seat: Seat,
        /// The symbol now on top.
        side: Side,
        /// Where it was taken.
        from: Square,
        /// Where it entered.
        to: Square,
        /// In the team game, to whom its dot points now.
        dot: Option<Seat>,
    },
    /// Sequence: a picture was laid.
    LaidTile {
        /// The animal.
        card: Card,
        /// Where.
        square: Square,
    },
    /// Sequence: a card was drawn.
    Drew {
        /// By whom.
        seat: Seat,
        /// Which; `None` if the viewer may not know.
        card: Option<Card>,
        /// Whether the discards were shuffled into a new pile first (SQ11).
        reshuffled: bool,
    },
    /// Sequence: a card was played and a chip placed.
    PlayedCard {
        /// By whom.
        seat: Seat,
        /// Which; also the Unicorn.
        card: Card,
        /// Where the chip is.
        square: Square,
    },
    /// Sequence: a Dragon removed a chip.
    RemovedChip {
        /// By whom.
        seat: Seat,
        /// Whose chip it was.
        owner: Seat,
        /// Where it was.
        square: Square,
    },
    /// Sequence: a dead card was exchanged.
    Swapped {
        /// By whom.
        seat: Seat,
        /// Which.
        card: Card,
    },
    /// Four: a stone was placed.
    PlacedStone {
        /// By whom.
        seat: Seat,
        /// Where.
        square: Square,
        /// The stones it captured.
        captured: Vec<Square>,
    },
    /// Four: a stone was moved.
    MovedStone {
        /// By whom.
        seat: Seat,
        /// From where.
        from: Square,
        /// To where.
        to: Square,
        /// The stones it captured.
        captured: Vec<Square>,
        /// Movements left in the turn after it.
        left: u16,
    },
    /// Four: a seat ended its turn.
    EndedTurn {
        /// Who.
        seat: Seat,
    },

    // What only one game says.
    /// What a seat of one game is to do, or what happened in it: the text `say_…` of its message file.
    OfGame {
        /// The game and the key.
        phrase: Phrase,
        /// The seat that is to do it; `None` in a report of what happened.
        asked: Option<Seat>,
        /// What stands in the sentence, in the order in which the message file declares it.
        arguments: Vec<PhraseArgument>,
    },

    // What is where, for screen readers and hints.
    /// A square of the board.
    Cell {
        /// Where.
        square: Square,
        /// What is printed there.
        ground: Ground,
        /// What stands there.
        piece: Option<Piece>,
    },
}

impl Message {
    /// Whether a list of what happened can leave it out: set-up, or a card that the viewer does not see.
    pub fn is_minor(&self) -> bool {
        matches!(self, Message::LaidTile { .. } | Message::Drew { card: None, reshuffled: false, .. })
    }
}

/// What can stand in a sentence of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PhraseArgument {
    /// A seat, by its name.
    Seat(Seat),
    /// A square.
    Square(Square),
    /// A piece, by its name.
    Piece(Piece),
    /// A number, which may be counted: `count: number`.
    Number(u64),
}

/// How a game was won on the board.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Victory {
    /// Quarto: a row (or square) of figures with this in common.
    Common(Vec<Quality>),
    /// Quixo, Sequence: a line of the own symbol or chips.
    Line,
    /// Quixo: the opponent completed this side's line (QX5).
    GivenLine,
    /// Four: the target was reached.
    Target {
        /// Points of the winner.
        points: u16,
    },
    /// Four: the game ended otherwise, with more points.
    MorePoints {
        /// Points of the winner.
        points: u16,
        /// Points of the loser.
        against: u16,
    },
    /// What only one game wins by: the text `victory_…` of its message file.
    OfGame(Phrase),
}

/// Why the board shows a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DrawReason {
    /// Quarto: all figures stand and no row was made or called.
    BoardFull,
    /// Everybody passed.
    AllPassed,
    /// Four: it ended with equal points.
    EqualPoints {
        /// Points of both.
        points: u16,
    },
    /// What only one game is drawn by: the text `draw_…` of its message file.
    OfGame(Phrase),
}
