use rules::{ActionList, Position, Seat, Turn, Viewer, game_text};
use search::Random;

use crate::{Property, Violation};

/// How much of a game to walk.
#[derive(Clone, Copy, Debug)]
pub struct Walks {
    /// The same seed walks the same games.
    pub seed: u64,
    /// How many games.
    pub games: u32,
    /// After how many actions a game is left unfinished.
    pub actions: u32,
}

/// What was walked, so that a test can say that it was enough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Positions checked.
    pub positions: u64,
    /// Games that came to their end.
    pub finished: u64,
    /// Readable actions that were not legal, tried and refused.
    pub refused: u64,
}

impl std::ops::AddAssign for Report {
    fn add_assign(&mut self, other: Report) {
        self.positions += other.positions;
        self.finished += other.finished;
        self.refused += other.refused;
    }
}

/// Everybody who may look at a position.
pub fn viewers<P: Position>(position: &P) -> impl Iterator<Item = Viewer> + use<P> {
    Seat::all(position.seats()).map(Viewer::Seat).chain([Viewer::Spectator])
}

/// One of the legal actions: evenly for a seat, by weight for chance; `None` when the game is over.
pub fn random_action<P: Position>(position: &P, random: &mut Random) -> Option<P::Action> {
    let mut actions = ActionList::new();
    position.actions(&mut actions);
    if position.turn() != Turn::Chance {
        let index = random.below(actions.len() as u32) as usize;
        return actions.get(index).copied();
    }
    let total: u32 = actions.iter().map(|&action| position.weight(action)).sum();
    let mut ticket = random.below(total);
    for &action in actions.iter() {
        let weight = position.weight(action);
        if ticket < weight {
            return Some(action);
        }
        ticket -= weight;
    }
    None
}

/// A random game from the start, cut after `limit` actions: the actions and where they lead.
pub fn random_game<P: Position>(options: &P::Options, seed: u64, limit: u32) -> (Vec<P::Action>, P) {
    let mut random = Random::new(seed);
    let mut position = P::start(options);
    let mut actions = Vec::new();
    while let Some(action) = random_action(&position, &mut random) {
        if actions.len() as u32 == limit {
            break;
        }
        position.play_unchecked(action);
        actions.push(action);
    }
    (actions, position)
}

/// Walks random games and looks at each position, the first and the last included.
pub(crate) fn walk<P: Position>(
    options: &P::Options,
    walks: Walks,
    mut look: impl FnMut(&P, &mut Random, &mut Report) -> Result<(), (Property, String)>,
) -> Result<Report, Violation> {
    let mut report = Report::default();
    for game in 0..walks.games {
        let mut random = Random::new(walks.seed.wrapping_mul(0x9e37_79b9).wrapping_add(u64::from(game)));
        let mut position = P::start(options);
        let mut trail: Vec<P::Action> = Vec::new();
        loop {
            report.positions += 1;
            look(&position, &mut random, &mut report).map_err(|(property, detail)| Violation {
                property,
                game: game_text::<P>(options),
                trail: trail.iter().map(P::Action::to_string).collect(),
                detail: format!("{detail}, at {position}"),
            })?;
            if matches!(position.turn(), Turn::Over(_)) {
                report.finished += 1;
                break;
            }
            let Some(action) = random_action(&position, &mut random) else { break };
            if trail.len() as u32 == walks.actions {
                break;
            }
            position.play_unchecked(action);
            trail.push(action);
        }
    }
    Ok(report)
}
