//! A position that is being put together: what stands where, and what the text of a position says besides.
//!
//! A position text refuses much that a hand puts on a board for a moment, so a draft is no position. It offers the texts
//! that what one sees could mean; the first that the rules accept is the position.

use game::{AnyPosition, Game, GameId};
use rules::sequence::Card;
use rules::{BadPosition, Seat, Side, Square};
use scene::{Figure, Mark, Piece};

/// Cards of a hand.
const HAND: usize = 3;
/// A square with nothing on it.
pub const EMPTY: char = '.';
/// A free corner, which nothing can be put on.
const CORNER: char = '*';

/// A position that is being put together.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The game with its options.
    pub game: Game,
    columns: u8,
    /// What stands on each square, from a1 along the rows, in the letters of the position text.
    cells: Vec<char>,
    /// Who is to act, as far as the board leaves that open.
    pub acting: Seat,
    /// Quarto: the piece in hand.
    pub hand: Option<char>,
    /// The square that something was put on last.
    last: Option<Square>,
    /// Four: the points of each seat.
    pub points: [u8; 2],
    /// Sequence: the cards that each seat is to have, as far as there are enough of them.
    pub hands: Vec<Vec<Card>>,
    /// Sequence: where the pictures are, if they were shuffled.
    layout: Option<String>,
    /// Sequence: the picture of each square.
    pictures: Vec<Option<Card>>,
}

impl Draft {
    /// Begins with a position of a game.
    pub fn of(game: &Game, position: &dyn AnyPosition) -> Draft {
        let scene = position.scene(rules::Viewer::Spectator);
        let text = position.to_string();
        let fields: Vec<&str> = text.split(' ').collect();
        let field = |at: usize| fields.get(at).copied().unwrap_or_default();
        let id = game.id();
        let acting = if id == GameId::Quarto { field(2) } else { field(1) };
        let pair = |text: &str| {
            let mut numbers = text.split(',').map(|number| number.parse().unwrap_or_default());
            [numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default()]
        };
        let picture = |cell: &scene::Cell| match cell.ground {
            scene::Ground::Picture(card) => Some(card),
            _ => None,
        };
        Draft {
            game: game.clone(),
            columns: scene.board.columns,
            cells: read_board(field(0)),
            acting: acting.trim_start_matches('-').trim_end_matches('!').parse().unwrap_or(Seat::ONE),
            hand: (id == GameId::Quarto).then(|| field(1).chars().next()).flatten().filter(|letter| *letter != '-'),
            last: (id == GameId::Quarto).then(|| field(3).parse().ok()).flatten(),
            points: if id == GameId::Four { pair(field(3)) } else { [0; 2] },
            hands: if id == GameId::Sequence { read_hands(field(2)) } else { Vec::new() },
            layout: (id == GameId::Sequence && fields.len() > 6).then(|| field(6).to_owned()),
            pictures: squares(scene.board.columns, scene.board.rows)
                .map(|square| scene.board.cell(square).and_then(picture))
                .collect(),
        }
    }

    /// What can be put on squares, in the letters of the position text; first comes nothing.
    pub fn brushes(&self) -> Vec<char> {
        let letters: String = match self.game.id() {
            GameId::Quarto => "0123456789abcdef".to_owned(),
            GameId::Quixo if self.game.seats() == 4 => "xXoO".to_owned(),
            GameId::Quixo | GameId::Four => "xo".to_owned(),
            GameId::Sequence => "1234"[..usize::from(self.game.seats())].to_owned(),
        };
        std::iter::once(EMPTY).chain(letters.chars()).collect()
    }

    /// The picture of a letter; nothing for an empty square.
    pub fn piece(&self, letter: char) -> Option<Piece> {
        let seat = |index| Seat::from_index(index);
        match (self.game.id(), letter) {
            // The tray of Quixo is always full.
            (GameId::Quixo, EMPTY) => Some(Piece::Cube(None)),
            (GameId::Quixo, _) => {
                let owner = "xoXO".find(letter)?;
                let dot = (self.game.seats() == 4).then(|| seat(owner));
                Some(Piece::Cube(Some(Mark { side: Side::from_index(owner & 1), dot })))
            }
            (GameId::Quarto, _) => Some(Piece::Figure(Figure::new(letter.to_digit(16)? as u8)?)),
            (GameId::Four, _) => Some(Piece::Stone(seat("xo".find(letter)?))),
            (GameId::Sequence, _) => Some(Piece::Chip(seat("1234".find(letter)?))),
        }
    }

    /// What stands on a square.
    pub fn at(&self, square: Square) -> char {
        self.cells.get(self.index(square)).copied().unwrap_or(EMPTY)
    }

