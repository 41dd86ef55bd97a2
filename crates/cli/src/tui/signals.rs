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
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
    use signal_hook::{SigId, flag, low_level};

    use super::Asked;

    /// Notes which signal came; the handlers are removed with it.
    pub(crate) struct Signals {
        last: Arc<AtomicUsize>,
        /// Whether signals do what they do to every program.
        usual: Arc<AtomicBool>,
        handlers: Vec<SigId>,
    }

    impl Signals {
        /// Begins to note signals.
        pub(crate) fn watch() -> io::Result<Signals> {
            let mut signals = Signals { last: Arc::default(), usual: Arc::default(), handlers: Vec::new() };
            for signal in [SIGTERM, SIGHUP, SIGQUIT, SIGINT, SIGTSTP, SIGCONT] {
                if signal != SIGCONT {
                    let usual = flag::register_conditional_default(signal, Arc::clone(&signals.usual))?;
                    signals.handlers.push(usual);
                }
                let handler = flag::register_usize(signal, Arc::clone(&signals.last), signal as usize)?;
                signals.handlers.push(handler);
            }
            Ok(signals)
        }

        /// While the terminal is the shell's, signals end and stop the program as usual.
        pub(crate) fn outside<T>(&self, act: impl FnOnce() -> T) -> T {
            self.usual.store(true, Ordering::Relaxed);
            let done = act();
            self.usual.store(false, Ordering::Relaxed);
            self.last.store(0, Ordering::Relaxed);
            done
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

        pub(crate) fn outside<T>(&self, act: impl FnOnce() -> T) -> T {
            act()
        }

        pub(crate) fn next(&self) -> Option<Asked> {
            None
        }
    }

    pub(crate) fn die_of(_signal: i32) {}

    pub(crate) fn stop_here() {}
}
