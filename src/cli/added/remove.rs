//! `dibber remove`.

use clap::{ArgMatches, Args};
use serde::Serialize;

use super::document::{VERSION, print_masked};
use super::edits::show_edits;
use super::install::say_if_waiting;
use super::prepared::{apply_error, blocked_error};
use super::scope::{Scope, read_lock};
use super::update::named;
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::error_json::ErrorV1;
use crate::cli::exit::Exit;
use crate::cli::flags::{DryRun, Yes};
use crate::cli::term::ask::Asker;
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_catalog::added::{RemovePlan, apply_remove, plan_remove};
use dibber_text::{message, quote, quote_in_full};

pub(in crate::cli) const COMMAND: Command =
    Command { name: "remove", define: RemoveArgs::augment_args, run };

/// Remove skills that were added
///
/// Their folders and links are removed, and what dibber.lock records of them. A skill that was edited here
/// stays, unless you say `--force`.
#[derive(Args)]
struct RemoveArgs {
    /// The skills
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,

    #[command(flatten)]
    scope: Scope,

    /// Remove skills that were edited here
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    yes: Yes,

    #[command(flatten)]
    dry_run: DryRun,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Described by `schemas/remove.schema.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RemoveV1 {
    version: u32,
    items: Vec<RemovedV1>,
    /// Whether the skills were removed.
    is_applied: bool,
    errors: Vec<ErrorV1>,
}

#[derive(Serialize)]
struct RemovedV1 {
    name: String,
    places: Vec<String>,
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: RemoveArgs = parse_args(matches);
    let root = arguments.scope.root()?;
    let lock = read_lock(&root)?;
    let mut plans: Vec<RemovePlan> = Vec::new();
    for skill in named(&lock, &arguments.names)? {
        let plan = plan_remove(&root, skill, arguments.force).map_err(|blocked| {
            blocked_error(&blocked).with_context(message!["`", quote(&skill.name), "`"])
        })?;
        if plans.iter().all(|other| other.recorded.name != skill.name) {
            plans.push(plan);
        }
    }
    if !arguments.json {
        for plan in &plans {
            let places = plan.places.join(", ");
            let line = ui.shown(&format!("{}  {places}", plan.recorded.name)).in_full().to_string();
            ui.print(format!("{}\n", line.trim_end()).as_bytes())?;
            show_edits(&root, &plan.recorded, ui)?;
        }
    }
    let applies = !arguments.dry_run.is_set() && (arguments.yes.is_set() || agrees(&plans, ui)?);
    if applies {
        for plan in &plans {
            apply_remove(&root, plan, arguments.force, &mut |step| say_if_waiting(step, ui))
                .map_err(|error| apply_error(&error))?;
            ui.eprintln(message!["removed `", quote(&plan.recorded.name), "`"]);
        }
    } else {
        ui.eprintln("Nothing was changed.");
    }
    if arguments.json {
        let items = plans.into_iter();
        let items =
            items.map(|plan| RemovedV1 { name: plan.recorded.name, places: plan.places }).collect();
        let errors = ui.errors_json();
        print_masked(&RemoveV1 { version: VERSION, items, is_applied: applies, errors }, ui)?;
    }
    Ok(Exit::Done)
}

fn agrees(plans: &[RemovePlan], ui: &mut Ui) -> Result<bool, CommandError> {
    if !ui.can_ask() {
        return Err(CommandError::cannot_confirm("add `--yes`; `--dry-run` shows the plan alone"));
    }
    let skills = quantity(plans.len(), "skill", "skills");
    let roster = ui.names()?;
    Asker::new(ui, &roster).confirm(message!["Remove ", quote_in_full(&skills), "?"], false)
}
