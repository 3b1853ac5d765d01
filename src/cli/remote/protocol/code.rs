//! `dibber protocol code`.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args, Command as ClapCommand};

use super::rpc_session::{self, Purpose, RpcSession, run_milliseconds};
use super::run_options::RunOptions;
use super::run_output;
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::output::STANDARD_STREAM;
use crate::cli::term::ui::Ui;
use dibber_skill::contract::skills_protocol::{Language, RunCode, RunLimits};
use dibber_text::{Message, message, quote_path};

pub(super) const ACTION: Command = Command { name: "code", define, run };

/// The most MiB of code.
const MEBIBYTES_MAX: u64 = 4;

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
        code: read(&file)?,
        entrypoint,
        mount_skills: (!skills.is_empty()).then_some(skills),
        input_blobs: input.store_blobs(&session, ui)?,
        args: input.arguments,
        limits: timeout_ms.map(|timeout_ms| RunLimits { timeout_ms: Some(timeout_ms) }),
        timeout_ms: None,
    };
    let ended = session.wait(Purpose::Run, session.client.run_code(&call))?;
    run_output::print(&ended, call.input_blobs, is_json, &session, ui)
}

/// Reads the code.
fn read(path: &Path) -> Result<String, CommandError> {
    let is_standard_input = path.as_os_str() == STANDARD_STREAM;
    let shown = if is_standard_input { Message::from("standard input") } else { quote_path(path) };
    let bytes = if is_standard_input {
        limited(io::stdin().lock())
    } else {
        File::open(path).and_then(limited)
    };
    let bytes =
        bytes.map_err(|error| CommandError::io(message!["cannot read ", shown.clone()], error))?;
    if bytes.len() as u64 > MEBIBYTES_MAX << 20 {
        let message = message!["the code is larger than ", MEBIBYTES_MAX, " MiB"];
        return Err(CommandError::new(message).help("store data as a blob: `--blob-file FILE`"));
    }
    String::from_utf8(bytes).map_err(|_| CommandError::new(message![shown, " is not UTF-8"]))
}

/// Reads one byte more than the limit, which shows that there is more.
fn limited(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take((MEBIBYTES_MAX << 20) + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
