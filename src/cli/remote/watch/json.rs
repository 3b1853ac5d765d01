//! The lines of `--json`.

use serde::Serialize;
use serde_json::{Value, json};

use super::changes::{Change, News};
use crate::cli::mask::{mask, masked_json, masked_object};
use dibber_skill::names::Roster;

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// Described by `schemas/watch.schema.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ChangeV1<'a> {
    version: u32,
    server: &'a str,
    uri: String,
    resource_version: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<Value>,
}

/// Returns a change as JSON on one line.
pub(super) fn line(change: &Change, server: &str, roster: &Roster) -> String {
    let items = match &change.news {
        News::Events(events) => Some(json!(events)),
        News::Cards(cards) => Some(json!(cards)),
        News::State(_) => None,
    };
    let state = match &change.news {
        News::State(state) => Some(masked_object(state, roster).into()),
        News::Events(_) | News::Cards(_) => None,
    };
    let line = ChangeV1 {
        version: VERSION,
        server,
        uri: mask(&change.uri, roster),
        resource_version: &change.version,
        items: items.map(|items| masked_json(&items, roster)),
        state,
    };
    serde_json::to_string(&line).expect("keys are strings") + "\n"
}
