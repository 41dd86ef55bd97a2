//! `fourfold help`, `completions` and `man`: the command line's own documentation, made from its description.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_complete::Shell;
use locale::Language;

use crate::error::CliError;
use crate::error_text;

/// Arguments of `fourfold help`.
#[derive(Debug, Args)]
pub(crate) struct HelpArguments {
    /// The command, with its subcommand if it has one.
    #[arg(value_name = "COMMAND")]
    path: Vec<String>,
}

/// Arguments of `fourfold completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// bash, zsh, fish, elvish or powershell.
    #[arg(value_name = "SHELL", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    shell: String,
}

/// Arguments of `fourfold man`.
#[derive(Debug, Args)]
pub(crate) struct ManArguments {
    /// The folder that the pages are written into.
    #[arg(value_name = "DIR")]
    dir: PathBuf,
}

/// Prints the help of a command.
pub(crate) fn help(arguments: &HelpArguments, language: Language, mut command: Command) -> Result<(), CliError> {
    let mut found = &mut command;
    for name in &arguments.path {
        let names: Vec<&str> = found.get_subcommands().map(Command::get_name).collect();
        let unknown = language.usage_unknown_command(name, names.join(", "));
        found = found.find_subcommand_mut(name).ok_or_else(|| CliError::wrong_use(unknown))?;
    }
    Ok(write!(io::stdout(), "{}", found.render_long_help())?)
}

/// Prints the completions for a shell.
pub(crate) fn completions(
    arguments: &CompletionsArguments,
    language: Language,
    mut command: Command,
) -> Result<(), CliError> {
    let shell: Shell = arguments.shell.parse().map_err(|_| {
        let shells = "bash, zsh, fish, elvish, powershell";
        CliError::wrong_use(language.unknown_shell(&arguments.shell, shells))
    })?;
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command, "fourfold", &mut text);
    Ok(io::stdout().write_all(&text)?)
}

/// Writes a page for the program and one for each command.
pub(crate) fn man(arguments: &ManArguments, language: Language, command: Command) -> Result<(), CliError> {
    let failed = |error: io::Error| {
        let problem = error_text::file_to_write(language, &error);
        CliError::new(language.error_file_unwritable(arguments.dir.display(), problem))
    };
    std::fs::create_dir_all(&arguments.dir).map_err(failed)?;
    write_pages(&arguments.dir, command, "fourfold").map_err(failed)
}

fn write_pages(dir: &Path, command: Command, name: &str) -> io::Result<()> {
    for sub in command.get_subcommands() {
        write_pages(dir, sub.clone(), &format!("{name}-{}", sub.get_name()))?;
    }
    let mut page = Vec::new();
    // The template and the usage line of the translated help are not for a manual page.
    let command = command.display_name(name.to_owned()).bin_name(name.replace('-', " "));
    clap_mangen::Man::new(command.override_usage(clap::builder::Resettable::Reset)).render(&mut page)?;
    std::fs::write(dir.join(format!("{name}.1")), page)
}
