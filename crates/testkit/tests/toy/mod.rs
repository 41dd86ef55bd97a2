//! A tiny game that keeps every promise, or breaks exactly one of them.
//!
//! Two heaps of three pennies. Chance first deals each seat a hidden card, then the seats in turn take one or two
//! pennies from one heap; who takes the last penny wins. The cards do nothing but be hidden.

use std::cell::Cell;
use std::fmt;
use std::str::FromStr;

use rules::{
    ActionList, BadOptions, BadPosition, Editable, Field, HiddenInformation, OptionSpec, OptionValues, Options,
    Outcome, Position, Reason, Seat, Setup, SetupEntry, SetupField, SetupValue, Side, Square, Symmetric, Turn,
    UnreadableAction, Viewer, given_options,
};
use scene::{
    Board, BoardStyle, Button, DrawReason, Ground, Happening, Message, Motion, Piece, Place, Scene, Spot, Staged, Token,
};

/// Which promise a toy breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    None,
    OptionsForgotten,
    NoAction,
    ActionWhenOver,
    SeatThree,
    Twice,
    PicksAnother,
    ActionText,
    TwoWords,
    PositionText,
    NoWeight,
    ChanceUnknown,
    PlayTakesMore,
    PlayTakesLess,
    RefusalPlays,
    UncheckedDiffers,
    OwnActionHidden,
    ViewLeaks,
    ViewDebugLeaks,
    DrawLeaks,
    ActionsLeak,
    GuessIsFixed,
    GuessDisagrees,
    GuessUnlawful,
    RedeterminedLeaks,
    NotIdentity,
    NotUndone,
    TurnsWrong,
    TurnsActionsWrong,
    SameTouches,
    PrefixTouches,
    HiddenButton,
    SceneLeaks,
    HappeningLeaks,
    Hash,
    GhostMotion,
    SkipStays,
    SkipOfTwo,
    WrongReason,
    SetupForgets,
    SetupShowsNothing,
    SetupIgnores,
    SetupUnlawful,
    SetupNeverClear,
}

thread_local! {
    /// Every test has its thread, and so its own flaw; a type per flaw would take the compiler a minute.
    static FLAW: Cell<Flaw> = const { Cell::new(Flaw::None) };
}

/// Breaks every toy of this thread.
pub(crate) fn plant(flaw: Flaw) {
    FLAW.set(flaw);
}

fn flaw() -> Flaw {
    FLAW.get()
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct ToyOptions {
    pub(crate) tall: bool,
}

impl Options for ToyOptions {
    fn spec() -> &'static [OptionSpec] {
        &[OptionSpec { name: "tall", values: OptionValues::OneOf(&["no", "yes"]) }]
    }

    fn value(&self, name: &str) -> Option<String> {
        (name == "tall").then(|| if self.tall { "yes" } else { "no" }.to_owned())
    }
}

impl fmt::Display for ToyOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.tall { "tall=yes" } else { "" })
    }
}

impl FromStr for ToyOptions {
    type Err = BadOptions;

    fn from_str(text: &str) -> Result<Self, BadOptions> {
        let given = given_options(text, Self::spec())?;
        Ok(ToyOptions { tall: given.contains(&("tall", "yes")) })
    }
}

/// `l1`, `r2`, `deal:a`; with the matching flaw the text of taking two has two words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ToyAction {
    Take { heap: usize, count: u8 },
    Deal(Card),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Card {
    A,
    B,
    C,
}

pub(crate) const CARDS: [Card; 3] = [Card::A, Card::B, Card::C];

impl Card {
    fn letter(self) -> char {
        ['a', 'b', 'c'][self as usize]
    }

    fn renamed(self) -> Card {
        CARDS[(self as usize + 1) % 3]
    }

    fn read(text: &str) -> Option<Card> {
        CARDS.into_iter().find(|card| text.len() == 1 && text.starts_with(card.letter()))
    }
}

impl fmt::Display for ToyAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ToyAction::Take { count: 2, .. } if flaw() == Flaw::TwoWords => f.write_str("take two"),
            ToyAction::Take { heap, .. } if flaw() == Flaw::ActionText => write!(f, "{}1", ['l', 'r'][heap]),
            ToyAction::Take { heap, count } => write!(f, "{}{count}", ['l', 'r'][heap]),
            ToyAction::Deal(card) => write!(f, "deal:{}", card.letter()),
        }
    }
}

