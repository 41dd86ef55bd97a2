//! Whole games through the screens, without a terminal; a file per screen.

mod gaps;
mod lesson;
mod library;
mod menu;
mod table;
mod windows;
#[cfg(not(target_env = "musl"))]
mod work;

use std::sync::atomic::{AtomicU32, Ordering};

use game::{GameId, Match, MatchSettings};
use locale::Language;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use search::{Knowledge, Random};
use session::{FirstPlayer, Pace};

use super::art::Look;
use super::game::GameScreen;
use super::library::{Library, Purpose};
use super::menu::Menu;
use super::palette::{Depth, Palette};
use super::{Transition, text};
use crate::play::{SaveFile, Session};

const GAMES: [&str; 12] = [
    "quarto",
    "quarto(attributes=colour,squares=yes,call=lapse)",
    "quarto(call=open)",
    "quixo",
    "quixo(players=4)",
    "sequence",
    "sequence(players=3,board=shuffled)",
    "sequence(players=4)",
    "four(size=9)",
    "four(size=13)",
    "four",
    "four(size=9,reserve=20,target=3)",
];

const LOOKS: [Look; 3] = [
    Look { palette: Palette::new(Depth::True), language: Language::Ukrainian },
    Look { palette: Palette::new(Depth::Indexed), language: Language::Russian },
    Look { palette: Palette::new(Depth::Mono), language: Language::English },
];

/// What chance draws by.
const SEED: u64 = 7;

fn session(game: &str, language: Language) -> Session {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = format!("{}-{}.fourfold", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let file = std::env::temp_dir().join("fourfold-tests").join(name);
    let save = SaveFile::at(&file, language).unwrap_or_else(|_| unreachable!("a file that is not there is empty"));
    let game = Match::new(MatchSettings::new(game.parse().unwrap())).unwrap();
    Session::new(game, language, SEED, Pace::NONE, save, Knowledge::default())
}

impl Drop for Stage {
    fn drop(&mut self) {
        if let Some(file) = self.screen.session().save_file() {
            let _ = std::fs::remove_file(file.path());
        }
    }
}

struct Stage {
    terminal: Terminal<TestBackend>,
    screen: GameScreen,
}

impl Stage {
    fn new(game: &str, look: Look, width: u16, height: u16) -> Stage {
        let screen = GameScreen::new(session(game, look.language), look);
        Stage { terminal: Terminal::new(TestBackend::new(width, height)).unwrap(), screen }
    }

    fn draw(&mut self) -> String {
        self.screen.poll();
        self.terminal.draw(|frame| self.screen.draw(frame)).unwrap();
        let buffer = self.terminal.backend().buffer();
        let width = usize::from(buffer.area.width);
        let symbols: Vec<&str> = buffer.content().iter().map(|cell| cell.symbol()).collect();
        symbols.chunks(width).map(|line| line.concat()).collect::<Vec<_>>().join("\n")
    }

    fn press(&mut self, code: KeyCode) -> Transition {
        self.screen.handle(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)))
    }

    fn control(&mut self, letter: char) -> Transition {
        self.screen.handle(&Event::Key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL)))
    }

    fn type_in(&mut self, text: &str) {
        for letter in text.chars() {
            self.press(KeyCode::Char(letter));
        }
        self.press(KeyCode::Enter);
    }

    fn click(&mut self, column: u16, row: u16) {
        let event = |kind| MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
        self.screen.handle(&Event::Mouse(event(MouseEventKind::Down(MouseButton::Left))));
        self.screen.handle(&Event::Mouse(event(MouseEventKind::Up(MouseButton::Left))));
    }
}
