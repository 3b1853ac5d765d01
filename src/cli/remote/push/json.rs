//! `dibber push --json` and `dibber diff --json`: what was planned and done, for each skill.
//!
//! The shape is frozen by [`VERSION`] and described by `schemas/push.schema.json`.

use serde::Serialize;
use serde_json::Value;

use super::arguments::{Options, PushMode};
use super::heartbeats::SkillHeartbeats;
use super::outcome::Done;
use super::page;
use super::plan::PushItem;
use super::prune::{MissingSkill, MissingState};
use crate::cli::error::CommandError;
use crate::cli::error_json::ErrorV1;
use crate::cli::mask::masked_json;
use crate::cli::remote::conflict::{self, ConflictV1};
use crate::cli::remote::heartbeat::json::PlanV1;
use crate::cli::remote::heartbeat::plan::HeartbeatItem;
use crate::cli::remote::withheld::Withheld;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{
    Conflict, HeartbeatOutcome, HeartbeatStep, SkillChange, SkillCreation, SkillStep,
    SkillUnchanged, updated_fields,
};
use dibber_skill::contract::SkillId;
use dibber_skill::names::Roster;

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 3;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PushV1<'a> {
    version: u32,
    server: String,
    /// Whether anything was to be written.
    dry_run: bool,
    items: Vec<SkillV1<'a>>,
    /// The skills that were published from directories which are gone.
    gone: Vec<GoneV1>,
    /// The errors that belong to no item.
    errors: Vec<ErrorV1>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GoneV1 {
    path: String,
    skill_id: SkillId,
    /// `archive`, `none` or `stop`.
    action: &'static str,
    /// Whether it was done; false when nothing was to be done.
    done: bool,
    /// The heartbeats that are cancelled for good with it.
    heartbeats: Vec<PlanV1>,
    /// What was changed of it on the server, and is undone.
    undoes: Vec<String>,
    /// Why it cannot be archived.
    error: Option<ErrorV1>,
}

#[expect(clippy::struct_excessive_bools, reason = "independent facts, as they are printed")]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SkillV1<'a> {
    path: &'a str,
    name: Option<&'a str>,
    /// The fields whose values are not printed: a server refuses a name in them that is not known
    /// here.
    withheld: Vec<&'static str>,
    /// `create`, `update`, `none` or `stop`.
    action: &'static str,
    /// Whether it was done; false when nothing was to be done.
    done: bool,
    skill_id: Option<&'a SkillId>,
    /// The directory that it was published from, if it was moved since.
    moved_from: Option<String>,
    /// Whether it is linked to this skill because of the same content.
    linked: bool,
    spec_hash: Option<String>,
    /// The hash that the server has answered, in whatever form.
    server_hash: Option<&'a str>,
    changed_fields: Vec<&'static str>,
    /// Whether another writer has changed it since it was published or pulled here.
    changed_elsewhere: bool,
    /// Whether only another writer has.
    behind: bool,
    /// The changes of both sides then.
    conflict: Option<ConflictV1>,
    /// Whether the changes of the server were merged into its files, or would be.
    merged: bool,
    policy_decision: Option<Value>,
    /// The files that are not published, except those for people.
    unpublished_files: Vec<String>,
    /// Its heartbeats; empty if they were not planned.
    heartbeats: Vec<PlanV1>,
    error: Option<ErrorV1>,
}

/// Prints it all, unless there are only errors.
pub(super) fn print(
    options: &Options,
    items: &[PushItem],
    done: &Done,
    gone: &[MissingSkill],
    server: &str,
    ui: &mut Ui,
    roster: &Roster,
) -> Result<(), CommandError> {
    let errors = ui.errors_json();
    if items.is_empty() && gone.is_empty() && !errors.is_empty() {
        return Ok(());
    }
    let items = items.iter().enumerate().map(|(index, item)| {
        let outcome = done.outcomes.get(index).and_then(Option::as_ref);
        skill(item, outcome, &done.heartbeats[index], ui, roster)
    });
    let items = items.collect();
    let gone = gone.iter().map(|skill| missing_skill(skill, ui, roster)).collect();
    let dry_run = options.mode != PushMode::Push;
    let server = ui.masked(server).into_owned();
    ui.print_json(&PushV1 { version: VERSION, server, dry_run, items, gone, errors })
}

