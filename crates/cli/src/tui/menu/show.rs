//! What the menu shows.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use game::{ClockRule, Player};
use rules::{GameId, Seat, Side, Viewer};
use scene::Piece;
use session::{FirstPlayer, words};

use super::{Beginner, Menu, Row, SMALLEST};
use crate::tui::art::BoardArt;
use crate::tui::overlay::draw_curtain;
use crate::tui::palette::Tint;
use crate::tui::text::{fit, put, shortened, width, wrap};

impl Menu {
    /// Draws everything.
    pub(crate) fn draw(&mut self, frame: &mut Frame<'_>) {
        let screen = frame.area();
        if screen.width < SMALLEST.0 || screen.height < SMALLEST.1 {
            let text = self.language().terminal_too_small(screen.width, screen.height, SMALLEST.0, SMALLEST.1);
            draw_curtain(frame, self.look, &[text]);
            return;
        }
        let area = Rect { x: screen.x + 2, width: (screen.width - 4).min(100), ..screen };
        let heading = self.look.palette.text(Tint::Brass).add_modifier(Modifier::BOLD);
        let buffer = frame.buffer_mut();
        put(buffer, area.x, area.y + 1, "F O U R F O L D", heading);
        let about = self.language().product_about(GameId::ALL.len() as u64);
        put(buffer, area.x + 19, area.y + 1, &about, self.look.palette.quiet());
        let left = Rect { y: area.y + 3, width: area.width * 16 / 25, height: area.height - 5, ..area };
        let right = Rect { x: left.right() + 2, width: area.width - left.width - 2, ..left };
        self.draw_rows(frame, left);
        self.draw_about(frame, right);
        self.draw_foot(frame, Rect { y: screen.bottom() - 1, height: 1, ..area });
        let footer = format!("Esc {}", self.language().menu_back());
        if let Some(sheet) = &mut self.sheet {
            sheet.draw(frame, self.look, &footer);
        }
    }

    fn draw_rows(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let rows = self.rows();
        self.places.clear();
        // Where the window is low, the rows around the selected one are shown.
        let first = (self.selected + 1).saturating_sub(area.height.into());
        self.places.resize(first, Rect::default());
        for (index, row) in rows.iter().enumerate().skip(first).take(area.height.into()) {
            let place = Rect { y: area.y + (index - first) as u16, height: 1, ..area };
            self.places.push(place);
            let (label, value) = self.row_texts(*row);
            let chosen = index == self.selected;
            let mut style =
                if chosen { Style::new().add_modifier(Modifier::BOLD | Modifier::REVERSED) } else { Style::new() };
            if *row == Row::Start && !chosen {
                style = self.look.palette.text(Tint::Green).add_modifier(Modifier::BOLD);
            }
            let arrow = if chosen { "▸" } else { " " };
            let turns = chosen && self.changes() && !value.is_empty();
            // Of a long value the row shows the beginning, of a short one the label makes room.
            let most = if width(&value) <= place.width / 2 { width(&value) } else { 0 };
            let label = shortened(&label, place.width.saturating_sub(most + 7));
            let value = shortened(&value, place.width.saturating_sub(width(&label) + 7));
            let value = if turns { format!("‹ {value} ›") } else { format!("  {value}  ") };
            let gap = place.width.saturating_sub(2 + width(&label) + width(&value));
            let line = format!("{arrow} {label}{}{value}", " ".repeat(gap.into()));
            put(frame.buffer_mut(), place.x, place.y, fit(&line, place.width), style);
        }
        // The empty lines above and below say that there is more.
        let quiet = self.look.palette.quiet();
        if first > 0 {
            put(frame.buffer_mut(), area.x, area.y - 1, "▲", quiet);
        }
        if self.places.len() < rows.len() {
            put(frame.buffer_mut(), area.x, area.bottom(), "▼", quiet);
        }
    }

    /// The numbers of a side's seats.
    fn seats_of(&self, side: Side) -> String {
        let Some(start) = self.chosen_game().map(|game| game.start()) else { return side.to_string() };
        let seats = Seat::all(start.seats()).filter(|seat| start.side(*seat) == side);
        seats.map(|seat| seat.to_string()).collect::<Vec<_>>().join(" + ")
    }

    fn row_texts(&self, row: Row) -> (String, String) {
        let l = self.language();
        let none = String::new();
        match row {
            Row::Start => (l.menu_start().to_owned(), none),
            Row::Continue => (l.menu_continue().to_owned(), self.unfinished.clone().unwrap_or_default()),
            Row::Game => (l.menu_play().to_owned(), locale::game_name(l, self.game).to_owned()),
            Row::Preset => {
                let name = self.preset().map_or("–", |preset| locale::preset_name(l, self.game, &preset));
                (format!("  {}", l.menu_preset()), name.to_owned())
            }
            Row::Option(option) => {
                let name = locale::option_name(l, self.game, option.name).unwrap_or(option.name);
                let value = locale::option_value(l, self.game, option.name, &self.value(option.name));
                (format!("  {name}"), value)
            }
            Row::Word(option, word) => {
                let name = locale::option_name(l, self.game, option.name).unwrap_or(option.name);
                let word_name = locale::option_value(l, self.game, option.name, word);
                let on = self.value(option.name).split('+').any(|chosen| chosen == word);
                (format!("  {name}: {word_name}"), if on { "[x]" } else { "[ ]" }.to_owned())
            }
            Row::Seat(seat) => (l.player(seat), words::player(l, self.players[seat.index()])),
            Row::First => {
                let who = match self.first() {
                    Beginner::Seat(seat) => l.player(seat),
                    Beginner::Lot => words::first_player(l, FirstPlayer::Lot).to_owned(),
                    Beginner::Loser => words::first_player(l, FirstPlayer::Loser).to_owned(),
                };
                (l.menu_first().to_owned(), who)
            }
            Row::Sign(side) => {
                let name = format!("  {}: {}", locale::sign_title(l, self.game).0, l.player(self.seats_of(side)));
                let sign = self.sign(side).map_or("–", |sign| locale::sign_name(l, self.game, sign));
                (name, sign.to_owned())
            }
            Row::Confer => (format!("  {}", l.menu_confer()), words::conferring(l, self.conferring).to_owned()),
            Row::Clock => (l.clock().to_owned(), words::clock(l, self.clock())),
            Row::Language => (l.menu_language().to_owned(), l.native_name().to_owned()),
            Row::Rules => (l.menu_rules().to_owned(), none),
            Row::Load => (l.menu_load().to_owned(), none),
            Row::Learn => (l.menu_learn().to_owned(), none),
            Row::Analyse => (l.menu_analyse().to_owned(), none),
            Row::Online => (l.menu_online().to_owned(), none),
            Row::Quit => (l.menu_quit().to_owned(), none),
        }
    }

