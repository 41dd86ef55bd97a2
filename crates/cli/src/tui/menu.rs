//! The menu: what to play, with which options, who sits where, and the clock.

use std::collections::BTreeMap;
use std::path::Path;

use locale::Language;
use ratatui::Frame;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEventKind};
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};

use game::{ClockRule, Game, GameId, MatchSettings, Player, Sitter};
use rules::{OptionSpec, OptionValues, Seat, Viewer};
use scene::Piece;
use search::Level;
use session::words;

use super::Wish;
use super::art::{BoardArt, Look};
use super::overlay::{Sheet, draw_curtain};
use super::palette::Tint;
use super::text::{fit, put, width, wrap};
use crate::play::{SaveFile, help, new_session, newest_unfinished, old_session};

/// The screen before a match.
pub(crate) struct Menu {
    look: Look,
    game: GameId,
    /// The options that were changed, by name; the others stay at their default.
    chosen: BTreeMap<&'static str, String>,
    players: [Player; 4],
    clock: usize,
    selected: usize,
    /// The game that can be gone on with.
    unfinished: Option<String>,
    /// A file name being typed.
    entry: Option<String>,
    sheet: Option<Sheet>,
    places: Vec<Rect>,
}

/// One line of the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Row {
    Start,
    Continue,
    Game,
    Option(OptionSpec),
    /// One word of an option that takes several.
    Word(OptionSpec, &'static str),
    Seat(Seat),
    Clock,
    Language,
    Rules,
    Load,
    Quit,
}

const CLOCKS: [&str; 7] = ["none", "turn=60", "turn=30", "turn=120", "fischer=300+5", "fischer=900+10", "delay=300+5"];

/// The smallest window the menu can be read in.
const SMALLEST: (u16, u16) = (60, 22);

impl Menu {
    /// A menu with the first game chosen.
    pub(crate) fn new(look: Look) -> Menu {
        let level = |number| Level::new(number).map_or(Player::Person, Player::Bot);
        Menu {
            look,
            game: GameId::ALL[0],
            chosen: BTreeMap::new(),
            players: [Player::Person, level(3), level(3), level(3)],
            clock: 0,
            selected: 0,
            unfinished: newest_unfinished(look.language)
                .map(|(game, _)| words::title(look.language, &game.settings().game)),
            entry: None,
            sheet: None,
            places: Vec::new(),
        }
    }

    /// How it looks.
    pub(crate) fn look(&self) -> Look {
        self.look
    }

    /// The kind of the selected row.
    #[cfg(test)]
    pub(crate) fn selected_name(&self) -> String {
        format!("{:?}", self.row())
    }

    fn language(&self) -> Language {
        self.look.language
    }

    /// The game with the options chosen.
    fn chosen_game(&self) -> Option<Game> {
        let options: Vec<String> = self.chosen.iter().map(|(name, value)| format!("{name}={value}")).collect();
        Game::with_options(self.game, &options.join(",")).ok()
    }

    fn rows(&self) -> Vec<Row> {
        let mut rows = vec![Row::Start];
        if self.unfinished.is_some() {
            rows.push(Row::Continue);
        }
        rows.push(Row::Game);
        for option in self.game.options() {
            match option.values {
                OptionValues::Subset(words) => rows.extend(words.iter().map(|word| Row::Word(*option, word))),
                _ => rows.push(Row::Option(*option)),
            }
        }
        let seats = self.chosen_game().map_or(2, |game| game.seats());
        rows.extend(Seat::all(seats).map(Row::Seat));
        rows.extend([Row::Clock, Row::Language, Row::Rules, Row::Load, Row::Quit]);
        rows
    }

    fn row(&self) -> Row {
        self.rows().get(self.selected).copied().unwrap_or(Row::Start)
    }

    /// Reacts to what the user did.
    pub(crate) fn handle(&mut self, event: &Event) -> Wish {
        match event {
            Event::Key(key) => self.key(key),
            Event::Mouse(mouse) => match mouse.kind {
                MouseEventKind::Down(MouseButton::Left) if self.sheet.is_none() => {
                    let here = Position::new(mouse.column, mouse.row);
                    match self.places.iter().position(|place| place.contains(here)) {
                        Some(row) => {
                            self.selected = row;
                            self.activate(1)
                        }
                        None => Wish::Stay,
                    }
                }
                MouseEventKind::Down(_) => {
                    self.sheet = None;
                    Wish::Stay
                }
                _ => Wish::Stay,
            },
            _ => Wish::Stay,
        }
    }

