//! `dibber push --json` and `dibber diff --json`: what was planned and done, for each skill.
//!
//! The shape is frozen by [`VERSION`] and described by `tests/reference/push.schema.json`.

use serde::Serialize;
use serde_json::Value;

use super::apply::Outcome;
use super::arguments::{Options, Want};
use super::survey::{Planned, Step};
use crate::cli::error::CommandError;
use crate::cli::remote::changes;
use crate::cli::remote::mask::masked_json;
use crate::cli::term::ui::Ui;
use dibber_skill::names::Roster;

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PushV1<'a> {
    version: u32,
    server: &'a str,
    /// Whether anything was to be written.
    dry_run: bool,
    skills: Vec<SkillV1<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SkillV1<'a> {
    path: &'a str,
    name: Option<&'a str>,
    /// `create`, `update`, `none` or `stop`.
    action: &'static str,
    /// Whether it was done; false when nothing was to be done.
    done: bool,
    skill_id: Option<&'a str>,
    spec_hash: Option<String>,
    changed_fields: Vec<&'static str>,
    /// Whether another writer has changed it since it was published or pulled here.
    changed_elsewhere: bool,
    policy_decision: Option<Value>,
    error: Option<ErrorV1>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ErrorV1 {
    exit_code: u8,
    message: String,
    hint: Option<String>,
}

/// Prints it all.
pub(super) fn print(
    options: &Options,
    planned: &[Planned],
    results: &[Outcome],
    server: &str,
    ui: &mut Ui,
    roster: &Roster,
) -> Result<(), CommandError> {
    let skills = planned.iter().enumerate().map(|(index, planned)| {
        let result = results.iter().find(|result| result.index == index);
        skill(planned, result, ui, roster)
    });
    let skills = skills.collect();
    let dry_run = options.want != Want::Push;
    ui.print_json(&PushV1 { version: VERSION, server, dry_run, skills })
}

fn skill<'a>(
    planned: &'a Planned,
    result: Option<&'a Outcome>,
    ui: &Ui,
    roster: &Roster,
) -> SkillV1<'a> {
    let done = result.and_then(|result| result.done.as_ref().ok());
    let failed = result.and_then(|result| result.done.as_ref().err());
    let (action, skill_id, changed_fields, policy, stop) = match &planned.step {
        Step::Create { policy } => ("create", None, Vec::new(), Some(policy), None),
        Step::Update { policy, old, update, .. } => {
            let id = Some(old.skill_id.as_str());
            ("update", id, changes::names(update), Some(policy), None)
        }
        Step::Nothing { skill_id, .. } => ("none", Some(skill_id.as_str()), Vec::new(), None, None),
        Step::Stopped(stop) => ("stop", None, Vec::new(), None, Some(&stop.error)),
    };
    SkillV1 {
        path: &planned.review.path,
        name: planned.review.preview.as_ref().map(|preview| preview.name.as_str()),
        action,
        done: done.is_some(),
        skill_id: done.map(|done| done.skill_id.as_str()).or(skill_id),
        spec_hash: planned.hash.map(|hash| hash.to_string()),
        changed_fields,
        changed_elsewhere: matches!(planned.step, Step::Update { is_changed_elsewhere: true, .. }),
        policy_decision: policy.map(|policy| {
            let policy = serde_json::to_value(policy).expect("strings and lists");
            masked_json(&policy, roster)
        }),
        error: stop.or(failed).map(|error| ErrorV1 {
            exit_code: error.exit_code() as u8,
            message: ui.masked(error.message()).into_owned(),
            hint: error.help_text().map(|hint| ui.masked(hint).into_owned()),
        }),
    }
}
