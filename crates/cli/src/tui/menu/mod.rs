//! The menu: what to play, with which options, who sits where, and the clock.

mod show;

use std::collections::BTreeMap;

use locale::Language;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEventKind};
use ratatui::layout::{Position, Rect};

use game::{BadGame, ClockRule, Conferring, Game, GameId, MatchSettings, Player, Sitter};
use rules::{OptionSpec, OptionValues, Preset, Seat, Side, Sign, Signs};
use search::{Level, Random};
use session::{FirstPlayer, words};

use super::Transition;
use super::art::Look;
use super::library::Purpose;
use super::overlay::Sheet;
use crate::error_text;
use crate::learn::has_exercises;
use crate::play::help::{self, Pictures};
use crate::play::{any_seed, earlier_games, new_session, newest_unfinished};

/// The screen before a match.
pub(crate) struct Menu {
    look: Look,
    game: GameId,
    /// The options that were changed, by name; the others stay at their default.
    chosen: BTreeMap<&'static str, String>,
    players: [Player; 4],
    first: Beginner,
    /// The symbols or colours that were chosen.
    signs: Option<Signs>,
    conferring: Conferring,
    clock: usize,
    selected: usize,
    /// The game that can be gone on with.
    unfinished: Option<String>,
    /// The address of a table being typed.
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
    /// As on the printed sheets.
    Preset,
    Option(OptionSpec),
    /// One word of an option that takes several.
    Word(OptionSpec, &'static str),
    Seat(Seat),
    /// Who begins.
    First,
    /// The symbol or colour of a side.
    Sign(Side),
    /// Whether partners may confer.
    Confer,
    Clock,
    Language,
    Rules,
    Load,
    Learn,
    Analyse,
    Online,
    Quit,
}

/// Who begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beginner {
    /// The player of this seat, chosen by hand.
    Seat(Seat),
    /// A player drawn by lot.
    Lot,
    /// The loser of the last match of these players.
    Loser,
}

const CLOCKS: [&str; 7] = ["none", "turn=60", "turn=30", "turn=120", "fischer=300+5", "fischer=900+10", "delay=300+5"];

/// The smallest window the menu can be read in.
const SMALLEST: (u16, u16) = (60, 20);

