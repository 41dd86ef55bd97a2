use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use rules::{ActionList, PerfectInformation, Position, Reason, Seat, Turn, Viewer, game_text};
use search::Random;

use crate::walk::walk;
use crate::{Property, Report, Violation, Walks, random_game, viewers};

/// Why a check failed, before the walk adds where.
pub(crate) type Check = Result<(), (Property, String)>;

/// How many readable texts are thrown at each position.
const TRIES: u32 = 16;

/// Checks what every game promises.
///
/// `vocabulary` holds action texts of the game, legal or not, to be tried in positions they were not made for;
/// every action met on the way is added to it.
pub fn conform<P: Position>(options: &P::Options, vocabulary: &[String], walks: Walks) -> Result<Report, Violation> {
    check_options::<P>(options)?;
    let words = words::<P>(options, vocabulary, walks);
    let report = walk::<P>(options, walks, |position, random, report| {
        let mut actions = ActionList::new();
        position.actions(&mut actions);
        check_turn(position, &actions)?;
        check_action_texts(position, &actions)?;
        check_position_text(position, options)?;
        check_weights(position, &actions)?;
        check_own_action_seen(position, &actions)?;
        check_skipped_turn(position, options)?;
        report.refused += check_play(position, &actions, &words, random)?;
        Ok(())
    })?;
    for game in 0..walks.games {
        check_replay::<P>(options, walks.seed.wrapping_add(u64::from(game)), walks.actions)?;
    }
    Ok(report)
}

/// Checks that a game with nothing to hide hides nothing.
pub fn conform_perfect<P: PerfectInformation>(options: &P::Options, walks: Walks) -> Result<Report, Violation> {
    walk::<P>(options, walks, |position, _, _| {
        let mut actions = ActionList::new();
        position.actions(&mut actions);
        for viewer in viewers(position) {
            ensure(position.view(viewer) == *position, Property::NothingHidden, || {
                format!("{viewer:?} sees {}", position.view(viewer))
            })?;
            for &action in actions.iter() {
                let seen = position.seen_action(action, viewer);
                ensure(seen == action.to_string(), Property::NothingHidden, || {
                    format!("{viewer:?} sees {action} as {seen}")
                })?;
            }
        }
        ensure(position.turn() != Turn::Chance, Property::NothingHidden, || "chance is to act".to_owned())
    })
}

pub(crate) fn ensure(holds: bool, property: Property, detail: impl FnOnce() -> String) -> Check {
    if holds { Ok(()) } else { Err((property, detail())) }
}

fn check_options<P: Position>(options: &P::Options) -> Result<(), Violation> {
    let text = options.to_string();
    let same = text.parse().is_ok_and(|read: P::Options| read == *options);
    let kept = P::start(options).options() == *options;
    if same && kept {
        return Ok(());
    }
    let detail = if same { "the start forgets its options" } else { "the option text reads back differently" };
    let game = game_text::<P>(options);
    Err(Violation { property: Property::OptionsText, game, trail: Vec::new(), detail: detail.to_owned() })
}

/// What to try in every position: the given texts that can be read, and all that is legal somewhere in these games.
fn words<P: Position>(options: &P::Options, vocabulary: &[String], walks: Walks) -> Vec<P::Action> {
    let mut words: HashSet<P::Action> = vocabulary.iter().filter_map(|text| text.parse().ok()).collect();
    for game in 0..walks.games.min(8) {
        let (actions, _) = random_game::<P>(options, walks.seed ^ u64::from(game), walks.actions);
        words.extend(actions);
    }
    let mut words: Vec<P::Action> = words.into_iter().collect();
    // A set has no order of its own; the same seed must try the same texts.
    words.sort_by_cached_key(P::Action::to_string);
    words
}

fn check_turn<P: Position>(position: &P, actions: &[P::Action]) -> Check {
    let over = matches!(position.turn(), Turn::Over(_));
    ensure(over == actions.is_empty(), Property::LiveHasActions, || {
        format!("{:?} with {} actions", position.turn(), actions.len())
    })?;
    let exists = match position.turn() {
        Turn::Seat(seat) => seat.number() <= position.seats(),
        Turn::Over(rules::Outcome::Win(side)) => Seat::all(position.seats()).any(|seat| position.side(seat) == side),
        _ => true,
    };
    let chance = position.turn() == Turn::Chance;
    ensure(actions.iter().all(|&action| P::is_chance(action) == chance), Property::ChanceActions, || {
        format!("{:?}, but not all actions say so", position.turn())
    })?;
    ensure(exists, Property::SeatsExist, || format!("{:?} with {} seats", position.turn(), position.seats()))?;
    let mut list = ActionList::new();
    for (place, &action) in actions.iter().enumerate() {
        let mut count = 0;
        let picked = position.pick(&mut list, |of| {
            count = of;
            place
        });
        ensure(picked == Some(action) && count == actions.len(), Property::PicksWhatIsListed, || {
            format!("{picked:?} was picked at {place} of {count}, but {action} of {} is there", actions.len())
        })?;
    }
    let distinct: HashSet<&P::Action> = actions.iter().collect();
    ensure(distinct.len() == actions.len(), Property::NoDuplicates, || {
        format!("{} actions, {} different", actions.len(), distinct.len())
    })
}

