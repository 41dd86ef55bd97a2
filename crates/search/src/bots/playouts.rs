//! Bots for any game: they try every action in random games. Where hands are hidden, they guess them first.
//!
//! Enough for a new game until it has a bot of its own; it finds what wins or loses at once, and little more.

use rules::{ActionList, HiddenInformation, Outcome, Position, Turn};

use crate::{Bot, Level, Limits, Random, Scored, SearchResult, Situation, Value, random_game};

/// Random games for each action at the lowest level; every level doubles them.
const GAMES: u32 = 4;
/// A random game that is not over by then counts as drawn.
const LONGEST: u32 = 2_000;

/// Plays a game in which nothing is hidden by trying every action in random games; chance acts in them by its odds.
///
/// ```
/// use rules::{Position, quixo::Quixo};
/// use search::bots::playouts::PlayoutBot;
/// use search::{Bot, Level, Limits, Situation};
///
/// let game = Quixo::parse(&Default::default(), "...../...../xxxx./...../oooo. 1")?;
/// let situation = Situation { view: &game, earlier: &[] };
/// let result = Bot::<Quixo>::choose(&mut PlayoutBot, &situation, Level::HIGHEST, &Limits::nodes(100_000));
/// assert_eq!(result.action.to_string(), "e3a3");
/// # Ok::<(), rules::BadPosition>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct PlayoutBot;

impl<P: Position<View = P>> Bot<P> for PlayoutBot {
    fn choose(&mut self, situation: &Situation<'_, P>, level: Level, limits: &Limits<'_>) -> SearchResult<P::Action> {
        certain(situation.view, try_all(|_| situation.view.clone(), GAMES << level.number(), limits))
    }

    fn analyse(&mut self, situation: &Situation<'_, P>, limits: &Limits<'_>) -> SearchResult<P::Action> {
        certain(situation.view, try_all(|_| situation.view.clone(), GAMES << Level::HIGHEST.number(), limits))
    }
}

/// Plays a game with hidden hands by guessing them anew for every round of random games.
///
/// ```
/// use rules::{Position, Seat, Viewer, sequence::Sequence};
/// use search::bots::playouts::GuessingBot;
/// use search::{Bot, Level, Limits, Situation};
///
/// let text = "*.....*/......./......./......./......./*.....* 1 cat+fox+owl|bear+cow+dog -|- 0 0";
/// let game = Sequence::parse(&Default::default(), text)?;
/// let view = game.view(Viewer::Seat(Seat::ONE));
/// let situation = Situation { view: &view, earlier: &[] };
/// let result = Bot::<Sequence>::choose(&mut GuessingBot, &situation, Level::LOWEST, &Limits::nodes(1_000));
/// assert!(game.is_legal(result.action));
/// # Ok::<(), rules::BadPosition>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct GuessingBot;

impl<P: HiddenInformation> Bot<P> for GuessingBot {
    fn choose(&mut self, situation: &Situation<'_, P>, level: Level, limits: &Limits<'_>) -> SearchResult<P::Action> {
        try_all(|random| guess::<P>(situation.view, random), GAMES << level.number(), limits)
    }

    fn analyse(&mut self, situation: &Situation<'_, P>, limits: &Limits<'_>) -> SearchResult<P::Action> {
        try_all(|random| guess::<P>(situation.view, random), GAMES << Level::HIGHEST.number(), limits)
    }
}

fn guess<P: HiddenInformation>(view: &P::View, random: &mut Random) -> P {
    P::guess(view, &mut |count| random.below(count))
}

/// Every legal action with its share of points in so many rounds of random games, best first. Every round plays on from a
/// position of its own.
///
/// # Panics
/// If the game is over, when there is nothing to choose.
fn try_all<P: Position>(
    mut position: impl FnMut(&mut Random) -> P,
    games: u32,
    limits: &Limits<'_>,
) -> SearchResult<P::Action> {
    let mut actions = ActionList::new();
    let mut random = Random::new(limits.seed);
    // What the seat to act may do does not depend on what is hidden from it.
    position(&mut random).actions(&mut actions);
    let mut meter = limits.meter();
    let mut points: Vec<(P::Action, u64)> = actions.iter().map(|&action| (action, 0)).collect();
    let mut played = 0;
    // A round for every action at a time, so that all are tried equally often when time runs out.
    while played < games && !meter.look() {
        let start = position(&mut random);
        for (action, points) in &mut points {
            meter.tick();
            *points += playout(&start, *action, &mut random);
        }
        played += 1;
    }
    let share = |points: u64| points as f32 / (2 * played.max(1)) as f32;
    let mut scored: Vec<Scored<P::Action>> =
        points.iter().map(|&(action, points)| Scored { action, value: Value::estimate(share(points)) }).collect();
    scored.sort_by_key(|scored| std::cmp::Reverse(scored.value));
    let best = scored[0];
    let nodes = meter.nodes();
    SearchResult { action: best.action, value: best.value, line: vec![best.action], scored, nodes, depth: 1 }
}

/// The same result with values that are certain for actions that end the game.
fn certain<P: Position>(position: &P, mut result: SearchResult<P::Action>) -> SearchResult<P::Action> {
    for scored in &mut result.scored {
        scored.value = ended(position, scored.action).unwrap_or(scored.value);
    }
    result.scored.sort_by_key(|scored| std::cmp::Reverse(scored.value));
    let best = result.scored[0];
    SearchResult { action: best.action, value: best.value, line: vec![best.action], ..result }
}

/// Two points for a won game, one for a drawn one.
fn playout<P: Position>(position: &P, action: P::Action, random: &mut Random) -> u64 {
    let Turn::Seat(seat) = position.turn() else { return 0 };
    let mut next = position.clone();
    next.play_unchecked(action);
    random_game(&mut next, random, &mut ActionList::new(), LONGEST);
    match next.turn() {
        Turn::Over(Outcome::Win(side)) if side == position.side(seat) => 2,
        Turn::Over(Outcome::Win(_)) => 0,
        _ => 1,
    }
}

/// What an action is worth that ends the game.
fn ended<P: Position>(position: &P, action: P::Action) -> Option<Value> {
    let Turn::Seat(seat) = position.turn() else { return None };
    let mut next = position.clone();
    next.play_unchecked(action);
    match next.turn() {
        Turn::Over(Outcome::Win(side)) if side == position.side(seat) => Some(Value::win_in(1)),
        Turn::Over(Outcome::Win(_)) => Some(Value::loss_in(1)),
        Turn::Over(Outcome::Draw) => Some(Value::Draw),
        Turn::Seat(_) | Turn::Chance => None,
    }
}