    fn key(&mut self, key: &KeyEvent) -> Wish {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if control && matches!(key.code, KeyCode::Char('c' | 'q' | 'с' | 'й')) {
            return Wish::Quit;
        }
        if let Some(sheet) = &mut self.sheet {
            match key.code {
                KeyCode::Up => sheet.scroll(-1),
                KeyCode::Down => sheet.scroll(1),
                KeyCode::PageUp => sheet.scroll(-sheet.page()),
                KeyCode::PageDown | KeyCode::Char(' ') => sheet.scroll(sheet.page()),
                _ => self.sheet = None,
            }
            return Wish::Stay;
        }
        if self.entry.is_some() {
            return self.key_entry(key.code);
        }
        let count = self.rows().len();
        match key.code {
            KeyCode::Up => self.selected = (self.selected + count - 1) % count,
            KeyCode::Down | KeyCode::Tab => self.selected = (self.selected + 1) % count,
            KeyCode::Left if self.changes() => return self.activate(-1),
            KeyCode::Right if self.changes() => return self.activate(1),
            KeyCode::Enter | KeyCode::Char(' ') => return self.activate(1),
            KeyCode::Home => self.selected = 0,
            KeyCode::End => self.selected = count - 1,
            KeyCode::F(1) | KeyCode::Char('?') => self.show_rules(),
            KeyCode::Esc | KeyCode::F(10) => return Wish::Leave,
            _ => {}
        }
        Wish::Stay
    }

    fn key_entry(&mut self, code: KeyCode) -> Wish {
        let Some(entry) = &mut self.entry else { return Wish::Stay };
        match code {
            KeyCode::Esc => self.entry = None,
            KeyCode::Backspace => {
                entry.pop();
            }
            KeyCode::Char(letter) => entry.push(letter),
            KeyCode::Enter => {
                let file = self.entry.take().unwrap_or_default();
                match SaveFile::load(Path::new(file.trim()), self.language()) {
                    Ok(loaded) => return Wish::Play(Box::new(old_session(loaded, self.language()))),
                    // What is wrong with a record can take several lines.
                    Err(failure) => {
                        self.sheet = Some(Sheet::new(self.language().menu_load(), failure.to_string()));
                    }
                }
            }
            _ => {}
        }
        Wish::Stay
    }

    /// Whether the selected row has something to change with the arrows.
    fn changes(&self) -> bool {
        !matches!(self.row(), Row::Start | Row::Continue | Row::Rules | Row::Load | Row::Quit)
    }

    /// Does what the selected row is for, or changes it by a step.
    fn activate(&mut self, step: isize) -> Wish {
        match self.row() {
            Row::Start => return self.start(),
            Row::Continue => {
                let unfinished = newest_unfinished(self.language());
                return unfinished
                    .map_or(Wish::Stay, |found| Wish::Play(Box::new(old_session(found, self.language()))));
            }
            Row::Game => {
                self.game = turned(&GameId::ALL, self.game, step);
                self.chosen.clear();
                self.selected = self.rows().iter().position(|row| *row == Row::Game).unwrap_or(0);
            }
            Row::Option(option) => self.change(option, step),
            Row::Word(option, word) => self.toggle(option, word),
            Row::Seat(seat) => {
                let people = std::iter::once(Player::Person).chain(Level::all().map(Player::Bot));
                let players: Vec<Player> = people.collect();
                let player = &mut self.players[seat.index()];
                *player = turned(&players, *player, step);
            }
            Row::Clock => self.clock = (self.clock as isize + step).rem_euclid(CLOCKS.len() as isize) as usize,
            Row::Language => self.look.language = turned(&Language::ALL, self.look.language, step),
            Row::Rules => self.show_rules(),
            Row::Load => self.entry = Some(String::new()),
            Row::Quit => return Wish::Quit,
        }
        Wish::Stay
    }

    fn start(&mut self) -> Wish {
        let Some(game) = self.chosen_game() else { return Wish::Stay };
        let mut setup = MatchSettings::new(game);
        setup.clock = self.clock();
        for (sitter, player) in setup.sitters.iter_mut().zip(self.players) {
            *sitter = Sitter::new(player, "");
        }
        new_session(setup, self.language()).map_or(Wish::Stay, |session| Wish::Play(Box::new(session)))
    }

    fn clock(&self) -> ClockRule {
        CLOCKS[self.clock].parse().unwrap_or_default()
    }

    fn value(&self, option: &str) -> String {
        self.chosen_game().and_then(|game| game.option(option)).unwrap_or_default()
    }

    fn change(&mut self, option: OptionSpec, step: isize) {
        let value = self.value(option.name);
        let changed = match option.values {
            OptionValues::OneOf(words) | OptionValues::Subset(words) => {
                let here = words.iter().copied().find(|word| *word == value);
                here.map_or(words[0], |here| turned(words, here, step)).to_owned()
            }
            OptionValues::Number { min, max } => {
                let value: isize = value.parse().unwrap_or_default();
                // Steps of five are fine enough for a menu; the command line takes any number.
                (value + 5 * step).clamp(isize::from(min as i16), isize::from(max as i16)).to_string()
            }
        };
        self.chosen.insert(option.name, changed);
    }

