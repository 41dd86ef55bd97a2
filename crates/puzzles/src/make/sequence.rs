//! Sequence: what is certain whatever the others hold, from games played by chance and a little sense.

use std::collections::HashSet;

use rules::sequence::{Action, Card, LINES, Sequence, SequenceOptions, squares};
use rules::{ActionList, Outcome, Position, Seat, Symmetric, Turn, Viewer, game_text};
use search::Random;

use super::{Found, Job, Quota, ply};
use crate::Theme;

/// The four corners as bits 8·row + column.
const CORNERS: u64 = 1 | 1 << 6 | 1 << 40 | 1 << 46;

/// With fewer cards in the pile the discards might return in the opponent's turn, and unseen would not mean unplayed.
const FEWEST_IN_PILE: u8 = 6;

/// Games that are played for one kind of puzzle.
const MOST_GAMES: usize = 40_000;

/// Options, theme, plies, and how many puzzles are wanted.
const WANTED: [(&str, Theme, u32, usize); 8] = [
    ("", Theme::Win, 1, 150),
    ("", Theme::Stop, 2, 300),
    ("", Theme::Fork, 3, 200),
    ("board=shuffled", Theme::Win, 1, 150),
    ("board=shuffled", Theme::Stop, 2, 300),
    ("board=shuffled", Theme::Fork, 3, 200),
    ("players=3", Theme::Win, 1, 100),
    ("players=4", Theme::Win, 1, 100),
];

pub(super) fn jobs(seed: u64) -> Vec<Job> {
    let job = |(index, &(options, theme, plies, count)): (usize, &(&'static str, Theme, u32, usize))| -> Job {
        let mut random = Random::new(seed << 8 | index as u64);
        Job::new(move || {
            let quota = Quota::new([(theme, plies, count)]);
            options.parse().map(|options| find(&options, quota, &mut random)).unwrap_or_default()
        })
    };
    WANTED.iter().enumerate().map(job).collect()
}

fn find(options: &SequenceOptions, mut quota: Quota, random: &mut Random) -> Vec<Found> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    for _ in 0..MOST_GAMES {
        if quota.is_filled() {
            break;
        }
        play_through(options, random, |position| {
            let Some((theme, plies, values)) = classify(position) else { return };
            if !quota.wants(theme, plies) {
                return;
            }
            let form = canonical(position);
            if !seen.insert(form.clone()) {
                return;
            }
            quota.take(theme, plies);
            let best = if theme == Theme::Stop { 0 } else { plies as i32 };
            let Some((played, _)) = values.iter().find(|(_, value)| *value == best).cloned() else { return };
            let game = game_text::<Sequence>(options);
            let line = format!("{game} {theme} {plies} | {position} | {}", ply(&played, values));
            found.push(Found { form: format!("{game} {form}").into_bytes(), line });
        });
    }
    found
}

/// A game in which seats take the best of a few random actions and never win, as far as that is up to them.
fn play_through(options: &SequenceOptions, random: &mut Random, mut look: impl FnMut(&Sequence)) {
    let mut position = Sequence::start(options);
    let mut actions = ActionList::new();
    for _ in 0..400 {
        match position.turn() {
            Turn::Over(_) => return,
            Turn::Chance => {
                position.actions(&mut actions);
                let action = actions[random.below(actions.len() as u32) as usize];
                position.play_unchecked(action);
            }
            Turn::Seat(seat) => {
                look(&position);
                position.actions(&mut actions);
                let few = (0..4).map(|_| actions[random.below(actions.len() as u32) as usize]);
                let sense = |action: &Action| {
                    let next = after(&position, *action);
                    let won = matches!(next.turn(), Turn::Over(_));
                    if won { 0 } else { strength(&next, seat) }
                };
                if let Some(action) = few.max_by_key(sense) {
                    position.play_unchecked(action);
                }
            }
        }
    }
}

/// Every action with its value.
type Values = Vec<(String, i32)>;