impl FromStr for ToyAction {
    type Err = UnreadableAction;

    fn from_str(text: &str) -> Result<Self, UnreadableAction> {
        let take = |heap, count| Ok(ToyAction::Take { heap, count });
        match text {
            "take two" if flaw() == Flaw::TwoWords => take(0, 2),
            "l1" => take(0, 1),
            "l2" => take(0, 2),
            "r1" => take(1, 1),
            "r2" => take(1, 2),
            _ => text
                .strip_prefix("deal:")
                .and_then(Card::read)
                .map(ToyAction::Deal)
                .ok_or_else(|| UnreadableAction::new(text, "l1, l2, r1, r2 or deal:a")),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Toy {
    pub(crate) heaps: [u8; 2],
    pub(crate) seat: Seat,
    pub(crate) cards: [Option<Card>; 2],
    pub(crate) options: ToyOptions,
}

impl std::hash::Hash for Toy {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        if flaw() == Flaw::Hash {
            (self as *const Self as usize).hash(state);
        }
        (self.heaps, self.seat, self.cards, self.options).hash(state);
    }
}

/// What one viewer may know of a toy; `None` is a hidden card or none.
#[derive(Clone)]
pub(crate) struct ToyView {
    toy: Toy,
    dealt: [bool; 2],
    /// Hidden from every seat, but a debugger can see it.
    whole: Option<Toy>,
}

impl PartialEq for ToyView {
    fn eq(&self, other: &Self) -> bool {
        self.toy == other.toy && self.dealt == other.dealt
    }
}

impl Eq for ToyView {}

impl fmt::Debug for ToyView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = self.whole.as_ref().filter(|_| flaw() == Flaw::ViewDebugLeaks);
        write!(f, "{:?} {:?} {whole:?}", self.toy, self.dealt)
    }
}

impl fmt::Display for ToyView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.toy, self.dealt)
    }
}

impl Toy {
    fn height(options: &ToyOptions) -> u8 {
        if options.tall { 4 } else { 3 }
    }

    fn over(&self) -> bool {
        self.heaps == [0, 0]
    }

    /// Chance deals to seat 1, then to seat 2.
    fn to_deal(&self) -> Option<usize> {
        self.cards.iter().position(Option::is_none)
    }
}

impl fmt::Display for Toy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |seat: usize| self.cards[seat].map_or('-', Card::letter);
        let [left, right] = self.heaps;
        let seat = if flaw() == Flaw::PositionText { Seat::ONE } else { self.seat };
        write!(f, "{left},{right} {seat} {}|{}", letter(0), letter(1))
    }
}

impl Position for Toy {
    const ID: &'static str = "toy";
    type Options = ToyOptions;
    type Action = ToyAction;
    type View = ToyView;

    fn start(options: &ToyOptions) -> Self {
        Toy { heaps: [Self::height(options); 2], seat: Seat::ONE, cards: [None; 2], options: *options }
    }

    fn parse(options: &ToyOptions, text: &str) -> Result<Self, BadPosition> {
        let bad = || BadPosition::Fields { expected: &[Field::Board, Field::Seat, Field::Hands], found: 0 };
        let [heaps, seat, cards] = text.split(' ').collect::<Vec<_>>()[..] else { return Err(bad()) };
        let (left, right) = heaps.split_once(',').ok_or_else(bad)?;
        let heap = |text: &str| text.parse().ok().filter(|&n| n <= Self::height(options)).ok_or_else(bad);
        let (first, second) = cards.split_once('|').ok_or_else(bad)?;
        let card = |text: &str| if text == "-" { Ok(None) } else { Card::read(text).map(Some).ok_or_else(bad) };
        let cards = [card(first)?, card(second)?];
        let heaps = [heap(left)?, heap(right)?];
        // The deck has each card once.
        if cards[0].is_some() && cards[0] == cards[1] {
            return Err(bad());
        }
        Ok(Toy { heaps, seat: seat.parse().map_err(|_| bad())?, cards, options: *options })
    }

    fn options(&self) -> ToyOptions {
        if flaw() == Flaw::OptionsForgotten { ToyOptions::default() } else { self.options }
    }