impl Menu {
    /// A menu with the first game chosen.
    pub(crate) fn new(look: Look) -> Menu {
        let level = |number| Level::new(number).map_or(Player::Person, Player::Bot);
        Menu {
            look,
            game: GameId::ALL[0],
            chosen: BTreeMap::new(),
            players: [Player::Person, level(3), level(3), level(3)],
            first: Beginner::Seat(Seat::ONE),
            signs: None,
            conferring: Conferring::Forbidden,
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

    /// Shows a message until the next key.
    pub(crate) fn tell(&mut self, text: &str) {
        self.sheet = Some(Sheet::new(self.language().menu_online(), text));
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
        self.read_game().ok()
    }

    fn read_game(&self) -> Result<Game, BadGame> {
        let options: Vec<String> = self.chosen.iter().map(|(name, value)| format!("{name}={value}")).collect();
        Game::with_options(self.game, &options.join(","))
    }

    fn rows(&self) -> Vec<Row> {
        let mut rows = vec![Row::Start];
        if self.unfinished.is_some() {
            rows.push(Row::Continue);
        }
        rows.push(Row::Game);
        if !self.game.presets().is_empty() {
            rows.push(Row::Preset);
        }
        for option in self.game.options() {
            match option.values {
                OptionValues::Subset(words) => rows.extend(words.iter().map(|word| Row::Word(*option, word))),
                _ => rows.push(Row::Option(*option)),
            }
        }
        let seats = self.chosen_game().map_or(2, |game| game.seats());
        rows.extend(Seat::all(seats).map(Row::Seat));
        rows.push(Row::First);
        let chosen = self.chosen_game();
        if !self.game.signs().is_empty() {
            let sides = chosen.as_ref().map_or(0, Game::sides);
            rows.extend((0..sides).map(Side::from_index).map(Row::Sign));
        }
        if chosen.is_some_and(|game| game.has_teams()) {
            rows.push(Row::Confer);
        }
        rows.extend([Row::Clock, Row::Language, Row::Rules, Row::Load]);
        if has_exercises(self.game) {
            rows.push(Row::Learn);
        }
        rows.extend([Row::Analyse, Row::Online, Row::Quit]);
        rows
    }

    fn row(&self) -> Row {
        self.rows().get(self.selected).copied().unwrap_or(Row::Start)
    }

    /// Reacts to what the user did.
    pub(crate) fn handle(&mut self, event: &Event) -> Transition {
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
                        None => Transition::Stay,
                    }
                }
                MouseEventKind::Down(_) => {
                    self.sheet = None;
                    Transition::Stay
                }
                _ => Transition::Stay,
            },
            Event::Paste(text) => {
                if let Some(entry) = &mut self.entry {
                    entry.push_str(text.trim());
                }
                Transition::Stay
            }
            _ => Transition::Stay,
        }
    }

    fn key(&mut self, key: &KeyEvent) -> Transition {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if control && matches!(key.code, KeyCode::Char('c' | 'q' | 'с' | 'й')) {
            return Transition::Quit;
        }
        if let Some(sheet) = &mut self.sheet {
            match key.code {
                KeyCode::Up => sheet.scroll(-1),
                KeyCode::Down => sheet.scroll(1),
                KeyCode::PageUp => sheet.scroll(-sheet.page()),
                KeyCode::PageDown | KeyCode::Char(' ') => sheet.scroll(sheet.page()),
                _ => self.sheet = None,
            }
            return Transition::Stay;
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
            KeyCode::Esc | KeyCode::F(10) => return Transition::Leave,
            _ => {}
        }
        Transition::Stay
    }

    fn key_entry(&mut self, code: KeyCode) -> Transition {
        let Some(entry) = &mut self.entry else { return Transition::Stay };
        match code {
            KeyCode::Esc => self.entry = None,
            KeyCode::Backspace => {
                entry.pop();
            }
            KeyCode::Char(letter) => entry.push(letter),
            KeyCode::Enter => {
                let address = self.entry.take().unwrap_or_default();
                if !address.trim().is_empty() {
                    return Transition::Join(address.trim().to_owned());
                }
            }
            _ => {}
        }
        Transition::Stay
    }

    /// Whether the selected row has something to change with the arrows.
    fn changes(&self) -> bool {
        !matches!(
            self.row(),
            Row::Start | Row::Continue | Row::Rules | Row::Load | Row::Learn | Row::Analyse | Row::Online | Row::Quit
        )
    }

    /// Does what the selected row is for, or changes it by a step.
    fn activate(&mut self, step: isize) -> Transition {
        match self.row() {
            Row::Start => return self.start(),
            Row::Continue => return Transition::Library(Purpose::Continue),
            Row::Game => {
                self.game = turned(&GameId::ALL, self.game, step);
                self.chosen.clear();
                self.signs = None;
                self.selected = self.rows().iter().position(|row| *row == Row::Game).unwrap_or(0);
            }
            Row::Preset => self.change_preset(step),
            Row::Option(option) => self.change(option, step),
            Row::Word(option, word) => self.toggle(option, word),
            Row::Seat(seat) => {
                let people = std::iter::once(Player::Person).chain(Level::all().map(Player::Bot));
                let players: Vec<Player> = people.collect();
                let player = &mut self.players[seat.index()];
                *player = turned(&players, *player, step);
            }
            Row::First => self.first = turned(&self.beginners(), self.first(), step),
            Row::Sign(side) => {
                let all: Vec<Sign> = (0..self.game.signs().len()).map(Sign::from_index).collect();
                // What is shown is what changes: the signs as they follow from who begins.
                let mut signs = Signs::default();
                let sides = self.chosen_game().map_or(0, |game| game.sides());
                for (side, sign) in (0..sides).map(Side::from_index).filter_map(|side| Some((side, self.sign(side)?))) {
                    signs.choose(side, sign);
                }
                signs.choose(side, turned(&all, signs.of(side), step));
                self.signs = Some(signs);
            }
            Row::Confer => self.conferring = turned(&Conferring::ALL, self.conferring, step),
            Row::Clock => self.clock = (self.clock as isize + step).rem_euclid(CLOCKS.len() as isize) as usize,
            Row::Language => self.look.language = turned(&Language::ALL, self.look.language, step),
            Row::Rules => self.show_rules(),
            Row::Load => return Transition::Library(Purpose::Open),
            Row::Learn => return Transition::Learn(self.game),
            Row::Analyse => return Transition::Library(Purpose::Analyse),
            Row::Online => self.entry = Some(String::new()),
            Row::Quit => return Transition::Quit,
        }
        Transition::Stay
    }

    fn start(&mut self) -> Transition {
        let Some(mut setup) = self.arranged() else { return Transition::Stay };
        setup.clock = self.clock();
        setup.agree_conferring(self.conferring);
        let random = &mut Random::new(any_seed());
        let setup = match self.first() {
            Beginner::Seat(seat) => {
                setup.begin_with(seat.index());
                setup
            }
            Beginner::Lot => FirstPlayer::Lot.seat(setup, None, random),
            Beginner::Loser => FirstPlayer::Loser.seat_after(setup, earlier_games(self.language()), random),
        };
        new_session(setup, self.language()).map_or(Transition::Stay, |session| Transition::Play(Box::new(session)))
    }

    /// The game, the players in the order of their rows, and the signs that were chosen.
    fn arranged(&self) -> Option<MatchSettings> {
        let mut setup = MatchSettings::new(self.chosen_game()?);
        for (sitter, player) in setup.sitters.iter_mut().zip(self.players) {
            *sitter = Sitter::new(player, "");
        }
        self.signs.into_iter().for_each(|signs| setup.choose_signs(signs));
        Some(setup)
    }

    /// The sign of the player of a side: chosen, or what follows from who begins; `None` while only a draw of lots tells it.
    fn sign(&self, side: Side) -> Option<Sign> {
        match (self.signs, self.first()) {
            (Some(signs), _) => Some(signs.of(side)),
            (None, Beginner::Seat(first)) => {
                let start = self.chosen_game()?.start();
                let seats: Vec<Seat> = Seat::all(start.seats()).collect();
                let own = seats.iter().position(|seat| start.side(*seat) == side)?;
                let seat = seats[(own + seats.len() - first.index()) % seats.len()];
                Some(Sign::usual(start.side(seat)))
            }
            (None, Beginner::Lot | Beginner::Loser) => None,
        }
    }

    fn beginners(&self) -> Vec<Beginner> {
        let seats = self.chosen_game().map_or(2, |game| game.seats());
        Seat::all(seats).map(Beginner::Seat).chain([Beginner::Lot, Beginner::Loser]).collect()
    }

    /// Who begins; the first player where the chosen one has no seat in this game.
    fn first(&self) -> Beginner {
        let possible = self.beginners().contains(&self.first);
        if possible { self.first } else { Beginner::Seat(Seat::ONE) }
    }

    fn clock(&self) -> ClockRule {
        CLOCKS[self.clock].parse().unwrap_or_default()
    }

    /// The preset that is chosen now, if the options and the clock are those of one.
    fn preset(&self) -> Option<Preset> {
        let chosen = self.chosen_game()?;
        let is_chosen = |preset: &&Preset| {
            let game = Game::with_options(self.game, preset.options);
            game.is_ok_and(|game| game == chosen) && preset.clock == CLOCKS[self.clock]
        };
        self.game.presets().iter().find(is_chosen).copied()
    }

    fn change_preset(&mut self, step: isize) {
        let all: Vec<Option<Preset>> =
            std::iter::once(None).chain(self.game.presets().iter().copied().map(Some)).collect();
        let preset = turned(&all, self.preset(), step);
        let pairs = preset.map_or("", |preset| preset.options).split(',').filter_map(|pair| pair.split_once('='));
        self.chosen = pairs.map(|(name, value)| (name, value.to_owned())).collect();
        let clock = preset.map_or("none", |preset| preset.clock);
        self.clock = CLOCKS.iter().position(|known| *known == clock).unwrap_or(0);
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
                // Of many numbers every fifth is enough for a menu; the command line takes any.
                let stride = if max - min > FEW { 5 } else { 1 };
                (value + stride * step).clamp(isize::from(min as i16), isize::from(max as i16)).to_string()
            }
        };
        self.set(option, changed);
    }

    /// Sets an option. Where that is not possible with the other numbers, these go back to their defaults; a number that is
    /// not possible is refused.
    fn set(&mut self, option: OptionSpec, value: String) {
        let before = self.chosen.clone();
        self.chosen.insert(option.name, value);
        let Err(problem) = self.read_game() else { return };
        let is_number = |spec: &&OptionSpec| matches!(spec.values, OptionValues::Number { .. });
        if !is_number(&&option) {
            for number in self.game.options().iter().filter(is_number) {
                self.chosen.remove(number.name);
            }
        }
        if self.read_game().is_err() {
            self.chosen = before;
            let title = locale::option_name(self.language(), self.game, option.name).unwrap_or(option.name);
            self.sheet = Some(Sheet::new(title, error_text::game(self.language(), &problem)));
        }
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
        let language = self.language();
        let write = move |width| help::rules(language, &game, Pictures::Within(width));
        self.sheet = Some(Sheet::fitted(language.menu_rules(), write));
    }
}

/// A range of at most so many numbers is gone through one by one.
const FEW: u16 = 30;

/// The next or the previous of some things, in a round.
fn turned<T: Copy + PartialEq>(all: &[T], here: T, step: isize) -> T {
    let at = all.iter().position(|other| *other == here).unwrap_or(0);
    all[(at as isize + step).rem_euclid(all.len() as isize) as usize]
}
