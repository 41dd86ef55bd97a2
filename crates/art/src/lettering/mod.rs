//! Words in pictures that are rasterised where there may be no font: letters of single strokes, Latin and Cyrillic.
//!
//! `letters.txt` has a line for each letter: the letter, its width, and its path. A capital letter stands from 0 to 100, a
//! small one from 34 to 100.

/// Between two letters, and the width of a space between two gaps.
const GAP: f64 = 26.0;
const SPACE: f64 = 34.0;

/// Letters that look like others.
const ALIKE: [(&str, &str); 2] =
    [("АВЕКМНОРСТХІаеорсухі'…", "ABEKMHOPCTXIaeopcyxi’."), ("ЁёЇїЙйÄäËëÏïÖöÜü", "EeIlИиAaEeIlOoUu")];

/// A line of words as paths.
pub(crate) struct Line {
    paths: String,
    width: f64,
}

/// Whether every letter of a text can be written.
pub fn can_write(text: &str) -> bool {
    text.chars().all(|letter| letter == ' ' || shape(letter).is_some())
}

/// The width of a letter and its path.
fn shape(letter: char) -> Option<(f64, String)> {
    let look = |alike: &(&str, &str)| alike.1.chars().nth(alike.0.chars().position(|other| other == letter)?);
    let [plain, marked] = ALIKE.each_ref().map(look);
    let base = plain.or(marked).unwrap_or(letter);
    let line = include_str!("letters.txt")
        .lines()
        .find(|line| line.starts_with(base) && line[base.len_utf8()..].starts_with(' '))?;
    let (width, path) = line[base.len_utf8() + 1..].split_once(' ')?;
    let width: f64 = width.parse().ok()?;
    if marked.is_none() {
        return Some((width, path.to_owned()));
    }
    let (small, middle) = (letter.is_lowercase(), width / 2.0);
    // A small i has its stem alone under the dots.
    let path = if base == 'l' { "M0 34V100" } else { path };
    let mark = match letter {
        'Й' | 'й' => format!("M{} {}c4 12 24 12 28 0", middle - 14.0, if small { 8 } else { -26 }),
        _ => [-14.0, 14.0]
            .map(|aside| format!("M{} {}h4v4h-4z", middle + aside - 2.0, if small { 4 } else { -26 }))
            .concat(),
    };
    Some((width, format!("{path}{mark}")))
}

impl Line {
    /// Writes a text; letters that there are not are left out.
    pub(crate) fn new(text: &str) -> Line {
        let mut line = Line { paths: String::new(), width: 0.0 };
        for letter in text.chars() {
            if letter == ' ' {
                line.width += SPACE;
            }
            let Some((width, path)) = shape(letter) else { continue };
            // The dots over a thin letter are wider than the letter.
            let aside = if "Її".contains(letter) { 9.0 } else { 0.0 };
            let x = line.width + aside;
            line.paths += &format!(r#"<path transform="translate({x} 0)" d="{path}"/>"#);
            line.width += width + 2.0 * aside + GAP;
        }
        line.width = (line.width - GAP).max(0.0);
        line
    }

    /// How wide the line is where capital letters have this height.
    pub(crate) fn width(&self, height: f64) -> f64 {
        self.width * height / 100.0
    }

    /// The line with its left upper corner at a place. `weight` is the width of the strokes in hundredths of the height.
    pub(crate) fn at(&self, x: f64, y: f64, height: f64, weight: u32, colour: &str) -> String {
        format!(
            r#"<g transform="translate({x:.1} {y:.1}) scale({:.4})" fill="none" stroke="{colour}" stroke-width="{weight}" stroke-linecap="round" stroke-linejoin="round">{}</g>"#,
            height / 100.0,
            self.paths
        )
    }
}

/// Breaks a text into lines that are no wider than `most`, where capital letters have this height.
pub(crate) fn wrapped(text: &str, height: f64, most: f64) -> Vec<Line> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if Line::new(&format!("{line} {word}")).width(height) <= most => *line += &format!(" {word}"),
            _ => lines.push(word.to_owned()),
        }
    }
    lines.iter().map(|line| Line::new(line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_of_the_three_languages_is_there_and_looks_like_no_other() {
        let alphabets = "ABCDEFGHIJKLMNOPQRSTUVWXYZ АБВГҐДЕЄЁЖЗИІЇЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ";
        let signs = "0123456789 .,:!?-–—’'+()/_·";
        assert!(can_write(alphabets) && can_write(&alphabets.to_lowercase()) && can_write(signs));
        assert!(!can_write("李") && !can_write("Ω"));
        let latin = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0123456789БГҐДЄЁЖЗИЇЙбвгґдєёжзиїй";
        let mut shapes: Vec<_> = latin.chars().filter_map(shape).map(|(_, path)| path).collect();
        let count = shapes.len();
        shapes.sort();
        shapes.dedup();
        assert_eq!((count, shapes.len()), (latin.chars().count(), count));
    }

    #[test]
    fn lines_break_between_words_and_are_no_wider_than_allowed() {
        let lines = wrapped("one two three four", 100.0, Line::new("one two").width(100.0));
        assert_eq!(lines.len(), 3);
        assert!(Line::new("wide").width(50.0) < Line::new("wide").width(60.0));
        assert_eq!(Line::new("").width, 0.0);
    }
}
