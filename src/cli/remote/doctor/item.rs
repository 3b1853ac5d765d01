//! What a check has found.

use serde::Serialize;

use crate::cli::error::CommandError;
use crate::cli::term::ui::Ui;
use dibber_text::Message;

/// How bad it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum ItemLevel {
    /// Nothing is wrong.
    Ok,
    /// Something may not work as expected.
    Warning,
    /// Something does not work.
    #[default]
    Error,
}

/// A result, with everything that is hidden masked.
#[derive(Default, Serialize)]
pub(super) struct ItemV2 {
    pub(super) level: ItemLevel,
    pub(super) kind: &'static str,
    pub(super) message: String,
    pub(super) help: Option<String>,
    pub(super) table: Option<String>,
    pub(super) row: Option<i64>,
    pub(super) id: Option<String>,
    pub(super) column: Option<String>,
}

impl ItemLevel {
    /// Returns its name at the beginning of a line.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl ItemV2 {
    /// Creates the result of a check that has found nothing wrong.
    pub(super) fn ok(kind: &'static str, message: impl Into<Message>, ui: &Ui) -> Self {
        let message = message.into().shown(&ui.privacy()).to_string();
        Self { level: ItemLevel::Ok, kind, message, ..Self::default() }
    }

    /// Creates a warning, with what to do.
    pub(super) fn warning(
        kind: &'static str,
        message: impl Into<Message>,
        help: impl Into<Message>,
        ui: &Ui,
    ) -> Self {
        let help = Some(help.into().shown(&ui.privacy()).to_string());
        Self { level: ItemLevel::Warning, help, ..Self::ok(kind, message, ui) }
    }

    /// Creates an item from the error of a check.
    pub(super) fn error(kind: &'static str, error: &CommandError, ui: &Ui) -> Self {
        let help = error.help_text().map(|help| help.shown(&ui.privacy()).to_string());
        let mut item = Self::ok(kind, error.message().clone(), ui);
        // What follows is the line of a file.
        let first = item.message.find('\n').unwrap_or(item.message.len());
        item.message.truncate(first);
        Self { level: ItemLevel::Error, help, ..item }
    }
}
