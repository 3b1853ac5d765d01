//! `dibber heartbeat`.

mod arguments;
mod files;
mod json;
mod page;
mod preview;
mod relative;
mod run;
mod set;
mod sources;
mod start;
mod unread;

use clap::{ArgMatches, Args, FromArgMatches, Subcommand};

use super::{Command, CommandError, Exit, Ui};
use arguments::PreviewArgs;

pub(super) const COMMAND: Command =
    Command { name: "heartbeat", define: HeartbeatArgs::augment_args, run };

/// Look at schedules before they are set
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
    let arguments = HeartbeatArgs::from_arg_matches(matches).expect("clap has checked them");
    match arguments.action {
        Action::Preview(typed) => run::run(typed, ui),
    }
}
