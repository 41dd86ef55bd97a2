use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use game::Game;
use rules::{GameId, Viewer, split_once};
use search::Random;

use crate::sorting::insert_by;
use crate::{HEADER, Note, Puzzle, Theme};

/// The name of a puzzle: eight letters and digits that follow from its game and position alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PuzzleId(u64);

const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH: usize = 8;

impl PuzzleId {
    /// The name of the puzzle with this game and position, as their texts.
    pub fn of(game: &str, start: &str) -> PuzzleId {
        // Folded to the 40 bits that eight letters hold.
        let hash = search::checksum(format!("{game}|{start}").as_bytes());
        PuzzleId((hash ^ hash >> 40) & ((1 << (5 * LENGTH)) - 1))
    }
}

impl fmt::Display for PuzzleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |place: usize| LETTERS[(self.0 >> (5 * (LENGTH - 1 - place))) as usize & 31] as char;
        (0..LENGTH).try_for_each(|place| write!(f, "{}", letter(place)))
    }
}

/// A text that names no puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadPuzzleId;

impl FromStr for PuzzleId {
    type Err = BadPuzzleId;

    fn from_str(text: &str) -> Result<PuzzleId, BadPuzzleId> {
        if text.len() != LENGTH {
            return Err(BadPuzzleId);
        }
        let digit = |byte: u8| LETTERS.iter().position(|letter| *letter == byte).ok_or(BadPuzzleId);
        text.bytes().try_fold(0, |id, byte| Ok(id << 5 | digit(byte)? as u64)).map(PuzzleId)
    }
}

impl Puzzle {
    /// The puzzle's name.
    pub fn id(&self) -> PuzzleId {
        PuzzleId::of(&self.game.to_string(), &self.start)
    }
}

/// A set as it lies on the shelf: every puzzle can be found, and is read only when it is wanted.
#[derive(Clone, Debug, Default)]
pub struct Shelf {
    text: String,
    entries: Vec<Entry>,
    /// Whether lines were left out.
    is_damaged: bool,
}

/// A puzzle that was picked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picked {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// Whether damaged puzzles of its set were passed over.
    pub passed_over: bool,
}

/// What the head of a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The puzzle's name.
    pub id: PuzzleId,
    /// Which game.
    pub game: GameId,
    /// Whether it is played by the rules that most people know.
    pub usual: bool,
    /// Whether its squares can be touched on a phone.
    pub small: bool,
    /// What is asked.
    pub theme: Theme,
    /// How hard it is.
    pub rating: u16,
    line: Range<usize>,
}

/// What kind of puzzle is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PuzzleQuery {
    /// Near this rating.
    pub rating: u32,
    /// Of this theme, or of any.
    pub theme: Option<Theme>,
    /// Only by the rules that most people know.
    pub usual: bool,
    /// Only on boards whose squares can be touched on a phone.
    pub small: bool,
}

/// A puzzle without a measured rating counts as this.
const UNRATED: u16 = 1200;

/// Among so many of the nearest ratings chance decides.
const NEAREST: usize = 24;

/// Whether some puzzles of a game are by other rules than those that most people know.
pub fn has_other_rules(game: GameId) -> bool {
    game == GameId::Quarto
}

/// Whether a game's options are those that most people know.
pub(crate) fn is_usual(game: &Game) -> bool {
    // Boards of another size or layout explain themselves; other ways to make and call a row do not.
    !has_other_rules(game.id()) || *game == Game::by_default(game.id())
}

/// The most columns whose squares can be touched on a phone.
const MOST_COLUMNS: u8 = 9;

fn is_small(game: &Game) -> bool {
    game.start().scene(Viewer::Spectator).board.columns <= MOST_COLUMNS
}

impl Shelf {
    /// Takes a set; a line whose head cannot be read is left out.
    pub fn new(text: String) -> Result<Shelf, Note> {
        if text.lines().next() != Some(HEADER) {
            return Err(Note::Header);
        }
        let mut shelf = Shelf::default();
        let mut last = None;
        let mut start = HEADER.len();
        for line in text[HEADER.len()..].split_inclusive('\n') {
            let range = start..start + line.trim_end().len();
            start += line.len();
            match read_head(line, range, &mut last) {
                Some(entry) => shelf.entries.push(entry),
                None => shelf.is_damaged |= !line.trim().is_empty(),
            }
        }
        shelf.text = text;
        Ok(shelf)
    }

    /// Every puzzle, in the order of the set.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// A puzzle's line.
    pub fn line(&self, entry: &Entry) -> &str {
        self.text.get(entry.line.clone()).unwrap_or_default()
    }

    /// Reads a puzzle; `None` if it is damaged.
    pub fn read(&self, entry: &Entry) -> Option<Puzzle> {
        Puzzle::read(self.line(entry)).ok()
    }

