//! `dibber doctor --database --remove`.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::flags::{DryRun, Yes};
use crate::cli::remote::call_errors::open_error;
use crate::cli::term::ask::Asker;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_server::store::{self, DatabaseAddress, RemovalDecision, RemovedRow};
use dibber_text::atomic_file::{Access, replace};
use dibber_text::{message, quote, quote_in_full, quote_path, unescape_line};

/// What is counted of the rows that are removed.
const COUNTED: [(&str, &str, &str); 3] = [
    ("skills", "damaged skill", "damaged skills"),
    ("heartbeats", "heartbeat", "heartbeats"),
    ("results", "result", "results"),
];

/// Removes a damaged skill or heartbeat after it was agreed to.
pub(super) fn run(
    id: &str,
    database: &DatabaseAddress,
    (yes, dry_run): (Yes, DryRun),
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let DatabaseAddress::Directory(data) = database else {
        return Err(CommandError::new("`--remove` is for a SQLite database").help(
            "nothing was changed; with `psql`, set the column that `dibber doctor --database` names",
        ));
    };
    if !yes.is_set() && !dry_run.is_set() && !ui.can_ask() {
        return Err(CommandError::cannot_confirm(
            "`--dry-run` shows what would be removed; `--yes` removes it without asking",
        ));
    }
    let mut id = Cow::Borrowed(id);
    let mut planned = plan(&id, data)?;
    // `dibber doctor` shows control characters escaped.
    if planned.is_empty()
        && let Some(unescaped) = unescape_line(&id)
    {
        planned = plan(&unescaped, data)?;
        id = Cow::Owned(unescaped);
    }
    if planned.is_empty() {
        let message = message!["no damaged skill or heartbeat has the id `", quote(&id), "`"];
        return Err(CommandError::new(message)
            .help("`dibber doctor --database` lists what is damaged, with its id")
            .exit(Exit::NotFound));
    }
    let counted = counts(&planned);
    let counted = quote_in_full(&counted);
    if dry_run.is_set() {
        ui.eprintln(message!["would remove ", counted]);
        return Ok(Exit::Done);
    }
    if !yes.is_set() {
        let _watched = Interrupt::watch()?;
        let roster = ui.names()?;
        let question = message!["Remove ", counted, " from the database?"];
        if !Asker::new(ui, &roster).confirm(question, false)? {
            ui.eprintln("Nothing was changed.");
            return Ok(Exit::Done);
        }
    }
    let copy = copy_path(data);
    let removed = remove(&id, data, &copy)?;
    let removed = counts(&removed);
    ui.eprintln(message![
        "Removed ",
        quote_in_full(&removed),
        "; what it was is in ",
        quote_path(&copy)
    ]);
    if planned.iter().any(|row| row.table == "skills") {
        ui.eprintln("help: `dibber push --new PATH` publishes the skill of a folder again");
    }
    Ok(Exit::Done)
}

/// Returns what would be removed.
fn plan(id: &str, data: &Path) -> Result<Vec<RemovedRow>, CommandError> {
    let mut planned = Vec::new();
    store::remove_damaged(data, id, &mut |rows| {
        planned = rows.to_vec();
        Ok(RemovalDecision::Keep)
    })
    .map_err(|error| open_error(&error))?;
    Ok(planned)
}

/// Writes what is removed to a file, and removes it.
fn remove(id: &str, data: &Path, copy: &Path) -> Result<Vec<RemovedRow>, CommandError> {
    let mut removed = Vec::new();
    store::remove_damaged(data, id, &mut |rows| {
        removed = rows.to_vec();
        replace(copy, &serde_json::to_vec_pretty(rows)?, Access::Private)?;
        Ok(RemovalDecision::Remove)
    })
    .map_err(|error| open_error(&error))?;
    Ok(removed)
}

/// Returns the path of a new file beside the database.
fn copy_path(data: &Path) -> PathBuf {
    data.join(format!("removed-{}.json", Timestamp::now().as_millisecond()))
}

/// Returns the number of rows of each kind: `1 damaged skill, 2 heartbeats, 1 result`.
fn counts(rows: &[RemovedRow]) -> String {
    let counted = COUNTED.iter().filter_map(|(table, one, many)| {
        let count = rows.iter().filter(|row| row.table == *table).count();
        (count > 0).then(|| quantity(count, one, many))
    });
    counted.collect::<Vec<_>>().join(", ")
}
