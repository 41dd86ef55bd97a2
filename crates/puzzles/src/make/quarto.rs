//! Quarto from solved endings: random positions with few empty squares, of every combination of options.

use std::collections::{HashMap, HashSet};

use rules::quarto::{Action, Call, Piece, Quarto, QuartoOptions};
use rules::{ActionList, Outcome, Position, Square, Symmetric, Turn, game_text};
use search::{Random, Value};

use super::{Found, Job, Quota, ply};
use crate::Theme;
use crate::hash::FastHash;

/// Roots tried for one set of options before the rest of its quota is given up.
const MOST_ROOTS: usize = 60;

/// Random lines that are looked through from each root.
const WALKS: usize = 60;

/// Puzzles that one root gives at most: those of one root resemble each other.
const MOST_OF_A_ROOT: usize = 16;

pub(super) fn jobs(seed: u64) -> Vec<Job> {
    let job = |(index, options): (usize, QuartoOptions)| -> Job {
        Job::new(move || with_options(options, Random::new(seed << 8 | index as u64)))
    };
    QuartoOptions::all().enumerate().map(job).collect()
}

fn with_options(options: QuartoOptions, mut random: Random) -> Vec<Found> {
    // The game as it is played most gets the most puzzles.
    let share = match (options == QuartoOptions::default(), options.attributes().bits()) {
        (true, _) => 10,
        (_, 15) => 3,
        _ => 1,
    };
    let mut search = Search {
        options,
        quota: quota(options, share),
        seen: HashSet::new(),
        symmetries: Symmetries::of(&options),
        lines: Vec::new(),
    };
    for _ in 0..MOST_ROOTS * share {
        if search.quota.is_filled() {
            break;
        }
        search.look_at_a_root(&mut random);
    }
    search.lines
}

/// What is wanted of one set of options; the plies of a win are those of two, three and four turns.
fn quota(options: QuartoOptions, share: usize) -> Quota {
    let calls = options.call != Call::Auto;
    let win = |turns: u32| 4 * (turns - 1) + 1 + u32::from(calls);
    let mut wanted = vec![
        (Theme::Place, 0, 45),
        (Theme::Give, 0, 40),
        (Theme::Both, 0, 40),
        (Theme::Safe, 0, 35),
        (Theme::Win, win(2), 40),
        (Theme::Win, win(3), 20),
        (Theme::Win, win(4), 4),
    ];
    wanted.push(if calls { (Theme::Call, 0, 40) } else { (Theme::Row, 0, 40) });
    Quota::new(wanted.into_iter().map(|(theme, plies, count)| (theme, plies, count * share)))
}

struct Search {
    options: QuartoOptions,
    quota: Quota,
    /// Positions that are taken, in the form that all their symmetries share.
    seen: HashSet<Form>,
    symmetries: Symmetries,
    lines: Vec<Found>,
}

impl Search {
    fn look_at_a_root(&mut self, random: &mut Random) {
        // Larger endings take ten times as long each, and only wins in four turns need them.
        let empty = if random.below(8) == 0 { 7 } else { 6 };
        let Some(root) = random_position(self.options, empty, random) else { return };
        let mut solver = Solver::default();
        let before = self.lines.len();
        for _ in 0..WALKS {
            if self.lines.len() >= before + MOST_OF_A_ROOT {
                break;
            }
            let mut position = root;
            while let Turn::Seat(_) = position.turn() {
                self.consider(&position, &mut solver);
                let mut actions = ActionList::new();
                position.actions(&mut actions);
                position.play_unchecked(actions[random.below(actions.len() as u32) as usize]);
            }
        }
    }

    fn consider(&mut self, position: &Quarto, solver: &mut Solver) {
        let Some((theme, steps)) = classify(position, solver) else { return };
        let values = solver.values(position);
        let best = best(&values);
        let length = best.plies().unwrap_or(0);
        let kind = if theme == Theme::Win { length } else { 0 };
        if !self.quota.wants(theme, kind) {
            return;
        }
        let form = self.symmetries.least(position);
        if !self.seen.insert(form) {
            return;
        }
        self.quota.take(theme, kind);
        let refutation = values.iter().filter_map(|(_, value)| value.plies()).max().unwrap_or(0);
        let plies = if best > Value::Draw { length } else { refutation };
        let game = game_text::<Quarto>(&self.options);
        let line = solver.line(position, steps);
        let line = format!("{game} {theme} {plies} | {position} | {line}");
        self.lines.push(Found { form: [game.as_bytes(), &form].concat(), line });
    }
}

