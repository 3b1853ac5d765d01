//! The safety check that is configured for the server of this program.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::own_config::{self, Configured};
use crate::cli::error::CommandError;
use crate::cli::term::ui::Ui;
use dibber_server::{OnSafetyLine, SafetyCommand, Server};
use dibber_skill::config::SafetyEntry;
use dibber_text::{message, quote_in_full};

/// Where the lines go that the safety check writes to standard error.
#[derive(Clone, Copy)]
pub(super) enum SafetyLog {
    /// The log of the server.
    Server,
    /// Standard error, as warnings: a server without a process of its own has no log.
    Warnings,
}

/// Returns the server over the database in `data` with its safety check, if there is one.
pub(super) fn add_safety_check(
    server: Server,
    data: &Path,
    log: SafetyLog,
    ui: &Ui,
) -> Result<Server, CommandError> {
    let Some(configured) = own_config::configured(data)? else { return Ok(server) };
    let command = command(&configured);
    let command = command.with_log_mask(Arc::new(ui.mask()));
    Ok(server.with_safety_command(match log {
        SafetyLog::Server => command,
        SafetyLog::Warnings => command.with_on_line(warn_of_line(ui)),
    }))
}

/// Returns what shows a line of the program as a warning.
fn warn_of_line(ui: &Ui) -> OnSafetyLine {
    let ui = Mutex::new(ui.for_thread());
    Arc::new(move |line: &str| {
        let mut ui = ui.lock().unwrap_or_else(PoisonError::into_inner);
        ui.warning(message!["the safety check wrote to standard error: ", quote_in_full(line)]);
    })
}

/// Returns the command, which runs in the directory of its file.
fn command(configured: &Configured<SafetyEntry>) -> SafetyCommand {
    let directory = configured.directory();
    let mut words = configured.entry.command.iter().map(|(word, _)| word.clone());
    let program = own_config::program(&words.next().unwrap_or_default(), directory);
    SafetyCommand::new(program, words.collect(), directory.to_owned())
}
