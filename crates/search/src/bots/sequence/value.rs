//! How likely each seat wins, judged from a full position without playing on.
//!
//! A seat's features, weighed by how many turns away its turn is, give its strength; the chances of all seats are in
//! proportion to the exponentials of their strengths. The weights were fitted to games of the greedy player.

use rules::Position;
use rules::sequence::{Card, LINES, Sequence};

use super::board::{CORNERS, Pictures, all_chips, completions};
use super::value_weights::FITTED;

/// How many features a seat has.
pub(super) const FEATURES: usize = 15;

/// The weights of the features for a seat whose turn is 0, 1, 2 or 3 turns away.
pub(super) type SeatWeights = [[f32; FEATURES]; 4];

/// What a seat can do with its hand.
#[derive(Clone, Copy, Default)]
struct Means {
    /// Open squares that its animals can take.
    reach: u64,
    unicorns: u8,
    dragons: u8,
    dead: u8,
    /// Open squares that complete a line.
    threats: u64,
}

impl Means {
    /// The squares where it can complete a line now.
    fn wins(&self) -> u64 {
        if self.unicorns > 0 { self.threats } else { self.threats & self.reach }
    }

    /// Whether it can stop another seat from taking one of these squares.
    fn stops(&self, wins: u64) -> bool {
        let covers = wins & (wins - 1) == 0 && (self.unicorns > 0 || wins & self.reach != 0);
        self.dragons > 0 || covers
    }
}

/// The chance of each seat to win, in a position in which a seat is to act.
pub(super) fn chances(position: &Sequence, pictures: &Pictures) -> [f32; 4] {
    let seats = usize::from(position.seats());
    let weights = &FITTED[seats - 2];
    let mut strengths = [0.0; 4];
    let features = features(position, pictures);
    for distance in 0..seats {
        let seat = (position.seat().index() + distance) % seats;
        strengths[seat] = features[distance].iter().zip(&weights[distance]).map(|(a, b)| a * b).sum();
    }
    softmax(strengths, seats)
}

/// Shares in proportion to the exponentials.
pub(super) fn softmax(strengths: [f32; 4], seats: usize) -> [f32; 4] {
    let top = strengths[..seats].iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut shares = strengths.map(|strength| (strength - top).exp());
    shares[seats..].fill(0.0);
    let total: f32 = shares.iter().sum();
    shares.map(|share| share / total)
}

/// The features of each seat, the seat to act first.
pub(super) fn features(position: &Sequence, pictures: &Pictures) -> [[f32; FEATURES]; 4] {
    let seats = usize::from(position.seats());
    let (chips, open) = (all_chips(position), position.open_squares());
    let all = chips.iter().fold(0, |all, chips| all | chips);
    let first = position.seat().index();
    let seat_at = |distance: usize| (first + distance) % seats;
    let mut means = [Means::default(); 4];
    for (distance, means) in means.iter_mut().enumerate().take(seats) {
        *means = means_of(position, pictures, seat_at(distance), open, chips[seat_at(distance)]);
    }
    let mut features = [[0.0; FEATURES]; 4];
    for distance in 0..seats {
        let own = chips[seat_at(distance)];
        let (before, rest) = means.split_at(distance);
        features[distance] = seat_features(&rest[0], before, own, all & !own, open);
    }
    features
}

fn means_of(position: &Sequence, pictures: &Pictures, seat: usize, open: u64, chips: u64) -> Means {
    let mut means = Means { threats: completions(chips) & open, ..Means::default() };
    for &card in position.hand(rules::Seat::from_index(seat)) {
        let squares = pictures.homes(card) & open;
        match card {
            Card::Unicorn => means.unicorns += 1,
            Card::Dragon => means.dragons += 1,
            _ if squares == 0 => means.dead += 1,
            _ => means.reach |= squares,
        }
    }
    means
}

fn seat_features(means: &Means, before: &[Means], own: u64, others: u64, open: u64) -> [f32; FEATURES] {
    let mut features = [0.0; FEATURES];
    features[0] = 1.0;
    let wins = means.wins();
    if wins != 0 {
        let stopped = before.iter().filter(|other| other.stops(wins)).count();
        features[1 + stopped.min(2)] = 1.0;
        features[4] = f32::from(u8::from(wins.count_ones() > 1));
    }
    features[5] = means.threats.count_ones().min(4) as f32;
    let with_corners = own | CORNERS;
    for line in LINES {
        if line & others != 0 {
            continue;
        }
        let empty = line & open;
        let held = (empty & means.reach).count_ones() as usize;
        match (line & with_corners).count_ones() {
            2 => features[6 + held.min(2)] += 1.0,
            1 => features[9 + held.min(2)] += 1.0,
            _ => {}
        }
    }
    features[12] = means.unicorns.into();
    features[13] = means.dragons.into();
    features[14] = means.dead.into();
    features
}
