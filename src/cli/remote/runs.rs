//! `dibber runs`: the runs of skills and of code on the server in this program.

use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use clap::{ArgMatches, Args};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;

use super::damaged::warn_of_damaged;
use super::family::open_server::{JSON_VERSION, OpenServer, failed, roster_of};
use super::{database_address, server_options, session};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::heartbeat::relative::moment;
use crate::cli::locale_clock::clock_of_locale;
use crate::cli::mask::mask;
use crate::cli::term::style::{Ink, Style, paint};
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_lint::report::layout::wrap;
use dibber_server::families::HOME;
use dibber_server::store::{Family, RunProgram, SkillRun, SkillRunList};
use dibber_skill::contract::skills_protocol::RunStatus;
use dibber_skill::contract::{RunId, UserId};
use dibber_text::{escape_line, message, quote_argument, quote_in_full};

pub(super) const COMMAND: Command = Command { name: "runs", define: RunsArgs::augment_args, run };

/// The most runs that are listed by default: about a screen of them.
const LIMIT_DEFAULT: &str = "10";
/// The indentation of what a run reports.
const INDENT: &str = "  ";
/// The characters of an id that are shown.
const ID_CHARACTERS: usize = 12;

/// List the latest runs of skills on the server in this program
///
/// These are runs of the Skills Protocol: of skills, and of code that an agent wrote. A run is kept
/// for 30 days, and of a family the latest 10,000. Arguments, outputs and logs are not kept. The
/// runs of heartbeats are listed by `dibber heartbeat history`.
#[derive(Args)]
struct RunsArgs {
    /// List only the runs that have failed
    #[arg(long)]
    failed: bool,

    /// The most runs
    #[arg(long, value_name = "COUNT", default_value = LIMIT_DEFAULT,
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=10_000))]
    limit: usize,

    /// Begin after this run: the `nextCursor` of an earlier list
    #[arg(long, value_name = "RUN")]
    cursor: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Another family of the same database
    #[arg(long, value_name = "NAME", default_value = HOME)]
    family: String,

    /// The directory of the database of the server in this program
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// Described by `schemas/runs.schema.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RunsV1 {
    version: u32,
    items: Vec<RunV1>,
    /// Whether there are runs before these.
    has_more: bool,
    /// Where they begin.
    next_cursor: Option<RunId>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RunV1 {
    run_id: RunId,
    user_id: UserId,
    /// None for code.
    skill: Option<String>,
    skill_version: Option<String>,
    status: RunStatus,
    error_type: Option<String>,
    /// In UTC (RFC 3339).
    started_at: Option<String>,
    milliseconds: i64,
    summary: String,
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: RunsArgs = parse_args(matches);
    let data = server_options::data(matches)?;
    let database = database_address::database(None, &data)?;
    if database_address::is_new(&database) {
        return print(&Runs::default(), &TimeZone::UTC, &arguments, ui);
    }
    let open = OpenServer(session::open_server(&database)?);
    let family = open.family(&arguments.family)?;
    let runs = list(&open, &family, &arguments, ui)?;
    let zone = dibber_schedule::zone(&family.time_zone).unwrap_or(TimeZone::UTC);
    print(&runs, &zone, &arguments, ui)
}

/// Runs without the names of children.
#[derive(Default)]
struct Runs {
    items: Vec<SkillRun>,
    has_more: bool,
    /// How many are left out because they are damaged.
    damaged: usize,
}

impl Runs {
    /// Returns where the next list begins.
    fn next_cursor(&self) -> Option<&RunId> {
        self.items.last().map(|run| &run.id).filter(|_| self.has_more)
    }
}