    /// Puts something on a square, or takes it away if it is there already.
    pub fn put(&mut self, square: Square, letter: char) {
        let index = self.index(square);
        let Some(&before) = self.cells.get(index) else { return };
        if before == CORNER {
            return;
        }
        let letter = if before == letter { EMPTY } else { letter };
        self.take_up(letter);
        self.cells[index] = letter;
        if letter != EMPTY {
            self.last = Some(square);
        }
    }

    /// Puts a piece into the hand, or takes it away if it is there already.
    pub fn give(&mut self, letter: char) {
        let letter = Some(letter).filter(|letter| *letter != EMPTY && self.hand != Some(*letter));
        if let Some(letter) = letter {
            self.take_up(letter);
        }
        self.hand = letter;
    }

    /// Takes everything off the board.
    pub fn clear(&mut self) {
        self.cells.iter_mut().filter(|cell| **cell != CORNER).for_each(|cell| *cell = EMPTY);
        (self.hand, self.last, self.points, self.acting) = (None, None, [0; 2], Seat::ONE);
    }

    /// Whether a piece can stand in one place only, and does so already.
    pub fn is_used(&self, letter: char) -> bool {
        self.game.id() == GameId::Quarto
            && letter != EMPTY
            && (self.cells.contains(&letter) || self.hand == Some(letter))
    }

    /// Whether the board leaves open who is to act.
    pub fn may_choose_seat(&self) -> bool {
        matches!(self.game.id(), GameId::Quixo | GameId::Four)
    }

    /// The text of the position, or why there is none.
    pub fn position(&self) -> Result<String, BadPosition> {
        let mut refused = None;
        for text in self.texts() {
            match self.game.parse_position(&text) {
                Ok(_) => return Ok(text),
                // That another seat is to act is never what is wrong: another text has it.
                Err(problem) => {
                    let told = refused.is_none() || matches!(refused, Some(BadPosition::TurnOf(_)));
                    refused = if told { Some(problem) } else { refused };
                }
            }
        }
        Err(refused.unwrap_or(BadPosition::AfterTheEnd))
    }

    /// There is one of each piece of Quarto: what is put somewhere leaves where it was.
    fn take_up(&mut self, letter: char) {
        if self.game.id() == GameId::Quarto && letter != EMPTY {
            self.cells.iter_mut().filter(|cell| **cell == letter).for_each(|cell| *cell = EMPTY);
            self.hand = self.hand.filter(|held| *held != letter);
        }
    }

    fn index(&self, square: Square) -> usize {
        usize::from(square.row) * usize::from(self.columns) + usize::from(square.column)
    }

    fn rows(&self) -> u8 {
        (self.cells.len() / usize::from(self.columns).max(1)) as u8
    }

    fn count(&self, letter: char) -> usize {
        self.cells.iter().filter(|cell| **cell == letter).count()
    }

    /// What the board could mean, the likeliest first.
    fn texts(&self) -> Vec<String> {
        match self.game.id() {
            GameId::Quarto => self.quarto(),
            GameId::Quixo => {
                let passes = if self.game.seats() == 4 { " 0" } else { "" };
                vec![format!("{} {}{passes}", self.board(), self.acting)]
            }
            GameId::Sequence => self.sequence(),
            GameId::Four => self.four(),
        }
    }

    fn board(&self) -> String {
        let ranks: Vec<String> =
            self.cells.chunks(usize::from(self.columns).max(1)).rev().map(|rank| rank.iter().collect()).collect();
        ranks.join("/")
    }

    /// The number of pieces says whose turn it is, and a row must have been completed by the piece placed last.
    fn quarto(&self) -> Vec<String> {
        let taken = |square: &Square| self.at(*square) != EMPTY;
        let others = squares(self.columns, self.rows()).filter(|square| taken(square) && Some(*square) != self.last);
        let lasts: Vec<String> =
            self.last.filter(taken).into_iter().chain(others).map(|square| square.to_string()).collect();
        let lasts = if lasts.is_empty() { vec!["-".to_owned()] } else { lasts };
        let (board, hand) = (self.board(), self.hand.unwrap_or('-'));
        let text = |last: &String| Seat::all(2).map(move |seat| (seat, last.clone())).collect::<Vec<_>>();
        let texts = lasts.iter().flat_map(text);
        texts.map(|(seat, last)| format!("{board} {hand} {seat} {last}")).collect()
    }

