use std::collections::{BTreeMap, BTreeSet};

use super::{Naive, name, square};

type Cell = (i32, i32);

const STANDARD: [&str; 6] = [
    "* cow kangaroo whale fox giraffe *",
    "tiger dog lion bear elephant camel turtle",
    "crocodile frog owl penguin hippo gorilla cat",
    "turtle gorilla hippo lion owl dog tiger",
    "cat camel penguin bear elephant frog crocodile",
    "* fox giraffe cow kangaroo whale *",
];

#[derive(Clone)]
pub(crate) struct Sequence {
    players: usize,
    /// What each square shows; `*` a corner, `.` not laid yet.
    pictures: BTreeMap<Cell, String>,
    chips: BTreeMap<Cell, usize>,
    seat: usize,
    chance: bool,
    hands: Vec<Vec<String>>,
    discards: Vec<Vec<String>>,
    passes: usize,
    swaps: usize,
    won: bool,
}

impl Sequence {
    fn animals() -> BTreeSet<String> {
        STANDARD.iter().flat_map(|rank| rank.split(' ')).filter(|word| *word != "*").map(str::to_owned).collect()
    }

    /// What can be drawn: the pile, or all discards where it is empty (SQ11).
    fn stock(&self) -> Vec<String> {
        let cards = Self::animals().into_iter().chain(["unicorn".to_owned(), "dragon".to_owned()]);
        let mut pile: Vec<String> = cards.flat_map(|card| [card.clone(), card]).collect();
        for card in self.hands.iter().chain(&self.discards).flatten() {
            pile.remove(pile.iter().position(|other| other == card).unwrap());
        }
        if pile.is_empty() { self.discards.iter().flatten().cloned().collect() } else { pile }
    }

    fn next_tile(&self) -> Option<Cell> {
        let order = (0..6).flat_map(|row| (0..7).map(move |column| (column, row)));
        order.into_iter().find(|cell| self.pictures[cell] == ".")
    }

    /// Who gets the next card: in the deal the first with the fewest, later the only one with fewer than three.
    fn drawer(&self) -> usize {
        (0..self.players).min_by_key(|&seat| (self.hands[seat].len(), seat)).unwrap()
    }

    fn chance_actions(&self) -> Vec<String> {
        let Some((_, row)) = self.next_tile() else {
            let distinct: BTreeSet<String> = self.stock().into_iter().collect();
            return distinct.into_iter().map(|card| format!("draw:{card}")).collect();
        };
        let same_half = |other: i32| (other < 3) == (row < 3);
        let laid = self.pictures.iter().filter(|((_, other), _)| same_half(*other)).map(|(_, animal)| animal.clone());
        let laid: BTreeSet<String> = laid.collect();
        Self::animals().difference(&laid).map(|animal| format!("tile:{animal}")).collect()
    }

    fn seat_actions(&self) -> Vec<String> {
        let mut legal = Vec::new();
        let has_chip = self.chips.values().filter(|owner| **owner == self.seat).count() < 21;
        let distinct: BTreeSet<&String> = self.hands[self.seat].iter().collect();
        for card in distinct {
            let squares: Vec<Cell> = match card.as_str() {
                "dragon" => {
                    self.chips.iter().filter(|(_, owner)| **owner != self.seat).map(|(cell, _)| *cell).collect()
                }
                "unicorn" => self.open(|picture| picture != "*"),
                animal => self.open(|picture| picture == animal),
            };
            let dead = squares.is_empty() && card != "dragon" && card != "unicorn";
            if dead && self.swaps < 3 {
                legal.push(format!("swap:{card}"));
            }
            if has_chip || card == "dragon" {
                legal.extend(squares.iter().map(|&(column, row)| format!("{card}@{}", name(column, row))));
            }
        }
        if legal.is_empty() {
            legal.push("pass".to_owned());
        }
        legal
    }

    fn open(&self, shows: impl Fn(&str) -> bool) -> Vec<Cell> {
        let shown = self.pictures.iter().filter(|(_, picture)| shows(picture)).map(|(cell, _)| *cell);
        shown.filter(|cell| !self.chips.contains_key(cell)).collect()
    }

