use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;

use scene::Spot;

/// What a key means at the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Move(Direction),
    PageUp,
    PageDown,
    Next,
    Previous,
    Enter,
    Back,
    Erase,
    Type(char),
    Help,
    Moves,
    Hint,
    Undo,
    Redo,
    Save,
    Draw,
    Resign,
    Quit,
    Home,
    End,
    Analyse,
    /// To the shell for a while, as in every other program.
    Suspend,
    Other,
}

/// Where an arrow points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Up,
    Down,
    Left,
    Right,
}

impl Key {
    /// Reads a key; letters are always typed text, so that actions can be typed at any time.
    pub(crate) fn read(event: &KeyEvent) -> Key {
        let control = event.modifiers.contains(KeyModifiers::CONTROL);
        match event.code {
            KeyCode::Up => Key::Move(Direction::Up),
            KeyCode::Down => Key::Move(Direction::Down),
            KeyCode::Left => Key::Move(Direction::Left),
            KeyCode::Right => Key::Move(Direction::Right),
            KeyCode::Home => Key::Home,
            KeyCode::End => Key::End,
            KeyCode::PageUp => Key::PageUp,
            KeyCode::PageDown => Key::PageDown,
            KeyCode::Tab => Key::Next,
            KeyCode::BackTab => Key::Previous,
            KeyCode::Enter => Key::Enter,
            KeyCode::Esc => Key::Back,
            KeyCode::Backspace => Key::Erase,
            KeyCode::F(number) => match number {
                1 => Key::Help,
                2 => Key::Moves,
                3 => Key::Undo,
                4 => Key::Redo,
                5 => Key::Save,
                6 => Key::Hint,
                7 => Key::Draw,
                8 => Key::Resign,
                9 => Key::Analyse,
                10 => Key::Quit,
                _ => Key::Other,
            },
            KeyCode::Char(letter) if control => match crate::play::on_latin_keys(&letter.to_string()).as_str() {
                "z" => Key::Suspend,
                "u" => Key::Undo,
                "y" => Key::Redo,
                "s" => Key::Save,
                "l" => Key::Moves,
                "t" => Key::Hint,
                "d" => Key::Draw,
                "r" => Key::Resign,
                "e" => Key::Analyse,
                "q" | "c" => Key::Quit,
                _ => Key::Other,
            },
            KeyCode::Char(letter) if !event.modifiers.contains(KeyModifiers::ALT) => Key::Type(letter),
            _ => Key::Other,
        }
    }
}

/// The nearest spot in a direction: straight ahead counts for more than aside.
pub(crate) fn neighbour(places: &[(Rect, Spot)], from: Spot, direction: Direction) -> Option<Spot> {
    let here = places.iter().find(|(_, spot)| *spot == from)?.0;
    let middle = |area: Rect| {
        let x = i32::from(area.x) * 2 + i32::from(area.width);
        // A character is about twice as high as wide.
        let y = (i32::from(area.y) * 2 + i32::from(area.height)) * 2;
        (x, y)
    };
    let (x, y) = middle(here);
    places
        .iter()
        .filter(|(_, spot)| *spot != from)
        .filter_map(|&(area, spot)| {
            let (to_x, to_y) = middle(area);
            let (ahead, aside) = match direction {
                Direction::Up => (y - to_y, to_x - x),
                Direction::Down => (to_y - y, to_x - x),
                Direction::Left => (x - to_x, to_y - y),
                Direction::Right => (to_x - x, to_y - y),
            };
            (ahead > 0 && aside.abs() <= ahead * 3).then_some((ahead + 3 * aside.abs(), spot))
        })
        .min()
        .map(|(_, spot)| spot)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_walk_over_the_picture() {
        let at = |x, y, name: &str| (Rect { x, y, width: 3, height: 1 }, name.parse::<Spot>().unwrap());
        let places = [at(0, 0, "a2"), at(4, 0, "b2"), at(0, 2, "a1"), at(4, 2, "b1"), at(10, 1, "stock:7")];
        let go = |from: &str, direction| {
            neighbour(&places, from.parse().unwrap(), direction).map(|spot| spot.to_string()).unwrap_or_default()
        };
        assert_eq!(go("a2", Direction::Right), "b2");
        assert_eq!(go("a2", Direction::Down), "a1");
        assert_eq!(go("b1", Direction::Up), "b2");
        assert_eq!(go("b2", Direction::Right), "stock:7");
        assert_eq!(go("a1", Direction::Down), "");
    }
}