/// What a position can be asked for, and how many plies its solution has.
fn classify(position: &Quarto, solver: &mut Solver) -> Option<(Theme, u32)> {
    let values = solver.values(position);
    let best = best(&values);
    if values.len() < 3 || best < Value::Draw {
        return None;
    }
    let calls = position.options().call != Call::Auto;
    let alike = |value: Value| std::mem::discriminant(&value) == std::mem::discriminant(&best);
    let one_is_best = values.iter().filter(|(_, value)| alike(*value)).count() == 1;
    let fastest = values.iter().filter(|(_, value)| *value == best).count();
    let at_once = if calls { 2 } else { 1 };
    if position.callable().next().is_some() {
        return (one_is_best && best == Value::win_in(1)).then_some((Theme::Call, 1));
    }
    if position.hand().is_some() {
        return match best {
            Value::Win(Some(plies)) if plies == at_once && calls => one_is_best.then_some((Theme::Call, 2)),
            Value::Win(Some(plies)) if plies == at_once => (fastest == 1).then_some((Theme::Row, 1)),
            Value::Win(Some(plies)) if fastest == 1 && !one_is_best => Some((Theme::Win, plies)),
            Value::Win(Some(plies)) if one_is_best && plies > at_once + 4 => Some((Theme::Win, plies)),
            _ if one_is_best => Some(place_or_both(position, &values, best, solver)),
            _ => None,
        };
    }
    let others_lose_at_once =
        values.iter().filter(|(_, value)| !alike(*value)).all(|(_, value)| *value == Value::loss_in(at_once + 1));
    match one_is_best {
        true if others_lose_at_once => Some((Theme::Safe, 1)),
        true => Some((Theme::Give, 1)),
        false => None,
    }
}

fn place_or_both(position: &Quarto, values: &[(Action, Value)], best: Value, solver: &mut Solver) -> (Theme, u32) {
    let alike = |value: Value| std::mem::discriminant(&value) == std::mem::discriminant(&best);
    let mut next = *position;
    if let Some((action, _)) = values.iter().find(|(_, value)| *value == best) {
        next.play_unchecked(*action);
    }
    let gifts = solver.values(&next);
    let right = gifts.iter().filter(|(_, value)| alike(*value)).count();
    if gifts.len() > 1 && right == 1 { (Theme::Both, 2) } else { (Theme::Place, 1) }
}

/// A position with so many empty squares and no row, its piece in hand or still to be given.
fn random_position(options: QuartoOptions, empty: u32, random: &mut Random) -> Option<Quarto> {
    let mut position = Quarto::start(&options);
    let mut actions = ActionList::new();
    let in_hand = random.below(2) == 0;
    while position.empty().count_ones() > empty || position.hand().is_some() != in_hand {
        position.actions(&mut actions);
        // A few tries to find an action after which no row stands, then another game.
        let action = (0..8).map(|_| actions[random.below(actions.len() as u32) as usize]).find(|&action| {
            let mut next = position;
            next.play_unchecked(action);
            next.rows().next().is_none()
        })?;
        position.play_unchecked(action);
    }
    Some(position)
}

fn best(values: &[(Action, Value)]) -> Value {
    values.iter().map(|(_, value)| *value).max().unwrap_or(Value::Draw)
}

/// The pieces by square, the piece in hand, and where it matters the square placed on last; 16 for none.
type Form = [u8; 18];

/// Where one symmetry takes each square, and what it makes of each piece; 16, no piece, stays.
type Map = ([u8; 16], [u8; 17]);

/// What each symmetry of the game does to squares and to pieces, looked up once.
struct Symmetries {
    maps: Vec<Map>,
}

