//! The command line: a file per command, and the only place with clap, the standard streams,
//! exit codes and the clock.

mod ask;
#[cfg(feature = "remote")]
mod call;
#[cfg(feature = "remote")]
mod calls;
#[cfg(feature = "remote")]
mod changes;
#[cfg(feature = "remote")]
mod choice;
mod completions;
#[cfg(feature = "remote")]
mod credential;
mod diff;
mod drafted;
mod dry_run;
mod error;
mod explain;
#[cfg(feature = "remote")]
mod family;
#[cfg(feature = "remote")]
mod guide;
mod hash;
mod heartbeat;
mod inputs;
mod interrupt;
#[cfg(feature = "remote")]
mod invoke;
#[cfg(feature = "remote")]
mod journal;
mod lint;
#[cfg(feature = "remote")]
mod lock_file;
mod man;
mod mask;
mod names;
mod names_file;
mod new;
mod ordered;
mod panics;
mod progress;
#[cfg(feature = "remote")]
mod pull;
#[cfg(feature = "remote")]
mod push;
#[cfg(feature = "remote")]
mod refusal;
mod render;
#[cfg(feature = "remote")]
mod resolve;
mod rules;
mod schema;
#[cfg(feature = "remote")]
mod schema_words;
#[cfg(feature = "remote")]
mod serve;
#[cfg(feature = "remote")]
mod session;
mod sheet;
#[cfg(feature = "remote")]
mod skill;
#[cfg(feature = "remote")]
mod status;
#[cfg(feature = "remote")]
mod tools;
mod ui;
mod write;

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{ArgMatches, Command as ClapCommand};

use error::CommandError;
pub use panics::install_panic_hook;
use ui::{ColorChoice, Ui};

use dibber_schedule::tzdb_version;
use dibber_skill::names::Roster;

/// One command: its name, how its arguments are defined, and what it does.
pub struct Command {
    /// The name, as it is typed.
    pub name: &'static str,
    /// Adds the help and the arguments to a clap command.
    define: fn(ClapCommand) -> ClapCommand,
    /// Runs it.
    run: fn(&ArgMatches, &mut Ui) -> Result<Exit, CommandError>,
}

/// Every command, in the order of the help.
pub const COMMANDS: &[Command] = &[
    new::COMMAND,
    lint::COMMAND,
    explain::COMMAND,
    rules::COMMAND,
    dry_run::COMMAND,
    hash::COMMAND,
    #[cfg(feature = "remote")]
    push::COMMAND,
    #[cfg(feature = "remote")]
    push::DIFF_COMMAND,
    #[cfg(feature = "remote")]
    pull::COMMAND,
    #[cfg(feature = "remote")]
    invoke::COMMAND,
    render::COMMAND,
    #[cfg(feature = "remote")]
    skill::COMMAND,
    heartbeat::COMMAND,
    #[cfg(feature = "remote")]
    family::COMMAND,
    #[cfg(feature = "remote")]
    guide::COMMAND,
    names::COMMAND,
    #[cfg(feature = "remote")]
    serve::COMMAND,
    #[cfg(feature = "remote")]
    status::COMMAND,
    #[cfg(feature = "remote")]
    tools::COMMAND,
    #[cfg(feature = "remote")]
    call::COMMAND,
    #[cfg(feature = "remote")]
    journal::COMMAND,
    schema::COMMAND,
    completions::COMMAND,
    man::COMMAND,
];

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Everything asked for was done, and nothing was found at level `deny`.
    Done = 0,
    /// Something was found.
    Findings = 1,
    /// The arguments, the configuration or a path are wrong, so that not all could be done.
    Usage = 2,
    /// What is to be published is refused: the code `BAD_INPUT`.
    BadInput = 3,
    /// The server does not allow it: the code `PERMISSION_DENIED`.
    PermissionDenied = 4,
    /// There is no such thing on the server: the code `DOMAIN_NOT_FOUND`.
    NotFound = 5,
    /// The server failed, or could not be reached; nothing was changed: `INTERNAL_ERROR`.
    Failed = 6,
    /// A write may have taken place. The hint says whether the same command again finishes it.
    OutcomeUnknown = 7,
    /// A bug in the program kept it from doing everything.
    InternalError = 101,
    /// Somebody pressed Ctrl-C.
    Interrupted = 130,
}

impl Exit {
    /// Returns the exit code that matters more: that something was not looked at matters more
    /// than what was found elsewhere.
    const fn worse(self, other: Self) -> Self {
        if other.weight() > self.weight() { other } else { self }
    }

