//! Other heartbeats of a `sprout.yaml`, as edits that leave everything else as it is.

use serde_json::{Map, Value};

use super::manifest_editor::{HEARTBEATS, ManifestEditor};
use crate::content_hash::normal_cron;
use crate::contract::{MissedFires, TIME_ZONE_DEFAULT, WireEnum};
use crate::manifest::{self, Heartbeat, MANIFEST_FILE_NAME, WireSchedule};
use crate::skill::yaml_scalar::as_any_scalar;
use dibber_schedule::{Cron, ScheduleText, words_like};
use dibber_text::{Problem, Source, message};

/// A change of the heartbeats of a `sprout.yaml`.
#[derive(Clone, Debug, PartialEq)]
pub enum HeartbeatRevision {
    /// One more, at the end of the list.
    Add(NewHeartbeat),
    /// Another name, another schedule and other missed times of one of the file.
    Set {
        /// Its name in the file.
        current: String,
        /// Its new name.
        name: String,
        /// Five fields of cron.
        cron: String,
        /// The IANA name of the time zone.
        time_zone: String,
        /// What runs of the times that were missed.
        missed_fires: MissedFires,
    },
    /// One of the file that goes away.
    Remove {
        /// Its name in the file.
        current: String,
    },
}

/// A heartbeat that a `sprout.yaml` gets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewHeartbeat {
    /// Its name.
    pub name: String,
    /// Five fields of cron, or words.
    pub cron: String,
    /// The IANA name of the time zone.
    pub time_zone: String,
    /// The values of inputs.
    pub input: Map<String, Value>,
    /// Whether the result of each run is posted.
    pub posts_result: bool,
    /// What runs of the times that were missed.
    pub missed_fires: MissedFires,
}

/// Returns the text of a `sprout.yaml` with one change of its heartbeats. Comments, order, quotes and
/// all that is not changed keep their bytes.
///
/// # Errors
/// If the file is written in a way in which a heartbeat cannot be changed alone.
pub fn revise_heartbeat(text: &str, revision: &HeartbeatRevision) -> Result<String, Problem<()>> {
    let before = heartbeats(text);
    let mut editor = ManifestEditor::new(text);
    let mut wanted: Vec<_> = before.iter().map(Values::of).collect();
    let position = |current: &str| {
        let is_it = |heartbeat: &Heartbeat| heartbeat.name.value == current;
        before.iter().position(is_it).ok_or_else(cannot_edit)
    };
    match revision {
        HeartbeatRevision::Add(new) => {
            if before.is_empty() {
                editor.remove(HEARTBEATS)?;
                editor.append(&format!("{HEARTBEATS}:\n  - {}\n", lines(new).join("\n    ")));
            } else {
                editor.add_items(HEARTBEATS, &[lines(new)])?;
            }
            wanted.push(Values::of_new(new));
        }
        HeartbeatRevision::Set { current, name, cron, time_zone, missed_fires } => {
            let index = position(current)?;
            set(&mut editor, &before[index], (name, cron, time_zone));
            set_missed_fires(&mut editor, &before[index], *missed_fires);
            wanted[index].name.clone_from(name);
            wanted[index].cron = normal_cron(cron);
            wanted[index].zone = zone_of(time_zone);
            wanted[index].missed_fires = *missed_fires;
        }
        HeartbeatRevision::Remove { current } => {
            let index = position(current)?;
            if before.len() == 1 {
                editor.remove(HEARTBEATS)?;
            } else {
                editor.remove_item(HEARTBEATS, index)?;
            }
            wanted.remove(index);
        }
    }
    let revised = editor.finish();
    let after: Vec<_> = heartbeats(&revised).iter().map(Values::of).collect();
    if after == wanted { Ok(revised) } else { Err(cannot_edit()) }
}

fn heartbeats(text: &str) -> Vec<Heartbeat> {
    manifest::parse(&Source::new(MANIFEST_FILE_NAME, text)).0.heartbeats
}

fn cannot_edit() -> Problem<()> {
    let message =
        message!["cannot edit `", HEARTBEATS, "` in ", MANIFEST_FILE_NAME, " automatically"];
    Problem::new((), message).with_help("change them in an editor")
}

/// What is compared of a heartbeat before and after the edits.
#[derive(Debug, PartialEq)]
struct Values {
    name: String,
    cron: String,
    zone: String,
    inputs: Map<String, Value>,
    posts_result: bool,
    missed_fires: MissedFires,
}