fn print(
    runs: &Runs,
    zone: &TimeZone,
    arguments: &RunsArgs,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    warn_of_damaged(runs.damaged as u64, ui);
    if arguments.json {
        ui.print_json(&RunsV1 {
            version: JSON_VERSION,
            items: runs.items.iter().cloned().map(run_json).collect(),
            has_more: runs.has_more,
            next_cursor: runs.next_cursor().cloned(),
        })?;
        return Ok(Exit::Done);
    }
    if runs.items.is_empty() {
        ui.eprintln(match arguments {
            RunsArgs { cursor: Some(_), .. } => "there are no runs after this one",
            RunsArgs { failed: true, .. } => "no run has failed",
            _ => "nothing was run yet",
        });
        return Ok(Exit::Done);
    }
    let style = Style { color: ui.stdout_color(), width: ui.width() };
    let page: String = runs.items.iter().map(|run| shown(run, zone, style)).collect();
    ui.print(page.as_bytes())?;
    if let Some(cursor) = runs.next_cursor() {
        let count = quantity(runs.items.len(), "run is", "runs are");
        ui.eprintln(message![
            "only ",
            quote_in_full(&count),
            " listed; see `--limit`, or continue with `--cursor ",
            quote_argument(cursor.as_str()),
            "`"
        ]);
    }
    Ok(Exit::Done)
}

fn list(
    open: &OpenServer,
    family: &Family,
    arguments: &RunsArgs,
    ui: &Ui,
) -> Result<Runs, CommandError> {
    let private = ui.names()?;
    let children = roster_of(&open.0.household(&family.id).map_err(failed)?);
    // One more, which shows whether there are more.
    let limit = arguments.limit.saturating_add(1);
    let after = arguments.cursor.clone().map(RunId::from);
    let list = SkillRunList { after, limit, only_failed: arguments.failed };
    let listed = open.0.skill_runs(&family.id, list).map_err(failed)?;
    let damaged = listed.damaged.len();
    let has_more = listed.rows.len() + damaged > arguments.limit;
    let hide = |text: &str| mask(&mask(text, &children), &private);
    let runs = listed.rows.into_iter().take(arguments.limit).map(|run| SkillRun {
        program: match run.program {
            RunProgram::Skill { name, version } => {
                RunProgram::Skill { name: hide(&name), version: hide(&version) }
            }
            RunProgram::Code => RunProgram::Code,
        },
        error_type: run.error_type.as_deref().map(hide),
        summary: hide(&run.summary),
        ..run
    });
    Ok(Runs { items: runs.collect(), has_more, damaged })
}

fn run_json(run: SkillRun) -> RunV1 {
    let started_at = Timestamp::from_millisecond(run.started_at).ok();
    let (skill, skill_version) = match run.program {
        RunProgram::Skill { name, version } => (Some(name), Some(version)),
        RunProgram::Code => (None, None),
    };
    RunV1 {
        run_id: run.id,
        user_id: run.user_id,
        skill,
        skill_version,
        status: run.status,
        error_type: run.error_type,
        started_at: started_at.map(|at| format!("{at:.0}")),
        milliseconds: run.milliseconds,
        summary: run.summary,
    }
}

/// Returns a line of what was run, and its summary.
fn shown(run: &SkillRun, zone: &TimeZone, style: Style) -> String {
    let what = match &run.program {
        RunProgram::Skill { name, version } => {
            escape_line(&format!("{name} {version}")).into_owned()
        }
        RunProgram::Code => "code".to_owned(),
    };
    let ended = match (run.status, &run.error_type) {
        (RunStatus::Completed, _) => "completed".to_owned(),
        (RunStatus::Failed, Some(error)) => format!("failed: {}", escape_line(error)),
        (RunStatus::Failed, None) => "failed".to_owned(),
    };
    let mut out = String::new();
    paint(&mut out, style.color, Ink::Strong, &what);
    out += &format!("  {ended}  {} ms", run.milliseconds);
    if let Ok(at) = Timestamp::from_millisecond(run.started_at) {
        out += &format!("  {}", moment(&at.to_zoned(zone.clone()), clock_of_locale()));
    }
    let id: String = run.id.as_str().chars().take(ID_CHARACTERS).collect();
    out += &format!("  {}\n", escape_line(&id));
    let summary = run.summary.split_whitespace().collect::<Vec<_>>().join(" ");
    for line in wrap(&escape_line(&summary), style.width.saturating_sub(INDENT.len())) {
        out += &format!("{INDENT}{line}\n");
    }
    out
}
