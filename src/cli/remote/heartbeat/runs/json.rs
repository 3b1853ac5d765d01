//! The JSON of the commands on runs, which `schemas/heartbeat-runs.schema.json` describes.

use serde::Serialize;

use crate::cli::mask::{mask, masked_object};
use dibber_skill::contract::HeartbeatRun;
use dibber_skill::names::Roster;

/// The version of the shapes; it goes up when a field changes its meaning or goes away.
pub(super) const VERSION: u32 = 1;

/// What each command prints: one run is a list of one.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RunsV1 {
    pub(super) version: u32,
    pub(super) items: Vec<HeartbeatRun>,
    pub(super) next_cursor: Option<String>,
    /// The prompt of a run that was claimed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) prompt: Option<String>,
}

/// Returns a run without what no output may show.
pub(super) fn masked(mut run: HeartbeatRun, roster: &Roster) -> HeartbeatRun {
    for text in [&mut run.name, &mut run.reason].into_iter().flatten() {
        *text = mask(text, roster);
    }
    run.result = run.result.map(|result| masked_object(&result, roster));
    run
}
