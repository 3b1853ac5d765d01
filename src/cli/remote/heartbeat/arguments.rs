//! The arguments of the commands on the heartbeats of a server.

use clap::{ArgGroup, Args, Subcommand};

use super::export::arguments::ExportArgs;
use super::runs::arguments::{CompleteArgs, DueArgs, FailArgs, HistoryArgs, RunArgs};
use crate::cli::default_zone::zone_argument;
use crate::cli::flags::{DryRun, Yes};
use dibber_skill::contract::{ChatId, ChildId, MissedFires, UserId, WireEnum};

/// The names of the commands.
pub(super) const NAMES: [&str; 14] = [
    "create", "describe", "list", "edit", "pause", "resume", "cancel", "members", "export", "due",
    "history", "run", "complete", "fail",
];

#[derive(Subcommand)]
pub(super) enum HeartbeatCommand {
    Create(CreateArgs),
    Describe(DescribeArgs),
    List(ListArgs),
    Edit(EditArgs),
    /// Pause heartbeats until they are resumed
    Pause(SwitchArgs),
    /// Resume paused heartbeats
    Resume(SwitchArgs),
    /// Cancel heartbeats for good; to stop one for a while, pause it
    Cancel(SwitchArgs),
    Members(MembersArgs),
    Export(ExportArgs),
    Due(DueArgs),
    History(HistoryArgs),
    Run(RunArgs),
    Complete(CompleteArgs),
    Fail(FailArgs),
}

/// What a heartbeat is to be.
#[derive(Args)]
pub(super) struct HeartbeatSpec {
    /// The name of the heartbeat, with `--schedule` and `--skill`; or a folder with skills, for the
    /// heartbeats of their sprout.yaml
    #[arg(value_name = "NAME|PATH")]
    pub(super) what: String,

    /// When it runs: "weekdays at 7:30pm", or in five fields "30 19 * * 1-5"
    #[arg(long, alias = "cron", value_name = "SCHEDULE", requires = "skill")]
    pub(super) schedule: Option<String>,

    /// The time zone of the schedule [default: that of this computer]
    #[arg(long, value_name = "ZONE", value_parser = zone_argument, requires = "schedule")]
    pub(super) tz: Option<String>,

    /// The skill that it runs: its folder, label or id
    #[arg(long, value_name = "SKILL", requires = "schedule")]
    pub(super) skill: Option<String>,

    /// The skill that creates the schedule, if any
    #[arg(long, value_name = "SKILL", requires = "schedule")]
    pub(super) assignment_skill: Option<String>,

    /// The id of the child that it is for; `dibber family show` lists them
    #[arg(long, value_name = "ID")]
    pub(super) child: Option<ChildId>,

    /// The id of the chat whose participants it gets; otherwise the family's
    #[arg(long, value_name = "ID")]
    pub(super) chat: Option<ChatId>,

    /// The value of an input of the skill; `NAME:=JSON` for a value that is not a string (can be
    /// repeated)
    #[arg(long, value_name = "NAME=VALUE", requires = "schedule")]
    pub(super) input: Vec<String>,

    /// Post the result of each run to the family's inbox
    #[arg(long, requires = "schedule")]
    pub(super) post_result: bool,

    /// What runs of the times that were missed, as when no server was running: skip (nothing),
    /// once (the latest, the default) or all (those of the last 24 hours)
    #[arg(long, value_name = "WHICH", value_parser = missed_fires, requires = "schedule")]
    pub(super) missed: Option<MissedFires>,

    /// Only the heartbeat of that name in sprout.yaml (can be repeated)
    #[arg(long, value_name = "NAME", conflicts_with = "schedule")]
    pub(super) only: Vec<String>,
}

/// Make heartbeats, from options or from sprout.yaml
///
/// A heartbeat is a schedule on which a skill runs by itself. Shows when each would run, what it
/// runs and any warnings, and asks before it is made. A heartbeat of sprout.yaml that was made
/// before is changed where it differs; if another person has changed it meanwhile, both are shown,
/// and nothing is done.
#[derive(Args)]
pub(super) struct CreateArgs {
    #[command(flatten)]
    pub(super) spec: HeartbeatSpec,

    #[command(flatten)]
    pub(super) yes: Yes,

