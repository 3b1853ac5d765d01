//! `dibber completions`.

use clap::{ArgMatches, Args, FromArgMatches};
use clap_complete::Shell;

use super::{Command, CommandError, Exit, Ui};

pub(super) const COMMAND: Command =
    Command { name: "completions", define: CompletionsArgs::augment_args, run };

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
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments = CompletionsArgs::from_arg_matches(matches).expect("clap has checked them");
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut super::definition(), "dibber", &mut script);
    ui.print(&script)?;
    Ok(Exit::Done)
}
