//! The arguments of the commands on runs.

use std::path::PathBuf;

use clap::Args;
use clap::builder::RangedU64ValueParser;

use dibber_skill::contract::RunId;

/// Show what is due and waits to be run
///
/// A server without a program to run heartbeats (`dibber serve --help`) lets them wait for an agent,
/// or for `dibber heartbeat run`.
#[derive(Args)]
pub(in crate::cli::remote::heartbeat) struct DueArgs {
    /// Only what is due of this heartbeat: its name, its id, or the beginning of one of them
    #[arg(value_name = "HEARTBEAT")]
    pub(super) heartbeat: Option<String>,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Show what ran, when, and how it ended
#[derive(Args)]
pub(in crate::cli::remote::heartbeat) struct HistoryArgs {
    /// Only the runs of this heartbeat: its name, its id, or the beginning of one of them
    #[arg(value_name = "HEARTBEAT")]
    pub(super) heartbeat: Option<String>,

    /// The most runs to show
    #[arg(long, value_name = "N", default_value_t = 20,
        value_parser = RangedU64ValueParser::<usize>::new().range(1..))]
    pub(super) limit: usize,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Take over what is due, and print its prompt for an agent
///
/// Others leave the run alone for 15 minutes. Follow the prompt, or pipe it to an agent, and then end
/// the run with `dibber heartbeat complete` or `fail`.
#[derive(Args)]
pub(in crate::cli::remote::heartbeat) struct RunArgs {
    /// A heartbeat with something due, or the id of a run
    #[arg(value_name = "HEARTBEAT|RUN")]
    pub(super) what: String,

    /// How many seconds others leave it alone
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(i64).range(10..=86_400))]
    pub(super) lease: Option<i64>,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Say that a run is done, with a sentence about it
#[derive(Args)]
pub(in crate::cli::remote::heartbeat) struct CompleteArgs {
    /// The id of the run
    #[arg(value_name = "RUN")]
    pub(super) run: RunId,

    /// A sentence about what was done
    #[arg(long, value_name = "TEXT", required_unless_present = "result_file")]
    pub(super) summary: Option<String>,

    /// Take the result, a JSON object with a `summary`, from a file, or `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "summary")]
    pub(super) result_file: Option<PathBuf>,

    /// The attempt that `run` showed [default: the last one]
    #[arg(long, value_name = "N")]
    pub(super) attempt: Option<i64>,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Say that a run has failed; it is tried again later
#[derive(Args)]
pub(in crate::cli::remote::heartbeat) struct FailArgs {
    /// The id of the run
    #[arg(value_name = "RUN")]
    pub(super) run: RunId,

    /// Why
    #[arg(long, value_name = "TEXT")]
    pub(super) message: String,

    /// Do not try it again
    #[arg(long)]
    pub(super) no_retry: bool,

    /// The attempt that `run` showed [default: the last one]
    #[arg(long, value_name = "N")]
    pub(super) attempt: Option<i64>,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}
