//! Heartbeats that were changed on the server, and that a `sprout.yaml` declares.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::find::Named;
use crate::cli::drafted::Drafted;
use crate::cli::error::CommandError;
use crate::cli::remote::session::Session;
use crate::cli::term::ui::Ui;
use dibber_client::publish::LockKey;
use dibber_skill::contract::{HeartbeatChange, HeartbeatUpdate, MissedFires, TIME_ZONE_DEFAULT};
use dibber_skill::discover::{self, shown_path};
use dibber_skill::manifest::{Heartbeat, MANIFEST_FILE_NAME};
use dibber_text::{message, quote, quote_argument, quote_in_full};

/// Warns of each `sprout.yaml` that still has a heartbeat that was cancelled. Returns their skills.
pub(super) fn warn_of_cancelled<'a>(
    skills: &'a [LockKey],
    name: &str,
    is_made_again: bool,
    ui: &mut Ui,
) -> Vec<&'a LockKey> {
    let reason = if is_made_again {
        "or the next push makes it again"
    } else {
        "or the next push stops because of it"
    };
    warn_of_declared(skills, name, reason, ui)
}

/// Warns of each `sprout.yaml` that still has a heartbeat that was cancelled, and that the server
/// still lists.
pub(super) fn warn_of_cancelled_and_listed(
    named: &Named,
    session: &Session,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let skills = session.locks()?.skills_of_heartbeat(Path::new("."), &named.id)?;
    warn_of_declared(&skills, named.declared_name(), "as the next push leaves it paused", ui);
    Ok(())
}

fn warn_of_declared<'a>(
    skills: &'a [LockKey],
    name: &str,
    reason: &'static str,
    ui: &mut Ui,
) -> Vec<&'a LockKey> {
    let declarations = declarations(skills, name);
    for Declaration { directory, is_only, .. } in &declarations {
        let folder = shown_path(directory);
        let path = shown_path(&directory.join(MANIFEST_FILE_NAME));
        let how = if *is_only {
            message!["there, as `dibber edit ", quote_argument(&folder), " --schedule never` does"]
        } else {
            message!["from ", quote_in_full(&path)]
        };
        ui.warning(message![
            "the folder ",
            quote_in_full(&folder),
            " still has `",
            quote(name),
            "`: remove it ",
            how,
            ", ",
            reason
        ]);
    }
    declarations.into_iter().map(|declaration| declaration.skill).collect()
}

/// Warns of each `sprout.yaml` that still has a heartbeat as it was before these changes.
pub(super) fn warn_of_edited(
    updates: &[HeartbeatUpdate],
    named: &Named,
    session: &Session,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let mut locks = session.locks()?;
    let skills = locks.skills_of_heartbeat(Path::new("."), &named.id)?;
    // The folder still has the name of the last push, whatever it was called since.
    let recorded = locks.recorded_name(&skills, &named.id)?;
    let name = recorded.as_deref().unwrap_or_else(|| named.declared_name());
    for Declaration { directory, heartbeat, .. } in declarations(&skills, name.trim()) {
        let stale = updates.iter().filter_map(|update| stale_part(&update.change, &heartbeat));
        for part in stale {
            let folder = shown_path(&directory);
            let options = quote_in_full(&session.server.typed_options);
            ui.warning(message![
                "the folder ",
                quote_in_full(&folder),
                " still has the old ",
                part,
                " of `",
                quote(name.trim()),
                "`; `dibber pull ",
                quote_argument(&folder),
                options,
                "` writes the new one there"
            ]);
        }
    }
    Ok(())
}

/// A heartbeat in the `sprout.yaml` of a directory.
struct Declaration<'a> {
    skill: &'a LockKey,
    directory: PathBuf,
    heartbeat: Heartbeat,
    /// Whether the file has no other heartbeat.
    is_only: bool,
}

/// Returns the directories of these skills that declare the heartbeat, and what each declares.
fn declarations<'a>(skills: &'a [LockKey], name: &str) -> Vec<Declaration<'a>> {
    let mut declared = Vec::new();
    if name.is_empty() {
        return declared;
    }
    for skill in skills {
        let directory = discover::from_current_directory(skill.skill_directory());
        let (found, _) = discover::find(std::slice::from_ref(&directory));
        let drafted = found.iter().filter_map(|found| Drafted::load(found).ok());
        let manifests = drafted.filter_map(|drafted| drafted.draft.manifest);
        let heartbeats: Vec<_> = manifests.flat_map(|manifest| manifest.heartbeats).collect();
        let is_only = heartbeats.len() == 1;
        let mut heartbeats = heartbeats.into_iter();
        let heartbeat = heartbeats.find(|heartbeat| heartbeat.name.value.trim() == name);
        declared.extend(heartbeat.map(|heartbeat| Declaration {
            skill,
            directory,
            heartbeat,
            is_only,
        }));
    }
    declared
}

/// Returns the word for what a declaration has otherwise than a change makes it.
fn stale_part(change: &HeartbeatChange, declared: &Heartbeat) -> Option<&'static str> {
    match change {
        HeartbeatChange::EditSchedule { cron, tz } => {
            let schedule = declared.wire_schedule();
            let zone = schedule.time_zone.as_deref().unwrap_or(TIME_ZONE_DEFAULT);
            let is_other = cron.as_ref().is_some_and(|cron| *cron != schedule.cron)
                || tz.as_ref().is_some_and(|tz| !tz.eq_ignore_ascii_case(zone));
            is_other.then_some("schedule")
        }
        HeartbeatChange::EditName { name } => {
            (name.trim() != declared.name.value.trim()).then_some("name")
        }
        HeartbeatChange::EditInputs { skill_input } => {
            // One that is optional may be empty.
            let is_given = |values: &Map<String, Value>| {
                let given = values.clone().into_iter().filter(|(_, value)| value != "");
                given.collect::<Map<_, _>>()
            };
            let is_other = is_given(skill_input) != is_given(&declared.input_values());
            is_other.then_some("inputs")
        }
        HeartbeatChange::EditMissedFires { missed_fires } => {
            let declared = declared.missed_fires.as_ref();
            let declared = declared.map_or_else(MissedFires::default, |it| it.value);
            (declared != *missed_fires).then_some("`missedFires`")
        }
        _ => None,
    }
}

impl Named {
    /// Returns its name as a `sprout.yaml` has it; the empty string if it is not known.
    pub(super) fn declared_name(&self) -> &str {
        self.name.as_deref().unwrap_or_default().trim()
    }
}