    /// The puzzle with this name.
    pub fn find(&self, id: PuzzleId) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.id == id)
    }

    /// A puzzle near the query that was not seen before; once all were seen, one that was. Damaged puzzles are passed over.
    pub fn pick(&self, query: &PuzzleQuery, seen: &dyn Fn(PuzzleId) -> bool, random: &mut Random) -> Option<Picked> {
        let fits = |entry: &&Entry| {
            query.theme.is_none_or(|theme| entry.theme == theme)
                && (entry.usual || !query.usual)
                && (entry.small || !query.small)
        };
        let distance = |entry: &Entry| u32::from(entry.rating).abs_diff(query.rating);
        let compare = |one: &&Entry, other: &&Entry| distance(one).cmp(&distance(other));
        let (mut near, mut fresh) = (Vec::new(), Vec::new());
        for entry in self.entries.iter().filter(fits) {
            insert_by(&mut near, entry, compare);
            near.truncate(NEAREST);
            if !seen(entry.id) {
                insert_by(&mut fresh, entry, compare);
                fresh.truncate(NEAREST);
            }
        }
        let mut among = if fresh.is_empty() { near } else { fresh };
        let mut passed_over = self.is_damaged;
        while !among.is_empty() {
            let entry = among.swap_remove(random.below(among.len() as u32) as usize);
            if let Some(puzzle) = self.read(entry) {
                return Some(Picked { puzzle, passed_over });
            }
            passed_over = true;
        }
        None
    }
}

/// The game of the line before, as its text, with what follows from it: most lines have the same.
type LastGame<'a> = Option<(&'a str, GameId, bool, bool)>;

/// Reads the head of a line that lies in this part of the set.
fn read_head<'a>(line: &'a str, range: Range<usize>, last: &mut LastGame<'a>) -> Option<Entry> {
    let (head, rest) = split_once(line, " | ")?;
    let (position, _) = split_once(rest, " | ")?;
    let mut words = head.split(' ');
    let (text, theme, _plies) = (words.next()?, words.next()?, words.next()?);
    let (game, usual, small) = match *last {
        Some((known, id, usual, small)) if known == text => (id, usual, small),
        _ => text.parse::<Game>().ok().map(|game| (game.id(), is_usual(&game), is_small(&game)))?,
    };
    *last = Some((text, game, usual, small));
    let rating = words.next().and_then(|rating| rating.parse().ok()).unwrap_or(UNRATED);
    Some(Entry {
        id: PuzzleId::of(text, position),
        game,
        usual,
        small,
        theme: theme.parse().ok()?,
        rating,
        line: range,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEQUENCE: &str = include_str!("../data/sequence-sample.puzzles");

    #[test]
    fn a_name_reads_back_and_others_are_refused() {
        let id = PuzzleId::of("quixo", "...../...../...../...../..... 1");
        assert_eq!(id.to_string().parse(), Ok(id));
        for bad in ["", "0", "0000000i", "000000000", "ЇЇЇЇ"] {
            assert_eq!(bad.parse::<PuzzleId>(), Err(BadPuzzleId), "{bad}");
        }
    }

    #[test]
    fn puzzles_are_picked_by_theme_near_a_rating_and_not_twice() {
        let shelf = Shelf::new(SEQUENCE.to_owned()).unwrap();
        assert_eq!(shelf.entries().len(), SEQUENCE.lines().count() - 1);
        let query = PuzzleQuery { rating: 1500, theme: Some(Theme::Fork), usual: true, small: false };
        let forks = shelf.entries().iter().filter(|entry| entry.theme == Theme::Fork).count();
        let mut seen = Vec::new();
        let mut random = Random::new(3);
        for _ in 0..forks {
            let Picked { puzzle, passed_over } = shelf.pick(&query, &|id| seen.contains(&id), &mut random).unwrap();
            assert!(puzzle.theme == Theme::Fork && !seen.contains(&puzzle.id()) && !passed_over);
            seen.push(puzzle.id());
        }
        assert!(shelf.pick(&query, &|id| seen.contains(&id), &mut random).is_some(), "all were seen");
        let first = shelf.pick(&query, &|_| false, &mut random).unwrap().puzzle;
        let entry = shelf.find(first.id()).unwrap();
        assert_eq!(shelf.read(entry), Some(first));
    }

    #[test]
    fn damaged_lines_and_other_versions_are_never_picked_and_that_is_told() {
        let lines: Vec<&str> = SEQUENCE.lines().take(3).collect();
        let wrong = lines[2].replacen(":-2", ":9", 1).replacen(":0", ":9", 1).replacen(":1", ":9", 1);
        let query = PuzzleQuery { rating: 1000, theme: None, usual: false, small: false };
        let picks = |damaged: &str| {
            let shelf = Shelf::new(format!("{HEADER}\n{damaged}\n{}\n", lines[1])).unwrap();
            let picked = (0..20).map(|seed| shelf.pick(&query, &|_| false, &mut Random::new(seed)).unwrap());
            let (puzzles, passed_over): (Vec<_>, Vec<_>) = picked.map(|it| (it.puzzle, it.passed_over)).unzip();
            assert!(puzzles.iter().all(|puzzle| Some(puzzle) == Puzzle::read(lines[1]).ok().as_ref()), "{damaged}");
            passed_over
        };
        assert!(picks("").iter().all(|passed_over| !passed_over), "an empty line is no puzzle");
        for unreadable in ["nonsense", "sequence | x", "sequence no-theme 1 | x | y", "nothing win 1 | x | y"] {
            assert!(picks(unreadable).iter().all(|passed_over| *passed_over), "{unreadable}");
        }
        let of_wrong = picks(&wrong);
        assert!(of_wrong.contains(&true) && of_wrong.contains(&false), "known only once it is read");
        assert_eq!(Shelf::new("fourfold-puzzles 99\n".to_owned()).err(), Some(Note::Header));
    }
}
