//! The lines of `--json`.

use serde::Serialize;
use serde_json::{Value, json};

use crate::cli::mask::{mask, masked_json, masked_object};
use dibber_client::{ResourceChange, ResourceNews};
use dibber_skill::names::Roster;

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// Described by `schemas/watch.schema.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChangeV1<'a> {
    version: u32,
    server: &'a str,
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_version: Option<&'a str>,
    /// Whether changes before these were missed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    has_gap: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<Value>,
}

impl<'a> ChangeV1<'a> {
    pub(super) fn new(change: &'a ResourceChange, server: &'a str, roster: &Roster) -> Self {
        let items = match &change.news {
            ResourceNews::Events(events) => Some(json!(events)),
            ResourceNews::Cards(cards) => Some(json!(cards)),
            ResourceNews::State(_) => None,
        };
        let state = match &change.news {
            ResourceNews::State(state) => Some(masked_object(state, roster).into()),
            ResourceNews::Events(_) | ResourceNews::Cards(_) => None,
        };
        Self {
            version: VERSION,
            server,
            uri: mask(&change.uri, roster),
            resource_version: change.version.as_deref(),
            has_gap: change.has_gap,
            items: items.map(|items| masked_json(&items, roster)),
            state,
        }
    }
}
