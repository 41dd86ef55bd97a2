//! Exercises that the solved game has given: positions in which one result alone keeps the value.
//!
//! One line for each: own cubes and the other side's as hexadecimal sets (bit 5·row + column, `a1` is bit 0), `win` or
//! `draw`, a number of plies, then after a bar the moves that keep the value, and after another the best line of a win.
//! The plies are those of the win; of a draw, how long the most stubborn of the other moves holds out.

/// What is to be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The position is won.
    Win,
    /// It is drawn, and most moves lose it.
    Draw,
}

/// A position with what keeps its value; seat 1 is to act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exercise<'a> {
    /// The position's text.
    pub position: String,
    /// What is to be reached.
    pub aim: Aim,
    /// How far one has to see.
    pub plies: u32,
    /// The moves that keep the value, separated by blanks.
    pub keeping: &'a str,
    /// Best play to the end, separated by blanks; empty for a draw.
    pub line: &'a str,
}

/// Where grades begin, in plies.
const GRADES: [u32; 6] = [0, 6, 10, 16, 26, 46];

impl Exercise<'_> {
    /// How many grades there are; the first is the easiest.
    pub const GRADES: usize = GRADES.len();

    /// Reads a line; `None` if it is none.
    ///
    /// ```
    /// use search::bots::quixo::exercise::{Aim, Exercise};
    ///
    /// let text = "48411d 1b00602 win 9 | a2e2 | a2e2 a4e4 a4e4 a4e4 a4e4 a2e2 a2e2 e5e1 d1e1";
    /// let exercise = Exercise::parse(text).unwrap();
    /// assert_eq!(exercise.position, "ooxoo/....x/o...x/...xo/xoxxx 1");
    /// assert_eq!((exercise.aim, exercise.keeping, exercise.grade()), (Aim::Win, "a2e2", 2));
    /// ```
    pub fn parse(text: &str) -> Option<Exercise<'_>> {
        let mut parts = text.split('|').map(str::trim);
        let mut said = parts.next()?.split_whitespace();
        let (keeping, line) = (parts.next()?, parts.next()?);
        let mut set = || u32::from_str_radix(said.next()?, 16).ok().filter(|set| set >> 25 == 0);
        let (own, other) = (set()?, set()?);
        let aim = match said.next()? {
            "win" => Aim::Win,
            "draw" => Aim::Draw,
            _ => return None,
        };
        let plies = said.next()?.parse().ok()?;
        let is_whole = own & other == 0 && !keeping.is_empty() && parts.next().is_none();
        is_whole.then(|| Exercise { position: position(own, other), aim, plies, keeping, line })
    }

    /// How hard it is, from 1 to [`Exercise::GRADES`].
    pub fn grade(&self) -> usize {
        GRADES.iter().filter(|&&from| self.plies >= from).count()
    }

    /// Whether a move keeps the value.
    pub fn keeps(&self, action: &str) -> bool {
        self.keeping.split(' ').any(|keeping| keeping == action)
    }
}

/// The text of a position with seat 1 to act.
pub(super) fn position(own: u32, other: u32) -> String {
    let cell = |index: u32| match (own >> index & 1, other >> index & 1) {
        (1, _) => 'x',
        (_, 1) => 'o',
        _ => '.',
    };
    let ranks: Vec<String> = (0..5).rev().map(|row| (0..5).map(|column| cell(5 * row + column)).collect()).collect();
    format!("{} 1", ranks.join("/"))
}

#[cfg(test)]
mod tests {
    use rules::quixo::Quixo;
    use rules::{Outcome, Position, Side, Turn};

    use super::*;

    #[test]
    fn every_exercise_is_a_position_with_legal_answers_and_its_line_wins() {
        let mut grades = [0; Exercise::GRADES];
        for text in include_str!("../../../../tablebase/data/quixo-exercises.txt").lines() {
            let exercise = Exercise::parse(text).unwrap();
            grades[exercise.grade() - 1] += 1;
            let start = Quixo::parse(&Default::default(), &exercise.position).unwrap();
            assert_eq!(start.turn(), Turn::Seat(rules::Seat::ONE), "{text}");
            assert!(exercise.keeping.split(' ').all(|action| start.is_legal(action.parse().unwrap())), "{text}");
            if exercise.aim == Aim::Win {
                let mut game = start;
                exercise.line.split(' ').for_each(|action| game.play(action.parse().unwrap()).unwrap());
                assert_eq!(game.turn(), Turn::Over(Outcome::Win(Side::ONE)), "{text}");
                assert!(exercise.keeps(exercise.line.split(' ').next().unwrap()), "{text}");
            }
        }
        assert_eq!(grades.iter().sum::<u32>(), 3245);
        assert!(grades.iter().all(|&count| count >= 50), "{grades:?}");
    }

    #[test]
    fn other_lines_are_none() {
        for text in
            ["", "1 2 win 3", "1 1 win 3 | a1e1 | ", "1 2 lose 3 | a1e1 |", "1 2 win x | a1e1 |", "1 2 win 3 | |"]
        {
            assert_eq!(Exercise::parse(text), None, "{text}");
        }
    }
}
