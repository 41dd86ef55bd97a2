//! What the search walks over: the duel of two and the game of two teams, packed.

use std::ops::ControlFlow;

use rules::quixo::{Action, Cube, Quixo, SIZE};
use rules::{Position, Seat, Side, Square, Turn};

use super::board::{BOARD, BORDER, PUSHES, THROUGH, has_line, missing};

/// A position packed for search, always seen by the seat to act. Sides take turns ply by ply, in teams too,
/// so what is good for the seat to act is bad for the next; what a seat may take is for the node to know.
pub(super) trait Node: Copy + Eq {
    /// The most children a node has.
    const MOST: usize;

    /// The position of a view; its game must have the right number of seats.
    fn packed(view: &Quixo) -> Self;

    /// The cubes of the side to act.
    fn own(&self) -> u32;

    /// The cubes of the other side.
    fn other(&self) -> u32;

    /// The border cubes the seat to act may take.
    fn takeable(&self) -> u32;

    /// A number that no other position of the same game has.
    fn key(&self) -> u64;

    /// Calls `visit` with every action's number and the position after it, as the next seat has it, with or without a line;
    /// stops when `visit` says so.
    fn try_each_child(&self, visit: impl FnMut(u8, Self) -> ControlFlow<()>) -> ControlFlow<()>;

    /// The same without an end before the last.
    #[inline]
    fn each_child(&self, mut visit: impl FnMut(u8, Self)) {
        let _ = self.try_each_child(|code, child| {
            visit(code, child);
            ControlFlow::Continue(())
        });
    }

    /// Whether this action leads to the same as another one that is easily seen to; of several such one is left.
    #[inline]
    fn is_repeated(&self, _code: u8) -> bool {
        false
    }

    /// The action with this number.
    fn action(&self, code: u8) -> Action;

    /// The cubes of the side to act and of the other, which is all there is of a position of two players; `None` for
    /// teams.
    fn duel(&self) -> Option<(u32, u32)> {
        None
    }

    /// How much more freedom the side to act has to take cubes, where that differs from seat to seat.
    fn freedom(&self) -> i32;

    /// Whether the seat to act can make a line at once.
    #[inline]
    fn can_win(&self) -> bool {
        let mut lacking = missing(self.own());
        while lacking != 0 {
            if self.wins_through(lacking.trailing_zeros() as usize) {
                return true;
            }
            lacking &= lacking - 1;
        }
        false
    }

    /// Whether a push through this square, all that a line lacks, makes an own line and none of the other side.
    fn wins_through(&self, square: usize) -> bool {
        let (pushes, count) = &THROUGH[square];
        let takeable = self.takeable();
        pushes[..usize::from(*count)].iter().any(|&number| {
            let push = &PUSHES[usize::from(number)];
            takeable & push.gap != 0
                && has_line(push.shift(self.own()) | push.entry)
                && !has_line(push.shift(self.other()))
        })
    }
}

/// A position of the game for two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Duel {
    pub(super) own: u32,
    pub(super) other: u32,
}

impl Node for Duel {
    const MOST: usize = 44;

    fn packed(view: &Quixo) -> Duel {
        let mover = mover(view).index();
        Duel { own: view.marks(Side::from_index(mover)), other: view.marks(Side::from_index(1 - mover)) }
    }

    #[inline]
    fn own(&self) -> u32 {
        self.own
    }

    #[inline]
    fn other(&self) -> u32 {
        self.other
    }

    #[inline]
    fn takeable(&self) -> u32 {
        BORDER & !self.other
    }

    #[inline]
    fn key(&self) -> u64 {
        u64::from(self.own) << 25 | u64::from(self.other)
    }

