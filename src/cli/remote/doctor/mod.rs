//! `dibber doctor`.

mod checks;
mod item;
mod remove;
mod sandbox;
mod stored;

use std::path::Path;

use clap::{ArgMatches, Args, Command as ClapCommand};
use serde::Serialize;

use self::item::{ItemLevel, ItemV2};
use super::call_errors::open_error;
use super::{database_address, server_options, session};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::flags::{DryRun, Yes};
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_server::store::DatabaseAddress;
use dibber_text::{escape_line, message, quote_display, quote_in_full, quote_path};

pub(super) const COMMAND: Command = Command { name: "doctor", define, run };

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 2;

/// Check what dibber needs, and what it keeps
///
/// A line for each check says that it is ok, or what is wrong and what to do: the time zone, the
/// configuration, the list of names, the server, what is recorded as published, completions, the
/// token of `dibber serve`, the secrets of skills that run here, skills that a server has twice, the journal of interrupted writes, the modes
/// of the sandbox in which the code of skills is run, and the database of the server in this program, if
/// there is one. `--data` names the directory of that database, which then has to exist.
///
/// The whole database is read: the structure of the file, rows that cannot be read, rows that refer
/// to something that is missing, and families and heartbeats without an owner. Without `--remove`,
/// nothing is changed, and a server may go on using it. The exit code is 1 if there is an error.
#[derive(Args)]
struct DoctorArgs {
    /// Check only the database
    #[arg(long, conflicts_with = "server")]
    database: bool,

    /// Remove the damaged skill or heartbeat with this id, and what refers to it
    ///
    /// What is removed is written to a file beside the database first.
    #[arg(long, value_name = "ID", requires = "database", conflicts_with = "json")]
    remove: Option<String>,

    #[command(flatten)]
    yes: Yes,

    #[command(flatten)]
    dry_run: DryRun,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Described by `schemas/doctor.schema.json`.
#[derive(Serialize)]
struct DoctorV2 {
    version: u32,
    database: String,
    items: Vec<ItemV2>,
}

fn define(command: ClapCommand) -> ClapCommand {
    let command = DoctorArgs::augment_args(command);
    let command = command.mut_arg("yes", |yes| yes.requires("remove"));
    session::define(command.mut_arg("dry_run", |dry_run| dry_run.requires("remove")))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let typed: DoctorArgs = parse_args(matches);
    let data = server_options::data(matches)?;
    let database = database_address::database(None, &data)?;
    if let Some(id) = &typed.remove {
        ui.names()?;
        return remove::run(id, &database, (typed.yes, typed.dry_run), ui);
    }
    let items = if typed.database {
        ui.names()?;
        stored::database(&database, ui).map_err(|error| open_error(&error))?
    } else {
        all(matches, &data, &database, ui)
    };
    let has_error = items.iter().any(|item| item.level == ItemLevel::Error);
    if typed.json {
        let database = ui.masked(&database.to_string()).into_owned();
        ui.print_json(&DoctorV2 { version: VERSION, database, items })?;
    } else if typed.database {
        print_problems(&database, &items, ui)?;
    } else {
        print_checks(&items, ui)?;
    }
    Ok(if has_error { Exit::Findings } else { Exit::Done })
}

fn all(matches: &ArgMatches, data: &Path, database: &DatabaseAddress, ui: &mut Ui) -> Vec<ItemV2> {
    let mut items = checks::run(matches, ui);
    items.extend(stored::token_file(data, ui));
    items.extend(stored::secrets(data, ui));
    items.extend(stored::journal(data, ui));
    items.extend(sandbox::run(data, ui));
    match stored::database(database, ui) {
        // A computer that only uses other servers has none, unless one was named.
        Err(error) if error.is_missing() && !matches.contains_id("data") => {
            items.push(ItemV2::ok("database", "database: none yet", ui));
        }
        Err(error) => items.push(ItemV2::error("database", &open_error(&error), ui)),
        Ok(problems) if problems.is_empty() => {
            items.push(ItemV2::ok("database", message!["database: ", quote_display(database)], ui));
        }
        Ok(problems) => items.extend(problems),
    }
    items
}

fn print_checks(items: &[ItemV2], ui: &mut Ui) -> Result<(), CommandError> {
    let mut lines = String::new();
    for ItemV2 { level, message, help, .. } in items {
        lines += &format!("{}: {}\n", level.name(), escape_line(message));
        if let Some(help) = help {
            lines += &format!("  help: {}\n", escape_line(help));
        }
    }
    ui.print(lines.as_bytes())?;
    let count = |level| items.iter().filter(|item| item.level == level).count();
    let (errors, warnings) = (count(ItemLevel::Error), count(ItemLevel::Warning));
    let summary = match (errors, warnings) {
        (0, 0) => "no problems found".to_owned(),
        (0, _) => quantity(warnings, "warning", "warnings"),
        (_, 0) => quantity(errors, "error", "errors"),
        _ => format!(
            "{} and {}",
            quantity(errors, "error", "errors"),
            quantity(warnings, "warning", "warnings")
        ),
    };
    ui.eprintln(message![quote_in_full(&summary)]);
    Ok(())
}

fn print_problems(
    database: &DatabaseAddress,
    items: &[ItemV2],
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let lines: String =
        items.iter().map(|item| format!("{}\n", escape_line(&item.message))).collect();
    ui.print(lines.as_bytes())?;
    let path = match database {
        DatabaseAddress::Directory(data) => quote_path(data),
        DatabaseAddress::Postgres(_) => quote_display(database),
    };
    if items.is_empty() {
        ui.eprintln(message!["no problems found in ", path]);
        return Ok(());
    }
    let has_more = items.iter().any(|item| item.kind == stored::MORE);
    let count = quantity(items.len() - usize::from(has_more), "problem", "problems");
    let count = if has_more { format!("more than {count}") } else { count };
    ui.eprintln(message![quote_in_full(&count), " in ", path]);
    ui.eprintln(
        "help: copy the file first; restore a backup, or remove a damaged skill or heartbeat with \
         `dibber doctor --database --remove ID`, and publish the skill again with `dibber push --new`",
    );
    Ok(())
}
