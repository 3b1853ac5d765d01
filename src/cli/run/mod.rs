//! `dibber run`.

mod blobs;
mod output;
mod refused;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::builder::PossibleValuesParser;
use clap::{ArgMatches, Args};
use tokio::runtime::Builder;

use crate::cli::bounded_input::{is_standard_input, read_bounded, utf8};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::server_options;
use crate::cli::run_arguments::RunArguments;
use crate::cli::sandbox_config::SandboxConfig;
use crate::cli::term::ui::Ui;
use dibber_protocol::{
    FinishedRun, INPUT_BYTES_MAX, ProtocolSkill, RunPlan, SecretStore, finish_run, plan_code,
    plan_skill,
};
use dibber_sandbox::{Limits, Mode, MountedBlob};
use dibber_skill::contract::skills_protocol::{ExecuteSkill, Language, RUN_SECONDS_MAX, RunCode};
use dibber_text::{message, quote_in_full, quote_path};
use refused::{not_run, refused};

pub(super) const COMMAND: Command = Command { name: "run", define: RunArgs::augment_args, run };

/// The id of a run that no server records.
const RUN_ID: &str = "run_local";

/// The most MiB of code: those of the arguments and the code together.
const CODE_MEBIBYTES_MAX: u64 = (INPUT_BYTES_MAX >> 20) as u64;

/// Run a skill of the Skills Protocol, or code, in a sandbox
///
/// The function of the skill is called with the arguments, and what it returns is printed: a string as
/// it is, and anything else as JSON. What the program prints goes to standard error. Nothing is
/// published, and no server is needed.
///
/// The code runs without a network, sees only the files of the skill, and has limits of time, memory
/// and disk. The secrets that the skill names are in `secrets.toml` in the data directory. The strictest
/// mode of the sandbox is used, and if it does not work on this computer, nothing is run: `--mode`, or
/// `[sandbox]` in your own `dibber.toml`, accepts another one. `dibber doctor` shows which of them work.
///
/// The exit code is 8 if the code ran and failed, 3 if the skill or its arguments are refused, and 6 if
/// no accepted mode of the sandbox works.
#[derive(Args)]
struct RunArgs {
    /// The folder of the skill
    #[arg(value_name = "SKILL", required_unless_present = "code", conflicts_with = "code")]
    skill: Option<PathBuf>,

    #[command(flatten)]
    arguments: RunArguments,

    /// Run the Python code in this file instead; `-` is standard input
    #[arg(long, value_name = "FILE")]
    code: Option<PathBuf>,

    /// Let the code import the skill in this folder (can be repeated)
    #[arg(long = "skill", value_name = "DIR")]
    imported: Vec<PathBuf>,

    /// The function of the code that is called; the default is `main`
    #[arg(long, value_name = "NAME")]
    entrypoint: Option<String>,

    /// Let the run read this file as a blob (can be repeated)
    ///
    /// The code reads it with `runtime.blobs.read_text("NAME")`.
    #[arg(long = "blob", value_name = "FILE")]
    blobs: Vec<PathBuf>,

    /// End the run after so many seconds; the default is 30
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=RUN_SECONDS_MAX))]
    timeout: Option<u64>,

    /// Accept this mode of the sandbox: full, landlock or container
    #[arg(long, value_name = "MODE", hide_possible_values = true,
          value_parser = PossibleValuesParser::new(Mode::ALL.map(Mode::name)))]
    mode: Option<String>,

    /// The directory with the secrets; the default is `DIBBER_DATA`, or your state directory
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: RunArgs = parse_args(matches);
    let data = server_options::data(matches)?;
    let mut config = SandboxConfig::read(&data)?;
    if let Some(mode) =
        Mode::ALL.into_iter().find(|it| arguments.mode.as_deref() == Some(it.name()))
    {
        config.accepted = vec![mode];
    }
    let plan = plan(&arguments, &data, &config.limits)?;
    let runtime = Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| CommandError::io("cannot start", error))?;
    let (finished, mode) = runtime.block_on(execute(&config, &plan))?;
    output::print(finished, mode, arguments.json, ui)
}