    fn seats(&self) -> u8 {
        2
    }

    fn turn(&self) -> Turn {
        if self.to_deal().is_some() {
            return Turn::Chance;
        }
        match self.over() {
            true if flaw() == Flaw::SeatThree => Turn::Over(Outcome::Win(Side::from_index(2))),
            true => Turn::Over(Outcome::Win(Side::from_index(1 - self.seat.index()))),
            false => Turn::Seat(self.seat),
        }
    }

    fn actions(&self, into: &mut ActionList<ToyAction>) {
        into.clear();
        if self.to_deal().is_some() {
            for card in CARDS.into_iter().filter(|card| !self.cards.contains(&Some(*card))) {
                into.push(ToyAction::Deal(card));
            }
            return;
        }
        if flaw() == Flaw::NoAction && self.heaps == [1, 1] {
            return;
        }
        for heap in 0..2 {
            for count in (1..=2).filter(|&count| count <= self.heaps[heap]) {
                let forbidden = flaw() == Flaw::ActionsLeak && self.cards[1 - self.seat.index()] == Some(Card::A);
                if !(forbidden && count == 2) {
                    into.push(ToyAction::Take { heap, count });
                }
            }
        }
        if flaw() == Flaw::Twice && into.len() == 4 {
            into.push(ToyAction::Take { heap: 0, count: 1 });
        }
        if flaw() == Flaw::ActionWhenOver && self.over() {
            into.push(ToyAction::Take { heap: 0, count: 1 });
        }
    }

    fn pick(&self, list: &mut ActionList<ToyAction>, choose: impl FnOnce(usize) -> usize) -> Option<ToyAction> {
        self.actions(list);
        let place = if list.is_empty() { 0 } else { choose(list.len()) };
        list.get(if flaw() == Flaw::PicksAnother { 0 } else { place }).copied()
    }

    fn is_chance(action: ToyAction) -> bool {
        matches!(action, ToyAction::Deal(_)) && flaw() != Flaw::ChanceUnknown
    }

    fn weight(&self, outcome: ToyAction) -> u32 {
        u32::from(flaw() != Flaw::NoWeight || outcome != ToyAction::Deal(Card::C))
    }

    fn play_unchecked(&mut self, action: ToyAction) {
        match action {
            ToyAction::Deal(card) => {
                if let Some(seat) = self.to_deal() {
                    self.cards[seat] = Some(card);
                }
            }
            ToyAction::Take { heap, count } => {
                self.heaps[heap] = self.heaps[heap].saturating_sub(count);
                self.seat = self.seat.next(2);
            }
        }
    }

    fn view(&self, viewer: Viewer) -> ToyView {
        let mut toy = self.clone();
        let dealt = self.cards.map(|card| card.is_some());
        for seat in Seat::all(2).filter(|&seat| viewer != Viewer::Seat(seat) && !self.over()) {
            if flaw() != Flaw::ViewLeaks || seat == Seat::TWO {
                toy.cards[seat.index()] = None;
            }
        }
        ToyView { toy, dealt, whole: matches!(flaw(), Flaw::ViewDebugLeaks | Flaw::SceneLeaks).then(|| self.clone()) }
    }

    fn redetermined(&self, next: Option<ToyAction>, viewer: Viewer) -> Self {
        if flaw() == Flaw::RedeterminedLeaks {
            return self.clone();
        }
        let mut toy = Toy::guess(&self.view(viewer), &mut |_| 0);
        // A card that is dealt next lies in no hand.
        if let Some(ToyAction::Deal(card)) = next
            && let Some(holder) = toy.cards.iter().position(|held| *held == Some(card))
        {
            toy.cards[holder] = CARDS.into_iter().find(|other| !toy.cards.contains(&Some(*other)));
        }
        toy
    }

    fn refusal(&self, _action: ToyAction) -> Reason {
        if self.over() && flaw() != Flaw::WrongReason { Reason::GameOver } else { Reason::NotPossibleNow }
    }

    fn skip_turn(&mut self) -> bool {
        let Turn::Seat(seat) = self.turn() else { return false };
        match flaw() {
            Flaw::SkipStays => true,
            Flaw::SkipOfTwo => {
                self.seat = seat.next(2);
                true
            }
            _ => false,
        }
    }

