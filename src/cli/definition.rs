//! The command line as clap sees it, of all commands or of one.

use std::ffi::OsString;

use clap::{Arg, ArgAction, Command as ClapCommand, value_parser};

use super::command::Command;
use super::examples::with_examples;
use super::overview::help_template;
use super::short_help::with_short_help;
use super::term::color_choice::ColorChoice;

const AFTER_HELP: &str = "Exit codes: 0 done, 1 findings, 2 usage or configuration, 3 refused, 4 not \
                          allowed, 5 not found, 6 the server failed, cannot be reached, or has not \
                          done what it answered, 7 outcome unknown, 8 a skill ran and failed, \
                          101 internal error, 130 interrupted";

/// The place of the options of every command: after its own, before `--help`.
const LAST: usize = 998;

/// The id of the option without notes and summaries.
pub(super) const QUIET: &str = "quiet";

/// The columns after which help is wrapped, however wide the terminal is.
const HELP_COLUMNS_MAX: usize = 100;

/// Returns the part of the command line that these arguments need. If they name a command, the
/// others are left out: defining them all takes longer than many a command runs.
pub(super) fn definition_for(arguments: &[OsString], commands: &[Command]) -> ClapCommand {
    let mut words = arguments.iter().skip(1).filter_map(|argument| argument.to_str());
    let name = match words.next() {
        Some("--color") => words.nth(1),
        Some(color) if color.starts_with("--color=") => words.next(),
        first => first,
    };
    match commands.iter().position(|command| Some(command.name) == name) {
        Some(index) => definition(&commands[index..=index]),
        None => definition(commands),
    }
}

/// Returns the command line with these commands.
pub(super) fn definition(commands: &[Command]) -> ClapCommand {
    let color = Arg::new("color")
        .long("color")
        .value_name("WHEN")
        .help("When to use colour: auto, always or never")
        .value_parser(value_parser!(ColorChoice))
        .default_value("auto")
        .hide_default_value(true)
        .hide_possible_values(true)
        .display_order(LAST)
        .global(true);
    let quiet = Arg::new(QUIET)
        .long("quiet")
        .short('q')
        .help("Print only results, warnings and errors")
        .action(ArgAction::SetTrue)
        .display_order(LAST)
        .global(true);
    // clap stops parsing at `--version`, so the caller of clap looks for this flag itself.
    let verbose = Arg::new("verbose")
        .long("verbose")
        .help("With `--version`, print the version of the time zone database, too")
        .action(ArgAction::SetTrue)
        .requires("version");
    let commands = commands.iter().map(|command| {
        let defined = (command.define)(ClapCommand::new(command.name));
        let defined = with_short_help(defined, command.name);
        with_examples(defined, &format!("dibber {}", command.name))
    });
    let commands: Vec<ClapCommand> = commands.collect();
    let header = *ClapCommand::new("dibber").get_styles().get_header();
    let heading = |title: &str| format!("{header}{title}{header:#}");
    ClapCommand::new("dibber")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Write, check, publish and serve Agent Skills")
        .after_help(AFTER_HELP)
        .arg(color)
        .arg(quiet)
        .arg(verbose)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .max_term_width(HELP_COLUMNS_MAX)
        .help_template(help_template(&commands, heading))
        .subcommands(commands)
}