    fn has_four(&self, seat: usize) -> bool {
        let own =
            |cell: Cell| self.chips.get(&cell) == Some(&seat) || self.pictures.get(&cell).is_some_and(|p| p == "*");
        self.pictures.keys().any(|&(column, row)| {
            [(1, 0), (0, 1), (1, 1), (1, -1)]
                .iter()
                .any(|(dx, dy)| (0..4).all(|step| own((column + step * dx, row + step * dy))))
        })
    }

    fn after_play(&mut self) {
        self.passes = 0;
        self.swaps = 0;
        self.won = self.has_four(self.seat);
        self.chance = true;
        if !self.won {
            self.seat = (self.seat + 1) % self.players;
        }
    }
}

impl Naive for Sequence {
    fn read(options: &BTreeMap<String, String>, text: &str) -> Sequence {
        let fields: Vec<&str> = text.split(' ').collect();
        let players = options.get("players").map_or(2, |players| players.parse().unwrap());
        let ranks: Vec<Vec<String>> = match fields.get(6) {
            Some(layout) => layout.split('/').map(|rank| rank.split('+').map(str::to_owned).collect()).collect(),
            None => STANDARD.iter().map(|rank| rank.split(' ').map(str::to_owned).collect()).collect(),
        };
        let pile = |text: &str| if text == "-" { Vec::new() } else { text.split('+').map(str::to_owned).collect() };
        let piles = |field: &str| field.split('|').map(pile).collect::<Vec<Vec<String>>>();
        let (mut pictures, mut chips) = (BTreeMap::new(), BTreeMap::new());
        for (row, rank) in fields[0].split('/').rev().enumerate() {
            for (column, cell) in rank.chars().enumerate() {
                let place = (column as i32, row as i32);
                pictures.insert(place, ranks[5 - row][column].clone());
                if let Some(seat) = cell.to_digit(10) {
                    chips.insert(place, seat as usize - 1);
                }
            }
        }
        let mut sequence = Sequence {
            players,
            pictures,
            chips,
            seat: fields[1].trim_start_matches('-').parse::<usize>().unwrap() - 1,
            chance: fields[1].starts_with('-'),
            hands: piles(fields[2]),
            discards: piles(fields[3]),
            passes: fields[4].parse().unwrap(),
            swaps: fields[5].parse().unwrap(),
            won: false,
        };
        sequence.won = (0..players).any(|seat| sequence.has_four(seat));
        sequence
    }

    fn legal(&self) -> Vec<String> {
        if self.won || self.passes == 2 * self.players {
            Vec::new()
        } else if self.chance {
            self.chance_actions()
        } else {
            self.seat_actions()
        }
    }

    fn play(&mut self, action: &str) {
        if let Some(animal) = action.strip_prefix("tile:") {
            let cell = self.next_tile().unwrap();
            self.pictures.insert(cell, animal.to_owned());
        } else if let Some(card) = action.strip_prefix("draw:") {
            let held: usize = self.hands.iter().map(Vec::len).sum();
            let lying: usize = self.discards.iter().map(Vec::len).sum();
            if held + lying == 42 {
                self.discards.iter_mut().for_each(Vec::clear);
            }
            let drawer = self.drawer();
            self.hands[drawer].push(card.to_owned());
            self.chance = self.hands.iter().any(|hand| hand.len() < 3);
        } else if action == "pass" {
            self.passes += 1;
            self.swaps = 0;
            self.seat = (self.seat + 1) % self.players;
        } else {
            let (swap, card) = action.strip_prefix("swap:").map_or((false, action), |card| (true, card));
            let (card, at) = card.split_once('@').unwrap_or((card, ""));
            let hand = &mut self.hands[self.seat];
            hand.remove(hand.iter().position(|other| other == card).unwrap());
            self.discards[self.seat].push(card.to_owned());
            if swap {
                self.swaps += 1;
                self.chance = true;
                return;
            }
            if card == "dragon" {
                self.chips.remove(&square(at));
            } else {
                self.chips.insert(square(at), self.seat);
            }
            self.after_play();
        }
    }
}