    fn seen_action(&self, action: ToyAction, viewer: Viewer) -> String {
        let receiver = self.to_deal().map(|seat| Viewer::Seat(Seat::from_index(seat)));
        match action {
            ToyAction::Deal(card) if flaw() == Flaw::DrawLeaks && card == Card::B => action.to_string(),
            ToyAction::Deal(_) if receiver != Some(viewer) => "deal:?".to_owned(),
            ToyAction::Take { .. } if flaw() == Flaw::OwnActionHidden => "take:?".to_owned(),
            _ => action.to_string(),
        }
    }

    fn play(&mut self, action: ToyAction) -> Result<(), rules::IllegalAction> {
        let legal = match flaw() {
            Flaw::PlayTakesMore => self.is_legal(action) || matches!(action, ToyAction::Deal(_)),
            Flaw::PlayTakesLess => self.is_legal(action) && action != ToyAction::Take { heap: 1, count: 2 },
            _ => self.is_legal(action),
        };
        if legal {
            self.play_unchecked(action);
            // Checked play that counts differently replays to something else.
            if flaw() == Flaw::UncheckedDiffers && self.heaps == [1, 1] {
                self.seat = self.seat.next(2);
            }
            return Ok(());
        }
        if flaw() == Flaw::RefusalPlays {
            self.seat = self.seat.next(2);
        }
        Err(rules::IllegalAction { action: action.to_string(), reason: self.refusal(action) })
    }
}

impl HiddenInformation for Toy {
    fn guess(view: &ToyView, random: &mut dyn FnMut(u32) -> u32) -> Self {
        let mut toy = view.toy.clone();
        for seat in 0..2 {
            let open: Vec<Card> = CARDS.into_iter().filter(|card| !toy.cards.contains(&Some(*card))).collect();
            if view.dealt[seat] && toy.cards[seat].is_none() {
                let pick = if flaw() == Flaw::GuessIsFixed { 0 } else { random(open.len() as u32) as usize };
                toy.cards[seat] = Some(open[pick]);
                if flaw() == Flaw::GuessUnlawful {
                    toy.cards[seat] = toy.cards[1 - seat].or(toy.cards[seat]);
                }
            }
        }
        if flaw() == Flaw::GuessDisagrees && toy.heaps[0] == 1 {
            toy.heaps[0] = 2;
        }
        toy
    }
}

impl Symmetric for Toy {
    fn symmetries(&self) -> usize {
        2
    }

    fn transform(&self, symmetry: usize) -> Self {
        let mut toy = self.clone();
        match flaw() {
            // Renaming three cards in a circle takes three steps to undo, and there are only two symmetries.
            Flaw::NotUndone if symmetry == 1 => toy.cards = self.cards.map(|card| card.map(Card::renamed)),
            Flaw::NotIdentity if symmetry == 0 => toy.heaps.reverse(),
            Flaw::NotUndone | Flaw::NotIdentity => {}
            _ if symmetry == 1 => toy.heaps.reverse(),
            _ => {}
        }
        if flaw() == Flaw::TurnsWrong && symmetry == 1 && toy.heaps[0] == 2 {
            toy.seat = toy.seat.next(2);
        }
        toy
    }

    fn transform_action(&self, symmetry: usize, action: ToyAction) -> ToyAction {
        match (action, flaw()) {
            (ToyAction::Deal(card), Flaw::NotUndone) if symmetry == 1 => ToyAction::Deal(card.renamed()),
            (ToyAction::Take { heap, count }, Flaw::NotIdentity) if symmetry == 0 => {
                ToyAction::Take { heap: 1 - heap, count }
            }
            (_, Flaw::NotUndone | Flaw::NotIdentity | Flaw::TurnsActionsWrong) => action,
            (ToyAction::Take { heap, count }, _) if symmetry == 1 => ToyAction::Take { heap: 1 - heap, count },
            _ => action,
        }
    }
}

fn heap_square(heap: usize) -> Spot {
    Spot::Square(Square::new(heap as u8, 0))
}

/// The toy's heaps and seat to act, as numbers beside an empty board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ToySetup(Toy);

impl Editable for Toy {
    type Setup = ToySetup;
}

impl Setup for ToySetup {
    type Position = Toy;
    type Piece = Seat;

