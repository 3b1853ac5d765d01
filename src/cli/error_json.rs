//! The JSON of an error: of a command that has nothing else to print, and of an item of a document.
//!
//! The shape is frozen by [`VERSION`] and described by `schemas/error.schema.json`.

use serde::Serialize;
use serde_json::Value;

use super::error::CommandError;
use super::exit::Exit;
use super::mask::masked_json;
use dibber_lint::Privacy;
use dibber_skill::names::Roster;
use dibber_text::Message;

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// What a command with `--json` prints if it has nothing else to print.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ErrorDocumentV1 {
    version: u32,
    error: ErrorV1,
    /// Other errors of the same run.
    other_errors: Vec<ErrorV1>,
}

impl ErrorDocumentV1 {
    /// Creates the document of these errors, the one that decides the exit code first. There is
    /// none without errors.
    pub(super) fn new(errors: &[CommandError], roster: &Roster) -> Option<Self> {
        let worst = errors.iter().map(CommandError::exit_code).reduce(Exit::worst)?;
        let first = errors.iter().position(|error| error.exit_code() == worst)?;
        let mut errors: Vec<_> = errors.iter().map(|error| ErrorV1::new(error, roster)).collect();
        let error = errors.remove(first);
        Some(Self { version: VERSION, error, other_errors: errors })
    }
}

/// An error.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ErrorV1 {
    /// The code of the contract, for an exit code that has one.
    code: Option<&'static str>,
    exit_code: u8,
    message: String,
    help: Option<String>,
    /// The error in the words of the server, which names its tools and their arguments.
    server_error: Option<Value>,
}

impl ErrorV1 {
    /// Returns the JSON of an error, with secrets and children's names masked.
    pub(super) fn new(error: &CommandError, roster: &Roster) -> Self {
        let shown =
            |message: &Message| message.shown(&Privacy { roster }).without_indent().to_string();
        Self {
            code: error.exit_code().code(),
            exit_code: error.exit_code() as u8,
            message: shown(error.message()),
            help: error.help_text().map(|help| shown(&help.shown_as_help(&Privacy { roster }))),
            server_error: error.server_error().map(|error| masked_json(error, roster)),
        }
    }
}
