//! Exercises in the full screen: a position, a question, and what an answer leads to.

use ratatui::Frame;
use ratatui::crossterm::event::{Event, KeyEvent, MouseButton, MouseEventKind};
use ratatui::layout::Position;

use locale::Names;
use scene::{Choice, Picker, Spot, Touched};
use session::words;

use super::Transition;
use super::art::Look;
use super::keys::{Key, neighbour};
use super::marks::Marks;
use super::overlay::draw_curtain;
use super::picture::{Notice, Picture, Places};
use crate::learn::{Lesson, Next};
use crate::play::{help, on_latin_keys};

/// The screen of a lesson.
pub(crate) struct LessonScreen {
    look: Look,
    lesson: Lesson,
    picker: Picker,
    cursor: Option<Spot>,
    typed: String,
    /// What was said to the answers of this exercise, latest first.
    told: Vec<String>,
    notice: Notice,
    /// Whether the exercise is done and the next one waits for a key.
    done: bool,
    places: Places,
}

impl LessonScreen {
    /// Shows a lesson.
    pub(crate) fn new(lesson: Lesson, look: Look) -> LessonScreen {
        LessonScreen {
            look,
            lesson,
            picker: Picker::new(),
            cursor: None,
            typed: String::new(),
            told: Vec::new(),
            notice: Notice::None,
            done: false,
            places: Vec::new(),
        }
    }

    /// How it looks.
    pub(crate) fn look(&self) -> Look {
        self.look
    }

    /// What may be answered; nothing once the exercise is done.
    fn choices(&self) -> Vec<Choice<String>> {
        if self.done { Vec::new() } else { self.lesson.position().choices() }
    }

    /// Reacts to what the user did.
    pub(crate) fn handle(&mut self, event: &Event) -> Transition {
        match event {
            Event::Key(key) => self.key(key),
            Event::Mouse(mouse) if mouse.kind == MouseEventKind::Down(MouseButton::Left) => {
                let here = Position::new(mouse.column, mouse.row);
                if self.done {
                    self.advance();
                } else if let Some(&(_, spot)) = self.places.iter().find(|(area, _)| area.contains(here)) {
                    self.touch(spot);
                }
                Transition::Stay
            }
            _ => Transition::Stay,
        }
    }

    fn key(&mut self, event: &KeyEvent) -> Transition {
        match Key::read(event) {
            Key::Quit => return Transition::Quit,
            Key::Back if !self.typed.is_empty() => self.typed.clear(),
            Key::Back if self.picker.back() => {}
            Key::Back => return Transition::Leave,
            Key::Enter | Key::Type(' ') if self.done => self.advance(),
            Key::Enter if !self.typed.is_empty() => {
                let typed = std::mem::take(&mut self.typed);
                return self.answer(&typed);
            }
            Key::Enter | Key::Type(' ') => match self.cursor {
                Some(spot) => self.touch(spot),
                None => self.walk_offered(1),
            },
            Key::Erase => drop(self.typed.pop()),
            Key::Next if !self.typed.is_empty() => {
                if let Some(first) = self.completions().into_iter().next() {
                    self.typed = first;
                }
            }
            Key::Next => self.walk_offered(1),
            Key::Previous => self.walk_offered(-1),
            Key::Move(direction) => {
                let moved = self.cursor.and_then(|from| neighbour(&self.places, from, direction));
                match moved {
                    Some(spot) => self.cursor = Some(spot),
                    None if self.cursor.is_none() => self.walk_offered(1),
                    None => {}
                }
            }
            Key::Help | Key::Hint => return self.answer("?"),
            Key::Type('?') if self.typed.is_empty() && !self.done => return self.answer("?"),
            Key::Type(letter) if !self.done => self.typed.push(letter),
            _ => {}
        }
        Transition::Stay
    }

    fn touch(&mut self, spot: Spot) {
        match self.picker.touch(&self.choices(), spot) {
            Touched::Complete(action) => drop(self.answer(&action)),
            Touched::Further | Touched::Anew | Touched::TakenBack | Touched::Nowhere(_) => {}
        }
    }

