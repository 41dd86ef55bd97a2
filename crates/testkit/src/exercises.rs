//! The exercises of the browser app: reading them, checking them through the rules and the engine, finding new ones.
//!
//! Each line of `crates/web/data/exercises.txt` is `kind | game | position | solutions`. What makes an answer right is
//! said here by [`solutions`], from the rules alone except where the kind says that the engine proves it. What is asked for of
//! each game, the game describes.

use std::fmt;
use std::str::FromStr;

use game::{AnyPosition, Game, GameId};
use rules::{ExerciseKind as Kind, Outcome, Turn, Viewer};
use scene::CounterKind;
use search::{Limits, Random, Value};

/// A position with a question and its answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exercise {
    /// What is asked for.
    pub kind: Kind,
    /// The game and its options.
    pub game: Game,
    /// The position's text.
    pub position: String,
    /// Every right answer; for [`Kind::Turn`] the movements of one right turn, in order.
    pub solutions: Vec<String>,
}

impl fmt::Display for Exercise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} | {} | {} | {}", self.kind, self.game, self.position, self.solutions.join(" "))
    }
}

impl FromStr for Exercise {
    type Err = String;

    fn from_str(line: &str) -> Result<Exercise, String> {
        let fields: Vec<&str> = line.split(" | ").collect();
        let [kind, game, position, solutions] = fields[..] else { return Err(format!("not four fields: {line}")) };
        let game: Game = game.parse().map_err(|bad: game::BadGame| bad.to_string())?;
        let solutions = solutions.split(' ').map(str::to_owned).collect();
        Ok(Exercise { kind: kind.parse()?, game, position: position.to_owned(), solutions })
    }
}

impl Exercise {
    /// Asks the rules and the engine whether the answers are all there are.
    pub fn check(&self) -> Result<(), String> {
        let position = self.game.parse_position(&self.position).map_err(|bad| format!("{self}: {bad}"))?;
        let found = solutions(position.as_ref(), self.kind);
        let right = match self.kind {
            Kind::Turn => found.is_some() && captures_in_turn(position.as_ref(), &self.solutions),
            _ => found.as_ref() == Some(&self.solutions),
        };
        if right { Ok(()) } else { Err(format!("{self}: the engine finds {found:?}")) }
    }
}

/// The right answers to a question, in the order of the legal actions; `None` where the question makes no sense or
/// too many answers would be right.
pub fn solutions(position: &dyn AnyPosition, kind: Kind) -> Option<Vec<String>> {
    let legal = position.legal();
    let Turn::Seat(seat) = position.turn() else { return None };
    let after = |action: &str| {
        let mut next = position.boxed();
        next.play(action).ok().map(|()| next)
    };
    let keep = |right: &dyn Fn(&dyn AnyPosition) -> bool| -> Vec<String> {
        legal.iter().filter(|action| after(action).is_some_and(|next| right(next.as_ref()))).cloned().collect()
    };
    let mine = Turn::Over(Outcome::Win(position.side(seat)));
    let wins = || keep(&|next| next.turn() == mine);
    let found = match kind {
        Kind::Win => wins(),
        Kind::Lose => keep(&|next| matches!(next.turn(), Turn::Over(Outcome::Win(_))) && next.turn() != mine),
        // Where one can win, being safe is no question.
        Kind::Safe if !wins().is_empty() => return None,
        Kind::Safe => keep(&|next| !in_danger(next, seat)),
        Kind::Soon if !wins().is_empty() => return None,
        Kind::Soon => keep(&|next| every_answer_loses(next, seat)),
        Kind::Best if !wins().is_empty() => return None,
        Kind::Best => proved_wins(position)?,
        Kind::Fork if !wins().is_empty() => return None,
        Kind::Fork => keep(&|next| ways_to_win(next, seat) >= 2),
        Kind::Capture => most_captures(position, 1),
        Kind::Two => most_captures(position, 2),
        Kind::Turn => return capturing_turn(position),
    };
    (1..=most_answers(kind)).contains(&found.len()).then_some(found)
}

fn most_answers(kind: Kind) -> usize {
    if kind == Kind::Lose { 2 } else { 1 }
}

/// Whether the opponents of a seat can win with their next action.
fn in_danger(position: &dyn AnyPosition, seat: rules::Seat) -> bool {
    if position.game().id() == GameId::Sequence {
        // Hands are hidden, so every open square counts as one the opponent has the card for.
        return rules::Seat::all(position.seats())
            .any(|other| other != seat && winning_squares(position, other.number()) > 0);
    }
    match position.turn() {
        Turn::Over(outcome) => outcome != Outcome::Win(position.side(seat)),
        Turn::Seat(actor) if actor != seat => position.legal().iter().any(|action| {
            let mut next = position.boxed();
            next.play(action).is_ok() && next.turn() == Turn::Over(Outcome::Win(position.side(actor)))
        }),
        _ => false,
    }
}