    /// Every stone that was ever in a reserve is there, on the board, or a point of the opponent.
    fn four(&self) -> Vec<String> {
        let start: usize = self.game.option("reserve").and_then(|text| text.parse().ok()).unwrap_or_default();
        let [points1, points2] = self.points;
        let left = |letter, lost: u8| start.saturating_sub(self.count(letter) + usize::from(lost));
        let reserves = format!("{},{}", left('x', points2), left('o', points1));
        let board = packed(&self.board());
        let text = |seat: Seat, phase| format!("{board} {seat} {phase} {points1},{points2} {reserves} 0 0 - -");
        let other = Seat::from_index(1 - self.acting.index().min(1));
        // The main game begins when both have ten stones, and never goes back.
        let opening = self.count('x') < 10 || self.count('o') < 10;
        let main = [text(self.acting, "4")];
        let openings = [text(self.acting, "opening"), text(other, "opening")];
        if opening { openings.into_iter().chain(main).collect() } else { main.into_iter().chain(openings).collect() }
    }

    /// Each chip was put there with its card, and the seats took turns; whoever has won acted last.
    fn sequence(&self) -> Vec<String> {
        let seats = self.game.seats();
        let played: Vec<Vec<Card>> = Seat::all(seats).map(|seat| self.played_by(seat)).collect();
        let fewest = played.iter().map(Vec::len).min().unwrap_or_default();
        let acting = played.iter().position(|cards| cards.len() == fewest).unwrap_or_default();
        let last = (acting + usize::from(seats) - 1) % usize::from(seats);
        let board = self.board();
        let layout = self.layout.as_ref().map(|layout| format!(" {layout}")).unwrap_or_default();
        let text = |discards: &[Vec<Card>], short: Option<usize>| {
            let hands = self.dealt(&played, short);
            let seat = Seat::from_index(acting);
            format!("{board} {seat} {} {} 0 0{layout}", written(&hands), written(discards))
        };
        let mut texts = vec![text(&played, None)];
        // Any of the winner's cards may have been the last.
        for turn in 0..played[last].len() {
            let mut discards = played.clone();
            discards[last].rotate_left(turn);
            texts.push(text(&discards, Some(last)));
        }
        texts
    }

    fn played_by(&self, seat: Seat) -> Vec<Card> {
        let letter = ['1', '2', '3', '4'][seat.index().min(3)];
        let chips = self.cells.iter().zip(&self.pictures).filter(|(cell, _)| **cell == letter);
        chips.filter_map(|(_, picture)| *picture).collect()
    }

    /// The hands as wished, without cards that are played already, and filled with others. `short` has one card less.
    fn dealt(&self, played: &[Vec<Card>], short: Option<usize>) -> Vec<Vec<Card>> {
        let mut left = [Card::COPIES; Card::COUNT];
        for card in played.iter().flatten() {
            left[card.index()] = left[card.index()].saturating_sub(1);
        }
        let mut take = |card: &Card| {
            let copies = &mut left[card.index()];
            let there = *copies > 0;
            *copies = copies.saturating_sub(1);
            there
        };
        let wished: Vec<Vec<Card>> =
            self.hands.iter().map(|hand| hand.iter().copied().filter(&mut take).take(HAND).collect()).collect();
        let fill = |(seat, mut hand): (usize, Vec<Card>)| {
            let size = if short == Some(seat) { HAND - 1 } else { HAND };
            for card in Card::ALL.iter().cycle().take(2 * Card::COUNT) {
                if hand.len() < size && take(card) {
                    hand.push(*card);
                }
            }
            hand.truncate(size);
            hand.sort();
            hand
        };
        wished.into_iter().enumerate().map(fill).collect()
    }
}

/// The squares of a board from a1 along the rows.
fn squares(columns: u8, rows: u8) -> impl Iterator<Item = Square> {
    (0..rows).flat_map(move |row| (0..columns).map(move |column| Square::new(column, row)))
}

/// The board field of a position text, from a1 along the rows; numbers stand for empty squares in Four.
fn read_board(text: &str) -> Vec<char> {
    let stones_only = !text.contains([EMPTY, CORNER]) && text.chars().any(|letter| letter.is_ascii_digit());
    let rank = |rank: &str| {
        let mut cells = Vec::new();
        let mut empty = 0_usize;
        for letter in rank.chars() {
            match letter.to_digit(10).filter(|_| stones_only) {
                Some(digit) => empty = 10 * empty + digit as usize,
                None => {
                    cells.extend(std::iter::repeat_n(EMPTY, empty));
                    empty = 0;
                    cells.push(letter);
                }
            }
        }
        cells.extend(std::iter::repeat_n(EMPTY, empty));
        cells
    };
    text.split('/').rev().flat_map(rank).collect()
}

/// A board with numbers for empty squares.
fn packed(board: &str) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for letter in board.chars().chain(std::iter::once('/')) {
        if letter == EMPTY {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        empty = 0;
        text.push(letter);
    }
    text.pop();
    text
}

fn read_hands(text: &str) -> Vec<Vec<Card>> {
    text.split('|').map(|hand| hand.split('+').filter_map(|name| name.parse().ok()).collect()).collect()
}