    /// What the selected row is about, and the game.
    fn draw_about(&self, frame: &mut Frame<'_>, area: Rect) {
        let l = self.language();
        let about = match self.row() {
            Row::Option(option) | Row::Word(option, _) => locale::option_about(l, self.game, option.name),
            Row::Seat(seat) => match self.players[seat.index()] {
                Player::Person => None,
                Player::Bot(level) => locale::level_about(l, level.number()),
            },
            Row::First if self.first() == Beginner::Loser => Some(l.web_first_loser_about()),
            Row::Sign(_) => Some(locale::sign_title(l, self.game).1),
            Row::Confer => Some(l.confer_about()),
            Row::Clock => Some(match self.clock() {
                ClockRule::None => l.clock_none_about(),
                ClockRule::PerTurn(_) => l.clock_turn_about(),
                ClockRule::Fischer { .. } => l.clock_fischer_about(),
                ClockRule::Delay { .. } => l.clock_delay_about(),
            }),
            _ => None,
        };
        let heading = self.look.palette.text(Tint::Brass).add_modifier(Modifier::BOLD);
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let styled = |text: &str, style: Style| -> Vec<(String, Style)> {
            wrap(text, area.width).into_iter().map(|line| (line, style)).collect()
        };
        let mut lines = styled(locale::game_name(l, self.game), heading);
        lines.extend(styled(locale::game_about(l, self.game), self.look.palette.quiet()));
        // Long values are cut in their row and stand here in full.
        let (_, value) = self.row_texts(self.row());
        let is_told = self.changes() && self.row() != Row::Game && !value.starts_with(['[', '–']);
        if is_told || about.is_some() {
            lines.push((String::new(), bold));
        }
        if is_told {
            lines.extend(styled(&locale::capitalised(&value), bold));
        }
        lines.extend(about.into_iter().flat_map(|about| styled(about, Style::new())));
        let used = lines.len() as u16;
        for (y, (line, style)) in (area.y..area.bottom()).zip(lines) {
            put(frame.buffer_mut(), area.x, y, line, style);
        }
        let below = Rect { y: area.y + used + 1, height: area.height.saturating_sub(used + 1), ..area };
        self.draw_pieces(frame, below);
    }

    /// A few of the game's pieces, at the foot of the column where there is room.
    fn draw_pieces(&self, frame: &mut Frame<'_>, area: Rect) {
        const TILE: (u16, u16) = (7, 3);
        let Some((position, _)) = game::showcase(self.game) else { return };
        let scene = position.scene(Viewer::Spectator);
        let mut shown: Vec<Piece> = Vec::new();
        for piece in scene.board.cells.iter().filter_map(|cell| cell.piece) {
            if !shown.contains(&piece) {
                shown.push(piece);
            }
        }
        let style = self.look.ground(BoardArt::of(scene.style));
        if area.height < TILE.1 {
            return;
        }
        for (index, piece) in shown.into_iter().take(3).enumerate() {
            let tile = Rect {
                x: area.x + index as u16 * (TILE.0 + 1),
                y: area.bottom() - TILE.1,
                width: TILE.0,
                height: TILE.1,
            };
            if tile.right() > area.right() {
                break;
            }
            frame.buffer_mut().set_style(tile, style);
            self.look.piece(frame.buffer_mut(), tile, piece, style);
        }
    }

    fn draw_foot(&self, frame: &mut Frame<'_>, area: Rect) {
        let l = self.language();
        let (text, style) = match &self.entry {
            Some(entry) => {
                let label = format!("{}: ", l.menu_table_address());
                // Of a long name the end is shown, where it is being written.
                let room = usize::from(area.width.saturating_sub(width(&label) + 1));
                let hidden = entry.chars().count().saturating_sub(room);
                let text = format!("{label}{}█", entry.chars().skip(hidden).collect::<String>());
                (text, Style::new().add_modifier(Modifier::BOLD))
            }
            None => {
                let keys =
                    [l.keys_menu().to_owned(), format!("? {}", l.menu_rules()), format!("Esc {}", l.menu_quit())];
                // Where there is no room for all, the rules go: their row says the same.
                let all = keys.join("  ");
                let text = if width(&all) <= area.width { all } else { format!("{}  {}", keys[0], keys[2]) };
                (text, self.look.palette.quiet())
            }
        };
        put(frame.buffer_mut(), area.x, area.y, fit(&text, area.width), style);
    }
}