/// Whether each action of the opponent to act leaves a win at once, or loses by itself.
fn every_answer_loses(position: &dyn AnyPosition, seat: rules::Seat) -> bool {
    let mine = Turn::Over(Outcome::Win(position.side(seat)));
    if !matches!(position.turn(), Turn::Seat(actor) if actor != seat) {
        return false;
    }
    position.legal().iter().all(|answer| {
        let mut next = position.boxed();
        if next.play(answer).is_err() {
            return false;
        }
        next.turn() == mine
            || matches!(next.turn(), Turn::Seat(_))
                && next.legal().iter().any(|action| {
                    let mut last = next.boxed();
                    last.play(action).is_ok() && last.turn() == mine
                })
    })
}

/// The actions that are proved to win; `None` unless every action has a proved value.
fn proved_wins(position: &dyn AnyPosition) -> Option<Vec<String>> {
    let limits = Limits::nodes(3_000_000).with_seed(1).with_memory(32 << 20);
    let result = position.game().bot().analyse(&[position.boxed()], &limits)?;
    if result.scored.len() != position.legal().len() || !result.scored.iter().all(|scored| scored.value.is_exact()) {
        return None;
    }
    let wins = |scored: search::Scored<String>| matches!(scored.value, Value::Win(_)).then_some(scored.action);
    Some(result.scored.into_iter().filter_map(wins).collect())
}

/// With how many actions a seat would win at once if it were its turn.
fn ways_to_win(position: &dyn AnyPosition, seat: rules::Seat) -> usize {
    if position.game().id() == GameId::Sequence {
        return winning_squares(position, seat.number());
    }
    let Some(turn) = position.as_turn_of(seat) else { return 0 };
    let won = Turn::Over(Outcome::Win(position.side(seat)));
    let wins = |action: &&String| {
        let mut next = turn.boxed();
        next.play(action).is_ok() && next.turn() == won
    };
    turn.legal().iter().filter(wins).count()
}

/// Sequence: on how many open squares a chip of a seat would complete four in a line (SQ9, SQ10).
fn winning_squares(position: &dyn AnyPosition, seat: u8) -> usize {
    let text = position.to_string();
    let board: Vec<Vec<char>> =
        text.split(' ').next().unwrap_or("").split('/').map(|rank| rank.chars().collect()).collect();
    let own = char::from(b'0' + seat);
    let holds = |x: i32, y: i32| {
        let cell = usize::try_from(y).ok().and_then(|y| board.get(y)?.get(usize::try_from(x).ok()?));
        cell.is_some_and(|&cell| cell == own || cell == '*')
    };
    let run = |x: i32, y: i32, dx: i32, dy: i32| (1..4).take_while(|n| holds(x + dx * n, y + dy * n)).count();
    let completes = |x: i32, y: i32| {
        [(1, 0), (0, 1), (1, 1), (1, -1)].iter().any(|&(dx, dy)| run(x, y, dx, dy) + run(x, y, -dx, -dy) >= 3)
    };
    let open = |y: usize, x: usize| board[y][x] == '.' && completes(x as i32, y as i32);
    (0..board.len()).map(|y| (0..board[y].len()).filter(|&x| open(y, x)).count()).sum()
}

/// The points of a seat, where the game counts them.
fn points(position: &dyn AnyPosition, seat: rules::Seat) -> u16 {
    let counters = position.scene(Viewer::Seat(seat)).counters;
    let own = counters.iter().find(|counter| counter.kind == CounterKind::Points && counter.seat == Some(seat));
    own.map_or(0, |counter| counter.value)
}

fn gain(position: &dyn AnyPosition, actions: &[String]) -> Option<u16> {
    let Turn::Seat(seat) = position.turn() else { return None };
    let mut next = position.boxed();
    for action in actions {
        if next.turn() != Turn::Seat(seat) || next.play(action).is_err() {
            return None;
        }
    }
    Some(points(next.as_ref(), seat) - points(position, seat))
}

/// The actions that capture most; none if no action captures at least so many.
fn most_captures(position: &dyn AnyPosition, least: u16) -> Vec<String> {
    let legal = position.legal();
    let gains: Vec<u16> =
        legal.iter().map(|action| gain(position, std::slice::from_ref(action)).unwrap_or(0)).collect();
    let most = gains.iter().copied().max().unwrap_or(0);
    legal.into_iter().zip(gains).filter(|(_, gain)| most >= least && *gain == most).map(|(action, _)| action).collect()
}

fn captures_in_turn(position: &dyn AnyPosition, actions: &[String]) -> bool {
    gain(position, actions).is_some_and(|gain| gain > 0)
}

/// Two actions of one turn that capture together where no single action does.
fn capturing_turn(position: &dyn AnyPosition) -> Option<Vec<String>> {
    if !most_captures(position, 1).is_empty() {
        return None;
    }
    position.legal().into_iter().find_map(|first| {
        let mut next = position.boxed();
        next.play(&first).ok()?;
        if next.turn() != position.turn() {
            return None;
        }
        let captures = |second: &String| captures_in_turn(position, &[first.clone(), second.clone()]);
        let second = next.legal().into_iter().find(captures)?;
        Some(vec![first, second])
    })
}

