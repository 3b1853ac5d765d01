//! The checks of what dibber keeps: the database, the file with the token, and the journal.

use std::path::Path;

use super::item::ItemV2;
use crate::cli::error::CommandError;
use crate::cli::remote::call_errors::journal_error;
use crate::cli::remote::client_state::ClientState;
use crate::cli::remote::serve::token_file::TokenFile;
use crate::cli::term::ui::Ui;
use dibber_protocol::{SECRETS_FILE_NAME, SecretStore};
use dibber_server::store::{self, DatabaseAddress, DatabaseProblem, OpenError};
use dibber_text::{message, quote_in_full};

/// The kind of the item that says that there are more problems.
pub(super) const MORE: &str = "more";

/// Returns what is damaged in the database.
pub(super) fn database(address: &DatabaseAddress, ui: &Ui) -> Result<Vec<ItemV2>, OpenError> {
    let problems = store::check(address)?;
    Ok(problems.iter().map(|problem| in_database(problem, ui)).collect())
}

fn in_database(problem: &DatabaseProblem, ui: &Ui) -> ItemV2 {
    let shown = |text: &String| ui.masked(text).into_owned();
    let message = shown(&problem.to_string());
    let (kind, table, row, id, column) = match problem {
        DatabaseProblem::Structure { .. } => ("structure", None, None, None, None),
        DatabaseProblem::More { .. } => (MORE, None, None, None, None),
        DatabaseProblem::Row { table, row, id, column } => {
            ("row", Some(table.clone()), Some(*row), id.as_ref().map(shown), column.clone())
        }
        DatabaseProblem::Reference { table, row, id, .. } => {
            ("reference", Some(table.clone()), Some(*row), id.as_ref().map(shown), None)
        }
        DatabaseProblem::WithoutOwner { table, row, id, .. } => {
            ("owner", Some(table.clone()), Some(*row), id.as_ref().map(shown), None)
        }
    };
    ItemV2 { kind, message, table, row, id, column, ..ItemV2::default() }
}

/// Checks whether the file with the token can be read, and by its owner alone.
pub(super) fn token_file(data: &Path, ui: &Ui) -> Option<ItemV2> {
    let error = TokenFile::in_directory(data).read().err()?;
    Some(ItemV2::error("token-file", &error, ui))
}

/// Returns what is wrong with the secrets of skills that run here.
pub(super) fn secrets(data: &Path, ui: &Ui) -> Option<ItemV2> {
    let error = SecretStore::read(&data.join(SECRETS_FILE_NAME)).err()?;
    let error = CommandError::new(error.message).help(error.help);
    Some(ItemV2::error("secrets", &error, ui))
}

/// Returns the entries of the journal that cannot be read.
pub(super) fn journal(data: &Path, ui: &Ui) -> Vec<ItemV2> {
    let unfinished = match ClientState::beside(data).journal().unfinished() {
        Ok(unfinished) => unfinished,
        Err(error) => return vec![ItemV2::error("journal", &journal_error(&error), ui)],
    };
    let corrupt = unfinished.into_iter().filter(|entry| entry.details.is_none());
    let item = |id: String| {
        let shown = quote_in_full(&id);
        let error = CommandError::new(message!["the journal entry ", shown, " is corrupt"]);
        let error = error.help(message![
            "check whether its write took effect, and then run `dibber journal discard ",
            shown,
            "`"
        ]);
        ItemV2 { id: Some(id.clone()), ..ItemV2::error("journal", &error, ui) }
    };
    corrupt.map(|entry| item(entry.id)).collect()
}