    fn of(position: &Toy) -> ToySetup {
        let mut toy = position.clone();
        if flaw() == Flaw::SetupForgets {
            toy.seat = Seat::ONE;
        }
        ToySetup(toy)
    }

    fn options(&self) -> ToyOptions {
        self.0.options
    }

    fn pieces(&self) -> Vec<Seat> {
        Vec::new()
    }

    fn piece(&self, _: Square) -> Option<Seat> {
        (flaw() == Flaw::SetupShowsNothing).then_some(Seat::ONE)
    }

    fn put(&mut self, _: Square, _: Option<Seat>) {}

    fn clear(&mut self) {
        self.0.heaps = [if flaw() == Flaw::SetupNeverClear { u8::MAX } else { 0 }; 2];
    }

    fn fields(&self) -> Vec<SetupField<Seat>> {
        let heap = |value| SetupEntry::Number { value, most: u8::MAX };
        let fields = [SetupEntry::Seat { value: self.0.seat, seats: 2 }, heap(self.0.heaps[0]), heap(self.0.heaps[1])];
        fields.map(|entry| SetupField { field: Field::Board, seat: None, entry }).into()
    }

    fn set(&mut self, field: usize, value: SetupValue<Seat>) {
        match (field, value) {
            (0, SetupValue::Seat(seat)) => self.0.seat = seat,
            (1, SetupValue::Number(_)) if flaw() == Flaw::SetupIgnores => {}
            (1 | 2, SetupValue::Number(height)) => self.0.heaps[field - 1] = height,
            _ => {}
        }
    }

    fn readings(&self) -> Vec<Result<Toy, BadPosition>> {
        let checked = Toy::parse(&self.0.options, &self.0.to_string());
        vec![if flaw() == Flaw::SetupUnlawful { Ok(self.0.clone()) } else { checked }]
    }
}

impl Staged for Toy {
    fn scene(view: &ToyView, viewer: Viewer) -> Scene {
        let board = Board::new(2, 1, |_| (Ground::Cell, None));
        let own = Viewer::Seat(Seat::ONE) == viewer || view.toy.over();
        let leaked = view.whole.as_ref().and_then(|toy| toy.cards[0]).filter(|_| !own);
        let seat = if leaked == Some(Card::A) { Seat::THREE } else { Seat::ONE };
        let mut scene = Scene::new(BoardStyle::Grid, board, Message::MustPass { seat });
        if flaw() != Flaw::HiddenButton {
            scene.buttons = vec![Button::Pass, Button::End];
        }
        scene
    }

    /// One penny or two: a heap, then a button.
    fn touches(_view: &ToyView, action: ToyAction) -> Vec<Spot> {
        let ToyAction::Take { heap, count } = action else { return Vec::new() };
        match (count, flaw()) {
            (1, Flaw::PrefixTouches) => vec![heap_square(heap)],
            (1, _) | (_, Flaw::SameTouches) => vec![heap_square(heap), Spot::Button(Button::Pass)],
            _ => vec![heap_square(heap), Spot::Button(Button::End)],
        }
    }

    fn prompt(_: &ToyView, _: Viewer, _: &[Spot]) -> Message {
        Message::Drawn { why: DrawReason::AllPassed }
    }

    fn meant(_: &ToyView, _: &[Spot]) -> Option<ToyAction> {
        None
    }

    fn setup_piece(_: &ToyOptions, seat: Seat) -> Piece {
        Piece::Stone(Token::of(seat))
    }

    fn happening(&self, action: ToyAction, viewer: Viewer) -> Happening {
        let receiver = self.to_deal().map(|seat| Viewer::Seat(Seat::from_index(seat)));
        let told = match action {
            ToyAction::Deal(Card::B) if flaw() == Flaw::HappeningLeaks || receiver == Some(viewer) => Seat::TWO,
            _ => Seat::ONE,
        };
        let square = Place::Square(Square::new(0, 0));
        let ghost = Motion { piece: Piece::Cube(None), from: Place::Pile, to: square, step: 0 };
        let motions = if flaw() == Flaw::GhostMotion { vec![ghost] } else { Vec::new() };
        Happening { message: Message::Passed { seat: told }, motions, highlights: Vec::new() }
    }
}
