use std::io::{self, Stdout, Write, stdout};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::{Frame, Terminal};

use super::signals;

/// The terminal while the interface owns it; it is given back however the program ends.
pub(crate) struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
}

/// Whether the interface owns the terminal.
static OWNED: AtomicBool = AtomicBool::new(false);

impl Screen {
    /// Takes the terminal over.
    pub(crate) fn open() -> io::Result<Screen> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let before = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                // A message printed on a screen that is still ours would be lost.
                let owned = OWNED.load(Ordering::Relaxed);
                give_back();
                before(info);
                // A panic in another thread would leave a table that waits for ever; what was played is saved.
                if owned {
                    std::process::exit(101);
                }
            }));
        });
        take_over()?;
        Ok(Screen { terminal: Terminal::new(CrosstermBackend::new(stdout()))? })
    }

    /// Draws one picture.
    pub(crate) fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        self.terminal.draw(draw).map(drop)
    }

    /// Gives the terminal back, stops the program until it is called to the foreground again, and takes over anew.
    pub(crate) fn suspend(&mut self) -> io::Result<()> {
        give_back();
        signals::stop_here();
        self.take_over_again()
    }

    /// The shell may have changed the terminal's modes while the program was stopped.
    pub(crate) fn take_over_again(&mut self) -> io::Result<()> {
        give_back();
        take_over()?;
        execute!(stdout(), Clear(ClearType::All))?;
        // A new one knows nothing of what was drawn before, and draws everything.
        self.terminal = Terminal::new(CrosstermBackend::new(stdout()))?;
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

fn take_over() -> io::Result<()> {
    enable_raw_mode()?;
    OWNED.store(true, Ordering::Relaxed);
    execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)
}

/// Errors are of no use here: the program is about to leave the terminal anyway.
pub(super) fn give_back() {
    if !OWNED.swap(false, Ordering::Relaxed) {
        return;
    }
    let _ = disable_raw_mode();
    let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen);
    let _ = execute!(stdout(), ratatui::crossterm::cursor::Show);
}

/// Rings the terminal's bell, the only sound it has.
pub(super) fn ring() {
    if OWNED.load(Ordering::Relaxed) {
        let mut out = stdout();
        // Without a bell the call is still seen.
        let _ = out.write_all(b"\x07").and_then(|()| out.flush());
    }
}