fn check_action_texts<P: Position>(position: &P, actions: &[P::Action]) -> Check {
    for &action in actions {
        let text = action.to_string();
        ensure(text.parse() == Ok(action), Property::ActionText, || format!("{text:?} reads back differently"))?;
        for text in viewers(position).map(|viewer| position.seen_action(action, viewer)).chain([text]) {
            // Records and the protocol separate actions by spaces and put comments in braces.
            let one_word = !text.is_empty() && text.chars().all(|letter| letter.is_ascii_graphic() && letter != '{');
            ensure(one_word, Property::ActionText, || format!("{text:?} is not one word"))?;
        }
    }
    Ok(())
}

fn check_position_text<P: Position>(position: &P, options: &P::Options) -> Check {
    let text = position.to_string();
    let read = P::parse(options, &text).map_err(|error| (Property::PositionText, format!("refused: {error}")))?;
    ensure(read == *position, Property::PositionText, || format!("{position:?} reads back as {read:?}"))?;
    let hasher = RandomState::new();
    ensure(hasher.hash_one(&read) == hasher.hash_one(position), Property::PositionText, || {
        "equal positions hash differently".to_owned()
    })?;
    ensure(position.options() == *options, Property::OptionsText, || "the options changed".to_owned())
}

fn check_weights<P: Position>(position: &P, actions: &[P::Action]) -> Check {
    for &action in actions.iter().filter(|_| position.turn() == Turn::Chance) {
        ensure(position.weight(action) >= 1, Property::ChanceWeight, || format!("{action} has no weight"))?;
    }
    Ok(())
}

fn check_own_action_seen<P: Position>(position: &P, actions: &[P::Action]) -> Check {
    let Turn::Seat(seat) = position.turn() else { return Ok(()) };
    for &action in actions {
        let seen = position.seen_action(action, Viewer::Seat(seat));
        ensure(seen == action.to_string(), Property::OwnActionSeen, || format!("{seat} sees {action} as {seen}"))?;
    }
    Ok(())
}

/// A seat that left is passed over and another is to act (G7), which only a game of more than two sides can do; the
/// text of such a position reads back like any other.
fn check_skipped_turn<P: Position>(position: &P, options: &P::Options) -> Check {
    let (mut next, before) = (position.clone(), position.turn());
    if !next.skip_turn() {
        return ensure(next == *position, Property::SkippedTurn, || format!("a refused skip left {next}"));
    }
    let goes_on = matches!(before, Turn::Seat(_)) && next.turn() != before;
    ensure(goes_on, Property::SkippedTurn, || format!("{before:?} was skipped and {:?} came", next.turn()))?;
    let sides = Seat::all(position.seats()).map(|seat| position.side(seat).index() + 1).max().unwrap_or(0);
    ensure(sides > 2, Property::SkippedTurn, || format!("{sides} sides go on without one"))?;
    check_position_text(&next, options)?;
    let mut actions = ActionList::new();
    next.actions(&mut actions);
    check_turn(&next, &actions)
}

/// Tries some legal and some illegal actions; gives the number that were refused.
fn check_play<P: Position>(
    position: &P,
    actions: &[P::Action],
    words: &[P::Action],
    random: &mut Random,
) -> Result<u64, (Property, String)> {
    let legal: HashSet<&P::Action> = actions.iter().collect();
    let mut refused = 0;
    let mut attempt = |action: P::Action| {
        let listed = legal.contains(&action);
        let mut next = position.clone();
        let taken = next.play(action);
        ensure(
            taken.is_ok() == listed && position.is_legal(action) == listed,
            Property::PlayTakesWhatIsListed,
            || format!("{action} is listed: {listed}, played: {taken:?}, legal: {}", position.is_legal(action)),
        )?;
        if let Err(illegal) = taken {
            refused += 1;
            let over = matches!(position.turn(), Turn::Over(_));
            ensure(over == (illegal.reason == Reason::GameOver), Property::RefusalIsTrue, || illegal.to_string())?;
            ensure(next == *position, Property::RefusalChangesNothing, || format!("{action} left {next}"))?;
        }
        Ok(())
    };
    for _ in 0..TRIES.min(words.len() as u32) {
        attempt(words[random.below(words.len() as u32) as usize])?;
    }
    for _ in 0..TRIES.min(actions.len() as u32) {
        attempt(actions[random.below(actions.len() as u32) as usize])?;
    }
    Ok(refused)
}

/// Plays a game by its action texts, checked, beside the same game played unchecked.
fn check_replay<P: Position>(options: &P::Options, seed: u64, limit: u32) -> Result<(), Violation> {
    let (actions, end) = random_game::<P>(options, seed, limit);
    let trail: Vec<String> = actions.iter().map(P::Action::to_string).collect();
    let mut replayed = P::start(options);
    let wrong = |detail: String| Violation {
        property: Property::Replay,
        game: game_text::<P>(options),
        trail: trail.clone(),
        detail,
    };
    for text in &trail {
        let action = text.parse().map_err(|error| wrong(format!("{error}")))?;
        replayed.play(action).map_err(|error| wrong(error.to_string()))?;
    }
    if replayed == end { Ok(()) } else { Err(wrong(format!("{replayed} should be {end}"))) }
}
