use std::collections::VecDeque;
use std::fmt;

use rules::GameId;

use crate::{Day, Finish, PuzzleId, Rating, RunKind};

/// The first line of a diary.
const HEADER: &str = "fourfold-puzzle-diary 1";

/// Puzzles that are not set again; more would make the diary long.
const REMEMBERED: usize = 600;

/// Days that are kept: the calendar shows a month, the streak of days may be longer.
const DAYS: usize = 800;

/// What a solver has done on this device: ratings, days, records. It is kept as text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diary {
    ratings: Noted<GameId, (Rating, u32)>,
    days: Noted<(Day, GameId), DayEntry>,
    best: Noted<(GameId, &'static str), u32>,
    seen: VecDeque<PuzzleId>,
}

/// Values in the order of their keys. The standard library's map of each type would be 3 kB of the page of puzzles.
#[derive(Clone, Debug, PartialEq)]
struct Noted<K, V>(Vec<(K, V)>);

impl<K, V> Default for Noted<K, V> {
    fn default() -> Noted<K, V> {
        Noted(Vec::new())
    }
}

impl<K: Ord, V> Noted<K, V> {
    fn get(&self, key: &K) -> Option<&V> {
        let place = self.0.binary_search_by(|(known, _)| known.cmp(key)).ok()?;
        self.0.get(place).map(|(_, value)| value)
    }

    fn insert(&mut self, key: K, value: V) {
        match self.0.binary_search_by(|(known, _)| known.cmp(&key)) {
            Ok(place) => self.0[place].1 = value,
            Err(place) => self.0.insert(place, (key, value)),
        }
    }
}

/// What became of a puzzle of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DayEntry {
    /// How it ended.
    pub result: Finish,
    /// How many seconds it took.
    pub seconds: u32,
    /// Wrong actions and hints.
    pub faults: u32,
}

impl DayEntry {
    /// What it comes to for a solver who has tried the puzzle before: then it is not solved at the first try.
    #[must_use]
    pub fn after_a_try(self) -> DayEntry {
        match self.result {
            Finish::Clean => DayEntry { result: Finish::Helped, faults: self.faults + 1, ..self },
            _ => self,
        }
    }
}

impl Diary {
    /// Reads a diary; what cannot be read is left out, and a diary of another version is an empty one.
    pub fn read(text: &str) -> Diary {
        let mut diary = Diary::default();
        let mut lines = text.lines();
        if lines.next() == Some(HEADER) {
            for line in lines {
                let _ = diary.read_line(line);
            }
        }
        diary
    }

    fn read_line(&mut self, line: &str) -> Option<()> {
        let mut words = line.split(' ');
        match words.next()? {
            "rating" => {
                let game = words.next()?.parse().ok()?;
                let solved = words.next()?.parse().ok()?;
                let rating = words.collect::<Vec<_>>().join(" ").parse().ok()?;
                self.ratings.insert(game, (rating, solved));
            }
            "day" => {
                let (day, game) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
                let result = read_result(words.next()?)?;
                let (seconds, faults) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
                self.days.insert((day, game), DayEntry { result, seconds, faults });
            }
            "best" => {
                let game = words.next()?.parse().ok()?;
                let word = words.next()?;
                let kind = [RunKind::Streak, RunKind::Storm].into_iter().find(|kind| run_word(*kind) == word)?;
                self.best.insert((game, run_word(kind)), words.next()?.parse().ok()?);
            }
            "seen" => self.seen.extend(words.filter_map(|word| word.parse::<PuzzleId>().ok()).take(REMEMBERED)),
            _ => return None,
        }
        Some(())
    }

    /// The solver's rating in a game.
    pub fn rating(&self, game: GameId) -> Rating {
        self.ratings.get(&game).map_or(Rating::NEW_SOLVER, |(rating, _)| *rating)
    }

    /// How many puzzles of a game were rated.
    pub fn rated(&self, game: GameId) -> u32 {
        self.ratings.get(&game).map_or(0, |(_, rated)| *rated)
    }