/// The theme of a position, its plies, and the value of every action.
fn classify(position: &Sequence) -> Option<(Theme, u32, Values)> {
    let Turn::Seat(seat) = position.turn() else { return None };
    let mut actions = ActionList::new();
    position.actions(&mut actions);
    // After a swap another card may change everything, so nothing is certain.
    let certain = actions.iter().all(|action| matches!(action, Action::Play { .. }));
    if actions.len() < 3 || !certain || position.stock_size() < FEWEST_IN_PILE {
        return None;
    }
    let wins = |next: &Sequence| next.turn() == Turn::Over(Outcome::Win(position.side(seat)));
    let winning = actions.iter().filter(|action| wins(&after(position, **action))).count();
    if winning > 0 {
        // The others are not valued further: 0 says no more than that they do not win now.
        let value = |action: &Action| i32::from(wins(&after(position, *action)));
        let values = actions.iter().map(|action| (action.to_string(), value(action))).collect();
        return (winning == 1).then_some((Theme::Win, 1, values));
    }
    if position.seats() != 2 {
        return None;
    }
    let value = |action: &Action| {
        let next = after(position, *action);
        if can_lose(&next, seat) {
            -2
        } else if wins_next(&next, seat) {
            3
        } else {
            0
        }
    };
    let values: Values = actions.iter().map(|action| (action.to_string(), value(action))).collect();
    let count = |wanted: i32| values.iter().filter(|(_, value)| *value == wanted).count();
    match (count(3), count(0)) {
        (1, _) => Some((Theme::Fork, 3, values)),
        (0, 1) => Some((Theme::Stop, 2, values)),
        _ => None,
    }
}

fn after(position: &Sequence, action: Action) -> Sequence {
    let mut next = *position;
    next.play_unchecked(action);
    next
}

/// How many copies of a card the solver has not seen: they may all be in the opponent's hand.
fn unseen(position: &Sequence, solver: Seat, card: Card) -> usize {
    let others = Seat::all(position.seats()).filter(|&seat| seat != solver);
    let held = others.flat_map(|seat| position.hand(seat)).filter(|&&other| other == card).count();
    held + usize::from(position.stock(card))
}

/// The open squares that complete a line of a seat's chips.
fn completing(position: &Sequence, chips: u64) -> u64 {
    let own = chips | CORNERS;
    let missing = LINES.iter().map(|line| line & !own).filter(|missing| missing.count_ones() == 1);
    missing.fold(0, |squares, square| squares | square) & position.open_squares()
}

/// Whether the opponent may hold a card that wins at once.
fn can_lose(position: &Sequence, solver: Seat) -> bool {
    let opponent = solver.next(2);
    if position.chips_left(opponent) == 0 {
        return false;
    }
    squares(completing(position, position.chips(opponent))).any(|square| {
        let animal = position.picture(square).is_some_and(|card| unseen(position, solver, card) > 0);
        animal || unseen(position, solver, Card::Unicorn) > 0
    })
}

/// Whether the solver wins next turn with a card that is in hand now, whatever the opponent plays before.
fn wins_next(position: &Sequence, solver: Seat) -> bool {
    if position.chips_left(solver) == 0 {
        return false;
    }
    let hand = position.hand(solver);
    let winning = |chips: u64, open: u64| {
        let reach = hand.iter().fold(0, |squares, &card| match card {
            Card::Dragon => squares,
            Card::Unicorn => squares | open,
            animal => squares | position.homes(animal) & open,
        });
        completing(position, chips) & reach != 0
    };
    let (chips, open) = (position.chips(solver), position.open_squares());
    let blocks = squares(open).filter(|&square| {
        let animal = position.picture(square).is_some_and(|card| unseen(position, solver, card) > 0);
        animal || unseen(position, solver, Card::Unicorn) > 0
    });
    let survives_blocks = blocks.map(bit).all(|square| winning(chips, open & !square));
    let dragon = unseen(position, solver, Card::Dragon) > 0;
    let survives_dragon = !dragon || squares(chips).map(bit).all(|square| winning(chips & !square, open));
    winning(chips, open) && survives_blocks && survives_dragon
}

fn bit(square: rules::Square) -> u64 {
    1 << (8 * square.row + square.column)
}

/// Chips in the lines that the opponents have not entered, long ones counting most.
fn strength(position: &Sequence, seat: Seat) -> u32 {
    let own = position.chips(seat) | CORNERS;
    let free = own | position.open_squares();
    let lines = LINES.iter().filter(|line| *line & free == **line);
    lines.map(|line| 4u32.pow((line & own).count_ones())).sum()
}

/// What the solver sees, in the least of its symmetric forms.
fn canonical(position: &Sequence) -> String {
    let viewer = Viewer::Seat(position.seat());
    let forms = (0..position.symmetries()).map(|symmetry| position.transform(symmetry).view(viewer).to_string());
    forms.min().unwrap_or_default()
}