    const fn weight(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::InternalError => 3,
            Self::Usage => 2,
            _ => 1,
        }
    }
}

/// Runs `dibber` with these arguments, the program's name first.
///
/// The exit codes are those of [`Exit`]. A reader that closes the pipe early is no failure.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    panics::exit_code_of(|| run_with(&arguments))
}

fn run_with(arguments: &[OsString]) -> ExitCode {
    let names = names_file::load();
    let matches = match definition_for(arguments).try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) => {
            let is_verbose = arguments.iter().any(|argument| argument == "--verbose");
            if error.kind() == ErrorKind::DisplayVersion && is_verbose {
                return ExitCode::from(show_versions(&mut Ui::new(ColorChoice::Auto, names)));
            }
            show(&error, names.hidden());
            return ExitCode::from(if error.use_stderr() { Exit::Usage as u8 } else { 0 });
        }
    };
    let color = matches.get_one::<ColorChoice>("color").copied().unwrap_or_default();
    let mut ui = Ui::new(color, names);
    let exit = match run_command(&matches, &mut ui) {
        Ok(exit) => exit,
        Err(error) if error.is_closed_pipe() => Exit::Done,
        Err(error) if error.is_interrupted() => Exit::Interrupted,
        Err(error) => {
            ui.error(&error);
            error.exit_code()
        }
    };
    ExitCode::from(exit as u8)
}

/// Shows the versions of the program and of what answers depend on.
fn show_versions(ui: &mut Ui) -> u8 {
    let (own, zones) = (env!("CARGO_PKG_VERSION"), tzdb_version());
    match ui.print(format!("dibber {own}\ntime zone database {zones}\n").as_bytes()) {
        Err(error) if !error.is_closed_pipe() => {
            ui.error(&error);
            Exit::Usage as u8
        }
        _ => Exit::Done as u8,
    }
}

/// Shows help, or what is wrong with the arguments. That quotes what was typed, so it is shown
/// without colour when it quotes a child's name.
fn show(error: &clap::Error, hidden: &Roster) {
    let plain = error.to_string();
    match hidden.mask(&plain) {
        Cow::Owned(masked) if error.use_stderr() => {
            // A closed stream is nobody's loss.
            let _ = std::io::stderr().write_all(masked.as_bytes());
        }
        // Help on a closed pipe has nobody left to read it.
        _ => drop(error.print()),
    }
}

fn run_command(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let (name, matches) = matches.subcommand().expect("clap requires a command");
    let command = COMMANDS.iter().find(|command| command.name == name);
    (command.expect("clap knows only these commands").run)(matches, ui)
}

/// The part of the command line that these arguments need: when they name a command first, the
/// others are left out, since to define them all takes longer than many a command.
fn definition_for(arguments: &[OsString]) -> ClapCommand {
    let mut words = arguments.iter().skip(1).filter_map(|argument| argument.to_str());
    let named = match words.next() {
        Some("--color") => words.nth(1),
        Some(color) if color.starts_with("--color=") => words.next(),
        first => first,
    };
    match COMMANDS.iter().position(|command| Some(command.name) == named) {
        Some(index) => define(&COMMANDS[index..=index]),
        None => definition(),
    }
}

/// The whole command line as clap sees it, for help, completions and man pages.
fn definition() -> ClapCommand {
    define(COMMANDS)
}

fn define(commands: &[Command]) -> ClapCommand {
    let color = clap::Arg::new("color")
        .long("color")
        .value_name("WHEN")
        .help("When to use colour: auto, always or never")
        .value_parser(clap::value_parser!(ColorChoice))
        .default_value("auto")
        .hide_default_value(true)
        .hide_possible_values(true)
        .global(true);
    // The flag of the version ends the parsing; `run` looks for this one itself.
    let verbose = clap::Arg::new("verbose")
        .long("verbose")
        .help("With `--version`, print the version of the time zone database, too")
        .action(clap::ArgAction::SetTrue)
        .requires("version");
    let commands = commands.iter().map(|command| (command.define)(ClapCommand::new(command.name)));
    ClapCommand::new("dibber")
        .version(env!("CARGO_PKG_VERSION"))
        .about("The hand tool for Agent Skills")
        .after_help(
            "Exit codes: 0 done, 1 findings, 2 usage or configuration, 3 refused, 4 not allowed, 5 not \
             found, 6 the server failed or cannot be reached, 7 outcome unknown, 101 internal error, 130 \
             interrupted",
        )
        .arg(color)
        .arg(verbose)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .max_term_width(100)
        .subcommands(commands)
}