    /// Takes in a rated attempt: 1 for a clean solution, else 0. Gives the rating before and after.
    pub fn rate(&mut self, game: GameId, puzzle: Rating, score: f64) -> (Rating, Rating) {
        let before = self.rating(game);
        let after = before.after(&[(puzzle, score)]);
        let rated = self.rated(game) + 1;
        self.ratings.insert(game, (after, rated));
        (before, after)
    }

    /// Takes over a rating that a server keeps.
    pub fn set_rating(&mut self, game: GameId, rating: Rating, rated: u32) {
        self.ratings.insert(game, (rating, rated));
    }

    /// What became of a day's puzzle.
    pub fn day(&self, day: Day, game: GameId) -> Option<DayEntry> {
        self.days.get(&(day, game)).copied()
    }

    /// Notes what became of a day's puzzle; the first result stays, unless it was a failure, after which the solution is
    /// known.
    pub fn note_day(&mut self, day: Day, game: GameId, entry: DayEntry) {
        match self.day(day, game) {
            None => self.days.insert((day, game), entry),
            Some(known) if known.result == Finish::Failed => self.days.insert((day, game), entry.after_a_try()),
            Some(_) => {}
        }
        while self.days.0.len() > DAYS {
            self.days.0.remove(0);
        }
    }

    /// On how many days in a row, up to today or yesterday, a puzzle of the day was solved.
    pub fn days_in_a_row(&self, today: Day) -> u32 {
        days_in_a_row(today, |day| crate::GAMES.iter().any(|game| self.is_solved(day, *game)))
    }

    /// Whether a day's puzzle was solved, with help or without.
    pub fn is_solved(&self, day: Day, game: GameId) -> bool {
        self.day(day, game).is_some_and(|entry| entry.result != Finish::Failed)
    }

    /// The most puzzles that were solved in a row of this kind.
    pub fn best(&self, game: GameId, kind: RunKind) -> u32 {
        self.best.get(&(game, run_word(kind))).copied().unwrap_or(0)
    }

    /// Notes a row that has ended; `true` if it is a new best.
    pub fn note_run(&mut self, game: GameId, kind: RunKind, solved: u32) -> bool {
        let better = solved > self.best(game, kind);
        if better {
            self.best.insert((game, run_word(kind)), solved);
        }
        better
    }

    /// Whether a puzzle was set not long ago.
    pub fn has_seen(&self, id: PuzzleId) -> bool {
        self.seen.contains(&id)
    }

    /// Remembers a puzzle, so that it is not set again soon.
    pub fn remember(&mut self, id: PuzzleId) {
        if !self.has_seen(id) {
            self.seen.push_back(id);
        }
        while self.seen.len() > REMEMBERED {
            self.seen.pop_front();
        }
    }
}

impl fmt::Display for Diary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}")?;
        for (game, (rating, rated)) in &self.ratings.0 {
            writeln!(f, "rating {game} {rated} {rating}")?;
        }
        for ((day, game), DayEntry { result, seconds, faults }) in &self.days.0 {
            writeln!(f, "day {day} {game} {} {seconds} {faults}", result_word(*result))?;
        }
        for ((game, kind), best) in &self.best.0 {
            writeln!(f, "best {game} {kind} {best}")?;
        }
        if !self.seen.is_empty() {
            let names: Vec<String> = self.seen.iter().map(ToString::to_string).collect();
            writeln!(f, "seen {}", names.join(" "))?;
        }
        Ok(())
    }
}

/// On how many days in a row something was done, up to today or, while today is not over, yesterday.
pub fn days_in_a_row(today: Day, done: impl Fn(Day) -> bool) -> u32 {
    let last = if done(today) { today } else { today.previous() };
    std::iter::successors(Some(last), |day| Some(day.previous())).take_while(|day| done(*day)).count() as u32
}

const fn run_word(kind: RunKind) -> &'static str {
    match kind {
        RunKind::Streak => "streak",
        RunKind::Storm => "storm",
    }
}

const fn result_word(result: Finish) -> &'static str {
    match result {
        Finish::Failed => "failed",
        Finish::Helped => "helped",
        Finish::Clean => "clean",
    }
}

