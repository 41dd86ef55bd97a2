//! `fourfold play`, and the menu that opens without a command.

use clap::Args;

use crate::failure::Failure;

/// What `fourfold play` can be told.
#[derive(Debug, Args)]
pub(crate) struct PlayArguments {
    /// The game with its options, such as quarto or "quixo(players=4)".
    game: String,
}

/// Goes straight into a game.
pub(crate) fn run(arguments: &PlayArguments, _lang: Option<&str>) -> Result<(), Failure> {
    Err(Failure::new(format!("{} cannot be played here yet", arguments.game)))
}

/// Opens the menu.
pub(crate) fn menu(_lang: Option<&str>) -> Result<(), Failure> {
    Err(Failure::new("there is no menu yet"))
}
