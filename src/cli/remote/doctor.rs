//! `dibber doctor`.

use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args};
use serde::Serialize;

use super::call_errors::{journal_error, open_error};
use super::client_state::ClientState;
use super::serve::token_file::TokenFile;
use super::server_options;
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::state_directory::state_directory;
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_server::store::{self, DatabaseProblem};
use dibber_text::{escape_line, message, quote_in_full};

pub(super) const COMMAND: Command =
    Command { name: "doctor", define: DoctorArgs::augment_args, run };

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// The kind of the item that says that there are more problems.
const MORE: &str = "more";

/// Check the data of the server in this program
///
/// It reads the whole database, and lists what is damaged: the structure of the file, rows that
/// cannot be read, rows that refer to something that is missing, and families and heartbeats without
/// an owner. It also checks the file with the token of `dibber serve`, and the journal of
/// interrupted writes. Nothing is changed, and a
/// server may go on using the database. The exit code is 1 if there is a problem.
#[derive(Args)]
struct DoctorArgs {
    /// Check only the database
    #[arg(long)]
    database: bool,

    /// The directory of the database; the default is `DIBBER_DATA`, or your state directory
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Described by `schemas/doctor.schema.json`.
#[derive(Serialize)]
struct DoctorV1 {
    version: u32,
    database: String,
    items: Vec<ItemV1>,
}

/// A problem.
#[derive(Default, Serialize)]
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
    let database = store::database_path(&data);
    // A computer that only uses other servers has none, unless one was named.
    let is_default = state_directory().is_ok_and(|state| state == data);
    let is_expected = typed.database || !is_default || database.exists();
    let damaged = if is_expected {
        store::check(&data).map_err(|error| open_error(&error))?
    } else {
        Vec::new()
    };
    let mut items: Vec<_> = damaged.iter().map(|problem| in_database(problem, ui)).collect();
    if !typed.database {
        items.extend(in_token_file(&data, ui));
        items.extend(in_journal(&data)?);
    }
    let exit = if items.is_empty() { Exit::Done } else { Exit::Findings };
    if typed.json {
        let database = ui.masked(&database.to_string_lossy()).into_owned();
        ui.print_json(&DoctorV1 { version: VERSION, database, items })?;
    } else {
        if !is_expected {
            ui.eprintln("there is no database yet");
        }
        print(&data, &items, !damaged.is_empty(), ui)?;
    }
    Ok(exit)
}

fn print(data: &Path, items: &[ItemV1], is_damaged: bool, ui: &mut Ui) -> Result<(), CommandError> {
    let lines: String =
        items.iter().map(|item| format!("{}\n", escape_line(&item.message))).collect();
    ui.print(lines.as_bytes())?;
    let path = data.to_string_lossy();
    let path = ui.shown(&path).in_full().to_string();
    if items.is_empty() {
        ui.eprintln(message!["no problems found in ", quote_in_full(&path)]);
        return Ok(());
    }
    let has_more = items.iter().any(|item| item.kind == MORE);
    let count = quantity(items.len() - usize::from(has_more), "problem", "problems");
    let count = if has_more { format!("more than {count}") } else { count };
    ui.eprintln(message![quote_in_full(&count), " in ", quote_in_full(&path)]);
    if is_damaged {
        ui.eprintln(
            "help: copy the file first; restore a backup, or publish a damaged skill again with \
             `dibber push`",
        );
    }
    Ok(())
}

fn in_database(problem: &DatabaseProblem, ui: &Ui) -> ItemV1 {
    let shown = |text: &String| ui.masked(text).into_owned();
    let message = shown(&problem.to_string());
    let (kind, table, row, id, column) = match problem {
        DatabaseProblem::Structure { .. } => ("structure", None, None, None, None),
        DatabaseProblem::More { .. } => (MORE, None, None, None, None),
        DatabaseProblem::Row { table, row, id, column } => {
            ("row", Some(table.clone()), Some(*row), id.as_ref().map(shown), column.clone())
        }
        DatabaseProblem::Reference { table, row, .. } => {
            ("reference", Some(table.clone()), Some(*row), None, None)
        }
        DatabaseProblem::WithoutOwner { table, row, id, .. } => {
            ("owner", Some(table.clone()), Some(*row), id.as_ref().map(shown), None)
        }
    };
    ItemV1 { kind, message, table, row, id, column }
}

/// Checks whether the file with the token can be read, and by its owner alone.
fn in_token_file(data: &Path, ui: &Ui) -> Option<ItemV1> {
    let error = TokenFile::in_directory(data).read().err()?;
    let privacy = ui.privacy();
    let help = error.help_text().map(|help| format!("; {}", help.shown(&privacy)));
    let message = format!("{}{}", error.message().shown(&privacy), help.unwrap_or_default());
    Some(ItemV1 { kind: "token-file", message, ..ItemV1::default() })
}

/// Returns the entries of the journal that cannot be read.
fn in_journal(data: &Path) -> Result<Vec<ItemV1>, CommandError> {
    let unfinished =
        ClientState::beside(data).journal().unfinished().map_err(|error| journal_error(&error))?;
    let corrupt = unfinished.into_iter().filter(|entry| entry.details.is_none());
    let items = corrupt.map(|entry| ItemV1 {
        kind: "journal",
        message: format!(
            "the journal entry {id} is corrupt; check whether its write took effect, and then run \
             `dibber journal discard {id}`",
            id = entry.id
        ),
        id: Some(entry.id),
        ..ItemV1::default()
    });
    Ok(items.collect())
}