fn written(piles: &[Vec<Card>]) -> String {
    let pile = |cards: &Vec<Card>| {
        let names: Vec<&str> = cards.iter().map(|card| card.name()).collect();
        if names.is_empty() { "-".to_owned() } else { names.join("+") }
    };
    piles.iter().map(pile).collect::<Vec<_>>().join("|")
}

#[cfg(test)]
mod tests {
    use game::{Match, MatchSettings};
    use search::Random;

    use super::*;

    fn start(game: &str) -> Draft {
        let game: Game = game.parse().unwrap();
        let mut played = Match::new(MatchSettings::new(game.clone())).unwrap();
        played.draw(&mut |_| 0, std::time::Duration::ZERO).unwrap();
        Draft::of(&game, played.position())
    }

    fn put(draft: &mut Draft, stones: &str) {
        for stone in stones.split(' ') {
            let (letter, square) = stone.split_at(1);
            draft.put(square.parse().unwrap(), letter.chars().next().unwrap());
        }
    }

    #[test]
    fn positions_of_random_games_can_be_edited() {
        let games = ["quarto", "quarto(call=open)", "quixo", "quixo(players=4)", "four(size=9)", "sequence"];
        for name in games {
            let game: Game = name.parse().unwrap();
            let mut random = Random::new(7);
            let mut played = Match::new(MatchSettings::new(game.clone())).unwrap();
            for _ in 0..30 {
                played.draw(&mut |below| random.below(below), std::time::Duration::ZERO).unwrap();
                if played.ending().is_some() {
                    break;
                }
                let draft = Draft::of(&game, played.position());
                let scene = played.position().scene(rules::Viewer::Spectator);
                for cell in &scene.board.cells {
                    assert_eq!(draft.piece(draft.at(cell.square)), cell.piece, "{name} {}", cell.square);
                }
                let legal = played.legal();
                let action = legal[random.below(legal.len() as u32) as usize].clone();
                played.play(&action, std::time::Duration::ZERO).unwrap();
            }
        }
    }

    #[test]
    fn quarto_knows_whose_turn_it_is() {
        let mut draft = start("quarto");
        put(&mut draft, "0a1 1b2");
        assert_eq!(draft.position().unwrap(), "..../..../.1../0... - 1 b2");
        draft.give('7');
        assert_eq!(draft.position().unwrap(), "..../..../.1../0... 7 2 b2");
        // The piece in hand is put on the board, and is in hand no more.
        put(&mut draft, "7c3");
        assert_eq!((draft.hand, draft.position().unwrap().as_str()), (None, "..../..7./.1../0... - 2 c3"));
        // A row counts as completed by one of its pieces, whichever was put down last.
        put(&mut draft, "0a1 0a1 1b2 1b1 2c1 3d1");
        assert!(draft.position().is_ok(), "{:?}", draft.position());
    }

    #[test]
    fn a_touch_on_the_same_piece_takes_it_away() {
        let mut draft = start("quixo");
        put(&mut draft, "xa1 oe5 xa1");
        assert!(draft.position().is_err());
        put(&mut draft, "xa1");
        assert_eq!(draft.position().unwrap(), "....o/...../...../...../x.... 1");
    }

    #[test]
    fn chips_bring_their_cards_and_hands_make_room() {
        let mut draft = start("sequence");
        put(&mut draft, "1b1 2c1 1d1");
        let text = draft.position().unwrap();
        assert!(text.starts_with("*.....*/......./......./......./......./*121..* 2 "), "{text}");
        put(&mut draft, "2e1 1b2 2c2");
        assert!(draft.position().is_ok(), "{:?}", draft.position());
        // Four in a line with the corner: whoever has won acted last and has two cards.
        put(&mut draft, "2c1 1c1 2e3");
        assert!(draft.position().is_ok(), "{:?}", draft.position());
        put(&mut draft, "*a1");
        assert_eq!(draft.at(Square::new(0, 0)), CORNER);
    }

    #[test]
    fn four_keeps_its_stones() {
        let mut draft = start("four(size=9)");
        put(&mut draft, "xa1 ob2");
        assert_eq!(draft.position().unwrap(), "9/9/9/9/9/9/9/1o7/x8 1 opening 0,0 29,29 0 0 - -");
        draft.acting = Seat::TWO;
        assert!(draft.position().unwrap().contains(" 1 opening"), "black is to act after two stones");
        for row in ["1", "3"] {
            for column in "abcdefghi".chars() {
                put(&mut draft, &format!("{}{column}{row}", if row == "1" { 'x' } else { 'o' }));
            }
        }
        draft.clear();
        assert_eq!(draft.position().unwrap(), "9/9/9/9/9/9/9/9/9 1 opening 0,0 30,30 0 0 - -");
    }
}
