//! `fourfold ugi`: the engine protocol on standard input and output, described in `docs/ugi.md`.

mod command;
mod session;
mod think;

pub use session::{Flow, Session};

use std::io::{self, BufRead, Read as _, Write as _};

/// Longest line that is read; a game of Four with every action of 10,000 turns is far below.
const LONGEST_LINE: u64 = 1 << 20;

/// Speaks the protocol until `quit` or the end of the input.
pub fn run(mut input: impl BufRead) -> io::Result<()> {
    let mut session = Session::new(io::stdout());
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