impl Values {
    fn of(heartbeat: &Heartbeat) -> Self {
        let WireSchedule { cron, time_zone } = heartbeat.wire_schedule();
        let zone = zone_of(time_zone.as_deref().unwrap_or(TIME_ZONE_DEFAULT));
        let posts_result = heartbeat.post_result_notify.as_ref().is_some_and(|posts| posts.value);
        let name = heartbeat.name.value.clone();
        let cron = normal_cron(&cron);
        let missed_fires = missed_fires_of(heartbeat);
        Self { name, cron, zone, inputs: heartbeat.input_values(), posts_result, missed_fires }
    }

    fn of_new(new: &NewHeartbeat) -> Self {
        let cron = ScheduleText::parse(&new.cron)
            .map_or_else(|_| new.cron.clone(), |parsed| parsed.cron.normalized());
        let (name, inputs) = (new.name.clone(), new.input.clone());
        let (zone, posts_result) = (zone_of(&new.time_zone), new.posts_result);
        Self { name, cron, zone, inputs, posts_result, missed_fires: new.missed_fires }
    }
}

fn missed_fires_of(heartbeat: &Heartbeat) -> MissedFires {
    heartbeat.missed_fires.as_ref().map_or_else(MissedFires::default, |missed| missed.value)
}

/// Returns the name of a time zone as two of them are compared.
fn zone_of(name: &str) -> String {
    name.to_ascii_lowercase()
}

/// Returns a schedule as a heartbeat of a file gets it: as it is written there if that means the same,
/// and in words if the file has words and there are words for it.
pub fn schedule_for(heartbeat: &Heartbeat, cron: &str, time_zone: &str) -> String {
    let written = &heartbeat.cron.value;
    let (Ok(parsed), Ok(wanted)) = (heartbeat.parse_schedule(), Cron::parse(cron)) else {
        return cron.to_owned();
    };
    let names_other_zone =
        parsed.zone.as_ref().is_some_and(|zone| !zone.eq_ignore_ascii_case(time_zone));
    if parsed.cron == wanted && !names_other_zone {
        return written.clone();
    }
    words_like(written, &wanted, time_zone).unwrap_or_else(|| cron.to_owned())
}

fn set(
    editor: &mut ManifestEditor<'_>,
    heartbeat: &Heartbeat,
    (name, cron, time_zone): (&str, &str, &str),
) {
    if heartbeat.name.value != name {
        editor.replace_text(heartbeat.name.span, name);
    }
    let before = heartbeat.wire_schedule();
    let zone_before = before.time_zone.as_deref().unwrap_or(TIME_ZONE_DEFAULT);
    let has_same_zone = zone_before.eq_ignore_ascii_case(time_zone);
    if normal_cron(&before.cron) == normal_cron(cron) && has_same_zone {
        return;
    }
    let schedule = schedule_for(heartbeat, cron, time_zone);
    if heartbeat.cron.value != schedule {
        editor.replace_text(heartbeat.cron.span, &schedule);
    }
    let has_zone = ScheduleText::parse(&schedule).is_ok_and(|parsed| parsed.zone.is_some());
    match &heartbeat.time_zone {
        Some(zone) if has_same_zone && zone.value.eq_ignore_ascii_case(time_zone) => {}
        Some(zone) => editor.replace_text(zone.span, time_zone),
        None if time_zone == TIME_ZONE_DEFAULT || has_zone => {}
        None => editor.insert_line_after(heartbeat.cron.span, "tz", &as_any_scalar(time_zone)),
    }
}

/// Sets what runs of missed times, in the line after the schedule if the heartbeat has none for it.
fn set_missed_fires(
    editor: &mut ManifestEditor<'_>,
    heartbeat: &Heartbeat,
    missed_fires: MissedFires,
) {
    if missed_fires_of(heartbeat) == missed_fires {
        return;
    }
    let word = missed_fires.name();
    match &heartbeat.missed_fires {
        Some(written) => editor.replace_text(written.span, word),
        None => editor.insert_line_after(heartbeat.cron.span, "missedFires", word),
    }
}

/// Returns the lines of a heartbeat in a list, without their indentation.
fn lines(new: &NewHeartbeat) -> Vec<String> {
    let mut lines = vec![
        format!("name: {}", as_any_scalar(&new.name)),
        format!("cron: {}", as_any_scalar(&new.cron)),
    ];
    if new.time_zone != TIME_ZONE_DEFAULT {
        lines.push(format!("tz: {}", as_any_scalar(&new.time_zone)));
    }
    if !new.input.is_empty() {
        lines.push("input:".to_owned());
    }
    for (name, value) in &new.input {
        let value = value.as_str().map_or_else(|| value.to_string(), as_any_scalar);
        lines.push(format!("  {}: {value}", as_any_scalar(name)));
    }
    if new.posts_result {
        lines.push("postResultNotify: true".to_owned());
    }
    if new.missed_fires != MissedFires::default() {
        lines.push(format!("missedFires: {}", new.missed_fires.name()));
    }
    lines
}