impl Symmetries {
    /// Reads the maps off a board: piece `n` on square `n` says where both go.
    fn of(options: &QuartoOptions) -> Symmetries {
        let start = Quarto::start(options);
        let square = |index: usize| Square::from_index(index, 4);
        let map = |symmetry: usize| {
            let moved = |action: Action| start.transform_action(symmetry, action);
            let squares = std::array::from_fn(|from| match moved(Action::Place(square(from))) {
                Action::Place(to) => to.index(4) as u8,
                _ => 0,
            });
            let pieces =
                std::array::from_fn(|from| match Piece::new(from as u8).map(|piece| moved(Action::Give(piece))) {
                    Some(Action::Give(to)) => to.bits(),
                    _ => 16,
                });
            (squares, pieces)
        };
        Symmetries { maps: (0..start.symmetries()).map(map).collect() }
    }

    /// The least of all forms of a position.
    fn least(&self, position: &Quarto) -> Form {
        let mut form = [16; 18];
        for (square, piece) in form.iter_mut().take(16).enumerate() {
            *piece = position.piece(Square::from_index(square, 4)).map_or(16, |piece| piece.bits());
        }
        form[16] = position.hand().map_or(16, |piece| piece.bits());
        if position.options().call == Call::Lapse {
            form[17] = position.last().map_or(16, |last| last.index(4) as u8);
        }
        let moved = |(squares, pieces): &Map| {
            let mut moved = [16; 18];
            for (&to, &piece) in squares.iter().zip(&form) {
                moved[usize::from(to)] = pieces[usize::from(piece)];
            }
            moved[16] = pieces[usize::from(form[16])];
            moved[17] = squares.get(usize::from(form[17])).copied().unwrap_or(16);
            moved
        };
        self.maps.iter().map(moved).min().unwrap_or(form)
    }
}

/// Exact values of an ending, every position of it remembered.
#[derive(Default)]
struct Solver(HashMap<Quarto, Value, FastHash>);

impl Solver {
    /// Every action with its value for the seat to act.
    fn values(&mut self, position: &Quarto) -> Vec<(Action, Value)> {
        let mut actions = ActionList::new();
        position.actions(&mut actions);
        actions.iter().map(|&action| (action, self.after(position, action))).collect()
    }

    fn after(&mut self, position: &Quarto, action: Action) -> Value {
        let Turn::Seat(seat) = position.turn() else { return Value::Draw };
        let mut next = *position;
        next.play_unchecked(action);
        match next.turn() {
            Turn::Over(Outcome::Win(side)) if side == position.side(seat) => Value::win_in(1),
            Turn::Over(Outcome::Win(_)) => Value::loss_in(1),
            Turn::Seat(other) => {
                let value = self.value(&next).add_plies(1);
                if other == seat { value } else { -value }
            }
            Turn::Over(Outcome::Draw) | Turn::Chance => Value::Draw,
        }
    }

    fn value(&mut self, position: &Quarto) -> Value {
        if let Some(&known) = self.0.get(position) {
            return known;
        }
        let mut actions = ActionList::new();
        position.actions(&mut actions);
        let mut best = Value::loss_in(0);
        for &action in actions.iter() {
            best = best.max(self.after(position, action));
            if best == Value::win_in(1) {
                break;
            }
        }
        self.0.insert(*position, best);
        best
    }

    /// So many plies of best play; a win goes on to its end.
    fn line(&mut self, start: &Quarto, steps: u32) -> String {
        let mut position = *start;
        let mut words = Vec::new();
        for _ in 0..steps {
            let values = self.values(&position);
            let best = best(&values);
            let Some(&(action, _)) = values.iter().find(|(_, value)| *value == best) else { break };
            let numbers = values.iter().map(|(action, value)| (action.to_string(), number(*value))).collect();
            words.push(ply(&action.to_string(), numbers));
            position.play_unchecked(action);
        }
        words.join(" ")
    }
}

fn number(value: Value) -> i32 {
    match value {
        Value::Win(plies) => plies.unwrap_or(0) as i32,
        Value::Loss(plies) => -(plies.unwrap_or(0) as i32),
        Value::Draw | Value::Estimate(_) => 0,
    }
}
