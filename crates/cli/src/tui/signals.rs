//! Signals while the interface owns the terminal: it is given back before the program ends or stops.

#[cfg(unix)]
pub(crate) use unix::{Signals, die_of, stop_here};

#[cfg(not(unix))]
pub(crate) use elsewhere::{Signals, die_of, stop_here};

/// What a signal asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// To end, by this signal.
    End(i32),
    /// To stop until the program is called to the foreground again.
    Suspend,
    /// The program was stopped from outside and goes on.
    GoOn,
}

#[cfg(unix)]
mod unix {
    use std::io::{self, IsTerminal as _};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::time::Duration;

    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
    use signal_hook::{SigId, flag, low_level};

    use super::Asked;
    use crate::tui::terminal::give_back;

    /// Notes which signal came; the handlers are removed with it.
    pub(crate) struct Signals {
        last: Arc<AtomicUsize>,
        /// Set when the interface has ended, so that its watchdog does too.
        over: Arc<AtomicBool>,
        handlers: Vec<SigId>,
    }

    /// How often the watchdog looks; the loop itself is much faster.
    const LOOK: Duration = Duration::from_millis(400);

    impl Signals {
        /// Begins to note signals.
        pub(crate) fn watch() -> io::Result<Signals> {
            let over: Arc<AtomicBool> = Arc::default();
            let mut signals = Signals { over, last: Arc::default(), handlers: Vec::new() };
            for signal in [SIGTERM, SIGHUP, SIGQUIT, SIGINT, SIGTSTP, SIGCONT] {
                let handler = flag::register_usize(signal, Arc::clone(&signals.last), signal as usize)?;
                signals.handlers.push(handler);
            }
            signals.guard();
            Ok(signals)
        }

        /// Ends the program where its loop cannot: reading from a terminal that is gone never returns.
        fn guard(&self) {
            let (last, over) = (Arc::clone(&self.last), Arc::clone(&self.over));
            std::thread::spawn(move || {
                let mut before = 0;
                while !over.load(Ordering::Relaxed) {
                    std::thread::sleep(LOOK);
                    let signal = last.load(Ordering::Relaxed) as i32;
                    let unheard = signal == before && ![0, SIGTSTP, SIGCONT].contains(&signal);
                    before = signal;
                    // Of a terminal that was closed nothing can be asked any more.
                    let gone = !io::stdin().is_terminal();
                    if (unheard || gone) && !over.load(Ordering::Relaxed) {
                        give_back();
                        die_of(if gone { SIGHUP } else { signal });
                    }
                }
            });
        }

        /// What was asked since the last call.
        pub(crate) fn next(&self) -> Option<Asked> {
            match self.last.swap(0, Ordering::Relaxed) as i32 {
                0 => None,
                SIGTSTP => Some(Asked::Suspend),
                SIGCONT => Some(Asked::GoOn),
                signal => Some(Asked::End(signal)),
            }
        }
    }

    impl Drop for Signals {
        fn drop(&mut self) {
            self.over.store(true, Ordering::Relaxed);
            for handler in self.handlers.drain(..) {
                low_level::unregister(handler);
            }
        }
    }

    /// Ends the program as this signal would have, so that the caller sees why it ended.
    pub(crate) fn die_of(signal: i32) {
        let _ = low_level::emulate_default_handler(signal);
    }

    /// Stops the program, as Ctrl-Z does in a terminal that is not in raw mode.
    pub(crate) fn stop_here() {
        let _ = low_level::emulate_default_handler(SIGTSTP);
    }
}

#[cfg(not(unix))]
mod elsewhere {
    use std::io;

    use super::Asked;

    /// There are none.
    pub(crate) struct Signals;

    impl Signals {
        pub(crate) fn watch() -> io::Result<Signals> {
            Ok(Signals)
        }

        pub(crate) fn next(&self) -> Option<Asked> {
            None
        }
    }

    pub(crate) fn die_of(_signal: i32) {}

    pub(crate) fn stop_here() {}
}
