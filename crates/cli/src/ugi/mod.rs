//! `fourfold ugi`: the engine protocol on standard input and output, described in `docs/ugi.md`.

mod command;
mod info;
mod parallel;
mod session;
mod think;

pub use session::{Flow, Session};

use std::io::{self, BufRead, Read as _, Write as _};

use search::Knowledge;

/// Longest line that is read; a game of Four with every action of 10,000 turns is far below.
const LONGEST_LINE: u64 = 1 << 20;

/// Standard output of an engine: once its reader is gone there is no one to search for, so the program ends.
struct Output;

impl io::Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        or_exit(io::stdout().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        or_exit(io::stdout().flush())
    }
}

fn or_exit<T>(written: io::Result<T>) -> io::Result<T> {
    if written.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
        std::process::exit(0);
    }
    written
}

/// Speaks the protocol until `quit` or the end of the input.
pub fn run(mut input: impl BufRead, knowledge: Knowledge) -> io::Result<()> {
    let mut session = Session::new(Output, knowledge);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if read == 0 {
            session.finish();
            return Ok(());
        }
        if !line.ends_with(b"\n") && read as u64 == LONGEST_LINE {
            input.skip_until(b'\n')?;
            session.say(&format!("error the line is too long: {LONGEST_LINE} bytes are read at most"));
            continue;
        }
        let flow = match std::str::from_utf8(&line) {
            Ok(text) => session.line(text),
            Err(_) => {
                session.say("error the line is not UTF-8 text");
                Flow::GoOn
            }
        };
        if flow == Flow::Quit {
            return io::stdout().flush();
        }
    }
}
