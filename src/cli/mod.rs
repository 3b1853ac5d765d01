//! The command line: a file per command, and the only place with clap, the standard streams,
//! exit codes and the clock.

mod acp;
mod added;
mod argument_error;
mod bounded_input;
mod command;
mod completions;
mod corrected_line;
mod default_zone;
mod definition;
mod drafted;
mod dry_run;
mod edit;
mod error;
mod error_json;
mod examples;
mod exit;
mod explain;
mod flags;
mod git;
mod hash;
mod heartbeat;
mod help;
mod index;
mod inputs;
#[cfg(feature = "remote")]
mod interpreter_cache;
mod lint;
mod locale_clock;
mod man;
mod mask;
mod names;
mod names_file;
mod new;
mod output;
mod overview;
mod pack;
mod panics;
mod private_files;
#[cfg(feature = "remote")]
mod remote;
mod render;
mod rules;
#[cfg(feature = "remote")]
mod run;
#[cfg(feature = "remote")]
mod run_arguments;
#[cfg(feature = "remote")]
mod run_view;
#[cfg(feature = "remote")]
mod sandbox_config;
mod schema;
mod short_help;
mod skill_paths;
mod state_directory;
pub mod term;
mod typed_json;
mod unknown_command;
mod write;

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Command as ClapCommand};

pub use command::Command;
use completions::candidates::CandidateSource;
use corrected_line::TypedLine;
use definition::{QUIET, definition, definition_for};
use error::CommandError;
pub use exit::Exit;
use names_file::Names;
pub use panics::install_panic_hook;
use term::color_choice::ColorChoice;
use term::interrupt;
use term::suggested_options::SuggestedOptions;
use term::ui::Ui;

use dibber_schedule::tzdb_version;
use dibber_text::Mask;

/// The commands that need no server.
const LOCAL_COMMANDS: &[Command] = &[
    new::COMMAND,
    edit::COMMAND,
    lint::COMMAND,
    explain::COMMAND,
    rules::COMMAND,
    dry_run::COMMAND,
    hash::COMMAND,
    render::COMMAND,
    acp::COMMAND,
    heartbeat::COMMAND,
    #[cfg(feature = "remote")]
    run::COMMAND,
    names::COMMAND,
    added::add::COMMAND,
    added::list::COMMAND,
    added::verify::COMMAND,
    added::update::COMMAND,
    added::remove::COMMAND,
    pack::COMMAND,
    index::COMMAND,
    schema::COMMAND,
    Command { name: "completions", define: completions::define, run: completions::run },
    Command { name: "man", define: define_man, run: run_man },
    Command { name: "help", define: help::define, run: run_help },
];

#[cfg(feature = "remote")]
use remote::COMMANDS as REMOTE_COMMANDS;
#[cfg(not(feature = "remote"))]
const REMOTE_COMMANDS: &[Command] = &[];

/// Returns the options that select a server, as they were typed.
#[cfg(feature = "remote")]
const SERVER_OPTIONS: fn(&ArgMatches) -> Vec<(&'static str, String)> = remote::typed_server_options;
#[cfg(not(feature = "remote"))]
const SERVER_OPTIONS: fn(&ArgMatches) -> Vec<(&'static str, String)> = |_| Vec::new();

/// Where the values of arguments come from that a shell is offered.
const SOURCES: &[CandidateSource] = &[
    #[cfg(feature = "remote")]
    remote::candidates::source,
    completions::candidates::source,
];

/// Returns every command, in the order of the help. A command of `remote` takes the place of the
/// local one of its name.
pub fn commands() -> Vec<Command> {
    let is_local_only =
        |local: &&Command| REMOTE_COMMANDS.iter().all(|remote| remote.name != local.name);
    let mut commands: Vec<Command> = LOCAL_COMMANDS.iter().filter(is_local_only).copied().collect();
    commands.extend(REMOTE_COMMANDS);
    commands.sort_by_key(|command| overview::place(command.name));
    commands
}

// These describe the whole command line, so they are given it: the files of commands do not
// import the list of commands.
fn define_man(command: ClapCommand) -> ClapCommand {
    man::define(command, &commands())
}

fn run_man(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    man::run(matches, definition(&commands()), ui)
}

fn run_help(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    help::run(matches, &definition(&commands()), ui)
}

/// Runs `dibber` with these arguments, the program's name first.
///
/// The exit codes are those of [`Exit`]. A reader that closes the pipe early is no failure.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    panics::exit_code_of(|| run_with(&arguments))
}

fn run_with(arguments: &[OsString]) -> ExitCode {
    if completions::answer::answer(arguments, || definition(&commands()), SOURCES) {
        return ExitCode::SUCCESS;
    }
    let names = names_file::load();
    if arguments.len() <= 1 {
        return ExitCode::from(show_overview(&mut Ui::new(ColorChoice::Auto, names)));
    }
    let matches = match definition_for(arguments, &commands()).try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) => return ExitCode::from(answer_unparsed(error, arguments, names)),
    };
    let color = matches.get_one::<ColorChoice>("color").copied().unwrap_or_default();
    let is_quiet = matches.get_flag(QUIET);
    let mut ui = Ui::new(color, names).with_notes(!is_quiet);
    ui = ui.with_suggested(suggested_options(&matches));
    let exit = match run_command(&matches, &mut ui) {
        Ok(exit) => exit,
        Err(error) if error.is_closed_pipe() => Exit::Done,
        Err(error) if error.is_interrupted() => {
            interrupt::show_last_message();
            Exit::Interrupted
        }
        Err(error) => {
            ui.error(&error);
            error.exit_code()
        }
    };
    if has_json(&matches) {
        // A closed pipe is ignored.
        let _ = ui.print_errors_json();
    }
    ExitCode::from(exit)
}