    fn toggle(&mut self, option: OptionSpec, word: &'static str) {
        let OptionValues::Subset(words) = option.values else { return };
        let value = self.value(option.name);
        let has = |other: &str| value.split('+').any(|chosen| chosen == other);
        let chosen: Vec<&str> = words.iter().copied().filter(|other| has(other) != (*other == word)).collect();
        // The last word stays: a choice of nothing would be no game.
        if !chosen.is_empty() {
            self.chosen.insert(option.name, chosen.join("+"));
        }
    }

    fn show_rules(&mut self) {
        let Some(game) = self.chosen_game() else { return };
        let text = help::rules(self.language(), &game);
        self.sheet = Some(Sheet::new(self.language().menu_rules(), text));
    }

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
        put(buffer, area.x + 19, area.y + 1, self.language().product_about(), self.look.palette.quiet());
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
        let names = locale::Names::usual(self.language(), self.game, 4.min(self.seats()));
        self.places.clear();
        // Where the window is low, the rows around the selected one are shown.
        let first = (self.selected + 1).saturating_sub(area.height.into());
        self.places.resize(first, Rect::default());
        for (index, row) in rows.iter().enumerate().skip(first).take(area.height.into()) {
            let place = Rect { y: area.y + (index - first) as u16, height: 1, ..area };
            self.places.push(place);
            let (label, value) = self.row_texts(*row, &names);
            let chosen = index == self.selected;
            let mut style =
                if chosen { Style::new().add_modifier(Modifier::BOLD | Modifier::REVERSED) } else { Style::new() };
            if *row == Row::Start && !chosen {
                style = self.look.palette.text(Tint::Green).add_modifier(Modifier::BOLD);
            }
            let arrow = if chosen { "▸" } else { " " };
            let turns = chosen && self.changes() && !value.is_empty();
            let room = place.width.saturating_sub(width(&label) + 7);
            let value =
                if width(&value) > room { format!("{}…", fit(&value, room.saturating_sub(1))) } else { value };
            let value = if turns { format!("‹ {value} ›") } else { format!("  {value}  ") };
            let gap = place.width.saturating_sub(2 + width(&label) + width(&value));
            let line = format!("{arrow} {label}{}{value}", " ".repeat(gap.into()));
            put(frame.buffer_mut(), place.x, place.y, fit(&line, place.width), style);
        }
    }

    fn seats(&self) -> u8 {
        self.chosen_game().map_or(2, |game| game.seats())
    }

    fn row_texts(&self, row: Row, names: &locale::Names) -> (String, String) {
        let l = self.language();
        let none = String::new();
        match row {
            Row::Start => (l.menu_start().to_owned(), none),
            Row::Continue => (l.menu_continue().to_owned(), self.unfinished.clone().unwrap_or_default()),
            Row::Game => (l.menu_play().to_owned(), locale::game_name(l, self.game).to_owned()),
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
            Row::Seat(seat) => (names.seat(seat).to_owned(), words::player(l, self.players[seat.index()])),
            Row::Clock => (l.clock().to_owned(), words::clock(l, self.clock())),
            Row::Language => (l.menu_language().to_owned(), l.native_name().to_owned()),
            Row::Rules => (l.menu_rules().to_owned(), none),
            Row::Load => (l.menu_load().to_owned(), none),
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
        if let Some(about) = about {
            let names = locale::Names::usual(l, self.game, self.seats());
            let (_, value) = self.row_texts(self.row(), &names);
            lines.push((String::new(), bold));
            // Long values are cut in their row and stand here in full.
            if !value.starts_with('[') {
                lines.extend(styled(&locale::capitalised(&value), bold));
            }
            lines.extend(styled(about, Style::new()));
        }
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
                let label = format!("{}: ", l.menu_load());
                // Of a long name the end is shown, where it is being written.
                let room = usize::from(area.width.saturating_sub(width(&label) + 1));
                let hidden = entry.chars().count().saturating_sub(room);
                let text = format!("{label}{}█", entry.chars().skip(hidden).collect::<String>());
                (text, Style::new().add_modifier(Modifier::BOLD))
            }
            None => {
                let keys =
                    [l.keys_menu().to_owned(), format!("? {}", l.menu_rules()), format!("Esc {}", l.menu_quit())];
                (keys.join("  "), self.look.palette.quiet())
            }
        };
        put(frame.buffer_mut(), area.x, area.y, fit(&text, area.width), style);
    }
}

/// The next or the previous of some things, in a round.
fn turned<T: Copy + PartialEq>(all: &[T], here: T, step: isize) -> T {
    let at = all.iter().position(|other| *other == here).unwrap_or(0);
    all[(at as isize + step).rem_euclid(all.len() as isize) as usize]
}