    /// What may be touched next, in reading order.
    fn offered(&self) -> Vec<Spot> {
        let next = self.picker.next(&self.choices());
        self.places.iter().map(|(_, spot)| *spot).filter(|spot| next.contains(spot)).collect()
    }

    fn walk_offered(&mut self, step: isize) {
        let offered = self.offered();
        let here = self.cursor.and_then(|cursor| offered.iter().position(|spot| *spot == cursor));
        let next = here.map_or(0, |here| (here as isize + step).rem_euclid(offered.len() as isize) as usize);
        self.cursor = offered.get(next).copied().or(self.cursor);
    }

    /// The legal actions that begin with what is typed.
    fn completions(&self) -> Vec<String> {
        if self.typed.is_empty() {
            return Vec::new();
        }
        let latin = on_latin_keys(&self.typed);
        let legal = help::open_choices(self.lesson.position()).into_iter().map(|choice| choice.action);
        legal.filter(|action| action.starts_with(&self.typed) || action.starts_with(&latin)).collect()
    }

    fn answer(&mut self, typed: &str) -> Transition {
        self.picker.clear();
        let answer = self.lesson.answer(typed);
        self.notice = match (answer.next, answer.lines.first()) {
            (_, None) => Notice::None,
            (Next::Another, Some(line)) => Notice::Done(line.clone()),
            (_, Some(line)) => Notice::Refusal(line.clone()),
        };
        let said_nothing = answer.lines.is_empty();
        self.told.splice(0..0, answer.lines.into_iter().rev());
        match answer.next {
            Next::Same | Next::Further => {}
            Next::Another if said_nothing => self.advance(),
            Next::Another => self.done = true,
            Next::Stop => return Transition::Leave,
        }
        Transition::Stay
    }

    fn advance(&mut self) {
        self.lesson.advance();
        self.picker.clear();
        self.told.clear();
        self.cursor = None;
        self.notice = Notice::None;
        self.done = false;
    }

    /// Draws everything.
    pub(crate) fn draw(&mut self, frame: &mut Frame<'_>) {
        let (l, position) = (self.look.language, self.lesson.position());
        let viewer = self.lesson.viewer();
        let scene = position.scene(viewer);
        let game = position.game();
        let names = Names::usual(l, game.id(), position.seats());
        let mut marks = Marks::default();
        marks.offer(self.picker.next(&self.choices()));
        marks.pick(self.picker.touched());
        marks.point(self.cursor.filter(|_| !self.done));
        scene.highlights.iter().for_each(|highlight| marks.highlight(highlight));
        let mut story = self.told.clone();
        story.extend([self.lesson.question().to_owned(), self.lesson.heading()]);
        let asked = locale::message(l, &position.prompt(viewer, self.picker.touched()), &names);
        let mut keys = if self.done {
            vec![format!("Enter {}", l.exercise_next())]
        } else {
            vec![format!("? {}", l.keys_answer()), format!("n ⏎ {}", l.exercise_next())]
        };
        keys.extend([format!("Esc {}", l.menu_back()), format!("^Q {}", l.action_quit())]);
        let picture = Picture {
            look: self.look,
            scene: &scene,
            viewer,
            marks: &marks,
            names: &names,
            title: &words::title(l, &game),
            about: "",
            focus: self.cursor.and_then(Spot::square),
            rail: !scene.hands.is_empty() || !scene.buttons.is_empty(),
            seats: &[],
            story: &story,
            prompt: &asked,
            notice: &self.notice,
            typed: &self.typed,
            completions: &self.completions(),
            keys: &keys,
        };
        let area = frame.area();
        match picture.draw(frame.buffer_mut(), area) {
            Ok(places) => self.places = places,
            Err(needed) => {
                self.places.clear();
                let text = l.terminal_too_small(area.width, area.height, needed.width, needed.height);
                draw_curtain(frame, self.look, &[text]);
            }
        }
    }
}
