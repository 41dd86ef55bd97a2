//! Ctrl-C ends a run with what it has so far; pressed again, it ends the program at once.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A flag that Ctrl-C and SIGTERM set.
pub(super) fn watch() -> Arc<AtomicBool> {
    let stop: Arc<AtomicBool> = Arc::default();
    #[cfg(unix)]
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        // The order matters: the second signal finds the flag set. Without handlers a signal ends the program, as ever.
        let _ = signal_hook::flag::register_conditional_shutdown(signal, CODE, Arc::clone(&stop));
        let _ = signal_hook::flag::register(signal, Arc::clone(&stop));
    }
    stop
}

/// The exit code of a program that Ctrl-C has ended.
pub(super) const CODE: i32 = 130;