/// Returns the options that select the server of this run, if there are some.
fn suggested_options(matches: &ArgMatches) -> Option<Arc<SuggestedOptions>> {
    let mut matches = matches;
    while let Some((_, below)) = matches.subcommand() {
        matches = below;
    }
    let options = SERVER_OPTIONS(matches);
    (!options.is_empty()).then(|| Arc::new(SuggestedOptions::new(options, definition(&commands()))))
}

/// Shows the help or the version that was asked for, or what is wrong with the arguments.
fn answer_unparsed(mut error: clap::Error, arguments: &[OsString], names: Names) -> Exit {
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    if error.kind() == ErrorKind::DisplayVersion && has("--verbose") {
        return show_versions(&mut Ui::new(ColorChoice::Auto, names));
    }
    // No value of a command begins with `-`, which the parser suggests as `-- --all`.
    error.remove(ContextKind::Suggested);
    if let Some(error) = unknown_command_error(&error, arguments) {
        let mut ui = Ui::new(ColorChoice::Auto, names);
        ui.error(&error);
        if has("--json") {
            // A closed pipe is ignored.
            let _ = ui.print_errors_json();
        }
        return error.exit_code();
    }
    if !error.use_stderr() {
        show(&error, &names);
        return Exit::Done;
    }
    let root = definition(&commands());
    let words = command_words(&root, arguments);
    let line = TypedLine::new(&root, &words, arguments, &names);
    let explained = argument_error::explain(&error, &root, &words, line);
    if explained.is_none() {
        show(&error, &names);
    }
    let mut ui = Ui::new(ColorChoice::Auto, names);
    match explained {
        Some(error) => ui.error(&error),
        None => ui.keep_error(argument_error::plain(&error)),
    }
    if has("--json") {
        // A closed pipe is ignored.
        let _ = ui.print_errors_json();
    }
    Exit::Usage
}

/// Returns `true` if the command was given `--json`, or `--format json`.
fn has_json(matches: &ArgMatches) -> bool {
    let own = matches.try_get_one::<bool>("json").ok().flatten().copied().unwrap_or_default();
    own || lint::prints_json(matches)
        || matches.subcommand().is_some_and(|(_, matches)| has_json(matches))
}

/// Shows the versions of the program and of what answers depend on.
fn show_versions(ui: &mut Ui) -> Exit {
    let (own, zones) = (env!("CARGO_PKG_VERSION"), tzdb_version());
    print_page(&format!("dibber {own}\ntime zone database {zones}\n"), ui)
}

/// Shows what there is to begin with.
fn show_overview(ui: &mut Ui) -> Exit {
    print_page(&overview::short_overview(&commands(), |title| ui.heading(title)), ui)
}

fn print_page(page: &str, ui: &mut Ui) -> Exit {
    match ui.print(page.as_bytes()) {
        Err(error) if !error.is_closed_pipe() => {
            ui.error(&error);
            Exit::Usage
        }
        _ => Exit::Done,
    }
}

/// Returns the error for a command that does not exist, if that is what is wrong.
fn unknown_command_error(error: &clap::Error, arguments: &[OsString]) -> Option<CommandError> {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return None;
    }
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let root = definition(&commands());
    let before = arguments.iter().position(|argument| argument == typed.as_str())?;
    let words = command_words(&root, &arguments[..before]);
    Some(unknown_command::error(&root, &words, typed))
}

/// Returns the words among the arguments that name a command below `root`.
fn command_words<'a>(root: &ClapCommand, arguments: &'a [OsString]) -> Vec<&'a str> {
    let (mut command, mut words) = (root, Vec::new());
    for word in arguments.iter().filter_map(|argument| argument.to_str()) {
        if let Some(found) = command.find_subcommand(word) {
            command = found;
            words.push(word);
        }
    }
    words
}

/// Shows help, or what is wrong with the arguments. That quotes what was typed, so it is shown
/// without colour when it quotes a secret or a child's name.
fn show(error: &clap::Error, names: &Names) {
    let plain = error.to_string();
    match names.mask(&plain) {
        Cow::Owned(masked) if error.use_stderr() => {
            // A closed stream is ignored.
            let _ = std::io::stderr().write_all(masked.as_bytes());
        }
        // Help on a closed pipe is ignored.
        _ => drop(error.print()),
    }
}

fn run_command(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let (name, matches) = matches.subcommand().expect("clap requires a command");
    let command = commands().into_iter().find(|command| command.name == name);
    (command.expect("clap knows only these commands").run)(matches, ui)
}
