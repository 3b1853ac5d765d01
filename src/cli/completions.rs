//! `dibber completions`.

use clap::{ArgMatches, Args, Command as ClapCommand};
use clap_complete::Shell;

use super::command::parse_args;
use super::error::CommandError;
use super::exit::Exit;
use super::flags::OutputFile;
use super::term::ui::Ui;

/// Print the completions for a shell
///
/// For instance, for fish:
///
///   dibber completions fish > ~/.config/fish/completions/dibber.fish
#[derive(Args)]
#[command(verbatim_doc_comment)]
struct CompletionsArgs {
    /// The shell
    shell: Shell,

    #[command(flatten)]
    output: OutputFile,
}

/// Adds the arguments to a clap command.
pub(super) fn define(command: ClapCommand) -> ClapCommand {
    CompletionsArgs::augment_args(command)
}

/// Prints the completions of the command line that `definition` describes.
pub(super) fn run(
    matches: &ArgMatches,
    mut definition: ClapCommand,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let arguments: CompletionsArgs = parse_args(matches);
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut definition, "dibber", &mut script);
    arguments.output.output().write(&script, ui)?;
    Ok(Exit::Done)
}
