//! Small helpers for text in a grid of cells.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

/// How many cells a text takes.
pub(crate) fn width(text: &str) -> u16 {
    u16::try_from(Span::raw(text).width()).unwrap_or(u16::MAX)
}

/// A text cut to a width.
pub(crate) fn fit(text: &str, most: u16) -> String {
    let mut cut = String::new();
    for character in text.chars() {
        cut.push(character);
        if width(&cut) > most {
            cut.pop();
            break;
        }
    }
    cut
}

/// A text in so much room, with a sign where it is cut.
pub(crate) fn shortened(text: &str, most: u16) -> String {
    if width(text) > most { format!("{}…", fit(text, most.saturating_sub(1))) } else { text.to_owned() }
}

/// Writes a line; what lies outside the buffer is left out, so that no window is too small to draw into.
pub(crate) fn put(buffer: &mut Buffer, x: u16, y: u16, text: impl AsRef<str>, style: Style) {
    if x < buffer.area.right() && y < buffer.area.bottom() {
        buffer.set_string(x, y, text, style);
    }
}

/// Writes a line in the middle of an area.
pub(crate) fn centre(buffer: &mut Buffer, area: Rect, text: &str, style: Style) {
    if area.is_empty() {
        return;
    }
    let text = fit(text, area.width);
    let x = area.x + (area.width - width(&text)) / 2;
    put(buffer, x, area.y + (area.height - 1) / 2, text, style);
}

/// Breaks a text into lines no wider than `most`, at spaces where there are any; line breaks stay.
pub(crate) fn wrap(text: &str, most: u16) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        if width(paragraph) <= most {
            lines.push(paragraph.to_owned());
            continue;
        }
        let indent: String = paragraph.chars().take_while(|character| *character == ' ').collect();
        let mut line = indent.clone();
        for word in paragraph.split_whitespace() {
            let joint = if line.trim().is_empty() { "" } else { " " };
            if width(&line) + width(joint) + width(word) <= most {
                line.push_str(joint);
                line.push_str(word);
                continue;
            }
            if !line.trim().is_empty() {
                lines.push(std::mem::replace(&mut line, indent.clone()));
            }
            let mut rest = word;
            while width(&line) + width(rest) > most {
                let (piece, hyphen) = first_part(rest, most.saturating_sub(width(&line)).max(1));
                rest = &rest[piece.len()..];
                line.push_str(&piece);
                line.push_str(hyphen);
                lines.push(std::mem::replace(&mut line, indent.clone()));
                if piece.is_empty() {
                    break;
                }
            }
            line.push_str(rest);
        }
        lines.push(line);
    }
    lines
}

/// As much of a long word as there is room for, and the hyphen after it; a path or a move is broken without one.
fn first_part(word: &str, most: u16) -> (String, &'static str) {
    let piece = fit(word, most.saturating_sub(1));
    let letters = |text: &str| text.chars().count() >= 2 && text.chars().all(char::is_alphabetic);
    if letters(word.trim_matches(|edge: char| edge.is_ascii_punctuation())) && letters(&piece) {
        (piece, "-")
    } else {
        (fit(word, most), "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wraps_at_spaces_and_cuts_long_words() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("крокодил", 5), ["крок-", "одил"]);
        assert_eq!(wrap("Последовательность · 4", 14), ["Последователь-", "ность · 4"]);
        assert_eq!(wrap("/tmp/club.fourfold", 8), ["/tmp/clu", "b.fourfo", "ld"], "a path is not changed");
        assert_eq!(wrap("a\n\nb", 4), ["a", "", "b"]);
        assert_eq!(fit("кенгуру", 3), "кен");
        assert_eq!((shortened("кенгуру", 4), shortened("лев", 3)), ("кен…".to_owned(), "лев".to_owned()));
    }
}
