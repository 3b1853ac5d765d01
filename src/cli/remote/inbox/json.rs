//! The output of `--json`.

use serde::Serialize;

use dibber_skill::contract::{CardState, InboxCard, ResultId};

/// The version of the shapes; it goes up when a field changes its meaning or goes away.
pub(super) const VERSION: u32 = 1;

/// Described by `schemas/inbox.schema.json`. With `--follow`, each one is a line.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct InboxV1 {
    pub(super) version: u32,
    pub(super) server: String,
    pub(super) items: Vec<InboxCard>,
    /// Whether cards before these may have been missed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) has_gap: bool,
    /// Where the rest begins, if some are left out.
    pub(super) next_cursor: Option<String>,
}

/// Described by `schemas/inbox-change.schema.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChangeV1 {
    pub(super) version: u32,
    pub(super) server: String,
    pub(super) state: CardState,
    /// How many of them had another state before.
    pub(super) changed: usize,
    pub(super) items: Vec<ResultId>,
}
