//! The heartbeats that a server keeps: making, describing, listing and changing them.

mod arguments;
pub(super) mod authored;
mod blocked;
mod change;
pub(super) mod create;
mod declared;
mod describe;
mod export;
mod find;
pub(super) mod initiator;
pub(super) mod json;
mod list;
mod members;
pub(super) mod page;
pub(super) mod plan;
pub(super) mod plan_page;
mod run_skill;
mod runs;
pub(super) mod sides;
pub(super) mod simultaneous;
pub(super) mod sources;
mod switch;
mod undeclared_inputs;

use clap::{Arg, ArgMatches, Command as ClapCommand, Subcommand};

use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::heartbeat as local;
use crate::cli::remote::session::{self, Session};
use crate::cli::term::ui::Ui;

use arguments::HeartbeatCommand;

/// The local command with what needs a server.
pub(super) const COMMAND: Command = Command { name: local::COMMAND.name, define, run };

/// Adds the options that select a server.
fn define(command: ClapCommand) -> ClapCommand {
    let command = HeartbeatCommand::augment_subcommands((local::COMMAND.define)(command));
    let command = arguments::NAMES
        .iter()
        .fold(command, |command, name| command.mut_subcommand(*name, session::define));
    // Only `cancel` asks: the others accept the option, so that scripts can pass it to all three.
    ["pause", "resume"].iter().fold(command, |command, name| {
        let describe = |yes: Arg| yes.help("Accepted for scripts; nothing is asked");
        command.mut_subcommand(*name, |command| command.mut_arg("yes", describe))
    })
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let (name, server_matches) = matches.subcommand().expect("clap requires an action");
    if !HeartbeatCommand::has_subcommand(name) {
        return (local::COMMAND.run)(matches, ui);
    }
    let action: HeartbeatCommand = parse_args(matches);
    let open = |ui: &mut Ui| Session::open(server_matches, ui);
    match action {
        HeartbeatCommand::Create(typed) => create::run(&typed, open, ui),
        HeartbeatCommand::Describe(typed) => describe::run(&typed, open, ui),
        HeartbeatCommand::List(typed) => list::run(&typed, &open(ui)?, ui),
        HeartbeatCommand::Edit(typed) => change::edit(&typed, open, ui),
        HeartbeatCommand::Pause(typed) => switch::pause(&typed, open, ui),
        HeartbeatCommand::Resume(typed) => switch::resume(&typed, open, ui),
        HeartbeatCommand::Cancel(typed) => switch::cancel(&typed, open, ui),
        HeartbeatCommand::Members(typed) => members::run(&typed, &open(ui)?, ui),
        HeartbeatCommand::Export(typed) => export::run(&typed, &open(ui)?, ui),
        HeartbeatCommand::Due(typed) => runs::list::due(&typed, &open(ui)?, ui),
        HeartbeatCommand::History(typed) => runs::list::history(&typed, &open(ui)?, ui),
        HeartbeatCommand::Run(typed) => runs::claim::run(&typed, &open(ui)?, ui),
        HeartbeatCommand::Complete(typed) => runs::end::complete(&typed, &open(ui)?, ui),
        HeartbeatCommand::Fail(typed) => runs::end::fail(&typed, &open(ui)?, ui),
    }
}
