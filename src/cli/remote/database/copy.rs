//! `dibber database copy`.

use std::sync::Arc;

use clap::Args;
use serde::Serialize;

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::flags::{DryRun, Yes};
use crate::cli::remote::call_errors::open_error;
use crate::cli::remote::database_address;
use crate::cli::term::ask::Asker;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_server::store::{
    self, CopiedFamily, CopyError, CopyPlan, DatabaseAddress, FamilyId, FamilyPlan, Store,
};
use dibber_text::{message, quote_display, quote_in_full};

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// Copy every family, or one, to another database
///
/// Everything of a family is copied: members, children, canvases, skills, results, heartbeats, tokens
/// and recorded answers. The source is read in one state, while a server may go on using it. Either
/// everything is copied, or nothing is; every row of the copy is compared with the source before.
///
/// A family that the target has already is never changed, and neither is one of the same name. If
/// every family is copied to a database without families, it also gets the id of the source, so
/// that clients and `dibber.lock` recognize it: serve only one of the two after that.
#[derive(Args)]
pub(super) struct CopyArgs {
    /// The database to read: a directory, or `postgres://USER@HOST/NAME`
    #[arg(value_name = "FROM")]
    from: String,

    /// The database to write, which is created if it does not exist
    #[arg(value_name = "TO")]
    to: String,

    /// Copy only the family with this id
    #[arg(long, value_name = "ID")]
    family: Option<String>,

    #[command(flatten)]
    yes: Yes,

    #[command(flatten)]
    dry_run: DryRun,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Described by `schemas/database-copy.schema.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CopyV1 {
    version: u32,
    from: String,
    to: String,
    /// `false` for a plan, and after the question was answered with no.
    copied: bool,
    /// The id of the source, if the target takes it over.
    server_id: Option<String>,
    families: Vec<FamilyV1>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FamilyV1 {
    family_id: FamilyId,
    tables: Vec<TableV1>,
}

#[derive(Serialize)]
struct TableV1 {
    table: &'static str,
    rows: usize,
    /// The digest of the rows in both databases (SHA-256), once they are copied.
    digest: Option<String>,
}

/// An open store, which is closed at the end.
struct OpenStore(Arc<dyn Store>);

impl Drop for OpenStore {
    fn drop(&mut self) {
        self.0.close();
    }
}

pub(super) fn run(typed: &CopyArgs, ui: &mut Ui) -> Result<Exit, CommandError> {
    if !typed.yes.is_set() && !typed.dry_run.is_set() && !ui.can_ask() {
        return Err(CommandError::cannot_confirm(
            "`--dry-run` shows what would be copied; `--yes` copies it without asking",
        ));
    }
    let from = database_address::parse(&typed.from, "FROM")?;
    let to = database_address::parse(&typed.to, "TO")?;
    let family = typed.family.as_deref().map(FamilyId::from);
    let source = open_source(&from)?;
    let plan = plan(&source, &to, family.as_ref())?;
    let mut shown = CopyV1 {
        version: VERSION,
        from: from.to_string(),
        to: to.to_string(),
        copied: false,
        server_id: plan.server_id.clone(),
        families: plan.families.iter().map(planned).collect(),
    };
    let is_agreed = !typed.dry_run.is_set() && agree(typed, &shown, ui)?;
    if is_agreed {
        let target = store::open(&to).map(OpenStore).map_err(|error| open_error(&error))?;
        let done = store::copy(source.0.as_ref(), target.0.as_ref(), plan)
            .map_err(|error| copy_error(&error))?;
        shown.families = done.into_iter().map(copied).collect();
        shown.copied = true;
    }
    if typed.json {
        ui.print_json(&shown)?;
    } else if is_agreed {
        ui.eprintln(message!["copied and compared ", quote_in_full(&counts(&shown))]);
    } else if typed.dry_run.is_set() {
        print_plan(&shown, ui)?;
    } else {
        ui.eprintln("Nothing was changed.");
    }
    Ok(Exit::Done)
}

fn open_source(from: &DatabaseAddress) -> Result<OpenStore, CommandError> {
    store::open_existing(from).map(OpenStore).map_err(|error| {
        let shown = open_error(&error);
        if error.is_missing() {
            shown.help("FROM is a database that a server was started on")
        } else {
            shown
        }
    })
}

/// Returns what is to be copied. The target need not exist, and is not created for a plan.
fn plan(
    source: &OpenStore,
    to: &DatabaseAddress,
    family: Option<&FamilyId>,
) -> Result<CopyPlan, CommandError> {
    let target = match store::open_existing(to) {
        Ok(target) => Some(OpenStore(target)),
        Err(error) if error.is_missing() => None,
        Err(error) => return Err(open_error(&error)),
    };
    let target = target.as_ref().map(|target| target.0.as_ref());
    store::plan_copy(source.0.as_ref(), target, family).map_err(|error| copy_error(&error))
}

/// Shows the plan and asks, unless the answer was given.
fn agree(typed: &CopyArgs, plan: &CopyV1, ui: &mut Ui) -> Result<bool, CommandError> {
    if typed.yes.is_set() {
        return Ok(true);
    }
    let _watched = Interrupt::watch()?;
    let roster = ui.names()?;
    show_plan(plan, ui);
    let question = message!["Copy this to ", quote_in_full(&plan.to), "?"];
    Asker::new(ui, &roster).confirm(question, false)
}

fn print_plan(plan: &CopyV1, ui: &mut Ui) -> Result<(), CommandError> {
    let lines: String = plan_lines(plan).into_iter().map(|line| line + "\n").collect();
    ui.print(lines.as_bytes())
}

fn show_plan(plan: &CopyV1, ui: &mut Ui) {
    for line in plan_lines(plan) {
        ui.eprintln(message![quote_in_full(&line)]);
    }
}

fn plan_lines(plan: &CopyV1) -> Vec<String> {
    let mut lines = Vec::new();
    for family in &plan.families {
        lines.push(format!("family {}", family.family_id));
        let tables = family.tables.iter().filter(|table| table.rows > 0);
        lines.extend(tables.map(|table| format!("  {:<18}{:>8}", table.table, table.rows)));
    }
    lines.push(format!("in all {}", counts(plan)));
    if let Some(id) = &plan.server_id {
        lines.push(format!("the target gets the id of the source, {id}: then serve only one"));
    }
    lines
}

fn counts(plan: &CopyV1) -> String {
    let rows = plan.families.iter().flat_map(|family| &family.tables).map(|table| table.rows).sum();
    format!(
        "{} with {}",
        quantity(plan.families.len(), "family", "families"),
        quantity(rows, "row", "rows")
    )
}

fn planned(family: &FamilyPlan) -> FamilyV1 {
    let table =
        |(table, rows): &(&'static str, usize)| TableV1 { table, rows: *rows, digest: None };
    FamilyV1 { family_id: family.id.clone(), tables: family.tables.iter().map(table).collect() }
}

fn copied(family: CopiedFamily) -> FamilyV1 {
    let tables = family.tables.into_iter().map(|table| TableV1 {
        table: table.name,
        rows: table.rows,
        digest: Some(table.digest),
    });
    FamilyV1 { family_id: family.id, tables: tables.collect() }
}

fn copy_error(error: &CopyError) -> CommandError {
    let exit = match error {
        CopyError::UnknownFamily(_) => Exit::NotFound,
        CopyError::Present(_) | CopyError::NameTaken(_) => Exit::BadInput,
        _ => Exit::Failed,
    };
    CommandError::new(quote_display(error)).help(error.help()).exit(exit)
}
