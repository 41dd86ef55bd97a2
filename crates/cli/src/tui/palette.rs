use std::env;

use ratatui::style::{Color, Modifier, Style};

use rules::Sign;

/// The colours of the house, turned into what the terminal can show.
///
/// Nothing is told by colour alone, so a terminal without any loses only warmth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Palette {
    depth: Depth,
}

/// How many colours a terminal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// All of them.
    True,
    /// The 256 of the xterm palette.
    Indexed,
    /// None: bold, underlined and reversed text only.
    Mono,
}

/// A role in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tint {
    /// The ground under wells.
    Walnut,
    /// Light wood: light figures.
    Maple,
    /// Dark figures, light enough to stand out on walnut.
    Chestnut,
    /// The faces of cubes.
    Cube,
    /// What is burnt into wood, and lines on it.
    Burnt,
    /// Lines between cubes, cells and pictures.
    Groove,
    /// Picture tiles.
    Paper,
    /// Text on picture tiles.
    Ink,
    /// Text that matters less on picture tiles.
    FadedInk,
    /// The ground of a board with thin lines.
    Honey,
    /// Black stones.
    Black,
    /// White stones.
    White,
    /// The one accent, for text on the terminal's own ground, be it dark or light.
    Brass,
    /// Polished brass: frames on dark wood, and the ground of a winning row.
    Gleam,
    /// What may be touched, as a ground.
    Offer,
    /// Good news.
    Green,
    /// A refusal.
    Red,
    /// Text that matters less.
    Quiet,
    /// A colour that only one game uses: red, green and blue, and the colour of the xterm palette most like it.
    #[allow(dead_code, reason = "for a game whose pieces look like those of no other")]
    Own(u32, u8),
}

impl Palette {
    /// What the environment says the terminal can do; `NO_COLOR` is honoured.
    pub(crate) fn from_environment() -> Palette {
        let has = |name: &str, words: &[&str]| {
            env::var(name).is_ok_and(|value| words.iter().any(|word| value.contains(word)))
        };
        let depth = if env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) {
            Depth::Mono
        } else if has("COLORTERM", &["truecolor", "24bit"]) {
            Depth::True
        } else if has("TERM", &["256color", "kitty", "alacritty", "ghostty", "direct"]) || cfg!(windows) {
            Depth::Indexed
        } else {
            Depth::Mono
        };
        Palette { depth }
    }

    /// A palette for a known terminal.
    pub(crate) const fn new(depth: Depth) -> Palette {
        Palette { depth }
    }

    /// Whether there are colours at all.
    pub(crate) fn has_colours(self) -> bool {
        self.depth != Depth::Mono
    }

    /// Text in a tint.
    pub(crate) fn text(self, tint: Tint) -> Style {
        self.fill(Style::new(), Some(tint), None)
    }

    /// Text in a tint on a ground.
    pub(crate) fn on(self, tint: Tint, ground: Tint) -> Style {
        self.fill(Style::new(), Some(tint), Some(ground))
    }

    /// A ground alone.
    pub(crate) fn ground(self, ground: Tint) -> Style {
        self.fill(Style::new(), None, Some(ground))
    }

    /// Text that stands back, on the terminal's own ground.
    pub(crate) fn quiet(self) -> Style {
        if self.has_colours() { self.text(Tint::Quiet) } else { Style::new().add_modifier(Modifier::DIM) }
    }

    /// A chip's colour as a ground, and the text on it.
    pub(crate) fn chip(self, colour: Sign) -> Style {
        let (ground, text) = match colour.index() {
            0 => ((0x2e6b57, 29), (0xffffff, 231)),
            1 => ((0x2c5aa0, 25), (0xffffff, 231)),
            2 => ((0xa63a2b, 124), (0xffffff, 231)),
            _ => ((0xe8c040, 220), (0x2b2118, 234)),
        };
        let style = Style::new().add_modifier(Modifier::BOLD);
        match (self.colour(text), self.colour(ground)) {
            (Some(text), Some(ground)) => style.fg(text).bg(ground),
            _ => style,
        }
    }

    fn fill(self, mut style: Style, text: Option<Tint>, ground: Option<Tint>) -> Style {
        if let Some(colour) = text.and_then(|tint| self.colour(shade(tint))) {
            style = style.fg(colour);
        }
        if let Some(colour) = ground.and_then(|tint| self.colour(shade(tint))) {
            style = style.bg(colour);
        }
        style
    }

    fn colour(self, (rgb, index): (u32, u8)) -> Option<Color> {
        let [_, red, green, blue] = rgb.to_be_bytes();
        match self.depth {
            Depth::True => Some(Color::Rgb(red, green, blue)),
            Depth::Indexed => Some(Color::Indexed(index)),
            Depth::Mono => None,
        }
    }
}

