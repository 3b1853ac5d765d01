//! The arguments of `dibber heartbeat export`.

use clap::{ArgGroup, Args};

use crate::cli::output::Output;

/// The options that choose the format.
const FORMATS: [&str; 4] = ["systemd", "cron", "github_actions", "launchd"];

/// Write timers that start what is due, for those who run no server
///
/// The timers start at the times of the heartbeats, in their time zones. For the database of this
/// computer they start `dibber serve --once`, which fires what is due. The heartbeats of another server
/// are due there, so they start the program of `--run`, such as an agent that asks for what is due with
/// the tool `heartbeat_due`.
///
/// A heartbeat that is changed, made or cancelled later needs new timers: write them again.
#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "an option for each format")]
#[command(
    override_usage = "dibber heartbeat export <--systemd|--cron|...> [OPTIONS] [HEARTBEAT]...",
    group(ArgGroup::new("format").required(true).args(FORMATS))
)]
pub(in crate::cli::remote::heartbeat) struct ExportArgs {
    /// Only these heartbeats [default: all that are not paused]
    ///
    /// Names, beginnings of names, or ids.
    #[arg(value_name = "HEARTBEAT")]
    pub(super) heartbeats: Vec<String>,

    /// A service and a timer of systemd
    #[arg(long)]
    pub(super) systemd: bool,

    /// The lines of a crontab
    #[arg(long)]
    pub(super) cron: bool,

    /// A workflow of GitHub Actions, for a server with a URL
    #[arg(long)]
    pub(super) github_actions: bool,

    /// An agent of launchd, for macOS
    #[arg(long)]
    pub(super) launchd: bool,

    /// The program that executes what is due
    ///
    /// For the heartbeats of another server, it is the command line that the timers start.
    #[arg(long, value_name = "COMMAND")]
    pub(super) run: Option<String>,

    /// Write to this file or folder [default: standard output]
    ///
    /// The two files of systemd need a folder.
    #[arg(short, long, value_name = "PATH")]
    pub(super) output: Option<Output>,

    /// Print JSON, with the text of each file
    #[arg(long, conflicts_with = "output")]
    pub(super) json: bool,
}
