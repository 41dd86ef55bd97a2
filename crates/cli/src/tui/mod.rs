//! The full-screen interface: a menu and a table, drawn from scenes and nothing else.

mod art;
mod board;
mod figure;
mod game;
mod keys;
mod lesson;
mod library;
mod marks;
mod menu;
mod overlay;
mod palette;
mod panel;
mod picture;
mod signals;
mod terminal;
#[cfg(test)]
mod tests;
mod text;

use std::time::{Duration, Instant};

use ::game::GameId;
use locale::Language;
use ratatui::Frame;
use ratatui::crossterm::event::{self, Event, KeyEventKind};

use crate::error::CliError;
use crate::join::Joining;
use crate::learn::Lesson;
use crate::play::Session;
use art::Look;
pub(crate) use art::letter;
pub(crate) use figure::figure_lines;
use game::GameScreen;
use keys::Key;
use lesson::LessonScreen;
use library::{Library, Purpose};
use menu::Menu;
use overlay::draw_curtain;
use palette::Palette;
use signals::{Asked, Signals, die_of};
use terminal::Screen;
pub(crate) use text::wrap;

/// What to show first.
pub(crate) enum Start {
    /// The menu; leaving a game leads back to it.
    Menu,
    /// A game; leaving it ends the program.
    Game(Box<Session>),
}

/// What a screen wants after an event.
pub(crate) enum Transition {
    /// To stay.
    Stay,
    /// To play this.
    Play(Box<Session>),
    /// To play the same again.
    Again(Box<Session>),
    /// To show the kept games.
    Library(Purpose),
    /// To look at this game and find its mistakes.
    Analyse(Box<Session>),
    /// To solve exercises of a game.
    Learn(GameId),
    /// To play at a server's table.
    Join(String),
    /// To play the match that has begun at the table that was joined.
    Sit,
    /// To go back to the menu, which says this.
    ShowProblem(String),
    /// To go back: to the menu from a game, out of the program from the menu.
    Leave,
    /// To end the program.
    Quit,
}

enum Stage {
    Menu(Box<Menu>),
    Library(Box<Library>),
    Game(Box<GameScreen>),
    Lesson(Box<LessonScreen>),
    /// On the way to a server's table.
    Joining(Box<Joining>, Look),
}

impl Stage {
    fn draw(&mut self, frame: &mut Frame<'_>) {
        match self {
            Stage::Menu(menu) => menu.draw(frame),
            Stage::Library(library) => library.draw(frame),
            Stage::Game(game) => game.draw(frame),
            Stage::Lesson(lesson) => lesson.draw(frame),
            Stage::Joining(joining, look) => draw_joining(joining, *look, frame),
        }
    }

    fn handle(&mut self, event: &Event) -> Transition {
        match (self, event) {
            (Stage::Menu(menu), event) => menu.handle(event),
            (Stage::Library(library), event) => library.handle(event),
            (Stage::Game(game), event) => game.handle(event),
            (Stage::Lesson(lesson), event) => lesson.handle(event),
            (Stage::Joining(..), Event::Key(key)) => match Key::read(key) {
                Key::Back => Transition::Leave,
                Key::Quit => Transition::Quit,
                _ => Transition::Stay,
            },
            (Stage::Joining(..), _) => Transition::Stay,
        }
    }

    fn look(&self) -> Look {
        match self {
            Stage::Menu(menu) => menu.look(),
            Stage::Library(library) => library.look(),
            Stage::Game(game) => game.look(),
            Stage::Lesson(lesson) => lesson.look(),
            Stage::Joining(_, look) => *look,
        }
    }
}

/// Short enough that a clock or a bot is never seen to lag.
const PATIENCE: Duration = Duration::from_millis(40);

/// How often a clock is drawn while no key is pressed.
const REFRESH: Duration = Duration::from_millis(200);

