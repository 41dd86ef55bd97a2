use std::fmt::{self, Display};
use std::process::ExitCode;

/// Why a command failed: one sentence that also says what is possible.
#[derive(Debug)]
pub(crate) struct CliError(String);

impl CliError {
    /// An error with this sentence.
    pub(crate) fn new(sentence: impl Display) -> CliError {
        CliError(sentence.to_string())
    }

    /// Prints the error and gives the exit code for bad input.
    pub(crate) fn report(&self) -> ExitCode {
        eprintln!("fourfold: {}", self.0);
        ExitCode::from(2)
    }
}

impl Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<E: std::error::Error> From<E> for CliError {
    fn from(error: E) -> CliError {
        CliError::new(error)
    }
}
