//! The games that were kept: a list, and the board of the selected one.

use std::path::Path;

use ratatui::Frame;
use ratatui::crossterm::event::{Event, KeyCode, KeyModifiers, MouseButton, MouseEventKind};
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};

use game::{Match, Player};
use rules::{Seat, Viewer};
use scene::{Ground, Piece, Scene};
use session::{LocalSession, words};

use super::Transition;
use super::art::{self, BoardArt, Look};
use super::overlay::{Sheet, draw_curtain};
use super::palette::Tint;
use super::text::{fit, put, width, wrap};
use crate::play::{SaveFile, kept_games, old_session};

/// What the games are listed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To go on with one that is not over.
    Continue,
    /// To go on with one, or to look at it.
    Open,
    /// To find its mistakes.
    Analyse,
}

/// The screen of kept games.
pub(crate) struct Library {
    look: Look,
    purpose: Purpose,
    games: Vec<(Match, SaveFile)>,
    selected: usize,
    /// A file name being typed.
    entry: Option<String>,
    sheet: Option<Sheet>,
    places: Vec<Rect>,
}

/// No screen has room for more, and no person looks further back in a list.
const MOST: usize = 200;

impl Library {
    /// Lists the games in the user's folder, newest first.
    pub(crate) fn new(look: Look, purpose: Purpose) -> Library {
        let mut games = kept_games(look.language, MOST);
        match purpose {
            Purpose::Continue => games.retain(|(game, _)| game.ending().is_none()),
            Purpose::Analyse => games.retain(|(game, _)| game.ending().is_some()),
            Purpose::Open => {}
        }
        Library { look, purpose, games, selected: 0, entry: None, sheet: None, places: Vec::new() }
    }

    /// How it looks.
    pub(crate) fn look(&self) -> Look {
        self.look
    }

    /// The games, and one more row for another file.
    fn rows(&self) -> usize {
        self.games.len() + 1
    }

    /// Reacts to what the user did.
    pub(crate) fn handle(&mut self, event: &Event) -> Transition {
        match event {
            Event::Key(key) => {
                let control = key.modifiers.contains(KeyModifiers::CONTROL);
                if control && matches!(key.code, KeyCode::Char('c' | 'q' | 'с' | 'й')) {
                    return Transition::Quit;
                }
                self.key(key.code)
            }
            Event::Mouse(mouse) if mouse.kind == MouseEventKind::Down(MouseButton::Left) && self.sheet.is_none() => {
                let here = Position::new(mouse.column, mouse.row);
                let Some(row) = self.places.iter().position(|place| place.contains(here)) else {
                    return Transition::Stay;
                };
                // The first touch shows the board, the second opens the game.
                if self.selected == row {
                    return self.open();
                }
                self.selected = row;
                Transition::Stay
            }
            Event::Paste(text) => {
                if let Some(entry) = &mut self.entry {
                    entry.push_str(text.trim());
                }
                Transition::Stay
            }
            _ => Transition::Stay,
        }
    }

