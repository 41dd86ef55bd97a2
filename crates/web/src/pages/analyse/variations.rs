//! Lines that leave the game: kept beside it, and written into its record as variations.

use game::{Entry, Match, Variation};

use super::source::prefix;

/// How many events two lines share from the start.
pub(super) fn shared(one: &Match, other: &Match) -> usize {
    one.log().iter().zip(other.log()).take_while(|(a, b)| a.event == b.event).count()
}

/// Keeps a line, unless another one goes further the same way; those that it continues are not needed any more.
pub(super) fn keep(lines: &mut Vec<Match>, line: Match) {
    let continues = |long: &Match, short: &Match| shared(long, short) == short.log().len();
    if line.log().is_empty() || lines.iter().any(|other| continues(other, &line)) {
        return;
    }
    lines.retain(|other| !continues(&line, other));
    lines.push(line);
}

/// A line with others as variations of it, for its record.
pub(super) fn annotated(main: &Match, others: &[Match]) -> Match {
    let mut entries: Vec<Entry> =
        main.log().iter().map(|entry| Entry { variations: Vec::new(), ..entry.clone() }).collect();
    for other in others {
        let at = shared(main, other);
        let rest = other.log()[at..].iter().map(|entry| Entry::new(entry.event.clone())).collect::<Vec<_>>();
        // What only goes on after the end of the line is no other way to play it.
        if let (Some(entry), false) = (entries.get_mut(at), rest.is_empty()) {
            entry.variations.push(Variation { preface: Vec::new(), entries: rest });
        }
    }
    let Ok(mut annotated) = Match::new(main.settings().clone()) else { return main.clone() };
    for entry in entries {
        if annotated.replay(entry).is_err() {
            return main.clone();
        }
    }
    annotated
}

/// The lines that the variations of a record tell, those inside variations included.
pub(super) fn lines_of(game: &Match) -> Vec<Match> {
    let mut lines = Vec::new();
    collect(game, 0, &mut lines);
    lines
}

fn collect(line: &Match, from: usize, lines: &mut Vec<Match>) {
    for (at, entry) in line.log().iter().enumerate().skip(from) {
        for variation in &entry.variations {
            let mut branch = prefix(line, at);
            if variation.entries.iter().try_for_each(|entry| branch.replay(entry.clone())).is_ok() {
                collect(&branch, at, lines);
                keep(lines, branch);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(moves: &str) -> Match {
        let text = format!("[Game \"quixo\"]\n\n{moves}\n");
        game::Record::read_all(&text).unwrap().pop().unwrap().replay().unwrap()
    }

    fn actions(game: &Match) -> Vec<String> {
        game.log().iter().map(|entry| format!("{:?}", entry.event)).collect()
    }

    #[test]
    fn a_line_is_kept_once_and_in_its_longest_form() {
        let mut lines = Vec::new();
        keep(&mut lines, line("1. a3e3 2. a2e2"));
        keep(&mut lines, line("1. a3e3"));
        assert_eq!(lines.len(), 1);
        keep(&mut lines, line("1. a3e3 2. a2e2 3. a1e1"));
        assert_eq!((lines.len(), lines[0].log().len()), (1, 3));
        keep(&mut lines, line("1. a2e2"));
        assert_eq!(lines.len(), 2);
    }

    #[test]
    fn variations_are_written_into_the_record_and_read_back() {
        let main = line("1. a3e3 2. a2e2 3. a1e1");
        let others = [line("1. a3e3 2. a1e1 3. a2e2"), line("1. a2e2")];
        let text = annotated(&main, &others).record().to_string();
        let again = game::Record::read_all(&text).unwrap().pop().unwrap().replay().unwrap();
        assert_eq!(actions(&again), actions(&main));
        let told: Vec<_> = lines_of(&again).iter().map(actions).collect();
        assert_eq!(told.len(), 2, "{text}");
        assert!(others.iter().all(|other| told.contains(&actions(other))), "{text}");
    }

    #[test]
    fn a_continuation_of_the_whole_game_is_no_variation() {
        let main = line("1. a3e3");
        let longer = [line("1. a3e3 2. a2e2")];
        assert!(lines_of(&annotated(&main, &longer)).is_empty());
    }
}