fn read_result(word: &str) -> Option<Finish> {
    [Finish::Failed, Finish::Helped, Finish::Clean].into_iter().find(|result| result_word(*result) == word)
}

/// The results of a day's puzzles as a text to share, which gives no solution away: the day, then a line for each game
/// that was tried, with its name in the reader's language.
pub fn share_text(day: Day, days_in_a_row: u32, entries: impl IntoIterator<Item = (String, DayEntry)>) -> String {
    let mut text = format!("Fourfold {day}");
    for (name, DayEntry { result, seconds, faults }) in entries {
        let signs = match result {
            Finish::Clean => "■".to_owned(),
            Finish::Helped => "□".repeat(faults.clamp(1, 5) as usize) + "■",
            Finish::Failed => "□".repeat(faults.clamp(1, 6) as usize),
        };
        text += &format!("\n{signs} {name} {}:{:02}", seconds / 60, seconds % 60);
    }
    if days_in_a_row > 1 {
        text += &format!("\n→ {days_in_a_row}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Day {
        text.parse().unwrap()
    }

    fn entry(result: Finish) -> DayEntry {
        DayEntry { result, seconds: 75, faults: u32::from(result != Finish::Clean) }
    }

    #[test]
    fn a_diary_reads_back_and_damage_is_left_out() {
        let mut diary = Diary::default();
        diary.rate(GameId::Quixo, Rating::of_puzzle(1300), 1.0);
        diary.note_day(day("2026-11-17"), GameId::Four, entry(Finish::Helped));
        assert!(diary.note_run(GameId::Quarto, RunKind::Storm, 12));
        assert!(!diary.note_run(GameId::Quarto, RunKind::Storm, 11));
        diary.remember(PuzzleId::of("quixo", "x"));
        let text = diary.to_string();
        let read = Diary::read(&text);
        assert_eq!(read.to_string(), text);
        assert_eq!(read.best(GameId::Quarto, RunKind::Storm), 12);
        assert!(read.has_seen(PuzzleId::of("quixo", "x")) && read.rated(GameId::Quixo) == 1);
        let damaged = text.replace("day ", "day x") + "rating quixo 1 nonsense\nbest quixo nothing 3\n\n";
        assert_eq!(Diary::read(&damaged).day(day("2026-11-17"), GameId::Four), None);
        assert_eq!(Diary::read(&text.replacen('1', "9", 1)), Diary::default());
    }

    #[test]
    fn days_in_a_row_end_with_a_gap_and_survive_until_today_is_over() {
        let mut diary = Diary::default();
        for text in ["2026-02-27", "2026-02-28", "2026-03-01"] {
            diary.note_day(day(text), GameId::Quixo, entry(Finish::Clean));
        }
        assert_eq!(diary.days_in_a_row(day("2026-03-01")), 3);
        assert_eq!(diary.days_in_a_row(day("2026-03-02")), 3);
        assert_eq!(diary.days_in_a_row(day("2026-03-03")), 0);
        diary.note_day(day("2026-03-02"), GameId::Quixo, entry(Finish::Failed));
        assert_eq!(diary.days_in_a_row(day("2026-03-02")), 3);
        diary.note_day(day("2026-03-02"), GameId::Quixo, entry(Finish::Clean));
        diary.note_day(day("2026-03-02"), GameId::Quixo, entry(Finish::Failed));
        // Who has seen the solution has not solved it at the first try.
        let noted = diary.day(day("2026-03-02"), GameId::Quixo).map(|entry| (entry.result, entry.faults));
        assert_eq!(noted, Some((Finish::Helped, 1)));
        assert_eq!(diary.days_in_a_row(day("2026-03-02")), 4);
    }

    #[test]
    fn a_shared_result_says_how_it_went_and_nothing_more() {
        let entries = [("Quixo".to_owned(), entry(Finish::Clean)), ("Four".to_owned(), entry(Finish::Helped))];
        let text = share_text(day("2026-11-17"), 3, entries);
        assert_eq!(text, "Fourfold 2026-11-17\n■ Quixo 1:15\n□■ Four 1:15\n→ 3");
    }
}