/// Runs the interface until the user leaves; says where the last game was kept.
pub(crate) fn run(start: Start, language: Language) -> Result<Option<String>, CliError> {
    let look = Look { palette: Palette::from_environment(), language };
    let with_menu = matches!(start, Start::Menu);
    let mut stage = match start {
        Start::Menu => Stage::Menu(Box::new(Menu::new(look))),
        Start::Game(session) => Stage::Game(Box::new(GameScreen::new(*session, look))),
    };
    let mut kept = None;
    let signals = Signals::watch()?;
    let mut screen = Screen::open()?;
    let mut drawn_at = None::<Instant>;
    loop {
        // Drawing a large board is work; an idle table costs next to nothing.
        if drawn_at.is_none_or(|drawn| drawn.elapsed() > REFRESH) {
            screen.draw(|frame| stage.draw(frame))?;
            drawn_at = Some(Instant::now());
        }
        let mut transition = Transition::Stay;
        // A burst of keys is taken in at once, so that nothing typed quickly is lost or lags.
        let mut ready = event::poll(PATIENCE)?;
        while ready && matches!(transition, Transition::Stay) {
            drawn_at = None;
            transition = match (&mut stage, event::read()?) {
                (_, Event::Key(key)) if key.kind == KeyEventKind::Release => Transition::Stay,
                (_, Event::Key(key)) if Key::read(&key) == Key::Suspend => {
                    suspend(&mut screen, &mut stage)?;
                    Transition::Stay
                }
                (stage, event) => stage.handle(&event),
            };
            ready = event::poll(Duration::ZERO)?;
        }
        match signals.next() {
            Some(Asked::End(signal)) => {
                if let Stage::Game(game) = &mut stage {
                    game.put_away();
                }
                drop(screen);
                die_of(signal);
                return Ok(None);
            }
            Some(Asked::Suspend) => {
                suspend(&mut screen, &mut stage)?;
                drawn_at = None;
            }
            Some(Asked::GoOn) => {
                screen.take_over_again()?;
                drawn_at = None;
            }
            None => {}
        }
        if let Stage::Game(game) = &mut stage
            && game.poll()
        {
            drawn_at = None;
        }
        let look = stage.look();
        if let Stage::Joining(joining, _) = &mut stage
            && matches!(transition, Transition::Stay)
        {
            match joining.poll(Duration::ZERO) {
                Ok(false) => {}
                Ok(true) => transition = Transition::Sit,
                Err(problem) => transition = Transition::ShowProblem(problem.to_string()),
            }
        }
        if let (Stage::Game(game), false) = (&mut stage, matches!(transition, Transition::Stay)) {
            kept = game.put_away();
        }
        if !matches!(transition, Transition::Stay) {
            drawn_at = None;
        }
        match transition {
            Transition::Stay => {}
            Transition::Play(session) | Transition::Again(session) => {
                stage = Stage::Game(Box::new(GameScreen::new(*session, look)));
            }
            Transition::Analyse(session) => {
                let mut game = GameScreen::new(*session, look);
                game.analyse();
                stage = Stage::Game(Box::new(game));
            }
            Transition::Library(purpose) => stage = Stage::Library(Box::new(Library::new(look, purpose))),
            Transition::Learn(game) => {
                if let Some(lesson) = Lesson::of(game, look.language) {
                    stage = Stage::Lesson(Box::new(LessonScreen::new(lesson, look)));
                }
            }
            Transition::Join(url) => match Joining::at(&url, look.language) {
                Ok(joining) => stage = Stage::Joining(Box::new(joining), look),
                Err(problem) => stage = menu_telling(look, &problem.to_string()),
            },
            Transition::Sit => {
                if let Stage::Joining(joining, _) = std::mem::replace(&mut stage, menu(look)) {
                    stage = match joining.session() {
                        Ok(session) => Stage::Game(Box::new(GameScreen::new(session, look))),
                        Err(problem) => menu_telling(look, &problem.to_string()),
                    };
                }
            }
            Transition::ShowProblem(problem) => stage = menu_telling(look, &problem),
            Transition::Leave if with_menu && !matches!(stage, Stage::Menu(_)) => {
                if let Stage::Joining(joining, _) = std::mem::replace(&mut stage, menu(look)) {
                    joining.give_up();
                }
            }
            Transition::Leave | Transition::Quit => return Ok(kept),
        }
    }
}

fn menu(look: Look) -> Stage {
    Stage::Menu(Box::new(Menu::new(look)))
}

fn menu_telling(look: Look, problem: &str) -> Stage {
    let mut menu = Menu::new(look);
    menu.tell(problem);
    Stage::Menu(Box::new(menu))
}

fn draw_joining(joining: &Joining, look: Look, frame: &mut Frame<'_>) {
    let mut lines = joining.waiting_for();
    lines.push(format!("Esc {}", look.language.menu_back()));
    draw_curtain(frame, look, &lines);
}

/// To the shell and back; no clock runs meanwhile, except a server's.
fn suspend(screen: &mut Screen, stage: &mut Stage) -> Result<(), CliError> {
    if let Stage::Game(game) = stage {
        game.put_away();
    }
    screen.suspend()?;
    if let Stage::Game(game) = stage {
        game.take_up();
    }
    Ok(())
}