fn skill<'a>(
    item: &'a PushItem,
    outcome: Option<&'a Result<SkillId, CommandError>>,
    heartbeats: &SkillHeartbeats,
    ui: &Ui,
    roster: &Roster,
) -> SkillV1<'a> {
    let published = outcome.and_then(|outcome| outcome.as_ref().ok());
    let failed = outcome.and_then(|outcome| outcome.as_ref().err());
    let (action, skill_id, changed_fields, preview, blocked) = match &item.step {
        SkillStep::Create(SkillCreation { preview }) => {
            ("create", None, Vec::new(), preview.as_ref(), None)
        }
        SkillStep::Update(SkillChange { preview, stored, update, .. }) => {
            let id = Some(&stored.skill_id);
            ("update", id, updated_fields(update), preview.as_ref(), None)
        }
        SkillStep::Unchanged(SkillUnchanged { skill_id, .. }) => {
            ("none", Some(skill_id), Vec::new(), None, None)
        }
        SkillStep::Blocked(blocked) => {
            let id = item.record.published().map(|published| &published.skill_id);
            ("stop", id, Vec::new(), None, Some(&blocked.error))
        }
    };
    let by_policy = item.step.blocked().map(|blocked| blocked.withheld.clone());
    let blocked = blocked.or(item.objection.as_ref().map(|objection| &objection.error));
    let error = blocked.or(failed);
    let by_error = || error.map(Withheld::by_error).unwrap_or_default();
    let withheld = by_policy.filter(|fields| !fields.is_empty()).unwrap_or_else(by_error);
    let name = item.review.preview.as_ref().map(|preview| preview.name.as_str());
    SkillV1 {
        path: &item.review.path,
        name: name.filter(|_| !withheld.has("name")),
        withheld: withheld.fields(),
        action,
        done: published.is_some(),
        skill_id: published.or(skill_id),
        moved_from: item
            .record
            .moved_from()
            .map(|from| ui.masked(&page::path_of(from)).into_owned()),
        linked: item.linked_skill().is_some(),
        spec_hash: item.hash().map(|hash| hash.to_string()),
        server_hash: preview.map(|preview| preview.server_hash.as_str()),
        changed_fields,
        changed_elsewhere: conflict_of(item).is_some(),
        behind: item.is_behind(),
        conflict: conflict_of(item).map(|conflict| {
            let mut sides = conflict::json(conflict, roster);
            sides.withhold(|field| withheld.has(field));
            sides
        }),
        merged: item.is_merged(),
        policy_decision: preview.map(|preview| {
            let policy = serde_json::to_value(&preview.policy).expect("strings and lists");
            masked_json(&policy, roster)
        }),
        unpublished_files: item
            .review
            .unpublished
            .iter()
            .map(|path| ui.masked(path).into_owned())
            .collect(),
        heartbeats: heartbeat_plans(heartbeats, &withheld, roster),
        error: error.map(|error| ErrorV1::new(error, roster)),
    }
}

fn conflict_of<'a>(item: &'a PushItem) -> Option<&'a Conflict> {
    match &item.step {
        SkillStep::Update(SkillChange { conflict, .. }) => conflict.as_deref(),
        SkillStep::Blocked(blocked) => blocked.conflict.as_ref().map(|conflict| &*conflict.sides),
        SkillStep::Create(_) | SkillStep::Unchanged(_) => None,
    }
}

fn missing_skill(skill: &MissingSkill, ui: &Ui, roster: &Roster) -> GoneV1 {
    let heartbeats = skill.heartbeats.iter();
    GoneV1 {
        path: ui.masked(&page::path_of(&skill.record.key)).into_owned(),
        skill_id: skill.record.published.skill_id.clone(),
        action: match skill.state {
            MissingState::Kept => "none",
            MissingState::Blocked => "stop",
            MissingState::ToArchive | MissingState::Archived => "archive",
        },
        done: skill.state == MissingState::Archived,
        heartbeats: heartbeats
            .map(|item| PlanV1::new(item, &Ok(skill.outcome(item)), roster))
            .collect(),
        undoes: skill.undoes().iter().map(|what| ui.masked(what).into_owned()).collect(),
        error: skill.error().map(|error| ErrorV1::new(error, roster)),
    }
}

/// Returns what was planned, and done, for each heartbeat of a skill.
fn heartbeat_plans(
    heartbeats: &SkillHeartbeats,
    withheld: &Withheld,
    roster: &Roster,
) -> Vec<PlanV1> {
    let nothing = Ok(HeartbeatOutcome::Unchanged);
    let items = heartbeats.items.iter().enumerate();
    let items = items.filter(|(_, item)| !matches!(item.step(), HeartbeatStep::Forget(_)));
    let plan = |(index, item): (usize, &HeartbeatItem)| {
        let outcome = heartbeats.outcomes.get(index).unwrap_or(&nothing);
        let plan = PlanV1::new(item, outcome, roster);
        // It usually has the name of its skill.
        let plan = if withheld.has("name") { plan.without_name() } else { plan };
        match &heartbeats.skipped {
            Some(reason) if item.step().has_changes() => plan.skipped(reason, roster),
            _ => plan,
        }
    };
    items.map(plan).collect()
}