    fn key(&mut self, code: KeyCode) -> Transition {
        if self.sheet.take().is_some() {
            return Transition::Stay;
        }
        if self.entry.is_some() {
            return self.key_entry(code);
        }
        let last = self.rows() - 1;
        match code {
            KeyCode::Up => self.selected = self.selected.checked_sub(1).unwrap_or(last),
            KeyCode::Down | KeyCode::Tab => self.selected = if self.selected == last { 0 } else { self.selected + 1 },
            KeyCode::PageUp => self.selected = self.selected.saturating_sub(10),
            KeyCode::PageDown => self.selected = (self.selected + 10).min(last),
            KeyCode::Home => self.selected = 0,
            KeyCode::End => self.selected = last,
            KeyCode::Enter | KeyCode::Char(' ') => return self.open(),
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
                let file = self.entry.take().unwrap_or_default();
                match SaveFile::load_each(Path::new(file.trim()), self.look.language) {
                    // A file of several games becomes the list.
                    Ok(games) if games.len() > 1 => {
                        self.games = games;
                        self.selected = 0;
                    }
                    Ok(games) => {
                        if let Some(game) = games.into_iter().next() {
                            return self.play(game);
                        }
                    }
                    // What is wrong with a record can take several lines.
                    Err(failure) => {
                        self.sheet = Some(Sheet::new(self.look.language.menu_load(), failure.to_string()));
                    }
                }
            }
            _ => {}
        }
        Transition::Stay
    }

    fn open(&mut self) -> Transition {
        match self.games.get(self.selected).cloned() {
            Some(game) => self.play(game),
            None => {
                self.entry = Some(String::new());
                Transition::Stay
            }
        }
    }

    fn play(&self, game: (Match, SaveFile)) -> Transition {
        let session = Box::new(old_session(game, self.look.language));
        if self.purpose == Purpose::Analyse { Transition::Analyse(session) } else { Transition::Play(session) }
    }

    /// Draws everything.
    pub(crate) fn draw(&mut self, frame: &mut Frame<'_>) {
        let screen = frame.area();
        let language = self.look.language;
        if screen.width < 40 || screen.height < 10 {
            draw_curtain(frame, self.look, &[language.terminal_too_small(screen.width, screen.height, 40, 10)]);
            return;
        }
        let heading = self.look.palette.text(Tint::Brass).add_modifier(Modifier::BOLD);
        let title = match self.purpose {
            Purpose::Continue => language.library_continue(),
            Purpose::Open => language.library_all(),
            Purpose::Analyse => language.menu_analyse(),
        };
        let area = Rect { x: screen.x + 1, width: screen.width - 2, ..screen };
        put(frame.buffer_mut(), area.x, area.y, title, heading);
        let left = Rect { y: area.y + 2, height: area.height - 4, width: area.width * 11 / 20, ..area };
        let right = Rect { x: left.right() + 2, width: area.right().saturating_sub(left.right() + 2), ..left };
        self.draw_list(frame, left);
        self.draw_game(frame, right);
        let foot = Rect { y: screen.bottom() - 1, height: 1, ..area };
        let (text, style) = match &self.entry {
            Some(entry) => {
                let label = format!("{}: ", language.menu_load());
                let room = usize::from(foot.width.saturating_sub(width(&label) + 1));
                let hidden = entry.chars().count().saturating_sub(room);
                let text = format!("{label}{}█", entry.chars().skip(hidden).collect::<String>());
                (text, Style::new().add_modifier(Modifier::BOLD))
            }
            None => (language.library_keys().to_owned(), self.look.palette.quiet()),
        };
        put(frame.buffer_mut(), foot.x, foot.y, fit(&text, foot.width), style);
        if let Some(sheet) = &mut self.sheet {
            sheet.draw(frame, self.look, &format!("Esc {}", language.menu_back()));
        }
    }

    fn draw_list(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let language = self.look.language;
        let rows = self.rows();
        let height = usize::from(area.height).max(1);
        let first = (self.selected + 1).saturating_sub(height);
        self.places = vec![Rect::default(); first];
        for (row, y) in (first..rows.min(first + height)).zip(area.y..) {
            let place = Rect { y, height: 1, ..area };
            self.places.push(place);
            let text = match self.games.get(row) {
                Some((game, _)) => {
                    let date = game.settings().date.as_ref().map(ToString::to_string).unwrap_or_default();
                    let title = words::title(language, &game.settings().game);
                    // A day is enough for a list.
                    format!("{:10}  {title}", date.chars().take(10).collect::<String>())
                }
                None => language.menu_other_file().to_owned(),
            };
            let chosen = row == self.selected;
            let style =
                if chosen { Style::new().add_modifier(Modifier::BOLD | Modifier::REVERSED) } else { Style::new() };
            let arrow = if chosen { "▸" } else { " " };
            let line = format!("{arrow} {text}");
            let gap = " ".repeat(place.width.saturating_sub(width(&line)).into());
            put(frame.buffer_mut(), place.x, place.y, fit(&format!("{line}{gap}"), place.width), style);
        }
    }

    /// The selected game: its board, who plays, and how it stands.
    fn draw_game(&self, frame: &mut Frame<'_>, area: Rect) {
        let Some((game, file)) = self.games.get(self.selected) else {
            if self.games.is_empty() {
                for (line, y) in wrap(self.look.language.library_empty(), area.width).iter().zip(area.y..area.bottom())
                {
                    put(frame.buffer_mut(), area.x, y, line, self.look.palette.quiet());
                }
            }
            return;
        };
        let viewer = viewer_of(game);
        let near = if let Viewer::Seat(seat) = viewer { seat } else { Seat::ONE };
        let scene = game.position().scene(viewer).arranged(&game.settings().seating(near));
        let below = draw_small(frame, area, &scene, self.look);
        let mut lines = facts(game, self.look);
        lines.push(file.path().file_name().unwrap_or_default().to_string_lossy().into_owned());
        let wrapped = lines.iter().flat_map(|line| wrap(line, area.width));
        for (line, y) in wrapped.zip(below + 1..area.bottom()) {
            put(frame.buffer_mut(), area.x, y, line, self.look.palette.quiet());
        }
    }
}

/// Where several people play, a list shows no hand.
fn viewer_of(game: &Match) -> Viewer {
    let sitters = game.settings().sitters.iter().zip(Seat::all(game.position().seats()));
    let people: Vec<Seat> =
        sitters.filter(|(sitter, _)| sitter.player() == Player::Person).map(|(_, seat)| seat).collect();
    match people[..] {
        [only] => Viewer::Seat(only),
        _ => Viewer::Spectator,
    }
}

/// Who plays, and how it stands.
fn facts(game: &Match, look: Look) -> Vec<String> {
    let language = look.language;
    let names = words::names(language, game.settings(), None);
    let seats = Seat::all(game.position().seats()).zip(&game.settings().sitters);
    let who: Vec<String> = seats
        .map(|(seat, sitter)| match sitter.player() {
            Player::Person => names.seat(seat).to_owned(),
            bot @ Player::Bot(_) => format!("{}: {}", names.seat(seat), words::player(language, bot)),
        })
        .collect();
    let study = LocalSession::study(game.clone());
    let view = study.view();
    let state = match game.ending() {
        Some(_) => words::prompt(language, &view.prompt(&[]), &names),
        None => language.library_unfinished(view.history.moves(view.history.len())),
    };
    vec![who.join(", "), state]
}

/// Draws a board with two columns to a square; the line below it.
fn draw_small(frame: &mut Frame<'_>, area: Rect, scene: &Scene, look: Look) -> u16 {
    let ground = look.ground(BoardArt::of(scene.style));
    let mut y = area.y;
    for rank in scene.board.ranks_from_top() {
        if y >= area.bottom() {
            break;
        }
        let mut text = String::from(" ");
        for cell in rank {
            let sign = match cell.piece {
                Some(figure @ Piece::Figure(_)) => art::letter(figure),
                Some(piece) => art::sign(piece).to_owned(),
                None if cell.ground == Ground::Corner => "*".to_owned(),
                None if cell.ground == Ground::Gap => " ".to_owned(),
                None => "·".to_owned(),
            };
            text.push_str(&sign);
            text.push(' ');
        }
        put(frame.buffer_mut(), area.x, y, fit(&text, area.width), ground);
        y += 1;
    }
    y
}
