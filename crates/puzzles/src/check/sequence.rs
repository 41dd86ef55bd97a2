//! Sequence by words and squares: every card that an opponent may hold is tried on every square.

use super::{Checked, Fault, Line, name, require};

const STANDARD: &str = "* cow kangaroo whale fox giraffe */tiger dog lion bear elephant camel turtle/\
    crocodile frog owl penguin hippo gorilla cat/turtle gorilla hippo lion owl dog tiger/\
    cat camel penguin bear elephant frog crocodile/* fox giraffe cow kangaroo whale *";

/// 7 columns and 6 rows, row by row from the bottom.
const CELLS: usize = 42;

#[derive(Clone)]
struct Board<'a> {
    pictures: Vec<&'a str>,
    /// The seat whose chip stands on each square, 0 for none.
    chips: [u8; CELLS],
    seats: u8,
    solver: u8,
    hand: Vec<&'a str>,
    /// Cards in the solver's hand and all discards: no other hand can hold these copies.
    seen: Vec<&'a str>,
    swaps: u8,
}

pub(super) fn check(line: &Line<'_>) -> Result<Checked, Fault> {
    let board = Board::read(line)?;
    let [step] = &line.steps[..] else { return Err(Fault("a puzzle of this game has one ply".to_owned())) };
    let found = board.values(line.theme)?;
    let best = found.iter().map(|(_, value)| *value).max().unwrap_or(0);
    let wanted = match line.theme {
        "win" => 1,
        "stop" => 0,
        "fork" => 3,
        _ => return Err(Fault(format!("no theme {} in this game", line.theme))),
    };
    require(best == wanted, "the best action is not what the theme says")?;
    require(found.iter().filter(|(_, value)| *value == best).count() == 1, "more than one action is right")?;
    require(found.contains(&(step.played.to_owned(), best)), "the played action is not the best")?;
    let values = found.len();
    step.compare(found)?;
    Ok(Checked { form: board.form(), values })
}

impl<'a> Board<'a> {
    fn read(line: &Line<'a>) -> Result<Board<'a>, Fault> {
        let bad = |what: &str| Fault(format!("cannot read the {what}"));
        let layout: Vec<Vec<&str>> = match line.position.get(6) {
            Some(layout) => layout.split('/').map(|rank| rank.split('+').collect()).collect(),
            None => STANDARD.split('/').map(|rank| rank.split(' ').collect()).collect(),
        };
        let pictures: Vec<&str> = layout.into_iter().rev().flatten().collect();
        require(pictures.len() == CELLS, "the layout has another size")?;
        let mut chips = [0; CELLS];
        let cells = line.field(0)?.split('/').rev().flat_map(str::chars);
        for (chip, letter) in chips.iter_mut().zip(cells) {
            *chip = letter.to_digit(10).unwrap_or(0) as u8;
        }
        let solver: u8 = line.field(1)?.parse().map_err(|_| bad("seat"))?;
        let cards = |pile: &'a str| pile.split('+').filter(|card| *card != "-").collect::<Vec<&str>>();
        let hands: Vec<Vec<&str>> = line.field(2)?.split('|').map(cards).collect();
        let hand = hands.get(usize::from(solver) - 1).ok_or_else(|| bad("hand"))?.clone();
        let discards = line.field(3)?.split('|').flat_map(cards);
        let seen = hand.iter().copied().chain(discards).collect();
        let swaps = line.field(5)?.parse().map_err(|_| bad("swaps"))?;
        Ok(Board { pictures, chips, seats: hands.len() as u8, solver, hand, seen, swaps })
    }

    /// How many cards no player but their holder knows.
    fn unseen_total(&self) -> usize {
        CELLS - self.seen.len()
    }

    fn may_be_held(&self, card: &str) -> bool {
        self.seen.iter().filter(|seen| **seen == card).count() < 2
    }

    fn open(&self) -> impl Iterator<Item = usize> + '_ {
        (0..CELLS).filter(|&square| self.chips[square] == 0 && self.pictures[square] != "*")
    }

    fn has_four(&self, seat: u8) -> bool {
        let own = |column: i32, row: i32| {
            let on = (0..7).contains(&column) && (0..6).contains(&row);
            let square = (row * 7 + column) as usize;
            on && (self.chips[square] == seat || self.pictures[square] == "*")
        };
        (0..CELLS as i32).any(|square| {
            let (column, row) = (square % 7, square / 7);
            let mut directions = [(1, 0), (0, 1), (1, 1), (-1, 1)].into_iter();
            directions.any(|(x, y)| (0..4).all(|step| own(column + x * step, row + y * step)))
        })
    }

