//! `dibber protocol run`.

use clap::{ArgMatches, Args, Command as ClapCommand};

use super::rpc_session::{self, Purpose, RpcSession, run_milliseconds};
use super::run_options::RunOptions;
use super::run_output;
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;
use dibber_skill::contract::skills_protocol::ExecuteSkill;

pub(super) const ACTION: Command = Command { name: "run", define, run };

/// Run a skill on a server, and print what it returns
///
/// A string is printed as it is, and anything else as JSON; logs and everything else go to standard
/// error. The run is sent once: if no answer arrives, it may have run.
///
/// Exit codes: 0 if the skill returned, 8 if it ran and failed. If the server refuses the call, nothing
/// ran: 3 refused, 4 not allowed, 5 no such skill, version or blob, 6 the server failed or cannot
/// isolate code. 7 if it may have run.
#[derive(Args)]
struct RunArgs {
    /// The name of the skill, such as `family.dates.countdown`
    #[arg(value_name = "SKILL")]
    name: String,

    /// The version of the skill; the latest one by default
    #[arg(long = "version", id = "skill_version", value_name = "VERSION")]
    version: Option<String>,

    #[command(flatten)]
    options: RunOptions,
}

fn define(command: ClapCommand) -> ClapCommand {
    rpc_session::define_run(RunArgs::augment_args(command))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let RunArgs { name, version, options } = parse_args(matches);
    let session = RpcSession::open(matches, Purpose::Run)?;
    let is_json = options.json;
    let mut input = options.read(None)?;
    let call = ExecuteSkill {
        name,
        version,
        input_blobs: input.store_blobs(&session, ui)?,
        args: input.arguments.take(),
        timeout_ms: run_milliseconds(matches),
        limits: None,
    };
    let ended = session.wait(Purpose::Run, session.client.execute(&call));
    let ended = ended.map_err(|error| input.with_stored(error))?;
    run_output::print(&ended, call.input_blobs, is_json, &session, ui)
}
