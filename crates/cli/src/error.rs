use std::fmt::{self, Display};
use std::process::ExitCode;

/// Why a command failed: one sentence that also says what is possible.
#[derive(Debug)]
pub(crate) struct CliError {
    sentence: String,
    kind: Kind,
}

/// Whose fault it is; scripts tell the two apart by the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The command was understood and could not be carried out: exit code 1.
    Failure,
    /// The command line asks for something that does not exist: exit code 2.
    WrongUse,
    /// The reader of the output has gone, as `head` does once it has its lines: no message, exit code 1.
    OutputClosed,
}

impl CliError {
    /// A failure with this sentence.
    pub(crate) fn new(sentence: impl Display) -> CliError {
        CliError { sentence: sentence.to_string(), kind: Kind::Failure }
    }

    /// A command line that cannot be meant, with this sentence.
    pub(crate) fn wrong_use(sentence: impl Display) -> CliError {
        CliError { sentence: sentence.to_string(), kind: Kind::WrongUse }
    }

    /// Prints the error and gives the exit code for it.
    pub(crate) fn report(&self) -> ExitCode {
        if self.kind != Kind::OutputClosed {
            eprintln!("fourfold: {}", without_commands(&self.sentence));
        }
        match self.kind {
            Kind::Failure | Kind::OutputClosed => ExitCode::FAILURE,
            Kind::WrongUse => ExitCode::from(2),
        }
    }
}

/// What a sentence quotes, such as a file's name, must not steer the terminal.
fn without_commands(sentence: &str) -> String {
    let shown = |letter| if letter != '\n' && rules::steers(letter) { char::REPLACEMENT_CHARACTER } else { letter };
    sentence.chars().map(shown).collect()
}

impl Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl<E: std::error::Error + 'static> From<E> for CliError {
    fn from(error: E) -> CliError {
        let io = (&error as &dyn std::error::Error).downcast_ref::<std::io::Error>();
        let closed = io.is_some_and(|io| io.kind() == std::io::ErrorKind::BrokenPipe);
        CliError { kind: if closed { Kind::OutputClosed } else { Kind::Failure }, ..CliError::new(error) }
    }
}