async fn execute(
    config: &SandboxConfig,
    plan: &RunPlan,
) -> Result<(FinishedRun, Mode), CommandError> {
    let ran = config.run_once(&plan.job).await.map_err(|reason| {
        CommandError::new(message!["cannot run code here: ", quote_in_full(&reason)])
            .help("`dibber doctor` shows the modes of the sandbox; `--mode` accepts another one")
            .exit(Exit::Failed)
    })?;
    let outcome = ran.map_err(|error| not_run(&error))?;
    let mode = outcome.mode;
    Ok((finish_run(outcome, plan, RUN_ID.to_owned()), mode))
}

fn plan(arguments: &RunArgs, data: &Path, limits: &Limits) -> Result<RunPlan, CommandError> {
    check_options(arguments)?;
    let args = arguments.arguments.to_object()?;
    let blobs = blobs::mounted(&arguments.blobs)?;
    let timeout_ms = arguments.timeout.map(|seconds| seconds * 1000);
    if let Some(file) = &arguments.code {
        let call = RunCode {
            language: Language::Python,
            code: utf8(file, read_bounded(file, CODE_MEBIBYTES_MAX, "pass data with `--blob`")?)?,
            entrypoint: arguments.entrypoint.clone(),
            args,
            mount_skills: None,
            input_blobs: None,
            limits: None,
            timeout_ms,
        };
        let skills = arguments.imported.iter().map(|directory| Ok(Arc::new(load(directory)?)));
        let skills: Vec<_> = skills.collect::<Result<_, CommandError>>()?;
        return plan_code(&call, &skills, blobs, limits).map_err(|error| refused(&error));
    }
    let skill = load(arguments.skill.as_deref().unwrap_or(Path::new(".")))?;
    let call = ExecuteSkill {
        name: skill.name.clone(),
        version: None,
        args,
        input_blobs: None,
        timeout_ms,
        limits: None,
    };
    planned_skill(&skill, &call, blobs, data, limits)
}

/// Checks what the parser of the arguments cannot.
fn check_options(arguments: &RunArgs) -> Result<(), CommandError> {
    let files = [arguments.code.as_deref(), arguments.arguments.file()];
    if files.into_iter().flatten().filter(|file| is_standard_input(file)).count() > 1 {
        return Err(CommandError::new("`--code` and `--args-json` cannot both be standard input")
            .help("write one of them into a file"));
    }
    if arguments.code.is_some() {
        return Ok(());
    }
    if arguments.entrypoint.is_some() {
        return Err(CommandError::new("`--entrypoint` is for `--code`")
            .help("the function of a skill is `export` in its `skill.toml`"));
    }
    if !arguments.imported.is_empty() {
        return Err(CommandError::new("`--skill` is for `--code`")
            .help("write the directory alone to run the skill in it"));
    }
    Ok(())
}

fn planned_skill(
    skill: &ProtocolSkill,
    call: &ExecuteSkill,
    blobs: Vec<MountedBlob>,
    data: &Path,
    limits: &Limits,
) -> Result<RunPlan, CommandError> {
    let secrets = SecretStore::for_skill(skill, data)
        .map_err(|error| CommandError::new(error.message).help(error.help))?;
    plan_skill(skill, call, blobs, &secrets, limits).map_err(|error| refused(&error))
}

fn load(directory: &Path) -> Result<ProtocolSkill, CommandError> {
    if directory.is_file() {
        let parent = directory.parent().filter(|parent| !parent.as_os_str().is_empty());
        let help = message!["name the directory: ", quote_path(parent.unwrap_or(Path::new(".")))];
        let message = message![quote_path(directory), " is a file, not the directory of a skill"];
        return Err(CommandError::new(message).help(help));
    }
    ProtocolSkill::load(directory).map_err(|error| {
        CommandError::new(message![quote_path(directory), ": ", error.message()]).help(error.help())
    })
}
