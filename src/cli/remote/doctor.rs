//! `dibber doctor`.

use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args};
use serde::Serialize;

use super::refusal::open_error;
use super::server_options;
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_server::store::{self, DatabaseProblem};
use dibber_text::escape_line;

pub(super) const COMMAND: Command =
    Command { name: "doctor", define: DoctorArgs::augment_args, run };

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// Check the data of the server in this program
///
/// It reads the whole database, and lists what is damaged: the structure of the file, rows that
/// cannot be read, and rows that refer to something that is missing. Nothing is changed, and a
/// server may go on using the database. The exit code is 1 if something is damaged.
#[derive(Args)]
struct DoctorArgs {
    /// The directory of the database; the default is `DIBBER_DATA`, or your state directory
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Described by `tests/reference/doctor.schema.json`.
#[derive(Serialize)]
struct DoctorV1 {
    version: u32,
    database: String,
    items: Vec<ItemV1>,
}

#[derive(Serialize)]
struct ItemV1 {
    kind: &'static str,
    message: String,
    table: Option<String>,
    row: Option<i64>,
    id: Option<String>,
    column: Option<String>,
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let typed: DoctorArgs = parse_args(matches);
    ui.names()?;
    let data = server_options::data(matches)?;
    let problems = store::check(&data).map_err(|error| open_error(&error))?;
    let database = store::database_path(&data);
    if typed.json {
        print_json(&database, &problems, ui)?;
    } else {
        print(&database, &problems, ui)?;
    }
    Ok(if problems.is_empty() { Exit::Done } else { Exit::Findings })
}

fn print(database: &Path, problems: &[DatabaseProblem], ui: &mut Ui) -> Result<(), CommandError> {
    let lines = problems.iter().map(|problem| line(problem, ui));
    let lines: String = lines.collect();
    ui.print(lines.as_bytes())?;
    let path = database.to_string_lossy();
    let path = ui.shown(&path).in_full().to_string();
    if problems.is_empty() {
        ui.eprintln(&format!("no problems found in {path}"));
        return Ok(());
    }
    let count = quantity(problems.len(), "problem", "problems");
    ui.eprintln(&format!("{count} in {path}"));
    ui.eprintln(
        "help: copy the file first; restore a backup, or publish a damaged skill again with \
         `dibber push`",
    );
    Ok(())
}

fn line(problem: &DatabaseProblem, ui: &Ui) -> String {
    // A name is hidden before anything is escaped: a part of it would not be recognised.
    format!("{}\n", escape_line(&ui.masked(&problem.to_string())))
}

fn print_json(
    database: &Path,
    problems: &[DatabaseProblem],
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let items = problems.iter().map(|problem| item(problem, ui)).collect();
    let database = ui.masked(&database.to_string_lossy()).into_owned();
    ui.print_json(&DoctorV1 { version: VERSION, database, items })
}

fn item(problem: &DatabaseProblem, ui: &Ui) -> ItemV1 {
    let shown = |text: &String| ui.masked(text).into_owned();
    let message = shown(&problem.to_string());
    let (kind, table, row, id, column) = match problem {
        DatabaseProblem::Structure { .. } => ("structure", None, None, None, None),
        DatabaseProblem::Row { table, row, id, column } => {
            ("row", Some(table.clone()), Some(*row), id.as_ref().map(shown), column.clone())
        }
        DatabaseProblem::Reference { table, row, .. } => {
            ("reference", Some(table.clone()), Some(*row), None, None)
        }
    };
    ItemV1 { kind, message, table, row, id, column }
}