    #[command(flatten)]
    pub(super) dry_run: DryRun,

    /// Change heartbeats that were changed on the server since they were set from here, too
    #[arg(long)]
    pub(super) force: bool,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Preview heartbeats on the server, and make none
///
/// Takes the same arguments as `dibber heartbeat create`.
#[derive(Args)]
pub(super) struct DescribeArgs {
    #[command(flatten)]
    pub(super) spec: HeartbeatSpec,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// List the heartbeats of the family
#[derive(Args)]
pub(super) struct ListArgs {
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// A heartbeat, and the format of the output.
#[derive(Args)]
pub(super) struct OneArgs {
    /// Its name or its id, the beginning of one of them, or its skill
    #[arg(value_name = "HEARTBEAT")]
    pub(super) heartbeat: String,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Heartbeats of which each is paused, resumed or cancelled.
#[derive(Args)]
pub(super) struct SwitchArgs {
    /// The names or the ids of the heartbeats, the beginnings of them, or skills that have one each
    #[arg(value_name = "HEARTBEAT", required = true)]
    pub(super) heartbeats: Vec<String>,

    #[command(flatten)]
    pub(super) dry_run: DryRun,

    #[command(flatten)]
    pub(super) yes: Yes,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Change the schedule, the name or the inputs of a heartbeat
///
/// Shows when it would run, and asks before it is changed.
#[derive(Args)]
#[command(
    group = ArgGroup::new("change").multiple(true).required(true),
    override_usage = "dibber heartbeat edit [OPTIONS] <HEARTBEAT>"
)]
pub(super) struct EditArgs {
    #[command(flatten)]
    pub(super) one: OneArgs,

    /// When it runs: "weekdays at 7:30pm", or in five fields "30 19 * * 1-5"
    #[arg(long, alias = "cron", value_name = "SCHEDULE", group = "change")]
    pub(super) schedule: Option<String>,

    /// The time zone of the schedule
    #[arg(long, value_name = "ZONE", value_parser = zone_argument, group = "change")]
    pub(super) tz: Option<String>,

    /// Another name
    #[arg(long, alias = "label", value_name = "NAME", group = "change")]
    pub(super) name: Option<String>,

    /// The value of an input of the skill, in the place of all that were set; `NAME:=JSON` for a
    /// value that is not a string (can be repeated)
    #[arg(long, value_name = "NAME=VALUE", group = "change")]
    pub(super) input: Vec<String>,

    /// What runs of the times that were missed: skip, once or all
    #[arg(long, value_name = "WHICH", value_parser = missed_fires, group = "change")]
    pub(super) missed: Option<MissedFires>,

    /// Another text, for a heartbeat that runs no skill
    #[arg(long, value_name = "TEXT", group = "change")]
    pub(super) text: Option<String>,

    #[command(flatten)]
    pub(super) yes: Yes,

    #[command(flatten)]
    pub(super) dry_run: DryRun,
}

/// Change who takes part in a heartbeat
///
/// Admins edit a heartbeat, members can only leave, and only its owner cancels it. Without
/// an option, this lists the grown-ups of the family; `dibber heartbeat list --json` lists the
/// members of each heartbeat.
#[derive(Args)]
#[command(group = ArgGroup::new("change"))]
pub(super) struct MembersArgs {
    #[command(flatten)]
    pub(super) one: OneArgs,

    #[command(flatten)]
    pub(super) dry_run: DryRun,

    /// Add this grown-up, by name or id
    #[arg(long, value_name = "USER", group = "change")]
    pub(super) add: Option<UserId>,

    /// Remove this grown-up
    #[arg(long, value_name = "USER", group = "change")]
    pub(super) remove: Option<UserId>,

    /// Make this grown-up an admin
    #[arg(long, value_name = "USER", group = "change")]
    pub(super) promote: Option<UserId>,

    /// Leave it yourself
    #[arg(long, group = "change")]
    pub(super) leave: bool,
}

/// Parses the way in which missed times are treated.
fn missed_fires(text: &str) -> Result<MissedFires, String> {
    let expected = || format!("write {}", MissedFires::words().join(", "));
    MissedFires::from_name(text).ok_or_else(expected)
}
