//! The full-screen interface: a menu and a table, drawn from scenes and nothing else.

mod art;
mod board;
mod game;
mod keys;
mod marks;
mod menu;
mod overlay;
mod palette;
mod panel;
mod picture;
mod terminal;
#[cfg(test)]
mod tests;
mod text;

use std::time::{Duration, Instant};

use locale::Language;
use ratatui::crossterm::event::{self, Event, KeyEventKind};

use crate::error::CliError;
use crate::play::Session;
use art::Look;
pub(crate) use art::letter;
use game::GameScreen;
use menu::Menu;
use palette::Palette;
use terminal::Screen;

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
    /// To go back: to the menu from a game, out of the program from the menu.
    Leave,
    /// To end the program.
    Quit,
}

enum Stage {
    Menu(Menu),
    Game(Box<GameScreen>),
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
        Start::Menu => Stage::Menu(Menu::new(look)),
        Start::Game(session) => Stage::Game(Box::new(GameScreen::new(*session, look))),
    };
    let mut kept = None;
    let mut screen = Screen::open()?;
    let mut drawn_at = None::<Instant>;
    loop {
        // Drawing a large board is work; an idle table costs next to nothing.
        if drawn_at.is_none_or(|drawn| drawn.elapsed() > REFRESH) {
            screen.draw(|frame| match &mut stage {
                Stage::Menu(menu) => menu.draw(frame),
                Stage::Game(game) => game.draw(frame),
            })?;
            drawn_at = Some(Instant::now());
        }
        let mut transition = Transition::Stay;
        // A burst of keys is taken in at once, so that nothing typed quickly is lost or lags.
        let mut ready = event::poll(PATIENCE)?;
        while ready && matches!(transition, Transition::Stay) {
            drawn_at = None;
            transition = match (&mut stage, event::read()?) {
                (_, Event::Key(key)) if key.kind == KeyEventKind::Release => Transition::Stay,
                (Stage::Menu(menu), event) => menu.handle(&event),
                (Stage::Game(game), event) => game.handle(&event),
            };
            ready = event::poll(Duration::ZERO)?;
        }
        if let Stage::Game(game) = &mut stage
            && game.poll()
        {
            drawn_at = None;
        }
        let look = match &stage {
            Stage::Menu(menu) => menu.look(),
            Stage::Game(game) => game.look(),
        };
        if let (Stage::Game(game), false) = (&mut stage, matches!(transition, Transition::Stay)) {
            kept = game.put_away();
        }
        if !matches!(transition, Transition::Stay) {
            drawn_at = None;
        }
        match transition {
            Transition::Stay => {}
            Transition::Play(session) | Transition::Again(session) => {
                stage = Stage::Game(Box::new(GameScreen::new(*session, look)))
            }
            Transition::Leave if with_menu && matches!(stage, Stage::Game(_)) => stage = Stage::Menu(Menu::new(look)),
            Transition::Leave | Transition::Quit => return Ok(kept),
        }
    }
}
