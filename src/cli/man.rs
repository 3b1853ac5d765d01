//! `dibber man`.

use clap::builder::PossibleValuesParser;
use clap::{ArgMatches, Args, Command as ClapCommand};

use super::command::{Command, parse_args};
use super::error::CommandError;
use super::exit::Exit;
use super::flags::OutputFile;
use super::output::Output;
use super::term::pager;
use super::term::ui::Ui;
use dibber_text::{message, quote_in_full};

/// Show the manual page, of dibber or of one command
///
/// At a terminal, `man` shows it, if there is one. Otherwise the page is printed as roff, as with
/// `--output`.
#[derive(Args)]
struct ManArgs {
    /// The command; without it, the page of dibber itself
    #[arg(index = 1)]
    command: Option<String>,

    /// A command of that command, such as `preview` of `heartbeat`
    #[arg(index = 2)]
    action: Option<String>,

    #[command(flatten)]
    output: OutputFile,
}

/// Adds the arguments to a clap command; these are the commands that have a page.
pub(super) fn define(command: ClapCommand, commands: &[Command]) -> ClapCommand {
    let names = PossibleValuesParser::new(commands.iter().map(|command| command.name));
    // `mut_arg` would move the argument after the other one; `mut_args` keeps their order.
    ManArgs::augment_args(command).mut_args(|argument| match argument.get_id().as_str() {
        "command" => argument.value_parser(names.clone()),
        _ => argument,
    })
}

/// Prints a page of the command line that `definition` describes.
pub(super) fn run(
    matches: &ArgMatches,
    mut definition: ClapCommand,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let arguments: ManArgs = parse_args(matches);
    definition.build();
    // The page of a command is called `dibber-lint`, as man pages of git and cargo are.
    let mut title = "dibber".to_owned();
    for name in [arguments.command, arguments.action].into_iter().flatten() {
        let command = definition.find_subcommand(&name).cloned();
        definition = command.ok_or_else(|| {
            let typed = title.replace('-', " ");
            CommandError::new(message![
                "`",
                quote_in_full(&typed),
                "` has no command `",
                quote_in_full(&name),
                "`"
            ])
            .help(message!["run `", quote_in_full(&typed), " --help` for a list"])
        })?;
        title = format!("{title}-{name}");
    }
    // A page has the options that `-h` leaves out, with their help.
    let definition =
        definition.display_name(title).mut_args(|argument| argument.hide_short_help(false));
    let mut page = Vec::new();
    clap_mangen::Man::new(definition)
        .render(&mut page)
        .map_err(|error| CommandError::io("cannot write the manual page", error))?;
    match arguments.output.output() {
        Output::StandardOutput if ui.has_live_stdout() && pager::show_manual(&page)? => {}
        output => output.write(&page, ui)?,
    }
    Ok(Exit::Done)
}
