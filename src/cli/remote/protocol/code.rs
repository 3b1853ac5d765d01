//! `dibber protocol code`.

use std::path::PathBuf;

use clap::{ArgMatches, Args, Command as ClapCommand};

use super::rpc_session::{self, Purpose, RpcSession, run_milliseconds};
use super::run_options::RunOptions;
use super::run_output;
use crate::cli::bounded_input::{read_bounded, utf8};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;
use dibber_skill::contract::skills_protocol::{Language, RunCode, RunLimits};

pub(super) const ACTION: Command = Command { name: "code", define, run };

/// The most MiB of code.
const MEBIBYTES_MAX: u64 = 4;
/// What to do about more.
const TOO_LARGE_HELP: &str = "store data as a blob: `--blob-file FILE`";

/// Run Python code on a server, and print what it returns
///
/// The code defines `main(args)`, or another function that `--entrypoint` names. What it returns, logs
/// and exit codes are as with `dibber protocol run`: 0 if it returned, 8 if it ran and failed, 3 to 6 if
/// the server refused the call and nothing ran, 7 if it may have run.
#[derive(Args)]
struct CodeArgs {
    /// The file with the code; `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The function that is called [default: main]
    #[arg(long, value_name = "NAME")]
    entrypoint: Option<String>,

    /// Let the code import this skill, `NAME` or `NAME@VERSION` (can be repeated)
    #[arg(long = "skill", value_name = "SKILL")]
    skills: Vec<String>,

    #[command(flatten)]
    options: RunOptions,
}

fn define(command: ClapCommand) -> ClapCommand {
    rpc_session::define_run(CodeArgs::augment_args(command))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let CodeArgs { file, entrypoint, skills, options } = parse_args(matches);
    let session = RpcSession::open(matches, Purpose::Run)?;
    let is_json = options.json;
    let mut input = options.read(Some(&file))?;
    let timeout_ms = run_milliseconds(matches);
    let call = RunCode {
        language: Language::Python,
        code: utf8(&file, read_bounded(&file, MEBIBYTES_MAX, TOO_LARGE_HELP)?)?,
        entrypoint,
        mount_skills: (!skills.is_empty()).then_some(skills),
        input_blobs: input.store_blobs(&session, ui)?,
        args: input.arguments.take(),
        limits: timeout_ms.map(|timeout_ms| RunLimits { timeout_ms: Some(timeout_ms) }),
        timeout_ms: None,
    };
    let ended = session.wait(Purpose::Run, session.client.run_code(&call));
    let ended = ended.map_err(|error| input.with_stored(error))?;
    run_output::print(&ended, call.input_blobs, is_json, &session, ui)
}
