//! A bot for any game in which nothing is hidden: it tries every action in random games.
//!
//! Enough for a new game until it has a bot of its own; it finds what wins or loses at once, and little more.

use rules::{ActionList, Outcome, PerfectInformation, Turn};

use crate::{Bot, Level, Limits, Random, Scored, SearchResult, Situation, Value, random_game};

/// Random games for each action at the lowest level; every level doubles them.
const GAMES: u32 = 4;
/// A random game that is not over by then counts as drawn.
const LONGEST: u32 = 2_000;

/// Plays by trying every action in random games.
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

impl<P: PerfectInformation> Bot<P> for PlayoutBot {
    fn choose(&mut self, situation: &Situation<'_, P>, level: Level, limits: &Limits<'_>) -> SearchResult<P::Action> {
        try_all(situation.view, GAMES << level.number(), limits)
    }

    fn analyse(&mut self, situation: &Situation<'_, P>, limits: &Limits<'_>) -> SearchResult<P::Action> {
        try_all(situation.view, GAMES << Level::HIGHEST.number(), limits)
    }
}

/// Every legal action with its share of points in so many random games, best first.
///
/// # Panics
/// If the game is over, when there is nothing to choose.
fn try_all<P: PerfectInformation>(position: &P, games: u32, limits: &Limits<'_>) -> SearchResult<P::Action> {
    let mut actions = ActionList::new();
    position.actions(&mut actions);
    let mut random = Random::new(limits.seed);
    let mut meter = limits.meter();
    let mut points: Vec<(P::Action, u64)> = actions.iter().map(|&action| (action, 0)).collect();
    let mut played = 0;
    // A round for every action at a time, so that all are tried equally often when time runs out.
    while played < games && !meter.look() {
        for (action, points) in &mut points {
            meter.tick();
            *points += playout(position, *action, &mut random);
        }
        played += 1;
    }
    let share = |points: u64| points as f32 / (2 * played.max(1)) as f32;
    let mut scored: Vec<Scored<P::Action>> = points
        .iter()
        .map(|&(action, points)| Scored { action, value: value(position, action, share(points)) })
        .collect();
    scored.sort_by_key(|scored| std::cmp::Reverse(scored.value));
    let best = scored[0];
    let nodes = meter.nodes();
    SearchResult { action: best.action, value: best.value, line: vec![best.action], scored, nodes, depth: 1 }
}

/// Two points for a won game, one for a drawn one.
fn playout<P: PerfectInformation>(position: &P, action: P::Action, random: &mut Random) -> u64 {
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

/// Certain where the action ends the game, an estimate elsewhere.
fn value<P: PerfectInformation>(position: &P, action: P::Action, share: f32) -> Value {
    let Turn::Seat(seat) = position.turn() else { return Value::Draw };
    let mut next = position.clone();
    next.play_unchecked(action);
    match next.turn() {
        Turn::Over(Outcome::Win(side)) if side == position.side(seat) => Value::win_in(1),
        Turn::Over(Outcome::Win(_)) => Value::loss_in(1),
        Turn::Over(Outcome::Draw) => Value::Draw,
        _ => Value::estimate(share),
    }
}
