//! The JSON of `dibber heartbeat export`, described by `schemas/heartbeat-export.schema.json`.

use serde::Serialize;

use super::timers::{Timer, TimerFile, TimerSet};

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExportV1<'a> {
    version: u32,
    /// What the timers start.
    command: Vec<String>,
    items: Vec<TimerV1<'a>>,
    files: Vec<FileV1<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TimerV1<'a> {
    heartbeat_id: &'a str,
    name: &'a str,
    cadence_text: &'a str,
    cron: String,
    tz: &'a str,
}

#[derive(Serialize)]
struct FileV1<'a> {
    name: &'a str,
    text: &'a str,
}

impl<'a> ExportV1<'a> {
    pub(super) fn new(set: &'a TimerSet<'_>, files: &'a [TimerFile]) -> Self {
        let files = files.iter().map(|file| FileV1 { name: file.name, text: &file.text });
        let items = set.timers.iter().map(TimerV1::new).collect();
        Self { version: VERSION, command: set.start.words(), items, files: files.collect() }
    }
}

impl<'a> TimerV1<'a> {
    fn new(timer: &'a Timer) -> Self {
        Self {
            heartbeat_id: &timer.id,
            name: &timer.name,
            cadence_text: &timer.cadence,
            cron: timer.schedule.cron.normalized(),
            tz: timer.zone_name(),
        }
    }
}
