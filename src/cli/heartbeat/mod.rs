//! `dibber heartbeat`.

mod arguments;
mod context;
mod files;
mod json;
mod preview;
pub(super) mod relative;
mod render;
mod run;
mod schedule_error;
mod set;
mod sources;
mod start;
mod table;
pub(super) mod typed;

use clap::{ArgMatches, Args, Subcommand};

use super::command::{Command, parse_args};
use super::error::CommandError;
use super::exit::Exit;
use super::term::ui::Ui;
use arguments::PreviewArgs;

pub(super) const COMMAND: Command =
    Command { name: "heartbeat", define: HeartbeatArgs::augment_args, run };

/// Preview and manage the schedules of skills
#[derive(Args)]
#[command(disable_help_subcommand = true)]
struct HeartbeatArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Preview(PreviewArgs),
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: HeartbeatArgs = parse_args(matches);
    match arguments.action {
        Action::Preview(typed) => run::run(typed, ui),
    }
}