    /// The squares that a card may be played on by a seat.
    fn squares(&self, seat: u8, card: &str) -> Vec<usize> {
        let stock = self.chips.iter().filter(|chip| **chip == seat).count() < 21;
        match card {
            "dragon" => (0..CELLS).filter(|&square| self.chips[square] != 0 && self.chips[square] != seat).collect(),
            _ if !stock => Vec::new(),
            "unicorn" => self.open().collect(),
            animal => self.open().filter(|&square| self.pictures[square] == animal).collect(),
        }
    }

    fn played(&self, seat: u8, card: &str, square: usize) -> Board<'a> {
        let mut next = self.clone();
        next.chips[square] = if card == "dragon" { 0 } else { seat };
        next
    }

    fn values(&self, theme: &str) -> Result<Vec<(String, i32)>, Fault> {
        let mut values = Vec::new();
        let mut cards = self.hand.clone();
        cards.sort_unstable();
        cards.dedup();
        // With so few unseen cards the discards might come back before the solver's next turn.
        require(self.unseen_total() >= 3 * (usize::from(self.seats) - 1) + 6, "too few cards in the pile")?;
        require(theme == "win" || self.seats == 2, "only with two seats can this be certain")?;
        for card in cards {
            let squares = self.squares(self.solver, card);
            let dead = squares.is_empty() && card != "dragon" && card != "unicorn";
            require(!dead || self.swaps == 3, "a card can be swapped, so nothing is certain")?;
            for square in squares {
                let text = format!("{card}@{}", name(square as i32 % 7, square as i32 / 7));
                let mut next = self.played(self.solver, card, square);
                if let Some(held) = next.hand.iter().position(|held| *held == card) {
                    next.hand.remove(held);
                }
                values.push((text, next.worth(theme)));
            }
        }
        Ok(values)
    }

    /// What a position is worth after the solver's action.
    fn worth(&self, theme: &str) -> i32 {
        if self.has_four(self.solver) {
            1
        } else if theme == "win" {
            0
        } else if self.opponent_can_win() {
            -2
        } else if self.wins_whatever_comes() {
            3
        } else {
            0
        }
    }

    fn replies(&self) -> impl Iterator<Item = Board<'a>> + '_ {
        let opponent = 3 - self.solver;
        let mut cards: Vec<&str> = self.pictures.iter().copied().filter(|card| *card != "*").collect();
        cards.sort_unstable();
        cards.dedup();
        cards.extend(["unicorn", "dragon"]);
        let held = cards.into_iter().filter(|card| self.may_be_held(card));
        held.flat_map(move |card| {
            let squares = self.squares(opponent, card);
            squares.into_iter().map(move |square| self.played(opponent, card, square))
        })
    }

    fn opponent_can_win(&self) -> bool {
        self.replies().any(|board| board.has_four(3 - self.solver))
    }

    /// Whether a card left in hand completes a row after every reply, and after none.
    fn wins_whatever_comes(&self) -> bool {
        let wins = |board: &Board<'_>| {
            board.hand.iter().any(|card| {
                let squares = board.squares(self.solver, card);
                squares.into_iter().any(|square| board.played(self.solver, card, square).has_four(self.solver))
            })
        };
        wins(self) && self.replies().all(|board| wins(&board))
    }

    /// What the solver sees, in the least of the forms that the layout allows.
    fn form(&self) -> String {
        let turned = |symmetry: usize| {
            let place = |square: usize| {
                let (column, row) = (square % 7, square / 7);
                let column = if symmetry & 1 == 0 { column } else { 6 - column };
                (if symmetry & 2 == 0 { row } else { 5 - row }) * 7 + column
            };
            let cells: Vec<String> = (0..CELLS)
                .map(place)
                .map(|square| format!("{}{}", self.pictures[square], self.chips[square]))
                .collect();
            cells.join(" ")
        };
        let least = (0..4).map(turned).min().unwrap_or_default();
        let (mut hand, mut seen) = (self.hand.clone(), self.seen.clone());
        hand.sort_unstable();
        seen.sort_unstable();
        format!("sequence {} {} {least} {hand:?} {seen:?}", self.seats, self.solver)
    }
}