/// How many candidates are collected for each kind before those to keep are chosen.
const CANDIDATES: usize = 40;

/// Finds exercises in random games: the same ones for the same seed.
///
/// # Panics
/// If a game asks for more of a kind than random games have.
pub fn generate(seed: u64) -> Vec<Exercise> {
    let mut all = Vec::new();
    for id in GameId::ALL {
        for (number, wanted) in id.exercises().iter().enumerate() {
            let mut random = Random::new(seed ^ (number as u64) << 40);
            let found = graded(candidates(&id.text(wanted.options), wanted.kind, &mut random), wanted.count);
            assert_eq!(
                found.len(),
                wanted.count,
                "{id} asks for more exercises `{}` than random games have",
                wanted.kind
            );
            all.extend(found);
        }
    }
    all
}

fn candidates(game: &str, kind: Kind, random: &mut Random) -> Vec<Exercise> {
    let Ok(game) = game.parse::<Game>() else { return Vec::new() };
    let mut found: Vec<Exercise> = Vec::new();
    for _ in 0..20_000 {
        let mut position = game.start();
        // One exercise from a game at most, or they would look alike.
        let wanted = random.below(longest(&game));
        for played in 0..longest(&game) {
            if played >= wanted
                && telling(position.as_ref(), kind)
                && let Some(solutions) = solutions(position.as_ref(), kind)
            {
                found.push(Exercise { kind, game: game.clone(), position: position.to_string(), solutions });
                break;
            }
            if !random_action(position.as_mut(), random) {
                break;
            }
        }
        if found.len() == CANDIDATES {
            break;
        }
    }
    found
}

fn longest(game: &Game) -> u32 {
    match game.id() {
        GameId::Quarto => 32,
        GameId::Quixo => 40,
        GameId::Four => 34,
        _ => 80,
    }
}

/// Whether a position is worth the question: not too empty, and with enough wrong answers.
fn telling(position: &dyn AnyPosition, kind: Kind) -> bool {
    let text = position.to_string();
    let board = text.split(' ').next().unwrap_or("");
    let pieces = board.chars().filter(|cell| cell.is_ascii_alphanumeric() && *cell != '.').count();
    let given = text.split(' ').nth(1).is_some_and(|held| held == "-");
    match (position.game().id(), kind) {
        (GameId::Quarto, Kind::Win) => position.legal().len() >= 4,
        (GameId::Quarto, Kind::Safe) => given && position.legal().len() >= 4,
        (GameId::Quarto, _) => (8..=12).contains(&pieces) && position.legal().len() >= 3,
        (GameId::Quixo, _) => pieces >= 8,
        // A turn that has begun already would have to be explained.
        (GameId::Four, _) => !text.contains("moved") && (kind == Kind::Capture || text.contains(" 4 ")),
        _ => position.legal().len() >= 3,
    }
}

fn random_action(position: &mut dyn AnyPosition, random: &mut Random) -> bool {
    let chances = position.chances();
    let action = if chances.is_empty() {
        let mut legal = position.legal();
        // A row that is finished ends the game, so those who are learning meet the moment before.
        let quiet: Vec<String> = legal.iter().filter(|action| !ends(position, action)).cloned().collect();
        if !quiet.is_empty() {
            legal = quiet;
        }
        if legal.is_empty() {
            return false;
        }
        legal.swap_remove(random.below(legal.len() as u32) as usize)
    } else {
        let mut left = random.below(chances.iter().map(|(_, weight)| weight).sum());
        let drawn = chances.into_iter().find(|(_, weight)| {
            let found = left < *weight;
            left = left.saturating_sub(*weight);
            found
        });
        let Some((action, _)) = drawn else { return false };
        action
    };
    position.play(&action).is_ok()
}

fn ends(position: &dyn AnyPosition, action: &str) -> bool {
    let mut next = position.boxed();
    next.play(action).is_ok() && matches!(next.turn(), Turn::Over(_))
}

/// So many of the candidates, from the easiest to the hardest.
fn graded(mut candidates: Vec<Exercise>, count: usize) -> Vec<Exercise> {
    candidates.sort_by_cached_key(hardness);
    let last = candidates.len().saturating_sub(1);
    let pick = |n: usize| candidates.get(if count < 2 { last / 2 } else { n * last / (count - 1) }).cloned();
    (0..count).filter_map(pick).collect()
}

/// The more there is to look at, the harder: pieces on the board where a line is to be seen, else the choices.
fn hardness(exercise: &Exercise) -> usize {
    let board = exercise.position.split(' ').next().unwrap_or("");
    match (exercise.game.id(), exercise.kind) {
        (GameId::Quixo, _) | (GameId::Quarto | GameId::Sequence, Kind::Win) => {
            board.chars().filter(|cell| cell.is_ascii_alphanumeric()).count()
        }
        _ => exercise.game.parse_position(&exercise.position).map_or(0, |position| position.legal().len()),
    }
}