/// A tint as red, green and blue, and as the colour of the xterm palette that looks most like it.
const fn shade(tint: Tint) -> (u32, u8) {
    match tint {
        Tint::Walnut => (0x2c1d13, 234),
        Tint::Maple => (0xebcb9a, 223),
        Tint::Chestnut => (0xc07f50, 173),
        Tint::Cube => (0xd9b27c, 180),
        Tint::Burnt => (0x3c2415, 234),
        Tint::Groove => (0x8a6239, 94),
        Tint::Paper => (0xf6f1e7, 230),
        Tint::Ink => (0x2b2118, 234),
        Tint::FadedInk => (0x8a7d6e, 243),
        Tint::Honey => (0x96703a, 94),
        Tint::Black => (0x120d08, 16),
        Tint::White => (0xffffff, 231),
        Tint::Brass => (0xb8862b, 136),
        Tint::Gleam => (0xe0b35a, 179),
        Tint::Offer => (0x9fc79a, 151),
        Tint::Green => (0x3a9a78, 29),
        Tint::Red => (0xd0584a, 167),
        Tint::Quiet => (0x8a7d6e, 102),
        Tint::Own(rgb, index) => (rgb, index),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn luminance(rgb: u32) -> f64 {
        let [_, red, green, blue] = rgb.to_be_bytes();
        let linear = |channel: u8| {
            let value = f64::from(channel) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// What the xterm palette shows for an index from 16 on.
    fn indexed(index: u8) -> u32 {
        const LEVELS: [u32; 6] = [0, 95, 135, 175, 215, 255];
        if index >= 232 {
            return (8 + 10 * u32::from(index - 232)) * 0x01_01_01;
        }
        let level = |step: u8| LEVELS[usize::from((index - 16) / step % 6)];
        level(36) << 16 | level(6) << 8 | level(1)
    }

    fn contrast(a: u32, b: u32) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn shapes_and_texts_stand_out_from_their_grounds() {
        for (text, ground, least) in [
            (Tint::Maple, Tint::Walnut, 4.5),
            (Tint::Chestnut, Tint::Walnut, 4.5),
            (Tint::Burnt, Tint::Cube, 4.5),
            (Tint::Burnt, Tint::Offer, 4.5),
            (Tint::Burnt, Tint::Gleam, 4.5),
            (Tint::Ink, Tint::Paper, 4.5),
            (Tint::Ink, Tint::Offer, 4.5),
            (Tint::Ink, Tint::Quiet, 3.0),
            (Tint::FadedInk, Tint::Paper, 3.0),
            (Tint::Black, Tint::Honey, 3.0),
            (Tint::White, Tint::Honey, 3.0),
        ] {
            let ((text_rgb, text_index), (ground_rgb, ground_index)) = (shade(text), shade(ground));
            for found in [contrast(text_rgb, ground_rgb), contrast(indexed(text_index), indexed(ground_index))] {
                assert!(found >= least, "{text:?} on {ground:?}: {found:.2}");
            }
        }
    }

    #[test]
    fn text_on_the_terminals_own_ground_is_readable_on_dark_and_on_light() {
        for tint in [Tint::Brass, Tint::Green, Tint::Red, Tint::Quiet] {
            let (rgb, index) = shade(tint);
            for (shown, ground) in
                [(rgb, 0x17130f), (rgb, 0xffffff), (indexed(index), 0x17130f), (indexed(index), 0xffffff)]
            {
                assert!(contrast(shown, ground) >= 3.0, "{tint:?} on {ground:06x}: {:.2}", contrast(shown, ground));
            }
        }
    }

    #[test]
    fn no_colour_means_none() {
        assert_eq!(Palette::new(Depth::Mono).text(Tint::Brass), Style::new());
    }
}
