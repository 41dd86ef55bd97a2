//! A record that grows action by action is the one that is written whole.

use std::time::Duration;

use rules::Seat;
use search::Random;

use super::*;
use crate::AnyPosition;

/// A random game, with the position before each entry.
fn played(game: &str, sitters: &[&str], seed: u64) -> (Match, Vec<Box<dyn AnyPosition>>) {
    let mut settings = MatchSettings::new(game.parse().unwrap());
    settings.sitters = sitters.iter().map(|sitter| sitter.parse().unwrap()).collect();
    settings.clock = "fischer=300+5".parse().unwrap();
    let mut game = Match::new(settings).unwrap();
    game.start_clock(Duration::ZERO);
    let mut random = Random::new(seed);
    for second in 0..200 {
        let now = Duration::from_secs(second);
        if game.draw_one(&mut |n| random.below(n), now).unwrap().is_none() {
            let Some(count) = u32::try_from(game.legal().len()).ok().filter(|count| *count > 0) else { break };
            game.play(&game.legal()[random.below(count) as usize], now).unwrap();
        }
    }
    let positions = game.history();
    (game, positions)
}

/// The match when its log had this length.
fn at(game: &Match, length: usize) -> Match {
    let mut part = Match::new(game.settings().clone()).unwrap();
    game.log()[..length].iter().for_each(|entry| part.replay(entry.clone()).unwrap());
    part
}

/// A file that was written after so many entries, then appended to so many at a time.
fn grown(game: &Match, positions: &[Box<dyn AnyPosition>], from: usize, step: usize) -> String {
    let mut kept = GrowingRecord::new(at(game, from).record());
    let mut file = kept.record().sealed();
    for length in (from..game.log().len()).step_by(step).skip(1) {
        let part = at(game, length);
        let Some(growth) = kept.growth(&part, |length| Some(positions.get(length)?.as_ref())) else {
            kept = GrowingRecord::new(part.record());
            file = kept.record().sealed();
            continue;
        };
        assert!(growth.line().ends_with('\n') && growth.line().lines().count() == 1);
        file.push_str(growth.line());
        kept.take_in(growth);
        assert_eq!(*kept.record(), part.record());
        assert_eq!(Record::read_all(&file), Ok(vec![part.record()]), "{file}");
    }
    file
}

#[test]
fn what_is_appended_reads_as_what_is_written_whole() {
    let games: [(&str, &[&str]); 6] = [
        ("quarto", &["person", "person"]),
        ("quixo(players=4)", &["person", "bot:3", "person", "bot:1"]),
        ("four(size=9)", &["person", "person"]),
        ("sequence", &["person", "bot:3"]),
        ("sequence(players=3)", &["person", "person", "bot:2"]),
        ("sequence(players=4)", &["bot:1", "bot:1", "bot:1", "bot:1"]),
    ];
    for (number, (game, sitters)) in (0..).zip(games) {
        let (game, positions) = played(game, sitters, number);
        for (from, step) in [(1, 1), (7, 3)] {
            grown(&game, &positions, from, step);
        }
    }
}

#[test]
fn what_is_appended_hides_what_the_file_hides() {
    let (game, positions) = played("sequence", &["person", "bot:3"], 5);
    let file = grown(&game, &positions, 8, 2);
    let shown = at(&game, 8 + (game.log().len() - 8).div_ceil(2) * 2 - 2).record_for(Viewer::Seat(Seat::ONE));
    let seen = |text: &str| {
        let words: Vec<_> =
            text.split_whitespace().filter(|word| word.starts_with("draw:")).map(str::to_owned).collect();
        words
    };
    assert_eq!(seen(&file), seen(&shown.to_string()));
    assert!(seen(&file).contains(&"draw:?".to_owned()));
    // A card cannot be told by the length of what hides it.
    let seals: Vec<usize> =
        file.split(seal::COMMAND).skip(1).map(|rest| rest.split(']').next().unwrap().len()).collect();
    assert!(seals.len() > 5 && seals.iter().all(|length| *length == 128), "{seals:?}");
}

#[test]
fn an_appended_seal_that_was_changed_moved_or_left_out_is_refused() {
    let (game, positions) = played("sequence", &["person", "person"], 5);
    let file = grown(&game, &positions, 8, 1);
    let lines: Vec<&str> = file.lines().collect();
    let sealed: Vec<usize> = (0..lines.len()).filter(|line| lines[*line].contains(seal::COMMAND)).collect();
    let (first, last) = (sealed[0], *sealed.last().unwrap());
    let refused = |lines: &[&str]| {
        let problem = Record::read_all(&lines.join("\n")).unwrap_err().problem;
        assert_eq!(problem, RecordProblem::BrokenSeal, "{lines:?}");
    };
    let mut changed = lines.clone();
    let digit = lines[last].replace("]}", "0]}");
    changed[last] = &digit;
    refused(&changed);
    let mut open = lines.clone();
    open[last] = lines[last].split(" {").next().unwrap();
    refused(&open);
    let mut moved = lines.clone();
    let seal_of = |line: usize| lines[line].split_once(" {").unwrap();
    let (a, b) =
        (format!("{} {{{}", seal_of(first).0, seal_of(last).1), format!("{} {{{}", seal_of(last).0, seal_of(first).1));
    (moved[first], moved[last]) = (&a, &b);
    refused(&moved);
    // Without its end the file is the record of what was played until then.
    let shorter = Record::read_all(&lines[..last].join("\n")).unwrap();
    assert!(shorter[0].entries().len() < game.log().len());
}

#[test]
fn what_changes_the_tags_is_not_appended() {
    let (game, positions) = played("sequence", &["person", "person"], 5);
    let growth = |kept: &Match, now: &Match| {
        let kept = GrowingRecord::new(kept.record());
        kept.growth(now, |length| Some(positions.get(length)?.as_ref())).is_some()
    };
    let part = at(&game, 12);
    assert!(!growth(&at(&game, 0), &part), "before anything has happened nothing is sealed");
    assert!(growth(&at(&game, 6), &part) && !growth(&part, &part), "nothing is new");
    let mut over = part.clone();
    over.resign(Seat::ONE, Duration::ZERO).unwrap();
    assert!(!growth(&at(&game, 6), &over), "the end opens the hands");
}