    #[inline]
    fn try_each_child(&self, mut visit: impl FnMut(u8, Duel) -> ControlFlow<()>) -> ControlFlow<()> {
        let takeable = self.takeable();
        for (code, push) in PUSHES.iter().enumerate() {
            if takeable & push.gap != 0 {
                visit(code as u8, Duel { own: push.shift(self.other), other: push.shift(self.own) | push.entry })?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn is_repeated(&self, code: u8) -> bool {
        let push = &PUSHES[usize::from(code)];
        push.next & !self.other != 0 && (self.own & push.gap == 0) == (self.own & push.next == 0)
    }

    fn action(&self, code: u8) -> Action {
        let push = &PUSHES[usize::from(code)];
        Action::Push { from: push.from(), to: push.to(), dot: None }
    }

    fn freedom(&self) -> i32 {
        0
    }

    fn duel(&self) -> Option<(u32, u32)> {
        Some((self.own, self.other))
    }
}

/// A position of the game of two teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Team {
    own: u32,
    other: u32,
    /// The cubes whose dot points to the second seat of their side.
    second: u32,
    /// The index of the seat to act.
    seat: u8,
    passes: u8,
}

/// The number of a pass; a push has its number doubled, plus one where the dot points to the side's second seat.
const PASS: u8 = 88;

impl Team {
    fn next_seat(&self) -> u8 {
        (self.seat + 1) & 3
    }

    /// The cubes of `marks` whose dot points to this seat.
    fn dotted(&self, marks: u32, seat: u8) -> u32 {
        marks & if seat < 2 { !self.second } else { self.second }
    }
}

impl Node for Team {
    const MOST: usize = 88;

    fn packed(view: &Quixo) -> Team {
        let seat = mover(view);
        let side = seat.index() & 1;
        let second = (0..25).filter(|&index| {
            let cube = view.cube(Square::from_index(index, SIZE));
            matches!(cube, Cube::Marked { owner, .. } if owner.index() >= 2)
        });
        Team {
            own: view.marks(Side::from_index(side)),
            other: view.marks(Side::from_index(1 - side)),
            second: second.fold(0, |set, index| set | 1 << index),
            seat: seat.index() as u8,
            passes: view.passes(),
        }
    }

    #[inline]
    fn own(&self) -> u32 {
        self.own
    }

    #[inline]
    fn other(&self) -> u32 {
        self.other
    }

    #[inline]
    fn takeable(&self) -> u32 {
        BORDER & (!(self.own | self.other) | self.dotted(self.own, self.seat))
    }

    /// Each cube is one of five, the seat one of four, and at most three have passed: less than 2⁶³ in all.
    fn key(&self) -> u64 {
        let kinds =
            [self.own & !self.second, self.own & self.second, self.other & !self.second, self.other & self.second];
        let mut cubes = 0;
        for row in (0..5).rev() {
            let line = kinds.iter().zip(1..).map(|(kind, digit)| digit * FIVES[(kind >> (5 * row) & 31) as usize]);
            cubes = cubes * 3125 + line.sum::<u64>();
        }
        cubes << 4 | u64::from(self.seat) << 2 | u64::from(self.passes & 3)
    }

    #[inline]
    fn try_each_child(&self, mut visit: impl FnMut(u8, Team) -> ControlFlow<()>) -> ControlFlow<()> {
        let takeable = self.takeable();
        let seat = self.next_seat();
        if takeable == 0 {
            let passes = self.passes + 1;
            return visit(PASS, Team { own: self.other, other: self.own, second: self.second, seat, passes });
        }
        for (number, push) in PUSHES.iter().enumerate() {
            if takeable & push.gap != 0 {
                let (own, other) = (push.shift(self.other), push.shift(self.own) | push.entry);
                let second = push.shift(self.second);
                let code = 2 * number as u8;
                visit(code, Team { own, other, second, seat, passes: 0 })?;
                visit(code + 1, Team { own, other, second: second | push.entry, seat, passes: 0 })?;
            }
        }
        ControlFlow::Continue(())
    }

    fn action(&self, code: u8) -> Action {
        if code == PASS {
            return Action::Pass;
        }
        let push = &PUSHES[usize::from(code / 2)];
        let dot = Seat::from_index(usize::from(self.seat & 1) + 2 * usize::from(code & 1));
        Action::Push { from: push.from(), to: push.to(), dot: Some(dot) }
    }

    /// A cube that only the partner may take is of no use in the own turn; the seats that act sooner count more.
    fn freedom(&self) -> i32 {
        let reach = |marks, seat| (self.dotted(marks, seat) & BORDER & BOARD).count_ones() as i32;
        let (now, later) = (self.seat, self.seat ^ 2);
        let (next, last) = (self.next_seat(), self.next_seat() ^ 2);
        3 * reach(self.own, now) + reach(self.own, later) - 2 * reach(self.other, next) - reach(self.other, last)
    }
}

/// The sum of 5ⁿ over the set bits n.
static FIVES: [u64; 32] = {
    let mut fives = [0; 32];
    let mut set = 1;
    while set < 32 {
        let low = set & (set - 1);
        fives[set] = fives[low] + 5u64.pow(set.trailing_zeros());
        set += 1;
    }
    fives
};

/// The seat to act; of a game that is over, the first, since callers promise that it is not.
fn mover(view: &Quixo) -> Seat {
    match view.turn() {
        Turn::Seat(seat) => seat,
        Turn::Chance | Turn::Over(_) => Seat::ONE,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use rules::ActionList;
    use rules::quixo::{Players, QuixoOptions};

    use super::*;
    use crate::Random;

    /// Plays random games and checks that the packed node has the same actions, successors and winners as the rules.
    fn agrees_with_the_rules<N: Node + std::fmt::Debug>(players: Players, games: usize) {
        let mut random = Random::new(5);
        let mut actions = ActionList::new();
        let mut keys: HashMap<u64, String> = HashMap::new();
        for _ in 0..games {
            let mut game = Quixo::start(&QuixoOptions { players });
            for _ in 0..60 {
                let Turn::Seat(seat) = game.turn() else { break };
                let node = N::packed(&game);
                let text = game.to_string();
                assert_eq!(*keys.entry(node.key()).or_insert_with(|| relative(&text)), relative(&text));
                game.actions(&mut actions);
                let mut codes = Vec::new();
                node.each_child(|code, child| codes.push((node.action(code), child)));
                assert_eq!(codes.iter().map(|&(action, _)| action).collect::<Vec<_>>(), *actions);
                let mut wins = false;
                let mut kept = Vec::new();
                node.each_child(|code, child| kept.extend((!node.is_repeated(code)).then_some(child)));
                assert!(codes.iter().all(|(_, child)| kept.contains(child)), "{game}");
                for &(action, child) in &codes {
                    let mut next = game;
                    next.play_unchecked(action);
                    let own_line = has_line(child.other()) && !has_line(child.own());
                    match next.turn() {
                        Turn::Over(outcome) => {
                            let won = outcome == rules::Outcome::Win(game.side(seat));
                            assert_eq!(won, own_line);
                            wins |= won;
                        }
                        _ => assert_eq!(N::packed(&next), child),
                    }
                }
                assert_eq!(node.can_win(), wins, "{game}");
                game.play_unchecked(actions[random.below(actions.len() as u32) as usize]);
            }
        }
    }

    /// A text that is the same for positions that differ only by the names of the sides, as packed ones do.
    fn relative(text: &str) -> String {
        if text.contains(['X', 'O']) || text.split(' ').count() > 2 {
            return text.to_owned();
        }
        let (board, seat) = text.split_once(' ').unwrap();
        if seat == "1" { board.to_owned() } else { board.replace('x', "z").replace('o', "x").replace('z', "o") }
    }

    #[test]
    fn duels_agree_with_the_rules() {
        agrees_with_the_rules::<Duel>(Players::Two, 150);
    }

    #[test]
    fn teams_agree_with_the_rules() {
        agrees_with_the_rules::<Team>(Players::Four, 150);
    }
}
